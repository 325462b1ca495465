"""Laws of the head: same labels, same head; no document in two folds; it learns what is there."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from groundrules.errors import SourceError
from groundrules.models.head import FOLDS, STRENGTHS, _shuffled, fit, judge, measure, regress, split
from groundrules.models.labels import Row, read_row
from groundrules.models.passage_scorer import embedded, score_support, write_head

STATES = "Ohio Texas Maine Utah Iowa Idaho Nevada Oregon Alaska Kansas".split()


@pytest.fixture(autouse=True, scope="module")
def _read_once() -> Iterator[None]:
    """Read the same pairs once: that they are read alike each time is a law of test_support."""
    scorer = embedded()
    with pytest.MonkeyPatch.context() as patch:
        known = functools.cache(scorer.read)
        patch.setattr(scorer, "read", lambda pairs, **options: known(tuple(pairs), **options))
        yield


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


def turned(labelled: list[Row]) -> list[Row]:
    """Return rows with the other label, of which the shipped scorer knows nothing."""
    return [read_row({**row.fields, "label": 1 - (row.label or 0)}) for row in labelled]


def test_the_same_labels_give_the_same_head_in_any_order() -> None:
    given_ = rows(60)
    shuffled = random.Random(1).sample(given_, len(given_))

    first, second = fit(given_), fit(shuffled)

    assert (first.before, first.after) == (second.before, second.after)
    assert first.strengths == second.strengths
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
    assert after.f1 >= found.before.f1


def test_silver_labels_are_where_it_starts_from(tmp_path: Path) -> None:
    alone, helped = fit(rows(40)), fit(rows(40), rows(40, seed=5))

    assert helped.silver == 40
    assert alone.silver == 0
    # before the first label of a person it knows what the silver ones taught
    assert helped.before.f1 >= alone.before.f1


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
def test_the_stronger_the_closer_to_the_labels_and_at_0_as_shipped(
    vectors: np.ndarray, gold: np.ndarray, begun: np.ndarray
) -> None:
    signs = 2 * gold - 1
    path = [judge(vectors, begun, one) for one in regress(vectors, gold, begun)]
    losses = [np.logaddexp(0, -signs * logits).mean() for logits in path]

    assert len(losses) == len(STRENGTHS)
    assert path[0].tolist() == begun.tolist()
    assert all(later <= earlier + 1e-4 for earlier, later in itertools.pairwise(losses[1:]))


def test_silver_and_human_labels_are_one_head(tmp_path: Path) -> None:
    silver, ours = turned(rows(60, seed=5)), turned(rows(60))
    found = fit(ours, silver)
    write_head(found.head, tmp_path)
    pairs = [row.pair for row in rows(20, seed=7)]
    read = embedded().read(pairs)
    start = regress(*_read(silver))[STRENGTHS.index(found.strengths[0])]
    vectors, gold, begun = _read(sorted(ours, key=_shuffled))
    top = regress(vectors, gold, judge(vectors, begun, start))
    last = top[STRENGTHS.index(found.strengths[1])]
    mine = read.vectors.astype(np.float64)
    wanted = judge(mine, judge(mine, read.logits, start), last)

    assert found.strengths[0] > 0
    scores = score_support(pairs, str(tmp_path))
    assert np.allclose(scores, 1 / (1 + np.exp(-wanted)), atol=1e-4)


def _read(labelled: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    found = embedded().read([row.pair for row in labelled])
    gold = np.array([row.label for row in labelled], np.float64)
    return found.vectors.astype(np.float64), gold, found.logits


def test_figures_are_those_of_flagging_what_is_unsafe() -> None:
    gold = np.array([0, 0, 0, 1, 1])
    found = measure(np.array([-1.0, -1.0, 1.0, -1.0, 1.0]), gold)

    assert (found.precision, found.recall, found.f1) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
