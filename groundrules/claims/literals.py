"""Values: dates, money, quantities, percentages, durations and citations as typed literals.

Lexical forms of the datatypes that XML Schema lacks, all canonical, so that equal values are
equal literals:

======================  ==============================================================
``"1850 USD"^^gr:money``       a decimal and an ISO 4217 code, ``XXX`` where it is unknown
``"130.06 m2"^^gr:quantity``   a decimal and an SI base unit of `UNITS`
``"5"^^gr:percent``            a decimal, in hundredths
``"410 U.S. 113"^^gr:citation``  volume, reporter as eyecite writes it, page or section
``"section 4.2(b)"^^gr:section``  a lower-case word and a number; Roman numerals in figures
``"1970/1979"^^gr:years``    the first and the last year of a decade or a part of one
======================  ==============================================================

Choices where English is ambiguous:

* ``07/11/2006`` is July 11 (US order) unless only the other order is a date; with dots the day
  comes first; a two-digit year below 69 is of this century.
* A bare number 1000-2099 is a year unless a unit, a plural noun or a street name follows, or a
  word like "No." precedes. ``44 BC`` is ``-0043`` (XSD 1.1: the year 0000 is 1 BC).
* ``$`` is the US dollar, ``£`` sterling, ``¥`` yen; "pounds" is mass unless a magnitude or
  "sterling" says money. "tons" are short tons, gallons and pints are those of the US.
* Where words and figures disagree, "thirty (60) days", the words prevail (UCC 3-114).
* The early, middle and late years of a decade are the five that somebody may mean; of those at an
  end within the decade nothing is sure. "The 1900s" is a decade or a century, and so no value.
* Figure ordinals ("147th") are NUMBER; word ordinals ("first") and a lone "one" are no values.
* "business days" are a quantity of their own: nobody can say how many days they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from types import MappingProxyType

from rdflib.namespace import XSD
from rdflib.term import Literal, URIRef

from groundrules import plugins
from groundrules.calendar import (
    Date,
    exists,
    write_date,
)
from groundrules.claims.english import (
    MONTHS,
    NTH,
    ORDINALS,
    SCALES,
    SMALL,
    TENS,
)
from groundrules.domain import domains
from groundrules.errors import type_of
from groundrules.terms import GR


@dataclass(frozen=True, slots=True)
class Value:
    """A typed literal and the half-open code-point range it was read from."""

    start: int
    end: int
    kind: str
    literal: Literal


def _either(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


# --- tables -------------------------------------------------------------------------------

_FRACTIONS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}
_GLUED = {"k": 10**3, "m": 10**6, "mn": 10**6, "mm": 10**6, "b": 10**9, "bn": 10**9, "tn": 10**12}

_SYMBOLS = {
    "us$": "USD", "u.s.$": "USD", "$": "USD", "a$": "AUD", "au$": "AUD", "c$": "CAD",
    "ca$": "CAD", "cdn$": "CAD", "hk$": "HKD", "nz$": "NZD", "s$": "SGD", "r$": "BRL",
    "nt$": "TWD", "£": "GBP", "€": "EUR", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB",
    "₪": "ILS", "#": "XXX",
}  # fmt: skip
_CODES = (
    "USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|RMB|HKD|SGD|INR|KRW|RUB|BRL|MXN|ZAR|SEK|NOK|DKK|PLN|CZK"
    "|HUF|TRY|ILS|THB|TWD|AED|SAR"
)
_CURRENCIES = {
    "us dollar": "USD", "u.s. dollar": "USD", "united states dollar": "USD",
    "american dollar": "USD", "dollar": "USD", "canadian dollar": "CAD",
    "australian dollar": "AUD", "hong kong dollar": "HKD", "singapore dollar": "SGD",
    "new zealand dollar": "NZD", "euro": "EUR", "pound sterling": "GBP",
    "pounds sterling": "GBP", "british pound": "GBP", "yen": "JPY", "yuan": "CNY",
    "renminbi": "CNY", "rupee": "INR", "ruble": "RUB", "rouble": "RUB", "swiss franc": "CHF",
    "franc": "XXX", "peso": "XXX",
}  # fmt: skip

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

#: Pattern of a unit -> (base unit, factor), longest spelling first where one begins another.
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
        "mg|milligrams?": ("kg", Decimal("0.000001")),
        "(?-i:g)|grams?|grammes?": ("kg", Decimal("0.001")),
        "pounds?|lbs?": ("kg", _POUND),
        "ounces?|oz": ("kg", _POUND / 16),
        "ml|millilit(?:er|re)s?": ("m3", Decimal("0.000001")),
        "lit(?:er|re)s?": ("m3", Decimal("0.001")),
        "gallons?|gal": ("m3", _GALLON),
        "pints?": ("m3", _GALLON / 8),
        "barrels?|bbls?": ("m3", 42 * _GALLON),
        "kwh|kilowatt[\\s-]hours?": ("J", Decimal(3600000)),
        "mwh|megawatt[\\s-]hours?": ("J", Decimal(3600000000)),
        "gwh|gigawatt[\\s-]hours?": ("J", Decimal(3600000000000)),
        "joules?": ("J", Decimal(1)),
        "kilojoules?|kj": ("J", Decimal(1000)),
        "kcal|kilocalories": ("J", Decimal(4184)),
        "watts?": ("W", Decimal(1)),
        "kw|kilowatts?": ("W", Decimal(1000)),
        "mw|megawatts?": ("W", Decimal(10**6)),
        "gw|gigawatts?": ("W", Decimal(10**9)),
        "horsepower|hp": ("W", Decimal("745.69987158227022")),
        "volts?": ("V", Decimal(1)),
        "hertz|hz": ("Hz", Decimal(1)),
        "khz|kilohertz": ("Hz", Decimal(1000)),
        "mhz|megahertz": ("Hz", Decimal(10**6)),
        "ghz|gigahertz": ("Hz", Decimal(10**9)),
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

# seconds, or months where the factor is negative
_PERIODS = {
    "second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "day": 86400,
    "week": 604800, "wk": 604800, "fortnight": 1209600, "month": -1, "mo": -1, "year": -12,
    "yr": -12, "decade": -120, "century": -1200, "centurie": -1200,
}  # fmt: skip

_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

# --- patterns: every repeat is bounded or possessive, so that matching is linear ---------------

# one line break at most between the words of a value
_S = r"(?:[^\S\r\n]{1,60}+(?:\r?\n[^\S\r\n]{0,60}+)?|\r?\n[^\S\r\n]{0,60}+)"
_LETTER = r"A-Za-z_\u00aa\u00b5\u00ba\u00c0-\u02af\u0370-\u052f"
_MONTH = rf"(?ai:(?P<month>{_either(MONTHS)})(?![a-z]))\.?"
_ORDINAL = (
    rf"(?ai:(?P<ordinal>(?:twenty|thirty)-(?:{_either(NTH)})|{_either(ORDINALS)})"
    r"(?![a-z]))"
)
# scanned contracts have "15 th" and "24t h"
_TH = r"(?:(?:(?ai:st|nd|rd|th)|\s?(?:s ?t|n ?d|r ?d|t ?h))(?![A-Za-z]))"
_YEAR = r"(?P<year>[12][0-9]{3})(?![0-9A-Za-z]|[.,][0-9])"
_WORD = _either([*SMALL, *TENS, *SCALES, "hundred", "dozen"])

_DIGITS = (
    r"(?:[0-9]{1,3}(?:\.[0-9]{3}){1,8},[0-9]{2}(?![0-9])"
    r"|(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}|[0-9]{1,3}(?:[\u00a0\u2009\u202f][0-9]{3}){1,8}"
    r"|[0-9]{1,30})(?:\.[0-9]{1,20})?)(?![0-9])"
)
_WHOLE = r"(?![/:.,][0-9]|-[0-9]{1,9}-[0-9])"
# "1, 300 years" and "1. 2 metres" as tokenised text has them, where no list item or number of a
# part ("in step 2, 200 mg") can stand
_PART = "".join(
    rf"(?<!\b{word} )"
    for word in "step page section chapter level phase part item rule class room line table figure "
    "day week year clause stage group zone article".split()
)
_SPLIT = (
    rf"(?:(?<=[a-z(] ){_PART}|\A)"
    r"(?:[0-9]{1,3}(?:, [0-9]{3}(?![0-9])){1,4}"
    r"|[0-9]{1,3}\. [0-9]{1,2}(?= ?(?ai:%|per ?cent|[mb]illion|trillion|met|kilo|k?m[ ,.]|miles?)))"
)
_FIGURES = re.compile(
    rf"(?P<sign>[-\u2212])?(?P<digits>{_SPLIT}|{_DIGITS}){_WHOLE}"
    r"(?:[ -]?(?P<part>[½¼¾]|[1-7]/(?:2|3|4|8)(?![0-9/])))?"
    rf"|(?P<only>[½¼¾])|(?P<share>[1-7]/(?:2|3|4|8)(?![0-9/]))"
)
_SPELLED = re.compile(
    rf"(?ai:(?:an?{_S}(?=hundred|thousand|million|billion|trillion|dozen))?(?:{_WORD})(?![a-z])"
    rf"(?:(?:\s?[-\u2010-\u2013]\s?|,?{_S}(?:and{_S})?)(?:{_WORD})(?![a-z])){{0,20}})"
)
_HALF = re.compile(rf"(?ai:(?P<share>half|quarter){_S}(?:of{_S})?an?{_S}(?=(?P<of>[a-z]{{3,9}})))")
_SCALE = re.compile(
    rf"{_S}?-?(?ai:(?P<scale>hundred|thousand|million|billion|trillion|dozen)(?![a-z]))"
)
_ABBREVIATED = re.compile(r"[^\S\r\n]?(?ai:(?P<scale>mm|mn|bn|tn|[kmb])(?![a-z0-9/]))")
_IN_FIGURES = re.compile(
    rf"{_S}?[(\[]\s?(?P<mark>(?ai:us)?[$£€¥])?\s?(?P<digits>{_DIGITS})"
    rf"(?P<scale>{_S}?(?ai:million|billion|thousand)(?![A-Za-z]))?\s?(?P<percent>%)?\s?[)\]]"
)
_IN_WORDS = re.compile(rf"{_S}?\(\s?(?P<words>{_SPELLED.pattern})\s?\)")
_FIGURES_AGAIN = re.compile(rf"{_S}(?P<digits>{_DIGITS})(?![A-Za-z0-9.,]?[0-9])")

_SYMBOL = re.compile(
    rf"(?ai:(?P<symbol>{_either(_SYMBOLS)})"
    rf"|(?-i:(?P<code>{_CODES}))(?![a-z]){_S}?\$?)[^\S\r\n]{{0,2}}"
)
# "$ 220, 000" and "$ 1. 8 million": tokenised text splits the figures
_SUM = re.compile(
    r"(?P<digits>[0-9]{1,3}(?:,\s?[0-9]{3}(?![0-9])){1,8}(?:\.[0-9]{1,20})?(?![0-9])"
    rf"|[0-9]{{1,3}}\.\s[0-9]{{1,2}}(?=\s(?:(?:m|b|tr)illion|m|bn)\b)|{_DIGITS})"
)
#: What may begin a unit, so that bare numbers in a row are told from one at once.
_WORD_NEXT = r"(?=[^\s0-9])"
_CURRENCY = re.compile(
    rf"{_S}?-?{_WORD_NEXT}(?:(?ai:(?P<name>{_either(_CURRENCIES)})"
    rf"(?P<plural>s)?(?![a-z]))|(?P<code>{_CODES})(?![A-Za-z])|(?ai:(?P<cent>cents?|pence)(?![a-z]))"
    r"|(?P<sign>[€£](?![0-9 ])))".replace("\\ ", _S)
)
_STERLING = re.compile(rf"{_S}(?ai:pounds?)(?![A-Za-z])")
_CENTS = re.compile(rf"{_S}(?ai:and){_S}(?P<cents>[0-9]{{2}})/100(?![0-9])")
_PERCENT = re.compile(rf"\s?%|{_S}?-?(?ai:per\s?cent|pct\.?)(?![A-Za-z])")
_PERIOD = re.compile(
    rf"(?P<gap>{_S}?[-\u2010-\u2013]?{_S}?){_WORD_NEXT}(?ai:(?:(?:calendar|consecutive|successive|full|whole){_S})?"
    rf"(?P<business>(?:business|working|trading|banking){_S})?"
    rf"(?P<period>{_either(_PERIODS)})(?P<plural>s)?(?![a-z]))"
)
_ALSO = re.compile(rf"(?:,{_S}(?:and{_S})?|{_S}and{_S}|{_S})(?=[0-9A-Za-z])")
_UNIT = re.compile(
    r"(?:{}?-?){}(?ai:{})(?![A-Za-z0-9²³/])".format(
        _S,
        _WORD_NEXT,
        "|".join(
            f"(?P<u{number}>{pattern})".replace(" ", _S) for number, pattern in enumerate(UNITS)
        ),
    )
)

_ISO = re.compile(
    r"(?P<year>[0-9]{4})([-/])(?P<month>[01]?[0-9])\2(?P<day>[0-3]?[0-9])(?![0-9]|[-/.][0-9])"
)
_NUMERIC = re.compile(
    r"(?P<first>[0-3]?[0-9])(?P<mark>[-/.])(?P<second>[0-3]?[0-9])(?P=mark)"
    r"(?P<year>[12][0-9]{3}|[0-9]{2})(?![0-9A-Za-z]|[-/.][0-9])"
)
_DAY_MONTH = re.compile(
    rf"(?:(?P<day>[0-3]?[0-9])(?![0-9]){_TH}?|{_ORDINAL})(?:{_S}(?ai:day))?(?:{_S}(?ai:of))?(?:{_S}|-)"
    rf"{_MONTH}(?:(?:{_S}?,{_S}|{_S}|-|,)(?:(?ai:of|in){_S})?(?:(?ai:the){_S}(?ai:year){_S})?{_YEAR})?"
)
_SHORT_YEAR = re.compile(rf"(?P<day>[0-3]?[0-9])-{_MONTH}-(?P<year>[0-9]{{2}})(?![0-9A-Za-z])")
_MONTH_DAY = re.compile(
    rf"{_MONTH}{_S}(?:the{_S})?(?P<day>[0-3]?[0-9])(?![0-9:]|\.[0-9]|,(?![12][0-9]{{3}}(?![0-9]))[0-9]){_TH}?(?![A-Za-z%])"
    rf"(?:{_S}?,?{_S}?(?:(?ai:of|in){_S})?{_YEAR})?"
)
_MONTH_YEAR = re.compile(rf"{_MONTH}(?:{_S}?(?:_{{1,20}})?,?{_S}|-)(?:of{_S})?{_YEAR}")
_MONTH_ONLY = re.compile(rf"{_MONTH}")
_BEFORE_MONTH = re.compile(
    r"(?ai:\b(?:in|since|last|next|until|till|by|from|to|during|early|mid|late|every|each|between"
    r"|through|and|of|this))[\s-]{1,3}\Z"
)
_DECADE = re.compile(r"(?P<first>(?:1[0-9]|20)[1-9]0)s(?![A-Za-z0-9])")
_PART_OF_DECADE = re.compile(
    r"(?ai:(?<![a-z-])(?:(?P<word>early|mid|late)[\s-]|(?P<of>beginning|start|middle|end)\sof\sthe\s))\Z"
)
#: The years of a decade, counted from its first.
_YEARS_OF = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}
_YEARS_OF |= dict.fromkeys(("beginning", "start"), (0, 4)) | {"middle": (3, 7), "end": (5, 9)}
_ERA = re.compile(r"\s?(?:(?P<bc>BCE?|B\.C\.(?:E\.)?)|CE|C\.E\.|AD|A\.D\.)(?![A-Za-z])")
_ANNO = re.compile(r"(?:AD|A\.D\.)\s(?P<year>[0-9]{1,4})(?![0-9A-Za-z]|[.,][0-9])")
_CLOCK = re.compile(
    r"(?P<hour>[0-2]?[0-9])(?:[:.](?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?)?"
    rf"(?:{_S}?(?ai:(?P<half>[ap])(?:\.\s?m(?:\.|(?![a-z]))|\s?m(?![a-z])))|{_S}(?ai:o'clock|(?P<noon>noon|midnight))(?![a-z]))?"
    r"(?![0-9:])"
)
_NOON = re.compile(r"(?ai:(?P<noon>noon|midnight)(?![a-z]))")
_HEADING = (
    r"(?:(?ai:(?P<word>sections?|sec\.|articles?|art\.|clauses?|paragraphs?|para\.|exhibits?"
    r"|schedules?|annex(?:es)?|appendix|chapters?)(?![a-z]))|(?P<sign>§{1,2}))"
)
_NUMERAL = (
    r"(?:[0-9]{1,4}[A-Z]?(?:[.-][0-9]{1,4}){0,5}(?![0-9])(?:\s?\([0-9A-Za-z]{1,4}\)){0,5}"
    r"|[IVXLC]{1,7}(?![A-Za-z])(?:[.-][0-9]{1,4}){0,3}(?:\([0-9A-Za-z]{1,4}\)){0,5}"
    r"|[A-Z](?:-?[0-9]{1,3})?(?![A-Za-z0-9']))"
)
_SECTION = re.compile(
    rf"{_HEADING}{_S}?(?P<first>{_NUMERAL})(?P<more>(?:(?:,{_S}(?:and{_S}|or{_S})?|{_S}(?:and|or|through){_S}){_NUMERAL}){{0,10}})"
)

_OPENERS = "|".join(
    sorted(
        {
            *MONTHS, *SMALL, *TENS, *ORDINALS, "half", "quarter", "noon", "midnight",
            f"an?{_S}(?=hundred|thousand|million|billion|trillion|dozen)[a-z]+",
            "sections?", "sec", "articles?", "art", "clauses?", "paragraphs?", "para",
            "exhibits?", "schedules?", "annex(?:es)?", "appendix", "chapters?",
        },
        key=lambda opener: (-len(opener), opener),
    )
)  # fmt: skip
_TRIGGER = re.compile(
    rf"(?<![{_LETTER}0-9])(?:"
    r"(?:(?<=mid-)|(?<=pre-)|(?<=post-)|(?<![A-Za-z][-\u2010\u2011]))"
    r"(?:(?<![^\s(\[])(?<![0-9] )[-\u2212])?[0-9½¼¾]"
    rf"|(?ai:{_OPENERS})(?![A-Za-z])"
    rf"|(?ai:U\.S\.|US|HK|NZ|NT|CDN|CA|AU|[ACSR])\$|(?:{_CODES})(?={_S}?\$?[0-9])"
    r"|(?:AD|A\.D\.)\s(?=[0-9]))"
    r"|[$£€¥₹₩₽₪#§]"
)
_SKIP = re.compile(r"[^\w\s]?\s?[0-9A-Za-z]++(?:[.,:/-][0-9A-Za-z]++)*+")


@lru_cache(maxsize=4096)
def _literal(lexical: str, datatype: URIRef) -> Literal:
    return Literal(lexical, datatype=datatype, normalize=False)


# --- reading --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as read: `raw` is its figures, empty if spelled; `mark` a currency sign or %."""

    value: Decimal
    end: int
    raw: str = ""
    mark: str = ""
    scaled: bool = False


