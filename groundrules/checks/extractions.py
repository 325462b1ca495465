"""What is read of documents, each of them once; of long contexts what bears on the text."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from groundrules import cache
from groundrules.claims.documents.document import Document, from_text, parts, plain

if TYPE_CHECKING:
    from groundrules.claims.facts.offline import Extraction
    from groundrules.claims.facts.outline import Outline
    from groundrules.claims.facts.parsed import Parsed

#: Contexts of up to so many words in all are parsed whole, of longer ones what bears on the text.
WHOLE_WORDS = 6_000

#: Words and signs that a parser sees for each word between spaces; prose has one or two.
_PARTS = 3
_PART = re.compile(r"\w+|[^\w\s]")

#: Kinds of names that a document introduces in full; a defined term is found by its definition.
_NAMES = frozenset({"PERSON", "ORG", "LOC", "MISC"})

#: The outlines of documents that came with one, and of those outlined last.
_outlines: OrderedDict[Document, Outline] = OrderedDict()
_OUTLINES = 1024


@lru_cache(maxsize=64)
def parsed(document: Document, model: str) -> Parsed:
    """Return a document that is parsed once, when it is first asked what is read of it."""
    from groundrules.claims.facts.parsed import Parsed

    return Parsed(document, model)


def extraction_of(document: Document, model: str) -> Extraction:
    """Return what is read of a whole document; ModelError where the model is missing."""
    return parsed(document, model).extraction


def parse_once(text: Document, contexts: Sequence[Document], model: str) -> None:
    """Parse what is parsed whole for its words too, before anybody asks what is read of it."""
    short = sum(length(one.text) for one in contexts) <= WHOLE_WORDS
    for document in (text, *contexts) if short else (text,):
        _ = parsed(document, model).words


def extractions_of(
    text: Extraction, contexts: Sequence[Document], model: str, *, whole: bool
) -> list[Extraction]:
    """Return what is read of the contexts; of long ones what bears on the text, unless `whole`."""
    if whole or sum(length(one.text) for one in contexts) <= WHOLE_WORDS:
        return [extraction_of(document, model) for document in contexts]
    from groundrules.align.bearing import bearing
    from groundrules.claims.facts.outline import capitals

    outlines = [_outline(document) for document in contexts]
    body = text.document.text
    chosen = bearing([body[span.start : span.end] for span in text.sentences], outlines)
    names = frozenset(w for m in text.mentions if m.kind in _NAMES for w in capitals(m.text))
    return [
        _part(document, numbers, names, model)
        for document, numbers in zip(contexts, chosen, strict=True)
    ]


@lru_cache(maxsize=16)
def _part(
    document: Document, chosen: frozenset[int], names: frozenset[str], model: str
) -> Extraction:
    """Return what is read of some sentences of a document: a text with its edits asks again."""
    from groundrules.claims.facts.outline import extract_part

    return extract_part(document, _outline(document), chosen, names, model=model)


def sentences(text: str, model: str) -> tuple[str, ...]:
    """Return the sentences of a source."""
    found = extraction_of(from_text(text, "source"), model)
    return tuple(found.document.text[span.start : span.end] for span in found.sentences)


@lru_cache(maxsize=16)
def length(text: str) -> int:
    """Return the length of a text in words, of which none has more than three parts."""
    return max(len(text.split()), sum(1 for _ in _PART.finditer(text)) // _PARTS)


def _outline(document: Document) -> Outline:
    from groundrules.claims.facts.outline import Outline, outline

    bare = replace(document, name="")
    known = _outlines.get(bare)
    if known is None:
        known = cache.kept(
            Outline, parts(bare), lambda: replace(outline(bare), document=replace(bare, text=""))
        )
    keep_outline(bare, known)
    return replace(known, document=replace(document, text=plain(document)))


def keep_outline(document: Document, outline: Outline) -> None:
    """Keep the outline of a document without a name, and forget those kept longest ago."""
    _outlines[document] = outline
    _outlines.move_to_end(document)
    while len(_outlines) > _OUTLINES:
        _outlines.popitem(last=False)
