"""Laws of the client, against a server that misbehaves in every way of the error table."""

from __future__ import annotations

import gzip
import json
import re
import socket
import time
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, URIRef

from groundrules import Config, check
from groundrules.dataset import Dataset
from groundrules.errors import ConfigError
from groundrules.kb.sources import responses as cache_
from groundrules.kb.sources import sparql
from groundrules.kb.sources.exchange import (
    CLIENTS,
    FaultError,
    login_of,
    read_rows,
    write_request,
    writer,
)
from groundrules.kb.sources.query import fill
from groundrules.kb.sources.responses import Cache
from groundrules.kb.sources.source import Answer, Item, Query, Status
from groundrules.kb.sources.sparql import Endpoint
from groundrules.terms import Outcome, Triple
from tests import servers
from tests.kb.misbehaving import HTML, JSON, TEXT, Misbehaving, Reply, Told, echo, rows, uri
from tests.kb.misbehaving import subjects as asked_for
from tests.kb.test_query import ATTACKS

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DATA = Path(__file__).parent / "data"
TIMEOUT = Reply(500, b"java.util.concurrent.TimeoutException: Query deadline is expired.", TEXT)
BAN = Reply(
    403,
    b"You have been banned until 2026-03-02T12:00:00Z, please respect throttling and retry-after",
    TEXT,
)


