"""One score of a statement: how likely the sources carry it, of all that was found on it.

A logistic model of few features, each of which can only speak for the statement or only against
it. Its weights are fitted by `training/verdicts/fit_support.py`, on nothing that a benchmark
reports on. What each feature adds to the log odds is kept, so that a report can tell why.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from groundrules.align.grading import to_grade
from groundrules.align.limits import FAR, KNOWN
from groundrules.align.premises import Index, index_units, premise, premise_places
from groundrules.align.statements import AlignedStatement
from groundrules.align.support import Extract, load_model, trigram_share
from groundrules.claims.units import units
from groundrules.models import logistic
from groundrules.models.calibration import Calibration
from groundrules.models.readers import WORDS, Asked, Entailment, Reader, read_statements
from groundrules.models.shipped import folder
from groundrules.terms import Severity

#: What is weighed, and whether it speaks for a statement (1) or against it (-1).
SIGNS: dict[str, int] = {
    "derived": 1,  # share of its figures and names that follow from figures of the sources
    "lacking": -1,  # log of one plus the number of its content words that no passage has
    "error": -1,  # 1 if a rule finds an error in it
    "warning": -1,  # 1 if rules find warnings and no error
}
#: What is in the log odds of every statement.
BASE = "base"
#: What the wording alone says of a statement that copies its source.
COPIED = "copied"
_FOLDER = folder("statement")


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature adds to the log odds, and the score from which a statement is supported.

    What copies its source is outside what the weights were fitted on: it counts as its wording
    alone says, and `extract` tells how far a statement is a copy; `slope` and `intercept` calibrate
    that. Where it was measured how often a statement is right that a rule refutes, that is
    `refuted`.
    """

    weights: Mapping[str, float]
    base: float
    threshold: float
    digest: str
    extract: Extract | None = None
    slope: float = 1.0
    intercept: float = 0.0
    refuted: float | None = None

    def contributions(self, features: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
        """Return what each feature adds to the log odds, the base first; zeros are left out."""
        told = ((name, self.weights.get(name, 0.0) * features.get(name, 0.0)) for name in SIGNS)
        kept = ((name, round(value, 4)) for name, value in told if round(value, 4))
        return ((BASE, round(self.base, 4)), *kept)

    def under(self, scale: Calibration) -> Weights:
        """Return the weights whose score is calibrated; a threshold of one's own prevails."""
        return replace(
            self,
            weights={name: scale.slope * weight for name, weight in self.weights.items()},
            base=scale.slope * self.base + scale.intercept,
            slope=scale.slope,
            intercept=scale.intercept,
        )


def score(contributions: Iterable[tuple[str, float]]) -> float:
    """Return the probability that contributions come to."""
    return logistic.sigmoid(sum(value for _, value in contributions))


def with_scores(
    statements: Sequence[AlignedStatement], sources: Iterable[str], weights: Weights
) -> tuple[AlignedStatement, ...]:
    """Return the statements with their score.

    Not those that stand in a source word for word or restated, that could not be read, or that were
    held against nothing. The score is what all but the findings of rules comes to.
    """
    plain = Calibration(weights.slope, weights.intercept)
    statements = [
        replace(one, support=plain.probability(one.support))
        if one.restated and one.support is not None
        else one
        for one in statements
    ]
    asked = to_grade(statements).keys() - {one.number for one in statements if one.restated}
    if not asked:
        return tuple(statements)
    index = indexed(tuple(sources))
    chosen = [one for one in statements if one.number in asked]
    premises = {
        one.number: " ".join(premise(premise_places(one.text, index), index)) for one in chosen
    }
    return tuple(
        _with_score(one, premises[one.number], weights) if one.number in premises else one
        for one in statements
    )


def readings(
    statements: Sequence[AlignedStatement], index: Index, reader: Reader
) -> dict[int, Entailment | str]:
    """Return by number what a reader makes of statements beside the passages that fit.

    Where all sources fit, they are what is shown.
    """
    asked = []
    for at in range(0, len(statements), reader.together):
        own = statements[at : at + reader.together]
        places = {
            place
            for one in own
            for place in premise_places(one.text, index, max(WORDS, reader.words // len(own)))
        }
        if sum(index.passages.lengths) <= reader.words:
            places = set(range(len(index.units)))
        shown = premise(sorted(places), index)
        asked += [Asked(one.text, shown, one.unstated) for one in own]
    return dict(
        zip((one.number for one in statements), read_statements(asked, reader), strict=True)
    )


@lru_cache(maxsize=2)  # a text is read again with its edits, beside the same sources
def indexed(sources: tuple[str, ...]) -> Index:
    """Return the index of the units of some sources."""
    return index_units(units(source) for source in sources)


def _with_score(aligned: AlignedStatement, premise: str, weights: Weights) -> AlignedStatement:
    told = weights.contributions(measure(aligned))
    copied = (
        weights.extract.copied(trigram_share(aligned.text, [premise])) if weights.extract else 0
    )
    if copied:
        # plus nothing: no zero has a sign
        told = tuple((name, round((1 - copied) * value, 4) + 0.0) for name, value in told)
        alone = weights.slope * odds(aligned.support or 0.0) + weights.intercept
        told = (*told, (COPIED, round(copied * alone, 4)))
    return replace(aligned, wording=aligned.support, contributions=told, support=score(told))


def measure(aligned: AlignedStatement) -> dict[str, float]:
    """Return the features of a statement but for what the rules find in it."""
    accounts = [figure.account for figure, _ in aligned.figures]
    accounts += ["stated" if one.similarity >= KNOWN else "absent" for one in aligned.names]
    return {
        "derived": accounts.count("derived") / max(1, len(accounts)),
        "lacking": math.log1p(len(aligned.missing_words)),
    }


def with_finding(
    contributions: tuple[tuple[str, float], ...], worst: Severity | None, weights: Weights
) -> tuple[tuple[str, float], ...]:
    """Return the contributions with that of the worst finding of a rule."""
    name = {Severity.ERROR: "error", Severity.WARNING: "warning"}.get(worst or Severity.INFO, "")
    more = weights.contributions({name: 1.0})[1:]
    return (*contributions, *more)


def odds(share: float) -> float:
    """Return the log odds of a share, within what is told apart."""
    return max(-FAR, min(FAR, logistic.logit(share)))


@cache
def load_weights() -> Weights:
    """Return the shipped weights of statements; ModelError where they are missing or damaged."""
    return logistic.load(_FOLDER / "weights.json", "the weights of statements", _weights)


def _weights(file: Mapping[str, Any], digest: str) -> Weights:
    figures = {name: logistic.finite(file[name]) for name in ("base", "threshold")}
    weights = logistic.weights_of(file, SIGNS)
    found = Weights(weights, **figures, digest=digest, extract=load_model().extract)
    if any(SIGNS[name] * weight < 0 for name, weight in weights.items()):
        raise ValueError("a weight has the wrong sign")
    if not 0 <= found.threshold <= 1:
        raise ValueError("the threshold is no probability")
    return found
