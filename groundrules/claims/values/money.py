"""Sums of money: a currency before or after a number."""

from __future__ import annotations

import re
from decimal import Decimal

from groundrules.claims.english import table
from groundrules.claims.values.lexical import GAP, JOINED, WORD_NEXT, Value, either
from groundrules.claims.values.numerals import (
    ABBREVIATED,
    DIGITS,
    EXACT,
    GLUED,
    IN_FIGURES,
    RANGE,
    SIGN,
    Number,
    amount_value,
    decimal_of,
    with_magnitude,
)

_SYMBOLS = table("symbols")
CODES = (
    "USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|RMB|HKD|SGD|INR|KRW|RUB|BRL|MXN|ZAR|SEK|NOK|DKK|PLN|CZK"
    "|HUF|TRY|ILS|THB|TWD|AED|SAR"
)
_CURRENCIES = table("currencies")
_SYMBOL = re.compile(
    rf"(?P<sign>{SIGN})?(?ai:(?P<symbol>{either(_SYMBOLS)})"
    rf"|(?-i:(?P<code>{CODES}))(?![a-z]){GAP}?\$?)[^\S\r\n]{{0,2}}(?P<minus>{SIGN})?"
)
# "$ 220, 000" and "$ 1. 8 million": tokenised text splits the figures
_SUM = re.compile(
    r"(?P<digits>[0-9]{1,3}(?:,\s?[0-9]{3}(?![0-9])){1,8}(?:\.[0-9]{1,20})?(?![0-9])"
    rf"|[0-9]{{1,3}}\.\s[0-9]{{1,2}}(?=\s(?:(?:m|b|tr)illion|m|bn)\b)|{DIGITS})"
)
_CURRENCY = re.compile(
    rf"{GAP}?-?{WORD_NEXT}(?:(?ai:(?P<name>{either(_CURRENCIES)})"
    rf"(?P<plural>s)?(?![a-z]))|(?P<code>{CODES})(?![A-Za-z])|(?ai:(?P<cent>cents?|pence)(?![a-z]))"
    r"|(?P<sign>[€£](?![0-9 ])))".replace("\\ ", GAP)
)
_STERLING = re.compile(rf"{GAP}(?ai:pounds?)(?![A-Za-z])")
_CENTS = re.compile(rf"{GAP}(?ai:and){GAP}(?P<cents>[0-9]{{2}})/100(?![0-9])")


def read_money(text: str, start: int) -> Value | None:
    """Read a sum whose currency goes before its number."""
    match = _SYMBOL.match(text, start)
    figures = _SUM.match(text, match.end()) if match else None
    if match is None or figures is None:
        return None
    code = match["code"] or _SYMBOLS[match["symbol"].lower()]
    code = {"RMB": "CNY"}.get(code, code)
    value, end = with_magnitude(text, decimal_of(figures["digits"]), figures.end())
    if end == figures.end() and (short := ABBREVIATED.match(text, end)):
        value, end = EXACT.multiply(value, Decimal(GLUED[short["scale"].lower()])), short.end()
    if JOINED.match(text, end) or RANGE.match(text, end):
        return None
    if match["symbol"] == "#" and end == figures.end() and "," not in figures[0]:
        return None  # "#3" is a number, "# 200million" a pound sign that a tokenizer lost
    if match["sign"] or match["minus"]:
        value = -value
    if match["symbol"] == "$" and (after := _CURRENCY.match(text, end)) and not after["cent"]:
        code, end = _currency(after, "$"), after.end()
    return amount_value(start, end, "MONEY", value, code)


def read_price(text: str, start: int, number: Number) -> Value | None:
    """Read a sum whose currency follows its number."""
    value, end, mark = number.value, number.end, number.mark
    if not number.raw and (cents := _CENTS.match(text, end)):
        value, end = value + Decimal(cents["cents"]) / 100, cents.end()
    match = _CURRENCY.match(text, end)
    code = _currency(match, mark) if match else _SYMBOLS.get(mark, "")
    if match:
        end = match.end()
        if match["cent"]:
            value = value / 100
    elif number.scaled and not code and (pounds := _STERLING.match(text, end)):
        code, end = "GBP", pounds.end()
    if not code:
        return None
    figures = IN_FIGURES.match(text, end)
    if figures and figures["mark"]:
        code = _SYMBOLS[figures["mark"].lower()] if match and match["name"] else code
        end = figures.end()
    return amount_value(start, end, "MONEY", value, code)


def _currency(match: re.Match[str], mark: str = "") -> str:
    if match["name"]:
        name = " ".join(match["name"].lower().split())
        return _SYMBOLS[mark] if mark and name == "dollar" else _CURRENCIES[name]
    if match["cent"]:
        return "GBP" if match["cent"].lower() == "pence" else "USD"
    if match["sign"]:
        return _SYMBOLS[match["sign"]]
    return {"RMB": "CNY"}.get(match["code"], match["code"])
