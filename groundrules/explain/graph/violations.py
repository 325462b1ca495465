"""Violations of a report as SHACL results, their edits, and what somebody decided of them."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from rdflib.term import URIRef

from groundrules.explain.contrast import headline
from groundrules.explain.graph.reified import bare, claim_of, evidence_of
from groundrules.explain.graph.sheet import Sheet
from groundrules.explain.vocabulary import RULE, SEVERITIES, literal, moment, number, plain, term
from groundrules.terms import GR, Edit, Override, Violation


def add_violation(sheet: Sheet, violation: Violation, place: int) -> URIRef:
    """Say what a rule found, and return its node."""
    report = sheet.report
    node = sheet.own("violation", str(place))
    claim = violation.claim
    focus = claim_of(sheet, claim) if claim else sheet.text
    path = sheet.node(claim.triple.predicate) if claim else None
    of_statement = focus in sheet.statements.values()
    at = isinstance(path, URIRef) and claim is not None and not of_statement
    sheet.add(
        node,
        ("rdf:type", term("sh:ValidationResult")),
        ("sh:focusNode", focus),
        ("sh:resultPath", path if at else None),
        ("sh:value", sheet.node(claim.triple.object) if at and claim else None),
        ("sh:resultSeverity", term(SEVERITIES[violation.severity])),
        (
            "sh:sourceShape",
            URIRef(RULE + quote(violation.rule, safe="", errors="replace")),
        ),
        ("sh:sourceConstraintComponent", term("sh:SPARQLConstraintComponent")),
        ("sh:resultMessage", plain(headline(violation, report)) or literal("")),
        ("schema:name", plain(violation.name)),
        ("gr:fingerprint", plain(violation.fingerprint)),
        ("gr:stands", literal(report.stands(violation))),
        ("gr:because", plain(violation.because)),
        ("gr:score", number(violation.score)),
        *(("gr:axiom", bare(sheet, axiom)) for axiom in violation.axioms),
        *(("gr:evidence", evidence_of(sheet, one)) for one in violation.evidence),
    )
    if violation.edit and violation.edit.operations:
        _add_edit(sheet, node, violation.edit)
    return node


def _add_edit(sheet: Sheet, violation: URIRef, edit: Edit) -> None:
    node = URIRef(f"{violation}:edit")
    predicates = {"DELETE": "dash:deletedTriple", "ADD": "dash:addedTriple"}
    sheet.add(violation, ("dash:suggestion", node))
    sheet.add(
        node,
        ("rdf:type", term("dash:GraphUpdate")),
        *((predicates[one.action], bare(sheet, one.triple)) for one in edit.operations),
        ("gr:applicability", plain(edit.applicability)),
        ("gr:verified", None if edit.verified is None else literal(edit.verified)),
    )


def add_override(sheet: Sheet, override: Override, place: int, subjects: Iterable[URIRef]) -> None:
    """Say what somebody decided of what has the same fingerprint."""
    node = sheet.own("override", str(place))
    sheet.add(
        node,
        ("rdf:type", GR.Override),
        *(("gr:overrides", one) for one in subjects),
        ("gr:fingerprint", plain(override.fingerprint)),
        ("gr:kind", plain(override.kind)),
        ("gr:verdict", plain(override.outcome.value) if override.outcome else None),
        ("gr:why", plain(override.why)),
        ("prov:generatedAtTime", moment(override.at)),
        ("prov:wasAttributedTo", sheet.person(override.by) if override.by else None),
    )
