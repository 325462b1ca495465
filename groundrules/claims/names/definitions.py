"""Definitions: the terms a text defines in parentheses: `World Health Organization ("WHO")`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PAREN = re.compile(
    r"\(\s{0,20}+(?P<lead>(?:[^()\"“”„`]{0,80}?[\s,])?)(?:[\"“”„]|``|'')\s{0,20}+(?P<term>(?:[^()\"“”„`']|'(?!')){2,60}?)\s{0,20}(?:[\"“”„]|'')"
    r"(?P<rest>[^()]{0,120})\)"
)
_QUOTED = re.compile(r"(?:[\"“„]|``)\s{0,20}+([^()\"“”„`]{2,60}?)\s{0,20}(?:[\"”]|'')")


@dataclass(frozen=True, slots=True)
class Definition:
    """A defined term: `term` stands at `place`, the parenthesis opens at `opens`."""

    term: str
    place: tuple[int, int]
    opens: int
    closes: int


def definitions(text: str) -> Iterator[Definition]:
    """Yield the terms a text defines in parentheses: `Alpine Holdings LLC (the "Company")`."""
    for found in _PAREN.finditer(text):
        lead = found["lead"].casefold()
        if len(lead) > 40 and "hereinafter" not in lead and "referred" not in lead:
            continue
        inside = found.start() + 1
        for quoted in _QUOTED.finditer(found.group(), 1):
            term = quoted[1]
            if not term[:1].isupper() or len(term.split()) > 5:
                continue
            start = found.start() + quoted.start(1)
            yield Definition(
                " ".join(term.split()).rstrip(","),
                (start, start + len(term)),
                inside - 1,
                found.end(),
            )


def defined_terms(text: str) -> frozenset[str]:
    """Return the defined terms of a text."""
    return frozenset(d.term for d in definitions(text))
