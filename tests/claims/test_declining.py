"""What only declines, told from what asserts something besides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.declining import declines

DECLINING = [
    "I'm sorry, but I can't help with that.",
    "I’M SORRY, I CAN’T ASSIST WITH THIS REQUEST",
    "Sorry.",
    "I don't know based on the provided context.",
    "As an AI language model, I cannot discuss that topic right now!",
    "I am unable to answer your question.\nPlease ask me something else.",
]


@pytest.mark.parametrize("text", DECLINING)
def test_a_text_of_whole_sentences_of_the_list_declines(text: str) -> None:
    assert declines(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "Please ask me something else.",  # what may follow declines nothing by itself
        "I can't help with the ferry that sank.",
        "I cannot say that the ferry sank.",
        "I can't help you. It carries 120 passengers.",
        "I'm sorry, but it carries 120 passengers.",
        "I can't help with that (it carries 120 passengers).",
        "It carries 120 passengers. I can't help with that.",
        "I can't help with that\n\n- 120 passengers",
    ],
)
def test_what_says_anything_besides_does_not(text: str) -> None:
    assert not declines(text)


@given(st.sampled_from(DECLINING), st.text(alphabet="abc12 ", min_size=3))
def test_no_words_ride_on_a_text_that_declines(text: str, more: str) -> None:
    if more.strip():
        assert not declines(f"{text} {more}.")
        assert not declines(f"{more}. {text}")
