"""Events: when what happened to the things that a document speaks of, and how it ended.

Clauses are read, so one entry of the lexicon serves the active and the passive, the relative clause
and the noun of the event. Things of a kind are told apart by their descriptions: "the lease of Unit
1" is not "the lease of Unit 2". Where two readings remain nothing is stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rdflib.term import Literal, Node, URIRef

from groundrules.claims.documents.document import plain
from groundrules.claims.english.identity import AGAIN
from groundrules.claims.facts.clauses import Clause
from groundrules.ontology.read.deeds import (
    affected,
    but_for,
    doers,
    done_to,
    is_so,
    is_told,
    parsed,
    topics,
    under,
    when_done,
    wordings,
)
from groundrules.ontology.read.holders import Part, Parts
from groundrules.ontology.read.lexicon import Event
from groundrules.ontology.read.nouns import lemma_of, links, place_of
from groundrules.ontology.read.referents import POSSESSIVES, PRONOUNS, Held, Referents, Sentence
from groundrules.ontology.read.relations import DENIAL, OPEN, Things, without_papers
from groundrules.ontology.read.sentences import Marked
from groundrules.terms import Mention, Polarity, Span

__all__ = ["read_events"]

#: The longest sentence that is read for events, in code points.
LONGEST = 1200


@dataclass(frozen=True, slots=True)
class Told:
    """An event that a sentence tells: its thing, its date, its doer and its place."""

    event: Event
    held: Held
    when: Mention | None
    doer: str
    span: Span
    at: int = -1


def read_events(things: Things) -> None:
    """State what sentences tell of things of the lexicon: days and outcomes, who has which part."""
    lexicon = things.lexicon
    if not any((lexicon.events, lexicon.actions, lexicon.roles, lexicon.frames)):
        return
    text = plain(things.assertions.extraction.document)
    reader = _Reader(things, text)
    parts = Parts(things, reader.known)
    telling = {one.index for one in _telling(things, text)}
    holding = {one.index for one in parts.holding()}
    wanted = [one for one in things.sentences if one.index in telling | holding]
    told: list[Told] = []
    held: list[Part] = []
    for sentence, clauses in parsed(things, text, wanted):
        reader.known.begin()
        others = {clause.verb.i: clause for clause in clauses}
        seen: set[int] = set()
        for clause in clauses:
            if sentence.index in telling and clause.verb.i not in seen:
                told += reader.told(clause, others, seen, sentence)
                reader.act(clause, others, sentence)
            if sentence.index in holding:
                held += parts.told(clause, others, sentence)
            about = {one.i for one in topics(clause)}
            for noun in clause.verb.subtree:
                if noun.pos_ in {"NOUN", "PROPN"} and sentence.date_at(noun) is None:
                    reader.known.mention(noun, sentence, topic=noun.i in about)
        if sentence.index in telling:
            told += reader.borne(sentence)
        if sentence.index in holding:
            held += parts.beside(sentence)
    longer = any(event.unless for events in lexicon.events.values() for event in events)
    hidden = re.sub(r"(?i)\b(?:no|not|without|nor)\b[^.;]{0,60}", "", text) if longer else ""
    reader.dated = {one.held.node for one in told if one.when is not None}
    for one in _each_by_itself(told):
        if one.event.unless is None or not one.event.unless.search(hidden):
            reader.state(one)
    reader.link()
    parts.state(held)


def _telling(things: Things, text: str) -> Iterator[Marked]:
    """Yield the sentences that may tell an event: by a day, or by a verb that needs none."""
    lexicon = things.lexicon
    nouns = {noun.split()[-1] for kind in lexicon.kinds for noun in kind.nouns}
    noun = re.compile(rf"(?i)\b(?:{'|'.join(sorted(map(re.escape, nouns)))}|its?)\b")
    undated = (
        phrase
        for phrase, events in lexicon.events.items()
        if any(event.value or event.implicit for event in events)
    )
    verb = _begun(_stem(phrase.split()[0]) for phrase in (*undated, *lexicon.actions))
    signs = {kind.sign for kind in lexicon.kinds if kind.sign}
    for sentence in things.sentences:
        start, end = sentence.span.start, sentence.span.end
        words = sentence.words.values()
        dated = any(word.kind == "DATE" for word in words)
        named = any(word.named and word.kind in signs for word in words)
        if end - start <= LONGEST and (dated or verb.search(text, start, end)):
            line = but_for(text[start:end])
            open_ = OPEN.search(without_papers(DENIAL.sub("", line)))
            if not open_ and (dated or named or noun.search(line)):
                yield sentence


def _begun(words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds words that begin so; nothing where there are none."""
    return re.compile(rf"(?i)\b(?:{'|'.join(sorted(map(re.escape, {*words}))) or '(?!)'})")


