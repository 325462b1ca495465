"""Words that are the same or opposed by the lists that ship."""

from __future__ import annotations

from groundrules.align.opposites import lexicon, relation
from tests.rows import each


@each("one other expected")
def test_relations_are_the_same_from_either_side(one: str, other: str, expected: int) -> None:
    assert relation(one, other) == relation(other, one) == expected


def test_no_word_is_opposed_to_itself_on_an_axis() -> None:
    for word, sides in lexicon().sides.items():
        assert not any((axis, -side) in sides for axis, side in sides), word
