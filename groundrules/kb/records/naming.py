"""How the questions and answers of a domain name its things, as its `questions.toml` tells.

A thing bears a number, it may be in two papers and have numbered parts, and sentences relate things
by verbs.
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
    """A numbered part of a thing, and what questions call it.

    `pieces` are what the IRIs of all parts have between that of the whole and their number.
    """

    word: str
    whole: URIRef
    number: URIRef
    pieces: tuple[str, ...] = ()

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
class Relation:
    """What sentences state by a `verb` of two things, or of two parts of one.

    The verb is passive where its group of that name is found; `says` is the verb in the third
    person. `clear` is found where nothing else can be meant, always if it is None. `lacking` is
    the word for a part that is so related to none.
    """

    properties: tuple[URIRef, ...]
    says: str
    verb: re.Pattern[str]
    of: str = ""
    clear: re.Pattern[str] | None = None
    lacking: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """How the questions and answers of a domain name its things.

    `number` finds them by one in a question, in its group of that name; `before` and `after` are
    what may be written at a number itself, `words` before it, each an expression. `papers` joins
    two papers of one thing, of `classes`, which state the same; `earlier` leads from one to what
    came before, where `goes_back` is found. `spoken` is what the thing is called, `example` a
    sentence about one.

    The values of `dates` are mistaken for each other, and those of `people` as well. `plain` words
    say nothing that a record must have; `turning` ones turn round the rest of a sentence.
    """

    number: re.Pattern[str] | None = None
    before: str = ""
    after: str = ""
    words: str = ""
    papers: URIRef | None = None
    classes: tuple[URIRef, ...] = ()
    earlier: URIRef | None = None
    goes_back: re.Pattern[str] | None = None
    spoken: str = "it"
    example: str = ""
    part: Part | None = None
    dates: tuple[URIRef, ...] = ()
    people: tuple[URIRef, ...] = ()
    relations: tuple[Relation, ...] = ()
    plain: tuple[str, ...] = ()
    turning: tuple[str, ...] = ()


def read_naming(data: Mapping[str, Any], iri: Callable[[str], URIRef]) -> Naming:
    """Return how the tables of a file of questions name things; KeyError and others as it is."""
    thing, part, said = data.get("thing", {}), data.get("part"), data.get("answer", {})

    def pattern(table: Mapping[str, Any], key: str, flags: int = 0) -> re.Pattern[str] | None:
        return re.compile(table[key], re.I | flags) if key in table else None

    return Naming(
        number=pattern(thing, "number", re.X),
        before=thing.get("before", ""),
        after=thing.get("after", ""),
        words=thing.get("words", ""),
        papers=iri(thing["papers"]) if "papers" in thing else None,
        classes=tuple(map(iri, thing.get("classes", ()))),
        earlier=iri(thing["earlier"]) if "earlier" in thing else None,
        goes_back=pattern(thing, "goes_back"),
        spoken=thing.get("spoken", "it"),
        example=thing.get("example", ""),
        part=_part(part, iri) if part else None,
        dates=tuple(map(iri, said.get("dates", ()))),
        people=tuple(map(iri, said.get("people", ()))),
        relations=tuple(
            Relation(
                tuple(map(iri, one["properties"])),
                one["says"],
                re.compile(one["verb"], re.I | re.X),
                one.get("of", ""),
                pattern(one, "clear"),
                one.get("lacking", ""),
            )
            for one in data.get("relation", ())
        ),
        plain=tuple(said.get("plain", "").split()),
        turning=tuple(said.get("turning", "").split()),
    )


def _part(table: Mapping[str, Any], iri: Callable[[str], URIRef]) -> Part:
    word = table["word"]
    return Part(
        word, iri(table["whole"]), iri(table["number"]), tuple(table.get("pieces", (word,)))
    )
