"""Laws of the features and of the support model."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align import support
from groundrules.align.passages import index_passages, nearest_passages, words
from groundrules.align.support import (
    FEATURES,
    Extract,
    Findings,
    Model,
    Vectors,
    features,
)
from groundrules.errors import ModelError
from groundrules.models.logistic import sigmoid
from tests.strategies import sentences

_VOCABULARY = (
    "the rent tenant landlord shall not pay never of is before after a month due he she 30 5,850 "
    "January increase decrease don't"
).split()
SENTENCE = st.lists(st.sampled_from(_VOCABULARY), min_size=1, max_size=14).map(" ".join)
PASSAGES = st.lists(SENTENCE, max_size=5)
#: What depends on which words are there, not on which passage is nearest or stands next.
_UNORDERED = (
    "trigrams fourgrams coverage longest denied opposed pronouns agreeing cosine tokens weakest"
).split()


@st.composite
def findings(draw: st.DrawFn) -> Findings:
    similar = tuple(draw(st.lists(st.floats(0, 1), max_size=4)))
    return Findings(
        name_missing=draw(st.booleans()),
        value_missing=draw(st.booleans()),
        similarities=similar,
        agreeing=draw(st.integers(0, len(similar))),
        value_conflict=draw(st.booleans()),
        name_conflict=draw(st.booleans()),
        swapped=draw(st.booleans()),
        polarity=draw(st.booleans()),
    )


def vectors(text: str) -> Vectors:
    """One unit vector a word, the same for the same word."""
    rows = []
    for word in words(text):
        row = np.random.default_rng(sum(word.encode()) + 31 * len(word)).normal(size=8)
        rows.append(row / np.linalg.norm(row))
    return Vectors(words(text), np.array(rows, np.float32).reshape(len(rows), 8))


@given(SENTENCE, PASSAGES, findings())
def test_features_are_finite_and_in_their_range(
    sentence: str, passages: list[str], found: Findings
) -> None:
    values = features(sentence, passages, found, vectors(sentence), [vectors(p) for p in passages])
    assert list(values) == list(FEATURES)
    for name, value in values.items():
        low = -1.0 if name in {"cosine", "tokens", "weakest"} else 0.0
        assert low - 1e-6 <= value <= 1 + 1e-6, name


@given(sentences(), st.lists(sentences(), max_size=3))
def test_no_text_breaks_a_feature(sentence: str, passages: list[str]) -> None:
    values = features(sentence, passages, Findings(), Vectors([], np.zeros((0, 8), np.float32)))
    assert all(map(math.isfinite, values.values()))


def test_a_passage_without_word_pieces_is_passed_over() -> None:
    nothing = Vectors([], np.zeros((0, 8), np.float32))
    alone = features("the rent", ["the rent"], Findings(), vectors("the rent"), [nothing])
    assert alone["cosine"] == alone["tokens"] == 0
    both = features(
        "the rent",
        ["", "the rent"],
        Findings(),
        vectors("the rent"),
        [nothing, vectors("the rent")],
    )
    assert both["cosine"] == pytest.approx(1)


@given(st.lists(SENTENCE, min_size=1, max_size=12), st.data())
def test_a_copied_sentence_stands_in_its_passages(source: list[str], data: st.DataObject) -> None:
    index = index_passages([source])
    sentence = data.draw(st.sampled_from(source))
    near = [index.texts[place] for place in nearest_passages(sentence, index)]
    values = features(sentence, near, Findings(), vectors(sentence), [vectors(p) for p in near])
    for name in ("trigrams", "fourgrams", "coverage", "longest"):
        assert values[name] == 1, name
    assert values["denied"] == values["opposed"] == values["pronouns"] == 0
    for name in ("cosine", "tokens", "weakest"):
        assert values[name] == pytest.approx(1, abs=1e-5), name


@given(SENTENCE, PASSAGES, findings(), st.randoms(use_true_random=False))
def test_the_order_of_passages_is_for_what_is_near(
    sentence: str, passages: list[str], found: Findings, shuffle: object
) -> None:
    turned = passages[:]
    shuffle.shuffle(turned)  # type: ignore[attr-defined]
    one, other = (
        features(sentence, order, found, vectors(sentence), [vectors(p) for p in order])
        for order in (passages, turned)
    )
    for name in _UNORDERED:
        assert one[name] == pytest.approx(other[name], abs=1e-6), name


@given(SENTENCE, PASSAGES, SENTENCE)
def test_another_passage_never_lowers_what_is_covered(
    sentence: str, passages: list[str], more: str
) -> None:
    before = features(sentence, passages, Findings())
    after = features(sentence, [*passages, more], Findings())
    for name in ("trigrams", "fourgrams", "coverage", "longest"):
        assert after[name] >= before[name], name


def test_a_run_of_words_does_not_cross_from_one_passage_to_the_next() -> None:
    values = features("the rent is due", ["Pay the rent", "is due now"], Findings())
    assert values["trigrams"] == 0
    assert values["longest"] == 0.5


@pytest.mark.parametrize(
    ("sentence", "passage", "name"),
    [
        ("The tenant shall not pay.", "The tenant shall pay.", "denied"),
        ("The tenant doesn't pay.", "The tenant pays.", "denied"),
        ("The tenant can’t pay.", "The tenant pays.", "denied"),
        ("The rent is due before May.", "The rent is due after May.", "opposed"),
        ("The landlord pays.", "The tenant pays.", "opposed"),
        ("He pays the rent.", "The tenant pays the rent.", "pronouns"),
    ],
)
def test_one_word_turns_a_sentence(sentence: str, passage: str, name: str) -> None:
    assert features(sentence, [passage], Findings())[name] == 1
    assert features(passage, [passage], Findings())[name] == 0


def test_what_the_graphs_found_are_features() -> None:
    found = Findings(True, False, (0.5, 1.0), 1, value_conflict=True, swapped=True)
    values = features("x", [], found)
    expected = {
        "name_missing": 1, "value_missing": 0, "worst_triple": 0.5, "agreeing": 0.5,
        "value_conflict": 1, "name_conflict": 0, "swapped": 1, "reversed": 0,
    }  # fmt: skip
    assert {name: values[name] for name in expected} == expected


def test_long_and_repetitive_sentences_cost_no_square() -> None:
    """Thirty thousand equal words are told without looking at each pair of them."""
    text = "rent " * 30_000
    values = features(text, [text], Findings())
    assert values["longest"] == values["trigrams"] == 1


# --- the model --------------------------------------------------------------------------------


def test_the_log_odds_are_the_weighted_features() -> None:
    model = Model({"coverage": 2.0, "missing": -1.0}, 0.25, "")
    assert model.logit({"coverage": 1.0, "missing": 3.0, "runs": 9.0}) == 0.25 + 2 - 3
    assert Model({}, 0.0, "").logit({}) == 0


SHARE = st.floats(0, 1)
EXTRACT = st.builds(
    Extract, st.just(0.35), st.floats(0.36, 0.9), st.floats(0, 9), st.floats(0.01, 1)
)


@given(st.floats(-50, 50), SHARE)
def test_a_model_that_asks_nothing_of_extracts_leaves_log_odds_alone(
    logit: float, trigrams: float
) -> None:
    assert Extract().place(logit, trigrams) == pytest.approx(logit)


@given(EXTRACT, st.floats(-20, 20), st.floats(-20, 20), SHARE)
def test_log_odds_rise_with_likeness_however_much_is_copied(
    extract: Extract, a: float, b: float, trigrams: float
) -> None:
    low, high = sorted((a, b))
    assert extract.place(low, trigrams) <= extract.place(high, trigrams) + 1e-9


@given(EXTRACT, st.floats(-20, 20))
def test_a_copy_comes_to_even_odds_at_the_demand_and_a_free_wording_at_none(
    extract: Extract, logit: float
) -> None:
    assert (extract.place(logit, 0.0) >= 0) == (logit >= 0)
    assert (extract.place(logit, 1.0) >= 0) == (logit >= extract.demand)


@given(EXTRACT, st.floats(-20, 20), SHARE, SHARE)
def test_of_equal_likeness_more_is_asked_where_more_is_copied(
    extract: Extract, logit: float, a: float, b: float
) -> None:
    low, high = sorted((a, b))
    if logit <= extract.demand:
        assert extract.place(logit, high) <= extract.place(logit, low) + 1e-9


def test_the_shipped_model_carries_a_copied_sentence_and_not_one_of_other_words() -> None:
    model = support.load_model()
    whole = "The tenant shall pay the rent on the first day of every month to the landlord"
    copied = features(whole, [whole], Findings(), vectors(whole), [vectors(whole)])
    other = features(whole, ["Bees dance"], Findings(), vectors(whole), [vectors("Bees dance")])
    assert sigmoid(model.logit(copied)) > 0.5 > sigmoid(model.logit(other))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(support, "_FOLDER", tmp_path)
    support.load_model.cache_clear()
    yield tmp_path
    support.load_model.cache_clear()


ASKED = {"least": 0.25, "most": 0.5, "demand": 4, "slope": 0.5}
GOOD = {"weights": {"coverage": 1}, "intercept": 0, "extract": ASKED}


def test_a_model_is_read_from_its_file(folder: Path) -> None:
    (folder / "weights.json").write_text(json.dumps(GOOD))
    model = support.load_model()
    assert model.weights == {"coverage": 1.0}
    assert model.extract == Extract(0.25, 0.5, 4.0, 0.5)
    assert len(model.digest) == 64


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "[]",
        "{}",
        json.dumps({**GOOD, "weights": []}),
        json.dumps({**GOOD, "weights": {"no such feature": 1}}),
        json.dumps({**GOOD, "weights": {"coverage": "x"}}),
        json.dumps({**GOOD, "intercept": float("nan")}),
        json.dumps({"weights": {"coverage": 1}, "intercept": 0}),
        json.dumps({**GOOD, "extract": {**ASKED, "most": 0.25}}),
        json.dumps({**GOOD, "extract": {**ASKED, "demand": -1}}),
        json.dumps({**GOOD, "extract": {**ASKED, "slope": 0}}),
        json.dumps({**GOOD, "extract": {**ASKED, "another": 1}}),
    ],
)
def test_a_damaged_model_is_one_line(folder: Path, text: str | None) -> None:
    if text is not None:
        (folder / "weights.json").write_text(text)
    with pytest.raises(ModelError, match="support model cannot be read") as caught:
        support.load_model()
    assert str(caught.value).startswith(str(folder / "weights.json"))
