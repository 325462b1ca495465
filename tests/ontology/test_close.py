"""The closure of an ontology."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import owlrl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib.collection import Collection
from rdflib.graph import Graph
from rdflib.namespace import OWL, RDF, RDFS, Namespace
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.dataset import parse_turtle
from groundrules.errors import SourceError
from groundrules.ontology import close as module
from groundrules.ontology.close import close
from groundrules.terms import Triple
from tests.rows import each

EX = Namespace("urn:test:")
CLASSES = [EX[name] for name in "ABCDEF"]
PROPERTIES = [EX[name] for name in "pqrs"]
READ = (
    RDFS.subClassOf,
    OWL.equivalentClass,
    RDFS.subPropertyOf,
    OWL.equivalentProperty,
    RDFS.domain,
    RDFS.range,
)


def tbox(turtle: str) -> set[Triple]:
    return set(close(parse_turtle(f"@prefix : <{EX}> . {turtle}")))


def says(turtle: str, s: str, p: URIRef, o: str) -> bool:
    return Triple(EX[s], p, EX[o]) in tbox(turtle)


@st.composite
def axioms(draw: st.DrawFn, *, more: bool = False) -> Graph:
    """A small TBox of the constructs that owlrl closes too; `more`: and of others."""
    graph = Graph()
    for c in CLASSES:
        graph.add((c, RDF.type, OWL.Class))
    for p in PROPERTIES:
        graph.add((p, RDF.type, OWL.ObjectProperty))
    parts: list[Node] = list(CLASSES)
    for number in range(draw(st.integers(0, 5))):
        node = BNode(f"n{number}")
        kind = draw(
            st.sampled_from(
                ["some", "all", "value", OWL.intersectionOf, OWL.unionOf]  # type: ignore[list-item]
            )
        )
        if isinstance(kind, URIRef):
            members = draw(st.lists(st.sampled_from(CLASSES), min_size=1, max_size=3, unique=True))
            head = BNode(f"n{number}-list")
            Collection(graph, head, members)
            graph.add((node, RDF.type, OWL.Class))
            graph.add((node, kind, head))
        else:
            predicate = {"some": OWL.someValuesFrom, "all": OWL.allValuesFrom}
            graph.add((node, RDF.type, OWL.Restriction))
            graph.add((node, OWL.onProperty, draw(st.sampled_from(PROPERTIES))))
            if kind == "value":
                graph.add((node, OWL.hasValue, EX.one))
            else:
                graph.add((node, predicate[kind], draw(st.sampled_from(CLASSES))))
        parts.append(node)
    for _ in range(draw(st.integers(0, 10))):
        kind = draw(st.sampled_from(READ))
        of_properties = kind in (RDFS.subPropertyOf, OWL.equivalentProperty)
        ends = kind in (RDFS.domain, RDFS.range)
        left = draw(st.sampled_from(PROPERTIES if of_properties or ends else parts))
        right = draw(st.sampled_from(PROPERTIES if of_properties else parts))
        graph.add((left, kind, right))
    for _ in range(draw(st.integers(0, 6)) if more else 0):
        kind = draw(st.sampled_from([OWL.inverseOf, OWL.propertyDisjointWith, OWL.disjointWith]))
        own = CLASSES if kind == OWL.disjointWith else PROPERTIES
        graph.add((draw(st.sampled_from(own)), kind, draw(st.sampled_from(own))))
        trait = draw(st.sampled_from([OWL.FunctionalProperty, OWL.SymmetricProperty]))
        graph.add((draw(st.sampled_from(PROPERTIES)), RDF.type, trait))
    return graph


def relevant(triples: Iterable[tuple[Node, Node, Node]]) -> set[tuple[str, str, str]]:
    """What is said of the terms of the TBox itself, without tautologies."""
    outside = (str(OWL), str(RDF), str(RDFS), "http://www.w3.org/2001/XMLSchema#")
    return {
        (str(s), str(p), str(o))
        for s, p, o in triples
        if p in READ
        and s != o
        and not str(s).startswith(outside)
        and not str(o).startswith(outside)
    }


@settings(max_examples=25)
@given(axioms())
def test_the_closure_is_that_of_owlrl(graph: Graph) -> None:
    ours = close(Triple(s, p, o) for s, p, o in graph)
    theirs = Graph()
    for triple in graph:
        theirs.add(triple)
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(theirs)
    assert relevant((t.subject, t.predicate, t.object) for t in ours) == relevant(theirs)


@settings(max_examples=60)
@given(axioms(more=True), st.randoms())
def test_closing_is_idempotent_and_blind_to_order(graph: Graph, chance: object) -> None:
    triples = [Triple(s, p, o) for s, p, o in graph]
    once = close(triples)
    chance.shuffle(triples)  # type: ignore[attr-defined]
    assert close(triples) == once
    assert close(once) == once


def test_disjointness_holds_of_subclasses_in_both_directions() -> None:
    text = ":A owl:disjointWith :B . :C rdfs:subClassOf :A . :D rdfs:subClassOf :B ."
    for a, b in itertools.product("AC", "BD"):
        assert says(text, a, OWL.disjointWith, b)
        assert says(text, b, OWL.disjointWith, a)
    assert not says(text, "A", OWL.disjointWith, "C")


@each("text")
def test_every_way_to_say_disjoint_gives_pairs(text: str) -> None:
    assert says(text, "A", OWL.disjointWith, "C")
    assert says(text, "C", OWL.disjointWith, "A")
    assert says(text, "B", OWL.disjointWith, "A")


def test_a_union_is_disjoint_with_what_all_its_members_are() -> None:
    apart = ":A owl:disjointWith :C , :D . :B owl:disjointWith :C ."
    text = f"{apart} :U owl:unionOf (:A :B) . :V owl:unionOf (:U :A) . :E rdfs:subClassOf :C ."
    for a, b in itertools.product("UV", "CE"):
        assert says(text, a, OWL.disjointWith, b)
        assert says(text, b, OWL.disjointWith, a)
    assert not says(text, "U", OWL.disjointWith, "D")
    assert not says(":A owl:disjointWith :C . :U owl:unionOf () .", "U", OWL.disjointWith, "C")


def test_disjoint_properties_hand_it_down_and_turn_it_round() -> None:
    text = """[] a owl:AllDisjointProperties ; owl:members (:p :q) .
        :r rdfs:subPropertyOf :p . :p owl:inverseOf :ip . :iq owl:inverseOf :q ."""
    assert says(text, "r", OWL.propertyDisjointWith, "q")
    assert says(text, "q", OWL.propertyDisjointWith, "r")
    assert says(text, "ip", OWL.propertyDisjointWith, "iq")


@each("kind twin")
def test_characteristics_reach_subproperties_and_inverses(kind: str, twin: str) -> None:
    found = tbox(
        f""":p a <{kind}> ; rdfs:subPropertyOf :o .
        :q rdfs:subPropertyOf :p ; owl:inverseOf :iq ."""
    )
    assert Triple(EX.q, RDF.type, URIRef(kind)) in found
    assert Triple(EX.iq, RDF.type, URIRef(twin)) in found
    assert Triple(EX.o, RDF.type, URIRef(kind)) not in found


def test_transitivity_reaches_the_inverse_but_no_subproperty() -> None:
    found = tbox(":p a owl:TransitiveProperty ; owl:inverseOf :i . :q rdfs:subPropertyOf :p .")
    assert Triple(EX.i, RDF.type, OWL.TransitiveProperty) in found
    assert Triple(EX.q, RDF.type, OWL.TransitiveProperty) not in found


def test_ends_go_up_classes_down_properties_and_change_sides_in_inverses() -> None:
    text = """:p rdfs:domain :A . :A rdfs:subClassOf :B . :q rdfs:subPropertyOf :p .
        :q owl:inverseOf :i ."""
    assert says(text, "q", RDFS.domain, "B")
    assert says(text, "i", RDFS.range, "A")
    assert not says(text, "p", RDFS.range, "A")


def test_a_union_as_domain_is_no_conjunction_of_its_members() -> None:
    found = tbox(":p rdfs:domain [ owl:unionOf (:A :B) ] .")
    domains = {t.object for t in found if t.predicate == RDFS.domain}
    assert len(domains) == 1
    assert isinstance(domains.pop(), BNode)


def test_restrictions_and_keys_hold_of_subclasses() -> None:
    found = tbox(
        """:A rdfs:subClassOf [ owl:onProperty :p ; owl:maxCardinality 1 ] ; owl:hasKey (:p) .
        :B rdfs:subClassOf :A ."""
    )
    above = {t.object for t in found if t.subject == EX.B and t.predicate == RDFS.subClassOf}
    assert len(above) == 2
    keys = {t.subject: t.object for t in found if t.predicate == OWL.hasKey}
    assert keys[EX.A] == keys[EX.B]


def test_different_individuals_are_pairs_in_both_directions() -> None:
    text = "[] a owl:AllDifferent ; owl:distinctMembers (:a :b :c) . :d owl:sameAs :e ."
    for a, b in itertools.permutations("abc", 2):
        assert says(text, a, OWL.differentFrom, b)
    assert says(text, "e", OWL.sameAs, "d")


def test_circles_of_classes_and_of_lists_end() -> None:
    text = """:A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :C rdfs:subClassOf :A .
        :D owl:unionOf _:x . _:x rdf:first :A ; rdf:rest _:x ."""
    assert says(text, "A", OWL.equivalentClass, "C")
    assert says(text, "B", RDFS.subClassOf, "D")
    assert not says(text, "A", RDFS.subClassOf, "A")


def test_a_closure_without_measure_is_refused_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 5_000)
    chain = [Triple(EX[f"c{n}"], RDFS.subClassOf, EX[f"c{n + 1}"]) for n in range(400)]
    with pytest.raises(SourceError, match="5,000"):
        close(chain)
    members = " ".join(f":m{n}" for n in range(200))
    with pytest.raises(SourceError, match="5,000"):
        tbox(f"[] a owl:AllDisjointClasses ; owl:members ({members}) .")


def test_what_is_no_axiom_stays_as_it_is() -> None:
    label = Triple(EX.A, RDFS.label, Literal("a thing", lang="en"))
    assert close([label]) == (label,)
