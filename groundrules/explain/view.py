"""The view of a report: what every form for people shows of it, as data.

Text, page, service and lists are made of it, so that they say the same in the same words.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundrules.explain.contrast import (
    LONGEST,
    because,
    counterpart,
    fact,
    focus,
    foil,
    headline,
    own,
    places_of,
)
from groundrules.explain.edits import change, standing_of
from groundrules.explain.findings import (
    UNREAD,
    counted,
    findings_told,
    left_out,
    standing,
    told_aside,
    told_least,
    told_open,
    told_readers,
    why,
)
from groundrules.explain.foil import added, contradicts
from groundrules.explain.foil import passage as is_passage
from groundrules.explain.place import quote, source_text
from groundrules.explain.words import NAMES, STANDINGS, WORDS
from groundrules.terms import (
    Conclusion,
    Evidence,
    Outcome,
    Report,
    Severity,
    Span,
    Statement,
    Violation,
)

CONCLUSIONS: dict[str, tuple[str, str, str]] = WORDS["conclusions"]
SEVERITY = {Severity.ERROR: "Error", Severity.WARNING: "Warning", Severity.INFO: "Note"}
#: Passages beside a finding, and reasons why something could not be checked.
_BESIDE, _LISTED = 2, 8
_WORD = re.compile(r"\w+(?:[.,’'-]\w+)*|[£$€%]")
#: Least share of the words of two sentences that are alike where the others are lit.
_ALIKE = 0.5
_MOST_WORDS = 300

Range = tuple[int, int]


# --- one finding ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Passage:
    """A place in a source: what it is to the statement, and the ranges in it that decide."""

    title: str
    span: Span
    lit: tuple[Range, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A named line of a finding, what stands beside it, and the statements that it quotes."""

    name: str
    words: str
    note: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What is shown of a violation besides its headline; `passages` have words, `rows` the rest."""

    violation: Violation
    headline: str
    passages: tuple[Passage, ...] = ()
    rows: tuple[Row, ...] = ()


def finding(violation: Violation, report: Report) -> Finding:
    """Return what is shown of a violation: the sources, because, the edit; nothing twice."""
    told = headline(violation, report, beside=quote(focus(violation), report) is not None)
    if violation.claim is None:
        return Finding(violation, told)
    found = tuple(_passages(violation, report))
    rows = [row for row in _rows(violation, report, bool(found)) if row.words]
    return Finding(violation, told, found, tuple(r for r in rows if r.note or r.words not in told))


def _passages(violation: Violation, report: Report) -> Iterator[Passage]:
    distinct = list({item.span: item for item in reversed(violation.evidence)}.values())[::-1]
    title = _kind_of_evidence(violation, report)
    left = _BESIDE
    for item in distinct:
        ranges = _deciding(violation, item, report)
        same = violation.claim is not None and item.span == violation.claim.span
        if left and ranges is not None and item.span and not same:
            left -= 1
            yield Passage(title, item.span, ranges)


def _rows(violation: Violation, report: Report, placed: bool) -> Iterator[Row]:
    claim = violation.claim
    assert claim is not None
    if quote(claim.span, report) is None:
        yield Row("claimed", fact(violation, report))
    if violation.evidence and not placed:
        words, places = foil(violation, report, LONGEST), places_of(violation, report)
        kind = _kind_of_evidence(violation, report)
        yield Row(kind, words or places, places if words else "", violation.evidence[:_BESIDE])
    others = (one.span for one in violation.others if one.span != claim.span)
    for other in dict.fromkeys(quote(span, report) for span in others):
        yield Row("at fault too", f"“{other}”" if other else "")
    yield Row("because", because(violation, report))
    if (done := change(violation, report)) and violation.edit:
        yield Row("edit", done, standing_of(violation.edit))
    yield Row("LLM", violation.phrased)


def _kind_of_evidence(violation: Violation, report: Report) -> str:
    """Return what the evidence is to the claim, as the name of its row."""
    if is_passage(violation):
        return "passage"
    if violation.because and not added(violation):
        return "against"  # the two exclude each other; neither replaces the other
    if not contradicts(violation):
        return "nearest"
    return "text says" if own(violation, report) else "source says"


def wrong(violation: Violation, report: Report) -> tuple[Range, ...]:
    """Return the ranges of the checked text that a finding is about, none where it is all of it."""
    span, claim = focus(violation), violation.claim
    if span is None or claim is None or span.source != report.source or span == claim.span:
        return ()
    return ((span.start, span.end),) if span.end > span.start else ()


def _deciding(violation: Violation, item: Evidence, report: Report) -> tuple[Range, ...] | None:
    """Return the ranges of a passage that decide; None where the evidence has no passage."""
    span, claim = item.span, violation.claim
    text = source_text(report, span.source) if span else None
    if span is None or text is None or quote(span, report) is None:
        return None
    if found := counterpart(violation, item, report):
        return ((found.start, found.end),)
    return differing(report, claim.span, text, span) if claim and contradicts(violation) else ()


def differing(report: Report, said: Span, text: str, span: Span) -> tuple[Range, ...]:
    """Return where a passage has other words than the sentence it is much like, else nothing."""
    mine = [m[0].casefold() for m in _WORD.finditer(report.text, said.start, said.end)]
    found = list(_WORD.finditer(text, span.start, span.end))
    if not mine or not found or max(len(mine), len(found)) > _MOST_WORDS:
        return ()
    matcher = difflib.SequenceMatcher(None, mine, [m[0].casefold() for m in found], autojunk=False)
    if matcher.ratio() < _ALIKE:
        return ()
    return tuple(
        (found[a].start(), found[b - 1].end())
        for tag, _, _, a, b in matcher.get_opcodes()
        if tag in ("replace", "insert")
    )


# --- one statement ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Card:
    """What is shown of a statement: why it has its verdict, its findings, the words at fault.

    `held` is the passage to show where no finding has one, `also` are the others it was held
    against.
    """

    statement: Statement
    outcome: Outcome
    why: str
    findings: tuple[Finding, ...]
    wrong: tuple[Range, ...]
    held: Passage | None
    also: tuple[Span, ...]


def card(statement: Statement, report: Report) -> Card:
    """Return what is shown of a statement; of findings on the same words the first has passages."""
    found: list[Finding] = []
    shown: set[Span] = set()
    ranges: list[Range] = []

    told = findings_told(statement, report)
    tried = {focus(one) for one in told if one.edit and one.edit.verified}
    for one in told:
        made = finding(one, report)
        fresh = tuple(place for place in made.passages if place.span not in shown)
        known = {row for each in found for row in each.rows}
        if focus(one) in tried and not (one.edit and one.edit.verified):
            known |= {row for row in made.rows if row.name == "edit"}  # a mere hint
        rows = tuple(row for row in made.rows if row not in known)
        found.append(Finding(one, made.headline, fresh, rows))
        shown.update(place.span for place in fresh)
        ranges += wrong(one, report) if one.severity is not Severity.INFO else ()
    left = [span for span in statement.passages if span not in shown]
    held = None
    read = statement.outcome is not Outcome.UNVERIFIABLE
    if left and read and not shown and quote(left[0], report) is not None:
        named = "source says" if statement.outcome is Outcome.SUPPORTED else "nearest"
        held, left = Passage(named, left[0]), left[1:]
    return Card(
        statement,
        report.outcome_of(statement),
        why(statement, report),
        tuple(found),
        tuple(sorted(ranges)),
        held,
        tuple(left),
    )


# --- the whole of a report --------------------------------------------------------------------


def counts(report: Report) -> tuple[Counter[str], str]:
    """Return how many statements are counted as what, of `STANDINGS`, and their noun.

    Claims are counted where there are no statements.
    """
    if report.statements or not report.verdicts:
        return Counter(standing(one, report) for one in report.statements), "statement"
    return Counter(one.outcome.value for one in report.verdicts), "claim"


def outcomes(report: Report) -> str:
    """Return how many statements have which outcome, in words."""
    found, noun = counts(report)
    told = [f"{found[one]} {told}" for one, told in STANDINGS.items() if found[one]]
    return f"{counted(found.total(), noun)}: {', '.join(told)}" if told else f"no {noun}"


def summary(report: Report) -> str:
    """Return in a sentence what the verdict on a text rests on; then rules disabled, readers."""
    aside, by = told_aside(report), told_readers(report)
    aside = f" Findings: {aside}." if aside.endswith(")") else ""
    return _rests_on(report) + aside + (by and f" {by[0].upper()}{by[1:]}.")


def _rests_on(report: Report) -> str:
    _, noun = counts(report)
    ruled = Counter(map(report.outcome_of, report.statements)) or Counter(
        one.outcome for one in report.verdicts
    )
    open_ = ruled[Outcome.NOT_ENOUGH_INFO]
    it, is_ = ("it", "is") if open_ == 1 else ("them", "are")
    carried = f" {counted(open_, noun)} {is_} left open: no source supports {it}." if open_ else ""
    warnings = sum(
        one.severity is Severity.WARNING and report.stands(one) for one in report.violations
    )
    warned = f" {counted(warnings, 'warning')} of rules: see the cards." if warnings else ""
    match report.conclusion:
        case Conclusion.PASSES:
            told = "All was read and put to the sources, and none of them speaks against it."
            return told + warned + carried
        case Conclusion.NOT_SETTLED:
            return (
                f"{told_open(report).capitalize()}. That is no pass: {told_least(report)}.{warned}"
            )
        case Conclusion.FAILS:
            told = _speaking_against(report, noun)
            return told + carried if report.complete else f"{told} And not all could be checked."
    if not report.statements and not report.claims:
        return "No statement was found in it, so nothing is known of it."
    if sum(ruled[one] for one in UNREAD) == ruled.total():
        return "Nothing of it could be read or asked about, so nothing is known of it."
    return "Nothing that could be read speaks against it, which says nothing of the rest." + carried


def _speaking_against(report: Report, noun: str) -> str:
    """Return what speaks against a text, counted."""
    found = Counter(
        report.outcome_of(one) for one in report.statements if not report.set_aside(one)
    ) or Counter(one.outcome for one in report.verdicts)
    parts = [
        f"{counted(found[one], noun)} {'is' if found[one] == 1 else 'are'} {NAMES[one].lower()}"
        for one in (Outcome.REFUTED, Outcome.CONFLICTING)
        if found[one]
    ]
    if parts:
        return f"{', and '.join(parts)}."
    errors = sum(one.severity is Severity.ERROR and report.stands(one) for one in report.violations)
    told = counted(errors, "error") + " of rules" if errors else "The policy of the check"
    return f"{told} {'stands' if errors < 2 else 'stand'} against it."


def gaps(report: Report) -> list[tuple[str, str, int | None]]:
    """Return what could not be checked, why, and the number of the first statement of which.

    Why and number are empty and None where it is of no statement.
    """
    parts: list[tuple[str, str, int | None]] = [
        (cause, "", None) for cause in (*report.unasked, *report.unread)
    ]
    if report.complete:
        return parts
    left = [one for one in report.statements if report.outcome_of(one) in UNREAD]
    causes: dict[str, list[Statement]] = {}
    for one in left:
        causes.setdefault(why(one, report) or NAMES[one.outcome], []).append(one)
    listed = sorted(causes.items(), key=lambda item: -len(item[1]))[:_LISTED]
    for told, mine in listed:
        parts.append((f"{counted(len(mine), 'statement')}: ", told, mine[0].number))
    if more := len(left) - sum(len(mine) for _, mine in listed):
        parts.append((f"{counted(more, 'statement')} for other reasons: see the cards", "", None))
    return parts or [(one, "", None) for one in left_out(report)]


def groups(report: Report) -> Iterator[tuple[str, str, Sequence[Card]]]:
    """Yield the statements by what they are counted as: kind, title and the cards of all."""
    for kind, told in STANDINGS.items():
        mine = [card(s, report) for s in report.statements if standing(s, report) == kind]
        if mine:
            yield kind, told.capitalize(), mine
