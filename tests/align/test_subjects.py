"""A figure is said of one subject only where nobody else takes part."""

from __future__ import annotations

import pytest

from groundrules.align.accounts import Figure
from groundrules.align.subjects import has_one_subject, is_told_as_so


@pytest.mark.parametrize(
    ("statement", "figure", "told"),
    [
        ("The Gannet carries 14 cars.", "14", True),
        ("The score on Case 3 is 0.84.", "0.84", True),
        ("The AUC on Case QA is 0.84.", "0.84", True),
        ("The Gannet was replaced in 2019.", "2019", False),
        ("The Gannet replaced the Tern in 2019.", "2019", False),
        ("The fee was paid by 14 members.", "14", False),
    ],
)
def test_a_figure_is_said_of_one_subject_only_where_nobody_else_takes_part(
    statement: str, figure: str, told: bool
) -> None:
    start = statement.index(figure)
    found = Figure(start, start + len(figure), figure, "NUMBER", "stated")
    assert has_one_subject(statement, [found]) is told


@pytest.mark.parametrize(
    ("source", "statement", "told"),
    [
        ("The fee of the club is 4 euros.", "The fee is 4 euros.", True),
        ("The club charges its guests a fee of 4 euros.", "The fee is 4 euros.", True),
        ("The fee of the club may reach 4 euros.", "The fee is 4 euros.", False),
        ("The fee of the club may reach 4 euros.", "The fee may be 4 euros.", True),
        ("The club never asked for 4 euros.", "The fee is 4 euros.", False),
        ("The club proposed a fee of 4 euros.", "The fee is 4 euros.", False),
        ("The club rejected a fee of 4 euros.", "The fee is 4 euros.", False),
        ("The fee is said to be 4 euros.", "The fee is 4 euros.", False),
        ("The fee is 6 euros rather than 4 euros.", "The fee is 4 euros.", False),
        ("The fee rose from 4 euros to 6 euros.", "The fee is 4 euros.", False),
        ("The fee rose by 4 euros to 6 euros.", "The fee is 4 euros.", False),
        ("The fee rose by 4 euros to 6 euros.", "The fee rose by 4 euros.", True),
    ],
)
def test_a_figure_is_told_as_so_where_nothing_leaves_open_or_takes_away_what_it_says(
    source: str, statement: str, told: bool
) -> None:
    start = source.index("4 euros")
    assert is_told_as_so(source, start, start + len("4 euros"), statement) is told
