"""Places: line, column, clause and heading of a code point; how wide a text is on a terminal."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from rdflib.term import URIRef
from rich.cells import split_graphemes

from groundrules.terms import SOURCE, Evidence, Report, Span

_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a named text; line and column count code points from 1."""

    source: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"


@lru_cache(maxsize=32)
def _starts(text: str) -> tuple[int, ...]:
    return (0, *(match.end() for match in _BREAK.finditer(text)))


def line_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and column, from 1, of a code point; LF, CRLF and CR end a line."""
    starts = _starts(text)
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


def line_range(text: str, line: int) -> tuple[int, int]:
    """Return the half-open range of the code points of a line, without its line break."""
    starts = _starts(text)
    start = starts[line - 1]
    end = starts[line] if line < len(starts) else len(text)
    while end > start and text[end - 1] in "\r\n":
        end -= 1
    return start, end


def source_name(source: str) -> str:
    """Return the name of a source as a person typed it, for a name or a graph IRI."""
    prefix = str(SOURCE)
    return unquote(source[len(prefix) :]) if source.startswith(prefix) else source


def source_text(report: Report, source: str) -> str | None:
    """Return the text of a source, of the checked text too, or None where it is not known."""
    name = source_name(source)
    for key in (source, name):
        if key in report.sources:
            return report.sources[key]
    return report.text if name == report.source else None


def locate(span: Span, report: Report) -> Place | None:
    """Return the place of a span, or None where the text of its source is not at hand."""
    text = source_text(report, span.source)
    if text is None or span.start > len(text):
        return None
    return Place(source_name(span.source), *line_column(text, span.start))


def cite(evidence: Evidence, report: Report) -> str:
    """Return `lease.txt:12:4`, or the name of the source where no place is known, and the pin."""
    if evidence.span and (place := locate(evidence.span, report)):
        return str(place)
    name = source_name(evidence.span.source if evidence.span else evidence.source)
    name = URIRef(name).n3() if "://" in name else name
    if not evidence.pin:
        return name
    statement, *rest = evidence.pin.split(", ")
    return f"{name} ({', '.join([statement.rsplit('/', 1)[-1], *rest])})"


def quote(span: Span | None, report: Report) -> str | None:
    """Return the words of a span on one line, or None where they are not at hand."""
    text = source_text(report, span.source) if span else None
    if span is None or text is None or span.end > len(text) or span.start == span.end:
        return None
    return " ".join(text[span.start : span.end].split()) or None


def widths(text: str) -> list[int]:
    """Return the cells of a terminal that each character adds; a glyph counts at its first part."""
    found = [0] * len(text)
    for start, _, cells in split_graphemes(text)[0]:
        found[start] = cells
    return found


def width(text: str) -> int:
    """Return how many terminal cells a text without control characters takes."""
    return split_graphemes(text)[1]


#: What makes a cell a formula to those that open tables, and numbers that begin alike.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def cell(text: str) -> str:
    """Return a cell of a table so that whatever opens it takes it for no formula."""
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text) else text


def printable(text: str) -> str:
    """Return the text with each character that could steer a terminal replaced, length kept.

    Controls become their Unicode pictures, tabs and no-break spaces a space, bidirectional
    overrides, unassigned and surrogate code points U+FFFD: what is checked may be hostile.
    """
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if character == "\t" or unicodedata.category(character) == "Zs":
        return " "
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if unicodedata.category(character) == "Cf" and not _steers(code):
        return character
    return "\ufffd"


def _steers(code: int) -> bool:
    return code in (0x061C, 0x200E, 0x200F) or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069
