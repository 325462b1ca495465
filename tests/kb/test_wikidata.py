"""Wikidata read rightly, and the same, from the embedded store, Oxigraph and Virtuoso."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD
from rdflib.term import Literal, URIRef

from groundrules.kb.sources import wikidata
from groundrules.kb.sources.source import (
    Answer,
    Calls,
    Facts,
    Fault,
    Graph,
    Pair,
    Query,
    Statement,
    Status,
    Value,
)
from groundrules.kb.sources.sparql import Endpoint
from groundrules.kb.sources.triplestore import open_graph
from groundrules.kb.sources.wikidata import WD, WDT, WikidataSource, load_properties, time_value
from tests.kb.tables import TABLES
from tests.servers import oxigraph, virtuoso

DATA = Path(__file__).parent / "data"
FILES = (DATA / "wikibase_fixture.ttl", DATA / "wikidata_more.ttl")
NOW = datetime(2026, 9, 1, tzinfo=UTC)
GENID = "http://www.wikidata.org/.well-known/genid/"
WDNO = "http://www.wikidata.org/prop/novalue/"
LINES = (DATA / "wikidata_read.jsonl").read_text("utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]
#: What the rows leave out.
USUAL = {"rank": "normal", "best": True, "direct": True, "references": 0, "revision": ""}


def at(subject: str, predicate: str) -> Pair:
    return WD[subject], WDT[predicate]


PAIRS = (
    *(at("Q100", p) for p in ("P569", "P19", "P26", "P40", "P570", "P2048", "P106")),
    at("Q101", "P569"),
    *(at("Q300", p) for p in ("P569", "P570", "P571", "P576", "P577", "P580")),
    *(at("Q301", p) for p in ("P1082", "P2067", "P625", "P1448", "P298")),
    *(at("Q302", p) for p in ("P570", "P19", "P108", "P22", "P25", "P26", "P106", "P8810")),
)
CLAIMED = {
    at("Q302", "P19"): [WD.Q313, WD.Q64],
    at("Q302", "P106"): [WD.Q341],
    at("Q302", "P25"): [WD.Q330],
    at("Q302", "P26"): [WD.Q332],
    at("Q302", "P8810"): [WD.Q330],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("wikidata")
    for file in FILES:
        shutil.copy(file, found)
    return found


@pytest.fixture(scope="module")
def embedded(folder: Path) -> WikidataSource:
    return WikidataSource(open_graph(folder))


@pytest.fixture(scope="module", params=["oxigraph", "virtuoso"])
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield the URL of a real server that has the data."""
    import pytest_socket

    pytest_socket.enable_socket()  # its fixtures are those of single tests
    try:
        with {"oxigraph": oxigraph, "virtuoso": virtuoso}[request.param](*FILES) as url:
            yield url
    finally:
        pytest_socket.disable_socket(allow_unix_socket=True)


def days(first: date, last: date | None = None) -> tuple[float, float]:
    return float(first.toordinal()), float((last or first).toordinal())


def time(text: str, datatype: URIRef, first: date, last: date | None = None) -> Value:
    return Value("time", Literal(text, datatype=datatype, normalize=False), *days(first, last))


def year(number: int) -> Value:
    return time(str(number), XSD.gYear, date(number, 1, 1), date(number, 12, 31))


def item(number: str) -> Value:
    return Value("item", WD[number])


def only(facts: Facts) -> Statement:
    assert facts.status is Status.OK
    (statement,) = facts.statements
    return statement


# ---------------------------------------------------------------- every row of the fixtures


def as_told(value: Value | None) -> list[object]:
    """Return a value as the rows tell it: kind and node, the ends of an interval, and its unit."""
    if value is None:
        return []
    node = str(value.node)
    name = node.rpartition("/")[2] if node.startswith("http") else node
    ends = [round(end, 6) for end in (value.low, value.high) if end is not None]
    return [f"{value.kind} {name}", *ends, *filter(None, [value.unit.rpartition("/")[2]])]


def shown(statement: Statement, pair: Pair) -> dict[str, object]:
    """Return a statement as the rows tell it: what is usual is left out."""
    told = {name: getattr(statement, name) for name in USUAL}
    told |= {name: as_told(getattr(statement, name)) for name in ("value", "start", "end", "point")}
    ends = statement.subject.removeprefix(WD), statement.predicate.removeprefix(WDT)
    told |= {"subject": ends[0], "predicate": ends[1], "julian": statement.value.julian}
    ends = pair[0].removeprefix(WD), pair[1].removeprefix(WDT)
    usual = {**USUAL, "subject": ends[0], "predicate": ends[1], "julian": False}
    return {name: value for name, value in told.items() if value != usual.get(name, [])}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["law"])
