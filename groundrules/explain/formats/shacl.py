"""The `shacl` format: the violations as a SHACL validation report (W3C 2017, 3.6) in Turtle.

Each violation is a sh:ValidationResult; of one on a statement, that is the focus node and its wrong
words are the value. Where they stand in the text is a Web Annotation target
(oa:TextPositionSelector counts code points), its evidence is what it was derived from (PROV-O), its
edit a dash:GraphUpdate. `sh:conforms` is that of the standard: true if there is no result at all,
whatever its severity.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from rdflib.namespace import PROV, RDF, RDFS, SH, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.explain.contrast import focus, headline
from groundrules.explain.formats import Look
from groundrules.explain.place import source_name, source_text
from groundrules.terms import GR, SOURCE, Edit, Report, Severity, Span, Triple, Violation

#: A rule is the shape that a result names.
RULE = "https://groundrules.dev/rules/"

_PREFIXES = {
    "dash": "http://datashapes.org/dash#",
    "oa": "http://www.w3.org/ns/oa#",
    "prov": str(PROV._NS),
    "rdf": str(RDF),
    "rdfs": str(RDFS),
    "sh": str(SH._NS),
    "xsd": str(XSD),
}
_SEVERITIES = {
    Severity.ERROR: "sh:Violation",
    Severity.WARNING: "sh:Warning",
    Severity.INFO: "sh:Info",
}
#: How many characters before and after a quotation tell it from others (Web Annotation, 4.2.4).
_AROUND = 32

#: A blank node as its properties: a predicate and one value, or nested nodes.
Rows = list[tuple[str, "str | Rows"]]


def dumps(report: Report) -> str:
    """Return the report as Turtle that ends in a line break; equal reports give equal bytes."""
    lines = [f"@prefix {name}: <{iri}> ." for name, iri in _PREFIXES.items()]
    rows: Rows = [
        ("a", "sh:ValidationReport"),
        ("sh:conforms", "false" if report.violations else "true"),
        *(("sh:result", _result(violation, report)) for violation in report.violations),
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
        ("sh:resultSeverity", _SEVERITIES[violation.severity]),
        ("sh:sourceShape", _iri(RULE + quote(violation.rule, safe=""))),
        ("sh:sourceConstraintComponent", "sh:SPARQLConstraintComponent"),
        ("sh:resultMessage", _text(headline(violation, report))),
    ]
    if violation.because:
        rows.append(("rdfs:comment", _text(violation.because)))
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
            ("oa:prefix", _text(text[max(0, span.start - _AROUND) : span.start])),
            ("oa:suffix", _text(text[span.end : span.end + _AROUND])),
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
