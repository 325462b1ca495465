"""Statements made by rule of passages: one says what its passage says, the other its contrary."""

from __future__ import annotations

import re

import pytest

from groundrules.claims.controls import controls, places, reworded

PASSAGES = [
    "The ferry to Lund leaves at 07:40 every weekday.",
    "A single fare is 45 kroner, and bicycles travel free.",
    "Dogs must be kept on a lead on deck.",
]


def turned(*passages: str) -> str:
    """Return how the one passage that can be turned is turned."""
    made = controls(passages, ["The moon is far away."])
    return made[1].text if made else ""


def test_one_is_to_be_entailed_and_one_contradicted_each_of_its_own_passage() -> None:
    right, wrong = controls(PASSAGES, ["Dogs are leashed."])
    assert (right.kind, wrong.kind) == ("entailed", "contradicted")
    assert right.passage != wrong.passage
    assert wrong.text != PASSAGES[wrong.passage]


def test_what_is_asked_is_drawn_by_the_texts_and_by_nothing_else() -> None:
    assert controls(PASSAGES, ["Dogs are leashed."]) == controls(PASSAGES, ["Dogs are leashed."])
    asked = [f"Dogs are leashed on {n} decks." for n in range(2, 40)]
    assert len({controls(PASSAGES, [one]) for one in asked}) > 3
    drawn = {tuple(places(["a", "b", "c", "d"], [one], 2)) for one in asked}
    assert len(drawn) > 5


@pytest.mark.parametrize(
    ("passage", "pattern"),
    [
        ("The deposit for the terrace is £60.", r"The deposit for the terrace is £[2-9]0\."),
        ("The lease of the hall ends on 31 May 2027.", r"The lease .* on .* 20\d\d\."),
        ("The hut was built by two brothers.", r"The hut (was built by \w+|wasn’t built .*)\.?"),
        ("The museum is closed on Mondays only.", r"The museum is closed on (?!Mon)\w+days only\."),
        ("Dogs must be kept on a lead.", r"Dogs (must|may) not be kept on a lead\."),
        ("The sheep are not sold at the market.", r"The sheep are sold at the market\."),
    ],
)
def test_a_figure_a_day_or_a_denial_is_turned(passage: str, pattern: str) -> None:
    text = turned(passage)
    assert re.fullmatch(pattern, text)
    assert text != passage


@pytest.mark.parametrize(
    "passage",
    [
        "Dogs bark.",
        "Is the library open on 14 days in May?",
        "It was sold for 12,000 crowns to a dealer.",
        "| Room | Rent | 45 kroner | 12 days |",
    ],
)
def test_of_what_does_not_stand_by_itself_no_control_is_made(passage: str) -> None:
    assert controls([passage], ["The moon is far away."]) == ()


def test_a_number_in_its_place_is_found_nowhere_in_the_texts() -> None:
    passage = "The hall seats 312 people and has 14 doors."
    stated = " ".join(f"{n}12" for n in range(1, 9))
    text = turned(f"{passage}", f"The numbers {stated} were drawn there.")
    assert not re.search(r"seats [1-8]12 ", text) or "312" in text


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The rent is due in two weeks.", "The rent is due in 2 weeks."),
        ("Books are not lent to guests.", "Books aren’t lent to guests."),
        ("The hut (built of stone) is dry.", "The hut is dry."),
        ("The hut is dry.", "The hut is dry."),
    ],
)
def test_other_words_say_the_same(said: str, other: str) -> None:
    assert reworded(said) == other


def test_no_statement_is_put_between_one_and_the_one_that_it_leans_on() -> None:
    lines = ["The hut is dry.", "It is old.", "They sleep there.", "Dogs bark."]
    drawn = {at for n in range(60) for at in places(lines, [str(n)], 2)}
    assert drawn == {0, 3, 4}
