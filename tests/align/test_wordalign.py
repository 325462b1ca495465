"""Words beside words: few are compared, and none that are the same or opposed are left out."""

from __future__ import annotations

import itertools

from groundrules.align.wordalign import lexicon, marks, relation

WORDS = "agree disagree opened opening open close closed lawful unlawful cheap dear"


def test_words_that_are_the_same_or_opposed_have_a_mark_in_common() -> None:
    known = lexicon()
    some = [*WORDS.split(), *sorted(known.sides)[::4], *sorted(known.pairs)[::40]]
    tied = [(a, b) for a, b in itertools.product(some, some) if a != b and relation(a, b)]

    assert len(tied) > 100
    assert all(marks(a) & marks(b) for a, b in tied)
