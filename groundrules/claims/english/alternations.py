"""Words as alternatives of a regular expression: "a|an|the", in the order they are tried in."""

from __future__ import annotations

import tomllib
from pathlib import Path

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def either(name: str) -> str:
    """Return the words of a list as alternatives; a space within one is a tilde."""
    return "|".join(_DATA[name].split()).replace("~", " ")


#: Between a preposition and a noun, these say that no number of a thing follows.
NOT_NUMBERED = either("not_numbered")
#: What is no noun behind a figure; "an?" is "a" or "an".
NOT_COUNTED = either("not_counted")
#: Behind "half", what is halved.
HALVED = either("halved")
#: What a statement begins with that needs the one before it.
LEANING = either("leaning")
BEFORE_A_MONTH = either("before_a_month")
BEFORE_A_DAY = either("before_a_day")
BEFORE_A_YEAR = either("before_a_year")
#: Words in "s" that are no plural.
NO_PLURALS = either("no_plurals")
#: Words that are no name, though they may bear a capital.
NO_CAPITALS = either("no_capitals")
#: Before a name; "an?" is "a" or "an".
BEFORE_A_NAME = either("before_a_name")
BOUNDS_IN_TIME = either("bounds_in_time")
BOUNDS_OF_VALUES = either("bounds_of_values")
#: What a fixed phrase tells by its relation: "the term runs until 2030".
BY_A_PHRASE = frozenset(either("by_a_phrase").split("|"))
#: At the end of a relation's wording.
AFTER_A_VERB = either("after_a_verb")
PRONOUNS_AND_PARTIES = either("pronouns_and_parties")
#: What a recogniser takes into a name at the beginning of a sentence.
AHEAD_OF_NAMES = either("ahead_of_names")
#: Verbs that are found behind a subject whatever it is.
LINKED = either("linked")
#: Before what somebody is said to be.
SAID_TO_BE = either("said_to_be")
