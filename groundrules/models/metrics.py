"""scikit-learn, of the extra `[sklearn]`, or one line that says how to install it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from groundrules.errors import ConfigError


def scikit_learn(module: str) -> Any:
    """Return a module of scikit-learn; ConfigError where it is not installed."""
    try:
        return import_module(f"sklearn.{module}")
    except ImportError:
        raise ConfigError(
            "scikit-learn is not installed; run: pip install 'groundrules[sklearn]'"
        ) from None
