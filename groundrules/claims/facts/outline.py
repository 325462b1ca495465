"""Outline: what a long document shows without a parser, and its extraction from a part of it.

Only the sentences that bear on what is checked are parsed. The others give their sentences, their
values and, where they use one of the names that are asked for, their names; what a contract says in
its fixed phrasing is read everywhere.
"""

from __future__ import annotations

import bisect
import re
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundrules.claims.documents.document import Document, plain
from groundrules.claims.facts.discourse import Discourse
from groundrules.claims.facts.offline import (
    EMBEDDED,
    Extraction,
    finished,
    load,
    passage_of,
    unmarked,
)
from groundrules.claims.facts.phrases import normalised
from groundrules.claims.facts.triples import Ledger, write
from groundrules.claims.names.definitions import Definition, defined_terms, definitions
from groundrules.claims.names.names import find_names
from groundrules.claims.units.blocks import LONGEST, Block, cut, parse, tokenised
from groundrules.claims.units.units import cut_sentences
from groundrules.claims.values.value_reader import Value, find_values
from groundrules.terms import ENTITY, Span, mint

if TYPE_CHECKING:
    from spacy.language import Language

_CAPITALS = re.compile(r"[^\W\d_a-z][\w&'’.-]*\w|[^\W\d_a-z]")


@dataclass(frozen=True, slots=True)
class Outline:
    """A document without its markup, the ranges of its sentences and its values.

    `opening` are the numbers of the sentences that open a block, as `cut` cuts them.
    """

    document: Document
    sentences: tuple[tuple[int, int], ...]
    opening: frozenset[int]
    values: tuple[Value, ...]

    @property
    def text(self) -> str:
        """The text without its markup, in the places it has in the document."""
        return self.document.text

    def __hash__(self) -> int:
        """Return the hash of the text, of which all else is made."""
        return hash(self.document.text)

    def said(self, number: int) -> str:
        """Return the words of a sentence."""
        return self.text[slice(*self.sentences[number])]

    def sentence_at(self, place: int) -> int:
        """Return the number of the sentence that a place lies in, or the last before it."""
        return max(bisect.bisect_right(self.sentences, (place, len(self.text))) - 1, 0)

    def definitions(self) -> Iterator[Definition]:
        """Yield the terms that the document defines."""
        return definitions(self.text)


def outline(document: Document) -> Outline:
    """Return the outline of a document; the cost is linear in its length, and no model is read."""
    text = plain(document)
    sentences: list[tuple[int, int]] = []
    opening = set()
    for start, end in cut(text):
        opening.add(len(sentences))
        sentences += cut_sentences(text, start, end)
    plainly = replace(document, text=text)
    return Outline(plainly, tuple(sentences), frozenset(opening), find_values(text))


def extract_part(
    document: Document,
    known: Outline,
    chosen: Collection[int],
    names: Collection[str] = (),
    *,
    model: str = EMBEDDED,
) -> Extraction:
    """Return the extraction of a document of which only the chosen sentences are parsed.

    `names` are the words with a capital that are looked for in the others, where they stand first.
    """
    nlp = load(model)
    text, source = known.text, document.name
    ledger = Ledger(source)
    terms = defined_terms(text)
    starts = [value.start for value in known.values]
    runs = dict(_runs(known, chosen))
    parsed = {block.offsets[0][0]: block for block in _parsed(model, text, [*runs.values()])}
    named = _first_uses(known, names)
    discourse, last, number = Discourse(), -1, 0
    while number < len(known.sentences):
        start, end = runs.get(number) or known.sentences[number]
        block = parsed.get(start) if number in runs else None
        if block is not None:
            if last != number:  # what a pronoun stands for was not read
                discourse = Discourse()
            passage = passage_of(known.document, block, known.values, starts, terms)
            discourse.enter(passage)
            write(passage, ledger)
            number = last = known.sentence_at(end - 1) + 1
            continue
        ledger.sentences.append(Span(source, start, end))
        first, after = bisect.bisect_left(starts, start), bisect.bisect_left(starts, end)
        for value in known.values[first:after]:
            said = text[value.start : value.end]
            place = Span(source, value.start, value.end)
            ledger.mention(place, said, value.kind, value.literal, " ".join(said.split()))
        if number in named:
            _mention_names(nlp, known, start, end, terms, ledger)
        number += 1
    return unmarked(finished(known.document, ledger, known.values), document)


def _runs(known: Outline, chosen: Collection[int]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the chosen sentences that follow each other in a block as one, by its first."""
    run: list[int] = []
    for number in [*sorted(chosen), -1]:
        start = known.sentences[run[0]][0] if run else 0
        if run and not (
            number == run[-1] + 1
            and number not in known.opening
            and known.sentences[number][1] - start <= LONGEST
        ):
            yield run[0], (start, known.sentences[run[-1]][1])
            run = []
        run.append(number)


#: A name is introduced where it stands first: in so many sentences.
_INTRODUCED = 4


def _first_uses(known: Outline, names: Collection[str]) -> frozenset[int]:
    """Return the sentences in which some words with a capital stand first."""
    left = dict.fromkeys(names, _INTRODUCED)
    out = set()
    for number in range(len(known.sentences)):
        for word in left.keys() & capitals(known.said(number)):
            out.add(number)
            left[word] -= 1
            if not left[word]:
                del left[word]
    return frozenset(out)


#: Parsed blocks that are kept: texts checked against one source share them.
_KEPT = 512
_blocks: OrderedDict[tuple[str, str], Block] = OrderedDict()


def _parsed(model: str, text: str, places: Sequence[tuple[int, int]]) -> Iterator[Block]:
    """Yield the parsed blocks at some places; what a parser makes of one depends on it alone."""
    said = {place: (model, text[slice(*place)]) for place in places}
    missing = [place for place, key in said.items() if key not in _blocks]
    nlp = load(model)
    for block in parse(nlp, text, missing):
        # a block without a word has none, and was left out
        place = next(p for p in missing if p[0] <= block.offsets[0][0] < p[1])
        moved = tuple((first - place[0], last - place[0]) for first, last in block.offsets)
        _blocks[said[place]] = Block(block.doc, moved)
    for place, key in said.items():
        if key in _blocks:
            _blocks.move_to_end(key)
            block, start = _blocks[key], place[0]
            yield Block(block.doc, tuple((start + a, start + b) for a, b in block.offsets))
    while len(_blocks) > _KEPT:
        _blocks.popitem(last=False)


def capitals(text: str) -> list[str]:
    """Return the words of a text that begin with a capital."""
    return _CAPITALS.findall(text)


def _mention_names(
    nlp: Language, known: Outline, start: int, end: int, terms: frozenset[str], ledger: Ledger
) -> None:
    """Note the names of a sentence by their shape and what stands around them."""
    doc, offsets = tokenised(nlp, known.text, start, end)
    for name in find_names([token.text for token in doc], terms=terms):
        place = Span(ledger.source, offsets[name.start][0], offsets[name.end - 1][1])
        said = known.text[place.start : place.end]
        label = normalised(said)
        if label:
            ledger.mention(place, said, name.kind, mint(ENTITY, label), label)
