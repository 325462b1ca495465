"""How well scores fit labels, by scikit-learn (extra `[sklearn]`); None where it is undefined."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from groundrules.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Labels = npt.NDArray[np.int_]

__all__ = ["auc", "scikit_learn"]


def scikit_learn(module: str) -> Any:
    """Return a module of scikit-learn; ConfigError where it is not installed."""
    try:
        return import_module(f"sklearn.{module}")
    except ImportError:
        raise ConfigError(
            "scikit-learn is not installed; run: pip install 'groundrules[sklearn]'"
        ) from None


def auc(scores: Floats, labels: Labels) -> float | None:
    """Return the area under the ROC curve, ties counting half; None if a label is missing."""
    metrics = scikit_learn("metrics")
    if not 0 < labels.sum() < len(labels):
        return None
    # half the time of roc_auc_score, which a bootstrap asks a thousand times
    wrong, right, _ = metrics.roc_curve(labels, scores, drop_intermediate=False)
    return float(metrics.auc(wrong, right))
