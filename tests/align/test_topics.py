"""What is told of another thing is told so by its words, before any slot is compared."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import read_propositions
from groundrules.align.entailment import Finding, compare
from groundrules.align.known import premises_of
from groundrules.align.projection import Relation
from groundrules.align.related_predicates import akin
from groundrules.align.topics import of_another

TOLD = """
Ann Holt lent Bob the car. Mr Bright, the mayor, opened the mill. The red door is shut.
Every guest who pays is admitted. Half of the members voted. Three boats left the harbour.
The old tower was built by the monks. Dora is a child of Emil. The ferry left before the tram did.
The spaniel is a dog. The firm was sold. The trustees of the mill met in May.
"""
SAID = """
Bob borrowed the car from Ann. The mayor opened the mill. The blue gate is shut. Carla lent Bob it.
The guest is admitted. Most visitors voted. Two trams left the harbour. The chapel was built.
Emil is a child of Dora. The tram left before the ferry did. The poodle barked. The mill was sold.
The mill trustees met in June. The council met in May. Fritz is a child of Gerd.
"""


@pytest.mark.parametrize(
    ("told", "said", "apart"),
    [
        ("The red door leaked.", "The gate leaked.", True),
        ("Ann Holt left.", "Carla left.", True),
        ("Ann Holt left.", "Holt left.", False),
        ("The dog left.", "The spaniel left.", False),
        ("Mr Bright, the mayor, left.", "The mayor left.", False),
        ("Dora is a child of Emil.", "Emil is a child of Dora.", False),
        ("Half of the members voted.", "The guests voted.", False),
    ],
)
def test_two_propositions_are_told_apart_by_the_words_of_their_things(
    told: str, said: str, apart: bool
) -> None:
    (h,) = read_propositions(said)
    (p,) = (one for one in read_propositions(told) if one.head == h.head)

    assert of_another(p, h, premises_of([p])) == apart


def test_what_is_told_of_another_thing_leaves_open_even_when_compared_slot_by_slot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    premises = premises_of(read_propositions(TOLD))
    said = read_propositions(SAID)
    pairs = [(p, h) for h in said for p in akin(premises.terms, h) if of_another(p, h, premises)]
    monkeypatch.setattr("groundrules.align.entailment.of_another", lambda *_: False)

    assert len(pairs) > 5
    for p, h in pairs:
        lacking = h.slots[0].filler
        found = compare(p, h, premises)
        assert found.lacking is not None
        assert found.lacking.place == lacking.place
        assert found == Finding(Relation.OPEN, p, lacking=found.lacking)


def test_a_thing_that_the_source_says_is_the_other_is_not_told_apart() -> None:
    told = read_propositions("Rex is a poodle. Rex barked.")
    (h,) = read_propositions("The poodle barked.")
    barked = [p for p in told if p.head == "bark"]

    assert [of_another(p, h, premises_of(barked)) for p in barked] == [True]
    assert [of_another(p, h, premises_of(told)) for p in barked] == [False]
