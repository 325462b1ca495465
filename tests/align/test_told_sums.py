"""Figures of which a language model names the sum: the laws and their cases stand beside it."""

import json
from pathlib import Path

import pytest

from groundrules.align.figures import account
from groundrules.align.places import index_figures
from groundrules.align.told_sums import NAMED, reckon
from tests.rows import each

_LINES = Path(__file__).with_name("told_sums.jsonl").read_text("utf-8").splitlines()
ROWS = [json.loads(line) for line in _LINES]
SOURCES = {row["source"]: row["text"] for row in ROWS if "text" in row}


def how(statement: str, said: str, quoted: str = "", source: str = SOURCES["LEDGER"]) -> list[str]:
    """Return the sums of the figures of a statement that stand in no source, "" where none does."""
    index = index_figures([source])
    figures = account(statement, index)
    found = reckon(statement, figures, said, quoted, index)
    pairs = zip(figures, found, strict=True)
    return [now.how for before, now in pairs if before.account == "absent"]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if "law" in row], ids=lambda row: f"{row['law']}: {row['said']}"
)
def test_a_figure_comes_of_a_sum_that_is_named_and_of_no_other(row: dict) -> None:
    source = SOURCES[row["source"]]
    assert how(row["statement"], row["said"], row.get("quoted", ""), source) == row["sums"]


@each("said")
def test_figures_of_a_statement_that_no_source_gives_bear_out_no_other(said: str) -> None:
    statement = "The red cow weighs 200 kg, the blue one 128 kg."
    assert how(statement, said, "", SOURCES["HUT"]) == ["", ""]


def test_a_unit_in_the_corner_of_a_table_is_that_of_its_numbers() -> None:
    assert how("Travel cost £850 more.", "", "", SOURCES["TOUR"]) == []
    assert how("Travel cost €850 more.", "", "", SOURCES["TOUR"]) == [""]


def test_a_long_sum_over_a_long_table_is_made_at_once() -> None:
    table = "| A |\n|---|\n" + "| 7 |\n" * 3000
    said = "; ".join(["(7+7+7+7+8)*(7+7+7+7+8)*(7+7+7+7+8)*(7+7+7+7+8)=36; 7+7+7+7=29"] * 4)
    assert how("It weighs 12,345 kg.", said, "", table) == [""]


def test_numbers_that_are_quoted_are_named_too() -> None:
    assert how("It ran for nearly four weeks.", "That is 27 days, nearly four weeks.") == [""]
    quoted = "left on 6 February 2024, the last on 4 March 2024"
    (found,) = how("It ran for nearly four weeks.", "That is 27 days, nearly four weeks.", quoted)
    assert "6 February 2024" in found


def test_of_many_numbers_that_are_named_none_counts() -> None:
    source = "They cost " + ", ".join(f"{n} euros" for n in range(211, 211 + 7 * (NAMED + 1), 7))
    said = " and ".join(str(n) for n in range(211, 211 + 7 * (NAMED + 1), 7))
    assert how("It needs 429 euros.", f"211 and 218 are 429 of {said}", "", source) == [""]
    assert how("It needs 429 euros.", "211 and 218 are 429", "", source) != [""]