def test_what_is_stated_is_read_as_its_row_says(
    embedded: WikidataSource, row: dict[str, Any]
) -> None:
    pair = at(*row["pair"])
    claimed = {pair: [WD[one] for one in row["claimed"]]} if "claimed" in row else None
    facts = embedded.statements([pair], claimed)[pair]
    assert facts.status is (Status.OK if row["stated"] else Status.EMPTY)
    assert [shown(statement, pair) for statement in facts.statements] == row["stated"]
    within = {(WD[low], WD[high]) for low, high in row.get("within", [])}
    assert facts.within == within


def test_an_item_is_known_by_its_names_kinds_and_revision(embedded: WikidataSource) -> None:
    ada = embedded.resolve([WD.Q100, WD.Q101])
    assert ada[WD.Q100] == ada[WD.Q101]
    entity = ada[WD.Q101]
    assert not isinstance(entity, Fault)
    assert (entity.iri, entity.label, entity.types) == (WD.Q100, "Ada Example", (WD.Q5,))
    assert (entity.prior, entity.revision) == (12, "111")


def test_kinds_are_found_up_the_subclasses(embedded: WikidataSource) -> None:
    classes = [WD.Q215627, WD.Q24229398, WD.Q6256]
    found = embedded.types([WD.Q100, WD.Q101, WD.Q5], classes)
    assert found[WD.Q100] == found[WD.Q101] == {WD.Q215627, WD.Q24229398}
    assert found[WD.Q5] == frozenset()


def test_names_are_found_the_likeliest_first(embedded: WikidataSource) -> None:
    found = embedded.named(["Exampleton", "exampleton", "nobody", ""])
    bearers = found["Exampleton"]
    assert not isinstance(bearers, Fault)
    # by sitelinks; a disambiguation page is nothing that could be meant
    assert [entity.iri for entity in bearers] == [WD.Q350, WD.Q310, WD.Q352, WD.Q351]
    assert bearers[1].description == "town"
    assert bearers[2].aliases == ("Exampleton",)
    assert found["nobody"] == found[""] == ()
    other = found["exampleton"]
    assert not isinstance(other, Fault)
    assert {entity.iri for entity in other} == {entity.iri for entity in bearers}


# ---------------------------------------------------------------- the same everywhere


def undated(facts: Facts) -> Facts:
    return replace(facts, statements=tuple(replace(s, retrieved="") for s in facts.statements))


def everything(source: WikidataSource) -> tuple[object, ...]:
    found = source.statements(PAIRS, CLAIMED)
    names = source.named(["Exampleton", "exampleton", "Ada Example", "A. Example", "nobody"])
    return (
        {pair: undated(facts) for pair, facts in found.items()},
        names,
        source.resolve([WD.Q100, WD.Q101, WD.Q300, WD.Q310, WD.Q5, WD.Q99999]),
        source.types([WD.Q100, WD.Q101, WD.Q302], [WD.Q5, WD.Q24229398]),
        source.properties(),
    )


@pytest.mark.enable_socket
def test_every_server_gives_the_same_as_the_embedded_store(
    embedded: WikidataSource, server: str
) -> None:
    remote = WikidataSource(Endpoint(server, now=NOW))
    assert everything(remote) == everything(embedded)
    assert remote.calls.requests == 7


@pytest.mark.enable_socket
def test_what_is_asked_alone_is_answered_as_among_others(
    embedded: WikidataSource, server: str
) -> None:
    # Virtuoso plans a block of one row otherwise, and an optional step from it led anywhere
    remote = WikidataSource(Endpoint(server, now=NOW))
    classes = [WD.Q5, WD.Q515, WD.Q24229398]
    for one in (WD.Q100, WD.Q101, WD.Q302, WD.Q310, WD.Q99999):
        assert remote.resolve([one]) == embedded.resolve([one])
        assert remote.types([one], classes) == embedded.types([one], classes)
    for pair in PAIRS:
        far = remote.statements([pair], CLAIMED)[pair]
        assert undated(far) == embedded.statements([pair], CLAIMED)[pair]


# ---------------------------------------------------------------- direct triples alone


