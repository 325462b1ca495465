"""How well the sources carry a sentence: features that anyone can check, and a logistic model.

The model is data (`models/support/weights.json`), made by `training/support/fit.py` from sets that
may be used for training and that no benchmark reports on. A feature is a number between 0 and 1,
but for the logarithms of counts and for cosines, which can fall below 0; what it measures stands
beside its name in `FEATURES`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from groundrules.align.passages import STOP, words
from groundrules.claims.english.stems import beginning
from groundrules.models import logistic, shipped

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]

_FOLDER = shipped.folder("support")

FEATURES: dict[str, str] = {
    "trigrams": "share of the triples of neighbouring words",
    "fourgrams": "share of the runs of four words",
    "coverage": "share of the content words whose stem stands in the passages",
    "longest": "the longest copied run over the length",
    "parted": "the least nearness of two neighbouring content words in the passages",
    "denied": "1 if the sentence denies and no passage does",
    "opposed": "1 if a word's opposite stands in the passages and the word does not",
    "pronouns": "1 if it has a pronoun that no passage has",
    "name_missing": "1 if no source mentions one of its names",
    "value_missing": "1 if no source gives one of its values",
    "cosine": "cosine of the sentence with the nearest passage",
    "tokens": "mean over content word pieces of the best cosine with a word piece of the passages",
    "weakest": "the least of these cosines",
    "worst_triple": "the least similarity of a triple to its best reference triple",
    "agreeing": "share of its triples with an agreeing reference triple",
    "value_conflict": "1 if a triple agrees with a reference but for a value that excludes it",
    "name_conflict": "1 if a triple agrees with a reference but for a name",
    "swapped": "1 if a reference has subject and object the other way about",
    "reversed": "1 if a reference denies what it says, or the other way about",
}

_WORDS = shipped.words("support")
_DENIALS = frozenset(_WORDS["denials"])
_PRONOUNS = frozenset(_WORDS["pronouns"])
OPPOSITE: dict[str, str] = {
    a: b for pair in _WORDS["opposites"] for x, y in [pair.split("/")] for a, b in ((x, y), (y, x))
}
_SHORT_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Findings:
    """What the graphs say of a sentence, for the features that words alone cannot give.

    Whether no source has one of its names, or gives one of its values; `similarities` are those of
    the best reference of each triple; the other flags are slots of matches.
    """

    name_missing: bool = False
    value_missing: bool = False
    similarities: tuple[float, ...] = ()
    agreeing: int = 0
    value_conflict: bool = False
    name_conflict: bool = False
    swapped: bool = False
    polarity: bool = False


@dataclass(frozen=True, slots=True)
class Vectors:
    """Word pieces of a text and their unit vectors in context (t, d)."""

    pieces: Sequence[str]
    rows: Matrix


def features(
    sentence: str,
    passages: Sequence[str],
    findings: Findings,
    vectors: Vectors | None = None,
    passage_vectors: Sequence[Vectors] = (),
) -> dict[str, float]:
    """Return the features of a sentence beside its passages, nearest first."""
    out = dict.fromkeys(FEATURES, 0.0)
    _by_words(sentence, passages, out)
    _by_findings(findings, out)
    if vectors is not None and len(vectors.pieces):
        _by_vectors(vectors, passage_vectors, out)
    return out


def trigram_share(sentence: str, passages: Sequence[str]) -> float:
    """Return the share of the runs of three words of a sentence that the passages have."""
    own, there = words(sentence), [words(passage) for passage in passages]
    known = {run for said in there for run in zip(said, said[1:], said[2:], strict=False)}
    runs = list(zip(own, own[1:], own[2:], strict=False))
    return sum(run in known for run in runs) / len(runs) if runs else 0.0


def _denies(text: str) -> bool:
    return not _DENIALS.isdisjoint(words(text)) or bool(_SHORT_NOT.search(text))


def _by_words(sentence: str, passages: Sequence[str], out: dict[str, float]) -> None:
    mine = words(sentence)
    theirs = [word for passage in passages for word in [*words(passage), "\n"]]
    present = set(theirs)
    share = 0.0  # of a sentence too short for a run that of the shorter runs
    for size, name in enumerate(("", "", "trigrams", "fourgrams"), 1):
        grams = [tuple(mine[i : i + size]) for i in range(len(mine) - size + 1)]
        known = {tuple(theirs[i : i + size]) for i in range(len(theirs) - size + 1)}
        share = sum(g in known for g in grams) / len(grams) if grams else share
        if name:
            out[name] = share
    content = [word for word in mine if word not in STOP]
    stems = [beginning(word) for word in content]
    places: dict[str, list[int]] = {}
    for place, word in enumerate(theirs):
        places.setdefault(beginning(word), []).append(place)
    out["coverage"] = sum(stem in places for stem in stems) / len(stems) if stems else 1.0
    out["longest"] = _longest_copied(mine, theirs) / len(mine) if mine else 1.0
    out["parted"] = min(_neighbours(stems, places), default=out["coverage"])
    out["denied"] = float(_denies(sentence) and not any(map(_denies, passages)))
    out["opposed"] = float(
        any(w in OPPOSITE and w not in present and OPPOSITE[w] in present for w in mine)
    )
    out["pronouns"] = float(any(w in _PRONOUNS and w not in present for w in mine))


def _longest_copied(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """Return how many words the longest copied run has."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(theirs):
        places.setdefault(word, []).append(place)
    start = longest = 0
    while start < len(mine):
        best = 0
        for place in places.get(mine[start], ())[:64]:
            both = zip(mine[start:], itertools.islice(theirs, place, None), strict=False)
            best = max(best, sum(1 for _ in itertools.takewhile(lambda p: p[0] == p[1], both)))
        longest = max(longest, best)
        start += max(best, 1)
    return longest


