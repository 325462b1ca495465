"""Dated events: when what happened to the things that a document speaks of, and how it ended.

Propositions are read, so one entry of the lexicon serves the active and the passive, the relative
clause and the noun of the event. Things of a kind are told apart by their descriptions: "the lease
of Unit 1" is not "the lease of Unit 2", "that petition" is the one before it. Where two readings
remain nothing is stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.document import plain
from groundrules.claims.english.identity import (
    AGAIN,
    CONDITIONAL,
    ELSEWHERE,
    OF_THE_WHOLE,
)
from groundrules.claims.slots import Term, terms_of
from groundrules.ontology.read.deeds import (
    FORCES,
    Told,
    affected,
    deeds,
    each_by_itself,
    end_of,
    first_place,
    head_words,
    is_heading,
    is_so,
    surface,
    when_done,
)
from groundrules.ontology.read.lexicon import Event, Kind
from groundrules.ontology.read.referents import (
    POSSESSIVES,
    PRONOUNS,
    Held,
    Referents,
    Sentence,
    but_for,
    parsed,
    phrases,
)
from groundrules.ontology.read.relations import DENIAL, OPEN, Things, without_papers
from groundrules.ontology.read.sentences import Masked
from groundrules.terms import ENTITY, Mention, Polarity, Span, mint

__all__ = ["read_events"]

#: The longest sentence that is read for events, in code points.
LONGEST = 1200
_BORNE = frozenset({"of"})
_ELSEWHERE = re.compile(ELSEWHERE)


def read_events(things: Things) -> None:
    """State the dates and outcomes of events that sentences tell of things of the lexicon."""
    lexicon = things.lexicon
    if not lexicon.events and not lexicon.actions:
        return
    text = plain(things.assertions.extraction.document)
    reader = _Reader(things, text)
    told = [
        one
        for sentence, _ in parsed(things, text, _telling(things, text))
        for one in reader.told(sentence)
    ]
    longer = {event.property for e in lexicon.events.values() for event in e if event.unless}
    hidden = re.sub(r"(?i)\b(?:no|not|without|nor)\b[^.;]{0,60}", "", text) if longer else ""
    reader.dated = {one.held.node for one in told if one.when is not None}
    for one in each_by_itself(told):
        if one.event.unless is None or not one.event.unless.search(hidden):
            reader.state(one)
    reader.link()


def _telling(things: Things, text: str) -> Iterator[Masked]:
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
    """Reads the propositions of sentences for events; holds the things that were spoken of."""

    def __init__(self, things: Things, text: str) -> None:
        self.assertions = things.assertions
        self.lexicon = things.lexicon
        self.known = Referents(things, text)
        self.links: dict[tuple[Node, URIRef, Node], Span] = {}
        self.dated: set[Node] = set()
        #: Words for who does what things of a kind are, "the court" of decisions.
        self.doing = frozenset(word for kind in self.lexicon.kinds for word in kind.plain)

    # --- events -------------------------------------------------------------------------------

    def told(self, sentence: Sentence) -> Iterator[Told]:
        """Yield the events of a sentence, its things taken up in their order."""
        self.known.begin()
        used: dict[int, Held] = {}
        either = self._either(sentence)
        for term in deeds(sentence):
            if any(slot.filler.at in either for slot in term.slots):
                continue  # a clause behind "a guarantee of this lease" is about either
            yield from list(self._events(term, sentence, used))
            yield from list(self._bearing(term, sentence))
            about = {inner.at for inner in surface(term)}
            for inner in terms_of(term):
                self.known.mention(inner, sentence, topic=inner.at in about)
            self._acted(term, sentence)
            self._described(term, sentence)

    def _events(self, term: Term, sentence: Sentence, used: dict[int, Held]) -> Iterator[Told]:
        adjuncts = (s.filler for s in term.slots if s.role in {"in", "against", "between", "under"})
        if any(_ELSEWHERE.match(one.text) for one in adjuncts) or any(
            one.head in AGAIN for one in term.of("mod")
        ):
            return
        for phrase, taken in phrases(term):
            events = self.lexicon.events.get(phrase, ())
            if term.of("obj") and phrase == term.head:
                events = tuple(event for event in events if not event.alone)
            fillers = affected(term, taken)
            found = self._holder(events, fillers, sentence, used, heading=is_heading(term))
            if found is None:
                continue
            event, held, filler = found
            # what an earlier event took up has the date of that
            own = () if filler.at in used else (filler,)
            for one in taken:
                used[one.at] = held
            open_ = not is_so(term)
            if not open_:
                self._linked(held, term, sentence)
            for told in self._readings(events, event, held, term, taken, own, sentence):
                if not open_:
                    yield told
            return

    def _either(self, sentence: Sentence) -> set[int]:
        """Return the words for what is of another thing that may be meant, each with a clause."""
        nouns = {noun for kind in self.known.kinds.values() for noun in kind.nouns}
        return {
            one.at
            for term in sentence.said
            for thing in terms_of(term)
            for one in (thing.of("of") if thing.head in nouns else ())
            if one.head in nouns and one.of("that")
        }

    def _made(self, told: Told) -> URIRef:
        return self.assertions.part(f"{told.event.kind}@{told.span.start}")

    def _acted(self, term: Term, sentence: Sentence) -> None:
        """State what one thing did to another: "it was repealed by section 2 of that act"."""
        if term.force not in FORCES or any(slot.role in CONDITIONAL for slot in term.slots):
            return
        for phrase, _ in phrases(term):
            for action in self.lexicon.actions.get(phrase, ()):
                doers = [*term.of("subj"), *term.of("by")]
                # "in Thorne v. Abbey the court followed it": a court does it in a case of its own
                deciding = all(one.head in self.doing or one.determiner == "name" for one in doers)
                within = term.of("in") if deciding else []
                doer = self._acting(action.of, [*within, *doers], sentence, doer=True)
                roles = ("obj", "into", "from", "on", "upon", "of", *(() if within else ("in",)))
                whom = [filler for role in roles for filler in term.of(role)]
                done = self._acting(action.to, whom, sentence) if doer is not None else None
                if doer is not None and done is not None and doer.node != done.node:
                    polarity: Polarity = "negative" if term.denied else "positive"
                    span = self.assertions.span(sentence.span.start, sentence.span.end)
                    self.assertions.state(
                        doer.node, action.property, done.node, span, polarity=polarity
                    )

    def _acting(
        self, name: str, fillers: Sequence[Term], sentence: Sentence, *, doer: bool = False
    ) -> Held | None:
        """Return the thing of a kind that one of some fillers, or what it is a part of, is."""
        kind = self.known.kinds[name]
        for filler in fillers:
            for one in (filler, *filler.of("of"), *filler.of("to"), *filler.of("in")):
                if one.head in PRONOUNS:
                    held = self.known.it(one, {name}, sentence)
                    # "the brief relies on X. It cites Y": what is cited is no doer
                    held = held if held and (not doer or held.node in self.known.topics) else None
                else:
                    held = self.known.thing(one, kind, sentence)
                if held is not None:
                    return held
        return None

    def _bearing(self, term: Term, sentence: Sentence) -> Iterator[Told]:
        """Yield the date that a thing bears: "the judgment of 30 June 2015"."""
        for one in terms_of(term):
            for event in self.lexicon.events.get("date", ()):
                when = end_of(one, _BORNE, sentence)
                if when is None and term.head == "be" and one in term.of("subj"):
                    when = end_of(term, _BORNE, sentence)  # "the order is of 2 May"
                if when is None or one.kind != "thing":
                    continue
                held = self.known.thing(one, self.known.kinds[event.of], sentence)
                if held is not None:
                    place = sentence.span.start + one.place[0]
                    span = self.assertions.span(min(place, when.span.start), when.span.end)
                    yield Told(event, held, when, "", span, borne=True)

    def _readings(
        self,
        events: Sequence[Event],
        first: Event,
        held: Held,
        term: Term,
        taken: Sequence[Term],
        own: Sequence[Term],
        sentence: Sentence,
    ) -> Iterator[Told]:
        """Yield what a wording says of a thing: when it began, until when it lasts."""
        doers = [
            s.filler for s in term.slots if s.role == "subj" and s.filler not in (*taken, *own)
        ]
        doer = " ".join(word for one in doers for word in head_words(one))
        for event in events:
            if event.of != first.of:
                continue
            when = when_done(term, taken, own, sentence, until=event.until)
            if event.value:
                if sentence.dates or sentence.changed or term.of("on"):
                    continue
            elif when is None:
                continue
            words = self.known.text[sentence.span.start : sentence.span.end]
            things = [one for one in surface(term) if one.kind == "thing"]
            ends = [
                *term.place,
                *(at for one in things for at in (first_place(one, words), one.place[1])),
            ]
            places = [sentence.span.start + at for at in ends]
            if when is not None:
                places += [when.span.start, when.span.end]
            span = self.assertions.span(min(places), max(places))
            at = sentence.span.start + term.place[0]
            yield Told(event, held, when, doer, span, at, borne=term.head == "date")

    def _holder(
        self,
        events: Sequence[Event],
        fillers: Sequence[Term],
        sentence: Sentence,
        used: Mapping[int, Held],
        *,
        heading: bool = False,
    ) -> tuple[Event, Held, Term] | None:
        """Return what an event happens to, where its words say which thing that is."""
        of = {event.of: event for event in events}
        for filler in fillers:
            known = used.get(filler.at)
            if known is not None and known.kind.name in of:
                return of[known.kind.name], known, filler
            if filler.head in PRONOUNS:
                one = self.known.it(filler, of, sentence)
                if one is None and filler.head in POSSESSIVES:
                    continue
                if one is not None and one.kind.part is None and one.node in self.known.wholes:
                    one = self.known.wholes[one.node]  # "its term began; it ended" tells of one
                    if one.kind.name not in of:
                        continue
                return (of[one.kind.name], one, filler) if one else None
            for event in of.values():
                held = self.known.thing(filler, self.known.kinds[event.of], sentence)
                whole = self._whose(filler, held, of, sentence) if held is not None else None
                if whole is not None and held is not None:
                    self.known.wholes[held.node] = whole
                    return of[whole.kind.name], whole, filler
                if held is not None:
                    return event, held, filler
        if heading:
            # "Start date: 1 July": of what the text is itself
            for event in of.values():
                kind = self.known.kinds[event.of]
                node = self.known.things.definite(kind.sign) if kind.sign else None
                if node is not None:
                    key = frozenset({str(node)})
                    return (
                        event,
                        self.known.hold(kind, "", key, node, sentence),
                        Term("", "gap", -1),
                    )
        for event in of.values():
            if event.implicit:
                kind = self.known.kinds[event.of]
                own = self.known.things.definite(kind.sign) if kind.sign else None
                node = own or self.known.fresh(
                    kind, kind.name, frozenset({f"@{sentence.span.start}"})
                )
                held = self.known.hold(kind, kind.name, frozenset({str(node)}), node, sentence)
                return event, held, Term("", "gap", -1)  # whoever did it is no part of it
        return None

    def _whose(
        self, filler: Term, held: Held, of: Mapping[str, Event], sentence: Sentence
    ) -> Held | None:
        """Return the contract or patent that a term is the only one of: "its term ended"."""
        if held.kind.part is not None or not held.kind.whole or filler.determiner == "a":
            return None
        kinds = {*held.kind.whole} & {*of}
        nouns = {noun for name in kinds for noun in self.known.kinds[name].nouns}
        if any(word.split()[-1] not in OF_THE_WHOLE | nouns for word in held.key):
            return None
        for one in filler.of("of"):
            if one.head in PRONOUNS:
                return self.known.it(one, kinds, sentence)
            if one.head in {*nouns, "whose"}:  # "the guarantee's term" is none of the lease
                found = (self.known.thing(one, self.known.kinds[name], sentence) for name in kinds)
                return next((whole for whole in found if whole is not None), None)
        spoken = {one.node: one for one in self.known.held if one.kind.name in kinds}
        crowded = {name for name, _ in self.known.crowded} & {*kinds, held.kind.name}
        for name in sorted(kinds) if not spoken else ():
            kind = self.known.kinds[name]
            things = self.known.things
            node = things.definite(kind.sign) if things.speaks_of(kind.sign) else None
            if node is not None:  # no sentence that was read named it
                spoken[node] = self.known.hold(kind, "", frozenset({str(node)}), node, sentence)
        return next(iter(spoken.values())) if len(spoken) == 1 and not crowded else None

    # --- what belongs to what -----------------------------------------------------------------

    def _linked(self, above: Held, term: Term, sentence: Sentence) -> None:
        """Note what a thing was taken from: "granted on an application", "appealed against it"."""
        kind = above.kind
        if not kind.taken or kind.link is None:
            return
        for slot in term.slots:
            held = self.known.thing(slot.filler, self.known.kinds[kind.taken], sentence)
            if held is not None and slot.role in {"on", "from", "against", "obj"}:
                self._link(above, kind.link, held, term, sentence)

    def _described(self, term: Term, sentence: Sentence) -> None:
        """Note what is described by what was taken from it: "the judgment appealed from"."""
        for inner in terms_of(term):
            for kind in self.known.kinds.values():
                if not kind.taken or kind.link is None or inner.kind != "thing":
                    continue
                below = self.known.kinds[kind.taken]
                # "the High Court gave its judgment": its own, and none of what went before
                own = any(inner in (o, *o.joined) for o in term.of("obj")) and term.of("subj")
                if inner.head in below.nouns and not (own and inner.of("of")):
                    self._taken_from(inner, kind, below, sentence)
                elif inner.head in kind.nouns:
                    self._taking(inner, inner, kind, below, sentence)
                for one in inner.of("of"):  # "her notice of appeal from that judgment"
                    if one.head in kind.nouns:
                        self._taking(one, inner, kind, below, sentence)

    def _taken_from(self, term: Term, kind: Kind, below: Kind, sentence: Sentence) -> None:
        above = None
        for slot in term.slots:
            if slot.role == "of" and slot.filler.head in PRONOUNS:
                fit = {one.node: one for one in self.known.before if one.kind == kind}
                above = next(iter(fit.values())) if len(fit) == 1 else None
            elif slot.role == "under" and slot.filler.head in kind.nouns:
                fit = {one.node: one for one in self.known.held if one.kind == kind}
                above = next(iter(fit.values())) if len(fit) == 1 else None
            elif slot.role == "that":
                inner = [t for s in slot.filler.slots for t in terms_of(s.filler)]
                found = [self.known.thing(t, kind, sentence) for t in inner]
                above = next((one for one in found if one is not None), None)
                if above is None and self._is_implied(slot.filler, kind):
                    fit = {one.node: one for one in self.known.held if one.kind == kind}
                    above = next(iter(fit.values())) if len(fit) == 1 else None
                if above is None and any(t.head in PRONOUNS for t in inner):
                    fit = {one.node: one for one in self.known.before if one.kind == kind}
                    above = next(iter(fit.values())) if len(fit) == 1 else None
        held = self.known.thing(term, below, sentence) if above is not None else None
        if above is not None and held is not None and kind.link is not None:
            self._link(above, kind.link, held, term, sentence)

    def _is_implied(self, clause: Term, kind: Kind) -> bool:
        """Return whether a clause has a thing of a kind in its verb: "appealed from"."""
        events = self.lexicon.events.get(clause.head, ())
        return any(event.implicit and event.of == kind.name for event in events)

    def _taking(self, term: Term, told: Term, kind: Kind, below: Kind, sentence: Sentence) -> None:
        for slot in told.slots:
            if slot.role in {"from", "against", "on", "of"} and kind.link is not None:
                it = slot.filler.head in PRONOUNS
                held = self.known.it(slot.filler, {below.name}, sentence) if it else None
                held = held or self.known.thing(slot.filler, below, sentence)
                above = self.known.thing(term, kind, sentence) if held is not None else None
                if held is not None and above is not None:
                    self._link(above, kind.link, held, term, sentence)

    def _link(self, above: Held, link: URIRef, below: Held, term: Term, sentence: Sentence) -> None:
        start = sentence.span.start
        span = self.assertions.span(start + term.place[0], start + term.place[1])
        self.links.setdefault((above.node, link, below.node), span)

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
        if told.when is None or self._is_told(event, told.when.node, span):
            return
        self._typed(held, span)
        if event.via is not None:
            label = f"{event.kind} in {called}" if len(called.split()) > 1 else event.kind
            subject = self._made(told)
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

    def _typed(self, held: Held, span: Span) -> None:
        """State the class of what has a name."""
        for sign in self.lexicon.signs:
            named = not held.called and held.node != mint(ENTITY, sign.node)
            if sign.name == held.kind.sign and sign.type and named and not sign.paper:
                self.assertions.state(held.node, RDF.type, sign.type, span)

    def _is_told(self, event: Event, value: Node, span: Span) -> bool:
        """Return whether a pattern of the lexicon has read this event already."""
        return any(
            claim.triple.predicate == event.property
            and claim.triple.object == value
            and claim.span.start < span.end
            and span.start < claim.span.end
            for claim in self.assertions.claims()
        )

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
        spoken = [
            one
            for one in spoken
            if not self.known.is_new(one.node, held.node)
            and not self.known.was_new(held.node, one.node)
        ]
        # of several words for a suit the one that is dated counts
        dated = [one for one in spoken if one.node in self.dated]
        spoken = dated if len(spoken) > 1 and len(dated) == 1 else spoken
        if len(spoken) != 1 or any(name in kinds for name, _ in self.known.crowded):
            return None
        return None if spoken[0].kind.taken else spoken[0]
