"""Quantifiers: what determines how many or which of a thing a sentence speaks of."""

from __future__ import annotations

import math
from typing import Any

from groundrules.claims.english.logic import BEHIND_NUMBERS, NUMBER_BOUNDS, ROUNDING_WORDS

#: The least and the greatest of a number, both inclusive.
Bounds = tuple[float, float]

CURRENCIES = frozenset("$€£¥₹")
#: How far a rounded number may be off, and how little "more than" adds.
_ROUNDED, _STEP = 0.05, 1e-6


def bounds_of(token: Any, value: float) -> Bounds:
    """Return the least and the greatest that a number may be, by the words around it."""
    side, beyond = _hedge(token)
    if side == "most":
        return -math.inf, value - _STEP * beyond
    if side == "least":
        return value + _STEP * beyond, math.inf
    if side == "about":
        return value * (1 - _ROUNDED), value * (1 + _ROUNDED)
    return value, value


def _hedge(token: Any) -> tuple[str, bool]:
    """Return how the words around a number bound it, and whether it is left out."""
    doc = token.doc
    behind = " ".join(t.lower_ for t in doc[token.i + 1 : token.i + 3])
    if behind in BEHIND_NUMBERS:
        return BEHIND_NUMBERS[behind], False
    places = [t.i for t in doc[max(0, token.i - 4) : token.i] if t.text not in CURRENCIES]
    before = " ".join(doc[i].lower_ for i in places)
    for bounding, side, beyond in NUMBER_BOUNDS:
        if before.endswith(bounding):
            return side, beyond
    return "about" if before.endswith(ROUNDING_WORDS) else "", False
