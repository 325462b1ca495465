"""The github format."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given

from groundrules.explain.formats import Look, github
from groundrules.terms import Override, Report
from tests.explain import cases
from tests.explain.formats.test_json import reports

#: How GitHub's runner takes a line apart.
_COMMAND = re.compile(r"::(error|warning|notice) ([^:\r\n]*)::([^\r\n]*)")


@pytest.mark.parametrize("name", cases.CASES)
def test_golden(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"{name}/github", github.render([cases.CASES[name]()], Look()))


@given(reports)
def test_nothing_in_a_report_ends_a_command_or_starts_one(report: Report) -> None:
    for line in github.render([report], Look()).splitlines():
        found = _COMMAND.fullmatch(line)
        assert found is not None
        assert {one.partition("=")[0] for one in found[2].split(",")} <= {
            "file", "line", "endLine", "col", "endColumn", "title",
        }  # fmt: skip


def test_what_could_not_be_checked_stands_first() -> None:
    lines = github.render([cases.policy()], Look()).splitlines()
    unchecked = ["::could not be checked" in line for line in lines]

    assert any(unchecked)
    assert unchecked == sorted(unchecked, reverse=True)


def test_what_is_set_aside_is_a_notice_with_its_reason() -> None:
    report = cases.lease()
    first = next(v for v in report.violations if v.rule == "GR205")
    aside = Override(first.fingerprint, "baseline", "known")
    lines = github.render([replace(report, overrides=(aside,))], Look()).splitlines()

    (told,) = [line for line in lines if "GR205" in line]
    assert told.startswith("::notice ")
    assert "set aside (known)" in told
