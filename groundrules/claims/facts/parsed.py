"""A document that is parsed once: what is read of it, its words, and where to look them up."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rdflib.term import Literal, Node

from groundrules import cache
from groundrules.claims.documents.document import Document, parts, plain
from groundrules.claims.english import PRONOUNS
from groundrules.claims.english.stems import uninflected
from groundrules.claims.facts.offline import EMBEDDED, Extraction, extract, parsed
from groundrules.claims.facts.phrases import normalised, sound
from groundrules.claims.units.blocks import Block
from groundrules.dataset import UNCOMMITTED
from groundrules.terms import Mention, Span


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a document, casefolded, with its place."""

    start: int
    end: int
    text: str
    lemma: str
    tag: str


class Parsed:
    """A document that is parsed when it is first asked for what is read of it, or for its words.

    One parse serves both where the words are asked for first, and what was read of it before is
    taken from the cache. ModelError where the model is missing.
    """

    def __init__(self, document: Document, model: str = EMBEDDED) -> None:
        self._document, self._model = document, model
        self._extraction: Extraction | None = None
        self._words: tuple[Word, ...] | None = None

    @property
    def extraction(self) -> Extraction:
        """What is read of the document."""
        if self._extraction is None:
            self._extraction = self._extracted(None)
        return self._extraction

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of the document without its markup, as the parser has them."""
        if self._words is None:
            blocks = tuple(parsed(self._document, self._model))
            if self._extraction is None:
                self._extraction = self._extracted(blocks)
            self._words = tuple(words_of(blocks))
        return self._words

    def _extracted(self, blocks: Iterable[Block] | None) -> Extraction:
        document = self._document
        if self._model != EMBEDDED:
            return extract(document, model=self._model, blocks=blocks)
        bare = replace(document, text="")
        found = cache.kept(
            Extraction,
            parts(document),
            lambda: replace(extract(document, blocks=blocks), document=bare),
        )
        return replace(found, document=document)


def words_of(blocks: Iterable[Block]) -> Iterator[Word]:
    """Yield the words of parsed blocks in order; signs are none, but for parts of contractions."""
    for block in blocks:
        for token, (start, end) in zip(block.doc, block.offsets, strict=True):
            if token.text[:1].isalnum() or token.text in {"'s", "n't", "n’t", "’s"}:
                text = token.norm_ if token.text in {"n't", "n’t"} else token.text
                lemma = (token.lemma_ or token.text).casefold()
                yield Word(start, end, text.casefold(), lemma, token.tag_)


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
