"""Two words stand in one relation, and events told in other words are compared as one."""

from __future__ import annotations

import pytest

from groundrules.align.meanings import Part, are_rivals, related
from groundrules.align.projection import Relation
from tests.align.test_deductions import found


@pytest.mark.parametrize(
    ("one", "other", "part", "expected"),
    [
        ("buy", "purchase", "event", Relation.SAME),
        ("remain", "stay", "event", Relation.SAME),
        ("murder", "kill", "event", Relation.ENTAILS),
        ("kill", "murder", "event", Relation.ENTAILED),
        ("poodle", "dog", "thing", Relation.ENTAILS),
        ("poodle", "animal", "thing", Relation.ENTAILS),
        ("dog", "poodle", "thing", Relation.ENTAILED),
        ("dog", "cat", "thing", Relation.OPEN),
        ("open", "closed", "property", Relation.DENIES),
        ("tall", "low", "property", Relation.EXCLUDES),
        ("poodle", "dog", "", Relation.OPEN),
        ("study", "examine", "event", Relation.OPEN),
        ("inspector", "inspection", "thing", Relation.OPEN),
        ("management", "manager", "thing", Relation.OPEN),
        ("operator", "operate", "", Relation.OPEN),
        ("retire", "resign", "event", Relation.OPEN),
    ],
)
def test_two_words_stand_in_one_relation(
    one: str, other: str, part: Part, expected: Relation
) -> None:
    assert related(one, other, part) is expected


def test_words_of_one_closed_list_are_rivals() -> None:
    assert are_rivals("june", "july")
    assert not are_rivals("june", "june")
    assert not are_rivals("june", "monday")


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        # words that say the same
        ("The cooperative purchased a press in May.", "The cooperative bought a press in May."),
        ("The gate must remain shut at night.", "The gate must stay closed at night."),
        ("The guard notified the mayor.", "The mayor was informed by the guard."),
        ("The train departs at noon.", "The train leaves at noon."),
        ("The lawyer met the tutor in June.", "The attorney met the tutor in June."),
        # kinds
        ("The vet treated a poodle.", "The vet treated a dog."),
        ("All dogs must be kept on a lead.", "All poodles must be kept on a lead."),
        ("No vehicle may enter the yard.", "No lorry may enter the yard."),
        ("The usurper murdered the king.", "The usurper killed the king."),
    ],
)
def test_what_is_told_in_other_words_is_deduced(source: str, statement: str) -> None:
    assert found(source, statement).finding.relation.supports


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("The vet treated a dog.", "The vet treated a poodle."),
        ("The vet treated the poodle. The terrier slept.", "The vet treated the dog."),
        ("All poodles must be kept on a lead.", "All dogs must be kept on a lead."),
        ("The usurper killed the king.", "The usurper murdered the king."),
        ("The usurper did not murder the king.", "The usurper did not kill the king."),
        ("The clinic rents the rooms from the city.", "The clinic lets the rooms to the city."),
        ("Ida Falk is a former owner of the kiln.", "Ida Falk owns the kiln."),
        ("Ida Falk worked for two years.", "Two years employed Ida Falk."),
        ("The overture precedes the ballet.", "The overture follows the ballet."),
        ("Otto Lind is a landlord of Ida Falk.", "Ida Falk is the landlord of Otto Lind."),
        ("The guild carried out no survey of the weir.", "The guild surveyed the weir."),
        ("The repair of the weir by the guild will take place.", "The guild repaired the weir."),
        (
            "The approval of the plan by the board was expected in May.",
            "The board approved the plan.",
        ),
        ("The guide led the group to the castle.", "The guide caused the castle."),
        ("The forge employs three clerks.", "The forge employs three people."),
        ("Guests who pay in cash receive a discount.", "Guests receive a discount."),
        ("Otto Lind is the former manager of the depot.", "Otto Lind manages the depot."),
        ("Otto Lind is the deputy manager of the depot.", "Otto Lind manages the depot."),
        ("The sale of the mill to Ida Falk fell through.", "The mill was sold to Ida Falk."),
        ("Ida Falk replaced the oven with a kiln.", "Ida Falk replaced the kiln."),
        ("A kiln replaced the oven.", "Ida Falk replaced the oven with a kiln."),
        ("Ida Falk is the employer of Otto Lind.", "Otto Lind is the employer of Ida Falk."),
        ("The inspection was late.", "The inspector was late."),
        ("The cook broke the plate.", "The cook broke."),
        ("The clerk received a warning.", "The clerk warned the mayor."),
        ("The clerk received approval of the plan.", "The clerk was approved."),
        ("Otto Lind works hard.", "Otto Lind hardly works."),
        ("If a spaniel enters, the alarm rings.", "If a dog enters, the alarm rings."),
        ("The council voted on the sale of the mill.", "The mill was sold."),
        ("The law banned the sale of the mill.", "The mill was sold."),
        ("The soup contains celery.", "The soup consists of celery."),
        ("The lorry and the van were sold.", "The vehicle was sold."),
        ("The tower is not tall.", "The tower is low."),
        ("The rise of the fee caused the protest.", "The protest caused the rise of the fee."),
    ],
)
def test_what_other_words_do_not_say_is_not_deduced(source: str, statement: str) -> None:
    assert not found(source, statement).finding.relation.supports


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("The lantern is red.", "The lantern is blue."),
        ("The shed is locked.", "The shed is unlocked."),
        ("The cooperative purchased no press.", "The cooperative bought a press."),
    ],
)
def test_what_other_words_deny_is_refuted(source: str, statement: str) -> None:
    assert found(source, statement).finding.relation.refutes


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("Ida Falk beat Otto Lind in May.", "Otto Lind beat Ida Falk in May."),
        (
            "The museum sold the harp to the opera in 1990.",
            "The opera sold the harp to the museum in 2001.",
        ),
        ("The bank lent money to the city.", "The city lent money to the bank."),
        ("A museum lent the harp to an opera.", "An opera lent the harp to a museum."),
        ("The museum may lend the harp to the opera.", "The opera lent the harp to the museum."),
        ("Ida Falk is a cousin of Otto Lind.", "Otto Lind is a parent of Ida Falk."),
        ("The tower is not tall.", "The tower is low."),
        ("The mayor gave a warning.", "The mayor warned the press."),
        ("The ribbon was red in May.", "The ribbon is blue."),
    ],
)
def test_what_may_be_so_besides_is_left_open(source: str, statement: str) -> None:
    assert found(source, statement).finding.relation in {Relation.OPEN, Relation.ENTAILED}
