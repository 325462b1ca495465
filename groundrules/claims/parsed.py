"""A document that is parsed once, for what is read of it and for its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from groundrules import cache
from groundrules.claims.blocks import Block
from groundrules.claims.document import Document, parts
from groundrules.claims.offline import EMBEDDED, Extraction, extract, parsed


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
