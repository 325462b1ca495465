"""Claims as a knowledge base asks them: subject, relation phrase, object, with mode and time.

A sentence is read by the wordings of the relation lexicon (`wordings.py`); the words of it that
they do not say are told.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from rdflib.term import Literal

from groundrules.claims.english import NOT, RELATIVES
from groundrules.claims.english.fillers import (
    NO_NAME_ALONE,
    NO_RELATION,
    SAME_RELATION,
    SILENT_IN_DENIALS,
)
from groundrules.claims.facts.discourse import is_personal
from groundrules.claims.facts.offline import Extraction
from groundrules.kb.link.properties import Relations, words
from groundrules.kb.read.relational import Relational, Sentence, meet, within
from groundrules.kb.read.values import stretches_in
from groundrules.kb.read.wordings import surface
from groundrules.terms import Claim, Span

_T = TypeVar("_T")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
#: Words that say nothing by themselves beside what was read.
_SILENT = NO_RELATION | SAME_RELATION | RELATIVES | NOT | SILENT_IN_DENIALS
#: What stands between a name and a year of the life behind it, which has no verb of its own.
_YEARS_BEHIND = re.compile(r"\s*\((?:(?!born|died)[^()])*")
#: How many unread words are told.
_SHOWN = 8


def read_phrases(
    extraction: Extraction,
    sentence: int,
    names: Sequence[Span],
    relations: Relations,
    known: Collection[Span] | None = None,
) -> tuple[Relational, ...]:
    """Return what one sentence says, as phrases between two names, or a name and a value.

    `names` are the places of what may be linked, in any order; they may overlap; `known` are
    those of what the source has, None where it cannot tell. In a sentence that is one clause of the
    lexicon, word for word, a slot may hold any noun phrase if the other holds a name. Several
    values of one list give one reading each.
    """
    reading = sentence_of(extraction, sentence, names, relations, known)
    read, whole = surface(reading)
    found = [*_of_persons(reading, read)]
    unread = "" if whole else _unread(reading, found)
    return tuple(replace(one, unread=one.unread or unread) for one in _distinct(found))


def _of_persons(sentence: Sentence, found: Sequence[Relational]) -> Iterator[Relational]:
    """Yield what was read; years behind a name are a life's where it is told to be a person.

    What is told to be something else, which the source has not, may be another thing of that name.
    """
    names = _names_of(sentence)
    things = {
        one.subject
        for one in found
        if one.phrase.endswith(" a [Y]")
        and one.object not in names
        and not is_personal(sentence.text(one.object).split()[-1].lower())
    }
    for one in found:
        behind = Span(one.subject.source, one.subject.end, max(one.object.start, one.subject.end))
        years = one.subject in things and _YEARS_BEHIND.fullmatch(sentence.text(behind))
        yield replace(one, doubts=(*one.doubts, "link")) if years else one


def _names_of(sentence: Sentence) -> set[Span]:
    """Return the places of the names that the source has, and of values."""
    return {*sentence.anchors()} - {*sentence.nouns, *map(sentence.trimmed, sentence.nouns)}


def sentence_of(
    extraction: Extraction,
    sentence: int,
    names: Sequence[Span],
    relations: Relations,
    known: Collection[Span] | None = None,
    claims: Sequence[Claim] | None = None,
) -> Sentence:
    """Return a sentence with its mentions, names and claims; see `read_phrases`.

    `claims` are those of the text among which its own are looked for, all where none are given.
    """
    place = extraction.sentences[sentence]
    text = extraction.document.text
    stretches = [*stretches_in(text, place)]
    mentions = [
        m
        for m in starting_in(extraction.mentions, place, lambda m: m.span.start)
        if not any(meet(one.span, m.span) for one in stretches)
    ]
    mentions += stretches
    among = extraction.claims if claims is None else claims
    own = [c for c in among if c.sentence == sentence and c.reads is None]
    inside = sorted(
        {
            n
            for name in names
            # the full stop of a sentence may be taken for that of an abbreviation
            for n in (name, replace(name, end=name.end - 1) if text[name.end - 1] == "." else name)
            if place.start <= n.start < n.end <= place.end
            and not NO_NAME_ALONE.issuperset(text[n.start : n.end].split())
            and not any(meet(one.span, n) for one in stretches)
        }
    )
    nouns = {
        m.span
        for m in mentions
        if not isinstance(m.node, Literal)
        and (
            m.kind == "NOUN"
            if known is None
            else not any(one == m.span or within(m.span, one) for one in known)
        )
    }
    return Sentence(extraction, place, mentions, inside, own, relations, frozenset(nouns))


def starting_in(found: Sequence[_T], place: Span, start: Callable[[_T], int]) -> Sequence[_T]:
    """Return what starts in a place, of what stands in the order of the text."""
    first = bisect.bisect_left(found, place.start, key=start)
    return found[first : bisect.bisect_left(found, place.end, first, key=start)]


def _unread(sentence: Sentence, found: Sequence[Relational]) -> str:
    """Return the words of a sentence that what was found in it does not say, as they stand."""
    start = sentence.place.start
    text = sentence.text(sentence.place)
    read = set[int]()
    for one in found:
        places: list[Span | None] = [one.subject, one.object]
        places += [one.claim.parts[0], one.claim.parts[2]] if one.claim else []
        dates = {one.at, one.to} - {None}
        places += [m.span for m in sentence.mentions if m.node in dates]
        for place in places:
            read |= set(range(place.start - start, place.end - start)) if place else set()
    said = {word for one in found for word in words(one.phrase)}
    left = [
        word[0]
        for word in _WORD.finditer(text)
        if word.start() not in read
        and word[0].lower() not in _SILENT
        and said.isdisjoint(words(word[0]))
    ]
    return " ".join(left[:_SHOWN])


def _distinct(found: Sequence[Relational]) -> Iterator[Relational]:
    seen = set()
    for relational in found:
        said = tuple(word for word in words(relational.phrase) if word != "be")
        when = (relational.at, relational.to, relational.how, relational.moment)
        mark = (relational.subject, said, relational.object, when)
        if mark not in seen:
            seen.add(mark)
            yield relational
