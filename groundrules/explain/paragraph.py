"""One explanation of a whole text in a paragraph, beside those of each finding (KEA Explain).

It only quotes: no name and no number stands in it that the texts do not have.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundrules.explain.contrast import headline
from groundrules.explain.place import source_text
from groundrules.terms import Outcome, Report, Severity, Span, Statement

_LONGEST = 300


def paragraph(report: Report) -> str:
    """Return what is wrong and what is open in a text, in one paragraph; empty if nothing is."""
    return " ".join(part for one in report.statements for part in _explained(one, report))


def _explained(statement: Statement, report: Report) -> Iterator[str]:
    if statement.outcome is Outcome.SUPPORTED:
        return
    found = [v for v in report.findings_of(statement) if v.severity is not Severity.INFO]
    refuted = statement.outcome in (Outcome.REFUTED, Outcome.CONFLICTING)
    says = f"The text says {_quoted(statement.span, report)}"
    if statement.passages:
        says += f", {'but ' if refuted else ''}the nearest passage says "
        says += _quoted(statement.passages[0], report)
    if not (found or refuted):
        says += "; whether it is so stays open."
    yield says if says.endswith((".", ".”", "!”", "?”")) else f"{says}."
    told = dict.fromkeys(headline(violation, report).rstrip(".") for violation in found)
    if told:
        yield f"{'Wrong' if refuted else 'In doubt'}: {'; '.join(told)}."


def _quoted(span: Span, report: Report) -> str:
    words = " ".join((source_text(report, span.source) or "")[span.start : span.end].split())
    return f"“{words if len(words) <= _LONGEST else words[: _LONGEST - 1] + '…'}”"
