"""Values: dates, money, quantities, percentages, durations and citations as typed literals."""

from __future__ import annotations

from dataclasses import dataclass

from rdflib.term import Literal


@dataclass(frozen=True, slots=True)
class Value:
    """A typed literal and the half-open code-point range it was read from."""

    start: int
    end: int
    kind: str
    literal: Literal
