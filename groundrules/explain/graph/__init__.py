"""A report as RDF: what was said of what, by what run, in the words of the standards.

A report is a sh:ValidationReport, a violation a sh:ValidationResult with its edit as a
dash:GraphUpdate, the run a prov:Activity. A claim is an rdf:Statement, the verdict on it or on a
statement a schema:Review; a place is a Web Annotation target. Each node has an IRI made
of hashes, so that the same check gives the same triples but for its time, which stands once;
docs/reference/report-rdf.md has a table of the terms.

Every term of a text or source is hostile: what is no IRI is percent-encoded or becomes a literal,
and only nodes that are made here are subjects.
"""

from __future__ import annotations

import itertools
from urllib.parse import quote

from rdflib.term import Node, URIRef

from groundrules.dataset import UNCOMMITTED
from groundrules.explain.graph.sheet import Sheet, name_of
from groundrules.explain.graph.told import (
    add_override,
    add_run,
    add_statement,
    add_value,
    add_verdict,
    add_violation,
    claim_of,
)
from groundrules.explain.vocabulary import count, literal, number, plain, term
from groundrules.terms import GR, METRIC, Report, Triple

__all__ = ["describe", "name_of", "stated"]


def describe(report: Report) -> list[Triple]:
    """Return all that a report says of its text, as triples in a fixed order, each once.

    Its nodes are those of `name_of`.
    """
    sheet = Sheet(report)
    node = sheet.name
    sheet.add(
        node,
        ("rdf:type", GR.Report),
        ("rdf:type", term("sh:ValidationReport")),
        ("rdf:type", term("prov:Entity")),
        *(("gr:unread", plain(one)) for one in report.unread),
        *(("gr:unasked", plain(one)) for one in report.unasked),
        ("schema:about", sheet.text),
        ("schema:name", plain(report.source)),
        ("gr:conforms", None if report.conforms is None else literal(report.conforms)),
        ("gr:conclusion", plain(report.conclusion.value)),
        ("gr:settled", number(report.settled)),
        ("gr:guardrail", plain(report.guardrail)),
        ("prov:wasGeneratedBy", sheet.run),
        ("sh:conforms", literal(not report.violations)),
    )
    add_run(sheet)
    for metric in report.metrics:
        nth = quote(metric.name, safe="", errors="replace")
        one = add_value(sheet, node, "metric", nth, metric.name, number(metric.value))
        sheet.add(
            one,
            ("schema:propertyID", URIRef(METRIC + quote(metric.name, errors="replace"))),
            ("gr:checks", count(metric.checks)),
        )
    for place, statement in enumerate(report.statements):
        add_statement(sheet, statement, place)
    for claim in (*report.claims, *report.assertions):
        claim_of(sheet, claim)
    for place, verdict in enumerate(report.verdicts):
        add_verdict(sheet, verdict, place)
    subjects: dict[str, list[URIRef]] = {}
    for statement in report.statements:
        own = sheet.minted[statement.id]
        subjects.setdefault(statement.fingerprint, []).append(own)
    for place, violation in enumerate(report.violations):
        result = add_violation(sheet, violation, place)
        sheet.add(node, ("sh:result", result))
        subjects.setdefault(violation.fingerprint, []).append(result)
    for place, override in enumerate(report.overrides):
        add_override(sheet, override, place, subjects.get(override.fingerprint, []))
    return [Triple(node, *row) for node, rows in sheet.rows.items() for row in rows]


def stated(report: Report) -> dict[URIRef, list[Triple]]:
    """Return what the text and each source say, as the report has it, by named graph.

    What is denied, possible or conditional is left out, and what no graph can have: a literal as
    subject. So is what is said in our own vocabulary, lest a text speak as a report.
    """
    sheet = Sheet(report)
    found: dict[URIRef, dict[tuple[Node, Node, Node], None]] = {}

    def add(source: str, triple: Triple) -> None:
        node = sheet.node
        parts = (node(triple.subject), node(triple.predicate), node(triple.object))
        ours = any(isinstance(part, URIRef) and part.startswith(str(GR._NS)) for part in parts)
        if all(isinstance(part, URIRef) for part in parts[:2]) and not ours:
            found.setdefault(sheet.document(source), {})[parts] = None

    for claim in (*report.claims, *report.assertions):
        if claim.polarity == "positive" and claim.modality not in UNCOMMITTED:
            add(report.source, claim.triple)
    # what a rule found that compares these is what the source denies
    told = [v.evidence for v in report.violations if v.traits.compares != "polarity"]
    for item in itertools.chain(*(v.evidence for v in report.verdicts), *told):
        add(item.span.source if item.span else item.source, item.triple)
    return {name: [Triple(*parts) for parts in found[name]] for name in sorted(found)}
