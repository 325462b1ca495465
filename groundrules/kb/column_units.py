"""Units of columns: which one a column's name says, and an amount in another one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundrules.claims.english.asking import UNITS

_ASKED = re.compile(rf"\sin ({'|'.join(sorted(UNITS, key=len, reverse=True))})\b(?! [A-Z])")
_WORDS = re.compile(r"[^\W\d_]+[23²³]?")


def without_unit(question: str) -> tuple[str, str]:
    """Return a question without the one unit that it asks an amount in, and that unit."""
    found = list(_ASKED.finditer(question))
    if len(found) != 1:
        return question, ""
    (one,) = found
    return question[: one.start()] + question[one.end() :], one[1]


def unit_of(label: str) -> str:
    """Return the unit that the name of a column ends with, "length_m", empty if it has none."""
    words = [word.lower() for word in _WORDS.findall(label)]
    return next((one for one in _ends(words[1:]) if one in UNITS), "")


def _ends(words: list[str]) -> Iterator[str]:
    for count in (2, 1):
        yield " ".join(words[-count:])


def converts(one: str, other: str) -> bool:
    """Return whether an amount of a unit is one of another: metres and feet are."""
    return UNITS[one][0] == UNITS[other][0]


def in_unit(amount: str, known: str, wanted: str) -> str:
    """Return an amount of one unit in another, to five figures, with that unit."""
    return f"{float(amount) * UNITS[known][1] / UNITS[wanted][1]:.5g} {wanted}"
