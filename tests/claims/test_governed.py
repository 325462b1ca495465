"""What a word of duty, chance or aim governs is read with it, a cleft without its frame."""

from __future__ import annotations

import pytest

from groundrules.claims.slots import described
from tests.claims.said import read_propositions


def read(text: str) -> list[str]:
    return [described(one) for one in read_propositions(text)]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("It is expected that the ship will dock in May.", "The ship is expected to dock in May."),
        ("It is said that the well is deep.", "The well is said to be deep."),
        ("The guild has plans to sell the mill.", "The guild plans to sell the mill."),
        ("The guild's plan is to sell the mill.", "The guild plans to sell the mill."),
        ("The guild has the right to sell the mill.", "The guild may sell the mill."),
        ("Nothing obliges Ann to pay the fee.", "Ann need not pay the fee."),
        ("No clause permits the guild to sell the mill.", "The guild may not sell the mill."),
        ("It is forbidden to swim in the lake.", "Swimming in the lake is forbidden."),
        ("It is possible that the owner will sell the mill.", "The owner might sell the mill."),
    ],
)
def test_two_frames_of_one_clause_have_one_reading(text: str, same: str) -> None:
    assert read(text) == read(same)


@pytest.mark.parametrize(
    "text",
    [
        "The lid is to be closed.",
        "The lease is to begin on 4 May.",
        "Guests may swim.",
        "The ship is said to be old.",
    ],
)
def test_what_is_due_allowed_or_said_is_no_fact(text: str) -> None:
    (made,) = read(text)
    assert made.startswith(("is to ", "may ", "say("))


def test_since_gives_a_reason_where_no_perfect_gives_it_a_time() -> None:
    assert "because: block" in read("Since the road was blocked, the bus turned back.")[0]
    assert "since: build" in read("Since the road was built, the bus has stopped here.")[0]
