"""The gitlab format."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from groundrules.explain.formats import Look, gitlab
from groundrules.terms import Override, Report
from tests.explain import cases
from tests.explain.formats.test_json import reports


def items(*found: Report) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = json.loads(gitlab.render(found, Look()))
    return data


@pytest.mark.parametrize("name", cases.CASES)
def test_golden(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"{name}/gitlab", gitlab.render([cases.CASES[name]()], Look()))


@given(reports)
def test_each_item_has_what_gitlab_asks_and_a_fingerprint_of_its_own(report: Report) -> None:
    found = items(report, report)

    for one in found:
        assert set(one) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert one["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert one["location"]["lines"]["begin"] >= 1
    assert len({one["fingerprint"] for one in found}) == len(found)


def test_a_fingerprint_does_not_rest_on_the_line() -> None:
    report = cases.lease()
    lower = replace(report, text="\n" + report.text)

    assert [one["fingerprint"] for one in items(report)] == [
        one["fingerprint"] for one in items(lower)
    ]


def test_what_is_set_aside_stays_as_information_with_its_reason() -> None:
    report = cases.lease()
    first = next(v for v in report.violations if v.rule == "GR205")
    found = items(replace(report, overrides=(Override(first.fingerprint, "baseline", "known"),)))

    (told,) = [one for one in found if one["check_name"] == "GR205"]
    assert told["severity"] == "info"
    assert told["description"].startswith("set aside (known): ")
