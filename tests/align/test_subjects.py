"""A figure is said of one subject only where nobody else takes part."""

from __future__ import annotations

import pytest

from groundrules.align.figures import Figure
from groundrules.align.subjects import has_one_subject


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
