"""How English says a property, by the grammar of its label: "built by", "founder", "birth place".

In: the label and the kind of a property of any vocabulary. Out: its other names, and the sentences
that state it, [X] its subject and [Y] its value. A wording that nobody uses finds nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from groundrules.claims.english import IRREGULAR_VERBS, PREPOSITIONS
from groundrules.kb.sources.source import Kind

#: What a label says of the form of its values: "length in metres", "height (m)", "mass kg".
_UNIT = re.compile(
    r" \((?:in )?([^()]{1,20})\)$"
    r"| in ((?:square |cubic )?(?:milli|centi|kilo)?(?:met(?:re|er)|gram|lit(?:re|er))s"
    r"|feet|inches|miles|hectares|acres|tonnes|tons|days|hours|minutes|seconds|knots)$"
    r"| (mm|cm|km|kg|metres|meters)$|(?<=\w) total$"
)
#: Words before a name that say only that a thing has it.
_HAS = re.compile(r"^(?:has|had|is|was) (?=\w)")
#: The noun of a date, the last of several, or its participle: "ship launch date", "year made".
_DATE_OF = re.compile(r"(?:date|year|time)(?: of)? (\w+)|(?:\w+ )*?(\w+) (?:date|year)")
#: The noun of a place, and what is counted.
_PLACE = re.compile(r"(\w+) place|place of (\w+)")
_COUNT = re.compile(r"(?:number|count) of (\w[\w ]*)|(\w+) (?:count|size|capacity)")
_ENGLISH = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_AT = frozenset({"in", "on", "at"})
_ACTOR = re.compile(r"(\w{3,}?)(?:er|or)s?$")


def unit_in(label: str) -> str:
    """Return the unit that a label says its values are in, empty where it says none."""
    found = _UNIT.search(label.lower())
    return next(filter(None, found.groups() if found else ()), "")


def is_of_years(label: str) -> bool:
    """Return whether whole numbers under a label are years: "launched", "founding year"."""
    return any("[X] was " in text for text in wordings_of(label, "time"))


def happens_once(label: str) -> bool:
    """Return whether a label is of the time of what happens to a thing once: "date of launch"."""
    said = [f" {text} " for text in wordings_of(label, "time")]
    return any(f" {once} " in text for once in _ENGLISH["once"] for text in said)


def names_of(label: str) -> list[str]:
    """Return what else a property is called: without a unit, "birth place" as "place of birth"."""
    bare = _HAS.sub("", _UNIT.sub("", label.lower()))
    found = [bare] if bare != label.lower() else []
    place = _PLACE.fullmatch(bare)
    if place and place[1]:
        found += [f"place of {place[1]}", f"{place[1]}place"]
    elif place:
        found += [f"{place[2]} place", f"{place[2]}place"]
    return found


def wordings_of(label: str, kind: Kind) -> Iterator[str]:
    """Yield the sentences that state a property, by its label and the kind of its values.

    A label that is a participle says what was done: with "by" by its value, to its subject; of a
    time to its subject then; else by its subject, to its value.
    """
    name = _HAS.sub("", _UNIT.sub("", label.lower()))
    first, *rest = name.split() or [""]
    if kind == "text":
        yield from _ENGLISH["occupations"].get(name, ())
    if kind == "time":
        for verb in _ENGLISH["when"].get(name.removesuffix(" time"), ()):
            yield from (f"[X] {verb} {at} [Y]" for at in ("in", "on"))
        done = name if is_participle(first) and _AT.issuperset(rest) else ""
        noun = _DATE_OF.fullmatch(name)
        verbs = [first] if done else _participles((noun[1] or noun[2]) if noun else "")
        happened = _ENGLISH["happens"].get(name.split()[-1]) if name else None
        verbs += [happened] if happened and not verbs else []  # "ship launch"
        # "entered service", "took office"
        told = rest and not done and is_participle(first) and rest[-1] not in PREPOSITIONS
        verbs += [name] if told else []
        for verb in verbs:
            for at in ("in", "on"):
                if verb not in _ENGLISH["active"]:
                    yield f"[X] was {verb} {at} [Y]"
                yield f"[X] {verb} {at} [Y]"
    elif kind == "quantity":
        yield from _ENGLISH["amounts"].get(name, ())
        counted = _COUNT.fullmatch(name)
        for noun_ in filter(None, counted.groups() if counted else ()):
            yield f"[X] has [Y] {noun_}"
            yield f"[X] has a {noun_} of [Y]"
            for does in _ENGLISH["counted"].get(_plural(noun_), ()):
                yield f"[X] {does} [Y] {_plural(noun_)}"
    elif kind == "item":
        actor = _ACTOR.fullmatch(name)
        if is_participle(first) and rest == ["by"]:
            yield f"[X] was {first} by [Y]"
            yield f"[Y] {first} [X]"
        elif not rest and (is_participle(first) or first.endswith("s")):  # "founded", "depicts"
            yield f"[X] {first} [Y]"
            for way in ("by", "in") if first.endswith("s") else ("by",):
                yield f"[Y] was {first} {way} [X]"
        does = _ENGLISH["does"].get(name, [])
        for verb in does or ((actor[1], f"{actor[1]}e") if actor else ()):
            yield f"[Y] {verb} [X]"
            yield f"[X] is {verb} by [Y]"


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else f"{noun}s"


def is_participle(word: str) -> bool:
    """Return whether a word may be a participle: "built", "founded"."""
    return word.endswith("ed") or IRREGULAR_VERBS.get(word, word) != word


def akin(one: str, other: str) -> bool:
    """Return whether two nouns are of one family: "ownership" and "owner"."""
    a, b = (name.split()[-1:] or [""] for name in (one.lower(), other.lower()))
    return len(a[0]) > 4 < len(b[0]) + 1 and a[0][:4] == b[0][:4]


def _participles(noun: str) -> list[str]:
    """Return the participle that the noun of what happened may be of: "launch", "incorporation"."""
    if is_participle(noun):
        return [noun]
    if noun in _ENGLISH["happens"]:
        return [_ENGLISH["happens"][noun]]
    for ending in ("ing", "ion", "ment", "al", "e", ""):
        if noun.endswith(ending) and len(noun) > len(ending) + 2:
            return [f"{noun.removesuffix(ending)}ed"]
    return []
