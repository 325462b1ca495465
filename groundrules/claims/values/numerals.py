"""Numbers in figures and in words, with their fractions and magnitudes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal

from rdflib.namespace import XSD

from groundrules.claims.english import SCALES, SMALL, TENS
from groundrules.claims.values.lexical import GAP, PERIODS, Value, either, typed
from groundrules.terms import GR

_FRACTIONS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}
GLUED = {"k": 10**3, "m": 10**6, "mn": 10**6, "mm": 10**6, "b": 10**9, "bn": 10**9, "tn": 10**12}
_WORD = either([*SMALL, *TENS, *SCALES, "hundred", "dozen"])
# what stands between thousands beside commas and points
_SPACE, _MARK = r"\u00a0\u2007\u2009\u202f", r"'\u2019\u2032"
# what a number in the way of a label is behind: "in step 2 200 mg"
_PART = "".join(
    rf"(?<!\b{word} )"
    for word in "step page section chapter level phase part item rule class room line table figure "
    "day week year clause stage group zone article type no. number unit".split()
)
DIGITS = (
    r"(?>(?:[0-9]{1,3}(?:\.[0-9]{3}){1,8},[0-9]{2}(?![0-9])"
    rf"|(?:[0-9]{{1,3}}(?:[{_SPACE}][0-9]{{3}}){{1,8}}|[0-9]{{1,3}}(?:[{_MARK}][0-9]{{3}}){{1,8}}"
    rf"|(?<![0-9] )(?ai:{_PART})[1-9][0-9]{{0,2}}(?:\x20[0-9]{{3}}){{1,4}}(?!\x20?[0-9]))"
    r"(?:[.,][0-9]{1,20})?"
    r"|(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}|[0-9]{1,30})(?:\.[0-9]{1,20})?"
    r"|(?<![0-9A-Za-z.,)\]])\.[0-9]{1,20})(?![0-9]))"
)
# "10^6", "3.2 x 10^6" and "5 +/- 0.2" are more than their first figures
_POWER = r"(?:\^|[\u00b2\u00b3\u00b9\u2070-\u207b])"
_MORE = rf"{_POWER}|\s?[\u00d7x]\s?10{_POWER}|\s?(?:\u00b1|\+/-)"
_WHOLE = rf"(?![/:.,][0-9]|-[0-9]{{1,9}}-[0-9]|{_MORE})"
# a dash apart is a minus where no other mark can stand: "is - 450", not "the rent - 450 euros"
_APART = r"(?:(?<=\bis |\bof |\bat |\bto |\bby )|(?<=\bwas |\bare ))[-\u2013]"
SIGN = rf"(?:(?:\u2212|(?ai:minus)|{_APART})\s|[-\u2212\u2013])"
# "1, 300 years" and "1. 2 metres" as tokenised text has them, where no list item or number of a
# part ("in step 2, 200 mg") can stand
_SPLIT = (
    rf"(?:(?<=[a-z(] ){_PART}|\A)"
    r"(?:[0-9]{1,3}(?:, [0-9]{3}(?![0-9])){1,4}"
    r"|[0-9]{1,3}\. [0-9]{1,2}(?= ?(?ai:%|per ?cent|[mb]illion|trillion|met|kilo|k?m[ ,.]|miles?)))"
)
_FIGURES = re.compile(
    rf"(?P<digits>{_SPLIT}|{DIGITS}){_WHOLE}"
    r"(?:[ -]?(?P<part>[½¼¾]|[1-7]/(?:2|3|4|8)(?![0-9/])))?"
    rf"|(?P<only>[½¼¾])|(?P<share>[1-7]/(?:2|3|4|8)(?![0-9/]))"
)
_SIGNED = re.compile(SIGN)
_WRITTEN = re.compile(rf"(?P<sign>(?<![^\s(\[$£€¥]){SIGN})?[$£€¥]?(?P<digits>{_SPLIT}|{DIGITS})")
_SPELLED = re.compile(
    rf"(?ai:(?:an?{GAP}(?=hundred|thousand|million|billion|trillion|dozen))?(?:{_WORD})(?![a-z])"
    rf"(?:(?:\s?[-\u2010-\u2013]\s?|,?{GAP}(?:and{GAP})?)(?:{_WORD})(?![a-z])){{0,20}})"
)
_HALF = re.compile(
    rf"(?ai:(?P<share>half|quarter){GAP}(?:of{GAP})?an?{GAP}(?=(?P<of>[a-z]{{3,9}})))"
)
_SCALE = re.compile(
    rf"{GAP}?-?(?ai:(?P<scale>hundred|thousand|million|billion|trillion|dozen)(?![a-z]))"
)
ABBREVIATED = re.compile(r"[^\S\r\n]?(?ai:(?P<scale>mm|mn|bn|tn|[kmb])(?![a-z0-9/]))")
IN_FIGURES = re.compile(
    rf"{GAP}?[(\[]\s?(?P<mark>(?ai:us)?[$£€¥])?\s?(?P<digits>{DIGITS})"
    rf"(?P<scale>{GAP}?(?ai:million|billion|thousand)(?![A-Za-z]))?\s?(?P<percent>%)?\s?[)\]]"
)
_IN_WORDS = re.compile(rf"{GAP}?\(\s?(?P<words>{_SPELLED.pattern})\s?\)")
_FIGURES_AGAIN = re.compile(rf"{GAP}(?P<digits>{DIGITS})(?![A-Za-z0-9.,]?[0-9])")
RANGE = re.compile(
    rf"\s?[-\u2013]\s?{DIGITS}{GAP}?(?ai:hundred|thousand|million|billion|trillion|bn|m|k)(?![A-Za-z])"
)
_DATATYPES = {
    "MONEY": GR.money,
    "QUANTITY": GR.quantity,
    "PERCENT": GR.percent,
    "DURATION": GR.quantity,  # business days; other durations are xsd:duration
}
EXACT = Context(prec=60)
ROUNDED = Context(prec=15, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as read: `raw` is its figures, empty if spelled; `mark` a currency sign or %."""

    value: Decimal
    end: int
    raw: str = ""
    mark: str = ""
    scaled: bool = False


