"""Propositions that a language model read: what stands in the texts counts, the rest is dropped."""

from __future__ import annotations

from typing import Any

import pytest

from groundrules.claims.llm_propositions import (
    NO_CLAUSE,
    NO_PLACE,
    NO_SOURCE,
    NO_WORDS,
    SCHEMA,
    propositions_of,
    question_on,
)
from groundrules.llm.prompt import key
from groundrules.llm.structured import validator

STATEMENT = "The ferry carries bicycles free of charge."
SOURCE = "On weekdays bicycles travel on the ferry at no cost. The café is closed."

Row = tuple[str, str, str, str]
PARTS: tuple[Row, ...] = (
    ("does", "carries", "travel on", "same"),
    ("who", "The ferry", "the ferry", "same"),
    ("how much", "free of charge", "at no cost", "same"),
)


def side(words: str, *, denied: bool = False, force: str = "fact") -> dict[str, Any]:
    return {"words": words, "not": denied, "force": force}


def clause(said: str, known: str, *rows: Row) -> dict[str, Any]:
    names = ("role", "statement", "source", "relation")
    parts = [dict(zip(names, row, strict=True)) for row in rows]
    return {"statement": side(said), "source": side(known), "parts": parts}


def answer(*rows: Row, said: str = STATEMENT, known: str = SOURCE[:52]) -> dict[str, Any]:
    found = {"clauses": [clause(said, known, *rows)]}
    validator(SCHEMA)(found)
    return found


def test_what_stands_in_the_texts_is_read_with_its_places() -> None:
    found = propositions_of(answer(*PARTS), STATEMENT, SOURCE)
    (one,) = found.clauses
    assert not found.dropped
    told = [(p.role, STATEMENT[slice(*p.said[0])], SOURCE[slice(*p.known[0])]) for p in one.parts]
    assert told == [row[:3] for row in PARTS]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (("what", "bicycles", "tandems", "same"), NO_PLACE),
        (("what", "tandems", "bicycles", "same"), NO_PLACE),
        (("what", "", " … ", "same"), NO_WORDS),
    ],
)
def test_a_part_without_words_in_the_texts_is_dropped_and_counted(row: Row, why: str) -> None:
    found = propositions_of(answer(*PARTS, row), STATEMENT, SOURCE)
    assert found.dropped == {why: 1}
    assert found.given == 1 + 4
    assert len(found.clauses[0].parts) == 3


def test_a_clause_that_neither_text_has_is_dropped() -> None:
    invented = "The ferry carries dogs"
    assert propositions_of(answer(said=invented), STATEMENT, SOURCE).dropped == {NO_CLAUSE: 1}
    assert propositions_of(answer(said=""), STATEMENT, SOURCE).dropped == {NO_CLAUSE: 1}
    assert propositions_of(answer(known=invented), STATEMENT, SOURCE).dropped == {NO_SOURCE: 1}


def test_words_apart_and_the_mark_of_a_passage_are_found() -> None:
    rows = (("what", "bicycles", "[P1] bicycles … on the ferry", "same"),)
    (one,) = propositions_of(answer(*rows), STATEMENT, SOURCE).clauses
    assert [SOURCE[slice(*place)] for place in one.parts[0].known] == ["bicycles", "on the ferry"]


def test_one_side_alone_relates_to_nothing_but_a_verb_that_is_meant() -> None:
    rows = (("what", "bicycles", "", "same"), ("does", "carries", "", "same"))
    (one,) = propositions_of(answer(*rows), STATEMENT, SOURCE).clauses
    assert [part.relation for part in one.parts] == ["none", "same"]


def test_an_answer_is_known_by_statement_and_sources_whatever_is_shown() -> None:
    whole = question_on(STATEMENT, ["On weekdays.", "The café."], [SOURCE])
    part = question_on(STATEMENT, ["The café."], [SOURCE])
    assert key(whole) == key(part)
    assert key(whole) != key(question_on(STATEMENT, ["The café."], [SOURCE[:52]]))
    assert key(whole) != key(question_on("The café is open.", ["The café."], [SOURCE]))
    assert key(whole) != key(question_on(STATEMENT, ["The café."], [SOURCE], ["It is old."]))


# --- what is reckoned -------------------------------------------------------------------------

FARES = "A child pays 4 crowns, a dog 4 crowns and a bicycle 7 crowns."


def reckoned(*of: str) -> list[str]:
    """Return the words at the places that pieces of a sum are found at, with where they begin."""
    row = clause("They pay 8 crowns.", FARES, ("what", "8 crowns", FARES[:-1], "same"))
    row["reckoned"] = [{"words": "8 crowns", "by": "sum", "of": list(of)}]
    (one,) = propositions_of({"clauses": [row]}, "They pay 8 crowns.", FARES).clauses
    return [
        f"{FARES[slice(*piece.place)]} at {piece.place[0]}"
        for found in one.reckoned
        for piece in found.of
    ]


def test_a_piece_that_is_given_twice_stands_twice_or_makes_no_sum() -> None:
    assert reckoned("4 crowns", "4 crowns") == ["4 crowns at 13", "4 crowns at 29"]
    assert reckoned("4 crowns", "4") == ["4 crowns at 13", "4 at 29"]
    assert reckoned("7 crowns", "7 crowns") == []
    assert reckoned("4 crowns", "4 crowns", "4 crowns") == []
