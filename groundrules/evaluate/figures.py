"""Figures of labelled data: confusions of outcomes, intervals, and a calibration fitted.

The shares and the regression of a calibration are scikit-learn's (extra `[sklearn]`).
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.errors import ConfigError
from groundrules.files import write_atomically
from groundrules.models.calibration import ALPHA, Calibration
from groundrules.models.logistic import logit
from groundrules.models.metrics import auc, scikit_learn
from groundrules.terms import Outcome

if TYPE_CHECKING:
    import numpy as np

    from groundrules.models.metrics import Floats, Labels

    Places = np.ndarray[tuple[int], np.dtype[np.intp]]

#: Fewer labelled rows do not fix two parameters and a threshold.
CALIBRATION_ROWS = 20
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
    import numpy as np

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
    import numpy as np

    return {
        name: (float(np.quantile(found, 0.025)), float(np.quantile(found, 0.975)))
        for name, found in draws.items()
        if found
    }


# --- calibration ------------------------------------------------------------------------------


def best_threshold(scores: Floats, labels: Labels) -> float:
    """Return the threshold with the best balanced accuracy, midway between two scores."""
    import numpy as np

    values = np.unique(scores)
    if len(values) < 2:
        return 0.5
    cuts = (values[1:] + values[:-1]) / 2
    positives = np.sort(scores[labels == 1])
    negatives = np.sort(scores[labels == 0])
    if not len(positives) or not len(negatives):
        return 0.5
    recall = 1 - np.searchsorted(positives, cuts) / len(positives)
    rejected = np.searchsorted(negatives, cuts) / len(negatives)
    return float(cuts[int(np.argmax(recall + rejected))])


def fit_calibration(scores: Floats, labels: Labels) -> Calibration:
    """Fit probability = sigmoid(slope * logit(score) + intercept) by logistic regression.

    Targets are Platt's, (n + 1) / (n + 2) and 1 / (n + 2), so that few rows do not make certainty:
    each row counts for both labels, with its target as weight. Source: Platt 1999.
    ConfigError for fewer than 20 rows, one label only, or scores that do not rise with support.
    """
    import numpy as np

    positive, negative = check_labels(labels.tolist())
    target = np.where(labels == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))
    odds = np.array([[logit(float(score))] for score in scores])
    slope = intercept = 0.0
    if np.ptp(odds):
        model = scikit_learn("linear_model").LogisticRegression(
            C=math.inf, solver="newton-cholesky", tol=1e-10, max_iter=1000
        )
        model.fit(
            np.concatenate([odds, odds]),
            np.repeat([1, 0], len(odds)),
            sample_weight=np.concatenate([target, 1 - target]),
        )
        slope, intercept = float(model.coef_[0, 0]), float(model.intercept_[0])
    if not slope > 0:
        raise ConfigError(
            f"the scores of these rows do not rise with support (slope {slope:.3f}); expected rows "
            "that the score can tell apart"
        )
    fitted = Calibration(slope, intercept, 0.5)
    calibrated = np.array([fitted.probability(float(score)) for score in scores])
    return Calibration(slope, intercept, best_threshold(calibrated, labels))


def fit_alpha(grounded: Floats, preserved: Floats, labels: Labels) -> float:
    """Return the alpha in steps of 0.05 whose CFI has the best AUC, of equals that nearest to 0.7.

    One label alone, or fewer than 20, decide nothing.
    """
    if len(labels) < CALIBRATION_ROWS:
        return ALPHA
    areas = []
    for step in range(21):
        alpha = step / 20
        area = auc(alpha * grounded + (1 - alpha) * preserved, labels)
        areas.append((round(area, 9) if area is not None else 0.0, -abs(alpha - ALPHA), alpha))
    return max(areas)[2]


def check_labels(labels: Sequence[int]) -> tuple[int, int]:
    """Return how many rows are supported and how many are not, if they allow a calibration."""
    positive = sum(labels)
    negative = len(labels) - positive
    if len(labels) < CALIBRATION_ROWS or not positive or not negative:
        raise ConfigError(
            f"{len(labels)} rows, {positive} of them supported; expected at least "
            f"{CALIBRATION_ROWS} rows with both labels to calibrate"
        )
    return positive, negative


def write_calibration(
    path: str | Path, fitted: Calibration, scores: Floats, labels: Labels
) -> None:
    """Write a calibration with what it was fitted on; ConfigError where that fails."""
    data = {"schema": 1, **asdict(fitted), "rows": len(labels), "auc": auc(scores, labels)}
    try:
        write_atomically(Path(path), f"{json.dumps(data)}\n".encode())
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(path)) from None
