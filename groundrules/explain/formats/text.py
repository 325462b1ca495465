"""The formats `text`, `full` and `concise`: what a person reads, statement by statement.

`text` shows the worst finding of each statement with a fault, and each other on words of its own;
`full` shows everything, `concise` a line for each of these and each statement not supported.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rdflib.term import URIRef

from groundrules.explain.contrast import LONGEST, clip, decided, focus
from groundrules.explain.findings import (
    UNREAD,
    counted,
    findings_apart,
    findings_elsewhere,
    findings_shown,
    left_out,
    told_aside,
    told_least,
    told_open,
    told_reached,
    told_readers,
    why,
    why_not_passed,
)
from groundrules.explain.foil import of_statement, phrase, source_triple, spoken
from groundrules.explain.formats import Look
from groundrules.explain.formats.terminal import BOLD, GUTTER, LINES, NAME, Page, excerpt, row
from groundrules.explain.listing import UNSETTLED_PAGE, line, results
from groundrules.explain.place import cite, line_column, locate, printable, source_text, width
from groundrules.explain.view import finding, outcomes
from groundrules.explain.words import METRICS, STANDINGS
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

_COLOURS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
_LISTED = 10  # statements under one heading
_QUOTED = 40  # cells; a quotation that would be shorter beside its place has a line of its own


def dumps(
    report: Report,
    *,
    form: str = "text",
    color: bool = False,
    columns: int | None = None,
    level: str = "error",
) -> str:
    """Return the report as text that ends in a line break; `form` is text, full or concise.

    `columns` is the width of the terminal in cells; without it lines are not folded and
    excerpts are cut to 100 cells. `level` is the severity from which on a finding fails the text.
    """
    page = Page(report, color, columns, form == "full", level)
    lines: list[str] = []
    for cause in report.unasked:  # before what it keeps open
        lines += page.headed("error", f": {cause}", _COLOURS[Severity.ERROR], BOLD)
    match form:
        case "concise":
            lines += [part for one in _concise(report) for part in page.fold(one)]
        case _:
            lines += [""] * bool(lines)
            lines += _full(page) if page.full else _text(page)
    if page.full and (told := [part for one in _figures(report) for part in page.fold(one)]):
        lines += [*told, ""]
    lines += [part for one in _summary(page, form) for part in page.fold(one)]
    return "\n".join(one.rstrip() for one in lines) + "\n"


def render(reports: Sequence[Report], look: Look, form: str = "text") -> str:
    """Return reports as text; see `dumps`."""
    return "\n".join(
        dumps(one, form=form, color=look.color, columns=look.columns, level=look.level)
        for one in reports
    )


def render_full(reports: Sequence[Report], look: Look) -> str:
    """Return reports as text with all of their statements."""
    return render(reports, look, "full")


def render_concise(reports: Sequence[Report], look: Look) -> str:
    """Return reports as text, a line each violation."""
    return render(reports, look, "concise")


def _text(page: Page) -> list[str]:
    """Return each statement with a fault and its worst finding, then those nobody can settle."""
    report = page.report
    blocks: list[tuple[int, list[str]]] = []
    hint = "   (--output-format full shows them)"
    for statement in report.statements:
        for head, *others in findings_apart(statement, report):
            block = _violation(head, page)
            if head is findings_shown(statement, report)[0] and statement.outcome in UNREAD:
                block += row("verdict", why(statement, report), "", page)
            names = dict.fromkeys(
                f"{one.rule} {one.name}" + ("" if report.stands(one) else " (set aside)")
                for one in others
            )
            if names:
                block += row("also", ", ".join(names) + hint, "", page)
                hint = ""
            blocks.append((statement.span.start, block))
    blocks += [(_start(one), _violation(one, page)) for one in findings_elsewhere(report)]
    lines = [line for _, block in sorted(blocks, key=lambda b: b[0]) for line in (*block, "")]
    silent = [one for one in report.statements if not findings_shown(one, report)]
    decided_on = [s for s in silent if (o := report.override_of(s)) and o.outcome is not None]
    for told, rest in [
        *(
            (STANDINGS[kind], [s for s in silent if s.outcome is kind and s not in decided_on])
            for kind in (Outcome.REFUTED, Outcome.CONFLICTING, Outcome.NOT_ENOUGH_INFO, *UNREAD)
        ),
        ("overridden", decided_on),
    ]:
        if rest:
            lines.append(page.paint(f"{told}: {counted(len(rest), 'statement')}", BOLD))
            lines += [*_listed(rest, page), ""]
    return lines


def _start(violation: Violation) -> int:
    """Return where a finding stands; what concerns the whole text comes last."""
    return violation.claim.span.start if violation.claim else sys.maxsize


def _listed(statements: Sequence[Statement], page: Page) -> Iterator[str]:
    """Yield for each statement its place and words, why it is so, and the passage nearest to it."""
    report = page.report
    for statement in statements[:_LISTED]:
        told = [(page.at(statement.span), statement.span, statement.text)]
        if statement.passages:
            place = statement.passages[0]
            told.append((f"  nearest: {page.at(place)}", place, ""))
        for number, (lead, span, words) in enumerate(told):
            quoted = clip(span, None, report, page.room(width(lead) + 6)) or words
            yield from page.fold(f"  {lead}  “{quoted}”")
            if number == 0 and (cause := why(statement, report)):
                yield from page.fold(f"    {cause}")
    if len(statements) > _LISTED:
        yield f"  and {len(statements) - _LISTED} more"


def _concise(report: Report) -> list[str]:
    """Return a line for each result, and each other statement of which something was decided."""
    found = [one for one in results(report) if one.statement or one.violation]
    lines = [(one.span.start if one.span else sys.maxsize, line(one, report)) for one in found]
    told = {one.statement for one in found}
    for one in report.statements:
        if one not in told and (override := report.override_of(one)):
            place = locate(one.span, report) or one.span.source
            said = f"{place}: {STANDINGS[one.outcome]}: {decided(override)}"
            lines.append((one.span.start, said))
    return [told for _, told in sorted(lines, key=lambda item: item[0])]


# --- everything -------------------------------------------------------------------------------


def _full(page: Page) -> list[str]:
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


def _statement(
    statement: Statement, verdicts: Mapping[URIRef, Verdict], page: Page
) -> Iterator[str]:
    """Yield what a statement says, how it was judged, and what it was judged by."""
    report = page.report
    by = f" ({statement.reason})" if statement.reason else ""
    head = f"{statement.number + 1}. {page.at(statement.span)}  {STANDINGS[statement.outcome]}"
    yield from page.headed(head, by, BOLD)
    words = clip(statement.span, None, report, max(len(statement.text), 1)) or statement.text
    yield from page.fold(f"  “{' '.join(words.split())}”", indent=3)
    if told := why(statement, report):
        yield from row("why", told, "", page)
    for place in statement.passages:
        quoted = clip(place, None, report, LONGEST)
        yield from row("passage", f"“{quoted}”" if quoted else "", page.at(place), page)
    for one in statement.accounts:
        how = f"{one.text}: {one.how or one.status}"
        yield from row("figure", how, " and ".join(map(page.at, one.places[:2])), page)
    for claim in report.claims_of(statement):
        yield from _claim_rows(spoken(claim, report), verdicts.get(claim.id), page)


def _claim_rows(words: str, verdict: Verdict | None, page: Page) -> Iterator[str]:
    """Yield a triple, its verdict, and what a knowledge base says of it."""
    if verdict is None:
        yield from row("triple", words, "", page)
        return
    by = f" ({verdict.reason})" if verdict.reason else ""
    yield from row("triple", words, STANDINGS[verdict.outcome] + by, page)
    if verdict.message:
        yield from row("", verdict.message, "", page)
    for item in verdict.evidence[:LINES]:
        says = phrase(item.triple, page.report.labels)
        yield from row("says", says, cite(item, page.report), page)
    if len(verdict.evidence) > LINES:
        yield from row("", f"and {len(verdict.evidence) - LINES} more", "", page)


# --- a finding --------------------------------------------------------------------------------


def _violation(violation: Violation, page: Page) -> list[str]:
    """Return a finding: its head, the excerpt of the text, and the rows below it."""
    report, colour = page.report, _COLOURS[violation.severity]
    told = finding(violation, report)
    head = f"{violation.severity.value}[{violation.rule}]"
    lines = page.headed(head, f" {violation.name}: {told.headline}", colour, BOLD)
    span = focus(violation)
    text = source_text(report, span.source) if span else None
    gutter = 2
    if span is not None and text is not None and span.end <= len(text):
        gutter = len(str(line_column(text, max(span.start, span.end - 1))[0])) + 1
        lines.append(" " * gutter + page.paint("-->", GUTTER) + f" {page.at(span)}")
        lines += excerpt(text, span, gutter, page, colour)
    elif span is not None:
        lines.append(" " * gutter + page.paint("-->", GUTTER) + f" {printable(span.source)}")
    rows: list[tuple[str, str, str]] = []
    if override := report.decision_on(violation):
        rows.append(("decided", decided(override), ""))
    for place in told.passages:
        at = page.at(place.span)
        room = page.room(gutter + NAME + 6)
        beside = room - width(at) - 3 if page.columns else room
        room = LONGEST if page.full else beside if beside >= _QUOTED else room
        mark = Span(place.span.source, *place.lit[0]) if place.lit else None
        rows.append((place.title, f"“{clip(place.span, mark, report, room)}”", at))
    rows += [(one.name, one.words, f"({one.note})" if one.note else "") for one in told.rows]
    if page.full and violation.claim is not None and not of_statement(violation):
        rows += [("triple", spoken(violation.claim, report), "")]
        against = source_triple(violation, report)
        rows += [("against", against, "")] if against else []
    return lines + [part for one in rows for part in row(*one, page, gutter)]


# --- figures and summary ----------------------------------------------------------------------


def _figures(report: Report) -> Iterator[str]:
    """Yield the metrics with their legend, and by what statements were settled."""
    params = dict(report.run.params)
    yield from (_metric(metric, params) for metric in report.metrics)
    if any(metric.name == "CFI" for metric in report.metrics):
        yield ": ".join(filter(None, ("guardrail", report.guardrail, why_not_passed(report))))
    for violation in report.violations:
        if violation.claim is None and violation.severity is not Severity.ERROR:
            yield f"{violation.name}: {violation.message}"
    if report.run.stages:
        yield "settled by: " + ", ".join(f"{name} {count}" for name, count in report.run.stages)


def _metric(metric: Metric, params: dict[str, str]) -> str:
    value = "undefined" if metric.value is None else f"{metric.value:.2f}"
    threshold = params.get(f"{metric.name}.threshold")
    # A threshold is that of one check; of a mean over several it says nothing.
    mark = f" (pass ≥ {float(threshold):.2f})" if threshold and metric.checks == 1 else ""
    return f"{metric.name} {value}{mark}  {METRICS.get(metric.name, '')}".rstrip()


def _summary(page: Page, form: str) -> Iterator[str]:
    """Yield how many statements came out how, whether the text passes, and what was counted.

    Notes on figures of the whole text stand only where those figures do.
    """
    report, brief = page.report, form == "concise"
    if not brief:
        model = "language model"
        reader = model if model in dict(report.run.models) else "readers"
        for who, prefix in (("asked", ""), (reader, LLM)):
            calls = [
                _called(name.removeprefix(LLM), count)
                for name, count in report.run.calls
                if name.startswith(LLM) == bool(prefix)
            ]
            if calls:
                yield f"{who}: {', '.join(calls)}"
        for note in report.run.notes:
            if page.full or "EG, RP and CFI" not in note:
                yield f"note: {note}"
    if brief and (by := told_readers(report)):  # else a note has it
        yield by
    yield outcomes(report)
    if report.statements or report.conforms is not None:
        yield _passes(report, page.level)
    elif not report.claims:
        yield "; ".join([f"nothing was checked in {printable(report.source)}", *report.unread])
    if report.conclusion is Conclusion.NOT_SETTLED and not brief:
        yield f"{told_least(report)}; what to do: {UNSETTLED_PAGE}"
    times, rules = dict(report.run.times), dict(report.run.params).get("rules")
    told = _counts(report, form) + (f"; {rules} rules" if rules else "")
    yield f"{told}; {times['total']:.2f} s" if "total" in times else told


def _passes(report: Report, level: str) -> str:
    """Return whether the text passes, in a line."""
    unread = "not all could be checked: " + "; ".join(left_out(report))
    match report.conclusion:
        case Conclusion.PASSES if reached := told_reached(report, level):
            return f"the text does not pass, as {reached}"
        case Conclusion.PASSES:
            still = list(map(report.outcome_of, report.statements)).count(Outcome.NOT_ENOUGH_INFO)
            left = f", as nothing speaks against it; {counted(still, 'statement')} left open"
            return "the text passes" + (left if still else "")
        case Conclusion.FAILS:
            return "the text does not pass" + ("" if report.complete else f"; {unread}")
        case Conclusion.NOT_SETTLED:
            return told_open(report)
    return unread


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
    return ", ".join(filter(None, (line, told_aside(report))))


def _called(name: str, count: float) -> str:
    if name == "cost":
        return f"cost {count:.4f}"
    return f"{count:,} {name.removesuffix('s') if count == 1 else name}"
