"""A store of results, loaded into servers: real ones, and one that misbehaves."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.audit import push as push_
from groundrules.audit import store
from groundrules.audit.push import push
from groundrules.calendar import read_duration
from groundrules.cli.main import main
from groundrules.dataset import TripleStore
from groundrules.errors import ConfigError, SourceError
from groundrules.explain.vocabulary import VOCABULARIES
from groundrules.kb.sources import sparql
from groundrules.terms import ENTITY, RELATION, Override, Triple, mint
from tests import servers
from tests.audit.reports import reports
from tests.explain import cases
from tests.kb.misbehaving import TEXT, Misbehaving, Reply
from tests.kb.test_query import ATTACKS

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

COUNTS = "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ORDER BY ?g"
TAKEN = Reply(200, b"", TEXT)
DURATIONS = re.compile(r"\"([^\"]*)\"\^\^<[^>]*#duration>")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("results") / "store"
    store.add(result, reports())
    return result


def asked(url: str, query: str) -> list[list[str]]:
    """Return the rows of a server."""
    request = Request(
        f"{url}?{urlencode({'query': query})}",
        headers={"Accept": "application/sparql-results+json"},
    )
    with build_opener(ProxyHandler({})).open(request, timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
    names = found["head"]["vars"]
    return [
        [row.get(name, {}).get("value", "") for name in names]
        for row in found["results"]["bindings"]
    ]


def kept(opened: TripleStore, query: str) -> list[list[str]]:
    """Return the rows of a store."""
    found = opened.ask(query, VOCABULARIES, 100_000)
    return [["" if cell is None else str(cell) for cell in row] for row in found.rows]


def ours(rows: list[list[str]]) -> list[list[str]]:
    return [row for row in rows if row[0].startswith("urn:groundrules:")]


def check_server(folder: Path, query_url: str, update_url: str) -> None:
    """Push a store twice, and once more where more was decided; all is as in the store itself."""
    graphs, triples = push(folder, update_url)
    opened = store.open_to_read(folder)
    counts = kept(opened, COUNTS)
    assert (graphs, triples) == (len(counts), sum(int(n) for _, n in counts))
    assert push(folder, update_url) == (graphs, triples)
    assert ours(asked(query_url, COUNTS)) == counts
    for name, query in store.named_queries().items():
        assert asked(query_url, query.text) == kept(opened, query.text), name


def decided_later(folder: Path, tmp_path: Path) -> Path:
    """Return a store of the same reports, on one of which less was decided."""
    first, second, *rest = reports()
    other = tmp_path / "other"
    fewer = replace(second, overrides=(Override("0", "baseline", "nothing"),))
    store.add(other, (first, fewer, *rest))
    return other


def hostile(tmp_path: Path) -> Path:
    """Return a store of what wants to break out of an update."""
    report = cases.lease()
    claims = tuple(
        replace(report.claims[0], id=mint(ENTITY, str(n)),
                triple=Triple(mint(ENTITY, attack), mint(RELATION, attack), Literal(attack)))
        for n, attack in enumerate(ATTACKS) if "\0" not in attack
    )  # fmt: skip
    folder = tmp_path / "hostile"
    store.add(folder, [replace(report, source="hostile.txt", claims=claims)])
    return folder


OBJECTS = "SELECT DISTINCT ?o { GRAPH ?g { ?c a gr:Claim ; rdf:object ?o } } ORDER BY ?o"


def check_hostile(folder: Path, query_url: str, update_url: str) -> None:
    before = ours(asked(query_url, COUNTS))
    push(folder, update_url)
    opened = store.open_to_read(folder)
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in VOCABULARIES.items())
    told = {row[0] for row in asked(query_url, prefixes + OBJECTS)}

    assert {row[0] for row in kept(opened, OBJECTS)} <= told
    after = dict(ours(asked(query_url, COUNTS)))
    assert all(int(after[name]) >= int(n) for name, n in before)
    assert set(after) == {name for name, _ in before} | {n for n, _ in kept(opened, COUNTS)}
    assert not asked(query_url, "SELECT ?s { ?s <urn:x> ?o }")


def test_oxigraph_takes_it_and_answers_the_ten_queries(folder: Path, tmp_path: Path) -> None:
    with servers.oxigraph() as url:
        update = url.removesuffix("query") + "update"
        check_server(folder, url, update)
        other = decided_later(folder, tmp_path)
        push(other, update)
        assert ours(asked(url, COUNTS)) == kept(store.open_to_read(other), COUNTS)
        check_hostile(hostile(tmp_path), url, update)


def test_virtuoso_takes_it_and_answers_the_ten_queries(folder: Path, tmp_path: Path) -> None:
    with servers.virtuoso(update=True) as url:
        check_server(folder, url, url)
        other = decided_later(folder, tmp_path)
        push(other, url)
        assert ours(asked(url, COUNTS)) == kept(store.open_to_read(other), COUNTS)
        check_hostile(hostile(tmp_path), url, url)
        secured = f"{url}-auth"
        assert sparql.send_update(secured, "CLEAR SILENT GRAPH <urn:g>", ("dba", "dba")) is None
        wrong = sparql.send_update(secured, "CLEAR SILENT GRAPH <urn:g>", ("dba", "no"))
        assert wrong is not None
        assert (wrong.message, wrong.again) == ("HTTP 401:", False)


def test_virtuoso_that_may_not_be_written_to_is_asked_once(folder: Path) -> None:
    slept: list[float] = []
    with (
        servers.virtuoso() as url,
        pytest.raises(SourceError, match="No permission"),
    ):
        push(folder, url, sleep=slept.append)
    assert slept == []


def test_what_is_busy_is_asked_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    busy = Reply(429, b"", {"Retry-After": "7"})
    with Misbehaving(busy, Reply(503), Reply(reset=True), TAKEN) as server:
        push(folder, server.url, sleep=slept.append)

    texts = [request.query for request in server.requests]
    assert texts[0] == texts[1] == texts[2] == texts[3] != texts[4]
    assert len(slept) == 3
    assert slept[0] == 7
    assert slept[1] < slept[2]


def test_what_fails_for_good_is_one_line_that_says_where(folder: Path) -> None:
    slept: list[float] = []
    with (
        Misbehaving(Reply(500, b"<p>broken</p>", TEXT)) as server,
        pytest.raises(SourceError, match="HTTP 500: broken") as caught,
    ):
        push(folder, server.url, sleep=slept.append)
    assert str(caught.value).startswith(server.url)
    assert len(server.requests) == 5
    with (
        Misbehaving(Reply(400, b"bad", TEXT)) as server,
        pytest.raises(SourceError, match="HTTP 400: bad"),
    ):
        push(folder, server.url, sleep=slept.append)
    assert len(server.requests) == 1


def test_what_a_server_does_not_take_whole_leaves_nothing(folder: Path) -> None:
    with Misbehaving(lambda text: TAKEN) as server:
        push(folder, server.url)
    whole = [one.query for one in server.requests]
    last = next(text for text in reversed(whole) if text.startswith("INSERT"))

    def refused(text: str) -> Reply:
        return Reply(400, b"bad", TEXT) if text == last else TAKEN

    with (
        Misbehaving(refused) as server,
        pytest.raises(SourceError, match="HTTP 400: bad; all is as it was"),
    ):
        push(folder, server.url)
    texts = [one.query for one in server.requests]
    assert texts[-1] == texts[0]
    assert not any("ADD GRAPH" in text for text in texts)
    graphs = re.findall(r"GRAPH <([^>]*)>", "".join(texts))
    assert all(graph.startswith("urn:groundrules:push:") for graph in graphs)


def test_what_could_not_be_taken_back_is_said(folder: Path) -> None:
    taken = iter([TAKEN, TAKEN])

    with (
        Misbehaving(lambda text: next(taken, Reply(400, b"bad", TEXT))) as server,
        pytest.raises(SourceError, match="some of it is left in graphs named"),
    ):
        push(folder, server.url)


#: Durations, and how Virtuoso takes them.
LONGER = {
    "P1Y": "P1YT0.000000S",
    "P30D": "P30DT0.000000S",
    "PT1H": "PT1H0.000000S",
    "P1DT14H": "P1DT14H0.000000S",
    "PT1.5S": "PT1.500000S",
    "-PT30M": "-PT30M0.000000S",
    "P1Y2M3DT4H5M6.1234567S": "P1Y2M3DT4H5M6.1234567S",
}


def with_objects(folder: Path, *objects: Literal) -> Path:
    """Return a store of a report whose claims have these objects."""
    report = cases.lease()
    claims = tuple(
        replace(report.claims[0], id=mint(ENTITY, str(n)),
                triple=replace(report.claims[0].triple, object=one))
        for n, one in enumerate(objects)
    )  # fmt: skip
    store.add(folder, [replace(report, claims=claims)])
    return folder


@pytest.mark.parametrize(("duration", "longer"), LONGER.items())
def test_a_duration_that_a_server_cannot_hold_is_sent_with_parts_of_a_second(
    duration: str, longer: str, tmp_path: Path
) -> None:
    value = Literal(duration, datatype=XSD.duration, normalize=False)
    folder = with_objects(tmp_path / "durations", value)

    def virtuoso(text: str) -> Reply:
        short = [one for one in DURATIONS.findall(text) if not re.search(r"\.\d{6,}S$", one)]
        return Reply(500, b"Literal of type xsd:duration can not be", TEXT) if short else TAKEN

    with Misbehaving(virtuoso) as server:
        push(folder, server.url)
    sent = {found for one in server.requests for found in DURATIONS.findall(one.query)}
    assert sent == {duration, longer}
    assert read_duration(duration) == read_duration(longer)


def test_virtuoso_takes_durations_and_keeps_what_it_has_where_it_does_not_take_the_whole(
    folder: Path, tmp_path: Path
) -> None:
    values = [Literal(one, datatype=XSD.duration, normalize=False) for one in LONGER]
    strange = Literal("xxx", datatype=XSD.integer, normalize=False)
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in VOCABULARIES.items())
    with servers.virtuoso(update=True) as url:
        push(folder, url)
        push(with_objects(tmp_path / "durations", *values), url)
        assert set(LONGER.values()) <= {row[0] for row in asked(url, prefixes + OBJECTS)}
        before = ours(asked(url, COUNTS))
        with pytest.raises(SourceError, match="all is as it was"):
            push(with_objects(tmp_path / "strange", strange), url, sleep=lambda _: None)
        assert ours(asked(url, COUNTS)) == before


def test_nobody_is_waited_for_longer_than_a_minute(folder: Path) -> None:
    slept: list[float] = []
    with (
        Misbehaving(Reply(429, b"", {"Retry-After": "3600"})) as server,
        pytest.raises(SourceError, match="HTTP 429"),
    ):
        push(folder, server.url, sleep=slept.append)
    assert slept == []


def test_what_is_too_long_is_sent_in_halves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push_, "_SIZE", 400)

    def few(text: str) -> Reply:
        return TAKEN if text.count(" .\n") <= 150 else Reply(413, b"", TEXT)

    with Misbehaving(few) as server:
        _, triples = push(folder, server.url)

    taken = [one.query for one in server.requests if one.query.count(" .\n") <= 150]
    lines = [line for text in taken for line in text.splitlines() if line.endswith(" .")]
    assert len(lines) == triples


def test_no_redirect_is_followed(folder: Path) -> None:
    with Misbehaving() as other:
        away = Reply(307, b"", {"Location": other.url})
        with Misbehaving(away) as server, pytest.raises(SourceError, match="HTTP 307"):
            push(folder, server.url)
    assert other.requests == []


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://kb.example/sparql", "kb.example is not this machine; expected https://"),
        ("ftp://127.0.0.1/", "is not the URL of an endpoint"),
        ("https://ann:secret@kb.example/", "has a password"),
        ("kb.example", "is not the URL of an endpoint"),
    ],
)
def test_nothing_goes_in_clear_to_another_machine(url: str, message: str, folder: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        push(folder, url)


def test_a_password_is_told_only_to_who_asks_for_it(folder: Path) -> None:
    login = ("ann", "se:cret")
    wanted = Reply(401, b"", {"WWW-Authenticate": 'Basic realm="kb"'})
    with Misbehaving(TAKEN) as server:
        push(folder, server.url, login=login)
    assert not any("authorization" in one.headers for one in server.requests)
    with Misbehaving(wanted, TAKEN) as server:
        push(folder, server.url, login=login)
    told = [one.headers.get("authorization") for one in server.requests[:2]]
    assert told == [None, "Basic " + base64.b64encode(b"ann:se:cret").decode()]
    with (
        Misbehaving(Reply(401, b"", {"WWW-Authenticate": "Bearer"})) as server,
        pytest.raises(SourceError, match="HTTP 401"),
    ):
        push(folder, server.url, login=login)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "question", ["", "Digest", "Digest realm", 'Digest realm="a", algorithm=X, nonce="b"', "Basicx"]
)
def test_a_question_that_is_none_is_not_answered(question: str) -> None:
    with Misbehaving(Reply(401, b"", {"WWW-Authenticate": question})) as server:
        refused = sparql.send_update(server.url, "CLEAR ALL", ("ann", "secret"))
    assert refused is not None
    assert refused.message == "HTTP 401:"
    assert not any("authorization" in one.headers for one in server.requests)


def test_the_command_says_what_it_has_sent_and_takes_a_password_from_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = Reply(401, b"", {"WWW-Authenticate": 'Basic realm="kb"'})
    monkeypatch.setenv("GROUNDRULES_PUSH_USER", "ann")
    monkeypatch.delenv("GROUNDRULES_PUSH_PASSWORD", raising=False)
    with Misbehaving(wanted, TAKEN) as server:
        assert main(["push", server.url, "--store", str(folder)]) == 2
        assert "expected both $GROUNDRULES_PUSH_USER" in capsys.readouterr().err
        monkeypatch.setenv("GROUNDRULES_PUSH_PASSWORD", "secret")
        assert main(["push", server.url, "--store", str(folder)]) == 0
    counts = [int(n) for _, n in kept(store.open_to_read(folder), COUNTS)]
    graphs, triples = len(counts), sum(counts)
    assert capsys.readouterr().out == f"{server.url}: {graphs} graphs, {triples:,} triples\n"
