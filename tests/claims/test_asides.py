"""Asides are read as sentences of what they stand with, where they can be nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.deductions import deduce, read_propositions
from groundrules.align.parses import parse
from groundrules.claims.asides import asides, taken_out
from tests.strategies import examples

MILL = "The mill (built in 1810, widened in 1902; idle) stands by the river."
PAINT = "The paint (drying time 4 hours; soluble in oil, insoluble in water) was tested in May."
SHIP = "The harbour has a crane and a dock (open on Fridays) at 9 Mole Lane."
LOAN = "The van (which, unlike the boat, must be insured) stands in the yard."


def test_a_text_is_written_without_its_aside_and_the_aside_behind_it() -> None:
    written = taken_out("The mill (built in 1810; idle) is sold.", parse)
    assert written is not None
    assert written.text == "The mill is sold. The mill was built in 1810. The mill is idle."


def test_figures_alone_are_no_aside() -> None:
    assert not list(asides("The mill (1810 – 1902) is sold (built in 1810)."))[1:]
    assert taken_out("The mill (1810/1902) is sold.", parse) is None


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        (MILL, "The mill was built in 1810."),
        (MILL, "The mill was widened in 1902."),
        (MILL, "The mill is idle."),
        (MILL, "The mill stands by the river."),
        (PAINT, "The paint is insoluble in water."),
        (PAINT, "The drying time of the paint is 4 hours."),
        (SHIP, "The dock at 9 Mole Lane is open on Fridays."),
        (LOAN, "The van must be insured."),
        (LOAN, "The boat need not be insured."),
        ("The bread – a loaf of rye – is baked at night.", "The bread is a loaf of rye."),
        ("Dora Senn (the coach) left in May.", "Dora Senn is the coach."),
        ("The pier (built in 1890 and not, as the map says, in 1980) is long.",
         "The pier was built in 1890."),
    ],
)  # fmt: skip
def test_what_an_aside_tells_of_a_certain_thing_follows(source: str, statement: str) -> None:
    assert deduce(statement, source, [(0, len(source))]).supports


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        (MILL, "The mill was built in 1902."),
        (MILL, "The river is idle."),
        (PAINT, "The paint is soluble in water."),
        (SHIP, "The crane is open on Fridays."),
        (SHIP, "The harbour is open on Fridays."),
        (LOAN, "The van need not be insured."),
        (LOAN, "The boat must be insured."),
        ("Adults (trained) may dive.", "Adults are trained."),
        ("A guest (over twelve) may dive.", "A guest may dive."),
        ("The guests (if they are trained) may dive.", "The guests may dive."),
        ("The lake (except in May) is open.", "The lake is open."),
        ("The hall (formerly a barn) is open.", "The hall is a barn."),
        ("A bed costs 9 euros, and the fee is 7 euros for members.", "The fee is 7 euros."),
        ("The mayor of Arn (born in 1950) left.", "Arn was born in 1950."),
        ("The pier (built in 1890 and not, as the map says, in 1980) is long.",
         "The pier was built in 1980."),
        ("Dr Moll, head of the lab and (since June) dean of the school, writes books.",
         "Dr Moll has been head of the lab since June."),
    ],
)  # fmt: skip
def test_what_an_aside_does_not_tell_does_not_follow(source: str, statement: str) -> None:
    assert not deduce(statement, source, [(0, len(source))]).supports


ROWER = "The boat was sold to Kit Arne, the mayor's brother, in June."


@pytest.mark.parametrize(
    ("source", "statement", "follows"),
    [
        (ROWER, "The boat was sold to the mayor's brother, Kit Arne.", True),
        (ROWER, "The mayor's brother is Kit Arne.", True),
        ("Kit Arne, a baker, left.", "Kit Arne is the baker.", False),
        ("Kit Arne is a clerk of the town.", "The clerk of the town is Kit Arne.", False),
        ("Kit Arne is not the mayor.", "The mayor is Kit Arne.", False),
    ],
)
def test_two_names_of_one_thing_change_places(source: str, statement: str, follows: bool) -> None:
    assert deduce(statement, source, [(0, len(source))]).supports is follows


def test_the_words_of_an_aside_stand_where_they_do_in_its_text() -> None:
    told = next(one for one in read_propositions(MILL) if one.head == "widen")
    assert MILL[slice(*told.of("in")[0].place)] == "1902"


@given(st.text(alphabet="ab (),;–A1.", max_size=40))
@examples(60)
def test_any_text_is_read_with_its_places_in_it(text: str) -> None:
    for term in read_propositions(text):
        assert 0 <= term.place[0] <= term.place[1] <= len(text)
