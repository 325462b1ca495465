"""The `text` format: each violation with its excerpt, as rustc and ruff draw them.

Nothing depends on colour alone, no line is wider than the terminal, and nothing in the checked
text can steer it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from groundrules.explain.contrast import (
    added,
    contradicts,
    explain,
    focus,
    passage,
    phrase,
    warrant,
)
from groundrules.explain.place import (
    cite,
    line_column,
    line_range,
    locate,
    printable,
    quote,
    source_text,
    width,
    widths,
)
from groundrules.terms import LLM, Edit, Metric, Outcome, Report, Severity, Span, Verdict, Violation

_Painter = Callable[[str, str], str]
_COLOURS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
_VIOLATED = (Outcome.REFUTED, Outcome.CONFLICTING)
_GUTTER, _BOLD, _FAINT = "1;34", "1", "2"
_ELLIPSIS = "…"
_LINES = 3  # of the excerpt of one violation
_WIDE = 100  # cells of an excerpt where the width is not known
_NARROW = 16  # cells; a narrower terminal is written past its edge


def dumps(
    report: Report, *, color: bool = False, columns: int | None = None, statistics: bool = False
) -> str:
    """Return the report as text that ends in a line break.

    `columns` is the width of the terminal in cells; without it lines are not folded and
    excerpts are cut to 100 cells.
    """
    paint = _paint if color else _plain
    blocks = [_violation(item, report, paint, columns) for item in report.violations]
    blocks += [
        _ruling(verdict, report, paint, columns)
        for verdict in report.verdicts
        if verdict.message and verdict.outcome not in _VIOLATED
    ]
    lines = [line for block in blocks for line in (*block, "")]
    lines += _fold_all(_figures(report), columns)
    if statistics:
        lines += ["", *_statistics(report), ""]
    lines += _fold_all([_summary(report)], columns)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _paint(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if text else text


def _plain(text: str, code: str) -> str:
    return text


def _violation(
    violation: Violation, report: Report, paint: _Painter, columns: int | None
) -> list[str]:
    colour = _COLOURS[violation.severity]
    head = f"{violation.severity.value}[{violation.rule}]"
    message = printable(f"{violation.name}: {violation.message}")
    first, *rest = fold(f"{head} {message}", columns, indent=4)
    lines = [
        paint(first[: len(head)], colour) + paint(first[len(head) :], _BOLD),
        *(paint(line, _BOLD) for line in rest),
    ]
    span = focus(violation)
    text = source_text(report, span.source) if span else None
    gutter = 2
    if span and text is not None and span.end <= len(text):
        last, _ = line_column(text, max(span.start, span.end - 1))
        gutter = len(str(last)) + 1
        lines.append(" " * gutter + paint("-->", _GUTTER) + f" {printable(str(_at(span, report)))}")
        room = max((columns or _WIDE) - gutter - 3, _NARROW)
        lines += _excerpt(text, span, gutter, room, paint, colour)
    elif span:
        lines.append(" " * gutter + paint("-->", _GUTTER) + f" {printable(span.source)}")
    return lines + _reasons(violation, report, gutter, paint, columns)


def _ruling(verdict: Verdict, report: Report, paint: _Painter, columns: int | None) -> list[str]:
    """Return what a knowledge base says of a claim that violates nothing."""
    head = f"{verdict.outcome.value.replace('_', ' ')}[{verdict.reason}]"
    first, *rest = fold(f"{head} {printable(verdict.message)}", columns, indent=4)
    lines = [paint(head, _BOLD) + first[len(head) :], *rest]
    place = f"{printable(str(_at(verdict.claim.span, report)))}   "
    words = quote(verdict.claim.span, report) or ""
    room = max((columns or _WIDE) - len("  --> ") - width(place), 0)
    shown = window(words, (0, len(words)), (0, 0), room)[0] if words and room > _NARROW else ""
    lines.append("  " + paint("-->", _GUTTER) + f" {place}{shown}".rstrip())
    for item in verdict.evidence[:_LINES]:
        says = f"{phrase(item.triple, report.labels)}   {cite(item, report)}"
        stem = "   " + paint("=", _GUTTER) + " " + paint(f"{'says':<9}", _BOLD) + " "
        head, *more = fold(printable(says), columns and columns - 15)
        lines += [stem + head, *(" " * 15 + line for line in more)]
    if len(verdict.evidence) > _LINES:
        lines.append(" " * 15 + f"and {len(verdict.evidence) - _LINES} more")
    return lines


def _at(span: Span, report: Report) -> object:
    return locate(span, report) or span.source


def _excerpt(
    text: str, span: Span, gutter: int, room: int, paint: _Painter, colour: str
) -> list[str]:
    first, _ = line_column(text, span.start)
    last, _ = line_column(text, max(span.start, span.end - 1))
    empty = " " * gutter + " " + paint("|", _GUTTER)
    lines = [empty]
    for number in range(first, min(last, first + _LINES - 1) + 1):
        start, end = line_range(text, number)
        mark = max(start, span.start), max(min(end, span.end), max(start, span.start))
        shown, left, length = window(text, (start, end), mark, room)
        bar = paint(f"{number:>{gutter}} |", _GUTTER)
        lines.append(f"{bar} {shown}".rstrip())
        lines.append(f"{empty} {' ' * left}{paint('^' * max(length, 1), colour)}")
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


def _reasons(
    violation: Violation, report: Report, gutter: int, paint: _Painter, columns: int | None
) -> list[str]:
    if violation.claim is None:
        return []
    explanation = explain(violation, report)
    rows = [("claimed", explanation.fact, "")]
    if explanation.foil:
        name = "rather" if contradicts(violation) else "nearest"
        if violation.because and not added(violation):
            name = "against"  # the two exclude each other; neither replaces the other
        if passage(violation):
            name = "passage"
        rows.append((name, explanation.foil, _places(violation, report)))
    elif violation.evidence:
        rows.append(("source", _places(violation, report), ""))
    axiom = warrant(violation)
    rows.append(("because", explanation.because, f"({axiom})" if axiom else ""))
    if violation.edit and violation.edit.operations:
        rows.append(("edit", _operations(violation.edit), _standing(violation.edit)))
    if violation.phrased:
        rows.append(("LLM", violation.phrased, ""))
    lead = " " * (gutter + 1)
    rows = [(name, printable(left), printable(right)) for name, left, right in rows]
    stem = len(lead) + len("= claimed   ")
    longest = max(width(left) for _, left, right in rows if right) if any(r[2] for r in rows) else 0
    far = max((width(right) for *_, right in rows), default=0)
    beside = columns is None or stem + longest + 3 + far <= columns
    lines = []
    for name, left, right in rows:
        first, *rest = fold(left, columns and columns - stem)
        if beside and right and not rest:
            first += " " * (longest - width(first) + 3) + right
        elif right:
            rest += fold(right, columns and columns - stem)
        lines.append(f"{lead}{paint('=', _GUTTER)} {paint(f'{name:<9}', _BOLD)} {first}")
        lines += [" " * stem + line for line in rest]
    return lines


def _places(violation: Violation, report: Report) -> str:
    places = list(dict.fromkeys(cite(item, report) for item in violation.evidence))
    more = f" and {len(places) - 2} more" if len(places) > 2 else ""
    return " and ".join(places[:2]) + more


def _operations(edit: Edit) -> str:
    actions = [operation.action for operation in edit.operations]
    if actions == ["DELETE", "ADD"]:
        return "DELETE the first, ADD the second"
    return {"DELETE": "DELETE the first", "ADD": "ADD the second"}.get(
        " ".join(actions), ", ".join(actions)
    )


def _standing(edit: Edit) -> str:
    tried = {True: "verified", False: "not verified", None: "not tried"}[edit.verified]
    return f"{edit.applicability}, {tried}"


def _figures(report: Report) -> list[str]:
    lines = []
    params = dict(report.run.params)
    if report.metrics or report.probability is not None:
        figures = [_metric(metric, params) for metric in report.metrics]
        if report.probability is not None:
            figures.append(f"probability {report.probability:.2f}")
        lines.append("   ".join(figures))
    outcomes = Counter(verdict.outcome for verdict in report.verdicts)
    if outcomes:
        parts = [f"{outcomes[o]} {o.value.replace('_', ' ')}" for o in Outcome if outcomes[o]]
        lines.append("verdicts: " + ", ".join(parts))
    stages = report.run.stages or tuple(
        Counter(verdict.stage for verdict in report.verdicts if verdict.stage).items()
    )
    if stages:
        lines.append("settled by: " + ", ".join(f"{name} {count}" for name, count in stages))
    for who, prefix in (("asked", ""), ("language model", LLM)):
        calls = [
            (name.removeprefix(LLM), count)
            for name, count in report.run.calls
            if name.startswith(LLM) == bool(prefix)
        ]
        if calls:
            lines.append(f"{who}: " + ", ".join(map(_called, calls)))
    lines += [f"note: {printable(note)}" for note in report.run.notes]
    return lines


def _called(call: tuple[str, float]) -> str:
    name, count = call
    if name == "cost":
        return f"cost {count:.4f}"
    if name.endswith("s") and count == 1:
        name = name.removesuffix("s")
    return f"{count:,} {name}"


def _metric(metric: Metric, params: dict[str, str]) -> str:
    value = "undefined" if metric.value is None else f"{metric.value:.2f}"
    threshold = params.get(f"{metric.name}.threshold")
    # A threshold is that of one check; of a mean over several it says nothing.
    mark = f" (pass ≥ {float(threshold):.2f})" if threshold and metric.checks == 1 else ""
    return f"{metric.name} {value}{mark}"


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


def _summary(report: Report) -> str:
    counts = Counter(item.severity for item in report.violations)
    parts = [_count(counts[Severity.ERROR], "error"), _count(counts[Severity.WARNING], "warning")]
    if counts[Severity.INFO]:
        parts.append(_count(counts[Severity.INFO], "note"))
    line = f"{', '.join(parts)} in {_count(len(report.claims), 'claim')}"
    if rules := dict(report.run.params).get("rules"):
        line += f"; {rules} rules"
    times = dict(report.run.times)
    return f"{line}; {times['total']:.2f} s" if "total" in times else line


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _fold_all(lines: Sequence[str], columns: int | None) -> list[str]:
    return [part for line in lines for part in fold(line, columns, indent=4)]


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
