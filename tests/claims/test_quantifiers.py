"""How many, or which, of a thing a word makes a sentence speak of."""

from __future__ import annotations

import math

import pytest

from groundrules.claims.quantifiers import Bounds, bounds_of, quantifier
from groundrules.claims.slots import Term
from tests.claims.said import read_propositions


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


def test_a_few_of_them_are_some() -> None:
    assert subject("A few of the divers sang.").determiner == "some"
    assert subject("Few of the divers sang.").determiner == "few"
