"""The same claims get the same verdicts on the embedded store, Oxigraph's server and Virtuoso."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_socket
from rdflib.namespace import XSD, Namespace
from rdflib.term import Literal, Node, URIRef

from groundrules.checks.judge import Rules
from groundrules.checks.kb import Batch, decide
from groundrules.kb.read.answers import ask
from groundrules.kb.read.comparisons import Question
from groundrules.kb.read.timing import Timing
from groundrules.kb.read.values import claimed_value, days_of
from groundrules.kb.sources.source import Graph, Status
from groundrules.kb.sources.sparql import Endpoint
from groundrules.kb.sources.triplestore import open_graph
from groundrules.kb.sources.wikidata import WikidataSource
from groundrules.rules.packs import load_pack
from groundrules.terms import GR, Claim, Span, Triple
from tests.servers import oxigraph, virtuoso

FIXTURE = Path(__file__).parents[1] / "kb" / "data" / "wikibase_fixture.ttl"
NOW = datetime(2026, 9, 14, tzinfo=UTC)
TODAY = (float(NOW.toordinal()),) * 2
TEXT = URIRef("urn:text")
WD = Namespace("http://www.wikidata.org/entity/")
WDT = Namespace("http://www.wikidata.org/prop/direct/")


def year(text: str) -> Literal:
    return Literal(text, datatype=XSD.gYear)


def height(amount: str) -> Literal:
    return Literal(amount, datatype=GR.quantity)


#: subject, property, value, when ("now", a date or nothing), the rule that decides.
CLAIMS: list[tuple[str, str, Node, Literal | str | None, str]] = [
    ("Q100", "P569", year("1915"), None, "KB201"),
    ("Q100", "P569", Literal("1915-04-20", datatype=XSD.date), None, "KB301"),
    ("Q100", "P569", Literal("1915-01-01", datatype=XSD.date), None, "KB301"),
    ("Q100", "P569", year("1916"), None, "KB401"),
    ("Q101", "P569", year("1915"), None, "KB201"),  # a redirect
    ("Q100", "P19", WD.Q64, None, "KB201"),
    ("Q100", "P19", WD.Q90, None, "KB402"),  # a deprecated value; the live one has no reference
    ("Q100", "P26", WD.Q200, None, "KB202"),
    ("Q100", "P26", WD.Q200, year("1945"), "KB203"),
    ("Q100", "P26", WD.Q200, year("1960"), "KB405"),
    ("Q100", "P26", WD.Q201, year("1960"), "KB203"),
    ("Q100", "P26", WD.Q201, "now", "KB203"),  # it has no end
    ("Q100", "P26", WD.Q200, "now", "KB405"),
    ("Q100", "P40", WD.Q300, None, "KB403"),
    ("Q100", "P570", year("1990"), None, "KB303"),
    ("Q100", "P2048", height("1.8 m"), None, "KB201"),
    ("Q100", "P2048", height("2.2 m"), None, "KB402"),
    ("Q100", "P22", WD.Q300, None, "KB302"),
]


@pytest.fixture(scope="module", params=["store", "oxigraph", "virtuoso"])
def graph(request: pytest.FixtureRequest) -> Iterator[Graph]:
    if request.param == "store":
        yield open_graph(FIXTURE)
        return
    pytest_socket.enable_socket()  # its fixtures are those of single tests
    try:
        with {"oxigraph": oxigraph, "virtuoso": virtuoso}[request.param](FIXTURE) as url:
            yield Endpoint(url, now=NOW)
    finally:
        pytest_socket.disable_socket(allow_unix_socket=True)


def question(number: int, source: WikidataSource) -> Question:
    subject, predicate, value, when, _ = CLAIMS[number]
    name = URIRef(f"urn:reading{number}")
    triple = Triple(WD[subject], WDT[predicate], value)
    reading = Claim(name, triple, Span("text", 0, 0), reads=URIRef(f"urn:claim{number}"))
    at = TODAY if when == "now" else days_of(when) if isinstance(when, Literal) else None
    return Question(
        reading,
        source.iri,
        property=source.properties()[WDT[predicate]],
        value=claimed_value(value),
        timing=Timing("holding", at) if at else None,
        current=when == "now",
        now=TODAY[1],
    )


@pytest.mark.enable_socket
def test_every_graph_gives_the_verdicts(graph: Graph) -> None:
    source = WikidataSource(graph)
    answers = ask([question(number, source) for number in range(len(CLAIMS))], source)
    rules = Rules(load_pack("kb").rules)
    decision = decide(Batch(answers.questions, answers.within, TEXT), rules)
    found = {str(ruling.claim.reads): ruling.rule for ruling in decision.rulings}
    assert found == {f"urn:claim{n}": rule for n, (*_, rule) in enumerate(CLAIMS)}


@pytest.mark.enable_socket
def test_a_statement_is_pinned_to_its_revision(graph: Graph) -> None:
    source = WikidataSource(graph)
    answers = ask([question(0, source)], source)
    (ruling,) = decide(
        Batch(answers.questions, answers.within, TEXT), Rules(load_pack("kb").rules)
    ).rulings
    (evidence,) = ruling.evidence
    assert evidence.pin is not None
    assert evidence.pin.startswith(f"{WD}statement/Q100-dob, revision 111")


def test_a_source_that_fails_decides_nothing() -> None:
    source = WikidataSource(open_graph(FIXTURE))
    asked = [replace(question(n, source), status=Status.ERROR) for n in range(len(CLAIMS))]
    decision = decide(Batch(asked, frozenset(), TEXT), Rules(load_pack("kb").rules))
    assert {ruling.rule for ruling in decision.rulings} == {"KB001"}
    assert not decision.violations
