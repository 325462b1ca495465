"""Counters for Prometheus: requests, seconds, the queue, workers, index and language model."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from groundrules.explain.findings import standing
from groundrules.llm.budget import Budget, Usage
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
    "llm_tokens": ("Tokens of the language model and of readers at endpoints.", ("of",)),
}


class Counters:
    """What happened since the start, and how things stand."""

    def __init__(self, pool: Pool, contexts: Contexts) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Standing(pool, contexts))
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


def counted(report: Report, budget: Budget | None) -> tuple[tuple[str, str, int], ...]:
    """Return what a service counts of a check: what, of which name, and how many."""
    outcomes = Tally(standing(one, report) for one in report.statements)
    rules = Tally(one.rule for one in report.violations if report.stands(one))
    readers = Tally(one.read_by for one in report.statements if one.read_by)
    used = budget.usage if budget else Usage()
    tokens = {"prompts": used.prompt_tokens, "answers": used.completion_tokens}
    return tuple(
        (kind, name, number)
        for kind, found in (
            ("statements", outcomes),
            ("findings", rules),
            ("reader_statements", readers),
            ("llm_tokens", tokens),
        )
        for name, number in sorted(found.items())
    )


class _Standing(Collector):
    """How pool and index stand when it is asked for."""

    def __init__(self, pool: Pool, contexts: Contexts) -> None:
        self._pool, self._contexts = pool, contexts

    def collect(self) -> Iterator[Metric]:
        pool, contexts = self._pool, self._contexts
        for name, told, value in (
            ("queue", "Requests that wait for a worker.", pool.waiting),
            ("workers", "Workers that are ready.", pool.ready),
            ("workers_busy", "Workers at work.", pool.busy),
            ("workers_memory_bytes", "Memory of all workers.", sum(pool.memory())),
            ("index_contexts", "Contexts in the index.", len(contexts)),
            ("index_bytes", "Bytes of the contexts in the index.", contexts.bytes),
        ):
            yield GaugeMetricFamily(f"groundrules_{name}", told, value)
        replaced = CounterMetricFamily(
            "groundrules_workers_replaced", "Workers that were replaced.", labels=["cause"]
        )
        for cause, count in pool.replaced.items():
            replaced.add_metric([cause], count)
        yield replaced
