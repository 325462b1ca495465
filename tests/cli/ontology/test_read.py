"""`ontology read`: what of a text is read in the terms of an ontology, and why the rest is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules import Config, check
from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
MUSEUM = """\
@prefix : <http://museum.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Painting a owl:Class ; rdfs:label "painting" .
:Museum a owl:Class ; rdfs:label "museum" .
:lends a owl:ObjectProperty ; rdfs:label "lends" .
"""
TEXT = """\
The Harbour Museum lends the Nightwatch.
The Nightwatch is a painting.
The painting annoys the guards.
The weather is fine.
Is the painting new?
"""


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("museum.ttl").write_text(MUSEUM, encoding="utf-8")
    Path("a.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("text")
def test_what_names_a_term_and_is_not_read_is_listed_with_the_reason(cli: Cli) -> None:
    found = cli("ontology", "read", "a.txt", "--ontology", "museum.ttl")

    assert found.code == 0
    lines = found.out.splitlines()
    assert "a.txt:1: The Harbour Museum lends the Nightwatch." in lines
    at = lines.index("a.txt:3: The painting annoys the guards.")
    assert lines[at + 1].startswith("  not read: “annoy” is no wording of a property")
    assert lines[-1] == "5 sentences: 2 read, 1 about terms and not read, 2 about none"


@pytest.mark.usefixtures("text")
def test_json_has_every_sentence(cli: Cli) -> None:
    found = cli("ontology", "read", "a.txt", "--ontology", "museum.ttl", "--output-format", "json")

    rows = json.loads(found.out)["sentences"]
    assert [row["line"] for row in rows] == [1, 2, 3, 4, 5]
    assert [bool(row["unread"]) for row in rows] == [False, False, True, False, False]


@pytest.mark.usefixtures("text")
def test_a_report_counts_the_sentences_that_are_not_read() -> None:
    report = check(Path("a.txt"), config=Config(ontology="museum.ttl"))

    (note,) = [one for one in report.run.notes if one.startswith("ontology museum.ttl")]
    assert note.endswith("; 1 sentence about its terms not read")


@pytest.mark.usefixtures("text")
def test_without_an_ontology_it_says_what_is_missing(cli: Cli) -> None:
    found = cli("ontology", "read", "a.txt")

    assert found.code == 2
    assert "--ontology is missing" in found.err
