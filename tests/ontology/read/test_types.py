"""One thing has one type by its name, and only what a name or a statement tells."""

from __future__ import annotations

from pathlib import Path

from tests.ontology.read.texts import said
from tests.rows import each

ZOO = """
@prefix : <http://example.org/zoo#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Dog a owl:Class ; rdfs:label "dog" ; rdfs:subClassOf :Animal .
:Animal a owl:Class .
:Person a owl:Class .
:hasOwner a owl:ObjectProperty ; rdfs:domain :Animal ; rdfs:range :Person .
:belongsTo a owl:ObjectProperty ; rdfs:label "belongs to" .
"""


def types(text: str, source: str = "", name: str | Path = "legal") -> list[str]:
    return [
        line.replace("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "is")
        for line in said(text, source, name=name)
        if "#type" in line
    ]


@each("text expected")
def test_a_name_tells_its_type_or_nothing_does(text: str, expected: list[str]) -> None:
    assert types(text) == expected


def test_what_a_name_tells_never_contradicts_itself() -> None:
    lines = types("Judge Acme Robotics, Inc. met Ann Lee, Inc. and Mr. Lee.", "Ann Lee, Inc. paid.")
    things = [line.split(" is ")[0] for line in lines]
    assert len(things) == len(set(things))


def test_only_an_indefinite_article_says_what_a_thing_is() -> None:
    assert "Rex is company" in types("Rex is a company.")
    assert types('Rex LLC (the "Company") paid.') == ["Rex LLC is organization"]


def test_an_ontology_without_a_lexicon_is_read_by_its_labels(tmp_path: Path) -> None:
    path = tmp_path / "zoo.ttl"
    path.write_text(ZOO, encoding="utf-8")
    lines = said("Rex is a dog. Rex belongs to Carl Stone.", name=path)
    assert "Rex http://www.w3.org/1999/02/22-rdf-syntax-ns#type dog" in lines
    assert "Rex http://example.org/zoo#belongsTo Carl Stone" in lines
    owners = said("Carl Stone is the owner of Rex.", name=path)
    assert "Rex http://example.org/zoo#hasOwner Carl Stone" in owners
