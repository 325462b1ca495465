"""What the support model is fitted on, and where its figures are placed."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.support import FEATURES

_FOLDER = Path(__file__).parents[2] / "training" / "support"


def load(name: str) -> ModuleType:
    """Load a script by path: two folders have modules of like names."""
    spec = importlib.util.spec_from_file_location(f"support_{name}", _FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


fit, pairs = load("fit"), load("pairs")

CLASSES = {"paid": "VBD", "opened": "VBD", "sold": "VBD"}
DOCUMENT = ["The tenant paid the rent in May.", "A baker opened a shop, then sold it."]


def test_a_splice_says_of_one_subject_what_is_said_of_another() -> None:
    found = pairs.splice(DOCUMENT[0], DOCUMENT, CLASSES, random.Random(0))
    assert found == ("The tenant opened a shop, then sold it.", pairs.UNSUPPORTED)


@pytest.mark.parametrize("other", ["He opened a shop.", "The old tenant opened a shop.", "A shop."])
def test_what_may_be_said_of_the_same_subject_is_not_spliced(other: str) -> None:
    assert pairs.splice(DOCUMENT[0], [other], CLASSES, random.Random(0)) is None


@given(st.randoms(use_true_random=False))
def test_what_limits_a_sentence_is_never_left_out(rng: random.Random) -> None:
    text = "The tenant of the house, if the roof leaks, pays, except in May, no rent for the year"
    short = pairs._shortened(text, rng)
    assert {"if", "except", "no"} <= set(short.replace(",", "").split())
    assert len(short) <= len(text) + 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_place_lies_amid_those_near_the_best(values: list[float]) -> None:
    places = np.arange(len(values), dtype=float)
    near = [n for n, value in enumerate(values) if value >= max(values) - fit.NOISE]
    assert near[0] <= fit._middle(places, values) <= near[-1]


def test_the_fitted_model_passes_most_copies_and_asks_more_of_them_than_of_free_wordings() -> None:
    rng = random.Random(1)

    def row(true: bool, origin: str, like: float, trigrams: float) -> fit.Row:
        values = dict.fromkeys(FEATURES, 0.0)
        spread = like + rng.gauss(0, 0.1)
        return true, origin, values | {"trigrams": trigrams, "tokens": spread - 0.4 * trigrams}

    rows = [
        row(true, origin, (0.9 if true else 0.8), 0.0)
        for origin in fit.FREE
        for true in (True, False)
        for _ in range(40)
    ]
    rows += [row(n % 2 == 0, fit.COPIED, 1.6 + 0.4 * (n % 2 == 0), 0.9) for n in range(200)]
    model = fit.fit(rows)
    copies = [model.logit(values) >= 0 for true, origin, values in rows
              if true and origin == fit.COPIED]  # fmt: skip
    assert np.mean(copies) > 0.7
    assert model.extract.demand > 0
    assert model.extract.slope > 0