def read_number(text: str, start: int) -> Number | None:
    """Return the number that begins at a place, None where none does."""
    if signed := _SIGNED.match(text, start):
        number = read_number(text, signed.end())
        return number and replace(number, value=-number.value)
    half = _HALF.match(text, start)
    if half:
        share = _FRACTIONS["½" if half["share"].lower() == "half" else "¼"]
        if half["of"].lower() in PERIODS:
            return Number(share, half.end())
        value, end = with_magnitude(
            text, _share({"half": "½"}.get(half["share"].lower(), "¼")), half.end()
        )
        return Number(value, end, scaled=True) if end > half.end() else None
    match = _FIGURES.match(text, start)
    if match:
        part = match["only"] or match["share"]
        value = _share(part) if part else decimal_of(match["digits"])
        if match["part"]:
            value += _share(match["part"])
        value, end = with_magnitude(text, value, match.end())
        scaled = end > match.end()
        words = _IN_WORDS.match(text, end)
        if words and (told := spelled(words["words"])):
            return Number(Decimal(told[0]), words.end(), scaled=scaled)
        return Number(value, end, raw=text[start:end], scaled=scaled)
    run = _SPELLED.match(text, start)
    told = spelled(run[0]) if run else None
    if told is None:
        return None
    value, end = Decimal(told[0]), start + told[1]
    scaled = told[0] >= 1000
    figures = IN_FIGURES.match(text, end)
    if figures:
        mark = figures["percent"] or (figures["mark"] or "")[-1:]
        return Number(value, figures.end(), mark=mark, scaled=scaled)
    again = _FIGURES_AGAIN.match(text, end)
    if again and decimal_of(again["digits"]) == value:
        end = again.end()
    return Number(value, end, scaled=scaled)


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


def with_magnitude(text: str, value: Decimal, end: int) -> tuple[Decimal, int]:
    """Multiply by the magnitudes that follow: "hundred thousand", "million", "dozen"."""
    for _ in range(2):
        match = _SCALE.match(text, end)
        if match is None:
            break
        word = match["scale"].lower()
        size = {"hundred": 100, "dozen": 12}.get(word) or SCALES[word]
        value, end = EXACT.multiply(value, Decimal(size)), match.end()
    return value, end


def figures_in(text: str) -> list[Decimal]:
    """Return the numbers that a text has in figures, each with its sign."""
    found = []
    for match in _WRITTEN.finditer(text):
        number = decimal_of(match["digits"])
        found.append(-number if match["sign"] else number)
    return found


def decimal_of(raw: str) -> Decimal:
    """Return the number of a run of figures, whatever stands between its thousands."""
    plain = re.sub(rf"(?<=[0-9])[{_MARK}]|(?<![,.])\s", "", raw)
    if "," in raw and (plain != raw or raw.rfind(",") > raw.rfind(".") > -1):
        plain = plain.replace(".", "").replace(",", ".")
    return Decimal(re.sub(r"[,\s]", "", plain))


def _share(part: str) -> Decimal:
    if part in _FRACTIONS:
        return _FRACTIONS[part]
    above, below = part.split("/")
    return ROUNDED.divide(Decimal(above), Decimal(below))


def amount_value(start: int, end: int, kind: str, value: Decimal, unit: str = "") -> Value:
    """Return a number as a value of a kind, with its unit."""
    lexical = plain_decimal(value)
    datatype = _DATATYPES.get(kind) or (XSD.decimal if "." in lexical else XSD.integer)
    lexical = f"{lexical} {unit}" if unit else lexical
    return Value(start, end, kind, typed(lexical, datatype))


def plain_decimal(value: Decimal) -> str:
    """Return the shortest plain decimal: no exponent, no trailing zeros, no negative zero."""
    shown = format(value.normalize(EXACT), "f")
    return "0" if shown == "-0" else shown
