"""A cell of a table decides of a statement that names its row and column, and nothing besides."""

from __future__ import annotations

import pytest

from groundrules.align.cells import by_cell, cells_of
from groundrules.align.parses import parse
from groundrules.align.projection import Relation

TOWERS = (
    "The towers of the valley:\n\n"
    "| Tower | Height (m) | Price (euros) | Door |\n"
    "|---|---|---|---|\n"
    "| Arvel | 61 | 4 | red |\n"
    "| Denby | 88 | 7 | blue |\n"
    "| Denby East | 35 | 5 | green |\n"
)
BUDGET = "| Town | Revenue (million euros) |\n|:--|--:|\n| Ostrand | 3.2 |\n| Port Kell | 1,450 |\n"


def test_a_cell_has_the_names_of_its_row_and_column_and_its_unit() -> None:
    cell = next(cells_of(TOWERS))
    assert (cell.row, cell.column, cell.unit, cell.value, cell.head) == (
        "Arvel", "Height", "m", "61", "Tower",
    )  # fmt: skip
    assert TOWERS[slice(*cell.place)] == "| Arvel | 61 | 4 | red |"


def test_each_row_below_the_first_gives_a_cell_for_each_column_but_its_name() -> None:
    assert len(list(cells_of(TOWERS))) == 9
    assert len(list(cells_of(BUDGET))) == 2
    assert [cell.row for cell in cells_of(BUDGET)] == ["Ostrand", "Port Kell"]


def test_two_tables_have_each_their_own_columns() -> None:
    two = "| A | B |\n|---|---|\n| x | 1 |\nBelow:\n| C | D |\n|---|---|\n| y | 2 |\n"
    assert [(cell.row, cell.column, cell.head) for cell in cells_of(two)] == [
        ("x", "B", "A"), ("y", "D", "C"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "No table.", "| A | B |", "| A | B |\n|---|---|\n", "||\n|"])
def test_a_text_without_a_filled_table_has_no_cells(text: str) -> None:
    assert not list(cells_of(text))


@pytest.mark.parametrize(
    ("table", "statement", "row", "column"),
    [
        (TOWERS, "The height of the Arvel tower is 61 m.", "Arvel", "Height"),
        (TOWERS, "The Denby tower has a height of 88.", "Denby", "Height"),
        (TOWERS, "The price of Arvel is 4 euros.", "Arvel", "Price"),
        (TOWERS, "The price of Denby East is 5 euros.", "Denby East", "Price"),
        (BUDGET, "The revenue of Ostrand is 3.2 million euros.", "Ostrand", "Revenue"),
        (BUDGET, "Port Kell's revenue is 1,450 million euros.", "Port Kell", "Revenue"),
    ],
)
def test_a_cell_says_what_its_row_its_column_and_its_value_say(
    table: str, statement: str, row: str, column: str
) -> None:
    relation, cell = by_cell(table, parse(statement))
    assert relation is Relation.SAME
    assert cell is not None
    assert (cell.row, cell.column) == (row, column)


@pytest.mark.parametrize(
    ("table", "statement"),
    [
        (TOWERS, "The height of the Arvel tower is 88 m."),
        (TOWERS, "The price of Denby is 4 euros."),
        (TOWERS, "The price of Denby East is 7 euros."),
        (BUDGET, "The revenue of Ostrand is 1,450 million euros."),
    ],
)
def test_a_cell_excludes_the_value_of_another(table: str, statement: str) -> None:
    assert by_cell(table, parse(statement))[0] is Relation.EXCLUDES


@pytest.mark.parametrize(
    "statement",
    [
        "The height of the Arvel tower is not 61 m.",
        "The height of the Arvel tower and the Denby tower is 61 m.",
        "The height of the Tarn tower is 61 m.",
        "The weight of the Arvel tower is 61.",
        "The height of the Arvel tower was 61 m until the storm.",
        "The height of the Arvel tower is 61 m and its price is 4 euros.",
        "The Arvel tower is tall.",
        "The architect of the Arvel tower gave its height as 61 m.",
    ],
)
def test_what_says_more_or_names_no_one_row_and_column_is_left_open(statement: str) -> None:
    assert by_cell(TOWERS, parse(statement)) == (Relation.OPEN, None)


def test_a_cell_of_words_decides_of_no_number() -> None:
    statement = "The door of the Arvel tower costs 4."
    assert by_cell(TOWERS, parse(statement)) == (Relation.OPEN, None)


@pytest.mark.parametrize(
    "statement",
    [
        "The revenue of Ostrand is 3.2 thousand euros.",
        "The revenue of Ostrand is 3.2 euros.",
        pytest.param(
            "The revenue of Ostrand is 3.2 million pounds.",
        ),
    ],
)
def test_a_value_of_another_scale_or_unit_is_not_the_same(statement: str) -> None:
    assert by_cell(BUDGET, parse(statement))[0] is not Relation.SAME


@pytest.mark.parametrize(
    "statement",
    [
        "The height of the Arvel tower is at most 70 m.",
        "The height of the Arvel tower is more than 61 m.",
    ],
)
def test_a_bound_is_not_held_for_a_value(statement: str) -> None:
    relation = by_cell(TOWERS, parse(statement))[0]
    assert relation is (Relation.OPEN if "most" in statement else relation)
    assert relation is not Relation.SAME
