"""Logistic models: a damaged file is told, and probabilities rise with the log odds."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.errors import ModelError
from groundrules.models.logistic import finite, load, log_odds, sigmoid, weights_of


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_the_probability_rises_with_the_log_odds(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert 0 <= sigmoid(low) <= sigmoid(high) <= 1
    assert sigmoid(low) + sigmoid(-low) == pytest.approx(1)


def test_each_weight_counts_for_its_feature() -> None:
    assert log_odds({"a": 2.0, "b": -1.0}, 0.5, {"a": 3.0, "b": 4.0, "c": 9.0}) == 2.5
    with pytest.raises(KeyError):
        log_odds({"a": 2.0}, 0.0, {})


def test_a_model_is_built_of_its_file_and_its_digest(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text('{"weights": {"a": 1}}')
    found = load(path, "the model", lambda data, digest: (weights_of(data, ("a", "b")), digest))
    assert found == ({"a": 1.0}, hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.mark.parametrize(
    "text",
    [
        None, "", "[]", "{}", "[[", '{"weights": []}', '{"weights": {"z": 1}}',
        '{"weights": {"a": "x"}}', '{"weights": {"a": null}}', '{"weights": {"a": NaN}}',
        '{"weights": {"a": 1e999}}',
    ],
)  # fmt: skip
def test_a_damaged_model_is_an_error_with_its_path(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "weights.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ModelError, match=r"the model cannot be read .*reinstall") as error:
        load(path, "the model", lambda data, _: weights_of(data, ("a",)))
    assert str(path) in str(error.value)


@pytest.mark.parametrize("figure", ["inf", float("nan"), "word"])
def test_what_is_no_finite_figure_is_refused(figure: object) -> None:
    with pytest.raises(ValueError, match=r"finite|convert"):
        finite(figure)
