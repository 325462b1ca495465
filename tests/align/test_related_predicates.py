"""Which propositions can answer each other."""

from __future__ import annotations

import itertools

import pytest

from groundrules.align.deductions import read_propositions
from groundrules.align.entailment import compare
from groundrules.align.known import premises_of
from groundrules.align.projection import Relation
from groundrules.align.related_predicates import akin, are_akin
from groundrules.claims.slots import Term

TOLD = """
Ann lent Bob the car. Half of the guests paid. The red door is shut. The mill is repairable.
Few members voted. The north line is the least long. A third of the herd died.
The firm made a decision on the plan. Ann is the author of the book. The tower is above the gate.
"""
SAID = """
Bob borrowed the car from Ann. Most guests paid. The blue door is open. The mill can be repaired.
No member voted. The north line is the shortest. Two thirds of the herd survived.
The firm decided on the plan. Ann wrote the book. The gate is below the tower. Bob lent Ann the car.
"""


def _pairs() -> list[tuple[Term, Term]]:
    return list(itertools.product(read_propositions(TOLD), read_propositions(SAID)))


@pytest.mark.parametrize(
    ("told", "said", "meet"),
    [
        ("Ann lent Bob the car.", "Bob borrowed the car from Ann.", True),
        ("The mill is repairable.", "The mill can be repaired.", True),
        ("The red door is shut.", "The door is open.", True),
        ("The line is the least long.", "The line is the shortest.", True),
        ("Ann lent Bob the car.", "The mill burned.", False),
        ("The door is red.", "The door is wooden.", False),
    ],
)
def test_propositions_are_akin_whose_predicates_meet_in_some_wording(
    told: str, said: str, meet: bool
) -> None:
    pairs = itertools.product(read_propositions(told), read_propositions(said))

    assert any(are_akin(p, h) for p, h in pairs) == meet


def test_what_is_not_akin_leaves_open_even_when_compared_slot_by_slot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    premises = premises_of(read_propositions(TOLD))
    apart = [(p, h) for p, h in _pairs() if not are_akin(p, h)]
    monkeypatch.setattr("groundrules.align.entailment.are_akin", lambda *_: True)

    assert len(apart) > 40
    assert all(compare(p, h, premises).relation is Relation.OPEN for p, h in apart)


def test_of_a_source_those_propositions_are_asked_that_are_akin() -> None:
    terms = read_propositions(TOLD)

    for h in read_propositions(SAID):
        assert list(akin(terms, h)) == [p for p in terms if are_akin(p, h)]
