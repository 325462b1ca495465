"""The `json` format: the whole report, versioned, and back again without loss.

Nodes have the form of the SPARQL 1.1 Query Results JSON Format (W3C 2013, section 3.2.2).
Keys that only help a reader (`line`, `column`, `quote`, `explanation`, `conforms`, `conclusion`,
`findings`, the `claims` of a statement and the `statement` of a violation) are written and not
read, a `fingerprint` only where the words it is made of are kept out; the traits of a violation are
those that its rule ships with. See docs/json-schema.md and report.schema.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast
from typing import Literal as OneOf

from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.errors import SourceError
from groundrules.explain.contrast import explain
from groundrules.explain.formats import Look
from groundrules.explain.place import locate, quote
from groundrules.rules.packs import built_in, load_packs, traits_of
from groundrules.terms import (
    Account,
    Applicability,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Input,
    Logged,
    Metric,
    Modality,
    Outcome,
    Override,
    Polarity,
    Report,
    Run,
    Severity,
    Span,
    Statement,
    Traits,
    Triple,
    Verdict,
    Violation,
)

SCHEMA = 9

_Marked = TypeVar("_Marked", Statement, Violation)
_SURROGATE = re.compile("[\ud800-\udfff]")


def schema() -> str:
    """Return the JSON Schema of a report."""
    return Path(__file__).with_name("report.schema.json").read_text("utf-8")


def dumps(report: Report, *, indent: int | None = 2) -> str:
    """Return the report as JSON that ends in a line break; equal reports give equal bytes."""
    text = json.dumps(encode(report), ensure_ascii=False, indent=indent, allow_nan=False)
    # A lone surrogate is not UTF-8, but its escape is JSON.
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def render(reports: Sequence[Report], look: Look) -> str:
    """Return one report as JSON, several as an array of them."""
    parts = [dumps(report) for report in reports]
    if len(parts) == 1:
        return parts[0]
    return "[\n" + ",\n".join(part.strip() for part in parts) + "\n]\n"


def loads(text: str) -> Report:
    """Return the report that `dumps` wrote.

    Raises SourceError where the text is not such a report or of another schema version.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"not JSON: {error}") from error
    version = data.get("schema") if isinstance(data, dict) else None
    if version != SCHEMA:
        raise SourceError(f"report of schema {version!r}; expected {SCHEMA}")
    try:
        return decode(data)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SourceError(f"not a report: {type(error).__name__} {error}") from error


def encode(report: Report) -> dict[str, Any]:
    """Return the report as dictionaries, lists and scalars, in a fixed order."""
    places = {claim.id: index for index, claim in enumerate(report.claims)}
    return {
        "schema": SCHEMA,
        "source": report.source,
        "conforms": report.conforms,
        "conclusion": report.conclusion.value,
        "guardrail": report.guardrail,
        "unasked": list(report.unasked),
        "statements": [_statement(one, report) for one in report.statements],
        "claims": [_claim(claim, report) for claim in report.claims],
        "assertions": [_claim(claim, report) for claim in report.assertions],
        "verdicts": [
            {
                "claim": _reference(verdict.claim, report, places),
                "outcome": verdict.outcome.value,
                "reason": verdict.reason,
                "stage": verdict.stage,
                "support": verdict.support,
                "message": verdict.message,
                "evidence": _evidence(verdict.evidence, report),
            }
            for verdict in report.verdicts
        ],
        "violations": [_violation(item, report, places) for item in report.violations],
        "metrics": [
            {"name": metric.name, "value": metric.value, "checks": metric.checks}
            for metric in report.metrics
        ],
        "probability": report.probability,
        "unread": list(report.unread),
        "policy": list(report.policy),
        "unverifiable": report.unverifiable,
        "settled": report.settled,
        "labels": [
            {"node": encode_node(node), "label": label}
            for node, label in sorted(report.labels.items(), key=lambda item: item[0].n3())
        ],
        "text": report.text,
        "sources": dict(sorted(report.sources.items())),
        "run": {
            "version": report.run.version,
            "packs": _pairs(report.run.packs),
            "models": _pairs(report.run.models),
            "params": _pairs(report.run.params),
            "dataset": report.run.dataset,
            "stages": _pairs(report.run.stages),
            "times": _pairs(report.run.times),
            "notes": list(report.run.notes),
            "calls": _pairs(report.run.calls),
            "inputs": [
                {"name": one.name, "role": one.role, "sha256": one.sha256, "format": one.format}
                for one in report.run.inputs
            ],
            "settings": _pairs(report.run.settings),
            "question": report.run.question,
            "at": report.run.at,
        },
        "overrides": [
            {
                "fingerprint": one.fingerprint,
                "kind": one.kind,
                "outcome": one.outcome and one.outcome.value,
                "why": one.why,
                "by": one.by,
                "at": one.at,
            }
            for one in report.overrides
        ],
        **({"logged": asdict(report.logged)} if report.logged else {}),
    }


