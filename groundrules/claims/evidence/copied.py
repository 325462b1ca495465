"""Words that a language model has copied: where they stand in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: A range of a text, in code points.
Place = tuple[int, int]
#: Longest words that are looked for, in code points.
LONGEST = 1000
#: Between pieces of words that do not stand together.
_PIECES = re.compile(r"…|\.\.\.")
_SINGLE, _DOUBLE = "'’‘‛`´", '"“”„‟«»'
_EDGES = f" \t\r\n{_DOUBLE}.,;:…"


def pieces_of(words: str) -> list[str]:
    """Return the pieces of some words that do not stand together, of those that have a letter."""
    return [one.strip() for one in _PIECES.split(words) if re.search(r"\w", one)]


def find_all(words: str, text: str, ranges: Sequence[Place]) -> tuple[Place, ...] | None:
    """Return where the pieces of some words stand, none for no words, None where one does not.

    Each is looked for in the ranges of a text in order.
    """
    found = []
    for piece in pieces_of(words):
        places = (find_any_case(piece, text, start, end) for start, end in ranges)
        place = next(filter(None, places), None)
        if place is None:
            return None
        found.append(place)
    return tuple(found)


def find_any_case(words: str, text: str, start: int, end: int) -> Place | None:
    """Return where words stand in a range of a text, or stand but for the case of their first."""
    other = words[:1].swapcase() + words[1:]
    return find_words(words, text, start, end) or find_words(other, text, start, end)


def find_words(words: str, body: str, start: int, end: int) -> Place | None:
    """Return where words stand in a range of a text, None where they do not.

    They are the same but for white space, the shape of quotation marks, and marks at their ends.
    """
    words = words.strip(_EDGES)
    if not re.search(r"\w", words) or len(words) > LONGEST:
        return None
    pattern = r"\s+".join("".join(map(_letter, word)) for word in words.split())
    pattern = rf"(?<!\w){pattern}" if words[0].isalnum() else pattern
    pattern = rf"{pattern}(?!\w)" if words[-1].isalnum() else pattern
    found = re.compile(pattern).search(body, start, end)
    return found.span() if found else None


def _letter(sign: str) -> str:
    return next((f"[{same}]" for same in (_SINGLE, _DOUBLE) if sign in same), re.escape(sign))
