"""Dates as far as they are given, decades and times of day."""

from __future__ import annotations

import re

from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.calendar import Date, exists, write_date
from groundrules.claims.english import MONTHS, NTH, ORDINALS, TENS
from groundrules.claims.english.alternations import BEFORE_A_DAY, BEFORE_A_MONTH
from groundrules.claims.values.lexical import GAP, JOINED, TH, Value, either, typed
from groundrules.terms import GR

_MONTH = rf"(?ai:(?P<month>{either(MONTHS)})(?![a-z]))\.?"
_ORDINAL = (
    rf"(?ai:(?P<ordinal>(?:twenty|thirty)-(?:{either(NTH)})|{either(ORDINALS)})"
    r"(?![a-z]))"
)
_YEAR = r"(?P<year>[12][0-9]{3})(?![0-9A-Za-z]|[.,][0-9])"
_ISO = re.compile(
    r"(?P<year>[0-9]{4})([-/])(?P<month>[01]?[0-9])\2(?P<day>[0-3]?[0-9])(?![0-9]|[-/.][0-9])"
)
_NUMERIC = re.compile(
    r"(?P<first>[0-3]?[0-9])(?P<mark>[-/.])(?P<second>[0-3]?[0-9])(?P=mark)"
    r"(?P<year>[12][0-9]{3}|[0-9]{2})(?![0-9A-Za-z]|[-/.][0-9])"
)
_DAY_MONTH = re.compile(
    rf"(?:(?P<day>[0-3]?[0-9])(?![0-9]){TH}?|{_ORDINAL})(?:{GAP}(?ai:day))?(?:{GAP}(?ai:of))?(?:{GAP}|-)"
    rf"{_MONTH}(?:(?:{GAP}?,{GAP}|{GAP}|-|,)(?:(?ai:of|in){GAP})?(?:(?ai:the){GAP}(?ai:year){GAP})?{_YEAR})?"
)
_SHORT_YEAR = re.compile(rf"(?P<day>[0-3]?[0-9])-{_MONTH}-(?P<year>[0-9]{{2}})(?![0-9A-Za-z])")
_MONTH_DAY = re.compile(
    rf"{_MONTH}{GAP}(?:the{GAP})?(?P<day>[0-3]?[0-9])(?![0-9:]|\.[0-9]|,(?![12][0-9]{{3}}(?![0-9]))[0-9]){TH}?(?![A-Za-z%])"
    rf"(?:{GAP}?,?{GAP}?(?:(?ai:of|in){GAP})?{_YEAR})?"
)
_MONTH_YEAR = re.compile(rf"{_MONTH}(?:{GAP}?(?:_{{1,20}})?,?{GAP}|-)(?:of{GAP})?{_YEAR}")
_MONTH_ONLY = re.compile(rf"{_MONTH}")
_BEFORE_MONTH = re.compile(rf"(?ai:\b(?:{BEFORE_A_MONTH}))[\s-]{{1,3}}\Z")
_NAME = re.compile(r"\.?\s[A-Z][a-z]")
_BEFORE_DAY = re.compile(rf"(?:\A|[^\w\s]|(?ai:\b(?:{BEFORE_A_DAY})))\s*\Z")
_DECADE = re.compile(r"(?P<first>(?:1[0-9]|20)[1-9]0)s(?![A-Za-z0-9])")
_PART_OF_DECADE = re.compile(
    r"(?ai:(?<![a-z-])(?:(?P<word>early|mid|late)[\s-]|(?P<of>beginning|start|middle|end)\sof\sthe\s))\Z"
)
#: The years of a decade, counted from its first.
_YEARS_OF = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}

_YEARS_OF |= dict.fromkeys(("beginning", "start"), (0, 4)) | {"middle": (3, 7), "end": (5, 9)}

_CLOCK = re.compile(
    r"(?P<hour>[0-2]?[0-9])(?:[:.](?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?)?"
    rf"(?:{GAP}?(?ai:(?P<half>[ap])(?:\.\s?m(?:\.|(?![a-z]))|\s?m(?![a-z])))|{GAP}(?ai:o['’]clock|(?P<noon>noon|midnight))(?![a-z]))?"
    r"(?![0-9:])"
)
_NOON = re.compile(r"(?ai:(?P<noon>noon|midnight)(?![a-z]))")


