"""How many, or which, of a thing a word makes a sentence speak of."""

from __future__ import annotations

import math

import pytest

from groundrules.align.deductions import read_propositions
from groundrules.align.parses import parse
from groundrules.claims.asserted import unread
from groundrules.claims.quantifiers import bounds_of, quantifier
from groundrules.claims.slots import Bounds, Term


class _Word:
    """A word of a text as the bounds of a number are read from it."""

    def __init__(self, text: str, i: int, doc: list[_Word]) -> None:
        self.text, self.lower_, self.i, self.doc = text, text.casefold(), i, doc


def last(text: str) -> _Word:
    """Return the last word of a text."""
    doc: list[_Word] = []
    doc += [_Word(word, i, doc) for i, word in enumerate(text.split())]
    return doc[-1]


def subject(text: str) -> Term:
    """Return of what the only proposition of a text is told."""
    (event,) = read_propositions(text)
    return event.of("subj")[0]


@pytest.mark.parametrize(
    ("words", "read_as"),
    [
        ("every each all both everyone everything", "every"),
        ("any anyone anything either", "any"),
        ("no none neither nobody nothing", "no"),
        ("some several certain another someone", "some"),
        ("the this that these its their your", "the"),
        ("a an", "a"),
        ("boat red seven lot", ""),
    ],
)
def test_words_of_one_kind_determine_alike(words: str, read_as: str) -> None:
    assert {quantifier(word) for word in words.split()} == {read_as}


@pytest.mark.parametrize("word", ["most", "many", "few", "half"])
def test_a_share_is_its_own_kind(word: str) -> None:
    assert quantifier(word) == word


def test_not_every_is_no_every() -> None:
    assert quantifier("every", denied=True) == "notall"
    assert quantifier("some", denied=True) == "some"


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("carries 20", (20, 20)),
        ("carries at least 20", (20, math.inf)),
        pytest.param(
            "carries no fewer than 20",
            (20, math.inf),
        ),
        pytest.param(
            "carries no less than 20",
            (20, math.inf),
        ),
        ("a minimum of 20", (20, math.inf)),
        ("carries at most 20", (-math.inf, 20)),
        ("carries no more than 20", (-math.inf, 20)),
        ("carries not more than 20", (-math.inf, 20)),
        ("carries up to 20", (-math.inf, 20)),
        ("a maximum of 20", (-math.inf, 20)),
        ("costs at most € 20", (-math.inf, 20)),
        ("carries exactly 20", (20, 20)),
    ],
)
def test_the_words_before_a_number_bound_it(text: str, bounds: Bounds) -> None:
    assert bounds_of(last(text), 20.0) == bounds


@pytest.mark.parametrize("before", ["more than", "over", "above"])
def test_more_than_a_number_leaves_it_out(before: str) -> None:
    low, high = bounds_of(last(f"carries {before} 20"), 20.0)
    assert 20 < low < 20.01
    assert high == math.inf


@pytest.mark.parametrize("before", ["less than", "fewer than", "under", "below"])
def test_less_than_a_number_leaves_it_out(before: str) -> None:
    low, high = bounds_of(last(f"carries {before} 20"), 20.0)
    assert 19.99 < high < 20
    assert low == -math.inf


@pytest.mark.parametrize("before", ["about", "around", "nearly", "roughly", "almost"])
def test_a_rounded_number_may_be_a_little_off(before: str) -> None:
    low, high = bounds_of(last(f"carries {before} 20"), 20.0)
    assert 18 < low < 20 < high < 22


@pytest.mark.parametrize(
    ("text", "determiner"),
    [
        ("Every diver sang.", "every"),
        ("All divers sang.", "every"),
        ("Both divers sang.", "every"),
        ("Each of the divers sang.", "every"),
        ("Most divers sang.", "most"),
        ("Most of the divers sang.", "most"),
        ("A majority of the divers sang.", "most"),
        ("Many of the divers sang.", "many"),
        ("Few divers sang.", "few"),
        ("A few divers sang.", "some"),
        ("Some of the divers sang.", "some"),
        ("Several divers sang.", "some"),
        ("A couple of divers sang.", "some"),
        ("Half of the divers sang.", "half"),
        ("The divers sang.", "the"),
        ("My divers sang.", "the"),
        ("A diver sang.", "a"),
        ("Young divers sang.", "bare"),
    ],
)
def test_what_stands_before_a_noun_determines_it(text: str, determiner: str) -> None:
    one = subject(text)
    assert (one.head, one.determiner) == ("diver", determiner)


@pytest.mark.parametrize(
    "text", ["No diver sang.", "None of the divers sang.", "Neither of the divers sang."]
)
def test_what_none_does_every_one_does_not(text: str) -> None:
    (event,) = read_propositions(text)
    assert event.denied
    assert subject(text).determiner == "every"


def test_what_not_all_do_some_do_not() -> None:
    (event,) = read_propositions("Not all divers sang.")
    assert event.denied
    assert subject("Not all divers sang.").determiner == "some"


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("The hut has twelve beds.", (12, 12)),
        ("The hut has at least 12 beds.", (12, math.inf)),
    ],
)
def test_a_number_before_a_noun_says_how_many(text: str, bounds: Bounds) -> None:
    (event,) = read_propositions(text)
    assert [(one.head, one.bounds) for one in event.of("obj")] == [("bed", bounds)]


def test_a_year_behind_a_noun_counts_nothing() -> None:
    (event,) = read_propositions("The mill closed in May 1950.")
    assert event.of("in")[0].bounds is None


@pytest.mark.parametrize(
    ("text", "unit", "amount"),
    [
        ("The climb takes 90 minutes.", "day", 1 / 16),
        ("The climb takes an hour and 30 minutes.", "day", 1 / 16),
        ("The climb takes one and a half hours.", "day", 1 / 16),
        ("The scarf costs €25.", "EUR", 25),
        ("The scarf costs 25 euros.", "EUR", 25),
    ],
)
def test_an_amount_is_measured_in_the_base_unit_of_its_kind(
    text: str, unit: str, amount: float
) -> None:
    (event,) = read_propositions(text)
    measure = event.of("obj")[0].measure
    assert measure is not None
    assert (measure.unit, *measure.bounds) == (unit, pytest.approx(amount), pytest.approx(amount))


@pytest.mark.parametrize(
    ("text", "unit", "part"),
    [
        ("A third of the divers sang.", "share", 1 / 3),
        ("Two thirds of the divers sang.", "share", 2 / 3),
        ("40 per cent of the divers sang.", "share", 0.4),
        ("Nine of the twelve divers sang.", "count", 9),
        ("Of the twelve divers, nine sang.", "count", 9),
        ("Six out of the eight divers sang.", "share", 0.75),
    ],
)
def test_a_part_of_a_whole_is_read_with_the_whole(text: str, unit: str, part: float) -> None:
    one = subject(text)
    assert one.measure is not None
    assert (one.head, one.determiner, one.measure.unit) == ("diver", "part", unit)
    assert one.measure.bounds == (pytest.approx(part), pytest.approx(part))


@pytest.mark.parametrize(
    "text",
    [
        "No more than six divers may use the raft.",
        "Up to six divers may use the raft.",
        "At most six divers may use the raft.",
        "Six or fewer divers may use the raft.",
    ],
)
def test_the_words_of_a_bound_are_read_with_its_number(text: str) -> None:
    assert subject(text).bounds == (-math.inf, 6)
    assert not unread(parse(text), read_propositions(text))


def test_a_few_of_them_are_some() -> None:
    assert subject("A few of the divers sang.").determiner == "some"
    assert subject("Few of the divers sang.").determiner == "few"
