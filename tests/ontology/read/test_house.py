"""An ontology without a lexicon: its labels are the words that are looked for."""

from __future__ import annotations

from pathlib import Path

from groundrules import Config, check
from tests.rows import each

HOUSE = """
@prefix : <http://example.org/house#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Person a owl:Class ; rdfs:label "person" ; owl:disjointWith :Company .
:Company a owl:Class ; rdfs:label "company" .
:chiefExecutive a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:label "chief executive" ;
  rdfs:domain :Company ; rdfs:range :Person .
:acquired a owl:ObjectProperty , owl:AsymmetricProperty ; rdfs:label "acquired" .
"""
SOURCE = "Acme Corporation acquired Beta Industries. Jane Miller is the chief executive of \
Acme Corporation."


@each("said rules")
def test_labels_are_words(tmp_path: Path, said: str, rules: list[str]) -> None:
    (tmp_path / "house.ttl").write_text(HOUSE, encoding="utf-8")
    config = Config(ontology="house.ttl", base=tmp_path, select=("OWL",))

    assert {v.rule for v in check(said, context=SOURCE, config=config).violations} == set(rules)
