"""A number that another took the place of holds no more; the one that took it does."""

from __future__ import annotations

import pytest

from groundrules.align.figures import Figure, account, index_figures
from groundrules.claims.blocks import cut

CHANGED = [
    ("The default port is now 8090 instead of 8080.", "The default port is 8080.", "8090"),
    ("The default port is now 8090 instead of 8080.", "The server uses port 8080 by default.",
     "8090"),
    ("Searches are cached for ten minutes (previously one hour).",
     "Searches are cached for one hour.", "ten minutes"),
    ("The committee raised the fee from £120 to £135 a year.", "The fee is £120 a year.", "£135"),
    ("The team was cut from nine to six people.", "The team has nine people.", "six"),
    ("The class was cut from 30 pupils to 24.", "The class has 30 pupils.", "24"),
    ("The list has shrunk from 19 to 14 names; they wait a year.", "The list has 19 names.", "14"),
]  # fmt: skip

STILL = [
    ("The team was cut from nine to six people.", "The team has six people."),
    ("The class was cut from 30 pupils to 24.", "The class has 24 pupils."),
    ("The default port is now 8090 instead of 8080.", "The default port used to be 8080."),
    ("The default port is now 8090 instead of 8080.", "Until now the default port was 8080."),
    ("The committee proposes to raise the fee from £120 to £135.", "The fee is £120."),
    ("From May the fee will be £135 instead of £120.", "The fee is £120."),
    ("Fares rose from £5 to £8 at weekends.", "Fares are £5 on weekdays."),
    ("Prices increase from £2 to £3 at night.", "The price is £2 by day."),
    ("Children pay £4 for a ticket instead of £8.", "Adults pay £8 for a ticket."),
    ("Rents rose from £900 in 2020 to £1,200 in 2023.", "In 2020 the rent was £900."),
    ("The hall opens from 9 a.m. to 5 p.m.", "The hall opens at 9 a.m."),
]  # fmt: skip


def figure(source: str, statement: str) -> Figure:
    index = index_figures([source], [list(cut(source))])
    return account(statement, index)[-1]


@pytest.mark.parametrize(("source", "statement", "rather"), CHANGED)
def test_a_number_that_was_replaced_conflicts_with_the_one_that_replaced_it(
    source: str, statement: str, rather: str
) -> None:
    found = figure(source, statement)
    assert (found.account, found.rather) == ("conflict", rather)


@pytest.mark.parametrize(("source", "statement"), STILL)
def test_a_number_that_holds_or_held_is_no_conflict(source: str, statement: str) -> None:
    assert figure(source, statement).account != "conflict"
