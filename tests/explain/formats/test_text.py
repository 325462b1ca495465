"""The text format."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.explain import place
from groundrules.explain.formats import text
from groundrules.terms import Report, Span
from tests.explain import cases


@pytest.mark.parametrize("name", cases.CASES)
def test_golden(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"{name}/text", text.dumps(cases.CASES[name]()))


@pytest.mark.parametrize("name", ["lease", "wide", "long"])
def test_golden_on_a_narrow_terminal(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"{name}/text.60", text.dumps(cases.CASES[name](), columns=60))


def test_golden_statistics(golden: Callable[[str, str], None]) -> None:
    golden("lease/text.statistics", text.dumps(cases.lease(), statistics=True))


@pytest.mark.parametrize("name", cases.CASES)
def test_colour_changes_no_character(name: str) -> None:
    report = cases.CASES[name]()

    plain, coloured = text.dumps(report), text.dumps(report, color=True)

    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert "\x1b" not in plain


@pytest.mark.parametrize("columns", [36, 40, 60, 80, 200])
@pytest.mark.parametrize("name", cases.CASES)
def test_no_line_is_wider_than_the_terminal(name: str, columns: int) -> None:
    lines = text.dumps(cases.CASES[name](), columns=columns).splitlines()

    assert [line for line in lines if place.width(line) > columns] == []


LINE = st.text(st.sampled_from("ab é\u0301漢🏠\t\u200d\x1b"), min_size=1, max_size=80)


@given(LINE, st.integers(16, 60), st.data())
def test_the_window_shows_the_mark_and_says_where(
    line: str, room: int, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start, len(line)))

    shown, left, length = text.window(line, (0, len(line)), (start, end), room)

    assert place.width(shown) <= room
    assert left + length <= place.width(shown)
    first = place.printable(line[start:end])[:1]
    before = [place.width(shown[:i]) for i in range(len(shown) + 1)]
    assert any(cells == left and shown[i:].startswith(first) for i, cells in enumerate(before))


def test_the_window_of_a_huge_line_is_quick_to_find() -> None:
    line = "word " * 2_000_000

    shown, left, _ = text.window(line, (0, len(line)), (5_000_000, 5_000_004), 60)

    assert shown[left : left + 4] == "word"


@given(st.lists(st.text("ab漢 ", max_size=50), max_size=6), st.integers(16, 50))
def test_folding_loses_no_word(words: list[str], columns: int) -> None:
    line = " ".join(words)

    parts = text.fold(line, columns, indent=4)

    assert "".join("".join(parts).split()) == "".join(line.split())
    assert all(place.width(part) <= columns for part in parts)


def test_a_span_outside_the_text_is_no_error() -> None:
    report = cases.lease()
    first = report.violations[0]
    assert first.claim
    gone = replace(first.claim, span=Span("answer.txt", 900, 950), parts=(None, None, None))

    shown = text.dumps(replace(report, violations=(replace(first, claim=gone),)))

    assert "  --> answer.txt\n" in shown


def test_a_report_without_times_shows_none() -> None:
    assert text.dumps(Report("a.txt", "")) == "0 errors, 0 warnings in 0 claims\n"
