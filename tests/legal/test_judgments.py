"""Captions of judgments and what they cite."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.legal.judgments import read_judgments
from groundrules.legal.reporters import read_citations
from groundrules.terms import ENTITY
from tests.ontology.read.faults import ids, said
from tests.ontology.read.texts import read
from tests.rows import each

OPINION = """UNITED STATES COURT OF APPEALS
FOR THE NINTH CIRCUIT

HARLAN GRAIN LLC, Plaintiff-Appellant,

v.

MERIDIAN FREIGHT LLC, Defendant-Appellee.

No. 20-35417

Appeal from the United States District Court for the District of Oregon
Argued and Submitted March 3, 2021
Decided May 17, 2021

Before: Ellen Moore, Thomas Okafor, and Ruth Lindqvist, Circuit Judges.

We follow Ashcroft v. Iqbal, 556 U.S. 662 (2009).
"""


def both(assertions):
    read_citations(assertions)
    read_judgments(assertions)


def test_a_caption_names_parties_court_docket_and_dates():
    triples = said(OPINION, read_judgments)
    assert {(p, o) for s, p, o in triples if s == "case"} == {
        ("type", "LegalCase"),
        ("caseName", "Harlan Grain LLC v. Meridian Freight LLC"),
        ("hasPlaintiff", "harlan-grain-llc"),
        ("hasDefendant", "meridian-freight-llc"),
        ("heardBy", "united-states-court-of-appeals-for-the-ninth-circuit"),
        ("docketNumber", "20-35417"),
        ("appealOf", "case-below"),
        ("argumentDate", "2021-03-03"),
    }
    assert ("decision", "decisionDate", "2021-05-17") in triples


def test_each_judge_of_the_panel_is_one():
    judges = {o for _, p, o in said(OPINION, read_judgments) if p == "hasJudge"}
    assert judges == {"ellen-moore", "thomas-okafor", "ruth-lindqvist"}


def test_a_judgment_cites_what_it_names_and_a_text_what_it_says_was_relied_on():
    assert ("decision", "cites", "ash-v.-iqb-%28u.s.-2009%29") in said(OPINION, read_judgments)
    text = "The court relied on Ashcroft v. Iqbal, 556 U.S. 662 (2009)."
    assert ("decision", "cites", "ash-v.-iqb-%28u.s.-2009%29") in said(text, read_judgments)
    assert not said("See Ashcroft v. Iqbal, 556 U.S. 662 (2009).", read_judgments)


def test_a_decision_relies_on_none_that_is_later():
    rules = ["LAW033"]
    later = "The court relied on Doe v. Roe, 61 F.4th 310 (9th Cir. 2023)."
    assert ids(later, both, rules, [OPINION]) == {"LAW033"}
    earlier = "The court relied on Doe v. Roe, 31 F.4th 310 (9th Cir. 2021)."
    assert ids(earlier, both, rules, [OPINION]) == set()


def test_an_appeal_is_decided_after_the_judgment_below():
    text = "The district court entered judgment for the carrier on {}."
    assert ids(text.format("August 9, 2021"), both, ["LAW022"], [OPINION]) == {"LAW022"}
    assert ids(text.format("August 9, 2019"), both, ["LAW022"], [OPINION]) == set()


def test_a_text_without_a_caption_states_no_case():
    assert not said("Harlan sued Meridian in Oregon on May 3, 2019.", read_judgments)


@pytest.mark.parametrize("ecli", ["ECLI:EU:C:2014:317", "ECLI:NL:HR:2019:2006"])
def test_an_ecli_is_read_to_its_end(ecli):
    assert (ecli.casefold().replace(":", "%3A"), "ecli", ecli) in said(
        f"Judgment {ecli}.", read_judgments
    )


@given(st.text(alphabet="AB, v.Plaintifdn\nNo12-:Judges", max_size=400))
def test_any_text_is_read(text):
    for _, predicate, value in said(text, read_judgments):
        assert predicate
        assert value


@each("text")
def test_what_is_read_has_a_name(text):
    reading, labels = read(text)
    nodes = {n for c in reading.assertions for n in (c.triple.subject, c.triple.object)}
    entities = {node for node in nodes if str(node).startswith(str(ENTITY))}
    assert entities
    assert entities <= set(labels)
