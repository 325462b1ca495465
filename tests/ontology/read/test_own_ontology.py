"""An ontology of one's own judges a text alone: its words are the labels of the terms."""

from __future__ import annotations

from pathlib import Path

from groundrules import Config, Outcome, check
from tests.ontology.read.texts import said as read
from tests.rows import each

OWN = """\
@prefix : <http://ex/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:manages a owl:ObjectProperty , owl:IrreflexiveProperty ; rdfs:label "manages" ;
    owl:inverseOf :managedBy .
:managedBy a owl:ObjectProperty ; rdfs:label "is managed by" .
:worksIn a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:label "works in" .
:heads a owl:ObjectProperty , owl:InverseFunctionalProperty ; rdfs:label "heads" .
:supports a owl:ObjectProperty ; rdfs:label "supports" ; owl:propertyDisjointWith :opposes .
:opposes a owl:ObjectProperty ; rdfs:label "opposes" .
:Employee a owl:Class ; rdfs:label "employee" ; owl:disjointWith :Department .
:Department a owl:Class ; rdfs:label "department" .
"""


def rules_of(text: str, folder: Path) -> set[str]:
    (folder / "own.ttl").write_text(OWN, encoding="utf-8")
    report = check(text, config=Config(ontology=str(folder / "own.ttl")), verify=False)
    found = {v.rule for v in report.violations if v.rule.startswith("OWL")}
    against = {Outcome.REFUTED, Outcome.CONFLICTING}
    assert bool(against & {one.outcome for one in report.statements}) is bool(found)
    return found


@each("text rule")
def test_an_axiom_of_ones_own_is_broken_in_the_words_of_its_labels(
    text: str, rule: str, tmp_path: Path
) -> None:
    assert rules_of(text, tmp_path) == {rule}


@each("text")
def test_what_the_axioms_allow_breaks_none(text: str, tmp_path: Path) -> None:
    assert rules_of(text, tmp_path) == set()


LEXICON = """\
elsewhere = '(?i)\\bin the play\\b'
[prefixes]
e = "http://ex/"
[[relation]]
property = "e:manages"
words    = ["manage"]
unless   = '\\bnominally\\b'
"""


def test_a_lexicon_says_which_sentences_and_claims_are_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "own.lexicon.toml").write_text(LEXICON, encoding="utf-8")
    assert rules_of("Ann manages Ann.", tmp_path) == {"OWL109"}
    assert rules_of("In the play Ann manages Ann.", tmp_path) == set()
    assert rules_of("Ann nominally manages Ann.", tmp_path) == set()


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


def test_an_ontology_without_a_lexicon_is_read_by_its_labels(tmp_path: Path) -> None:
    path = tmp_path / "zoo.ttl"
    path.write_text(ZOO, encoding="utf-8")
    lines = read("Rex is a dog. Rex belongs to Carl Stone.", name=path)
    assert "Rex http://www.w3.org/1999/02/22-rdf-syntax-ns#type dog" in lines
    assert "Rex http://example.org/zoo#belongsTo Carl Stone" in lines
    owners = read("Carl Stone is the owner of Rex.", name=path)
    assert "Rex http://example.org/zoo#hasOwner Carl Stone" in owners
