"""Chunks cover a text, overlap, and end where something ends."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.units.chunks import chunk


@given(st.text(alphabet="ab .\n", max_size=400), st.integers(8, 60), st.integers(0, 3))
def test_chunks_cover_the_text_in_order_and_overlap_at_most_so_far(text, size, overlap):
    ranges = chunk(text, size, overlap)
    assert ranges[0][0] == 0
    assert ranges[-1][1] == len(text)
    assert all(end - start <= size for start, end in ranges)
    for (start, end), (after, _) in pairwise(ranges):
        assert start < after <= end
        assert end - after <= overlap


def test_a_short_text_is_one_chunk():
    assert chunk("") == ((0, 0),)
    assert chunk("A lease.", 100, 10) == ((0, 8),)


def test_a_chunk_ends_after_a_paragraph_rather_than_a_sentence_or_a_word():
    text = "aaaa bbbb. cccc\n\ndddd. eeee ffff gggg hhhh"
    assert text[slice(*chunk(text, 24, 0)[0])] == "aaaa bbbb. cccc\n\n"
    text = "aaaa bbbb cccc. dddd eeee ffff gggg hhhh"
    assert text[slice(*chunk(text, 24, 0)[0])] == "aaaa bbbb cccc. "
    text = "aaaa bbbb cccc dddd eeee ffff gggg hhhh"
    assert text[slice(*chunk(text, 24, 0)[0])].endswith(" ")


def test_a_sentence_across_the_cut_is_whole_in_the_next_chunk():
    sentences = [f"Sentence number {n} is here." for n in range(60)]
    text = " ".join(sentences)
    parts = [text[start:end] for start, end in chunk(text, 300, 80)]
    assert all(any(sentence in part for part in parts) for sentence in sentences)


@pytest.mark.parametrize(("size", "overlap"), [(10, 5), (10, -1), (0, 0)])
def test_an_overlap_that_would_not_advance_is_refused(size, overlap):
    with pytest.raises(ValueError, match="does not fit"):
        chunk("text", size, overlap)
