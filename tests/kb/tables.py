"""The tables of the tests of this room: rows by the law that a test holds them to."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

TABLES: dict[str, list[Any]] = defaultdict(list)
for line in (Path(__file__).parent / "data" / "tables.jsonl").read_text("utf-8").splitlines():
    read = json.loads(line)
    TABLES[read["law"]].append(read["row"])


def built(law: str, *makers: Callable[..., Any]) -> list[Any]:
    """Return the rows of a law, in which {"name": [arguments]} is what that one of makers makes."""
    known = {one.__name__: one for one in makers}

    def made(told: Any) -> Any:
        if isinstance(told, list):
            return tuple(map(made, told))
        if isinstance(told, dict):
            name, *_ = told
            more = {key: made(value) for key, value in told.get("more", {}).items()}
            return known[name](*map(made, told[name]), **more)
        return told

    return [made(row) for row in TABLES[law]]
