"""Chunks: parts of a long text, each ended where a paragraph, a sentence or a word ends."""

from __future__ import annotations

import re

#: The longest part that is shown to a model, in code points, about 3,000 tokens.
SIZE = 12_000
#: What of a part the next one repeats, so that a sentence across the cut is read whole.
OVERLAP = 1_000
#: The better ends first.
_ENDS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"[.!?;:][\"'”’)\]]{0,3}\s"),
    re.compile(r"\s"),
)


def chunk(text: str, size: int = SIZE, overlap: int = OVERLAP) -> tuple[tuple[int, int], ...]:
    """Return half-open code-point ranges of at most `size` that cover a text in order.

    Each ends after a paragraph, else a sentence, else a word, and the next begins likewise, at most
    `overlap` before that end. ValueError unless 0 <= overlap < size / 2.
    """
    if not 0 <= overlap < size / 2:
        raise ValueError(f"an overlap of {overlap} does not fit a size of {size}")
    ranges = []
    start = 0
    while len(text) - start > size:
        end = _last(text, start + size // 2, start + size)
        ranges.append((start, end))
        start = _first(text, end - overlap, end)
    return (*ranges, (start, len(text)))


def _last(text: str, low: int, high: int) -> int:
    """Return where the last paragraph, sentence or word of a range ends, `high` if none does."""
    for pattern in _ENDS:
        if found := [match.end() for match in pattern.finditer(text, low, high)]:
            return found[-1]
    return high


def _first(text: str, low: int, high: int) -> int:
    """Return where the first paragraph, sentence or word after `low` begins, `low` if none does."""
    for pattern in _ENDS:
        if (match := pattern.search(text, low, high)) and match.end() < high:
            return match.end()
    return low
