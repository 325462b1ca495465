"""Laws of filled queries; Oxigraph is the oracle of what SPARQL a text is."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, Node, URIRef, Variable

from groundrules.dataset import Dataset
from groundrules.kb.sources.query import fill, is_iri, is_language, write
from groundrules.kb.sources.source import Query
from tests.kb.tables import TABLES

PAIRS = "SELECT ?s ?o WHERE { VALUES (?s ?o) { $pairs } }"
NAMES = "SELECT ?o WHERE { VALUES ?o { $names } }"

ATTACKS = [
    '"',
    "\\",
    '\\"',
    '\\\\"',
    "'",
    "} DROP ALL",
    '" } } ; DROP ALL #',
    '"@en) } INSERT DATA { <urn:x> <urn:x> <urn:x> } #',
    "\\u0022 } DROP ALL #",
    "\\\\u0022 } DROP ALL",
    "\\U00000022 } DROP ALL",
    "\\\\\\u0022",
    "$names { $names }",
    "?o $o",
    "line\nline\r\n\ttab\b\f\x00\x1f\x7f\x85\u2028",
    '"""',
    "'''",
    "#",
    "<urn:x>",
    "a  b   c",
    "\ufeff\ufffe\U0010ffff",
    "",
]

TEXT = st.text(st.characters(exclude_categories=["Cs"])) | st.lists(
    st.sampled_from([*ATTACKS, "\\", "u", "U", "0022", '"', "{", "}", "\n"])
).map("".join)
IRI = st.builds(
    "{}{}".format,
    st.sampled_from(["urn:", "http://a/", "http://www.wikidata.org/entity/Q", "x:"]),
    st.text("aé東/.,;:@!$&'()*+=~_-0%41?#", max_size=20) | TEXT,
).filter(is_iri)
LITERAL = st.one_of(
    st.builds(Literal, TEXT),
    st.builds(Literal, TEXT, lang=st.sampled_from(["en", "de-at", "zh-hant-tw", "mul"])),
    st.builds(
        lambda text, datatype: Literal(text, datatype=URIRef(datatype), normalize=False),
        TEXT,
        IRI | st.sampled_from([str(XSD.integer), str(XSD.dateTime), str(XSD.boolean)]),
    ),
)


def rows(query: Query) -> list[dict[str, Node]]:
    return Dataset().query(fill(query))


@given(st.lists(st.tuples(IRI.map(URIRef), LITERAL | IRI.map(URIRef)), max_size=5))
def test_the_terms_of_a_filled_query_are_those_put_in(pairs: list[tuple[Node, Node]]) -> None:
    found = [(row["s"], row["o"]) for row in rows(Query(PAIRS, {"pairs": pairs}))]
    assert found == pairs
    assert [type(o) for _, o in found] == [type(o) for _, o in pairs]


@pytest.mark.parametrize("text", ATTACKS)
@pytest.mark.parametrize("form", [{}, {"lang": "en"}, {"datatype": URIRef("urn:t")}])
def test_an_attack_stays_a_literal(text: str, form: dict[str, str]) -> None:
    term = Literal(text, **form)
    assert rows(Query(NAMES, {"names": [(term,)]})) == [{"o": term}]


def undone(sparql: str) -> str:
    """As SPARQL 1.1 section 19.2 has it: \\u is undone before the text is parsed."""
    return re.sub(
        r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})",
        lambda match: chr(int(match[1] or match[2], 16)),
        sparql,
    )


@given(TEXT)
@example("\\u0022 } DROP ALL #")
@example("\\\\u0022")
def test_a_parser_that_undoes_unicode_escapes_first_reads_the_same(text: str) -> None:
    query = fill(Query(NAMES, {"names": [(Literal(text),)]}))
    assert Dataset().query(undone(query)) == [{"o": Literal(text)}]


@given(st.one_of(IRI, TEXT, st.builds("http://{}/{}".format, TEXT, TEXT)))
@example("http://a:b/")
@example("http://a:80/b?c#d")
@example("http://u:p@a/")
@example("x://a@b@c/")
@example("urn:%zz")
@example("a:b\n")
@example("a:b>")
def test_every_iri_let_through_is_one_to_the_store(text: str) -> None:
    assume(is_iri(text))
    assert rows(Query(NAMES, {"names": [(URIRef(text),)]})) == [{"o": URIRef(text)}]


