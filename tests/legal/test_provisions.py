"""Term, prices and duties of contracts."""

from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.names.resolve import resolve
from groundrules.legal.contracts import AGREEMENT
from groundrules.legal.namespace import LX
from groundrules.legal.provisions import imply_expiration, read_contracts
from groundrules.ontology.read.assertions import Assertions
from tests.rows import each

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


@each("text length")
def test_the_term_is_the_one_length_that_the_document_gives(text, length):
    assert values(text, LX.termLength) == length


@each("begin length days")
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
    assert implied == set(days)


@each("text value")
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


@each("text")
def test_a_duty_owed_to_oneself_has_its_bearer_for_counterparty(text):
    assert len(owed(PARTIES + text)) == 1


@each("text")
def test_a_duty_owed_to_another_has_two_sides(text):
    assert owed(PARTIES + text) == []
