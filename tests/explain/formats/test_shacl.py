"""The shacl format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files

import pyshacl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.graph import Graph
from rdflib.namespace import PROV, RDF, SH, Namespace
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.explain.contrast import headline
from groundrules.explain.formats import shacl as format_
from groundrules.terms import (
    GR,
    SOURCE,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Outcome,
    Override,
    Report,
    Severity,
    Span,
    Triple,
    Violation,
)
from tests.explain import cases
from tests.strategies import examples

DASH = Namespace("http://datashapes.org/dash#")
EARL = Namespace("http://www.w3.org/ns/earl#")
SCHEMA = Namespace("https://schema.org/")
OA = Namespace("http://www.w3.org/ns/oa#")
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


def read(report: Report) -> Graph:
    return Graph().parse(data=format_.dumps(report), format="turtle")


def results(graph: Graph) -> list[Node]:
    return list(graph.subjects(RDF.type, SH.ValidationResult))


@pytest.mark.parametrize("name", cases.CASES)
def test_a_report_is_what_it_was(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"{name}/shacl", format_.dumps(cases.CASES[name]()))


@pytest.mark.parametrize("name", cases.CASES)
def test_a_report_is_as_the_standard_asks(name: str) -> None:
    conforms, _, text = pyshacl.validate(
        read(cases.CASES[name]()), shacl_graph=Graph().parse(data=STANDARD, format="turtle")
    )
    assert conforms, text


@pytest.mark.parametrize("name", cases.CASES)
def test_every_term_is_one_of_the_vocabularies_that_pyshacl_ships(name: str) -> None:
    known = Graph()
    for asset in ("shacl.ttl", "dash.ttl"):
        text = files("pyshacl").joinpath("assets", asset).read_text(encoding="utf-8")
        known.parse(data=text, format="turtle")
    used = {node for triple in read(cases.CASES[name]()) for node in triple}
    ours = {n for n in used if isinstance(n, URIRef) and n.startswith((str(SH._NS), str(DASH)))}
    assert ours <= set(known.subjects())


def test_a_result_has_what_one_of_pyshacl_has() -> None:
    """Whoever reads reports of pySHACL finds the same properties, of the same kinds."""
    shapes = """
    @prefix sh: <http://www.w3.org/ns/shacl#> .
    <urn:shape> a sh:NodeShape ; sh:targetNode <urn:x> ; sh:property <urn:property> .
    <urn:property> sh:path <urn:p> ; sh:datatype <urn:other> ; sh:severity sh:Warning .
    """
    _, theirs, _ = pyshacl.validate(
        Graph().parse(data="<urn:x> <urn:p> 'v' .", format="turtle"),
        shacl_graph=Graph().parse(data=shapes, format="turtle"),
    )
    assert isinstance(theirs, Graph)
    ours = read(cases.lease())

    def shape(graph: Graph, kind: Node) -> set[tuple[str, ...]]:
        return {
            (str(p), type(o).__name__)
            for node in graph.subjects(RDF.type, kind)
            for p, o in graph.predicate_objects(node)
            if str(p).startswith(str(SH._NS))
        }

    for kind in (SH.ValidationReport, SH.ValidationResult):
        assert shape(theirs, kind) <= shape(ours, kind)
    (conforms,) = ours.objects(None, SH.conforms)
    assert conforms == next(theirs.objects(None, SH.conforms)) == Literal(False)


@pytest.mark.parametrize("name", cases.CASES)
def test_every_statement_has_its_verdict_and_every_metric_its_value(name: str) -> None:
    report = cases.CASES[name]()
    graph = read(report)
    reviews = {
        str(graph.value(one, EARL.subject)): (
            str(graph.value(one, GR.verdict)),
            graph.value(graph.value(one, EARL.result), EARL.outcome),
        )
        for one in graph.objects(None, GR.review)
    }
    passed = {s for s, (_, earl) in reviews.items() if earl == EARL.passed}
    metrics = {
        str(graph.value(one, SCHEMA.name)): graph.value(one, SCHEMA.value)
        for one in graph.objects(None, GR.metric)
    }

    assert {s: v for s, (v, _) in reviews.items()} == {
        str(s.id): s.outcome.value for s in report.statements
    }
    assert passed == {str(s.id) for s in report.statements if s.outcome is Outcome.SUPPORTED}
    assert metrics == {
        m.name: None if m.value is None else Literal(m.value) for m in report.metrics
    }


def test_what_could_not_be_checked_stands_before_all_else() -> None:
    report = replace(cases.policy(), unasked=("wikidata: no answer",))
    text = format_.dumps(report)

    assert text.index("gr:unread") < text.index("gr:unasked") < text.index("sh:conforms")


def test_what_was_decided_is_seen_and_hides_nothing() -> None:
    report = cases.lease()
    wrong = report.violations[0]
    decided = replace(
        report,
        overrides=(Override(wrong.fingerprint, "override", "a later deed", "Ann"),),
    )
    graph = read(decided)
    (override,) = graph.objects(None, GR.override)

    assert len(results(graph)) == len(report.violations)
    assert graph.value(override, GR.fingerprint) == Literal(wrong.fingerprint)
    assert graph.value(override, GR.why) == Literal("a later deed")
    (aside,) = graph.subjects(GR.stands, Literal(False))
    assert str(graph.value(aside, SH.resultMessage)) == headline(wrong, report)


def test_each_violation_is_a_result_with_its_claim_and_severity() -> None:
    report = cases.lease()
    graph = read(report)
    found = {str(graph.value(node, SH.resultMessage)): node for node in results(graph)}
    names = {Severity.ERROR: SH.Violation, Severity.WARNING: SH.Warning, Severity.INFO: SH.Info}
    assert set(found) == {headline(violation, report) for violation in report.violations}
    for violation in report.violations:
        node = found[headline(violation, report)]
        assert graph.value(node, SH.resultSeverity) == names[violation.severity]
        assert graph.value(node, SH.sourceShape) == URIRef(format_.RULE + violation.rule)
        if violation.claim:
            triple = violation.claim.triple
            assert graph.value(node, SH.focusNode) == triple.subject
            assert graph.value(node, SH.resultPath) == triple.predicate
            assert graph.value(node, SH.value) == triple.object
        else:
            assert graph.value(node, SH.focusNode) == SOURCE[report.source]


def test_a_finding_on_a_statement_is_about_its_wrong_words() -> None:
    report = cases.policy()
    graph = read(report)
    figure = next(v for v in report.violations if v.rule == "GR306")
    (node,) = (n for n in results(graph) if str(graph.value(n, SH.resultMessage)) == figure.message)
    assert graph.value(node, SH.focusNode) == report.statements[2].id
    assert graph.value(node, SH.resultPath) == GR.words
    assert graph.value(node, SH.value) == Literal("£14,100")
    (target,) = graph.objects(node, OA.hasTarget)
    quoted = {
        str(o) for s in graph.objects(target, OA.hasSelector) for o in graph.objects(s, OA.exact)
    }
    assert quoted == {"£14,100"}


def test_a_quotation_is_the_text_between_its_positions() -> None:
    report = cases.wide()
    graph = read(report)
    for target in graph.objects(None, OA.hasTarget):
        selectors = list(graph.objects(target, OA.hasSelector))
        (place,) = (s for s in selectors if graph.value(s, OA.start) is not None)
        (words,) = (s for s in selectors if graph.value(s, OA.exact) is not None)
        start, end = (int(str(graph.value(place, p))) for p in (OA.start, OA.end))
        before, exact, after = (
            str(graph.value(words, p)) for p in (OA.prefix, OA.exact, OA.suffix)
        )
        assert report.text[start:end] == exact
        assert report.text[:start].endswith(before)
        assert report.text[end:].startswith(after)


def test_an_edit_is_a_graph_update() -> None:
    report = cases.lease()
    graph = read(report)
    term = report.violations[0]
    (node,) = (
        n for n in results(graph) if str(graph.value(n, SH.resultMessage)) == headline(term, report)
    )
    update = graph.value(node, DASH.suggestion)
    assert term.edit is not None
    for operation in term.edit.operations:
        predicate = DASH.addedTriple if operation.action == "ADD" else DASH.deletedTriple
        statement = graph.value(update, predicate)
        parts = [graph.value(statement, p) for p in (RDF.subject, RDF.predicate, RDF.object)]
        assert parts == [operation.triple.subject, operation.triple.predicate,
                         operation.triple.object]  # fmt: skip


def test_evidence_and_axioms_are_what_a_result_was_derived_from() -> None:
    report = cases.lease()
    axiom = Triple(URIRef("urn:p"), URIRef("urn:excludes"), URIRef("urn:q"))
    first = replace(report.violations[0], axioms=(axiom,), because="they exclude each other")
    graph = read(replace(report, violations=(first,)))
    (node,) = results(graph)
    subjects = {graph.value(s, RDF.subject) for s in graph.objects(node, PROV.wasDerivedFrom)}
    assert subjects == {axiom.subject, first.evidence[0].triple.subject}


def test_a_warning_does_not_conform_to_the_standard_though_the_text_passes() -> None:
    report = cases.lease()
    soft = tuple(v for v in report.violations if v.severity is Severity.WARNING)
    assert replace(report, statements=report.statements[:1], violations=soft).conforms
    for violations, conforms in ((soft, False), ((), True)):
        graph = read(replace(report, violations=violations))
        (value,) = graph.objects(None, SH.conforms)
        assert value == Literal(conforms)


any_text = st.text(st.characters(codec=None, exclude_categories=()), max_size=8)
nodes = st.one_of(
    any_text.map(lambda text: URIRef(f"urn:x:{text}")),
    any_text.map(Literal),
    any_text.map(lambda text: Literal(text, lang="en")),
    any_text.map(lambda text: Literal(text, datatype=URIRef("urn:x:type"))),
    any_text.map(BNode),
)


@examples(150)
@given(st.builds(Triple, nodes, nodes, nodes), any_text, any_text)
def test_whatever_a_text_holds_the_report_is_turtle(triple: Triple, text: str, name: str) -> None:
    claim = Claim(URIRef("urn:c"), triple, Span(name, 0, len(text)))
    violation = Violation(
        "X1", name, Severity.ERROR, text, claim, (Evidence(triple, name),),
        Edit((EditOperation("DELETE", triple), EditOperation("ADD", triple))), axioms=(triple,),
        because=text,
    )  # fmt: skip
    report = Report(name, text, claims=(claim,), violations=(violation,))
    assert len(results(read(report))) == 1
    assert format_.dumps(report) == format_.dumps(report)
