"""The names of a text, linked to what a source has of them, for what is said of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english import IMPERSONAL, PERSONAL, PLURAL, REFLEXIVE
from groundrules.claims.english.attributes import COUNTRIES
from groundrules.claims.facts.offline import Extraction
from groundrules.kb.link.mentions import Candidate, Link, LinkStatus, Named, link
from groundrules.kb.link.properties import Match, Relations
from groundrules.kb.read.described import Description, describe
from groundrules.kb.read.relational import Relational
from groundrules.kb.sources.source import Fault, KnowledgeSource
from groundrules.terms import ENTITY, Mention, Span, mint

Encode = Callable[[Sequence[str]], Any]


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
