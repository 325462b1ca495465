"""Quantities with a unit, as its SI base unit, and durations."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType

from rdflib.namespace import XSD

from groundrules.claims.english.alternations import NO_PLURALS
from groundrules.claims.values.lexical import GAP, PERIODS, WORD_NEXT, Value, either, typed
from groundrules.claims.values.numerals import (
    EXACT,
    ROUNDED,
    Number,
    amount_value,
    plain_decimal,
    read_number,
)

#: Pattern of a unit -> (base unit, factor), in the order in which they are tried.
UNITS = MappingProxyType(
    {
        pattern: (base, Decimal(factor))
        for pattern, (base, factor) in tomllib.loads(
            Path(__file__).with_name("units.toml").read_text(encoding="utf-8")
        ).items()
    }
)
_CELSIUS, _FAHRENHEIT = Decimal("273.15"), Decimal("459.67")
_PERIOD = re.compile(
    rf"(?P<gap>{GAP}?[-\u2010-\u2013]?{GAP}?){WORD_NEXT}(?ai:(?:(?:calendar|consecutive|successive|full|whole){GAP})?"
    rf"(?P<business>(?:business|working|trading|banking){GAP})?"
    rf"(?P<period>{either(PERIODS)})(?P<plural>s)?(?![a-z]))"
)
_ALSO = re.compile(rf"(?:,{GAP}(?:and{GAP})?|{GAP}and{GAP}|{GAP})(?=[0-9A-Za-z])")
_UNIT = re.compile(
    r"(?:{}?-?){}(?ai:{})(?![A-Za-z0-9²³/])".format(
        GAP,
        WORD_NEXT,
        "|".join(
            f"(?P<u{number}>{pattern})".replace(" ", GAP) for number, pattern in enumerate(UNITS)
        ),
    )
)
PLURAL = re.compile(
    rf"{GAP}(?:people|men|women|children|sheep|(?!{NO_PLURALS})"
    rf"(?:[a-z]{{1,20}}(?<!s)s)(?![A-Za-z]))"
)


def read_period(text: str, start: int, number: Number) -> Value | None:
    """Read a duration, canonical as rdflib writes it: P1Y for 12 months, P1DT14H for 38 hours."""
    months = seconds = Decimal(0)
    end, floor = start, Decimal(10) ** 12
    current: Number | None = number
    while current is not None and (match := _PERIOD.match(text, current.end)):
        name = match["period"].lower()
        factor = Decimal(PERIODS[name])
        size = factor if factor > 0 else -factor * 2629800
        if (
            size >= floor
            or current.value < 0
            or (name in {"mo", "centurie"} and match["gap"] == "")
        ):
            break
        if match["business"]:
            return (
                amount_value(start, match.end(), "DURATION", current.value, f"business {name}")
                if floor == Decimal(10) ** 12
                else None
            )
        if factor > 0:
            seconds += EXACT.multiply(current.value, factor)
        else:
            months += EXACT.multiply(current.value, -factor)
        end, floor = match.end(), size
        also = _ALSO.match(text, end)
        current = read_number(text, also.end()) if also else None
    if end == start:
        return None
    lexical = _duration(months, seconds)
    if lexical is None:
        return None
    return Value(start, end, "DURATION", typed(lexical, XSD.duration))


def _duration(months: Decimal, seconds: Decimal) -> str | None:
    """Return the canonical xsd:duration, None beyond what rdflib can hold."""
    if months != int(months):  # a third of a month is no number of days
        return None
    if months > 12 * 10**8 or seconds > 86400 * 10**8:
        return None
    years, rest = divmod(int(months), 12)
    days, clock = divmod(seconds, 86400)
    hours, clock = divmod(clock, 3600)
    minutes, clock = divmod(clock, 60)
    date = "".join(f"{n}{mark}" for n, mark in ((years, "Y"), (rest, "M"), (int(days), "D")) if n)
    clock = clock.quantize(Decimal("0.000001"))
    parts = ((int(hours), "H"), (int(minutes), "M"), (plain_decimal(clock), "S"))
    time = "".join(f"{n}{mark}" for n, mark in parts if n not in {0, "0"})
    return "P" + date + ("T" + time if time else "") if date or time else "P0D"


def read_quantity(text: str, start: int, number: Number) -> Value | None:
    """Read a number with a unit, in its SI base unit."""
    match = _UNIT.match(text, number.end)
    if match is None or match.lastgroup is None:
        return None
    pattern = list(UNITS)[int(match.lastgroup[1:])]
    unit, factor = UNITS[pattern]
    value = number.value
    if text[number.end : match.end()].lower() == "m" and PLURAL.match(text, match.end()):
        return amount_value(start, match.end(), "NUMBER", value * 10**6)  # "5m viewers"
    if unit == "K" and pattern.startswith("°"):
        value += _CELSIUS if "celsius" in pattern else _FAHRENHEIT
    base = ROUNDED.plus(EXACT.multiply(value, factor))
    return amount_value(start, match.end(), "QUANTITY", base, unit)
