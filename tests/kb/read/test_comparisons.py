"""A reading set beside the statements of a knowledge base."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import RDF, XSD
from rdflib.term import Literal, URIRef

from groundrules.calendar import day_number
from groundrules.kb.read.comparisons import Question, compare_all, relate, unexpressed
from groundrules.kb.read.relational import Bound
from groundrules.kb.read.values import claimed_value
from groundrules.kb.sources.source import Property, Statement, Status, Value
from groundrules.terms import GR, Claim, Span, Triple
from tests.kb.tables import TABLES, built

WD = "http://www.wikidata.org/entity/"
Q = {name: URIRef(WD + name) for name in ("Q1", "Q5", "Q64", "Q84", "Q90", "Q183")}
P19 = URIRef("http://www.wikidata.org/prop/direct/P19")
KB = URIRef("https://kb.example/sparql")


def item(name: str) -> Value:
    return Value("item", Q[name])


def time(low: float, high: float) -> Value:
    return Value("time", Literal(f"{low}..{high}"), low, high)


def day(*date: int, julian: bool = False) -> Value:
    """Return a day, `julian` one that the source dates so and that is given in the other."""
    number = float(day_number(*date))
    return replace(time(number, number), julian=julian)


def amount(low: float, high: float, unit: str = "") -> Value:
    return Value("quantity", Literal(f"{low}..{high} {unit}"), low, high, unit)


def reading(value: Value, name: str = "r1") -> Claim:
    return Claim(URIRef(f"urn:{name}"), Triple(Q["Q1"], P19, value.node), Span("text", 0, 4))


@st.composite
def times(draw: st.DrawFn) -> Value:
    low = draw(st.integers(-1000, 1000))
    return time(low, low + draw(st.integers(0, 400)))


@given(times(), times())
def test_what_entails_one_way_is_coarser_the_other(one: Value, other: Value) -> None:
    dual = {"claim-coarser": "source-coarser", "source-coarser": "claim-coarser"}
    assert relate(other, one) == dual.get(relate(one, other), relate(one, other))


@given(times(), times(), st.integers(0, 400), st.integers(0, 400))
def test_a_wider_claim_never_loses_what_carried_it(
    claimed: Value, known: Value, before: int, after: int
) -> None:
    assert claimed.low is not None
    assert claimed.high is not None
    if relate(claimed, known) in ("equal", "claim-coarser"):
        wider = time(claimed.low - before, claimed.high + after)
        assert relate(wider, known) in ("equal", "claim-coarser")


@pytest.mark.parametrize(("bound", "relation"), TABLES["what is known lies on no side of itself"])
def test_what_is_known_lies_on_no_side_of_itself(bound: Bound, relation: str) -> None:
    year = Literal("1998", datatype=XSD.gYear)
    assert relate(claimed_value(year, bound), claimed_value(year)) == relation


@pytest.mark.parametrize(
    ("claimed", "known", "relation"),
    [
        *built("how values relate", item, time, day, amount),
        (
            time(day_number(1642), day_number(1642, 12, 31)),
            day(1643, 1, 4, julian=True),
            "claim-coarser",
        ),
        (amount(1, 1, WD + "Q11573"), amount(1, 1, WD + "Q11570"), "incomparable"),
        (amount(1, 1, WD + "Q4917"), amount(1, 1, WD + "Q4916"), "incomparable"),
        (amount(1, 1, WD + "Q11573"), amount(1, 1), "incomparable"),
        (amount(1, 1), amount(1, 1, WD + "Q11573"), "incomparable"),
        (
            Value("quantity", Literal(1), 1, 1),
            Value("quantity", Literal(1), 1, 1, WD + "Q11573"),
            "incomparable",
        ),
        (Value("text", Literal("Ada")), Value("text", Literal("ada", lang="en")), "equal"),
        (Value("text", Literal("Ada")), Value("text", Literal("Countess")), "incomparable"),
        (Value("identifier", Literal("a1")), Value("identifier", Literal("b2")), "disjoint"),
        (item("Q64"), Value("somevalue", URIRef(WD + "genid")), "incomparable"),
        (amount(400, inf), amount(486, 486), "claim-coarser"),
        (amount(500, inf), amount(486, 486), "disjoint"),
        (amount(486, inf), amount(480, 490), "overlap"),
        (replace(amount(95, 105), loose=5), amount(108, 108), "overlap"),
        (replace(amount(95, 105), loose=5), amount(111, 111), "disjoint"),
    ],
)
def test_how_values_relate(claimed: Value, known: Value, relation: str) -> None:
    within = frozenset({(Q["Q64"], Q["Q183"])})
    assert relate(claimed, known, within) == relation


def statement(value: Value, **times: Value) -> Statement:
    return Statement(Q["Q1"], P19, value, **times)  # type: ignore[arg-type]


NOVALUE = Value("novalue", URIRef("urn:none"))
SOMEVALUE = Value("somevalue", URIRef("urn:some"))


def test_an_exception_is_not_functional() -> None:
    known = Property(P19, functional="single", exceptions=frozenset({Q["Q1"]}))
    question = Question(reading(item("Q64")), KB, status=Status.EMPTY, property=known)
    facts = compare_all([question]).facts
    assert Triple(URIRef("urn:r1"), GR.functional, Literal("none")) in facts


def test_an_unexpressed_claim_keeps_its_words_and_compares_with_nothing() -> None:
    claim = reading(item("Q64"), "c1")
    question = unexpressed(claim, URIRef("urn:r"), KB, "nil_no_candidate")
    found = compare_all([question])
    assert question.reading.reads == claim.id
    assert question.reading.triple == claim.triple
    assert Triple(URIRef("urn:r"), GR.link, Literal("nil_no_candidate")) in found.facts
    assert not found.evidence


def test_neither_novalue_nor_somevalue_is_vouched_for() -> None:
    statements = (statement(NOVALUE), statement(SOMEVALUE), statement(item("Q64")))
    question = Question(reading(item("Q64")), KB, status=Status.OK, statements=statements)
    none, some, value = compare_all([question]).evidence[KB]
    assert none.polarity == "negative"
    assert some.modality == "possibility"
    assert (value.polarity, value.modality) == ("positive", "asserted")


def test_rivals_are_given_once_for_a_subject_and_property_and_both_ways() -> None:
    statements = (statement(item("Q64")), statement(item("Q90")), statement(item("Q183")))
    within = frozenset({(Q["Q64"], Q["Q183"])})
    asked = [
        Question(
            reading(item("Q90"), f"r{n}"), KB, status=Status.OK, value=item("Q90"),
            property=Property(P19, functional="single"), statements=statements,
        )
        for n in range(2)
    ]  # fmt: skip
    found = compare_all(asked, within)
    rivals = [t for t in found.facts if t.predicate == GR["from"]]
    assert len(rivals) == 4  # Berlin and Paris, Paris and Germany, each both ways
    assert len(found.evidence[KB]) == 3  # shared by both questions
    comparisons = [t for t in found.facts if t.object == GR.Comparison and t.predicate == RDF.type]
    assert len(comparisons) == 6


def test_values_of_what_may_have_several_are_no_rivals() -> None:
    statements = (statement(item("Q64")), statement(item("Q90")))
    question = Question(
        reading(item("Q90")), KB, status=Status.OK, value=item("Q90"), property=Property(P19),
        statements=statements,
    )  # fmt: skip
    assert not [t for t in compare_all([question]).facts if t.predicate == GR["from"]]


def test_a_statement_is_pinned_by_its_name_revision_and_reading_time() -> None:
    known = Statement(
        Q["Q1"], P19, item("Q64"), iri=URIRef(WD + "statement/Q1-abc"), revision="111",
        retrieved="2026-11-21T10:00:00Z",
    )  # fmt: skip
    question = Question(reading(item("Q64")), KB, status=Status.OK, statements=(known,))
    pin = compare_all([question]).pins[Triple(Q["Q1"], P19, Q["Q64"]), str(KB)]
    assert pin == f"{WD}statement/Q1-abc, revision 111, read 2026-11-21T10:00:00Z"


def test_what_is_not_direct_supports_or_is_left_out() -> None:
    statements = (
        Statement(Q["Q1"], P19, item("Q64"), direct=False),
        Statement(Q["Q1"], P19, item("Q90"), direct=False),
        statement(item("Q183")),
    )
    question = Question(
        reading(item("Q64")), KB, status=Status.OK, value=item("Q64"), statements=statements
    )
    found = compare_all([question])
    assert [e.triple.object for e in found.evidence[KB]] == [Q["Q64"], Q["Q183"]]
    assert not [t for t in found.facts if t.predicate == GR["from"]]
