"""Wrapping: the line breaks of a text that only a page's width made, and no writer.

A break is made by the width where the sentence goes on behind it, and, in a text that has such
breaks, where the next word would not have fitted into the widest line that was broken so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from groundrules.claims.documents.markup import Cut, is_suspended
from groundrules.claims.units.blocks import abbreviates

_LINE = re.compile(r"[^\n\r\x0b\x0c\x85\u2028\u2029]*(?:\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]|\Z)")
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
#: A row of a table, a heading, a quotation, a rule: its line ends where its writer ended it.
_OWN = re.compile(r"\|.*\||#{1,6}\s|[-=*_]{3,}$|>")
#: What may be the mark of an item: it is where an item or a finished line is before it, or room.
_MARK = re.compile(r"(?:[-–—]|\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|\d{1,3})[.)]|\d+(?:\.\d+)+\.?)\s")
_BULLET = re.compile(r"[*+•·†‡]\s")
_CLOSING = "\"'”’)]*_"
_STOPS = (".", "?", "!", "…", ":", ";")
#: A line as long as this may be broken by a page that sets letters of unlike widths.
_LONG = 40


class _Line(NamedTuple):
    """A line without the blanks around it; `item` says that it belongs to an item of a list."""

    start: int
    end: int
    text: str
    item: bool = False

    @property
    def finished(self) -> bool:
        """Whether it may end what it says."""
        said = self.text.rstrip(_CLOSING)
        before, last = ["", *said.split()][-2:] if said else ("", "")
        return said.endswith(_STOPS) and not abbreviates(last, before)

    def leaves_room(self, following: _Line, width: int) -> bool:
        """Return whether the next word would have fitted behind it."""
        return len(self.text) + 1 + len(following.text.split(None, 1)[0]) <= width


def soft_breaks(text: str) -> Iterator[Cut]:
    """Yield the breaks that the width of a page made, each with the blank that is read for it."""
    pairs: list[tuple[_Line, _Line, int]] = []
    for block in _blocks(text):
        width = max(len(line.text) for line in block)
        pairs += ((one, other, width) for one, other in _unmarked(block, width))
    sure = {
        one.start
        for one, other, width in pairs
        if not one.finished
        and _goes_on(one, other)
        and (len(one.text) >= _LONG or not one.leaves_room(other, width))
    }
    page = max((len(one.text) for one, *_ in pairs if one.start in sure), default=0)
    for one, other, _ in pairs:
        if one.start in sure or (page and not one.leaves_room(other, page)):
            hyphen = re.search(r"\w[-‐]$", one.text) and not is_suspended(other.text)
            yield one.end, other.start, "" if hyphen else " "


def _goes_on(one: _Line, other: _Line) -> bool:
    said = one.text.rstrip(_CLOSING)
    return other.text.lstrip("\"'“‘([*_")[:1].islower() or said.endswith((",", "."))


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Yield the lines between empty lines; those of a fence of code are none of them."""
    block: list[_Line] = []
    fenced = False
    for found in _LINE.finditer(text):
        said = found[0].strip()
        fence = bool(_FENCE.match(said))
        fenced ^= fence
        if not said or fenced or fence:
            if block:
                yield block
            block = []
            continue
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        block.append(_Line(start, start + len(said), said))
        if found[0].endswith("\f"):
            yield block
            block = []
    if block:
        yield block


def _unmarked(block: list[_Line], width: int) -> Iterator[tuple[_Line, _Line]]:
    """Yield the neighbouring lines of which the second has no mark that begins a line."""
    item = False
    for one, other in pairwise(block):
        item = item or bool(_BULLET.match(one.text) or _MARK.match(one.text))
        if _OWN.match(one.text) or _OWN.match(other.text) or _BULLET.match(other.text):
            continue
        if one.text.isupper() and not other.text.isupper():
            continue
        listed = item or one.finished or one.leaves_room(other, width)
        if _MARK.match(other.text) and listed:
            continue
        yield one, other
