"""Where the sources speak of what a figure or word is of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import check
from groundrules.align.places import sense


@given(st.text(min_size=1, max_size=8))
def test_every_word_has_a_stem(word: str) -> None:
    assert sense(word)


@pytest.mark.parametrize("word", ["'s", "’s"])
def test_an_ending_that_stands_alone_is_its_own_stem(word: str) -> None:
    assert sense(word) == word


def test_a_text_in_tokens_is_checked() -> None:
    source = (
        "Nakatani told the Diet , Japan 's parliament , that no jets had come across any UFOs ."
    )

    report = check(
        "Nakatani told the Diet , Japan 's parliament , that his jets met UFOs .",
        context=f"Gen Nakatani is Japan 's minister . {source}",
    )

    assert len(report.statements) == 1
