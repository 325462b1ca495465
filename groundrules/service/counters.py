"""Counters for Prometheus: requests, seconds, the queue, workers, index and language model."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from groundrules.explain.findings import standing
from groundrules.llm.budget import Totals
from groundrules.pool import Pool
from groundrules.service.contexts import Contexts
from groundrules.terms import Report

#: The media type of what `Counters.text` returns.
MEDIA = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
#: What is counted as it happens: what it is, and what its labels say.
_COUNTED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "requests": ("Requests.", ("path", "status")),
    "statements": ("Statements that were checked.", ("outcome",)),
    "findings": ("Findings that count.", ("rule",)),
    "decisions": ("Decisions of policies.", ("decision",)),
    "reader_statements": ("Statements that readers have read.", ("reader",)),
}


class Counters:
    """What happened since the start, and how things stand."""

    def __init__(self, pool: Pool, contexts: Contexts, totals: Totals | None = None) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Told(lambda: _standing(pool, contexts)))
        if totals is not None:
            self._registry.register(_Told(lambda: _spent(totals)))
        self._counted = {
            name: Counter(f"groundrules_{name}", told, labels, registry=self._registry)
            for name, (told, labels) in _COUNTED.items()
        }
        self._seconds = Histogram(
            "groundrules_request_seconds",
            "Seconds that requests took.",
            ["path"],
            buckets=_BUCKETS,
            registry=self._registry,
        )

    def note(self, way: str, status: int, seconds: float) -> None:
        """Count a request by the way it was made for."""
        self._counted["requests"].labels(way, str(status)).inc()
        self._seconds.labels(way).observe(seconds)

    def count(self, counts: Iterable[tuple[str, str, int]], decision: str = "") -> None:
        """Count what a check found, each under one of the names above, and the decision."""
        for kind, name, number in counts:
            self._counted[kind].labels(name).inc(number)
        if decision:
            self._counted["decisions"].labels(decision).inc()

    def text(self) -> bytes:
        """Return everything in Prometheus's text format."""
        return generate_latest(self._registry)


def counted(report: Report) -> tuple[tuple[str, str, int], ...]:
    """Return what a service counts of a report: what, of which name, and how many."""
    outcomes = Tally(standing(one, report) for one in report.statements)
    rules = Tally(one.rule for one in report.violations if report.stands(one))
    readers = Tally(one.read_by for one in report.statements if one.read_by)
    return tuple(
        (kind, name, number)
        for kind, found in (
            ("statements", outcomes),
            ("findings", rules),
            ("reader_statements", readers),
        )
        for name, number in sorted(found.items())
    )


def spent(totals: Totals) -> bytes:
    """Return what a language model and readers have taken, in Prometheus's text format."""
    registry = CollectorRegistry()
    registry.register(_Told(lambda: _spent(totals)))
    return generate_latest(registry)


class _Told(Collector):
    """What is told when it is asked for."""

    def __init__(self, tell: Callable[[], Iterator[Metric]]) -> None:
        self._tell = tell

    def collect(self) -> Iterator[Metric]:
        return self._tell()


_Family = type[CounterMetricFamily] | type[GaugeMetricFamily]


def _family(kind: _Family, name: str, told: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a metric by a label; with no label its one value."""
    made = kind(f"groundrules_{name}", told, labels=[label] if label else [])
    for one, value in values.items():
        made.add_metric([one] if label else [], value)
    return made


def _standing(pool: Pool, contexts: Contexts) -> Iterator[Metric]:
    for name, told, value in (
        ("queue", "Requests that wait for a worker.", pool.waiting),
        ("workers", "Workers that are ready.", pool.ready),
        ("workers_busy", "Workers at work.", pool.busy),
        ("workers_memory_bytes", "Memory of all workers.", sum(pool.memory())),
        ("index_contexts", "Contexts in the index.", len(contexts)),
        ("index_bytes", "Bytes of the contexts in the index.", contexts.bytes),
    ):
        yield _family(GaugeMetricFamily, name, told, "", {"": value})
    yield _family(CounterMetricFamily, "workers_replaced", "Workers that were replaced.", "cause",
                  pool.replaced)  # fmt: skip


def _spent(totals: Totals) -> Iterator[Metric]:
    used = totals.used()
    counter, gauge = CounterMetricFamily, GaugeMetricFamily
    yield _family(counter, "llm_requests", "Requests to the language model and to readers.", "",
                  {"": used.requests})  # fmt: skip
    yield _family(counter, "llm_refused", "Requests to them that a limit of tokens kept back.", "",
                  {"": used.refused})  # fmt: skip
    yield _family(counter, "llm_tokens", "Tokens of the language model and of readers.", "of",
                  {"prompts": used.sent, "answers": used.received})  # fmt: skip
    yield _family(gauge, "llm_tokens_spent",
                  "Tokens of this hour and day of UTC; what is under way at its most.", "in",
                  {"hour": used.of_hour, "day": used.of_day})  # fmt: skip
    yield _family(gauge, "llm_tokens_limit",
                  "Tokens that an hour and a day may take; 0 is no limit.", "in",
                  {"hour": totals.most_hour, "day": totals.most_day})  # fmt: skip
