"""What comes out of figures that a model has copied: the sum is ours."""

from __future__ import annotations

import pytest

from groundrules.align.operations import comes_out, excludes
from groundrules.align.snippets import Texts
from groundrules.claims.llm_propositions import OPERATIONS, Operation, Piece, Reckoned


def sum_of(words: str, by: Operation, *of: str, source: str = "") -> tuple[Reckoned, Texts]:
    text = source or " and ".join(of)
    pieces = []
    after = 0
    for one in of:
        start = text.find(one, after)
        start = text.index(one) if start < 0 else start
        after = start + len(one)
        pieces.append(Piece((start, after), in_source=True))
    return Reckoned(((0, len(words)),), by, tuple(pieces)), Texts(words, text)


def told(words: str, by: Operation, *of: str, source: str = "") -> str:
    return comes_out(*sum_of(words, by, *of, source=source))


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


@pytest.mark.parametrize(
    ("words", "by", "of", "so"),
    [
        ("22 guests", "sum", ("9 guests", "12"), True),
        ("31 euros", "sum", ("9 euros", "12 euros"), True),
        ("by 4 euros", "difference", ("12 euros", "9 euros"), True),
        ("35 guests", "product", ("3", "12 guests"), True),
        ("22 guests in all", "sum", ("9 old guests", "12 young guests"), True),
        ("22 guests", "sum", ("9 old guests", "12 young trees"), False),
        ("21 guests", "sum", ("9 guests", "12"), False),
        ("120 guests", "sum", ("9 guests", "112"), False),  # rounded
        ("about 22 guests", "sum", ("9 guests", "12"), False),
        ("at least 22 guests", "sum", ("9 guests", "12"), False),
        ("22 guests", "sum", ("9 guests", "12 trees"), False),
        ("22 people", "sum", ("9 guests", "12 guests"), False),
        ("31 dollars", "sum", ("9 euros", "12 euros"), False),
        ("31 euros", "sum", ("9 euros", "12 dollars"), False),
        ("at 4", "sum", ("11", "5"), False),
        ("half", "share", ("4 boats", "12 boats"), False),
        ("16 crowns", "product", ("20 per cent", "75 crowns"), False),
        ("three hours", "sum", ("two hours", "two hours"), False),
        ("at 9.40", "sum", ("9.10", "20 minutes"), False),
        ("six bags", "within", ("up to four",), False),
        ("dearer", "more", ("25 crowns", "30 crowns"), False),
    ],
)
def test_only_another_amount_of_one_unit_cannot_be_so(
    words: str, by: Operation, of: tuple[str, ...], so: bool
) -> None:
    assert excludes(*sum_of(words, by, *of)) is so


def test_of_what_is_listed_in_part_no_sum_excludes_another() -> None:
    source = "places for many, such as 9 guests and 12 guests"
    assert not excludes(*sum_of("40 guests", "sum", "9 guests", "12 guests", source=source))


@pytest.mark.parametrize(
    ("words", "of", "source", "outcome"),
    [
        ("eight hours", ("22:00", "6:00"), "from 22:00 to 6:00", "yes"),
        ("eight hours", ("6:00", "22:00"), "from 22:00 to 6:00", "yes"),
        ("sixteen hours", ("22:00", "6:00"), "from 22:00 to 6:00", "no"),
        ("sixteen hours", ("22:00", "6:00"), "from 6:00 to 22:00", "yes"),
        ("four hours", ("10", "2"), "from 10 to 2", "yes"),
        ("eight hours", ("9", "5"), "between 9 and 5", "yes"),
        ("21 days", ("20 December", "10 January"), "20 December to 10 January", "yes"),
        ("344 days", ("20 December", "10 January"), "20 December to 10 January", "no"),
        ("28 days", ("15 February", "15 March"), "15 February to 15 March", "yes"),
        ("29 days", ("15 February", "15 March"), "15 February to 15 March", "yes"),
        ("31 days", ("15 February", "15 March"), "15 February to 15 March", "no"),
        ("28 days", ("15 February 2021", "15 March 2021"), "", "yes"),
        ("30 days", ("15 February 2021", "15 March 2021"), "", "no"),
        ("96 days", ("1 March 2020", "5 June 2021"), "", "no"),
        ("six months", ("1 July 2021", "1 January 2021"), "", "yes"),
        ("six months", ("1 January 2021", "30 June 2021"), "", "yes"),
        ("five months", ("1 January 2021", "1 July 2021"), "", "no"),
        ("two months", ("15 December", "15 February"), "15 December to 15 February", "yes"),
    ],
)
def test_between_two_ends_lies_the_way_from_the_first_in_the_text_to_the_other(
    words: str, of: tuple[str, ...], source: str, outcome: str
) -> None:
    assert told(words, "difference", *of, source=source) == outcome


