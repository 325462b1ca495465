"""A document as the parser read it, to be looked up: its words, its mentions and its names."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib.term import Literal, Node

from groundrules.claims.document import plain
from groundrules.claims.english import PRONOUNS
from groundrules.claims.english.stems import uninflected
from groundrules.claims.offline import Extraction
from groundrules.claims.parsed import Word
from groundrules.claims.phrases import normalised, sound
from groundrules.dataset import UNCOMMITTED
from groundrules.terms import Mention, Span

#: The kinds of what has a name.
NAMED = frozenset({"PERSON", "ORG", "LOC", "MISC", "TERM"})


class DropError(Exception):
    """A triple is dropped, for its text does not bear it out."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Lookup:
    """A document as the parser read it; `known` is the node that each node is resolved to."""

    extraction: Extraction
    plain: str
    words: tuple[Word, ...]
    starts: tuple[int, ...]
    known: Mapping[Node, Node]
    mentions: tuple[Mention, ...]
    places: tuple[int, ...]  # where the mentions start
    sentences: tuple[int, ...]  # where the sentences start
    named: Mapping[str, Mention | None]  # by name casefolded, None where it is short for several
    doubted: frozenset[int]  # the sentences in which the parser finds something denied or open

    def within(self, start: int, end: int) -> Sequence[Word]:
        """Return the words of a range of code points."""
        first, last = (bisect.bisect_left(self.starts, place) for place in (start, end))
        return self.words[first:last]

    def mentioned(self, start: int, end: int) -> list[Mention]:
        """Return the mentions that begin in a range of code points."""
        first, last = (bisect.bisect_left(self.places, place) for place in (start, end))
        return list(self.mentions[first:last])

    def sentence_at(self, span: Span) -> int:
        """Return the number of the sentence in which a span begins, or the last before it."""
        return max(bisect.bisect_right(self.sentences, span.start) - 1, 0)

    def names(self) -> Iterator[str]:
        """Yield the names of the document, each as it is first written."""
        seen = set()
        for mention in self.mentions:
            if mention.kind in NAMED and mention.node not in seen:
                seen.add(mention.node)
                label = " ".join(mention.text.split())
                if label.casefold() not in PRONOUNS:
                    yield sound(label)[:80]


def lookup_of(extraction: Extraction, resolved: Extraction, words: tuple[Word, ...]) -> Lookup:
    """Return a document to be looked up; `resolved` has the same mentions, resolved."""
    known = {
        before.node: after.node
        for before, after in zip(extraction.mentions, resolved.mentions, strict=True)
    }
    return Lookup(
        extraction,
        plain(extraction.document),
        words,
        tuple(word.start for word in words),
        known,
        extraction.mentions,
        tuple(mention.span.start for mention in extraction.mentions),
        tuple(span.start for span in extraction.sentences),
        _by_name(extraction.mentions),
        frozenset(
            claim.sentence
            for claim in extraction.claims
            if claim.polarity == "negative" or claim.modality in UNCOMMITTED
        ),
    )


def _by_name(mentions: Iterable[Mention]) -> dict[str, Mention | None]:
    """Return mentions by what they may be called: in full, by their first words or last name."""
    full: dict[str, Mention | None] = {}
    short: dict[str, Mention | None] = {}
    for mention in mentions:
        name = normalised(mention.text).casefold()
        if isinstance(mention.node, Literal) or name in PRONOUNS:
            continue
        full.setdefault(name, mention)
        words = name.split() if mention.kind in NAMED else []
        shorter = {" ".join(words[:size]) for size in range(1, len(words))}
        for key in shorter | ({words[-1]} if mention.kind == "PERSON" and words else set()):
            held = short.setdefault(key, mention)
            if held is not None and held.node != mention.node:
                short[key] = None
    return short | full


def is_same(wanted: str, word: Word) -> bool:
    """Return whether a word is the one wanted, inflected or not."""
    return wanted in (word.text, word.lemma) or (
        wanted.isalpha() and uninflected(wanted) == uninflected(word.text)
    )


def overlaps(first: Word, last: Word, span: Span) -> bool:
    """Return whether words from the first to the last have a part of a span."""
    return first.start < span.end and span.start < last.end


def meets(one: Span, other: Span) -> bool:
    """Return whether two spans of one text have a part in common."""
    return one.start < other.end and other.start < one.end
