"""Headings: under which clause or heading of a text a place stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from groundrules.claims.units import Kind, units

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
    """Return the clause and heading of a place, `2. TERM, 2.1`, empty where the text shows none."""
    starts, found = _outline(text)
    at = bisect_right(starts, place) - 1
    return found[at] if at >= 0 else ""


@lru_cache(maxsize=16)
def _outline(text: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return where the units of a text begin and under what each stands."""
    pieces = units(text)
    told: list[str] = []
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
        title = pieces[piece.heading].text if piece.heading >= 0 else ""
        title = title if any(map(str.isalpha, title)) else ""
        if len(title) > _LONGEST:
            title = title[: _LONGEST - 1].rstrip() + "…"
        told.append(", ".join(part for part in (title, number) if part))
    return tuple(piece.start for piece in pieces), tuple(told)
