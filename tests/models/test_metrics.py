"""Laws of the figures, that they are scikit-learn's, and what a machine without it is told."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.cli.main import main
from groundrules.models.calibration import fit_calibration
from groundrules.models.head import fit
from groundrules.models.metrics import auc
from tests.models.test_head import rows as head_rows
from tests.models.test_head import turned

# few distinct scores, so that ties are the rule
SCORED = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5000001, 0.9, 1.0]), st.sampled_from([0, 1])),
    min_size=1,
    max_size=60,
)
MISSING = "scikit-learn is not installed; run: pip install 'groundrules[sklearn]'\n"


def arrays(rows: Iterable[tuple[float, int]]) -> tuple[Any, Any]:
    pairs = list(rows)
    return np.array([s for s, _ in pairs], float), np.array([y for _, y in pairs], int)


@given(SCORED)
def test_auc_is_the_share_of_pairs_in_the_right_order(rows: list[tuple[float, int]]) -> None:
    from sklearn import metrics

    scores, labels = arrays(rows)
    pairs = list(itertools.product(scores[labels == 1], scores[labels == 0]))
    if not pairs:
        assert auc(scores, labels) is None
    else:
        right = sum((a > b) + (a == b) / 2 for a, b in pairs)
        assert auc(scores, labels) == pytest.approx(right / len(pairs), abs=1e-9)
        assert auc(scores, labels) == pytest.approx(metrics.roc_auc_score(labels, scores), abs=1e-9)


@pytest.mark.parametrize(("figure", "names"), [(lambda s, y: auc(s, y), {"roc_curve", "auc"})])
def test_a_figure_is_computed_by_scikit_learn(
    figure: Any, names: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sklearn import metrics

    seen = set()

    def watched(name: str) -> Any:
        own = getattr(metrics, name)

        def call(*args: Any, **options: Any) -> Any:
            seen.add(name)
            return own(*args, **options)

        return call

    for name in names:
        monkeypatch.setattr(metrics, name, watched(name))
    figure(*arrays([(0.2, 0), (0.8, 1), (0.4, 1)]))
    assert seen == names


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list in which each logistic regression of scikit-learn will stand."""
    from sklearn import linear_model

    made: list[Any] = []
    own = linear_model.LogisticRegression

    def seen(**options: Any) -> Any:
        made.append(own(**options))
        return made[-1]

    monkeypatch.setattr(linear_model, "LogisticRegression", seen)
    return made


def test_a_calibration_is_a_logistic_regression_of_scikit_learn(fitted: list[Any]) -> None:
    found = fit_calibration(*arrays([(n % 10 / 10, int(n % 10 > 4)) for n in range(40)]))
    (model,) = fitted
    assert (found.slope, found.intercept) == (model.coef_[0, 0], model.intercept_[0])


def test_a_trained_scorer_is_a_logistic_regression_of_scikit_learn(fitted: list[Any]) -> None:
    found = fit(turned(head_rows(60)))
    last = next(model for model in fitted[::-1] if found.strengths[1] == model.C)
    assert found.head.slope == pytest.approx(last.coef_[0, -1], rel=1e-4)


@pytest.fixture
def without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file for every command, on a machine without scikit-learn."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    rows = {
        "rows.jsonl": {"doc": "The rent is due.", "claim": "The rent is due.", "label": 1},
        "answers.jsonl": {"doc": "The rent is due.", "answer": [{"s": "It is.", "label": 1}]},
        "labels.jsonl": {"premise": "The rent is due.", "hypothesis": "It is.", "label": 1},
    }
    for name, row in rows.items():
        (tmp_path / name).write_text(json.dumps(row) + "\n")
    (tmp_path / "groundrules.toml").write_text('[align]\nclustering = "scikit-learn"\n')
    (tmp_path / "a.txt").write_text("The tenant rents the flat and lives in a house.\n")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("eval", "rows.jsonl", "--isolated"),
        ("eval", "rows.jsonl", "--calibrate", "out.json", "--isolated"),
        ("eval", "answers.jsonl", "--isolated"),
        ("eval", "rows.jsonl", "--kb", "kb.ttl", "--isolated"),
        ("train-scorer", "labels.jsonl", "-o", "out", "--isolated"),
        ("check", "a.txt", "--context", "a.txt"),
    ],
    ids=["rows", "calibrate", "answers", "kb", "train-scorer", "clustering"],
)
def test_without_scikit_learn_what_needs_it_is_one_line_that_names_the_extra(
    arguments: tuple[str, ...], without: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(arguments)) == 2
    err = capsys.readouterr().err
    assert err.endswith(MISSING)
    assert err.count("\n") == 1
    assert not (without / "out").exists()


def test_a_check_and_its_calibration_never_import_scikit_learn(tmp_path: Path) -> None:
    calibration = {"slope": 1.5, "intercept": 0.1, "threshold": 0.5}
    (tmp_path / "ours.json").write_text(json.dumps(calibration))
    (tmp_path / "a.txt").write_text("Paris is the capital of France.\n")
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from groundrules.cli.main import main\n"
        "sys.exit(main(['check', 'a.txt', '--context', 'a.txt', '--calibration', 'ours.json']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
