"""Two words stand in one relation."""

from __future__ import annotations

import pytest

from groundrules.align.meanings import Part, related
from groundrules.align.projection import Relation


@pytest.mark.parametrize(
    ("one", "other", "part", "expected"),
    [
        ("buy", "purchase", "event", Relation.SAME),
        ("remain", "stay", "event", Relation.SAME),
        ("murder", "kill", "event", Relation.ENTAILS),
        ("poodle", "dog", "thing", Relation.ENTAILS),
        ("poodle", "animal", "thing", Relation.ENTAILS),
        ("dog", "poodle", "thing", Relation.OPEN),
        ("dog", "cat", "thing", Relation.OPEN),
        ("open", "closed", "property", Relation.OPEN),
        ("poodle", "dog", "", Relation.OPEN),
        ("study", "examine", "event", Relation.OPEN),
        ("inspector", "inspection", "thing", Relation.OPEN),
        ("management", "manager", "thing", Relation.OPEN),
        ("operator", "operate", "", Relation.OPEN),
        ("retire", "resign", "event", Relation.OPEN),
    ],
)
def test_two_words_stand_in_one_relation(
    one: str, other: str, part: Part, expected: Relation
) -> None:
    assert related(one, other, part) is expected
