"""The tables of the tests of this room: rows by the law that a test holds them to."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

TABLES: dict[str, list[Any]] = defaultdict(list)
for line in (Path(__file__).parent / "data" / "tables.jsonl").read_text("utf-8").splitlines():
    read = json.loads(line)
    TABLES[read["law"]].append(read["row"])
