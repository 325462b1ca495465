"""Segments: what of a text is read by itself, line by line, without bullets and marks of notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ITEM = re.compile(r"(?:[-*•–·†‡]|\(?\d{1,3}[.)]|\(?[a-z]\)|\([ivx]+\))[ \t]+")
#: The number of a section before its first word.
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?[ \t]+(?=[A-Z(“\"])")
_MARK = re.compile(r"(?<=\S)(?<![*†‡])[*†‡]{1,3}(?=[\s.,;:)]|$)")
_ANNOUNCING = re.compile(r"(?i)\b(?:below|(?:the|these) following|as follows)\b")


@dataclass(frozen=True, slots=True)
class Segment:
    """A line of a text as it is read.

    `start` and `end` are its range in code points; `runs` says which parts of `text` stand where in
    the text it is from: where each begins in either, and how long it is; without any all of it
    does.
    """

    start: int
    end: int
    text: str
    runs: tuple[tuple[int, int, int], ...] = ()

    def place(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where in the text a range of the segment stands, None where it has no words."""
        for at, place, length in self.runs or ((0, self.start, len(self.text)),):
            if at <= start < at + length:
                return place + start - at, place + min(end - at, length)
        return None


def segments(text: str) -> Iterator[Segment]:
    """Yield the lines of a text, but for rows of tables, leads of lists and the items behind them.

    What a lead says of its items, as "You may not bring:" does, stands in none of them.
    """
    led = False
    for line in re.finditer(r"[^\n]+", text):
        words = line[0].strip()
        if not words or words.startswith("|"):
            continue
        item = _ITEM.match(words)
        if item and led:
            continue
        opens = words.endswith(":")
        led = opens or bool(not item and _ANNOUNCING.search(words))
        number = item or _SECTION.match(words)
        begin = number.end() if number else 0
        if not opens:
            at = line.start() + len(line[0]) - len(line[0].lstrip()) + begin
            yield _unmarked(line.start(), line.end(), words[begin:], at)


def _unmarked(start: int, end: int, words: str, place: int) -> Segment:
    """Return a line without the marks that point to its notes."""
    text, runs, at = "", [], 0
    for mark in (*_MARK.finditer(words), None):
        stop = len(words) if mark is None else mark.start()
        runs.append((len(text), place + at, stop - at))
        text += words[at:stop]
        at = stop if mark is None else mark.end()
    return Segment(start, end, text, tuple(run for run in runs if run[2]))
