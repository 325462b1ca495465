"""What a report says of its text, part by part: claims, verdicts, violations, the run."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from rdflib.term import Node, URIRef

from groundrules.dataset import stance
from groundrules.explain.contrast import headline
from groundrules.explain.foil import phrase
from groundrules.explain.graph.sheet import Sheet
from groundrules.explain.vocabulary import (
    OWN,
    RULE,
    SEVERITIES,
    clean,
    count,
    hash_of,
    literal,
    moment,
    number,
    plain,
    term,
)
from groundrules.terms import GR, Claim, Evidence, Override, Statement, Triple, Verdict, Violation

#: Of a triple with these the words say it all.
_WORDS = (GR.words, GR.text)


# --- triples ----------------------------------------------------------------------------------


def claim_of(sheet: Sheet, claim: Claim) -> URIRef:
    """Return the node of a claim, of the statement where that is what it claims."""
    if claim.origin == "statement" and claim.sentence in sheet.statements:
        return sheet.statements[claim.sentence]
    node = sheet.claim_node(claim)
    if sheet.is_new(node):
        _add_triple(sheet, node, claim.triple, negative=claim.polarity == "negative")
        sheet.add(
            node,
            ("rdf:type", GR.Claim if claim.reads is None else GR.Assertion),
            ("schema:isPartOf", sheet.statements.get(claim.sentence)),
            ("gr:reads", None if claim.reads is None else sheet.minted.get(claim.reads)),
            ("gr:polarity", plain(claim.polarity)),
            ("gr:modality", plain(claim.modality.value)),
            ("gr:stance", plain(stance(claim.polarity, claim.modality))),
            ("gr:attribution", plain(claim.attribution or "")),
            ("gr:origin", plain(claim.origin)),
            ("gr:confidence", number(claim.confidence)),
            ("schema:temporalCoverage", None if claim.time is None else clean(claim.time)),
            ("oa:hasTarget", sheet.place(claim.span) if claim.span.source else None),
        )
    return node


def _bare(sheet: Sheet, triple: Triple) -> URIRef:
    """Return the node of a triple that nobody asserts: of an edit or an axiom."""
    node = URIRef(f"{OWN}triple:{hash_of(sheet.text, *sheet.parts(triple))}")
    _add_triple(sheet, node, triple)
    return node


def _evidence_of(sheet: Sheet, evidence: Evidence) -> URIRef:
    """Return the node of a statement of a source that a verdict or a finding rests on."""
    document = sheet.document(evidence.span.source if evidence.span else evidence.source)
    told = (repr(evidence.span), repr(evidence.score), evidence.pin or "")
    digest = "" if evidence.span else sheet.digest(evidence.source)
    pin = evidence.pin or (f"digest {digest}" if digest else "")
    node = URIRef(f"{OWN}evidence:{hash_of(document, *sheet.parts(evidence.triple), *told)}")
    if sheet.is_new(node):
        _add_triple(sheet, node, evidence.triple)
        sheet.add(
            node,
            ("rdf:type", GR.Evidence),
            ("gr:source", document),
            ("gr:score", number(evidence.score)),
            ("oa:hasTarget", sheet.place(evidence.span) if evidence.span else None),
            ("gr:pin", _pin_of(sheet, pin) if pin else None),
        )
    return node


def _add_triple(sheet: Sheet, node: URIRef, triple: Triple, *, negative: bool = False) -> None:
    name, value = str(triple.predicate), str(triple.object)
    spoken = value
    if triple.predicate not in _WORDS:
        ours = name.startswith(str(GR._NS))
        spoken = phrase(triple, sheet.report.labels, negative=negative)
        spoken = f"{name[len(GR._NS) :]}: {value}" if ours else spoken
    sheet.add(
        node,
        ("rdf:type", term("rdf:Statement")),
        ("rdf:subject", sheet.node(triple.subject)),
        ("rdf:predicate", sheet.node(triple.predicate)),
        ("rdf:object", sheet.node(triple.object)),
        ("rdfs:label", plain(spoken)),
    )


def _pin_of(sheet: Sheet, pin: str) -> URIRef:
    """Return the revision of a statement, or of the graph that has it, which the run has used."""
    node = URIRef(f"{OWN}pin:{hash_of(pin)}")
    told = dict(part.split(" ", 1) for part in pin.split(", ") if " " in part)
    sheet.add(sheet.run, ("prov:used", node))
    sheet.add(
        node,
        ("rdfs:label", plain(pin)),
        ("schema:version", plain(told.get("revision") or told.get("digest", ""))),
        ("gr:read", plain(told.get("read", ""))),
    )
    return node


# --- statements and verdicts ------------------------------------------------------------------


def add_statement(sheet: Sheet, statement: Statement, place: int) -> None:
    """Say what a statement is, where it stands, its verdict, and what was decided of it."""
    node = sheet.minted[statement.id]
    sheet.add(
        node,
        ("rdf:type", GR.Statement),
        ("schema:text", plain(statement.text)),
        ("schema:appearance", sheet.text),
        ("gr:fingerprint", plain(statement.fingerprint)),
        ("gr:sentence", count(statement.number)),
        ("oa:hasTarget", sheet.place(statement.span)),
    )
    review = sheet.own("review", str(place))
    override = sheet.report.override_of(statement)
    sheet.add(
        review,
        ("rdf:type", term("schema:Review")),
        ("schema:itemReviewed", node),
        ("schema:author", sheet.person(override.by) if override and override.by else sheet.engine),
        ("prov:wasGeneratedBy", sheet.run),
        ("gr:verdict", plain(statement.outcome.value)),
        ("gr:decided", plain(sheet.report.outcome_of(statement).value)),
        ("gr:reason", plain(statement.reason)),
        ("rdfs:comment", plain(statement.note)),
        *(("gr:passage", sheet.place(span)) for span in statement.passages),
    )
    for nth, account in enumerate(statement.accounts):
        figure = sheet.own("figure", f"{place}:{nth}")
        sheet.add(review, ("gr:account", figure))
        sheet.add(
            figure,
            ("rdf:type", GR.Figure),
            ("gr:text", plain(account.text)),
            ("gr:kind", plain(account.status)),
            ("gr:how", plain(account.how)),
            ("oa:hasTarget", sheet.place(account.span)),
            *(("gr:passage", sheet.place(span)) for span in account.places),
        )


def add_verdict(sheet: Sheet, verdict: Verdict, place: int) -> None:
    """Say what the outcome of a claim is, and on what it rests."""
    sheet.add(
        sheet.own("verdict", str(place)),
        ("rdf:type", term("schema:Review")),
        ("schema:itemReviewed", claim_of(sheet, verdict.claim)),
        ("prov:wasGeneratedBy", sheet.run),
        ("gr:verdict", plain(verdict.outcome.value)),
        ("gr:reason", plain(verdict.reason)),
        ("gr:stage", plain(verdict.stage)),
        ("rdfs:comment", plain(verdict.message)),
        ("gr:support", number(verdict.support)),
        *(("gr:evidence", _evidence_of(sheet, one)) for one in verdict.evidence),
    )


# --- violations and decisions -----------------------------------------------------------------


def add_violation(sheet: Sheet, violation: Violation, place: int) -> URIRef:
    """Say what a rule found, and return its node."""
    report, edit = sheet.report, violation.edit
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
        ("sh:sourceShape", URIRef(RULE + quote(violation.rule, safe="", errors="replace"))),
        ("sh:sourceConstraintComponent", term("sh:SPARQLConstraintComponent")),
        ("sh:resultMessage", plain(headline(violation, report)) or literal("")),
        ("schema:name", plain(violation.name)),
        ("gr:fingerprint", plain(violation.fingerprint)),
        ("gr:stands", literal(report.stands(violation))),
        ("gr:because", plain(violation.because)),
        ("gr:score", number(violation.score)),
        *(("gr:axiom", _bare(sheet, axiom)) for axiom in violation.axioms),
        *(("gr:evidence", _evidence_of(sheet, one)) for one in violation.evidence),
    )
    if edit and edit.operations:
        update = URIRef(f"{node}:edit")
        predicates = {"DELETE": "dash:deletedTriple", "ADD": "dash:addedTriple"}
        sheet.add(node, ("dash:suggestion", update))
        sheet.add(
            update,
            ("rdf:type", term("dash:GraphUpdate")),
            *((predicates[one.action], _bare(sheet, one.triple)) for one in edit.operations),
            ("gr:applicability", plain(edit.applicability)),
            ("gr:verified", None if edit.verified is None else literal(edit.verified)),
        )
    return node


def add_override(sheet: Sheet, override: Override, place: int, subjects: Iterable[URIRef]) -> None:
    """Say what somebody decided of what has the same fingerprint."""
    sheet.add(
        sheet.own("override", str(place)),
        ("rdf:type", GR.Override),
        *(("gr:overrides", one) for one in subjects),
        ("gr:fingerprint", plain(override.fingerprint)),
        ("gr:kind", plain(override.kind)),
        ("gr:verdict", plain(override.outcome.value) if override.outcome else None),
        ("gr:why", plain(override.why)),
        ("prov:generatedAtTime", moment(override.at)),
        ("prov:wasAttributedTo", sheet.person(override.by) if override.by else None),
    )


# --- the run ----------------------------------------------------------------------------------


def add_run(sheet: Sheet) -> None:
    """Say what was run, by what, with what (prov:Activity)."""
    node, run = sheet.run, sheet.report.run
    sheet.add(
        node,
        ("rdf:type", term("prov:Activity")),
        ("prov:startedAtTime", moment(run.at)),
        ("prov:wasAssociatedWith", sheet.engine),
        ("gr:question", plain(run.question)),
        *(("rdfs:comment", plain(note)) for note in run.notes),
        ("gr:logHead", literal(logged.head) if (logged := sheet.report.logged) else None),
    )
    sheet.add(
        sheet.engine,
        ("rdf:type", term("prov:SoftwareAgent")),
        ("schema:name", literal("groundrules")),
        ("schema:softwareVersion", plain(run.version)),
    )
    for place, one in enumerate(run.inputs):
        document = sheet.document(one.name)
        if one.role == "question":
            document = URIRef(f"{OWN}document:{one.sha256}")
            sheet.add(document, ("rdf:type", term("prov:Entity")))
        usage = sheet.own("input", str(place))
        sheet.add(node, ("prov:used", document), ("prov:qualifiedUsage", usage))
        sheet.add(
            usage,
            ("rdf:type", term("prov:Usage")),
            ("prov:entity", document),
            ("gr:role", plain(one.role)),
            ("schema:name", plain(one.name)),
        )
    for kind, pairs in (("pack", run.packs), ("model", run.models)):
        for name, digest in pairs:
            used = URIRef(f"{OWN}{kind}:{hash_of(name, digest)}")
            sheet.add(node, ("prov:used", used))
            sheet.add(
                used,
                ("rdf:type", term("prov:Entity")),
                ("gr:kind", literal(kind)),
                ("schema:name", plain(name)),
                ("schema:version", plain(digest)),
            )
    for kind, settings in (("setting", run.settings), ("parameter", run.params)):
        for place, (name, value) in enumerate(settings):
            add_value(sheet, node, kind, str(place), name, plain(value))


def add_value(
    sheet: Sheet, of: URIRef, kind: str, nth: str, name: str, value: Node | None
) -> URIRef:
    """Say a named value of something, and return its node."""
    node = sheet.own(kind, nth)
    sheet.add(of, (f"gr:{kind}", node))
    sheet.add(
        node,
        ("rdf:type", term("schema:PropertyValue")),
        ("schema:name", plain(name)),
        ("schema:value", value),
    )
    return node
