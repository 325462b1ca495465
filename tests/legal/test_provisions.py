"""Term, prices, duties and signatures of contracts."""

import pytest
from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.names.resolve import resolve
from groundrules.legal.contracts import AGREEMENT
from groundrules.legal.namespace import LX
from groundrules.legal.provisions import imply_expiration, read_contracts
from groundrules.ontology.read.assertions import Assertions

PARTIES = (
    "This Lease is made by and between Alpine Holdings LLC (the “Landlord”) and Bright Harbor "
    "Books, Inc. (the “Tenant”). "
)


def read(text):
    assertions = Assertions(resolve([extract(from_text(text, "t"))])[0])
    read_contracts(assertions)
    return assertions


def values(text, predicate):
    return [str(c.triple.object) for c in read(text).claims() if c.triple.predicate == predicate]


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("The initial term of this Lease is five years.", ["P5Y"]),
        ("The term of this Agreement shall be three (3) years.", ["P3Y"]),
        ("The Lease has a term of 18 months.", ["P1Y6M"]),
        ("The initial term is five years. The renewal term is two years.", ["P5Y"]),
        ("The term is five years. The term is six years.", []),
        ("The Tenant may extend the Lease for an additional term of three years.", []),
        ("The warranty has a term of two years.", []),
        ("The term shall be at least five years.", []),
    ],
)
def test_the_term_is_the_one_length_that_the_document_gives(text, length):
    assert values(text, LX.termLength) == length


@pytest.mark.parametrize(
    ("begin", "length", "days"),
    [
        ("2021-05-01", "P5Y", {"2026-05-01", "2026-04-30"}),
        ("2024-01-31", "P1M", {"2024-02-29", "2024-02-28"}),
        ("2021", "P5Y", set()),
    ],
)
def test_a_contract_ends_when_its_term_has_run_from_its_commencement(begin, length, days):
    assertions = Assertions(extract(from_text("Nothing is said here.", "t")))
    span = assertions.span(0, 1)
    kind = XSD.date if len(begin) == 10 else XSD.gYear
    assertions.state(AGREEMENT, LX.commencementDate, Literal(begin, datatype=kind), span)
    later = Literal("2030-01-01", datatype=XSD.date)
    assertions.state(AGREEMENT, LX.effectiveDate, later, span)
    assertions.state(AGREEMENT, LX.termLength, Literal(length, datatype=XSD.duration), span)
    imply_expiration(assertions)
    implied = {
        str(c.triple.object)
        for c in assertions.claims()
        if c.triple.predicate == LX.impliedExpirationDate
    }
    assert implied == days


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The purchase price is -$500.", ["-500"]),
        ("The purchase price of the Building is $2,000,000.", ["2000000"]),
        ("The base rent shall be $0.", ["0"]),
        ("The base rent is $0 for the first three months.", []),
        ("The repairs cost $500.", []),
    ],
)
def test_a_price_is_a_sum_that_the_contract_has(text, value):
    assert values(text, LX.amountValue) == value


def owed(text):
    claims = read(text).claims()
    bearers = {c.triple.subject: c.triple.object for c in claims if c.triple.predicate == LX.bearer}
    return [
        c
        for c in claims
        if c.triple.predicate == LX.counterparty and bearers[c.triple.subject] == c.triple.object
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The Tenant shall indemnify the Tenant.",
        "Alpine Holdings LLC must pay the rent to the Landlord.",
    ],
)
def test_a_duty_owed_to_oneself_has_its_bearer_for_counterparty(text):
    assert len(owed(PARTIES + text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Each party shall bear its own costs.",
        "The Tenant shall insure the Tenant's property.",
        "Any non-paying Tenant shall pay the Landlord.",
        "The Tenant shall indemnify the Landlord.",
    ],
)
def test_a_duty_owed_to_another_has_two_sides(text):
    assert owed(PARTIES + text) == []


SIGNED = PARTIES + "\n\nThe term is five years.\n\nIN WITNESS WHEREOF, the parties have signed.\n\n"


@pytest.mark.parametrize(
    ("block", "names"),
    [
        ("ALPINE HOLDINGS LLC\nBy: Ann Roe\n\nBRIGHT HARBOR BOOKS, INC.\nBy: Bob Poe\n", []),
        ("ALPINE HOLDINGS LLC\nBy: Ann Roe\n\nNORTHGATE MILLS, INC.\nBy: Bob Poe\n",
         ["NORTHGATE MILLS, INC"]),
        ("ALPINE HOLDINGS LLC\nBy: Peak Partners LLC, its manager\n", []),
        ("ALPINE HOLDINGS LLC, ALPINE-IOWA, INC., both of Delaware\nBy: Ann Roe\n", []),
    ],
)  # fmt: skip
def test_who_signs_is_a_party_or_named_as_somebody_else(block, names):
    assertions = read(SIGNED + block)
    signatories = [
        c.triple.object for c in assertions.claims() if c.triple.predicate == LX.hasSignatory
    ]
    assert signatories
    parties = {
        c.triple.subject for c in assertions.extraction.claims if c.triple.object == AGREEMENT
    }
    assert [assertions.labels[node] for node in signatories if node not in parties] == names
