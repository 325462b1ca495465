"""A report on a terminal: lines that fit, excerpts with carets, named rows.

Nothing depends on colour alone, no line is wider than the terminal, and nothing in the checked
text can steer it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import chop_cells

from groundrules.explain.place import line_column, line_range, locate, printable, width, widths
from groundrules.terms import Report, Span

GUTTER, BOLD = "1;34", "1"
_ELLIPSIS = "…"
LINES = 3  # of the excerpt of one violation
_WIDE = 100  # cells of an excerpt where the width is not known
_NARROW = 16  # cells; a narrower terminal is written past its edge
NAME = 11  # cells of the name of a row


@dataclass(frozen=True, slots=True)
class Page:
    """A report and how it is to be shown; `columns` is None where the width is not known.

    `level` is the severity from which on a finding fails it.
    """

    report: Report
    color: bool
    columns: int | None
    full: bool = False
    level: str = "error"

    def paint(self, text: str, code: str) -> str:
        """Return the text in a colour."""
        return f"\x1b[{code}m{text}\x1b[0m" if text and self.color else text

    def fold(self, text: str, indent: int = 4) -> list[str]:
        """Return a text in lines that fit and cannot steer the terminal."""
        return fold(printable(text), self.columns, indent=indent)

    def headed(self, head: str, text: str, colour: str, rest: str = "") -> list[str]:
        """Return a text in lines that fit, its head in one colour and the rest in another."""
        first, *more = self.fold(head + text)
        first = self.paint(first[: len(head)], colour) + self.paint(first[len(head) :], rest)
        return [first, *(self.paint(line, rest) for line in more)]

    def at(self, span: Span) -> str:
        """Return the place of a span, or the name of its source."""
        return printable(str(locate(span, self.report) or span.source))

    def room(self, stem: int) -> int:
        """Return how many cells are left beside so many."""
        return max((self.columns or _WIDE) - stem, _NARROW)


def excerpt(text: str, span: Span, gutter: int, page: Page, colour: str) -> Iterator[str]:
    """Yield the first lines of a place in a text, with carets under it."""
    room = page.room(gutter + 3)
    first, _ = line_column(text, span.start)
    last, _ = line_column(text, max(span.start, span.end - 1))
    empty = " " * gutter + " " + page.paint("|", GUTTER)
    for number in range(first, min(last, first + LINES - 1) + 1):
        start, end = line_range(text, number)
        mark = max(start, span.start), max(min(end, span.end), max(start, span.start))
        shown, left, length = window(text, (start, end), mark, room)
        yield f"{page.paint(f'{number:>{gutter}} |', GUTTER)} {shown}".rstrip()
        yield f"{empty} {' ' * left}{page.paint('^' * max(length, 1), colour)}"
    if last - first >= LINES:
        yield f"{empty} {_ELLIPSIS} to line {last}"


def window(
    text: str, line: tuple[int, int], mark: tuple[int, int], room: int
) -> tuple[str, int, int]:
    """Return the part of a line around a mark that fits in `room` cells, and where the mark is.

    `line` and `mark` are half-open ranges of code points; the result is the printable text, the
    cells before the mark and the cells of the mark. A cut is shown as an ellipsis.
    """
    (start, end), (from_, to) = line, mark
    # A line may have megabytes: look no further than could be shown.
    to = min(to, from_ + 4 * room)
    low, high = max(start, from_ - 4 * room), min(end, to + 4 * room)
    shown = printable(text[low:high])
    cells = widths(shown)
    i, j = from_ - low, to - low
    # Tabs are one cell here, so the text and the carets stay in step.
    if low == start and high == end and sum(cells) <= room:
        return shown, sum(cells[:i]), sum(cells[i:j])
    # as much before it as is left, a third at most
    left, a = (room - 2) // 3, i
    while a and cells[a - 1] <= left:
        a -= 1
        left -= cells[a]
    before, b = sum(cells[a:i]), a
    left = room - 2
    while b < len(cells) and cells[b] <= left:
        left -= cells[b]
        b += 1
    prefix = _ELLIPSIS if low + a > start else ""
    suffix = _ELLIPSIS if low + b < end else ""
    return prefix + shown[a:b] + suffix, len(prefix) + before, sum(cells[i : min(j, b)])


def row(name: str, left: str, right: str, page: Page, gutter: int = 2) -> list[str]:
    """Return a named row; what is right stands beside the left if both fit on one line."""
    left, right = printable(left), printable(right)
    stem = gutter + NAME + 4
    room = page.columns and page.columns - stem
    first, *more = fold(left, room)
    if right and not more and (room is None or width(first) + 3 + width(right) <= room):
        first += "   " + right
    elif right:
        more += fold(right, room)
    lead = " " * (gutter + 1) + page.paint("=", GUTTER)
    return [
        f"{lead} {page.paint(f'{name:<{NAME}}', BOLD)} {first}",
        *(" " * stem + line for line in more),
    ]


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
            head, *rest = chop_cells(word, columns - len(line))
            word = "".join(rest)
            lines.append(line + head)
            line = " " * indent
    return [*lines, line] if line.strip() else lines
