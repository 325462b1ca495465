"""How much of a report is answered: a summary, the findings with their places, or all of it."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from groundrules.explain.contrast import change, focus
from groundrules.explain.findings import left_out, standing, standing_of, why_not_passed
from groundrules.explain.formats import json as form_json
from groundrules.explain.place import cite, line_column, source_text
from groundrules.explain.repair import fixed
from groundrules.terms import READ_BY, Report, Span, Violation

Detail = Literal["summary", "findings", "full"]


def detailed(report: Report, detail: Detail) -> dict[str, Any]:
    """Return a report as JSON, as much of it as is asked for."""
    if detail == "full":
        full: dict[str, Any] = form_json.encode(report)
        return full
    told = {
        "source": report.source,
        "conforms": report.conforms,
        "conclusion": report.conclusion.value,
        "guardrail": report.guardrail,
        "reason": why_not_passed(report),
        "fixed": fixed(report),
        "probability": report.probability,
        "unchecked": [] if report.complete else left_out(report),
        "outcomes": dict(Counter(standing(one, report) for one in report.statements)),
        "rules": dict(Counter(one.rule for one in report.violations if report.stands(one))),
    }
    if detail == "summary":
        return told
    return told | {
        "statements": [
            {
                "number": one.number,
                "text": one.text,
                **_place(one.span, report),
                "outcome": one.outcome.value,
                "standing": standing(one, report),
                "reason": one.reason,
                "note": one.note,
                "fingerprint": one.fingerprint,
            }
            for one in report.statements
        ],
        "findings": [_finding(one, report) for one in report.violations if one.claim],
    }


def _finding(violation: Violation, report: Report) -> dict[str, Any]:
    assert violation.claim is not None
    edit = violation.edit
    done = change(violation, report)
    return {
        "rule": violation.rule,
        "name": violation.name,
        "severity": violation.severity.value,
        "message": violation.message,
        "statement": violation.claim.sentence,
        "counts": report.stands(violation),
        **_place(focus(violation) or violation.claim.span, report),
        "evidence": list(dict.fromkeys(cite(one, report) for one in violation.evidence)),
        "edit": f"{done} ({standing_of(edit)})" if edit and done else None,
        "fingerprint": violation.fingerprint,
    }


def _place(span: Span, report: Report) -> dict[str, int]:
    """Return where a span is: code points, and the line and column where it begins."""
    text = source_text(report, span.source)
    if text is None or span.start > len(text):
        return {"start": span.start, "end": span.end}
    line, column = line_column(text, span.start)
    return {"start": span.start, "end": span.end, "line": line, "column": column}


def counted(report: Report) -> tuple[tuple[str, str, int], ...]:
    """Return what a service counts of a report: (outcome, rule or reader, which, how many)."""
    outcomes = Counter(standing(one, report) for one in report.statements)
    rules = Counter(one.rule for one in report.violations if report.stands(one))
    told = (name for one in report.statements for name, _ in one.contributions)
    readers = Counter(one.removeprefix(READ_BY).strip() for one in told if one.startswith(READ_BY))
    return tuple(
        (kind, name, number)
        for kind, found in (("outcome", outcomes), ("rule", rules), ("reader", readers))
        for name, number in sorted(found.items())
    )
