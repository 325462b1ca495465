"""A number and what it counts: percent, money, a period, a unit, a year or nothing."""

from __future__ import annotations

import re
from decimal import Decimal

from groundrules.claims.english.alternations import BEFORE_A_YEAR
from groundrules.claims.values.dates import year_value
from groundrules.claims.values.lexical import GAP, JOINED, TH, Value
from groundrules.claims.values.money import read_price
from groundrules.claims.values.numerals import (
    ABBREVIATED,
    DIGITS,
    EXACT,
    GLUED,
    RANGE,
    Number,
    amount_value,
    read_number,
)
from groundrules.claims.values.quantities import PLURAL, read_period, read_quantity

_PERCENT = re.compile(rf"\s?%|{GAP}?-?(?ai:per\s?cent|pct\.?)(?![A-Za-z])")
_PERCENT_AGAIN = re.compile(rf"{GAP}?\(\s?{DIGITS}\s?%\s?\)")
_ERA = re.compile(r"\s?(?:(?P<bc>BCE?|B\.C\.(?:E\.)?)|CE|C\.E\.|AD|A\.D\.)(?![A-Za-z])")
_SUFFIX = re.compile(TH)
_STREET = re.compile(
    rf"{GAP}(?:[NSEW]\.?{GAP})?[A-Z][A-Za-z]{{1,20}}{GAP}(?:[A-Z][a-z]{{1,20}}{GAP})?"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Boulevard|Blvd|Lane|Ln|Way|Court|Ct|Parkway|Pkwy"
    r"|Highway|Hwy|Place|Plaza|Square)(?![a-z])"
)
_LABELLED = re.compile(r"(?ai:\b(?:no|nos|number|room|suite|apt|page|p|pp|unit|box|#))[.:]?\s?\Z")
_DATED = re.compile(rf"(?ai:\b(?:{BEFORE_A_YEAR}))\s{{1,3}}\Z")


def read_amount(text: str, start: int) -> Value | None:
    """Read a number and what it counts: percent, money, a period, a unit, a year or nothing."""
    number = read_number(text, start)
    if number is None or RANGE.match(text, number.end):
        return None
    value, end = number.value, number.end
    if (percent := _PERCENT.match(text, end)) or number.mark == "%":
        end = percent.end() if percent else end
        again = _PERCENT_AGAIN.match(text, end)
        return amount_value(start, again.end() if again else end, "PERCENT", value)
    return (
        read_price(text, start, number)
        or read_period(text, start, number)
        or read_quantity(text, start, number)
        or _counted(text, start, number)
    )


def _counted(text: str, start: int, number: Number) -> Value | None:
    """Read a year, an ordinal or a plain number."""
    value, end = number.value, number.end
    if number.raw:
        if number.raw.isdecimal() and (era := _ERA.match(text, end)):
            year = 1 - int(value) if era["bc"] else int(value)
            return year_value(start, era.end(), year) if value and value < 10000 else None
        if not number.scaled and (short := ABBREVIATED.match(text, end)):
            if short[0] != short["scale"] and short["scale"].lower() in {"m", "b", "k", "mm"}:
                pass  # "5 m" was a unit or nothing
            else:
                size = Decimal(GLUED[short["scale"].lower()])
                return amount_value(start, short.end(), "NUMBER", EXACT.multiply(value, size))
        if ordinal := _SUFFIX.match(text, end):
            return amount_value(start, ordinal.end(), "NUMBER", value)
        if JOINED.match(text, end):
            return None
        if len(number.raw) == 4 and number.raw.isdecimal() and 1000 <= value < 2100:
            before = text[max(0, start - 12) : start]
            dated = _DATED.search(before) and value >= 1900
            counted = PLURAL.match(text, end) and not dated
            if not (counted or _LABELLED.search(before) or _STREET.match(text, end)):
                return year_value(start, end, int(value))
    elif end - start == 3 and value == 1:
        return None  # a lone "one" is a pronoun as often as not
    return amount_value(start, end, "NUMBER", value)
