"""Claims as a knowledge base asks them: subject, relation phrase, object, with mode and time.

Two ways to read a sentence: as a whole clause that the relation lexicon knows word for word, and,
where it is none, by the claims that the extractor found, put together where it splits what English
says in one phrase ("the capital of Guyana is …", "maintains relations with …").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundrules.claims.english.fillers import NO_NAME_ALONE
from groundrules.claims.offline import Extraction
from groundrules.kb.link.properties import Relations, words
from groundrules.kb.read.joined import is_aside, joined
from groundrules.kb.read.relational import (
    Relational,
    Sentence,
)
from groundrules.kb.read.wordings import surface
from groundrules.terms import Span


def read_phrases(
    extraction: Extraction, sentence: int, names: Sequence[Span], relations: Relations
) -> tuple[Relational, ...]:
    """Return what one sentence says, as phrases between two names, or a name and a value.

    `names` are the places of what may be linked, in any order; they may overlap. A sentence that
    is one clause of the lexicon, word for word, is read so and its claims are left: a slot may
    then hold any noun phrase if the other holds a name. Several values of one list give one
    reading each.
    """
    place = extraction.sentences[sentence]
    mentions = [m for m in extraction.mentions if place.start <= m.span.start < place.end]
    claims = [c for c in extraction.claims if c.sentence == sentence and c.reads is None]
    text = extraction.document.text
    inside = sorted(
        {
            n
            for n in names
            if place.start <= n.start < n.end <= place.end
            and not NO_NAME_ALONE.issuperset(text[n.start : n.end].split())
        }
    )
    reading = Sentence(extraction, place, mentions, inside, claims, relations)
    found, whole = surface(reading)
    ends = {(r.subject, r.object) for r in found}
    for relational in joined(reading):
        if (relational.subject, relational.object) in ends:
            continue
        if not whole or (relational.claim and is_aside(relational.claim)):
            found.append(relational)
    return tuple(_distinct(found))


def _distinct(found: Sequence[Relational]) -> Iterator[Relational]:
    seen = set()
    for relational in found:
        said = tuple(word for word in words(relational.phrase) if word != "be")
        mark = (relational.subject, said, relational.object)
        if mark not in seen:
            seen.add(mark)
            yield relational