_EXACT = Context(prec=60)
_ROUNDED = Context(prec=15, rounding=ROUND_HALF_EVEN)


@lru_cache(maxsize=8)  # who reads a document and who reads its numbers ask alike
def find_values(text: str) -> tuple[Value, ...]:
    """Return the values of a text, sorted by start and not overlapping, in linear time.

    Kinds are DATE, TIME, MONEY, QUANTITY, PERCENT, DURATION, NUMBER, CITATION and SECTION; what
    is no value (February 30, 1.2.3, a malformed amount) is left out. Offsets are code points.
    """
    found: list[Value] = []
    upcoming = iter([*_of_domains(text), None])
    special = next(upcoming)
    position = 0
    while match := _TRIGGER.search(text, position):
        start = match.start()
        while special is not None and special.end <= start:
            found.append(special)
            special = next(upcoming)
        if special is not None and special.start <= start:
            position = special.end
            continue
        value = _read(text, start)
        if value is None or (special is not None and value.end > special.start):
            skipped = _SKIP.match(text, start)
            position = max(skipped.end() if skipped else 0, match.end())
            if text[start].isalpha():
                position = match.end()
        else:
            if value.kind:
                found.append(value)
            position = value.end
    while special is not None:
        found.append(special)
        special = next(upcoming)
    return tuple(found)


