"""A language model may grade; what it quotes has to stand in the source."""

from __future__ import annotations

import json

from hypothesis import given, settings

from groundrules.terms import Outcome
from tests.fuzz.forged import Forged, forged_answers, hold_forged, said, supported
from tests.fuzz.parsers import kept
from tests.fuzz.readers import checked

LIE = "Northgate insures the roof"
TRUE = "The roof was repaired by Northgate"


def entailed(quote: str) -> Forged:
    grade = {"statement": 1, "quote": quote, "reason": "r", "grade": "entailed", "wrong": ""}
    return {"grades": {"grades": [grade]}, "triples": {"text1": [], "text2": []},
            "": {"explanation": ""}}  # fmt: skip


def test_a_quote_that_stands_in_the_source_supports_and_an_invented_one_does_not() -> None:
    """Without this the law below could not fail."""
    first, *_ = checked(lambda body, _: said(entailed(TRUE), body)).statements
    assert first.outcome is Outcome.SUPPORTED
    assert first.number not in supported()

    hold_forged(entailed(LIE))


def test_no_answer_of_the_corpus_makes_a_statement_supported() -> None:
    assert kept("forged")
    for path in kept("forged"):
        hold_forged(json.loads(path.read_bytes()))


@settings(max_examples=10)
@given(forged_answers())
def test_no_forged_answer_makes_a_statement_supported(answers: Forged) -> None:
    hold_forged(answers)
