"""Notations: figures and dates of German and French, written as English does and in their places.

What is not read as a language may still be compared by its figures and names, if these are read as
that language writes them: "1.250,50 €", "3. Mai 2024", "le 1er mars".
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from groundrules.claims.english import MONTH_NAMES
from groundrules.claims.tongues import function_words

_DATA = tomllib.loads(Path(__file__).with_name("notations.toml").read_text(encoding="utf-8"))
#: The languages whose figures and names are compared.
WRITTEN = frozenset(_DATA)
_BLANKS = " \u00a0\u2009\u202f"
#: Digits in groups of three, as both languages write them, and what follows a decimal comma.
_NUMBER = re.compile(
    rf"(?<![\w.,])\d{{1,3}}(?:[.{_BLANKS}'’]\d{{3}}){{1,5}}(?!\d)(?:,\d{{1,9}})?(?![.,]?\d)"
    r"|(?<![\w.,])\d{1,15},\d{1,9}(?![.,]?\d)"
)
_CLOCK = re.compile(r"(?<![\w.,])(?P<hour>[01]?\d|2[0-4])(?:\.(?P<german>[0-5]\d)(?=\sUhr\b)"
                    rf"|[{_BLANKS}]?h[{_BLANKS}]?(?P<french>[0-5]\d)\b)")  # fmt: skip
_SLASHED = re.compile(r"(?<![\w/])\d{1,2}/\d{1,2}/\d{4}(?![\w/])")
_SIGN = re.compile(
    rf"(?<![\w.,])(?P<figure>\d(?:[\d.,{_BLANKS}'’]{{0,30}}\d)?)(?P<gap>[{_BLANKS}]?)(?P<sign>[€£$])"
)
_WORD = re.compile(r"(?<!°)[^\W\d_]+")
#: The article or preposition of French that is written with its noun: "1,5 million d'euros".
_ELIDED = re.compile(r"\b[dlDL]['’](?=\w)")
#: What adds a figure that follows it, and compares nothing.
_ADDED = re.compile(r"(?:plus|moins|minus)\s+\d", re.I)
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Notation:
    """How a language writes figures; see notations.toml."""

    months: Mapping[str, int]
    units: Mapping[str, str]
    numbers: Mapping[str, str]
    turning: frozenset[str]
    titles: frozenset[str]
    forms: frozenset[str]
    small: frozenset[str]
    nouns_small: bool
    date: re.Pattern[str]
    unit: re.Pattern[str]
    worded: re.Pattern[str]
    counted: re.Pattern[str]
    denied: str
    untold: tuple[str, ...]


@lru_cache(maxsize=8)
def notation(tongue: str) -> Notation:
    """Return the notation of a language of `WRITTEN`."""
    data = _DATA[tongue]
    names = data["months"].split()
    months = {name: number % 12 for number, name in enumerate(names)}
    told = "|".join(sorted(months, key=len, reverse=True))
    worded = f"(?:{'|'.join(data['numbers'])}|une?)"
    measured = "|".join(sorted(map(re.escape, data["units"]), key=len, reverse=True))
    return Notation(
        months,
        data["units"],
        data["numbers"],
        frozenset(data["turning"].split()),
        frozenset(data["titles"].split()),
        frozenset(data["forms"].split()),
        function_words(tongue),
        data["nouns_small"],
        re.compile(
            rf"(?:(?<![\w.,])(?P<day>\d{{1,2}})(?:\.|er\b)?[{_BLANKS}]{{1,3}})?"
            rf"\b(?i:(?P<month>{told}))\b(?=(?:[{_BLANKS}]{{1,3}}\d{{4}})?)"
        ),
        re.compile(rf"(?<=[\d{_BLANKS}])(?:{measured})\b"),
        re.compile(
            rf"(?<![\w-])(?i:{worded}(?:[{_BLANKS}-](?:et[{_BLANKS}-])?{worded})*)"
            rf"(?=[{_BLANKS}](?:{measured})\b)"
        ),
        re.compile(rf"[{_BLANKS}]?[%€]|[{_BLANKS}](?:{measured})\b"),
        data["denied"],
        tuple(data["untold"]),
    )


def in_english(text: str, tongue: str) -> str:
    """Return a text as long, its figures and dates as English writes them, small words blank.

    Letters lose their accents, so that a unit that is cut at one is not taken for another.
    """
    how = notation(tongue)
    text = _CLOCK.sub(lambda m: f"{m['hour']}:{m['german'] or m['french']}".ljust(len(m[0])), text)
    text = _SLASHED.sub(lambda m: m.group().replace("/", "."), text)
    text = _NUMBER.sub(_number, text)
    text = _SIGN.sub(lambda m: m["sign"] + m["gap"] + m["figure"], text)
    text = _ELIDED.sub("  ", how.date.sub(lambda m: _date(m, how), text))
    text = how.worded.sub(lambda m: _in_figures(m.group(), how), text)
    text = how.unit.sub(lambda m: how.units[m.group()].ljust(len(m.group())), text)
    kept = frozenset(name.lower() for name in (*MONTH_NAMES, *_SHORT, *how.units.values()))
    text = _WORD.sub(lambda m: _unless_small(m.group(), how, kept), text)
    return "".join(map(_plain, text))


def turned(text: str, tongue: str) -> bool:
    """Return whether a text has a word beside which another figure contradicts nothing."""
    turning = notation(tongue).turning
    return any(
        word.group().lower() in turning and not _ADDED.match(text, word.start())
        for word in _WORD.finditer(text)
    )


def content(text: str, tongue: str) -> frozenset[str]:
    """Return the beginnings of the words of a text that are no small ones, figures and dates apart.

    A word in two forms has one beginning: its first five letters.
    """
    how = notation(tongue)
    text = how.unit.sub(" ", how.worded.sub(" ", how.date.sub(" ", text)))
    words = (word.group().lower() for word in _WORD.finditer(text))
    return frozenset(
        "".join(map(_plain, word))[:_BEGINNING]
        for word in words
        if len(word) > 2 and word not in how.small
    )


def names(text: str, tongue: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a text has as such, and the word of each that tells it from others.

    That is what follows a title, what stands before the form of a company, and in French what has
    a capital within a sentence: in German nouns have one too.
    """
    how = notation(tongue)
    titles, forms = ("|".join(sorted(some)) for some in (how.titles, how.forms))
    name = rf"(?!(?:{forms})\b)[^\W\d_a-zà-ÿ][\w’'-]+"
    small = r"(?:(?:von|van|de|du|der|zu|d['’])[^\S\n]?)?"
    named = rf"(?P<name>{small}{name}(?:[^\S\n]{small}{name}){{0,3}})"
    patterns = [
        rf"\b(?:(?:{titles})\b\.?[^\S\n])+{named}",
        rf"(?P<name>{name})[^\S\n](?:{forms})\b",
    ]
    if how.nouns_small:
        patterns.append(rf"(?<=[a-zà-ÿ,][ \u00a0’']){named}")
    told: list[tuple[int, int]] = []
    for match in (match for pattern in patterns for match in re.finditer(pattern, text)):
        start, end = match.span("name")
        if not any(begin < end and start < stop for begin, stop in told):
            told.append((start, end))
            yield match["name"], match["name"].split()[-1]


