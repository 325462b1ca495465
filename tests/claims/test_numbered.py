"""A noun with a number or a letter is the name of one thing, whatever stands behind it."""

from __future__ import annotations

import pytest
from hypothesis import given

from groundrules.align.deductions import read_propositions
from groundrules.align.parses import parse
from groundrules.claims.numbered import named
from groundrules.claims.slots import described
from tests.strategies import examples, texts


def read(text: str) -> list[str]:
    return [described(one) for one in read_propositions(text)]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Kiln 3 is full.", "Kilnthree is full."),
        (
            "The keys of Lockers A and B are lost.",
            "The keys of Lockeralpha and Lockerbravo are lost.",
        ),
        ("Gate B opens before gate 12.", "Gatebravo opens before Gateonetwo."),
    ],
)
def test_a_numbered_name_is_written_as_one_word(text: str, written: str) -> None:
    found = named(parse(text))
    assert found is not None
    assert found.text == written


@pytest.mark.parametrize(
    "text",
    [
        "They came by bus 6 times a week.",
        "On his boat 12 people slept.",
        "In May 3 ferries sank.",
        "She sold the house I built.",
        "The lift carries 8 people.",
    ],
)
def test_a_number_of_what_stands_behind_it_makes_no_name(text: str) -> None:
    assert named(parse(text)) is None


@pytest.mark.parametrize(
    ("text", "propositions"),
    [
        (
            "Shelf 1 holds maps and shelf 2 globes.",
            [
                "hold(subj: the shelf(mod: name 1), obj: bare map)",
                "hold(subj: the shelf(mod: name 2), obj: bare globe)",
            ],
        ),
        (
            "Pumps A and B were tested.",
            ["test(obj: the pump(mod: name a))", "test(obj: the pump(mod: name b))"],
        ),
    ],
)
def test_a_numbered_name_is_read_as_its_noun_with_a_mark(
    text: str, propositions: list[str]
) -> None:
    assert read(text) == propositions


def test_a_numbered_name_stands_where_the_text_has_it() -> None:
    text = "The clerk sealed locker B."
    (one,) = read_propositions(text)
    (locker,) = one.of("obj")
    assert text[slice(*locker.place)] == "locker B"
    assert locker.text == "locker B"


@given(texts())
@examples(40)
def test_no_text_however_odd_breaks_the_names(text: str) -> None:
    found = named(parse(text))
    assert found is None or found.names