def _read(text: str, start: int) -> Value | None:
    first = text[start]
    if first in "$£€¥₹₩₽₪#":
        return _money(text, start)
    if first == "§":
        return _section(text, start)
    if first.isdigit():
        return (
            _numeric_date(text, start)
            or _clock(text, start)
            or _decade(text, start)
            or _amount(text, start)
        )
    if first.isalpha():
        return (
            _section(text, start)
            or _money(text, start)
            or _month(text, start)
            or _day_month(text, start)
            or _anno(text, start)
            or _noon(text, start)
            or _amount(text, start)
        )
    return _amount(text, start)


def _decimal(raw: str) -> Decimal:
    if "," in raw and raw.rfind(",") > raw.rfind(".") > -1:
        raw = raw.replace(".", "").replace(",", ".")
    return Decimal(re.sub(r"[,\s]", "", raw))


def _canonical(value: Decimal) -> str:
    """Return the shortest plain decimal: no exponent, no trailing zeros, no negative zero."""
    shown = format(value.normalize(_EXACT), "f")
    return "0" if shown == "-0" else shown


def _share(part: str) -> Decimal:
    if part in _FRACTIONS:
        return _FRACTIONS[part]
    above, below = part.split("/")
    return _ROUNDED.divide(Decimal(above), Decimal(below))


