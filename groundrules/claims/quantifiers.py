"""Quantifiers: what determines how many or which of a thing a sentence speaks of."""

from __future__ import annotations

import math
from typing import Any

from groundrules.claims.english.logic import (
    ANY_OF,
    DEFINITE_WORDS,
    EXISTENTIAL,
    NONE_OF,
    NUMBER_BOUNDS,
    ROUNDING_WORDS,
    SHARE_WORDS,
    UNIVERSAL,
)
from groundrules.claims.slots import Bounds

__all__ = ["CURRENCIES", "bounds_of", "quantifier"]

CURRENCIES = frozenset("$€£¥₹")
#: How far a rounded number may be off, and how little "more than" adds.
_ROUNDED, _STEP = 0.05, 1e-6


def quantifier(word: str, *, denied: bool = False) -> str:
    """Return the determiner that a word is, empty if none; "not all" is `denied`."""
    if word in NONE_OF:
        return "no"
    if word in ANY_OF:
        return "any"
    if word in UNIVERSAL:
        return "notall" if denied else "every"
    if word in DEFINITE_WORDS:
        return "the"
    if word in {"a", "an"}:
        return "a"
    if word in EXISTENTIAL:
        return "some"
    return word if word in SHARE_WORDS else ""


def bounds_of(token: Any, value: float) -> Bounds:
    """Return the least and the greatest that a number may be, by the words before it."""
    words = [t.lower_ for t in token.doc[max(0, token.i - 4) : token.i] if t.text not in CURRENCIES]
    before = " ".join(words)
    for bounding, side, beyond in NUMBER_BOUNDS:
        if before.endswith(bounding):
            if side == "most":
                return -math.inf, value - _STEP * beyond
            return value + _STEP * beyond, math.inf
    if before.endswith(ROUNDING_WORDS):
        return value * (1 - _ROUNDED), value * (1 + _ROUNDED)
    return value, value
