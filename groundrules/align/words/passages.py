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
from functools import lru_cache
from typing import TYPE_CHECKING

from groundrules.claims.english.fillers import STOP
from groundrules.claims.english.stems import beginning

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_WORD = re.compile(r"\w+(?:[.,]\d+)*")
#: The words of texts up to so many code points are kept: they are asked for again and again.
_SENTENCE = 400
#: The passages shown to the scorers are at most this long together, in words.
BUDGET = 180


def words(text: str) -> list[str]:
    """Return the word forms of a text, case folded, punctuation dropped."""
    return list(_words(text) if len(text) <= _SENTENCE else _words.__wrapped__(text))


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    return tuple(map(str.casefold, _WORD.findall(text)))


def stems(text: str) -> list[str]:
    """Return the beginnings of the content words of a text; numbers stay whole."""
    return _stems(words(text))


def _stems(found: Iterable[str]) -> list[str]:
    return [beginning(word) for word in found if word not in STOP]


@dataclass(frozen=True, slots=True)
class Passages:
    """The sentences of one or more sources, indexed by stem.

    `owner[i]` is the index of the source that sentence `i` comes from, `lengths[i]` its number of
    words and `scales[i]` what its score is divided by; `postings` gives the sentences that have a
    stem, in order, `verbatim` the first sentence that has just these words.
    """

    texts: tuple[str, ...]
    owner: tuple[int, ...]
    lengths: tuple[int, ...]
    scales: npt.NDArray[np.float64]
    postings: dict[str, npt.NDArray[np.int64]]
    verbatim: dict[str, int]

    def weight(self, stem: str) -> float:
        """Return the inverse document frequency of a stem; unseen stems weigh most."""
        seen = len(self.postings.get(stem, ()))
        return math.log(1.0 + (len(self.texts) + 1) / (seen + 0.5))


def index_passages(sources: Iterable[Sequence[str]]) -> Passages:
    """Index the sentences of the sources, in order."""
    import numpy as np

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
            for stem in dict.fromkeys(_stems(said)):
                postings[stem].append(here)
    return Passages(
        tuple(texts),
        tuple(owner),
        tuple(lengths),
        np.array([(8 + length) ** 0.25 for length in lengths]),
        {stem: np.array(places) for stem, places in postings.items()},
        verbatim,
    )


def nearest_passages(
    claim: str, passages: Passages, *, most: int = 5, budget: int = BUDGET
) -> list[int]:
    """Return the indices of the passages that bear on the claim, best first.

    A sentence with the same words comes first. Each further passage is scored by the inverse
    document frequency of the claim's stems it holds, those already covered counting a third, over
    a slowly growing function of its length. Only the first may be longer than the budget, in words.
    """
    import numpy as np

    gains = {stem: passages.weight(stem) for stem in stems(claim) if stem in passages.postings}
    # over all sentences at once: a common stem is in a share of them, whatever the length
    scores = np.zeros(len(passages.texts))
    for stem, gain in gains.items():
        scores[passages.postings[stem]] += gain
    chosen: list[int] = []
    best = passages.verbatim.get(" ".join(words(claim)))
    while len(chosen) < most:
        if best is None:
            best = int((scores / passages.scales).argmax()) if gains else 0
            if not gains or scores[best] <= 0:
                break
        if chosen and passages.lengths[best] > budget:
            break
        chosen.append(best)
        budget -= passages.lengths[best]
        if budget <= 0:
            break
        scores[best] = -np.inf
        held = set(stems(passages.texts[best]))
        for stem in [stem for stem in gains if stem in held]:
            taken = gains[stem] * 2 / 3
            gains[stem] -= taken
            scores[passages.postings[stem]] -= taken
        best = None
    return chosen
