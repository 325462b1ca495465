"""The Python of docs/how-to/integrations.md runs, and prints what it says."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from groundrules.config import read

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "integrations.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_an_example_prints_what_it_says(block: str) -> None:
    names: dict[str, Any] = {"__name__": "example"}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(block, "docs/how-to/integrations.md", "exec"), names)

    assert said.getvalue().splitlines() == re.findall(r"^print\(.*\)  # (.*)$", block, re.MULTILINE)


def test_every_part_has_its_example() -> None:
    folder = Path(__file__).parents[2] / "groundrules" / "integrations"

    told = {name for block in BLOCKS for name in re.findall(r"for_\w+", block)}
    assert told == {path.stem for path in folder.glob("for_*.py")}


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_an_example_is_at_most_some_ten_lines(block: str) -> None:
    assert len([line for line in block.splitlines() if line.strip()]) <= 12


@pytest.mark.parametrize(
    ("language", "load"), [("yaml", yaml.safe_load), ("json", json.loads), ("toml", tomllib.loads)]
)
def test_settings_files_are_ones(language: str, load: Callable[[str], Any]) -> None:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)

    assert blocks
    assert all(isinstance(load(block), dict) for block in blocks)


def test_the_table_is_one_that_a_config_file_may_have(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    (tmp_path / "groundrules.toml").write_text(block)

    assert read(tmp_path / "groundrules.toml").context["answers/*.md"] == ("leases/*.txt",)
