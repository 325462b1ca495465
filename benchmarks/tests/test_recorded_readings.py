"""Recorded readings of a language model: found again by statement and source, and what they do."""

from __future__ import annotations

import pytest

from benchmarks.readings import Readings, answering, packed, sound_row, unpacked
from groundrules.claims.llm_propositions import SCHEMA
from groundrules.config import Config

REVERSED = (
    "The lower court found for the tenant. The court of appeal reversed that decision, and the "
    "supreme court refused to hear the case. The house has since been sold."
)


@pytest.mark.parametrize(
    ("statement", "source", "alone", "read", "controls"),
    [
        (
            "The court of appeal reversed the decision of the lower court.",
            REVERSED,
            (False, False),
            (True, False),
            3,
        ),
        (  # what is refuted is asked about twice, and so are the controls
            "Repaying Loan A early costs 1% of the balance.",
            "Loan A runs for five years at 4.2% and can be repaid early at no charge. Loan B runs "
            "for eight years at 3.9%; repaying it early costs 1% of the balance. Either can be "
            "applied for online.",
            (False, False),
            (False, True),
            6,
        ),
        (  # the rules only doubt it: "one guest"
            "Pupils may bring two guests to the summer concert if they sing in the choir.",
            "Pupils may bring one guest to the summer concert; if they sing in the choir, they may "
            "bring two. Doors open at half past six.",
            (False, False),
            (True, False),
            3,
        ),
        (
            "At weekends Line 2 runs every fifteen minutes.",
            "Line 1 runs every six minutes on weekdays and every ten at weekends; Line 2, every "
            "eight and every fifteen.",
            (False, False),
            (True, False),
            3,
        ),
    ],
)
def test_a_recorded_reading_settles_what_rules_leave_open_or_doubt(
    statement: str, source: str, alone: tuple[bool, bool], read: tuple[bool, bool], controls: int
) -> None:
    row = {"statement": statement, "source": source}
    assert sound_row(row, Config()) == alone
    client = Readings("sound")
    with answering(client) as config:
        assert sound_row(row, config) == read
    assert client.missing == 0
    assert client.untried == controls


@pytest.mark.parametrize(
    ("name", "statement", "source"),
    [
        (
            "sound",
            "The crew of the trawler numbers ten.",
            "The crew of the trawler consists of a skipper, two mates, an engineer and six "
            "deckhands. Her catch is landed at dawn, and she sails again the same night.",
        ),
        (
            "seen-4",
            "On a Saturday you can still be served breakfast at half past ten.",
            "Breakfast is served from 7 to 10, at weekends until 11. Dogs are welcome in the "
            "garden rooms and in the bar, but not in the restaurant. Guests who leave after 12 "
            "noon on the day of departure will be charged half the nightly rate.",
        ),
    ],
)
def test_a_second_answer_settles_what_the_first_leaves_open(
    name: str, statement: str, source: str
) -> None:
    row = {"statement": statement, "source": source}
    assert sound_row(row, Config()) == (False, False)
    client = Readings(name)
    with answering(client) as config:
        assert sound_row(row, config) == (True, False)
    assert client.missing == 0
    assert client.untried == 6  # the controls, asked about twice


def test_a_statement_without_a_recorded_reading_is_not_read() -> None:
    client = Readings("sound")
    with answering(client) as config:
        row = {"statement": "The house was pulled down.", "source": REVERSED}
        assert sound_row(row, config) == (False, False)
    assert client.missing == 1


def test_an_answer_is_kept_without_the_names_of_its_parts() -> None:
    side = {"words": "it is", "not": True, "force": "may"}
    part = {"role": "who", "statement": "it", "source": "", "relation": "none"}
    answer = {"clauses": [{"statement": side, "source": side, "parts": [part]}]}
    short = packed(answer, SCHEMA)
    assert short == [
        [[["it is", True, "may"], ["it is", True, "may"], [["who", "it", "", "none"]]]]
    ]
    assert unpacked(short, SCHEMA) == answer
