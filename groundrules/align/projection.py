"""The relations of natural logic: how what a source says stands to what a statement says.

MacCartney and Manning (2009), *An extended model of natural logic*.
"""

from __future__ import annotations

from enum import StrEnum


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
