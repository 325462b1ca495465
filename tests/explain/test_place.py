"""Places and widths."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal

from groundrules.explain import place
from groundrules.terms import SOURCE, Evidence, Report, Span, Triple
from tests.rows import each

TEXTS = st.text(st.sampled_from("ab \n\r\té́漢🏠\u2028\x0b\x1b\u202e\u200d"), max_size=60)


@given(TEXTS, st.data())
def test_line_and_column_lead_back_to_the_offset(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))

    line, column = place.line_column(text, offset)
    lines = text.replace("\r\n", "\n\0").replace("\r", "\n").split("\n")

    assert sum(len(one) + 1 for one in lines[: line - 1]) + column - 1 in (offset, offset + 1)
    assert 1 <= line <= len(lines)


@given(TEXTS)
def test_the_lines_and_their_breaks_make_the_text(text: str) -> None:
    count, _ = place.line_column(text, len(text))

    ranges = [place.line_range(text, n) for n in range(1, count + 1)]

    assert all(a <= b for a, b in ranges)
    assert not any("\n" in text[a:b] or "\r" in text[a:b] for a, b in ranges)
    between = [text[b:c] for (_, b), (c, _) in pairwise(ranges)]
    assert set(between) <= {"\n", "\r\n", "\r"}


@given(TEXTS)
def test_what_is_printed_cannot_steer_the_terminal(text: str) -> None:
    shown = place.printable(text)

    assert len(shown) == len(text)
    assert not any(c < " " or c in "\x7f\u202e\u2066\u200f\u2028" for c in shown)


@each("text cells")
def test_width_counts_terminal_cells(text: str, cells: int) -> None:
    assert place.width(text) == cells


def test_a_source_is_found_by_name_and_by_graph() -> None:
    report = Report("a b.txt", "claimed", sources={"lease 1.txt": "one\ntwo"})

    assert place.source_text(report, "lease 1.txt") == "one\ntwo"
    assert place.source_text(report, f"{SOURCE}lease%201.txt") == "one\ntwo"
    assert place.source_text(report, "a b.txt") == "claimed"
    assert place.source_text(report, "other") is None


def test_evidence_is_cited_by_place_else_by_name() -> None:
    report = Report("a.txt", "", sources={"lease.txt": "one\ntwo"})
    triple = Triple(Literal("s"), Literal("p"), Literal("o"))

    at = Evidence(triple, f"{SOURCE}lease.txt", Span("lease.txt", 5, 6))

    assert place.cite(at, report) == "lease.txt:2:2"
    assert place.cite(Evidence(triple, f"{SOURCE}lease.txt"), report) == "lease.txt"
    assert place.cite(Evidence(triple, "https://x.org/g"), report) == "<https://x.org/g>"
    assert place.cite(Evidence(triple, "x", Span("gone.txt", 5, 6)), report) == "gone.txt"
