"""`groundrules facts`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
from rdflib import Graph, Literal
from rdflib.compare import isomorphic

from groundrules import Config
from groundrules.checks.case import build
from groundrules.checks.facts import facts_of
from groundrules.claims import document
from groundrules.cli.new import FIRST, rule_text
from groundrules.dataset import parse_turtle
from groundrules.rules.rule import parse_rule
from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
TEXT = "Brandt audits Helios.\nBrandt does not own Helios. The bond costs $5 at 100% #1.\n"
SOURCE = "Brandt audits Helios. The bond costs $6.\n"


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a b.txt").write_text(TEXT, encoding="utf-8")
    Path("c.txt").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def test_the_table_has_each_statement_and_claim_with_its_line_and_stance(
    cli: Cli, texts: Path
) -> None:
    found = cli("facts", "a b.txt")

    assert found.code == 0
    assert re.search(r'^1 +statement +sentence:0 .*gr:text +"Brandt audits', found.out, re.M)
    assert re.search(
        r"^2 +claim +claim:\d+ +entity:brandt +relation:own +entity:helios +denied", found.out, re.M
    )


@pytest.mark.usefixtures("texts")
def test_the_turtle_is_the_default_graph_of_a_check(cli: Cli) -> None:
    shown = cli("facts", "a b.txt", "--context", "c.txt", "--output-format", "turtle").out
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
def test_trig_has_what_each_source_states(cli: Cli) -> None:
    shown = cli("facts", "a b.txt", "--context", "c.txt", "--output-format", "trig").out

    stated = [
        quad
        for quad in ox.parse(shown, ox.RdfFormat.TRIG)
        if "source:c.txt" in str(quad.graph_name)
    ]
    assert any("relation:audit" in quad.predicate.value for quad in stated)


@pytest.mark.usefixtures("texts")
def test_json_has_what_the_table_has(cli: Cli) -> None:
    shown = cli("facts", "a b.txt", "--context", "c.txt", "--output-format", "json").out

    data = json.loads(shown)

    first = data["claims"][0]
    assert (first["kind"], first["node"], first["line"]) == ("statement", "sentence:0", 1)
    assert first["rdf:object"] == ['"Brandt audits Helios."']
    assert any("gr:Alignment" in one.get("rdf:type", ()) for one in data["facts"])


@pytest.mark.usefixtures("texts")
def test_what_is_shown_may_stand_in_the_test_of_a_rule(cli: Cli) -> None:
    shown = cli("facts", "a b.txt", "--context", "c.txt", "--output-format", "turtle").out
    test = f"\n[[test]]\nname = 'copied'\nfacts = '''\n{shown.replace(chr(92), chr(92) * 2)}'''\n"

    rule = parse_rule((rule_text(*FIRST) + test).encode(), f"{FIRST[1]}.toml")

    assert parse_turtle(rule.tests[-1].facts)


@pytest.mark.usefixtures("texts")
def test_assertions_are_called_by_the_prefixes_of_their_ontology(cli: Cli) -> None:
    Path("a b.txt").write_text("Acme is the landlord under the lease.", encoding="utf-8")

    shown = cli("facts", "a b.txt", "--ontology", "legal").out

    assert re.search(r"assertion:\d+ .* lx:hasLandlord +entity:acme", shown)
    assert "(derived by DR004)" in shown


def test_stdin_is_read_once_and_a_file_that_is_none_is_told(cli: Cli) -> None:
    assert cli("facts", "-", "--context", "-").err == "groundrules: stdin (-) can be read once\n"
    assert cli("facts", "none.txt").code == 2
