"""Graph kernels: how much two sets of triples look alike around their nodes.

A graph is a sequence of label triples (subject, predicate, object). Every distinct triple has a
relation node of its own, with edges subject -> relation -> object; equal entity labels are one
node. This is the form of KEA Explain's paper. Its published scores are those of another, whose
nodes are the entities alone, with edges subject -> object: `relation_nodes=False`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from groundrules.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

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
    import numpy as np

    if h < 0:
        raise ValueError(f"h is {h}; expected the number of refinements, 0 or more")
    first: dict[str, int] = {}  # label -> number, shared by both graphs
    labels: list[int] = []
    edges: list[int] = []  # source, target, source, target, ...
    size = _add_graph(a, first, labels, edges, relation_nodes)
    if not size or _add_graph(b, first, labels, edges, relation_nodes) == size:
        return float(normalize and not len(a) and not len(b))

    current = np.array(labels, np.int64)
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    source, target = pairs[:, 0], pairs[:, 1]
    nodes = len(current)
    degree = np.bincount(source, minlength=nodes)
    ends = np.cumsum(degree)
    starts = ends - degree
    # nodes with one successor or none are relabelled as pairs of numbers, the others by bytes
    few, many = np.flatnonzero(degree < 2), np.flatnonzero(degree >= 2)
    one = degree[few] == 1
    only = starts[few][one]
    slices = list(zip((8 * starts[many]).tolist(), (8 * ends[many]).tolist(), strict=True))

    count = len(first)
    both, left, right = _products(current, size, count)
    for _ in range(h):
        # successors' labels, sorted within each node
        ordered = np.sort(source * count + current[target]) % count
        successor = np.zeros(len(few), np.int64)
        successor[one] = ordered[only] + 1
        distinct, codes = np.unique(current[few] * (count + 1) + successor, return_inverse=True)
        fresh = np.empty(nodes, np.int64)
        fresh[few] = codes
        data = ordered.tobytes()
        seen: dict[tuple[int, bytes], int] = {}
        base = len(distinct)
        fresh[many] = [
            seen.setdefault((own, data[low:high]), base + len(seen))
            for own, (low, high) in zip(current[many].tolist(), slices, strict=True)
        ]
        current, count = fresh, base + len(seen)
        step = _products(current, size, count)
        both, left, right = both + step[0], left + step[1], right + step[2]
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
        first: dict[str, int] = {}
        numbers: list[int] = []
        edges: list[int] = []
        _add_graph(graph, first, numbers, edges, relation_nodes)
        words = {number: label for label, number in first.items()}
        successors: dict[int, dict[int, float]] = {node: {} for node in range(len(numbers))}
        for source, target in zip(edges[::2], edges[1::2], strict=True):
            successors[source][target] = 1.0
        graphs.append(GrakelGraph(successors, {i: words[n] for i, n in enumerate(numbers)}))
    wanted: list[dict[str, Any]] = [{"name": name, **_GRAKEL[name](h)}]
    if name == "weisfeiler_lehman":
        wanted.append({"name": "vertex_histogram"})  # what it counts at each refinement
    kernel = GraphKernel(kernel=wanted if len(wanted) > 1 else wanted[0], normalize=True)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "changing format")
        return float(kernel.fit_transform(graphs)[0, 1])


def _add_graph(
    graph: Graph, first: dict[str, int], labels: list[int], edges: list[int], relation_nodes: bool
) -> int:
    """Append the nodes' label numbers and the edges of a graph; return how many nodes there are."""
    entities: dict[str, int] = {}
    joined: set[tuple[int, int]] = set()
    for subject, predicate, obj in dict.fromkeys(map(tuple, graph)):
        start = entities.get(subject)
        if start is None:
            start = entities[subject] = len(labels)
            labels.append(first.setdefault(subject, len(first)))
        end = entities.get(obj)
        if end is None:
            end = entities[obj] = len(labels)
            labels.append(first.setdefault(obj, len(first)))
        if not relation_nodes:
            if (start, end) not in joined:
                joined.add((start, end))
                edges += (start, end)
            continue
        relation = len(labels)
        labels.append(first.setdefault(predicate, len(first)))
        edges += (start, relation, relation, end)
    return len(labels)


def _products(labels: Integers, size: int, count: int) -> tuple[int, int, int]:
    """Return the products of the two label histograms: a.b, a.a and b.b."""
    import numpy as np

    a = np.bincount(labels[:size], minlength=count)
    b = np.bincount(labels[size:], minlength=count)
    return int(a @ b), int(a @ a), int(b @ b)
