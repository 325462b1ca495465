"""Figures and names of statements in languages that are not read, held against the sources.

A figure is another one than the source's only by a law that needs no reading of the language: all
content words of the statement stand in one sentence of a source, which has one figure of that
measure, as the statement has, and no source has the statement's; nothing in either denies, bounds,
reckons or compares. All else stays open.
"""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundrules.align.accounts import Figure, figure_of
from groundrules.align.measures import Number, agree
from groundrules.align.numbers import read_numbers
from groundrules.claims.legibility import language
from groundrules.claims.notations import WRITTEN, content, in_english, names, turned
from groundrules.claims.tongues import LETTERS, OTHER

#: The measures by which a figure may be another; a bare number or a year may be of anything.
_SURE = frozenset({"MONEY", "PERCENT", "QUANTITY", "DURATION", "TIME", "DATE"})
_SHOWN = 3
#: How far apart two figures may be that may still be one, as shares and in days: rounded, a year.
_NEAR, _DAYS = 0.2, 366.0
_DIGIT = re.compile(r"\d").search


@dataclass(frozen=True, slots=True)
class Compared:
    """What was found of a statement in another language: its figures, and names no source has."""

    figures: tuple[Figure, ...] = ()
    unknown: tuple[str, ...] = ()
    known: int = 0

    def told(self, tongue: str) -> str:
        """Return why the statement is not read, and what was compared of it."""
        missing = [figure.text for figure in self.figures if figure.account != "stated"]
        missing += self.unknown
        if missing:
            shown = ", ".join(f"“{one}”" for one in missing[:_SHOWN])
            return f"{tongue}; only figures and names are compared, and no source has {shown}"
        if self.known:
            return f"{tongue}; only figures and names are compared, and the sources have them"
        return tongue


class Abroad:
    """Sources with their sentences, in whose figures those of other languages are looked up."""

    def __init__(
        self, texts: Sequence[str], sentences: Sequence[Sequence[tuple[int, int]]]
    ) -> None:
        self._texts, self._sentences = texts, sentences
        self._tongues = [language(text) for text in texts]
        self._numbers = [
            _read(text, tongue) for text, tongue in zip(texts, self._tongues, strict=True)
        ]
        self._by_kind: dict[str, list[tuple[float, int, int]]] = defaultdict(list)
        for source, numbers in enumerate(self._numbers):
            for here, number in enumerate(numbers):
                self._by_kind[number.kind].append((number.value, source, here))
        for ordered in self._by_kind.values():
            ordered.sort()
        self._told: dict[tuple[int, int], tuple[frozenset[str], bool]] = {}
        self._words = frozenset(word.lower() for text in texts for word in LETTERS.findall(text))

    def written(self, tongue: str) -> str:
        """Return how a statement in a language is written, empty if that is not known.

        One of which only is known that it is no English is taken for one in that of the sources.
        """
        if tongue == OTHER and len(set(self._tongues)) == 1:
            tongue = self._tongues[0]
        return tongue if tongue in WRITTEN else ""

    def compare(self, statement: str, tongue: str) -> Compared:
        """Return what the sources have of the figures and names of a statement."""
        if not (tongue := self.written(tongue)):
            return Compared()
        claims = _read(statement, tongue)
        accounts = (self._figure(statement, tongue, claims, claim) for claim in claims)
        # one in words that no source has is often reckoned: that is left to whoever reads it
        figures = tuple(one for one in accounts if one.account != "absent" or _DIGIT(one.text))
        own = dict(names(statement, tongue))
        unknown = tuple(name for name, word in own.items() if not self._has(word))
        return Compared(figures, unknown, len(figures) + len(own))

    def _has(self, word: str) -> bool:
        """Return whether the sources have all parts of a word, a genitive or not."""
        parts = [part.lower() for part in LETTERS.findall(word)]
        return all(part in self._words or part.removesuffix("s") in self._words for part in parts)

    def _figure(
        self, statement: str, tongue: str, claims: Sequence[Number], claim: Number
    ) -> Figure:
        """Return how the sources account for a figure, in the words of either text."""
        said = replace(claim, text=statement[claim.start : claim.end].strip())
        for source, known in self._near(claim):
            if agree(claim, known):
                place = (source, known.start, known.end)
                return figure_of(said, "stated", similarity=1.0, places=(place,))
        others = list(self._others(statement, tongue, claims, claim))
        if len({self._texts[n][start:end].strip() for n, start, end in others}) == 1:
            n, start, end = others[0]
            rather = self._texts[n][start:end].strip()
            return figure_of(said, "conflict", rather=rather, similarity=1.0, places=(others[0],))
        return figure_of(said, "absent")

    def _near(self, claim: Number) -> Iterator[tuple[int, Number]]:
        """Yield the figures of the sources that may be the claimed one, each with its source."""
        ordered = self._by_kind[claim.kind]
        room = _DAYS if claim.kind == "DATE" else max(1.0, _NEAR * abs(claim.value))
        for at in range(bisect.bisect_left(ordered, (claim.low - room, 0, 0)), len(ordered)):
            value, source, here = ordered[at]
            if value > claim.high + room:
                return
            yield source, self._numbers[source][here]

    def _says(self, source: int, start: int, end: int) -> tuple[frozenset[str], bool]:
        """Return the content words of a sentence of a source, and whether one of it turns it."""
        if (source, start) not in self._told:
            sentence, tongue = self._texts[source][start:end], self._tongues[source]
            self._told[source, start] = content(sentence, tongue), turned(sentence, tongue)
        return self._told[source, start]

    def _others(
        self, statement: str, tongue: str, claims: Sequence[Number], claim: Number
    ) -> Iterator[tuple[int, int, int]]:
        """Yield the places of the figures that a statement has another in place of."""
        whole = claim.day is None or None not in claim.day
        alone = sum(one.measure == claim.measure for one in claims) == 1
        words = content(statement, tongue)
        if claim.kind not in _SURE or not (whole and alone and words) or turned(statement, tongue):
            return
        for source, own in enumerate(self._tongues):
            for start, end in self._sentences[source] if own == tongue else ():
                there_words, there_turned = self._says(source, start, end)
                if not words <= there_words or there_turned:
                    continue
                there = [
                    one
                    for one in self._numbers[source]
                    if start <= one.start < end and one.measure == claim.measure
                ]
                if len(there) == 1 and (there[0].day is None or None not in there[0].day):
                    yield source, there[0].start, there[0].end


def _read(text: str, tongue: str) -> tuple[Number, ...]:
    """Return the numbers of a text, as its language writes them, each with all it is written in."""
    written = in_english(text, tongue) if tongue in WRITTEN else text
    return tuple(
        replace(
            number,
            start=_start(text, written, number.start),
            end=_end(text, written, number.end),
        )
        for number in read_numbers(written)
        if not number.soft
    )


def _start(text: str, written: str, start: int) -> int:
    """Return where a figure begins whose English is shorter: "trois ans" is "3 yrs", filled up."""
    while start and written[start - 1] == " " and not text[start - 1].isspace():
        start -= 1
    return start


def _end(text: str, written: str, end: int) -> int:
    """Return where a figure ends whose English is shorter: "9 h 30" is "9:30", filled up."""
    while end < len(text) and written[end] == " " and not text[end].isspace():
        end += 1
    return end
