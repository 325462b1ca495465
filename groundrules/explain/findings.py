"""Findings as people are told them: what shows a statement, why it is open, what is left out."""

from __future__ import annotations

from groundrules.explain.contrast import added, contradicts, decided, focus, headline, own, passage
from groundrules.terms import (
    Conclusion,
    Edit,
    Outcome,
    Report,
    Severity,
    Span,
    Statement,
    Violation,
)

UNREAD = (Outcome.UNVERIFIABLE, Outcome.ERROR)
#: What a statement is counted as, in words: its outcome, unless something was decided of it.
STANDINGS = {
    Outcome.ERROR.value: "could not be asked",
    Outcome.UNVERIFIABLE.value: "unread",
    Outcome.REFUTED.value: "refuted",
    Outcome.CONFLICTING.value: "conflicting",
    Outcome.NOT_ENOUGH_INFO.value: "open",
    Outcome.SUPPORTED.value: "supported",
    "baseline": "hidden by a baseline",
    "override": "decided by a person",
    "inline": "set aside by a comment in the text",
}
DECIDED = ("baseline", "override", "inline")


def standing(statement: Statement, report: Report) -> str:
    """Return what a statement is counted as, one of `STANDINGS`."""
    override = report.override_of(statement)
    return override.kind if override else statement.outcome.value


#: The reason of a statement whose grade was asked for and did not come.
UNGRADED = "ungraded"


def findings_shown(statement: Statement, report: Report) -> tuple[Violation, ...]:
    """Return the findings by which a statement is shown, that which settled it first.

    Where there are only notes, a supported statement is shown by those of rules on its triples: a
    note on any other repeats that it is not supported.
    """
    found = report.findings_of(statement)
    grave = [one for one in found if one.severity is not Severity.INFO]
    if not grave and statement.outcome is Outcome.SUPPORTED:
        grave = [one for one in found if one.claim and one.claim.origin != "statement"]
    if not grave:
        return ()
    grave = [one for one in grave if report.stands(one)] or grave
    first = next((one for one in grave if one.rule == statement.reason), grave[0])
    return (first, *(one for one in found if one is not first))


def findings_apart(statement: Statement, report: Report) -> tuple[tuple[Violation, ...], ...]:
    """Return the independent faults of a statement, each with what finds fault with its words.

    The first is that by which the statement is shown, with what is on no other's words; no fault
    rests on the claim of another. That nothing supports what is refuted is no news.
    """
    found = findings_shown(statement, report)
    apart = [[one] for one in found[:1]]
    told = [focus(one) for one in found[:1]]
    for one in found[1:]:
        if one.severity is Severity.INFO:
            continue
        span = focus(one)
        near = [n for n, at in enumerate(told) if span and at and _touch(span, at)]
        independent = span and told[0] and not near and report.stands(one)
        if independent and not any(_rests(one, a) or _rests(a, one) for a, *_ in apart):
            apart.append([one])
            told.append(span)
        else:
            apart[near[0] if near else 0].append(one)
    return tuple(map(tuple, apart))


