"""What a query cannot do without."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rdflib.namespace import RDF
from rdflib.term import Literal, URIRef

from groundrules.dataset import PREFIXES, Dataset, check_query
from groundrules.errors import RuleError
from groundrules.patterns import Needs, needs
from groundrules.rules.packs import built_in, load_packs
from groundrules.rules.rule import substitute
from groundrules.terms import GR, Triple

A, B, C, P, Q = (URIRef(f"urn:t:{name}") for name in "abcpq")
NAMES = {**PREFIXES, "t": "urn:t:"}


def patterns(body: str) -> set[tuple[object, ...]]:
    """What a SELECT of that body needs, where it has no unions."""
    found = needs(f"SELECT * WHERE {{ {body} }}", NAMES)
    assert found is not None
    assert found[0] == "select"
    assert found[1].unions == ()
    return set(found[1].patterns)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("?s t:p ?o", {(None, P, None)}),
        ("?s a t:a ; t:p t:b .", {(None, RDF.type, A), (None, P, B)}),
        ("?s t:p t:b , 'x' ; .", {(None, P, B), (None, P, Literal("x"))}),
        ("t:a t:p [ t:q 1 ] . [] t:q ( 2 3 ) .", {(A, P, None), (None, Q, None)}),
        ("?s <urn:t:p> ?o # t:q }\n . ?s t:q 5.5 .", {(None, P, None), (None, Q, None)}),
        ("?s t:p 'a'@en , '1'^^t:b , true , -1 , _:x", {(None, P, None)}),
        ("GRAPH ?g { ?s t:p ?o } ?s ?p t:a", {(None, P, None), (None, None, A)}),
        ("{ ?s t:p ?o } FILTER EXISTS { ?s t:q ?o }", {(None, P, None), (None, Q, None)}),
        ("{ SELECT ?s { ?s t:p ?o } ORDER BY ?s LIMIT 3 }", {(None, P, None)}),
        ("OPTIONAL { ?s t:p ?o } MINUS { ?s t:q ?o } FILTER NOT EXISTS { ?s t:p t:a }", set()),
        ("FILTER (EXISTS { ?s t:p ?o } || ?x < 1 ) BIND (t:a AS ?b) VALUES ?c { t:c }", set()),
        ("VALUES (?s ?o) { (t:a UNDEF) } FILTER regex(?s, '}')", set()),
        ("?s t:p* ?o . ?s t:p? ?o . ?s t:p|t:q ?o . ?s t:p/t:q ?o", set()),
        ("?s ^t:p ?o . ?s !t:p ?o . ?s (t:p) ?o", set()),
        ("t:a ^t:p t:b . t:a t:p* t:b . t:a t:p/t:q t:b . t:a !^t:p t:b ; t:q ?o", {(A, Q, None)}),
    ],
)  # fmt: skip
def test_a_query_needs_what_all_of_its_rows_have(body, wanted):
    assert patterns(body) == wanted


def test_of_a_union_one_alternative_is_needed():
    found = needs("SELECT * { { ?s t:p ?o } UNION { ?s t:q ?o } UNION { } }", NAMES)
    alternatives = (Needs(((None, P, None),)), Needs(((None, Q, None),)), Needs())
    assert found == ("select", Needs((), (alternatives,)))


def test_a_template_is_not_needed():
    wanted = ("construct", Needs(((None, Q, None),)))
    assert needs("CONSTRUCT { ?s t:p ?o } WHERE { ?s t:q ?o }", NAMES) == wanted
    assert needs("CONSTRUCT { ?s t:p ?o } { ?s t:q ?o }", NAMES) == wanted
    assert needs("CONSTRUCT WHERE { ?s t:q ?o }", NAMES) == wanted


@pytest.mark.parametrize(
    "query",
    [
        "SELECT (COUNT(*) AS ?n) { ?s t:p ?o }",
        "SELECT ?s { { SELECT (max(?o) AS ?m) { ?s t:p ?o } } }",
        "SELECT ?s FROM t:g { ?s t:p ?o }",
        "PREFIX t: <urn:other:> SELECT ?s { ?s t:p ?o }",
        "ASK { ?s t:p ?o }",
        "SELECT * { 'x' t:p ?o }",
        "SELECT * { ?s t:a%20b ?o }",
        "SELECT * { ?a t:p ?b FILTER(?a<t:b#>\n) }",
        "SELECT * { ?a t:p ?b FILTER('a'@en<t:b#>\n1) }",
        "SELECT * { ?a t:p ?b FILTER(EXISTS { }<t:b#>\n1) }",
        "SELECT * { ?a t:p ?b FILTER(?a = <t:(#>) OPTIONAL {\n?a t:p <t:))#>\n . ?a t:q ?c } }",
        "SELECT * { ?a t:p '\\u0022 . ?a t:q ?c #' }",
    ],
)
def test_what_may_have_a_row_of_nothing_or_is_not_read_is_not_told(query):
    assert needs(query, NAMES) is None


def test_what_every_shipped_rule_needs_is_told():
    rules = [rule for pack in load_packs(built_in()) for rule in pack.rules]
    told = {rule.id: needs(substitute(rule), rule.prefixes) for rule in rules}
    assert [name for name, found in told.items() if found is None] == []
    assert {found[0] for found in told.values() if found} == {"select", "construct"}


nodes = st.sampled_from("?x ?y ?z t:a t:b <urn:t:c> 'x' 1 _:b [] t:q".split())
predicates = st.sampled_from(
    "?x t:p t:q <urn:t:p> a ^t:p t:p* t:q+ t:p|t:q t:p/t:q t:q? !t:q (t:p|t:q)".split()
)
subjects = st.sampled_from(["?x", "?y", "t:a", "t:b", "[ t:p ?z ]", "[]", "(?x t:b)"])


def says(subject: str, pairs: list[tuple[str, list[str]]]) -> str:
    said = " ; ".join(f"{p} {' , '.join(objects)}" for p, objects in pairs)
    return f"{subject} {said} ."


statements = st.builds(
    says,
    subjects,
    st.lists(
        st.tuples(predicates, st.lists(nodes, min_size=1, max_size=2)), min_size=1, max_size=2
    ),
)
parts = st.sampled_from(
    [
        "FILTER (?x != t:p)", "FILTER (?x<?y||?x>?y)", "FILTER isIRI(?x)",
        "FILTER (STR(?x) != '}{')",
        "BIND (t:p AS ?bound)", "VALUES ?x { t:a 'x' }", "VALUES (?x ?y) { (t:a UNDEF) (t:b t:c) }",
        "# } UNION { t:p\n", "FILTER (EXISTS { ?x t:q ?y } || NOT EXISTS { ?x t:p ?y })",
    ]
)  # fmt: skip
FORMS = (
    "OPTIONAL { %s }", "MINUS { %s }", "GRAPH ?g { %s }", "GRAPH t:g { %s }", "{ %s }",
    "FILTER EXISTS { %s }", "FILTER NOT EXISTS { %s }", "{ SELECT DISTINCT ?x { %s } LIMIT 5 }",
    "{ %s } UNION { ?x t:p ?z }", "{ } UNION { %s }", "{ ?y t:q t:q } UNION { %s }",
)  # fmt: skip


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    whole = st.builds(lambda form, text: form % text, st.sampled_from(FORMS), inner)
    return st.lists(st.one_of(whole, statements, parts), min_size=1, max_size=3).map(" ".join)


bodies = st.recursive(st.one_of(statements, parts), nested, max_leaves=6)
known = st.lists(
    st.tuples(
        st.builds(
            Triple,
            st.sampled_from([A, B]),
            st.sampled_from([P, Q, RDF.type]),
            st.sampled_from([A, C, Q, Literal("x"), Literal(1)]),
        ),
        st.sampled_from([None, URIRef("urn:t:g")]),
    ),
    max_size=4,
)


@settings(max_examples=500)
@given(bodies, known, st.sampled_from(["SELECT *", "CONSTRUCT { ?x t:p ?y }"]))
@example("?x t:p ?y FILTER (?x<?y#>'\n||true)", [(Triple(A, P, C), None)], "SELECT *")
@example("?x t:p ?y FILTER NOT EXISTS { ?x t:q ?y }", [(Triple(A, P, C), None)], "SELECT *")
@example("VALUES ?x { t:a } OPTIONAL { ?x t:q ?y }", [], "SELECT *")
@example("t:c ^t:p t:a", [(Triple(A, P, C), None)], "SELECT *")
@example("t:c t:p? ?x", [(Triple(A, P, C), None)], "SELECT *")
@example("t:a t:p/t:q t:c", [(Triple(A, P, B), None), (Triple(B, Q, C), None)], "SELECT *")
def test_what_is_told_beforehand_has_no_rows_indeed(body, stated, form):
    dataset = Dataset()
    for triple, graph in stated:
        dataset.add([triple], graph)
    query = f"{form} WHERE {{ {body} }}"
    try:
        check_query(query, NAMES)
    except RuleError:
        return
    name = "select" if form == "SELECT *" else "construct"
    if dataset._is_barren(name, query, NAMES):
        assert list(dataset._run(query, NAMES)) == []


@given(st.text(alphabet="{}()[]<>?:.,;*+/|^!='\"\\#@ \nat$_1", max_size=40))
def test_nothing_is_told_of_a_group_without_an_end(text):
    assert needs(f"SELECT * {{ {text.replace('}', '')}", NAMES) is None


def test_a_query_whose_needs_are_missing_is_still_refused_if_it_is_bad():
    dataset = Dataset()
    assert dataset.query("SELECT ?s { ?s gr:claim ?o }") == []
    assert dataset.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o ; a gr:Claim }") == []
    for bad, message in (
        ("SELECT ?s { ?s gr:claim ?o", "not SPARQL"),
        ("SELECT ?s { ?s gr:claim ?o . SERVICE <http://localhost:9/> { ?s ?p ?o } }", "SERVICE"),
        ("CONSTRUCT { ?s ?p ?o } WHERE { ?s gr:claim ?o }", "not a SELECT"),
    ):
        with pytest.raises(RuleError, match=message):
            dataset.query(bad)
    with pytest.raises(RuleError, match="not a CONSTRUCT"):
        dataset.construct("SELECT ?s { ?s gr:claim ?o }")


def test_what_was_missing_is_found_once_it_is_there():
    dataset = Dataset()
    query = "SELECT ?s { ?s gr:claim ?o }"
    assert dataset.query(query) == []
    dataset.add([Triple(A, GR.claim, B)], URIRef("urn:t:g"))
    assert dataset.query(query) == []  # it asks the default graph
    dataset.add([Triple(A, GR.claim, B)])
    assert dataset.query(query) == [{"s": A}]
