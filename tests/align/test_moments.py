"""Times told from the day of writing: which are read, and what another of them supports."""

from __future__ import annotations

import pytest

from groundrules import Outcome, check
from groundrules.align.moments import moments
from groundrules.align.wordalign import read


@pytest.mark.parametrize(
    ("text", "unit", "steps"),
    [
        ("The ferry was sold last year.", "year", -1),
        ("The ferry is sold this month.", "month", 0),
        ("Next week the ferry sails.", "week", 1),
        ("The ferry was sold yesterday.", "day", -1),
        ("Tomorrow the ferry sails.", "day", 1),
        ("The ferry was sold the day before yesterday.", "day", -2),
        ("The ferry sails the day after tomorrow.", "day", 2),
        ("The ferry was sold last Monday.", "monday", -1),
    ],
)
def test_a_time_told_from_today_has_a_unit_and_a_distance(text: str, unit: str, steps: int) -> None:
    (found,) = moments(read(text))
    assert (found.unit, found.steps) == (unit, steps)


@pytest.mark.parametrize(
    "text",
    [
        "The mill has grown over the last year.",  # a period of twelve months
        "The ferry sails this Monday.",  # to some it is the next one
        "It was their last year in Turin.",
        "This is the last of the mills.",
    ],
)
def test_what_is_no_time_told_from_today_is_not_read(text: str) -> None:
    assert list(moments(read(text))) == []


#: Two sentences that tell one thing of two times.
MOVED = [
    ("Varga broke his wrist last year.", "Varga broke his wrist this year."),
    ("The ferry was sold yesterday.", "The ferry will be sold tomorrow."),
    ("The rent rises next month.", "The rent rises this month."),
    ("Last year's budget was larger.", "This year's budget was larger."),
    ("He met the mayor last night.", "He met the mayor tonight."),
]


@pytest.mark.parametrize(("one", "other"), MOVED)
def test_another_time_is_neither_supported_nor_refuted(one: str, other: str) -> None:
    report = check(one, context=other, verify=False)
    assert [s.outcome for s in report.statements] == [Outcome.NOT_ENOUGH_INFO]