def _touch(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _rests(one: Violation, other: Violation) -> bool:
    """Return whether the claim of one finding is evidence of another."""
    return one.claim is not None and one.claim.triple in (item.triple for item in other.evidence)


def findings_told(statement: Statement, report: Report) -> tuple[Violation, ...]:
    """Return the findings of a statement, that first by which it is told in one line.

    Of mere notes one on some of its words says more than that nothing supports it as a whole.
    """
    notes = report.findings_of(statement)
    ordered = sorted(notes, key=lambda one: (span := focus(one)) is None or span == statement.span)
    return findings_shown(statement, report) or tuple(ordered)


def findings_elsewhere(report: Report) -> list[Violation]:
    """Return the findings in no statement, and the errors of the whole text."""
    numbers = {statement.number for statement in report.statements}
    return [
        one
        for one in report.violations
        if (one.claim.sentence not in numbers if one.claim else one.severity is Severity.ERROR)
    ]


def why_open(statement: Statement, report: Report) -> str:
    """Return why a statement is neither supported nor refuted, empty where nothing says so.

    What was decided of it goes before.
    """
    if override := report.override_of(statement):
        return decided(override)
    if statement.reason == "unread":
        return f"could not be read: {statement.note}"
    if statement.outcome is Outcome.ERROR and report.unasked:
        return ""  # the head of the report has the cause
    if statement.reason == UNGRADED:
        cause = statement.note.removeprefix("not graded")  # as the head of a report ends
        headed = any(line.endswith(cause) for line in report.unasked)
        return "not graded" if headed else statement.note
    return statement.note


def left_out(report: Report) -> list[str]:
    """Return what could not be checked: statements, claims, and parts of text and sources."""
    left = [one for one in report.statements if report.outcome_of(one) in UNREAD]
    unread = sum(one.reason == "unread" for one in left)
    ungraded = sum(one.reason == UNGRADED for one in left)
    rest = len(left) - unread - ungraded
    parts = [
        f"{counted(number, 'statement')} {what}"
        for number, what in (
            (unread, "could not be read"),
            (ungraded, "not graded by the language model"),
            (rest, "could not be asked about"),
        )
        if number
    ]
    failed = any(verdict.outcome is Outcome.ERROR for verdict in report.verdicts)
    if not left and (failed or report.unasked):
        parts.append("not all that was asked gave an answer")
    return [*parts, *report.unread] or ["there is no statement"]


def told_open(report: Report) -> str:
    """Return `not settled: 10 of 10 statements are left open`."""
    left, total = report.left_open
    if report.enough_supported:
        left = len(report.invented)
        verb = "has" if left == 1 else "have"
        told = f"not settled: {left} of {counted(total, 'statement')} {verb}"
        return f"{told} a figure or a name that no source gives"
    noun = "statement" if report.statements else "claim"
    return f"not settled: {left} of {counted(total, noun)} {'is' if left == 1 else 'are'} left open"


def why_not_passed(report: Report) -> str:
    """Return in a line why a text is not to be passed on (`Report.guardrail`), empty where it is.

    The gravest comes first: what is refuted, what could not be checked, what is not settled.
    """
    if report.guardrail == "pass":
        return ""
    for one in report.statements:
        against = report.outcome_of(one) in (Outcome.REFUTED, Outcome.CONFLICTING)
        if against and not report.set_aside(one):
            found = findings_shown(one, report)
            return headline(found[0], report) if found else one.note or f"refuted: {one.text}"
    for violation in report.violations:
        if violation.severity is Severity.ERROR and report.stands(violation):
            return headline(violation, report)
    if not report.complete or not (report.statements or report.claims):
        return "; ".join((*report.unasked, *left_out(report)))
    if report.conclusion is Conclusion.NOT_SETTLED:
        return told_open(report)
    fidelity = report.metric("CFI").value
    return "CFI is undefined" if fidelity is None else f"CFI is {fidelity:.2f}"


def told_least(report: Report) -> str:
    """Return `at least 5 must be supported for the text to pass (settled 0.5)`."""
    if report.enough_supported:
        return "a figure or a name that no source gives lets no text pass"
    _, total = report.left_open
    least = next(n for n in range(1, total + 1) if n == total or n / total >= report.settled)
    return f"at least {least} must be supported for the text to pass (settled {report.settled:g})"


def kind_of_evidence(violation: Violation, report: Report) -> str:
    """Return what the evidence is to the claim, as the name of its row."""
    if passage(violation):
        return "passage"
    if violation.because and not added(violation):
        return "against"  # the two exclude each other; neither replaces the other
    if not contradicts(violation):
        return "nearest"
    return "text says" if own(violation, report) else "source says"


def standing_of(edit: Edit) -> str:
    """Return whether an edit is safe, and what came of trying it."""
    if edit.verified is None:
        return (
            "only a hint, not tried"
            if edit.applicability == "display"
            else f"{edit.applicability}, not tried"
        )
    if not edit.verified:
        return "not safe: tried, and with it alone the sentence is not supported"
    if edit.applicability == "safe":
        return "safe: the changed sentence was checked again and is supported"
    return f"{edit.applicability}: tried on a copy, where no rule objects"


def counted(number: int, noun: str) -> str:
    """Return `1 statement`, `2 statements`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
