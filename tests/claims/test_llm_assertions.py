"""What a language model asserts of a text: what stands in the text counts, the rest is dropped."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.llm_assertions import NO_THING, NO_WORDS, TOO_MANY, told_of
from groundrules.claims.llm_terms import FORCES, SCHEMA, pieces_of, question_on
from groundrules.llm.prompt import key
from groundrules.llm.structured import validator
from groundrules.terms import Modality

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


def told(*rows: Any, **more: Any) -> Any:
    return told_of(answer(*rows, **more), TEXT, 0, len(TEXT))


def test_an_assertion_has_its_words_its_value_and_their_places() -> None:
    found = told(row("t1", "sailedOn", "3 May 2020", "The Merle left on 3 May 2020"))
    (one,) = found.assertions
    assert [TEXT[slice(*place)] for place in one.mode.places] == ["The Merle left on 3 May 2020"]
    assert one.value.words == "3 May 2020"
    assert found.things[0].names == ("The Merle",)
    assert (found.given, found.dropped) == (2, {})


def test_a_value_may_be_made_of_others_that_the_text_has() -> None:
    found = told(row("t1", "fare", "80 francs + 2 × 20", "for 80 francs and 20 more"))
    assert found.assertions[0].value.summands == ((1, ("80 francs",)), (1, ("2", "20")))
    assert found.assertions[0].value.words == ""


def test_a_value_that_the_text_itself_makes_of_others_is_made_of_them() -> None:
    text = "The fee is 12 × $500 a year, for 3 - 5 years."
    rows = [row("t1", "fare", value, text) for value in ("12 × $500", "3 - 5")]
    found = told_of(answer(*rows, things=[thing("t1")]), text, 0, len(text))
    made, ranged = (one.value for one in found.assertions)
    assert (made.summands, made.words) == (((1, ("12", "$500")),), "12 × $500")
    assert (ranged.summands, ranged.words) == (((1, ("3 - 5",)),), "3 - 5")


@pytest.mark.parametrize("value", ["80 francs × 12", "12 × 80 francs", "80 francs + 2 × 20"])
def test_a_unit_may_be_a_factor_of_what_the_text_has(value: str) -> None:
    (one,) = told(row("t1", "fare", value, "for 80 francs and 20 more")).assertions
    assert one.value is not None


def test_a_sum_of_more_pieces_than_are_looked_at_is_none() -> None:
    for count, wanted in ((12, True), (13, False), (40, False)):
        for sign in (" + ", " × ", " … "):
            value = sign.join(["20"] * count)
            (one,) = told(row("t1", "fare", value, "for 80 francs and 20 more")).assertions
            assert (one.value is not None) is wanted


@pytest.mark.parametrize(
    "value",
    [
        "4 May 2020",
        "80 francs + 30",
        "80 francs × 9",
        "80 francs + 365",
        "80 francs - 12",
        "12 × 60",
        "80 francs + 12 × 60",
        "80 francs + …",
        "…",
        " + ",
    ],
)
def test_a_value_that_the_text_lacks_is_none(value: str) -> None:
    found = told(row("t1", "sailedOn", value, "The Merle left on 3 May 2020"))
    assert found.assertions[0].value is None


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (row("t1", "sailedOn", "3 May 2020", "The Merle sailed on 3 May 2020"), NO_WORDS),
        (row("t1", "sailedOn", "3 May 2020", ""), NO_WORDS),
        (row("t1", "sailedOn", "3 May 2020", "…"), NO_WORDS),
        (row("t9", "sailedOn", "3 May 2020", "left on 3 May 2020"), NO_THING),
    ],
)
def test_what_has_no_words_or_no_thing_is_dropped_and_counted(rows: Any, why: str) -> None:
    found = told(rows)
    assert (found.assertions, found.dropped) == ((), {why: 1})


def test_an_order_without_words_is_dropped_too() -> None:
    order = {"first": "t1", "first_property": "a", "second": "t1", "second_property": "b"}
    kept = {**order, **mode("a fortnight later")}
    found = told(orders=[kept, {**order, **mode("before dawn")}])
    assert (len(found.orders), found.given, found.dropped) == (1, 3, {NO_WORDS: 1})


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({}, Modality.ASSERTED),
        ({"only": "if she can"}, Modality.CONDITION),
        ({"by": "the mate"}, Modality.ASSERTED),
        ({"force": "plan"}, Modality.POSSIBILITY),
        ({"force": "doubt", "only": "if she can"}, Modality.POSSIBILITY),
    ],
)
def test_a_mode_is_that_of_our_own_reading(more: Any, wanted: Modality) -> None:
    found = told(row("t1", "sailedOn", "3 May 2020", "left on 3 May 2020", **more))
    assert found.assertions[0].mode.modality is wanted


def test_huge_answers_are_cut_and_counted() -> None:
    many = [row("t1", "sailedOn", "3 May 2020", "left on 3 May 2020")] * 2000
    things = [thing(f"t{n}", "Ship", *["The Merle"] * 500) for n in range(2000)]
    found = told(*many, things=things)
    assert len(found.things) == len(found.assertions) == 400
    assert found.dropped[TOO_MANY] == 3200
    assert all(len(one.names) == 1 for one in found.things)


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


def test_places_of_a_piece_are_those_of_the_text_and_things_bear_its_name() -> None:
    text = f"{TEXT} {TEXT}"
    start = len(TEXT) + 1
    found = told_of(
        answer(row("t1", "sailedOn", "3 May 2020", "left on 3 May 2020")),
        text,
        start,
        len(text),
        "2.",
    )
    assert found.assertions[0].mode.places[0][0] > start
    assert found.assertions[0].thing == found.things[0].id == "2.t1"


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


@given(answers)
def test_whatever_the_answer_nothing_is_told_without_words_of_the_text(found: Any) -> None:
    read = told_of(found, TEXT, 0, len(TEXT))
    for one in (*read.assertions, *read.orders):
        assert one.mode.places
        assert all(0 <= start < end <= len(TEXT) for start, end in one.mode.places)
    for assertion in read.assertions:
        places = assertion.value.places if assertion.value else ()
        assert all(TEXT[start:end].strip() for start, end in places)
    assert read.given == sum(map(len, found.values()))
