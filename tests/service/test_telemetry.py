"""Traces of the service: what is in them, what is not, and when there are none."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from threading import Thread
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from groundrules.config import Config, LLMConfig
from groundrules.errors import ConfigError
from groundrules.service import telemetry
from groundrules.service.startup import Settings
from groundrules.service.telemetry import Spans
from tests.llm_server import Reply, Request, Server, chat
from tests.loopback import Loopback, send
from tests.service.serving import BODY, SOURCE, TEXT, serving

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
Traced = Callable[[], tuple[ReadableSpan, ...]]


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*telemetry._ENDPOINTS, *telemetry._PROTOCOLS, "OTEL_SDK_DISABLED"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Traced:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(telemetry, "start", lambda: Spans(provider.get_tracer("test")))
    return exporter.get_finished_spans


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_request_is_a_span_with_its_parts_and_no_text(traced: Traced) -> None:
    with Server(chat(TEXT)) as upstream, serving(Settings(workers=1, upstream=upstream.url)) as app:
        parent = f"00-{'a' * 32}-{'b' * 16}-01"
        secret = {"traceparent": parent, "tracestate": "otter=1", "Authorization": "Bearer otter"}
        assert app.client.post("/check", json=BODY, headers=secret).status_code == 200
        asked = {"messages": [], "groundrules": {"sources": BODY["sources"]}}
        assert app.client.post("/v1/chat/completions", json=asked).status_code == 200
        assert app.client.request("OTTER", "/otter?otter").status_code == 404
        wrong = {**BODY, "document": {"name": "otter.txt", "base64": "b3R0ZXI="}}
        assert app.client.post("/check", json=wrong).status_code == 400
        unread = {"document": {"name": "otter.pdf", "base64": "b3R0ZXI="}}
        assert app.client.post("/check", json={**unread, "sources": []}).status_code == 422
    told = [
        (span.name, span.attributes.get("http.response.status_code"), span.attributes)
        for span in traced() if span.attributes is not None
    ]  # fmt: skip
    names = [(name, status) for name, status, _ in told]

    assert names == [
        ("check", None),
        ("POST /check", 200),
        ("upstream", None),
        ("answer", None),
        ("POST /v1/chat/completions", 200),
        ("_OTHER -", 404),
        ("POST /check", 400),
        ("check", None),
        ("POST /check", 422),
    ]
    assert told[0][2] == {"groundrules.sources": 1, "groundrules.characters": len(TEXT)}
    assert told[4][2]["groundrules.decision"] == "fix"
    assert told[7][2]["error.type"] == "422"
    spans = traced()
    assert spans[0].context
    assert spans[1].context
    assert spans[1].parent
    assert spans[1].parent.span_id == int("b" * 16, 16)
    assert spans[0].parent
    assert spans[0].parent.span_id == spans[1].context.span_id
    whole = "".join(span.to_json() for span in spans).lower()
    assert not any(word in whole for word in ("otter", "register", "1994", "bearer", SOURCE))
    assert not any(span.events for span in spans)


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_streamed_answer_has_the_span_of_its_model_too_and_a_whole_one_its_tokens(
    traced: Traced,
) -> None:
    asked = {"messages": [], "groundrules": {"sources": BODY["sources"]}}
    with Server(chat(TEXT)) as upstream, serving(Settings(workers=1, upstream=upstream.url)) as app:
        app.client.post("/v1/chat/completions", json=asked)
        (whole,) = [one for one in traced() if one.name == "upstream"]
        assert app.client.post("/v1/chat/completions", json={**asked, "stream": True}).text
    assert set(whole.attributes or {}) == {
        "groundrules.prompt_tokens",
        "groundrules.completion_tokens",
    }
    request = next(one for one in reversed(traced()) if one.name.startswith("POST"))
    streamed = [one for one in traced() if one.name == "upstream"][1:]
    assert len(streamed) == 1
    assert streamed[0].parent == request.context


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_each_request_to_the_model_that_grades_is_a_span_within_that_of_its_task(
    traced: Traced, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")

    def answered(request: Request) -> Reply:
        named = request.body["response_format"]["json_schema"]["schema"]["properties"]
        return chat({name: [] for name in named}, usage=(100, 10))

    open_ = {**BODY, "text": "The Otter is painted red by friends of the harbour every spring."}
    with Server(answered) as model:
        given = Settings(config=Config(llm=LLMConfig(model.url, retries=0)), workers=1)
        with serving(given) as app:
            assert app.client.post("/check", json=open_).status_code == 200
    spans = traced()
    task = next(one for one in spans if one.name == "check")
    asked = [one for one in spans if one.name == "model"]
    assert len(asked) == len(model.requests) > 0
    for one in asked:
        assert one.attributes == {
            "groundrules.prompt_tokens": 100,
            "groundrules.completion_tokens": 10,
        }
        assert one.parent == task.context
        assert (task.start_time or 0) <= (one.start_time or 0) < (one.end_time or 0)
        assert (one.end_time or 0) <= (task.end_time or 0)


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_stream_whose_sentences_pass_one_by_one_is_checked_from_its_first_on(
    traced: Traced,
) -> None:
    task = "admit"

    def named() -> list[str]:
        return [span.name for span in traced()]

    def lines() -> Iterator[bytes]:
        yield said(SOURCE[:35])  # the first sentence and a word
        end = time.monotonic() + 60
        while task not in named() and time.monotonic() < end:
            time.sleep(0.02)
        yield said(SOURCE[35:])
        yield said("", "stop") + b"data: [DONE]\n\n"

    def said(text: str, finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
        return f"data: {json.dumps({'id': 'x', 'choices': [choice]})}\n\n".encode()

    streamed = Reply(200, lines(), {"Content-Type": "text/event-stream"})
    given = {"sources": BODY["sources"], "policy": {"on_fail": "refrain"}}
    asked = {"messages": [], "stream": True, "groundrules": given}
    with Server(streamed) as upstream, serving(Settings(workers=1, upstream=upstream.url)) as app:
        told = app.client.post("/v1/chat/completions", json=asked).text
    assert '"decision": "pass"' in told
    assert named().index(task) < named().index("answer")
    assert named().index(task) < named().index("upstream")


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {ENDPOINT: "http://127.0.0.1:4318", "OTEL_SDK_DISABLED": "true"},
        {ENDPOINT: "http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER": "none"},
    ],
)
def test_there_are_no_traces_unless_the_environment_says_where_they_go(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)  # it is not even looked for
    assert telemetry.start()._tracer is None


def test_what_cannot_be_traced_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:4318")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    with pytest.raises(ConfigError, match="'grpc'; expected http/protobuf"):
        telemetry.start()
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_PROTOCOL")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ConfigError, match=r"groundrules\[otel\]"):
        telemetry.start()


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_spans_go_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    got: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            got.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            send(self, 200, {}, b"")

    with Loopback(("127.0.0.1", 0), Collector) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        monkeypatch.setenv(ENDPOINT, f"http://127.0.0.1:{server.server_port}")
        spans = telemetry.start()
        with spans.part("check", sources=2):
            pass
        spans.close()
        server.shutdown()
        thread.join()
    ((path, body),) = got
    assert path == "/v1/traces"
    assert b"groundrules" in body
    assert b"check" in body
