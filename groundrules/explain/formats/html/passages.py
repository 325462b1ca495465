"""Passages: words of a text with those lit that decide, and where they stand."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from groundrules.explain.contrast import changes, contradicts, counterpart, focus, phrase
from groundrules.explain.formats.html.headings import heading
from groundrules.explain.formats.html.markup import attribute, joined, quoted, shown, within
from groundrules.explain.place import cite, line_column, source_name, source_text
from groundrules.terms import Evidence, Report, Span, Statement, Violation

#: Code points that are shown of a sentence or passage.
_LONGEST = 1_200
_WORD = re.compile(r"\w+(?:[.,’'-]\w+)*|[£$€%]")
#: Least share of the words of two sentences that are alike where the others are lit.
_ALIKE = 0.5
_MOST_WORDS = 300

Range = tuple[int, int]


def lit(text: str, start: int, end: int, ranges: Iterable[Range], name: str = "lit") -> Markup:
    """Return a range of a text with some ranges in it lit; what is long is cut around them."""
    kept = sorted((max(a, start), min(b, end)) for a, b in ranges if a < end and b > start)
    if end - start > _LONGEST:
        middle = kept[0][0] if kept else start
        low = max(start, min(middle - _LONGEST // 3, end - _LONGEST))
        high = min(end, low + _LONGEST)
        kept = [(max(a, low), min(b, high)) for a, b in kept if a < high and b > low]
    else:
        low, high = start, end
    parts: list[str] = ["… "] if low > start else []
    at = low
    for a, b in kept:
        if a < at or a >= b:
            continue
        parts += [_flat(text[at:a]), within("mark", _flat(text[a:b]), name)]
        at = b
    parts += [_flat(text[at:high]), " …" if high < end else ""]
    return within("bdi", joined(*parts))


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


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


def sentence(statement: Statement, report: Report, ranges: Iterable[Range] = ()) -> Markup:
    """Return the words of a statement with ranges of the checked text lit in it."""
    span = statement.span
    if span.end <= len(report.text) and span.source == report.source:
        return lit(report.text, span.start, span.end, ranges)
    return within("bdi", _flat(statement.text[:_LONGEST]))


def wrong(violation: Violation, report: Report) -> tuple[Range, ...]:
    """Return the ranges of the checked text that a finding is about, none where it is all of it."""
    span, claim = focus(violation), violation.claim
    if span is None or claim is None or span.source != report.source or span == claim.span:
        return ()
    return ((span.start, span.end),) if span.end > span.start else ()


def passage(violation: Violation, item: Evidence, report: Report) -> Markup | None:
    """Return the words of a piece of evidence, those lit that decide; None where it has none."""
    ranges = deciding(violation, item, report)
    text = source_text(report, item.span.source) if item.span else None
    if ranges is None or item.span is None or text is None:
        return None
    return lit(text, item.span.start, item.span.end, ranges)


def deciding(violation: Violation, item: Evidence, report: Report) -> Sequence[Range] | None:
    """Return the ranges of a passage that decide; None where the evidence has no passage."""
    span = item.span
    text = source_text(report, span.source) if span else None
    if span is None or text is None or span.end > len(text):
        return None
    found = counterpart(violation, item, report)
    if found is not None:
        return ((found.start, found.end),)
    if contradicts(violation) and violation.claim is not None:
        return differing(report, violation.claim.span, text, span)
    return ()


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


def rewritten(violation: Violation, statement: Statement, report: Report) -> Markup | None:
    """Return the sentence with what an edit takes out and puts in, None where it is no words."""
    span = statement.span
    made = sorted(changes(violation, report))
    inside = [one for one in made if span.start <= one[0].start and one[0].end <= span.end]
    if not inside or len(inside) != len(made) or span.end > len(report.text):
        return None
    if span.end - span.start > _LONGEST:
        return None
    parts: list[str] = []
    at = span.start
    for one, words in inside:
        if one.start < at:
            return None
        parts.append(shown(_flat(report.text[at : one.start])))
        parts.append(within("del", _flat(report.text[one.start : one.end])))
        parts.append(within("ins", within("bdi", words)) if words else Markup())
        at = one.end
    parts.append(shown(_flat(report.text[at : span.end])))
    return within("p", joined(*parts), "diff")


def stated(item: Evidence, report: Report) -> Markup:
    """Return a statement of a source that has no words, with the revision it was read at."""
    words = phrase(item.triple, report.labels)
    return joined(quoted(words), " — ", _pinned(item, report))


def _pinned(item: Evidence, report: Report) -> Markup:
    where = quoted(cite(item, report))
    address = (item.pin or "").split(", ")[0]
    if address.startswith(("https://", "http://")) and not any(c.isspace() for c in address):
        return Markup('<a href="{}">{}</a>').format(attribute(address), where)
    return where
