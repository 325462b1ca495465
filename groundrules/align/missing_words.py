"""The content words of a statement that no passage has, in any form or of one meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from groundrules.align.places import sense
from groundrules.align.words.passages import stems, words
from groundrules.claims.english import WEEKDAYS

#: A word; what stands in no group is an auxiliary cut short, which is no content: "shouldn't".
_WORD = re.compile(r"[^\W\d_]+n['\u2019]t\b|['\u2019](?:ll|re|ve)\b|([^\W\d_]{2,})")
#: Words that no passage has, as many are shown.
_SHOWN = 4


def missing_words(
    text: str, passages: Sequence[str], spared: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """Yield the content words of a statement that no passage has, those in some ranges apart."""
    there = {form for passage in passages for word in words(passage) for form in _forms(word)}
    if any("°" in passage for passage in passages):
        there |= _forms("degree") | _forms("degrees")
    short = {word for passage in passages for word in re.findall(r"\b[A-Z][a-z]{2}\b", passage)}
    there |= {form for day in WEEKDAYS if day[:3].title() in short for form in _forms(day)}
    for word in _content(text, spared):
        if there.isdisjoint(_forms(word)):
            yield word


def _content(text: str, spared: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield the content words of a statement but for those in some ranges."""
    from spacy.lang.en.stop_words import STOP_WORDS

    for match in _WORD.finditer(text):
        word = match[1]
        if word is None or word.casefold() in STOP_WORDS or not stems(word):
            continue
        if not any(start < match.end() and match.start() < end for start, end in spared):
            yield word


@lru_cache(maxsize=16384)
def _forms(word: str) -> frozenset[str]:
    """Return by what a word is found: its beginning, the mark of its meaning, its singular."""
    return frozenset({*stems(word), sense(word), word.casefold().removesuffix("s")})


def quoted(found: Sequence[str]) -> str:
    """Return the first of some words in quotation marks, in their order."""
    shown = ", ".join(f"“{word}”" for word in found[:_SHOWN])
    more = len(found) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
