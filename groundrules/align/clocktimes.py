"""Times of day that are told in words, written in figures before a text is parsed."""

from __future__ import annotations

import re
from typing import Any

from groundrules.align.numbers import read_numbers
from groundrules.claims.gaps import Writing

__all__ = ["in_figures", "tells_no_half"]

#: Of a time that is written in figures: 10:00, 10 a.m.
_FIGURES = re.compile(r"(?i):|[ap]\.?m\.?\Z")


def in_figures(doc: Any) -> Writing | None:
    """Return a parsed text with "half past eight" as "8:30 o'clock", None where it has no such.

    A treebank has few times in words, and their words hang together however they are parsed.
    """
    spoken = [n for n in read_numbers(doc.text) if n.kind == "TIME" and " " in n.text.strip()]
    spoken = [one for one in spoken if not _FIGURES.search(one.text)]
    if not spoken:
        return None
    text, words = "", []
    told: list[Any] = []  # the words of a time so far
    for token in doc:
        own = next((n for n in spoken if n.start <= token.idx < n.end), None)
        told.append(token)
        if own is None or token.idx + len(token) >= own.end:
            words.append((len(text), tuple(told)))
            text += _figures(own.value, tells_no_half(own)) if own else token.text
            text += token.whitespace_
            told = []
    return Writing(text, tuple(words))


def tells_no_half(number: Any) -> bool:
    """Return whether a time may be of either half of the day: "half past two", "3 o'clock"."""
    return number.unit == "?" or "clock" in number.text.lower()


def _figures(seconds: float, either: bool) -> str:
    hour, minute = divmod(round(seconds) // 60, 60)
    told = f"{hour}:{minute:02d}"
    return f"{told} o'clock" if either else told
