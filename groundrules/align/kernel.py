"""Graph kernels: how much two sets of triples look alike around their nodes.

A graph is a sequence of label triples (subject, predicate, object). Every distinct triple has a
relation node of its own, with edges subject -> relation -> object; equal entity labels are one
node. This is the form of KEA Explain's paper. Its published scores are those of another, whose
nodes are the entities alone, with edges subject -> object: `relation_nodes=False`.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from groundrules.errors import ConfigError, did_you_mean

#: Label triples: subject, predicate, object.
Graph = Sequence[tuple[str, str, str]]

#: GraKeL's kernels on labelled directed graphs, by the name it knows them by, with what each
#: needs said; those that draw samples get a seed.
_GRAKEL: dict[str, Callable[[int], dict[str, Any]]] = {
    "neighborhood_hash": lambda h: {"R": h, "random_state": 0},
    "odd_sth": lambda h: {"h": h},
    "propagation": lambda h: {"t_max": h, "random_state": 0},
    "pyramid_match": lambda h: {},
    "shortest_path": lambda h: {},
    "vertex_histogram": lambda h: {},
    "weisfeiler_lehman": lambda h: {"n_iter": h},
    "weisfeiler_lehman_optimal_assignment": lambda h: {"n_iter": h},
}

#: The names `graph_kernel` takes; all but "wl" need the extra [grakel].
KERNELS = ("wl", *sorted(_GRAKEL))


def metric_of(kernel: str) -> str:
    """Return what a report calls the value of a kernel: "WL" or the name of another one."""
    return "WL" if kernel in ("wl", "weisfeiler_lehman") else kernel


def wl_kernel(
    a: Graph, b: Graph, *, h: int = 2, normalize: bool = True, relation_nodes: bool = True
) -> float:
    """Return the Weisfeiler-Lehman subtree kernel of two graphs of label triples.

    `h` refinements give h + 1 levels of labels; a node's next label is its label with the sorted
    labels of its successors. The value is the number of pairs of nodes with equal labels, summed
    over the levels; normalised, it is divided by the root of the product of the self-kernels and
    lies in 0..1. Two empty graphs are equal (1), an empty one has nothing in common with another
    (0). Exact: labels are compared, not hashed. Equal to GraKeL's `WeisfeilerLehman(n_iter=h,
    base_graph_kernel=VertexHistogram)`.

    Source: Shervashidze et al. 2011, JMLR 12, section 3.2 and definition 4.

    Raises:
        ValueError: h is negative.
    """
    if h < 0:
        raise ValueError(f"h is {h}; expected the number of refinements, 0 or more")
    if not a or not b:
        return float(normalize and not a and not b)
    graphs = [_nodes_of(graph, relation_nodes) for graph in (a, b)]
    labels: list[list[Any]] = [own for own, _ in graphs]
    both = left = right = 0
    for level in range(h + 1):
        if level:
            numbers: dict[tuple[Any, ...], int] = {}  # of the refined labels, in both graphs
            labels = [
                [
                    numbers.setdefault((own[node], *sorted(own[n] for n in after)), len(numbers))
                    for node, after in enumerate(successors)
                ]
                for own, (_, successors) in zip(labels, graphs, strict=True)
            ]
        mine, theirs = map(Counter, labels)
        both += sum(count * theirs[label] for label, count in mine.items())
        left += sum(count * count for count in mine.values())
        right += sum(count * count for count in theirs.values())
    return both / math.sqrt(left * right) if normalize else float(both)


def graph_kernel(
    a: Graph, b: Graph, *, name: str = "wl", h: int = 2, relation_nodes: bool = True
) -> float:
    """Return the normalised kernel of that name, 0..1 up to what the kernel promises.

    `name` is one of `KERNELS`: "wl" is ours, the others are GraKeL's by GraKeL's names. `h` is
    the depth where a kernel has one, 1 or more for GraKeL's. Empty graphs as in `wl_kernel`.

    Raises:
        ConfigError: the name is unknown, h is out of range, or the extra [grakel] is missing.
    """
    if name not in KERNELS:
        raise ConfigError(
            f"unknown graph kernel {name!r}; expected one of {', '.join(KERNELS)}"
            + did_you_mean(name, KERNELS)
        )
    lowest = 0 if name == "wl" else 1
    if h < lowest:
        raise ConfigError(f"h is {h}; expected {lowest} or more for the graph kernel {name!r}")
    if name == "wl":
        return wl_kernel(a, b, h=h, relation_nodes=relation_nodes)
    try:
        from grakel import Graph as GrakelGraph
        from grakel import GraphKernel
    except ImportError:
        raise ConfigError(
            f"the graph kernel {name!r} needs GraKeL, which is not installed; only 'wl' works "
            "without; run: pip install 'groundrules[grakel]'"
        ) from None
    if not a or not b:
        return float(not a and not b)
    graphs = []
    for graph in (a, b):
        labels, successors = _nodes_of(graph, relation_nodes)
        edges = {node: dict.fromkeys(after, 1.0) for node, after in enumerate(successors)}
        graphs.append(GrakelGraph(edges, dict(enumerate(labels))))
    wanted: list[dict[str, Any]] = [{"name": name, **_GRAKEL[name](h)}]
    if name == "weisfeiler_lehman":
        wanted.append({"name": "vertex_histogram"})  # what it counts at each refinement
    kernel = GraphKernel(kernel=wanted if len(wanted) > 1 else wanted[0], normalize=True)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "changing format")
        return float(kernel.fit_transform(graphs)[0, 1])


def _nodes_of(graph: Graph, relation_nodes: bool) -> tuple[list[str], list[list[int]]]:
    """Return the labels of the nodes of a graph, and for each node those that edges lead to."""
    labels: list[str] = []
    successors: list[list[int]] = []
    entities: dict[str, int] = {}

    def add(label: str) -> int:
        labels.append(label)
        successors.append([])
        return len(labels) - 1

    for subject, predicate, obj in dict.fromkeys(map(tuple, graph)):
        for entity in (subject, obj):
            if entity not in entities:
                entities[entity] = add(entity)
        start, end = entities[subject], entities[obj]
        if relation_nodes:
            relation = add(predicate)
            successors[start].append(relation)
            successors[relation].append(end)
        elif end not in successors[start]:
            successors[start].append(end)
    return labels, successors
