"""A row that no test is run on is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rows import read_rows

FILES = sorted(Path(__file__).parent.rglob("rows.jsonl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_each_row_has_the_name_of_a_test_of_its_folder(file: Path) -> None:
    code = "\n".join(path.read_text("utf-8") for path in file.parent.glob("test_*.py"))
    assert {name for name, *_ in read_rows(file)} <= set(re.findall(r"\btest_\w+", code))
