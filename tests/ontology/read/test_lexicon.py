"""A lexicon is data: bounded, refused in one line where it is none, and tested by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import URIRef

from groundrules.errors import SourceError
from groundrules.ontology.load import load
from groundrules.ontology.read.lexicon import read_lexicon
from groundrules.ontology.read.termlabels import lemmas, local_words
from tests.rows import each

TTL = """
@prefix : <http://example.org/zoo#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Dog a owl:Class ; rdfs:label "dog" ; rdfs:subClassOf :Animal .
:Animal a owl:Class ; rdfs:label "Tier"@de .
:hasOwner a owl:ObjectProperty ; rdfs:domain :Animal .
:trainedBy a owl:ObjectProperty ; rdfs:label "trained by"@en .
"""

PATTERN = """
[prefixes]
z = "urn:z:"
[[relation]]
property = "z:x"
words = ["x"]
unless = """


def ontology(folder: Path, lexicon: str | None = None) -> Path:
    path = folder / "zoo.ttl"
    path.write_text(TTL, encoding="utf-8")
    if lexicon is not None:
        (folder / "zoo.lexicon.toml").write_text(lexicon, encoding="utf-8")
    return path


def test_without_a_file_the_labels_and_local_names_are_the_lexicon(tmp_path: Path) -> None:
    lexicon = read_lexicon(load(ontology(tmp_path)))
    assert str(lexicon.classes["dog"]).endswith("#Dog")
    assert str(lexicon.classes["animal"]).endswith("#Animal")  # the local name: Tier is German
    assert "tier" not in lexicon.classes
    owner = {
        phrase: found[0].inverse
        for phrase, found in lexicon.relations.items()
        if str(found[0].property).endswith("hasOwner")
    }
    assert owner == {"have owner": False, "owner": False, "owner of": True}
    assert lexicon.relations["train"][0].inverse  # "A was trained by B" is the claim "B train A"


@each("text reason")
def test_what_is_no_lexicon_is_refused_with_its_path(
    tmp_path: Path, text: str, reason: str
) -> None:
    with pytest.raises(SourceError, match=re.escape(reason)) as caught:
        read_lexicon(load(ontology(tmp_path, text)))
    assert "zoo.lexicon.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "near"), [("zoo:hasOwnr", "; did you mean 'hasOwner'?"), ("zoo:eats", "")]
)
def test_a_term_that_the_ontology_lacks_is_told_with_its_line(
    name: str, near: str, tmp_path: Path
) -> None:
    text = f"""[prefixes]
zoo = "http://example.org/zoo#"
[[relation]]
property = "{name}"
words = ["keep"]
"""
    with pytest.raises(SourceError) as caught:
        read_lexicon(load(ontology(tmp_path, text)))

    place = tmp_path / "zoo.lexicon.toml"
    assert str(caught.value) == f"{place}:4: {name!r} is no term of the ontology{near}"


def test_an_expression_that_is_tried_in_few_ways_is_read(tmp_path: Path) -> None:
    pattern = "(?:the|this|that) (?:old |new )?(?:zoo|house)(?: of [A-Z][a-z]{1,40})? opens?"

    lexicon = read_lexicon(load(ontology(tmp_path, f"{PATTERN}'{pattern}'")))

    unless = lexicon.relations["x"][0].unless
    assert unless is not None
    assert unless.search("that old zoo of Bern opens")


def test_a_file_that_bears_a_shipped_name_is_no_shipped_one(tmp_path: Path) -> None:
    path = ontology(tmp_path, PATTERN + f"'{'a?' * 24}'")
    path.rename(tmp_path / "legal")
    path.with_suffix(".lexicon.toml").rename(tmp_path / "legal.lexicon.toml")

    found = load("./legal", tmp_path)
    assert (found.name, found.is_shipped, load("legal").is_shipped) == ("legal", False, True)
    with pytest.raises(SourceError, match="take long"):
        read_lexicon(found)


def test_a_lexicon_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="too large"):
        read_lexicon(load(ontology(tmp_path, "#" * 300_000)))


@given(st.text(max_size=60))
def test_lemmas_are_a_fixed_point_in_lower_case(phrase: str) -> None:
    found = lemmas(phrase)
    assert found == found.casefold() or phrase != phrase.casefold()
    assert len(found.split()) <= len(phrase.split()) + 1


@each("iri words")
def test_local_names_are_read_in_words(iri: str, words: str) -> None:
    assert local_words(URIRef(iri)) == words


def test_every_property_and_class_of_the_shipped_lexicon_is_in_its_ontology() -> None:
    legal = load("legal")
    lexicon = read_lexicon(legal)
    known = {str(t.subject) for t in legal.axioms}
    used = {
        *(role.property for role in lexicon.roles.values()),
        *(relation.property for found in lexicon.relations.values() for relation in found),
        *lexicon.classes.values(),
        *(sign.type for sign in lexicon.signs if sign.type),
    }
    assert {str(term) for term in used} <= known
