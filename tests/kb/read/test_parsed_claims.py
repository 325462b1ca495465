"""What our own parser reads of a sentence for a knowledge base, where no wording is known whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules import Config, check

GRAPH = Path(__file__).parents[1] / "data/norvania.ttl"
LEFT_OPEN = ("unverifiable", "not_enough_info")


def outcome(text: str) -> str:
    (statement,) = check(text, config=Config(kb=(str(GRAPH),))).statements
    assert statement.outcome is not None
    return statement.outcome.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # what begins, goes on and ends
        ("Aksel Brandt gave up the office of Prime Minister of Norvania in 2012.", "refuted"),
        ("Torsvik lost its status as the capital of Norvania in 1921.", "supported"),
        ("Torsvik remained the capital of Norvania until 1930.", "refuted"),
        ("Halden Bay has been Norvania's capital since it became a republic in 1945.", "refuted"),
        # parts of a year
        ("Aksel Brandt was Prime Minister of Norvania in the summer of 2010.", "supported"),
        ("Aksel Brandt was Prime Minister of Norvania at the end of 2016.", "refuted"),
        # a cleft, one of whom it is denied
        ("It was Aksel Brandt, not Runa Falk, who was Prime Minister of Norvania in 2010.",
         "supported"),
        # how long
        ("Aksel Brandt was Prime Minister of Norvania for nearly twenty years.", "refuted"),
    ],
)  # fmt: skip
def test_a_proposition_is_put_to_the_graph_whatever_its_wording(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "In the film, Torsvik remained the capital of Norvania until 1930.",
        "In the film The Salt Road, Torsvik remained the capital of Norvania until 1930.",
        "Mount Skarn is 1,100 metres high in Sudland.",
        "In Peter's view, Torsvik lost its status as the capital of Norvania in 1930.",
        "Aksel Brandt was deputy Prime Minister of Norvania in 1990.",
        "If Torsvik had lost its status as the capital of Norvania in 1930, nobody would know.",
        "Torsvik lost its status as the capital of Norvania in 1921 after a fire.",
    ],
)
def test_what_is_framed_left_over_or_of_less_than_the_office_settles_nothing(text: str) -> None:
    assert outcome(text) in LEFT_OPEN


@pytest.mark.parametrize(
    "text",
    [
        "Aksel Brandt took the stage as Prime Minister of Norvania in 2010.",
        "Aksel Brandt returned from Kelm as Prime Minister of Norvania in 2010.",
        "Aksel Brandt stopped smoking as Prime Minister of Norvania in 2010.",
        "Aksel Brandt headed the Coast Party as Prime Minister of Norvania until 2012.",
    ],
)
def test_a_verb_of_beginning_or_end_tells_of_an_office_only_where_it_takes_nothing_else(
    text: str,
) -> None:
    assert outcome(text) in LEFT_OPEN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira Castellan died fourteen years after Teodor Lysne died.", LEFT_OPEN),
        ("Teodor Lysne was 38 when Mira Castellan married him.", ("supported",)),
        ("Teodor Lysne was 45 when Mira Castellan married him.", ("refuted",)),
    ],
)
def test_years_before_a_day_are_no_age_and_an_age_is_of_the_beginning(
    text: str, expected: tuple[str, ...]
) -> None:
    assert outcome(text) in expected
