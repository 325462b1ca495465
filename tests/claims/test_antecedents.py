"""Pronouns stand for things before them, and a bare auxiliary for the clause before it."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import read_propositions
from groundrules.claims.antecedents import resolved
from groundrules.claims.slots import described


def readings(text: str, before: str = "") -> list[str]:
    """Return the readings of the last proposition of a text."""
    earlier = read_propositions(before) if before else ()
    *_, (_, last) = resolved(read_propositions(text), earlier)
    return [described(one) for one in last]


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        (
            "The potter sells vases. She fires them in the yard.",
            "fire(subj: the potter, obj: bare vase, in: the yard)",
        ),
        ("The twins bought a boat. They sold it.", "sell(subj: the twin, obj: the boat)"),
        ("The loom is old. Ana repaired it.", "repair(subj: name ana, obj: the loom)"),
    ],
)
def test_a_pronoun_stands_for_the_one_thing_that_fits(text: str, read_as: str) -> None:
    assert read_as in readings(text)


def test_a_pronoun_stands_for_a_thing_of_the_text_before() -> None:
    assert readings("It is old.", "The weaver repaired the loom.")[0] == "old(subj: the weaver)"
    assert "old(subj: the loom)" in readings("It is old.", "The weaver repaired the loom.")


def test_a_pronoun_keeps_each_thing_that_it_may_stand_for() -> None:
    assert readings("He resigned.", "The monk praised the bishop.") == [
        "resign(subj: the monk)",
        "resign(subj: the bishop)",
    ]


def test_two_pronouns_of_a_clause_stand_for_two_things() -> None:
    found = readings("She led it.", "The mayor founded the guild.")
    assert "lead(subj: the mayor, obj: the guild)" in found
    assert not [one for one in found if one.count("mayor") == 2 or one.count("guild") == 2]


def test_many_are_not_told_of_as_it() -> None:
    assert "burn(subj: bare vase)" not in readings("It burned.", "The potter sells vases.")
    assert "burn(subj: the potter)" in readings("It burned.", "The potter sells vases.")


def test_a_pronoun_without_anything_before_it_stays() -> None:
    assert readings("It rained.") == ["rain(subj: the it)"]


def test_a_proposition_without_a_pronoun_has_one_reading() -> None:
    assert readings("The monk praised the bishop.", "The nun sang.") == [
        "praise(subj: the monk, obj: the bishop)"
    ]


def test_a_proposition_none_of_whose_choices_fits_is_read_as_it_stands() -> None:
    made = list(resolved(read_propositions("It saw them."), read_propositions("Kell left.")))
    assert [len(readings) for _, readings in made] == [1]
