"""Fifty texts put to a SPARQL endpoint, against a client that asks for one pair at a time.

    python -m benchmarks.kb_requests --data ../shared/data [--json FILE]

The endpoint is a Virtuoso of our own with 1.15 million statements of Wikidata. A text is five to
ten sentences about one thing, rows of CoDEx that share a subject or object. Ours is
`groundrules.check` with that endpoint as its one knowledge base and no index of names: once with
an empty cache, then again over a new connection. The same texts are also put to the same
statements in memory, and the verdicts compared.

The peer asks as KEA's repository does (Reih02/hallucination_explanation_graph_kernel_analysis,
`Test/main.py: create_wikidata_KG` and `Test/find_relations.py`, read at 02b7c32): one request
after the other; for each entity its description, for each ordered pair of entities what
leads from one to the other, for each property so found its label; a
dictionary keeps descriptions and pairs, for the process alone. It differs in three ways that all
spare it work: the entities are those of the rows, which ours must find by name (KEA links every
noun, from a file of its own); labels come from the same endpoint, not from the action API;
Wikipedia and the language model are left out. What it goes on to do with the labels is not timed,
while ours decides: `check_seconds` is all of ours.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from groundrules.api import check
from groundrules.config import Config
from groundrules.terms import Report
from tests.servers import virtuoso

SUBSET = "open/wikidata_subset.nt.gz"
CLAIMS = "open/codex_claims.jsonl.gz"
TEXTS, LEAST, MOST = 50, 5, 10
#: The day that the present tense means.
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PREFIXES = """
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX schema: <http://schema.org/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""


@dataclass(frozen=True, slots=True)
class Text:
    """Sentences about one thing, and the ids of what they name."""

    text: str
    claims: int
    entities: tuple[str, ...]


def draw(path: Path) -> list[Text]:
    """Return texts about one thing each; no row is used twice."""
    about: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["text"]:
                about[row["s"]].append(row)
                about[row["o"]].append(row)
    rng = random.Random(0)
    things = sorted(about)
    rng.shuffle(things)
    used: set[str] = set()
    texts: list[Text] = []
    for thing in things:
        rows = [row for row in about[thing] if row["id"] not in used]
        if len(rows) >= LEAST and len(texts) < TEXTS:
            part = rng.sample(rows, min(len(rows), rng.randint(LEAST, MOST)))
            used.update(row["id"] for row in part)
            entities = dict.fromkeys(row[end] for row in part for end in ("s", "o"))
            texts.append(Text(" ".join(row["text"] for row in part), len(part), tuple(entities)))
    return texts


@dataclass
class PairClient:
    """What KEA asks of Wikidata, and what that costs."""

    url: str
    requests: int = 0
    sent: int = 0
    received: int = 0
    descriptions: dict[str, str] = field(default_factory=dict)
    relations: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def ask(self, query: str) -> list[dict[str, Any]]:
        """Return the bindings of a query."""
        from groundrules.kb.sources.exchange import write_request

        request = write_request(self.url, PREFIXES + query, "KEA")
        self.sent += len(str(request.url))
        body = httpx.Client(timeout=60, trust_env=False).send(request).content
        self.requests += 1
        self.received += len(body)
        bindings: list[dict[str, Any]] = json.loads(body)["results"]["bindings"]
        return bindings

    def describe(self, entity: str) -> None:
        """Look up a description; one that is not there is looked up again each time."""
        if entity not in self.descriptions:
            rows = self.ask(
                f"SELECT ?description WHERE {{ wd:{entity} schema:description ?description . "
                'FILTER(LANG(?description) = "en") }'
            )
            if rows:
                self.descriptions[entity] = rows[0]["description"]["value"]

    def relate(self, one: str, other: str) -> None:
        """Look up what leads from one entity to another, and the label of each property."""
        if (one, other) not in self.relations:
            rows = self.ask(
                f"SELECT ?statement ?property ?value WHERE {{ wd:{one} ?property ?value . "
                f"FILTER(?value = wd:{other}) BIND(?property AS ?statement) }}"
            )
            ids = [row["property"]["value"].rsplit("/", 1)[-1] for row in rows]
            self.relations[one, other] = [label for each in ids for label in self.label(each)]

    def label(self, property_: str) -> list[str]:
        """Look up the label of a property."""
        rows = self.ask(
            f"SELECT ?label WHERE {{ wd:{property_} rdfs:label ?label . "
            'FILTER(LANG(?label) = "en") }'
        )
        return [row["label"]["value"] for row in rows[:1]]

    def read(self, text: Text) -> None:
        """Build the graph of what relates the entities of a text."""
        for one in text.entities:
            self.describe(one)
            for other in text.entities:
                if one != other:
                    self.relate(one, other)


