"""Laws of the Weisfeiler-Lehman kernel; GraKeL is the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.graphs.kernel import KERNELS, Graph, graph_kernel, wl_kernel
from groundrules.errors import ConfigError
from tests.strategies import examples

CLAIM = [("France", "capital", "Paris"), ("France", "currency", "Euro")]
REFERENCE = [("France", "capital", "Paris"), ("France", "currency", "Franc")]

LABELS = st.sampled_from(["a", "b", "c", "d", "knows", "Zürich", "東京", ""])
GRAPHS = st.lists(st.tuples(LABELS, LABELS, LABELS), max_size=12)
FULL_GRAPHS = st.lists(st.tuples(LABELS, LABELS, LABELS), min_size=1, max_size=12)


def grakel_value(a: Graph, b: Graph, h: int, *, normalize: bool) -> float:
    grakel = pytest.importorskip("grakel")
    graphs = []
    for triples in (a, b):
        entities: dict[str, int] = {}
        labels: dict[int, str] = {}
        edges: dict[int, dict[int, float]] = {}

        def add(label: str, labels: dict[int, str] = labels, edges: dict = edges) -> int:
            number = len(labels)
            labels[number], edges[number] = label, {}
            return number

        for subject, predicate, obj in set(triples):
            for entity in (subject, obj):
                if entity not in entities:
                    entities[entity] = add(entity)
            relation = add(predicate)
            edges[entities[subject]][relation] = 1.0
            edges[relation][entities[obj]] = 1.0
        graphs.append(grakel.Graph(edges, labels))
    kernel = grakel.WeisfeilerLehman(
        n_iter=h, normalize=normalize, base_graph_kernel=grakel.VertexHistogram
    )
    return float(kernel.fit_transform(graphs)[0, 1])


@examples(150)
@given(FULL_GRAPHS, FULL_GRAPHS, st.integers(1, 4), st.booleans())
def test_the_value_is_grakels_to_the_last_bit(a: Graph, b: Graph, h: int, normalize: bool) -> None:
    assert wl_kernel(a, b, h=h, normalize=normalize) == grakel_value(a, b, h, normalize=normalize)


def test_the_example_of_kea_is_nine_fifteenths() -> None:
    assert wl_kernel(CLAIM, REFERENCE, normalize=False) == 9
    assert wl_kernel(CLAIM, CLAIM, normalize=False) == 15
    assert wl_kernel(REFERENCE, REFERENCE, normalize=False) == 15
    assert wl_kernel(CLAIM, REFERENCE, h=2) == 0.6
    assert wl_kernel(CLAIM, REFERENCE, h=1) == 0.7
    assert wl_kernel(CLAIM, REFERENCE, h=3) == 11 / 20


@given(GRAPHS, GRAPHS, st.integers(0, 3))
def test_the_kernel_is_symmetric_and_between_zero_and_one(a: Graph, b: Graph, h: int) -> None:
    value = wl_kernel(a, b, h=h)

    assert value == wl_kernel(b, a, h=h)
    assert 0 <= value <= 1 + 1e-12


@given(GRAPHS, st.randoms(use_true_random=False), st.integers(0, 3))
def test_order_and_repetition_of_triples_do_not_matter(a: Graph, random, h: int) -> None:
    shuffled = [*a, *a]
    random.shuffle(shuffled)

    assert wl_kernel(a, shuffled, h=h) == 1.0


def test_an_empty_graph_equals_only_itself() -> None:
    assert wl_kernel([], []) == 1.0
    assert wl_kernel([], CLAIM) == wl_kernel(CLAIM, []) == 0.0
    assert wl_kernel([], [], normalize=False) == 0.0
    assert graph_kernel([], []) == 1.0


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="h is -1"):
        wl_kernel(CLAIM, CLAIM, h=-1)


@pytest.mark.parametrize("name", KERNELS)
def test_every_named_kernel_tells_the_example_graphs_apart(name: str) -> None:
    if name != "wl":
        pytest.importorskip("grakel")

    assert graph_kernel(CLAIM, CLAIM, name=name) == pytest.approx(1)
    assert 0 <= graph_kernel(CLAIM, REFERENCE, name=name) < 1
    assert graph_kernel([], CLAIM, name=name) == 0


def test_a_misspelt_kernel_gets_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match="did you mean 'shortest_path'"):
        graph_kernel(CLAIM, CLAIM, name="shortest-path")


def test_a_depth_out_of_range_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match="expected 1 or more"):
        graph_kernel(CLAIM, CLAIM, name="odd_sth", h=0)
    with pytest.raises(ConfigError, match="expected 0 or more"):
        graph_kernel(CLAIM, CLAIM, h=-1)


def test_without_grakel_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "grakel", None)

    with pytest.raises(ConfigError, match=r"pip install 'groundrules\[grakel\]'"):
        graph_kernel(CLAIM, REFERENCE, name="propagation")


def test_weisfeiler_lehman_by_grakel_is_ours_and_is_grakels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grakel = pytest.importorskip("grakel")
    a, b = [("France", "capital", "Paris")], [("France", "capital", "Rome")]
    asked = []
    own = grakel.GraphKernel

    def seen(**given: object) -> object:
        asked.append(given["kernel"])
        return own(**given)

    monkeypatch.setattr(grakel, "GraphKernel", seen)
    assert graph_kernel(a, b, name="weisfeiler_lehman", h=2) == pytest.approx(wl_kernel(a, b, h=2))
    assert asked == [[{"name": "weisfeiler_lehman", "n_iter": 2}, {"name": "vertex_histogram"}]]
