"""Recorded grades are found by statement and source, whatever else is in the question."""

from __future__ import annotations

from pathlib import Path

from benchmarks.recorded import Recorded, digest, lines, read, replayed, taken, write
from groundrules import api
from groundrules.claims.documents.document import from_text
from groundrules.config import Config
from groundrules.llm.prompt import Prompt
from groundrules.terms import Outcome, Report

SOURCE = (
    "The ferry to Harn runs on weekdays. It leaves the north pier at nine and carries forty "
    "passengers. Bicycles travel free of charge. The last boat returns at six in the evening."
)
TRUE = "Nobody pays for taking a bike along."
GRADE = {
    "grade": "entailed",
    "quote": "Bicycles travel free of charge",
    "wrong": "",
    "reason": "So it is said.",
}


def recorded(folder: Path) -> Path:
    path = folder / "grades.jsonl"
    write(path, {(digest(SOURCE), TRUE): GRADE})
    return path


def checked(client: Recorded, text: str, source: str = SOURCE) -> Report:
    with replayed(client, [], Config()) as config:
        return api.check(text, context=[from_text(source, "ferry.txt")], config=config)


def test_a_grade_counts_whatever_else_is_asked(tmp_path: Path) -> None:
    for text in (TRUE, f"Dogs are welcome too. {TRUE}", f"{TRUE} The crew is friendly."):
        report = checked(Recorded(recorded(tmp_path)), text)
        found = {one.text: one.outcome for one in report.statements}
        assert found[TRUE] is Outcome.SUPPORTED, text


def test_a_question_with_a_statement_that_was_never_asked_is_missing(tmp_path: Path) -> None:
    client = Recorded(recorded(tmp_path))
    checked(client, TRUE)
    assert client.asked == 1
    assert not client.missing
    checked(client, f"Dogs are welcome too. {TRUE}")
    ((source, prompt),) = client.missing.values()
    assert source == digest(SOURCE)
    assert "Dogs are welcome too." in lines(prompt)[0].values()


def test_what_was_said_beside_another_source_is_not_taken(tmp_path: Path) -> None:
    other = SOURCE.replace("north", "south")
    report = checked(Recorded(recorded(tmp_path)), TRUE, other)
    assert all(one.outcome is not Outcome.SUPPORTED for one in report.statements)


def test_controls_that_were_never_asked_are_counted(tmp_path: Path) -> None:
    client = Recorded(recorded(tmp_path))
    checked(client, TRUE)
    assert client.tried == 0
    assert client.untried == 3


def test_an_answer_is_kept_by_its_statements(tmp_path: Path) -> None:
    prompt = Prompt("grades", "", (("statements", f"[S1] Dogs\n    bark.\n[S2] {TRUE}"),), {})
    answer = {"grades": [{"statement": 2, **GRADE}, {"statement": 7, **GRADE}]}
    rows = taken("0" * 16, lines(prompt)[0], answer)
    write(tmp_path / "grades.jsonl", rows)
    assert read(tmp_path / "grades.jsonl") == {("0" * 16, TRUE): GRADE}
