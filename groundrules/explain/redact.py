"""Redaction: a report without the words of text and sources, to hand on where those may not be.

Kept are verdicts, rules, places, scores, figures of the whole text, hashes of files and the
fingerprints. A fingerprint is the hash of a sentence: who guesses the sentence can confirm it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace

from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.explain.place import source_name
from groundrules.terms import (
    GR,
    SOURCE,
    Account,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Override,
    Report,
    Span,
    Statement,
    Triple,
    Verdict,
    Violation,
    source_iri,
)

_MASK = "▒"
_LINE = "\n\r\x0b\x0c\x85\u2028\u2029"
_MASKED = re.compile(rf"[^{_LINE}]")
_VOCABULARIES = (str(GR), "http://www.w3.org/")
_KEPT_OUT = "kept out"
#: Columns of a row that are places and scores, and no words.
_NUMBERS = frozenset(("start", "end", "similarity", "score", "support"))
#: Settings that are a number or yes and no say nothing of the texts.
_PLAIN = re.compile(r"true|false|null|-?\d+(?:\.\d+)?")


def redacted(report: Report) -> Report:
    """Return a report with all words of text and sources masked or left out.

    Texts keep their length and their lines, so that each place stays; what is named twice has one
    name twice. The verdicts are the same, and so are fingerprints and what was decided by them.
    """
    names = _names(report)

    def name(source: str) -> str:
        new = names.get(source_name(source)) or f"source-{_digest(source)}"
        return str(source_iri(new)) if source.startswith(str(SOURCE)) else new

    def span(one: Span) -> Span:
        return replace(one, source=name(one.source))

    def maybe(one: Span | None) -> Span | None:
        return None if one is None else span(one)

    def claim(one: Claim) -> Claim:
        subject, predicate, object_ = one.parts
        return replace(
            one,
            id=_iri(one.id),
            triple=_triple(one.triple),
            span=span(one.span),
            parts=(maybe(subject), maybe(predicate), maybe(object_)),
            attribution=one.attribution and _KEPT_OUT,
            time=None if one.time is None else _literal(one.time),
            reads=None if one.reads is None else _iri(one.reads),
        )

    def evidence(one: Evidence) -> Evidence:
        return replace(
            one,
            triple=_triple(one.triple),
            source=name(one.source),
            span=maybe(one.span),
            pin=one.pin and f"sha256:{_digest(one.pin)}",
        )

    return replace(
        report,
        source=name(report.source),
        text=_mask(report.text),
        statements=tuple(_statement(one, span) for one in report.statements),
        claims=tuple(map(claim, report.claims)),
        assertions=tuple(map(claim, report.assertions)),
        verdicts=tuple(_verdict(one, claim, evidence) for one in report.verdicts),
        violations=tuple(_violation(one, claim, evidence) for one in report.violations),
        labels={},
        sources={name(source): _mask(text) for source, text in report.sources.items()},
        run=replace(
            report.run,
            inputs=tuple(replace(one, name=name(one.name)) for one in report.run.inputs),
            notes=(_KEPT_OUT,) * len(report.run.notes),
            settings=tuple(
                (key, value if _PLAIN.fullmatch(value) else f'"{_KEPT_OUT}"')
                for key, value in report.run.settings
            ),
            question=_mask(report.run.question),
        ),
        unread=("a part of text or sources could not be read",) * len(report.unread),
        unasked=("a source could not be asked",) * len(report.unasked),
        overrides=tuple(_override(one) for one in report.overrides),
        logged=report.logged and replace(report.logged, log="log"),
    )


def _names(report: Report) -> dict[str, str]:
    """Return a new name for each text and source, by the order in which they were given."""
    names = {report.source: "text"}
    counts: dict[str, int] = {}
    given = [(one.name, one.role) for one in report.run.inputs]
    for source, role in [*given, *((source, "source") for source in sorted(report.sources))]:
        if source_name(source) not in names:
            kind = role.replace(" ", "-")
            counts[kind] = counts.get(kind, 0) + 1
            names[source_name(source)] = f"{kind}-{counts[kind]}"
    return names


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]


def _mask(text: str) -> str:
    return _MASKED.sub(_MASK, text)


def _iri(node: URIRef) -> URIRef:
    return URIRef(f"urn:groundrules:redacted:{_digest(node)}")


def _literal(node: Literal) -> Literal:
    return Literal(f"redacted:{_digest(node.n3())}")


def _node(node: Node) -> Node:
    """Return a node without its words; what comes of the standards and of us is none of them."""
    match node:
        case Literal():
            return _literal(node)
        case URIRef():
            return node if str(node).startswith(_VOCABULARIES) else _iri(node)
    return BNode(_digest(str(node)))


def _triple(triple: Triple) -> Triple:
    return Triple(_node(triple.subject), _node(triple.predicate), _node(triple.object))


def _statement(one: Statement, span: Callable[[Span], Span]) -> Statement:
    return replace(
        one,
        id=_iri(one.id),
        text=_mask(one.text),
        span=span(one.span),
        note=one.note and _KEPT_OUT,
        passages=tuple(map(span, one.passages)),
        accounts=tuple(
            Account(
                span(account.span),
                _mask(account.text),
                account.status,
                account.how and _KEPT_OUT,
                tuple(map(span, account.places)),
            )
            for account in one.accounts
        ),
        known_as=one.fingerprint,
    )


def _verdict(
    one: Verdict, claim: Callable[[Claim], Claim], evidence: Callable[[Evidence], Evidence]
) -> Verdict:
    return replace(
        one,
        claim=claim(one.claim),
        message=one.message and _KEPT_OUT,
        evidence=tuple(map(evidence, one.evidence)),
    )


def _violation(
    one: Violation, claim: Callable[[Claim], Claim], evidence: Callable[[Evidence], Evidence]
) -> Violation:
    return replace(
        one,
        message=one.name.replace("-", " "),
        claim=None if one.claim is None else claim(one.claim),
        evidence=tuple(map(evidence, one.evidence)),
        edit=None if one.edit is None else _edit(one.edit),
        bindings=tuple(
            (name, node if name in _NUMBERS else _node(node)) for name, node in one.bindings
        ),
        axioms=tuple(map(_triple, one.axioms)),
        because=one.because and _KEPT_OUT,
        phrased=one.phrased and _KEPT_OUT,
        known_as=one.fingerprint,
    )


def _edit(edit: Edit) -> Edit:
    return replace(
        edit,
        operations=tuple(EditOperation(o.action, _triple(o.triple)) for o in edit.operations),
    )


def _override(one: Override) -> Override:
    return replace(one, why=one.why and _KEPT_OUT)
