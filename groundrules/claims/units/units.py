"""Units: a document cut, without a parser, into what can be evidence for a statement.

A unit is a sentence, an item of a list, a row of a table or a heading. A row is read with the cells
of its table's head, so that it says what its figures are of; every unit knows the heading above it.
The cost is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from groundrules.claims.documents.tongues import is_ordinal
from groundrules.claims.units.blocks import _trimmed, abbreviates
from groundrules.claims.units.tables import cells_of, is_row, is_rule


class Kind(StrEnum):
    """What a unit is."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    HEAD = "head"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a document: its half-open range of code points, and what it says read alone.

    `heading` is the place, among the units, of the heading above it, or -1.
    """

    start: int
    end: int
    kind: Kind
    text: str
    heading: int = -1


_LINE = re.compile(r"[^\n\r\x0b\x0c\x85\u2028\u2029]+")
_MARK = re.compile(r"\s*(?:[-*•·–—]|\(?(?:[a-z]|[ivx]{1,5}|\d{1,3})[.)])\s+")
#: A numbered title: `3. Conditions`, `4) Fees and charges`.
_NUMBERED = re.compile(r"\(?(?:\d{1,3}|[ivx]{1,5})[.)]\s+[A-Z][^.?!;:|]{1,60}")
_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_NEXT = re.compile(r"[^\W\d_]+")
_STOP = re.compile(
    r"(?<![.?!…])[.?!…]+[\"”’')\]*_]*(\s+)(?=[\"“‘'(\[*_]*(?:[A-Z0-9À-Þ]|[a-z]{1,2}\d))"
)
#: Longest heading, in words.
_HEADING = 12


@lru_cache(maxsize=64)  # who reads a source by its units and who finds its figures ask alike
def units(text: str) -> tuple[Unit, ...]:
    """Return the units of a text, in order."""
    out: list[Unit] = []
    heading = -1
    for start, end, head in _regions(text):
        if head is not None:
            kind = Kind.HEAD if head == (start, end) else Kind.ROW
            said = [cell.strip("*_") for cell in cells_of(text[start:end])]
            names = [cell.strip("*_") for cell in cells_of(text[slice(*head)])]
            if kind is Kind.ROW and len(names) == len(said):
                pairs = zip(names, said, strict=True)
                said = [f"{h}: {c}" if h and c and h != c else c for h, c in pairs]
            out.append(Unit(start, end, kind, "; ".join(cell for cell in said if cell), heading))
            continue
        for first, last in _paragraphs(text, start, end):
            piece = text[first:last]
            if _is_heading(piece):
                heading = len(out)
                out.append(Unit(first, last, Kind.HEADING, piece.strip("#*_ \t:")))
                continue
            kind = Kind.ITEM if _MARK.match(piece) else Kind.SENTENCE
            for one, other in cut_sentences(text, first, last):
                said_ = " ".join(text[one:other].split())
                out.append(Unit(one, other, kind, said_, heading))
    return tuple(out)


def _regions(text: str) -> Iterator[tuple[int, int, tuple[int, int] | None]]:
    """Yield running text, and the rows of tables with the place of the table's head."""
    begin: int | None = None
    head: tuple[int, int] | None = None
    for line in _LINE.finditer(text):
        said = line.group()
        if not is_row(said):
            begin = line.start() if begin is None else begin
            end, head = line.end(), None
            continue
        if begin is not None:
            yield begin, end, None
            begin = None
        if is_rule(said):
            continue
        place = line.start() + len(said) - len(said.lstrip()), line.start() + len(said.rstrip())
        head = head or place
        yield *place, head
    if begin is not None:
        yield begin, end, None


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs of running text.

    A line break ends one where the line ends a sentence, where an item follows, and where the next
    word would have had room: an editor wraps lines only when they are full.
    """
    for lines in _blocks(text, start, end):
        width = max(last - first for first, last in lines)
        begin = lines[0][0]
        for (first, last), (next_, stop) in pairwise(lines):
            line, following = text[first:last].rstrip(), text[next_:stop]
            room = len(line) + 1 + len(following.split(None, 1)[0]) <= width
            if room or line[-1:] in ".?!:;" or _MARK.match(following):
                yield from _trimmed(text, begin, last)
                begin = next_
        yield from _trimmed(text, begin, lines[-1][1])


def _blocks(text: str, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the lines between two empty lines, as ranges; blank ones are left out."""
    block: list[tuple[int, int]] = []
    for match in _LINE.finditer(text, start, end):
        if match.group().isspace():
            continue
        if block and len(_BREAK.findall(text, block[-1][1], match.start())) > 1:
            yield block
            block = []
        block.append(match.span())
    if block:
        yield block


def _is_heading(piece: str) -> bool:
    line = piece.strip().strip("*_")
    if line.startswith("#"):
        return True
    if "\n" in line or ": " in line or line[-1:] in '.?!;,"”' or len(line.split()) > _HEADING:
        return False
    return not _MARK.match(line) or bool(_NUMBERED.fullmatch(line))


def cut_sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the sentences of running text."""
    begin = start
    for stop in () if is_row(text[start:end]) else _STOP.finditer(text, start, end):
        said = text[begin : stop.start() + 1]
        before, last = ["", *said.split()][-2:]
        following = _NEXT.match(text, stop.end(1), end)
        if abbreviates(last, before) or said.strip().rstrip(".").isdigit():  # a number of an item
            continue
        if following and is_ordinal(before, last.removesuffix("."), following.group()):
            continue
        yield begin, stop.start(1)
        begin = stop.end(1)
    if begin < end:
        yield begin, end