@pytest.fixture(scope="module")
def direct(tmp_path_factory: pytest.TempPathFactory) -> WikidataSource:
    path = tmp_path_factory.mktemp("direct") / "direct.ttl"
    path.write_text(
        """
        @prefix wd: <http://www.wikidata.org/entity/> .
        @prefix wdt: <http://www.wikidata.org/prop/direct/> .
        @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        @prefix owl: <http://www.w3.org/2002/07/owl#> .
        wd:Q1 wdt:P569 "1891-02-15"^^xsd:date ; wdt:P570 "1962"^^xsd:gYear ; wdt:P19 wd:Q3 ;
              wdt:P571 "1900-01-01T00:00:00Z"^^xsd:dateTime ; wdt:P1082 "+33787"^^xsd:decimal ;
              wdt:P576 "1900-05-01T00:00:00Z"^^xsd:dateTime ;
              wdt:P577 "1900-05-02T00:00:00Z"^^xsd:dateTime ;
              wdt:P20 <http://www.wikidata.org/.well-known/genid/x> .
        wd:Q2 owl:sameAs wd:Q1 .
        wd:Q3 owl:sameAs wd:Q4 . wd:Q4 wdt:P131 wd:Q5 .
        wd:Q6 wdt:P26 wd:Q1 .
        """,
        encoding="utf-8",
    )
    return WikidataSource(open_graph(path))


def test_direct_triples_are_statements_of_normal_rank_without_a_name(
    direct: WikidataSource,
) -> None:
    assert direct.ranked() is False
    pair = at("Q1", "P569")
    value = time("1891-02-15", XSD.date, date(1891, 2, 15))
    assert direct.statements([pair])[pair] == Facts(Status.OK, (Statement(*pair, value),))


@pytest.mark.parametrize(
    ("predicate", "value"),
    [
        ("P570", year(1962)),
        ("P571", year(1900)),  # precision is lost: the first of January may be any day
        ("P576", time("1900-05", XSD.gYearMonth, date(1900, 5, 1), date(1900, 5, 31))),
        ("P577", time("1900-05-02", XSD.date, date(1900, 5, 2))),
        ("P1082", Value("quantity", Literal("33787", datatype=XSD.decimal), 33786.5, 33787.5)),
        ("P20", Value("somevalue", URIRef(f"{GENID}x"))),
    ],
)
def test_direct_values_are_as_exact_as_their_literals(
    direct: WikidataSource, predicate: str, value: Value
) -> None:
    found = only(direct.statements([at("Q1", predicate)])[at("Q1", predicate)]).value
    assert (found.kind, found.low, found.high) == (value.kind, value.low, value.high)


def test_direct_triples_have_redirects_inverses_and_places(direct: WikidataSource) -> None:
    born, married = at("Q2", "P19"), at("Q1", "P26")
    found = direct.statements([born, married], {born: [WD.Q5], married: [WD.Q6]})
    assert only(found[born]).value == item("Q4")
    assert found[born].within == {(WD.Q4, WD.Q5)}
    assert (only(found[married]).value, only(found[married]).direct) == (item("Q6"), False)


# ---------------------------------------------------------------- what goes wrong


@dataclass
class Broken:
    """A graph that fails for queries over what `bad` names."""

    inner: Graph
    bad: str
    asked: list[Query] = field(default_factory=list)
    name = "broken"
    iri = URIRef("urn:broken")
    calls = Calls()

    def select(self, query: Query) -> Answer:
        self.asked.append(query)
        rows = query.values.get(query.batch, [()])
        faults = {row: Fault(Status.ERROR, "NETWORK") for row in rows if self.bad in str(row)}
        kept = [row for row in rows if row not in faults]
        if not query.batch:
            return self.inner.select(query)
        answer = self.inner.select(replace(query, values={**query.values, query.batch: kept}))
        return replace(answer, faults=faults)


def test_a_look_up_that_failed_is_no_answer(folder: Path) -> None:
    source = WikidataSource(Broken(open_graph(folder), "Q100"))
    born, other = at("Q100", "P569"), at("Q300", "P569")
    found = source.statements([born, other])
    assert found[born].status is Status.ERROR
    assert found[born].fault == Fault(Status.ERROR, "NETWORK")
    assert found[born].statements == ()
    assert found[other].status is Status.OK
    assert isinstance(source.resolve([WD.Q100])[WD.Q100], Fault)
    assert isinstance(source.types([WD.Q100], [WD.Q5])[WD.Q100], Fault)


def test_a_failed_look_up_of_the_inverse_fails_the_pair(folder: Path) -> None:
    source = WikidataSource(Broken(open_graph(folder), "Q330"))
    pair = at("Q302", "P25")
    assert source.statements([pair], {pair: [WD.Q330]})[pair].status is Status.ERROR


