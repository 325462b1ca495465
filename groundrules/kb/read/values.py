"""The value that a claim gives, and when it says that something is so."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from rdflib.namespace import XSD
from rdflib.term import Literal, Node

from groundrules.calendar import DATES
from groundrules.claims.english.attributes import (
    CENTURIES,
    LENGTHS_IN_YEARS,
    NTH_CENTURY,
    PARTS_OF_A_CENTURY,
    PARTS_OF_A_YEAR,
    YEARS,
)
from groundrules.claims.values.equivalence import interval
from groundrules.kb.read.relational import Bound, Relational
from groundrules.kb.read.timing import OF_MOMENTS, Days, Timing, lasting
from groundrules.kb.sources.literals import UNIT_IRIS, tolerance
from groundrules.kb.sources.source import Value
from groundrules.terms import GR, Mention, Span

_DATES = DATES | {GR.years}
_DAY, _YEAR = 86400, 365.2425
_CENTURY = re.compile(CENTURIES)
_LENGTH = re.compile(LENGTHS_IN_YEARS)
_PART_OF_A_YEAR = re.compile(
    rf"(?i)\b(?P<part>{'|'.join(sorted(PARTS_OF_A_YEAR, key=len, reverse=True))})[ -]"
    r"(?P<y>[12]\d{3})\b"
)
_OF_A_YEAR = {part.lower(): months for part, months in PARTS_OF_A_YEAR.items()}
_UNITS_OF_YEARS = {"year": 1, "decade": 10, "century": 100}
_SPAN = re.compile(r"([0-9]{4})/([0-9]{4})")
#: How far off "about" may be, what was measured by others, and what was counted on one day, as a
#: share of the amount.
_ABOUT, MEASURED, COUNTED = 0.05, 0.1, 0.03
#: What is said to be so since some day, and to be so still.
_ONGOING = re.compile(r"\b(?:has|have) (?:been|[a-z]+ed|led|held|run)\b")
_NUMBERS = (XSD.integer, XSD.decimal)


def claimed_value(node: Node, bound: Bound = "") -> Value:
    """Return the value that a claim gives: an item, days, an amount at its precision, or text.

    What is only a bound has all that lies on its side of it.
    """
    if not isinstance(node, Literal):
        return Value("item", node)
    ends = interval(node)
    if node.datatype in _DATES and ends is not None:
        years = _SPAN.fullmatch(str(node))
        loose = _slack(int(years[1]), int(years[2])) if years else 0.0
        value = Value("time", node, float(ends[0]), float(ends[1]), loose=loose)
        return _bounded(value, bound)
    if node.datatype == XSD.duration and ends is not None and ends[0] == ends[1]:
        seconds = float(ends[0]) * _DAY
        return _bounded(Value("quantity", node, seconds, seconds, UNIT_IRIS["s"]), bound)
    if node.datatype in (*_NUMBERS, GR.quantity, GR.money) and ends is not None:
        _, _, symbol = str(node).partition(" ")
        if symbol and symbol not in UNIT_IRIS:
            return Value("opaque", node)
        slack = 0 if bound else tolerance(ends[0], claimed=True)
        unit = UNIT_IRIS[symbol] if symbol else ""
        value = Value("quantity", node, float(ends[0] - slack), float(ends[0] + slack), unit)
        loose = MEASURED * abs(float(ends[0])) if unit and not bound else 0.0
        return _bounded(replace(value, loose=loose), bound)
    if node.datatype in (None, XSD.string):
        return Value("text", node)
    return Value("opaque", node)


def _bounded(value: Value, bound: Bound) -> Value:
    """Return all that lies on the side of a bound that a claim names."""
    if not bound or value.low is None or value.high is None:
        return value
    if bound == "about":
        off = 5 * _YEAR if value.kind == "time" else _ABOUT * max(abs(value.low), abs(value.high))
        return replace(value, low=value.low - off, high=value.high + off, loose=off)
    step = 1 if value.kind == "time" else math.ulp(value.high)
    low, high = {
        "above": (value.high + step, math.inf),
        "below": (-math.inf, value.low - step),
        "at_least": (value.low, math.inf),
        "at_most": (-math.inf, value.high),
    }[bound]
    return replace(value, low=low, high=high)


def stretches_in(text: str, place: Span) -> Iterator[Mention]:
    """Yield the centuries and years of which a sentence names a part, and decades, half years."""
    for found in _PART_OF_A_YEAR.finditer(text, place.start, place.end):
        first, last = _OF_A_YEAR[found["part"].lower()]
        months = Literal(f"{found['y']}-{first:02}/{found['y']}-{last:02}", datatype=GR.years)
        yield Mention(Span(place.source, *found.span()), found[0], "DATE", months)
    for found in _LENGTH.finditer(text, place.start, place.end):
        unit = _UNITS_OF_YEARS[(found["one"] or found["many"]).lower().removesuffix("s")]
        word = (found["n"] or "one").lower()
        halves = 2 * (YEARS.get(word) or int(word)) + bool(found["more"] or found["many"])
        whole, half = divmod(unit * halves, 2)
        length = Literal(f"P{whole}Y" + "6M" * half, datatype=XSD.duration)
        span = Span(place.source, found.start(), found.end())
        yield Mention(span, found[0], "DURATION", length)
    for found in _CENTURY.finditer(text, place.start, place.end):
        number = int(found["n"]) if found["n"] else NTH_CENTURY[found["word"].lower()]
        part = (found["part"] or "").lower()
        low, high = PARTS_OF_A_CENTURY.get(part, (1, 100))
        first = 100 * (number - 1)
        if 9 < number < 23:
            start = found.start("part" if part else "n" if found["n"] else "word")
            span = Span(place.source, start, found.end())
            years = Literal(f"{first + low}/{first + high}", datatype=GR.years)
            yield Mention(span, text[start : found.end()], "DATE", years)


def _slack(first: int, last: int) -> float:
    """Return by how many days the ends of a span of years are not sure.

    A decade has its ten years; whether a century begins in its 1st year or the one before is not
    agreed, and where its early or late years end is open.
    """
    if first % 10 == 0 and last % 10 == 9:
        return 0.0
    return _YEAR if last - first in (99, 49) or last - first < 10 else 15 * _YEAR


def timing_of(relational: Relational, now: float) -> Timing | None:
    """Return when something is said to be so, None where that is not said.

    `now` is the day of today. What is said to have begun or ended is dated by that alone.
    """
    first, last = days_of(relational.at), days_of(relational.to)
    how = relational.how
    if relational.moment:
        end = OF_MOMENTS[relational.moment]
        if first is None:
            return Timing("ending", (-math.inf, now - 1)) if end == "ending" else None
        days: Days | None = {
            "holding": first,
            "before": (-math.inf, first[0] - 1),
            "after": (first[1] + 1, math.inf),
            "by": (-math.inf, first[1]),
            "within": (first[0], last[1] if last else first[1]),
        }.get(how)
        return Timing(end, days) if days else None
    if how == "lasting" and relational.at is not None:
        length = interval(relational.at)
        if length is None:
            return None
        stretch = lasting(float(length[0]) / _YEAR, relational.length)
        if _ONGOING.search(relational.phrase) is None:
            return stretch
        # what has been so for a stretch is so still, and began that long ago
        least, most = stretch.first
        return Timing("beginning", (now - most, now - least), (now, math.inf))
    if first is None:
        return None
    if last is not None:
        return Timing(how if how in ("spanning", "within") else "spanning", first, last)
    if how == "beginning" and _ONGOING.search(relational.phrase):
        return Timing("beginning", first, (now, math.inf))
    return Timing(how, first)


def days_of(literal: Literal | None) -> Days | None:
    """Return the days that a date is about, None for what is no date with a year."""
    ends = interval(literal) if literal is not None and literal.datatype in _DATES else None
    return (float(ends[0]), float(ends[1])) if ends else None
