"""Patterns of a lexicon, whose time is bounded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

# the tree that `re` itself compiles: any other reader of its syntax could be told another story
parsed: Callable[[str], Any] = re._parser.parse  # type: ignore[attr-defined]


_MAX_GAP = 200


_MAX_WAYS = 10_000


#: What is read in one way.
_SINGLE = frozenset("LITERAL NOT_LITERAL ANY IN AT".split())


_MANY = 10**9


def compiled(pattern: str, shipped: bool) -> re.Pattern[str]:
    """Compile a pattern whose time is bounded; else ValueError.

    The ways of a shipped one are not counted: the tests time it.
    """
    bare = re.sub(r"\\.|\[(?:\\.|[^\]\\]){0,2000}\]", "x", pattern)
    ranges = re.findall(r"\{(\d*+)(,?)(\d*+)\}", bare)
    wide = [r for r in ranges if (r[1] and not r[2]) or int(r[2] or r[0] or 0) > _MAX_GAP]
    if re.search(r"[*+]", bare) or wide or len(pattern) > 2000:
        raise ValueError(f"the pattern may take long: {pattern[:80]}")
    if re.search(r"\\\d|\(\?P=", pattern):
        raise ValueError(f"the pattern refers to its own groups: {pattern[:80]}")
    if not shipped and (ways := _ways(parsed(pattern))) > _MAX_WAYS:
        count = f"{ways:,}" if ways < 10**9 else "more than a billion"
        raise ValueError(f"the pattern may take long, tried in {count} ways at one place; "
                         f"expected {_MAX_WAYS:,} at most: {pattern[:80]}")  # fmt: skip
    return re.compile(pattern)


def _ways(parts: Iterable[tuple[Any, Any]]) -> int:
    """Return at most how many ways an engine that backtracks can try a parsed expression."""
    ways = 1
    for kind, held in parts:
        ways *= _ways_of(str(kind), held)
        if ways > _MANY:
            return _MANY
    return ways


def _ways_of(kind: str, held: Any) -> int:
    if kind == "BRANCH":
        return sum(map(_ways, held[1]))
    if kind == "SUBPATTERN":
        return _ways(held[3])
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = held
        one = _ways(inner)
        total = 0
        for times in range(least, min(most, _MAX_GAP) + 1):
            total += one**times
            if total > _MANY:
                break
        return min(_MANY, total)
    if kind in ("ASSERT", "ASSERT_NOT"):
        return 1 + _ways(held[1])
    if kind == "ATOMIC_GROUP":
        return _ways(held)
    return 1 if kind in _SINGLE else _MANY