def is_ordinal(before: str, number: str, following: str) -> bool:
    """Return whether a number with a stop is that of a day in German: "3." in "am 3. Mai".

    `before` is the word before it: some months have the same name in English.
    """
    month = following.lower()
    if not (number.isdigit() and len(number) < 3 and following[:1].isupper()):
        return False
    if month.capitalize() in MONTH_NAMES:
        return before.lower() in function_words("German") and month in notation("German").months
    return month in notation("German").months


_BEGINNING = 5
_SHORT = [name[:3] for name in MONTH_NAMES]


def _number(match: re.Match[str]) -> str:
    whole, comma, rest = match.group().partition(",")
    return re.sub(r"\D", ",", whole) + (f".{rest}" if comma else "")


def _date(match: re.Match[str], how: Notation) -> str:
    if not match["day"] and not _DIGIT.match(match.string[match.end() :].lstrip(_BLANKS)):
        return match.group()
    number = how.months[match["month"].lower()]
    room = len(match.group()) - (len(match["day"]) + 1 if match["day"] else 0)
    month = MONTH_NAMES[number] if len(MONTH_NAMES[number]) <= room else _SHORT[number]
    told = f"{match['day']} {month}" if match["day"] else month
    return told.ljust(len(match.group()))


def _in_figures(word: str, how: Notation) -> str:
    """Return a number of one word in figures, as long; one of several stays."""
    return how.numbers.get(word.lower(), word).rjust(len(word))


def _unless_small(word: str, how: Notation, kept: frozenset[str]) -> str:
    lower = word.lower()
    return " " * len(word) if lower in how.small and lower not in kept else word


def _plain(letter: str) -> str:
    return letter if letter.isascii() else unicodedata.normalize("NFD", letter)[0]
