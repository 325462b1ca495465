"""Claims and evidence of a report as rdf:Statements, each with its place."""

from __future__ import annotations

from rdflib.term import URIRef

from groundrules.dataset import stance
from groundrules.explain.foil import phrase
from groundrules.explain.graph.sheet import Sheet
from groundrules.explain.vocabulary import OWN, clean, hash_of, number, plain, term
from groundrules.terms import GR, Claim, Evidence, Triple

#: Of a triple with these the words say it all.
_WORDS = (GR.words, GR.text)


def claim_of(sheet: Sheet, claim: Claim) -> URIRef:
    """Return the node of a claim, of the statement where that is what it claims."""
    if claim.origin == "statement" and claim.sentence in sheet.statements:
        return sheet.statements[claim.sentence]
    node = sheet.claim_node(claim)
    if node in sheet.described:
        return node
    sheet.described.add(node)
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


def bare(sheet: Sheet, triple: Triple) -> URIRef:
    """Return the node of a triple that nobody asserts: of an edit or an axiom."""
    parts = [repr(sheet.node(n)) for n in (triple.subject, triple.predicate, triple.object)]
    node = URIRef(f"{OWN}triple:{hash_of(sheet.text, *parts)}")
    _add_triple(sheet, node, triple)
    return node


def evidence_of(sheet: Sheet, evidence: Evidence) -> URIRef:
    """Return the node of a statement of a source that a verdict or a finding rests on."""
    said = evidence.triple
    document = sheet.document(evidence.span.source if evidence.span else evidence.source)
    parts = [repr(sheet.node(n)) for n in (said.subject, said.predicate, said.object)]
    told = (repr(evidence.span), repr(evidence.score), evidence.pin or "")
    digest = "" if evidence.span else sheet.digest(evidence.source)
    pin = evidence.pin or (f"digest {digest}" if digest else "")
    node = URIRef(f"{OWN}evidence:{hash_of(document, *parts, *told)}")
    if node not in sheet.described:
        sheet.described.add(node)
        _add_triple(sheet, node, said)
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
        labels = sheet.report.labels
        spoken = phrase(triple, labels, negative=negative)
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
