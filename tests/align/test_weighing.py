"""Laws of the score of statements: signs, sums, calibration, and what is not weighed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align import weighing
from groundrules.align.statements import AlignedStatement, statement_claim
from groundrules.align.weighing import (
    BASE,
    SIGNS,
    Weights,
    load_weights,
    score,
    with_finding,
    with_scores,
)
from groundrules.errors import ModelError
from groundrules.models.calibration import Calibration
from groundrules.models.logistic import logit
from groundrules.terms import Severity, Span

WEIGHTS = Weights({name: sign * 0.7 for name, sign in SIGNS.items()}, 0.3, 0.5, "digest")
SOURCE = "The rent is due on Monday. A dog needs the agent's consent."
SHARES = st.floats(0, 1)
FEATURES = st.fixed_dictionaries({name: st.floats(-6, 6) for name in SIGNS})


def aligned(text: str, support: float = 0.5, **rest: object) -> AlignedStatement:
    span = Span("answer", 0, len(text))
    one = AlignedStatement(
        statement_claim("answer", 0, span, text), 0, text, (), support, "embedding"
    )
    return replace(one, **rest)  # type: ignore[arg-type]


def test_the_shipped_weights_have_the_signs_of_their_features() -> None:
    found = load_weights()

    assert all(SIGNS[name] * weight >= 0 for name, weight in found.weights.items())
    assert 0 <= found.threshold <= 1


@given(FEATURES, st.sampled_from(sorted(SIGNS)), st.floats(0, 5))
def test_more_of_what_speaks_for_a_statement_never_lowers_its_score(
    features: dict[str, float], name: str, more: float
) -> None:
    raised = {**features, name: features[name] + SIGNS[name] * more}

    assert score(WEIGHTS.contributions(raised)) >= score(WEIGHTS.contributions(features)) - 1e-3


@given(FEATURES)
def test_the_contributions_and_the_base_come_to_the_score(features: dict[str, float]) -> None:
    told = WEIGHTS.contributions(features)

    assert told[0] == (BASE, 0.3)
    total = 0.3 + sum(WEIGHTS.weights[name] * value for name, value in features.items())
    assert logit(score(told)) == pytest.approx(max(-13.8, min(13.8, total)), abs=0.05)


@given(FEATURES, st.floats(0.1, 3), st.floats(-2, 2))
def test_calibrated_weights_give_the_calibrated_score(
    features: dict[str, float], slope: float, intercept: float
) -> None:
    scale = Calibration(slope, intercept)
    plain = sum(value for _, value in WEIGHTS.contributions(features))
    found = sum(value for _, value in WEIGHTS.under(scale).contributions(features))

    assert found == pytest.approx(slope * plain + intercept, abs=0.01)


@given(st.sampled_from([None, *Severity]))
def test_a_finding_only_lowers_the_score_and_an_error_is_weighed_once(
    worst: Severity | None,
) -> None:
    told = ((BASE, 0.4),)
    found = with_finding(told, worst, WEIGHTS)

    assert score(found) <= score(told)
    assert (len(found) == 1) == (worst in (None, Severity.INFO))


def test_what_stands_word_for_word_or_could_not_be_read_is_not_weighed() -> None:
    statements = (
        aligned("The rent is due on Monday.", verbatim=frozenset({"source"})),
        aligned("Der Hund darf.", unreadable="another language"),
        replace(aligned("Nothing to hold it against."), support=None),
    )

    assert with_scores(statements, [SOURCE], WEIGHTS) == statements


@given(SHARES, SHARES)
def test_a_wording_that_is_nearer_never_lowers_the_score(a: float, b: float) -> None:
    low, high = sorted((a, b))
    less, more = (
        with_scores([aligned("Dogs are welcome.", share)], [SOURCE], WEIGHTS)[0]
        for share in (low, high)
    )

    assert (less.support or 0) <= (more.support or 0)


@pytest.mark.parametrize(
    "change",
    [
        {"weights": {"derived": -1}},
        {"weights": {"lacking": 1}},
        {"weights": {"unknown": 1}},
        {"weights": {"derived": float("nan")}},
        {"base": "x"},
        {"threshold": 2},
        {"threshold": None},
    ],
)
def test_damaged_weights_are_one_clear_line(
    change: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {"weights": {"derived": 1}, "base": 0, "threshold": 0.5}
    data |= change
    (tmp_path / "weights.json").write_text(json.dumps(data))
    monkeypatch.setattr(weighing, "_FOLDER", tmp_path)
    load_weights.cache_clear()
    try:
        with pytest.raises(ModelError, match="cannot be read") as error:
            load_weights()
        assert "\n" not in str(error.value)
    finally:
        load_weights.cache_clear()
