"""docs/reference/glossary.md names what is there, and python.md all that is public."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

import groundrules
from groundrules import pipeline
from groundrules.terms import Modality, Outcome

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| word |", "|---"))
]


def test_every_word_has_a_meaning_and_a_module_that_is_there() -> None:
    assert len({word for word, *_ in ROWS}) == len(ROWS) > 50
    for word, meaning, module in ROWS:
        assert meaning.endswith("."), word
        assert (ROOT / "groundrules" / module.strip("`")).is_file(), word


@pytest.mark.parametrize("module", [groundrules, pipeline])
def test_the_page_on_python_has_every_public_name_and_no_other(module: ModuleType) -> None:
    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    section = page.partition(f"## {module.__name__}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]

    assert sorted(named) == sorted(module.__all__)


def test_every_outcome_and_modality_is_in_it() -> None:
    words = {re.sub(r" \(.*\)", "", word) for word, *_ in ROWS}

    assert {str(outcome).replace("_", " ") for outcome in Outcome} <= words
    modality = next(meaning for word, meaning, _ in ROWS if word == "modality")
    assert all(str(one) in modality for one in Modality)
