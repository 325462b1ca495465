"""What joins a clause to another gives it its role; an "otherwise" denies the condition."""

from __future__ import annotations

import pytest

from groundrules.claims.slots import described
from tests.claims.said import read_propositions


def read(text: str) -> list[str]:
    return [described(one) for one in read_propositions(text)]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Pupils may swim as long as a teacher is present.", "provided"),
        ("Pupils may swim on condition that a teacher is present.", "provided"),
        ("Pupils may swim if a teacher is present.", "if"),
        ("Pupils may swim only if a teacher is present.", "only if"),
        ("Pupils may swim unless a teacher is present.", "unless"),
    ],
)
def test_a_link_of_several_words_is_one_condition(text: str, role: str) -> None:
    assert read(text) == [f"may swim(subj: bare pupil, {role}: present(subj: a teacher))"]


def test_what_is_so_even_if_is_so_with_the_condition_and_without() -> None:
    assert read("Dogs may stay even if the owner is ill.") == [
        "may stay(subj: bare dog)",
        "may stay(subj: bare dog, if: ill(subj: the owner))",
    ]


def test_a_condition_is_told_by_the_order_of_its_words() -> None:
    assert read("Should the alarm ring, the lift stops.")[0].startswith("stop(")
    assert "if: ring(subj: the alarm)" in read("Should the alarm ring, the lift stops.")[0]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (
            "The baker did not buy apples but pears.",
            ["not buy(subj: the baker, obj: bare apple)", "buy(subj: the baker, obj: bare pear)"],
        ),
        (
            "The bus does not stop at the mill but at the church.",
            ["not stop(subj: the bus, at: the mill)", "stop(subj: the bus, at: the church)"],
        ),
    ],
)
def test_what_stands_in_place_of_what_is_denied_is_affirmed(text: str, made: list[str]) -> None:
    assert read(text) == made
