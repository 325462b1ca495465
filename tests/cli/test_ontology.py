"""`ontology check` as a debugger, and the tests of a lexicon beside an ontology of one's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome
from tests.rows import each

Cli = Callable[..., Outcome]
LOANS = """\
@prefix : <http://loans.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Person a owl:Class ; owl:disjointWith :Painting .
:Painting a owl:Class ;
  rdfs:label "painting" .
:Forger a owl:Class ;
  rdfs:subClassOf :Person, :Painting .
:lends a owl:ObjectProperty ; rdfs:label "lends" ;
  rdfs:range :Paintng .
:signs a owl:ObjectProperty ; rdfs:label "signs" ; rdfs:domain :Person .
"""
DATA = """\
@prefix : <http://loans.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
<> owl:imports <loans.ttl> .
:mona a :Painting ;
  :signs :letter .
"""
LEXICON = """\
[prefixes]
o = "http://loans.example/"

[[relation]]
property = "o:lends"
words    = ["loan"]

[[test]]
text   = "Acme Corp. lends the Nightwatch."
expect = ["Acme Corp o:lends Nightwatch"]

[[test]]
text   = "Acme Corp. lends the Nightwatch."
expect = ["Acme Corp o:lends Guernica"]
"""


@pytest.fixture
def loans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("loans.ttl").write_text(LOANS, encoding="utf-8")
    Path("data.ttl").write_text(DATA, encoding="utf-8")
    return tmp_path


def check(cli: Cli, *arguments: str, name: str = "loans.ttl") -> Outcome:
    return cli("ontology", "check", name, "--reasoner", "none", *arguments)


@pytest.mark.usefixtures("loans")
def test_each_finding_has_its_iri_and_the_axioms_that_make_it(cli: Cli) -> None:
    found = check(cli, name="data.ttl")

    assert found.code == 1
    assert found.out.splitlines()[1:] == [
        "our rules: 2 errors, 1 warning",
        "  ONT101 empty-class: nothing can be a :Forger",
        "    term   <http://loans.example/Forger>",
        "    axiom  :Person owl:disjointWith :Painting",
        "    axiom  :Forger rdfs:subClassOf :Person",
        "    axiom  :Forger rdfs:subClassOf :Painting",
        "  ONT201 undeclared-term: :Paintng is used and nowhere declared; did you mean "
        "':Painting'?",
        "    term   <http://loans.example/Paintng>",
        "  OWL105 domain-conflict: :mona signs :letter, but :mona is a painting: “signs” is never "
        "said of a painting",
        "    term   <http://loans.example/mona>",
        "    axiom  :mona a :Painting",
        "    axiom  :signs rdfs:domain :Person",
        "    axiom  :Person owl:disjointWith :Painting",
    ]


@pytest.mark.usefixtures("loans")
def test_json_has_what_the_text_has(cli: Cli) -> None:
    report = json.loads(check(cli, "--output-format", "json").out)

    by_rule = {one["rule"]: one for one in report["findings"]}
    assert by_rule["ONT101"]["terms"] == ["http://loans.example/Forger"]
    assert len(by_rule["ONT101"]["axioms"]) == 3
    assert by_rule["ONT201"]["severity"] == "warning"


def test_a_sound_ontology_passes_in_every_form(cli: Cli, loans: Path) -> None:
    text = LOANS.replace("Paintng", "Painting").replace(":Person, :Painting", ":Person")
    (loans / "loans.ttl").write_text(text, encoding="utf-8")

    assert check(cli).code == 0
    report = json.loads(check(cli, "--output-format", "json").out)
    assert report["findings"] == []


@pytest.mark.usefixtures("loans")
def test_the_tests_of_a_lexicon_beside_an_ontology_of_ones_own_are_run(cli: Cli) -> None:
    Path("loans.lexicon.toml").write_text(LEXICON, encoding="utf-8")

    checked = check(cli)

    told = "'Acme Corp o:lends Guernica' is not read, but ["
    at = "loans.lexicon.toml:12: “Acme Corp. lends the Nightwatch.”"
    assert f"  ONT301 lexicon-test: {at}: {told}" in checked.out
    assert "lends Nightwatch' is not read" not in checked.out
    assert checked.code == 1


@pytest.mark.usefixtures("loans")
@each("wrong told")
def test_terms_that_a_standard_vocabulary_lacks_are_told(cli: Cli, wrong: str, told: str) -> None:
    Path("loans.ttl").write_text(f"{LOANS.partition(':Person')[0]}{wrong}", encoding="utf-8")

    found = check(cli)

    assert found.code == 1
    assert f"  ONT203 unknown-term: {told}" in found.out.splitlines()
