"""Laws of the passages: distinct, within the budget, the same words first."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.passages import Passages, index_passages, nearest_passages, stems, words
from tests.strategies import texts

_VOCABULARY = (
    "rent tenant landlord pay the of is a month due deposit roof repair notice days Oregon 30 "
    "5,850 décembre 中文 insurance"
).split()
SENTENCE = st.lists(st.sampled_from(_VOCABULARY), min_size=1, max_size=12).map(" ".join)
SOURCES = st.lists(st.lists(SENTENCE, max_size=6), max_size=3)


@given(SOURCES, SENTENCE, st.integers(1, 6), st.integers(1, 40))
def test_passages_are_distinct_few_and_within_the_budget(
    sources: list[list[str]], claim: str, most: int, budget: int
) -> None:
    index = index_passages(sources)
    found = nearest_passages(claim, index, most=most, budget=budget)
    assert len(found) == len(set(found)) <= most
    assert all(0 <= place < len(index.texts) for place in found)
    assert len(found) <= 1 or sum(index.lengths[place] for place in found) <= budget
    assert found == nearest_passages(claim, index, most=most, budget=budget)


@given(SOURCES, SENTENCE)
def test_every_passage_shares_a_content_word_with_the_claim_or_all_words(
    sources: list[list[str]], claim: str
) -> None:
    index = index_passages(sources)
    wanted = set(stems(claim))
    for place in nearest_passages(claim, index):
        assert wanted & set(stems(index.texts[place])) or words(claim) == words(index.texts[place])


@given(SOURCES, st.data())
def test_the_sentence_with_the_same_words_comes_first(
    sources: list[list[str]], data: st.DataObject
) -> None:
    index = index_passages(sources)
    if not index.texts:
        assert nearest_passages("the rent", index) == []
        return
    claim = data.draw(st.sampled_from(index.texts))
    first = nearest_passages(f"{claim.upper()}!", index, budget=1)[0]
    assert words(index.texts[first]) == words(claim)


def test_a_sentence_of_stop_words_finds_itself() -> None:
    index = index_passages([["The rent is due.", "It was with them."]])
    assert nearest_passages("It was with them", index) == [1]


def test_the_second_passage_covers_what_the_first_left_open() -> None:
    index = index_passages(
        [
            ["The tenant shall pay the base rent.", "The base rent of the tenant is paid monthly."],
            ["Notice is given by mail.", "Oregon law governs."],
        ]
    )
    found = nearest_passages("The tenant pays the base rent and Oregon law governs.", index, most=2)
    assert index.owner[found[0]] != index.owner[found[1]]


@given(SOURCES, SENTENCE, st.randoms(use_true_random=False))
def test_the_order_of_sources_matters_to_ties_alone(
    sources: list[list[str]], claim: str, shuffle: random.Random
) -> None:
    # made distinct in length, so that no two passages score the same
    numbered = [
        [f"{text} {'x ' * (7 * n + k)}" for k, text in enumerate(source)]
        for n, source in enumerate(sources)
    ]
    turned = numbered[:]
    shuffle.shuffle(turned)
    one, other = index_passages(numbered), index_passages(turned)
    first = [one.texts[place] for place in nearest_passages(claim, one, most=1)]
    assert first == [other.texts[place] for place in nearest_passages(claim, other, most=1)]


@given(SOURCES)
def test_a_rare_stem_weighs_more_than_a_common_one(sources: list[list[str]]) -> None:
    index = index_passages(sources)
    known = sorted(index.postings, key=lambda stem: len(index.postings[stem]))
    weights = [index.weight(stem) for stem in known]
    assert weights == sorted(weights, reverse=True)
    assert all(weight > 0 for weight in weights)
    assert index.weight("unheard of") >= max(weights, default=0)


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
