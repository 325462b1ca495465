"""Weisfeiler-Lehman kernel: ours against GraKeL on pairs of random graphs, graphs built each time.

python benchmarks/kernel.py [--json FILE]

The two take turns on the same pairs in one process; the time is the least CPU time of the rounds,
the values must be equal. A pair of n nodes has about n / 2 triples, hence n / 2 relation nodes.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path

from groundrules.align.graphs.kernel import Graph, wl_kernel

SIZES = (10, 100, 1_000, 10_000)
DEPTH = 2


def draw_graph(nodes: int, dice: random.Random) -> Graph:
    """Return triples over `nodes` nodes, entities and relations together."""
    triples: dict[tuple[str, str, str], None] = {}
    entities: set[str] = set()
    while len(triples) + len(entities) < nodes:
        subject, obj = (f"entity {dice.randrange(nodes // 2)}" for _ in range(2))
        triples[subject, f"relation {dice.randrange(20)}", obj] = None
        entities |= {subject, obj}
    return list(triples)


def count_nodes(graph: Graph) -> int:
    """Return the number of nodes, entities and relations."""
    return len(graph) + len({entity for s, _, o in graph for entity in (s, o)})


def grakel_kernel(a: Graph, b: Graph) -> float:
    """Return GraKeL's value, building its graphs from the triples."""
    from grakel import Graph as GrakelGraph
    from grakel import VertexHistogram, WeisfeilerLehman

    graphs = []
    for triples in (a, b):
        entities: dict[str, int] = {}
        labels: dict[int, str] = {}
        edges: dict[int, dict[int, float]] = {}
        for subject, predicate, obj in triples:
            for entity in (subject, obj):
                if entity not in entities:
                    entities[entity] = len(labels)
                    edges[len(labels)] = {}
                    labels[len(labels)] = entity
            relation = len(labels)
            labels[relation] = predicate
            edges[entities[subject]][relation] = 1.0
            edges[relation] = {entities[obj]: 1.0}
        graphs.append(GrakelGraph(edges, labels))
    kernel = WeisfeilerLehman(n_iter=DEPTH, normalize=True, base_graph_kernel=VertexHistogram)
    return float(kernel.fit_transform(graphs)[0, 1])


def least_seconds(
    calls: dict[str, Callable[[], float]], rounds: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the least CPU time and the value of each call, taking turns."""
    best = dict.fromkeys(calls, float("inf"))
    values: dict[str, float] = {}
    for _ in range(rounds):
        for name, call in calls.items():
            started = time.process_time()
            values[name] = call()
            best[name] = min(best[name], time.process_time() - started)
    return best, values


def measure(nodes: int, *, rounds: int) -> dict[str, float]:
    """Return one row: node counts, CPU milliseconds of both, their ratio, the common value."""
    dice = random.Random(nodes)
    a, b = draw_graph(nodes, dice), draw_graph(nodes, dice)
    repeats = max(1, 1000 // nodes)  # short calls are below the clock's step

    def ours() -> float:
        return [wl_kernel(a, b, h=DEPTH) for _ in range(repeats)][-1]

    def theirs() -> float:
        return [grakel_kernel(a, b) for _ in range(repeats)][-1]

    best, values = least_seconds({"ours": ours, "grakel": theirs}, rounds)
    if values["ours"] != values["grakel"]:
        raise SystemExit(f"{nodes} nodes: {values['ours']} is not GraKeL's {values['grakel']}")
    return {
        "nodes": (count_nodes(a) + count_nodes(b)) / 2,
        "ours_ms": 1000 * best["ours"] / repeats,
        "grakel_ms": 1000 * best["grakel"] / repeats,
        "ratio": best["grakel"] / best["ours"],
        "value": values["ours"],
    }


def main() -> None:
    """Print the table and, last, one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    measure(10, rounds=1)  # imports
    rows = [measure(nodes, rounds=options.rounds) for nodes in SIZES]
    print("nodes per graph   ours, ms   GraKeL, ms   ratio   value (both)")
    for row in rows:
        print(
            f"{row['nodes']:15.0f} {row['ours_ms']:10.3f} {row['grakel_ms']:12.3f} "
            f"{row['ratio']:6.1f}x   {row['value']:.12f}"
        )
    text = json.dumps({"benchmark": "kernel", "h": DEPTH, "rows": rows})
    print(text)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
