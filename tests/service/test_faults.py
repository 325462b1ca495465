"""Whatever a client or a worker does: a clear status, and the next request is served."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import pytest_socket
from pydantic import ValidationError

from groundrules import pool as pool_
from groundrules.service import gate, server, state
from groundrules.service.access import LOOPBACK
from groundrules.service.bodies import CheckBody
from groundrules.service.startup import Settings
from tests.rows import each
from tests.service.doubles import BROKEN, Double
from tests.service.serving import Served
from tests.service.serving import in_processes as serving

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]
KEY = "a-key-of-one-client"


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "Worker", Double)


@pytest.fixture(scope="module")
def standing() -> Iterator[Served]:
    """One service with a stand-in for its worker, for all tests that leave it as it was."""
    pytest_socket.enable_socket()  # its fixtures are those of single tests
    given = Settings(workers=1, queue=1, seconds=90, body=2**20, memory=2**28, hosts=LOOPBACK)
    with ExitStack() as stack:
        stack.callback(pytest_socket.disable_socket, allow_unix_socket=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(state, "Worker", Double)
            found = stack.enter_context(serving(given, http=server._Protocol))
        yield found


@pytest.fixture
def doubled(standing: Served) -> Iterator[Served]:
    yield standing
    assert standing.check(text="answer").status_code == 200


def message(answer: httpx.Response, status: int) -> str:
    """Return what a refusal says, which has one form: a problem of RFC 9457, and OpenAI's error."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["error"] == {"status": status, "message": told["detail"]}
    assert (told["type"], told["title"]) == ("about:blank", HTTPStatus(status).phrase)
    assert told["status"] == status
    assert "\n" not in told["detail"]
    return str(told["detail"])


