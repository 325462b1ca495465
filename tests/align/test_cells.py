"""The rows of a table decide of a statement of which they explain every word, and of no other."""

from __future__ import annotations

import pytest

from groundrules.align.cells import by_cells
from groundrules.align.words.meanings import Relation
from groundrules.align.words.parses import parse
from tests.rows import each

TOWERS = (
    "The towers of the valley:\n\n"
    "| Tower | Height (m) | Price (euros) | Door | Open on Sundays |\n"
    "|---|---|---|---|---|\n"
    "| Arvel | 61 | 4 | red | yes |\n"
    "| Denby | 88 | 7 | blue | no |\n"
    "| Denby East | 35 | 5 | green | yes |\n"
)
BUDGET = "| Town | Revenue (million euros) |\n|:--|--:|\n| Ostrand | 3.2 |\n| Port Kell | 1,450 |\n"
FERRIES = (
    "Ferries from Monday to Friday\n\n"
    "| Line | First ferry | Last ferry | Duration (min) | Fare in 2021 | Fare in 2022 |\n"
    "|---|---|---|---|---|---|\n"
    "| 4 | 6:10 | 21:30 | 40 | €3.50 | €3.50 |\n"
    "| 9 | 5:55 | 22:15 | 55 | €4.00 | €4.40 |\n"
)
HIRE = "| Boat | Hire (€ per day) | Waiting time (weeks) |\n|---|---|---|\n| Tern | 90 | 2 |\n"


def told(table: str, statement: str) -> Relation:
    """Return what a table says of a statement."""
    return by_cells(table, parse(statement))[0]


@pytest.mark.parametrize(
    ("table", "statement"),
    [
        (TOWERS, "The height of the Arvel tower is 61 m."),
        (TOWERS, "The Denby tower has a height of 88."),
        (TOWERS, "The price of Arvel is 4 euros."),
        (TOWERS, "The Denby East tower costs 5 euros."),
        (TOWERS, "The door of the Arvel tower is red."),
        (TOWERS, "The height of the Arvel tower is at most 70 m."),
        (TOWERS, "The height of the Arvel tower is not 88 m."),
        (TOWERS, "The Arvel tower has a red door and costs 4 euros."),
        (BUDGET, "The revenue of Ostrand is 3.2 million euros."),
        (BUDGET, "Port Kell's revenue is 1,450 million euros."),
        (FERRIES, "From Monday to Friday the last ferry on line 9 is at 22:15."),
        (HIRE, "The Tern costs 90 euros a day."),
        (HIRE, "The Tern costs 90 euros a day to hire."),
    ],
)
def test_a_row_says_what_its_name_its_columns_and_their_values_say(
    table: str, statement: str
) -> None:
    assert told(table, statement).supports


@pytest.mark.parametrize(
    ("table", "statement"),
    [
        (TOWERS, "The height of the Arvel tower is 88 m."),
        (TOWERS, "The price of Denby is 4 euros."),
        (TOWERS, "The price of Denby East is 7 euros."),
        (TOWERS, "The door of the Denby tower is red."),
        (TOWERS, "The height of the Arvel tower is not 61 m."),
        (TOWERS, "The height of the Arvel tower is at least 70 m."),
        (TOWERS, "The Arvel tower has a red door and costs 7 euros."),
        (BUDGET, "The revenue of Ostrand is 1,450 million euros."),
        (FERRIES, "The first ferry on line 4 is at 5:55."),
    ],
)
def test_a_value_of_another_row_is_excluded(table: str, statement: str) -> None:
    assert told(table, statement).refutes


@each("statement")
def test_what_says_more_or_names_no_one_row_and_column_is_left_open(statement: str) -> None:
    assert by_cells(TOWERS, parse(statement)) == (Relation.OPEN, None)


@pytest.mark.parametrize(
    ("table", "statement"),
    [
        (BUDGET, "The revenue of Ostrand is 3.2 thousand euros."),
        (BUDGET, "The revenue of Ostrand is 3.2 euros."),
        (BUDGET, "The revenue of Ostrand is 3.2 million pounds."),
        (HIRE, "The Tern costs 90 euros a week."),
        (HIRE, "Hiring the Tern takes two weeks."),
        (HIRE, "The waiting time for the Tern is two days."),
    ],
)
def test_a_value_of_another_scale_unit_or_measure_is_not_the_same(
    table: str, statement: str
) -> None:
    assert not told(table, statement).supports


def test_a_cell_that_names_several_things_excludes_none_of_them() -> None:
    flags = "| Hut | Flag |\n|---|---|\n| Alder | red and blue |\n| Birch | red |\n"
    assert told(flags, "The flag of the Alder hut is red.") is Relation.OPEN


def test_a_statement_is_placed_in_its_row() -> None:
    place = by_cells(TOWERS, parse("The price of Arvel is 4 euros."))[1] or (0, 0)
    assert TOWERS[slice(*place)].startswith("| Arvel")
