"""How much of a report is answered: a summary, the findings with their places, or all of it."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from groundrules.explain.contrast import focus
from groundrules.explain.edits import change, standing_of
from groundrules.explain.findings import left_out, standing, why_not_passed
from groundrules.explain.formats import json as form_json
from groundrules.explain.place import cite, line_column, source_text
from groundrules.explain.repair import fixed
from groundrules.terms import Report, Span, Statement, Violation

Detail = Literal["summary", "findings", "full"]


# what of a report is written is not tested once more, as any text may be in it; so no models
Model = with_config(ConfigDict(extra="forbid"))


@Model
class Placed(TypedDict):
    """Where something is: code points, and the line and column where it begins, if known."""

    start: int
    end: int
    line: int | None
    column: int | None


@Model
class Stated(Placed):
    """A statement of the text."""

    number: int
    text: str
    outcome: str
    standing: str
    reason: str
    note: str
    fingerprint: str


@Model
class Found(Placed):
    """What a rule found in a statement; `counts` says whether it still does."""

    rule: str
    name: str
    severity: Literal["error", "warning", "info"]
    message: str
    statement: int
    counts: bool
    evidence: list[str]
    edit: str | None
    fingerprint: str


@Model
class Summary(TypedDict):
    """A report without its statements."""

    source: str
    conforms: bool | None
    conclusion: Literal["passes", "fails", "not settled", "not all checked"]
    guardrail: Literal["pass", "retrieve again", "human"]
    reason: str
    fixed: str | None
    unchecked: list[str]
    outcomes: dict[str, int]
    rules: dict[str, int]


@Model
class Findings(Summary):
    """A report with its statements and findings, without all that is behind them."""

    statements: list[Stated]
    findings: list[Found]


def detailed(report: Report, detail: Detail) -> dict[str, Any]:
    """Return a report as JSON, as much of it as is asked for."""
    if detail == "full":
        full: dict[str, Any] = form_json.encode(report)
        return full
    told: Summary = {
        "source": report.source,
        "conforms": report.conforms,
        "conclusion": report.conclusion.value,
        "guardrail": report.guardrail,
        "reason": why_not_passed(report),
        "fixed": fixed(report),
        "unchecked": [] if report.complete else left_out(report),
        "outcomes": dict(Counter(standing(one, report) for one in report.statements)),
        "rules": dict(Counter(one.rule for one in report.violations if report.stands(one))),
    }
    if detail == "summary":
        return {**told}
    statements = [_stated(one, report) for one in report.statements]
    findings = [_finding(one, report) for one in report.violations if one.claim]
    return {**told, "statements": statements, "findings": findings}


def _stated(statement: Statement, report: Report) -> Stated:
    return {
        **_place(statement.span, report),
        "number": statement.number,
        "text": statement.text,
        "outcome": statement.outcome.value,
        "standing": standing(statement, report),
        "reason": statement.reason,
        "note": statement.note,
        "fingerprint": statement.fingerprint,
    }


def _finding(violation: Violation, report: Report) -> Found:
    assert violation.claim is not None
    edit = violation.edit
    done = change(violation, report)
    return {
        **_place(focus(violation) or violation.claim.span, report),
        "rule": violation.rule,
        "name": violation.name,
        "severity": violation.severity.value,
        "message": violation.message,
        "statement": violation.claim.sentence,
        "counts": report.stands(violation),
        "evidence": list(dict.fromkeys(cite(one, report) for one in violation.evidence)),
        "edit": f"{done} ({standing_of(edit)})" if edit and done else None,
        "fingerprint": violation.fingerprint,
    }


def _place(span: Span, report: Report) -> Placed:
    text = source_text(report, span.source)
    line = column = None
    if text is not None and span.start <= len(text):
        line, column = line_column(text, span.start)
    return {"start": span.start, "end": span.end, "line": line, "column": column}


def counted(report: Report) -> tuple[tuple[str, str, int], ...]:
    """Return what a service counts of a report: what, of which name, and how many."""
    outcomes = Counter(standing(one, report) for one in report.statements)
    rules = Counter(one.rule for one in report.violations if report.stands(one))
    readers = Counter(one.read_by for one in report.statements if one.read_by)
    return tuple(
        (kind, name, number)
        for kind, found in (
            ("statements", outcomes),
            ("findings", rules),
            ("reader_statements", readers),
        )
        for name, number in sorted(found.items())
    )
