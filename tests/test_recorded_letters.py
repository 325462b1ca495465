"""Recorded letters are found by statement and source, and stand in for a language model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.letters import RECORDED, Letters, load, recorded_reader, take, write
from benchmarks.recorded import digest
from groundrules.claims.controls import controls
from groundrules.claims.token_reader import DISTRUSTED
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
    found = Letters({(SOURCE, TRUE): (97, 1, 2), **{(SOURCE, k): v for k, v in said.items()}})
    found.source = SOURCE
    return found


def test_what_is_recorded_is_read_and_controls_that_were_not_asked_are_counted() -> None:
    asked = client()

    assert read_statements(ASKED, recorded_reader(asked)) == (Entailment(0.97, 0.01, 0.02),)
    assert (asked.tried, asked.untried, asked.missing) == (0, 3, 0)


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
    assert asked.missing == 1


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    rows = {("s", "b"): (1, 2, 97), ("s", "a"): (50, 25, 25), ("r", "ü"): (0, 0, 100)}
    write(rows, tmp_path / "of" / "letters.jsonl")

    assert load(tmp_path / "of" / "letters.jsonl") == rows


@pytest.mark.parametrize("line", ["p001.1 97 1", "p001.1 97 1 3", "p001.1 1 1 98\np001.1 1 1 98"])
def test_what_is_no_answer_or_a_second_one_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "about.json").write_text(json.dumps({"p001.1": ["s", "a"]}))
    (tmp_path / "answers.txt").write_text(line)
    with pytest.raises(SystemExit, match="is no answer, or a second one"):
        take(tmp_path, {})


def test_the_record_has_three_shares_of_a_hundred_for_each_statement() -> None:
    rows = load(RECORDED)

    assert len(rows) > 2000
    assert all(len(one) == 3 and sum(one) == 100 and min(one) >= 0 for one in rows.values())
