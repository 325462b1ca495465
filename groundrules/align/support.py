"""How well the sources carry a sentence: features that anyone can check, and a logistic model.

The model is data (`models/support/weights.json`), made by `training/support/fit.py` from sets that
may be used for training and that no benchmark reports on. A feature is a number between 0 and 1,
but for the logarithms of counts and for cosines, which can fall below 0; what it measures stands
beside its name in `FEATURES`.
"""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules.align.passages import STOP, words
from groundrules.claims.english.stems import beginning
from groundrules.models import logistic, shipped

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]

_FOLDER = shipped.folder("support")

FEATURES: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("features.toml").read_text("utf-8")
)

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

    Counts of names and values: all, missing from every source, present but not in the passages.
    `similarities` are those of the best reference of each triple; the flags are slots of matches.
    """

    names: int = 0
    names_missing: int = 0
    names_far: int = 0
    values: int = 0
    values_missing: int = 0
    values_far: int = 0
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


def _denials(text: str) -> int:
    return sum(word in _DENIALS for word in words(text)) + len(_SHORT_NOT.findall(text))


def _by_words(sentence: str, passages: Sequence[str], out: dict[str, float]) -> None:
    mine = words(sentence)
    theirs = [word for passage in passages for word in [*words(passage), "\n"]]
    present = set(theirs)
    for size, name in enumerate(("unigrams", "bigrams", "trigrams", "fourgrams"), 1):
        grams = [tuple(mine[i : i + size]) for i in range(len(mine) - size + 1)]
        known = {tuple(theirs[i : i + size]) for i in range(len(theirs) - size + 1)}
        last = out[("unigrams", "bigrams", "trigrams")[max(0, size - 2)]]
        out[name] = sum(g in known for g in grams) / len(grams) if grams else last
    content = [word for word in mine if word not in STOP]
    stems = [beginning(word) for word in content]
    places: dict[str, list[int]] = {}
    for place, word in enumerate(theirs):
        places.setdefault(beginning(word), []).append(place)
    missing = [stem for stem in stems if stem not in places]
    out["coverage"] = 1 - len(missing) / len(stems) if stems else 1.0
    out["missing"] = math.log1p(len(missing))
    lengths = _copied(mine, theirs)
    out["runs"] = sum(n >= 3 for n in lengths) / len(mine) if mine else 1.0
    out["longest"] = max(lengths, default=0) / len(mine) if mine else 1.0
    near, turned = _neighbours(stems, places)
    out["closeness"] = sum(near) / len(near) if near else out["coverage"]
    out["parted"] = min(near) if near else out["coverage"]
    out["turned"] = turned / len(near) if near else 0.0
    out["length"] = math.log1p(len(mine)) / 5
    denied = _denials(sentence) > 0
    out["denied"] = float(denied and not any(_denials(p) for p in passages))
    out["undenied"] = float(not denied and bool(passages) and _denials(passages[0]) > 0)
    out["opposed"] = float(
        any(w in OPPOSITE and w not in present and OPPOSITE[w] in present for w in mine)
    )
    out["pronouns"] = float(any(w in _PRONOUNS and w not in present for w in mine))


def _copied(mine: Sequence[str], theirs: Sequence[str]) -> list[int]:
    """Return for each word the length of the copied run it is in, 0 if it is in none."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(theirs):
        places.setdefault(word, []).append(place)
    lengths = [0] * len(mine)
    start = 0
    while start < len(mine):
        best = 0
        for place in places.get(mine[start], ())[:64]:
            size = 0
            while (
                start + size < len(mine)
                and place + size < len(theirs)
                and mine[start + size] == theirs[place + size]
            ):
                size += 1
            best = max(best, size)
        for offset in range(best):
            lengths[start + offset] = best
        start += max(best, 1)
    return lengths


def _neighbours(stems: Sequence[str], places: dict[str, list[int]]) -> tuple[list[float], int]:
    """Return how near each two neighbouring stems stand in the passages, and how many turned."""
    pairs = list(itertools.pairwise(stems))
    found = {
        (first, second): min(
            (
                (abs(b - a), b < a)
                for a in places.get(first, ())[:32]
                for b in places.get(second, ())[:32]
                if a != b
            ),
            default=(99, False),
        )
        for first, second in dict.fromkeys(pairs)
        if first in places and second in places
    }
    near = [1 / (1 + found[pair][0] / 3) if pair in found else 0.0 for pair in pairs]
    return near, sum(found[pair][1] for pair in pairs if pair in found)


def _by_findings(found: Findings, out: dict[str, float]) -> None:
    out["has_name"] = float(found.names > 0)
    out["has_value"] = float(found.values > 0)
    out["name_missing"] = float(found.names_missing > 0)
    out["value_missing"] = float(found.values_missing > 0)
    out["name_far"] = float(found.names_far > 0)
    out["value_far"] = float(found.values_far > 0)
    if found.names:
        out["names_missing"] = found.names_missing / found.names
    if found.values:
        out["values_missing"] = found.values_missing / found.values
    if found.similarities:
        out["triples"] = sum(found.similarities) / len(found.similarities)
        out["worst_triple"] = min(found.similarities)
        out["agreeing"] = found.agreeing / len(found.similarities)
    else:
        # nothing could be extracted: what the words say stands in for the triples
        out["triples"] = out["worst_triple"] = out["agreeing"] = out["coverage"]
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
    out["weaker"] = float(chosen[:3].mean())


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
