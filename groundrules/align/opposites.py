"""Words that are the same or opposed, by the lists that ship.

Two words are the same where lemma or stem agree or one side of an axis of `opposites.toml` holds
both; opposed where an axis or a pair of `antonyms.tsv` parts them, or a negative prefix does.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from groundrules import domain
from groundrules.claims.english import NO_PREFIX
from groundrules.claims.english.stems import family

_FOLDER = Path(__file__).parent
_PREFIX = re.compile(r"^(?:un|in|im|il|ir|non|dis)-?(?=[a-z]{4})")
#: Pairs of words that are kept as they were found.
_WORDS = 16_384


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Axes of opposition and single pairs."""

    sides: Mapping[str, frozenset[tuple[str, int]]]
    pairs: Mapping[str, frozenset[str]]


@cache
def lexicon() -> Lexicon:
    """Return the shipped lexicon, with the opposites of the domains."""
    data = tomllib.loads((_FOLDER / "opposites.toml").read_text("utf-8"))
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
