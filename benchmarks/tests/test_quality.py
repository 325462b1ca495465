"""Laws of the comparison of two graphs that have no text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.quality import GraphScore, score_graphs
from groundrules.errors import ConfigError

LABEL = st.sampled_from(["France", "capital", "Paris", "currency", "Euro", "Franc", "the", "1999"])
GRAPH = st.lists(st.tuples(LABEL, LABEL, LABEL), max_size=5)
FRANCE = [("France", "capital", "Paris"), ("France", "currency", "Euro")]


@given(GRAPH, GRAPH)
@settings(max_examples=40)
def test_scores_are_shares_and_an_empty_claim_has_none(claim: Any, reference: Any) -> None:
    found = score_graphs(claim, reference)
    if not claim:
        assert found == GraphScore(None, None, None)
        return
    assert found.kernel is not None
    assert found.coverage is not None
    assert 0 <= found.kernel <= 1
    assert 0 <= found.coverage <= 1
    assert found.score == pytest.approx(((found.kernel + found.coverage) / 2) ** 3)
    assert found.score <= max(found.kernel, found.coverage)
    assert found == score_graphs(claim, reference)


@given(GRAPH.filter(bool), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_a_graph_carries_itself_in_any_order_and_any_number_of_copies(
    graph: Any, shuffle: Any
) -> None:
    turned = graph * 2
    shuffle.shuffle(turned)
    assert score_graphs(graph, turned).score == pytest.approx(1)


@given(GRAPH.filter(bool), GRAPH, GRAPH)
@settings(max_examples=30)
def test_more_reference_never_lowers_coverage(claim: Any, reference: Any, more: Any) -> None:
    before = score_graphs(claim, reference).coverage
    after = score_graphs(claim, reference + more).coverage
    assert before is not None
    assert after is not None
    assert after >= before


def test_the_example_of_the_paper() -> None:
    """France capital Paris, currency Euro or Franc, h = 2: 9/15, if nothing is merged."""
    other = [("France", "capital", "Paris"), ("France", "currency", "Franc")]
    assert score_graphs(FRANCE, other, threshold=0.0).kernel == pytest.approx(0.6)


def test_labels_of_one_meaning_are_one_node() -> None:
    other = [("france", "capital", "the Paris"), ("France", "currency", "euro")]
    assert score_graphs(FRANCE, other).score == pytest.approx(1)


def test_nothing_is_carried_by_an_empty_reference() -> None:
    assert score_graphs(FRANCE, []) == GraphScore(0, 0, 0)
    assert score_graphs([("the", "of", "a")], []).score == 0


def test_graphs_may_be_lists_as_json_has_them() -> None:
    assert score_graphs([list(triple) for triple in FRANCE], FRANCE).score == pytest.approx(1)


def test_a_clustering_that_does_not_exist_is_one_line() -> None:
    with pytest.raises(
        ConfigError, match=r"unknown clustering 'scikit-lern'.*did you mean 'scikit-learn'"
    ):
        score_graphs(FRANCE, FRANCE, clustering="scikit-lern")


def test_the_words_of_a_triple_count_where_one_reference_triple_has_them() -> None:
    claim = [("Anna", "painted", "bridge")]
    apart = score_graphs(claim, [("Anna", "sold", "house"), ("Bert", "painted", "bridge")])
    together = score_graphs(claim, [("Bert", "sold", "house"), ("Anna", "painted", "bridge")])
    assert apart.coverage == pytest.approx(2 / 3)
    assert together.coverage == 1
