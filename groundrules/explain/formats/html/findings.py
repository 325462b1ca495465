"""Findings of a card: the rule, both texts side by side, and what it says of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundrules.explain.contrast import (
    NOTHING_CARRIES,
    change,
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
from groundrules.explain.findings import kind_of_evidence, standing_of
from groundrules.explain.formats.html.edits import edit
from groundrules.explain.formats.html.markup import Html, element, join, quoted
from groundrules.explain.formats.html.passages import figure, lit, passage, stated, wrong
from groundrules.explain.formats.html.words import NAMES, rule_link, summary_of
from groundrules.explain.place import quote, source_text
from groundrules.terms import Evidence, Override, Report, Severity, Statement, Violation

SHORT = 150  # code points of a sentence in the head of its card
SEVERITY = {Severity.ERROR: "Error", Severity.WARNING: "Warning", Severity.INFO: "Note"}


def decided(override: Override | None, what: str = "statement") -> Html | None:
    """Return what was decided of a statement or finding, by whom, why and when."""
    if override is None:
        return None
    kinds = {
        "baseline": "Accepted as there before",
        "override": "Overridden",
        "inline": "Overridden by a comment in the text",
    }
    to = f": the {what} counts as {NAMES[override.outcome].lower()}" if override.outcome else ""
    return element(
        "p",
        element("b", kinds.get(override.kind, override.kind), to, "."),
        " By ",
        quoted(override.by or "somebody who is not named"),
        ", ",
        override.at or "at a time that is not told",
        ". Why: ",
        quoted(override.why or "no reason is given"),
        class_="override",
    )


def findings(
    found: Sequence[Violation], statement: Statement, report: Report
) -> Iterable[Html | None]:
    """Yield the findings; what an earlier one has shown in both texts is not shown again.

    On paper those of class `besides` are their names alone: they are of the same place as one
    before them, or are notes of a statement against which something graver was found.
    """
    seen: set[object] = set()
    for violation in found:
        key = (tuple(wrong(violation, report)), *(item.span for item in violation.evidence))
        made = finding(violation, statement, report, again=key in seen)
        lesser = bool(seen) and violation.severity is Severity.INFO
        besides = (lesser or key in seen) and report.override_of(violation) is None
        seen.add(key)
        yield element("section", *made, class_="finding besides" if besides else "finding")


def finding(
    violation: Violation, statement: Statement | None, report: Report, *, again: bool = False
) -> Iterable[Html | None]:
    """Yield a finding: rule, both texts, claimed, rather and because, and the edit.

    `again` leaves out what a finding before it has shown: both texts and the changed sentence.
    """
    level = violation.severity.value
    yield element(
        "h4",
        element("span", SEVERITY[violation.severity], class_=f"level {level}"),
        " ",
        rule_link(violation),
    )
    if told := summary_of(violation):
        yield element("p", told, ".", class_="summary")
    yield decided(report.override_of(violation), "finding")
    if violation.claim is None:
        yield element("p", quoted(violation.message))
        return
    yield None if again else _pair(violation, report)
    yield _reasons(violation, report)
    yield edit(violation, None if again else statement, report)


def _pair(violation: Violation, report: Report) -> Html | None:
    """Return the sentence and the passages of the source beside it, what decides lit in both."""
    claim = violation.claim
    assert claim is not None
    shown = [
        (words, item.span)
        for item in distinct(violation.evidence)
        if (words := passage(violation, item, report)) and item.span
    ][:2]
    text = source_text(report, claim.span.source)
    if not shown or text is None or claim.span.end > len(text):
        return None
    other = other_side(violation, report)
    mine = None
    if violation.severity is not Severity.INFO:  # a note is on the whole sentence, shown above it
        words = lit(text, claim.span.start, claim.span.end, wrong(violation, report), "lit wrong")
        mine = figure("The text says", words, claim.span, report, "text")
    return element(
        "div",
        mine,
        *(figure(other, words, span, report, "source") for words, span in shown),
        class_="pair",
    )


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


def _reasons(violation: Violation, report: Report) -> Html:
    """Return claimed, rather and because, and what a model makes of it."""
    rows: list[tuple[str, Html | None]] = [
        (name, join(quoted(words), element("span", f" ({by})", class_="dim") if by else None))
        for name, words, by in reasons(violation, report)
    ]
    rows += [
        ("at fault too", quoted(words))
        for words in dict.fromkeys(quote(one.span, report) for one in violation.others)
        if words
    ]
    rows += [
        ("stated by", stated(item, report))
        for item in distinct(violation.evidence)[:3]
        if item.span is None or source_text(report, item.span.source) is None
    ]
    if done := change(violation, report):
        assert violation.edit
        standing = element("span", f" ({standing_of(violation.edit)})", class_="dim")
        rows.append(("edit", join(quoted(done), standing)))
    if violation.phrased:
        rows.append(("model's words", quoted(violation.phrased)))
    return _rows(rows)


def reasons(violation: Violation, report: Report) -> list[tuple[str, str, str]]:
    """Return claimed, rather and because: each its name, its words and the axiom it rests on."""
    why = explain(violation, report)
    span = focus(violation)
    claimed, rather = quote(span, report), ""
    for item in violation.evidence:
        rather = rather or quote(counterpart(violation, item, report), report) or ""
    claim = violation.claim
    assert claim is not None
    if not (claimed and rather and span != claim.span):
        as_triple = claim.origin != "statement" and spoken(claim, report)
        claimed = as_triple or fact(violation, report, SHORT)
        rather = foil(violation, report, SHORT)
    rows: list[tuple[str, str, str]] = []
    if violation.severity is not Severity.INFO or claim.origin != "statement":
        rows.append(("claimed", claimed, ""))
    if rather and (rows or not violation.evidence):
        name = "rather" if contradicts(violation) else "nearest"
        if is_passage(violation):
            name = "passage"
        elif own(violation, report) and contradicts(violation):
            name = "but also"
        rows.append((name, rather, ""))
    axiom = warrant(violation)
    told = rather and claimed in why.because and rather in why.because
    if axiom or not (told or why.because == NOTHING_CARRIES):
        rows.append(("because", why.because, axiom))
    return rows


def _rows(rows: Iterable[tuple[str, Html | None]]) -> Html:
    return element(
        "dl",
        *(element("div", element("dt", name), element("dd", told)) for name, told in rows if told),
        class_="rows",
    )
