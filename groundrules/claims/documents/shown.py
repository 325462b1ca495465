"""Shown: a document as a reader sees it, with the places of its characters in the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from groundrules.claims.documents.document import Document
from groundrules.claims.documents.markup import (
    Cut,
    Places,
    emphasised,
    entities,
    markdown,
    spellings,
    tags,
    take_out,
)
from groundrules.claims.documents.wrapping import soft_breaks
from groundrules.terms import Span

#: Formats whose lines a page's width may have broken.
_WRAPPED = frozenset({"txt", "md", "pdf"})


@dataclass(frozen=True, slots=True)
class Shown:
    """A document as it is shown, the one that it was made of, and the way back.

    `layers` lead from what is shown to the text of the file, the first that was taken off first.
    `struck` are the words that are struck out: they are shown, and not said.
    """

    document: Document
    original: Document
    layers: tuple[Places, ...] = ()
    struck: tuple[str, ...] = ()

    @property
    def not_read(self) -> tuple[str, ...]:
        """What of the text is shown and not read, in words for a report."""
        name = self.original.name
        return tuple(
            f"{name}: “{words[:60]}{'…' * (len(words) > 60)}” is struck out or hidden"
            for words in self.struck
            if words
        )

    def in_file(self, span: Span) -> Span:
        """Return the place in the text of the file of a place in what is shown."""
        start, end = span.start, span.end
        for layer in reversed(self.layers):
            start, end = layer.of(start, end)
        return Span(span.source, start, end)


@lru_cache(maxsize=64)
def shown(document: Document, hidden: Sequence[tuple[int, int]] = ()) -> Shown:
    """Return a document as it is shown: one text without gaps.

    Of Markdown the markup is gone, but for the marks of lines and cells, see `document.plain`; of
    plain text, which may be Markdown without saying so, pairs of marks of emphasis. Of both,
    character references are read; of all formats, words that a line break divides, figures that
    are grouped or boxed, and gaps of more than forty blanks; of what has lines of one width the
    breaks of these are gone, see `wrapping`. `hidden` are ranges that nobody is to
    read.
    """
    if document.shown:
        return Shown(document, document)
    text = document.text
    cuts: list[Cut] = [(start, _behind(text, start, end), "") for start, end in hidden]
    if document.format == "md":
        _, taken, found = markdown(text)
    elif document.format == "txt":
        taken, found = emphasised(text, "*_~")
        taken += [*entities(text), *tags(text)]
    else:
        taken, found = emphasised(text, "~")

    def spell(said: str) -> list[Cut]:
        wrapped = soft_breaks(said) if document.format in _WRAPPED else ()
        return [*spellings(said), *wrapped]

    layers = []
    for made in (lambda _: [*cuts, *taken], spell):
        if one := list(made(text)):
            text, places = take_out(text, one)
            layers.append(places)
    if not layers and document.format != "md":
        return Shown(document, document)
    said = tuple(" ".join(words.split()) for words in found)
    return Shown(replace(document, text=text, shown=True), document, tuple(layers), said)


def _behind(text: str, start: int, end: int) -> int:
    """Return where what is hidden ends, with the blanks behind it if one stands before it."""
    while (not start or text[start - 1].isspace()) and text[end : end + 1] in (" ", "\t"):
        end += 1
    return end
