"""Things that a text calls by what they are to another: "the capital of Poland", "Ada's husband".

A description stands for what the source states: "the director of Metropolis" for whoever is stated
to have directed it. Where several are, each may be meant; where none is, it names nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib.term import Literal, URIRef

from groundrules.claims.english.attributes import COUNTRIES
from groundrules.claims.english.fillers import NO_DESCRIPTION
from groundrules.claims.facts.offline import Extraction
from groundrules.kb.link.mentions import READINGS, Candidate, Link, LinkStatus
from groundrules.kb.link.properties import WD, Relations
from groundrules.kb.sources.source import Entity, Facts, Pair, Statement
from groundrules.terms import Mention, Span

_NOUN = r"(?:[a-z][\w-]*|CEO)"
Spot = Callable[[str], Iterable[tuple[int, int]]]

#: "the N of", before a name, "'s N" behind one, and "the man who directed" before one.
_OF = re.compile(rf"(?:\b[Tt]he\s+)(?P<n>{_NOUN}(?:\s{_NOUN}){{0,2}})\s+of\s+(?:the\s+)?$")
_OWN = re.compile(rf"['’]s?\s+(?P<n>{_NOUN}(?:\s{_NOUN}){{0,2}})\b")
_WHO = re.compile(
    r"\b[Tt]he\s+(?P<d>[a-z]+\s+(?:who|that|which)\s+)(?P<n>[a-z]+(?:\s[a-z]+)?)\s+(?:the\s+)?$"
)
#: "the French capital".
_OF_A_LAND = re.compile(rf" (?P<n>{_NOUN})\b")
_ARTICLE = re.compile(r"(?i)^(?:an?|the)\s+")
#: How much of what stands before a name is looked at, in characters.
_LEAD = 80


@dataclass(frozen=True, slots=True)
class Description:
    """A place where a thing is described by another one, with the phrase between the two.

    [X] of the phrase is the thing named at `name`, [Y] is the one described.
    """

    span: Span
    name: Span
    phrase: str


def spots(extraction: Extraction, spot: Spot | None) -> list[Span]:
    """Return where the names of a source stand in a text."""
    text = extraction.document
    return [Span(text.name, *place) for place in (spot(text.text) if spot else ())]


def names_in(
    extraction: Extraction, spotted: Sequence[Span], relations: Relations
) -> tuple[list[Span], Mapping[Span, Description]]:
    """Return the places of a text that may be linked, and those that describe what they name."""
    names = [*spotted]
    names += [m.span for m in extraction.mentions if not isinstance(m.node, Literal)]
    found = find_descriptions(extraction.document.text, names, relations)
    described = {one.span: one for one in found}
    return [*names, *described], described


def find_descriptions(
    text: str, names: Sequence[Span], relations: Relations
) -> Iterator[Description]:
    """Yield the descriptions of a text that lexicon or labels of a source can read."""
    for name in dict.fromkeys(names):
        if not text[name.start : name.start + 1].isupper():
            continue
        before = text[max(name.start - _LEAD, 0) : name.start]
        offset = name.start - len(before)
        for pattern, phrase in ((_OF, "[X]'s {} is [Y]"), (_WHO, "[Y] {} [X]")):
            found = pattern.search(before)
            said = phrase.format(found["n"]) if found else ""
            kinds = relations.expected_types(said)[1] if pattern is _WHO and found else ()
            if found and (not kinds or WD.Q5 in kinds) and _means(relations, said, found["n"]):
                start = offset + found.start("n" if pattern is _OF else "d")
                yield Description(
                    Span(name.source, start, name.end), name, phrase.format(found["n"])
                )
        land = text[name.start : name.end] in COUNTRIES
        own = (_OF_A_LAND if land else _OWN).match(text, name.end)
        nouns = own["n"].split(" ") if own else []
        for count in range(len(nouns), 0, -1):
            noun = " ".join(nouns[:count])
            phrase = f"[X]'s {noun} is [Y]"
            if own and _means(relations, phrase, noun):
                end = own.start("n") + len(noun)
                yield Description(Span(name.source, name.start, end), name, phrase)
                break


def _means(relations: Relations, phrase: str, noun: str) -> bool:
    """Return whether a phrase tells of one thing: of a property that has things, and no kin."""
    if not NO_DESCRIPTION.isdisjoint(noun.split()) or not relations.knows(phrase):
        return False
    return not relations.match(phrase, object_kind="item").reason


def describe(
    mention: Mention,
    of: Link,
    facts: Mapping[Pair, Facts],
    predicates: Collection[URIRef],
    *,
    now: bool,
) -> Link | None:
    """Return the link of a description by that of the name in it, None where nothing is known.

    `facts` has what is stated of the thing named under `predicates`; `now`: what was so before is
    not meant.
    """
    if of.status is not LinkStatus.LINKED:
        return None
    thing = of.candidates[0].entity.iri
    found: dict[URIRef, str] = {}
    for known in (facts[thing, one] for one in predicates if (thing, one) in facts):
        stated = [s for s in known.statements if _counts(s)]
        live = [s for s in stated if s.best and s.end is None]
        for statement in live if now and live else stated:
            if isinstance(node := statement.value.node, URIRef):
                found.setdefault(node, known.labels.get(node, ""))
    if not 0 < len(found) <= READINGS:
        return None
    sure = of.candidates[0].probability / len(found)
    candidates = tuple(Candidate(Entity(iri, label), sure) for iri, label in found.items())
    status = LinkStatus.LINKED if len(candidates) == 1 else LinkStatus.AMBIGUOUS
    shown = " or ".join(label or str(iri) for iri, label in found.items())
    return Link(mention, status, shown, candidates)


def _counts(statement: Statement) -> bool:
    return statement.direct and statement.rank != "deprecated" and statement.value.kind == "item"