def _scaled(text: str, value: Decimal, end: int) -> tuple[Decimal, int]:
    """Multiply by the magnitudes that follow: "hundred thousand", "million", "dozen"."""
    for _ in range(2):
        match = _SCALE.match(text, end)
        if match is None:
            break
        word = match["scale"].lower()
        size = {"hundred": 100, "dozen": 12}.get(word) or SCALES[word]
        value, end = _EXACT.multiply(value, Decimal(size)), match.end()
    return value, end


def spelled(words: str) -> tuple[int, int] | None:
    """Return the number that a run of number words begins with and how many characters it took."""
    total, group, used = 0, None, 0
    last, ceiling = "", 10**15
    for match in re.finditer(r"[a-z]+", words.lower()):
        word = match[0]
        if word in {"and", "a", "an"}:
            if word != "and":
                group, last = 1, "article"
            elif last not in {"hundred", "scale"}:
                break
            continue
        if word in SMALL:
            number = SMALL[word]
            if not (group is None or last == "hundred" or (last == "tens" and 0 < number < 10)):
                break
            group, last = (group or 0) + number, "teens" if number > 9 else "ones"
        elif word in TENS:
            if not (group is None or last == "hundred"):
                break
            group, last = (group or 0) + TENS[word], "tens"
        elif word == "hundred":
            if group is None or last not in {"ones", "teens", "article"}:
                break
            group, last = group * 100, "hundred"
        elif word == "dozen":
            if group is None or total:
                break
            return group * 12, match.end()
        elif word not in SCALES:
            break
        else:
            size = SCALES[word]
            if group is None or size >= ceiling:
                break
            total, group, ceiling, last = total + group * size, None, size, "scale"
        used = match.end()
    return (total + (group or 0), used) if used else None


