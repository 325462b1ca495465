"""Times of day in words are the times that figures tell."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import deduce
from groundrules.align.projection import Relation


def relation(statement: str, source: str) -> Relation:
    return deduce(statement, source, [(0, len(source))]).finding.relation


@pytest.mark.parametrize(
    ("told", "figures"),
    [
        ("half past eight", "8:30"),
        ("a quarter to six", "17:45"),
        ("half past two in the afternoon", "14:30"),
        ("quarter to six in the evening", "17:45"),
        ("twenty past four", "4:20 pm"),
        ("ten in the morning", "10:00"),
        ("eleven at night", "23:00"),
        ("3 o'clock", "15:00"),
    ],
)
def test_a_time_in_words_is_that_in_figures(told: str, figures: str) -> None:
    words, plain = f"The kiosk opens at {told}.", f"The kiosk opens at {figures}."
    assert relation(words, plain).supports
    assert relation(plain, words).supports


@pytest.mark.parametrize(
    ("told", "figures"),
    [
        ("half past eight", "9:30"),
        ("a quarter to six", "18:15"),
        ("ten in the morning", "22:00"),
        ("3 o'clock", "16:00"),
    ],
)
def test_another_hour_is_excluded(told: str, figures: str) -> None:
    words, plain = f"The kiosk opens at {told}.", f"The kiosk opens at {figures}."
    assert relation(words, plain).refutes
    assert relation(plain, words).refutes
