"""Wikidata's JSON as RDF: the same values as in the fixture, and dates as the query service has."""

from __future__ import annotations

import io
import json
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import RDFS
from rdflib.term import Literal, Node, URIRef

from groundrules.dataset import TripleStore, read_rdf
from groundrules.kb.dump import PROP, WD, WIKIBASE, entity_lines, xsd_time

DATA = Path(__file__).parent / "data"
VALUE = "http://www.wikidata.org/value/"
GENID = "http://www.wikidata.org/.well-known/genid/"
#: What the parts of a value node are compared by.
PARTS = {
    WIKIBASE + name
    for name in (
        "timeValue", "timePrecision", "timeCalendarModel", "quantityAmount", "quantityUnit",
    )
}  # fmt: skip
JULIAN, GREGORIAN = WD + "Q1985786", WD + "Q1985727"

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def read(*entities: object, languages: tuple[str, ...] = ("en", "mul")) -> TripleStore:
    store = TripleStore()
    for entity in entities:
        lines = entity_lines(json.dumps(entity).encode(), languages)
        store.load(read_rdf(io.BytesIO(lines.encode()), "N-Triples"))
    return store


def contents(store: TripleStore) -> set[tuple[Node, ...]]:
    """The triples, nodes of values being what they hold and unknown values all the same."""

    def held(node: Node) -> Node:
        if str(node).startswith(VALUE):
            parts = (t for t in store.triples(node) if str(t.predicate) in PARTS)
            return Literal(sorted(f"{t.predicate} {t.object.n3()}" for t in parts))
        return URIRef(GENID) if str(node).startswith(GENID) else node

    return {
        (t.subject, t.predicate, held(t.object))
        for t in store.triples()
        if not str(t.subject).startswith(VALUE)
    }


def test_the_dump_holds_all_that_the_fixture_does() -> None:
    fixture = TripleStore()
    with (DATA / "wikibase_fixture.ttl").open("rb") as file:
        fixture.load(read_rdf(file, "Turtle"))
    lines = (DATA / "wikidata.json").read_text("utf-8").splitlines()[1:-1]
    dump = read(*(json.loads(line.removesuffix(",")) for line in lines))

    assert contents(fixture) - contents(dump) == set()


def entity(snak: dict[str, object], **keys: object) -> dict[str, object]:
    statement = {"id": "Q1$A", "rank": "normal", "mainsnak": {"property": "P1", **snak}, **keys}
    return {"id": "Q1", "type": "item", "claims": {"P1": [statement]}}


def value(kind: str, value: object, datatype: str = "string") -> dict[str, object]:
    data = {"type": kind, "value": value}
    return {"snaktype": "value", "datavalue": data, "datatype": datatype}


def direct(store: TripleStore) -> list[Node]:
    return [t.object for t in store.triples(URIRef(WD + "Q1"), URIRef(PROP + "direct/P1"))]


@given(texts, st.sampled_from(["en", "de-at", "zh-hans"]))
def test_texts_come_through_as_they_are(text: str, language: str) -> None:
    term = {"language": language, "value": text}
    data = {
        "id": "Q1",
        "labels": {language: term},
        "claims": entity(value("monolingualtext", {"text": text, "language": language}))["claims"],
    }
    store = read(data, languages=(language,))

    assert direct(store) == [Literal(text, lang=language)]
    labels = [t.object for t in store.triples(predicate=RDFS.label)]
    assert labels == [Literal(text, lang=language)]


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=9
    )
)
def test_amounts_keep_their_digits_and_are_put_into_si(amount: Decimal) -> None:
    written = f"{amount:+f}"
    store = read(entity(value("quantity", {"amount": written, "unit": WD + "Q828224"})))

    assert [Decimal(node) for node in direct(store)] == [amount]
    (node,) = (
        t.object for t in store.triples(predicate=URIRef(PROP + "statement/value-normalized/P1"))
    )
    parts = {str(t.predicate).removeprefix(WIKIBASE): t.object for t in store.triples(node)}
    assert parts["quantityUnit"] == URIRef(WD + "Q11573")
    assert parts["quantityAmount"].toPython() == amount * 1000  # type: ignore[operator, union-attr]