def _number(text: str, start: int) -> _Number | None:
    half = _HALF.match(text, start)
    if half:
        share = _FRACTIONS["½" if half["share"].lower() == "half" else "¼"]
        if half["of"].lower() in _PERIODS:
            return _Number(share, half.end())
        value, end = _scaled(
            text, _share({"half": "½"}.get(half["share"].lower(), "¼")), half.end()
        )
        return _Number(value, end, scaled=True) if end > half.end() else None
    match = _FIGURES.match(text, start)
    if match:
        part = match["only"] or match["share"]
        value = _share(part) if part else _decimal(match["digits"])
        if match["part"]:
            value += _share(match["part"])
        if match["sign"]:
            value = -value
        value, end = _scaled(text, value, match.end())
        scaled = end > match.end()
        words = _IN_WORDS.match(text, end)
        if words and (told := spelled(words["words"])):
            return _Number(Decimal(told[0]), words.end(), scaled=scaled)
        return _Number(value, end, raw=text[start:end], scaled=scaled)
    run = _SPELLED.match(text, start)
    told = spelled(run[0]) if run else None
    if told is None:
        return None
    value, end = Decimal(told[0]), start + told[1]
    scaled = told[0] >= 1000
    figures = _IN_FIGURES.match(text, end)
    if figures:
        mark = figures["percent"] or (figures["mark"] or "")[-1:]
        return _Number(value, figures.end(), mark=mark, scaled=scaled)
    again = _FIGURES_AGAIN.match(text, end)
    if again and _decimal(again["digits"]) == value:
        end = again.end()
    return _Number(value, end, scaled=scaled)


