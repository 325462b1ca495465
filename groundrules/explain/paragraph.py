"""One explanation of a whole text in a paragraph, beside those of each finding (KEA Explain).

It only quotes: no name and no number stands in it that the texts do not have.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundrules.explain.contrast import headline
from groundrules.explain.place import source_text
from groundrules.terms import Outcome, Report, Severity, Span, Statement

_LONGEST = 300
#: How much of a statement is quoted where it is one of several that stay open.
_SHORT = 80


def paragraph(report: Report) -> str:
    """Return what is wrong, in doubt and open in a text, in one paragraph; empty if nothing is."""
    counted = [
        one
        for one in report.statements
        if report.outcome_of(one) is not Outcome.SUPPORTED and not report.set_aside(one)
    ]
    accused = {one: tuple(_headlines(one, report)) for one in counted}
    said = [part for one in counted for part in _explained(one, accused[one], report)]
    still = [one for one in counted if not (accused[one] or _refuted(one, report))]
    if still:
        quotes = "; ".join(_beside(one, report) for one in still)
        said.append(f"{'What else is said' if said else 'What is said'} stays open: {quotes}.")
    return " ".join(said)


def _beside(statement: Statement, report: Report) -> str:
    """Return the words of a statement that stays open and of the passage nearest to it."""
    said = _quoted(statement.span, report, _SHORT)
    if not statement.passages:
        return said
    return f"{said} (nearest: {_quoted(statement.passages[0], report, _SHORT)})"


def _headlines(statement: Statement, report: Report) -> Iterator[str]:
    for violation in report.findings_of(statement):
        if violation.severity is not Severity.INFO and report.stands(violation):
            yield headline(violation, report).rstrip(".")


def _refuted(statement: Statement, report: Report) -> bool:
    return report.outcome_of(statement) in (Outcome.REFUTED, Outcome.CONFLICTING)


def _explained(statement: Statement, headlines: tuple[str, ...], report: Report) -> Iterator[str]:
    refuted = _refuted(statement, report)
    if not (headlines or refuted):
        return
    says = f"The text says {_quoted(statement.span, report)}"
    if statement.passages:
        says += f", {'but ' if refuted else ''}the nearest passage says "
        says += _quoted(statement.passages[0], report)
    yield says if says.endswith((".", ".”", "!”", "?”")) else f"{says}."
    if headlines:
        told = "; ".join(dict.fromkeys(headlines))
        yield f"{'Wrong' if refuted else 'In doubt'}: {told}."


def _quoted(span: Span, report: Report, longest: int = _LONGEST) -> str:
    words = " ".join((source_text(report, span.source) or "")[span.start : span.end].split())
    return f"“{words if len(words) <= longest else words[: longest - 1].rstrip() + '…'}”"
