"""How the words around a number bound it."""

from __future__ import annotations

import math

import pytest

from groundrules.claims.quantifiers import Bounds, bounds_of


class _Word:
    """A word of a text as the bounds of a number are read from it."""

    def __init__(self, text: str, i: int, doc: list[_Word]) -> None:
        self.text, self.lower_, self.i, self.doc = text, text.casefold(), i, doc


def last(text: str) -> _Word:
    """Return the last word of a text."""
    doc: list[_Word] = []
    doc += [_Word(word, i, doc) for i, word in enumerate(text.split())]
    return doc[-1]


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
