"""The github format."""

from __future__ import annotations

import re

from hypothesis import given

from groundrules.explain.formats import Look, github
from groundrules.terms import Report
from tests.explain.formats.test_json import reports

#: How GitHub's runner takes a line apart.
_COMMAND = re.compile(r"::(error|warning|notice) ([^:\r\n]*)::([^\r\n]*)")


@given(reports)
def test_nothing_in_a_report_ends_a_command_or_starts_one(report: Report) -> None:
    for line in github.render([report], Look()).splitlines():
        found = _COMMAND.fullmatch(line)
        assert found is not None
        assert {one.partition("=")[0] for one in found[2].split(",")} <= {
            "file", "line", "endLine", "col", "endColumn", "title",
        }  # fmt: skip
