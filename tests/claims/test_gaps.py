"""A clause that leaves out its verb is written out by the one that it stands beside."""

from __future__ import annotations

import pytest

from groundrules.align.parses import parse
from groundrules.claims.gaps import rewritten


def written(text: str) -> str:
    return rewritten(parse(text))


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (
            "In spring the east wall was painted with lime, the west wall with tar.",
            "In spring the east wall was painted with lime. "
            "In spring the west wall was painted with tar.",
        ),
        (
            "The Kell depot stores grain; the Marl depot, coal; and the depot in Ost, both.",
            "The Kell depot stores grain. The Marl depot stores coal. "
            "The depot in Ost stores grain. The depot in Ost stores coal.",
        ),
        (
            "Pour the oil into the green can and the petrol into the red one.",
            "Pour the oil into the green can. Pour the petrol into the red one.",
        ),
        (
            "Bread costs 2 crowns, milk 3 crowns and cheese 9 crowns.",
            "Bread costs 2 crowns. Milk costs 3 crowns. Cheese costs 9 crowns.",
        ),
        (
            "The ferry leaves at 7 on weekdays and at 9 on Sundays.",
            "The ferry leaves at 7 on weekdays. The ferry leaves at 9 on Sundays.",
        ),
    ],
)
def test_a_clause_without_a_verb_takes_that_of_the_clause_beside_it(
    text: str, clauses: str
) -> None:
    assert written(text) == clauses


@pytest.mark.parametrize(
    "text",
    [
        "He bought apples, pears and the old house in Rome.",
        "We saw Ann the baker and Ben the cook.",
        "The king gave the duke a horse and the bishop a ring.",
        "She is head of the clinic and, since June, deputy director of the hospital.",
        "Visitors may use the lift, the stairs, and the ramp at the back.",
        "The hall has nine rows and a stage; the annex, next door, has two rows.",
    ],
)
def test_a_list_and_a_clause_with_a_verb_stay_as_they_are(text: str) -> None:
    assert not written(text)
