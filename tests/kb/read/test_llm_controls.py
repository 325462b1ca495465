"""Controls of readings: drawn by the sentences, and read rightly or amiss."""

from __future__ import annotations

from typing import Any

import pytest
from rdflib.term import URIRef

from groundrules.kb.read.llm_claims import Control, controls_of, is_amiss, shuffled
from groundrules.kb.sources.source import Property
from tests.kb.read.test_llm_slots import PROPERTIES, claim

SENTENCES = ("Ann Brandt was born in Ulm.", "She died in Rome.")
PLAIN = Control("The spouse of Ann is Bob.", "plain", "Ann", "spouse", "Bob")
DENIED = Control("Bob is not the spouse of Ann.", "denied", "Ann", "spouse", "Bob")
MORE = Control("The spouse of Ann is Bob, for a fee.", "more", "Ann", "spouse", "Bob")


def row(*claims: dict[str, Any], left: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"number": 1, "left": [*left], "claims": [*claims]}


def test_one_control_is_plain_and_one_is_not_and_the_same_text_has_the_same() -> None:
    first, second = controls_of(SENTENCES, ("Ann Brandt", "Ulm"), PROPERTIES)
    assert first.kind == "plain"
    assert second.kind in ("denied", "more")
    assert controls_of(SENTENCES, ("Ann Brandt", "Ulm"), PROPERTIES) == (first, second)
    for one in (first, second):
        assert one.thing != one.value
        assert all(part in one.text for part in (one.thing, one.value, one.property))


def test_a_text_without_names_has_controls_and_a_base_without_properties_none() -> None:
    assert len(controls_of(SENTENCES, (), PROPERTIES)) == 2
    assert controls_of(SENTENCES, ("Ann Brandt",), ()) == ()
    odd = Property(URIRef("https://example.org/isDirectorOf"), "", (), "item")
    assert "is director of" in controls_of(SENTENCES, (), (odd,))[0].text


def test_an_order_is_drawn_by_the_texts() -> None:
    assert sorted(shuffled(5, SENTENCES)) == [0, 1, 2, 3, 4]
    orders = {tuple(shuffled(5, (f"sentence {n}",))) for n in range(20)}
    assert len(orders) > 10


RIGHT = claim("is", ("Ann", "spouse", "Bob"))


@pytest.mark.parametrize(
    ("control", "answer", "wrong"),
    [
        (PLAIN, row(RIGHT), False),
        (PLAIN, None, True),
        (PLAIN, row(), True),
        (PLAIN, row(RIGHT, left=("spouse",)), True),
        (PLAIN, row(claim("is", ("Bob", "spouse", "Ann"))), True),
        (PLAIN, row(claim("is", ("Ann", "child", "Bob"))), True),
        (PLAIN, row(claim("is", ("Ann", "spouse", "Bob"), denied="not")), True),
        (PLAIN, row(claim("is", ("Ann", "spouse", "Bob"), **{"as": "may"})), True),
        (DENIED, row(claim("is", ("Ann", "spouse", "Bob"), denied="not")), False),
        (DENIED, row(RIGHT), True),
        (MORE, row(RIGHT, left=("for a fee",)), False),
        (MORE, row(claim("is", ("Ann", "spouse", "Bob"), **{"as": "told"})), False),
        (MORE, row(claim("is")), False),
        (MORE, row(RIGHT), True),
    ],
)
def test_a_control_is_read_rightly_or_amiss(
    control: Control, answer: dict[str, Any] | None, wrong: bool
) -> None:
    assert is_amiss(control, answer) == wrong
