"""Laws of the passages: distinct, within the budget, the same words first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.words.passages import (
    Passages,
    index_passages,
    nearest_passages,
    stems,
    words,
)
from tests.strategies import texts


@given(texts())
def test_any_text_can_be_indexed_and_asked_for(text: str) -> None:
    index = index_passages([text.splitlines(), [text]])
    assert len(index.texts) == len(index.owner) == len(index.lengths)
    found = nearest_passages(text, index)
    if words(text):
        assert words(index.texts[found[0]]) == words(text)


def test_numbers_stay_whole() -> None:
    assert words("$5,850.00 on 1.5.2021, e.g.") == ["5,850.00", "on", "1.5.2021", "e", "g"]
    assert stems("decided 1234567 decision") == ["decide", "1234567", "decisi"]


def nearest_one_by_one(claim: str, index: Passages, most: int, budget: int) -> list[int]:
    """Return what `nearest_passages` does, worked out sentence by sentence."""
    gains = {stem: index.weight(stem) for stem in stems(claim) if stem in index.postings}
    held = [set(stems(text)) for text in index.texts]
    scores = {
        n: sum(gain for stem, gain in gains.items() if stem in own)
        for n, own in enumerate(held)
        if own & gains.keys()
    }
    chosen: list[int] = []
    best = index.verbatim.get(" ".join(words(claim)))
    while len(chosen) < most and (best is not None or scores):
        if best is None:
            best = min(scores, key=lambda n: (-scores[n] / (8 + index.lengths[n]) ** 0.25, n))
        if chosen and index.lengths[best] > budget:
            break
        chosen.append(best)
        budget -= index.lengths[best]
        scores.pop(best, None)
        if budget <= 0:
            break
        for stem in [stem for stem in gains if stem in held[best]]:
            taken = gains[stem] * 2 / 3
            gains[stem] -= taken
            for n in scores.keys() & set(index.postings[stem].tolist()):
                scores[n] -= taken
        best = None
    return chosen


@given(
    st.lists(st.lists(st.sampled_from("rent oak fee 12 7 note".split()), max_size=9), max_size=9),
    st.lists(st.sampled_from("rent oak fee 12 7 note roof".split()), max_size=4),
    st.integers(1, 6),
    st.integers(1, 30),
)
def test_the_nearest_passages_of_all_at_once_are_those_found_one_by_one(
    sentences: list[list[str]], claim: list[str], most: int, budget: int
) -> None:
    index = index_passages([[" ".join(found) for found in sentences]])
    found = nearest_passages(" ".join(claim), index, most=most, budget=budget)
    assert found == nearest_one_by_one(" ".join(claim), index, most, budget)
