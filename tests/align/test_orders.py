"""What a comparison of a source says of one in a statement, and what two say together."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import deduce, read_propositions
from groundrules.align.orders import ordered
from groundrules.align.projection import Relation
from groundrules.claims.slots import described


def relation(source: str, statement: str) -> Relation:
    """Return how a source stands to a statement."""
    return deduce(statement, source, [(0, len(source))]).finding.relation


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("The oak is taller than the elm.", "The elm is shorter than the oak."),
        ("The oak is not as tall as the elm.", "The elm is taller than the oak."),
        ("The oak is not taller than the elm.", "The elm is at least as tall as the oak."),
        ("The oak is no taller than the elm.", "The oak is at most as tall as the elm."),
        ("The oak is just as tall as the elm.", "The elm is exactly as tall as the oak."),
        ("The oak is twice as tall as the elm.", "The elm is half as tall as the oak."),
        ("The oak is three times as tall as the elm.", "The oak is taller than the elm."),
        ("The oak is two metres taller than the elm.", "The elm is shorter than the oak."),
        (
            "The oak is taller than the elm by two metres.",
            "The oak is two metres taller than the elm.",
        ),
        ("The oak is older than the elm but less tall.", "The elm is taller than the oak."),
        (
            "The van carries more crates than the cart.",
            "The cart carries fewer crates than the van.",
        ),
        (
            "The van carries as many crates as the cart.",
            "The cart carries at most as many crates as the van.",
        ),
        ("Ida sings louder than Olaf.", "Olaf sings less loud than Ida."),
        ("Ida earns more than Olaf did.", "Olaf earns less than Ida."),
        ("The flute weighs less than the harp.", "The harp is heavier than the flute."),
        (
            "The bus is more crowded in winter than in summer.",
            "The bus is less crowded in summer than in winter.",
        ),
        ("The new kiln is hotter than the old one.", "The old kiln is cooler than the new one."),
    ],
)
def test_a_comparison_says_the_same_from_its_other_side(source: str, statement: str) -> None:
    assert relation(source, statement).supports


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("The oak is taller than the elm.", "The elm is taller than the oak."),
        ("The oak is taller than the elm.", "The elm is as tall as the oak."),
        ("The oak is just as tall as the elm.", "The oak is taller than the elm."),
        ("The oak is twice as tall as the elm.", "The oak is three times as tall as the elm."),
        (
            "The oak is two metres taller than the elm.",
            "The oak is three metres taller than the elm.",
        ),
        ("The oak is taller than the elm.", "The elm is the taller of the two."),
        (
            "The van carries twice as many crates as the cart.",
            "The cart carries more crates than the van.",
        ),
        ("The oak is the tallest of the five trees.", "The oak is the shortest of the five trees."),
        ("No other tree is as tall as the oak.", "One tree is taller than the oak."),
    ],
)
def test_a_comparison_excludes_what_is_told_the_other_way(source: str, statement: str) -> None:
    assert relation(source, statement).refutes


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("The oak is taller than the elm.", "The oak is tall."),
        ("The oak is tall.", "The oak is taller than the elm."),
        ("The oak is taller than the elm.", "The oak is taller than the ash."),
        ("The oak is taller than the elm.", "The oak is twice as tall as the elm."),
        ("The oak is as tall as the elm.", "The elm is as tall as the oak."),
        ("The oak is taller than the elm.", "The oak is older than the elm."),
        ("The oak is a little taller than the elm.", "The oak is much taller than the elm."),
        ("The oak is the tallest of the five trees.", "The oak is tall."),
        ("The van carries more crates than the cart.", "The van carries more sacks than the cart."),
        ("Ida sings louder than Olaf.", "Ida sings loud."),
        ("Ida ran fastest on Monday.", "Ida ran fastest."),
        ("Ida is older than Olaf. Olaf was older than Kai.", "Ida is older than Kai."),
        ("The oak was taller than the elm.", "The oak is taller than the elm."),
        (
            "The oak is taller than the elm. The oak is taller than the ash.",
            "The elm is taller than the ash.",
        ),
        ("The oak is taller than the elm. The oak is tall.", "The elm is tall."),
        (
            "The oak is taller than the elm. The oak is taller than the ash. The fir is taller "
            "than the oak.",
            "The oak is the tallest of the three.",
        ),
    ],
)
def test_a_comparison_says_nothing_of_another_thing_measure_or_time(
    source: str, statement: str
) -> None:
    assert relation(source, statement) in {Relation.OPEN, Relation.ENTAILED}


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        (
            "The oak is taller than the elm. The elm is taller than the ash.",
            "The oak is taller than the ash.",
        ),
        (
            "The oak is taller than the elm. The elm is taller than the ash.",
            "The ash is shorter than the oak.",
        ),
        (
            "The oak is taller than the elm. The ash is shorter than the elm.",
            "The oak is the tallest of the three.",
        ),
        (
            "The oak is taller than the elm and shorter than the ash.",
            "The elm is the shortest of the three.",
        ),
        (
            "The second wall is longer than the first and shorter than the third.",
            "The third wall is longer than the first.",
        ),
        ("The oak is taller than the elm. The elm is tall.", "The oak is tall."),
    ],
)
def test_two_comparisons_are_joined_by_the_side_they_share(source: str, statement: str) -> None:
    assert relation(source, statement).supports


def test_nothing_follows_from_two_comparisons_with_the_same_greater_side() -> None:
    told = read_propositions("The oak is taller than the elm. The oak is taller than the ash.")
    said = {described(one) for one in ordered(told)}
    assert not any("subj: the elm" in one and "than: the ash" in one for one in said)
