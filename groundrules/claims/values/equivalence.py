"""How two values relate: equal, one vaguer than the other, overlapping, disjoint, incomparable."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules import calendar
from groundrules.calendar import (
    day_number,
    days_of,
    duration_days,
    month_length,
    read_date,
    read_duration,
)
from groundrules.domain import differ
from groundrules.terms import GR

_SECTION_PARTS = re.compile(r"[0-9]+|[A-Za-z]+|;")
_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2}(?:\.[0-9]+)?)(?:Z|[+-][0-9:]+)?")
_PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_YEARS = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?/([0-9]{4})(?:-([0-9]{2}))?")
_DATES = calendar.DATES | {XSD.gMonth, XSD.gMonthDay}
_NUMBERS = frozenset(
    {
        XSD.integer, XSD.decimal, XSD.double, XSD.float, XSD.int, XSD.long, XSD.short, XSD.byte,
        XSD.nonNegativeInteger, XSD.positiveInteger, XSD.nonPositiveInteger, XSD.negativeInteger,
        XSD.unsignedInt, XSD.unsignedLong, XSD.unsignedShort, XSD.unsignedByte,
    }
)  # fmt: skip
#: Looked up once: a namespace checks its terms at each look.
_SECTION_TYPE, _PERCENT_TYPE = GR.section, GR.percent
_TIME_TYPE, _DURATION_TYPE = XSD.time, XSD.duration
_WITH_UNIT = frozenset({GR.money, GR.quantity})
#: Values kept as they were read: one is compared with many.
_READ = 16_384


def compare(claimed: Literal, known: Literal, *, tolerance: float = 0.0) -> str:
    """Say how a claimed value relates to a known one.

    "equal"; "claim-coarser", the claim is vaguer and contains the known value ("2014" for May 8,
    2014); "source-coarser", the other way about; "overlap", neither but both can be true (P90D and
    P3M); "disjoint"; "incomparable", other dimensions, other currencies or no values at all.

    `tolerance` is relative to the known value, |claimed - known| <= tolerance * |known|, and
    applies to all that is a number, not to dates. Months and days compare by the 28 to 31 days
    a month can have; the currency XXX compares with any.
    """
    if claimed == known:
        return "equal"
    if claimed.datatype in _DATES and known.datatype in _DATES:
        return _compare_dates(read_date(claimed), read_date(known))
    if {claimed.datatype, known.datatype} <= _DATES | {GR.years}:
        return _compare_periods(claimed, known)
    if claimed.datatype != known.datatype and not (
        claimed.datatype in _NUMBERS and known.datatype in _NUMBERS
    ):
        return "incomparable"
    if claimed.datatype == _DURATION_TYPE:
        return _compare_durations(read_duration(claimed), read_duration(known), tolerance)
    if claimed.datatype == _SECTION_TYPE:
        return _compare_sections(str(claimed), str(known))
    a, b = _measure(claimed), _measure(known)
    if a is None and b is None and claimed.datatype:
        two = differ(claimed.datatype, str(claimed), str(known))
        return "disjoint" if two else "incomparable"
    if a is None or b is None or (a[1] != b[1] and "XXX" not in (a[1], b[1])):
        return "incomparable"
    return "equal" if _near(a[0], b[0], tolerance) else "disjoint"


def by_measure(values: Iterable[Literal]) -> dict[Decimal | None, list[Literal]]:
    """Return values by the number they measure, dates, durations and all others by None.

    Values of two of these groups are never the same.
    """
    groups: dict[Decimal | None, list[Literal]] = defaultdict(list)
    for value in values:
        measure = _measure(value)
        groups[measure and measure[0]].append(value)
    return groups


def interval(literal: Literal) -> tuple[Decimal, Decimal] | None:
    """Return the closed range a literal stands for, None if it has no place on a line.

    Dates are days since 0001-01-01 = 1 (as `date.toordinal`, BC below 1), durations days, times
    seconds since midnight; money, quantities, percentages and numbers are their own value in
    their own unit. Days and months without a year, sections and values of a kind that only some
    field has have no range.
    """
    if literal.datatype in _DATES:
        date = read_date(literal)
        ends = days_of(date) if date else None
        return (Decimal(ends[0]), Decimal(ends[1])) if ends else None
    if literal.datatype == GR.years:
        years = _YEARS.fullmatch(str(literal))
        return _whole_months(*map(int, years.groups("0"))) if years else None
    if literal.datatype == XSD.duration:
        parts = read_duration(literal)
        return duration_days(*parts) if parts else None
    measure = _measure(literal)
    return (measure[0], measure[0]) if measure else None


def _near(a: Decimal, b: Decimal, tolerance: float) -> bool:
    return abs(a - b) <= Decimal(str(tolerance)) * abs(b)


@lru_cache(maxsize=_READ)
def _measure(literal: Literal) -> tuple[Decimal, str] | None:
    """Return number and unit of money, a quantity, a percentage, a time or a number."""
    text = str(literal).strip()
    if literal.datatype == _TIME_TYPE:
        match = _TIME.fullmatch(text)
        if match is None:
            return None
        return 3600 * Decimal(match[1]) + 60 * Decimal(match[2]) + Decimal(match[3]), "time"
    number, _, unit = text.partition(" ")
    counted = literal.datatype in _NUMBERS or literal.datatype == _PERCENT_TYPE
    if not _PLAIN.fullmatch(number) or counted == bool(unit):
        return None
    if not counted and literal.datatype not in _WITH_UNIT:
        return None
    return Decimal(number), unit


def _compare_dates(
    claimed: tuple[int | None, ...] | None, known: tuple[int | None, ...] | None
) -> str:
    if claimed is None or known is None:
        return "incomparable"
    pairs = list(zip(claimed, known, strict=True))
    if any(a is not None and b is not None and a != b for a, b in pairs):
        return "disjoint"
    year, month, day = (a if a is not None else b for a, b in pairs)
    if day and month and day > month_length(year, month):
        return "disjoint"  # February 29 of a common year
    vaguer = any(a is None and b is not None for a, b in pairs)
    sharper = any(a is not None and b is None for a, b in pairs)
    if vaguer and sharper:
        return "overlap"
    return "claim-coarser" if vaguer else "source-coarser" if sharper else "equal"


def _compare_periods(claimed: Literal, known: Literal) -> str:
    one, other = interval(claimed), interval(known)
    if one is None or other is None:
        return "incomparable"
    if one == other:
        return "equal"
    if one[1] < other[0] or other[1] < one[0]:
        return "disjoint"
    if _inside(one, _surely(known)):
        return "source-coarser"
    return "claim-coarser" if _inside(other, _surely(claimed)) else "overlap"


def _inside(one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal] | None) -> bool:
    return other is not None and other[0] <= one[0] and one[1] <= other[1]


def _surely(literal: Literal) -> tuple[Decimal, Decimal] | None:
    """Return the range of a literal, less the years at an end within a decade."""
    years = _YEARS.fullmatch(str(literal))
    if literal.datatype != GR.years or years is None or years[2]:
        return interval(literal)
    first, last = int(years[1]), int(years[3])
    first, last = first + (first % 10 > 0), last - (last % 10 < 9)
    return _whole_months(first, 0, last, 0)


def _whole_months(first: int, month: int, last: int, other: int) -> tuple[Decimal, Decimal]:
    """Return the days from one month to another, of years where there is none."""
    other = other or 12
    end = day_number(last, other, month_length(last, other))
    return Decimal(day_number(first, month or 1)), Decimal(end)


def _compare_durations(
    claimed: tuple[Decimal, Decimal] | None, known: tuple[Decimal, Decimal] | None, tolerance: float
) -> str:
    if claimed is None or known is None:
        return "incomparable"
    for mine, other in ((0, 1), (1, 0)):
        if claimed[other] == known[other]:
            near = _near(claimed[mine], known[mine], tolerance if not known[other] else 0.0)
            return "equal" if near else "disjoint"
    a, b = duration_days(*claimed), duration_days(*known)
    slack = Decimal(str(tolerance)) * abs(b[1])
    return "disjoint" if a[1] + slack < b[0] or b[1] < a[0] - slack else "overlap"


def _compare_sections(claimed: str, known: str) -> str:
    """Section 4 contains sections 4.2 and 4.2(b); another word ("article") is another section."""
    a, b = (_SECTION_PARTS.findall(text.casefold()) for text in (claimed, known))
    if a == b:
        return "equal"
    if ";" in a or ";" in b:
        ours, theirs = (set(text.casefold().split("; ")) for text in (claimed, known))
        if ours > theirs:
            return "claim-coarser"
        return "source-coarser" if ours < theirs else "overlap" if ours & theirs else "disjoint"
    if a == b[: len(a)]:
        return "claim-coarser"
    return "source-coarser" if b == a[: len(b)] else "disjoint"
