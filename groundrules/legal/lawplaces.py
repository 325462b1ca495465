"""Where the fixed phrasing of contracts says whose law governs: the places that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from groundrules.claims.names import lists
from groundrules.claims.phrases import normalised
from groundrules.legal.lawphrases import phrases

__all__ = ["governing_places"]


_RE = phrases("lawplaces")


@lru_cache(maxsize=64)
def governing_places(text: str) -> tuple[tuple[int, int, int, bool], ...]:
    """Return where a text says whose law governs, the ends of that place, and whether none does."""
    out = []
    for pattern in (
        _RE["governed"],
        _RE["law"],
        _RE["laws_govern"],
        _RE["under"],
        _RE["named_law"],
    ):
        for found in pattern.finditer(text):
            before = text[found.start() - 12 : found.start()]
            said = text[found.start() : found.start("place")][:40]
            negative = re.search(r"\bnot\b", before + said) is not None
            places = _places(text, found.start("place"), found.end("place"))
            # "Dutch law governs the lease": the paper stands behind
            ends = (
                _RE["clause_end"].finditer(text, found.end())
                if pattern in (_RE["law"], _RE["laws_govern"])
                else iter(())
            )
            at = next((end.start() for end in ends), found.start())
            out += [(at, start, end, negative) for start, end in places]
    return tuple(out)


def _places(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the places that begin a stretch of text: `the State of New York, without ...`."""
    known = lists()["places"]
    state = _RE["state"].match(text, start, end)
    if state:
        start = state.end()
    stop = _RE["place_stop"].search(text, start, end)
    end = stop.start() if stop else end
    at = start
    for part in re.split(r"(,)", text[start:end]):
        size = len(part)
        words = part.split()
        if part != "," and words and words[0][:1].isupper() and len(words) < 7:
            a = at + len(part) - len(part.lstrip())
            inner = _RE["state"].match(text, a, at + size)
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
