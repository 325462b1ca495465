"""What only declines, told from what asserts something besides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import check
from groundrules.claims.documents.declining import courtesies, declines
from tests.claims.rows import rows

DECLINING = rows("declining.DECLINING")

COURTESIES = rows("declining.COURTESIES")


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
