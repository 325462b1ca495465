"""What follows from figures of a source by a sum is never accused, and one other figure is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundrules import api
from groundrules.explain.repair import rewrite
from groundrules.terms import Outcome, Severity
from tests.rows import each

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("derived.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(
    ("source", "said"), [(row["source"], one) for row in ROWS for one in row.get("derived", ())]
)
def test_a_true_sum_is_no_error_and_is_offered_no_safe_edit(source: str, said: str) -> None:
    report = api.check(said, context=source)

    assert [one.outcome for one in report.statements] != [Outcome.REFUTED]
    assert all(one.severity is not Severity.ERROR for one in report.violations)
    assert all(one.edit.applicability != "safe" for one in report.violations if one.edit)


@pytest.mark.parametrize(
    ("source", "said"), [(row["source"], one) for row in ROWS for one in row.get("wrong", ())]
)
def test_one_other_figure_in_the_same_case_is_an_error(source: str, said: str) -> None:
    assert [one.outcome for one in api.check(said, context=source).statements] == [Outcome.REFUTED]


@each("source said fixed")
def test_a_fix_writes_a_figure_whole_or_nothing(source: str, said: str, fixed: str) -> None:
    report = api.check(said, context=source)

    assert rewrite(report) == (fixed or said)
    assert all(one.outcome is not Outcome.SUPPORTED for one in report.statements)
