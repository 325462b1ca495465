"""What rules read of an extracted value: its passages, and the field it would rather be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.checks.valuepassages import ValuePassage, facts_of, settled_values
from groundrules.claims.evidence.fields import Field, Quote, Scalar
from groundrules.claims.evidence.quotes import Passage, term
from groundrules.errors import LLMError
from groundrules.terms import ENTITY, GR, RELATION, Claim, Span, Triple, mint

CLAIM = Claim(
    mint(ENTITY, "claim"),
    Triple(mint(ENTITY, "lease"), mint(RELATION, "rent"), Literal("$485")),
    Span("lease.txt", 0, 1),
)
PASSAGE = ValuePassage(
    URIRef(f"{CLAIM.id}:passage:0"),
    Passage("lease.txt", 0, 17, 1.0, inside=True),
    reached=True,
    quote="The rent is $485.",
    relation="equal",
    entails=0.3,
)


def field(kind: str, value: Scalar, *, worded: bool = False) -> Field:
    quotes = (Quote("The rent is $485.", "lease.txt", (0, 17)), Quote("", "lease.txt", (0, 17)))
    return Field((kind,), kind, value, quotes, worded=worded, format="money")


def facts(
    one: Field,
    *passages: ValuePassage,
    others: tuple[tuple[Field, ValuePassage], ...] = (),
    fault: LLMError | None = None,
) -> set[tuple[Node, Node, Node]]:
    settled = settled_values((f for f, _ in others), ([p] for _, p in others))
    found = facts_of(one, CLAIM, passages, settled, fault)
    return {(fact.subject, fact.predicate, fact.object) for fact in found}


def values(found: set[tuple[Node, Node, Node]], node: Node, predicate: Node) -> set[str]:
    return {str(o) for s, p, o in found if (s, p) == (node, predicate)}


def test_a_value_has_its_type_format_quotes_and_one_place() -> None:
    found = facts(field("rent", "$485"))
    assert values(found, CLAIM.id, GR.kind) == {"rent"}
    assert values(found, CLAIM.id, GR.format) == {"money"}
    assert values(found, CLAIM.id, GR.quotes) == {"The rent is $485."}
    assert values(found, CLAIM.id, GR.whole) == {"money"}
    assert (CLAIM.triple.predicate, RDF.type, OWL.FunctionalProperty) in found


def test_a_value_that_the_schema_words_holds_no_kind() -> None:
    assert values(facts(field("rent", "$485", worded=True)), CLAIM.id, GR.holds) == set()
    assert values(facts(field("rent", "$485")), CLAIM.id, GR.holds) == {"money"}


@pytest.mark.parametrize("inside", [True, False])
def test_a_passage_tells_its_place_its_support_and_how_the_value_compares(inside: bool) -> None:
    passage = replace(PASSAGE, place=replace(PASSAGE.place, inside=inside))
    found = facts(field("rent", "$485"), passage)
    assert values(found, passage.id, GR.place) == {"in" if inside else "out"}
    assert values(found, passage.id, GR.entails) == {"0.3"}
    assert values(found, URIRef(f"{passage.id}:compared"), GR.relation) == {"equal"}


def test_of_a_passage_that_is_not_reached_only_its_likeness_is_known() -> None:
    passage = replace(PASSAGE, reached=False)
    found = facts(field("rent", "$485"), passage)
    assert {p for s, p, _ in found if s == passage.id} == {RDF.type, GR.claim, GR.aligned}


def test_a_fault_is_told_where_there_was_something_to_ask() -> None:
    fault, rent = LLMError("no answer", kind="unreachable"), field("rent", "$485")
    assert values(facts(rent, PASSAGE, fault=fault), CLAIM.id, GR.lookup) == {"error"}
    assert values(facts(rent, fault=fault), CLAIM.id, GR.lookup) == set()


RATHER = URIRef(f"{CLAIM.id}:rather")


def test_the_field_that_a_passage_speaks_for_most_is_told() -> None:
    passage = replace(PASSAGE, others=(("deposit", 0.9), ("fee", 0.5)))
    found = facts(field("rent", "$485"), passage)
    assert values(found, RATHER, GR.kind) == {"deposit"}
    assert values(found, RATHER, GR.given) == {"false"}


def test_a_field_that_has_a_better_value_of_its_own_is_no_place_for_another() -> None:
    passage = replace(PASSAGE, others=(("deposit", 0.6),))
    taken = (field("deposit", "$970"), replace(PASSAGE, entails=0.8))
    assert values(facts(field("rent", "$485"), passage, others=(taken,)), RATHER, GR.kind) == {""}


def test_a_field_that_is_given_the_value_too_comes_first() -> None:
    passage = replace(PASSAGE, others=(("deposit", 0.4), ("fee", 0.9)))
    given = (field("deposit", "$485"), replace(PASSAGE, entails=0.4))
    found = facts(field("rent", "$485"), passage, others=(given,))
    assert values(found, RATHER, GR.kind) == {"deposit"}
    assert values(found, RATHER, GR.given) == {"true"}


def test_only_values_that_their_passages_have_are_settled() -> None:
    rows = [
        (field("rent", "$485"), PASSAGE),
        (field("rent", "$970"), replace(PASSAGE, relation="disjoint")),
        (field("fee", "$10"), replace(PASSAGE, entails=None)),
    ]
    settled = settled_values((f for f, _ in rows), ([p] for _, p in rows))
    assert settled.keys() == {"rent"}
    assert settled["rent"].values == {term("$485")}
    assert settled["rent"].best == ((0.3, term("$485")),)
