"""How English tells a date, an amount, an age, a count, a people or an office of a thing."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from groundrules.claims.english import WORDS

_DATA: dict[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


def _pairs(name: str) -> dict[str, Any]:
    return {word: tuple(one) for word, one in _DATA[name].items()}


#: What stands before a date, and what the days of the date are to what is dated.
TIME_LEADS: dict[str, str] = _DATA["time_leads"]
#: Verbs that tell of the beginning of what they say, and of its end; as they are looked up.
BEGINNING = frozenset("become join marry wed inaugurate crown settle enter".split())
#: Verbs of being chosen for what somebody then comes to be, or is once more.
CHOOSING = frozenset("elect appoint".split())
ENDING = frozenset("leave quit resign depart".split())
#: What stands before an amount or a date that only bounds a value.
BOUNDS: dict[str, str] = _DATA["bounds"]
#: Of these, what falls short.
NOT_QUITE = frozenset({"nearly", "almost", "close to"})
#: A stretch that is no plain number of years: "a decade", "two and a half years".
LENGTHS_IN_YEARS: str = _DATA["lengths_in_years"]
#: A century or a part of one, with the article before it.
CENTURIES: str = _DATA["centuries"]
NTH_CENTURY: dict[str, int] = _DATA["nth_century"]
#: The years of a part of a century, counted from the one before its first.
PARTS_OF_A_CENTURY = _pairs("parts_of_a_century")
#: The months of a part of a year, by the words before it.
PARTS_OF_A_YEAR = _pairs("parts_of_a_year")
#: What stands before how long something was so.
STRETCHES = (
    r"(?i)\bfor\s+(?:(?P<b>"
    + "|".join(sorted((b for b in BOUNDS if not b.startswith("in ")), key=len, reverse=True))
    + r")\s+)?(?:(?:the|a) (?:past|last|full|whole|total of) )?(?:an?\s+)?$"
)
#: The lands that the words for a people stand for.
COUNTRIES: dict[str, str] = WORDS["countries"]
#: The years of a number in words.
YEARS: dict[str, int] = _DATA["years"]
#: What is said of two things by what both have: the expression, a wording of that, whether it is a
#: time or an amount, what the first one's is to the other's, and a wording of the other's, which
#: may be another one.
COMPARED: tuple[tuple[str, str, str, str, str], ...] = tuple(map(tuple, _DATA["compared"]))
#: How old somebody died, behind the name, and the wording of when.
AGED: str = _DATA["aged"]
BORN, DIED = "[X] was born in [Y]", "[X] died in [Y]"
#: What stands before a name and says what somebody is, as no "Mr" does.
OFFICES: str = _DATA["offices"]
#: How many of what somebody has, behind the name, and how often something is so, at the end.
COUNTED: tuple[tuple[str, str], ...] = tuple(map(tuple, _DATA["counted"]))
NUMBERS: dict[str, int] = _DATA["numbers"]
