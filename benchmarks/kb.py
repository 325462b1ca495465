"""Knowledge bases: a store built from 1.15 million statements, and look-ups in it.

    python -m benchmarks.kb --data ../shared/data [--json FILE]

The store is built by `groundrules kb build` in a process of its own, whose time and memory are
measured. Look-ups are in one process, in the order of a seeded draw, so that the disk cache of the
store is warm; entities and names are drawn from those of the store.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rdflib.term import URIRef

from benchmarks.alone import GROUNDRULES, done
from groundrules.kb.link.aliases import AliasIndex
from groundrules.kb.sources.source import Query
from groundrules.kb.sources.triplestore import NAMES, StoreGraph, open_graph, read_build

LABEL = URIRef("http://www.w3.org/2000/01/rdf-schema#label")
SUBSET = "open/wikidata_subset.nt.gz"
ABOUT = "SELECT ?s ?p ?o WHERE { VALUES ?s { $subjects } ?s ?p ?o }"


def build(dump: Path, store: Path) -> dict[str, float]:
    """Return the seconds, the CPU seconds and the peak MiB of building a store."""
    ran = done([*GROUNDRULES, "kb", "build", str(dump), "-o", str(store)])
    figures = {"seconds": round(ran.wall, 1), "cpu": round(ran.cpu, 1)}
    return {**figures, "peak_mib": round(ran.mib)}


def rate(work: Callable[[], int]) -> float:
    """Return how many things are done per second of CPU, the best of three runs."""
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - start))
    return round(best, 1)


def ask(graph: StoreGraph, subjects: list[URIRef], size: int) -> int:
    """Ask for all that is stated of the subjects, so many at once; return how many they are."""
    for start in range(0, len(subjects), size):
        part = [(subject,) for subject in subjects[start : start + size]]
        answer = graph.select(Query(ABOUT, {"subjects": part}, "subjects"))
        assert answer.rows
        assert not answer.faults
    return len(subjects)


def bench_store(data: Path) -> dict[str, Any]:
    """Build the store and return what that cost, its size, and look-ups per second."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        cost = build(data / SUBSET, store)
        graph, index = open_graph(store), AliasIndex(store / NAMES)
        draw = random.Random(0)
        entities = sorted(
            {triple.subject for triple in graph.store.triples(predicate=LABEL)}, key=str
        )
        subjects = [s for s in draw.sample(entities, 2_000) if isinstance(s, URIRef)]
        known = [found for s in subjects if (found := index.entity(s))]
        names = [name for entity in known for name in (entity.label, *entity.aliases)]
        missing = [f"{name} {number}" for number, name in enumerate(names)]
        text = " ".join(f"{e.label} is {e.description}, not {e.label[::-1]}." for e in known)
        words = len(text.split())
        size = sum(file.stat().st_size for file in (store / "graph").iterdir())
        return {
            "statements": read_build(store).statements,
            "build": cost,
            "graph_mb": round(size / 1e6, 1),
            "index_mb": round((store / NAMES).stat().st_size / 1e6, 1),
            "names": index.sizes()[1],
            "per_second": {
                "entities, one a query": rate(lambda: ask(graph, subjects[:500], 1)),
                "entities, 50 a query": rate(lambda: ask(graph, subjects, 50)),
                "names that are there": rate(lambda: len(index.named(names) and names)),
                "names that are not": rate(lambda: len(index.named(missing) and missing)),
                "words of text, names found": rate(lambda: words * bool(index.spot(text))),
            },
        }


def main() -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with the data")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    figures = {"store": bench_store(options.data)}
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
