"""What comes out of figures that a model has copied: the sum is ours."""

from __future__ import annotations

import pytest

from groundrules.align.operations import comes_out
from groundrules.align.snippets import Texts
from groundrules.claims.llm_propositions import OPERATIONS, Operation, Piece, Reckoned


def told(words: str, by: Operation, *of: str, source: str = "") -> str:
    text = source or " and ".join(of)
    pieces = []
    after = 0
    for one in of:
        start = text.index(one, after)
        after = start + len(one)
        pieces.append(Piece((start, after), in_source=True))
    return comes_out(Reckoned(((0, len(words)),), by, tuple(pieces)), Texts(words, text))


@pytest.mark.parametrize(
    ("words", "by", "of", "outcome"),
    [
        ("21 guests", "sum", ("9 guests", "12"), "yes"),
        ("22 guests", "sum", ("9 guests", "12"), "no"),
        ("at 9.30", "sum", ("9.10", "20 minutes"), "yes"),
        ("at 9.40", "sum", ("9.10", "20 minutes"), "no"),
        ("on 3 May", "sum", ("30 April", "3 days"), "yes"),
        ("40 are blue", "difference", ("100 beads", "60 of them"), "yes"),
        ("by 30 cents", "difference", ("1.40 euros", "1.10"), "yes"),
        ("by 40 cents", "difference", ("1.40 euros", "1.10"), "no"),
        ("forty minutes", "difference", ("9.50", "9.10"), "yes"),
        ("by two days", "difference", ("5 June", "3 June"), "yes"),
        ("15 crowns", "product", ("half", "30 crowns"), "yes"),
        ("15 crowns", "product", ("20 per cent", "75 crowns"), "yes"),
        ("16 crowns", "product", ("20 per cent", "75 crowns"), "no"),
        ("1.2 kg", "product", ("double", "600 g"), "yes"),
        ("6 euros", "product", ("3 euros an hour", "two hours"), "yes"),
        ("6 euros", "product", ("3 euros a day", "two hours"), ""),
        ("at least 20 guests", "sum", ("9 guests", "12"), "yes"),
        ("at least 22 guests", "sum", ("9 guests", "12"), "no"),
        ("most", "share", ("7 boats", "12 boats"), "yes"),
        ("most", "share", ("6 boats", "12 boats"), "no"),
        ("50 years", "difference", ("1957", "1907"), "yes"),
        ("fifty years old", "difference", ("1957", "1907"), "yes"),
        ("in 1957", "sum", ("1907", "50 years"), "yes"),
        ("three times as many", "share", ("12 boats", "4 boats"), "yes"),
        ("a third", "share", ("4 boats", "12 boats"), "yes"),
        ("half", "share", ("4 boats", "12 boats"), "no"),
        ("five", "count", ("a cook", "two maids", "a groom", "the page"), "yes"),
        ("four", "count", ("a cook", "two maids", "a groom", "the page"), "no"),
    ],
)
def test_sums_come_out_or_they_do_not(
    words: str, by: Operation, of: tuple[str, ...], outcome: str
) -> None:
    assert told(words, by, *of) == outcome


@pytest.mark.parametrize(
    ("words", "of", "source", "inside"),
    [
        ("at noon", ("9 a.m.", "5 p.m."), "", True),
        ("at six in the evening", ("9 a.m.", "5 p.m."), "", False),
        ("at midnight", ("10 p.m.", "6 a.m."), "", True),
        ("at noon", ("10 p.m.", "6 a.m."), "", False),
        ("in January", ("November", "March"), "", True),
        ("in July", ("November", "March"), "", False),
        ("a six-year-old", ("under eight",), "", True),
        ("a nine-year-old", ("under eight",), "", False),
        ("on 20 May", ("17 May",), "in writing by 17 May", False),
        ("on 12 May", ("17 May",), "in writing by 17 May", True),
        ("two weeks ago", ("30 days",), "kept for 30 days", True),
        ("six weeks ago", ("30 days",), "kept for 30 days", False),
        ("six bags", ("up to four",), "", False),
    ],
)
def test_a_time_an_age_or_a_number_lies_in_a_range_or_outside_of_it(
    words: str, of: tuple[str, ...], source: str, inside: bool
) -> None:
    assert told(words, "within", *of, source=source) == ("yes" if inside else "no")
    assert told(words, "outside", *of, source=source) == ("no" if inside else "yes")


def test_a_comparison_goes_the_way_that_the_statement_has_it() -> None:
    assert told("dearer", "more", "30 crowns", "25 crowns") == "yes"
    assert told("dearer", "more", "25 crowns", "30 crowns") == "no"
    assert told("cheaper", "more", "30 crowns", "25 crowns") == ""
    assert told("not dearer", "more", "30 crowns", "25 crowns") == ""
    ahead = "six days before it and two days before it"
    assert told("earlier", "less", "six days", "two days", source=ahead) == "yes"


@pytest.mark.parametrize("by", OPERATIONS)
@pytest.mark.parametrize("of", [("9 guests", "20 minutes"), ("the cook",), ("7 May", "3 kg")])
def test_of_figures_that_do_not_go_together_nothing_comes_out(
    by: Operation, of: tuple[str, ...]
) -> None:
    assert told("80 pages", by, *of) in {"", "no"}
    assert told("no figure at all", by, *of) != "yes"


def test_what_is_listed_twice_is_counted_once() -> None:
    pieces = (Piece((0, 6), in_source=True),) * 2
    one = Reckoned(((0, 3),), "count", pieces)
    assert comes_out(one, Texts("two", "a cook")) == ""
