"""Two rates of one thing in one statement fit each other, or the statement is wrong."""

from __future__ import annotations

import pytest

from groundrules import Outcome, check
from groundrules.align.numbers import read_numbers
from groundrules.align.rates import misfits


@pytest.mark.parametrize(
    ("text", "rather"),
    [
        ("The rent is $5,000 a month, that is $50,000 a year.", "$60,000"),
        ("The rent is $5,000 a month, $50,000 a year.", "$60,000"),
        ("The rent is $5,000 per month ($50,000 annually).", "$60,000"),
        ("The monthly rent is $5,000, or $50,000 a year.", "$60,000"),
        ("The fee is €100 a week, which is €6,000 a year.", "€5,200"),
    ],
)
def test_a_rate_that_does_not_follow_is_told_with_what_does(text: str, rather: str) -> None:
    ((_, other, how),) = misfits(text, read_numbers(text))
    assert other == rather
    assert rather in how


@pytest.mark.parametrize(
    "text",
    [
        "The rent is $5,000 a month, that is $60,000 a year.",
        "He earns $10 an hour and $400 a week.",
        "The rent is $5,000 a month and the tax $3,000 a year.",
        "The rent is $5,000 a month, $5,500 a month from May.",
        "The rent is about $5,000 a month, or $61,000 a year.",
        "It is $100 a week, about $5,200 a year.",
        "The rent is $5,000 a month, or €50,000 a year.",
    ],
)
def test_what_fits_or_is_of_something_else_is_left_alone(text: str) -> None:
    assert not [*misfits(text, read_numbers(text))]


def test_it_is_wrong_whatever_the_sources_say_unless_they_say_just_that() -> None:
    text = "The rent is $5,000 a month, that is $50,000 a year."
    report = check(text, context="The tenant pays rent.", verify=False)
    assert report.statements[0].outcome is Outcome.REFUTED
    assert "GR307" in {v.rule for v in report.violations}
    assert "GR307" not in {v.rule for v in check(text, context=text, verify=False).violations}