def _amount(text: str, start: int) -> Value | None:
    """Read a number and what it counts: percent, money, a period, a unit, a year or nothing."""
    number = _number(text, start)
    if number is None or _RANGE.match(text, number.end):
        return None
    value, end = number.value, number.end
    if (percent := _PERCENT.match(text, end)) or number.mark == "%":
        end = percent.end() if percent else end
        again = _PERCENT_AGAIN.match(text, end)
        return _value(start, again.end() if again else end, "PERCENT", value)
    return (
        _priced(text, start, number)
        or _period(text, start, number)
        or _quantity(text, start, number)
        or _counted(text, start, number)
    )


_RANGE = re.compile(
    rf"\s?[-\u2013]\s?{_DIGITS}{_S}?(?ai:hundred|thousand|million|billion|trillion|bn|m|k)(?![A-Za-z])"
)
_PERCENT_AGAIN = re.compile(rf"{_S}?\(\s?{_DIGITS}\s?%\s?\)")
_DATATYPES = {
    "MONEY": GR.money,
    "QUANTITY": GR.quantity,
    "PERCENT": GR.percent,
    "DURATION": GR.quantity,  # business days; other durations are xsd:duration
}


def _value(start: int, end: int, kind: str, value: Decimal, unit: str = "") -> Value:
    lexical = _canonical(value)
    datatype = _DATATYPES.get(kind) or (XSD.decimal if "." in lexical else XSD.integer)
    lexical = f"{lexical} {unit}" if unit else lexical
    return Value(start, end, kind, _literal(lexical, datatype))


def _priced(text: str, start: int, number: _Number) -> Value | None:
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
    figures = _IN_FIGURES.match(text, end)
    if figures and figures["mark"]:
        code = _SYMBOLS[figures["mark"].lower()] if match and match["name"] else code
        end = figures.end()
    return _value(start, end, "MONEY", value, code)


def _currency(match: re.Match[str], mark: str = "") -> str:
    if match["name"]:
        name = " ".join(match["name"].lower().split())
        return _SYMBOLS[mark] if mark and name == "dollar" else _CURRENCIES[name]
    if match["cent"]:
        return "GBP" if match["cent"].lower() == "pence" else "USD"
    if match["sign"]:
        return _SYMBOLS[match["sign"]]
    return {"RMB": "CNY"}.get(match["code"], match["code"])


def _money(text: str, start: int) -> Value | None:
    match = _SYMBOL.match(text, start)
    figures = _SUM.match(text, match.end()) if match else None
    if match is None or figures is None:
        return None
    code = match["code"] or _SYMBOLS[match["symbol"].lower()]
    code = {"RMB": "CNY"}.get(code, code)
    value, end = _scaled(text, _decimal(figures["digits"]), figures.end())
    if end == figures.end() and (short := _ABBREVIATED.match(text, end)):
        value, end = _EXACT.multiply(value, Decimal(_GLUED[short["scale"].lower()])), short.end()
    if _JOINED.match(text, end) or _RANGE.match(text, end):
        return None
    if match["symbol"] == "#" and end == figures.end() and "," not in figures[0]:
        return None  # "#3" is a number, "# 200million" a pound sign that a tokenizer lost
    if match["symbol"] == "$" and (after := _CURRENCY.match(text, end)) and not after["cent"]:
        code, end = _currency(after, "$"), after.end()
    return _value(start, end, "MONEY", value, code)


