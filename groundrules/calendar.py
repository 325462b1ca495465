"""The calendar: dates as far as they are given, the days they cover, and durations.

Days are proleptic Gregorian, counted as in `date.toordinal` but without its bounds: 1 January of
year 1 is 1. Years are those of XSD 1.1: the year 0 is 1 BCE.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from rdflib.namespace import XSD
from rdflib.term import Literal

#: The datatypes of dates that lie at one place on the line of time.
DATES = frozenset({XSD.date, XSD.dateTime, XSD.gYear, XSD.gYearMonth})
#: The mean days of a year and of a month.
YEAR, MONTH = 365.2425, 30.436875
_CYCLE = 146_097  # days of 400 years, after which the calendar repeats
# Virtuoso drops a zero of a year before Christ: -044 for -0044.
_DATE = re.compile(
    r"(?:(?P<year>-?[0-9]{4,11}|-[0-9]{3})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2})"
    r"(?:T[0-9:.]+)?)?)?|--(?P<yearly>[0-9]{2})(?:-(?P<yearly_day>[0-9]{2}))?)"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
)
_DURATION = re.compile(
    r"(?P<sign>-)?P(?:(?P<years>[0-9]+)Y)?(?:(?P<months>[0-9]+)M)?(?:(?P<days>[0-9]+)D)?"
    r"(?:T(?:(?P<hours>[0-9]+)H)?(?:(?P<minutes>[0-9]+)M)?(?:(?P<seconds>[0-9]+(?:\.[0-9]+)?)S)?)?"
)
_KEPT = 16_384


class Date(NamedTuple):
    """Year, month and day as far as they are given; a date without a year comes every year."""

    year: int | None
    month: int | None = None
    day: int | None = None


def month_length(year: int | None, month: int) -> int:
    """Return the days of a month, 29 for a February of no year."""
    if month == 2:
        return 29 if year is None or (year % 4 == 0 and (year % 100 or year % 400 == 0)) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def exists(date: Date) -> bool:
    """Return whether the calendar has such a month and day."""
    year, month, day = date
    if month is None:
        return day is None
    return 1 <= month <= 12 and (day is None or 1 <= day <= month_length(year, month))


@lru_cache(maxsize=1)
def _month_starts() -> tuple[int, ...]:
    """Return the days before each of the 4,800 months of a cycle, and those of all of it."""
    starts = [0]
    for index in range(4800):
        starts.append(starts[-1] + month_length(index // 12 + 1, index % 12 + 1))
    return tuple(starts)


def day_number(year: int, month: int = 1, day: int = 1) -> int:
    """Return the number of a day; days past the end of a month are counted on."""
    cycles, year = divmod(year - 1, 400)
    return cycles * _CYCLE + _month_starts()[year * 12 + month - 1] + day


def numbered(number: int) -> tuple[int, int, int]:
    """Return year, month and day of the day with a number."""
    cycles, rest = divmod(number - 1, _CYCLE)
    starts = _month_starts()
    place = bisect_right(starts, rest) - 1
    return 400 * cycles + place // 12 + 1, place % 12 + 1, rest - starts[place] + 1


def julian_day_number(year: int, month: int, day: int) -> int:
    """Return the number of the day that the Julian calendar calls so."""
    shift = (14 - month) // 12
    y, m = year + 4800 - shift, month + 12 * shift - 3
    return day + (153 * m + 2) // 5 + 365 * y + y // 4 - 32083 - 1_721_425


def dated_as_julian(number: int) -> int:
    """Return the number of the day that is written as the Julian calendar writes a day."""
    found = 2 * number - julian_day_number(*numbered(number))
    # off by one within days of a 29 February that one calendar has alone
    return found + number - julian_day_number(*numbered(found))


def days_of(date: Date) -> tuple[int, int] | None:
    """Return the first and the last day of a date, None for one without a year."""
    year, month, day = date
    if year is None:
        return None
    last = month or 12
    end = day_number(year, last, day or month_length(year, last))
    return day_number(year, month or 1, day or 1), end


def add(date: tuple[int, int, int], months: int, days: int = 0) -> tuple[int, int, int]:
    """Return the day so many months and then days after a day, as XSD 1.1 adds them.

    A month that is too short ends sooner: a month from 31 January is 28 or 29 February.
    """
    year, index = divmod(date[0] * 12 + date[1] - 1 + months, 12)
    day = min(date[2], month_length(year, index + 1))
    return numbered(day_number(year, index + 1, day) + days)


@lru_cache(maxsize=_KEPT)
def read_date(text: str) -> Date | None:
    """Return the date that an XSD date, dateTime, gYear, gYearMonth, gMonth or gMonthDay gives.

    None for what is none, or is no day of the calendar.
    """
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    names = ("year", "month", "day") if match["year"] else ("year", "yearly", "yearly_day")
    date = Date(*(int(match[name]) if match[name] else None for name in names))
    return date if exists(date) else None


def write_date(date: Date) -> Literal:
    """Return a date as a literal of the datatype that is as precise."""
    year, month, day = date
    text = "-" if year is None else f"{'-' if year < 0 else ''}{abs(year):04d}"
    text += "".join(f"-{part:02d}" for part in (month, day) if part is not None)
    if day is not None:
        datatype = XSD.gMonthDay if year is None else XSD.date
    elif month is not None:
        datatype = XSD.gMonth if year is None else XSD.gYearMonth
    else:
        datatype = XSD.gYear
    return Literal(text, datatype=datatype, normalize=False)


@lru_cache(maxsize=_KEPT)
def read_duration(text: str) -> tuple[Decimal, Decimal] | None:
    """Return months and seconds of an xsd:duration, None for what is none."""
    text = text.strip()
    match = _DURATION.fullmatch(text)
    if match is None or text[-1] in "PT":
        return None
    part = {
        name: Decimal(found or 0) for name, found in match.groupdict().items() if name != "sign"
    }
    sign = -1 if match["sign"] else 1
    seconds = part["days"] * 86400 + part["hours"] * 3600 + part["minutes"] * 60 + part["seconds"]
    return sign * (part["years"] * 12 + part["months"]), sign * seconds


@lru_cache(maxsize=1024)
def duration_days(months: Decimal, seconds: Decimal) -> tuple[Decimal, Decimal]:
    """Return the fewest and the most days that so many months and seconds can be."""
    cycles, rest = divmod(int(abs(months)), 4800)
    starts = _month_starts()
    lengths = [
        starts[end % 4800] + _CYCLE * (end // 4800) - starts[end - rest]
        for end in range(rest, rest + 4800)
    ] if rest else [0]  # fmt: skip
    low, high = (Decimal(cycles * _CYCLE + n) for n in (min(lengths), max(lengths)))
    if months < 0:
        low, high = -high, -low
    return low + seconds / 86400, high + seconds / 86400