def _neighbours(stems: Sequence[str], places: Mapping[str, Sequence[int]]) -> Iterator[float]:
    """Yield how near each two neighbouring stems stand in the passages."""
    for first, second in dict.fromkeys(itertools.pairwise(stems)):
        near = [
            abs(b - a)
            for a in places.get(first, ())[:32]
            for b in places.get(second, ())[:32]
            if a != b
        ]
        if not (first in places and second in places):
            yield 0.0
        else:
            yield 1 / (1 + min(near, default=99) / 3)


def _by_findings(found: Findings, out: dict[str, float]) -> None:
    out["name_missing"] = float(found.name_missing)
    out["value_missing"] = float(found.value_missing)
    if found.similarities:
        out["worst_triple"] = min(found.similarities)
        out["agreeing"] = found.agreeing / len(found.similarities)
    else:
        # nothing could be extracted: what the words say stands in for the triples
        out["worst_triple"] = out["agreeing"] = out["coverage"]
    out["value_conflict"] = float(found.value_conflict)
    out["name_conflict"] = float(found.name_conflict)
    out["swapped"] = float(found.swapped)
    out["reversed"] = float(found.polarity)


def _by_vectors(mine: Vectors, passages: Sequence[Vectors], out: dict[str, float]) -> None:
    import numpy as np

    passages = [passage for passage in passages if len(passage.pieces)]
    if not passages:
        return
    mean = mine.rows.mean(axis=0)
    cosines = []
    for passage in passages:
        other = passage.rows.mean(axis=0)
        norm = float(np.linalg.norm(mean) * np.linalg.norm(other)) or 1.0
        cosines.append(float(mean @ other) / norm)
    out["cosine"] = max(cosines)
    # passage by passage: BLAS shares one large product among threads, which wait for each other
    best = np.max([(mine.rows @ p.rows.T).max(axis=1) for p in passages], axis=0)
    content = np.array([piece[:1].isalnum() and piece not in STOP for piece in mine.pieces])
    chosen = np.sort(best[content] if content.any() else best)
    out["tokens"] = float(chosen.mean())
    out["weakest"] = float(chosen[0])


@dataclass(frozen=True, slots=True)
class Extract:
    """What is asked of a sentence that copies most of its words, as an extract does.

    In a free wording a word that is not the source's says the same in another way; in an extract it
    is a change. A sentence is no copy at a share of `least` of its trigrams, wholly one at `most`,
    and a copy needs log odds of `demand` to come to even odds. Positive log odds of a free wording,
    and those of a copy that fall short, tell little: they count by `slope`.
    """

    least: float = 0.0
    most: float = 1.0
    demand: float = 0.0
    slope: float = 1.0

    def copied(self, trigrams: float) -> float:
        """Return how far a sentence is a copy, from 0 to 1, by the share of its trigrams found."""
        return min(1.0, max(0.0, (trigrams - self.least) / (self.most - self.least)))

    def place(self, logit: float, trigrams: float) -> float:
        """Return the log odds that the likeness of a sentence comes to; they rise with it."""
        copied = self.copied(trigrams)
        like = max(logit, 0.0)
        beyond = like - self.demand
        as_copy = beyond if beyond > 0 else self.slope * beyond
        return min(logit, 0.0) + (1 - copied) * self.slope * like + copied * as_copy


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic model over the features, placed by how much is copied; the digest of its file."""

    weights: Mapping[str, float]
    intercept: float
    digest: str
    extract: Extract = Extract()

    def likeness(self, values: Mapping[str, float]) -> float:
        """Return the weighted features of a sentence, whatever share of it is copied."""
        return logistic.log_odds(self.weights, self.intercept, values)

    def logit(self, values: Mapping[str, float]) -> float:
        """Return the log odds that the sources carry a sentence with these features."""
        return self.extract.place(self.likeness(values), values.get("trigrams", 0.0))


@cache
def load_model() -> Model:
    """Return the shipped model; ModelError where it is missing or damaged."""
    return logistic.load(_FOLDER / "weights.json", "the support model", _model)


def _model(data: Mapping[str, Any], digest: str) -> Model:
    figures = {name: logistic.finite(figure) for name, figure in data["extract"].items()}
    extract = Extract(**figures)
    if extract.least >= extract.most or extract.demand < 0 or extract.slope <= 0:
        raise ValueError("an extract is asked less than nothing")
    weights = logistic.weights_of(data, FEATURES)
    return Model(weights, logistic.finite(data["intercept"]), digest, extract)
