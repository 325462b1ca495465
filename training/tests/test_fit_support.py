"""Laws of the fit of the score of statements: signs, thresholds, rows it did not see."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

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


def rows(count: int = 600, seed: int = 1) -> list[object]:
    """Make twins whose figures tell, whose lacking words tell the wrong way, the rest noise."""
    rng = np.random.default_rng(seed)
    out = []
    for number in range(count):
        label = number % 2
        features = {name: float(rng.normal()) for name in SIGNS}
        features["derived"] += 2 * label
        features["lacking"] += 2 * label
        passage = hashlib.sha256(str(number // 10).encode()).hexdigest()
        out.append(fit_support.Row("", passage, number % 10 // 2, label, features))
    return out


def test_no_weight_has_the_wrong_sign_and_what_tells_the_wrong_way_weighs_nothing() -> None:
    data, figures = fit_support.fitted(rows())

    assert all(SIGNS[name] * weight > 0 for name, weight in data["weights"].items())
    assert data["weights"]["derived"] > 0.3
    assert "lacking" not in data["weights"]
    assert figures["AUC"] > 0.85
    assert figures["calibration error"] < 0.1


def test_the_same_rows_give_the_same_fit() -> None:
    assert fit_support.fitted(rows()) == fit_support.fitted(rows())


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


def test_the_card_names_the_weights_that_are_there() -> None:
    folder = ROOT / "groundrules" / "models" / "statement"
    digest = hashlib.sha256((folder / "weights.json").read_bytes()).hexdigest()

    assert digest in (folder / "CARD.md").read_text("utf-8")
