"""What any RDF states, and what its literals mean."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD, Namespace
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.calendar import day_number
from groundrules.kb.sources.literals import read_amount, read_node, tolerance
from groundrules.kb.sources.rdf import RdfSource
from groundrules.kb.sources.source import Facts, Fault, Statement, Status, Value
from groundrules.kb.sources.sparql import Endpoint
from groundrules.kb.sources.triplestore import open_graph
from tests.servers import oxigraph, virtuoso

EX = Namespace("http://example.org/")
TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:born a owl:FunctionalProperty , owl:DatatypeProperty ; rdfs:range xsd:date ;
    rdfs:label "date of birth"@en ; skos:altLabel "born"@en .
:marriedTo a owl:ObjectProperty , owl:SymmetricProperty ;
    rdfs:domain :Person ; rdfs:range :Person .
:parent a owl:ObjectProperty ; owl:inverseOf :child .
:father rdfs:subPropertyOf :parent . :stepfather rdfs:subPropertyOf :father .

:ada a :Programmer ; rdfs:label "Ada"@en , "Ada auf Deutsch"@de ; :born "1815-12-10"^^xsd:date ;
    :livesIn :london ; :height 1.7 ; :marriedTo _:somebody ; :father :byron .
:Programmer rdfs:subClassOf :Person .
:adaOld owl:sameAs :ada .
:william :marriedTo :ada . :annabella :child :ada .
:london foaf:name "London" ; schema:containedInPlace :england .
:england skos:prefLabel "England"@en ; schema:containedInPlace :uk .
:byron schema:name "Byron"@en ; skos:altLabel "Ada"@en .
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("rdf") / "facts.ttl"
    found.write_text(TURTLE, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def source(path: Path) -> RdfSource:
    return RdfSource(open_graph(path))


@pytest.fixture(scope="module", params=["oxigraph", "virtuoso"])
def server(request: pytest.FixtureRequest, path: Path) -> Iterator[str]:
    import pytest_socket

    pytest_socket.enable_socket()  # its fixtures are those of single tests
    try:
        with {"oxigraph": oxigraph, "virtuoso": virtuoso}[request.param](path) as url:
            yield url
    finally:
        pytest_socket.disable_socket(allow_unix_socket=True)


def only(facts: Facts) -> Statement:
    assert facts.status is Status.OK
    (statement,) = facts.statements
    return statement


def test_a_triple_is_a_statement_of_normal_rank(source: RdfSource) -> None:
    pair = (EX.ada, EX.born)
    node = Literal("1815-12-10", datatype=XSD.date, normalize=False)
    day = float(date(1815, 12, 10).toordinal())
    assert source.statements([pair])[pair] == Facts(
        Status.OK, (Statement(*pair, Value("time", node, day, day)),)
    )
    assert source.statements([(EX.ada, EX.died)])[EX.ada, EX.died].status is Status.EMPTY


def test_an_old_name_leads_to_the_statements_of_the_new_one(source: RdfSource) -> None:
    pair = (EX.adaOld, EX.born)
    assert only(source.statements([pair])[pair]).subject == EX.ada
    entity = source.resolve([EX.adaOld])[EX.adaOld]
    assert not isinstance(entity, Fault)
    assert (entity.iri, entity.label) == (EX.ada, "Ada")


def test_owl_says_what_is_functional_symmetric_inverse_and_narrower(source: RdfSource) -> None:
    known = source.properties()
    assert (known[EX.born].functional, known[EX.born].kind) == ("strict", "time")
    assert (known[EX.born].label, known[EX.born].aliases) == ("date of birth", ("born",))
    assert known[EX.marriedTo].symmetric
    assert known[EX.marriedTo].domain == (EX.Person,)
    assert known[EX.parent].inverse == EX.child
    assert known[EX.child].inverse == EX.parent
    assert known[EX.parent].narrower == (EX.father, EX.stepfather)
    assert known[EX.livesIn].label == "lives in"
    assert known[EX.livesIn].functional == ""


def test_values_in_use_say_the_kind_where_no_range_is_declared(tmp_path: Path) -> None:
    path = tmp_path / "used.ttl"
    path.write_text(
        "@prefix : <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        ':a :height 1.7 ; :founded "1168"^^xsd:gYear ; :motto "onward"@en ; :capital :b ;'
        ' :mixed 1, :b ; :nobody "x"^^:unknown .',
        encoding="utf-8",
    )
    known = RdfSource(open_graph(path)).properties()

    kinds = {iri.removeprefix(EX): one.kind for iri, one in known.items()}
    assert kinds == {
        "height": "quantity", "founded": "time", "motto": "text", "capital": "item",
        "mixed": "item", "nobody": "item",
    }  # fmt: skip


def test_a_title_is_found_without_its_article(tmp_path: Path) -> None:
    path = tmp_path / "book.ttl"
    path.write_text(
        '<http://example.org/b> <http://www.w3.org/2000/01/rdf-schema#label> "The Hours"@en .',
        encoding="utf-8",
    )
    found = RdfSource(open_graph(path)).named(["Hours", "The Hours", "hours", "Few Hours"])

    assert {name: len(entities) for name, entities in found.items()} == {
        "Hours": 1, "The Hours": 1, "hours": 0, "Few Hours": 0,
    }  # fmt: skip


def test_what_is_stated_elsewhere_supports_and_nothing_more(source: RdfSource) -> None:
    father, mother = (EX.ada, EX.parent), (EX.ada, EX.marriedTo)
    found = source.statements([father, mother], {father: [EX.annabella], mother: [EX.william]})
    by_value = {s.value.node: (s.predicate, s.direct, s.best) for s in found[father].statements}
    assert by_value == {
        EX.byron: (EX.father, False, False),
        EX.annabella: (EX.parent, False, False),
    }
    spouses = {s.value.kind: s.direct for s in found[mother].statements}
    assert spouses == {"somevalue": True, "item": False}


def test_what_lies_in_what_comes_with_the_statements(source: RdfSource) -> None:
    pair = (EX.ada, EX.livesIn)
    assert source.statements([pair], {pair: [EX.uk, EX.ada]})[pair].within == {(EX.london, EX.uk)}


def test_kinds_are_found_up_the_subclasses(source: RdfSource) -> None:
    found = source.types([EX.ada, EX.adaOld, EX.london], [EX.Person])
    assert found == {EX.ada: {EX.Person}, EX.adaOld: {EX.Person}, EX.london: frozenset()}


@pytest.mark.parametrize(
    ("name", "iris"),
    [
        ("Ada", [EX.ada, EX.byron]),
        ("ada", [EX.ada, EX.byron]),
        ("London", [EX.london]),
        ("England", [EX.england]),
        ("Ada auf Deutsch", []),
        ('"} DROP ALL', []),
    ],
)
def test_names_are_found_by_any_of_the_vocabularies(
    source: RdfSource, name: str, iris: list[URIRef]
) -> None:
    found = source.named([name])[name]
    assert not isinstance(found, Fault)
    assert [entity.iri for entity in found] == iris


@pytest.mark.enable_socket
def test_every_server_gives_the_same_as_the_embedded_store(source: RdfSource, server: str) -> None:
    remote = RdfSource(Endpoint(server, now=datetime(2026, 9, 1, tzinfo=UTC)))
    pairs = [(EX.ada, EX.born), (EX.adaOld, EX.livesIn), (EX.ada, EX.height), (EX.ada, EX.parent)]
    claimed = {pairs[1]: [EX.uk], pairs[3]: [EX.annabella]}
    near, far = source.statements(pairs, claimed), remote.statements(pairs, claimed)
    for pair in pairs:
        assert {(s.subject, s.value) for s in far[pair].statements} == {
            (s.subject, s.value) for s in near[pair].statements
        }
        assert far[pair].within == near[pair].within
    assert remote.named(["Ada", "London"]) == source.named(["Ada", "London"])
    assert remote.types([EX.ada], [EX.Person]) == source.types([EX.ada], [EX.Person])
    used = (EX.born, EX.parent, EX.height, EX.livesIn)
    assert {iri: remote.properties()[iri] for iri in used} == {
        iri: source.properties()[iri] for iri in used
    }


# ---------------------------------------------------------------- values


def literal(text: str, datatype: URIRef) -> Literal:
    return Literal(text, datatype=datatype, normalize=False)


@pytest.mark.parametrize(
    ("node", "kind"),
    [
        (EX.ada, "item"),
        pytest.param(BNode(), "somevalue", id="blank-somevalue"),
        (Literal("text"), "text"),
        (Literal("Text", lang="de"), "text"),
        (literal("http://a/", XSD.anyURI), "identifier"),
        (literal("true", XSD.boolean), "opaque"),
        (literal("12", XSD.gYear), "opaque"),
        (literal("-44", XSD.gYear), "opaque"),
        (literal("1915-02-30", XSD.date), "opaque"),
        (literal("1915", XSD.date), "opaque"),
        (literal("1915-13", XSD.gYearMonth), "opaque"),
        (literal("NaN", XSD.double), "opaque"),
        (literal("INF", XSD.double), "opaque"),
        (literal("1e999999999", XSD.double), "opaque"),
        (literal("1 000", XSD.integer), "opaque"),
    ],
)
def test_a_literal_that_is_none_of_its_type_is_opaque(node: Node, kind: str) -> None:
    value = read_node(node)
    assert value.kind == kind
    assert value.low is value.high is None


@pytest.mark.parametrize("datatype", [XSD.dateTime, XSD.date, XSD.gYearMonth, XSD.gYear])
def test_years_before_christ_are_repaired_after_virtuoso(datatype: URIRef) -> None:
    text = {XSD.dateTime: "-03-15T00:00:00Z", XSD.date: "-03-15", XSD.gYearMonth: "-03"}
    tail = text.get(datatype, "")
    whole, cut = (literal(year + tail, datatype) for year in ("-0044", "-044"))
    assert read_node(cut) == read_node(whole)
    assert read_node(whole).low == day_number(-44, 3 if tail else 1, 15 if "-15" in tail else 1)


def test_a_place_has_one_spelling_whatever_the_server() -> None:
    ours = literal("Point(13.4 52.5)", URIRef("http://www.opengis.net/ont/geosparql#wktLiteral"))
    theirs = literal(
        "POINT(13.4 52.5)", URIRef("http://www.openlinksw.com/schemas/virtrdf#Geometry")
    )
    assert read_node(theirs) == read_node(ours) == Value("coordinate", ours)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_an_amount_is_in_its_own_interval_and_at_most_half_a_percent_off(amount: Decimal) -> None:
    slack = tolerance(amount)
    assert 0 <= slack <= abs(amount) / 200
    assert slack <= tolerance(amount, claimed=True)
    value = read_node(Literal(str(amount), datatype=XSD.decimal, normalize=False))
    assert value.low is not None
    assert value.high is not None
    assert value.low <= float(amount) <= value.high


@given(st.integers(-99, 99))
def test_a_small_whole_number_is_a_count_and_exact(count: int) -> None:
    assert tolerance(Decimal(count)) == tolerance(Decimal(count), claimed=True) == 0


@pytest.mark.parametrize(
    ("text", "stated", "claimed"),
    [
        ("33787", "0.5", "168.935"),
        ("9000000", "45000", "500000"),
        ("4800", "24", "50"),
        ("1.75", "0.005", "0.00875"),
    ],
)
def test_the_last_digit_that_is_not_0_says_how_exact_an_amount_is(
    text: str, stated: str, claimed: str
) -> None:
    amount = read_amount(Literal(text))
    assert amount is not None
    assert tolerance(amount) == Decimal(stated)
    assert tolerance(amount, claimed=True) == Decimal(claimed)
