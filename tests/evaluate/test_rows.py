"""Laws of the rows, of the figures and of the calibration."""

from __future__ import annotations

import gzip
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrules.errors import ConfigError, SourceError
from groundrules.evaluate import figures
from groundrules.evaluate.figures import judged, resampled
from groundrules.evaluate.rows import read_rows, sample
from groundrules.models.calibration import best_threshold, fit_calibration, read_calibration
from groundrules.terms import Outcome

# few distinct scores, so that ties are the rule
SCORED = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5000001, 0.9, 1.0]), st.sampled_from([0, 1])),
    min_size=1,
    max_size=60,
)


def arrays(rows: Iterable[tuple[float, int]]) -> tuple[Any, Any]:
    pairs = list(rows)
    return np.array([s for s, _ in pairs], float), np.array([y for _, y in pairs], int)


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the draws: only what an interval is depends on their number, not that it is."""
    monkeypatch.setattr(figures, "_RESAMPLES", 100)


@given(SCORED)
def test_no_threshold_between_two_scores_is_better_than_the_best(
    rows: list[tuple[float, int]],
) -> None:
    from sklearn.metrics import balanced_accuracy_score

    scores, labels = arrays(rows)
    if len(set(labels.tolist())) < 2:
        return
    best = balanced_accuracy_score(labels, scores >= best_threshold(scores, labels))
    values = sorted(set(scores.tolist()))
    for low, high in itertools.pairwise(values):
        other = balanced_accuracy_score(labels, scores >= (low + high) / 2)
        assert other <= best + 1e-12


def test_draws_are_of_whole_groups_and_depend_on_the_seed_alone() -> None:
    groups = [f"d{n // 3}" for n in range(60)]
    first = [rows.tolist() for rows in resampled(groups, 1)]
    assert first == [rows.tolist() for rows in resampled(groups, 1)]
    assert first != [rows.tolist() for rows in resampled(groups, 2)]
    for rows in first:
        counts = Counter(rows)
        assert all(counts[n] == counts[n - n % 3] for n in range(60))
    assert not list(resampled(["same"] * 3, 0))


# --- calibration ------------------------------------------------------------------------------


def rising(count: int, noise: float = 0.3, seed: int = 0) -> tuple[Any, Any]:
    draws = np.random.default_rng(seed)
    labels = np.arange(count) % 2
    return np.clip(labels * 0.5 + 0.25 + noise * draws.normal(size=count), 0, 1), labels


@given(st.integers(20, 200), st.floats(0, 0.6), st.integers(0, 20))
@settings(max_examples=50)
def test_a_calibration_rises_with_the_score_and_is_a_probability(
    count: int, noise: float, seed: int
) -> None:
    try:
        fitted = fit_calibration(*rising(count, noise, seed))
    except ConfigError as error:
        assert "do not rise with support" in str(error)  # noqa: PT017
        return
    values = [fitted.probability(score) for score in np.linspace(0, 1, 41)]
    assert all(0 <= v <= 1 for v in values)
    assert values == sorted(values)
    assert 0 <= fitted.threshold <= 1


@given(st.integers(20, 120), st.floats(0.05, 0.6), st.integers(0, 20))
@settings(max_examples=30)
def test_no_other_slope_or_intercept_has_a_smaller_loss(
    count: int, noise: float, seed: int
) -> None:
    scores, labels = rising(count, noise, seed)
    try:
        fitted = fit_calibration(scores, labels)
    except ConfigError:
        return
    positive = int(labels.sum())
    target = np.where(labels == 1, (positive + 1) / (positive + 2), 1 / (count - positive + 2))
    kept = np.clip(scores, 1e-6, 1 - 1e-6)
    x = np.log(kept / (1 - kept))

    def loss(slope: float, intercept: float) -> float:
        z = slope * x + intercept
        ridge = 0.5e-3 * ((slope - 1) ** 2 + intercept**2)
        return float((np.logaddexp(0, z) - target * z).sum()) + ridge

    here = loss(fitted.slope, fitted.intercept)
    for slope, intercept in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01), (0.5, 0.5)):
        assert here <= loss(fitted.slope + slope, fitted.intercept + intercept) + 1e-9


def test_scores_that_are_certain_do_not_make_a_calibration_run_away() -> None:
    labels = np.arange(40) % 2
    fitted = fit_calibration(labels.astype(float), labels)
    assert 0 < fitted.slope < 10
    assert fitted.probability(1.0) == pytest.approx(21 / 22, abs=0.01)


def test_scores_that_fall_with_support_make_no_calibration() -> None:
    labels = np.arange(40) % 2
    with pytest.raises(ConfigError, match="do not rise with support"):
        fit_calibration(1.0 - labels, labels)


@pytest.mark.parametrize("labels", [[1] * 40, [0] * 40, [0, 1] * 9, []])
def test_a_calibration_needs_20_rows_and_both_labels(labels: list[int]) -> None:
    with pytest.raises(ConfigError, match="expected at least 20 rows with both labels"):
        fit_calibration(np.full(len(labels), 0.5), np.array(labels, int))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{}", "no calibration; expected the file"),
        ("[1]", "no calibration; expected the file"),
        ("not json", "no calibration; expected the file"),
        ('{"slope": "x", "intercept": 0, "threshold": 0.5}', "no calibration; expected the file"),
        ('{"slope": NaN, "intercept": 0, "threshold": 0.5}', "a figure is not finite"),
        ('{"slope": -1, "intercept": 0, "threshold": 0.5}', "the slope is -1.0"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_calibration_is_one_line(tmp_path: Path, text: str | None, what: str) -> None:
    path = tmp_path / "c.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=what) as caught:
        read_calibration(path)
    assert str(caught.value).startswith(str(path))


# --- rows -------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(*rows: object, name: str = "rows.jsonl") -> Path:
        text = "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
        path = tmp_path / name
        if name.endswith(".gz"):
            path.write_bytes(gzip.compress(text.encode()))
        else:
            path.write_text(text, encoding="utf-8")
        return path

    return write


GOOD = {"doc": "The rent is due.", "claim": "The rent is due.", "label": 1}


def changed(**fields: object) -> dict[str, object]:
    said = {"s": "It was short.", "label": 0, **fields}
    return {"doc": "The meeting was short.", "answer": [said]}


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("{\n", "not JSON"),
        ("[" * 100_000 + "\n", "not JSON"),
        ([1, 2], "not an object; expected doc and claim with label, or doc and answer"),
        ({**GOOD, "label": "yes"}, 'label is "yes"; expected 0, 1'),
        ({**GOOD, "label": 2}, "label is 2; expected 0, 1"),
        ({**GOOD, "label": None}, "label is missing"),
        ({"doc": "d", "label": 1}, "answer is missing"),
        ({"claim": "c", "label": 1}, "doc is missing"),
        ({**GOOD, "doc": 7}, "doc is 7; expected a valid string"),
        ({**GOOD, "doc": " "}, 'doc is " "; expected a text'),
        ('{"doc": "a\\ud800", "claim": "c", "label": 1}\n', "doc is .* without lone surrogates"),
        ({**GOOD, "claim": "", "label": 0}, 's is ""; expected a text'),
        ({"doc": "d", "answer": "It was."}, 'answer is "It was."; expected a valid list'),
        ({"doc": "d", "answer": []}, r"answer is \[\]; list should have at least 1 item"),
        ({"doc": "d", "answer": ["It was."]}, r'answer.0 is "It was."; expected an object'),
        (changed(s=None), r"answer.0.s is null; expected a valid string"),
        (changed(label=None), r"answer.0.label is null; expected 0, 1"),
        (changed(label="maybe"), r'answer.0.label is "maybe"; expected 0, 1'),
        (changed(error=3), r"answer.0.error is 3; expected a valid string"),
        (changed(span="long"), r"answer.0 is .*; span has other words than its s"),
        (changed(s="a \ud800"), r"answer.0.s is .* without lone surrogates"),
        ({**changed(), "genre": 1}, "genre is 1; expected a valid string"),
    ],
)
def test_a_wrong_row_is_named_by_file_and_line(
    file: Callable[..., Path], row: object, what: str
) -> None:
    path = file(GOOD, "\n", row)
    with pytest.raises(SourceError, match=what) as caught:
        read_rows(path)
    assert str(caught.value).startswith(f"{path}:3: ")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "no rows"),
        (b"\n\n", "no rows"),
        (b"\xff\xfe\n", "not UTF-8"),
        (b"\x1f\x8bnot gzip at all", "cannot be read"),
        (gzip.compress(b"{}\n" * 9, mtime=0)[:-12], "cannot be read"),
        (None, "no such file"),
    ],
)
def test_a_file_that_is_none_is_one_line(tmp_path: Path, data: bytes | None, what: str) -> None:
    path = tmp_path / "rows.jsonl"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(SourceError, match=what) as caught:
        read_rows(path)
    assert str(caught.value).startswith(str(path))


def test_rows_have_doc_or_context_packed_or_not(file: Callable[..., Path]) -> None:
    context = {"context": "The rent is due.", "claim": "c", "label": 0, "doc": None}
    for name in ("rows.jsonl", "rows.jsonl.gz"):
        rows = read_rows(file(GOOD, context, name=name))
        assert [row.label for row in rows] == [1, 0]
        assert rows[0].document == rows[1].document == "The rent is due."
    by_id = read_rows(file({**GOOD, "doc_id": 7}, {**GOOD, "doc_id": None}))
    assert [row.document for row in by_id] == ["7", "The rent is due."]


def test_a_limit_takes_whole_documents_by_the_seed(file: Callable[..., Path]) -> None:
    rows = read_rows(file(*[{**GOOD, "doc_id": n // 3} for n in range(60)]))
    first, again, other = (sample(rows, 10, seed) for seed in (0, 0, 1))
    assert first == again
    assert first != other
    for taken in (first, other):
        documents = {row.document for row in taken}
        assert taken == [row for row in rows if row.document in documents]
        assert len(taken) == 12
    assert sample(rows, 10_000, 0) == rows
    with pytest.raises(ConfigError, match="the limit is 0"):
        sample(rows, 0, 0)


# --- outcomes ---------------------------------------------------------------------------------

OUTCOME = st.sampled_from(list(Outcome))


@given(st.lists(st.tuples(OUTCOME, OUTCOME), min_size=1, max_size=40))
def test_figures_of_outcomes_are_scikit_learns(pairs: list[tuple[Outcome, Outcome]]) -> None:
    from sklearn import metrics

    labels, said = ([str(one) for one in column] for column in zip(*pairs, strict=True))
    found = judged(pairs)
    assert found.right == pytest.approx(metrics.accuracy_score(labels, said))
    for name in ("supported", "refuted"):
        for told, score in (
            ("precision", metrics.precision_score),
            ("recall", metrics.recall_score),
        ):
            value = getattr(found, f"{told}_{name}")
            expected = score(labels, said, labels=[name], average="micro", zero_division=np.nan)
            assert value == pytest.approx(expected) if value is not None else np.isnan(expected)
    given = sorted(set(labels)), sorted(set(said))
    confusion = metrics.confusion_matrix(labels, said, labels=list(map(str, Outcome))).tolist()
    places = list(map(str, Outcome))
    for one in given[0]:
        for other in given[1]:
            counted = found.confusion[one][other]
            assert counted == confusion[places.index(one)][places.index(other)]


@pytest.mark.parametrize(
    ("name", "label", "outcome"),
    [
        ("Entailment", 1, Outcome.SUPPORTED),
        ("Contradiction", 0, Outcome.REFUTED),
        ("NotMentioned", 0, Outcome.NOT_ENOUGH_INFO),
        ("NOT ENOUGH INFO", 0, Outcome.NOT_ENOUGH_INFO),
    ],
)
def test_a_row_takes_its_label_from_the_outcome(
    file: Callable[..., Path], name: str, label: int, outcome: Outcome
) -> None:
    (row,) = read_rows(file({"doc": "It rains.", "claim": "It rains.", "label3": name}))
    assert (row.label, row.fields["answer"][0]["outcome"]) == (label, outcome)


def test_other_words_in_label3_are_a_field_like_any(file: Callable[..., Path]) -> None:
    row = {"doc": "The rent is due.", "claim": "The rent is due.", "label3": "partially_supported"}
    with pytest.raises(SourceError, match="1: label is missing; expected 0 or 1"):
        read_rows(file(row))
    (found,) = read_rows(file(row | {"label": 1}))
    assert (found.label, found.fields["label3"]) == (1, "partially_supported")
