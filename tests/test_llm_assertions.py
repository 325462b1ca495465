"""Assertions that a language model read: in terms of the list, with words that name their ends."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.llm_assertions import (
    NO_TERM,
    NO_THING,
    NO_WORDS,
    SCHEMA,
    UNNAMED,
    Listed,
    facts_of,
    question_on,
)
from groundrules.llm.prompt import key
from groundrules.llm.structured import validator

TEXT = "The mill at Ash was built in 1822. It belongs to Ann Orme. Ben Orme ran the inn."
CLASSES = (Listed("ex:Mill", "mill", "A place where grain is ground."),)
PROPERTIES = (
    Listed("ex:owner", "owner", "Who owns a thing.", "thing", "agent"),
    Listed("ex:built", "built on", "", "building", "date"),
)
THINGS = [
    {"id": "t1", "class": "mill", "words": ["The mill at Ash"]},
    {"id": "t2", "class": "", "words": ["Ann Orme"]},
    {"id": "t3", "class": "", "words": ["Ben Orme"]},
    {"id": "t4", "class": "", "words": ["Cid Orme"]},
]


def fact(words: str, subject: str, name: str, value: str, **rest: Any) -> dict[str, Any]:
    plain = {"said": "", "when": "", "not": False, "sure": "stated"}
    return {"words": words, "subject": subject, "property": name, "object": value, **plain, **rest}


def answer(*facts: dict[str, Any]) -> dict[str, Any]:
    found = {"things": THINGS, "facts": list(facts), "left": ["ran the inn"]}
    validator(SCHEMA)(found)
    return found


def test_what_the_text_says_in_terms_of_the_list_is_read_with_its_places() -> None:
    found = facts_of(
        answer(
            fact("was built in 1822", "t1", "Built on", "1822", said="was built"),
            fact("It belongs to Ann Orme", "t1", "owner", "t2"),
        ),
        TEXT,
        CLASSES,
        PROPERTIES,
    )
    built, owner = found.facts
    assert (built.property, owner.property) == ("ex:built", "ex:owner")
    assert built.value is not None
    assert TEXT[slice(*built.value)] == "1822"
    assert owner.value is None
    assert owner.object == "t2"
    assert found.things["t1"].of == "ex:Mill"
    assert "t4" not in found.things
    assert not found.dropped
    assert [TEXT[slice(*one)] for one in found.left] == ["ran the inn"]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (fact("It belongs to Ann Orme", "t1", "lessee", "t2"), NO_TERM),
        (fact("It belongs to Ann Orme", "t4", "owner", "t2"), NO_THING),
        (fact("was built in 1822", "t1", "built on", "1823"), NO_THING),
        (fact("was sold to Ann Orme", "t1", "owner", "t2"), NO_WORDS),
        (fact("It belongs to Ann Orme", "t1", "owner", "t2", when="in 1900"), NO_WORDS),
        (fact("was built in 1822", "t1", "owner", "t2"), UNNAMED),
        (fact("was built in 1822", "t3", "built on", "1822"), UNNAMED),
    ],
)
def test_what_has_no_words_that_name_it_is_dropped_and_counted(
    row: dict[str, Any], why: str
) -> None:
    found = facts_of(answer(row), TEXT, CLASSES, PROPERTIES)
    assert found.facts == ()
    assert found.dropped == {why: 1}
    assert found.given == 1


def test_the_list_is_in_the_instructions_and_an_answer_known_by_text_and_vocabulary() -> None:
    prompt = question_on(TEXT, CLASSES, PROPERTIES, "house")
    assert "- owner (thing -> agent): Who owns a thing." in prompt.instructions
    assert key(prompt) == key(question_on(TEXT, (), PROPERTIES[:1], "house"))
    assert key(prompt) != key(question_on(TEXT, CLASSES, PROPERTIES, "other"))
