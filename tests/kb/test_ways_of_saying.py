"""One fact in many wordings: what is said of it by a noun, an event, a description or a count."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules import Config, check
from groundrules.explain.formats import Look
from groundrules.explain.formats.html import render

DATA = Path(__file__).parent / "data"
RANK = ("refuted", "conflicting", "unverifiable", "not_enough_info", "supported")
SHORT = {"supported": "supported", "refuted": "refuted"}


def outcome(text: str) -> str:
    """Return the gravest outcome of a statement, "open" for what is neither carried nor refuted."""
    report = check(text, config=Config(kb=(str(DATA / "norvania.ttl"),)))
    found = {statement.outcome.value for statement in report.statements}
    return SHORT.get(next(one for one in RANK if one in found), "open")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was Jonas Weir who directed The Salt Road.", "supported"),
        ("It was in Mirastad that Mira Castellan died.", "supported"),
        ("It was in Kelm that Mira Castellan died.", "refuted"),
        ("Like Mira Castellan, Teodor Lysne won the Harbour Prize.", "supported"),
        ("A violinist, Mira Castellan was born in Torsvik.", "supported"),
        ("Torsvik-born violinist Mira Castellan won the Harbour Prize in 1988.", "supported"),
        ("In fact, Mira Castellan was born in Kelm.", "refuted"),
    ],
)
def test_what_is_brought_to_the_front_is_said_of_its_subject(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The birth of Mira Castellan took place in Torsvik.", "supported"),
        ("Teodor Lysne's death came in 2004.", "supported"),
        ("Teodor Lysne's death came in 2009.", "refuted"),
        ("The founding of Nordwind Shipping took place in 1961.", "supported"),
        ("The marriage of Mira Castellan and Jonas Weir began in 1990.", "supported"),
        ("The marriage of Mira Castellan and Teodor Lysne ended in 1982.", "supported"),
        ("The marriage of Mira Castellan and Teodor Lysne ended in 1990.", "refuted"),
        ("Teodor Lysne lived from 1931 to 2004.", "supported"),
        ("Teodor Lysne lived from 1931 to 2006.", "refuted"),
    ],
)
def test_a_noun_for_what_happened_says_that_it_did(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The director of The Salt Road won the Golden Oar.", "supported"),
        ("The director of The Salt Road was born in Torsvik.", "refuted"),
        ("The capital of Sudland is where Mira Castellan died.", "supported"),
        ("Mira Castellan died in the capital of Sudland.", "supported"),
        ("Petra Holm was born in the capital of Sudland.", "refuted"),
        ("Mira Castellan's husband was born in Kelm.", "open"),  # she had two
        ("Jonas Weir's wife was born in Torsvik.", "supported"),
        ("Mira Castellan's daughter was born in Torsvik.", "open"),  # nothing is known of one
        ("The man who directed The Salt Road won the Golden Oar.", "supported"),
    ],
)
def test_a_description_stands_for_what_is_stated(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira Castellan was married to Jonas Weir until her death.", "supported"),
        ("Mira Castellan was married to Teodor Lysne until her death.", "refuted"),
        ("Mira Castellan was married to Jonas Weir when she died.", "supported"),
        ("Aksel Brandt succeeded Ingrid Solberg-Dahl as Prime Minister of Norvania.", "supported"),
        ("Runa Falk succeeded Ingrid Solberg-Dahl as Prime Minister of Norvania.", "refuted"),
        ("Aksel Brandt was Prime Minister of Norvania before Runa Falk.", "supported"),
        ("Runa Falk was Prime Minister of Norvania before Aksel Brandt.", "refuted"),
        ("Before becoming Prime Minister of Norvania, Aksel Brandt was Mayor of Torsvik.",
         "supported"),
        ("Aksel Brandt was 47 when he became Prime Minister of Norvania.", "supported"),
        ("Aksel Brandt was 37 when he became Prime Minister of Norvania.", "refuted"),
        ("Teodor Lysne was married to Runa Falk until his death.", "open"),
    ],
)  # fmt: skip
def test_an_event_dates_a_claim_as_a_day_does(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira Castellan has been married once.", "refuted"),  # two are stated
        ("Mira Castellan has been married three times.", "open"),
        ("Mira Castellan has been married twice.", "open"),  # nothing says that these are all
        ("Mira Castellan won the Harbour Prize twice.", "open"),
        ("Nobody directed The Salt Road.", "refuted"),
        ("Mira Castellan had no husband.", "refuted"),
    ],
)
def test_a_count_is_refuted_by_more_and_carried_by_no_fewer(text: str, expected: str) -> None:
    assert outcome(text) == expected


def test_a_count_over_what_is_closed_is_settled() -> None:
    config = Config(kb=(str(DATA / "norvania.ttl"),), closed=("P26",))
    for text, expected in (
        ("Mira Castellan has been married twice.", "supported"),
        ("Mira Castellan has been married three times.", "refuted"),
    ):
        (statement,) = check(text, config=config).statements
        assert statement.outcome.value == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jonas Weir is a director.", "supported"),
        ("Director Jonas Weir was born in 1966.", "supported"),
        ("Aksel Brandt served as mayor in 2003.", "supported"),
        ("Aksel Brandt served as mayor in 2010.", "refuted"),
        ("President Aksel Brandt was born in 1960.", "open"),  # no such office is stated
        ("Former Prime Minister Aksel Brandt was born in 1960.", "supported"),
        ("Aksel Brandt, the Prime Minister of Norvania, was born in 1960.", "open"),  # no longer
        ("Runa Falk, the Prime Minister of Norvania, was born in 1972.", "supported"),
        ("Aksel Brandt is a former Prime Minister of Norvania.", "supported"),
        ("Runa Falk is a former Prime Minister of Norvania.", "refuted"),
    ],
)
def test_what_somebody_is_called_is_a_claim_too(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mount Skarn is higher than 2,000 metres.", "supported"),
        ("Mount Skarn is higher than 3,000 metres.", "refuted"),
        ("Mount Skarn is not 2,000 metres high.", "supported"),
        ("Mount Skarn is nearly 2,150 metres high.", "supported"),
        ("The Elvar is less than 500 km long.", "supported"),
        ("The Elvar is about 300 km long.", "refuted"),
        ("The Salt Road lasts more than two hours.", "supported"),
        ("More than five million people live in Norvania.", "supported"),
        ("Norvania has about 5.1 million inhabitants.", "supported"),
    ],
)
def test_an_amount_is_compared_whatever_bounds_it(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Mira Castellan, who knew Runa Falk, who was born in Kelm, died in Mirastad.",
        "Mira Castellan was born in Torsvik, which is wrong.",
        "Norvania's capital was Torsvik before it was Halden Bay.",
        "Mira Castellan won the Harbour Prize before Teodor Lysne.",
        "Only Mira Castellan won the Harbour Prize.",
        "The first Prime Minister of Norvania was Ingrid Solberg-Dahl.",
        "Mira Castellan is believed to have been born in Kelm.",
    ],
)
def test_a_word_that_turns_the_rest_leaves_it_open(text: str) -> None:
    assert outcome(text) == "open"


def test_a_part_that_is_stated_does_not_read_as_the_statement() -> None:
    config = Config(kb=(str(DATA / "lands.ttl"),))
    report = check("Ada Brenner was a French physicist.", config=config)
    said = {report.labels.get(v.claim.triple.object, ""): v.outcome.value for v in report.verdicts}
    assert said["physicist"] == "supported"
    assert not any("french" in words.lower() for words, one in said.items() if one == "supported")
    page = render([report], Look())
    assert "this part alone is stated" in page
    assert "✓ supported" not in page


def test_two_things_said_of_one_pair_are_two_claims() -> None:
    text = "Runa Falk succeeded Ingrid Solberg-Dahl as Prime Minister of Norvania in 2015."
    assert outcome(text) == "refuted"  # she began then, and did not follow her
