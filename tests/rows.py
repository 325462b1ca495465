"""The rows that tests are run on: a line each in `rows.jsonl` of their folder, behind the name.

In a row ⟨ab×3⟩ stands for ababab.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from inspect import getfile
from pathlib import Path
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])


@cache
def read_rows(file: Path) -> tuple[list[Any], ...]:
    """Return the rows of a file: the name of a test, then what it is run on."""
    return tuple(
        _written_out(json.loads(line)) for line in file.read_text("utf-8").split("\n") if line
    )


def _written_out(value: Any) -> Any:
    if isinstance(value, str):
        return re.sub(r"(?s)⟨(.*?)×(\d+)⟩", lambda found: found[1] * int(found[2]), value)
    return [_written_out(one) for one in value] if isinstance(value, list) else value


def each(names: str) -> Callable[[Test], Test]:
    """Run a test on each row of its name, whose values are its arguments of these names."""

    def mark(test: Test) -> Test:
        rows = read_rows(Path(getfile(test)).with_name("rows.jsonl"))
        found = [row if " " in names else row[0] for name, *row in rows if name == test.__name__]
        assert found, f"rows.jsonl has none of {test.__name__}"
        return pytest.mark.parametrize(names.replace(" ", ","), found)(test)

    return mark
