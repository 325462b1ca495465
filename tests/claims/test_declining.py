"""What only declines, told from what asserts something besides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import check
from groundrules.claims.declining import courtesies, declines
from tests.claims.rows import rows

DECLINING = [
    "I'm sorry, but I can't help with that.",
    "I’M SORRY, I CAN’T ASSIST WITH THIS REQUEST",
    "Sorry.",
    "I don't know based on the provided context.",
    "As an AI language model, I cannot discuss that topic right now!",
    "I am unable to answer your question.\nPlease ask me something else.",
    "I cannot answer this question based on the given context.",
    "Based on the provided context, I cannot answer the question.",
    "I'm sorry, but the context does not contain enough information to answer this question.",
    "The provided documents do not contain the answer.",
    "The document doesn't mention that.",
    "I don't have enough information to answer that question.",
    "I do not have sufficient information to answer this question.",
    "There is not enough information in the context to answer the question.",
    "There is no information about this in the provided documents.",
    "This information is not provided in the context.",
    "The answer is not in the given text.",
    "The answer cannot be found in the provided passages.",
    "I could not find the answer in the sources.",
    "I couldn't find any information about that in the documents you provided.",
    "Unfortunately, I was unable to find that information in the context.",
    "I'm afraid I don't have that information.",
    "The text does not specify this.",
    "Not enough information.",
    "Not mentioned in the context.",
    "Insufficient information to answer the question.",
    "This question cannot be answered based on the given context.",
    "I'm unable to determine the answer from the provided text.",
    "That is beyond the scope of the provided documents.",
    "The context is not sufficient to answer your question.",
    "I cannot provide an answer based on the provided information.",
    "According to the provided sources, there is no answer.",
    "I don't know. Let me know if you have any other questions!",
    "I was unable to find an answer in the source documents.",
    "No relevant information was found in the provided documents.",
    "This information is not available in the provided context.",
    "I cannot answer this question as the context does not contain the relevant information.",
    "It is not possible to answer this question based on the provided context.",
    "The text does not say.",
    "N/A",
    "The passage does not provide an answer to this question.",
    "The document doesn't include this information, so I can't answer the question.",
    "Based on the context, it is not clear.",
    "None of the sources mention this.",
    "Nothing in the provided context answers this question.",
    "The information needed to answer this question is not in the provided text.",
]

COURTESIES = [
    "I hope this helps!",
    "Let me know if you have any other questions.",
    "Please let me know if you need anything else.",
    "Sure, here is the answer:",
    "Sure! Here's a summary:",
    "Certainly, here is the answer based on the provided context.",
    "Great question!",
    "Feel free to ask if you have any further questions.",
    "Hi there!",
    "Thank you for reaching out.",
    "If you have more questions, feel free to ask!",
    "Have a great day!",
    "Kind regards.",
]


@pytest.mark.parametrize("text", DECLINING)
def test_a_text_of_whole_sentences_of_the_list_declines(text: str) -> None:
    assert declines(text)


@pytest.mark.parametrize("text", rows("declining.says"))
def test_what_says_anything_besides_does_not(text: str) -> None:
    assert not declines(text)


@pytest.mark.parametrize("said", COURTESIES)
def test_a_courtesy_is_no_statement(said: str) -> None:
    text = f"{said} The Otter carries 80 passengers. {said}"
    found = check(text, context="The Otter carries 80 passengers.", verify=False)
    assert [one.text for one in found.statements] == ["The Otter carries 80 passengers."]
    assert any("courtesy" in note for note in found.run.notes)


@pytest.mark.parametrize(("head", "end"), rows("declining.source"))
def test_that_the_source_says_so_is_no_part_of_what_it_says(head: str, end: str) -> None:
    found = check(
        f"{head}the ferry carries 80 passengers{end}.",
        context="The ferry carries 80 passengers.",
        verify=False,
    )
    (one,) = found.statements
    said = " ".join(one.text.split()).replace(" .", ".")
    assert (said, one.outcome) == ("the ferry carries 80 passengers.", "supported")


@pytest.mark.parametrize("text", rows("declining.has"))
def test_what_has_any_other_word_is_no_courtesy(text: str) -> None:
    assert list(courtesies(text)) == []


@given(st.sampled_from(DECLINING), st.text(alphabet="abc12 ", min_size=3))
def test_no_words_ride_on_a_text_that_declines(text: str, more: str) -> None:
    if more.strip():
        assert not declines(f"{text} {more}.")
        assert not declines(f"{more}. {text}")
