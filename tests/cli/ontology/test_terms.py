"""`ontology list` and `ontology show`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
HOUSE = """\
@prefix : <http://house.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Animal a owl:Class .
:Cat a owl:Class ; rdfs:subClassOf :Animal ; rdfs:comment "It purrs." ; owl:disjointWith :Dog .
:GuardDog a owl:Class ; rdfs:subClassOf :Dog .
:Dog a owl:Class ; rdfs:subClassOf :Animal .
:livesWith a owl:ObjectProperty, owl:SymmetricProperty ; rdfs:domain :Animal .
"""


@pytest.fixture
def house(tmp_path: Path) -> str:
    path = tmp_path / "house.ttl"
    path.write_text(HOUSE, encoding="utf-8")
    return str(path)


def test_the_list_gives_each_shipped_ontology_its_size_and_digest(cli: Cli) -> None:
    found = cli("ontology", "list")
    data = json.loads(cli("ontology", "list", "--output-format", "json").out)

    (legal,) = data["ontologies"]
    assert found.code == 0
    assert found.out == (
        f"legal  {legal['classes']} classes, {legal['properties']} properties  "
        f"{legal['digest'][:12]}\n"
    )


def test_the_list_of_one_is_its_tree_and_its_properties(cli: Cli, house: str) -> None:
    found = cli("ontology", "list", house)

    assert found.out.splitlines() == [
        "classes",
        "  animal",
        "    cat",
        "    dog",
        "      guard dog",
        "properties",
        "  lives with  (animal -> anything)",
    ]
    data = json.loads(cli("ontology", "list", house, "--output-format", "json").out)
    assert [term["label"] for term in data["terms"]] == [
        "animal", "cat", "dog", "guard dog", "lives with"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "word",
    ["https://w3id.org/groundrules/legal#hasTenant", "hasTenant", "lx:hasTenant", "has tenant",
     "hastenant", "Lessee"],
)  # fmt: skip
def test_a_term_is_found_by_iri_name_label_or_other_name(cli: Cli, word: str) -> None:
    found = cli("ontology", "show", word)

    assert found.code == 0
    assert found.out.startswith("has tenant (object property)  https://w3id.org/")
    assert "excludes     has landlord\n" in found.out
    assert "kind of      has party\n" in found.out


def test_a_term_names_the_rules_that_read_its_axioms(cli: Cli) -> None:
    assert "OWL101 disjoint-properties" in cli("ontology", "show", "hasTenant").out
    assert "OWL101" not in cli("ontology", "show", "shortTitle").out


def test_a_term_of_a_file_inherits_what_it_excludes(cli: Cli, house: str) -> None:
    found = cli("ontology", "show", "GuardDog", "--ontology", house)

    assert found.out.splitlines()[0] == "guard dog (class)  http://house.example/GuardDog"
    assert "excludes    cat" in found.out
    assert "kind of     dog, animal" in found.out


def test_a_term_as_json_has_what_the_page_has(cli: Cli) -> None:
    data = json.loads(cli("ontology", "show", "DependentClaim", "--output-format", "json").out)

    (term,) = data["terms"]
    assert (term["label"], term["kind"]) == ("dependent claim", "class")
    assert term["requires"] == ["depends on claim some patent claim"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["show", "hasTennant"],
         "legal: no class or property 'hasTennant'; did you mean 'hasTenant'?"),
        (["show"], "ontology show: the following arguments are required: NAME"),
        (["shwo"], "ontology: argument list|show|check|read: 'shwo' is not known; expected list, "
                   "show, check, read; did you mean 'show'?; see `groundrules ontology --help`"),
        (["--output-format", "json", "check"],
         "check comes before its options: groundrules ontology check FILE"),
        (["list", "nowhere.ttl"], "nowhere.ttl: cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_an_unknown_word_is_code_2_and_one_line(cli: Cli, arguments: list[str], line: str) -> None:
    assert cli("ontology", *arguments) == Outcome(2, "", f"groundrules: {line}\n")


def test_an_ontology_in_a_circle_is_listed(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "circle.ttl"
    path.write_text(HOUSE + ":Animal rdfs:subClassOf :GuardDog .", encoding="utf-8")

    lines = cli("ontology", "list", str(path)).out.splitlines()
    assert {"animal", "cat", "dog", "guard dog"} <= {line.strip() for line in lines}
