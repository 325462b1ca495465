"""Statements made by rule of passages: what one says, another's contrary, and what none says."""

from __future__ import annotations

import re

import pytest

from groundrules.claims.english.signals import THINGS, UNTOLD
from groundrules.claims.models.controls import content, controls, places, reworded
from tests.claims.rows import rows

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
    right, wrong, _ = controls(PASSAGES, ["Dogs are leashed."])
    assert (right.kind, wrong.kind) == ("entailed", "contradicted")
    assert right.passage != wrong.passage
    assert wrong.text != PASSAGES[wrong.passage]


def test_what_is_asked_is_drawn_by_the_texts_and_by_nothing_else() -> None:
    assert controls(PASSAGES, ["Dogs are leashed."]) == controls(PASSAGES, ["Dogs are leashed."])
    asked = [f"Dogs are leashed on {n} decks." for n in range(2, 40)]
    assert len({controls(PASSAGES, [one]) for one in asked}) > 3
    assert len({controls(PASSAGES, [one])[2] for one in asked}) > 10
    drawn = {tuple(places(["a", "b", "c", "d"], [one], 2)) for one in asked}
    assert len(drawn) > 5


@pytest.mark.parametrize(("passage", "pattern"), rows("controls.figure"))
def test_a_figure_a_day_or_a_denial_is_turned_or_all_is_denied(passage: str, pattern: str) -> None:
    text = turned(passage)
    assert re.fullmatch(pattern, text)
    assert text != passage


@pytest.mark.parametrize("passage", rows("controls.does"))
def test_of_what_does_not_stand_by_itself_no_control_is_made(passage: str) -> None:
    assert controls([passage], ["The moon is far away."]) == ()


def test_a_number_in_its_place_is_found_nowhere_in_the_texts() -> None:
    passage = "The hall seats 312 people and has 14 doors."
    stated = " ".join(f"{n}12" for n in range(1, 9))
    text = turned(f"{passage}", f"The numbers {stated} were drawn there.")
    assert not re.search(r"seats [1-8]12 ", text) or "312" in text


@pytest.mark.parametrize(("said", "other"), rows("controls.other"))
def test_other_words_say_the_same(said: str, other: str) -> None:
    assert reworded(said) == other


def test_no_statement_is_put_between_one_and_the_one_that_it_leans_on() -> None:
    lines = ["The hut is dry.", "It is old.", "They sleep there.", "Dogs bark."]
    drawn = {at for n in range(60) for at in places(lines, [str(n)], 2)}
    assert drawn == {0, 3, 4}


# --- what no passage says ---------------------------------------------------------------------


def untold(*passages: str, of: str = "The moon is far away.") -> str:
    """Return what is said of nothing in passages; one of them is added that can be turned."""
    made = controls([*passages, "Once 45 bicycles fell over at night."], [of])
    assert made[2].kind == "neither"
    assert made[2].passage is None
    return made[2].text


def test_what_no_passage_says_is_told_of_a_thing_that_they_name() -> None:
    drawn = {untold("The ferry is white.", of=f"It has {n} decks.") for n in range(40)}
    assert len(drawn) > 20
    assert all("the ferry" in text.lower() for text in drawn)
    assert "Corvin Viaduct" in untold("It was opened at Corvin Viaduct in May.")
    assert "the crew" in untold("Someone sang for the crew, then slept.")


def test_of_things_those_are_drawn_that_the_statements_speak_of() -> None:
    named = ("barn", "roof", "door", "wall", "gate", "mill", "yard", "well")
    asked = "Barn, door, mill and well are all"
    for n in range(20):
        text = untold(*(f"The {one} is old." for one in named), of=f"{asked} {n} years old.")
        assert re.search(r"\b[Tt]he (barn|door|mill|well)\b", text)


def test_where_nothing_is_named_it_is_told_of_another_thing() -> None:
    text = untold("Bicycles travel free.").lower()
    assert any(thing in text for thing in THINGS)


def test_its_words_stand_nowhere_in_the_texts() -> None:
    spoken = "A journalist, a choir and a senator sent a princess to a carnival. The ferry is old."
    for n in range(60):
        own = content(untold(spoken, of=f"The blogger has {n} songs.").replace("ferry", ""))
        assert own.isdisjoint(content(f"{spoken} The blogger has {n} songs."))


def test_where_all_that_could_be_told_is_spoken_of_no_control_is_made() -> None:
    assert controls([*PASSAGES, *(one.format("tea") for one in UNTOLD)], ["Dogs bark."]) == ()


@pytest.mark.parametrize("told", UNTOLD)
def test_what_may_be_told_has_no_figure_no_name_and_no_denial(told: str) -> None:
    assert told.count("{}") == 1
    words = re.findall(r"\w+", told.format("")[1:])
    assert all(word.isalpha() and word == word.lower() for word in words)
    assert {"not", "no", "never", "nobody", "only", "all", "every", "each"}.isdisjoint(words)
    assert len(content(told.format(""))) >= 2


def test_passages_that_say_the_same_are_no_fault() -> None:
    assert len(controls(PASSAGES * 2, ["Dogs bark."])) == 3


@pytest.mark.parametrize(
    "passages",
    [
        ["Die Miete beträgt 640 € im Monat.", "Der Vermieter muss dem schriftlich zustimmen.",
         "Hunde darf die Mieterin höchstens 3 Wochen halten."],
        ["Le loyer est de 640 € par mois.", "Le bailleur doit l'accepter par écrit.",
         "La locataire ne peut garder un chien que 3 semaines."],
        ["El alquiler es de 640 € al mes.", "El dueño debe aceptarlo por escrito."],
    ],
)  # fmt: skip
def test_in_a_language_that_is_not_read_a_control_is_a_copy_or_its_denial_in_english(
    passages: list[str],
) -> None:
    right, wrong, untold = controls(passages, ["Ja ?"])

    assert [one.kind for one in (right, wrong, untold)] == ["entailed", "contradicted", "neither"]
    assert right.text in passages
    assert wrong.passage is not None
    assert wrong.text == f"It is not true that “{passages[wrong.passage]}”"
    assert wrong.passage != right.passage
    assert not controls(passages, passages)
