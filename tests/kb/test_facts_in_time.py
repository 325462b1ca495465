"""Claims on two small graphs: one in Wikidata's shape with times, one in words of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundrules import Config, check

DATA = Path(__file__).parent / "data"
#: The claims on the first graph, each with its outcome and others that would do.
CLAIMS = [json.loads(line) for line in (DATA / "norvania.jsonl").read_text("utf-8").splitlines()]
_SHORT = {"not_enough_info": "nei"}
#: How many of the 60 claims come out as they should; a change that lowers this is a fault.
RIGHT = 58


def outcome(text: str, graph: str, **settings: Any) -> str:
    report = check(text, config=Config(kb=(str(DATA / graph),), **settings))
    (statement,) = report.statements
    assert statement.outcome is not None
    return _SHORT.get(statement.outcome.value, statement.outcome.value)


@pytest.mark.slow
def test_no_claim_gets_a_wrong_verdict_and_most_get_the_right_one() -> None:
    found = [(outcome(one["text"], "norvania.ttl"), one) for one in CLAIMS]
    right = [one for got, one in found if got in (one["label"], *one.get("also", ()))]
    wrong = [
        (got, one["text"])
        for got, one in found
        if got in ("supported", "refuted") and one not in right
    ]
    assert not wrong
    assert len(right) >= RIGHT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Harrow Foods plc was incorporated in 1987.", "supported"),
        ("Harrow Foods plc was incorporated on 3 March 1987.", "refuted"),
        ("Lena Fischer is a director of Belmont Tools Ltd.", "supported"),
        ("Harrow Foods plc has 412 employees.", "supported"),
        ("Belmont Tools Ltd has 75 employees.", "refuted"),
        ("The registered office of Quince Energy SA is Lyon.", "supported"),
        ("The parent company of Belmont Tools Ltd is Harrow Foods plc.", "supported"),
        ("Anita Rao was born in Leicester.", "supported"),
        ("Lena Fischer was born in 1984.", "refuted"),
    ],
)
def test_a_graph_in_words_of_its_own_needs_no_setting(text: str, expected: str) -> None:
    assert outcome(text, "firms.ttl") == expected


def test_what_names_things_may_be_told(tmp_path: Path) -> None:
    graph = (DATA / "firms.ttl").read_text("utf-8").replace("v:townName", "v:known")
    (tmp_path / "firms.ttl").write_text(graph)
    text, path = "Anita Rao was born in Leicester.", str(tmp_path / "firms.ttl")
    named = ("townName", "fullName", "firmName")
    labels = tuple(f"https://my.example/vocab#{name}" for name in ("known", *named))
    assert outcome(text, path) == "unverifiable"
    assert outcome(text, path, labels=labels) == "supported"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Teodor Lysne was older than Mira Castellan.", "supported"),
        ("Mira Castellan was older than Teodor Lysne.", "refuted"),
        ("Mira Castellan was not older than Teodor Lysne.", "supported"),
        ("Runa Falk is younger than Aksel Brandt.", "supported"),
        ("Jonas Weir was born before Ingrid Solberg-Dahl.", "refuted"),
        ("Teodor Lysne died before Mira Castellan did.", "supported"),
        ("Mira Castellan outlived Teodor Lysne.", "supported"),
        ("Teodor Lysne outlived Mira Castellan.", "refuted"),
        ("Jonas Weir outlived Teodor Lysne.", "nei"),  # nothing says that he died
        ("Jonas Weir was born in the same year as Runa Falk.", "refuted"),
        ("Petra Holm and Teodor Lysne died in the same year.", "refuted"),
        ("Mount Skarn is higher than the Elvar.", "nei"),
        ("Runa Falk is twelve years younger than Aksel Brandt.", "supported"),
        # a part that is not read carries nothing
        ("Teodor Lysne was much older than Mira Castellan.", "unverifiable"),
        ("Runa Falk is two years younger than Aksel Brandt.", "refuted"),
        ("Teodor Lysne was older than Mira Castellan and Kelm.", "unverifiable"),
    ],
)
def test_two_things_are_compared_by_what_both_have(text: str, expected: str) -> None:
    assert outcome(text, "norvania.ttl") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Teodor Lysne died at the age of 73.", "supported"),
        ("Teodor Lysne died aged 72.", "refuted"),
        ("Teodor Lysne died in Torsvik at the age of 73.", "supported"),
        ("Teodor Lysne died at the age of 74 in Torsvik.", "refuted"),
        ("Petra Holm died at the age of 57.", "nei"),  # of either day the year alone is stated
        ("Petra Holm died at the age of 58.", "nei"),
        ("Petra Holm died at the age of 70.", "refuted"),
        ("Jonas Weir died at the age of 40.", "nei"),
        (
            "Mira Castellan was married to Jonas Weir from 1990 until her death in 2019.",
            "supported",
        ),
        ("Mira Castellan was married to Jonas Weir from 1990 until her death in 2017.", "refuted"),
    ],
)
def test_an_age_is_the_years_from_birth_to_death(text: str, expected: str) -> None:
    assert outcome(text, "norvania.ttl") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Brenner was a German physicist.", "supported"),
        ("Ada Brenner was a French physicist.", "nei"),
        ("Ada Brenner was a Polish-born physicist.", "supported"),
        ("Rolf Danner was a Polish-born physicist.", "refuted"),
        ("Berlin is the German capital.", "supported"),
        ("Warsaw is the German capital.", "refuted"),
        ("Ada Brenner was a German pirate.", "unverifiable"),
        ("Ada Brenner and Rolf Danner were born in the same year.", "supported"),
        ("Ada Brenner died at the age of 50.", "supported"),
        ("Ada Brenner died at the age of 49.", "refuted"),
    ],
)
def test_a_people_stands_for_its_land(text: str, expected: str) -> None:
    assert outcome(text, "lands.ttl") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # what is told of an event has a day of its own
        ("The death of Teodor Lysne occurred in 2006.", "refuted"),
        ("The death of Teodor Lysne was announced in 2006.", "unverifiable"),
        ("Teodor Lysne's death was mourned in 2006.", "unverifiable"),
        # years behind the name of something else are no life
        ("Teodor Lysne (1931–2006) was a conductor.", "refuted"),
        ("Teodor Lysne (1999–2006) was a research programme.", "unverifiable"),
        # another may have that name
        ("Teodor Lysne was born in 1950.", "refuted"),
        ("A man called Teodor Lysne was born in 1950.", "unverifiable"),
        ("The Teodor Lysne who was born in 1950 is a conductor.", "unverifiable"),
        # who is chosen takes office later, or has it already
        ("Aksel Brandt was elected Mayor of Torsvik in 2000.", "nei"),
        ("Aksel Brandt was re-elected Mayor of Torsvik in 2003.", "nei"),
        ("Aksel Brandt was elected Mayor of Torsvik in 1990.", "refuted"),
        # what moves leaves the one when it comes to the other
        ("Norvania moved its capital from Torsvik to Halden Bay.", "supported"),
        ("Norvania moved its capital from Halden Bay to Torsvik.", "refuted"),
    ],
)
def test_a_day_is_of_what_it_is_told_of(text: str, expected: str) -> None:
    assert outcome(text, "norvania.ttl") == expected
