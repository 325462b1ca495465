"""The glossary: what is stated of each term, in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import URIRef

from groundrules.dataset import parse_turtle
from groundrules.ontology.glossary import (
    Entry,
    ancestors,
    exclusions,
    glossary,
    local_name,
    walk,
    words,
)

PREFIX = "@prefix : <http://a.example/> . "
A = "http://a.example/"
NAMES = "BCDEFG"


def read(turtle: str) -> dict[URIRef, Entry]:
    return glossary(parse_turtle(PREFIX + turtle))


def of(turtle: str, name: str) -> Entry:
    return read(turtle)[URIRef(A + name)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hasGoverningLaw", "has governing law"),
        ("NonDisclosureAgreement", "non disclosure agreement"),
        ("URLOfPage", "URL of page"),
        ("first_date-of", "first date of"),
    ],
)
def test_a_local_name_is_split_into_words(name: str, text: str) -> None:
    assert words(name) == text


@pytest.mark.parametrize(
    ("iri", "name"),
    [("http://a/b#C", "C"), ("http://a/b/C", "C"), ("urn:a:C", "C"), ("http://a/b/", "b")],
)
def test_a_local_name_ends_an_iri(iri: str, name: str) -> None:
    assert local_name(iri) == name


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("[ a owl:Class ; owl:unionOf ( :B :C ) ]", "b or c"),
        ("[ a owl:Class ; owl:intersectionOf ( :B [ owl:complementOf :C ] ) ]", "b and not c"),
        ("[ owl:onProperty :p ; owl:someValuesFrom :B ]", "p some b"),
        ("[ owl:onProperty :p ; owl:maxQualifiedCardinality 2 ; owl:onClass :B ]", "p at most 2 b"),
        ("[ owl:onProperty :p ; owl:minCardinality 1 ]", "p at least 1"),
        ("[ owl:oneOf ( :x :y ) ]", "one of x, y"),
        ("[]", "something"),
    ],
)
def test_class_expressions_are_told_in_words(expression: str, text: str) -> None:
    assert of(f":p a owl:ObjectProperty ; rdfs:domain {expression} .", "p").domain == (text,)
    assert of(f":D a owl:Class ; rdfs:subClassOf {expression} .", "D").requires == (text,)


def test_a_list_that_loops_and_an_expression_without_end_are_told_all_the_same() -> None:
    loop = ":p a owl:ObjectProperty ; rdfs:domain [ owl:unionOf _:l ] . "
    loop += "_:l rdf:first :B ; rdf:rest _:l ."
    deep = ":p a owl:ObjectProperty ; rdfs:domain _:n . _:n owl:complementOf _:n ."

    assert of(loop, "p").domain == ("b",)
    assert of(deep, "p").domain[0].startswith("not not ")


def test_english_words_come_before_others() -> None:
    turtle = ':B a owl:Class ; rdfs:label "Vertrag"@de , "contract"@en-GB .'

    assert of(turtle, "B").label == "contract"


def test_a_class_of_rdfs_and_a_plain_property_are_terms_too() -> None:
    entries = read(":B a rdfs:Class . :p a rdf:Property . owl:Thing a owl:Class .")

    assert [e.kind for e in entries.values()] == ["class", "property"]


Edges = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=8)


def taxonomy(edges: set[tuple[str, str]], apart: set[tuple[str, str]]) -> dict[URIRef, Entry]:
    turtle = "".join(f":{name} a owl:Class . " for name in NAMES)
    turtle += "".join(f":{a} rdfs:subClassOf :{b} . " for a, b in sorted(edges))
    turtle += "".join(f":{a} owl:disjointWith :{b} . " for a, b in sorted(apart) if a != b)
    return read(turtle)


@given(Edges)
def test_the_tree_shows_every_class_below_each_of_its_parents_once(
    edges: set[tuple[str, str]],
) -> None:
    entries = taxonomy(edges, set())
    rows = list(walk(entries))
    path: list[URIRef] = []
    below: list[tuple[URIRef, URIRef]] = []
    for depth, entry in rows:
        path = [*path[:depth], entry.iri]
        if depth:
            below.append((entry.iri, path[-2]))

    assert {entry.iri for _, entry in rows} == set(entries)
    assert len(below) == len(set(below))
    assert set(below) == {(e.iri, p) for e in entries.values() for p in e.parents}


@given(Edges, Edges)
def test_a_class_excludes_all_that_any_class_above_it_excludes(
    edges: set[tuple[str, str]], apart: set[tuple[str, str]]
) -> None:
    entries = taxonomy(edges, apart)
    for iri in entries:
        above = {iri, *ancestors(entries, iri)}
        stated = {other for one in above for other in entries[one].disjoint}
        told = exclusions(entries, iri)
        # What is told and what lies below it is all that was stated, unless it goes in a circle.
        reach = {q for q in entries if {q, *ancestors(entries, q)} & set(told)}
        circular = any(q in ancestors(entries, q) for q in entries)
        assert set(told) <= stated
        assert circular or stated <= reach


def test_a_large_group_of_exclusive_classes_is_held_once() -> None:
    names = [f":C{i}" for i in range(3000)]
    turtle = "".join(f"{name} a owl:Class . " for name in names)
    entries = read(f"{turtle} [] a owl:AllDisjointClasses ; owl:members ( {' '.join(names)} ) .")

    groups = {id(group) for entry in entries.values() for group in entry.groups}
    assert len(groups) == 1
    assert len(next(iter(entries.values())).disjoint) == 2999
