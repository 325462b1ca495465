"""The jsonl format."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundrules.explain.formats import Look, json, jsonl
from groundrules.terms import Report
from tests.explain.formats.test_json import reports


@given(st.lists(reports, max_size=3))
def test_each_line_is_a_report(found: list[Report]) -> None:
    lines = jsonl.render(found, Look()).split("\n")

    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == found
