"""Laws of the figures, of the folds and intervals, of the calibration and of the rows."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrules import api
from groundrules.config import Config
from groundrules.errors import ConfigError, SourceError
from groundrules.evaluate import rows as evaluation
from groundrules.evaluate.rows import (
    Calibration,
    Row,
    Scored,
    balanced_accuracy,
    best_threshold,
    cross_validated,
    evaluate,
    figures,
    fit_calibration,
    judged,
    read_calibration,
    read_rows,
    score_row,
)
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
    monkeypatch.setattr(evaluation, "_RESAMPLES", 100)


@given(SCORED)
def test_no_threshold_between_two_scores_is_better_than_the_best(
    rows: list[tuple[float, int]],
) -> None:
    scores, labels = arrays(rows)
    best = balanced_accuracy(scores, labels, best_threshold(scores, labels))
    if best is None:
        return
    values = sorted(set(scores.tolist()))
    for low, high in itertools.pairwise(values):
        other = balanced_accuracy(scores, labels, (low + high) / 2)
        assert other is not None
        assert other <= best + 1e-12


@given(SCORED, st.randoms(use_true_random=False), st.integers(0, 3))
def test_a_fold_is_judged_by_a_threshold_that_never_saw_its_groups(
    rows: list[tuple[float, int]], random: Any, seed: int
) -> None:
    scores, labels = arrays(rows)
    groups = [f"g{random.randrange(8)}" for _ in rows]
    learned: list[tuple[frozenset[int], float]] = []
    original = evaluation.best_threshold
    # each score stands for its row, so the rows a threshold was learned on can be told
    marked = scores + np.arange(len(scores)) * 1e-9

    def spy(some: Any, their: Any) -> float:
        cut = original(some, their)
        learned.append((frozenset(np.flatnonzero(np.isin(marked, some)).tolist()), cut))
        return cut

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "best_threshold", spy)
        value = cross_validated(marked, labels, groups, seed)
    if len(set(groups)) < 2:
        assert value is None
        return
    held: list[int] = []
    for rows_learned, _ in learned:
        inside = {groups[n] for n in rows_learned}
        outside = set(range(len(groups))) - rows_learned
        assert inside.isdisjoint(groups[n] for n in outside)
        held += outside
    assert sorted(held) == list(range(len(groups)))
    again = cross_validated(marked, labels, groups, seed)
    assert again == value


def test_intervals_depend_on_the_seed_alone() -> None:
    scores, labels = arrays([(n % 7 / 7, int(n % 3 == 0)) for n in range(60)])
    groups = [f"d{n // 3}" for n in range(60)]
    first = figures(scores, labels, groups, 0.5, seed=1)
    assert figures(scores, labels, groups, 0.5, seed=1) == first
    assert figures(scores, labels, groups, 0.5, seed=2).ci != first.ci
    for name, (low, high) in first.ci.items():
        assert 0 <= low <= high <= 1
        assert low <= getattr(first, name) <= high, name


def test_rows_of_one_document_have_no_interval() -> None:
    scores, labels = arrays([(0.1, 0), (0.9, 1), (0.4, 1)])
    assert figures(scores, labels, ["same"] * 3, 0.5).ci == {}


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


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("{\n", "not JSON"),
        ("[" * 100_000 + "\n", "not JSON"),
        ([1, 2], "not an object"),
        ({**GOOD, "label": "yes"}, "label is 'yes'; expected 0 or 1"),
        ({**GOOD, "label": 2}, "label is 2; expected 0 or 1"),
        ({**GOOD, "label": None}, "label is None"),
        ({"doc": "d", "label": 1}, "no claim; expected a text"),
        ({"claim": "c", "label": 1}, "no doc; expected the source text in doc or context"),
        ({**GOOD, "doc": 7}, "no doc"),
        ('{"doc": "a\\ud800", "claim": "c", "label": 1}\n', "doc has a lone surrogate U[+]D800"),
        ({"claim_graph": [["a", "b"]], "reference_graph": [], "label": 1}, "claim_graph is no"),
        ({"claim_graph": [], "label": 1}, "reference_graph is no list"),
        ({"claim_graph": [["a", "b", 1]], "reference_graph": [], "label": 1}, "claim_graph is no"),
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


# --- a whole file -----------------------------------------------------------------------------


@pytest.fixture
def scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score a row by its `claim`: a number, or nothing; one claim each, unless it says nothing."""

    def compare(document: Any, contexts: Any, *, config: Config) -> Any:
        assert len(contexts) == 1
        value = float(document.text) if document.text else None
        parts = [SimpleNamespace(stage="value", claims=(1,))] if document.text else []
        return SimpleNamespace(sentences=parts, probability=value, claims=parts)

    monkeypatch.setattr(api, "compare", compare)


def labelled(count: int = 60) -> list[dict[str, Any]]:
    values, labels = rising(count)
    return [
        {
            "doc": f"document {n // 3}",
            "doc_id": f"d{n // 3}",
            "claim": f"{value:.4f}",
            "label": int(label),
            "error": ["date", "party"][n % 3 > 0] if not label else None,
        }
        for n, (value, label) in enumerate(zip(values.tolist(), labels.tolist(), strict=True))
    ]


