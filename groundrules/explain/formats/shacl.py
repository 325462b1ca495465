"""The `shacl` format: a SHACL validation report (W3C 2017, 3.6) in Turtle.

Each violation is a sh:ValidationResult; of one on a statement, that is the focus node and its wrong
words are the value. Where they stand in the text is a Web Annotation target
(oa:TextPositionSelector counts code points), its evidence is what it was derived from (PROV-O), its
edit a dash:GraphUpdate. `sh:conforms` is that of the standard: true if there is no result at all,
whatever its severity. Verdicts (earl:Assertion), metrics and what was decided stand beside them,
what could not be checked before them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from rdflib.namespace import PROV, RDF, RDFS, SH, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.explain import vocabulary
from groundrules.explain.contrast import decided, focus, headline
from groundrules.explain.formats import Look
from groundrules.explain.place import source_name, source_text
from groundrules.explain.vocabulary import AROUND, RULE, SEVERITIES, VOCABULARIES, earl_outcome
from groundrules.terms import (
    GR,
    SOURCE,
    Edit,
    Metric,
    Override,
    Report,
    Span,
    Statement,
    Triple,
    Violation,
)

_PREFIXES = {
    "dash": "http://datashapes.org/dash#",
    "earl": VOCABULARIES["earl"],
    "gr": VOCABULARIES["gr"],
    "oa": "http://www.w3.org/ns/oa#",
    "prov": str(PROV._NS),
    "rdf": str(RDF),
    "rdfs": str(RDFS),
    "schema": VOCABULARIES["schema"],
    "sh": str(SH._NS),
    "xsd": str(XSD),
}

#: A blank node as its properties: a predicate and one value, or nested nodes.
Rows = list[tuple[str, "str | Rows"]]


def dumps(report: Report) -> str:
    """Return the report as Turtle that ends in a line break; equal reports give equal bytes."""
    lines = [f"@prefix {name}: <{iri}> ." for name, iri in _PREFIXES.items()]
    rows: Rows = [
        ("a", "sh:ValidationReport"),
        *(("gr:unread", _text(one)) for one in report.unread),
        *(("gr:unasked", _text(one)) for one in report.unasked),
        ("gr:conclusion", _text(report.conclusion.value)),
        ("gr:settled", _double(report.settled)),
        ("sh:conforms", "false" if report.violations else "true"),
        *(("sh:result", _result(violation, report)) for violation in report.violations),
        *(("gr:review", _review(statement, report)) for statement in report.statements),
        *(("gr:metric", _metric(metric)) for metric in report.metrics),
        *(("gr:override", _override(override)) for override in report.overrides),
    ]
    return "\n".join([*lines, "", f"{_write(rows, 0)} .", ""])


def render(reports: Sequence[Report], look: Look) -> str:
    """Return reports as Turtle, one after the other."""
    return "\n".join(dumps(report) for report in reports)


def _result(violation: Violation, report: Report) -> Rows:
    claim = violation.claim
    triple = claim.triple if claim else None
    words = dict(violation.bindings).get("claimed")
    if claim and triple and claim.origin == "statement" and isinstance(words, Literal):
        triple = Triple(claim.id, GR.words, words)
    place = focus(violation)
    rows: Rows = [
        ("a", "sh:ValidationResult"),
        ("sh:focusNode", _term(triple.subject) if triple else _source(report.source)),
    ]
    if triple and isinstance(triple.predicate, URIRef):
        rows += [("sh:resultPath", _term(triple.predicate)), ("sh:value", _term(triple.object))]
    rows += [
        ("sh:resultSeverity", SEVERITIES[violation.severity]),
        ("sh:sourceShape", _iri(RULE + quote(violation.rule, safe=""))),
        ("sh:sourceConstraintComponent", "sh:SPARQLConstraintComponent"),
        ("sh:resultMessage", _text(headline(violation, report))),
    ]
    if not report.stands(violation):
        rows.append(("gr:stands", "false"))
    if violation.because:
        rows.append(("rdfs:comment", _text(violation.because)))
    if override := report.decision_on(violation):
        rows.append(("rdfs:comment", _text(decided(override))))
    if place:
        rows.append(("oa:hasTarget", _target(place, report)))
    rows += [("prov:wasDerivedFrom", _statement(axiom)) for axiom in violation.axioms]
    for item in violation.evidence:
        statement = _statement(item.triple)
        if item.span:
            statement.append(("oa:hasTarget", _target(item.span, report)))
        elif item.source:
            statement.append(("prov:wasQuotedFrom", _source(item.source)))
        rows.append(("prov:wasDerivedFrom", statement))
    if violation.edit and violation.edit.operations:
        rows.append(("dash:suggestion", _update(violation.edit)))
    return rows


def _review(statement: Statement, report: Report) -> Rows:
    result: Rows = [
        ("a", "earl:TestResult"),
        ("earl:outcome", earl_outcome(statement.outcome, statement.reason)),
    ]
    if statement.note:
        result.append(("earl:info", _text(statement.note)))
    rows: Rows = [
        ("a", "earl:Assertion"),
        ("earl:subject", _term(statement.id)),
        ("earl:mode", "earl:automatic"),
        ("earl:result", result),
        ("oa:hasTarget", _target(statement.span, report)),
        ("gr:verdict", _text(statement.outcome.value)),
        ("gr:decided", _text(report.outcome_of(statement).value)),
    ]
    if statement.reason:
        rows.append(("gr:reason", _text(statement.reason)))
    if statement.support is not None:
        rows.append(("gr:support", _double(statement.support)))
    return rows


def _metric(metric: Metric) -> Rows:
    value: Rows = [] if metric.value is None else [("schema:value", _double(metric.value))]
    return [
        ("a", "schema:PropertyValue"),
        ("schema:name", _text(metric.name)),
        *value,
        ("gr:checks", _count(metric.checks)),
    ]


def _override(override: Override) -> Rows:
    told = (
        ("gr:kind", override.kind),
        ("gr:fingerprint", override.fingerprint),
        ("gr:verdict", override.outcome.value if override.outcome else ""),
        ("gr:why", override.why),
        ("schema:author", override.by),
        ("schema:dateCreated", override.at),
    )
    return [("a", "gr:Override"), *((name, _text(text)) for name, text in told if text)]


def _target(span: Span, report: Report) -> Rows:
    rows: Rows = [
        ("a", "oa:SpecificResource"),
        ("oa:hasSource", _source(span.source)),
        (
            "oa:hasSelector",
            [
                ("a", "oa:TextPositionSelector"),
                ("oa:start", _count(span.start)),
                ("oa:end", _count(span.end)),
            ],
        ),
    ]
    text = source_text(report, span.source)
    if text is not None and span.start < span.end <= len(text):
        quotation: Rows = [
            ("a", "oa:TextQuoteSelector"),
            ("oa:exact", _text(text[span.start : span.end])),
            ("oa:prefix", _text(text[max(0, span.start - AROUND) : span.start])),
            ("oa:suffix", _text(text[span.end : span.end + AROUND])),
        ]
        rows.append(("oa:hasSelector", quotation))
    return rows


def _update(edit: Edit) -> Rows:
    predicates = {"DELETE": "dash:deletedTriple", "ADD": "dash:addedTriple"}
    standing = {True: ", verified", False: ", not verified", None: ""}[edit.verified]
    return [
        ("a", "dash:GraphUpdate"),
        *((predicates[one.action], _statement(one.triple)) for one in edit.operations),
        ("rdfs:comment", _text(edit.applicability + standing)),
    ]


def _statement(triple: Triple) -> Rows:
    return [
        ("a", "rdf:Statement"),
        ("rdf:subject", _term(triple.subject)),
        ("rdf:predicate", _term(triple.predicate)),
        ("rdf:object", _term(triple.object)),
    ]


def _write(rows: Rows, depth: int) -> str:
    """Return a blank node and what hangs from it."""
    indent = "  " * (depth + 1)
    lines = [
        f"{indent}{predicate} {value if isinstance(value, str) else _write(value, depth + 1)}"
        for predicate, value in rows
    ]
    return "[\n" + " ;\n".join(lines) + "\n" + "  " * depth + "]"


def _term(node: Node) -> str:
    if isinstance(node, Literal):
        if node.language:
            return f"{_text(str(node))}@{node.language}"
        return _text(str(node)) + (f"^^{_iri(str(node.datatype))}" if node.datatype else "")
    if isinstance(node, BNode):
        return f"_:b{str(node).encode('utf-8', 'replace').hex()}"
    return _iri(str(node))


def _count(number: int) -> str:
    return f'"{number}"^^xsd:nonNegativeInteger'


def _double(number: float) -> str:
    found = vocabulary.number(number)
    assert found is not None
    return _term(found)


def _source(name: str) -> str:
    return _iri(SOURCE + quote(source_name(name), safe="", errors="surrogatepass"))


def _iri(iri: str) -> str:
    """Return an IRI as a prefixed name or in brackets, what Turtle forbids percent-encoded."""
    for prefix, base in _PREFIXES.items():
        if iri.startswith(base) and re.fullmatch(r"[A-Za-z]\w*", iri[len(base) :], re.A):
            return f"{prefix}:{iri[len(base) :]}"
    return "<" + re.sub(r'[\x00-\x20<>"{}|^`\\\ud800-\udfff]', _percent, iri) + ">"


def _percent(match: re.Match[str]) -> str:
    return quote(match[0], safe="", errors="replace")


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _text(text: str) -> str:
    """Return a string in quotes; a lone surrogate, which RDF lacks, becomes U+FFFD."""
    return '"' + re.sub(r'[\x00-\x1f\x7f"\\\ud800-\udfff]', _escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"
