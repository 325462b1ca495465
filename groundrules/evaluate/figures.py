"""Figures of labelled data: confusions of outcomes, whose shares are scikit-learn's, intervals."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from groundrules.models.metrics import scikit_learn
from groundrules.terms import Outcome

Places = np.ndarray[tuple[int], np.dtype[np.intp]]

_RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Judged:
    """How well outcomes were told apart; a share is None where there is nothing to share.

    `right` is the share of the rows that were judged as labelled, `coverage` the share judged
    supported or refuted. Of each of these two the precision is the share labelled so among those
    judged so, and the recall that of those judged so among those labelled so. `confusion` counts
    by outcome of the label those that were given.
    """

    rows: int
    right: float
    coverage: float
    precision_supported: float | None
    recall_supported: float | None
    precision_refuted: float | None
    recall_refuted: float | None
    confusion: Mapping[str, Mapping[str, int]]


def judged(pairs: Sequence[tuple[Outcome, Outcome]]) -> Judged:
    """Return the figures of pairs of an outcome as labelled and as judged, of which there is one.

    ConfigError where the extra [sklearn] is missing.
    """
    metrics = scikit_learn("metrics")
    labelled, said = ([str(one) for one in column] for column in zip(*pairs, strict=True))
    names, settled = list(map(str, Outcome)), [str(Outcome.SUPPORTED), str(Outcome.REFUTED)]
    of_each = metrics.precision_recall_fscore_support(
        labelled, said, labels=settled, average=None, zero_division=math.nan
    )
    shares = {
        f"{kind}_{name}": None if math.isnan(share) else float(share)
        for kind, column in zip(("precision", "recall"), of_each, strict=False)
        for name, share in zip(settled, column, strict=True)
    }
    counts = metrics.confusion_matrix(labelled, said, labels=names).tolist()
    return Judged(
        rows=len(pairs),
        right=float(metrics.accuracy_score(labelled, said)),
        coverage=sum(one in settled for one in said) / len(said),
        **shares,
        confusion={
            label: {one: count for one, count in zip(names, row, strict=True) if one in said}
            for label, row in zip(names, counts, strict=True)
            if label in labelled
        },
    )


def resampled(groups: Sequence[str], seed: int) -> Iterator[Places]:
    """Yield the rows of draws of as many groups as there are, none where there is but one."""
    members: dict[str, list[int]] = defaultdict(list)
    for place, group in enumerate(groups):
        members[group].append(place)
    blocks = [np.array(places) for places in members.values()]
    generator = np.random.default_rng(seed)
    for _ in range(_RESAMPLES if len(blocks) > 1 else 0):
        chosen = generator.integers(0, len(blocks), len(blocks))
        yield np.concatenate([blocks[n] for n in chosen])


def intervals(draws: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, float]]:
    """Return the 95 % interval of each figure that was drawn."""
    return {
        name: (float(np.quantile(found, 0.025)), float(np.quantile(found, 0.975)))
        for name, found in draws.items()
        if found
    }
