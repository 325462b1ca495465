"""Two words stand in one relation: the same, narrower, opposed, or none."""

from __future__ import annotations

from groundrules.align.words.meanings import Part, lexicon, related, relation
from tests.rows import each


@each("one other part expected")
def test_two_words_stand_in_one_relation(one: str, other: str, part: Part, expected: str) -> None:
    assert related(one, other, part) == expected


@each("one other expected")
def test_relations_are_the_same_from_either_side(one: str, other: str, expected: int) -> None:
    assert relation(one, other) == relation(other, one) == expected


def test_no_word_is_opposed_to_itself_on_an_axis() -> None:
    for word, sides in lexicon().sides.items():
        assert not any((axis, -side) in sides for axis, side in sides), word
