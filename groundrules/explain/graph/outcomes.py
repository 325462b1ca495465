"""Statements of a report with their verdicts: EARL assertions, and claim reviews."""

from __future__ import annotations

import re
from urllib.parse import quote

from rdflib.term import URIRef

from groundrules.explain.graph.reified import claim_of, evidence_of
from groundrules.explain.graph.sheet import PUBLISHER, Sheet
from groundrules.explain.vocabulary import (
    RULE,
    count,
    earl_outcome,
    literal,
    number,
    plain,
    term,
)
from groundrules.terms import GR, Outcome, Statement, Verdict

_STAGE = "https://groundrules.dev/stages/"
#: What a claim review says, from 1 to 5; of other outcomes there is none.
_RATINGS = {Outcome.SUPPORTED: 5, Outcome.CONFLICTING: 3, Outcome.REFUTED: 1}
_RULE_ID = re.compile(r"[A-Z]+[0-9]+")


def add_statement(sheet: Sheet, statement: Statement, place: int) -> None:
    """Say what a statement is, where it stands and what was decided of it."""
    report = sheet.report
    node = sheet.minted[statement.id]
    sheet.add(
        node,
        ("rdf:type", GR.Statement),
        ("rdf:type", term("schema:Claim")),
        ("schema:text", plain(statement.text)),
        ("schema:appearance", sheet.text),
        ("gr:fingerprint", plain(statement.fingerprint)),
        ("gr:sentence", count(statement.number)),
        ("oa:hasTarget", sheet.place(statement.span)),
    )
    review = sheet.own("review", str(place))
    decided = report.outcome_of(statement)
    _add_assertion(
        sheet, review, node, statement.outcome, statement.reason, "", statement.note,
        statement.support,
    )  # fmt: skip
    sheet.add(
        review,
        ("gr:decided", plain(decided.value)),
        *(("gr:passage", sheet.place(span)) for span in statement.passages),
    )
    if decided in _RATINGS:
        override = report.override_of(statement)
        person = sheet.person(override.by) if override and override.by else None
        _add_review(sheet, review, node, statement.text, decided, person)
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
    node = sheet.own("verdict", str(place))
    claim = claim_of(sheet, verdict.claim)
    _add_assertion(
        sheet, node, claim, verdict.outcome, verdict.reason, verdict.stage, verdict.message,
        verdict.support,
    )  # fmt: skip
    sheet.add(node, *(("gr:evidence", evidence_of(sheet, one)) for one in verdict.evidence))


def _add_review(
    sheet: Sheet, node: URIRef, item: URIRef, text: str, outcome: Outcome, person: URIRef | None
) -> None:
    rating = URIRef(f"{node}:rating")
    sheet.add(
        node,
        ("rdf:type", term("schema:ClaimReview")),
        ("schema:claimReviewed", plain(text)),
        ("schema:itemReviewed", item),
        ("schema:reviewRating", rating),
        ("schema:author", person or PUBLISHER),
    )
    sheet.add(
        rating,
        ("rdf:type", term("schema:Rating")),
        ("schema:ratingValue", literal(_RATINGS[outcome])),
        ("schema:bestRating", literal(max(_RATINGS.values()))),
        ("schema:worstRating", literal(min(_RATINGS.values()))),
        ("schema:alternateName", plain(outcome.value.capitalize())),
    )


def _add_assertion(
    sheet: Sheet,
    node: URIRef,
    subject: URIRef,
    outcome: Outcome,
    reason: str,
    stage: str,
    message: str,
    support: float | None,
) -> None:
    test = quote(reason or stage or "none", safe="", errors="replace")
    result = URIRef(f"{node}:result")
    sheet.add(
        node,
        ("rdf:type", term("earl:Assertion")),
        ("earl:subject", subject),
        ("earl:test", URIRef((RULE if _RULE_ID.fullmatch(reason) else _STAGE) + test)),
        ("earl:assertedBy", sheet.engine()),
        ("earl:mode", term("earl:automatic")),
        ("earl:result", result),
        ("prov:wasGeneratedBy", sheet.run),
        ("gr:verdict", plain(outcome.value)),
        ("gr:reason", plain(reason)),
        ("gr:stage", plain(stage)),
        ("gr:support", number(support)),
    )
    sheet.add(
        result,
        ("rdf:type", term("earl:TestResult")),
        ("earl:outcome", term(earl_outcome(outcome, reason))),
        ("earl:info", plain(message)),
    )
