"""The view of one statement and its findings: what its card shows of them, as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from markupsafe import Markup
from rdflib.term import URIRef

from groundrules.explain.contrast import (
    NOTHING_CARRIES,
    change,
    clip,
    contradicts,
    counterpart,
    explain,
    fact,
    focus,
    foil,
    own,
    spoken,
    warrant,
)
from groundrules.explain.contrast import passage as is_passage
from groundrules.explain.findings import (
    findings_told,
    kind_of_evidence,
    standing_of,
)
from groundrules.explain.formats.html.markup import joined, quoted, within
from groundrules.explain.formats.html.passages import Range, passage, stated, wrong
from groundrules.explain.formats.html.words import WEIGHED
from groundrules.explain.place import quote, source_name, source_text
from groundrules.terms import (
    Claim,
    Evidence,
    Outcome,
    Report,
    Severity,
    Span,
    Statement,
    Verdict,
    Violation,
)

_SHORT = 150  # code points of a sentence in the head of its card
_BETWEEN = "\u241f"  # names of sources, which may have spaces; the script parts them there


def sources(statement: Statement, report: Report) -> str:
    """Return the names of the sources that a card names, as the script parts them."""
    return _BETWEEN.join(source_names(statement, report))


def source_names(statement: Statement, report: Report) -> list[str]:
    """Return the names of the sources that are shown beside a statement."""
    named = [source_name(span.source) for span in statement.passages[:1]]
    items = [item for one in report.findings_of(statement) for item in one.evidence]
    named += [source_name(item.span.source if item.span else item.source) for item in items]
    return [" ".join(name.split()) for name in dict.fromkeys(named)]


def head(statement: Statement, report: Report) -> str:
    """Return the words by which a statement is told in one line."""
    found = findings_told(statement, report)
    clipped = clip(statement.span, focus(found[0]) if found else None, report, _SHORT)
    return clipped or statement.text[:_SHORT]


def all_wrong(statement: Statement, report: Report) -> list[Range]:
    """Return the ranges of a statement that are at fault."""
    found = findings_told(statement, report)
    grave = [one for one in found if one.severity is not Severity.INFO]
    return [span for one in grave for span in wrong(one, report)]


def findings(statement: Statement, report: Report) -> Iterator[tuple[Violation, bool, bool]]:
    """Yield the findings, whether both texts were shown by one before, and whether it is lesser.

    On paper those that are lesser are their names alone: they are of the same place as one before
    them, or are notes of a statement against which something graver was found.
    """
    seen: set[object] = set()
    for violation in findings_told(statement, report):
        key = (tuple(wrong(violation, report)), *(item.span for item in violation.evidence))
        lesser = bool(seen) and violation.severity is Severity.INFO
        besides = (lesser or key in seen) and report.override_of(violation) is None
        yield violation, key in seen, besides
        seen.add(key)


def held(statement: Statement, report: Report) -> tuple[Span | None, list[Span], bool]:
    """Return the passage to show, the others a statement was held against, and if any was shown.

    Those of its findings are shown with them.
    """
    used = {item.span for one in findings_told(statement, report) for item in one.evidence}
    left = [span for span in statement.passages if span not in used]
    if left and not used and statement.outcome is not Outcome.UNVERIFIABLE:
        text = source_text(report, left[0].source)
        if text is not None and left[0].end <= len(text):
            return left[0], left[1:], True
    return None, left, bool(used)


def weighed(name: str, value: float) -> str:
    """Return what a part of a score says."""
    if name in WEIGHED:
        return WEIGHED[name][value < 0]
    return f"a language model's grade: {name}" if "graded" in name else name


def pair(violation: Violation, report: Report) -> list[tuple[Markup, Span]]:
    """Return the passages to show beside a finding, none where its own sentence cannot be."""
    claim = violation.claim
    text = source_text(report, claim.span.source) if claim else None
    if claim is None or text is None or claim.span.end > len(text):
        return []
    return [
        (words, item.span)
        for item in distinct(violation.evidence)
        if (words := passage(violation, item, report)) and item.span
    ][:2]


def other_side(violation: Violation, report: Report) -> str:
    """Return what the passage beside a sentence is to it, as a title."""
    return {
        "passage": "Its passage",
        "against": "Against it",
        "nearest": "Nearest in the source",
        "text says": "The text itself says",
    }.get(kind_of_evidence(violation, report), "The source says")


def distinct(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return the evidence, the first of each place."""
    return list({item.span: item for item in reversed(list(evidence))}.values())[::-1]


def rows(violation: Violation, report: Report) -> Iterator[tuple[str, Markup]]:
    """Yield claimed, rather and because, the edit, and what a model makes of it."""
    for name, words, by in reasons(violation, report):
        yield name, joined(quoted(words), within("span", f" ({by})", "dim") if by else None)
    for other in dict.fromkeys(quote(one.span, report) for one in violation.others):
        if other:
            yield "at fault too", quoted(other)
    for item in distinct(violation.evidence)[:3]:
        if item.span is None or source_text(report, item.span.source) is None:
            yield "stated by", stated(item, report)
    if (done := change(violation, report)) and violation.edit:
        standing_ = within("span", f" ({standing_of(violation.edit)})", "dim")
        yield "edit", joined(quoted(done), standing_)
    if violation.phrased:
        yield "model's words", quoted(violation.phrased)


def reasons(violation: Violation, report: Report) -> list[tuple[str, str, str]]:
    """Return claimed, rather and because: each its name, its words and the axiom it rests on."""
    told = explain(violation, report)
    span = focus(violation)
    claimed, rather = quote(span, report) or "", ""
    for item in violation.evidence:
        rather = rather or quote(counterpart(violation, item, report), report) or ""
    claim = violation.claim
    assert claim is not None
    if not (claimed and rather and span != claim.span):
        as_triple = claim.origin != "statement" and spoken(claim, report)
        claimed = as_triple or fact(violation, report, _SHORT)
        rather = foil(violation, report, _SHORT)
    found: list[tuple[str, str, str]] = []
    if violation.severity is not Severity.INFO or claim.origin != "statement":
        found.append(("claimed", claimed, ""))
    if rather and (found or not violation.evidence):
        name = "rather" if contradicts(violation) else "nearest"
        if is_passage(violation):
            name = "passage"
        elif own(violation, report) and contradicts(violation):
            name = "but also"
        found.append((name, rather, ""))
    axiom = warrant(violation)
    both = rather and claimed in told.because and rather in told.because
    if axiom or not (both or told.because == NOTHING_CARRIES):
        found.append(("because", told.because, axiom))
    return found


def verdicts(report: Report) -> dict[URIRef, Verdict]:
    """Return the verdicts by their claims."""
    return {one.claim.id: one for one in report.verdicts}


def claims_elsewhere(report: Report) -> list[Claim]:
    """Return the claims that are read from no statement, as those of a record."""
    numbers = {statement.number for statement in report.statements}
    return [claim for claim in report.claims if claim.sentence not in numbers]


def differs(claims: Sequence[Claim], statement: Statement, found: Mapping[URIRef, Verdict]) -> bool:
    """Return whether a part of a statement has another verdict than the whole."""
    outcomes = [found[claim.id].outcome for claim in claims if claim.id in found]
    return len(claims) > 1 and any(one is not statement.outcome for one in outcomes)


def contributions(statement: Statement) -> list[tuple[str, float, int]]:
    """Return what a score is made of: name, log odds, and the width of its bar of sixty."""
    told = [(name, value) for name, value in statement.contributions if round(value, 2)]
    most = max((abs(value) for _, value in told), default=0.0)
    return [(name, value, round(60 * value / most)) for name, value in told]