_JOINED = re.compile(r"[0-9A-Za-z_]|[.,][0-9]")


def _period(text: str, start: int, number: _Number) -> Value | None:
    """Read a duration, canonical as rdflib writes it: P1Y for 12 months, P1DT14H for 38 hours."""
    months = seconds = Decimal(0)
    end, floor = start, Decimal(10) ** 12
    current: _Number | None = number
    while current is not None and (match := _PERIOD.match(text, current.end)):
        name = match["period"].lower()
        factor = Decimal(_PERIODS[name])
        size = factor if factor > 0 else -factor * 2629800
        if (
            size >= floor
            or current.value < 0
            or (name in {"mo", "centurie"} and match["gap"] == "")
        ):
            break
        if match["business"]:
            return (
                _value(start, match.end(), "DURATION", current.value, f"business {name}")
                if floor == Decimal(10) ** 12
                else None
            )
        if factor > 0:
            seconds += _EXACT.multiply(current.value, factor)
        else:
            months += _EXACT.multiply(current.value, -factor)
        end, floor = match.end(), size
        also = _ALSO.match(text, end)
        current = _number(text, also.end()) if also else None
    if end == start:
        return None
    lexical = _duration(months, seconds)
    if lexical is None:
        return None
    return Value(start, end, "DURATION", _literal(lexical, XSD.duration))


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
    parts = ((int(hours), "H"), (int(minutes), "M"), (_canonical(clock), "S"))
    time = "".join(f"{n}{mark}" for n, mark in parts if n not in {0, "0"})
    return "P" + date + ("T" + time if time else "") if date or time else "P0D"


def _quantity(text: str, start: int, number: _Number) -> Value | None:
    match = _UNIT.match(text, number.end)
    if match is None or match.lastgroup is None:
        return None
    pattern = list(UNITS)[int(match.lastgroup[1:])]
    unit, factor = UNITS[pattern]
    value = number.value
    if text[number.end : match.end()].lower() == "m" and _PLURAL.match(text, match.end()):
        return _value(start, match.end(), "NUMBER", value * 10**6)  # "5m viewers"
    if unit == "K" and pattern.startswith("°"):
        value += _CELSIUS if "celsius" in pattern else _FAHRENHEIT
    base = _ROUNDED.plus(_EXACT.multiply(value, factor))
    return _value(start, match.end(), "QUANTITY", base, unit)


_SUFFIX = re.compile(_TH)
_PLURAL = re.compile(
    rf"{_S}(?:people|men|women|children|sheep|(?!was|is|has|his|its|this|as|us|plus|versus|does"
    rf"|across|perhaps|always|thus|towards|afterwards)(?:[a-z]{{1,20}}(?<!s)s)(?![A-Za-z]))"
)
_STREET = re.compile(
    rf"{_S}(?:[NSEW]\.?{_S})?[A-Z][A-Za-z]{{1,20}}{_S}(?:[A-Z][a-z]{{1,20}}{_S})?"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Boulevard|Blvd|Lane|Ln|Way|Court|Ct|Parkway|Pkwy"
    r"|Highway|Hwy|Place|Plaza|Square)(?![a-z])"
)
_LABELLED = re.compile(r"(?ai:\b(?:no|nos|number|room|suite|apt|page|p|pp|unit|box|#))[.:]?\s?\Z")
_DATED = re.compile(
    r"(?ai:\b(?:in|since|by|until|till|before|after|during|year|early|late|circa|the|of|from|fiscal"
    r"|between|spring|summer|autumn|fall|winter))\s{1,3}\Z"
)


def _counted(text: str, start: int, number: _Number) -> Value | None:
    """Read a year, an ordinal or a plain number."""
    value, end = number.value, number.end
    if number.raw:
        if number.raw.isdecimal() and (era := _ERA.match(text, end)):
            year = 1 - int(value) if era["bc"] else int(value)
            return _year(start, era.end(), year) if value and value < 10000 else None
        if not number.scaled and (short := _ABBREVIATED.match(text, end)):
            if short[0] != short["scale"] and short["scale"].lower() in {"m", "b", "k", "mm"}:
                pass  # "5 m" was a unit or nothing
            else:
                size = Decimal(_GLUED[short["scale"].lower()])
                return _value(start, short.end(), "NUMBER", _EXACT.multiply(value, size))
        if ordinal := _SUFFIX.match(text, end):
            return _value(start, ordinal.end(), "NUMBER", value)
        if _JOINED.match(text, end):
            return None
        if len(number.raw) == 4 and number.raw.isdecimal() and 1000 <= value < 2100:
            before = text[max(0, start - 12) : start]
            dated = _DATED.search(before) and value >= 1900
            counted = _PLURAL.match(text, end) and not dated
            if not (counted or _LABELLED.search(before) or _STREET.match(text, end)):
                return _year(start, end, int(value))
    elif end - start == 3 and value == 1:
        return None  # a lone "one" is a pronoun as often as not
    return _value(start, end, "NUMBER", value)