class Down:
    """A graph that answers nothing."""

    name = "down"
    iri = URIRef("urn:down")
    calls = Calls()

    def select(self, query: Query) -> Answer:
        rows = query.values[query.batch] if query.batch else [()]
        return Answer(faults=dict.fromkeys(rows, Fault(Status.SKIPPED, "BANNED")))


def test_a_source_that_is_down_answers_nothing() -> None:
    source = WikidataSource(Down())
    found = source.statements([at("Q1", "P19")])[at("Q1", "P19")]
    assert found == Facts(Status.SKIPPED, fault=Fault(Status.SKIPPED, "BANNED"))
    assert source.named(["x"]) == {"x": Fault(Status.SKIPPED, "BANNED")}
    assert source.properties()[WDT.P19] == load_properties()[WDT.P19]


@pytest.mark.parametrize(
    "pair",
    [
        (URIRef("http://www.wikidata.org/entity/Q1> } DROP ALL"), WDT.P19),
        (WD.Q01, WDT.P19),
        (WD.Q1, URIRef("http://www.wikidata.org/prop/direct/P19/x")),
        (WD.Q1, WD.P19),
    ],
)
def test_what_is_no_id_is_never_asked(folder: Path, pair: Pair) -> None:
    graph = Broken(open_graph(folder), "\0")
    with pytest.raises(ValueError, match="no entity and property"):
        WikidataSource(graph).statements([pair])
    assert graph.asked == []


def test_what_a_method_asks_does_not_grow_with_what_it_is_asked(folder: Path) -> None:
    graph = Broken(open_graph(folder), "\0")
    source = WikidataSource(graph)
    source.ranked()
    before = len(graph.asked)
    source.statements(PAIRS, CLAIMED)
    source.types([WD.Q100, WD.Q300], [WD.Q5, WD.Q515])
    source.resolve([WD.Q100, WD.Q300])
    source.named(["Exampleton", "Ada Example"])
    assert len(graph.asked) == before + 6
    for nothing in (
        source.statements([]),
        source.resolve([]),
        source.named([]),
        source.types([], []),
    ):
        assert nothing == {}
    assert len(graph.asked) == before + 6


# ---------------------------------------------------------------- coarse times


@pytest.mark.parametrize(
    ("year_read", "precision", "first", "last", "name"),
    TABLES["centuries begin with 1 and decades with 0"],
)
def test_centuries_begin_with_1_and_decades_with_0(
    year_read: int, precision: int, first: int, last: int, name: str
) -> None:
    value = time_value(year_read, 1, 1, precision)
    assert value.low == time_value(first, 1, 1, 11).low
    assert value.high == time_value(last, 12, 31, 11).high
    assert str(value.node) == name


@given(st.integers(-5000, 5000), st.integers(1, 12), st.integers(1, 28), st.integers(0, 14))
def test_a_time_contains_the_day_it_was_written_as(y: int, m: int, d: int, precision: int) -> None:
    value, day = time_value(y, m, d, precision), time_value(y, m, d, 11)
    assert value.low is not None
    assert value.high is not None
    assert day.low is not None
    assert value.low <= day.low <= value.high
    coarser = time_value(y, m, d, max(precision - 1, 0))
    assert coarser.low is not None
    assert coarser.high is not None
    if precision != 8:  # the years 1900 to 1909 are of two centuries
        assert coarser.low <= value.low
        assert value.high <= coarser.high


# ---------------------------------------------------------------- property data


def test_property_data_is_whole() -> None:
    known = load_properties()
    for iri, prop in known.items():
        assert prop.iri == iri
        assert prop.label
        assert prop.kind in {"item", "time", "quantity", "text", "coordinate", "identifier"}
        assert prop.functional in {"", "strict", "single", "single_best"}
        assert iri not in prop.narrower
        for other in (*prop.narrower, *([prop.inverse] if prop.inverse else [])):
            assert other in known
        if prop.symmetric:
            assert prop.inverse in (None, iri)
    assert known[WDT.P569].kind == "time"
    assert known[WDT.P569].functional == "strict"
    assert (
        known[WDT.P577].functional == known[WDT.P123].functional == known[WDT.P21].functional == ""
    )


def test_the_card_of_the_property_data_is_of_this_data() -> None:
    folder = Path(wikidata.__file__).parent
    digest = hashlib.sha256((folder / "properties.json").read_bytes()).hexdigest()
    assert digest in (folder / "properties.md").read_text(encoding="utf-8")


def test_no_value_that_lies_in_another_entails_citizenship() -> None:
    assert load_properties()[WDT.P27].within == ()
    assert WDT.P131 in load_properties()[WDT.P19].within