@pytest.mark.usefixtures("scores")
def test_the_figures_are_those_of_the_scores(file: Callable[..., Path]) -> None:
    from sklearn import metrics

    rows = labelled()
    found = evaluate(file(*rows, {**rows[0], "claim": "", "label": 0}))
    values = np.array([float(row["claim"]) for row in rows] + [0.5])
    labels = np.array([row["label"] for row in rows] + [0])
    assert found.rows == 61
    assert found.supported == 30
    assert found.auc == pytest.approx(metrics.roc_auc_score(labels, values))
    assert found.balanced_accuracy_fixed == balanced_accuracy(values, labels, 0.5)
    assert found.coverage == pytest.approx(60 / 61)
    assert found.stages == {"value": 60}
    assert found.calls == {"llm": 0, "kb": 0}
    assert found.seconds_per_row >= 0
    assert set(found.ci) == set(evaluation.FIGURES)
    assert found.kernel_auc is None
    assert found.kea_auc is None


@pytest.mark.usefixtures("scores")
def test_a_limit_takes_whole_documents_by_the_seed(file: Callable[..., Path]) -> None:
    path = file(*labelled())
    whole = read_rows(path)
    seen: list[list[Row]] = []

    def watch(rows: Iterable[Any], total: int) -> Iterable[Any]:
        seen.append(list(rows))
        assert len(seen[-1]) == total
        return seen[-1]

    for seed in (0, 0, 1):
        evaluate(path, limit=10, seed=seed, progress=watch)
    first, again, other = seen
    assert first == again
    assert first != other
    for taken in seen:
        documents = {row.document for row in taken}
        assert taken == [row for row in whole if row.document in documents]
        assert len(taken) == 12
    assert evaluate(path, limit=10_000).rows == 60
    with pytest.raises(ConfigError, match="the limit is 0"):
        evaluate(path, limit=0)


@pytest.mark.usefixtures("scores")
def test_a_kind_of_error_is_set_against_the_rows_without_one(file: Callable[..., Path]) -> None:
    from sklearn import metrics

    rows = labelled()
    found = evaluate(file(*rows), by="error")
    assert set(found.by) == {"", "date", "party"}
    for kind in ("date", "party"):
        part = [row for row in rows if row["label"] or row["error"] == kind]
        y = [row["label"] for row in part]
        expected = metrics.roc_auc_score(y, [float(row["claim"]) for row in part])
        assert found.by[kind].rows == len(part)
        assert found.by[kind].auc == pytest.approx(expected)
    assert found.by[""].auc is None
    with pytest.raises(ConfigError, match="no row has the field 'eror'; expected one of claim"):
        evaluate(file(*rows), by="eror")


@pytest.mark.usefixtures("scores")
def test_a_calibration_goes_through_its_file(file: Callable[..., Path], tmp_path: Path) -> None:
    path, out = file(*labelled()), tmp_path / "c.json"
    plain = evaluate(path, calibrate=out)
    read = read_calibration(out)
    values, labels = arrays((float(row["claim"]), row["label"]) for row in labelled())
    assert read == fit_calibration(values, labels)
    used = evaluate(path, calibration=out)
    assert used.threshold_fixed == read.threshold
    assert used.auc == pytest.approx(plain.auc)
    assert used.balanced_accuracy_fixed == balanced_accuracy(
        values, labels, _score_at(read, read.threshold)
    )
    with pytest.raises(ConfigError, match="cannot be written"):
        evaluate(path, calibrate=tmp_path / "no" / "such" / "folder.json")


