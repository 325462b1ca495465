"""Traces (OpenTelemetry): a span for each request, task of a worker, and call of a model.

They are off unless the environment names where they go, by the variables that are standard. What is
told are ways, statuses, counts and hashes: no text, name, question, address or key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from groundrules import __version__
from groundrules.errors import ConfigError
from groundrules.service.refusals import RefusedError

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

    from groundrules.llm.client import Call

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")
_SPOKEN = "http/protobuf"

Told = str | int | float | bool


class Spans:
    """The spans of a service; without a tracer there are none, and nothing is spent on them."""

    def __init__(
        self, tracer: Tracer | None = None, end: Callable[[], object] = lambda: None
    ) -> None:
        self._tracer = tracer
        #: Sends what is not yet sent.
        self.close = end

    @contextmanager
    def request(self, method: str, headers: Mapping[bytes, str]) -> Iterator[None]:
        """Have what happens be a span, part of that of who asked, if it says so."""
        if self._tracer is None:
            yield
            return
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        # of a client's headers this one alone, whose form is checked
        asked = {"traceparent": headers.get(b"traceparent", "")}
        with self._tracer.start_as_current_span(
            _method(method),
            context=TraceContextTextMapPropagator().extract(asked),
            kind=SpanKind.SERVER,
            attributes={"http.request.method": _method(method)},
            record_exception=False,  # its words could be those of a text
            set_status_on_exception=False,
        ):
            yield

    def answered(self, method: str, way: str, status: int) -> None:
        """Note on the span of a request how it was answered."""
        if self._tracer is None:
            return
        from opentelemetry.trace import StatusCode, get_current_span

        span = get_current_span()
        span.update_name(f"{_method(method)} {way}")
        span.set_attributes({"http.route": way, "http.response.status_code": status})
        if status >= 500:
            span.set_status(StatusCode.ERROR)

    @contextmanager
    def part(self, name: str, **told: Told) -> Iterator[None]:
        """Have what happens be a span within that of the request."""
        if self._tracer is None:
            yield
            return
        from opentelemetry.trace import StatusCode

        with self._tracer.start_as_current_span(
            name,
            attributes={f"groundrules.{key}": value for key, value in told.items()},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            except Exception as error:
                kind = (
                    str(error.status) if isinstance(error, RefusedError) else type(error).__name__
                )
                span.set_attribute("error.type", kind)
                span.set_status(StatusCode.ERROR)
                raise

    def begin(self, name: str) -> Callable[..., None]:
        """Begin a span within that of the request; what is returned ends it, as `__exit__` does.

        For what goes on after the request is answered, such as a stream.
        """
        if self._tracer is None:
            return lambda *_: None
        from opentelemetry.trace import StatusCode

        span = self._tracer.start_span(name)

        def end(kind: type[BaseException] | None = None, *_: object) -> None:
            if kind is not None:
                span.set_attribute("error.type", kind.__name__)
                span.set_status(StatusCode.ERROR)
            span.end()

        return end

    def calls(self, made: Iterable[Call]) -> None:
        """Have each request to a language model be a span within that which is open."""
        if self._tracer is None:
            return
        for call in made:
            told = {
                "groundrules.prompt_tokens": call.prompt_tokens,
                "groundrules.completion_tokens": call.completion_tokens,
            }
            span = self._tracer.start_span("model", attributes=told, start_time=call.began)
            span.end(call.ended)

    def note(self, **told: Told) -> None:
        """Note something on the span that is open."""
        if self._tracer is None:
            return
        from opentelemetry.trace import get_current_span

        get_current_span().set_attributes({f"groundrules.{k}": v for k, v in told.items()})


def _method(name: str) -> str:
    return name if name in _METHODS else "_OTHER"  # as the conventions call what a client made up


def start() -> Spans:
    """Return the spans that the environment asks for, none if it does not.

    ConfigError where the packages are missing, or another protocol than HTTP is asked for.
    """
    environment = os.environ.get
    off = environment("OTEL_SDK_DISABLED", "").lower() == "true"
    if (
        off
        or environment("OTEL_TRACES_EXPORTER") == "none"
        or not any(map(environment, _ENDPOINTS))
    ):
        return Spans()
    spoken = next(filter(None, map(environment, _PROTOCOLS)), _SPOKEN)
    if spoken != _SPOKEN:
        raise ConfigError(f"{_PROTOCOLS[1]} is {spoken!r}; expected {_SPOKEN}")
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise ConfigError(
            f"traces need {error.name}; run: pip install 'groundrules[otel]', or unset "
            f"{_ENDPOINTS[1]}"
        ) from None
    named = {SERVICE_VERSION: __version__}
    if not environment("OTEL_SERVICE_NAME") and SERVICE_NAME not in environment(
        "OTEL_RESOURCE_ATTRIBUTES", ""
    ):
        named[SERVICE_NAME] = "groundrules"
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Spans(provider.get_tracer("groundrules", __version__), provider.shutdown)
