"""What no two slots tell: ages, centuries, stretches, what two things share, which of several."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundrules import Config, check
from groundrules.kb.read.timing import lasting

DATA = Path(__file__).parent / "data"
NOW = datetime(2026, 11, 26, tzinfo=UTC)
RANK = ("refuted", "conflicting", "unverifiable", "not_enough_info", "supported")


def outcome(text: str, *, closed: tuple[str, ...] = (), now: datetime = NOW) -> str:
    """Return the gravest outcome of a statement, "open" for what is neither carried nor refuted."""
    config = Config(kb=(str(DATA / "norvania.ttl"),), closed=closed)
    report = check(text, config=config, now=now)
    found = {statement.outcome.value for statement in report.statements}
    worst = next(one for one in RANK if one in found)
    return worst if worst in ("supported", "refuted") else "open"


@pytest.mark.parametrize(
    "text",
    [
        "Runa Falk is 54 years old.",
        "Runa Falk is 53 years old.",
        "Runa Falk, aged 47, is the Prime Minister of Norvania.",
        "Runa Falk turned 50 in 2023.",
        "Petra Holm was 25 in 1961.",
        "Mira Castellan was born in the same city as Ingrid Solberg-Dahl.",
        "Mira Castellan and Runa Falk were born in the same city.",
        "Runa Falk and Aksel Brandt share a nationality.",
        "Runa Falk does not have the same occupation as Aksel Brandt.",
    ],
)
def test_how_old_somebody_is_and_what_two_things_share_is_left_open(text: str) -> None:
    assert outcome(text) == "open"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira Castellan was born in the 20th century.", "supported"),
        ("Mira Castellan was born in the nineteenth century.", "refuted"),
        ("Mira Castellan was born in the first half of the 20th century.", "supported"),
        ("Mira Castellan was born in the early 20th century.", "open"),  # where early ends is open
        ("Mira Castellan was born in the 1940s.", "supported"),
        ("Mira Castellan was born in the 1950s.", "refuted"),
        ("Mira Castellan was born in the late 1940s.", "supported"),
        ("Torsvik was the capital of Norvania in the 19th century.", "supported"),
        ("Halden Bay was the capital of Norvania in the 19th century.", "refuted"),
        ("Ingrid Solberg-Dahl was Prime Minister of Norvania in the 1990s.", "supported"),
        ("Ingrid Solberg-Dahl was Prime Minister of Norvania throughout the 1990s.", "refuted"),
    ],
)
def test_a_century_or_a_decade_is_its_years(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Aksel Brandt was Prime Minister of Norvania for nearly eight years.", "supported"),
        ("Aksel Brandt was Prime Minister of Norvania for less than a decade.", "supported"),
        ("Aksel Brandt was Prime Minister of Norvania for more than a decade.", "refuted"),
        ("Aksel Brandt was Prime Minister of Norvania for seven and a half years.", "supported"),
        ("Runa Falk has been Prime Minister of Norvania for eleven years.", "supported"),
        ("Runa Falk has been Prime Minister of Norvania for over a decade.", "supported"),
        ("Runa Falk has been Prime Minister of Norvania for over 20 years.", "refuted"),
        ("Aksel Brandt was Prime Minister of Norvania for two terms.", "open"),
    ],
)
def test_how_long_it_lasted_may_be_a_bound_and_what_still_is_began_so_long_ago(
    text: str, expected: str
) -> None:
    assert outcome(text) == expected


def test_a_bound_on_a_stretch_leaves_its_other_end_open() -> None:
    assert lasting(10, "above").first[1] == float("inf")
    assert lasting(10, "below").first[0] == 0
    least, most = lasting(10, "nearly").first
    assert lasting(9).first[0] < least < most < lasting(10).first[1]


@pytest.mark.parametrize(
    "text",
    [
        "Teodor Lysne was Mira Castellan's first husband.",
        "Jonas Weir was Mira Castellan's first husband.",
        "Mira Castellan's 2nd husband was Jonas Weir.",
        "Halden Bay was the first capital of Norvania.",
        "Aksel Brandt was the sixth prime minister of Norvania.",
        "Aksel Brandt was the 2nd prime minister of Norvania.",
        "Petra Holm was the first woman to lead Nordwind Shipping.",
        "Elvar is the longest river in Norvania.",
    ],
)
def test_which_of_several_something_is_is_left_open(text: str) -> None:
    assert outcome(text, closed=("P26", "P36", "P6")) == "open"


def test_what_cannot_be_looked_up_is_told_with_its_kind() -> None:
    config = Config(kb=(str(DATA / "norvania.ttl"),))
    for text, kind in (
        ("Is Halden Bay the capital of Norvania?", "a question"),
        ("Halden Bay may be the capital of Norvania.", "what only may be so"),
    ):
        messages = {verdict.message for verdict in check(text, config=config, now=NOW).verdicts}
        assert f"norvania.ttl cannot settle {kind}" in messages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira Castellan was born neither in Kelm nor in Mirastad.", "supported"),
        ("Mira Castellan was born neither in Torsvik nor in Kelm.", "refuted"),
        ("Petra Holm was one of the founders of Nordwind Shipping.", "supported"),
        ("Petra Holm was one of the two founders of Nordwind Shipping.", "open"),
        ("Mira Castellan and Teodor Lysne both won the Harbour Prize.", "supported"),
        ("Torsvik-born Mira Castellan won the Harbour Prize.", "supported"),
        ("Ingrid Solberg-Dahl was born in 1951, three years after Mira Castellan.", "supported"),
        ("Ingrid Solberg-Dahl was born in 1951, nine years after Mira Castellan.", "refuted"),
        ("Before Halden Bay, Torsvik was the capital of Norvania.", "supported"),
        ("Mira Castellan died in Mirastad, the capital of Sudland.", "supported"),
        ("Mira Castellan has never won the Harbour Prize.", "refuted"),
        ("Teodor Lysne, the husband of Mira Castellan from 1970 to 1982, won the Harbour Prize.",
         "supported"),
    ],
)  # fmt: skip
def test_each_clause_of_a_sentence_is_a_claim(text: str, expected: str) -> None:
    assert outcome(text) == expected
