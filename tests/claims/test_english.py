"""The forms of English words: what falls together, and what stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.english import IRREGULAR_VERBS, singular
from groundrules.claims.english.stems import uninflected
from tests.claims.rows import rows


@pytest.mark.parametrize(("plural", "one"), rows("english.plural"))
def test_a_plural_has_its_singular_and_what_is_none_stays(plural: str, one: str) -> None:
    assert singular(plural) == one


@pytest.mark.parametrize("forms", rows("english.forms"))
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({uninflected(word) for word in forms.split()}) == 1


def test_words_of_different_meaning_keep_apart() -> None:
    words = "member membership child childless law lawyer found fund rise raise".split()
    assert len({uninflected(word) for word in words}) == len(words)


@given(st.text("abcdefgsiye", max_size=12))
def test_a_stem_is_no_longer_than_its_word_but_for_irregular_ones(word: str) -> None:
    assert len(uninflected(word)) <= len(word) or word in IRREGULAR_VERBS
    assert len(singular(word)) <= len(word)
