"""A text as a language model's triples are looked up in it."""

from __future__ import annotations

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.parsed import Lookup, Parsed, lookup_of
from groundrules.claims.names.resolve import resolve


def looked_up(text: str, name: str = "text") -> Lookup:
    parsed = Parsed(from_text(text, name))
    words = parsed.words
    (resolved,) = resolve([parsed.extraction])
    return lookup_of(parsed.extraction, resolved, words)


def place(text: str, words: str) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)
