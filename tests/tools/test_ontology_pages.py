"""The pages of the ontologies that ship."""

from __future__ import annotations

from rdflib.term import URIRef

from groundrules.dataset import parse_turtle
from tools import ontology_pages as pages

HOUSE = """
@prefix : <http://house.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Animal a owl:Class .
:Cat a owl:Class ; rdfs:subClassOf :Animal ; owl:disjointWith :Dog .
:GuardDog a owl:Class ; rdfs:subClassOf :Dog ;
  rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :livesWith ; owl:someValuesFrom :Cat ] .
:Dog a owl:Class ; rdfs:subClassOf :Animal .
:livesWith a owl:ObjectProperty, owl:SymmetricProperty ; rdfs:domain :Animal .
"""


def test_an_ontology_is_a_tree_of_classes_and_what_is_stated_of_each_term() -> None:
    found = pages.entries_of(parse_turtle(HOUSE))
    classes = {iri: one for iri, one in found.items() if one.is_class}

    assert [(depth, one.label) for depth, one in pages.walk(classes)] == [
        (0, "animal"), (1, "cat"), (1, "dog"), (2, "guard dog")
    ]  # fmt: skip
    cat, dog, guard, lives = (
        found[URIRef(f"http://house.example/{n}")] for n in ("Cat", "Dog", "GuardDog", "livesWith")
    )
    assert (cat.disjoint, dog.disjoint) == ((dog.iri,), (cat.iri,))
    assert "owl:someValuesFrom <http://house.example/Cat>" in guard.requires[0]
    assert (lives.domain, lives.traits) == (("animal",), ("symmetric",))