def read_numeric_date(text: str, start: int) -> Value | None:
    """Read a date that begins with figures: "07/11/2006", "3 May 2020"."""
    if match := _ISO.match(text, start):
        year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
        return _date(start, match.end(), year, month, day) if year else None
    if match := _SHORT_YEAR.match(text, start):
        month = MONTHS[match["month"].lower()]
        return _date(start, match.end(), _full_year(match["year"]), month, int(match["day"]))
    if match := _NUMERIC.match(text, start):
        first, second, year = int(match["first"]), int(match["second"]), _full_year(match["year"])
        if match["mark"] == "." and len(match["year"]) == 2:
            return None  # 1.2.34 is a version or a section
        orders = ((second, first), (first, second))
        if match["mark"] == ".":
            orders = ((first, second), (second, first))
        for day, month in orders:
            value = _date(start, match.end(), year, month, day)
            if value.kind:
                break
        return value
    return read_day_month(text, start)


def read_day_month(text: str, start: int) -> Value | None:
    """Read a day and a month in words: "3 May", "the first of June 2020"."""
    match = _DAY_MONTH.match(text, start)
    if match is None:
        return None
    if match["day"]:
        day = int(match["day"])
    else:
        word = match["ordinal"].lower()
        tens, _, ones = word.partition("-")
        day = TENS[tens] + ORDINALS[ones] if ones else ORDINALS[word]
    month, year = MONTHS[match["month"].lower()], _int(match["year"])
    end = match.end()
    if year is None:
        if not match["month"][0].isupper() and match["month"].lower() in {"may", "march", "mar"}:
            return None
        end = match.end("month")
    return _date(start, end, year, month, day)


def read_month(text: str, start: int) -> Value | None:
    """Read a date that begins with its month: "May 3, 2020", "May 2020"."""
    if match := _MONTH_DAY.match(text, start):
        month, year = MONTHS[match["month"].lower()], _int(match["year"])
        verb = match["month"] in {"may", "march", "mar"} and year is None
        if verb and not _BEFORE_DAY.search(text[max(0, start - 12) : start]):
            return None  # "he may 2 times"
        return _date(start, match.end(), year, month, int(match["day"]))
    if match := _MONTH_YEAR.match(text, start):
        month = MONTHS[match["month"].lower()]
        return _date(start, match.end(), int(match["year"]), month, None)
    match = _MONTH_ONLY.match(text, start)
    if match and _BEFORE_MONTH.search(text[max(0, start - 12) : start]):
        name = match["month"]
        if name[0].isupper() and not _NAME.match(text, match.end("month")):
            return _date(start, match.end("month"), None, MONTHS[name.lower()], None)
    return None


def read_decade(text: str, start: int) -> Value | None:
    """Read a decade or a part of one: "the 1970s", "mid-1980s"."""
    match = _DECADE.match(text, start)
    if match is None:
        return None
    first = int(match["first"])
    part = _PART_OF_DECADE.search(text[max(0, start - 18) : start])
    low, high = (0, 9)
    if part:
        low, high = _YEARS_OF[(part["word"] or part["of"]).lower()]
        start -= len(part[0])
    return Value(start, match.end(), "DATE", typed(f"{first + low}/{first + high}", GR.years))


def read_clock(text: str, start: int) -> Value | None:
    """Read a time of day: "14:30", "2.30 pm", "12 noon"."""
    match = _CLOCK.match(text, start)
    if match is None or text[start : match.end()].isdecimal():
        return None
    half, noon = match["half"], match["noon"]
    colon = ":" in match[0]
    if not (colon or half or noon or "clock" in match[0].lower()):
        return None
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    elif noon:
        hour = 12 if noon.lower() == "noon" else 0
    if hour > 23 or JOINED.match(text, match.end()):
        return None
    return _time(start, match.end(), hour, minute, second)


def read_noon(text: str, start: int) -> Value | None:
    """Read noon or midnight."""
    match = _NOON.match(text, start)
    return (
        _time(start, match.end(), 12 if match["noon"].lower() == "noon" else 0) if match else None
    )


def year_value(start: int, end: int, year: int) -> Value:
    """Return a year as a value."""
    return Value(start, end, "DATE", write_date(Date(year)))


def _time(start: int, end: int, hour: int, minute: int = 0, second: int = 0) -> Value:
    lexical = f"{hour:02d}:{minute:02d}:{second:02d}"
    return Value(start, end, "TIME", typed(lexical, XSD.time))


def _date(start: int, end: int, year: int | None, month: int, day: int | None) -> Value:
    """Return the date at its own precision, `_void` if the calendar has no such day."""
    date = Date(year, month, day)
    return Value(start, end, "DATE", write_date(date)) if exists(date) else _void(start, end)


def _void(start: int, end: int) -> Value:
    """Return a place that looks like a value and is none, so that its parts are not read."""
    return Value(start, end, "", Literal(""))


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 69 else 1900)


def _int(digits: str | None) -> int | None:
    return int(digits) if digits else None