def _stem(verb: str) -> str:
    """Return what the forms of a verb begin with: "uphold" and "upheld"."""
    short = verb.endswith(("hold", "find", "give", "take", "throw", "set", "rely", "draw", "bind"))
    return verb[:3] if short else verb[:6]


class _Reader:
    """Reads the clauses of sentences for events; holds the things that were spoken of."""

    def __init__(self, things: Things, text: str) -> None:
        self.assertions = things.assertions
        self.lexicon = things.lexicon
        self.known = Referents(things, text)
        self.links: dict[tuple[Node, URIRef, Node], Span] = {}
        self.dated: set[Node] = set()
        #: Words for who does what things of a kind are, "the court" of decisions.
        self.doing = frozenset(word for kind in self.lexicon.kinds for word in kind.plain)

    def told(
        self, clause: Clause, others: Mapping[int, Clause], told: set[int], sentence: Sentence
    ) -> Iterator[Told]:
        """Yield the events of a clause; `told` are the verbs that those of a sentence take up."""
        again = any(one.role == "adverb" and one.token.lower_ in AGAIN for one in clause.arguments)
        if again or any(map(sentence.date_at, topics(clause))):
            return
        for phrase, taken in wordings(clause, others):
            events = self.lexicon.events.get(phrase, ())
            if phrase == clause.lemma and done_to(clause):
                events = tuple(event for event in events if not event.alone)
            found = self._holder(events, affected(clause, phrase, taken), sentence)
            if found is None:
                continue
            event, held, filler = found
            told |= {one.i for one in taken}
            if is_told(clause):
                own = [filler] if filler is not None else []
                self._linked(held, clause, sentence)
                yield from self._readings(events, event, held, clause, taken, own, sentence)
            return

    def _readings(
        self,
        events: Sequence[Event],
        first: Event,
        held: Held,
        clause: Clause,
        taken: Sequence[Any],
        own: Sequence[Any],
        sentence: Sentence,
    ) -> Iterator[Told]:
        """Yield what a wording says of a thing: when it began, until when it lasts."""
        who = [one for one in doers(clause) if one not in (*taken, *own)]
        doer = " ".join(word for one in who for word in _words_of(one))
        start = sentence.span.start
        for event in events:
            if event.of != first.of:
                continue
            when = when_done(clause, taken, own, sentence, until=event.until)
            if event.value:
                if sentence.dates or sentence.changed or under(clause, "on"):
                    continue
            elif when is None:
                continue
            nouns = [one for one in topics(clause) if one.pos_ in {"NOUN", "PROPN"}]
            ends = [place_of(one) for one in (clause.verb, *nouns, *own)]
            places = [start + at for end in ends for at in end]
            if when is not None:
                places += [when.mention.span.start, when.mention.span.end]
            span = self.assertions.span(min(places), max(places))
            day = when.mention if when is not None else None
            yield Told(event, held, day, doer, span, start + clause.verb.idx)

    def borne(self, sentence: Sentence) -> Iterator[Told]:
        """Yield the dates that things bear: "the judgment of 30 June 2015"."""
        for date in sentence.dates:
            noun = date.on
            if date.link == "of" and noun.pos_ == "AUX":  # "the order is of 2 May"
                noun = next((c for c in noun.children if c.dep_ == "nsubj"), noun)
            for event in self.lexicon.events.get("date", ()) if date.link == "of" else ():
                held = self.known.thing(noun, self.known.kinds[event.of], sentence)
                if held is not None:
                    place = sentence.span.start + place_of(noun)[0]
                    at = date.mention.span
                    span = self.assertions.span(min(place, at.start), at.end)
                    yield Told(event, held, date.mention, "", span)

    def _holder(
        self, events: Sequence[Event], fillers: Sequence[Any], sentence: Sentence
    ) -> tuple[Event, Held, Any] | None:
        """Return what an event happens to, where its words say which thing that is."""
        of = {event.of: event for event in events}
        for filler in fillers if of else ():
            if lemma_of(filler) in PRONOUNS:
                one = self.known.it(filler, of, sentence)
                if one is None and filler.lower_ in POSSESSIVES:
                    continue
                return (of[one.kind.name], one, filler) if one else None
            for event in of.values():
                held = self.known.thing(filler, self.known.kinds[event.of], sentence)
                if held is not None:
                    return event, held, filler
        for event in of.values():
            if event.implicit:  # whoever did it is no part of it
                kind = self.known.kinds[event.of]
                own = self.known.things.definite(kind.sign) if kind.sign else None
                node = own or self.known.fresh(
                    kind, kind.name, frozenset({f"@{sentence.span.start}"})
                )
                key = frozenset({str(node)})
                return event, self.known.hold(kind, kind.name, key, node, sentence), None
        return None

    # --- what one thing does to another -------------------------------------------------------

    def act(self, clause: Clause, others: Mapping[int, Clause], sentence: Sentence) -> None:
        """State what one thing did to another: "it was repealed by section 2 of that act"."""
        if not is_so(clause):
            return
        told = (self.lexicon.actions.get(phrase, ()) for phrase, _ in wordings(clause, others))
        actions = {action: None for found in told for action in found}
        for action in actions:
            who = [*doers(clause), *under(clause, "by")]
            # "in Thorne v. Abbey the court followed it": a court does it in a case of its own
            deciding = all(lemma_of(one) in self.doing or one.pos_ == "PROPN" for one in who)
            within = under(clause, "in") if deciding else []
            doer = self._acting(action.of, [*within, *who], sentence, doer=True)
            whom = [*done_to(clause), *under(clause, "into", "from", "on", "upon", "of", "to")]
            whom += [] if within else under(clause, "in")
            done = self._acting(action.to, whom, sentence) if doer is not None else None
            if doer is not None and done is not None and doer.node != done.node:
                span = self.assertions.span(sentence.span.start, sentence.span.end)
                polarity: Polarity = clause.polarity
                self.assertions.state(
                    doer.node, action.property, done.node, span, polarity=polarity
                )

    def _acting(
        self, name: str, fillers: Sequence[Any], sentence: Sentence, *, doer: bool = False
    ) -> Held | None:
        """Return the thing of a kind that one of some nouns, or what it is a part of, is."""
        kind = self.known.kinds[name]
        for filler in fillers:
            parts = (one for link, one in links(filler) if link in {"of", "to", "in"})
            for one in (filler, *parts):
                if lemma_of(one) in PRONOUNS:
                    held = self.known.it(one, {name}, sentence)
                    # "the brief relies on X. It cites Y": what is cited is no doer
                    held = held if held and (not doer or held.node in self.known.topics) else None
                else:
                    held = self.known.thing(one, kind, sentence)
                if held is not None:
                    return held
        return None

    # --- what belongs to what -----------------------------------------------------------------

    def _linked(self, above: Held, clause: Clause, sentence: Sentence) -> None:
        """Note what a thing was taken from: "granted on an application", "appealed against it"."""
        if above.kind.taken and above.kind.link is not None:
            below = self.known.kinds[above.kind.taken]
            for one in (*under(clause, "on", "from", "against"), *done_to(clause)):
                held = self.known.thing(one, below, sentence)
                if held is not None:
                    start = sentence.span.start + clause.verb.idx
                    span = self.assertions.span(start, start + len(clause.verb))
                    self.links.setdefault((above.node, above.kind.link, held.node), span)

    def link(self) -> None:
        """State what was taken from what, where each is said or is the only one of its kind."""
        for kind in self.known.kinds.values():
            mine = [one for one in self.known.held if one.kind == kind]
            others = [one for one in self.known.held if one.kind.name == kind.taken]
            several = {name for name, _ in self.known.crowded} & {kind.name, kind.taken}
            # a "continuation application" is not the one that a "parent patent" was granted on
            apart = any(one.key and one.called for one in (*mine, *others))
            apart = apart or any(
                self.known.is_new(o.node, one.node) for one in mine for o in others
            )
            alone = len(mine) == len(others) == 1 and not several and not apart
            if kind.lone and kind.link and alone:
                span = self.assertions.extraction.sentences[mine[0].sentence]
                self.links.setdefault((mine[0].node, kind.link, others[0].node), span)
        for (above, link, below), span in self.links.items():
            self.assertions.state(above, link, below, span)

    # --- what is stated -----------------------------------------------------------------------

    def state(self, told: Told) -> None:
        """State an event: of the thing, of a decision on it, or of its outcome before a court."""
        event, held, span = told.event, told.held, told.span
        subject = held.node
        called = self.assertions.labels.get(subject, "")
        if event.value:
            subject = self.assertions.part(f"{held.called} {subject} {told.doer}")
            self.assertions.labels.setdefault(subject, called or held.called)
            self.assertions.state(subject, event.property, Literal(event.value), span)
            return
        if told.when is None:
            return
        if event.via is not None:
            label = f"{event.kind} in {called}" if len(called.split()) > 1 else event.kind
            subject = self.assertions.part(f"{event.kind}@{span.start}")
            self.assertions.labels.setdefault(subject, label)
            self.assertions.state(subject, event.via, held.node, span)
        elif held.kind.part is not None:
            whole = self._whole(held)
            if whole is not None:
                self.assertions.state(subject, held.kind.part, whole.node, span)
        parts = (None, None, told.when.span)
        self.assertions.state(
            subject, event.property, told.when.node, span, parts=parts, reads=self._read(told.when)
        )

    def _read(self, when: Mention) -> URIRef | None:
        """Return the claim of the text that says a date, which nothing else need read then."""
        claims = self.assertions.extraction.claims
        said = (c for c in claims if c.parts[2] == when.span and c.triple.object == when.node)
        return next((claim.id for claim in said), None)

    def _whole(self, held: Held) -> Held | None:
        """Return what a thing belongs to, where the text speaks of only one such thing.

        Of the kinds that it may belong to that is the first: a judgment decides a suit, and only
        what says so a motion.
        """
        if held.node in self.known.wholes:
            return self.known.wholes[held.node]
        kinds = {*held.kind.whole[:1]}
        spoken = [one for one in self.known.held if one.kind.name in kinds]
        spoken = [
            one
            for one in spoken
            if one.kind.later is None or not one.kind.later.search(" ".join(one.key))
        ]
        if held.kind.unless is not None and held.kind.unless.search(self.known.text):
            return None
        plain = held.kind.plain | {*self.lexicon.roles}
        if any(one.split()[-1] not in plain for one in held.key):
            return None  # a "judgment on costs" is of a part, a "decision of the board" of no suit
        spoken = [one for one in spoken if not self.known.is_new(one.node, held.node)]
        spoken = [one for one in spoken if not self.known.was_new(held.node, one.node)]
        # of several words for a suit the one that is dated counts
        dated = [one for one in spoken if one.node in self.dated]
        spoken = dated if len(spoken) > 1 and len(dated) == 1 else spoken
        if len(spoken) != 1 or any(name in kinds for name, _ in self.known.crowded):
            return None
        return None if spoken[0].kind.taken else spoken[0]


def _words_of(noun: Any) -> Iterator[str]:
    """Yield the words of who does something: of a name all, of others none that describe it."""
    yield lemma_of(noun)
    yield from (lemma_of(one) for link, one in links(noun) if link == "of" or one.pos_ == "PROPN")


def _each_by_itself(told: Sequence[Told]) -> Iterator[Told]:
    """Yield events but those that several did each for himself, as parties sign on their days."""
    doers: dict[tuple[Node, URIRef], set[str]] = {}
    days: dict[tuple[int, URIRef], set[Node]] = {}
    for one in told:
        if one.when is not None and one.at >= 0:
            days.setdefault((one.at, one.event.property), set()).add(one.when.node)
        if one.doer and one.event.via is None and not one.event.value:
            doers.setdefault((one.held.node, one.event.property), set()).add(one.doer)
    for one in told:
        alone = not one.doer or len(doers.get((one.held.node, one.event.property), ())) < 2
        # "signed by one on 3 May and by the other on 7 May"
        if alone and len(days.get((one.at, one.event.property), ())) < 2:
            yield one
