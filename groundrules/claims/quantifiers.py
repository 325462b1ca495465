"""Quantifiers: what determines how many or which of a thing a sentence speaks of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from groundrules.claims.english.logic import (
    BEHIND_NUMBERS,
    EXISTENTIAL,
    NUMBER_BOUNDS,
    ONLY_WORDS,
    ROUNDING_WORDS,
    SHARE_WORDS,
)

#: The least and the greatest of a number, both inclusive.
Bounds = tuple[float, float]

#: The unit of an hour that tells no half of the day, "half past two", and its seconds.
FACE, HALF_DAY = "clock face", 43_200
#: Units of days, of days without a year, and of hours of the day.
TIMES = frozenset({"date", "day of the year", "clock", FACE})
CURRENCIES = frozenset("$€£¥₹")
#: Behind "but": it joins, since what follows has a quantity of its own.
_OF_ITS_OWN = ONLY_WORDS | SHARE_WORDS | (EXISTENTIAL - {"one"}) | {"not"}
#: How far a rounded number may be off, and how little "more than" adds.
_ROUNDED, _STEP = 0.05, 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """A number as a text has it, and its range in the base unit of what it measures.

    `unit` is empty where it counts, "share" of a part of a whole, "date" of a day or a year.
    """

    value: float
    unit: str = ""
    size: Bounds = (0.0, 0.0)


def spans(numbers: Mapping[int, Count]) -> Iterator[tuple[Count, int, int]]:
    """Yield each number of a text with its first and last token."""
    ranges: dict[int, list[int]] = {}
    for i, one in numbers.items():
        ranges.setdefault(id(one), []).append(i)
    for places in ranges.values():
        yield numbers[places[0]], min(places), max(places)


def bounds_of(token: Any, value: float) -> Bounds:
    """Return the least and the greatest that a number may be, by the words around it."""
    return within(token, (value, value), token.i)


def within(token: Any, size: Bounds, last: int) -> Bounds:
    """Return the range of an amount from a token to the last, by the words around it."""
    side, beyond, _ = _hedge(token, last)
    low, high = size
    if side == "most":
        return -math.inf, high - _STEP * beyond
    if side == "least":
        return low + _STEP * beyond, math.inf
    if side == "about":
        return low * (1 - _ROUNDED), high * (1 + _ROUNDED)
    return size


def _hedge(token: Any, last: int) -> tuple[str, bool, tuple[int, ...]]:
    """Return how the words around a number bound it, whether it is left out, and which they are."""
    doc = token.doc
    behind = " ".join(t.lower_ for t in doc[last + 1 : last + 3])
    if behind in BEHIND_NUMBERS:
        return BEHIND_NUMBERS[behind], False, (last + 1, last + 2)
    places = [t.i for t in doc[max(0, token.i - 4) : token.i] if t.text not in CURRENCIES]
    before = " ".join(doc[i].lower_ for i in places)
    for bounding, side, beyond in NUMBER_BOUNDS:
        if before.endswith(bounding):
            return side, beyond, tuple(places[-len(bounding.split()) :])
    if before.endswith(ROUNDING_WORDS):
        return "about", False, tuple(places[-1:])
    return "", False, ()
