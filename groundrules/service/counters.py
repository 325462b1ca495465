"""Counters for Prometheus: requests, seconds, the queue, workers, index and language model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from groundrules.llm.budget import Totals
from groundrules.pool import Pool
from groundrules.service.contexts import Contexts
from groundrules.service.jobs import Taken

#: The media type of what `Counters.text` returns.
MEDIA = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Counters:
    """What happened since the start, and how things stand."""

    def __init__(self, pool: Pool, contexts: Contexts, totals: Totals | None = None) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Standing(pool, contexts))
        if totals is not None:
            self._registry.register(_Spent(totals))
        self._requests = Counter(
            "groundrules_requests", "Requests.", ["path", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "groundrules_request_seconds",
            "Seconds that requests took.",
            ["path"],
            buckets=_BUCKETS,
            registry=self._registry,
        )

        self._outcomes = Counter(
            "groundrules_statements", "Statements that were checked.", ["outcome"],
            registry=self._registry,
        )  # fmt: skip
        self._rules = Counter(
            "groundrules_findings", "Findings that count.", ["rule"], registry=self._registry
        )
        self._decisions = Counter(
            "groundrules_decisions", "Decisions of policies.", ["decision"],
            registry=self._registry,
        )  # fmt: skip

        self._read = Counter(
            "groundrules_reader_statements", "Statements that readers have read.", ["reader"],
            registry=self._registry,
        )  # fmt: skip
        self._readers = Counter(
            "groundrules_reader_requests", "Requests to readers at endpoints.",
            registry=self._registry,
        )  # fmt: skip
        self._tokens = Counter(
            "groundrules_reader_tokens", "Tokens of readers at endpoints.", ["of"],
            registry=self._registry,
        )  # fmt: skip

    def note(self, way: str, status: int, seconds: float) -> None:
        """Count a request by the way it was made for."""
        self._requests.labels(way, str(status)).inc()
        self._seconds.labels(way).observe(seconds)

    def count(self, counts: Iterable[tuple[str, str, int]], decision: str = "") -> None:
        """Count what a check found, and the decision.

        That is statements by standing and by who read them last, and findings by rule.
        """
        kinds = {"outcome": self._outcomes, "rule": self._rules, "reader": self._read}
        for kind, name, number in counts:
            kinds[kind].labels(name).inc(number)
        if decision:
            self._decisions.labels(decision).inc()

    def count_readers(self, taken: Taken) -> None:
        """Count what readers at endpoints took for a request."""
        self._readers.inc(taken.requests)
        self._tokens.labels("prompts").inc(taken.sent)
        self._tokens.labels("answers").inc(taken.received)

    def text(self) -> bytes:
        """Return everything in Prometheus's text format."""
        return generate_latest(self._registry)


def spent(totals: Totals) -> bytes:
    """Return what a language model and readers have taken, in Prometheus's text format."""
    registry = CollectorRegistry()
    registry.register(_Spent(totals))
    return generate_latest(registry)


class _Standing(Collector):
    def __init__(self, pool: Pool, contexts: Contexts) -> None:
        self._pool, self._contexts = pool, contexts

    def collect(self) -> Iterator[Metric]:
        for name, help_, value in (
            ("queue", "Requests that wait for a worker.", self._pool.waiting),
            ("workers", "Workers that are ready.", self._pool.ready),
            ("workers_busy", "Workers at work.", self._pool.busy),
            ("workers_memory_bytes", "Memory of all workers.", sum(self._pool.memory())),
            ("index_contexts", "Contexts in the index.", len(self._contexts)),
            ("index_bytes", "Bytes of the contexts in the index.", self._contexts.bytes),
        ):
            yield GaugeMetricFamily(f"groundrules_{name}", help_, value)
        replaced = CounterMetricFamily(
            "groundrules_workers_replaced", "Workers that were replaced.", labels=["cause"]
        )
        for cause, count in self._pool.replaced.items():
            replaced.add_metric([cause], count)
        yield replaced


class _Spent(Collector):
    def __init__(self, totals: Totals) -> None:
        self._totals = totals

    def collect(self) -> Iterator[Metric]:
        used = self._totals.used()
        for name, help_, value in (
            ("requests", "Requests to the language model and to readers.", used.requests),
            ("refused", "Requests to them that a limit of tokens kept back.", used.refused),
        ):
            yield CounterMetricFamily(f"groundrules_llm_{name}", help_, value)
        tokens = CounterMetricFamily(
            "groundrules_llm_tokens", "Tokens of the language model and of readers.", labels=["of"]
        )
        tokens.add_metric(["prompts"], used.sent)
        tokens.add_metric(["answers"], used.received)
        yield tokens
        spent = GaugeMetricFamily(
            "groundrules_llm_tokens_spent",
            "Tokens of this hour and day of UTC; what is under way at its most.",
            labels=["in"],
        )
        most = GaugeMetricFamily(
            "groundrules_llm_tokens_limit",
            "Tokens that an hour and a day may take; 0 is no limit.",
            labels=["in"],
        )
        for window, count, limit in (
            ("hour", used.of_hour, self._totals.most_hour),
            ("day", used.of_day, self._totals.most_day),
        ):
            spent.add_metric([window], count)
            most.add_metric([window], limit)
        yield spent
        yield most
