"""What one source says of a statement is the same whatever stands beside that source."""

from __future__ import annotations

import pytest

from groundrules import check
from tests.rows import each

LEAFLET = (
    "The swimming pool reopened in spring after the repair of its roof. Lockers take a coin of one "
    "euro. Children under eight swim with an adult."
)
MINUTES = "The choir met on Tuesday. The treasurer thanked the bakers for the cakes."
PAIRS = (
    ("The kiln may be used if a warden is present.", "The kiln may be used."),
    (
        "The kiln may be used if a warden is present.",
        "If a warden is present, the kiln may be used.",
    ),
    ("Dogs are not admitted to the reading room.", "Dogs are admitted to the reading room."),
    ("The harbour fee is 40 crowns a week.", "The harbour fee is 60 crowns a week."),
    ("The mill was sold to the council in 1998.", "The council bought the mill in 1998."),
    ("Every volunteer has signed the rules.", "Some volunteers have signed the rules."),
    ("The old bridge carries 12 tonnes.", "The old bridge carries 12 tonnes."),
    ("Ann Lee is the founder of Acme.", "Carl Day is the founder of Acme."),
    ("The gate is open in summer.", "The gate is open."),
    (
        "If the rent is more than two weeks late, a fee is due.",
        "If the rent is late, a fee is due.",
    ),
    ("| Unit | Staff |\n|---|---|\n| Port services | 1,250 |", "Port services have 1,280 staff."),
)


@pytest.mark.parametrize(("source", "statement"), PAIRS)
def test_a_source_beside_others_that_say_nothing_of_it_decides_as_it_does_alone(
    source: str, statement: str
) -> None:
    (alone,) = check(statement, context=source).statements
    for context in (
        [LEAFLET, source], [source, LEAFLET], [MINUTES, source, LEAFLET],
        f"{LEAFLET}\n\n{source}", f"{source}\n\n{LEAFLET}", f"{MINUTES}\n\n{source}\n\n{LEAFLET}",
    ):  # fmt: skip
        (beside,) = check(statement, context=context).statements
        assert beside.outcome is alone.outcome, context


@each("source clauses")
def test_each_clause_that_a_source_asserts_is_supported_by_it(
    source: str, clauses: list[str]
) -> None:
    for clause in clauses:
        (statement,) = check(clause, context=source).statements
        assert statement.outcome.value == "supported", clause
