"""What was found of statements held against some sources: each is found once.

A text repeats itself, and is read again with its edits: what a statement is beside the same
passages, after the same statements, is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from groundrules.align.accounts import Contrast, Figure
from groundrules.align.cells import Found, by_cells
from groundrules.align.closest_sentences import NEAR, Names, one_difference, within
from groundrules.align.coverage import LeftOver, covers
from groundrules.align.difference import Difference
from groundrules.align.figures import account
from groundrules.align.parses import parse, parse_ahead
from groundrules.align.passages import words
from groundrules.align.places import FigureIndex, index_figures
from groundrules.align.projection import Relation
from groundrules.align.source_sentences import sentences_around
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.values.value_reader import find_values
from groundrules.terms import Mention, Span

_T = TypeVar("_T")
Sources = Sequence[Extraction]

#: A heading under which nothing is asserted, and what takes back the sentence before it.
_UNSAID = re.compile(
    r"(?i)\b(?:drafts?|myths?|cancelled|repealed|superseded|void|proposals?|proposed|examples?|rejected)\b"
)
_TAKEN_BACK = re.compile(
    r"(?i)(?:no|not|false|wrong|untrue)\b[.!]|(?:this|that|it|so|which)\b[^.!?\n]{0,60}"
    r"\b(?:void|false|untrue|wrong|myth|cancelled|repealed|not true|says|said|claims?|rumou?r)\b"
)
#: How many lines above a sentence a heading of so many words is looked for.
_LINES, SHORT = 40, 6
#: How many findings on statements are kept, of some sources each.
_KEPT = 12_288
#: For how many sets of sources that is kept, the last of them.
_SOURCES = 64


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A statement with the texts of its premises, what was said before, and the names in it."""

    text: str
    passages: tuple[str, ...]
    before: tuple[str, ...]
    mentions: tuple[Mention, ...]

    def to_parse(self) -> tuple[str, ...]:
        """Return what is to be parsed for it, nothing where it is copied."""
        return () if any(self.copied()) else (self.text, *self.passages)

    def copied(self) -> list[bool]:
        """Return of each passage whether it has just the words and values of the statement."""
        own = words(self.text)
        values = [one.literal for one in find_values(self.text)]
        return [
            words(passage) == own and [one.literal for one in find_values(passage)] == values
            for passage in self.passages
        ]


def _frozen(names: Names) -> frozenset[tuple[str, frozenset[object]]]:
    return frozenset((source, frozenset(called.items())) for source, called in names.items())


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The figures of some sources, and what was found of statements held against them."""

    index: FigureIndex
    known: dict[tuple[object, ...], Any] = field(default_factory=dict)

    def _once(self, key: tuple[object, ...], make: Callable[[], _T]) -> _T:
        """Return what is known by a key, made where it is not; the oldest makes room."""
        if key not in self.known:
            while len(self.known) >= _KEPT:
                del self.known[next(iter(self.known))]
            self.known[key] = make()
        found: _T = self.known[key]
        return found

    def account(self, statement: str, before: tuple[str, ...]) -> tuple[Figure, ...]:
        """Return how the sources account for the numbers of a statement."""
        return self._once(
            ("figures", statement, before), lambda: account(statement, self.index, before=before)
        )

    def cells_of(
        self, asked: Hypothesis, passages: tuple[Span, ...], sources: Sequence[Extraction]
    ) -> tuple[Contrast, ...]:
        """Return where the rows of tables exclude a statement."""
        return self._once(
            ("cells", asked.text, passages), lambda: tuple(_in_cells(asked.text, passages, sources))
        )

    def left_of(
        self, asked: Hypothesis, passages: tuple[Span, ...], sources: Sources, names: Names
    ) -> tuple[LeftOver, tuple[Difference, tuple[int, int, int]] | None]:
        """Return what a statement leaves over, and its one difference where it has just one."""
        return self._once(
            ("left", asked.text, passages, _frozen(names)),
            lambda: one_difference(
                asked.text, passages, sources, names, lambda: self.account(asked.text, ())
            ),
        )

    def covering(
        self, asked: Hypothesis, passages: tuple[Span, ...], sources: Sources, names: Names
    ) -> frozenset[str]:
        """Return the sources that bear a statement out word by word."""
        return self._once(
            ("covering", asked.text, passages, _frozen(names)),
            lambda: _covering(asked.text, passages, sources, names),
        )

    def knows(self, asked: Hypothesis, passages: tuple[Span, ...]) -> bool:
        """Return whether a statement was held against its passages before."""
        return ("cells", asked.text, passages) in self.known


@lru_cache(maxsize=_SOURCES)
def _of_texts(texts: tuple[str, ...]) -> Comparisons:
    return Comparisons(index_figures(texts))


def comparisons_with(sources: Sequence[Extraction]) -> Comparisons:
    """Return what was found of statements beside some sources, which is made once for each set."""
    return _of_texts(tuple(source.document.text for source in sources))


def read_sources(sources: Sequence[Extraction]) -> None:
    """Read of sources now what statements are held against, which else waits for the first."""
    comparisons_with(sources)
    for source in sources:
        body = source.document.text
        places = [(span.start, span.end) for span in source.sentences]
        sentences = [body[start:end] for start, end in places]
        parse_ahead(sentences)
        sentences_around(body, places)


def _is_unsaid(text: str, passage: str) -> bool:
    """Return whether what stands around a sentence takes it back: a heading, or what follows it."""
    at = text.find(passage)
    behind = text[at + len(passage) :].lstrip()[:NEAR].partition("\n")[0] if at >= 0 else ""
    if _TAKEN_BACK.match(behind):
        return True
    for line in reversed(text[: max(at, 0)].split("\n")[-_LINES:]):
        said = line.strip()
        short = bool(said) and said[-1] not in ".?!;,|”" and len(said.split()) <= SHORT
        if said.startswith("#") or short:
            return bool(_UNSAID.search(said))
    return False


def _covering(
    text: str, passages: Sequence[Span], sources: Sequence[Extraction], names: Names
) -> frozenset[str]:
    """Return the sources that bear a statement out word by word, in words of one meaning too."""
    known = set()
    for source in sources:
        name, body = source.document.name, source.document.text
        if name not in names:
            continue
        said = [
            (one.text, one.before)
            for one in sentences_around(body, within(passages, source))
            if not _is_unsaid(body, one.text)
        ]
        own = " ".join(text.split())
        copied = [
            there for one in passages
            if one.source == name
            for there in (body[one.start : one.end],)
            if " ".join(there.split()) == own and not _is_unsaid(body, there)
        ]  # fmt: skip
        if (
            copied
            or _told_by_cells(body, text)[0] is Relation.SAME
            or covers(text, said, names[name], entailed=True)
        ):
            known.add(name)
    return frozenset(known)


@lru_cache(maxsize=4096)
def _told_by_cells(body: str, text: str) -> Found:
    """Return what the tables of a source say of a statement, and where the row stands."""
    return by_cells(body, parse(text)) if "|" in body else (Relation.OPEN, None)


def _in_cells(
    text: str, passages: Sequence[Span], sources: Sequence[Extraction]
) -> Iterator[Contrast]:
    """Yield the rows of tables that have all but one of the values of a statement."""
    for number, source in enumerate(sources):
        body = source.document.text
        relation, row = _told_by_cells(body, text)
        if row is not None and relation.refutes and within(passages, source):
            stated = body[slice(*row)]
            yield Contrast("value", 0, len(text), text, stated, 0, ((number, *row),))
