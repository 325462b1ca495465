"""Segments: what of a text is read by itself, with the words it is said under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Segment", "segments"]

_ITEM = re.compile(r"(?:[-*•–]|\d{1,3}[.)])[ \t]+")
#: A lead that speaks of one of its items alone.
_PICKING = re.compile(r"\b(?:first|second|third|last|former|latter):$")
_FOLLOWING = re.compile(r"\b[Tt]he following\b(?: \w+)?")


@dataclass(frozen=True, slots=True)
class Segment:
    """A line of a text as it is read: an item of a list stands behind what leads it in.

    `start` and `end` are its range in code points; `shift` is where in `text` its own words begin,
    and `offset` where in the line.
    """

    start: int
    end: int
    text: str
    shift: int = 0
    offset: int = 0

    def place(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where in the text a range of the segment stands, None for words that lead in."""
        if start < self.shift:
            return None
        at = self.start + self.offset - self.shift
        return at + start, min(at + end, self.end)


def segments(text: str) -> Iterator[Segment]:
    """Yield the lines of a text, but for those of tables."""
    lead = ""
    for line in re.finditer(r"[^\n]+", text):
        words = line[0].strip()
        if not words or words.startswith("|"):
            continue
        item = _ITEM.match(words)
        indent = len(line[0]) - len(line[0].lstrip())
        if item is None and words.endswith(":"):
            lead = "" if _PICKING.search(words) else words[:-1]
            continue
        if item is None:
            yield Segment(line.start(), line.end(), words, 0, indent)
            if not words.endswith((",", ";")):
                lead = ""
            continue
        said = words[item.end() :].rstrip(";,")
        offset = indent + item.end()
        if not lead:
            yield Segment(line.start(), line.end(), said, 0, offset)
            continue
        before, after = _around(lead, said)
        end = "" if said.endswith((".", "!", "?")) or after else "."
        yield Segment(line.start(), line.end(), f"{before}{said}{after}{end}", len(before), offset)


def _around(lead: str, said: str) -> tuple[str, str]:
    """Return what stands before and behind an item in its sentence."""
    found = _FOLLOWING.search(lead)
    if found is None or found.end() == len(lead):
        return f"{lead[: found.start()] if found else lead + ' '}", ""
    return lead[: found.start()], f"{lead[found.end() :]}."
