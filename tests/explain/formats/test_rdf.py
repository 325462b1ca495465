"""The turtle, trig and jsonld formats, and the graph of a report that they write."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pyshacl
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib.graph import Dataset, Graph
from rdflib.namespace import PROV, RDF, RDFS, SH, XSD, Namespace
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.explain import graph as report_graph
from groundrules.explain import vocabulary
from groundrules.explain.formats import Look, rdf
from groundrules.terms import (
    GR,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Outcome,
    Override,
    Report,
    Run,
    Severity,
    Span,
    Statement,
    Triple,
    Verdict,
    Violation,
)
from tests.explain import cases
from tests.strategies import examples

OA = Namespace("http://www.w3.org/ns/oa#")
SCHEMA = Namespace("https://schema.org/")
FORMS = {"turtle": rdf.render_turtle, "trig": rdf.render_trig, "jsonld": rdf.render_jsonld}
ENDINGS = {"turtle": "turtle", "trig": "trig", "jsonld": "json-ld"}

#: What the standard asks of a report (SHACL 3.6.1, 3.6.2), as shapes for pySHACL.
STANDARD = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix oa: <http://www.w3.org/ns/oa#> .
@prefix dash: <http://datashapes.org/dash#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
[] a sh:NodeShape ; sh:targetClass sh:ValidationReport ;
  sh:property [ sh:path sh:conforms ; sh:datatype xsd:boolean ; sh:minCount 1 ; sh:maxCount 1 ] ,
    [ sh:path sh:result ; sh:class sh:ValidationResult ] .
[] a sh:NodeShape ; sh:targetClass sh:ValidationResult ;
  sh:property [ sh:path sh:focusNode ; sh:minCount 1 ; sh:maxCount 1 ] ,
    [ sh:path sh:resultPath ; sh:nodeKind sh:IRI ; sh:maxCount 1 ] ,
    [ sh:path sh:value ; sh:maxCount 1 ] ,
    [ sh:path sh:sourceShape ; sh:nodeKind sh:IRI ; sh:maxCount 1 ] ,
    [ sh:path sh:sourceConstraintComponent ; sh:nodeKind sh:IRI ; sh:minCount 1 ; sh:maxCount 1 ] ,
    [ sh:path sh:resultMessage ; sh:datatype xsd:string ; sh:minCount 1 ] ,
    [ sh:path sh:resultSeverity ; sh:in ( sh:Violation sh:Warning sh:Info ) ; sh:minCount 1 ;
      sh:maxCount 1 ] ,
    [ sh:path dash:suggestion ; sh:class dash:GraphUpdate ] .
[] a sh:NodeShape ; sh:targetObjectsOf dash:addedTriple , dash:deletedTriple ;
  sh:class rdf:Statement ;
  sh:property [ sh:path rdf:subject ; sh:minCount 1 ; sh:maxCount 1 ] ,
    [ sh:path rdf:predicate ; sh:minCount 1 ; sh:maxCount 1 ] ,
    [ sh:path rdf:object ; sh:minCount 1 ; sh:maxCount 1 ] .
[] a sh:NodeShape ; sh:targetClass oa:TextPositionSelector ;
  sh:property [ sh:path oa:start ; sh:datatype xsd:nonNegativeInteger ; sh:minCount 1 ;
      sh:maxCount 1 ; sh:lessThanOrEquals oa:end ] ,
    [ sh:path oa:end ; sh:datatype xsd:nonNegativeInteger ; sh:minCount 1 ; sh:maxCount 1 ] .
"""

# of rdflib itself, where it reads named graphs
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

Quads = set[tuple[Node | None, ...]]


