"""Sums as they are written: numbers, signs and brackets, and what they are said to give."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

#: So many numbers may be added up one by one; a longer sum is one of a row.
MOST = 4
#: So deep brackets are read.
_DEEP = 4
SIGNS = {
    "+": operator.add, "plus": operator.add, "-": operator.sub, "minus": operator.sub,
    "less": operator.sub, "*": operator.mul, "x": operator.mul, "times": operator.mul,
    "/": operator.truediv, "of": operator.truediv,
}  # fmt: skip
_EQUAL = frozenset("= is are make makes give gives leave leaves come comes equal equals".split())
#: What may stand between the sign of equality and what comes out.
_ABOUT = frozenset("to about nearly roughly".split())
_TOKEN = re.compile(
    r"[£€$]?(?P<term>[0-9][0-9,]*+(?:\.[0-9]++)?)(?P<share>\s?(?:%|per\scent\b|percent\b))?"
    r"|[^\W\d_]++[²³]?|\S"
)


@dataclass(frozen=True, slots=True)
class Term:
    """A number of a sum as it is written, and whether it is a percentage."""

    value: float
    digits: int
    percent: bool


@dataclass(frozen=True, slots=True)
class Step:
    """Two sides of a sum with the sign between them."""

    sign: str
    left: Side
    right: Side


Side: TypeAlias = "Term | Step"


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum as it is written, and what it is said to give."""

    words: str
    whole: Step
    given: Term


def read_sums(said: str) -> Iterator[Sum]:
    """Yield the sums of a text; a number may have one word behind it, its unit."""
    tokens = list(_TOKEN.finditer(said))
    at = 0
    while at < len(tokens):
        first = at
        read = _read(tokens, first, 0)
        at = first + 1
        whole, end = read or (None, first)
        if not isinstance(whole, Step):
            continue
        if _word(tokens, end) in _EQUAL:
            end += 1
            while _word(tokens, end) in _ABOUT:
                end += 1
            if end < len(tokens) and tokens[end]["term"]:
                words = said[tokens[first].start() : tokens[end].end()]
                yield Sum(words, whole, _term(tokens[end]))
                at = end  # what comes out may be the first number of another


def _read(
    tokens: Sequence[re.Match[str]], at: int, binding: int, deep: int = 0
) -> tuple[Side, int] | None:
    """Return the longest side of a sum from a token on whose signs bind so much, and its end."""
    if at >= len(tokens) or deep > _DEEP:
        return None
    side: Side
    if tokens[at]["term"]:
        side, at = _term(tokens[at]), at + 1
        unit, after = _word(tokens, at), _word(tokens, at + 1)
        if unit.isalpha() and unit not in (known := (*SIGNS, *_EQUAL)) and after in (*known, ")"):
            at += 1
    elif tokens[at][0] == "(":
        inner = _read(tokens, at + 1, 0, deep + 1)
        if inner is None or _word(tokens, inner[1]) != ")":
            return None
        side, at = inner[0], inner[1] + 1
    else:
        return None
    while (sign := _word(tokens, at)) in SIGNS:
        scales = not adds(sign)
        if scales < binding:
            break
        right = _read(tokens, at + 1, scales + 1, deep)
        if right is None:
            break
        side, at = Step(sign, side, right[0]), right[1]
    return side, at


def _word(tokens: Sequence[re.Match[str]], at: int) -> str:
    return tokens[at][0] if at < len(tokens) and not tokens[at]["term"] else ""


def _term(token: re.Match[str]) -> Term:
    plain = token["term"].replace(",", "")
    return Term(float(plain), len(plain.partition(".")[2]), token["share"] is not None)


def adds(sign: str) -> bool:
    """Return whether a sign adds or takes away."""
    return SIGNS[sign] in (operator.add, operator.sub)


def parts(side: Side, *, up: bool = True) -> Iterator[tuple[bool, Side]]:
    """Yield what a sum adds up, each with whether it is added and not taken away."""
    if isinstance(side, Step) and adds(side.sign):
        yield from parts(side.left, up=up)
        yield from parts(side.right, up=up is (SIGNS[side.sign] is operator.add))
    else:
        yield up, side


def row_of(side: Side) -> list[float]:
    """Return the numbers of a side that adds up more than `MOST`, and nothing else; else none."""
    some = [*parts(side)]
    terms = [one for up, one in some if up and isinstance(one, Term)]
    return [one.value for one in terms] if len(terms) == len(some) > MOST else []


def count(side: Side) -> int:
    """Return how many numbers a side has, those of a row counted as one."""
    if isinstance(side, Term) or row_of(side):
        return 1
    return count(side.left) + count(side.right)
