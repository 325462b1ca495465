"""Recorded letters are found by statement and source, and stand in for a language model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.letters import RECORDED, Letters, Told, ask, load, recorded_reader, take, write
from benchmarks.recorded import digest
from groundrules.claims.models.controls import controls
from groundrules.claims.models.token_reader import DISTRUSTED
from groundrules.models.readers import Asked, Entailment, read_statements

PASSAGES = (
    "The ferry leaves the north pier at nine every morning.",
    "Dogs travel free on the lower deck.",
    "The crossing takes 40 minutes in calm weather.",
)
SOURCE = digest(" ".join(PASSAGES))
TRUE = "One may take a dog along at no charge."
ASKED = [Asked(TRUE, PASSAGES)]


def client(**said: tuple[int, ...]) -> Letters:
    rows = {TRUE: (97, 1, 2), **said}
    found = Letters({(SOURCE, words): Told(shares) for words, shares in rows.items()})
    found.source = SOURCE
    return found


def test_what_is_recorded_is_read_and_controls_that_were_not_asked_are_counted() -> None:
    asked = client()

    assert read_statements(ASKED, recorded_reader(asked)) == (Entailment(0.97, 0.01, 0.02),)
    assert (asked.tried, asked.untried, asked.missing) == (0, 3, set())


def test_a_control_that_was_answered_wrongly_counts_against_what_stands_beside_it() -> None:
    one = next(c for c in controls(PASSAGES, [TRUE]) if c.kind == "contradicted")

    assert read_statements(ASKED, recorded_reader(client(**{one.text: (90, 5, 5)}))) == (
        DISTRUSTED,
    )


def test_a_statement_or_source_of_which_nothing_is_recorded_is_no_reading() -> None:
    asked = client()
    asked.source = "0" * 16
    (found,) = read_statements(ASKED, recorded_reader(asked))

    assert found == "no answer is recorded"
    assert asked.missing == {("0" * 16, TRUE)}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    rows = {
        ("s", "b"): Told((1, 2, 97)),
        ("s", "a"): Told((50, 25, 25), "2 + 2 = 4"),
        ("r", "ü"): Told((0, 0, 100), ""),
    }
    write(rows, tmp_path / "of" / "letters.jsonl")

    assert load(tmp_path / "of" / "letters.jsonl") == rows


def taken(folder: Path, **replies: object) -> object:
    """Return what is taken of answers to two questions about a source, of two lines and of one."""
    (folder / "q.json").write_text(
        json.dumps({"q1": ["s", ["a", "b"], [2]], "q2": ["s", ["a"], []]})
    )
    (folder / "q").mkdir()
    lines = [json.dumps({"id": name[:2], "reply": one}) for name, one in replies.items()]
    (folder / "q/answers-1.jsonl").write_text("\n".join(lines))
    return take(folder / "q")


def test_of_what_was_asked_twice_the_less_sure_answer_stands(tmp_path: Path) -> None:
    first = {"1": [97, 1, 2], "2": [1, 98, 1], "sum 2": "2 + 2 = 4"}
    found = taken(tmp_path, q1=first, q2={"1": [60, 30, 10]})

    assert found == {("s", "a"): Told((60, 30, 10)), ("s", "b"): Told((1, 98, 1), "2 + 2 = 4")}


@pytest.mark.parametrize(
    "replies",
    [
        {"q1": {"1": [97, 1, 2]}},
        {"q1": {"1": [97, 1, 2], "2": [97, 1], "sum 2": ""}},
        {"q1": {"1": [97, 1, 2], "2": [97, 1, 2]}},
        {"q2": {"1": [97, 1, 2], "sum 1": "2 + 2 = 4"}},
        {"q2": {"1": [97, 1, 3]}},
        {"q2": {"1": [101, -1, 0]}},
        {"q2": {"2": [97, 1, 2]}},
        {"q2": {"1": [97, 1, 2], "2": [97, 1, 2]}},
        {"q3": {"1": [97, 1, 2]}},
        {"q2": {"1": [97, 1, 2]}, "q2 again": {"1": [97, 1, 2]}},
    ],
)
def test_what_is_no_answer_or_a_second_one_is_refused(
    tmp_path: Path, replies: dict[str, object]
) -> None:
    with pytest.raises(SystemExit, match="is no answer, or a second one"):
        taken(tmp_path, **replies)


def test_those_who_answer_see_no_label_no_set_and_which_statement_is_a_control_nowhere(
    tmp_path: Path,
) -> None:
    answer = [{"s": TRUE, "label": 1}, {"s": "Dogs pay half the fare.", "label": 0}]
    row = json.dumps({"doc": " ".join(PASSAGES), "answer": answer})
    (tmp_path / "secret.jsonl").write_text(f"{row}\n")
    ask({"set": tmp_path / "secret.jsonl"}, tmp_path / "q")
    shown = {one.name: one.read_text("utf-8") for one in (tmp_path / "q").iterdir()}
    about = json.loads((tmp_path / "q.json").read_text("utf-8"))

    assert {*shown} == {"INSTRUCTIONS.md", "batch-01.jsonl"}
    assert "label" not in shown["batch-01.jsonl"]
    assert "secret" not in "".join(shown.values())
    assert [source for source, *_ in about.values()] == [SOURCE]
    for _, told, _ in about.values():
        assert all(f"] {one}" in shown["batch-01.jsonl"] for one in told)


def test_the_record_has_three_shares_of_a_hundred_for_each_statement() -> None:
    rows = load(RECORDED)

    assert len(rows) > 2000
    shares = [one.shares for one in rows.values()]
    assert all(len(one) == 3 and sum(one) == 100 and min(one) >= 0 for one in shares)