@pytest.fixture(autouse=True)
def _as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have rdflib keep literals as they are written."""
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)


def write(form: str, *reports: Report) -> str:
    return FORMS[form](reports, Look())


def read(*reports: Report) -> Graph:
    return Graph().parse(data=write("turtle", *reports), format="turtle")


def quads(form: str, text: str) -> Quads:
    if form != "trig":
        return set(Graph().parse(data=text, format=ENDINGS[form]))
    found = Dataset().parse(data=text, format="trig")
    return {(s, p, o, graph) for s, p, o, graph in found.quads()}


def meant(form: str, report: Report) -> Quads:
    own = report_graph.describe(report)
    if form != "trig":
        return {(t.subject, t.predicate, t.object) for t in own}
    named = {report_graph.name_of(report): own, **report_graph.stated(report)}
    return {(t.subject, t.predicate, t.object, name) for name, ts in named.items() for t in ts}


def of_oxigraph(form: str, text: str) -> set[str]:
    formats = {"turtle": ox.RdfFormat.TURTLE, "trig": ox.RdfFormat.TRIG,
               "jsonld": ox.RdfFormat.JSON_LD}  # fmt: skip
    return {str(quad) for quad in ox.parse(text, formats[form])}


def a(graph: Graph, kind: Node) -> list[Node]:
    return sorted(graph.subjects(RDF.type, kind))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", cases.CASES)
def test_rdflib_and_oxigraph_read_what_was_meant(name: str, form: str) -> None:
    report = cases.CASES[name]()
    text = write(form, report)

    assert quads(form, text) == meant(form, report)
    assert len(of_oxigraph(form, text)) == len(meant(form, report))


def test_json_ld_needs_nothing_but_itself() -> None:
    text = write("jsonld", cases.lease())

    assert "@context" not in text
    assert of_oxigraph("jsonld", text) == of_oxigraph("turtle", write("turtle", cases.lease()))


def test_a_quotation_is_the_text_between_its_positions() -> None:
    report = cases.wide()
    graph = read(report)
    targets = a(graph, OA.SpecificResource)

    assert targets
    for target in targets:
        selectors = list(graph.objects(target, OA.hasSelector))
        (place,) = (s for s in selectors if (s, RDF.type, OA.TextPositionSelector) in graph)
        (words,) = (s for s in selectors if (s, RDF.type, OA.TextQuoteSelector) in graph)
        start, end = (int(str(graph.value(place, p))) for p in (OA.start, OA.end))
        before, exact, after = (
            str(graph.value(words, p)) for p in (OA.prefix, OA.exact, OA.suffix)
        )
        assert report.text[start:end] == exact
        assert report.text[:start].endswith(before)
        assert report.text[end:].startswith(after)


def test_a_statement_of_a_knowledge_base_has_the_revision_it_was_read_at() -> None:
    report = cases.lease()
    pin = "http://kb.example/s1, revision 111, read 2026-03-01T09:00:00Z"
    seen = Evidence(report.claims[0].triple, "kb.ttl", pin=pin)
    verdict = replace(report.verdicts[0], evidence=(seen,))
    graph = read(replace(report, verdicts=(verdict,)))
    (node,) = graph.objects(None, GR.pin)

    assert graph.value(node, RDFS.label) == Literal(pin)
    assert graph.value(node, SCHEMA.version) == Literal("111")
    assert graph.value(node, GR.read) == Literal("2026-03-01T09:00:00Z")
    assert (a(graph, PROV.Activity)[0], PROV.used, node) in graph


def test_what_was_decided_stands_beside_what_was_found() -> None:
    report = cases.lease()
    term = report.statements[1]
    wrong = report.violations[1]
    judged = replace(
        report,
        overrides=(
            Override(term.fingerprint, "override", "a later deed", "Ann",
                     "2026-03-02T08:00:00Z", Outcome.SUPPORTED),
            Override(wrong.fingerprint, "baseline", "known"),
        ),
    )  # fmt: skip
    graph = read(judged)
    by_what = {graph.value(o, GR.overrides): o for o in a(graph, GR.Override)}
    (statement,) = graph.subjects(SCHEMA.text, Literal(term.text))
    (review,) = graph.subjects(SCHEMA.itemReviewed, statement)
    person = graph.value(by_what[statement], PROV.wasAttributedTo)

    assert graph.value(review, GR.verdict) == Literal("refuted")
    assert graph.value(review, GR.decided) == Literal("supported")
    assert graph.value(review, SCHEMA.author) == person
    assert graph.value(person, SCHEMA.name) == Literal("Ann")
    assert graph.value(by_what[statement], GR.why) == Literal("a later deed")
    assert str(graph.value(by_what[statement], PROV.generatedAtTime)) == "2026-03-02T08:00:00Z"
    (result,) = (
        v
        for v in a(graph, SH.ValidationResult)
        if graph.value(v, GR.fingerprint) == Literal(wrong.fingerprint)
    )
    assert result in by_what
    assert graph.value(result, GR.stands) == Literal(False)
    standing = [v for v in a(graph, SH.ValidationResult) if graph.value(v, GR.stands).toPython()]
    assert len(standing) == sum(map(judged.stands, judged.violations))


def test_the_name_of_a_report_is_what_was_checked_and_found_not_when_nor_what_was_decided() -> None:
    report = cases.lease()
    name = report_graph.name_of(report)
    decided = replace(report, overrides=(Override("0", "baseline", "known"),), verdicts=())
    later = replace(report, run=replace(report.run, at="2026-03-02T09:30:00Z"))

    assert report_graph.name_of(decided) == report_graph.name_of(later) == name
    for other in (
        replace(report, source="another.txt"),
        replace(report, text=report.text + " "),
        replace(report, statements=report.statements[1:]),
        replace(report, violations=report.violations[1:]),
        replace(report, run=replace(report.run, inputs=report.run.inputs[:1])),
        replace(report, run=replace(report.run, version="0.2.0")),
    ):
        assert report_graph.name_of(other) != name


@pytest.mark.parametrize("form", FORMS)
def test_the_same_check_is_the_same_bytes_but_for_its_time_which_stands_once(form: str) -> None:
    report = cases.lease()
    later = replace(report, run=replace(report.run, at="2027-01-31T23:59:59Z"))
    undated = replace(report, run=replace(report.run, at=""))

    lines, others = (write(form, one).splitlines() for one in (report, later))
    changed = [one for one, other in zip(lines, others, strict=True) if one != other]

    assert len(changed) == 1
    assert report.run.at in changed[0]
    timeless = write(form, undated)
    assert timeless == write(form, replace(undated)) == write(form, undated)
    assert report.run.at not in timeless


def test_a_statement_is_the_same_node_in_each_run_and_equal_sentences_are_two() -> None:
    text = "So it is. So it is."
    said = tuple(
        replace(cases.statement(text, "So it is.", n, Outcome.SUPPORTED), span=Span("a", n, n + 9))
        for n in range(2)
    )
    first = Report("a", text, said, run=Run(at="2026-03-01T09:30:00Z"))
    second = replace(first, run=Run(at="2026-03-02T09:30:00Z"))

    assert len(a(read(first), GR.Statement)) == 2
    assert a(read(first), GR.Statement) == a(read(second), GR.Statement)
    assert a(read(first), SCHEMA.Review) == a(read(second), SCHEMA.Review)
    other = replace(second, statements=(replace(said[0], outcome=Outcome.REFUTED), said[1]))
    assert not set(a(read(first), SCHEMA.Review)) & set(a(read(other), SCHEMA.Review))


def test_a_source_has_a_graph_of_what_it_states_and_the_text_of_what_it_claims() -> None:
    report = cases.lease()
    graphs = report_graph.stated(report)
    by_hash = {str(name).rpartition(":")[2]: triples for name, triples in graphs.items()}
    text, lease = ("12" * 32, "34" * 32)
    _, term, assign, *_ = report.claims

    assert set(by_hash) == {text, lease}
    assert term.triple in by_hash[text]
    assert term.triple not in by_hash[lease]
    assert report.violations[0].evidence[0].triple in by_hash[lease]
    # it denies this
    assert assign.triple not in by_hash[lease]


def test_no_text_speaks_in_our_own_words() -> None:
    forged = [
        Triple(URIRef("urn:x"), RDF.type, GR.Report),
        Triple(URIRef("urn:x"), GR.verdict, Literal("supported")),
        Triple(GR.Report, RDFS.label, Literal("x")),
    ]
    claims = tuple(Claim(URIRef(f"urn:c{n}"), t, Span("a", 0, 1)) for n, t in enumerate(forged))
    report = Report("a", "x", claims=claims)

    assert report_graph.stated(report) == {}
    assert a(read(report), GR.Report) == [report_graph.name_of(report)]


@pytest.mark.parametrize("name", cases.CASES)
def test_a_report_is_a_validation_report_as_the_standard_asks(name: str) -> None:
    report = cases.CASES[name]()
    graph = read(report)
    conforms, _, text = pyshacl.validate(
        graph, shacl_graph=Graph().parse(data=STANDARD, format="turtle")
    )

    assert conforms, text
    assert len(list(graph.objects(None, SH.result))) == len(report.violations)


def test_every_term_is_one_of_its_vocabulary() -> None:
    known = Graph()
    for asset in ("shacl.ttl", "dash.ttl"):
        text = files("pyshacl").joinpath("assets", asset).read_text(encoding="utf-8")
        known.parse(data=text, format="turtle")
    terms = {str(one) for one in known.subjects()}
    terms |= {str(getattr(GR, name)) for name in GR.__annotations__.keys() - {"_extras"}}
    terms |= {str(PROV[name]) for name in PROV.__annotations__ if not name.startswith("_")}
    ours = tuple(vocabulary.VOCABULARIES[name] for name in ("gr", "sh", "dash", "prov"))
    used = {
        str(node)
        for case in cases.CASES.values()
        for t in report_graph.describe(case())
        for node in (t.predicate, t.object)
        if isinstance(node, URIRef) and str(node).startswith(ours)
    }

    assert used <= terms


any_text = st.text(st.characters(codec=None, exclude_categories=()), max_size=8)
iris = st.one_of(
    any_text.map(lambda text: URIRef(f"urn:x:{text}")),
    any_text.map(URIRef),
    st.sampled_from(list(vocabulary.VOCABULARIES)).map(lambda name: URIRef(f"{name}:x")),
    st.sampled_from(["", "x", "//x", "http://[::1]/", "http://%", "_:b", "@id", "a b"]).map(URIRef),
)
literals = st.one_of(
    any_text.map(Literal),
    st.builds(lambda t, tag: Literal(t, lang=tag), any_text,
              st.sampled_from(["en", "EN-gb", "x-klingon"])),
    st.builds(lambda t, kind: Literal(t, datatype=kind, normalize=False), any_text,
              st.one_of(iris, st.sampled_from([XSD.integer, XSD.boolean, XSD.string, XSD.double,
                                               RDF.langString, RDF.JSON, XSD.dateTime]))),
)  # fmt: skip
nodes = st.one_of(iris, literals, any_text.map(BNode))
hostile = st.builds(Triple, nodes, nodes, nodes)


@pytest.mark.filterwarnings("ignore")  # rdflib tells of literals that are not what they say
@examples(200)
@given(hostile, hostile, any_text, any_text, any_text)
@pytest.mark.parametrize("form", FORMS)
def test_whatever_a_text_holds_is_read_back_as_it_was_meant(
    form: str, said: Triple, stated: Triple, text: str, name: str, words: str
) -> None:
    span = Span(name, 0, len(text))
    claim = Claim(URIRef(f"urn:c{words}"), said, span, attribution=words, origin=words)
    violation = Violation(
        words, name, Severity.ERROR, words, claim,
        (Evidence(stated, name, span), Evidence(said, words, pin=words)),
        Edit((EditOperation("DELETE", said), EditOperation("ADD", stated)), "safe", None),
        axioms=(stated,), because=words,
    )  # fmt: skip
    statement = Statement(URIRef("urn:s"), 0, text, span, Outcome.REFUTED, words, words)
    report = Report(
        name, text, (statement,), (claim,),
        (Verdict(claim, Outcome.REFUTED, words, words, 0.5, words, violation.evidence),),
        (violation,), unread=(words,), sources={words: text},
        run=Run(words, ((words, words),), question=words, at=words),
        overrides=(Override(statement.fingerprint, "override", words, words, words),),
    )  # fmt: skip
    written = write(form, report)
    first, back = meant(form, report), quads(form, written)

    assert back == first
    assert written == write(form, report)
    assert len(of_oxigraph(form, written)) == len(first)


@examples(200)
@given(nodes)
def test_a_node_that_was_cleaned_is_clean(node: Any) -> None:
    once = vocabulary.clean(node)

    assert vocabulary.clean(once) == once


def test_the_queries_of_the_page_have_rows() -> None:
    store = ox.Store()
    text = rdf.render_trig([cases.lease(), cases.policy()], Look())
    store.load(text.encode(), format=ox.RdfFormat.TRIG)
    page = Path("docs/reference/report-rdf.md").read_text("utf-8")
    queries = re.findall(r"```sparql\n(.*?)```", page, re.S)

    found = [[str(cell and cell.value) for cell in next(iter(store.query(q)))] for q in queries]

    assert len(queries) == 3
    assert all(row[0] != "None" for row in found)
