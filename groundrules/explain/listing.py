"""What a list of faults has: a result for each violation and each statement that is not supported.

`text` tells statements to a person; formats for other programs list results instead, as SARIF has
them. What could not be checked comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal as OneOf

from groundrules.explain.contrast import decided, explain, focus, headline, places_of
from groundrules.explain.findings import (
    UNREAD,
    cause,
    findings_apart,
    findings_told,
    told_least,
    told_open,
)
from groundrules.explain.foil import of_statement
from groundrules.explain.place import line_column, locate
from groundrules.explain.words import MEANING, STANDINGS
from groundrules.rules.packs import shipped
from groundrules.terms import (
    Conclusion,
    Outcome,
    Override,
    Report,
    Severity,
    Span,
    Statement,
    Violation,
)

#: Where the documentation is, and that of the rules that ship.
_SITE = "https://groundrules.readthedocs.io/en/latest/"
_PAGES = f"{_SITE}reference/rules/"
#: What to do about a text that is not settled.
UNSETTLED_PAGE = f"{_SITE}how-to/not-settled.html"
#: What tells the id of a rule from the stage that settled a statement.
_RULE = re.compile(r"[A-Z]+[0-9]+")
_AGAINST = (Outcome.REFUTED, Outcome.CONFLICTING)


@dataclass(frozen=True, slots=True)
class Result:
    """A violation, a statement without one that is not supported, or what could not be checked.

    `kind`: "unchecked", it could not be read or asked about; "fail", something speaks against it;
    "open", nothing does, and nothing supports it; of a text that is not settled too. `rule` is that
    of the violation, else the rule or outcome that the statement rests on. `span` is None where the
    whole text is meant. `override` is what was decided of it or of its statement: then it does not
    count.
    """

    kind: OneOf["unchecked", "fail", "open"]
    rule: str
    name: str
    severity: Severity
    message: str
    fingerprint: str
    span: Span | None = None
    statement: Statement | None = None
    violation: Violation | None = None
    override: Override | None = None


def results(report: Report) -> tuple[Result, ...]:
    """Return the results of a report: what could not be checked, then the others in text order.

    One a fault: without what finds fault with words that another does, unless it was decided.
    """
    order = {"unchecked": 0, "fail": 1, "open": 1}
    far = len(report.text) + 1
    found = [*_unchecked(report), *_of_text(report)]
    for statement in report.statements:
        heads = {id(head) for head, *_ in findings_apart(statement, report)}
        found += (
            one
            for one in _of_statement(statement, report)
            if one.override or one.kind != "fail" or not one.violation or id(one.violation) in heads
        )
    return tuple(
        sorted(found, key=lambda one: (order[one.kind], one.span.start if one.span else far))
    )


def position(one: Result, report: Report) -> tuple[int, int] | None:
    """Return the line and column of a result in the checked text, None where it has none."""
    if one.span is None or one.span.start > len(report.text):
        return None
    return line_column(report.text, one.span.start)


def line(one: Result, report: Report) -> str:
    """Return a result in a line: place, kind, message, evidence, and what was decided of it.

    `answer.txt:2:23: error GR301 date-mismatch: “May”; the source says “June” (lease.txt:4:4)`
    """
    at = position(one, report)
    place = f"{report.source}:{at[0]}:{at[1]}" if at else report.source
    kind = f"{one.severity.value} {one.rule} {one.name}"
    if one.kind != "fail" and one.statement:
        kind = STANDINGS[one.statement.outcome]
    told = f"{place}: {kind}"
    if one.message != MEANING[Outcome.ERROR]:  # the head of a list has the cause
        told += f": {one.message}"
    if one.kind == "open" and one.statement and (near := one.statement.passages):
        told += f" (nearest: {locate(near[0], report)})"
    if one.kind == "fail" and one.violation and one.violation.evidence:
        told += f" ({places_of(one.violation, report)})"
    return f"{told} [{decided(one.override)}]" if one.override else told


def worded(one: Result, report: Report) -> str:
    """Return a result in words: its explanation, that it could not be checked, or was set aside."""
    text = one.message
    if one.violation and one.kind == "fail":
        text = explain(one.violation, report).text
    text = f"could not be checked: {text}" if one.kind == "unchecked" else text
    return f"set aside ({one.override.why}): {text}" if one.override else text


def page_of(rule: str) -> str:
    """Return the address of the page of a rule that ships, by the rule's name."""
    return f"{_PAGES}{rule}.html"


def _unchecked(report: Report) -> Iterator[Result]:
    for rule, severity, causes in (
        ("not-asked", Severity.ERROR, report.unasked),
        ("not-read", Severity.WARNING, report.unread),
    ):
        for told in causes:
            yield Result("unchecked", rule, rule.replace("-", " "), severity, told, rule)


def _of_text(report: Report) -> Iterator[Result]:
    """Yield that the text is not settled, and the violations of no statement."""
    if report.conclusion is Conclusion.NOT_SETTLED:
        name, told = "not-settled", f"{told_open(report)}; {told_least(report)}"
        yield Result("open", name, "not settled", Severity.WARNING, told, name)
    numbers = {statement.number for statement in report.statements}
    for one in report.violations:
        outside = one.claim.sentence not in numbers if one.claim else True
        if outside and one.severity is not Severity.INFO:
            yield _of_violation(one, None, report)


def _of_statement(statement: Statement, report: Report) -> Iterator[Result]:
    found = report.findings_of(statement)
    grave = [one for one in found if one.severity is not Severity.INFO]
    if not grave and statement.outcome is Outcome.SUPPORTED:
        grave = [one for one in found if one.claim and not of_statement(one)]
    for one in sorted(grave, key=lambda one: one.rule != statement.reason):
        yield _of_violation(one, statement, report)
    override, told = report.override_of(statement), cause(statement, report)
    own = statement.outcome
    if override and override.outcome in _AGAINST:
        yield _of_outcome(statement, override.outcome, "override", decided(override), None)
    elif own in UNREAD or (own is not Outcome.SUPPORTED and not found):
        yield _of_outcome(statement, own, statement.reason, told, override)
    elif not grave and own is not Outcome.SUPPORTED:
        first = next(iter(findings_told(statement, report)), found[0])
        kind: OneOf["fail", "open"] = "fail" if own in _AGAINST else "open"
        yield replace(_of_violation(first, statement, report), kind=kind, message=told)


def _of_violation(violation: Violation, statement: Statement | None, report: Report) -> Result:
    override = report.override_of(violation) or (statement and report.override_of(statement))
    return Result(
        "fail",
        violation.rule,
        violation.name,
        violation.severity,
        headline(violation, report),
        violation.fingerprint,
        focus(violation),
        statement,
        violation,
        override or None,
    )


def _of_outcome(
    statement: Statement, outcome: Outcome, rule: str, message: str, override: Override | None
) -> Result:
    name = outcome.value.replace("_", "-")
    known = shipped().get(rule)
    unchecked = outcome in UNREAD
    against = outcome in _AGAINST
    severity = {Outcome.UNVERIFIABLE: Severity.WARNING, Outcome.NOT_ENOUGH_INFO: Severity.INFO}
    return Result(
        "unchecked" if unchecked else "fail" if against else "open",
        rule if _RULE.fullmatch(rule) else name,
        known.name if known else name,
        severity.get(outcome, Severity.ERROR),
        message or MEANING[outcome],
        statement.fingerprint,
        statement.span,
        statement,
        None,
        override,
    )
