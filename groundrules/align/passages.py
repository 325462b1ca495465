"""The few passages of a source that bear on a claim, found by words alone.

A claim often joins what a source says in several sentences, so the passages are chosen together:
each next one is the one that covers most of what the earlier ones left uncovered.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
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

    `owner[i]` is the index of the source that sentence `i` comes from.
    """

    texts: tuple[str, ...]
    owner: tuple[int, ...]
    lengths: tuple[int, ...]
    postings: dict[str, tuple[int, ...]]

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
    for source, sentences in enumerate(sources):
        for sentence in sentences:
            here = len(texts)
            texts.append(sentence)
            owner.append(source)
            lengths.append(len(words(sentence)))
            for stem in dict.fromkeys(stems(sentence)):
                postings[stem].append(here)
    frozen = {stem: tuple(places) for stem, places in postings.items()}
    return Passages(tuple(texts), tuple(owner), tuple(lengths), frozen)


def nearest_passages(
    claim: str, passages: Passages, *, most: int = 5, budget: int = BUDGET
) -> list[int]:
    """Return the indices of the passages that bear on the claim, best first.

    Each passage is scored by the inverse document frequency of the claim's stems it holds,
    those already covered counting a third, over a slowly growing function of its length.
    """
    wanted = Counter(stems(claim))
    gains = {stem: passages.weight(stem) for stem in wanted if stem in passages.postings}
    chosen: list[int] = []
    room = budget
    while len(chosen) < most and gains:
        score: dict[int, float] = defaultdict(float)
        for stem, gain in gains.items():
            for place in passages.postings[stem]:
                score[place] += gain
        for place in chosen:
            score.pop(place, None)
        if not score:
            break
        best = min(
            score, key=lambda place: (-score[place] / (8 + passages.lengths[place]) ** 0.25, place)
        )
        if chosen and passages.lengths[best] > room:
            break
        chosen.append(best)
        room -= passages.lengths[best]
        covered = set(stems(passages.texts[best])) & gains.keys()
        for stem in covered:
            gains[stem] /= 3
        if room <= 0:
            break
    return chosen
