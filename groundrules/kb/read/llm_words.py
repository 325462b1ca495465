"""The words of a sentence that a model has copied: where they stand, and which are left."""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from groundrules.claims.english import RELATIVES
from groundrules.claims.english.attributes import OFFICES
from groundrules.claims.english.fillers import (
    NO_RELATION,
    SAME_RELATION,
    SILENT_IN_DENIALS,
    TURNING_THE_REST,
)
from groundrules.claims.english.signals import FORMER
from groundrules.claims.english.slot_words import HEARSAY, TITLES
from groundrules.claims.evidence.copied import find_words, pieces_of
from groundrules.claims.facts.parsed import Word
from groundrules.kb.link.properties import lexicon, local_name, words
from groundrules.kb.read.relational import Sentence
from groundrules.kb.sources.source import Property
from groundrules.terms import Span

#: A word, with what hyphens and apostrophes join to it.
WORD = re.compile(r"\w+(?:[-'’]\w+)*")

#: Words that say nothing by themselves.
_SILENT = NO_RELATION | SAME_RELATION | RELATIVES | SILENT_IN_DENIALS | {"exactly"}
_OFFICE = re.compile(OFFICES)
_SHORT = re.compile(r"[A-Z][a-z]{0,3}\.?")
#: How the parser tags adjectives and adverbs.
_MODIFIERS = ("JJ", "RB")
#: How many unread words are told.
_SHOWN = 8


class Copied:
    """A sentence, with which of its words fill a slot.

    `slots` has the names of these, `hearsay` where verbs of saying and believing begin, `said`
    where the words of the properties that are meant do.
    """

    def __init__(self, sentence: Sentence, parse: Sequence[Word]) -> None:
        self.sentence = sentence
        self.text = sentence.extraction.document.text
        place = sentence.place
        first = bisect.bisect_left(parse, place.start, key=_start)
        inside = parse[first : bisect.bisect_left(parse, place.end, first, key=_start)]
        self.hearsay = {
            word.start for word in inside if word.tag[:2] == "VB" and word.lemma in HEARSAY
        }
        self.said = set[int]()
        self.slots: dict[str, None] = {}
        self.read_to = set[int]()  # characters of slots
        self.apart = set[int]()  # those of slots that carry a bound, a time, a count, a name
        self._modifiers = {word.start for word in inside if word.tag[:2] in _MODIFIERS}
        self._nouns = {word.start for word in inside if word.tag[:2] == "NN"}
        self._verbs = {word.start: word.lemma for word in inside if word.tag[:2] == "VB"}
        self._used = Counter[str]()
        self._slots: dict[tuple[str, str], tuple[Span, ...] | None] = {}

    def begin(self) -> None:
        """Begin a claim, whose slots are looked up anew."""
        self._slots.clear()

    def places(self, said: str, slot: str = "") -> tuple[Span, ...] | None:
        """Return where the pieces of some words stand, none for no words, None if one does not.

        Words that are given again are looked for behind where they were found, but for those of one
        slot of a claim, which each of its readings has.
        """
        key = (slot, said)
        if not slot or key not in self._slots:
            self._slots[key] = self._looked_up(said)
        return self._slots[key]

    def _looked_up(self, said: str) -> tuple[Span, ...] | None:
        found = []
        for piece in pieces_of(said):
            every = [*self._every(piece)]
            if not every:
                return None
            found.append(every[min(self._used[piece], len(every) - 1)])
            self._used[piece] += 1
        return tuple(found)

    def _every(self, piece: str) -> Iterator[Span]:
        place = self.sentence.place
        at = place.start
        while found := self._first(piece, at, place.end):
            yield Span(place.source, *found)
            at = found[1]

    def _first(self, piece: str, start: int, end: int) -> tuple[int, int] | None:
        other = piece[:1].swapcase() + piece[1:]
        places = (find_words(one, self.text, start, end) for one in (piece, other))
        return min((one for one in places if one), default=None)

    def place(self, said: str, slot: str = "") -> Span | None:
        """Return the one place of some words, without an article; None where there is none."""
        found = self.places(said, slot)
        if not found or len(found) > 1:
            return None
        (span,) = found
        return self.sentence.trimmed(span)

    def named(self, span: Span) -> Span:
        """Return the name in a place that a title stands before."""
        names = self.sentence.names
        if span in names:
            return span
        inside = [n for n in names if span.start < n.start and n.end == span.end]
        for name in sorted(inside, key=lambda n: n.start):
            if _is_title(self.text[span.start : name.start].split()):
                return name
        return span

    def fill(self, slot: str, *spans: Span, apart: bool = False) -> None:
        """Take places as read, in a slot; `apart`, they say what turns no other word."""
        self.slots[slot] = None
        for span in spans:
            self.read_to |= {*range(span.start, span.end)}
            if apart or (span in self.sentence.names and not self.sentence.text(span).islower()):
                self.apart |= {*range(span.start, span.end)}

    def unread(self) -> str:
        """Return the words of the sentence that fill no slot."""
        place = self.sentence.place
        left = [
            found[0]
            for found in WORD.finditer(self.text, place.start, place.end)
            if found.start() not in self.read_to and found[0].lower() not in _SILENT
        ]
        return " ".join(left[:_SHOWN])

    def verbs(self, places: Sequence[Span]) -> set[str]:
        """Return the verbs in some places, as the parser names them."""
        return {
            verb
            for at, verb in self._verbs.items()
            if any(place.start <= at < place.end for place in places)
        }

    def known(
        self, place: Span, vocabulary: Collection[str], *, figures: bool = True
    ) -> Iterator[Span]:
        """Yield the words of a place that are of a vocabulary, or figures."""
        for found in WORD.finditer(self.text, place.start, place.end):
            if found[0].lower() in vocabulary or (figures and found[0].isdecimal()):
                yield Span(place.source, *found.span())

    def say(
        self, places: Sequence[Span], properties: Sequence[Property], ends: Sequence[Span] = ()
    ) -> None:
        """Take the words that say a property as read, but for those that say more than that.

        An adjective or adverb that is no part of the names of the property says more; so does a
        name or a figure, and a noun behind all the `ends` of what is said: "as a pirate".
        """
        own = {word for one in properties for word in _wording(one)} | SAME_RELATION | FORMER
        last = max((end.end for end in ends), default=self.sentence.place.end)
        for place in places:
            for found in WORD.finditer(self.text, place.start, place.end):
                word, at = found[0].lower(), found.start()
                known = word in own or not own.isdisjoint(words(word))
                capital = found[0][0].isupper() and at != self.sentence.place.start
                more = capital or found[0][0].isdigit() or word in TURNING_THE_REST
                more |= at in self._modifiers or (at >= last and at in self._nouns)
                if known:
                    self.said.add(at)
                if known or not more:
                    self.read_to |= {*range(at, found.end())}


def _start(word: Word) -> int:
    return word.start


def _is_title(lead: Sequence[str]) -> bool:
    """Return whether words before a name say what somebody is called: "Dr", "Prime Minister"."""
    called = all(_SHORT.fullmatch(word) or word.rstrip(".") in TITLES for word in lead)
    return called or bool(_OFFICE.fullmatch(" ".join(lead)))


def _wording(prop: Property) -> Iterator[str]:
    """Yield the words of the names of a property, and of its wordings in the lexicon."""
    for name in (prop.label or local_name(prop.iri), *prop.aliases):
        yield from words(name)
        yield from (word.lower() for word in WORD.findall(name))
    for pattern in lexicon():
        if pattern.property == prop.iri:
            yield from words(pattern.text)