def decode(data: Mapping[str, Any]) -> Report:
    """Return the report of what `encode` made; KeyError or TypeError where a part is missing."""
    claims = tuple(_read_claim(item) for item in data["claims"])
    run = data["run"]
    return Report(
        source=data["source"],
        text=data["text"],
        statements=tuple(_read_statement(item) for item in data["statements"]),
        claims=claims,
        assertions=tuple(_read_claim(item) for item in data["assertions"]),
        verdicts=tuple(
            Verdict(
                _resolve(item["claim"], claims),
                Outcome(item["outcome"]),
                item["reason"],
                item["stage"],
                item["support"],
                item["message"],
                _read_evidence(item["evidence"]),
            )
            for item in data["verdicts"]
        ),
        violations=tuple(_read_violation(item, claims) for item in data["violations"]),
        metrics=tuple(Metric(m["name"], m["value"], m["checks"]) for m in data["metrics"]),
        probability=data["probability"],
        unread=tuple(data["unread"]),
        unasked=tuple(data["unasked"]),
        policy=tuple(data["policy"]),
        unverifiable=data["unverifiable"],
        settled=data["settled"],
        labels={read_node(item["node"]): item["label"] for item in data["labels"]},
        sources=dict(data["sources"]),
        run=Run(
            version=run["version"],
            packs=_read_pairs(run["packs"]),
            models=_read_pairs(run["models"]),
            params=_read_pairs(run["params"]),
            dataset=run["dataset"],
            stages=_read_pairs(run["stages"]),
            times=_read_pairs(run["times"]),
            notes=tuple(run["notes"]),
            calls=_read_pairs(run["calls"]),
            inputs=tuple(
                Input(one["name"], one["role"], one["sha256"], one["format"])
                for one in run["inputs"]
            ),
            settings=_read_pairs(run["settings"]),
            question=run["question"],
            at=run["at"],
        ),
        overrides=tuple(
            Override(
                one["fingerprint"],
                cast(OneOf["baseline", "override", "inline"], one["kind"]),
                one["why"],
                one["by"],
                one["at"],
                one["outcome"] and Outcome(one["outcome"]),
            )
            for one in data["overrides"]
        ),
        logged=Logged(**data["logged"]) if "logged" in data else None,
    )


def _pairs(pairs: tuple[tuple[str, Any], ...]) -> list[dict[str, Any]]:
    return [{"name": name, "value": value} for name, value in pairs]


def _read_pairs(items: list[dict[str, Any]]) -> tuple[tuple[str, Any], ...]:
    return tuple((item["name"], item["value"]) for item in items)


def encode_node(node: Node) -> dict[str, str]:
    """Return a term of RDF in the SPARQL 1.1 Query Results JSON Format."""
    match node:
        case URIRef():
            return {"type": "uri", "value": str(node)}
        case Literal():
            result = {"type": "literal", "value": str(node)}
            if node.language:
                result["xml:lang"] = node.language
            elif node.datatype:
                result["datatype"] = str(node.datatype)
            return result
        case BNode():
            return {"type": "bnode", "value": str(node)}
    raise TypeError(f"{node!r} is not an RDF term")


