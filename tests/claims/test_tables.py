"""Tables are read with the line before them, the units of their columns and the places of rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.units.tables import Column, tables
from tests.strategies import examples

TOWERS = (
    "The towers of the valley:\n\n"
    "| Tower | Height (m) | Door |\n"
    "|---|---|---|\n"
    "| Arvel | 61 | red |\n"
    "| Denby | 88 | blue |\n"
)


def test_a_table_has_the_line_before_it_as_its_title_and_units_apart_from_names() -> None:
    (table,) = tables(TOWERS)
    assert table.title == "The towers of the valley:"
    assert table.columns == (Column("Tower", ""), Column("Height", "m"), Column("Door", ""))
    assert table.cells(1) == ["61", "88"]


def test_a_row_stands_where_its_line_does() -> None:
    (table,) = tables(TOWERS)
    assert TOWERS[slice(*table.rows[0].place)] == "| Arvel | 61 | red |"


def test_two_tables_have_each_their_own_columns() -> None:
    two = "| A | B |\n|---|---|\n| x | 1 |\nBelow:\n| C | D |\n|---|---|\n| y | 2 |\n"
    assert [(t.columns[0].name, t.title) for t in tables(two)] == [("A", ""), ("C", "Below:")]


def test_a_row_of_another_length_is_left_out() -> None:
    (table,) = tables("| A | B |\n|---|---|\n| x |\n| y | 2 |\n")
    assert [row.cells for row in table.rows] == [("y", "2")]


@pytest.mark.parametrize("text", ["", "No table.", "| A | B |", "| A | B |\n|---|---|\n", "||\n|"])
def test_a_text_without_a_filled_table_has_none(text: str) -> None:
    assert not tables(text)


@given(st.text(alphabet="ab:-* |\n1.", max_size=60))
@examples(80)
def test_each_row_lies_in_the_text_and_has_a_cell_for_each_column(text: str) -> None:
    for table in tables(text):
        for row in table.rows:
            assert len(row.cells) == len(table.columns)
            assert text[slice(*row.place)].strip().startswith("|")
