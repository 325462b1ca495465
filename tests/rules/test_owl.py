"""Pack owl where chance finds more than the tests of its rules: relations, values, edits."""

from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import OWL, RDF, RDFS, XSD, Namespace
from rdflib.term import Literal

from groundrules.checks.testing import CONTEXT
from groundrules.dataset import Dataset
from groundrules.rules.engine import check
from groundrules.rules.packs import load_pack
from groundrules.terms import GR, Claim, Span, Triple
from tests.strategies import examples

T = Namespace("urn:test:")
PACK = load_pack("owl").rules
NODES = st.sampled_from([T.a, T.b, T.c, T.d])
EDGES = st.lists(st.tuples(NODES, NODES), max_size=6, unique=True)


def of(*ids):
    return [rule for rule in PACK if rule.id in ids]


def reachable(edges, start):
    found, fresh = set(), {start}
    while fresh:
        fresh = {b for a, b in edges if a in fresh} - found
        found |= fresh
    return found


def fired(rules, text, sources, axioms):
    """Return (rule, triple of the claim) for claims and evidence given as triples."""
    dataset = Dataset()
    dataset.add_assertions(
        Claim(T[f"claim{n}"], Triple(*t), Span("text", n, n + 1)) for n, t in enumerate(text)
    )
    dataset.add_evidence(
        (Claim(T[f"evidence{n}"], Triple(*t), Span("s", n, n + 1)) for n, t in enumerate(sources)),
        CONTEXT,
    )
    dataset.add(axioms)
    return {(v.rule, v.claim.triple) for v in check(dataset, rules).violations}


@examples(40)
@given(text=EDGES, sources=EDGES)
def test_a_relation_is_faulty_if_it_closes_a_circle(text, sources):
    axioms = [
        Triple(T.p, RDF.type, kind)
        for kind in (GR.AcyclicProperty, OWL.AsymmetricProperty, OWL.IrreflexiveProperty)
    ]
    edges = {*text, *sources}
    expected = set()
    for a, b in text:
        triple = Triple(a, T.p, b)
        if a == b:
            expected.add(("OWL109", triple))
        elif (b, a) in edges:
            expected.add(("OWL110", triple))
        elif a in reachable(edges, b):
            expected.add(("OWL111", triple))
    # Of a thing related to itself the sharper rule speaks alone.
    rules = of("DR003", "OWL109", "OWL110", "OWL111")
    found = fired(rules, [(a, T.p, b) for a, b in text], [(a, T.p, b) for a, b in sources], axioms)
    assert found == expected


ENDS = st.lists(
    st.tuples(NODES, st.sampled_from([T.p, T.q]), NODES), min_size=0, max_size=6, unique=True
)


@examples(40)
@given(text=ENDS, sources=ENDS)
def test_relations_are_faulty_if_they_make_one_thing_of_two_disjoint_kinds(text, sources):
    axioms = [
        Triple(T.p, RDFS.domain, T.A),
        Triple(T.q, RDFS.range, T.B),
        Triple(T.A, OWL.disjointWith, T.B),
        Triple(T.B, OWL.disjointWith, T.A),
    ]
    stated = {*text, *sources}
    of_kind_a = {s for s, p, _ in stated if p == T.p}
    of_kind_b = {o for _, p, o in stated if p == T.q}
    expected = {
        ("OWL107", Triple(s, p, o))
        for s, p, o in text
        if (s in of_kind_b if p == T.p else o in of_kind_a)
    }
    assert fired(PACK, text, sources, axioms) == expected


def test_the_other_side_of_a_conflict_within_the_text_is_cited_with_its_place():
    one, two = (
        Claim(T[f"claim{n}"], Triple(T.x, p, T.y), Span("text", n, n + 1), origin="ontology")
        for n, p in enumerate((T.p, T.q))
    )
    dataset = Dataset()
    dataset.add_assertions([one, two], T.text)
    dataset.add(
        [Triple(T.p, OWL.propertyDisjointWith, T.q), Triple(T.q, OWL.propertyDisjointWith, T.p)]
    )
    first, second = check(dataset, PACK, claims={one.id: one, two.id: two}).violations
    assert [(e.source, e.span) for e in first.evidence] == [(str(T.text), two.span)]
    assert [(e.source, e.span) for e in second.evidence] == [(str(T.text), one.span)]


def test_every_violation_names_axiom_and_reason():
    # Denials, empty classes and ill-typed values name the axiom in words where it has no triple.
    for rule in PACK:
        if rule.form == "select":
            assert rule.because, rule.id
            assert rule.axiom, rule.id
            assert rule.edit is not None, rule.id


def test_a_soft_property_is_a_warning_and_never_an_error():
    axioms = [
        Triple(T.p, RDF.type, OWL.FunctionalProperty),
        Triple(T.p, OWL.propertyDisjointWith, T.q),
        Triple(T.q, OWL.propertyDisjointWith, T.p),
    ]
    text = [(T.x, T.p, T.a), (T.x, T.p, T.b), (T.x, T.q, T.a)]
    assert {rule for rule, _ in fired(PACK, text, [], axioms)} == {"OWL101", "OWL103"}
    mark = Triple(T.p, GR.severity, Literal("warning"))
    assert {rule for rule, _ in fired(PACK, text, [], [*axioms, mark])} == {"OWL121", "OWL122"}


def test_dates_that_the_ontology_orders_are_compared_however_much_else_is_stated():
    def year(number):
        return Literal(str(number), datatype=XSD.gYear)

    sources = [(T[f"x{n}"], T[f"p{part}"], Literal(n)) for n in range(1000) for part in range(5)]
    text = [(T.a, T.p, year(2000 + n)) for n in range(40)] + [(T.a, T.q, year(2020))]
    axioms = [Triple(T.p, GR.precedes, T.q)]
    late = {("OWL125", Triple(*said)) for said in text[21:]}
    assert fired(of("OWL125"), text, sources, axioms) == late