def read_node(item: dict[str, str]) -> Node:
    """Return the term that `encode_node` has written; KeyError or ValueError where it is none."""
    match item["type"]:
        case "uri":
            return URIRef(item["value"])
        case "bnode":
            return BNode(item["value"])
        case "literal":
            datatype = item.get("datatype")
            return Literal(
                item["value"],
                lang=item.get("xml:lang"),
                datatype=URIRef(datatype) if datatype else None,
                normalize=False,
            )
    raise ValueError(f"unknown node type {item['type']!r}")


def _triple(triple: Triple) -> dict[str, Any]:
    return {
        "subject": encode_node(triple.subject),
        "predicate": encode_node(triple.predicate),
        "object": encode_node(triple.object),
    }


def _read_triple(item: dict[str, Any]) -> Triple:
    return Triple(*(read_node(item[part]) for part in ("subject", "predicate", "object")))


def _span(span: Span | None, report: Report) -> dict[str, Any] | None:
    if span is None:
        return None
    result: dict[str, Any] = {"source": span.source, "start": span.start, "end": span.end}
    if place := locate(span, report):
        result |= {"line": place.line, "column": place.column}
    if words := quote(span, report):
        result["quote"] = words
    return result


def _read_span(item: dict[str, Any] | None) -> Span | None:
    return None if item is None else _read_place(item)


def _read_place(item: dict[str, Any]) -> Span:
    return Span(item["source"], item["start"], item["end"])


def _statement(statement: Statement, report: Report) -> dict[str, Any]:
    number = statement.number
    return {
        "id": str(statement.id),
        "number": number,
        "text": statement.text,
        "span": _span(statement.span, report),
        "outcome": statement.outcome.value,
        "reason": statement.reason,
        "note": statement.note,
        "fingerprint": statement.fingerprint,
        "support": statement.support,
        "contributions": _pairs(statement.contributions),
        "passages": [_span(place, report) for place in statement.passages],
        "accounts": [
            {
                "span": _span(account.span, report),
                "text": account.text,
                "status": account.status,
                "how": account.how,
                "places": [_span(place, report) for place in account.places],
            }
            for account in statement.accounts
        ],
        "findings": [
            index
            for index, violation in enumerate(report.violations)
            if violation.claim and violation.claim.sentence == number
        ],
        "claims": [i for i, claim in enumerate(report.claims) if claim.sentence == number],
    }


def _read_statement(item: dict[str, Any]) -> Statement:
    one = Statement(
        id=URIRef(item["id"]),
        number=item["number"],
        text=item["text"],
        span=_read_place(item["span"]),
        outcome=Outcome(item["outcome"]),
        reason=item["reason"],
        note=item["note"],
        support=item["support"],
        passages=tuple(_read_place(place) for place in item["passages"]),
        accounts=tuple(
            Account(
                span=_read_place(one["span"]),
                text=one["text"],
                status=one["status"],
                how=one["how"],
                places=tuple(_read_place(place) for place in one["places"]),
            )
            for one in item["accounts"]
        ),
        contributions=_read_pairs(item["contributions"]),
    )
    return _known(one, item)


def _known(one: _Marked, item: Mapping[str, Any]) -> _Marked:
    """Return a statement or violation with the fingerprint it was written with."""
    mark = item["fingerprint"]
    return one if one.fingerprint == mark else replace(one, known_as=mark)


def _claim(claim: Claim, report: Report) -> dict[str, Any]:
    return {
        "id": str(claim.id),
        "triple": _triple(claim.triple),
        "span": _span(claim.span, report),
        "parts": [_span(part, report) for part in claim.parts],
        "polarity": claim.polarity,
        "modality": claim.modality.value,
        "attribution": claim.attribution,
        "time": None if claim.time is None else encode_node(claim.time),
        "confidence": claim.confidence,
        "origin": claim.origin,
        "sentence": claim.sentence,
        "reads": None if claim.reads is None else str(claim.reads),
    }


