"""What words of a text that are said to be a value come to, read by us.

A date, a number or a duration stands in the words or is made of others as they say: "3 May 2020 +
two weeks", "twelve × $5,000 + $80". Where the words name no such value, or more than one, there is
none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from rdflib.namespace import XSD
from rdflib.term import Literal, URIRef

from groundrules.calendar import DATES, Date, add, read_date, read_duration, write_date
from groundrules.claims.english.identity import AROUND_ELAPSED, AT_A_DAY, ELAPSED, RELATIVE
from groundrules.claims.evidence.copied import Place
from groundrules.claims.values.value_reader import find_values, spelled
from groundrules.ontology.termlist import Kind

_DAY = 86_400
#: Kinds of values that have a number, or one of a unit; the quotation marks around words.
_NUMBERED = frozenset({"MONEY", "NUMBER", "PERCENT"})
_MEASURED = frozenset({"QUANTITY", "DURATION"})
_QUOTES = "\"'“”‘’«»„"
#: No number in a text is larger, and no sum of such is either.
_LARGEST = Decimal(10) ** 15
_AROUND = re.compile(rf"(?i)^{AROUND_ELAPSED}\s|\s{AROUND_ELAPSED}$")
_RELATIVE = re.compile(RELATIVE, re.I)
_AT_A_DAY = re.compile(AT_A_DAY, re.I)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
#: "the last day of June 2015", in whatever order.
_END_OF_MONTH = re.compile(
    rf"(?i)\b(?P<which>first|last)\sday\sof\s(?P<month>(?:{'|'.join(_MONTHS)})[a-z]{{0,6}})\b"
)
#: A number in figures behind the same in words: "thirty (30)".
_TWICE = re.compile(r"\s\([^()]{1,20}\)")
#: Between values of which another is made.
_JOINED = re.compile(r"\s([+−–\-])\s")
_TIMES = re.compile(r"\s[×*x]\s")
#: What makes one value of others wherever it stands; a dash may as well be one of a range.
OPERATED = re.compile(r"\s[+−×*x]\s")


@dataclass(frozen=True, slots=True)
class Value:
    """A value in words of the text: summands, each with its sign, and the factors of each.

    `places` are where the words stand, `words` those of one that the text has as it is.
    """

    summands: tuple[tuple[int, tuple[str, ...]], ...]
    places: tuple[Place, ...]
    words: str = ""


def split(words: str, most: int) -> list[tuple[int, list[str]]]:
    """Return the summands that words are made of, with their factors; none for too many."""
    parts = _JOINED.split(words)
    out = [
        (1 if sign == "+" else -1, [one.strip() for one in _TIMES.split(part)])
        for sign, part in zip(["+", *parts[1::2]], parts[::2], strict=True)
    ]
    return out if max(len(out), *(len(found) for _, found in out)) <= most else []


def value_of(value: Value, kind: Kind, datatype: URIRef | None = None) -> Literal | None:
    """Return the literal that a value comes to, None where its words name none of the kind."""
    if kind == "date":
        return _date(value, datatype)
    if kind == "number":
        return _number(value, datatype)
    if kind == "duration":
        found = _duration(value.words)
        return None if found is None else Literal(found, datatype=XSD.duration)
    words = value.words.strip(f" {_QUOTES}.,;:")
    return Literal(words) if words else None


def _date(value: Value, datatype: URIRef | None) -> Literal | None:
    (_, first), *others = value.summands
    literal = date_in(first[0]) if len(first) == 1 else None
    if literal is None:
        return None
    for sign, factors in others:
        duration = _duration(factors[0]) if len(factors) == 1 else None
        literal = None if duration is None else shifted(literal, duration, sign)
        if literal is None:
            return None
    if datatype == XSD.gYear:
        date = read_date(str(literal))
        literal = None if date is None else write_date(Date(date.year))
    return literal


def date_in(words: str) -> Literal | None:
    """Return the one date that words name, None where they tell another by it."""
    found = {
        v.literal: v for v in find_values(words) if v.kind == "DATE" and v.literal.datatype in DATES
    }
    if len(found) != 1:
        return None
    ((literal, place),) = found.items()
    rest = f"{words[: place.start]} {words[place.end :]}"
    if end := _END_OF_MONTH.search(words):
        date = read_date(str(literal))
        if date is None or date.year is None or date.day is not None:
            return literal if date is not None and date.year is not None else None
        month = date.month or _MONTHS.index(end["month"][:3].casefold()) + 1
        last = end["which"].casefold() == "last"
        first_of_next = add((date.year, month, 1), 1 if last else 0, -1 if last else 0)
        return write_date(Date(*first_of_next))
    rest = _AT_A_DAY.sub("", f"{rest.strip()} ")
    return None if _RELATIVE.search(rest) else literal


def _duration(words: str) -> str | None:
    """Return the xsd:duration that words name, None for none or several."""
    words = " ".join(words.casefold().split())
    while (less := _AROUND.sub("", words)) != words:
        words = less
    words = ELAPSED.get(words, re.sub(r"^an?\s", "one ", words))
    found = {str(v.literal) for v in find_values(words) if v.kind == "DURATION"}
    return found.pop() if len(found) == 1 else None


def shifted(date: Literal, duration: str, sign: int) -> Literal | None:
    """Return a date so much later or earlier, as precise as both are."""
    given, length = read_date(str(date)), read_duration(duration)
    if given is None or given.year is None or length is None:
        return None
    months, seconds = int(length[0]) * sign, int(length[1])
    days, rest = divmod(seconds, _DAY)
    if rest:
        return None
    year, month, day = given.year, given.month, given.day
    if day is not None and month is not None:
        return write_date(Date(*add((year, month, day), months, days * sign)))
    if days:
        return None
    if month is not None:
        later, index, _ = add((year, month, 1), months)
        return write_date(Date(later, index))
    return write_date(Date(year + months // 12)) if months % 12 == 0 else None


def _number(value: Value, datatype: URIRef | None) -> Literal | None:
    total = Decimal(0)
    for sign, factors in value.summands:
        product = Decimal(1)
        for factor in factors:
            number = _number_in(factor, alone=len(factors) == 1)
            if number is None:
                return None
            product *= number
        total += sign * product
    if abs(total) > _LARGEST:
        return None
    total = round(total, 4)
    if total == total.to_integral_value():
        return Literal(str(int(total)), datatype=XSD.integer)
    if datatype == XSD.integer:
        return None
    return Literal(format(total.normalize(), "f"), datatype=XSD.decimal)


def _number_in(words: str, *, alone: bool) -> Decimal | None:
    """Return the one number that words name; a percentage of something is a hundredth of it.

    Of what has a unit the number is as it stands, "300 pounds" and "five years".
    """
    words = _TWICE.sub("", words)
    found = find_values(words)
    numbers = [v for v in found if v.kind in _NUMBERED]
    if not numbers and len(found) == 1 and found[0].kind in _MEASURED:
        numbers = [v for v in find_values(_first_number(words)) if v.kind == "NUMBER"]
    told = {str(v.literal).split(" ")[0] for v in numbers}
    if len(told) != 1:
        return None
    number = _decimal(told.pop())
    shared = numbers[0].kind == "PERCENT" and not alone
    return None if number is None else number / 100 if shared else number


def _first_number(words: str) -> str:
    """Return the number at the head of words, in figures or in words, without its unit."""
    figures = re.search(r"\d[\d.,]*\d|\d", words)
    if figures is not None:
        return figures[0]
    lead = re.search(r"[A-Za-z].*", words)
    told = spelled(lead[0].casefold()) if lead else None
    return str(told[0]) if told else ""


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except ArithmeticError:
        return None
    return number if number.is_finite() and abs(number) < _LARGEST else None
