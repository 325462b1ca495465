"""The relation between two words: the same, narrower, opposed, or none.

From `meanings.toml`, `opposites.toml` and `antonyms.tsv`, written by hand, and `kinds.tsv`, made
from WordNet. Two words are opposed where an axis or a pair parts them, or a negative prefix does.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from groundrules import domain
from groundrules.claims.english import NO_PREFIX, WEEKDAYS
from groundrules.claims.english.stems import family

#: A word of an event, of a property or of a thing; empty where two words are of different parts.
Part = Literal["event", "property", "thing", ""]

_FOLDER = Path(__file__).parent
#: Axes of opposites whose words of one side say the same.
_EVEN = frozenset({"fast", "cheap", "long", "big", "begin"})
_PREFIX = re.compile(r"^(?:un|in|im|il|ir|non|dis)-?(?=[a-z]{4})")
#: Pairs of words that are kept as they were found.
_WORDS = 16_384


class Relation(StrEnum):
    """How what a source says stands to what a statement says (MacCartney and Manning 2009)."""

    SAME = "same"
    ENTAILS = "entails"
    EXCLUDES = "excludes"
    DENIES = "denies"
    OPEN = "leaves open"

    @property
    def supports(self) -> bool:
        """Whether the statement follows."""
        return self in {Relation.SAME, Relation.ENTAILS}

    @property
    def refutes(self) -> bool:
        """Whether the statement cannot be."""
        return self in {Relation.EXCLUDES, Relation.DENIES}


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
        return Relation.SAME
    if other in meanings().same.get((part, one), ()):
        return Relation.SAME
    if _is_above(other, one, part):
        return Relation.ENTAILS
    sides = lexicon().sides
    even = sides.get(one, frozenset()) & sides.get(other, frozenset())
    return Relation.SAME if any(axis in _EVEN for axis, _ in even) else Relation.OPEN


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


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Axes of opposition and single pairs."""

    sides: Mapping[str, frozenset[tuple[str, int]]]
    pairs: Mapping[str, frozenset[str]]


@cache
def opposites() -> Mapping[str, Any]:
    """Return the axes of opposites, and the words of labels that exclude each other."""
    return tomllib.loads((_FOLDER / "opposites.toml").read_text("utf-8"))


@cache
def lexicon() -> Lexicon:
    """Return the shipped lexicon, with the opposites of the domains."""
    data = opposites()
    sides: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for axis, (one, other) in {**domain.words().opposites, **data["axes"]}.items():
        for word in one:
            sides[word].add((axis, 1))
        for word in other:
            sides[word].add((axis, -1))
    pairs: dict[str, set[str]] = defaultdict(set)
    for line in (_FOLDER / "antonyms.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            _, first, second = line.split("\t")
            pairs[first].add(second)
            pairs[second].add(first)
    return Lexicon(
        {word: frozenset(found) for word, found in sides.items()},
        {word: frozenset(found) for word, found in pairs.items()},
    )


@lru_cache(maxsize=_WORDS)
def relation(one: str, other: str) -> int:
    """Return 1 where two lemmas are the same, -1 where they are opposed, 0 else."""
    if one == other:
        return 1
    known = lexicon()
    if other in known.pairs.get(one, ()):
        return -1
    mine, theirs = known.sides.get(one), known.sides.get(other)
    if mine and theirs:
        if mine & theirs:
            return 1
        if {(axis, -side) for axis, side in mine} & theirs:
            return -1
    first, second = family(one), family(other)
    if first == second and len(first) >= 3:
        return 1
    for long, short in ((one, second), (other, first)):
        bare = _bare(long)
        if bare != long and len(short) >= 3 and short in {family(bare), family(family(bare))}:
            return -1
    return 0


def _bare(word: str) -> str:
    """Return a word without a negative prefix."""
    return word if word in NO_PREFIX else _PREFIX.sub("", word)
