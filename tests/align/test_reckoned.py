"""What follows of amounts and times from those of a source."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import deduce
from groundrules.align.projection import Relation


def relation(source: str, statement: str) -> Relation:
    """Return how a source stands to a statement."""
    return deduce(statement, source, [(0, len(source))]).finding.relation


CHANGE = "In April the ticket price was raised from 6 to 9 crowns."
GROUP = "The band consists of three drummers, two singers and a pianist."
TRAIN = "The night train leaves Arlow at 21:30 and reaches Bexby at 23:45."
STRETCH = "From 1950 to 1968 the mill belonged to the abbey."


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        (CHANGE, "In April the ticket price was raised by 3 crowns."),
        (CHANGE, "The ticket price was 6 crowns."),
        (CHANGE, "Before the rise in April the ticket price was 6 crowns."),
        (CHANGE, "The ticket price is now 9 crowns."),
        ("The wage fell from 30 to 20 crowns.", "The wage fell by 10 crowns."),
        (GROUP, "The band has six members in all."),
        (GROUP, "The band consists of six people."),
        (TRAIN, "The night train takes two and a quarter hours from Arlow to Bexby."),
        ("The fair runs from 10:00 to 18:30.", "The fair lasts eight and a half hours."),
        (STRETCH, "In 1960 the mill belonged to the abbey."),
        ("The road has been closed since 12 March.", "The road was closed on 20 March."),
        ("Until 1987 the mill was empty.", "In 1980 the mill was empty."),
        ("The kiosk no longer sells stamps.", "The kiosk sold stamps."),
        ("The kiosk no longer sells stamps.", "The kiosk does not sell stamps."),
        (
            "Until 2003 the hall was a barn; since then it has belonged to a club.",
            "The hall has belonged to a club since 2003.",
        ),
        (
            "The gate, formerly in Elm Road, is now in Oak Road.",
            "The gate was formerly in Elm Road.",
        ),
    ],
)
def test_what_is_reckoned_from_a_source_is_supported(source: str, statement: str) -> None:
    assert relation(source, statement).supports


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        (CHANGE, "In April the ticket price was raised by 4 crowns."),
        (CHANGE, "In April the ticket price was lowered from 9 to 6 crowns."),
        (CHANGE, "The ticket price is now 6 crowns."),
        (GROUP, "The band has seven members in all."),
        (TRAIN, "The night train takes three hours from Arlow to Bexby."),
        (STRETCH, "In 1970 the mill belonged to the abbey."),
        ("Until 1987 the mill was empty.", "In 1995 the mill was empty."),
    ],
)
def test_another_amount_or_time_than_is_reckoned_is_refuted(source: str, statement: str) -> None:
    assert relation(source, statement).refutes


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("The band has three drummers and two singers.", "The band has five members in all."),
        ("The price may be raised from 6 to 9 crowns.", "The price is 9 crowns."),
        ("The price will rise from 6 to 9 crowns.", "The price is 9 crowns."),
        ("The price was not raised from 6 to 9 crowns.", "The price was raised by 3 crowns."),
        ("From 1950 to 1968 the firm built three mills.", "In 1960 the firm built three mills."),
        ("The mill was empty in 1980.", "The mill was empty in 1981."),
        (TRAIN, "The night train takes two and a quarter hours from Arlow to Dunby."),
        ("The kiosk does not sell stamps.", "The kiosk no longer sells stamps."),
        ("The fare was raised from 6 to 9 crowns for adults.", "The fare is 9 crowns."),
        ("Sales rose from 5 to 8 per cent.", "Sales rose by 3 per cent."),
        ("The menu consists of a soup, two mains and a cake.", "The menu has four people."),
        ("The kiosk does not sell stamps.", "The kiosk used to sell stamps."),
        (
            "The train leaves Arlow at 21:30. The bus reaches Bexby at 23:45.",
            "The train takes two and a quarter hours from Arlow to Bexby.",
        ),
    ],
)
def test_nothing_is_reckoned_from_plans_from_parts_of_a_group_or_of_two_things(
    source: str, statement: str
) -> None:
    assert relation(source, statement) in {Relation.OPEN, Relation.ENTAILED}
