"""Laws of the head: same labels, same head; no document in two folds; it learns what is there."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from groundrules.claims.head import FOLDS, STEPS, descend, fit, margins, measure, split
from groundrules.claims.labels import Row, read_row
from groundrules.claims.support import score_support, write_head
from groundrules.errors import SourceError

STATES = "Ohio Texas Maine Utah Iowa Idaho Nevada Oregon Alaska Kansas".split()


def rows(count: int, seed: int = 0) -> list[Row]:
    """Clauses with their own state (1) or, of every second one, another (0), ten a document."""
    rng = random.Random(seed)
    out = []
    for place in range(count):
        own, other = rng.sample(STATES, 2)
        out.append(
            read_row(
                {
                    "premise": f"Clause {seed}.{place}: the laws of {own} govern it.",
                    "type": "Governing law",
                    "value": own if place % 2 else other,
                    "label": place % 2,
                    "doc_id": f"document {place // 10}",
                }
            )
        )
    return out


def test_the_same_labels_give_the_same_head_in_any_order() -> None:
    given_ = rows(60)
    shuffled = random.Random(1).sample(given_, len(given_))

    first, second = fit(given_), fit(shuffled)

    assert first.curve == second.curve
    assert first.steps == second.steps
    assert np.allclose(first.head.weights, second.head.weights, rtol=1e-4, atol=1e-7)
    assert fit(given_) == first


def test_a_head_is_no_worse_on_its_own_rows_than_the_shipped_scorer(tmp_path: Path) -> None:
    given_ = rows(80)
    found = fit(given_)
    write_head(found.head, tmp_path)
    pairs = [row.pair for row in given_]
    gold = np.array([row.label for row in given_])

    after = measure(np.array(score_support(pairs, str(tmp_path))) - 0.5, gold)

    assert found.rows == 80
    assert found.unsafe == 40
    assert found.groups == 8
    assert found.curve[0].labels == 0
    assert after.f1 >= found.curve[0].f1


def test_silver_labels_are_where_it_starts_from(tmp_path: Path) -> None:
    alone, helped = fit(rows(40)), fit(rows(40), rows(40, seed=5))

    assert helped.silver == 40
    assert alone.silver == 0
    # before the first label of a person it knows what the silver ones taught
    assert helped.curve[0].f1 >= alone.curve[0].f1


def test_rows_without_a_label_are_passed_over() -> None:
    labelled = rows(40)
    more = [read_row({**row.fields, "value": "Guam", "label": None}) for row in labelled]

    assert fit([*labelled, *more]) == fit(labelled)


@pytest.mark.parametrize(
    ("few", "what"),
    [(rows(18), "18 labels, 9 of them 1"), (rows(80)[1::2] + rows(8), "48 labels, 44 of them 1")],
)
def test_too_few_labels_are_refused(few: list[Row], what: str) -> None:
    with pytest.raises(SourceError, match=what) as error:
        fit(few, name="labels.jsonl")
    assert "labels.jsonl" in str(error.value)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=40))
def test_a_document_is_in_one_fold_unless_there_are_too_few(names: list[str]) -> None:
    made = [
        read_row({"premise": f"p{i}", "hypothesis": "h", "doc_id": name})
        for i, name in enumerate(names)
    ]

    folds, groups = split(made)

    if len(set(names)) >= FOLDS:
        assert groups == len(set(names))
        assert len({(name, fold) for name, fold in zip(names, folds, strict=True)}) == groups
    else:
        assert groups == 0
    assert set(folds) <= set(range(FOLDS))


@settings(max_examples=25)
@given(
    arrays.arrays(np.float64, (30, 5), elements=st.floats(-5, 5)),
    arrays.arrays(np.float64, 30, elements=st.sampled_from([0.0, 1.0])),
    arrays.arrays(np.float64, 30, elements=st.floats(-3, 3)),
)
def test_every_step_lowers_the_loss(
    vectors: np.ndarray, gold: np.ndarray, begun: np.ndarray
) -> None:
    signs = 2 * gold - 1
    losses = [
        np.logaddexp(0, -signs * (begun + margins(vectors, one))).mean()
        for one in descend(vectors, gold, begun)
    ]

    assert len(losses) == len(STEPS)
    assert all(later <= earlier + 1e-9 for earlier, later in itertools.pairwise(losses))


def test_figures_are_those_of_flagging_what_is_unsafe() -> None:
    gold = np.array([0, 0, 0, 1, 1])
    found = measure(np.array([-1.0, -1.0, 1.0, -1.0, 1.0]), gold, 9)

    assert found.labels == 9
    assert (found.precision, found.recall, found.f1) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