@given(st.dates())
def test_a_gregorian_day_stays_and_a_julian_one_moves_by_the_same_days(day: date) -> None:
    written = f"+{day.isoformat()}T00:00:00Z"
    assert xsd_time(written, 11, GREGORIAN) == written[1:]
    # Between two 29 February that only the Julian calendar has, its dates move alike.
    if date(1, 1, 3) < day < date(9998, 1, 1):
        moved = date.fromisoformat(str(xsd_time(written, 11, JULIAN))[:10])
        leap = day.month < 3
        century = (day.year - leap) // 100
        assert moved - day == timedelta(days=century - century // 4 - 2)


@pytest.mark.parametrize(
    ("time", "precision", "calendar", "expected"),
    [
        ("-0044-03-15T00:00:00Z", 11, JULIAN, "-0043-03-13T00:00:00Z"),
        ("-0001-01-01T00:00:00Z", 11, JULIAN, "-0001-12-30T00:00:00Z"),
        ("+1582-10-05T00:00:00Z", 11, JULIAN, "1582-10-15T00:00:00Z"),
        ("+1700-02-29T00:00:00Z", 11, JULIAN, "1700-03-11T00:00:00Z"),
        ("+1700-02-29T00:00:00Z", 11, GREGORIAN, "1700-02-28T00:00:00Z"),
        ("+1564-04-00T00:00:00Z", 10, JULIAN, "1564-04-01T00:00:00Z"),
        ("+1915-00-00T00:00:00Z", 9, GREGORIAN, "1915-01-01T00:00:00Z"),
        ("+1915-06-30T00:00:00Z", 9, GREGORIAN, "1915-01-01T00:00:00Z"),
        ("-0044-00-00T00:00:00Z", 9, GREGORIAN, "-0043-01-01T00:00:00Z"),
        ("-0001-00-00T00:00:00Z", 9, GREGORIAN, "0000-01-01T00:00:00Z"),
        ("+0001-00-00T00:00:00Z", 9, GREGORIAN, "0001-01-01T00:00:00Z"),
        ("-0300-00-00T00:00:00Z", 7, GREGORIAN, "-0300-01-01T00:00:00Z"),
        ("-13798000000-00-00T00:00:00Z", 3, GREGORIAN, "-13798000000-01-01T00:00:00Z"),
        ("+0000-00-00T00:00:00Z", 9, GREGORIAN, None),
        ("yesterday", 11, GREGORIAN, None),
    ],
)
def test_dates_are_those_of_the_query_service(
    time: str, precision: int, calendar: str, expected: str | None
) -> None:
    assert xsd_time(time, precision, calendar) == expected


def test_an_address_that_is_none_stays_as_text() -> None:
    for address, node in (
        ("http://example.org/a", URIRef("http://example.org/a")),
        ("http://example.org/a b", Literal("http://example.org/a b")),
        ("x> <http://evil.example/", Literal("x> <http://evil.example/")),
    ):
        assert direct(read(entity(value("string", address, "url")))) == [node]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b"null",
        b'"Q1"',
        b"{}",
        b'{"id": "Q1 } DROP ALL"}',
        b'{"id": "Q1", "claims": {"P1": 3}}',
        b'{"id": "Q1", "claims": [1]}',
        b'{"id": "Q1", "labels": {"en": "x"}}',
        b'{"id": "Q1", "labels": {"en": {"language": "en", "value": "\\ud800"}}}',
        b"<html>",
        json.dumps(entity(value("quantity", {"amount": '1" .', "unit": "1"}))).encode(),
        json.dumps(entity(value("quantity", {"amount": "1", "unit": "a> <b"}))).encode(),
        json.dumps(entity(value("time", {"time": 3}))).encode(),
        json.dumps(entity(value("nonsense", "x"))).encode(),
        json.dumps(entity({"snaktype": "value"})).encode(),
        json.dumps({"id": "P1", "type": "property", "datatype": "a> <b"}).encode(),
    ],
)
def test_what_is_no_entity_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"not (JSON|an entity)|is no|half a character"):
        entity_lines(line)
