"""How a language model is asked what a text says in the terms of a vocabulary."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from groundrules.claims.models.llm_terms import FORCES, SCHEMA, pieces_of, question_on
from groundrules.llm.prompt import key
from groundrules.llm.structured import validator

TEXT = "The Merle left on 3 May 2020. She was across a fortnight later, for 80 francs and 20 more."


def thing(name: str, kind: str = "Ship", *called: str, apart: str = "", only: str = "") -> Any:
    return {"id": name, "class": kind, "called": [*called], "apart": apart, "only": only}


def mode(words: str, *, denied: bool = False, **more: str) -> dict[str, Any]:
    return {"words": words, "not": denied, "force": "fact", "only": "", "by": "", **more}


def row(thing: str, name: str, value: str, words: str, **more: Any) -> dict[str, Any]:
    return {"thing": thing, "property": name, "value": value, **mode(words, **more)}


def answer(*rows: Any, things: Any = None, orders: Any = ()) -> dict[str, Any]:
    found = {
        "things": [thing("t1", "Ship", "The Merle")] if things is None else things,
        "assertions": [*rows],
        "orders": [*orders],
    }
    validator(SCHEMA)(found)
    return found


def test_the_answer_is_known_by_the_text_and_the_ontology() -> None:
    one, other = question_on(TEXT, "Ship", "own.ttl"), question_on(TEXT, "Boat", "own.ttl")
    assert key(one) == key(other)
    assert key(one) != key(question_on(TEXT, "Ship", "legal"))
    assert dict(one.texts) == {"vocabulary": "Ship", "text": TEXT}


def test_a_long_text_is_asked_in_pieces_that_end_where_sentences_do() -> None:
    text = f"{TEXT} " * 200
    pieces = pieces_of(text)
    assert len(pieces) > 1
    assert "".join(text[start:end] for start, end in pieces) == text
    assert all(text[start:end].rstrip().endswith(".") for start, end in pieces)
    assert pieces_of(" \n ") == ()


words = st.one_of(st.text(max_size=30), st.sampled_from([*TEXT.split(), TEXT, "…", "3 … 2020"]))
ids = st.sampled_from(["t1", "t2", "", "\x00", "t" * 500])
modes = {
    "words": words,
    "not": st.booleans(),
    "force": st.sampled_from([*FORCES]),
    "only": words,
    "by": words,
}
answers = st.fixed_dictionaries(
    {
        "things": st.lists(
            st.fixed_dictionaries(
                {
                    "id": ids,
                    "class": words,
                    "called": st.lists(words, max_size=3),
                    "apart": words,
                    "only": words,
                }
            ),
            max_size=4,
        ),
        "assertions": st.lists(
            st.fixed_dictionaries(
                {"thing": ids, "property": words, "value": st.one_of(ids, words), **modes}
            ),
            max_size=5,
        ),
        "orders": st.lists(
            st.fixed_dictionaries(
                {
                    "first": ids,
                    "first_property": words,
                    "second": ids,
                    "second_property": words,
                    **modes,
                }
            ),
            max_size=3,
        ),
    }
)
