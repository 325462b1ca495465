"""The few passages of a source that bear on a claim, found by words alone.

A claim often joins what a source says in several sentences, so the passages are chosen together:
each next one is the one that covers most of what the earlier ones left uncovered.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+(?:[.,]\d+)*")
# A crude stem serves recall: "decide", "decided" and "decision" meet at six letters.
STEM = 6
#: The passages shown to the scorers are at most this long together, in words.
BUDGET = 180

STOP = frozenset(
    "a an and are as at be been but by for from had has have he her him his i in is it its of on "
    "or our she that the their them they this to was we were which who will with you your".split()
)


def words(text: str) -> list[str]:
    """Return the word forms of a text, case folded, punctuation dropped."""
    return [match.group().casefold() for match in _WORD.finditer(text)]


def stems(text: str) -> list[str]:
    """Return the stems of the content words of a text; numbers stay whole."""
    return [word if word[0].isdigit() else word[:STEM] for word in words(text) if word not in STOP]


@dataclass(frozen=True, slots=True)
class Passages:
    """The sentences of one or more sources, indexed by stem.

    `owner[i]` is the index of the source that sentence `i` comes from, `lengths[i]` its number of
    words; `verbatim` gives the first sentence that has just these words.
    """

    texts: tuple[str, ...]
    owner: tuple[int, ...]
    lengths: tuple[int, ...]
    postings: dict[str, tuple[int, ...]]
    verbatim: dict[str, int]

    def weight(self, stem: str) -> float:
        """Return the inverse document frequency of a stem; unseen stems weigh most."""
        seen = len(self.postings.get(stem, ()))
        return math.log(1.0 + (len(self.texts) + 1) / (seen + 0.5))


def index_passages(sources: Iterable[Sequence[str]]) -> Passages:
    """Index the sentences of the sources, in order."""
    texts: list[str] = []
    owner: list[int] = []
    lengths: list[int] = []
    postings: dict[str, list[int]] = defaultdict(list)
    verbatim: dict[str, int] = {}
    for source, sentences in enumerate(sources):
        for sentence in sentences:
            here = len(texts)
            texts.append(sentence)
            owner.append(source)
            said = words(sentence)
            lengths.append(len(said))
            verbatim.setdefault(" ".join(said), here)
            for stem in dict.fromkeys(stems(sentence)):
                postings[stem].append(here)
    frozen = {stem: tuple(places) for stem, places in postings.items()}
    return Passages(tuple(texts), tuple(owner), tuple(lengths), frozen, verbatim)


def nearest_passages(
    claim: str, passages: Passages, *, most: int = 5, budget: int = BUDGET
) -> list[int]:
    """Return the indices of the passages that bear on the claim, best first.

    A sentence with the same words comes first. Each further passage is scored by the inverse
    document frequency of the claim's stems it holds, those already covered counting a third, over
    a slowly growing function of its length. Only the first may be longer than the budget, in words.
    """
    gains = {stem: passages.weight(stem) for stem in stems(claim) if stem in passages.postings}
    score: dict[int, float] = defaultdict(float)
    for stem, gain in gains.items():
        for place in passages.postings[stem]:
            score[place] += gain
    lengths = passages.lengths
    chosen: list[int] = []
    best = passages.verbatim.get(" ".join(words(claim)))
    while len(chosen) < most:
        if best is None:
            if not score:
                break
            best = min(score, key=lambda n: (-score[n] / (8 + lengths[n]) ** 0.25, n))
        if chosen and lengths[best] > budget:
            break
        chosen.append(best)
        budget -= lengths[best]
        if budget <= 0:
            break
        score.pop(best, None)
        held = set(stems(passages.texts[best]))
        for stem in [stem for stem in gains if stem in held]:
            taken = gains[stem] * 2 / 3
            gains[stem] -= taken
            for place in passages.postings[stem]:
                if place in score:
                    score[place] -= taken
        best = None
    return chosen
