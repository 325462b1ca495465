"""What the scorer is trained on: pairs cut to fit, pieces that were put in, held-out documents."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts import load

from tests.rows import each


@pytest.fixture(scope="module")
def train() -> ModuleType:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    return load("scorer/train")


PIECES = st.lists(st.integers(1000, 30000), max_size=200)


@given(PIECES, PIECES)
def test_a_pair_fits_and_its_hypothesis_starts_where_it_says(
    train: ModuleType, premise: list[int], hypothesis: list[int]
) -> None:
    ids, start = train.join(premise, hypothesis)
    assert len(ids) <= train.LENGTH
    assert ids[0] == train.CLS
    assert ids[start - 1] == ids[-1] == train.SEP
    kept = ids[start:-1]
    assert kept == hypothesis[: len(kept)]


@given(PIECES)
def test_nothing_is_put_in_where_nothing_changed(train: ModuleType, text: list[int]) -> None:
    assert train.put_in(text, text) == [0.0] * len(text)


@each("broken marks")
def test_the_changed_piece_is_marked(
    train: ModuleType, broken: list[int], marks: list[float]
) -> None:
    assert train.put_in(broken, [1, 2, 3]) == marks


def test_not_entailment_is_neutral_or_contradiction(train: ModuleType) -> None:
    import torch

    logits = torch.tensor([[0.0, 5.0, 5.0]])
    either = train.loss_of(logits, torch.tensor([train.UNSUPPORTED]))
    one = train.loss_of(logits, torch.tensor([train.NEUTRAL]))
    assert either < one
    wrong = train.loss_of(logits, torch.tensor([train.ENTAILMENT]))
    assert wrong > one


def test_a_document_is_wholly_in_one_part() -> None:
    corpus = load("scorer/corpus")
    parts = {key: corpus.part_of("mnli", key) for key in map(str, range(2000))}
    held = sum(part == "held" for part in parts.values()) / len(parts)
    assert abs(held - corpus.HELD) < 0.03
    assert all(corpus.part_of("rebroken", key) == part for key, part in parts.items())
    assert corpus.part_of("symmetric_test", "") == "held"
    assert corpus.part_of("symmetric", "") == "train"