def _read_claim(item: dict[str, Any]) -> Claim:
    subject, predicate, object_ = (_read_span(part) for part in item["parts"])
    time = item["time"] and read_node(item["time"])
    return Claim(
        id=URIRef(item["id"]),
        triple=_read_triple(item["triple"]),
        span=_read_place(item["span"]),
        parts=(subject, predicate, object_),
        polarity=cast(Polarity, item["polarity"]),
        modality=Modality(item["modality"]),
        attribution=item["attribution"],
        time=cast(Literal | None, time),
        confidence=item["confidence"],
        origin=item["origin"],
        sentence=item["sentence"],
        reads=None if item["reads"] is None else URIRef(item["reads"]),
    )


def _reference(claim: Claim, report: Report, places: Mapping[URIRef, int]) -> int | dict[str, Any]:
    """Return the index of the claim in the report, or the claim where it is not one of them."""
    index = places.get(claim.id)
    return index if index is not None and report.claims[index] == claim else _claim(claim, report)


def _resolve(item: int | dict[str, Any], claims: tuple[Claim, ...]) -> Claim:
    return claims[item] if isinstance(item, int) else _read_claim(item)


def _evidence(evidence: Iterable[Evidence], report: Report) -> list[dict[str, Any]]:
    return [
        {
            "triple": _triple(item.triple),
            "source": item.source,
            "span": _span(item.span, report),
            "score": item.score,
            "pin": item.pin,
        }
        for item in evidence
    ]


def _read_evidence(items: Iterable[dict[str, Any]]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            _read_triple(item["triple"]),
            item["source"],
            _read_span(item["span"]),
            item["score"],
            item["pin"],
        )
        for item in items
    )


def _violation(
    violation: Violation, report: Report, places: Mapping[URIRef, int]
) -> dict[str, Any]:
    claim, edit = violation.claim, violation.edit
    why = explain(violation, report)
    numbers = {statement.number for statement in report.statements}
    return {
        "rule": violation.rule,
        "name": violation.name,
        "severity": violation.severity.value,
        "message": violation.message,
        "statement": claim.sentence if claim and claim.sentence in numbers else None,
        "claim": None if claim is None else _reference(claim, report, places),
        "others": [_reference(one, report, places) for one in violation.others],
        "evidence": _evidence(violation.evidence, report),
        "edit": edit
        and {
            "operations": [
                {"action": operation.action, "triple": _triple(operation.triple)}
                for operation in edit.operations
            ],
            "applicability": edit.applicability,
            "verified": edit.verified,
        },
        "score": violation.score,
        "bindings": [
            {"name": name, "node": encode_node(node)} for name, node in violation.bindings
        ],
        "axioms": [_triple(axiom) for axiom in violation.axioms],
        "reason": violation.because,
        "fingerprint": violation.fingerprint,
        "explanation": {
            "fact": why.fact,
            "foil": why.foil,
            "because": why.because,
            "text": why.text,
        },
        "phrased": violation.phrased,
    }


def _read_violation(item: dict[str, Any], claims: tuple[Claim, ...]) -> Violation:
    edit = item["edit"]
    one = Violation(
        rule=item["rule"],
        name=item["name"],
        severity=Severity(item["severity"]),
        message=item["message"],
        claim=None if item["claim"] is None else _resolve(item["claim"], claims),
        others=tuple(_resolve(one, claims) for one in item["others"]),
        evidence=_read_evidence(item["evidence"]),
        edit=edit
        and Edit(
            tuple(
                EditOperation(operation["action"], _read_triple(operation["triple"]))
                for operation in edit["operations"]
            ),
            cast(Applicability, edit["applicability"]),
            edit["verified"],
        ),
        score=item["score"],
        bindings=tuple((one["name"], read_node(one["node"])) for one in item["bindings"]),
        axioms=tuple(_read_triple(axiom) for axiom in item["axioms"]),
        because=item["reason"],
        phrased=item["phrased"],
        traits=_shipped().get(item["rule"], Traits()),
    )
    return _known(one, item)


@cache
def _shipped() -> dict[str, Traits]:
    return traits_of(load_packs(built_in()))
