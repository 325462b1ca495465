"""The relations of natural logic, and what contexts make of them.

MacCartney and Manning (2009), *An extended model of natural logic*: what a source says and what a
statement says stand in one of a few relations in each slot; a denial or a quantifier projects it,
and the relations of all slots are joined.
"""

from __future__ import annotations

import math
from enum import StrEnum

from groundrules.claims.quantifiers import Bounds


class Relation(StrEnum):
    """How what a source says stands to what a statement says."""

    SAME = "same"
    ENTAILS = "entails"
    ENTAILED = "is entailed by"
    EXCLUDES = "excludes"
    DENIES = "denies"
    OPEN = "leaves open"

    @property
    def supports(self) -> bool:
        """Whether the statement follows."""
        return self in _SUPPORTING

    @property
    def refutes(self) -> bool:
        """Whether the statement cannot be."""
        return self in _REFUTING


_SAME, _OPEN = Relation.SAME, Relation.OPEN
_ENTAILS, _ENTAILED = Relation.ENTAILS, Relation.ENTAILED
_EXCLUDES, _DENIES = Relation.EXCLUDES, Relation.DENIES
_SUPPORTING, _REFUTING = frozenset({_SAME, _ENTAILS}), frozenset({_EXCLUDES, _DENIES})
_FLIPPED = {_SAME: _SAME, _ENTAILS: _ENTAILED, _ENTAILED: _ENTAILS, _DENIES: _DENIES}
#: Where the statement alone is denied, and where the source alone is.
_STATEMENT_DENIED = {_SAME: _DENIES, _ENTAILS: _EXCLUDES, _EXCLUDES: _ENTAILS, _DENIES: _SAME}
_SOURCE_DENIED = {_SAME: _DENIES, _ENTAILED: _EXCLUDES, _DENIES: _SAME}


def flipped(relation: Relation) -> Relation:
    """Return what a denial of both, or the restrictor of "every", makes of a relation."""
    return _FLIPPED.get(relation, _OPEN)


def join(one: Relation, other: Relation) -> Relation:
    """Return what the relations of two slots come to."""
    if _SAME in (one, other):
        return other if one is _SAME else one
    if one is other and one in {_ENTAILS, _ENTAILED}:
        return one
    both = {one, other}
    if _ENTAILS in both and both & {_DENIES, _EXCLUDES}:
        return _EXCLUDES
    return _OPEN


def project(inside: Relation, source_denied: bool, statement_denied: bool) -> Relation:
    """Return the relation of two contents where either may be denied."""
    if source_denied == statement_denied:
        return flipped(inside) if source_denied else inside
    table = _SOURCE_DENIED if source_denied else _STATEMENT_DENIED
    return table.get(inside, _OPEN)


def of_bounds(source: Bounds, statement: Bounds) -> Relation:
    """Return the relation of two ranges: "ten" is "at most twelve" and excludes "over ten".

    Two limits that meet in one number are turned: who says "at least five" says not "at most five".
    """
    if all(
        a == b or math.isclose(a, b, rel_tol=1e-9) for a, b in zip(source, statement, strict=True)
    ):
        return _SAME
    if statement[0] <= source[0] and source[1] <= statement[1]:
        return _ENTAILS
    if source[0] <= statement[0] and statement[1] <= source[1]:
        return _ENTAILED
    apart = source[1] < statement[0] or statement[1] < source[0]
    return _EXCLUDES if apart or are_turned(source, statement) else _OPEN


def are_turned(one: Bounds, other: Bounds) -> bool:
    """Return whether two ranges are a lower and an upper limit at one number."""
    ends = {*one, *other}
    return one != other and len(ends) == 3 and {-math.inf, math.inf} < ends
