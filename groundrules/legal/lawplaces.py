"""Where the fixed phrasing of contracts says whose law governs: the places that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from groundrules.claims.names import lists
from groundrules.claims.phrases import normalised

__all__ = ["governing_places"]


_GOVERNED = re.compile(
    r"\b(?:govern(?:ed|s)?|construed|interpreted|enforced|decided|determined|controlled|subject)\b"
    r"(?:(?!\borgani[sz]ed\b|\bincorporated\b)[^.;]|\.(?=\w)){0,220}?\blaws?,?\s+(?:\([^)]{0,200}\)\s*)?(?:and\s+[\w\s]{0,30}\s)?(?:of|in)\s+(?:the\s+)?"
    r"(?P<place>[A-Z][^.;()]{1,90})",
    re.IGNORECASE,
)


_LAW = re.compile(
    r"(?P<place>\b[A-Z][\w.'’]{0,40}(?:,?\s+(?:of\s+(?:the\s+)?)?[A-Z][\w.'’]{0,40}){0,5})\s+law\s+"
    r"(?:shall\s+|will\s+)?(?:govern|appl|control)\w*"
)


_LAWS_GOVERN = re.compile(
    r"\b[Ll]aws?\s+of\s+(?:the\s+)?(?P<place>[A-Z][\w.'’]{0,40}(?:,?\s+(?:of\s+(?:the\s+)?)?[A-Z][\w.'’]{0,40}){0,5})"
    r"\s+(?:alone\s+|exclusively\s+)?(?:shall\s+|will\s+)?(?:govern|control)\w*"
)
_CLAUSE_END = re.compile(r"[.;,]|\b(?:and|but|while)\b|\Z")


_UNDER = re.compile(
    r"\b(?:governed|construed|interpreted|decided|determined)\b[^.;]{0,60}?"
    r"\b(?:under|by|in accordance with|according to)\s+(?:the\s+)?"
    r"(?P<place>\b[A-Z][\w.'’]{0,40}(?:,?\s+(?:of\s+(?:the\s+)?)?[A-Z][\w.'’]{0,40}){0,5})\s+law\b"
)


_NAMED_LAW = re.compile(
    r"\b[Gg]overning\s+law\s+(?:of|for|under)\s[^.;]{0,60}?\b(?:is|shall\s+be|will\s+be)\s+"
    r"(?:the\s+laws?\s+of\s+|that\s+of\s+)(?:the\s+)?(?P<place>[A-Z][^.;()]{1,90})"
)


_STATE = re.compile(
    r"(?:the\s+)?(?:state|commonwealth|province|republic|kingdom|country|courts?|district)\s+(?:and\s+\w+\s+)?of\s+(?:the\s+)?",
    re.IGNORECASE,
)


_PLACE_STOP = re.compile(
    r"\b(?:without|and|applicable|excluding|as|in|regardless|except|notwithstanding|with|including|but"
    r"|or|irrespective|other|which|that|shall|will|for|by|applied|then|to|from"
    r"|u\.?s\.?a?\.? federal|federal|law|laws"
    r"|under|is|are|governs?|any|exclusive|both|pursuant|since|where)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def governing_places(text: str) -> tuple[tuple[int, int, int, bool], ...]:
    """Return where a text says whose law governs, the ends of that place, and whether none does."""
    out = []
    for pattern in (_GOVERNED, _LAW, _LAWS_GOVERN, _UNDER, _NAMED_LAW):
        for found in pattern.finditer(text):
            before = text[found.start() - 12 : found.start()]
            said = text[found.start() : found.start("place")][:40]
            negative = re.search(r"\bnot\b", before + said) is not None
            places = _places(text, found.start("place"), found.end("place"))
            # "Dutch law governs the lease": the paper stands behind
            ends = (
                _CLAUSE_END.finditer(text, found.end())
                if pattern in (_LAW, _LAWS_GOVERN)
                else iter(())
            )
            at = next((end.start() for end in ends), found.start())
            out += [(at, start, end, negative) for start, end in places]
    return tuple(out)


def _places(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the places that begin a stretch of text: `the State of New York, without ...`."""
    known = lists()["places"]
    state = _STATE.match(text, start, end)
    if state:
        start = state.end()
    stop = _PLACE_STOP.search(text, start, end)
    end = stop.start() if stop else end
    at = start
    for part in re.split(r"(,)", text[start:end]):
        size = len(part)
        words = part.split()
        if part != "," and words and words[0][:1].isupper() and len(words) < 7:
            a = at + len(part) - len(part.lstrip())
            inner = _STATE.match(text, a, at + size)
            a = inner.end() if inner else a
            b = at + len(part.rstrip())
            words = text[a:b].split()
            for n in range(len(words), 0, -1):
                if normalised(" ".join(words[:n])).casefold() in known:
                    b = a + [m.end() for m in re.finditer(r"\S+", text[a:b])][n - 1]
                    break
            if a < b and text[a].isupper():
                yield a, b
        elif part != "," and words:
            break
        at += size
