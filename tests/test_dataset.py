import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, URIRef

from groundrules.dataset import TEXT, UNCOMMITTED, Dataset, check_query, columns, parse_turtle
from groundrules.errors import RuleError, SourceError
from groundrules.terms import GR, Claim, Modality, Span, Triple
from tests.rows import each
from tests.work import assert_linear

A, B, C = (URIRef(f"urn:test:{name}") for name in "abc")
SOURCE = URIRef("urn:test:source")

literals = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(Literal),
    st.integers(-9999, 9999).map(lambda n: Literal(str(n), datatype=XSD.integer)),
    st.sampled_from(["en", "de-at"]).map(lambda tag: Literal("word", lang=tag)),
    st.sampled_from(["5", "5.10"]).map(lambda text: Literal(text, datatype=GR.percent)),
    st.sampled_from(["1973", "-0044"]).map(lambda y: Literal(y, datatype=XSD.gYear)),
)
things = st.sampled_from([A, B, C])
triples = st.builds(Triple, things, things, st.one_of(things, literals))


def claim(**keys):
    return Claim(URIRef("urn:test:claim"), Triple(A, B, C), Span("t", 0, 1), **keys)


@given(st.lists(triples, max_size=8))
def test_what_goes_in_comes_out(wanted):
    dataset = Dataset()
    dataset.add(wanted)
    dataset.add(wanted, SOURCE)
    assert set(dataset.triples()) == set(wanted) == set(dataset.triples(SOURCE))
    assert len(dataset) == 2 * len(set(wanted))
    assert all(triple in dataset and dataset.states(triple) for triple in wanted)
    rows = dataset.query("SELECT ?s ?p ?o WHERE { ?s ?p ?o }")
    assert {Triple(row["s"], row["p"], row["o"]) for row in rows} == set(wanted)
    made = dataset.construct("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }")
    assert set(made) == set(wanted)
    dataset.remove(wanted)
    assert len(dataset) == len(set(wanted))
    assert dataset.graphs() == ([SOURCE] if wanted else [])
    dataset.remove(wanted, SOURCE)
    assert len(dataset) == 0


ends = st.sampled_from([A, B, BNode("m"), BNode("n"), BNode("o")])
odd = st.sampled_from([" _:x .", "\n_:x", '"> _:x .', "\\", "\r\t\x00\x85\u2028😀"]).map(Literal)


@given(
    st.lists(st.builds(Triple, ends, things, st.one_of(ends, literals, odd)), max_size=9),
    st.sampled_from([None, SOURCE]),
    st.permutations([BNode("m"), BNode("n"), BNode("o")]),
)
def test_the_digest_is_one_for_isomorphic_graphs_and_counts_what_they_state(wanted, graph, turned):
    names = dict(zip([BNode("m"), BNode("n"), BNode("o")], turned, strict=True))

    def digest(statements):
        dataset = Dataset()
        dataset.add(statements, graph)
        return dataset.digest()

    again = [
        Triple(names.get(t.subject, t.subject), t.predicate, names.get(t.object, t.object))
        for t in wanted
    ]
    assert digest(again) == digest(wanted)
    for one in {*wanted}:
        assert digest({*wanted} - {one}) != digest(wanted)


#: Pairs of graphs that differ: lists of other order, who is joined to whom, how many there are.
APART = [
    ("<urn:a> <urn:p> (1 2 3 4 5 6 7) .", "<urn:a> <urn:p> (1 2 3 5 4 6 7) ."),
    ("_:a <urn:p> _:a .", "_:a <urn:p> _:b ."),
    ("_:a <urn:p> _:b . _:b <urn:p> _:c .", "_:a <urn:p> _:b . _:c <urn:p> _:b ."),
    ("<urn:a> <urn:p> [] .", "<urn:a> <urn:p> [] , [] ."),
    ("_:a <urn:p> [ <urn:q> 1 ] , [ <urn:q> 2 ] .", "_:a <urn:p> [ <urn:q> 1 , 2 ] , [] ."),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), APART)
def test_the_digest_tells_apart_what_surrounds_blank_nodes(one, other):
    first, second = Dataset(), Dataset()
    first.parse(one)
    second.parse(other)
    assert first.digest() != second.digest()


def test_the_digest_has_one_name_for_blank_nodes_that_their_surroundings_do_not_tell_apart():
    ring, rings = Dataset(), Dataset()
    ring.parse("_:a <urn:p> _:b . _:b <urn:p> _:c . _:c <urn:p> _:d . _:d <urn:p> _:a .")
    rings.parse("_:a <urn:p> _:b . _:b <urn:p> _:a . _:c <urn:p> _:d . _:d <urn:p> _:c .")
    assert ring.digest() == rings.digest()


def test_the_digest_of_restrictions_alike_takes_work_in_proportion_to_their_number():
    def digest(size: int) -> None:
        dataset = Dataset()
        dataset.parse(
            "".join(
                f"<urn:c{n}> a [ <urn:on> <urn:p> ; <urn:some> <urn:d> ] ." for n in range(size)
            )
            + f"<urn:one> <urn:of> ( {'[ <urn:on> <urn:p> ] ' * size}) ."
        )
        dataset.digest()

    assert_linear(digest, 40)


