"""What a source says of one thing alone tells which thing a statement means by it."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import deduce, read_propositions
from groundrules.align.descriptions import identified
from groundrules.align.known import premises_of

CRANES = "The old crane stands on pier 1. The new crane stands on pier 2. The new crane is green."


def outcome(statement: str, source: str) -> str:
    found = deduce(statement, source, [(0, len(source))])
    relation = found.finding.relation
    return "supported" if found.supports else "refuted" if relation.refutes else "open"


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("The crane on pier 2 is green.", CRANES),
        ("The gate that faces the sea opens at six.",
         "The north gate faces the sea. The south gate is shut. The north gate opens at six."),
        ("The room with the maps is locked.", "Room 3 has the maps. Room 3 is locked."),
        ("The tram from the depot is late.", "Tram 4 comes from the depot. Tram 4 is late."),
        ("The green boat leaks.",
         "The small boat is green. The large boat is red. The small boat leaks."),
    ],
)  # fmt: skip
def test_a_thing_is_known_by_what_the_source_says_of_it_alone(statement: str, source: str) -> None:
    assert outcome(statement, source) == "supported"


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("The crane on pier 1 is green.", CRANES),
        ("The green gate opens at six.",
         "The north gate is green. The south gate is green. The north gate opens at six."),
        ("The gate that faces the hill opens at six.",
         "The north gate faces the sea. The north gate opens at six."),
        ("The green lamp leaks.", "The small boat is green. The small boat leaks."),
    ],
)  # fmt: skip
def test_a_thing_that_may_be_another_is_not_told_of(statement: str, source: str) -> None:
    assert outcome(statement, source) == "open"


def test_what_fits_two_things_identifies_neither() -> None:
    source = read_propositions("The north gate is green. The south gate is green.")
    (told,) = read_propositions("The green gate opens at six.")
    assert not list(identified(told, premises_of(source)))
