"""From the score of support to a probability, and the threshold from which it counts."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.errors import ConfigError
from groundrules.files import read_bounded, write_atomically
from groundrules.models.logistic import logit, sigmoid
from groundrules.models.metrics import auc, scikit_learn

if TYPE_CHECKING:
    from groundrules.models.metrics import Floats, Labels

_MOST_BYTES = 1_000_000
#: Fewer labelled rows do not fix two parameters and a threshold.
CALIBRATION_ROWS = 20
#: The weight of EG in CFI that HalluGraph found best.
ALPHA = 0.7


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling of the log odds of a score, and the threshold that balances accuracy.

    `alpha` is the weight of EG in CFI (HalluGraph).
    """

    slope: float = 1.0
    intercept: float = 0.0
    threshold: float = 0.5
    alpha: float = ALPHA

    def probability(self, score: float) -> float:
        """Return the calibrated probability of a score; the score itself by default."""
        if (self.slope, self.intercept) == (1.0, 0.0):
            return score
        return sigmoid(self.slope * logit(score) + self.intercept)


def read_calibration(path: str | Path) -> Calibration:
    """Return a calibration that `--calibrate` wrote; ConfigError if the file is none."""
    try:
        data = json.loads(read_bounded(Path(path), _MOST_BYTES)[:_MOST_BYTES])
        found = Calibration(
            float(data["slope"]),
            float(data["intercept"]),
            float(data["threshold"]),
            float(data.get("alpha", ALPHA)),
        )
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise ConfigError(
            "no calibration; expected the file that `groundrules eval --calibrate` wrote",
            path=str(path),
        ) from None
    if not all(map(math.isfinite, (found.slope, found.intercept, found.threshold))):
        raise ConfigError("no calibration: a figure is not finite", path=str(path))
    if found.slope <= 0:
        raise ConfigError(
            f"no calibration: the slope is {found.slope}; expected more than 0", path=str(path)
        )
    if not 0 <= found.alpha <= 1:
        raise ConfigError(
            f"no calibration: alpha is {found.alpha}; expected 0 to 1", path=str(path)
        )
    return found


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