# --- dates and times --------------------------------------------------------------------------


def _year(start: int, end: int, year: int) -> Value:
    return Value(start, end, "DATE", write_date(Date(year)))


def _decade(text: str, start: int) -> Value | None:
    match = _DECADE.match(text, start)
    if match is None:
        return None
    first = int(match["first"])
    part = _PART_OF_DECADE.search(text[max(0, start - 18) : start])
    low, high = (0, 9)
    if part:
        low, high = _YEARS_OF[(part["word"] or part["of"]).lower()]
        start -= len(part[0])
    return Value(start, match.end(), "DATE", _literal(f"{first + low}/{first + high}", GR.years))


def _void(start: int, end: int) -> Value:
    """Return a place that looks like a value and is none, so that its parts are not read."""
    return Value(start, end, "", Literal(""))


def _date(start: int, end: int, year: int | None, month: int, day: int | None) -> Value:
    """Return the date at its own precision, `_void` if the calendar has no such day."""
    date = Date(year, month, day)
    return Value(start, end, "DATE", write_date(date)) if exists(date) else _void(start, end)


def _int(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _numeric_date(text: str, start: int) -> Value | None:
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
    return _day_month(text, start)


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 69 else 1900)


def _day_month(text: str, start: int) -> Value | None:
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


def _month(text: str, start: int) -> Value | None:
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


_NAME = re.compile(r"\.?\s[A-Z][a-z]")
_BEFORE_DAY = re.compile(
    r"(?:\A|[^\w\s]|(?ai:\b(?:on|by|of|from|until|till|since|before|after|between|and|to)))\s*\Z"
)


def _anno(text: str, start: int) -> Value | None:
    match = _ANNO.match(text, start)
    return _year(start, match.end(), int(match["year"])) if match and int(match["year"]) else None


def _clock(text: str, start: int) -> Value | None:
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
    if hour > 23 or _JOINED.match(text, match.end()):
        return None
    return _time(start, match.end(), hour, minute, second)


def _noon(text: str, start: int) -> Value | None:
    match = _NOON.match(text, start)
    return (
        _time(start, match.end(), 12 if match["noon"].lower() == "noon" else 0) if match else None
    )


def _time(start: int, end: int, hour: int, minute: int = 0, second: int = 0) -> Value:
    lexical = f"{hour:02d}:{minute:02d}:{second:02d}"
    return Value(start, end, "TIME", _literal(lexical, XSD.time))


# --- sections and citations -------------------------------------------------------------------

_LETTERED = ("exhibit", "schedule", "annex", "appendix")
_WORDS = {
    "sec.": "section", "art.": "article", "para.": "paragraph", "annexes": "annex",
    "appendix": "appendix",
}  # fmt: skip


def _section(text: str, start: int) -> Value | None:
    match = _SECTION.match(text, start)
    if match is None:
        return None
    shown = match["word"] or "Section"
    word = _WORDS.get(shown.lower()) or shown.lower().rstrip("s")
    if word in _LETTERED and not shown[0].isupper():
        return None  # "schedule 5 meetings"
    numbers = [_numeral(match["first"], word, shown)]
    end = match.end("first")
    if match["more"] and (shown.lower() != word or match["sign"] == "§§"):
        more = [_numeral(n[0], word, shown) for n in _NUMERALS.finditer(match["more"])]
        if None not in more:
            numbers, end = numbers + more, match.end()
    if None in numbers:
        return None
    lexical = "; ".join(f"{word} {number}" for number in numbers)
    return Value(start, end, "SECTION", _literal(lexical, GR.section))


_NUMERALS = re.compile(rf"(?<![A-Za-z0-9.(]){_NUMERAL}")


def _numeral(shown: str, word: str, heading: str) -> str | None:
    """Return a section number without spaces, its Roman numeral in figures."""
    shown = "".join(shown.split())
    head = re.match(r"[A-Z]+", shown)
    if head is None:
        return shown
    if word in _LETTERED and len(head[0]) == 1:
        return shown
    if not heading[0].isupper() or not set(head[0]) <= set(_ROMAN):
        return None
    values = [_ROMAN[letter] for letter in head[0]]
    total = sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))
    return f"{total}{shown[head.end() :]}"


def _of_domains(text: str) -> Iterator[Value]:
    """Yield the values that only some field has, such as citations; none overlap."""
    found: list[Value] = []
    for domain in domains():
        with plugins.blame(plugins.DOMAINS, domain.name):
            for value in (value for find in domain.values for value in find(text)):
                if not isinstance(value, Value):
                    raise TypeError(f"yielded {type_of(value)} among its values; expected a Value")
                found.append(value)
    last = 0
    for value in sorted(found, key=lambda value: value.start):
        if value.start >= last:
            last = value.end
            yield value
