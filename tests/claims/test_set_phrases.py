"""What English says in several words is read as the one word or role that says the same."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import read_propositions
from groundrules.claims.slots import described


def read(text: str) -> list[str]:
    return [described(one) for one in read_propositions(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The lamps are tested once a week.", "The lamps are tested every week."),
        ("The lamps are tested weekly.", "The lamps are tested every week."),
        ("In place of a fee, the club asks a gift.", "Instead of a fee, the club asks a gift."),
        ("In Orla's opinion, the dam is old.", "According to Orla, the dam is old."),
        ("The keys were made in advance.", "The keys were made beforehand."),
    ],
)
def test_two_wordings_are_read_alike(one: str, other: str) -> None:
    assert read(one) == read(other)


@pytest.mark.parametrize(
    "text",
    ["Guests may not leave without paying.", "The guest will not leave without paying."],
)
def test_what_one_may_not_do_without_another_is_one_proposition(text: str) -> None:
    assert len(read(text)) == 1
