"""Pronouns stand for things before them, and a bare auxiliary for the clause before it."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import read_propositions
from groundrules.claims.antecedents import completed, resolved
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


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("The choir sang and so did the band.", "sing(subj: the band)"),
        ("Bruno danced. Ana did too.", "dance(subj: name ana)"),
        ("The choir sang. The band did not.", "not sing(subj: the band)"),
        (
            "Guests must sign the book. Members need not.",
            "not must sign(subj: bare member, obj: the book)",
        ),
        (
            "The baker bakes bread, and the monk does too.",
            "bake(subj: the monk, obj: bare bread)",
        ),
    ],
)
def test_a_bare_auxiliary_says_again_what_was_said_before(text: str, read_as: str) -> None:
    assert readings(text) == [read_as]


@pytest.mark.parametrize(
    "text", ["Bruno danced. Ana is tall.", "Bruno danced. Ana has a harp.", "Ana did the work."]
)
def test_an_auxiliary_with_words_of_its_own_is_not_completed(text: str) -> None:
    *_, last = read_propositions(text)
    assert readings(text) == [described(last)]


def test_what_is_completed_keeps_its_own_polarity_and_place() -> None:
    before, after = read_propositions("The choir sang. The band did not.")
    made = completed(after, before)
    assert (made.head, made.denied, made.place) == ("sing", True, after.place)
    assert completed(before, after) == before


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        pytest.param(
            "The miller has a red van. The baker has a blue one.",
            "have(subj: the baker, obj: a van(mod: blue))",
        ),
    ],
)
def test_one_stands_for_a_noun_alone(text: str, read_as: str) -> None:
    assert read_as in readings(text)


def test_a_proposition_none_of_whose_choices_fits_is_read_as_it_stands() -> None:
    made = list(resolved(read_propositions("It saw them."), read_propositions("Kell left.")))
    assert [len(readings) for _, readings in made] == [1]
