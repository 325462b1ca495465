"""One relation between two words: the same, narrower, or none.

From `meanings.toml` and `opposites.toml`, written by hand, and `kinds.tsv`, made from WordNet.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from groundrules.align.opposites import lexicon
from groundrules.align.projection import Relation
from groundrules.claims.english import WEEKDAYS

#: A word of an event, of a property or of a thing; empty where two words are of different parts.
Part = Literal["event", "property", "thing", ""]

_FOLDER = Path(__file__).parent
_SAME, _OPEN = Relation.SAME, Relation.OPEN
#: Axes of opposites whose words of one side say the same.
_EVEN = frozenset({"fast", "cheap", "long", "big", "begin"})


@dataclass(frozen=True, slots=True)
class Meanings:
    """What is known of words by part of speech: which say the same, of which kinds each is."""

    same: Mapping[tuple[str, str], Set[str]]
    wider: Mapping[tuple[str, str], Set[str]]


@cache
def tables() -> Mapping[str, Any]:
    """Return the relations that are written by hand."""
    return tomllib.loads((_FOLDER / "meanings.toml").read_text("utf-8"))


def listed(text: str) -> list[str]:
    """Return the words of a line, of which one of several words has "_" between them."""
    return [word.replace("_", " ") for word in text.split()]


@cache
def meanings() -> Meanings:
    """Return the shipped relations of words."""
    data = tables()
    same: dict[tuple[str, str], set[str]] = defaultdict(set)
    wider: dict[tuple[str, str], set[str]] = defaultdict(set)
    for part, groups in data["same"].items():
        for group in map(listed, groups):
            for word in group:
                same[part, word].update(set(group) - {word})
    for part, groups in data["wider"].items():
        for first, *others in map(listed, groups):
            for word in others:
                wider[part, word].add(first)
    for line in (_FOLDER / "kinds.tsv").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, found = line.split("\t")
        for one in found.split():
            wider["thing", one].add(kind)
    return Meanings(same, wider)


@lru_cache(maxsize=32768)
def related(one: str, other: str, part: Part = "") -> Relation:
    """Return how what one word says stands to what another of its part of speech says."""
    if _is_one_word(one, other):
        return _SAME
    if other in meanings().same.get((part, one), ()):
        return _SAME
    if _is_above(other, one, part):
        return Relation.ENTAILS
    sides = lexicon().sides
    even = sides.get(one, frozenset()) & sides.get(other, frozenset())
    return _SAME if any(axis in _EVEN for axis, _ in even) else _OPEN


def _is_one_word(one: str, other: str) -> bool:
    """Return whether two words are one in two spellings."""
    if one == other or one.replace("-", " ") == other.replace("-", " "):
        return True
    short, long = sorted((one, other), key=len)
    return short in WEEKDAYS and long == f"{short}s"  # "on Mondays"


def _is_above(wide: str, narrow: str, part: Part) -> bool:
    """Return whether a word is of the kind that another names, or of one of that kind."""
    known, same = meanings().wider, meanings().same
    front = [narrow, *same.get((part, narrow), ())]
    goals, seen = {wide, *same.get((part, wide), ())}, set(front)
    while front:
        for one in known.get((part, front.pop()), ()):
            if one in goals:
                return True
            if one not in seen:
                seen.add(one)
                front.append(one)
    return False