def _score_at(calibration: Calibration, probability: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if calibration.probability(middle) < probability:
            low = middle
        else:
            high = middle
    return high


def test_too_few_rows_to_calibrate_are_told_before_any_is_scored(
    file: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "score_row", pytest.fail)
    with pytest.raises(ConfigError, match="3 rows, 2 of them supported"):
        evaluate(file(*labelled(3)[:2], GOOD), calibrate=tmp_path / "c.json")


def test_graphs_are_scored_without_a_text(file: Callable[..., Path]) -> None:
    france = [["France", "capital", "Paris"], ["France", "currency", "Euro"]]
    rows = [
        {"claim_graph": france, "reference_graph": france, "label": 1, "kea_score": 0.1},
        {
            "claim_graph": [["The tenant", "insures", "the building"]],
            "reference_graph": france,
            "label": 0,
            "kea_score": 0.9,
        },
    ]
    found = evaluate(file(*rows))
    assert found.auc == found.kernel_auc == found.kea_auc == 1.0
    assert found.stages == {"graph": 3}
    assert found.coverage == 1.0
    for value in (None, "a", True, float("nan")):
        rows[1]["kea_score"] = value
        assert evaluate(file(*rows)).kea_auc is None
    assert score_row(Row("d", 1, {"claim_graph": [], "reference_graph": france}), Config()) == (
        evaluation.Scored(None, {"graph": 0}, 0, None)
    )


def test_texts_are_scored_by_the_pipeline(file: Callable[..., Path]) -> None:
    doc = "The term commences on June 1, 2021. Alpine Holdings LLC owns the Building."
    rows = [
        {"doc": doc, "claim": "The term commences on June 1, 2021.", "label": 1},
        {"context": doc, "claim": "Alpine Holdings LLC owns the Building.", "label": 1},
        {"doc": doc, "claim": "The term commences on July 9, 2024.", "label": 0},
        {"context": doc, "claim": "Helga Brandt sold the Building.", "label": 0},
    ]
    found = evaluate(file(*rows))
    assert found.auc == 1
    assert found.ci == {}  # one document
    assert found.coverage == 1
    assert set(found.stages) <= {"exact", "value", "embedding"}
    assert found.stages["exact"] >= 2
    assert evaluate(file(*rows)).auc == found.auc


# --- three outcomes ---------------------------------------------------------------------------

OUTCOME = st.sampled_from(evaluation.OUTCOMES)


@given(st.lists(st.tuples(OUTCOME, OUTCOME), min_size=1, max_size=40))
def test_three_way_figures_are_scikit_learns(pairs: list[tuple[Outcome, Outcome]]) -> None:
    from sklearn import metrics

    labels, said = ([str(one) for one in column] for column in zip(*pairs, strict=True))
    found = judged([label for label, _ in pairs], [one for _, one in pairs])
    assert found is not None
    names = [str(outcome) for outcome in evaluation.OUTCOMES]
    present = sorted(set(labels) | set(said))
    assert found.accuracy == pytest.approx(metrics.accuracy_score(labels, said))
    assert found.macro_f1 == pytest.approx(
        metrics.f1_score(labels, said, labels=present, average="macro")
    )
    confusion = [[found.confusion[one][other] for other in names] for one in names]
    assert np.array_equal(confusion, metrics.confusion_matrix(labels, said, labels=names))


def test_rows_without_outcomes_have_no_three_way_figures() -> None:
    assert judged([None, None], [Outcome.SUPPORTED] * 2) is None


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
    assert (row.label, row.outcome) == (label, outcome)


def test_an_unknown_outcome_is_named_with_its_line(file: Callable[..., Path]) -> None:
    path = file({"doc": "It rains.", "claim": "It rains.", "label3": "Maybe"})
    with pytest.raises(SourceError, match="label3 is 'Maybe'; expected Entailment") as caught:
        read_rows(path)
    assert caught.value.line == 1


def three_way(count: int = 30) -> list[dict[str, Any]]:
    """Rows whose cosines below are apart by outcome, the same three claims of every document."""
    names = ("Entailment", "Contradiction", "NotMentioned", "Entailment")
    return [
        {"doc": f"d{n // 4}", "claim": f"claim {n % 4}", "label3": names[n % 4]}
        for n in range(4 * count)
    ]


def test_baselines_are_measured_on_the_same_rows(
    file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def score(row: Row, _: Config) -> Scored:
        refuted = {"claim 1": ("GR204",), "claim 2": ("GR205",)}.get(row.fields["claim"], ())
        return Scored(0.9 if row.label else 0.1, {}, 1, refuted_by=refuted)

    place = {Outcome.SUPPORTED: 0.9, Outcome.REFUTED: 0.5, Outcome.NOT_ENOUGH_INFO: 0.1}
    monkeypatch.setattr(evaluation, "score_row", score)
    monkeypatch.setattr(
        evaluation,
        "_best_cosines",
        lambda rows, _: np.array([place[r.outcome] + n % 7 / 1000 for n, r in enumerate(rows)]),
    )
    found = evaluate(file(*three_way()), by="label3")
    assert found.three_way is not None
    assert found.three_way.accuracy == 0.75
    counts = [list(row.values()) for row in found.three_way.confusion.values()]
    assert counts == [[60, 0, 0], [0, 30, 0], [0, 30, 0]]
    known = {name: round(one.accuracy, 4) for name, one in found.baselines.items()}
    assert known == {
        "majority": 0.5,
        "majority by claim": 1.0,
        "best sentence, by accuracy": 1.0,
        "best sentence, by macro-F1": 1.0,
        "without rules": 0.75,
    }
    part = found.by["NotMentioned"].three_way
    assert part is not None
    assert part.accuracy == 0


@pytest.mark.usefixtures("scores")
def test_two_way_rows_have_no_baselines(file: Callable[..., Path]) -> None:
    found = evaluate(file(*labelled()))
    assert found.three_way is None
    assert found.baselines == {}


def test_other_words_in_label3_are_a_field_like_any(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    row = {"doc": "The rent is due.", "claim": "The rent is due.", "label3": "partially_supported"}
    path.write_text(json.dumps(row | {"label": 1}) + "\n", encoding="utf-8")

    found = read_rows(path)

    assert [(one.label, one.fields["label3"]) for one in found] == [(1, "partially_supported")]
