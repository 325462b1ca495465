"""Laws of the figures, that they are scikit-learn's, and what a machine without it is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groundrules.cli.main import main
from groundrules.models.head import fit
from tests.models.test_head import rows as head_rows
from tests.models.test_head import turned

MISSING = "scikit-learn is not installed; run: pip install 'groundrules[sklearn]'\n"


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
        ("eval", "answers.jsonl", "--isolated"),
        ("eval", "rows.jsonl", "--kb", "kb.ttl", "--isolated"),
        ("train-scorer", "labels.jsonl", "-o", "out", "--isolated"),
        ("check", "a.txt", "--context", "a.txt"),
    ],
    ids=["rows", "answers", "kb", "train-scorer", "clustering"],
)
def test_without_scikit_learn_what_needs_it_is_one_line_that_names_the_extra(
    arguments: tuple[str, ...], without: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(arguments)) == 2
    err = capsys.readouterr().err
    assert err.endswith(MISSING)
    assert err.count("\n") == 1
    assert not (without / "out").exists()


def test_a_check_never_imports_scikit_learn(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Paris is the capital of France.\n")
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from groundrules.cli.main import main\n"
        "sys.exit(main(['check', 'a.txt', '--context', 'a.txt', '--isolated']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
