"""The stems: each tells two words apart, or does not, for what it is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.english.stems import (
    beginning,
    family,
    possible_bases,
    uninflected,
    uninflected_beginning,
)


@pytest.mark.parametrize(
    ("stem", "one", "other", "same"),
    [
        (uninflected, "wrote", "write", True),
        (uninflected, "parties", "party", True),
        (uninflected, "decide", "decision", False),
        (beginning, "deliver", "delivery", True),
        (beginning, "1234567", "1234568", False),
        (uninflected_beginning, "counties", "county", True),
        (uninflected_beginning, "1234567", "1234568", False),
        (family, "liability", "liable", True),
        (family, "deny", "denial", True),
        (family, "wrote", "write", False),
    ],
)
def test_words_share_a_stem_by_what_is_asked(
    stem: Callable[[str], str], one: str, other: str, same: bool
) -> None:
    assert (stem(one) == stem(other)) is same


@pytest.mark.parametrize(
    ("form", "base"),
    [("prizes", "prize"), ("raising", "raise"), ("ended", "end"), ("cat's", "cat")],
)
def test_the_base_of_a_form_is_among_those_it_may_have(form: str, base: str) -> None:
    assert base in possible_bases(form)


@given(st.text("abcdeginsty0123", min_size=1))
def test_no_stem_of_a_word_is_empty(word: str) -> None:
    for stem in (uninflected, beginning, uninflected_beginning, family):
        assert stem(word)
