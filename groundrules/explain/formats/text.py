"""The formats `text`, `full` and `concise`: what a person reads, statement by statement.

`text` shows the worst finding of each statement with a fault, and each other on words of its own,
with an excerpt as rustc and ruff draw them; `full` shows everything, `concise` one line for each of
these and for each statement that is not supported.
Nothing depends on colour alone, no line is wider than the terminal, and nothing in the checked
text can steer it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rdflib.term import URIRef

from groundrules.align.kernel import KERNELS, metric_of
from groundrules.explain.contrast import (
    LONGEST,
    change,
    claimed_triple,
    clip,
    decided,
    explain,
    fact,
    focus,
    foil,
    headline,
    phrase,
    places_of,
    source_triple,
    spoken,
    warrant,
)
from groundrules.explain.findings import (
    UNREAD,
    counted,
    findings_apart,
    findings_elsewhere,
    findings_shown,
    kind_of_evidence,
    left_out,
    standing_of,
    told_least,
    told_open,
    why_not_passed,
    why_open,
)
from groundrules.explain.formats import Look
from groundrules.explain.listing import UNSETTLED_PAGE
from groundrules.explain.paragraph import paragraph
from groundrules.explain.place import (
    cite,
    line_column,
    line_range,
    locate,
    printable,
    source_text,
    width,
    widths,
)
from groundrules.models.logistic import sigmoid
from groundrules.terms import (
    LLM,
    Conclusion,
    Metric,
    Outcome,
    Report,
    Severity,
    Span,
    Statement,
    Verdict,
    Violation,
)

FORMS = ("text", "full", "concise")

_COLOURS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
_AGAINST = (Outcome.REFUTED, Outcome.CONFLICTING)
_GUTTER, _BOLD = "1;34", "1"
_ELLIPSIS = "…"
#: How what speaks against a statement is told, and the log odds from which it is worth telling.
_WEIGHED = {
    "entailed": "the scorer does not find it entailed",
    "contradicted": "the scorer finds it contradicted",
    "wording": "it is worded otherwise",
    "missing": "figures or names that the sources do not give",
    "lacking": "words that no passage has",
    "error": "an error",
    "warning": "a warning",
}
_TELLING = 0.2
_LINES = 3  # of the excerpt of one violation
_LISTED = 10  # statements under one heading
_WIDE = 100  # cells of an excerpt where the width is not known
_NARROW = 16  # cells; a narrower terminal is written past its edge
_NAME = 11  # cells of the name of a row
_QUOTED = 40  # cells; a quotation that would be shorter beside its place has a line of its own

#: How a note names the figures of the whole text.
_FIGURES = "EG, RP and CFI"
_LEGENDS = {
    "EG": "share of the names and values in the text that the sources, or the question, have",
    "RP": "share of the relations of the text that the sources, or the question, state",
    "CFI": "EG and RP in one figure",
    "Support": "how well the sources support the triples of the text, on the average",
    "WL": "likeness of the graphs of text and sources, whose statements count by their neighbours",
    **{
        kernel: "likeness of the graphs of text and sources, by the kernel of that name"
        for kernel in KERNELS
        if metric_of(kernel) == kernel
    },
    "SafePassage": "share of the values whose passage was found and supports them",
    "TranscriptionErrors": "share of the passages found that were not copied word for word",
}


@dataclass(frozen=True, slots=True)
class _Page:
    """A report and how it is to be shown; `columns` is None where the width is not known."""

    report: Report
    color: bool
    columns: int | None
    full: bool = False

    def paint(self, text: str, code: str) -> str:
        """Return the text in a colour."""
        return f"\x1b[{code}m{text}\x1b[0m" if text and self.color else text

    def fold(self, text: str, indent: int = 4) -> list[str]:
        """Return a text in lines that fit and cannot steer the terminal."""
        return fold(printable(text), self.columns, indent=indent)

    def at(self, span: Span) -> str:
        """Return the place of a span, or the name of its source."""
        return printable(str(locate(span, self.report) or span.source))


def dumps(
    report: Report,
    *,
    form: str = "text",
    color: bool = False,
    columns: int | None = None,
    statistics: bool = False,
) -> str:
    """Return the report as text that ends in a line break; `form` is one of `FORMS`.

    `columns` is the width of the terminal in cells; without it lines are not folded and
    excerpts are cut to 100 cells.
    """
    page = _Page(report, color, columns, form == "full")
    if form == "concise":
        lines = [part for line in _concise(report) for part in page.fold(line)]
    elif form == "full":
        lines = _full(page)
    else:
        lines = _text(page)
    if report.unasked:
        lines = [*_unasked(page), *([] if form == "concise" else [""]), *lines]
    if form == "full" and (told := paragraph(report)):
        lines += [*page.fold(f"in short: {told}"), ""]
    if form == "full" or statistics:
        figures = [part for line in _figures(report) for part in page.fold(line)]
        lines += [*figures, ""] if figures else []
    if statistics:
        lines += [*_statistics(report), ""]
    lines += _summary(page, form, figures=form == "full" or statistics)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def render(reports: Sequence[Report], look: Look, form: str = "text") -> str:
    """Return reports as text; see `dumps`."""
    return "\n".join(
        dumps(
            report,
            form=form,
            color=look.color,
            columns=look.columns,
            statistics=look.statistics,
        )
        for report in reports
    )


def render_full(reports: Sequence[Report], look: Look) -> str:
    """Return reports as text with all of their statements."""
    return render(reports, look, "full")


def render_concise(reports: Sequence[Report], look: Look) -> str:
    """Return reports as text, a line each violation."""
    return render(reports, look, "concise")


def _unasked(page: _Page) -> list[str]:
    """Return which sources could not be asked, and why: it comes before what it keeps open."""
    lines = []
    for cause in page.report.unasked:
        first, *more = page.fold(f"error: {cause}")
        rest = first.removeprefix("error")
        lines += [page.paint("error", _COLOURS[Severity.ERROR]) + page.paint(rest, _BOLD), *more]
    return lines


def _text(page: _Page) -> list[str]:
    """Return each statement with a fault and its worst finding, then those nobody can settle."""
    report = page.report
    blocks: list[tuple[int, list[str]]] = []
    told = False
    for statement in report.statements:
        if not (found := findings_shown(statement, report)):
            continue
        for head, *others in findings_apart(statement, report):
            block, gutter = _violation(head, page), _gutter(head, report)
            override = report.override_of(statement)
            if head is found[0] and override and report.stands(head):
                block += _row("decided", decided(override), "", page, gutter)
            if head is found[0] and statement.outcome in UNREAD:
                block += _row("verdict", why_open(statement, report), "", page, gutter)
            if others:
                names = dict.fromkeys(
                    f"{one.rule} {one.name}" + ("" if report.stands(one) else " (set aside)")
                    for one in others
                )
                hint = "" if told else "   (--output-format full shows them)"
                told = True
                block += _row("also", ", ".join(names) + hint, "", page, gutter)
            blocks.append((statement.span.start, block))
    blocks += [(_start(one), _violation(one, page)) for one in findings_elsewhere(report)]
    lines = [line for _, block in sorted(blocks, key=lambda b: b[0]) for line in (*block, "")]
    for outcomes, heading in (
        (_AGAINST, "refuted: {}"),
        ((Outcome.NOT_ENOUGH_INFO,), "not enough information: {}"),
        (UNREAD, "could not be checked: {}"),
    ):
        rest = [
            one
            for one in report.statements
            if one.outcome in outcomes
            and not findings_shown(one, report)
            and not _overridden(one, report)
        ]
        if rest:
            more = any(
                one.outcome in outcomes and findings_shown(one, report) for one in report.statements
            )
            count = heading.format(counted(len(rest), "more statement" if more else "statement"))
            if Outcome.NOT_ENOUGH_INFO in outcomes and all(s.support is not None for s in rest):
                count += " that no passage supports"
            lines += [page.paint(line, _BOLD) for line in page.fold(count)]
            lines += [*_listed(rest, page), ""]
    rest = [
        s for s in report.statements if _overridden(s, report) and not findings_shown(s, report)
    ]
    if rest:
        lines += [page.paint(f"overridden: {counted(len(rest), 'statement')}", _BOLD)]
        lines += [*_listed(rest, page), ""]
    return lines


def _overridden(statement: Statement, report: Report) -> bool:
    """Return whether a statement was given another outcome."""
    override = report.override_of(statement)
    return override is not None and override.outcome is not None


def _start(violation: Violation) -> int:
    """Return where a finding stands; what concerns the whole text comes last."""
    return violation.claim.span.start if violation.claim else sys.maxsize


def _listed(statements: Sequence[Statement], page: _Page) -> list[str]:
    """Return for each statement its place, its words as far as they fit, why, and the nearest."""
    places = [page.at(one.span) for one in statements[:_LISTED]]
    stem = 2 + max(map(width, places)) + 2
    lines = []
    for statement, place in zip(statements, places, strict=False):
        why = printable(why_open(statement, page.report))
        room = (page.columns or _WIDE) - stem - 2
        beside = room - width(why) - 2
        quoted = clip(statement.span, None, page.report, max(room, _NARROW)) or statement.text
        if why and beside >= _QUOTED:
            quoted = clip(statement.span, None, page.report, beside) or statement.text
        line = f"  {place}{' ' * (stem - 2 - width(place))}“{quoted}”"
        if why and (page.columns is None or beside >= _QUOTED):
            line, why = f"{line}  {why}", ""
        lines += page.fold(line, indent=4)
        lines += [part for part in page.fold(f"    {why}", indent=4) if why]
        for nearest in statement.passages[:1]:
            lead = f"    nearest: {page.at(nearest)}  "
            room = max((page.columns or _WIDE) - width(lead) - 2, _NARROW)
            if said := clip(nearest, None, page.report, room):
                lines += page.fold(f"{lead}“{said}”", indent=4)
    if len(statements) > _LISTED:
        lines.append(f"  and {len(statements) - _LISTED} more")
    return lines


# --- one line a statement ---------------------------------------------------------------------


def _concise(report: Report) -> list[str]:
    """Return one line for each statement that is not supported, and each finding in none."""
    lines = []
    for statement in report.statements:
        place = locate(statement.span, report) or statement.span.source
        if findings_shown(statement, report):
            override = report.override_of(statement)
            for one, *_ in findings_apart(statement, report):
                aside = f" [{decided(override)}]" if override and report.stands(one) else ""
                lines.append((statement.span.start, _line(one, report) + aside))
        elif statement.outcome is not Outcome.SUPPORTED or report.override_of(statement):
            why = why_open(statement, report) or f"“{clip(statement.span, None, report, LONGEST)}”"
            outcome = _outcome(statement.outcome)
            lines.append((statement.span.start, f"{place}: {outcome}: {why}"))
    lines += [(_start(one), _line(one, report)) for one in findings_elsewhere(report)]
    return [line for _, line in sorted(lines, key=lambda item: item[0])]


def _line(violation: Violation, report: Report) -> str:
    span = focus(violation)
    place = (locate(span, report) or span.source) if span else report.source
    source = f" ({places_of(violation, report)})" if violation.evidence else ""
    if override := report.decision_on(violation):
        source += f" [{decided(override)}]"
    kind = f"{violation.severity.value} {violation.rule} {violation.name}"
    return f"{place}: {kind}: {headline(violation, report)}{source}"


def _outcome(outcome: Outcome) -> str:
    return outcome.value.replace("_", " ").replace("info", "information")


# --- everything -------------------------------------------------------------------------------


def _full(page: _Page) -> list[str]:
    """Return every statement in order with all that is known of it."""
    report = page.report
    verdicts = {verdict.claim.id: verdict for verdict in report.verdicts}
    lines: list[str] = []
    for statement in report.statements:
        lines += _statement(statement, verdicts, page)
        for violation in report.findings_of(statement):
            lines += ["", *_violation(violation, page)]
        lines.append("")
    numbers = {statement.number for statement in report.statements}
    rest = [claim for claim in report.claims if claim.sentence not in numbers]
    for claim in rest:
        lines += _claim_rows(spoken(claim, report), verdicts.get(claim.id), page)
    lines += [""] if rest else []
    for violation in findings_elsewhere(report):
        lines += [*_violation(violation, page), ""]
    return lines


def _statement(statement: Statement, verdicts: Mapping[URIRef, Verdict], page: _Page) -> list[str]:
    """Return what a statement says, how it was judged, and what it was judged by."""
    report = page.report
    verdict = _outcome(statement.outcome)
    by = f" ({statement.reason})" if statement.reason else ""
    support = "" if statement.support is None else f", support {statement.support:.2f}"
    head = f"{page.at(statement.span)}  "
    first, *more = page.fold(f"{head}{verdict}{by}{support}")
    if first.startswith(judged := head + verdict):
        first = head + page.paint(verdict, _BOLD) + first[len(judged) :]
    lines = [first, *more]
    words = clip(statement.span, None, report, max(len(statement.text), 1)) or statement.text
    lines += page.fold(f"  “{' '.join(words.split())}”", indent=3)
    if override := report.override_of(statement):
        lines += _row("decided", decided(override), "", page)
    if statement.note not in {"", *(one.message for one in report.findings_of(statement))}:
        lines += _row("note", statement.note, "", page)
    if weighed := _support_note(statement, report):
        lines += _row("support", weighed, "", page)
    for place in statement.passages:
        lines += _row("passage", _quotation(place, report), page.at(place), page)
    for one in statement.accounts:
        how = f"{one.text}: {one.how or one.status}"
        lines += _row("figure", how, " and ".join(map(page.at, one.places[:2])), page)
    for claim in report.claims_of(statement):
        lines += _claim_rows(spoken(claim, report), verdicts.get(claim.id), page)
    return lines


def _support_note(statement: Statement, report: Report) -> str:
    """Return what the support would be but for what speaks against it, and what that is."""
    told = dict(statement.contributions)
    against = sorted((value, name) for name, value in told.items() if value <= -_TELLING)
    against = [(value, name) for value, name in against if name in _WEIGHED]
    if statement.support is None or not against:
        return ""
    best = sigmoid(sum(told.values()) - sum(value for value, _ in against))
    grave = (v for v in report.findings_of(statement) if v.severity is not Severity.INFO)
    rules = {v.severity.value: f"{v.rule} {v.name}" for v in reversed(list(grave))}
    said = ", ".join(rules.get(name, _WEIGHED[name]) for _, name in against[:_LINES])
    return f"{statement.support:.2f} of {best:.2f}: {said}"


def _quotation(place: Span, report: Report) -> str:
    words = clip(place, None, report, LONGEST)
    return f"“{words}”" if words else ""


def _claim_rows(words: str, verdict: Verdict | None, page: _Page) -> list[str]:
    """Return a triple, its verdict, and what a knowledge base says of it."""
    if verdict is None:
        return _row("triple", words, "", page)
    by = f" ({verdict.reason})" if verdict.reason else ""
    lines = _row("triple", words, _outcome(verdict.outcome) + by, page)
    if verdict.message:
        lines += _row("", verdict.message, "", page)
    for item in verdict.evidence[:_LINES]:
        says = phrase(item.triple, page.report.labels)
        lines += _row("says", says, cite(item, page.report), page)
    if len(verdict.evidence) > _LINES:
        lines += _row("", f"and {len(verdict.evidence) - _LINES} more", "", page)
    return lines


# --- a finding --------------------------------------------------------------------------------


def _gutter(violation: Violation, report: Report) -> int:
    """Return the cells left of the bar: those of the last line number of the excerpt, and one."""
    span = focus(violation)
    text = source_text(report, span.source) if span else None
    if span is None or text is None or span.end > len(text):
        return 2
    return len(str(line_column(text, max(span.start, span.end - 1))[0])) + 1


def _violation(violation: Violation, page: _Page) -> list[str]:
    report = page.report
    colour = _COLOURS[violation.severity]
    head = f"{violation.severity.value}[{violation.rule}]"
    first, *more = page.fold(f"{head} {violation.name}: {headline(violation, report)}")
    head = first[: len(head)]
    lines = [
        page.paint(head, colour) + page.paint(first[len(head) :], _BOLD),
        *(page.paint(line, _BOLD) for line in more),
    ]
    span = focus(violation)
    text = source_text(report, span.source) if span else None
    gutter = _gutter(violation, report)
    if span:
        within = text is not None and span.end <= len(text)
        place = page.at(span) if within else printable(span.source)
        lines.append(" " * gutter + page.paint("-->", _GUTTER) + f" {place}")
        if text is not None and within:
            lines += _excerpt(text, span, gutter, page, colour)
    return lines + _reasons(violation, page, gutter)


def _excerpt(text: str, span: Span, gutter: int, page: _Page, colour: str) -> list[str]:
    room = max((page.columns or _WIDE) - gutter - 3, _NARROW)
    first, _ = line_column(text, span.start)
    last, _ = line_column(text, max(span.start, span.end - 1))
    empty = " " * gutter + " " + page.paint("|", _GUTTER)
    lines = []
    for number in range(first, min(last, first + _LINES - 1) + 1):
        start, end = line_range(text, number)
        mark = max(start, span.start), max(min(end, span.end), max(start, span.start))
        shown, left, length = window(text, (start, end), mark, room)
        bar = page.paint(f"{number:>{gutter}} |", _GUTTER)
        lines.append(f"{bar} {shown}".rstrip())
        lines.append(f"{empty} {' ' * left}{page.paint('^' * max(length, 1), colour)}")
    if last - first >= _LINES:
        lines.append(f"{empty} {_ELLIPSIS} to line {last}")
    return lines


def window(
    text: str, line: tuple[int, int], mark: tuple[int, int], room: int
) -> tuple[str, int, int]:
    """Return the part of a line around a mark that fits in `room` cells, and where the mark is.

    `line` and `mark` are half-open ranges of code points; the result is the printable text, the
    cells before the mark and the cells of the mark. A cut is shown as an ellipsis.
    """
    (start, end), (from_, to) = line, mark
    # A line may have megabytes: look no further than could be shown.
    reach = 4 * room
    low, high = max(start, from_ - reach), min(end, max(to, from_) + reach)
    to = min(to, from_ + reach)
    high = min(high, to + reach)
    shown = printable(text[low:high])
    cells = widths(shown)
    i, j = from_ - low, to - low
    # Leading tabs are one cell here, so the text and the carets stay in step.
    if low == start and high == end and sum(cells) <= room:
        return shown, sum(cells[:i]), sum(cells[i:j])
    marked = min(sum(cells[i:j]), room - 2)
    rest = room - 2 - marked
    before, after = sum(cells[:i]), sum(cells[j:])
    left = min(before, max(rest // 2, rest - after))
    a = i
    while a > 0 and cells[a - 1] <= left:
        a -= 1
        left -= cells[a]
    b, used = a, 0
    cut_left = low + a > start
    budget = room - 1 - cut_left
    while b < len(cells) and used + cells[b] <= budget:
        used += cells[b]
        b += 1
    prefix = _ELLIPSIS if cut_left else ""
    suffix = _ELLIPSIS if low + b < end else ""
    offset = len(prefix) + sum(cells[a:i])
    return prefix + shown[a:b] + suffix, offset, sum(cells[i : min(j, b)])


def _reasons(violation: Violation, page: _Page, gutter: int) -> list[str]:
    """Return the rows below an excerpt: decided, claimed, what the source says, because, edit."""
    report = page.report
    override = report.decision_on(violation)
    rows = [("decided", decided(override), "")] if override else []
    if violation.claim is None:
        return [part for row in rows for part in _row(*row, page, gutter)]
    places = places_of(violation, report)
    stem = gutter + _NAME + 4
    line = max((page.columns or _WIDE) - stem - 2, _NARROW)  # beside the quotation marks
    rows.append(("claimed", fact(violation, report, LONGEST if page.full else line), ""))
    beside = line - width(printable(places)) - 3 if page.columns else line
    room = LONGEST if page.full else beside if beside >= _QUOTED else line
    if words := foil(violation, report, room):
        rows.append((kind_of_evidence(violation, report), words, places))
    elif violation.evidence:
        rows.append(("source", places, ""))
    axiom = warrant(violation)
    because = explain(violation, report).because
    if because not in headline(violation, report) or axiom:
        rows.append(("because", because, f"({axiom})" if axiom else ""))
    if done := change(violation, report):
        assert violation.edit
        rows.append(("edit", done, f"({standing_of(violation.edit)})"))
    if violation.phrased:
        rows.append(("LLM", violation.phrased, ""))
    if page.full:
        rows += [
            (name, words, "")
            for name, words in (
                ("triple", claimed_triple(violation, report)),
                ("against", source_triple(violation, report)),
            )
            if words
        ]
    return [part for row in rows for part in _row(*row, page, gutter)]


def _row(name: str, left: str, right: str, page: _Page, gutter: int = 2) -> list[str]:
    """Return a named row; what is right stands beside the left if both fit on one line."""
    left, right = printable(left), printable(right)
    stem = gutter + _NAME + 4
    room = page.columns and page.columns - stem
    first, *more = fold(left, room)
    if right and not more and (room is None or width(first) + 3 + width(right) <= room):
        first += "   " + right
    elif right:
        more += fold(right, room)
    lead = " " * (gutter + 1) + page.paint("=", _GUTTER)
    return [
        f"{lead} {page.paint(f'{name:<{_NAME}}', _BOLD)} {first}",
        *(" " * stem + line for line in more),
    ]


# --- figures and summary ----------------------------------------------------------------------


def _figures(report: Report) -> list[str]:
    """Return the metrics with their legend, and by what statements were settled."""
    params = dict(report.run.params)
    lines = [_metric(metric, params) for metric in report.metrics]
    if any(metric.name == "CFI" for metric in report.metrics):
        lines.append(
            ": ".join(filter(None, ("guardrail", report.guardrail, why_not_passed(report))))
        )
    lines += [
        f"{violation.name}: {violation.message}"
        for violation in report.violations
        if violation.claim is None and violation.severity is not Severity.ERROR
    ]
    stages = report.run.stages or tuple(
        Counter(verdict.stage for verdict in report.verdicts if verdict.stage).items()
    )
    if stages:
        lines.append("settled by: " + ", ".join(f"{name} {count}" for name, count in stages))
    return lines


def _metric(metric: Metric, params: dict[str, str]) -> str:
    value = "undefined" if metric.value is None else f"{metric.value:.2f}"
    threshold = params.get(f"{metric.name}.threshold")
    # A threshold is that of one check; of a mean over several it says nothing.
    mark = f" (pass ≥ {float(threshold):.2f})" if threshold and metric.checks == 1 else ""
    legend = _LEGENDS.get(metric.name, "")
    return f"{metric.name} {value}{mark}" + (f"  {legend}" if legend else "")


def _statistics(report: Report) -> Iterable[str]:
    counts = Counter((item.rule, item.name) for item in report.violations)
    times = dict(report.run.times)
    rules = sorted({rule for rule, _ in counts} | {name for name in times if name.isupper()})
    names = dict(counts.keys())
    for rule in rules:
        spent = f"{1000 * times[rule]:9.1f} ms" if rule in times else " " * 12
        yield f"{counts[rule, names.get(rule, '')]:5}  {spent}  {rule}  {names.get(rule, '')}"
    for name, seconds in report.run.times:
        if name not in rules:
            yield f"       {1000 * seconds:9.1f} ms  {name}"


def _summary(page: _Page, form: str, *, figures: bool) -> list[str]:
    """Return how many statements came out how, whether the text passes, and what was counted.

    Notes on figures of the whole text stand only where those figures do.
    """
    report, brief = page.report, form == "concise"
    lines = []
    if not brief:
        for who, prefix in (("asked", ""), ("language model", LLM)):
            calls = [
                (name.removeprefix(LLM), count)
                for name, count in report.run.calls
                if name.startswith(LLM) == bool(prefix)
            ]
            if calls:
                lines.append(f"{who}: " + ", ".join(map(_called, calls)))
        notes = (note for note in report.run.notes if figures or _FIGURES not in note)
        lines += [f"note: {note}" for note in notes]
    lines.append(_tally(report))
    unread = "not all could be checked: " + "; ".join(left_out(report))
    match report.conclusion:
        case Conclusion.PASSES:
            outcomes = map(report.outcome_of, report.statements)
            still = sum(one is Outcome.NOT_ENOUGH_INFO for one in outcomes)
            passes = "the text passes"
            if still:
                left = f"{counted(still, 'statement')} left open"
                passes += f", as nothing speaks against it; {left}"
        case Conclusion.FAILS:
            passes = "the text does not pass" + ("" if report.complete else f"; {unread}")
        case Conclusion.NOT_SETTLED:
            passes = told_open(report)
        case _:
            passes = unread
    if report.statements or report.conforms is not None:
        lines.append(passes)
    elif not report.claims:
        lines.append("; ".join(["nothing was checked", *report.unread]))
    if report.conclusion is Conclusion.NOT_SETTLED and not brief:
        lines.append(f"{told_least(report)}; what to do: {UNSETTLED_PAGE}")
    if report.probability is not None and not brief:
        share = f"{report.probability:.2f}"
        told = "less than 0.01" if share == "0.00" else share
        lines.append(f"probability that no statement is wrong: {told}")
    line = _counts(report, form)
    if rules := dict(report.run.params).get("rules"):
        line += f"; {rules} rules"
    times = dict(report.run.times)
    lines.append(f"{line}; {times['total']:.2f} s" if "total" in times else line)
    return [part for line in lines for part in page.fold(line)]


def _counts(report: Report, form: str) -> str:
    """Return how many errors and warnings are shown, and how many stand behind them."""
    known = [one for one in report.violations if report.stands(one)]
    shown = known
    if form != "full":
        first = [one for of in report.statements for one, *_ in findings_apart(of, report)]
        shown = [one for one in (*first, *findings_elsewhere(report)) if report.stands(one)]
    counts = Counter(one.severity for one in shown)
    counts[Severity.ERROR] += len(report.unasked)
    grave = (Severity.ERROR, Severity.WARNING)
    line = ", ".join(counted(counts[one], one.value) for one in grave)
    if more := sum(one.severity in grave for one in known) - sum(
        one.severity in grave for one in shown
    ):
        line += f", {more} more on the same statements"
    if aside := sum(not report.stands(item) for item in report.violations):
        line += f", {aside} set aside"
    return line


def _tally(report: Report) -> str:
    """Return how many statements have each outcome; claims where there are no statements.

    What was decided of a statement counts, and how many these are is told.
    """
    outcomes: list[Outcome] = [report.outcome_of(one) for one in report.statements]
    noun = "statement"
    if not outcomes and report.verdicts:
        outcomes, noun = [one.outcome for one in report.verdicts], "claim"
    counts = Counter(outcomes)
    parts = [f"{counts[o]} {o.value.replace('_', ' ')}" for o in Outcome if counts[o]]
    found = [one for one in report.statements if report.override_of(one)]
    aside = sum(map(report.set_aside, found))
    told = [
        f"{number} {what}"
        for number, what in ((len(found) - aside, "overridden"), (aside, "set aside"))
        if number
    ]
    line = counted(len(outcomes), noun) + (": " + ", ".join(parts) if parts else "")
    return "; ".join([line, *([", ".join(told)] if told else [])])


def _called(call: tuple[str, float]) -> str:
    name, count = call
    if name == "cost":
        return f"cost {count:.4f}"
    if name.endswith("s") and count == 1:
        name = name.removesuffix("s")
    return f"{count:,} {name}"


def fold(text: str, columns: int | None, *, indent: int = 0) -> list[str]:
    """Return the text in lines of at most `columns` cells, broken at spaces where it can be.

    Continuation lines start with `indent` spaces; no word is lost.
    """
    if columns is None or width(text) <= columns:
        return [text]
    columns = max(columns, _NARROW)
    lines, line = [], ""
    for word in text.split(" "):
        while True:
            joined = f"{line} {word}" if line.strip() else line + word
            if width(joined) <= columns:
                line = joined
                break
            if line.strip():
                lines.append(line)
                line = " " * indent
                continue
            head, word = _split(word, columns - len(line))
            lines.append(line + head)
            line = " " * indent
    return [*lines, line] if line.strip() else lines


def _split(word: str, columns: int) -> tuple[str, str]:
    used = 0
    for index, cell in enumerate(widths(word)):
        if used + cell > columns and index:
            return word[:index], word[index:]
        used += cell
    return word, ""
