"""Headings: under which clause or heading of a text a place stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from pathlib import PurePath

from groundrules.claims.units.units import Kind, units
from groundrules.explain.place import line_column, source_name, source_text
from groundrules.terms import Report, Span

#: `2.1 The term`, `§ 7`, `Section 4.`, `(b)`: the number that opens a clause.
_NUMBER = re.compile(
    r"(?:§+\s*|(?:Section|Article|Clause|Art\.|Sec\.)\s+)?"
    r"(?:\d{1,3}(?:\.\d{1,3}){1,4}|(?<=[§ ])\d{1,3}(?=[.)]?\s)|\d{1,3}(?=[.)]\s))(?=[.)]?\s)",
    re.I,
)
#: How far back a clause may have begun, in units.
_BACK = 40
_LONGEST = 90


def heading(text: str, place: int) -> str:
    """Return the clause and heading of a place, `2. Term, 2.1`, empty where the text shows none."""
    return ", ".join(filter(None, _clause(text, place)))


def where(span: Span, report: Report) -> str:
    """Return where a passage stands, as one says it: `section 2.1`, or `line 7 of a.txt (“Term”)`.

    The source is named where there are several, and where the text shows no clause.
    """
    text = source_text(report, span.source)
    name = PurePath(source_name(span.source)).name or source_name(span.source)
    if text is None or span.start > len(text):
        return name
    title, number = _clause(text, span.start)
    at = f"section {number}" if number[:1].isdigit() else number
    at = at or f"line {line_column(text, span.start)[0]}"
    several = len(report.sources.keys() - {report.source}) > 1
    at = f"{at} of {name}" if several or not (number or title) else at
    return f"{at} (“{title}”)" if title and not number else at


def _clause(text: str, place: int) -> tuple[str, str]:
    starts, found = _outline(text)
    at = bisect_right(starts, place) - 1
    return found[at] if at >= 0 else ("", "")


@lru_cache(maxsize=16)
def _outline(text: str) -> tuple[tuple[int, ...], tuple[tuple[str, str], ...]]:
    """Return where the units of a text begin, and the heading and number that each stands under."""
    pieces = units(text)
    told: list[tuple[str, str]] = []
    number, under, since = "", -1, 0
    for piece in pieces:
        if piece.heading != under or piece.kind is Kind.HEADING:
            number, under, since = "", piece.heading, 0
        found = _NUMBER.match(piece.text) if piece.kind is not Kind.HEADING else None
        if found:
            number, since = found[0], 0
        elif since > _BACK:
            number = ""
        since += 1
        title = " ".join(pieces[piece.heading].text.split()) if piece.heading >= 0 else ""
        title = title if any(map(str.isalpha, title)) else ""
        if len(title) > _LONGEST:
            title = title[: _LONGEST - 1].rstrip() + "…"
        told.append((title, number))
    return tuple(piece.start for piece in pieces), tuple(told)
