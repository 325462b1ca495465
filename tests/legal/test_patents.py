"""Patents: claims, what they depend on, front pages."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.legal.patents import find_claims, read_patents
from tests.ontology.read.faults import ids, said
from tests.rows import each

DATA = Path(__file__).parents[3] / "shared/data/patents/patenteval_c2a.json.gz"
CLAIMS = """What is claimed is:

1. A pump comprising a rotor (12) and a housing (14).

2. The pump of claim 1, wherein the rotor is of steel.

3. The pump of any of claims 1 to 2, wherein the housing is sealed.

4. A method of pumping with the pump of claim 1 or 3.
"""
FRONT = """(12) United States Patent
(10) Patent No.: US 7,654,321 B2
(45) Date of Patent: Feb. 2, 2010
(75) Inventors: Jane Doe, Palo Alto, CA (US); John Roe, Salem, OR (US)
(73) Assignee: Acme Pumps, Inc., Salem, OR (US)
(21) Appl. No.: 11/123,456
(22) Filed: Mar. 4, 2005
(30) Foreign Application Priority Data: Mar. 5, 2004
"""


def depends(text):
    return {(s, o) for s, p, o in said(text, read_patents) if p == "dependsOnClaim"}


def test_claims_are_a_list_numbered_from_one():
    assert [number for number, _, _ in find_claims(CLAIMS)] == [1, 2, 3, 4]


def test_a_numbered_list_without_claims_is_none():
    assert list(find_claims("1. Premises. The Landlord leases.\n\n2. Term. Five years.")) == []


def test_a_claim_depends_on_those_it_refers_to():
    assert depends(CLAIMS) == {
        ("claim-2", "claim-1"), ("claim-3", "claim-1"), ("claim-3", "claim-2"),
        ("claim-4", "claim-1"), ("claim-4", "claim-3"),
    }  # fmt: skip


def test_prose_says_on_what_a_claim_depends():
    assert depends("Claim 5 depends on claim 3.") == {("claim-5", "claim-3")}
    assert depends("Claims 2-4 depend from claim 1.") == {
        ("claim-2", "claim-1"), ("claim-3", "claim-1"), ("claim-4", "claim-1"),
    }  # fmt: skip
    assert depends("Claim 5 does not depend on claim 3.") == set()


def test_a_front_page_names_numbers_dates_inventors_and_assignee():
    triples = said(FRONT, read_patents)
    assert {
        ("patent", "grantDate", "2010-02-02"),
        ("patent", "patentNumber", "US 7654321 B2"),
        ("patent", "hasAssignee", "acme-pumps%2C-inc."),
        ("patent", "grantedOn", "application"),
        ("application", "applicationNumber", "11/123456"),
        ("application", "filingDate", "2005-03-04"),
        ("application", "priorityDate", "2004-03-05"),
        ("application", "hasInventor", "jane-doe"),
        ("application", "hasInventor", "john-roe"),
    } <= triples


def test_a_continuation_keeps_an_older_date():
    text = FRONT + "\nThis is a continuation of an earlier application."
    assert not {o for _, p, o in said(text, read_patents) if p == "priorityDate"}


def test_a_patent_in_order_is_not_faulted():
    assert ids(FRONT + CLAIMS, read_patents, ["LAW05"]) == set()


@each("text rule")
def test_what_a_text_gets_wrong_of_a_patent_is_found(text, rule):
    assert ids(text, read_patents, ["LAW05"], [FRONT + CLAIMS]) == {rule}


@each("text")
def test_what_a_text_gets_right_is_not_faulted(text):
    assert ids(text, read_patents, ["LAW05"], [FRONT + CLAIMS]) == set()


@pytest.mark.skipif(not DATA.exists(), reason="needs ../shared/data/patents")
def test_granted_claims_are_faulted_only_where_they_refer_to_themselves():
    texts = {row["input_claim"] for row in json.loads(gzip.decompress(DATA.read_bytes()))}
    wrong = {
        (subject, parent)
        for text in sorted(texts)
        for subject, parent in depends(text)
        if int(parent[6:]) >= int(subject[6:])
    }
    assert wrong
    assert all(subject == parent for subject, parent in wrong)


@given(st.text(alphabet="1234. AThe claimof,\n()-", max_size=400))
def test_any_text_is_read_and_claims_are_in_order(text):
    numbers = [number for number, _, _ in find_claims(text)]
    assert numbers == sorted(set(numbers))
    said(text, read_patents)
