"""Figures in words as sizes: in which measure, from where to where, in all ways they may be read.

"5 May" is a day of a year of 365 or 366 days, "half past five" is so of either half of a day, and
"6 months" are so many days and so many months.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundrules import calendar
from groundrules.align.measures import NO_CURRENCY, Number
from groundrules.align.numbers import read_numbers
from groundrules.align.snippets import Figure, figures, words_of
from groundrules.claims.english import PRONOUNS
from groundrules.claims.english.slot_words import OF_MONTHS, SHARES

#: A day in seconds.
DAY = 86400.0
#: Measures of days without a year, by a year that has so many, and of points, which are no sizes.
YEARLY = {"day of 365": 2023, "day of 366": 2024}
POINTS = frozenset({"clock", "date", "year", *YEARLY})
#: How a number is read that may be an hour: "7", "14.05".
_HOUR = re.compile(r"(?P<hour>[01]?\d|2[0-4])(?:[.:](?P<minute>[0-5]\d))?")


@dataclass(frozen=True, slots=True)
class Size:
    """A figure as one size: in which measure, from where to where, and of what it counts."""

    measure: str
    low: float
    high: float
    noun: str = ""

    @property
    def exact(self) -> bool:
        """Whether it is one size and no range."""
        return self.low == self.high


def sizes_of(words: str, *, alone: bool) -> list[Size]:
    """Return the ways in which some words with one figure may be read, none where they have more.

    With `alone` it is a size and no bound.
    """
    found = figures(words) or figures(f"in {words}")  # "March" alone may be no month
    if not found:
        numbers = [one for one in read_numbers(words) if one.soft]
        found = [Figure(one, one.low, one.high) for one in numbers][:2]
    if not found:
        shares = [SHARES[word] for word in words_of(words) if word in SHARES]
        return [Size("", *one) for one in shares] if len(shares) == 1 else []
    if len(found) != 1 or (alone and (found[0].ranged or is_bound(found[0]))):
        return []
    return list(readings_of(found[0]))


def is_bound(one: Figure | Size) -> bool:
    """Return whether a figure is open to one side."""
    return math.isinf(one.low) or math.isinf(one.high)


def readings_of(figure: Figure) -> Iterator[Size]:
    """Yield a figure as the sizes that it may be."""
    number, low, high = figure.number, figure.low, figure.high
    if number.kind == "RATIO" and not figure.ranged and not is_bound(figure):
        low = high = number.value
    if number.kind in {"RATIO", "NUMBER"}:
        yield Size("", low, high, "" if number.noun.casefold() in PRONOUNS else number.noun)
    elif number.kind == "PERCENT":
        yield Size("", low / 100, high / 100)
    elif number.kind == "DURATION":
        yield Size("days", low, high)
        yield from _months(number, low, high)
    elif number.kind == "MONEY":
        yield Size(f"money {currency_of(number)}".strip(), low, high)
    elif number.kind == "TIME":
        yield Size("clock", low, high)
        if number.unit == "?":
            yield Size("clock", low + DAY / 2, high + DAY / 2)
    elif number.kind == "DATE":
        yield from _date(number)
    else:
        yield Size(number.unit, low, high)
        if number.text.rstrip("s").endswith("pound"):
            yield Size("money GBP", number.raw, number.raw)
    if number.kind == "NUMBER" and number.text.endswith("years"):
        yield Size("days", low * calendar.YEAR, high * calendar.YEAR)
        yield Size("months", low * 12, high * 12)
    hour = _HOUR.fullmatch(number.text)
    if hour and number.kind == "NUMBER" and not number.noun and number.text[0].isdigit():
        at = 3600.0 * int(hour["hour"]) + 60.0 * int(hour["minute"] or 0)
        yield Size("clock", at, at)
        if at < DAY / 2 + 3600:  # a bare hour leaves open of which half of the day it is
            yield Size("clock", (at + DAY / 2) % DAY, (at + DAY / 2) % DAY)


def _months(number: Number, low: float, high: float) -> Iterator[Size]:
    """Yield a length of time that is told in months or years, as so many months."""
    months = number.value / calendar.MONTH
    told = any(stem_of(word) in OF_MONTHS for word in words_of(number.text))
    if told and math.isfinite(months) and round(months) and abs(months - round(months)) < 1e-6:
        scale = round(months) / number.value
        yield Size("months", low * scale, high * scale)


def _date(number: Number) -> Iterator[Size]:
    """Yield a date as the days that it covers: of the line of time, and of a year."""
    year, month, day = number.day or (None, None, None)
    if year is not None and month is None:
        first = calendar.day_number(year, 1, 1)
        yield Size("date", first, calendar.day_number(year, 12, 31))
        yield Size("year", year, year)
        return
    if month is None:
        return
    first_day, last_day = (day, day) if day else number.window
    last_day = min(last_day, calendar.month_length(year, month))
    if year is not None:
        first, last = (calendar.day_number(year, month, d) for d in (first_day, last_day))
        yield Size("date", first, last)
    for measure, one in YEARLY.items():
        length = calendar.month_length(one, month)
        if (year is None or calendar.month_length(year, 2) == calendar.month_length(one, 2)) and (
            first_day <= length
        ):
            start = calendar.day_number(one, 1, 1)
            first = calendar.day_number(one, month, first_day) - start
            yield Size(measure, first, first + min(last_day, length) - first_day)


def currency_of(number: Number) -> str:
    """Return the currency of an amount, empty where that is not told, as by a cent."""
    open_ = number.unit == NO_CURRENCY or re.search(r"\bcents?\Z", number.text.casefold())
    return "" if open_ else number.unit


def stem_of(word: str) -> str:
    """Return a word of a unit or noun without the s of its plural."""
    return word.removesuffix("s")


def share_measure(mine: Size, theirs: Size) -> bool:
    """Return whether two sizes are of one measure; a bare number may be one of money."""
    if not mine.measure:
        return not theirs.measure or (theirs.measure.startswith("money") and not mine.noun)
    return bool(theirs.measure) and common_measure([mine.measure, theirs.measure]) is not None


def common_measure(measures: Sequence[str]) -> str | None:
    """Return the one measure of sizes, of which some may be bare numbers, None where it is none."""
    known = {one for one in measures if one}
    if any(one.startswith("money ") for one in known):
        known.discard("money")  # of which currency is not told
    return None if len(known) > 1 else "".join(known)


def rounded(size: Size, words: str) -> Size:
    """Return a share with the room that its last digit leaves."""
    found = figures(words)
    if len(found) != 1 or not size.exact or found[0].low != found[0].high or size.low in {0.0, 1.0}:
        return size
    number = found[0].number
    places = re.search(r"\.(\d+)", number.text)
    if size.measure or number.noun or (number.kind != "PERCENT" and not places):
        return size
    room = 0.5 / 10 ** len(places[1] if places else "") / (100 if number.kind == "PERCENT" else 1)
    return Size("", size.low - room, size.high + room)


def covers(mine: Size, theirs: Size) -> bool:
    """Return whether one size has the other in it, but for what reckoning in floats loses."""
    point = theirs.measure in POINTS  # counted from where counting begins, and not long
    slack = 1e-3 if point else 1e-6 * max(abs(theirs.low), abs(theirs.high), 1e-3)
    return mine.low - slack <= theirs.low and theirs.high <= mine.high + slack
