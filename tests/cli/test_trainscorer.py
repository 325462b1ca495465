"""`groundrules train-scorer`: a folder that is a scorer, and how it was made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.models.passage_scorer import score_support
from tests.cli.conftest import Outcome
from tests.models.test_head import rows
from tests.rows import each

Cli = Callable[..., Outcome]


def write(path: Path, count: int, *, seed: int = 0, labelled: bool = True) -> Path:
    fields = [dict(row.fields) for row in rows(count, seed)]
    for row in fields if not labelled else ():
        del row["label"]
    path.write_text("".join(json.dumps(row) + "\n" for row in fields), "utf-8")
    return path


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_labels_become_a_folder_that_scores(tmp_path: Path, cli: Cli) -> None:
    write(tmp_path / "labels.jsonl", 60)

    found = cli("train-scorer", "labels.jsonl", "-o", "out")

    assert (found.code, found.err) == (0, "")
    assert "precision  recall     F1" in found.out.splitlines()[0]
    assert "\nas shipped  " in found.out
    assert "60 labels, 30 of them unsafe, after 0 silver labels; split by 6" in found.out
    assert 0 < score_support([("a", "b: c")], str(tmp_path / "out"))[0] < 1


def test_silver_rows_without_a_label_need_a_model_that_grades(tmp_path: Path, cli: Cli) -> None:
    write(tmp_path / "labels.jsonl", 40)
    write(tmp_path / "more.jsonl", 30, seed=4, labelled=False)

    found = cli("train-scorer", "labels.jsonl", "-o", "out", "--silver", "more.jsonl")

    assert found.code == 2
    assert "more.jsonl: 30 rows have no label; name a model that grades them" in found.err
    assert not (tmp_path / "out").exists()


def test_silver_rows_without_a_label_are_graded_by_the_model(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("jsonschema")
    from groundrules.config import LLMConfig
    from groundrules.llm import client as llm
    from groundrules.models import passage_scorer

    write(tmp_path / "labels.jsonl", 40)
    write(tmp_path / "more.jsonl", 30, seed=4, labelled=False)
    graded = [
        llm.row(
            llm.Prompt(
                "grade",
                passage_scorer._INSTRUCTIONS,
                (("passage", row.premise), ("statement", row.hypothesis)),
                passage_scorer._ANSWER,
            ),
            {"answer": "SUPPORTS" if row.label else "INSUFFICIENT"},
        )
        for row in rows(30, 4)
    ]
    (tmp_path / "answers.jsonl").write_text("".join(graded), "utf-8")
    client = llm.Client(LLMConfig(), answers=tmp_path / "answers.jsonl")
    monkeypatch.setattr(llm, "connect", lambda *_: client)

    found = cli("train-scorer", "labels.jsonl", "-o", "out", "--silver", "more.jsonl")

    assert found.code == 0
    assert "calls 30, cached 0" in found.err
    assert "after 30 silver labels" in found.out
    assert client.usage.calls + client.usage.cached == 30


@each("arguments what")
def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, cli: Cli, arguments: list[str], what: str
) -> None:
    write(tmp_path / "labels.jsonl", 40)
    write(tmp_path / "few.jsonl", 10)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/CARD.md").write_text("mine")

    found = cli("train-scorer", *arguments)

    assert found.code == 2
    assert (tmp_path / "mine/CARD.md").read_text() == "mine"
    assert what in found.err
    assert found.err.count("\n") == 1
