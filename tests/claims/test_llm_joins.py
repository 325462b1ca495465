"""Triples of a language model beside the claims of the parser, which stand."""

from __future__ import annotations

from groundrules.claims.document import from_text
from groundrules.claims.offline import extract
from groundrules.claims.resolve import resolve
from tests.claims.llm_rows import LEASE, added, read, shown, told


def test_a_passive_with_an_agent_is_turned_about() -> None:
    evidence = "The roof was repaired by Northgate in May 2020."
    reading = read(LEASE, told("roof", "was repaired by", "Northgate", evidence))
    assert added(reading) == []  # the parser has it
    assert dict(reading.dropped) == {}  # and it is not the other way about


def test_the_parser_decides_on_the_polarity_of_its_verbs() -> None:
    evidence = "It may not sublet the Premises."
    reading = read(LEASE, told("Tenant", "may sublet", "Premises", evidence, polarity="positive"))
    assert {c.polarity for c in reading.extractions[0].claims if c.sentence == 2} == {"negative"}


def test_what_a_model_leaves_out_stands() -> None:
    before = extract(from_text(LEASE))
    assert read(LEASE).extractions == (before,)


def test_a_pronoun_stands_for_what_the_model_says() -> None:
    evidence = "It may not sublet the Premises."
    reading = read(LEASE, told("Bright Harbor Books", "may not sublet", "Premises", evidence))
    (extraction,) = resolve(reading.extractions)
    claim = next(c for c in extraction.claims if c.origin == "llm")
    assert shown(claim, extraction)[0] == "Bright Harbor Books Inc"
    assert (claim.polarity, claim.modality) == ("negative", "permission")
    before = extract(from_text(LEASE)).claims
    assert len(extraction.claims) == len(before)
