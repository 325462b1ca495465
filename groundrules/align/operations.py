"""Whether what a statement says comes out of figures that a model has copied from a source.

The model says which figures, and by which operation; they are read and reckoned here.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from groundrules import calendar
from groundrules.align.comparatives import WAYS
from groundrules.align.measures import Number
from groundrules.align.numbers import read_numbers
from groundrules.align.snippets import Figure, Texts, denials, figures, words_of
from groundrules.claims.english.copied import (
    AHEAD,
    FOR_EACH,
    FROM,
    HALVES_OF_A_DAY,
    SHARES,
    UP_TO,
)
from groundrules.claims.english.logic import EARLY, LATE
from groundrules.claims.llm_propositions import Piece, Reckoned

__all__ = ["comes_out"]

_DAY = 86400.0
#: Days of no year are counted in one that has them all.
_LEAP_YEAR = 2024
#: How a number is read that may be an hour: "7", "14.05".
_HOUR = re.compile(r"(?P<hour>[01]?\d|2[0-4])(?:[.:](?P<minute>[0-5]\d))?")
_HALF_DAY = re.compile(rf"\b(?:[ap]\.?m\b|{'|'.join(HALVES_OF_A_DAY)})")
#: Words before or behind a time or a length of time, and on which side of it they leave room.
_UP_TO = re.compile(rf"\b(?:{'|'.join(UP_TO)})\s(?:the\s)?\Z")
_FROM = re.compile(rf"\b(?:{'|'.join(FROM)})\s(?:the\s)?\Z")
_AT_LATEST = re.compile(r"\A\s?(?:at the latest|or (?:less|earlier|before))\b")
_ONWARDS = re.compile(r"\A\s?(?:onwards?|at the earliest|or (?:more|later))\b")
#: What makes of a length of time one that lies before something.
_AHEAD = re.compile(rf"\A\s?(?:\w+\s)?(?:{'|'.join(AHEAD)})\b")
#: Words before what is listed in part only.
_NOT_ALL = re.compile(r"\b(?:includ\w+|such as|among \w+|for example|e\.g\.)[\s,:]*\Z")


@dataclass(frozen=True, slots=True)
class _Size:
    """A figure as one size: in which measure, from where to where."""

    measure: str
    low: float
    high: float

    @property
    def exact(self) -> bool:
        return self.low == self.high


def comes_out(one: Reckoned, texts: Texts) -> Literal["yes", "no", ""]:
    """Return whether what is said comes out of the figures, empty where it cannot be reckoned."""
    words = " ".join(texts.statement[start:end] for start, end in one.said)
    if one.by in {"more", "less", "equal"}:
        return _compared(one, words, texts)
    if one.by in {"within", "outside"}:
        return _placed(one, words, texts)
    said = _sizes(words, alone=False)
    if one.by == "count":
        total = _counted(one.of, texts)
        results = [] if total is None else [_Size("", total, total)]
    else:
        rows = [_sizes(_words(piece, texts), alone=True) for piece in one.of]
        if one.by == "product":
            rows = [
                _times(piece, one.of, texts) or row for piece, row in zip(one.of, rows, strict=True)
            ]
        results = [
            result
            for row in itertools.islice(itertools.product(*rows), 64)
            if (result := _result(one.by, row)) is not None
        ]
    pairs = [(mine, theirs) for mine in said for theirs in results if _meet(mine, theirs)]
    if not pairs:
        return ""
    return "yes" if any(_covers(mine, theirs) for mine, theirs in pairs) else "no"


# --- sizes ------------------------------------------------------------------------------------


def _words(piece: Piece, texts: Texts) -> str:
    text = texts.source if piece.in_source else texts.statement
    return text[piece.place[0] : piece.place[1]]


def _around(piece: Piece, texts: Texts) -> tuple[str, str]:
    text = texts.source if piece.in_source else texts.statement
    start, end = piece.place
    return text[max(0, start - 24) : start].casefold(), text[end : end + 24].casefold()


def _sizes(words: str, *, alone: bool) -> list[_Size]:
    """Return the ways in which some words with one figure may be read, none where they have more.

    With `alone` it is a size and no bound.
    """
    found = figures(words) or figures(f"in {words}")  # "March" alone may be no month
    if not found:
        numbers = [one for one in read_numbers(words) if one.soft]
        found = [Figure(one, one.low, one.high) for one in numbers][:2]
    if not found:
        shares = [SHARES[word] for word in words_of(words) if word in SHARES]
        return [_Size("", *one) for one in shares] if len(shares) == 1 else []
    if len(found) != 1 or (alone and (found[0].ranged or _is_bound(found[0]))):
        return []
    return list(_readings(found[0]))


def _times(piece: Piece, pieces: Sequence[Piece], texts: Texts) -> list[_Size]:
    """Return how many times another piece is to be taken that is told for each of its unit."""
    found = [f.number for f in figures(_words(piece, texts))]
    if len(found) != 1 or found[0].kind not in {"DURATION", "QUANTITY", "NUMBER"}:
        return []
    unit = words_of(found[0].noun or found[0].text)[-1].removesuffix("s")
    rates = (_words(p, texts) + _around(p, texts)[1] for p in pieces if p != piece)
    told = any(
        first in FOR_EACH and second.removesuffix("s") == unit
        for words in rates
        for first, second in itertools.pairwise(words_of(words))
    )
    return [_Size("", found[0].raw, found[0].raw)] if told else []


def _is_bound(one: Figure | _Size) -> bool:
    return math.isinf(one.low) or math.isinf(one.high)


def _readings(figure: Figure) -> Iterator[_Size]:
    number, low, high = figure.number, figure.low, figure.high
    if number.kind == "RATIO" and not figure.ranged and not _is_bound(figure):
        low = high = number.value
    if number.kind in {"RATIO", "NUMBER"}:
        yield _Size("", low, high)
    elif number.kind == "PERCENT":
        yield _Size("", low / 100, high / 100)
    elif number.kind == "DURATION":
        yield _Size("days", low, high)
    elif number.kind == "MONEY":
        yield _Size("money", low, high)
    elif number.kind == "TIME":
        yield _Size("clock", low, high)
        if number.unit == "?":
            yield _Size("clock", low + _DAY / 2, high + _DAY / 2)
    elif number.kind == "DATE":
        yield from _date(number)
    else:
        yield _Size(number.unit, low, high)
        if number.text.rstrip("s").endswith("pound"):
            yield _Size("money", number.raw, number.raw)
    if number.kind == "NUMBER" and number.text.endswith("years"):
        yield _Size("days", low * calendar.YEAR, high * calendar.YEAR)
    hour = _HOUR.fullmatch(number.text)
    if hour and number.kind == "NUMBER" and not number.noun and number.text[0].isdigit():
        at = 3600.0 * int(hour["hour"]) + 60.0 * int(hour["minute"] or 0)
        yield _Size("clock", at, at)


def _date(number: Number) -> Iterator[_Size]:
    """Yield a date as the days that it covers: of the line of time, and of a year."""
    year, month, day = number.day or (None, None, None)
    if year is not None and month is None:
        first = calendar.day_number(year, 1, 1)
        yield _Size("date", first, calendar.day_number(year, 12, 31))
        yield _Size("year", year, year)
        return
    if month is None:
        return
    first_day, last_day = (day, day) if day else number.window
    last_day = min(last_day, calendar.month_length(year, month))
    if year is not None:
        first, last = (calendar.day_number(year, month, d) for d in (first_day, last_day))
        yield _Size("date", first, last)
    start = calendar.day_number(_LEAP_YEAR, 1, 1)
    first, last = (calendar.day_number(_LEAP_YEAR, month, d) for d in (first_day, last_day))
    yield _Size("day of a year", first - start, last - start)


def _counted(pieces: Sequence[Piece], texts: Texts) -> float | None:
    """Return how many are listed: of each piece its own number, or one."""
    total = 0.0
    for piece in pieces:
        words = _words(piece, texts)
        counts = [f for f in figures(words) if f.number.kind == "NUMBER"]
        if len(counts) > 1 or any(one.low != one.high for one in counts):
            return None
        total += counts[0].number.value if counts and counts[0].counts else 1.0
    if any(_NOT_ALL.search(_around(piece, texts)[0]) for piece in pieces):
        return None
    places = [piece.place for piece in pieces]
    apart = all(a[1] <= b[0] for a, b in itertools.pairwise(sorted(places)))
    return total if apart and len(pieces) > 1 else None


def _meet(mine: _Size, theirs: _Size) -> bool:
    return mine.measure == theirs.measure or (mine.measure, theirs.measure) == ("", "money")


def _covers(mine: _Size, theirs: _Size) -> bool:
    slack = 1e-6 * max(abs(theirs.low), abs(theirs.high), 1e-3)
    return mine.low - slack <= theirs.low and theirs.high <= mine.high + slack


# --- operations -------------------------------------------------------------------------------


def _result(by: str, sizes: Sequence[_Size]) -> _Size | None:
    """Return what an operation makes of sizes, None where it is of other measures."""
    measures = [one.measure for one in sizes]
    first, rest = sizes[0], sizes[1:]
    if not rest:
        return None
    if by == "product":
        named = [one for one in measures if one]
        value = math.prod(one.low for one in sizes)
        plain = all(one.exact for one in sizes) and set(named).isdisjoint(_POINTS)
        return _Size(named[0] if named else "", value, value) if plain and len(named) < 2 else None
    if by == "share":
        same = len(sizes) == 2 and len(set(measures)) == 1 and measures[0] not in _POINTS
        if not same or not all(one.exact for one in sizes) or not rest[0].low:
            return None
        return _Size("", first.low / rest[0].low, first.low / rest[0].low)
    sign = 1 if by == "sum" else -1
    if first.measure in _POINTS:
        return _moved(first, rest, sign)
    known = {one for one in measures if one} or {""}
    if len(known) > 1 or not all(one.exact for one in sizes):
        return None
    value = first.low + sign * sum(one.low for one in rest)
    value = abs(value) if sign < 0 and len(rest) == 1 else value
    return _Size(known.pop(), value, value)


#: Measures of points, which are no sizes to be added.
_POINTS = frozenset({"clock", "date", "day of a year", "year"})


def _moved(first: _Size, rest: Sequence[_Size], sign: int) -> _Size | None:
    """Return a time that lies so long after or before another, or what lies between two."""
    one = rest[0]
    if sign < 0 and len(rest) == 1 and one.measure == first.measure and first.measure != "year":
        if not (first.exact and one.exact):
            return None
        days = (first.low - one.low) / (_DAY if first.measure == "clock" else 1.0)
        return _Size("days", abs(days), abs(days))
    if sign < 0 and len(rest) == 1 and one.measure == first.measure == "year":
        years = abs(first.low - one.low)
        return _Size("days", years * calendar.YEAR, years * calendar.YEAR)
    if any(other.measure != "days" or not other.exact for other in rest):
        return None
    days = sign * sum(other.low for other in rest)
    if first.measure == "clock":
        at = (first.low + days * _DAY) % _DAY
        return _Size("clock", at, at) if first.exact else None
    if first.measure == "year":
        year = first.low + round(days / calendar.YEAR)
        return _Size("year", year, year)
    return _Size(first.measure, first.low + days, first.high + days)


# --- what lies in a range ---------------------------------------------------------------------


def _placed(one: Reckoned, words: str, texts: Texts) -> Literal["yes", "no", ""]:
    """Return whether a figure lies within what the source has, or outside of it."""
    said = _sizes(words, alone=False)
    ranges = list(_ranges(one.of, texts))
    pairs = [(mine, r) for mine in said for r in ranges if mine.measure == r.measure]
    if not pairs:
        return ""
    inside = any(_lies_in(*pair) for pair in pairs)
    beyond = all(_lies_beyond(*pair) for pair in pairs)
    if one.by == "within":
        return "yes" if inside else "no"
    return "yes" if beyond else "no"


def _ranges(pieces: Sequence[Piece], texts: Texts) -> Iterator[_Size]:
    """Yield the ranges that two ends have between them, or one has by the words that bound it."""
    if len(pieces) == 2:
        ends = [_sizes(_words(piece, texts), alone=False) for piece in pieces]
        for start, end in itertools.product(*ends):
            if start.measure == end.measure:
                yield _Size(start.measure, start.low, end.high)
        return
    if len(pieces) != 1:
        return
    before, after = _around(pieces[0], texts)
    own = _words(pieces[0], texts)
    found = figures(own)
    if len(found) == 2:
        for start, end in itertools.product(*(list(_readings(f)) for f in found)):
            if start.measure == end.measure:
                yield _Size(start.measure, start.low, end.high)
        return
    for size in _sizes(own, alone=False):
        if _is_bound(size) or (not size.exact and size.measure not in _POINTS):
            yield size
            continue
        place = found[0].number.start if found else 0
        ahead = f"{before}{own[:place].casefold()}"
        behind = f"{own[found[0].number.end :].casefold()}{after}" if found else after
        if _UP_TO.search(ahead) or _AT_LATEST.match(behind):
            yield _Size(size.measure, -math.inf, size.high)
        elif _FROM.search(ahead) or _ONWARDS.match(behind):
            yield _Size(size.measure, size.low, math.inf)
        elif size.measure in {"date", "day of a year", "year"}:
            yield size


def _lies_in(mine: _Size, room: _Size) -> bool:
    if room.low <= room.high:
        return room.low <= mine.low and mine.high <= room.high
    return mine.low >= room.low or mine.high <= room.high  # over midnight, or the turn of the year


def _lies_beyond(mine: _Size, room: _Size) -> bool:
    if room.low <= room.high:
        return mine.high < room.low or mine.low > room.high
    return room.high < mine.low and mine.high < room.low


# --- comparisons ------------------------------------------------------------------------------


def _compared(one: Reckoned, words: str, texts: Texts) -> Literal["yes", "no", ""]:
    """Return whether of two figures the first is more, or less, as the statement has it."""
    if len(one.of) != 2 or denials(words):
        return ""
    low = words_of(words)
    ways = {WAYS[word][0] for word in low if word in WAYS}
    timed = not (EARLY | LATE).isdisjoint(low)  # six days before is earlier than two
    ways |= {-1 for word in low if word in EARLY} | {1 for word in low if word in LATE}
    wanted = {"more": 1, "less": -1, "equal": 0}[one.by]
    if len(ways) > 1 or (ways - {wanted} and not timed):
        return ""
    wanted = ways.pop() if ways else wanted
    sides = []
    for piece in one.of:
        _, after = _around(piece, texts)
        own = _words(piece, texts)
        ahead = bool(_AHEAD.match(after)) or bool(re.search(r"\bbefore", own))
        sizes = _sizes(own, alone=False)
        sides.append([_ahead(size) if ahead and size.measure == "days" else size for size in sizes])
    results = [
        1 if mine.low > theirs.high else -1 if mine.high < theirs.low else
        0 if mine == theirs else None
        for mine, theirs in itertools.product(*sides) if mine.measure == theirs.measure
    ]  # fmt: skip
    if not results or None in results:
        return ""
    return "yes" if wanted in results else "no"


def _ahead(one: _Size) -> _Size:
    return _Size(one.measure, -one.high, -one.low)
