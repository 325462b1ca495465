"""The second question on a statement: what it shows, what its answer is known by, what is read."""

from __future__ import annotations

from typing import Any

from groundrules.claims.llm_propositions import NO_PLACE, Piece, propositions_of, question_on
from groundrules.claims.llm_rereading import SCHEMA_AGAIN, question_again
from groundrules.llm.prompt import Prompt, key, write_messages
from groundrules.llm.structured import validator
from tests.claims.test_llm_propositions import PARTS, SOURCE, STATEMENT, answer

FIRST = question_on(STATEMENT, [SOURCE], [SOURCE])
GAPS = ("the source has nothing for “free of charge”",)


def again(first: dict[str, Any], gaps: tuple[str, ...] = GAPS) -> Prompt:
    read = propositions_of(first, STATEMENT, SOURCE)
    return question_again(FIRST, first, read, gaps, (STATEMENT, SOURCE))


def test_it_has_the_first_question_its_answer_and_what_that_leaves_open() -> None:
    shown = dict(again(answer(*PARTS)).texts)
    assert dict(FIRST.texts).items() <= shown.items()
    assert "does: “carries” beside “travel on”: same" in shown["the first answer"]
    assert GAPS[0] in shown["what could not be told from it"]


def test_it_says_that_nothing_there_is_a_good_answer_and_looks_for_no_agreement() -> None:
    system = write_messages(again(answer(*PARTS)))[0]["content"]
    assert "That nothing is there is a good answer" in system
    assert "agreement is not looked for" in system


def test_its_answer_is_known_by_the_first_question_and_the_first_answer() -> None:
    one, other = again(answer(*PARTS)), again(answer(*PARTS[:2]))
    assert key(one) != key(other)
    assert key(one) != key(FIRST)
    assert key(one) == key(again(answer(*PARTS), ("another gap",)))


def reckoned(words: str, *of: str) -> dict[str, Any]:
    found = answer(*PARTS)
    found["clauses"][0]["reckoned"] = [{"words": words, "by": "sum", "of": [*of]}]
    validator(SCHEMA_AGAIN)(found)
    return found


def test_figures_count_that_stand_in_the_texts_in_the_source_first() -> None:
    found = propositions_of(reckoned("free of charge", "at no cost", "carries"), STATEMENT, SOURCE)
    ((one,),) = [clause.reckoned for clause in found.clauses]
    assert [piece.in_source for piece in one.of] == [True, False]
    assert one.of[0] == Piece((SOURCE.index("at no"), SOURCE.index("at no") + 10), in_source=True)
    assert not found.dropped


def test_a_sum_of_words_that_stand_in_neither_text_is_dropped_and_counted() -> None:
    for row in (reckoned("free of charge", "at no cost", "12 crowns"), reckoned("free of charge"),
                reckoned("12 crowns", "at no cost"), reckoned("", "at no cost")):  # fmt: skip
        found = propositions_of(row, STATEMENT, SOURCE)
        assert found.clauses[0].reckoned == ()
        assert found.dropped == {NO_PLACE: 1}
