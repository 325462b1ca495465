"""Laws of the fit of the score of statements: signs, thresholds, rows it did not see."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.weighing import SIGNS

pytest.importorskip("scipy")

ROOT = Path(__file__).parents[2]


def load() -> ModuleType:
    path = ROOT / "training" / "verdicts" / "fit_support.py"
    spec = importlib.util.spec_from_file_location("fit_support", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # for its dataclasses
    spec.loader.exec_module(module)
    return module


fit_support = load()
SCORES = st.lists(st.floats(0.01, 0.99), min_size=4, max_size=60)


def rows(count: int = 600, seed: int = 1) -> list[object]:
    """Make twins whose entailment tells, whose coverage tells the wrong way, the rest noise."""
    rng = np.random.default_rng(seed)
    out = []
    for number in range(count):
        label = number % 2
        features = {name: float(rng.normal()) for name in SIGNS}
        features["entailed"] += 2 * label
        features["covered"] -= 2 * label
        passage = hashlib.sha256(str(number // 10).encode()).hexdigest()
        out.append(fit_support.Row("", passage, number % 10 // 2, label, features))
    return out


def test_no_weight_has_the_wrong_sign_and_what_tells_the_wrong_way_weighs_nothing() -> None:
    data, figures = fit_support.fitted(rows(), list(SIGNS))

    assert all(SIGNS[name] * weight > 0 for name, weight in data["weights"].items())
    assert data["weights"]["entailed"] > 0.3
    assert "covered" not in data["weights"]
    assert figures["AUC"] > 0.85
    assert figures["calibration error"] < 0.1


def test_without_the_features_of_the_scorer_none_weighs_and_nothing_is_doubted() -> None:
    names = [name for name in SIGNS if name not in fit_support.OF_SCORER]
    data, _ = fit_support.fitted(rows(), names, 0.4)

    assert not set(fit_support.OF_SCORER) & set(data["weights"])
    assert (data["threshold"], data["doubt"], data["sure"]) == (0.4, 0, 0)


def test_the_thresholds_stand_in_order_and_accuse_more_of_the_wrong() -> None:
    data, figures = fit_support.fitted(rows(), list(SIGNS))

    assert 0 <= data["sure"] <= data["doubt"] <= data["threshold"] <= 1
    assert figures["accused, of the wrong"] > figures["accused, of the true"]


def test_the_same_rows_give_the_same_fit() -> None:
    assert fit_support.fitted(rows(), list(SIGNS)) == fit_support.fitted(rows(), list(SIGNS))


def test_a_row_is_judged_by_weights_that_never_saw_its_passage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = rows(200)
    groups = [row.passage for row in made]
    values = np.arange(len(made), dtype=float)[:, None]
    labels = np.array([row.label for row in made])
    seen: list[set[str]] = []

    def fit(some: np.ndarray, *_: object) -> tuple[np.ndarray, float]:
        seen.append({groups[int(place)] for place in some[:, 0]})
        return np.zeros(1), float(len(seen))

    monkeypatch.setattr(fit_support, "fit", fit)
    scores = fit_support.unseen(values, labels, groups, [1])

    for group, score in zip(groups, scores, strict=True):
        assert group not in seen[int(score) - 1]


@given(SCORES)
def test_below_the_doubt_most_are_wrong(scores: list[float]) -> None:
    values = np.array([*scores, *scores])
    labels = np.array([1] * len(scores) + [0] * len(scores))

    doubt = fit_support.mostly_wrong(values, labels, fit_support.DOUBTED)

    assert doubt == 0 or (labels[values < doubt] == 0).mean() >= fit_support.DOUBTED


@given(SCORES)
def test_few_rows_make_nothing_sure(scores: list[float]) -> None:
    values, labels = np.array(scores), np.zeros(len(scores), int)

    assert fit_support.mostly_wrong(values, labels, fit_support.SURE) == 0


def test_many_rows_that_are_all_wrong_are_sure() -> None:
    values = np.linspace(0, 1, 400)
    labels = (values > 0.5).astype(int)

    assert 0.45 < fit_support.mostly_wrong(values, labels, fit_support.SURE) <= 0.51


def test_the_card_names_the_weights_that_are_there() -> None:
    folder = ROOT / "groundrules" / "models" / "statement"
    digest = hashlib.sha256((folder / "weights.json").read_bytes()).hexdigest()

    assert digest in (folder / "CARD.md").read_text("utf-8")
