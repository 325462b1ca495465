"""The `sarif` format: SARIF 2.1.0 (OASIS, errata 01), one run for all texts.

A fault is a result of kind "fail", a statement that nothing carries one of kind "open"; what could
not be checked is no result but a notification, and the run is then not successful. Columns count
Unicode code points. In a text that was taken out of html, pdf or docx a place is none of the file:
there the words are quoted instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote as percent

from groundrules.explain.contrast import decided, explain
from groundrules.explain.findings import told_readers, why_not_passed
from groundrules.explain.formats import Look
from groundrules.explain.listing import Result, page_of, results
from groundrules.explain.place import line_column, printable, quote, source_name, source_text
from groundrules.explain.replacements import exchange
from groundrules.rules.packs import shipped
from groundrules.terms import Report, Severity, Span, Violation

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
#: The formats whose text is the file itself.
_PLAIN = ("", "txt", "md")
#: The name under which SARIF keeps our fingerprint; the number rises when the way to make it does.
FINGERPRINT = "groundrules/v1"


def render(reports: Sequence[Report], look: Look) -> str:
    """Return the reports as one SARIF log of one run."""
    found = [(report, results(report)) for report in reports]
    rules = {one.rule: one for _, all_ in found for one in all_ if one.kind != "unchecked"}
    numbers = {rule: number for number, rule in enumerate(sorted(rules))}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(reports, [rules[rule] for rule in numbers])},
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(report, all_) for report, all_ in found],
                "results": [
                    _result(one, numbers[one.rule], report)
                    for report, all_ in found
                    for one in all_
                    if one.kind != "unchecked"
                ],
            }
        ],
    }
    return json.dumps(log, indent=2, allow_nan=False) + "\n"


def _driver(reports: Sequence[Report], rules: Sequence[Result]) -> dict[str, Any]:
    version = next((report.run.version for report in reports if report.run.version), "")
    driver: dict[str, Any] = {
        "name": "groundrules",
        "informationUri": "https://groundrules.readthedocs.io",
        "rules": [_rule(one) for one in rules],
    }
    return driver | ({"semanticVersion": version} if version else {})


def _rule(one: Result) -> dict[str, Any]:
    known = shipped().get(one.rule)
    words = (known.name if known else one.name).replace(" ", "-").split("-")
    level = _LEVELS[known.severity if known else one.severity]
    told: dict[str, Any] = {
        "id": one.rule,
        "name": "".join(map(str.capitalize, words)) or "Rule",
        "defaultConfiguration": {"level": level},
    }
    if known is None:
        return told | {"shortDescription": {"text": one.name}}
    told |= {"shortDescription": {"text": known.summary}, "helpUri": page_of(known.name)}
    return told | ({"fullDescription": {"text": known.why}} if known.why else {})


def _invocation(report: Report, found: Iterable[Result]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "executionSuccessful": report.complete,
        "toolExecutionNotifications": [
            {
                "level": _LEVELS[one.severity],
                "descriptor": {"id": one.rule},
                "message": {"text": printable(one.message)},
                "locations": [_location(one.span, report)],
            }
            for one in found
            if one.kind == "unchecked"
        ],
        "properties": {
            "text": printable(report.source),
            "conforms": report.conforms,
            "conclusion": report.conclusion.value,
            "guardrail": report.guardrail,
            "reason": printable(why_not_passed(report)),
            "readers": told_readers(report),
        },
    }
    return told | ({"startTimeUtc": report.run.at} if report.run.at else {})


def _result(one: Result, number: int, report: Report) -> dict[str, Any]:
    text = printable(one.message)
    violation = one.violation
    if violation and one.kind == "fail":
        text = printable(explain(violation, report).text)
    told: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": number,
        "kind": one.kind,
        "level": _LEVELS[one.severity] if one.kind == "fail" else "none",
        "message": {"text": text or one.name},
        "locations": [_location(one.span, report)],
        "partialFingerprints": {FINGERPRINT: one.fingerprint},
    }
    if one.statement is not None:
        told["properties"] = {"outcome": report.outcome_of(one.statement).value}
    if violation and (related := list(_related(violation, report))):
        told["relatedLocations"] = related
    if fixes := list(_fixes(one, report)):
        told["fixes"] = fixes
    if made := one.override:
        kind = "inSource" if made.kind == "inline" else "external"
        why = printable(decided(made))
        told["suppressions"] = [{"kind": kind, "status": "accepted", "justification": why}]
    return told


def _location(span: Span | None, report: Report, message: str = "") -> dict[str, Any]:
    """Return a place in a file, or in the checked text as a whole."""
    name = source_name(span.source) if span else report.source
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(name)}}
    region = _region(span, report) if span else None
    words = quote(span, report)
    if region:
        place["region"] = region | ({"snippet": {"text": printable(words)}} if words else {})
    elif words:
        message = f"{message}: “{words}”" if message else f"“{words}”"
    told: dict[str, Any] = {"physicalLocation": place}
    return told | ({"message": {"text": printable(message)}} if message else {})


def _region(span: Span, report: Report) -> dict[str, Any] | None:
    """Return a span as a region, None where it is no place in a file."""
    text, name = source_text(report, span.source), source_name(span.source)
    form = next((one.format for one in report.run.inputs if one.name == name), "")
    if text is None or span.end > len(text) or form not in _PLAIN:
        return None
    (line, column), (last, end) = (line_column(text, at) for at in (span.start, span.end))
    return {"startLine": line, "startColumn": column, "endLine": last, "endColumn": end,
            "charOffset": span.start, "charLength": span.end - span.start}  # fmt: skip


def _related(violation: Violation, report: Report) -> Iterator[dict[str, Any]]:
    """Yield the other places at fault, then those of the evidence that are not among them.

    A statement of a knowledge base has its pin.
    """
    seen: set[Any] = set()
    for claim in violation.others:
        if claim.span not in seen:
            seen.add(claim.span)
            yield {"id": len(seen), **_location(claim.span, report, "at fault too")}
    for item in violation.evidence:
        if (key := item.span or item.pin) in seen or key is None:
            continue
        seen.add(key)
        if item.span:
            place = _location(item.span, report, "the source")
        else:
            uri = {"uri": _uri(item.source)}
            place = {"physicalLocation": {"artifactLocation": uri},
                     "message": {"text": printable(item.pin or "")}}  # fmt: skip
        yield {"id": len(seen), **place}


def _fixes(one: Result, report: Report) -> Iterator[dict[str, Any]]:
    """Yield the edit of a violation where it is safe and can be made in a file."""
    violation = one.violation
    edit = violation.edit if violation else None
    if violation is None or edit is None or edit.applicability != "safe" or not edit.verified:
        return
    made = exchange(report, violation)
    spans = [Span(report.source, change.start, change.end) for change in made]
    regions = [_region(span, report) for span in spans]
    changes = [
        {"deletedRegion": region, "insertedContent": {"text": change.text}}
        for region, change in zip(regions, made, strict=True)
        if region
    ]
    if changes and len(changes) == len(made):
        uri = {"uri": _uri(report.source)}
        yield {
            "description": {"text": "safe: the text is supported with it"},
            "artifactChanges": [{"artifactLocation": uri, "replacements": changes}],
        }


def _uri(name: str) -> str:
    """Return the name of a file as a relative reference, that of an endpoint as it is."""
    if name.startswith(("http://", "https://")):
        return percent(name, safe=":/?#[]@!$&'()*+,;=%~", errors="replace")
    path = percent(name.replace("\\", "/"), safe="/~!$&'()*+,;=@", errors="replace")
    return f"file://{path}" if path.startswith("/") else path