@pytest.mark.parametrize(
    ("words", "of", "outcome"),
    [
        ("on 1 July 2021", ("1 January 2021", "six months"), "yes"),
        ("on 2 July 2021", ("1 January 2021", "six months"), "no"),
        ("on 1 July 2022", ("1 January 2021", "six months"), "no"),
        ("on 28 March 2021", ("28 February 2021", "one month"), "yes"),
        ("on 30 March 2021", ("28 February 2021", "one month"), "no"),
        ("on 28 March", ("28 February", "one month"), "yes"),
        ("on 28 February", ("31 January", "one month"), "yes"),
        ("on 10 January", ("20 December", "21 days"), "yes"),
        ("on 20 January", ("20 December", "one month"), "yes"),
        ("in 1958", ("1907", "50 years"), "no"),
        ("at 5.30", ("3 p.m.", "2.5 hours"), "yes"),
        ("at 5.30 a.m.", ("3 p.m.", "2.5 hours"), "no"),
        ("at 1.30", ("11", "2.5 hours"), "yes"),
    ],
)
def test_a_time_is_moved_by_the_calendar_and_to_the_day_and_minute(
    words: str, of: tuple[str, ...], outcome: str
) -> None:
    assert told(words, "sum", *of) == outcome


@pytest.mark.parametrize(
    ("words", "of", "outcome"),
    [
        ("33 per cent", ("4 boats", "12 boats"), "yes"),
        ("33.3 per cent", ("4 boats", "12 boats"), "yes"),
        ("0.33", ("4 boats", "12 boats"), "yes"),
        ("34 per cent", ("4 boats", "12 boats"), "no"),
        ("33.4 per cent", ("4 boats", "12 boats"), "no"),
        ("at least 34 per cent", ("4 boats", "12 boats"), "no"),
        ("100 per cent", ("399 boats", "400 boats"), "no"),
    ],
)
def test_a_share_is_as_exact_as_its_last_digit(
    words: str, of: tuple[str, ...], outcome: str
) -> None:
    assert told(words, "share", *of) == outcome


@pytest.mark.parametrize(
    ("words", "by", "of", "outcome"),
    [
        ("21 euros", "sum", ("9 euros", "12 euros"), "yes"),
        ("21 euros", "sum", ("9 euros", "12 dollars"), ""),
        ("21 dollars", "sum", ("9 euros", "12 euros"), ""),
        ("3 euros", "difference", ("12 euros", "$9"), ""),
        ("three quarters", "share", ("9 euros", "12 dollars"), ""),
        ("21 guests", "sum", ("9 euros", "12 euros"), ""),
        ("21 guests", "sum", ("9 guests", "12 trees"), ""),
        ("21 guests", "sum", ("9 guests", "12 kg"), ""),
        ("21 guests", "sum", ("9 guests", "12 of them"), "yes"),
        ("21 guests", "sum", ("9 old guests", "12 young guests"), "yes"),
        ("21 guests", "sum", ("9 old guests", "12 old trees"), ""),
        ("18 guests", "difference", ("30 guests", "12 children"), "yes"),
        ("18 trees", "difference", ("30 guests", "12 children"), ""),
        ("15 crowns", "product", ("3 nights", "5 crowns"), "yes"),
        ("15 trees", "product", ("3 nights", "5 crowns"), ""),
    ],
)
def test_amounts_of_two_currencies_or_of_two_things_come_to_nothing(
    words: str, by: Operation, of: tuple[str, ...], outcome: str
) -> None:
    assert told(words, by, *of) == outcome


@pytest.mark.parametrize(
    ("words", "source", "of", "outcome"),
    [
        ("at 23:00", "from 9:00 to 17:00", ("17:00", "9:00"), "no"),
        ("at noon", "from 9:00 to 17:00", ("17:00", "9:00"), "yes"),
        ("at 11 p.m.", "from 10 to 2 p.m.", ("10", "2 p.m."), "no"),
        ("at 5 p.m.", "from 10 to 2", ("10", "2"), "no"),
        ("at noon", "until 17:00, from 9:00", ("17:00", "9:00"), "yes"),
        ("20 bags", "between 5 and 12 bags", ("12 bags", "5"), "no"),
        ("on 7 April 2023", "1 March 2021 to 5 June 2022", ("1 March 2021", "5 June 2022"), "no"),
    ],
)
def test_a_range_runs_from_the_end_that_stands_first(
    words: str, source: str, of: tuple[str, ...], outcome: str
) -> None:
    assert told(words, "within", *of, source=source) == outcome


@pytest.mark.parametrize("by", ["sum", "difference", "product", "share", "count"])
def test_figures_that_share_a_place_or_lie_in_what_is_told_come_to_nothing(by: Operation) -> None:
    twice = (Piece((0, 8), in_source=True), Piece((0, 1), in_source=True))
    texts = Texts("18 guests", "9 guests")
    assert comes_out(Reckoned(((0, 9),), by, twice), texts) == ""
    own = (Piece((0, 8), in_source=True), Piece((0, 9), in_source=False))
    assert comes_out(Reckoned(((0, 9),), by, own), texts) == ""