@given(st.lists(st.builds(Triple, ends, things, st.one_of(ends, literals, odd)), max_size=6))
def test_axioms_are_added_like_other_triples_however_often(axioms):
    plain = Dataset()
    plain.add(axioms)
    shared = tuple(axioms)
    for _ in range(2):
        dataset = Dataset()
        dataset.add_axioms(shared)
        assert dataset.digest() == plain.digest()
        assert set(dataset.triples()) == set(axioms)
        dataset.remove(axioms)  # what is kept of them is not the dataset's


def test_axioms_are_told_apart_though_the_first_are_forgotten():
    for number in range(40):
        axioms = (Triple(A, B, Literal(str(number))),)
        dataset = Dataset()
        dataset.add_axioms(axioms)
        assert list(dataset.triples()) == list(axioms)


def test_what_is_tried_is_taken_back():
    dataset = Dataset()
    dataset.add([Triple(A, B, C)])
    before = dataset.digest()
    with dataset.trying():
        dataset.add([Triple(A, B, A), Triple(A, B, C)], SOURCE)
        dataset.remove([Triple(A, B, C)])
        tried = dataset.digest()
        with dataset.trying():
            dataset.add([Triple(A, B, C)])
        assert dataset.digest() == tried != before
    assert dataset.digest() == before
    assert dataset.graphs() == []


def test_the_digest_leaves_out_what_follows_and_nothing_else():
    told = Triple(A, GR.stance, Literal("affirmed"))
    alike = Triple(A, B, Literal(f"<{A}> <{GR.stance}> "))
    plain, stanced, other = Dataset(), Dataset(), Dataset()
    stanced.add([told])
    other.add([alike])
    assert plain.digest() == stanced.digest()
    assert plain.digest() != other.digest()


def test_a_claim_is_reified_with_its_mode():
    dataset = Dataset()
    dataset.add_claims([claim(polarity="negative", attribution="Ann", sentence=3)])
    about = {t.predicate: t.object for t in dataset.triples()}
    assert about == {
        RDF.type: GR.Claim,
        RDF.subject: A,
        RDF.predicate: B,
        RDF.object: C,
        GR.polarity: Literal("negative"),
        GR.modality: Literal("asserted"),
        GR.stance: Literal("denied"),
        GR.attribution: Literal("Ann"),
        GR.source: TEXT,
        GR.sentence: Literal(3),
    }


@pytest.mark.parametrize("polarity", ["positive", "negative"])
@pytest.mark.parametrize("modality", list(Modality))
def test_a_source_vouches_only_for_what_it_says_is_so(polarity, modality):
    dataset = Dataset()
    dataset.add_evidence([claim(polarity=polarity, modality=modality)], SOURCE)
    (stance,) = (str(t.object) for t in dataset.triples() if t.predicate == GR.stance)
    assert (stance == "affirmed") == any(dataset.triples(SOURCE))
    assert (stance == "open") == (modality in UNCOMMITTED)
    vouched = polarity == "positive" and modality not in ("possibility", "condition")
    assert list(dataset.triples(SOURCE)) == ([Triple(A, B, C)] if vouched else [])
    assert Triple(URIRef("urn:test:claim"), GR.source, SOURCE) in dataset


@each("turtle line column")
def test_bad_turtle_is_placed(turtle, line, column):
    with pytest.raises(SourceError) as caught:
        parse_turtle(turtle, path="x.ttl")
    assert (caught.value.path, caught.value.line, caught.value.column) == ("x.ttl", line, column)


@pytest.mark.parametrize("literal", [Literal("\ud800"), Literal("\ud800", datatype=GR.money)])
def test_a_node_that_the_store_does_not_take_is_one_of_our_errors(literal):
    with pytest.raises(SourceError, match="bad literal"):
        Dataset().add([Triple(A, B, literal)])
    with pytest.raises(SourceError, match="not an absolute IRI"):
        Dataset().add([Triple(URIRef("not an iri"), B, C)])
    with pytest.raises(SourceError, match="triple terms"):
        parse_turtle("<urn:a> <urn:b> <urn:c> {| gr:claim 1 |} .")
    with pytest.raises(RuleError, match="bad query"):
        Dataset().query("SELECT ?s { ?s ?p '\ud800' }")


@each("query")
def test_no_query_reaches_the_network(query):
    with pytest.raises(RuleError):
        Dataset().query(query)
    assert Dataset().query("SELECT ?service { # SERVICE\n ?service <urn:service> 'SERVICE' }") == []


@each("query line message")
def test_a_bad_query_is_placed_and_never_brings_the_process_down(query, line, message):
    with pytest.raises(RuleError, match=message) as caught:
        Dataset().query(query)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_columns_are_those_of_the_select():
    assert columns("SELECT ?b ?a { ?a ?x ?b }") == ("b", "a")
    assert columns("CONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c }") == ()
    check_query("SELECT ?claim { ?claim a gr:Claim }")
