"""Recorded readings of claims: each obeys the schema, and is found by its sentence again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.kbreadings import _ROW, KEPT, Answers, items
from benchmarks.recorded import packed, unpacked
from groundrules.errors import LLMError
from groundrules.kb.read.llm_claims import SCHEMA, Item, question_on
from groundrules.llm.prompt import Prompt
from groundrules.llm.structured import validator


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.jsonl")), ids=lambda path: path.stem)
def test_each_answer_that_was_kept_obeys_the_schema(path: Path) -> None:
    client = Answers(path.stem)
    assert len(client.rows) > 400
    obeys = validator(SCHEMA)
    for row in client.rows.values():
        obeys({"sentences": [unpacked(row, _ROW)]})


def test_an_answer_outlives_the_number_and_the_company_of_its_sentence() -> None:
    one, other = Item("Ann was born in Ulm."), Item("She died.", before="Ann was born in Ulm.")
    first, second = question_on([one, other], ()), question_on([other, one], ())
    assert items(first) == items(second)[::-1]
    client = Answers("none")
    row = {"number": 1, "left": ["died"], "claims": []}
    client.rows = {items(first)[1]: packed(row, _ROW)}
    assert client.ask(first) == {"sentences": [{**row, "number": 2}]}
    assert client.lost == 1
    assert json.dumps(client.ask(second)) == json.dumps({"sentences": [row]})


def test_nothing_else_is_recorded() -> None:
    with pytest.raises(LLMError):
        Answers("open").ask(Prompt("triples", "", (), {}))
