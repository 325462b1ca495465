"""What a text costs an endpoint: five requests however long it is, and none when it is rerun."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_socket

from groundrules.api import check
from groundrules.checks.kb import open_sources
from groundrules.config import Config
from groundrules.kb.sources.sparql import Endpoint
from groundrules.terms import Outcome, Report
from tests.servers import oxigraph

FIXTURE = Path(__file__).parents[1] / "kb" / "data" / "wikibase_fixture.ttl"
NOW = datetime(2026, 9, 1, tzinfo=UTC)
#: For names, types, statements, what these name and what lies in what.
MOST = 5

FIRST = ("Alma", "Boris", "Clara", "David", "Elena", "Felix", "Greta", "Henry", "Irene", "Jonas")
LAST = ("Aldermoor", "Brandvold", "Castrelli", "Dunwoodie", "Eszterhal")
PEOPLE = [f"{first} {last}" for last in LAST for first in FIRST]
PLACES = [f"{start}{end}" for start in ("Gran", "Hol", "Kar", "Lin", "Mor") for end in (
    "bury", "dale", "field", "gate", "ham", "mouth", "stead", "thorpe", "wick", "worth",
)]  # fmt: skip
HEAD = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix ex: <https://example.org/> .
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wds: <http://www.wikidata.org/entity/statement/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
ex:birthPlace rdfs:label "place of birth", "born in" .
"""
#: Person {0} was born in place {1}, in plain RDF and in the model of Wikidata.
MODELS = {
    "rdf": """
ex:p{0} rdfs:label "{2}" ; a ex:Person ; ex:birthPlace ex:t{1} .
ex:t{1} rdfs:label "{3}" ; a ex:Town .
""",
    "wikidata": """
wd:Q1{0} rdfs:label "{2}"@en ; wdt:P31 wd:Q5 ; wikibase:sitelinks 9 ; p:P19 wds:s{0} .
wds:s{0} wikibase:rank wikibase:NormalRank ; ps:P19 wd:Q2{1} .
wd:Q2{1} rdfs:label "{3}"@en ; wdt:P31 wd:Q515 ; wikibase:sitelinks 9 .
""",
}


@pytest.fixture(scope="module", params=MODELS)
def endpoint(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    file = tmp_path_factory.mktemp("requests") / "facts.ttl"
    facts = (
        MODELS[request.param].format(number, number, person, place)
        for number, (person, place) in enumerate(zip(PEOPLE, PLACES, strict=True), 100)
    )
    file.write_text(HEAD + "".join(facts), encoding="utf-8")
    files = (file, FIXTURE) if request.param == "wikidata" else (file,)
    pytest_socket.enable_socket()  # its fixtures are those of single tests
    try:
        with oxigraph(*files) as url:
            yield url
    finally:
        pytest_socket.disable_socket(allow_unix_socket=True)


def ask_source(endpoint: str, text: str, now: datetime) -> tuple[Report, int]:
    """Check a text; return the report and how many requests that took.

    The two with which a connection begins, for the model and the properties, do not count.
    """
    config = Config(packs=(), kb=(endpoint,))
    (source,) = open_sources(config, now)
    before = source.connection.source.calls.requests
    report = check(text, config=config, now=now)
    return report, source.connection.source.calls.requests - before


def said(start: int, end: int) -> str:
    return " ".join(
        f"{person} was born in {place}."
        for person, place in zip(PEOPLE[start:end], PLACES[start:end], strict=True)
    )


@pytest.mark.enable_socket
def test_a_text_takes_five_requests_however_long_and_a_rerun_none(
    endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path))
    texts = {1: said(0, 1), 3: said(1, 4), 20: said(4, 24), 26: said(24, 50)}
    reports = {}
    for number, (claims, text) in enumerate(texts.items()):
        report, requests = ask_source(endpoint, text, NOW)
        assert [verdict.outcome for verdict in report.verdicts] == [Outcome.SUPPORTED] * claims
        # Whether there are ranks is asked once, with the first text.
        assert requests <= MOST + (number == 0)
        reports[claims] = report
    # A second later is another connection over the same cache.
    for claims, text in texts.items():
        report, requests = ask_source(endpoint, text, NOW + timedelta(seconds=1))
        assert requests == 0
        assert report.verdicts == reports[claims].verdicts


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return the queries that are sent, which fills; answers are kept in a folder of the test."""
    queries: list[str] = []
    plain = Endpoint._request

    def request(self: Endpoint, text: str, slow: bool) -> object:
        queries.append(text)
        return plain(self, text, slow)

    monkeypatch.setattr(Endpoint, "_request", request)
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "cache"))
    return queries


@pytest.mark.enable_socket
def test_a_snapshot_answers_its_text_and_to_another_it_is_an_error(
    endpoint: str, sent: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "run.snapshot"
    now = NOW + timedelta(minutes=3)
    check(said(0, 10), config=Config(packs=(), kb=(endpoint,)), now=now, snapshot=path)
    sent.clear()
    replay = Config(packs=(), kb=(endpoint,), offline=str(path))
    known = check(said(0, 10), config=replay, now=now)
    other = check(said(11, 12), config=replay, now=now)

    assert [verdict.outcome for verdict in known.verdicts] == [Outcome.SUPPORTED] * 10
    assert [verdict.outcome for verdict in other.verdicts] == [Outcome.ERROR]
    assert sent == []
