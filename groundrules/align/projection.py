"""The relations of natural logic in which what a source says stands to a statement.

MacCartney and Manning (2009), *An extended model of natural logic*: of two words, or of two ranges
of a number.
"""

from __future__ import annotations

import math
from enum import StrEnum

from groundrules.claims.quantifiers import Bounds


class Relation(StrEnum):
    """How what a source says stands to what a statement says."""

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

    @property
    def denied(self) -> Relation:
        """How the source stands to the denial of the statement."""
        return _DENIED.get(self, Relation.OPEN)


_DENIED = {
    Relation.SAME: Relation.DENIES,
    Relation.ENTAILS: Relation.EXCLUDES,
    Relation.EXCLUDES: Relation.ENTAILS,
    Relation.DENIES: Relation.SAME,
}


def of_bounds(source: Bounds, statement: Bounds) -> Relation:
    """Return the relation of two ranges: "ten" is "at most twelve" and excludes "over ten"."""
    if all(
        a == b or math.isclose(a, b, rel_tol=1e-9) for a, b in zip(source, statement, strict=True)
    ):
        return Relation.SAME
    if statement[0] <= source[0] and source[1] <= statement[1]:
        return Relation.ENTAILS
    apart = source[1] < statement[0] or statement[1] < source[0]
    return Relation.EXCLUDES if apart else Relation.OPEN
