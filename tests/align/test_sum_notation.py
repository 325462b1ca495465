"""Laws of sums as they are written: what is read of them, and what they add up."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.sum_notation import MOST, Side, Term, count, parts, read_sums, row_of


def shown(side: Side) -> str:
    """Return a side with brackets about each step."""
    if isinstance(side, Term):
        return f"{side.value:g}" + "%" * side.percent
    return f"({shown(side.left)} {side.sign} {shown(side.right)})"


@pytest.mark.parametrize(
    ("said", "sums"),
    [
        ("2 + 3 * 4 = 14", ["(2 + (3 * 4)) = 14"]),
        ("10 - 4 - 3 = 3", ["((10 - 4) - 3) = 3"]),
        ("(2 + 3) * 4 = 20", ["((2 + 3) * 4) = 20"]),
        ("1,860 less 1,398 is about 462", ["(1860 less 1398) = 462"]),
        ("25 % of 14 = £3.50", ["(25% of 14) = 3.5"]),
        ("95 min + 145 min = 240 min", ["(95 + 145) = 240"]),
        ("2 + 3 = 5; so 5 * 4 = 20", ["(2 + 3) = 5", "(5 * 4) = 20"]),
        ("2 + 3 = 5 * 4 = 20", ["(2 + 3) = 5", "(5 * 4) = 20"]),
        ("(2 + 3 = 5", ["(2 + 3) = 5"]),
        ("2 + = 5, 7, 9", []),
        ("It is 5.", []),
        ("", []),
    ],
)
def test_products_come_before_sums_and_brackets_before_both(said: str, sums: list[str]) -> None:
    assert [f"{shown(one.whole)} = {one.given.value:g}" for one in read_sums(said)] == sums


@given(st.text("0123456789+-*/()=%. of", max_size=60))
def test_whatever_is_written_a_sum_is_two_sides_or_more_and_stands_there(said: str) -> None:
    for one in read_sums(said):
        assert one.words in said
        assert count(one.whole) >= 1


def test_parts_are_added_or_taken_away_through_brackets() -> None:
    (one,) = read_sums("9 - (4 - (3 + 2)) = 10")
    told = [(up, side.value) for up, side in parts(one.whole) if isinstance(side, Term)]
    assert told == [(True, 9), (False, 4), (True, 3), (True, 2)]


def test_a_row_is_longer_than_what_is_chosen_and_adds_nothing_but_numbers() -> None:
    for some, is_row in itertools.product((MOST, MOST + 1), (True, False)):
        said = " + ".join(["2"] * some) + (" = 9" if is_row else " * 3 = 9")
        (one,) = read_sums(said)
        assert (row_of(one.whole) != []) == (is_row and some > MOST)
        assert count(one.whole) == (1 if is_row and some > MOST else some + (not is_row))