def bench_pairs(url: str, texts: Sequence[Text]) -> dict[str, Any]:
    """Return what the client that asks by pair costs."""
    client = PairClient(url)
    start = time.perf_counter()
    for text in texts:
        client.read(text)
    return {
        "requests": client.requests,
        "bytes": client.sent + client.received,
        "seconds": round(time.perf_counter() - start, 2),
        "relations": sum(map(len, client.relations.values())),
    }


def bench_checks(
    spec: str, texts: Sequence[Text], now: datetime
) -> tuple[dict[str, Any], list[Report]]:
    """Return what checks cost over a new connection, and their reports.

    What is asked once for all texts is asked first: of what model the statements are, what is
    stated of the properties, whether there are ranks.
    """
    from groundrules.checks.kb import open_sources

    config = Config(packs=(), kb=(spec,))
    (source,) = open_sources(config, now)
    once = source.connection.source.calls
    requests, reports = [once.requests], []
    seconds = 0.0
    for text in texts:
        start = time.perf_counter()
        reports.append(check(text.text, config=config, now=now))
        seconds += time.perf_counter() - start
        requests.append(source.connection.source.calls.requests)
    calls = source.connection.source.calls
    each = [after - before for before, after in itertools.pairwise(requests)]
    figures = {
        "requests": calls.requests,
        "once": once.requests,
        "most_by_text": max(each),
        "cached": calls.cached,
        "bytes": calls.sent + calls.received,
        "seconds": round(calls.seconds, 2),
        "check_seconds": round(seconds, 2),
    }
    return figures, reports


def differences(reports: Sequence[Report], others: Sequence[Report]) -> list[str]:
    """Return the claims that get other verdicts: outcome, rule or evidence."""
    found = []
    for one, other in zip(reports, others, strict=True):
        ours, theirs = _told(one), _told(other)
        found += [
            f"{one.text[begin:end]!r}: {ours.get((begin, end))} | {theirs.get((begin, end))}"
            for begin, end in sorted(ours.keys() | theirs.keys())
            if ours.get((begin, end)) != theirs.get((begin, end))
        ]
    return found


def _told(report: Report) -> dict[tuple[int, int], list[tuple[str, ...]]]:
    told = defaultdict(list)
    for verdict in report.verdicts:
        span = verdict.claim.span
        evidence = sorted(
            f"{e.triple.subject} {e.triple.predicate} {e.triple.object}" for e in verdict.evidence
        )
        told[span.start, span.end].append((verdict.outcome.value, verdict.reason, *evidence))
    return {span: sorted(found) for span, found in told.items()}


def bench_requests(data: Path) -> dict[str, Any]:
    """Return requests, bytes and seconds of ours, cold and warm, and of the peer."""
    texts = draw(data / CLAIMS)
    dump = (data / SUBSET).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GROUNDRULES_CACHE"] = folder
        # First, and so the models are loaded and the sentences encoded before anything is timed.
        _, embedded = bench_checks(str(dump), texts, NOW)
        with virtuoso(dump) as url:
            cold, first = bench_checks(url, texts, NOW)
            warm, again = bench_checks(url, texts, NOW + timedelta(seconds=1))
            pairs = bench_pairs(url, texts)
    outcomes: dict[str, int] = defaultdict(int)
    for report in first:
        for verdict in report.verdicts:
            outcomes[verdict.outcome.value] += 1
    return {
        "texts": len(texts),
        "claims": sum(text.claims for text in texts),
        "entities": sum(len(text.entities) for text in texts),
        "cold": cold,
        "warm": warm,
        "pairs": pairs,
        "outcomes": dict(outcomes),
        "differences": {
            "warm": differences(first, again),
            "in memory": differences(first, embedded),
        },
    }


def main() -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with the data")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    figures = bench_requests(options.data)
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
