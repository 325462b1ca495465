"""Values: dates, money, quantities, percentages, durations and sections as typed literals.

Lexical forms of the datatypes that XML Schema lacks, all canonical, so that equal values are
equal literals:

* ``"1850 USD"^^gr:money``: a decimal and an ISO 4217 code, ``XXX`` where it is unknown
* ``"130.06 m2"^^gr:quantity``: a decimal and an SI base unit of `UNITS`
* ``"5"^^gr:percent``: a decimal, in hundredths
* ``"section 4.2(b)"^^gr:section``: a lower-case word and a number; Roman numerals in figures
* ``"1970/1979"^^gr:years``: the first and the last year of a decade or a part of one

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
from collections.abc import Iterator
from functools import lru_cache

from groundrules import plugins
from groundrules.claims.english import MONTHS, ORDINALS, SMALL, TENS
from groundrules.claims.values.amounts import read_amount
from groundrules.claims.values.dates import (
    read_clock,
    read_day_month,
    read_decade,
    read_month,
    read_noon,
    read_numeric_date,
)
from groundrules.claims.values.lexical import GAP, LETTER, PERIODS, Value, either
from groundrules.claims.values.money import CODES, read_money
from groundrules.claims.values.numerals import SIGN, figures_in, spelled
from groundrules.claims.values.quantities import UNITS
from groundrules.claims.values.sections import read_section
from groundrules.domain import domains
from groundrules.errors import did_you_mean, type_of

__all__ = ["KINDS", "UNITS", "Value", "all_kinds", "figures_in", "find_values", "spelled"]
#: The kinds of values that texts of any field have. Sections are those of reports, standards,
#: manuals and laws alike: "section 3.2", "chapter 4", "Annex B".
KINDS = frozenset("DATE TIME MONEY QUANTITY PERCENT DURATION NUMBER SECTION".split())
_OPENERS = "|".join(
    sorted(
        {
            *MONTHS, *SMALL, *TENS, *ORDINALS, "half", "quarter", "noon", "midnight",
            rf"minus(?={GAP}[a-z-]+{GAP}(?:degrees?|°))",
            f"an?{GAP}(?=hundred|thousand|million|billion|trillion|dozen)[a-z]+",
            "sections?", "sec", "articles?", "art", "clauses?", "paragraphs?", "para",
            "exhibits?", "schedules?", "annex(?:es)?", "appendix", "chapters?",
        },
        key=lambda opener: (-len(opener), opener),
    )
)  # fmt: skip
#: Before a sign or a point that belongs to the figures behind it.
_FREE = r"(?<![^\s(\[\x22\u201c=<>~\u2248])(?<![0-9] )"
_TRIGGER = re.compile(
    rf"(?<![{LETTER}0-9])(?:"
    r"(?:(?<=mid-)|(?<=pre-)|(?<=post-)|(?<![A-Za-z][-\u2010\u2011]))"
    rf"(?:(?:{_FREE}{SIGN}(?:[$£€¥]|(?:{CODES})\x20?)?)?[0-9½¼¾]|{_FREE}{SIGN}?\.[0-9])"
    rf"|(?ai:{_OPENERS})(?![A-Za-z])"
    rf"|(?ai:U\.S\.|US|HK|NZ|NT|CDN|CA|AU|[ACSR])\$|(?:{CODES})(?={GAP}?\$?[0-9]))"
    r"|[$£€¥₹₩₽₪#§]"
)
#: A tolerance, and the number of a note: "±0.2", "rose [1, 2].", "rose.[3]". Not "[30] days".
_NO_FIGURE = re.compile(
    r"(?<=\u00b1)|(?<=\u00b1 )|(?<=\+/-)"
    r"|(?<=\[)[0-9]{1,3}(?:\s?[,;\u2013-]\s?[0-9]{1,3}){0,20}\]"
    rf"(?!{GAP}(?:{either(PERIODS)}|[a-z]+s\b)|\s?%)"
)
#: A number in words with digits in brackets.
_TWICE = re.compile(r"([a-z][a-z -]*)\((\d[\d,]*(?:\.\d+)?)\)")
_SKIP = re.compile(r"[^\w\s]?\s?[0-9A-Za-z]++(?:[.,:/^-][0-9A-Za-z]++)*+")


def all_kinds() -> frozenset[str]:
    """Return the kinds of values: those of texts of any field, and those that only some have."""
    return KINDS | {kind.name for domain in domains() for kind in domain.kinds}


@lru_cache(maxsize=256)  # who reads a document, its numbers and its passages ask alike
def find_values(text: str) -> tuple[Value, ...]:
    """Return the values of a text, sorted by start and not overlapping, in linear time.

    Kinds are DATE, TIME, MONEY, QUANTITY, PERCENT, DURATION, NUMBER, SECTION and those of
    domains; what is no value (February 30, 1.2.3, a malformed amount) is left out. Offsets are
    code points.
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
        barred = _NO_FIGURE.match(text, start)
        value = None if barred else _read(text, start)
        if value is None or (special is not None and value.end > special.start):
            skipped = _SKIP.match(text, start)
            position = max(one.end() for one in (match, barred, skipped) if one)
            if text[start].isalpha():
                position = match.end()
        else:
            if value.kind and not says_two(text[value.start : value.end]):
                found.append(value)
            position = value.end
    while special is not None:
        found.append(special)
        special = next(upcoming)
    return tuple(found)


def says_two(words: str) -> bool:
    """Return whether a number stands in words and, in brackets, in other digits: "ten (15)"."""
    twice = _TWICE.match(words.lower())
    said = spelled(twice[1]) if twice else None
    return bool(twice and said and said[0] != float(twice[2].replace(",", "")))


def _read(text: str, start: int) -> Value | None:
    first = text[start]
    if first in "$£€¥₹₩₽₪#-\u2212\u2013":
        return read_money(text, start) or read_amount(text, start)
    if first == "§":
        return read_section(text, start)
    if first.isdigit():
        return (
            read_numeric_date(text, start)
            or read_clock(text, start)
            or read_decade(text, start)
            or read_amount(text, start)
        )
    if first.isalpha():
        return (
            read_section(text, start)
            or read_money(text, start)
            or read_month(text, start)
            or read_day_month(text, start)
            or read_noon(text, start)
            or read_amount(text, start)
        )
    return read_amount(text, start)


def _of_domains(text: str) -> Iterator[Value]:
    """Yield the values that the domains find; none overlap."""
    found: list[Value] = []
    known = all_kinds()
    for domain in domains():
        with plugins.blame(plugins.DOMAINS, domain.name):
            for value in (value for find in domain.values for value in find(text)):
                if not isinstance(value, Value):
                    raise TypeError(f"yielded {type_of(value)} among its values; expected a Value")
                plugins.expect(value, Value)
                if value.kind not in known:
                    near = did_you_mean(value.kind, known)
                    raise ValueError(f"yielded a value of unknown kind {value.kind!r}{near}")
                if not 0 <= value.start < value.end <= len(text):
                    raise ValueError(f"yielded a value at {value.start}:{value.end}")
                found.append(value)
    last = 0
    for value in sorted(found, key=lambda value: value.start):
        if value.start >= last:
            last = value.end
            yield value