@each("body said")
def test_a_malformed_body_is_told_in_a_line(served: Served, body: str, said: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = served.client.post("/check", content=body.encode(), headers=headers)
    assert message(answer, 400).startswith(said)


def test_a_text_that_cannot_be_read_is_told_and_what_was_sent_is_not_repeated(
    served: Served,
) -> None:
    secret = "swordfish"
    answer = served.client.post("/check", json={"text": [secret], "sources": [{"x": secret}]})
    assert secret not in message(answer, 400)
    answer = served.check(sources=[{"name": "a.pdf", "base64": "eHh4eA=="}])
    assert message(answer, 422).startswith("a.pdf: ")
    assert message(served.check(sources=[]), 422)
    assert served.check().status_code == 200


def test_what_is_not_there_is_told(served: Served) -> None:
    assert message(served.client.get("/rules/GR999"), 404).startswith("no such rule; did you mean")
    assert message(served.client.get("/nowhere"), 404) == "not found"
    # no proxy where no upstream was named
    assert served.client.post("/v1/chat/completions", json={}).status_code == 404
    assert message(served.client.get("/page/..%2fapp.py"), 404)
    gone = f"sha256:{'0' * 64}"
    assert gone in message(served.check(sources=[{"index": gone}]), 404)
    assert message(served.client.get("/check"), 405) == "method not allowed"
    assert message(served.client.post("/ask", json={"question": "Who?"}), 404)
    body = {"schema": "lease", "sources": [{"text": "x"}]}
    assert message(served.client.post("/extract", json=body), 400)
    answer = served.client.post("/check?format=doc", json={"text": "x"})
    assert message(answer, 400).startswith("no such format; expected text,")


def test_a_page_of_another_site_gets_nothing(doubled: Served) -> None:
    """Neither a form, which needs no leave, nor what would ask for leave, nor a name of its own."""
    plain = {"Content-Type": "text/plain", "Origin": "http://evil.example"}
    body = b'{"text": "x"}'
    assert message(doubled.client.post("/check", content=body, headers=plain), 415)
    asking = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    answer = doubled.client.options("/check", headers=asking)
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert message(doubled.client.get("/settings", headers={"Host": "evil.example"}), 421)
    assert message(doubled.client.get("/settings", headers={"Host": "evil.example:80"}), 421)


def test_a_body_that_is_too_large_or_packed_is_refused(doubled: Served) -> None:
    large = b'{"text": "' + b"x" * 50_000_000 + b'"}'
    headers = {"Content-Type": "application/json"}
    assert message(doubled.client.post("/check", content=large, headers=headers), 413)
    pieces = (b"x" * 100_000 for _ in range(500))  # whose length is not told
    assert message(doubled.client.post("/check", content=pieces, headers=headers), 413)
    packed = {**headers, "Content-Encoding": "gzip"}
    assert message(doubled.client.post("/check", content=b"\x1f\x8b", headers=packed), 415)


def test_a_body_of_unknown_keys_costs_no_more_than_its_reading(doubled: Served) -> None:
    """A million of them, of which each was a fault of its own, kept all others waiting for 5 s."""
    keys = {f"k{number}": 1 for number in range(100_000)}
    with pytest.raises(ValidationError) as caught:
        CheckBody.model_validate({"text": "x", "sources": [keys, keys], **keys})
    assert caught.value.error_count() == 1
    with pytest.raises(ValidationError) as caught:
        CheckBody.model_validate({"text": "x", "sources": [keys] * 64})
    assert caught.value.error_count() == 64


def test_no_body_is_read_where_none_is_expected(doubled: Served) -> None:
    for way in ("/health", "/ready", "/metrics", "/nothing"):
        with connect(doubled) as line:
            line.sendall(post(b"", 10**9).replace(b"/check", way.encode()))
            assert line.recv(4096).split()[1] in (b"405", b"404"), way


def connect(served: Served) -> socket.socket:
    place = urlsplit(served.url)
    assert place.hostname
    assert place.port
    return socket.create_connection((place.hostname, place.port), timeout=30)


def post(body: bytes, length: int, more: bytes = b"") -> bytes:
    return (
        b"POST /check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n%b\r\n%b" % (length, more, body)
    )


def test_a_client_that_sends_slowly_is_told(
    doubled: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "_SENDING", 0.2)
    with connect(doubled) as line:
        line.sendall(post(b'{"text"', 100))
        assert line.recv(4096).startswith(b"HTTP/1.1 408 ")


HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize("again", [b"GET / HTT", post(b'{"te', 100)])
def test_a_client_that_leaves_its_second_request_unfinished_is_left(
    doubled: Served, monkeypatch: pytest.MonkeyPatch, again: bytes
) -> None:
    monkeypatch.setattr(server, "_IDLE", 0.3)
    monkeypatch.setattr(gate, "_SENDING", 0.3)
    with connect(doubled) as line:
        healthy(line)
        line.settimeout(10)
        line.sendall(again)
        while line.recv(4096):  # an answer to the body that did not come, if it was one
            pass


def test_bytes_that_drip_keep_no_connection(
    doubled: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_IDLE", 0.5)
    with connect(doubled) as line:
        healthy(line)
        began = time.monotonic()
        with suppress(ConnectionError):
            for byte in HEALTH * 9:
                line.sendall(bytes([byte]))
                time.sleep(0.05)
        assert time.monotonic() - began < 12  # of 19 that the bytes take


def test_a_connection_is_kept_for_requests_that_come_in_time(
    doubled: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_IDLE", 0.6)
    slow = b'{"text": "sleep 1.2"}'  # longer than the time that a request has to come
    with connect(doubled) as line:
        for _ in range(3):
            healthy(line)
            time.sleep(0.3)
        line.sendall(HEALTH + post(slow, len(slow)))  # the second behind the first, at once
        told = b""
        while told.count(b"HTTP/1.1 200 ") < 2 or b"pid" not in told:
            part = line.recv(4096)
            assert part
            told += part


def test_others_are_answered_beside_clients_that_leave_their_requests_unfinished(
    double: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_IDLE", "_SENDING"):
        monkeypatch.setattr(server, name, 0.5)
    with (
        serving(Settings(workers=1), http=server._Protocol, limit=4) as served,
        ExitStack() as all_,
    ):
        for line in [all_.enter_context(connect(served)) for _ in range(3)]:
            healthy(line)
            line.sendall(b"GET / HTT")
        assert served.client.get("/health").status_code == 503
        wait_for(lambda: served.client.get("/health").status_code == 200, seconds=10)


def healthy(line: socket.socket) -> None:
    """Ask over a line that is kept whether the service is up, and read the whole answer."""
    line.sendall(HEALTH)
    told = b""
    while not told.endswith(b"}"):
        part = line.recv(4096)
        assert part
        told += part
    assert told.startswith(b"HTTP/1.1 200 ")


def test_a_client_that_is_gone_leaves_the_queue(doubled: Served) -> None:
    pool = doubled.service.pool
    with ThreadPoolExecutor(1) as threads:
        working = threads.submit(doubled.check, text="sleep 1")
        wait_for(lambda: pool.busy == 1)
        body = b'{"text": "answer"}'
        with connect(doubled) as line:
            line.sendall(post(body, len(body)))
            wait_for(lambda: pool.waiting == 1)
        wait_for(lambda: pool.waiting == 0)
        assert not working.done()
        assert working.result().status_code == 200


def test_what_is_too_much_is_refused_at_once(doubled: Served) -> None:
    with ThreadPoolExecutor(2) as threads:
        working = [threads.submit(doubled.check, text="sleep 1") for _ in range(2)]
        wait_for(lambda: doubled.service.pool.full)
        answer = doubled.check()
        assert "try again" in message(answer, 429)
        assert int(answer.headers["Retry-After"]) >= 1
        assert all(one.result().status_code == 200 for one in working)


@pytest.mark.parametrize(("text", "status"), [("die", 503), ("swell", 413), ("fail", 422)])
def test_what_ends_a_worker_is_told(doubled: Served, text: str, status: int) -> None:
    message(doubled.check(text=text), status)


def test_what_takes_too_long_is_told(double: None) -> None:
    with serving(Settings(workers=1, seconds=3.0)) as served:
        assert message(served.check(text="sleep 60"), 504).startswith("it took longer than 3 s")
        wait_for(lambda: served.service.pool.ready == 1)
        assert served.check(text="answer").status_code == 200


def test_a_missing_model_is_told_until_it_is_there(
    double: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_, "_AGAIN", 0.2)
    monkeypatch.setenv(BROKEN, str(tmp_path / "broken"))
    with serving(Settings(workers=1)) as served:
        (tmp_path / "broken").touch()
        message(served.check(text="die"), 503)
        message(served.check(text="answer"), 503)
        message(served.client.get("/ready"), 503)
        assert served.client.get("/health").status_code == 200
        (tmp_path / "broken").unlink()
        time.sleep(0.3)
        assert served.check(text="answer").status_code == 200
        assert served.client.get("/ready").status_code == 200


def test_who_has_no_key_gets_nothing_but_the_page(double: None) -> None:
    with serving(Settings(workers=1, keys=("another-long-key-here", KEY))) as served:
        for way in ("/settings", "/rules", "/metrics", "/openapi.json", "/check", "/nowhere"):
            assert message(served.client.get(way), 401)
        for header in (f"Bearer {KEY}x", f"Bearer {KEY[:-1]}", f"Basic {KEY}", KEY, "Bearer"):
            headers = {"Authorization": header}
            answer = served.client.get("/settings", headers=headers)
            assert message(answer, 401) == "the key is not one of this service"
            assert answer.headers["WWW-Authenticate"] == "Bearer"
        for way in ("/", "/health", "/ready"):
            assert served.client.get(way).status_code == 200
        headers = {"Authorization": f"Bearer {KEY}"}
        assert served.client.get("/settings", headers=headers).status_code == 200
        answer = served.client.post("/check", json={"text": "answer"}, headers=headers)
        assert answer.status_code == 200


def test_what_is_in_work_is_finished_and_what_is_new_refused(double: None) -> None:
    with ThreadPoolExecutor(1) as threads:
        with serving(Settings(workers=1)) as served:
            working = threads.submit(
                httpx.post, f"{served.url}/check", json={"text": "sleep 1"}, trust_env=False
            )
            wait_for(lambda: served.service.pool.busy == 1)
            ending = threading.Thread(target=served.end)
            ending.start()
            wait_for(lambda: refuses(served))
            assert not working.done()
            ending.join()
        assert working.result().status_code == 200


def refuses(served: Served) -> bool:
    try:
        connect(served).close()
    except ConnectionRefusedError:
        return True
    return False


def test_no_text_query_or_key_comes_into_the_log(
    double: None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    words = ["swordfish", "marlin", "grouper-name", "halibut-query", KEY]
    with serving(Settings(workers=1, keys=(KEY,))) as served:
        for text in ("fail marlin", "die marlin", "marlin"):
            body: dict[str, Any] = {
                "text": text,
                "question": "swordfish",
                "sources": [{"name": "grouper-name", "text": "swordfish"}],
            }
            served.client.post(
                "/check?format=json&x=halibut-query",
                json=body,
                headers={"Authorization": f"Bearer {KEY}"},
            )
        served.client.get("/marlin")
    ours = [r.getMessage() for r in caplog.records if not r.name.startswith(("http", "asyncio"))]
    assert any("POST /check 422" in line for line in ours)
    assert [word for word in words for line in ours if word in line] == []


def test_an_error_of_ours_is_told_without_its_words(
    doubled: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("marlin")

    with monkeypatch.context() as patch:
        patch.setattr(doubled.service, "check_of", fail)
        assert message(doubled.check(), 500) == "internal error"
    ours = [r.getMessage() for r in caplog.records if r.name == "groundrules.service"]
    assert [line for line in ours if line.startswith("ValueError at test_faults.py:")]
    assert not [line for line in ours if "marlin" in line]


def wait_for(there: Any, seconds: float = 90) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end
        time.sleep(0.01)