def replies() -> dict[str, list[tuple[Reply, str]]]:
    """Return the replies of the error table by what they are treated as, each with its code."""
    found: dict[str, list[tuple[Reply, str]]] = {}
    for line in (DATA / "replies.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        reply = Reply(row["status"], row["body"].encode(), row["headers"])
        found.setdefault(row["law"], []).append((reply, row.get("code", "")))
    return found


REPLIES = replies()
ZIPPED = {**JSON, "Content-Encoding": "gzip"}
#: What no line of text can hold.
DAMAGED = [
    (Reply(200, b"[" * 100_000, JSON), "TRUNCATED"),
    (Reply(200, b'{"results": 1' + b"0" * 100_000, JSON), "TRUNCATED"),
    (Reply(200, b"\xff\xfe", JSON), "TRUNCATED"),
    (Reply(200, gzip.compress(rows()) * 2, ZIPPED), "TRUNCATED"),
    (Reply(200, gzip.compress(rows())[:-5], ZIPPED), "TRUNCATED"),
    (Reply(reset=True), "NETWORK"),
]


def items(count: int) -> list[Item]:
    return [(URIRef(f"http://x/{number}"),) for number in range(count)]


def batch(count: int, size: int = 500) -> Query:
    text = "SELECT ?s WHERE { VALUES ?s { $subjects } }"
    return Query(text, {"subjects": items(count)}, batch="subjects", size=size)


class Clock:
    """A clock that only sleeping moves, and what slept."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


Start = Callable[..., tuple[Misbehaving, Endpoint]]


@pytest.fixture
def start(clock: Clock) -> Iterator[Start]:
    """Return a function that starts a server and a client of it."""
    servers: list[Misbehaving] = []

    def begin(
        *replies: Told, certificate: Path | None = None, **options: Any
    ) -> tuple[Misbehaving, Endpoint]:
        server = Misbehaving(*replies, certificate=certificate)
        servers.append(server.__enter__())
        settings = {"now": NOW, "clock": lambda: clock.now, "sleep": clock.sleep, **options}
        return server, Endpoint(server.url, **settings)

    yield begin
    for server in servers:
        server.__exit__(None, None, None)


def codes(answer: Answer) -> set[tuple[Status, str]]:
    return {(fault.status, fault.code) for fault in answer.faults.values()}


def found(answer: Answer) -> set[str]:
    return {str(row["s"]) for row in answer.rows}


# ---- answers


def test_what_is_answered_comes_back_with_its_time(start: Start) -> None:
    server, endpoint = start()
    answer = endpoint.select(batch(3))
    assert [row["s"] for row in answer.rows] == [item[0] for item in items(3)]
    assert not answer.faults
    assert answer.retrieved == "2026-03-01T12:00:00+00:00"
    assert len(server.requests) == endpoint.calls.requests == 1
    assert endpoint.calls.sent > len(server.requests[0].target)
    body = echo(server.queries[0]).body
    assert isinstance(body, bytes)
    assert endpoint.calls.received == len(body)


def test_the_request_is_that_of_the_protocol_and_says_who_asks(start: Start) -> None:
    server, endpoint = start(contact="me@example.org")
    endpoint.select(batch(1))
    (request,) = server.requests
    assert request.method == "GET"
    assert set(request.target.partition("?")[2].partition("=")[0::2]) >= {"query"}
    assert "format=" not in request.target
    assert "output=" not in request.target
    assert request.query == fill(batch(1))
    assert request.headers["accept"] == "application/sparql-results+json"
    assert request.headers["user-agent"].startswith("groundrules/")
    assert "(me@example.org)" in request.headers["user-agent"]
    assert not {"cookie", "authorization", "referer"} & set(request.headers)


def test_a_large_batch_goes_in_parts_of_the_size(start: Start) -> None:
    server, endpoint = start()
    answer = endpoint.select(batch(7, size=3))
    assert [len(asked_for(query)) for query in server.queries] == [3, 3, 1]
    assert len(answer.rows) == 7


def test_nothing_is_asked_for_an_empty_batch(start: Start) -> None:
    server, endpoint = start()
    assert endpoint.select(batch(0)) == Answer()
    assert not server.requests


def test_only_a_bad_query_of_ours_raises_and_before_anything_is_sent(start: Start) -> None:
    server, endpoint = start()
    bad = Query(batch(1).text, {"subjects": [*items(700), (BNode(),)]}, batch="subjects")
    with pytest.raises(ValueError, match="cannot stand"):
        endpoint.select(bad)
    assert not server.requests


def test_terms_keep_their_forms(start: Start) -> None:
    integer, string = str(XSD.integer), str(XSD.string)
    terms = [
        {"type": "literal", "value": "007", "datatype": integer},
        {"type": "typed-literal", "value": "+1.50", "datatype": str(XSD.decimal)},
        {"type": "typed-literal", "value": "é", "datatype": string},
        {"type": "literal", "value": "-0044-03-15", "datatype": str(XSD.date)},
        {"type": "literal", "value": "x", "xml:lang": "de-AT"},
        {"type": "literal", "value": "x", "xml:lang": "en", "datatype": str(RDF.langString)},
        uri("http://x/é%20"),
    ]
    body = rows(*({"s": data} for data in terms))
    _, endpoint = start(Reply(body=body))
    got = [row["s"] for row in endpoint.select(batch(1)).rows]
    assert [str(term) for term in got] == [data["value"] for data in terms]
    assert [getattr(term, "datatype", None) for term in got[:4]] == [
        XSD.integer, XSD.decimal, None, XSD.date,
    ]  # fmt: skip
    assert [getattr(term, "language", None) for term in got[4:6]] == ["de-at", "en"]
    assert isinstance(got[6], URIRef)


def test_blank_nodes_of_two_responses_are_two(start: Start) -> None:
    node = {"type": "bnode", "value": "nodeID://b10"}
    body, other = rows({"s": node, "t": node}), rows({"s": node})
    _, endpoint = start(Reply(body=body), Reply(body=other), Reply(body=body))
    first, second, again = (endpoint.select(batch(1)).rows[0] for _ in range(3))
    assert isinstance(first["s"], BNode)
    assert first["s"] == first["t"] == again["s"] != second["s"]
    Dataset().add([Triple(first["s"], URIRef("urn:p"), second["s"])])


@given(
    st.builds(
        lambda kind, value, rest: {"type": kind, "value": value, **rest},
        st.sampled_from(["uri", "literal", "typed-literal", "bnode"]),
        st.text() | st.text("abé:/#%é<> \n\x00", max_size=8).map("http://{}".format),
        st.sampled_from(
            [{}, {"xml:lang": "en"}, {"xml:lang": "e n"}, {"datatype": "urn:x"}, {"datatype": "x"}]
        ),
    )
)
def test_every_term_let_through_fits_the_dataset(data: dict[str, str]) -> None:
    try:
        (row,) = read_rows(rows({"s": data}))
    except FaultError:
        return
    Dataset().add([Triple(URIRef("urn:s"), URIRef("urn:p"), row["s"])])


def test_a_compressed_answer_is_read(start: Start) -> None:
    body = rows({"s": uri("http://x/0")})
    headers = {**JSON, "Content-Encoding": "gzip"}
    _, endpoint = start(Reply(body=gzip.compress(body), headers=headers))
    assert found(endpoint.select(batch(1))) == {"http://x/0"}
    assert endpoint.calls.received == len(gzip.compress(body))


# ---- the error table


@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        ({"Retry-After": "7"}, 7.0),
        (
            {
                "Retry-After": "Sun, 01 Mar 2026 12:00:09 GMT",
                "Date": "Sun, 01 Mar 2026 12:00:01 GMT",
            },
            8.0,
        ),
        ({"Retry-After": "Sun, 01 Mar 2026 12:00:09 GMT", "Date": "soon"}, 9.0),
        ({"Retry-After": "Sun, 01 Mar 2020 12:00:09 GMT"}, 0.0),
    ],
)
def test_a_429_is_waited_out_as_long_as_it_says(
    start: Start, clock: Clock, headers: dict[str, str], waits: float
) -> None:
    server, endpoint = start(Reply(429, b"slow down", {**TEXT, **headers}), echo)
    answer = endpoint.select(batch(1))
    assert not answer.faults
    assert len(server.requests) == 2
    assert sum(clock.slept) == pytest.approx(waits)


@pytest.mark.parametrize("value", ["", "soon", "-5", "1e3", "٣", "99999999999999999999"])
def test_a_429_without_a_sensible_wait_backs_off(start: Start, clock: Clock, value: str) -> None:
    headers = {**TEXT, "Retry-After": value.encode().decode("latin-1")}
    server, endpoint = start(Reply(429, b"", headers))
    answer = endpoint.select(batch(2))
    assert codes(answer) == {(Status.ERROR, "THROTTLED")}
    assert len(server.requests) == 5
    assert len(clock.slept) == 4
    assert all(0.5 * 2**i <= wait <= 2**i for i, wait in enumerate(clock.slept))


def test_the_last_429_is_obeyed_by_the_next_query(start: Start, clock: Clock) -> None:
    slow_down = Reply(429, b"", {**TEXT, "Retry-After": "50"})
    server, endpoint = start(*[slow_down] * 5, echo)
    assert codes(endpoint.select(batch(1))) == {(Status.ERROR, "THROTTLED")}
    assert clock.slept == [50] * 4
    assert not endpoint.select(batch(2)).faults
    assert clock.slept == [50] * 5
    assert len(server.requests) == 6


@pytest.mark.parametrize(("reply", "code"), REPLIES["refusal"])
def test_a_refusal_stops_everything_at_once(
    start: Start, clock: Clock, reply: Reply, code: str
) -> None:
    server, endpoint = start(reply, echo)
    answer = endpoint.select(batch(4, size=2))
    assert not answer.rows
    assert [answer.faults[item].status for item in items(4)] == [Status.ERROR] * 2 + [
        Status.SKIPPED
    ] * 2
    assert {fault.code for fault in answer.faults.values()} == {code}
    clock.now += 1e9
    assert codes(endpoint.select(batch(1))) == {(Status.SKIPPED, code)}
    assert len(server.requests) == 1


def test_a_web_page_is_an_error_at_once(start: Start) -> None:
    server, endpoint = start(Reply(200, b"<html>Down for maintenance</html>", HTML))
    assert codes(endpoint.select(batch(2))) == {(Status.ERROR, "NOT_SPARQL")}
    assert len(server.requests) == 1


def test_what_never_answers_is_given_up_within_the_deadline_of_a_run() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/sparql"
        endpoint = Endpoint(url, now=datetime(2026, 9, 1, tzinfo=UTC), deadline=1.0)
        begun = time.monotonic()
        first, *rest = [codes(endpoint.select(batch(1))) for _ in range(3)]
        assert time.monotonic() - begun < 20  # of the 90 that one response may take
    assert first <= {(Status.ERROR, "NETWORK"), (Status.SKIPPED, "NETWORK")}
    assert rest == [{(Status.SKIPPED, "NETWORK")}] * 2


def test_a_row_without_a_term_says_nothing(start: Start) -> None:
    _, endpoint = start(Reply(body=rows({}, {"s": uri("http://x/0")}, {})))
    assert endpoint.select(batch(1)).rows == ({"s": URIRef("http://x/0")},)
    assert read_rows(rows({})) == ()


@pytest.mark.parametrize(
    ("told", "header"),
    [
        ("{} ann:secret", ("Authorization", "Basic YW5uOnNlY3JldA==")),
        ("https://other.example x:y\n\n{} X-Key: s3cret", ("X-Key", "s3cret")),
        ("https://other.example ann:secret", None),
        ("", None),
    ],
)
def test_a_password_goes_to_the_host_it_is_for_alone(
    monkeypatch: pytest.MonkeyPatch, told: str, header: tuple[str, str] | None
) -> None:
    with Misbehaving(Reply(500, b"no entry for s3cret or YW5uOnNlY3JldA==", TEXT)) as server:
        monkeypatch.setenv("GROUNDRULES_KB_LOGIN", told.format(server.url.rsplit("/", 1)[0]))
        config = Config(kb=(server.url,), kb_tries=1)
        report = check("Ada Hale was born in Ulm.", config=config)
        sent = {tuple(one.headers.get(name.lower(), "") for name in ("Authorization", "X-Key"))
                for one in server.requests}  # fmt: skip
    assert sent == {
        tuple(
            header[1] if header and header[0] == name else "" for name in ("Authorization", "X-Key")
        )
    }
    if header:
        assert header[1].split()[-1] not in repr(report)


def test_who_asks_for_a_password_is_told_where_it_goes(start: Start) -> None:
    _, endpoint = start(Reply(401, b"", HTML))
    assert "$GROUNDRULES_KB_LOGIN" in next(iter(endpoint.select(batch(1)).faults.values())).message


def test_a_key_in_the_url_of_an_endpoint_is_sent_and_never_told() -> None:
    with Misbehaving(Reply(500, b"no entry for s3cret", TEXT)) as server:
        url = f"{server.url}?apikey=s3cret"
        config = Config(kb=(url,), kb_tries=1)
        report = check("Ada Hale was born in Ulm.", config=config)
        endpoint = Endpoint(url, now=NOW)
        assert {"?apikey=s3cret&" in one.target for one in server.requests} == {True}
    assert "?sha256-" in repr(report)
    assert "s3cret" not in repr(report) + repr(config.chosen)
    assert Endpoint(str(endpoint.iri), now=NOW).iri == endpoint.iri  # as a replay opens it


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("https://kb.example s3cret", "line 1: expected https://HOST USER:PASSWORD"),
        ("\nkb.example ann:s3cret", "line 2: expected https://HOST USER:PASSWORD"),
        ("http://kb.example ann:s3cret", "kb.example: a password is sent over https:// alone"),
    ],
)
def test_a_password_that_cannot_be_sent_is_one_line_without_it(told: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)) as error:
        login_of("http://kb.example/sparql", told)
    assert "s3cret" not in str(error.value)


def test_an_endpoint_of_named_graphs_alone_says_that_its_default_graph_is_empty() -> None:
    def answer(query: str) -> Reply:
        return Reply(body=rows({"g": uri("http://x/g")}) if "GRAPH" in query else rows())

    with Misbehaving(answer) as server:
        report = check("Ada Hale was born in Ulm.", config=Config(kb=(server.url,)))
    assert {verdict.outcome for verdict in report.verdicts} == {Outcome.ERROR}
    assert "the default graph is empty" in repr(report)


def test_a_check_of_several_claims_asks_an_endpoint_that_hangs_but_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/sparql"
        text = "Ada Hale was born in Ulm. Ada Hale died in Bonn. Ulm is in Germany."
        report = check(text, config=Config(kb=(url,), kb_deadline=0.2))
        silent.setblocking(False)
        links = [silent.accept()[0]]
        with pytest.raises(BlockingIOError):
            silent.accept()
        links[0].close()
    assert {verdict.outcome for verdict in report.verdicts} == {Outcome.ERROR}


@pytest.mark.parametrize(("reply", "code"), [*REPLIES["passing"], *DAMAGED])
def test_a_passing_failure_is_tried_five_times_and_never_an_answer(
    start: Start, clock: Clock, reply: Reply, code: str
) -> None:
    server, endpoint = start(reply)
    answer = endpoint.select(batch(2))
    assert codes(answer) == {(Status.ERROR, code)}
    assert not answer.rows
    assert set(answer.faults) == set(items(2))
    assert len(server.requests) == 5
    assert len(clock.slept) == 4
    assert answer.retrieved == ""
    assert "<" not in answer.faults[items(1)[0]].message


def test_six_failures_in_a_row_open_the_circuit(start: Start) -> None:
    # waits are drawn, and may come to more than the usual deadline
    server, endpoint = start(Reply(503, b"", TEXT), deadline=600.0)
    answer = endpoint.select(batch(3, size=1))
    assert [answer.faults[item].status for item in items(3)] == [
        Status.ERROR, Status.ERROR, Status.SKIPPED,
    ]  # fmt: skip
    assert {fault.code for fault in answer.faults.values()} == {"OVERLOADED"}
    assert len(server.requests) == 6


@pytest.mark.parametrize(("reply", "code"), REPLIES["lasting"])
def test_a_lasting_failure_is_not_retried(start: Start, reply: Reply, code: str) -> None:
    server, endpoint = start(reply)
    assert codes(endpoint.select(batch(4))) == {(Status.ERROR, code)}
    assert len(server.requests) == 1


SLOW, TOO_MUCH = ([reply for reply, _ in REPLIES[law]] for law in ("slow", "too much"))


@pytest.mark.parametrize("reply", [*SLOW, *TOO_MUCH])
def test_a_poisonous_item_is_isolated_and_the_others_answered(start: Start, reply: Reply) -> None:
    poison = "http://x/23"
    server, endpoint = start(lambda query: reply if poison in asked_for(query) else echo(query))
    answer = endpoint.select(batch(50))
    assert found(answer) == {str(item[0]) for item in items(50)} - {poison}
    assert set(answer.faults) == {(URIRef(poison),)}
    assert answer.faults[(URIRef(poison),)].status is Status.ERROR
    assert len(server.requests) <= 13


@pytest.mark.parametrize("reply", SLOW)
def test_a_query_that_took_too_long_is_never_sent_again_as_it_was(
    start: Start, clock: Clock, reply: Reply
) -> None:
    server, endpoint = start(reply)
    answer = endpoint.select(batch(8))
    assert codes(answer) == {(Status.ERROR, "QUERY_TIMEOUT")}
    assert len(set(server.queries)) == len(server.requests) == 15
    assert not clock.slept
    assert "maxQueryTimeMillis" not in server.requests[0].target
    assert all("maxQueryTimeMillis=20000" in request.target for request in server.requests[1:])


def test_a_batch_takes_thirty_requests_at_most(start: Start) -> None:
    server, endpoint = start(TIMEOUT)
    answer = endpoint.select(batch(100, size=50))
    assert len(server.requests) == 60
    assert set(answer.faults) == set(items(100))
    assert codes(answer) == {(Status.ERROR, "QUERY_TIMEOUT"), (Status.SKIPPED, "BUDGET")}


def test_a_query_without_a_batch_has_its_fault_under_the_empty_item(start: Start) -> None:
    server, endpoint = start(TIMEOUT)
    answer = endpoint.select(Query("SELECT ?s { ?s ?p ?o }"))
    assert answer.faults[()].status is Status.ERROR
    assert set(answer.faults) == {()}
    assert len(server.requests) == 1


# ---- a hostile endpoint


def test_a_redirect_to_another_host_is_not_followed(start: Start) -> None:
    elsewhere, _ = start()
    server, endpoint = start(Reply(302, b"", {"Location": elsewhere.url}))
    for count in (1, 300):  # GET and POST
        answer = endpoint.select(batch(count))
        assert codes(answer) == {(Status.ERROR, "NETWORK")}
    assert not elsewhere.requests
    assert len(server.requests) == 2
    assert elsewhere.url.split("/")[2] in answer.faults[items(1)[0]].message


@pytest.mark.parametrize(
    "location",
    [
        "http://localhost/sparql", "//evil.example/", "http://user:password@HOST/", "ftp://HOST/",
        "https://127.0.0.1/", "ftp://127.0.0.1/", "file:///etc/passwd", "http://[", "http://[::1",
        "http://a:99999999/", "http://HOST:port/", "/\x7f", "/" + "x" * 66_000, "",
        "\\\\evil.example\\",
    ],
)  # fmt: skip
def test_no_redirect_leads_astray(start: Start, location: str) -> None:
    def redirect(_: str) -> Reply:
        return Reply(307, b"", {"Location": location.replace("HOST", server.url.split("/")[2])})

    server, endpoint = start(redirect)
    answer = endpoint.select(batch(1))
    assert codes(answer) == {(Status.ERROR, "NETWORK")}
    assert "redirected to " in answer.faults[items(1)[0]].message
    assert len(server.requests) == 1


@pytest.mark.parametrize("count", [1, 300])
def test_a_redirect_on_the_same_host_is_followed_with_the_query(start: Start, count: int) -> None:
    def query_of(text: str) -> Reply:
        if len(server.requests) > 1:
            return echo(text)
        _, mark, parameters = server.requests[0].target.partition("?")
        return Reply(308, b"", {"Location": f"/elsewhere{mark}{parameters}"})

    server, endpoint = start(query_of)
    assert len(endpoint.select(batch(count)).rows) == count
    assert [request.target.partition("?")[0] for request in server.requests] == [
        "/sparql", "/elsewhere",
    ]  # fmt: skip
    assert endpoint.calls.requests == 2


def test_ten_gigabytes_are_not_read(start: Start) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(10_000):
            yield bytes(1_000_000)

    headers = {**JSON, "Content-Length": "10000000000"}
    server, endpoint = start(Reply(body=endless(), headers=headers))
    answer = endpoint.select(batch(2))
    assert codes(answer) == {(Status.ERROR, "TOO_LARGE")}
    assert 50_000_000 < endpoint.calls.received < 51_000_000
    assert len(server.requests) == 1


def test_a_gzip_bomb_does_not_go_off(start: Start) -> None:
    def bomb() -> Iterator[bytes]:
        packer = zlib.compressobj(9, wbits=31)
        for _ in range(10_000):
            yield packer.compress(bytes(1_000_000))

    _, endpoint = start(Reply(body=bomb(), headers={**JSON, "Content-Encoding": "gzip"}))
    assert codes(endpoint.select(batch(1))) == {(Status.ERROR, "TOO_LARGE")}
    assert 0 < endpoint.calls.received < 1_000_000


def test_json_of_too_many_values_is_not_built(start: Start) -> None:
    _, endpoint = start(Reply(200, b'{"results": [' + b"[]," * 2_000_001 + b"[]]}", JSON))
    assert codes(endpoint.select(batch(1))) == {(Status.ERROR, "TOO_LARGE")}


@pytest.mark.parametrize("where", ["headers", "body"])
def test_a_server_that_drips_is_left(
    start: Start, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(sparql, "_DEADLINE", 0.1)

    def drip() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n" if where == "headers" else b""
        while not server.stopping.wait(0.01):
            yield b"X-Name: value\r\n" if where == "headers" else b" "

    if where == "body":
        server, endpoint = start(Reply(body=drip()))
    else:
        server, endpoint = start(Reply(body=drip(), headers={}))
        monkeypatch.setattr(server.server.RequestHandlerClass, "send_response", lambda *_: None)
        monkeypatch.setattr(server.server.RequestHandlerClass, "end_headers", lambda *_: None)
    answer = endpoint.select(batch(1))
    assert codes(answer) == {(Status.ERROR, "NETWORK")}
    assert "within 0.1 s" in answer.faults[items(1)[0]].message
    assert len(server.requests) == 1


def test_what_a_server_says_stays_one_printable_line(start: Start) -> None:
    evil = "\x1b[2J\x07 <script>alert(1)</script>\r\n\u202egnp " + "x" * 5000
    _, endpoint = start(Reply(400, evil.encode(), HTML))
    (fault,) = endpoint.select(batch(1)).faults.values()
    assert fault.message.isprintable()
    assert len(fault.message) <= 200
    assert "<" not in fault.message


def test_where_nobody_listens_an_endpoint_is_asked_once(start: Start, clock: Clock) -> None:
    server, endpoint = start()
    server.__exit__(None, None, None)
    assert codes(endpoint.select(batch(1))) == {(Status.ERROR, "NETWORK")}
    assert not clock.slept


def test_no_proxy_is_used(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy, _ = start()
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy.url)
    server, endpoint = start()
    assert endpoint.select(batch(1)).rows
    assert not proxy.requests
    assert len(server.requests) == 1


CERTIFICATE = DATA / "loopback.pem"


def test_tls_is_spoken_with_those_who_are_trusted(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    server, endpoint = start(certificate=CERTIFICATE)
    assert len(endpoint.select(batch(300)).rows) == 300
    assert [request.method for request in server.requests] == ["POST"]


def test_nothing_is_sent_to_whom_no_certificate_vouches_for(start: Start) -> None:
    server, endpoint = start(certificate=CERTIFICATE)
    answer = endpoint.select(batch(1))
    assert codes(answer) == {(Status.ERROR, "NETWORK")}
    assert "certificate" in answer.faults[items(1)[0]].message.lower()
    assert not server.requests


# ---- manners


@pytest.mark.parametrize("url", ["https://query.wikidata.org/sparql", "http://localhost.evil.com/"])
def test_a_public_endpoint_is_not_asked_without_a_contact(url: str) -> None:
    with pytest.raises(ConfigError, match=r"`contact` .* GROUNDRULES_CONTACT") as error:
        Endpoint(url, now=NOW)
    assert "\n" not in str(error.value)
    assert Endpoint(url, now=NOW, contact="https://example.org/me").name == url.split("://")[1]
    assert Endpoint(url, now=NOW, offline=True).iri == URIRef(url)


@pytest.mark.parametrize("contact", ["me", "me@", "a b@c", "a@b\r\nX: y", "a@b)", "é@x", " "])
def test_a_contact_that_is_none_is_refused(contact: str) -> None:
    with pytest.raises(ConfigError, match="e-mail address or a URL"):
        Endpoint("https://example.org/sparql", now=NOW, contact=contact)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "127.0.0.1/sparql", "", "http://a b/",
        "http://127.0.0.1:x/?s3cret", "http://u:s3cret@127.0.0.1/", "http://127.0.0.1/#s3cret",
        "http://[::1/?s3cret", "http://[::1]x/", "http://u:s3/cret@127.0.0.1/?s3cret",
        "http://a\n/", "http://" + "a" * 300 + "/",
    ],
)  # fmt: skip
def test_a_url_that_cannot_be_asked_is_refused_in_a_line(url: str) -> None:
    with pytest.raises(ConfigError) as error:
        Endpoint(url, now=NOW, contact="me@example.org")
    assert "\n" not in str(error.value)
    assert "cret" not in str(error.value)


# ---- the cache


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "kb.sqlite")


def test_a_rerun_makes_no_request(start: Start, cache: Cache) -> None:
    server, endpoint = start(cache=cache)
    first = endpoint.select(batch(5, size=2))
    asked = len(server.requests)
    again = Endpoint(server.url, now=NOW, cache=cache)
    assert again.select(batch(5, size=2)) == first
    assert len(server.requests) == asked
    assert (again.calls.requests, again.calls.cached) == (0, 3)


def test_a_rerun_asks_only_for_parts_with_the_item_that_failed(start: Start, cache: Cache) -> None:
    server, endpoint = start(
        lambda query: TIMEOUT if "http://x/3" in asked_for(query) else echo(query), cache=cache
    )
    endpoint.select(batch(50))
    asked = len(server.requests)
    answer = Endpoint(server.url, now=NOW, cache=cache).select(batch(50))
    parts = [asked_for(query) for query in server.queries[asked:]]
    assert ["http://x/3"] in parts
    assert all("http://x/3" in part for part in parts)
    assert set(answer.faults) == {items(4)[3]}


@pytest.mark.parametrize(
    "reply", [TIMEOUT, BAN, Reply(400, b""), Reply(503, b""), Reply(200, b"{"), Reply(reset=True)]
)
def test_an_error_is_never_cached(start: Start, cache: Cache, reply: Reply) -> None:
    _, endpoint = start(reply, cache=cache)
    with cache_.recording() as used:
        assert endpoint.select(batch(1)).faults
    (key,) = used
    assert cache.get(key) is None
    server, _ = start()
    healthy = Endpoint(server.url, now=NOW, cache=cache)
    assert not healthy.select(batch(1)).faults


@pytest.mark.parametrize(("hours", "asked"), [(0.9, 1), (1.1, 2)])
def test_an_empty_answer_is_good_for_an_hour(
    start: Start, cache: Cache, hours: float, asked: int
) -> None:
    server, endpoint = start(Reply(body=rows()), cache=cache)
    endpoint.select(batch(1))
    later = datetime.fromtimestamp(NOW.timestamp() + hours * 3600, UTC)
    Endpoint(server.url, now=later, cache=cache).select(batch(1))
    assert len(server.requests) == asked


@pytest.mark.parametrize("days", [1, 7, 30])
def test_an_answer_is_good_for_as_long_as_its_query_says(
    start: Start, cache: Cache, days: float
) -> None:
    server, endpoint = start(cache=cache)
    query = Query(batch(1).text, {"subjects": items(1)}, days=days)
    endpoint.select(query)
    for offset, asked in ((-0.01, 1), (0.01, 2)):
        later = datetime.fromtimestamp(NOW.timestamp() + (days + offset) * 86400, UTC)
        answer = Endpoint(server.url, now=later, cache=cache).select(query)
        assert len(server.requests) == asked
    assert answer.retrieved == later.isoformat(timespec="seconds")


def test_offline_nothing_is_asked_and_a_miss_is_no_empty_answer(start: Start, cache: Cache) -> None:
    server, endpoint = start(cache=cache)
    known = endpoint.select(batch(2))
    late = datetime(2030, 1, 1, tzinfo=UTC)
    offline = Endpoint(server.url, now=late, cache=cache, offline=True)
    assert offline.select(batch(2)) == known
    missed = offline.select(batch(3))
    assert codes(missed) == {(Status.NOT_IN_SNAPSHOT, "NOT_IN_SNAPSHOT")}
    assert set(missed.faults) == set(items(3)[2:])
    assert missed.rows == known.rows
    assert codes(Endpoint(server.url, now=late, offline=True).select(batch(1))) == {
        (Status.NOT_IN_SNAPSHOT, "NOT_IN_SNAPSHOT")
    }
    assert len(server.requests) == 1


def test_a_snapshot_replays_a_run_with_its_faults(
    start: Start, cache: Cache, tmp_path: Path
) -> None:
    def odd(query: str) -> Reply:
        if "http://x/3" in asked_for(query):
            return TIMEOUT
        return BAN if "http://x/40" in asked_for(query) else echo(query)

    server, endpoint = start(odd, cache=cache)
    with cache_.recording() as used:
        first = endpoint.select(batch(60, size=10))
    assert {fault.code for fault in first.faults.values()} == {"QUERY_TIMEOUT", "BANNED"}
    path = tmp_path / "run.sqlite"
    cache_.write_snapshot(used.values(), path, NOW.date())
    asked = len(server.requests)
    late = datetime(2030, 1, 1, tzinfo=UTC)
    replay = Endpoint(server.url, now=late, cache=Cache(path, "read"), offline=True)
    assert replay.select(batch(60, size=10)) == first
    assert len(server.requests) == asked


# ---- a real server


def test_virtuoso_answers_though_it_refuses_long_blocks_and_leaves_rows_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rowlimit = "ResultSetMaxRows = 100000"
    assert rowlimit in servers._INI
    monkeypatch.setattr(servers, "_INI", servers._INI.replace(rowlimit, "ResultSetMaxRows = 200"))
    data = tmp_path / "data.nt"
    lines = [f"<http://x/{number}> <http://x/p> <http://x/o> .\n" for number in range(300)]
    data.write_text("".join(lines), encoding="utf-8")
    with servers.virtuoso(data) as url:
        endpoint = Endpoint(url, now=NOW)
        text = "SELECT ?s WHERE { VALUES ?s { $subjects } ?s <http://x/p> ?o }"
        many = endpoint.select(Query(text, {"subjects": items(300)}, batch="subjects"))
        long = [(URIRef(f"http://x/absent/{number}"),) for number in range(4400)]
        before = endpoint.calls.requests
        none = endpoint.select(Query(text, {"subjects": long}, batch="subjects", size=4400))
        sent = endpoint.calls.requests - before
        text = "SELECT ?o WHERE { VALUES ?o { $names } }"
        names = [Literal(attack) for attack in ATTACKS if "\0" not in attack]
        echoed = endpoint.select(Query(text, {"names": [(name,) for name in names]}))
        bad = endpoint.select(Query("SELECT nonsense"))
    assert not many.faults
    assert found(many) == {str(item[0]) for item in items(300)}
    assert none.rows == ()
    assert not none.faults
    assert sent == 3
    assert [row["o"] for row in echoed.rows] == names
    assert codes(bad) == {(Status.ERROR, "BAD_QUERY")}


# ---- the protocol


def test_what_the_url_of_an_endpoint_asks_for_goes_with_each_query() -> None:
    url = "https://host/sparql?default-graph-uri=http%3A%2F%2Fg&key=a%26b"
    short = write_request(url, "SELECT *", "me")
    long = write_request(url, "SELECT " + "?x" * 5000, "me", slow=True)

    assert parse_qs(str(short.url).partition("?")[2]) == {
        "default-graph-uri": ["http://g"], "key": ["a&b"], "query": ["SELECT *"],
    }  # fmt: skip
    assert str(long.url) == "https://host/sparql"
    assert set(parse_qs(long.content.decode())) == {
        "default-graph-uri", "key", "query", "maxQueryTimeMillis",
    }  # fmt: skip


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("more", ["", "?x" * 5000])
def test_whichever_client_writes_a_request_asks_for_the_same(more: str, slow: bool) -> None:
    url, text = "https://host/sparql?key=a%26b", "SELECT ?x WHERE { ?x ?p 'é' } #" + more
    ours, theirs = (writer(one)(url, text, "me (me@example.org)", slow) for one in CLIENTS)

    assert (ours.method, ours.url.path) == (theirs.method, theirs.url.path)
    asked = [
        parse_qs(one.content.decode() or one.url.query.decode(), keep_blank_values=True)
        for one in (ours, theirs)
    ]
    assert asked[0] == asked[1]
    assert ours.headers["User-Agent"] == theirs.headers["User-Agent"]
    assert ours.headers["Accept"] in theirs.headers["Accept"].split(",")
    assert ours.headers.get("Content-Type") == theirs.headers.get("Content-Type")


def test_a_client_that_there_is_none_of_is_told() -> None:
    with pytest.raises(ConfigError, match="unknown kb_client 'SparqlWrapper'; expected"):
        writer("SparqlWrapper")


def test_sparqlwrapper_writes_what_a_check_asks() -> None:
    with Misbehaving(Reply(500, b"no", TEXT)) as server:
        config = Config(kb=(server.url,), kb_tries=1, kb_client="SPARQLWrapper")
        check("Ada Hale was born in Ulm.", config=config)
        accepted = {one.headers["accept"] for one in server.requests}

    assert len(accepted) == 1
    assert "text/javascript" in accepted.pop()  # ours does not ask for it
