"""Cards: what the page shows of a report, in the words of the HTML report, as data and no markup.

All ranges are of code points; the page sets them as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundrules.explain.contrast import change, changes, headline
from groundrules.explain.findings import (
    findings_elsewhere,
    findings_told,
    standing_of,
    why_open,
)
from groundrules.explain.formats.html.headings import heading
from groundrules.explain.formats.html.passages import deciding
from groundrules.explain.formats.html.statement_view import (
    all_wrong,
    distinct,
    held,
    other_side,
    reasons,
)
from groundrules.explain.formats.html.view import CONCLUSIONS, gaps, why
from groundrules.explain.formats.html.words import REASONS, summary_of
from groundrules.explain.listing import UNSETTLED_PAGE, page_of
from groundrules.explain.place import cite, line_column, source_name, source_text
from groundrules.terms import Conclusion, Outcome, Report, Span, Statement, Violation

#: Passages beside a finding, and code points of one that are shown.
_BESIDE = 2
_LONGEST = 1_200

Card = dict[str, Any]


def cards(report: Report) -> Card:
    """Return the verdict on a text, what could not be checked, and a card for each statement."""
    mark, told, name = CONCLUSIONS[report.conclusion]
    return {
        "mark": mark,
        "conclusion": told,
        "name": name,
        "why": why(report),
        "page": UNSETTLED_PAGE if report.conclusion is Conclusion.NOT_SETTLED else "",
        "unchecked": [
            {"what": what, "why": cause, "statement": number}
            for what, cause, number in gaps(report)
        ],
        "statements": [_card(one, report) for one in report.statements],
        "elsewhere": [_finding(one, report) for one in findings_elsewhere(report)],
    }


def _card(statement: Statement, report: Report) -> Card:
    found = findings_told(statement, report)
    outcome = report.outcome_of(statement)
    place, _, _ = held(statement, report)
    return {
        "number": statement.number,
        "start": statement.span.start,
        "end": statement.span.end,
        "outcome": outcome.value,
        "rule": found[0].rule if found else "",
        "why": headline(found[0], report) if found else _open(statement, report),
        "wrong": [list(one) for one in all_wrong(statement, report)],
        "support": statement.support,
        "findings": [_finding(one, report) for one in found],
        "held": _passage("Held against", place, (), report) if place else None,
    }


def _open(statement: Statement, report: Report) -> str:
    """Return why a statement is open, by the reason that settled it where nothing else says so."""
    told = why_open(statement, report)
    if told or report.outcome_of(statement) is not Outcome.NOT_ENOUGH_INFO:
        return told
    return REASONS.get(statement.reason, "")


def _finding(violation: Violation, report: Report) -> Card:
    """Return a finding: rule, passages, claimed, rather and because, and the edit."""
    summary = summary_of(violation)
    found: Card = {
        "rule": violation.rule,
        "name": violation.name,
        "page": page_of(violation.name) if summary else "",
        "summary": summary,
        "severity": violation.severity.value,
        "message": headline(violation, report),
        "passages": [],
        "rows": [],
        "stated": [],
        "edit": None,
    }
    if violation.claim is None:
        return found
    title = other_side(violation, report)
    for item in distinct(violation.evidence):
        ranges = deciding(violation, item, report)
        if ranges is not None and item.span:
            if len(found["passages"]) < _BESIDE:
                found["passages"].append(_passage(title, item.span, ranges, report))
        elif len(found["stated"]) < _BESIDE:
            found["stated"].append(cite(item, report))
    found["rows"] = [list(row) for row in reasons(violation, report)]
    if violation.edit and (done := change(violation, report)):
        made = sorted(changes(violation, report))
        found["edit"] = {
            "words": done,
            "standing": standing_of(violation.edit),
            "safe": violation.edit.applicability == "safe" and bool(violation.edit.verified),
            "changes": [
                [span.start, span.end, words]
                for span, words in made
                if source_name(span.source) == report.source
            ],
        }
    return found


def _passage(
    title: str, span: Span, ranges: Sequence[tuple[int, int]], report: Report
) -> Card | None:
    text = source_text(report, span.source)
    if text is None or span.end > len(text):
        return None
    line, column = line_column(text, span.start)
    end = min(span.end, span.start + _LONGEST)
    return {
        "title": title,
        "source": source_name(span.source),
        "line": line,
        "column": column,
        "heading": heading(text, span.start),
        "text": text[span.start : end],
        "cut": end < span.end,
        "lit": [[a - span.start, min(b, end) - span.start] for a, b in ranges if a < end],
    }
