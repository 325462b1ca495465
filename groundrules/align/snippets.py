"""What a few words of a text say, as we read it: numbers, days, names, denials, quantifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from groundrules.align.deductions import read_propositions
from groundrules.align.numbers import Number, read_numbers
from groundrules.align.parses import parse
from groundrules.claims.english import NEGATIVE, PREPOSITIONS
from groundrules.claims.english.logic import NONE_OF, PARTITIVE
from groundrules.claims.llm_propositions import Place
from groundrules.claims.slots import Term

__all__ = [
    "WORD",
    "dates",
    "framed",
    "meets",
    "names",
    "numbers",
    "opening",
    "quantifiers",
    "sentence_of",
    "turns",
    "words_at",
]

_ONLY = frozenset({"only", "solely", "exclusively", "alone"})
WORD = re.compile(r"\w+(?:['’]\w+)?")


def sentence_of(text: str, places: Sequence[Place]) -> Place:
    """Return the range of the sentences that some places lie in."""
    first, last = min(one[0] for one in places), max(one[1] for one in places)
    start, end = first, last
    for sentence in parse(text).sents:
        if sentence.start_char <= first < sentence.end_char:
            start = sentence.start_char
        if sentence.start_char < last <= sentence.end_char:
            end = sentence.end_char
    return start, end


def words_at(places: Sequence[Place], text: str) -> list[str]:
    """Return the words at some places of a text."""
    return [word for start, end in places for word in WORD.findall(text[start:end])]


def meets(places: Sequence[Place], place: Place) -> bool:
    """Return whether a range of a text overlaps with one of some places."""
    return any(start < place[1] and place[0] < end for start, end in places)


def numbers(words: str) -> tuple[tuple[Any, ...], ...]:
    """Return the numbers, amounts and dates of some words by what they measure and how much."""
    return tuple(sorted((n.kind, n.unit, *_ends(n)) for n in read_numbers(words) if not n.soft))


def _ends(number: Number) -> tuple[float, float, str]:
    """Return the bounds of a number, with its words where it is a day of no year."""
    placed = number.kind != "DATE" or number.low or number.high
    return number.low, number.high, "" if placed else number.text.casefold()


def dates(words: str) -> list[tuple[float, float, str]]:
    """Return the days and hours of some words, where they are told."""
    return sorted(_ends(n) for n in read_numbers(words) if n.kind in {"DATE", "TIME"})


def opening(words: str) -> str:
    """Return the preposition that opens some words, empty for none."""
    first = words.strip().partition(" ")[0].casefold()
    return first if first in PREPOSITIONS else ""


def turns(words: str) -> tuple[int, bool]:
    """Return whether some words deny, and whether they say that nothing else is so."""
    low = [word.casefold() for word in WORD.findall(words)]
    denials = sum(word in NEGATIVE - NONE_OF or word.endswith(("n't", "n’t")) for word in low)
    return denials % 2, not _ONLY.isdisjoint(low)


def quantifiers(words: str) -> set[str]:
    """Return the quantifiers among some words, in small letters."""
    return {word.casefold() for word in WORD.findall(words)} & PARTITIVE


def names(text: str, places: Sequence[Place]) -> Iterator[str]:
    """Yield the proper nouns at some places of a text, in small letters."""
    for token in parse(text):
        if token.pos_ == "PROPN" and meets(places, (token.idx, token.idx + len(token))):
            yield token.lower_


def framed(words: str) -> Term | None:
    """Return the thing that some words name, as our own reading has it."""
    first, _, rest = words.strip(" ,.;:").partition(" ")
    bare = rest if first.casefold() in PREPOSITIONS and rest else words.strip(" ,.;:")
    if not bare:
        return None
    text = f"{bare[:1].upper()}{bare[1:]} must stay."
    for event in read_propositions(text):
        for one in (*event.of("subj"), *event.of("obj")):
            return one
    return None
