"""`groundrules facts`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rdflib import Graph, Literal
from rdflib.compare import isomorphic

from groundrules import Config, check
from groundrules.checks.case import build
from groundrules.checks.facts import facts_of
from groundrules.claims.documents import document
from groundrules.cli.new import rule_text
from groundrules.dataset import parse_turtle
from groundrules.rules.rule import parse_rule
from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
TEXT = "Brandt audits Helios.\nBrandt does not own Helios. The bond costs $5 at 100% #1.\n"
MUSEUM = """\
@prefix : <http://museum.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Painting a owl:Class ; rdfs:label "painting" .
:Museum a owl:Class ; rdfs:label "museum" .
:lends a owl:ObjectProperty ; rdfs:label "lends" .
"""
SOURCE = "Brandt audits Helios. The bond costs $6.\n"


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a b.txt").write_text(TEXT, encoding="utf-8")
    Path("c.txt").write_text(SOURCE, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("texts")
def test_what_is_known_of_a_sentence_stands_below_its_words(cli: Cli) -> None:
    shown = cli("facts", "a b.txt").out

    first, second, third = (part.split("\n\n")[0] for part in shown.split("\n# a b.txt:")[1:])
    assert first.startswith("1: Brandt audits Helios.\nsentence:0 a gr:Statement ; ")
    assert second.startswith("2: Brandt does not own Helios.\nsentence:1 ")
    assert re.search(r"^claim:\d+ a gr:Claim ; rdf:subject entity:brandt ; .*denied", second, re.M)
    assert "entity:bond" in third
    assert shown == cli("facts", "a b.txt").out


@pytest.mark.usefixtures("texts")
def test_what_names_a_term_and_is_not_read_has_the_reason(cli: Cli) -> None:
    Path("museum.ttl").write_text(MUSEUM, encoding="utf-8")
    Path("a.txt").write_text("The painting annoys the guards.\nThe weather is fine.\n", "utf-8")

    shown = cli("facts", "a.txt", "--ontology", "museum.ttl").out
    report = check(Path("a.txt"), config=Config(ontology="museum.ttl"))

    lines = shown.splitlines()
    at = lines.index("# a.txt:1: The painting annoys the guards.")
    assert lines[at + 1].startswith("# not read: “annoy” is no wording of a property")
    assert shown.count("# not read") == 1
    (note,) = [one for one in report.run.notes if one.startswith("ontology museum.ttl")]
    assert note.endswith("; 1 sentence about its terms not read")


@pytest.mark.usefixtures("texts")
def test_the_turtle_is_the_default_graph_of_a_check(cli: Cli) -> None:
    shown = cli("facts", "a b.txt", "--context", "c.txt").out
    text, source = document.read("a b.txt"), document.read("c.txt")
    facts = facts_of(text, [source], Config())

    wanted, found = Graph(), Graph()
    for one in (*build(facts.case).triples(), *facts.metrics):
        wanted.add((one.subject, one.predicate, one.object))
    found.parse(data=shown, format="turtle")

    assert isomorphic(_valued(wanted), _valued(found))
    assert "<" not in re.sub(r'"[^"]*"|^@prefix.*$', "", shown, flags=re.M)  # all IRIs are short


def _valued(graph: Graph) -> Graph:
    """Return a graph whose numbers are spelled in one way."""
    out = Graph()
    for s, p, o in graph:
        number = o.toPython() if isinstance(o, Literal) else None
        out.add((s, p, Literal(repr(number)) if isinstance(number, float) else o))
    return out


@pytest.mark.usefixtures("texts")
def test_what_is_shown_may_stand_in_the_test_of_a_rule(cli: Cli) -> None:
    shown = cli("facts", "a b.txt", "--context", "c.txt").out
    test = f"\n[[test]]\nname = 'copied'\nfacts = '''\n{shown}'''\n"

    rule = parse_rule((rule_text("HR001", "bare-guarantee") + test).encode(), "bare-guarantee.toml")

    assert parse_turtle(rule.tests[-1].facts)


@pytest.mark.usefixtures("texts")
def test_assertions_are_called_by_the_prefixes_of_their_ontology(cli: Cli) -> None:
    Path("a b.txt").write_text("Acme is the landlord under the lease.", encoding="utf-8")

    shown = cli("facts", "a b.txt", "--ontology", "legal").out

    assert re.search(
        r"assertion:\d+ .* rdf:predicate lx:hasLandlord ; rdf:object entity:acme", shown
    )
    assert "# derived by DR004: entity:acme gr:implies lx:Agent ." in shown


def test_stdin_is_read_once_and_a_file_that_is_none_is_told(cli: Cli) -> None:
    assert cli("facts", "-", "--context", "-").err == "groundrules: stdin (-) can be read once\n"
    assert cli("facts", "none.txt").code == 2
