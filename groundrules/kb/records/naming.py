"""How the questions and answers of a domain name its things, as its `questions.toml` tells.

A thing bears a number, it may be in two papers and have numbered parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rdflib.term import URIRef

_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}


@dataclass(frozen=True, slots=True)
class Part:
    """A numbered part of a thing, and what questions call it."""

    word: str
    whole: URIRef
    number: URIRef

    def find(self, question: str) -> int:
        """Return the number of the part that a question names, 0 for none."""
        by_number, by_word = (one.search(question) for one in self.patterns())
        if by_number:
            return int(by_number[1])
        return _ORDINALS[by_word[1].lower()] if by_word else 0

    def patterns(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """Return what names a part: by its number, and by an ordinal."""
        return _part_patterns(self.word)


@cache
def _part_patterns(word: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    name, after = re.escape(word), r"(?:\s+(?:of|in|from|under))?"
    ordinals = "|".join(_ORDINALS)
    return (
        re.compile(rf"\b(?:the\s+)?{name}\s+(?:no\.?\s*)?(\d{{1,3}})\b{after}", re.I),
        re.compile(rf"\b(?:the\s+)?({ordinals})\s+{name}\b{after}", re.I),
    )


@dataclass(frozen=True, slots=True)
class Naming:
    """How the questions and answers of a domain name its things.

    `number` finds them by one in a question, in its group of that name. `papers` joins two papers
    of one thing, which state the same. `spoken` is what the thing is called, `example` a sentence
    about one.
    """

    number: re.Pattern[str] | None = None
    papers: URIRef | None = None
    spoken: str = "it"
    example: str = ""
    part: Part | None = None


def read_naming(data: Mapping[str, Any], iri: Callable[[str], URIRef]) -> Naming:
    """Return how the tables of a file of questions name things; KeyError and others as it is."""
    thing, part = data.get("thing", {}), data.get("part")
    return Naming(
        number=re.compile(thing["number"], re.I | re.X) if "number" in thing else None,
        papers=iri(thing["papers"]) if "papers" in thing else None,
        spoken=thing.get("spoken", "it"),
        example=thing.get("example", ""),
        part=Part(part["word"], iri(part["whole"]), iri(part["number"])) if part else None,
    )
