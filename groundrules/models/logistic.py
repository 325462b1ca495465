"""Logistic models: weights of features from a file, log odds and probabilities."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

from groundrules.errors import ModelError

T = TypeVar("T")


def load(path: Path, what: str, build: Callable[[Mapping[str, Any], str], T]) -> T:
    """Return what is built of the JSON of a file and its SHA-256.

    ModelError, which tells `what` cannot be read, where it is missing, or ValueError, KeyError,
    TypeError or AttributeError say that it is damaged.
    """
    try:
        raw = path.read_bytes()
        return build(json.loads(raw), hashlib.sha256(raw).hexdigest())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            f"{what} cannot be read ({type(error).__name__}); reinstall groundrules",
            path=str(path),
        ) from error


def weights_of(data: Mapping[str, Any], features: Collection[str]) -> dict[str, float]:
    """Return the finite weights of known features; ValueError for any other."""
    found = {name: finite(weight) for name, weight in data["weights"].items()}
    if not found.keys() <= set(features):
        raise ValueError("a weight is of no feature")
    return found


def finite(figure: Any) -> float:
    """Return a figure as a number; ValueError where it is none that is finite."""
    if not math.isfinite(number := float(figure)):
        raise ValueError("a figure is not finite")
    return number


def log_odds(weights: Mapping[str, float], intercept: float, values: Mapping[str, float]) -> float:
    """Return the log odds that features come to; each weight asks for its feature."""
    return intercept + sum(weight * values[name] for name, weight in weights.items())


def sigmoid(logit: float) -> float:
    """Return the probability of log odds."""
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, logit))))
