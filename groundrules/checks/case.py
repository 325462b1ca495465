"""A case: all that rules are put to, whatever it was read from, and the dataset that is made of it.

A case maker is a module that makes one: `documents`, `kb`, `values`, `store`, and `testing` for the
test of a rule. The judge asks for nothing else. `answers` makes none: what a model answers is
checked as any text against documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rdflib.term import Node, URIRef

from groundrules.dataset import TEXT, Dataset
from groundrules.terms import Claim, Triple

#: Statements by the named graph that has them; a graph may occur several times.
StatementsByGraph = tuple[tuple[URIRef, tuple[Claim, ...]], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """What is claimed, what is known, and the facts that join them.

    `text` names what is checked. `statements` are its sentences, `claims` what it asserts in its
    own words, `assertions` in the terms of an ontology or of a knowledge base. `evidence` is what
    the sources state at a place, `background` what they state at none, `passages` the places that
    facts alone speak of. `axioms` are those of an ontology, `relations` what plain English says of
    its own; each is a tuple that many cases share.
    """

    text: URIRef = TEXT
    statements: tuple[Claim, ...] = ()
    claims: tuple[Claim, ...] = ()
    assertions: tuple[Claim, ...] = ()
    evidence: StatementsByGraph = ()
    background: StatementsByGraph = ()
    passages: tuple[Claim, ...] = ()
    facts: tuple[Triple, ...] = ()
    axioms: tuple[Triple, ...] = ()
    relations: tuple[Triple, ...] = ()
    labels: Mapping[Node, str] = field(default_factory=dict)

    @property
    def said(self) -> dict[URIRef, Claim]:
        """All that the text says, by id."""
        return {one.id: one for one in (*self.claims, *self.assertions, *self.statements)}

    @property
    def stated(self) -> dict[URIRef, Claim]:
        """What the sources state at a place, by id."""
        return {one.id: one for _, stated in self.evidence for one in stated}


def build(case: Case) -> Dataset:
    """Return the dataset of a case; SourceError on a bad IRI."""
    dataset = Dataset()
    dataset.add_axioms(case.relations)
    dataset.add_axioms(case.axioms)
    dataset.add_claims(case.claims, case.text)
    dataset.add_assertions(case.assertions, case.text)
    dataset.add_statements(case.statements, case.text)
    for source, stated in (*case.evidence, *case.background):
        dataset.add_evidence(stated, source)
    dataset.add(case.facts)
    return dataset
