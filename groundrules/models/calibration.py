"""From the score of support to a probability, and the threshold from which it counts."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from groundrules.errors import ConfigError
from groundrules.files import read_bounded
from groundrules.models.logistic import logit, sigmoid

_MOST_BYTES = 1_000_000
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
