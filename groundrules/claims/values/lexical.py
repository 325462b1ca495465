"""What the readers of values share: the value itself, and pieces of patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rdflib.term import Literal, URIRef


@dataclass(frozen=True, slots=True)
class Value:
    """A typed literal and the half-open code-point range it was read from."""

    start: int
    end: int
    kind: str
    literal: Literal


def either(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


# one line break at most between the words of a value
GAP = r"(?:[^\S\r\n]{1,60}+(?:\r?\n[^\S\r\n]{0,60}+)?|\r?\n[^\S\r\n]{0,60}+)"
LETTER = r"A-Za-z_\u00aa\u00b5\u00ba\u00c0-\u02af\u0370-\u052f"


@lru_cache(maxsize=4096)
def typed(lexical: str, datatype: URIRef) -> Literal:
    """Return a literal of a datatype as it is written."""
    return Literal(lexical, datatype=datatype, normalize=False)


#: What may begin a unit, so that bare numbers in a row are told from one at once.
WORD_NEXT = r"(?=[^\s0-9])"
# scanned contracts have "15 th" and "24t h"
TH = r"(?:(?:(?ai:st|nd|rd|th)|\s?(?:s ?t|n ?d|r ?d|t ?h))(?![A-Za-z]))"
JOINED = re.compile(r"[0-9A-Za-z_]|[.,][0-9]")
# seconds, or months where the factor is negative
PERIODS = {
    "second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "day": 86400,
    "week": 604800, "wk": 604800, "fortnight": 1209600, "month": -1, "mo": -1, "year": -12,
    "yr": -12, "decade": -120, "century": -1200, "centurie": -1200,
}  # fmt: skip
