"""Findings as people are told them: what shows a statement, why it is so, what is left out."""

from __future__ import annotations

from groundrules.explain.contrast import decided, focus, headline
from groundrules.explain.foil import of_statement
from groundrules.explain.headings import where
from groundrules.explain.place import cite
from groundrules.explain.words import MEANING, SUPPORTED
from groundrules.terms import Conclusion, Outcome, Report, Severity, Span, Statement, Violation

UNREAD = (Outcome.UNVERIFIABLE, Outcome.ERROR)


def standing(statement: Statement, report: Report) -> str:
    """Return what a statement is counted as, one of `STANDINGS`."""
    override = report.override_of(statement)
    return override.kind if override else statement.outcome.value


#: The reason of a statement whose grade was asked for and did not come.
UNGRADED = "ungraded"


def findings_shown(statement: Statement, report: Report) -> tuple[Violation, ...]:
    """Return the findings by which a statement is shown, that which settled it first.

    Of those on the same words one whose edit was tried comes first. Where there are only notes, a
    supported statement is shown by those of rules on its triples: a note on any other repeats that
    it is not supported.
    """
    found = report.findings_of(statement)
    grave = [one for one in found if one.severity is not Severity.INFO]
    if not grave and statement.outcome is Outcome.SUPPORTED:
        grave = [one for one in found if one.claim and not of_statement(one)]
    if not grave:
        return ()
    grave = [one for one in grave if report.stands(one)] or grave
    first = next((one for one in grave if one.rule == statement.reason), grave[0])
    tried = (one for one in grave if one.edit and one.edit.verified and focus(one) == focus(first))
    first = first if first.edit and first.edit.verified else next(tried, first)
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
    """Return the findings of a statement to tell, that first by which it is told in one line.

    A note on all of its words is none: that nothing supports it is its verdict.
    """
    found = findings_shown(statement, report) or report.findings_of(statement)
    return tuple(
        one
        for one in found
        if one.severity is not Severity.INFO
        or not of_statement(one)
        or focus(one) != statement.span
    )


def findings_elsewhere(report: Report) -> list[Violation]:
    """Return the findings in no statement, and the errors of the whole text."""
    numbers = {statement.number for statement in report.statements}
    return [
        one
        for one in report.violations
        if (one.claim.sentence not in numbers if one.claim else one.severity is Severity.ERROR)
    ]


def why(statement: Statement, report: Report) -> str:
    """Return what was decided of a statement, else in one sentence why it has its verdict."""
    override = report.override_of(statement)
    return decided(override) if override else cause(statement, report)


def cause(statement: Statement, report: Report) -> str:
    """Return in one plain sentence why a statement has its verdict, empty where nothing says so."""
    if statement.outcome in UNREAD:
        return _unread(statement, report)
    if found := findings_told(statement, report):
        return headline(found[0], report, beside=True)
    if statement.outcome is Outcome.SUPPORTED:
        return _supported(statement, report)
    if statement.outcome is not Outcome.NOT_ENOUGH_INFO:
        return statement.note or MEANING[statement.outcome]
    if not (report.sources.keys() - {report.source} or report.run.inputs or statement.note):
        return "no source was given to hold it against"
    if statement.reason == "support":
        near = statement.passages
        return "no source says it" if near else "nothing in the sources speaks of it"
    return statement.note or MEANING[statement.outcome]


def _supported(statement: Statement, report: Report) -> str:
    """Return by what a statement is supported: the passage, or the statement of a base."""
    for verdict in report.verdicts:
        if verdict.claim.sentence == statement.number and verdict.reason == statement.reason:
            if verdict.message:
                return verdict.message
            if verdict.evidence and not statement.passages:
                return f"{cite(verdict.evidence[0], report)} says it"
    if not statement.passages:
        return ""
    told: str = SUPPORTED.get(statement.reason, "{} says it")
    return told.format(where(statement.passages[0], report))


def _unread(statement: Statement, report: Report) -> str:
    """Return why a statement could not be read or asked about."""
    if statement.reason == "unread":
        return f"could not be read: {statement.note}"
    if statement.outcome is Outcome.ERROR and report.unasked:
        return ""  # the head of the report has the cause
    if statement.reason == UNGRADED and report.unasked:
        return "not graded"
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


def told_aside(report: Report) -> str:
    """Return `2 set aside (GR302 is disabled)`, empty where nothing is."""
    made = [one for v in report.violations if (one := report.decision_on(v))]
    why = ", ".join(dict.fromkeys(one.why for one in made if one.kind == "disabled"))
    return (f"{len(made)} set aside" + (f" ({why})" if why else "")) if made else ""


def told_readers(report: Report) -> str:
    """Return `readers in force: NAME DIGEST`, empty where the rules decided alone."""
    found = ", ".join(value for name, value in report.run.models if name == "reader")
    return f"readers in force: {found}" if found else ""


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


def told_reached(report: Report, level: str) -> str:
    """Return `1 finding reaches --fail-level warning`, empty where none does or the text fails."""
    failing = [*Severity][: [*Severity].index(Severity(level)) + 1]
    found = sum(one.severity in failing and report.stands(one) for one in report.violations)
    if not found or report.conforms is False:
        return ""
    return (
        f"{counted(found, 'finding')} {'reaches' if found == 1 else 'reach'} --fail-level {level}"
    )


def told_least(report: Report) -> str:
    """Return `at least 5 must be supported for the text to pass (settled 0.5)`."""
    if report.enough_supported:
        return "a figure or a name that no source gives lets no text pass"
    _, total = report.left_open
    least = next(n for n in range(1, total + 1) if n == total or n / total >= report.settled)
    return f"at least {least} must be supported for the text to pass (settled {report.settled:g})"


def counted(number: int, noun: str) -> str:
    """Return `1 statement`, `2 statements`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
