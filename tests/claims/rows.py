"""The rows that tests of claims are run with, from rows.json, by module and test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def rows(name: str) -> list[Any]:
    """Return the rows of a test; what is a list in the file is a tuple."""
    return [_tuples(row) for row in _ROWS[name]]


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
