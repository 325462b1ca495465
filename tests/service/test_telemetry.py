"""Traces of the service: what is in them, what is not, and when there are none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from threading import Thread
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from groundrules.errors import ConfigError
from groundrules.service import telemetry
from groundrules.service.startup import Settings
from groundrules.service.telemetry import Spans
from tests.llm_server import Server, chat
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
