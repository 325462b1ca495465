"""Words that a language model has copied are found where they stand."""

from __future__ import annotations

import pytest

from groundrules.claims.evidence.copied import find_all, find_words, pieces_of
from tests.claims.rows import rows


@pytest.mark.parametrize(("words", "found"), rows("copied.words"))
def test_words_are_found_but_for_white_space_and_the_shape_of_quotes(
    words: str, found: str | None
) -> None:
    body = "It is part of the agent’s\n  written «sole» use; so."
    place = find_words(words, body, 0, len(body))
    assert (body[slice(*place)] if place else None) == found


def test_words_are_sought_in_their_range_alone() -> None:
    assert find_words("two", "one two three", 0, 5) is None


def test_what_no_sign_of_a_pattern_means_is_a_sign() -> None:
    body = "It costs $5 (or more) [see a.b*c]."
    assert find_words("$5 (or more) [see a.b*c]", body, 0, len(body)) == (9, 33)
    assert find_words("$5 (or more) [see aXb*c]", body, 0, len(body)) is None


def test_pieces_are_found_in_the_first_range_that_has_them() -> None:
    text = "The lift is shut. The lift is open."
    assert pieces_of("The lift … open") == ["The lift", "open"]
    assert find_all("the lift … open", text, [(18, 35), (0, 35)]) == ((18, 26), (30, 34))
    assert find_all("shut", text, [(18, 35), (0, 35)]) == ((12, 16),)
    assert find_all("the stair", text, [(0, 35)]) is None
    assert find_all(" … ", text, [(0, 35)]) == ()
