"""Passages: words of a text with those lit that decide, where they stand, and the text marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from groundrules.explain.contrast import clip, focus, headline
from groundrules.explain.findings import findings_elsewhere
from groundrules.explain.formats.html.markup import attribute, joined, shown, within
from groundrules.explain.headings import heading
from groundrules.explain.place import line_column, source_name, source_text
from groundrules.explain.view import Card, Passage, Range
from groundrules.explain.words import NAMES, summary_of
from groundrules.terms import Report, Span, Violation

#: Code points that are shown of a sentence or passage, of one in the head of its card, and of what
#: is told of a mark.
_LONGEST, _SHORT, _TITLE = 1_200, 150, 300
#: Code points of a source that is shown whole.
_WHOLE = 300_000


def lit(passage: Passage, report: Report) -> Markup:
    """Return the words of a passage, those lit that decide; what is long is cut around them."""
    span, ranges = passage.span, passage.lit
    text = source_text(report, span.source) or ""
    low, high = span.start, span.end
    if high - low > _LONGEST:
        middle = ranges[0][0] if ranges else low
        low = max(low, min(middle - _LONGEST // 3, high - _LONGEST))
        high = min(high, low + _LONGEST)
    parts: list[str] = ["… "] if low > span.start else []
    parts += [
        within("mark", _flat(words), "lit") if marked else _flat(words)
        for words, marked in _cut(text, low, high, ranges)
    ]
    return within("bdi", joined(*parts, " …" if high < span.end else ""))


def _cut(text: str, start: int, end: int, ranges: Iterable[Range]) -> Iterator[tuple[str, bool]]:
    """Yield a range of a text in pieces, each with whether it is in one of some ranges."""
    at = start
    for a, b in sorted((max(a, start), min(b, end)) for a, b in ranges):
        if at <= a < b:
            yield text[at:a], False
            yield text[a:b], True
            at = b
    yield text[at:end], False


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def sentence(card: Card, report: Report) -> Markup:
    """Return the words of a statement, those at fault lit."""
    span = card.statement.span
    if span.end <= len(report.text) and span.source == report.source:
        return lit(Passage("", span, card.wrong), report)
    return within("bdi", _flat(card.statement.text[:_LONGEST]))


def head(card: Card, report: Report) -> str:
    """Return the words by which a statement is told in one line."""
    span = card.statement.span
    mark = Span(span.source, *card.wrong[0]) if card.wrong else None
    return clip(span, mark, report, _SHORT) or card.statement.text[:_SHORT]


def place(span: Span, report: Report, *, named: bool = True) -> Markup:
    """Return where a span stands: its source, line and column, clause and heading."""
    name = source_name(span.source)
    text = source_text(report, span.source)
    if text is None or span.start > len(text):
        return within("bdi", name)
    line, column = line_column(text, span.start)
    where = within("bdi", f"{name}:{line}:{column}") if named else shown(f"{line}:{column}")
    under = heading(text, span.start)
    return joined(where, " · ", within("b", within("bdi", under))) if under else where


def places(spans: Sequence[Span], report: Report, most: int) -> Markup:
    """Return where some spans stand, what they have in common told once."""
    told: list[str] = []
    for n, span in enumerate(spans[:most]):
        named = not n or span.source != spans[n - 1].source
        told += ["; " if n else "", place(span, report, named=named)]
    more = len(spans) - most
    return joined(*told, f" and {more} more" if more > 0 else None)


def rule_link(violation: Violation, page: str) -> Markup:
    """Return id and name of a rule, linked to its page where it ships."""
    told = joined(within("b", violation.rule), " ", violation.name)
    if not summary_of(violation):
        return within("span", told, "rule")
    return Markup('<a class="rule" href="{}">{}</a>').format(attribute(page), told)


# --- the text, marked -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the text that leads to a card: `card` and `name` are the ids of both."""

    span: Span
    card: str
    name: str
    class_: str
    told: str
    title: str
    wrong: tuple[Range, ...] = ()

    def pieces(self, text: str) -> list[tuple[str, bool]]:
        """Return its words in pieces, each with whether it is at fault, or decides."""
        return list(_cut(text, self.span.start, self.span.end, self.wrong))


Pieces = list[tuple[str, Mark | None]]


def marked(report: Report, cards: Iterable[Card]) -> Pieces:
    """Return the checked text in pieces, with the mark that each leads by, None over no card.

    What is found in no statement leads to the card of the finding.
    """
    marks = [*map(_of_statement, cards, [report] * len(report.statements)), *_elsewhere(report)]
    return _pieces(report.text, report.source, marks)


def sources(report: Report, cards: Iterable[Card]) -> Iterator[tuple[str, str, Pieces]]:
    """Yield name and text of each source that is not too long, and its pieces as of `marked`.

    What is marked leads to the card that it decides; of several sources those without are left out.
    """
    found: dict[Span, Mark] = {}
    for card in cards:
        own = _of_statement(card, report)
        for passage in (*(one for f in card.findings for one in f.passages), card.held):
            if passage:
                mark = replace(own, span=passage.span, name=source_id(passage, report))
                told = f"statement {card.statement.number + 1}: {own.told}"
                found.setdefault(passage.span, replace(mark, told=told, wrong=passage.lit))
    for name, text in sorted(report.sources.items()):
        marks = [one for span, one in found.items() if source_name(span.source) == name]
        if name != report.source and len(text) <= _WHOLE and (marks or len(report.sources) == 2):
            yield name, text, _pieces(text, name, marks)


def source_id(passage: Passage, report: Report) -> str:
    """Return the id of a passage in its source, empty where the source is not shown."""
    span, name = passage.span, source_name(passage.span.source)
    shown_ = name != report.source and len(report.sources.get(name, "")) in range(1, _WHOLE + 1)
    return f"p{sorted(report.sources).index(name)}-{span.start}-{span.end}" if shown_ else ""


def _pieces(text: str, source: str, marks: Iterable[Mark]) -> Pieces:
    """Return a text in pieces; marks over words of another, or of no place in it, come last."""
    pieces: Pieces = []
    left: Pieces = []
    at = 0
    for mark in sorted(marks, key=lambda one: one.span.start):
        start, end = max(mark.span.start, at), min(mark.span.end, len(text))
        if source_name(mark.span.source) != source or start >= end:
            left.append(("", mark))
            continue
        mark = replace(mark, span=Span(mark.span.source, start, end))
        pieces += [(text[at:start], None), (text[start:end], mark)]
        at = end
    return [*pieces, (text[at:], None), *left]


def _of_statement(card: Card, report: Report) -> Mark:
    one, name = card.statement, NAMES[card.outcome]
    over = " overridden" if report.override_of(one) else ""
    told = f"{name}: {card.why}" if card.why else name
    return Mark(
        one.span, f"s{one.number}", f"t{one.number}", f"{card.outcome.value}{over}", name.lower(),
        told[:_TITLE], card.wrong,
    )  # fmt: skip


def _elsewhere(report: Report) -> Iterator[Mark]:
    for number, one in enumerate(findings_elsewhere(report)):
        if span := focus(one):
            level = one.severity.value
            title = f"{level}: {headline(one, report)}"[:_TITLE]
            yield Mark(span, f"f{number}", f"u{number}", f"level-{level}", level, title)
