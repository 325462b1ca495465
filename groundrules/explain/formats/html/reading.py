"""Reading: the checked text whole, its statements marked where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from groundrules.explain.contrast import focus, headline
from groundrules.explain.findings import findings_elsewhere, findings_shown
from groundrules.explain.formats.html.markup import attribute, joined, shown, within
from groundrules.explain.formats.html.passages import Range, wrong
from groundrules.explain.formats.html.words import NAMES
from groundrules.terms import Report, Severity, Span, Statement

_TITLE = 300  # code points of what is told of a mark


@dataclass(frozen=True, slots=True)
class _Mark:
    """A place in the text that leads to a card: `card` and `name` are the ids of both."""

    span: Span
    card: str
    name: str
    class_: str
    told: str
    title: str
    ranges: tuple[Range, ...] = ()


def text(report: Report, prefix: str) -> Markup:
    """Return the checked text with a link from each statement to its card.

    What is found in no statement leads to the card of the finding.
    """
    marks = [_of_statement(one, report) for one in report.statements]
    marks += _of_findings(report)
    parts: list[Markup] = []
    at = 0
    kept: set[str] = set()
    for mark in _placed(marks, report):
        parts += [shown(report.text[at : mark.span.start]), _link(mark, report, prefix)]
        kept.add(mark.name)
        at = mark.span.end
    parts.append(shown(report.text[at:]))
    # the words of the others are those of another, or not in the text
    left = (attribute(f"{prefix}{mark.name}") for mark in marks if mark.name not in kept)
    parts += [Markup('<span id="{}"></span>').format(name) for name in left]
    return within("div", joined(*parts), "text")


def _placed(marks: Iterable[_Mark], report: Report) -> Iterator[_Mark]:
    """Yield the marks in the order of the text, none over another and none outside it."""
    at = 0
    for mark in sorted(marks, key=lambda one: one.span.start):
        start, end = max(mark.span.start, at), min(mark.span.end, len(report.text))
        if mark.span.source == report.source and start < end:
            yield replace(mark, span=Span(mark.span.source, start, end))
            at = end


def _of_statement(statement: Statement, report: Report) -> _Mark:
    outcome = report.outcome_of(statement)
    found = findings_shown(statement, report)
    grave = [one for one in found if one.severity is not Severity.INFO]
    over = " overridden" if report.override_of(statement) else ""
    name = NAMES[outcome]
    return _Mark(
        statement.span,
        f"s{statement.number}",
        f"t{statement.number}",
        f"{outcome.value}{over}",
        name.lower(),
        f"{name}: {headline(found[0], report)}" if found else name,
        tuple(sorted(span for one in grave for span in wrong(one, report))),
    )


def _of_findings(report: Report) -> Iterator[_Mark]:
    for number, one in enumerate(findings_elsewhere(report)):
        if span := focus(one):
            level = one.severity.value
            title = f"{level}: {headline(one, report)}"
            yield _Mark(span, f"f{number}", f"u{number}", f"level-{level}", level, title)


def _link(mark: _Mark, report: Report, prefix: str) -> Markup:
    """Return the words of a mark as a link to its card, those at fault set apart."""
    inner: list[Markup] = []
    at = mark.span.start
    for a, b in mark.ranges:
        if a < at or b > mark.span.end:
            continue
        inner += [shown(report.text[at:a]), within("mark", report.text[a:b])]
        at = b
    inner.append(shown(report.text[at : mark.span.end]))
    inner.append(within("span", f" ({mark.told})", "unseen"))
    told = {
        "href": f"#{prefix}{mark.card}",
        "id": f"{prefix}{mark.name}",
        "class": f"statement {mark.class_}",
        "title": mark.title[:_TITLE],
    }
    written = {name: attribute(value) for name, value in told.items()}
    link = Markup('<a href="{href}" id="{id}" class="{class}" title="{title}">{words}</a>')
    return link.format(words=joined(*inner), **written)
