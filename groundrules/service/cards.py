"""Cards: what the page shows of a report, in the words of the HTML report, as data and no markup.

All ranges are of code points; the page sets them as text.
"""

from __future__ import annotations

from typing import Any

from groundrules.explain.edits import change, standing_of
from groundrules.explain.findings import findings_elsewhere
from groundrules.explain.headings import heading
from groundrules.explain.listing import UNSETTLED_PAGE, page_of
from groundrules.explain.place import line_column, source_name, source_text
from groundrules.explain.replacements import placed
from groundrules.explain.view import CONCLUSIONS, Finding, Passage, card, finding, gaps, summary
from groundrules.explain.words import summary_of
from groundrules.terms import Conclusion, Report, Statement

#: Code points of a passage that are shown.
_LONGEST = 1_200

Card = dict[str, Any]


def cards(report: Report) -> Card:
    """Return the verdict on a text, what could not be checked, and a card for each statement."""
    mark, told, name = CONCLUSIONS[report.conclusion]
    return {
        "mark": mark,
        "conclusion": told,
        "name": name,
        "why": summary(report),
        "page": UNSETTLED_PAGE if report.conclusion is Conclusion.NOT_SETTLED else "",
        "unchecked": [
            {"what": what, "why": cause, "statement": number}
            for what, cause, number in gaps(report)
        ],
        "statements": [_card(one, report) for one in report.statements],
        "elsewhere": [_finding(finding(one, report), report) for one in findings_elsewhere(report)],
    }


def _card(statement: Statement, report: Report) -> Card:
    told = card(statement, report)
    return {
        "number": statement.number,
        "start": statement.span.start,
        "end": statement.span.end,
        "outcome": told.outcome.value,
        "rule": told.findings[0].violation.rule if told.findings else "",
        "why": told.why,
        "wrong": [list(one) for one in told.wrong],
        "findings": [_finding(one, report) for one in told.findings],
        "held": _passage(told.held, report) if told.held else None,
    }


def _finding(told: Finding, report: Report) -> Card:
    """Return a finding: rule, passages, the rows beside them, and the edit."""
    violation = told.violation
    found: Card = {
        "rule": violation.rule,
        "name": violation.name,
        "page": page_of(violation.name) if summary_of(violation) else "",
        "severity": violation.severity.value,
        "message": told.headline,
        "passages": [_passage(one, report) for one in told.passages],
        "rows": [[one.name, one.words, one.note] for one in told.rows if one.name != "edit"],
        "edit": None,
    }
    if violation.edit and (done := change(violation, report)):
        found["edit"] = {
            "words": done,
            "standing": standing_of(violation.edit),
            "safe": violation.edit.applicability == "safe" and bool(violation.edit.verified),
            "changes": [
                [one.start, one.end, one.text] for one in sorted(placed(report, violation))
            ],
        }
    return found


def _passage(passage: Passage, report: Report) -> Card | None:
    span = passage.span
    text = source_text(report, span.source)
    if text is None or span.end > len(text):
        return None
    line, column = line_column(text, span.start)
    end = min(span.end, span.start + _LONGEST)
    return {
        "title": passage.title.capitalize(),
        "source": source_name(span.source),
        "line": line,
        "column": column,
        "heading": heading(text, span.start),
        "text": text[span.start : end],
        "cut": end < span.end,
        "lit": [[a - span.start, min(b, end) - span.start] for a, b in passage.lit if a < end],
    }