@pytest.mark.parametrize("iri", TABLES["iris of everyday pass"])
def test_iris_of_everyday_pass(iri: str) -> None:
    assert is_iri(iri)
    assert write(URIRef(iri)) == f"<{iri}>"


@pytest.mark.parametrize(
    "term",
    [
        URIRef("Q1"),
        URIRef(""),
        URIRef("//host/path"),
        URIRef("http://a/ b"),
        URIRef("http://a/> } DROP ALL"),
        URIRef("http://a/\\u003e"),
        URIRef("http://a/{b}"),
        URIRef('http://a/"'),
        URIRef("http://a/\n"),
        URIRef("http://a/\x00"),
        URIRef("http://a/\ud800"),
        URIRef("1http://a"),
        URIRef("urn:x%2"),
        URIRef("http://a:b/"),
        BNode("b"),
        pytest.param(BNode(), id="blank"),
        Literal("\ud800"),
        Literal("a\udfffb", lang="en"),
        Literal("a", datatype=URIRef("relative")),
        Literal("a", datatype=URIRef("urn:a> . DROP ALL")),
        Literal("a", datatype=RDF.langString),
        Variable("v"),
    ],
)
def test_what_no_sparql_can_hold_is_refused(term: Node) -> None:
    with pytest.raises(ValueError, match="cannot stand in a query"):
        fill(Query(NAMES, {"names": [(term,)]}))


def test_a_literal_whose_language_is_none_is_refused() -> None:
    literal = Literal("a", lang="en")
    literal._language = "en } DROP ALL"
    with pytest.raises(ValueError, match="cannot stand in a query"):
        write(literal)


TAG = r"[A-Za-z]{2,3}(-(x|u|[a-z]{2,5}|[0-9]{3}|[0-9][a-z]{3}|[a-z]{5,8}))*"


@given(st.from_regex(TAG) | st.from_regex(TAG, fullmatch=True))
@example("en\n")
@example("x")
@example("x-a")
@example("en-variant-variant")
@example("be-x-old")
@example("zh-hant-tw")
@example("ſs")
@example("a-b-c")
@example("e1")
@example("en-")
def test_every_language_let_through_is_one_to_the_store(tag: str) -> None:
    assume(is_language(tag))
    assert Dataset().query(f'SELECT ("a"@{tag} AS ?o) {{}}') == [{"o": Literal("a", lang=tag)}]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (PAIRS, {"pairs": [(URIRef("urn:a"),)]}),
        (NAMES, {"names": [(URIRef("urn:a"), URIRef("urn:b"))]}),
        (NAMES, {"names": [()]}),
        (NAMES, {}),
        (NAMES, {"names": [], "more": []}),
        ("SELECT * { ?s ?p ?o { $names } }", {"names": [(URIRef("urn:a"),)]}),
        (NAMES + " { $names }", {"names": []}),
        ("SELECT * { VALUES ?o { $names $more } }", {"names": [], "more": []}),
    ],
)
def test_a_query_whose_blocks_do_not_fit_is_refused(text: str, values: dict) -> None:
    with pytest.raises(ValueError, match=r"block|row"):
        fill(Query(text, values))


def test_a_batch_that_is_no_block_is_refused() -> None:
    with pytest.raises(ValueError, match="no block"):
        fill(Query(NAMES, {"names": []}, batch="pairs"))


def test_a_block_may_stand_in_several_places() -> None:
    text = "SELECT ?o { { VALUES ?o { $names } } UNION { VALUES (?o) { $names } } }"
    assert rows(Query(text, {"names": [(Literal("a"),)]})) == [{"o": Literal("a")}] * 2


def test_a_block_without_rows_has_no_solutions() -> None:
    assert rows(Query(NAMES, {"names": []})) == []


def test_rows_keep_their_order() -> None:
    names = [(Literal(name),) for name in ("b", "a", "c", "a")]
    assert rows(Query(NAMES, {"names": names})) == [{"o": name} for (name,) in names]
