"""What a statement and a sentence of a source leave over of each other, and where they differ."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.clauses.coverage import compare, covers
from groundrules.align.clauses.difference import crossed, difference
from tests.strategies import examples, texts


def rows(name: str) -> list[Any]:
    text = (Path(__file__).parent / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("row", rows("coverage"), ids=lambda row: row["statement"])
def test_a_statement_is_covered_where_all_of_both_sides_is_accounted_for(row: Any) -> None:
    said, entailed = [(row["source"], "")], row.get("entailed", False)
    assert covers(row["statement"], said, {}, entailed=entailed) is row["covered"]


@pytest.mark.parametrize("row", rows("coverage"), ids=lambda row: row["source"])
def test_every_sentence_covers_itself(row: Any) -> None:
    assert not compare(row["source"], row["source"])


@pytest.mark.parametrize("row", rows("crossed"), ids=lambda row: row["statement"])
def test_what_a_sentence_says_of_one_thing_is_not_said_of_another_beside_it(row: Any) -> None:
    found = crossed(row["statement"], row["source"])
    told = (found.kind, found.claimed, found.stated) if found else ("", "", "")
    assert told == (row["kind"], row["claimed"], row["stated"])


@pytest.mark.parametrize("row", rows("difference"), ids=lambda row: row["statement"])
def test_one_difference_beside_an_otherwise_equal_sentence_is_told(row: Any) -> None:
    found = difference(row["statement"], row["source"])
    told = (found.kind, found.claimed, found.stated) if found else ("", "", "")
    assert told == (row["kind"], row.get("claimed", ""), row.get("stated", ""))


def test_a_thing_may_be_called_as_the_source_calls_it() -> None:
    said, source = "The Tenant pays the rent.", [("Ann Hale pays the rent.", "")]
    assert not covers(said, source, {}, entailed=False)
    assert covers(said, source, {(0, 10): {"Ann Hale"}}, entailed=False)


@pytest.mark.parametrize("row", rows("antecedents"), ids=lambda row: row["source"])
def test_a_pronoun_stands_for_the_one_thing_that_agrees_with_it(row: Any) -> None:
    passages = [(row["source"], row["before"])]
    assert covers(row["statement"], passages, {}, entailed=False) is row["covered"]


#: What is put into sentences of the rows, so that it is read in part.
ODD = ("x24 to 3", "both", "and or", "not no", "“", "½ to", "(a)", "1e9 or 2", "-", "A.", "but not")


@given(st.sampled_from(rows("difference")), st.sampled_from(ODD), st.integers(0, 12), st.booleans())
@examples(60)
def test_no_words_put_into_a_sentence_break_a_difference(
    row: Any, odd: str, at: int, own: bool
) -> None:
    pair = [row["statement"], row["source"]]
    words = pair[own].split()
    pair[own] = " ".join([*words[:at], odd, *words[at:]])
    difference(*pair)
    crossed(*pair)


@given(texts(), texts())
@examples(60)
def test_no_text_however_odd_breaks_a_difference(statement: str, source: str) -> None:
    difference(statement, source, source)
    crossed(statement, source)
