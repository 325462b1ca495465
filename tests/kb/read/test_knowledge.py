"""What a text says, put in the terms of a source: links, properties, values, and what is left."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD
from rdflib.term import Literal, URIRef

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import Extraction, extract
from groundrules.claims.names.resolve import resolve
from groundrules.kb.link.properties import Relations
from groundrules.kb.read.comparisons import Question, relate
from groundrules.kb.read.knowledge import Readings, read_knowledge
from groundrules.kb.read.values import claimed_value, days_of
from groundrules.kb.sources.connect import Connection, connect
from groundrules.kb.sources.literals import read_node
from groundrules.kb.sources.source import Fault, Status
from groundrules.terms import GR

E = "https://example.org/"
TURTLE = """
@prefix : <https://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:capital a owl:FunctionalProperty ; rdfs:label "capital"@en .
:founded a owl:FunctionalProperty ; rdfs:label "founded in"@en .
:sister rdfs:label "sister city"@en .
:syldavia rdfs:label "Syldavia"@en ; :capital :klow . :borduria rdfs:label "Borduria"@en .
:klow rdfs:label "Klow"@en ; :founded "1168-05-01"^^xsd:date ; :sister :szohod .
:szohod rdfs:label "Szohod"@en . :szohod2 rdfs:label "Szohod"@en .
"""
NOW = date(2026, 3, 1)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Connection:
    path = tmp_path_factory.mktemp("facts") / "facts.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return connect(str(path), now=datetime(2026, 3, 1, tzinfo=UTC))


def extracted(text: str) -> Extraction:
    return resolve([extract(from_text(text))])[0]


def read(text: str, source: Connection, fault: Fault | None = None) -> Readings:
    extraction = extracted(text)
    known = Relations(source.source.properties())
    return read_knowledge(
        extraction, extraction.claims, source.source, known,
        now=NOW, named=source.named, fault=fault,
    )  # fmt: skip


def only(readings: Readings) -> Question:
    (question,) = readings.questions
    return question


def test_a_sentence_becomes_a_triple_of_the_source(source: Connection) -> None:
    question = only(read("The capital of Syldavia is Klow.", source))
    triple = question.reading.triple
    assert (triple.subject, triple.predicate, triple.object) == (
        URIRef(E + "syldavia"), URIRef(E + "capital"), URIRef(E + "klow"),
    )  # fmt: skip
    assert question.reading.reads is not None
    assert (question.link, question.doubts, question.status) == ("linked", (), Status.SKIPPED)


def test_what_is_said_backwards_is_turned(source: Connection) -> None:
    question = only(read("Klow is the capital of Syldavia.", source))
    assert question.reading.triple.subject == URIRef(E + "syldavia")
    assert question.reading.triple.object == URIRef(E + "klow")


def test_a_denial_stays_one(source: Connection) -> None:
    assert only(read("Klow is not the capital of Syldavia.", source)).reading.polarity == "negative"


def test_a_year_is_a_value(source: Connection) -> None:
    question = only(read("Klow was founded in 1168.", source))
    assert question.value is not None
    assert question.value.kind == "time"
    assert question.property is not None
    assert question.property.iri == URIRef(E + "founded")


@pytest.mark.parametrize(
    ("text", "link", "unlinked"),
    [
        ("The capital of Ruritania is Klow.", "nil_no_candidate", "Ruritania"),
        ("The capital of Syldavia is Streslau.", "nil_no_candidate", "Streslau"),
        ("Borduria was defeated by Syldavia.", "unmapped", ""),
        ("Is Klow the capital of Syldavia?", "not_checkable", ""),
        ("If the capital of Syldavia is Klow, we go there.", "not_checkable", ""),
    ],
)
def test_what_cannot_be_put_is_kept_with_the_reason(
    source: Connection, text: str, link: str, unlinked: str
) -> None:
    readings = read(text, source)
    kept = [question for question in readings.questions if question.link == link]
    assert kept
    assert all(question.property is None for question in readings.questions)
    assert readings.faults == ()
    if unlinked:
        names = {readings.labels.get(q.unlinked) or str(q.unlinked) for q in kept if q.unlinked}
        assert any(unlinked.casefold() in name.casefold() for name in names)


def test_a_name_of_two_things_is_read_both_ways(source: Connection) -> None:
    readings = read("Szohod is a sister city of Klow.", source)
    linked = [question for question in readings.questions if question.property]
    ends = {
        node
        for question in linked
        for node in (question.reading.triple.subject, question.reading.triple.object)
    }
    also = {
        node
        for question in linked
        for node in (
            *readings.others[question.reading.id].subjects,
            *readings.others[question.reading.id].objects,
        )
    }
    assert {URIRef(E + "szohod"), URIRef(E + "szohod2")} <= ends | also


def test_every_claim_has_a_question(source: Connection) -> None:
    text = (
        "The capital of Syldavia is Klow. Nobody knows Zorblax. Haddock drinks whisky. "
        "Who rules Borduria? Klow was founded in 1168 and Szohod might be older."
    )
    readings = read(text, source)
    asked = {question.reading.reads for question in readings.questions}
    assert asked == {claim.id for claim in readings.claims}


def test_reading_twice_is_reading_once(source: Connection) -> None:
    text = "The capital of Syldavia is Klow. Szohod is a sister city of Klow."
    assert read(text, source) == read(text, source)


def test_without_its_properties_a_source_is_asked_nothing(source: Connection) -> None:
    fault = Fault(Status.ERROR, "BANNED", "go away")
    before = source.source.calls
    readings = read("The capital of Syldavia is Klow. Klow likes Borduria.", source, fault)
    assert source.source.calls == before
    assert readings.questions
    assert {question.status for question in readings.questions} == {Status.ERROR}
    assert set(readings.faults) == {fault}


# ---------------------------------------------------------------- values


def test_an_iri_is_an_item() -> None:
    assert claimed_value(URIRef(E + "klow")).kind == "item"


@given(st.dates())
def test_a_day_is_within_its_month_and_year(day: date) -> None:
    texts = (
        (day.isoformat(), XSD.date),
        (f"{day:%Y-%m}".zfill(7), XSD.gYearMonth),
        (f"{day.year:04}", XSD.gYear),
    )
    values = [
        claimed_value(Literal(text, datatype=datatype, normalize=False)) for text, datatype in texts
    ]
    assert [value.kind for value in values] == ["time"] * 3
    assert (values[0].low, values[0].high) == (day.toordinal(), day.toordinal())
    for finer, coarser in ((0, 1), (0, 2), (1, 2)):
        assert relate(values[coarser], values[finer]) in ("claim-coarser", "equal")


@given(st.dates(max_value=date(9998, 1, 1)))
def test_the_next_day_is_another(day: date) -> None:
    one, two = (
        claimed_value(Literal(d.isoformat(), datatype=XSD.date))
        for d in (day, day + timedelta(days=1))
    )
    assert relate(one, two) == "disjoint"


@given(st.integers(0, 99), st.integers(0, 99))
def test_counts_are_exact(one: int, two: int) -> None:
    values = [claimed_value(Literal(number)) for number in (one, two)]
    assert relate(*values) == ("equal" if one == two else "disjoint")


@given(st.integers(100, 10**9))
def test_an_amount_holds_for_itself_and_what_rounds_to_it(amount: int) -> None:
    value = claimed_value(Literal(amount))
    assert value.low is not None
    assert value.high is not None
    assert value.low <= amount <= value.high
    assert value.low >= amount * 0.99 or value.high - value.low <= amount
    assert relate(value, claimed_value(Literal(amount * 3))) == "disjoint"


@pytest.mark.parametrize(
    ("said", "stated", "relation"),
    [
        ("9000000", "8700000", "equal"),
        ("8700000", "9000000", "disjoint"),
        ("1400", "1000", "disjoint"),
        ("33787", "33800", "equal"),
        ("12", "13", "disjoint"),
    ],
)
def test_a_text_may_round_and_a_source_does_not(said: str, stated: str, relation: str) -> None:
    claimed, known = (Literal(text, datatype=XSD.integer) for text in (said, stated))
    assert relate(claimed_value(claimed), read_node(known)) == relation


@pytest.mark.parametrize(
    ("node", "kind", "unit"),
    [
        (
            Literal("1.7 m", datatype=GR.quantity),
            "quantity",
            "http://www.wikidata.org/entity/Q11573",
        ),
        (Literal("3 parsecs", datatype=GR.quantity), "opaque", ""),
        (Literal("onward"), "text", ""),
        (Literal("true", datatype=XSD.boolean), "opaque", ""),
        (Literal("P1Y", datatype=XSD.duration), "opaque", ""),
        (Literal("not a date", datatype=XSD.date), "opaque", ""),
    ],
)
def test_what_cannot_be_compared_is_opaque(node: Literal, kind: str, unit: str) -> None:
    value = claimed_value(node)
    assert (value.kind, value.unit) == (kind, unit)


def test_only_dates_have_days() -> None:
    year = days_of(Literal("2024", datatype=XSD.gYear))
    assert year == (date(2024, 1, 1).toordinal(), date(2024, 12, 31).toordinal())
    assert days_of(None) is None
    assert days_of(Literal("2024")) is None
    assert days_of(Literal("P2024Y", datatype=XSD.duration)) is None
