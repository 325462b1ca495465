"""Quantities with a unit, as its SI base unit, and durations."""

from __future__ import annotations

import re
from decimal import Decimal
from types import MappingProxyType

from rdflib.namespace import XSD

from groundrules.claims.english.alternations import NO_PLURALS
from groundrules.claims.literals.lexical import GAP, PERIODS, WORD_NEXT, Value, either, typed
from groundrules.claims.literals.numerals import (
    EXACT,
    ROUNDED,
    Number,
    amount_value,
    plain_decimal,
    read_number,
)

_FOOT, _POUND, _GALLON = Decimal("0.3048"), Decimal("0.45359237"), Decimal("0.003785411784")

_MILE = 5280 * _FOOT

_LENGTHS = {
    "mm|millimet(?:er|re)s?": Decimal("0.001"),
    "cm|centimet(?:er|re)s?": Decimal("0.01"),
    "met(?:er|re)s?|m": Decimal(1),
    "km|kilomet(?:er|re)s?": Decimal(1000),
    "inch(?:es)?": _FOOT / 12,
    "feet|foot|ft": _FOOT,
    "yards?|yds?": 3 * _FOOT,
    "miles?|mi": _MILE,
}

#: Pattern of a unit -> (base unit, factor), longest spelling first where one begins another,
#: and that whose case decides first: 5 mW are not 5 MW.
UNITS = MappingProxyType(
    {
        **{
            rf"(?:{length})(?:/h|ph)|(?:{length})\s(?:per|an)\shour": ("m/s", size / 3600)
            for length, size in _LENGTHS.items()
            if length.startswith(("km", "miles", "feet"))
        },
        "mph": ("m/s", _MILE / 3600),
        "kmh|kph": ("m/s", Decimal(1000) / 3600),
        "m/s|met(?:er|re)s per second": ("m/s", Decimal(1)),
        "knots?": ("m/s", Decimal(1852) / 3600),
        **{
            rf"(?:sq\.?|square)[\s-](?:{length})|(?:{length})(?:²|\^?2)": ("m2", size * size)
            for length, size in (_LENGTHS | {"in\\.?": _FOOT / 12}).items()
        },
        "sqft": ("m2", _FOOT * _FOOT),
        "sqm": ("m2", Decimal(1)),
        **{
            rf"(?:cu\.?|cubic)[\s-](?:{length})|(?:{length})(?:³|\^?3)": ("m3", size**3)
            for length, size in (_LENGTHS | {"in\\.?": _FOOT / 12}).items()
        },
        "acres?": ("m2", Decimal("4046.8564224")),
        "hectares?|ha": ("m2", Decimal(10000)),
        **{length: ("m", size) for length, size in _LENGTHS.items()},
        "nautical miles?": ("m", Decimal(1852)),
        "light[\\s-]years?": ("m", Decimal("9460730472580800")),
        "metric tonn?es?|metric tons?|tonnes?": ("kg", Decimal(1000)),
        "long tons?": ("kg", 2240 * _POUND),
        "(?:short )?tons?": ("kg", 2000 * _POUND),
        "kg|kgs|kilos?|kilograms?|kilogrammes?": ("kg", Decimal(1)),
        "(?-i:Mg)|megagrams?": ("kg", Decimal(1000)),
        "mg|milligrams?": ("kg", Decimal("0.000001")),
        "(?-i:g)|grams?|grammes?": ("kg", Decimal("0.001")),
        "pounds?|lbs?": ("kg", _POUND),
        "ounces?|oz": ("kg", _POUND / 16),
        "(?-i:M[lL])|megalit(?:er|re)s?": ("m3", Decimal(1000)),
        "ml|millilit(?:er|re)s?": ("m3", Decimal("0.000001")),
        "lit(?:er|re)s?": ("m3", Decimal("0.001")),
        "gallons?|gal": ("m3", _GALLON),
        "pints?": ("m3", _GALLON / 8),
        "barrels?|bbls?": ("m3", 42 * _GALLON),
        "kwh|kilowatt[\\s-]hours?": ("J", Decimal(3600000)),
        "(?-i:mWh)|milliwatt[\\s-]hours?": ("J", Decimal("3.6")),
        "mwh|megawatt[\\s-]hours?": ("J", Decimal(3600000000)),
        "gwh|gigawatt[\\s-]hours?": ("J", Decimal(3600000000000)),
        "joules?": ("J", Decimal(1)),
        "kilojoules?|kj": ("J", Decimal(1000)),
        "kcal|kilocalories": ("J", Decimal(4184)),
        "watts?": ("W", Decimal(1)),
        "kw|kilowatts?": ("W", Decimal(1000)),
        "(?-i:mW)|milliwatts?": ("W", Decimal("0.001")),
        "mw|megawatts?": ("W", Decimal(10**6)),
        "gw|gigawatts?": ("W", Decimal(10**9)),
        "horsepower|hp": ("W", Decimal("745.69987158227022")),
        "volts?": ("V", Decimal(1)),
        "hertz|hz": ("Hz", Decimal(1)),
        "khz|kilohertz": ("Hz", Decimal(1000)),
        "(?-i:mHz)|millihertz": ("Hz", Decimal("0.001")),
        "mhz|megahertz": ("Hz", Decimal(10**6)),
        "ghz|gigahertz": ("Hz", Decimal(10**9)),
        "(?-i:Mb)|megabits?": ("bit", Decimal(10**6)),
        "(?-i:Gb)|gigabits?": ("bit", Decimal(10**9)),
        "(?-i:Tb)|terabits?": ("bit", Decimal(10**12)),
        "bytes?": ("B", Decimal(1)),
        "kb|kilobytes?": ("B", Decimal(1000)),
        "mb|megabytes?": ("B", Decimal(10**6)),
        "gb|gigabytes?": ("B", Decimal(10**9)),
        "tb|terabytes?": ("B", Decimal(10**12)),
        "kelvins?": ("K", Decimal(1)),
        "°\\s?c|degrees? (?:celsius|centigrade)": ("K", Decimal(1)),
        "°\\s?f|degrees? fahrenheit": ("K", Decimal(5) / 9),
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
