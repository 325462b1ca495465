"""What is wrong with an ontology itself, and the smallest set of axioms that makes it so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rdflib.namespace import OWL, RDF
from rdflib.term import BNode, Node, URIRef

from groundrules.dataset import parse_turtle
from groundrules.ontology.debugging import Axiom, axioms_of, faults, reasons, worded
from groundrules.ontology.reasoner import cross_check, find_hermit, find_java
from groundrules.terms import Triple
from tests.rows import each

EX = "urn:test:"
needs_java = pytest.mark.skipif(
    find_java() is None or find_hermit() is None, reason="no Java or no owlready2"
)


PIZZA = """
:Food a owl:Class .
:Pizza a owl:Class ; rdfs:subClassOf :Food .
:IceCream a owl:Class ; rdfs:subClassOf :Food .
:Topping a owl:Class ; rdfs:subClassOf :Food .
[] a owl:AllDisjointClasses ; owl:members ( :Pizza :IceCream :Topping ) .
:Cheese a owl:Class ; rdfs:subClassOf :Topping ; owl:disjointWith :Vegetable .
:Vegetable a owl:Class ; rdfs:subClassOf :Topping .
:CheesyVegetable a owl:Class ; rdfs:subClassOf :Cheese, :Vegetable .
:Odd a owl:Class ; rdfs:subClassOf :CheesyVegetable .
:IcePizza a owl:Class ; owl:equivalentClass [ owl:intersectionOf ( :IceCream :Pizza ) ] .
"""
#: A gallery is no person.
LOANS = """
:Agent a owl:Class ; owl:disjointUnionOf ( :Person :Museum ) .
:Person a owl:Class . :Museum a owl:Class . :Gallery a owl:Class ; rdfs:subClassOf :Museum .
:House a owl:Class ; rdfs:subClassOf :Gallery, :Person .
"""
KNOWN = {"pizza": PIZZA, "loans": LOANS}


def parsed(text: str) -> list[Triple]:
    return parse_turtle(f"@prefix : <{EX}> . {text}")


def short(node: Node) -> str:
    return str(node).replace(EX, ":")


def empty(text: str) -> dict[URIRef, tuple[Axiom, ...]]:
    found = faults(parsed(text), short)
    return {one.nodes[0]: one.axioms for one in found if one.rule == "ONT101"}


def test_the_empty_classes_are_found_each_with_the_axioms_that_make_it_so() -> None:
    found = {
        short(node): [worded(one, {"": EX}) for one in why] for node, why in empty(PIZZA).items()
    }

    assert sorted(found) == [":CheesyVegetable", ":IcePizza", ":Odd"]
    said = "[ owl:intersectionOf ( :IceCream :Pizza ) ]"
    assert f":IcePizza owl:equivalentClass {said}" in found[":IcePizza"]
    assert len(found[":IcePizza"]) == 2


def renamed(axioms: Sequence[Axiom], mark: str) -> list[Triple]:
    """Return axioms in names of their own: many sets of them are reasoned over at once."""

    def other(node: Node) -> Node:
        if isinstance(node, BNode):
            return BNode(f"{mark}{node}")
        return URIRef(f"{node}-{mark}") if str(node).startswith(EX) else node

    return [
        Triple(other(t.subject), other(t.predicate), other(t.object)) for one in axioms for t in one
    ]


@needs_java
def test_hermit_finds_the_same_classes_empty_by_the_same_axioms_and_by_no_fewer() -> None:
    wanted: dict[str, bool] = {}
    triples: list[Triple] = []

    def ask(node: URIRef, axioms: Sequence[Axiom], *, is_empty: bool) -> None:
        mark = f"v{len(wanted)}"
        wanted[f"{node}-{mark}"] = is_empty
        triples.extend(renamed(axioms, mark))

    for text in KNOWN.values():
        every = axioms_of(parsed(text))
        declared = [one for one in every if one[0].predicate == RDF.type and len(one) == 1]
        found = empty(text)
        for node in (one[0].subject for one in declared if one[0].object == OWL.Class):
            assert isinstance(node, URIRef)
            ask(node, every, is_empty=node in found)
        for node, why in found.items():
            ask(node, [*declared, *why], is_empty=True)
            for left in why:
                without = [one for one in (*declared, *why) if one != left]
                ask(node, without, is_empty=False)

    said = cross_check(triples, timeout=120)

    assert said.consistent
    assert {name: URIRef(name) in said.unsatisfiable for name in wanted} == wanted


@pytest.mark.parametrize("name", KNOWN)
def test_a_justification_makes_it_so_and_no_part_of_it_does(name: str) -> None:
    for node, why in empty(KNOWN[name]).items():
        assert node in {one.nodes[0] for one in faults([t for one in why for t in one], short)}
        for left in why:
            rest = [t for one in why if one != left for t in one]
            assert node not in {one.nodes[0] for one in faults(rest, short)}


@each("text told")
def test_a_property_whose_ends_exclude_each_other_is_told(text: str, told: str) -> None:
    found = [one for one in faults(parsed(text), short) if one.rule == "ONT102"]

    assert [one.message for one in found] == [told]
    assert found[0].axioms


def test_a_term_that_is_used_and_nowhere_declared_is_told_with_the_nearest() -> None:
    text = ":Painting a owl:Class . :shows a owl:ObjectProperty ; rdfs:domain :Paintng, <urn:x:Y> ."
    data = parsed(":a :show :b . :b a :Painting .")

    found = [one.message for one in faults(parsed(text), short, data)]

    assert found == [
        ":Paintng is used and nowhere declared; did you mean ':Painting'?",
        ":show is used and nowhere declared; did you mean ':shows'?",
    ]


def test_what_follows_is_traced_to_what_is_stated() -> None:
    text = """
    :Museum a owl:Class ; rdfs:subClassOf :Body . :Person owl:disjointWith :Body .
    :signs rdfs:range :Person . :Tree a owl:Class . :countersigns rdfs:subPropertyOf :signs .
    """
    wanted = parsed(":countersigns rdfs:range :Person . :Museum owl:disjointWith :Person .")

    found = [worded(one, {"": EX}) for one in reasons(parsed(text), wanted)]

    assert found == [
        ":signs rdfs:range :Person",
        ":countersigns rdfs:subPropertyOf :signs",
        ":Museum rdfs:subClassOf :Body",
        ":Person owl:disjointWith :Body",
    ]
