"""The numbers of a statement beside those of its sources: which bear out which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundrules.align.derivations import Operand, asked
from groundrules.align.limits import ANCHORED
from groundrules.align.measures import Number, agree
from groundrules.align.operands import at_hand
from groundrules.align.places import (
    FigureIndex,
    Word,
    bearing_on,
    lookup,
    similarity_to,
    words_around,
)

#: How many numbers of a statement and of the passages that bear on it are looked at closely.
MOST_CLAIMS, MOST_NEAR = 40, 240

_MEASURED = frozenset({"MONEY", "QUANTITY", "PERCENT", "DURATION"})
#: How many of the passages that bear on a statement a bare figure may be far from.
_CLEAR = 3


@dataclass(frozen=True, slots=True)
class Matches:
    """The numbers of a statement beside those of its sources.

    `read` are all numbers of the statement, `claims` those to account for. `bearing` are the units
    of the index that bear on the statement and `near` the numbers in them, nearest first. `equal`
    are the numbers that bear out a claim, by where it starts; `taken` how many claims a number
    bears out. `cues` say which sums the statement speaks of, and whether it supposes a case.
    """

    statement: str
    index: FigureIndex
    words: tuple[Word, ...]
    read: tuple[Number, ...]
    claims: Sequence[Number]
    before: Sequence[str]
    bearing: Sequence[int]
    near: Sequence[int]
    equal: Mapping[int, Sequence[int]]
    taken: Mapping[int, int]
    cues: frozenset[str]


def match_numbers(
    statement: str, index: FigureIndex, words: tuple[Word, ...], read: tuple[Number, ...],
    claims: Sequence[Number], before: Sequence[str],
) -> Matches:  # fmt: skip
    """Set the numbers of a statement beside those of its sources."""
    bearing = bearing_on(index, words, before)
    near = _near_numbers(index, bearing)
    equal = {claim.start: _equal(index, claim, near) for claim in claims}
    bearing = _anchored(index, words, claims, bearing, equal)
    taken = Counter(here for held in equal.values() for here in held)
    return Matches(
        statement, index, words, read, claims, before, bearing, _near_numbers(index, bearing),
        equal, taken, asked(statement),
    )  # fmt: skip


def _anchored(
    index: FigureIndex, words: tuple[Word, ...], claims: Sequence[Number], bearing: Sequence[int],
    equal: Mapping[int, Sequence[int]],
) -> list[int]:  # fmt: skip
    """Return the passages that bear, first those that alone give a number of the statement."""
    found: dict[int, float] = {}
    for claim in claims[:MOST_CLAIMS]:
        held = equal[claim.start]
        if not is_firm(index, bearing, claim, held):
            continue
        units = {index.numbers[here].unit for here in held}
        if len(units) != 1:
            continue
        unit = units.pop()
        around = words_around(words, claim.start, claim.end)
        near = max(similarity_to(index, around, here) for here in held)
        if near >= (ANCHORED if claim.bare else 0.0) and unit not in bearing[:2]:
            found[unit] = max(near, found.get(unit, 0.0))
    ordered = list(bearing)
    for unit in sorted(found, key=lambda n: found[n])[-3:]:
        if unit in ordered:
            ordered.remove(unit)
        ordered.insert(2, unit)
    return ordered


def _near_numbers(index: FigureIndex, bearing: Sequence[int]) -> list[int]:
    """Return the numbers of the passages that bear on a statement, nearest first."""
    near = [here for unit in bearing for here in index.inside.get(unit, ())[:200]]
    return near[:MOST_NEAR]


def _equal(index: FigureIndex, claim: Number, near: Sequence[int]) -> list[int]:
    """Return the source's numbers that bear out a claimed one, those near first."""
    found = [here for here in near if agree(claim, index.numbers[here].number)]
    seen = set(found)
    for here in lookup(index, claim):
        if here not in seen and agree(claim, index.numbers[here].number):
            found.append(here)
            seen.add(here)
    return found


def is_firm(
    index: FigureIndex, bearing: Sequence[int], claim: Number, equal: Sequence[int]
) -> bool:
    """Say whether a number bears out a claim as what it is, not a bare figure far away."""
    for here in equal:
        known = index.numbers[here]
        if claim.kind not in _MEASURED or known.number.kind != "NUMBER":
            return True
        if known.number.raw > 31 or known.unit in bearing[:_CLEAR]:
            return True
    return False


def operands_of(matches: Matches, claim: Number) -> list[Operand]:
    """Return the numbers that a sum for a claimed one may be made of."""
    said = frozenset(word.stem for word in matches.words)
    return at_hand(
        matches.index, matches.bearing, matches.near, claim, matches.read, matches.before, said
    )
