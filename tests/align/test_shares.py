"""What a part of a whole, an amount or a time of a source says of another in a statement."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import deduce
from groundrules.align.projection import Relation, of_part
from groundrules.claims.slots import Measure, Term


def relation(source: str, statement: str) -> Relation:
    """Return how a source stands to a statement."""
    return deduce(statement, source, [(0, len(source))]).finding.relation


JURORS = "Nine of the twelve jurors agreed."


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        (JURORS, "Three quarters of the jurors agreed."),
        (JURORS, "Most jurors agreed."),
        (JURORS, "More than half of the jurors agreed."),
        (JURORS, "At least eight of the jurors agreed."),
        (JURORS, "Three of the twelve jurors did not agree."),
        (JURORS, "A quarter of the jurors did not agree."),
        (
            "Of the 30 pupils in the class, 18 passed the test.",
            "Twelve of the pupils failed the test.",
        ),
        ("Of the 50 geese, 40 survived the storm.", "A fifth of the geese died in the storm."),
        ("Most of the tents leaked.", "More than half of the tents leaked."),
        ("Half of the tents leaked.", "Some of the tents leaked."),
        ("A minority of the tents leaked.", "Less than half of the tents leaked."),
    ],
)
def test_a_part_of_a_whole_entails_the_shares_that_hold_it(source: str, statement: str) -> None:
    assert relation(source, statement).supports


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        (JURORS, "Half of the jurors agreed."),
        (JURORS, "All of the jurors agreed."),
        (JURORS, "None of the jurors agreed."),
        (JURORS, "Ten of the twelve jurors agreed."),
        (JURORS, "Four of the twelve jurors did not agree."),
        ("Most of the tents leaked.", "Few of the tents leaked."),
        ("Less than a third of the tents leaked.", "Most of the tents leaked."),
        ("None of the tents leaked.", "A third of the tents leaked."),
    ],
)
def test_a_part_of_a_whole_excludes_the_shares_apart_from_it(source: str, statement: str) -> None:
    assert relation(source, statement).refutes


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        (JURORS, "Nine of the twelve jurors agreed in May."),
        ("Nine of the twelve jurors agreed in May.", "Three of the jurors did not agree."),
        ("Nine of the twelve jurors agreed.", "Nine of the twelve witnesses agreed."),
        ("At most nine of the twelve jurors agreed.", "Most jurors agreed."),
        ("Some of the jurors agreed.", "Half of the jurors agreed."),
        ("Nine of the jurors agreed.", "Most jurors agreed."),
        ("Many of the tents leaked.", "Most of the tents leaked."),
    ],
)
def test_a_part_says_nothing_of_another_whole_time_or_size(source: str, statement: str) -> None:
    assert relation(source, statement) not in {Relation.SAME, Relation.ENTAILS}
    assert not relation(source, statement).refutes


@pytest.mark.parametrize(
    ("source", "statement", "expected"),
    [
        ("The climb takes 90 minutes.", "The climb takes one and a half hours.", Relation.SAME),
        ("The climb takes 90 minutes.", "The climb takes two hours.", Relation.EXCLUDES),
        ("The rope is 150 cm long.", "The rope is 1.5 m long.", Relation.SAME),
        ("The scarf costs €25.", "The scarf costs 25 euros.", Relation.SAME),
        ("The scarf costs €25.", "The scarf costs 25 dollars.", Relation.OPEN),
        ("The mill was built in May 1904.", "The mill was built in 1904.", Relation.ENTAILS),
        ("The mill was built in 1904.", "The mill was built in May 1904.", Relation.ENTAILED),
        ("The mill was built in 1904.", "The mill was built in 1911.", Relation.EXCLUDES),
        (
            "The road has been shut since 2 June.",
            "The road has been shut since 9 June.",
            Relation.EXCLUDES,
        ),
        ("The kiosk opens at 9 am.", "The kiosk opens at 10 am.", Relation.EXCLUDES),
        ("The choir sang in 1904.", "The choir sang in 1911.", Relation.OPEN),
        ("A mill was built in 1904.", "A mill was built in 1911.", Relation.OPEN),
    ],
)
def test_amounts_and_times_are_compared_in_their_base_unit(
    source: str, statement: str, expected: Relation
) -> None:
    assert relation(source, statement) is expected


def test_what_is_left_of_a_part_is_what_is_denied_of_it() -> None:
    nine = Term("juror", "thing", 0, determiner="part", measure=Measure("count", (9, 9)))
    assert of_part(nine, 12) == (0.75, 0.75)
    assert of_part(nine, 12, denied=True) == (0.25, 0.25)
    assert of_part(nine, None) is None


@pytest.mark.parametrize("limit", ["Up to", "At most"])
def test_a_greater_number_than_a_permission_allows_is_not_entailed(limit: str) -> None:
    source = "At most six cars may park in the yard."
    assert not relation(source, f"{limit} nine cars may park in the yard.").supports
    assert relation(source, "No more than six cars may park in the yard.") is Relation.SAME
