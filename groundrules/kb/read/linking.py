"""The names of a text, linked to what a source has of them, for what is said of them.

Things may be called by what they are to another: "the capital of Poland", "Ada's husband". Such a
description stands for what the source states; where that is several things, each may be meant.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english import IMPERSONAL, PERSONAL, PLURAL, REFLEXIVE
from groundrules.claims.english.attributes import COUNTRIES
from groundrules.claims.english.fillers import NO_DESCRIPTION
from groundrules.claims.facts.offline import Extraction
from groundrules.kb.link.mentions import READINGS, Candidate, Link, LinkStatus, Named, link
from groundrules.kb.link.properties import WD, Match, Relations
from groundrules.kb.read.relational import Relational
from groundrules.kb.sources.source import Entity, Facts, Fault, KnowledgeSource, Pair, Statement
from groundrules.terms import ENTITY, Mention, Span, mint

Encode = Callable[[Sequence[str]], Any]
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


@dataclass(frozen=True, slots=True)
class Linker:
    """Links the names of one text to one source; `labels`, `classes` and `descriptions` fill up."""

    extraction: Extraction
    source: KnowledgeSource
    relations: Relations
    named: Named
    encode: Encode | None
    names: Sequence[Span]
    described: Mapping[Span, Description]
    kinds: dict[URIRef, frozenset[URIRef] | Fault] = field(default_factory=dict)
    labels: dict[Node, str] = field(default_factory=dict)
    classes: dict[URIRef, tuple[URIRef, ...]] = field(default_factory=dict)
    descriptions: dict[URIRef, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text of the names."""
        return self.extraction.document.text

    def mentioned(self, said: Sequence[tuple[int, Relational]]) -> dict[Span, Node]:
        """Return the thing that each end of a relation names; mentions know their coreference."""
        known = {m.span: m.node for m in self.extraction.mentions}
        out: dict[Span, Node] = {}
        for _, relational in said:
            ends = (relational.subject, relational.object, relational.title)
            bases = [self.described[span].name for span in ends if span and span in self.described]
            for span in (*ends, *bases):
                if span is None:
                    continue
                out[span] = known.get(span) or mint(ENTITY, self.text[span.start : span.end])
                if relational.named and span == relational.object:
                    out[span] = mint(ENTITY, relational.named)
            end = relational.object
            if self.text[end.start : end.end].lower() in REFLEXIVE:
                out[end] = out[relational.subject]
            if relational.value is not None:
                out[relational.object] = relational.value
            elif out[end] == out[relational.subject] and self.is_beside(relational.subject, end):
                out[end] = mint(ENTITY, self.text[end.start : end.end])
        return out

    def is_beside(self, subject: Span, end: Span) -> bool:
        """Return whether two names of one relation name two things: Borgsund and Borgsund Line."""
        one, other = (self.text[span.start : span.end] for span in (subject, end))
        return one != other and one[:1].isupper() and other[:1].isupper() and not (
            {one.lower(), other.lower()} & (PERSONAL | IMPERSONAL | PLURAL)
        )  # fmt: skip

    def linked(
        self, said: Sequence[tuple[int, Relational]], nodes: Mapping[Span, Node]
    ) -> dict[Node, Link]:
        """Return what each thing that is named may be, by its name and what is said of it."""
        kinds = {m.span: m.kind for m in self.extraction.mentions}
        texts = {m.span: m.text for m in self.extraction.mentions}
        wanted = {node for node in nodes.values() if not isinstance(node, Literal)}
        mentions: dict[Span, tuple[Mention, int]] = {}
        expected: dict[Node, set[URIRef]] = defaultdict(set)
        for number, relational in said:
            subjects, objects = self.relations.expected_types(relational.phrase)
            for span, classes in ((relational.subject, subjects), (relational.object, objects)):
                node = nodes[span]
                if node in wanted:
                    words = texts.get(span, self.text[span.start : span.end])
                    if self.text[span.end : span.end + 1] == "." and self.is_dotted(span):
                        words += "."  # the full stop is the name's, too
                    if relational.named and span == relational.object:
                        words = relational.named
                    kind = kinds.get(span, "MISC" if words[:1].isupper() else "NOUN")
                    mentions[span] = Mention(span, words, kind, node), number
                    expected[node] |= classes
            for span in (relational.subject, relational.object):
                if span in self.described and (base := self.described[span].name) not in mentions:
                    words = self.text[base.start : base.end]
                    words = COUNTRIES.get(words, words)
                    mentions[base] = (
                        Mention(base, words, kinds.get(base, "MISC"), nodes[base]),
                        number,
                    )
            if (title := relational.title) and nodes[title] in wanted:
                words = self.text[title.start : title.end]
                named = Mention(title, words, "MISC", nodes[title])
                mentions.setdefault(title, (named, number))
                expected[nodes[title]] |= self.relations.offices
        starts = self.extraction.sentences
        for mention in self.extraction.mentions:
            if mention.node in wanted and mention.span not in mentions:
                number = sum(s.start <= mention.span.start for s in starts) - 1
                mentions[mention.span] = mention, max(number, 0)
        sentences = [self.text[s.start : s.end] for s in starts]
        found = link(
            [mention for mention, _ in mentions.values()],
            [sentences[number] for _, number in mentions.values()],
            self.named,
            encode=self.encode,
            expected={node: frozenset(classes) for node, classes in expected.items() if classes},
            types=self.types,
        )
        for one in found:
            for candidate in (*one.candidates, *one.others):
                self.labels.setdefault(candidate.entity.iri, candidate.entity.label)
                self.classes[candidate.entity.iri] = candidate.entity.types
                self.descriptions[candidate.entity.iri] = candidate.entity.description
        return {one.mention.node: one for one in found}

    def is_dotted(self, span: Span) -> bool:
        """Return whether a full stop behind a name is that of an abbreviation at its end."""
        return any(one.start == span.start and one.end == span.end + 1 for one in self.names)

    def describe(
        self,
        said: Sequence[tuple[int, Relational]],
        nodes: Mapping[Span, Node],
        links: dict[Node, Link],
    ) -> None:
        """Link what is described to what the source states of the thing that it is described by."""
        uses: dict[Span, bool] = {}
        for _, relational in said:
            for span in (relational.subject, relational.object):
                link_ = links.get(nodes[span])
                if span in self.described and (link_ is None or not link_.candidates):
                    uses[span] = relational.current
        if not uses:
            return
        predicates = {
            span: [
                one.property
                for one in self.relations.match(
                    self.described[span].phrase, object_kind="item"
                ).candidates
                if not one.inverse
            ]
            for span in uses
        }
        bases = {span: links.get(nodes[self.described[span].name]) for span in uses}
        pairs = {
            (base.candidates[0].entity.iri, predicate)
            for span, base in bases.items()
            if base and base.status is LinkStatus.LINKED
            for predicate in predicates[span]
        }
        facts = self.source.statements(sorted(pairs)) if pairs else {}
        found: dict[Node, Link] = {}
        for span, now in uses.items():
            mention = Mention(span, self.text[span.start : span.end], "MISC", nodes[span])
            base = bases[span]
            link_ = describe(mention, base, facts, predicates[span], now=now) if base else None
            if link_ is not None:
                found[nodes[span]] = link_
        self.types({c.entity.iri for one in found.values() for c in one.candidates}, ())
        for node, one in found.items():
            links[node] = one
            for candidate in one.candidates:
                self.labels.setdefault(candidate.entity.iri, candidate.entity.label)

    def types(
        self, subjects: Iterable[URIRef], classes: Iterable[URIRef]
    ) -> Mapping[URIRef, frozenset[URIRef] | Fault]:
        """Return which of the classes that matter each subject is of, once asked."""
        # always the same classes: what is known of a thing answers for whatever is said of it
        every = {*classes, *self.relations.classes, *self.relations.offices}
        self.kinds.update(self.source.types(subjects, sorted(every)))
        return self.kinds

    def kind_of(self, candidate: Candidate | None) -> frozenset[URIRef]:
        """Return the classes of what may be meant, none where that is not known."""
        if candidate is None:
            return frozenset()
        known = self.kinds.get(candidate.entity.iri, frozenset())
        return frozenset() if isinstance(known, Fault) else known | {*candidate.entity.types}

    def meanings(self, relational: Relational, one: Candidate, other: Candidate | None) -> Match:
        """Return the properties that a relation may mean between what its ends may be."""
        if relational.meant is not None:
            return self.relations.meant(
                relational.phrase, relational.meant, object_kind=relational.kind
            )
        return self.relations.match(
            relational.phrase,
            subject_types=self.kind_of(one),
            object_kind=relational.kind,
            object_types=self.kind_of(other),
        )


# ---------------------------------------------------------------- descriptions


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
