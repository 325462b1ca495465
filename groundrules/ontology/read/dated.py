"""Dated events: when what happened to the things that a document speaks of, and how it ended.

Propositions are read, so one entry of the lexicon serves the active and the passive, the relative
clause and the noun of the event. Things of a kind are told apart by their descriptions: "the lease
of Unit 1" is not "the lease of Unit 2", "that petition" is the one before it. Where two readings
remain nothing is stated.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rdflib.term import Literal, Node, URIRef

from groundrules.calendar import DATES
from groundrules.claims.asserted import propositions
from groundrules.claims.document import plain
from groundrules.claims.english.identity import (
    CHANGED_LATER,
    CONDITIONAL,
    DATED_ON,
    DATED_UNTIL,
    OCCURRING,
    TAKING_UP,
    TELLING_APART,
    TELLING_NOTHING,
    TELLING_SLOTS,
)
from groundrules.claims.offline import load
from groundrules.claims.slots import Slot, Term, terms_of
from groundrules.ontology.read.lexicon import Event, Kind, Lexicon
from groundrules.ontology.read.relations import OPEN, Things
from groundrules.terms import ENTITY, Mention, Span, mint

__all__ = ["read_events"]

#: The longest sentence that is read for events, in code points.
LONGEST = 1200
#: How many sentences back "that lease" looks.
_BACK = 3
_FORCES = frozenset({"fact", "shall", "will", "must", "is to"})
_BY_THE_WAY = frozenset({"by", "after", "since", "beside"})
_DENIAL = re.compile(r"(?i)\bden(?:y|ies|ied)\b")
#: What a thing is called that has a name, or that the text is about.
_OWN = ""
_ITSELF = r"^the (?:same|said|present|instant) "
_PRONOUNS = frozenset({"it", "its"})


@dataclass(frozen=True, slots=True)
class Held:
    """A thing that a document speaks of: its kind, its node, what it is called and described by."""

    kind: Kind
    node: Node
    called: str
    key: frozenset[str]
    sentence: int


@dataclass(frozen=True, slots=True)
class _Told:
    """An event that a sentence tells: its thing, its date, its doer and its place."""

    event: Event
    held: Held
    when: Mention | None
    doer: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence that is read: its number, its place, what it asserts and its dates."""

    index: int
    span: Span
    said: tuple[Term, ...]
    dates: tuple[Mention, ...]
    changed: bool

    def date_at(self, term: Term) -> Mention | None:
        """Return the date that a filler stands in."""
        place = self.span.start + term.place[0]
        return next((d for d in self.dates if d.span.start <= place < d.span.end), None)


def read_events(things: Things) -> None:
    """State the dates and outcomes of events that sentences tell of things of the lexicon."""
    lexicon = things.lexicon
    if not lexicon.events:
        return
    text = plain(things.assertions.extraction.document)
    reader = _Reader(things, _crowded(text, lexicon))
    told = [one for sentence in _parsed(things, text) for one in reader.told(sentence)]
    longer = {event.property for e in lexicon.events.values() for event in e if event.unless}
    hidden = re.sub(r"(?i)\b(?:no|not|without|nor)\b[^.;]{0,60}", "", text) if longer else ""
    for one in told:
        if one.event.unless is None or not one.event.unless.search(hidden):
            reader.state(one)
    reader.link()


def _crowded(text: str, lexicon: Lexicon) -> frozenset[tuple[str, str]]:
    """Return what a text tells one from another of: "an earlier suit", "a new lease"."""
    out = set()
    for kind in lexicon.kinds:
        for called in {*kind.nouns.values()}:
            nouns = [noun for noun, group in kind.nouns.items() if group == called]
            either = "|".join(sorted(map(re.escape, nouns), key=len, reverse=True))
            between = r"(?:[\w’'-]{1,20}\s){0,2}?"
            if re.search(rf"(?i)\b(?:{TELLING_APART})\s{between}(?:{either})s?\b", text):
                out.add((kind.name, called))
    return frozenset(out)


def _parsed(things: Things, text: str) -> Iterator[_Sentence]:
    """Yield the sentences that may tell an event, as they are read."""
    extraction, lexicon = things.assertions.extraction, things.lexicon
    dates = [
        m
        for m in extraction.mentions
        if m.kind == "DATE" and isinstance(m.node, Literal) and m.node.datatype in DATES
    ]
    starts = [m.span.start for m in dates]
    nouns = {noun.split()[-1] for kind in lexicon.kinds for noun in kind.nouns}
    noun = re.compile(rf"(?i)\b(?:{'|'.join(sorted(map(re.escape, nouns)))}|its?)\b")
    undated = {
        phrase.split()[0][:6]
        for phrase, events in lexicon.events.items()
        if any(event.value or event.implicit for event in events)
    }
    outcome = re.compile(rf"(?i)\b(?:{'|'.join(sorted(map(re.escape, undated))) or '(?!)'})")
    spans, inside = [], []
    for index, span in enumerate(extraction.sentences):
        first, last = (bisect.bisect_left(starts, at) for at in (span.start, span.end))
        own = dates[first:last]
        if span.end - span.start > LONGEST:
            continue
        told = own or outcome.search(text, span.start, span.end)
        if told and (own or noun.search(text, span.start, span.end)):
            spans.append((index, span))
            inside.append(tuple(own))
    lines = [re.sub(r"\s", " ", text[span.start : span.end]) for _, span in spans]
    docs = load().pipe(lines, disable=["ner"])
    for (index, span), near, line, doc in zip(spans, inside, lines, docs, strict=True):
        # who denies a motion says nothing of what is so
        if not OPEN.search(_DENIAL.sub("", line)):
            changed = bool(re.search(CHANGED_LATER, line))
            yield _Sentence(index, span, tuple(propositions(doc, {})), near, changed)


class _Reader:
    """Reads the propositions of sentences for events; holds the things that were spoken of."""

    def __init__(self, things: Things, crowded: frozenset[tuple[str, str]]) -> None:
        self.things = things
        self.assertions = things.assertions
        self.lexicon = things.lexicon
        self.crowded = crowded
        self.kinds = {kind.name: kind for kind in self.lexicon.kinds}
        self.held: list[Held] = []
        self.before: list[Held] = []
        self.here: list[tuple[int, Held]] = []
        self.links: dict[tuple[Node, URIRef, Node], Span] = {}

    # --- events -------------------------------------------------------------------------------

    def told(self, sentence: _Sentence) -> Iterator[_Told]:
        """Yield the events of a sentence, its things taken up in their order."""
        if self.here:
            self.before = [held for _, held in self.here]
        self.here = []
        used: dict[int, Held] = {}
        for term in _done(sentence.said):
            found = list(self._events(term, sentence, used))
            yield from found
            for inner in terms_of(term):
                self._mention(inner, sentence)
            for one in found:
                self._linked(one, term, sentence)
            self._described(term, sentence)

    def _events(self, term: Term, sentence: _Sentence, used: dict[int, Held]) -> Iterator[_Told]:
        for phrase, taken in _phrases(term):
            events = self.lexicon.events.get(phrase, ())
            found = self._holder(events, _holders(term, taken), sentence, used)
            if found is None:
                continue
            event, held, filler = found
            # what an earlier event took up has the date of that
            own = () if filler.at in used else (filler,)
            for one in taken:
                used[one.at] = held
            open_ = term.denied or term.force not in _FORCES
            open_ = open_ or any(slot.role in CONDITIONAL for slot in term.slots)
            for told in self._readings(events, event, held, term, (*taken, *own), sentence):
                if not open_:
                    yield told
            return

    def _readings(
        self,
        events: Sequence[Event],
        first: Event,
        held: Held,
        term: Term,
        around: Sequence[Term],
        sentence: _Sentence,
    ) -> Iterator[_Told]:
        """Yield what a wording says of a thing: when it began, until when it lasts."""
        doers = [s.filler for s in term.slots if s.role == "subj" and s.filler not in around]
        doer = " ".join(word for one in doers for word in _head_words(one))
        for event in events:
            if event.of != first.of:
                continue
            when = _when(term, around, sentence, until=event.until)
            if event.value:
                if sentence.dates or sentence.changed:
                    continue
            elif when is None:
                continue
            places = [sentence.span.start + term.place[0], sentence.span.start + term.place[1]]
            if when is not None:
                places += [when.span.start, when.span.end]
            span = self.assertions.span(min(places), max(places))
            yield _Told(event, held, when, doer, span)

    def _holder(
        self,
        events: Sequence[Event],
        fillers: Sequence[Term],
        sentence: _Sentence,
        used: Mapping[int, Held],
    ) -> tuple[Event, Held, Term] | None:
        """Return what an event happens to, where its words say which thing that is."""
        of = {event.of: event for event in events}
        for filler in fillers:
            known = used.get(filler.at)
            if known is not None and known.kind.name in of:
                return of[known.kind.name], known, filler
            if filler.head in _PRONOUNS:
                one = self._it(filler, of, sentence)
                return (of[one.kind.name], one, filler) if one else None
            for event in of.values():
                held = self._thing(filler, self.kinds[event.of], sentence)
                if held is not None:
                    return event, held, filler
        for event in of.values():
            if event.implicit:
                kind = self.kinds[event.of]
                node = self._fresh(kind, kind.name, frozenset({f"@{sentence.span.start}"}))
                held = self._hold(kind, kind.name, frozenset({str(node)}), node, sentence)
                return event, held, fillers[0] if fillers else Term("", "gap", -1)
        return None

    def _it(self, filler: Term, kinds: Mapping[str, Event], sentence: _Sentence) -> Held | None:
        """Return the only thing that "it" may be: of this sentence, or else of the one before."""
        place = sentence.span.start + filler.place[0]
        here = {held.node: held for at, held in self.here if at < place}
        near = here or {held.node: held for held in self.before}
        fit = [held for held in near.values() if held.kind.name in kinds]
        return fit[0] if len(fit) == 1 else None

    # --- things -------------------------------------------------------------------------------

    def _mention(self, term: Term, sentence: _Sentence) -> None:
        """Take up a thing that a sentence speaks of, whatever it says of it."""
        if term.kind != "thing" or term.head in _PRONOUNS:
            return
        for kind in self.kinds.values():
            held = self._thing(term, kind, sentence)
            if held is not None:
                self.here.append((sentence.span.start + term.place[0], held))
                self.here.sort(key=lambda one: one[0])
                return

    def _thing(self, term: Term, kind: Kind, sentence: _Sentence) -> Held | None:
        """Return the thing of a kind that a phrase speaks of; None where it may be another."""
        if term.joined or term.plural or term.kind != "thing":
            return None
        named = self._named(term, kind, sentence) or next(
            (
                node
                for slot in term.slots
                if slot.role in {"in", "of", "also"} and term.head in kind.nouns
                if (node := self._named(slot.filler, kind, sentence)) is not None
            ),
            None,
        )
        if named is not None:
            return self._hold(kind, _OWN, frozenset({str(named)}), named, sentence)
        mods = [slot.filler.head for slot in term.slots if slot.role == "mod"]
        names = [term.head, *(f"{mod} {term.head}" for mod in mods)]
        called = next((kind.nouns[name] for name in names[::-1] if name in kind.nouns), None)
        if called is None:
            return None
        said = term.text.strip(" ,").casefold()
        said = f"the {said}" if term.determiner == "bare" and " " not in said else said
        key = self._key(term, kind, sentence)
        # "the present suit" is the suit
        if not key and self._is_own(kind, re.sub(_ITSELF, "the ", said)):
            return self._own(kind, said, sentence)
        if re.match(TAKING_UP, said) and not key:
            return self._taken_up(kind, called, said, sentence)
        fresh = re.match(r"an?\s", said) is not None
        names_of_one = {called} if fresh or key else {called, _OWN}
        same = [one for one in self.held if one.kind == kind and one.called in names_of_one]
        known = next((one for one in same if one.key == key), None)
        if not key and ((kind.name, called) in self.crowded or len(same) > 1):
            return None
        known = known or (same[0] if same and not key else None)
        node = known.node if known else self._fresh(kind, said, key)
        return self._hold(kind, called, known.key if known else key, node, sentence)

    def _is_own(self, kind: Kind, said: str) -> bool:
        """Return whether words are those of what the text itself is, or is about: "this lease"."""
        signs = (one for one in self.lexicon.signs if one.name == kind.sign and one.definite)
        return any(one.definite and one.definite.fullmatch(said) for one in signs)

    def _own(self, kind: Kind, said: str, sentence: _Sentence) -> Held | None:
        """Return the thing that the text itself is, or is about; None where it may be another."""
        node = self.things.definite(kind.sign)
        several = any(name == kind.name for name, _ in self.crowded)
        paper = kind.sign in self.lexicon.papers
        if node is None or (several and not (paper and said.startswith("this "))):
            return None
        return self._hold(kind, _OWN, frozenset({str(node)}), node, sentence)

    def _taken_up(self, kind: Kind, called: str, said: str, sentence: _Sentence) -> Held | None:
        """Return the thing that "that petition" takes up: the last one that was called so."""
        near = [one for one in self.held if one.kind == kind]
        near = [one for one in near if sentence.index - one.sentence <= _BACK]
        alike = [one for one in near if one.called in {called, _OWN}]
        if alike:
            return self._again(alike[-1], sentence)
        if not said.startswith("this ") or near:
            return None
        return self._hold(kind, called, frozenset(), self._fresh(kind, said, frozenset()), sentence)

    def _again(self, held: Held, sentence: _Sentence) -> Held:
        return self._hold(held.kind, held.called, held.key, held.node, sentence)

    def _hold(
        self, kind: Kind, called: str, key: frozenset[str], node: Node, sentence: _Sentence
    ) -> Held:
        """Return a thing, held as the last one that was spoken of."""
        self.held = [one for one in self.held if one.node != node]
        self.held.append(Held(kind, node, called, key, sentence.index))
        return self.held[-1]

    def _named(self, term: Term, kind: Kind, sentence: _Sentence) -> Node | None:
        """Return the node of a thing that is called by a name, its own where that has company."""
        if not kind.sign:
            return None
        first, last = (sentence.span.start + place for place in term.place)
        for word in self.things.sentences[sentence.index].words.values():
            if word.kind != kind.sign or not word.named:
                continue
            if word.span.start < last and first < word.span.end:
                if re.match(rf"(?i)(?:(?:the|an?)\s)?(?:{TELLING_APART})\s", term.text.strip(" ,")):
                    return self._fresh(kind, term.text, frozenset())
                return self.things.node(word)
        return None

    def _key(self, term: Term, kind: Kind, sentence: _Sentence) -> frozenset[str]:
        """Return the words by which a phrase tells its thing from others of the kind."""
        if any(slot.role == "only" for slot in term.slots):
            return frozenset()
        apart = re.match(rf"(?:the\s)?({TELLING_APART})\s", term.text.strip(" ,").casefold())
        out = {apart[1]} if apart else set()
        for slot in term.slots:
            filler = slot.filler
            told = slot.role == "that" and (filler.aside or self._is_event(filler))
            if slot.role not in TELLING_SLOTS or filler.kind == "gap" or told:
                continue
            if f"{filler.head} {term.head}" in kind.nouns or filler.head in TELLING_NOTHING:
                continue
            if sentence.date_at(filler) is not None and slot.role in DATED_ON | DATED_UNTIL:
                continue
            if self._belongs(kind, filler):
                continue
            out.add(filler.head if slot.role == "mod" else f"{slot.role} {filler.head}")
            mods = (one.filler.head for one in filler.slots)
            out |= {mod for mod in mods if mod not in TELLING_NOTHING}
        return frozenset(out)

    def _belongs(self, kind: Kind, filler: Term) -> bool:
        """Return whether a complement names what a thing belongs to: "judgment in the suit"."""
        others = {*kind.whole, *(one.name for one in self.kinds.values() if one.taken == kind.name)}
        others |= {kind.taken} - {""}
        return not filler.slots and any(filler.head in self.kinds[name].nouns for name in others)

    def _is_event(self, clause: Term) -> bool:
        """Return whether a relative clause tells an event, rather than which thing is meant."""
        return any(phrase in self.lexicon.events for phrase, _ in _phrases(clause))

    def _fresh(self, kind: Kind, said: str, key: frozenset[str]) -> URIRef:
        words = " ".join(said.split(",")[0].split())
        label = re.sub(r"(?i)^(?:the|an?|that|this|said)\s", "", words)
        label = (label if len(label) < 60 else f"{label[:59]}…") or kind.name
        node = mint(ENTITY, " ".join([kind.name, label, *sorted(key)]))
        self.assertions.labels.setdefault(node, label)
        return node

    # --- what belongs to what -----------------------------------------------------------------

    def _linked(self, told: _Told, term: Term, sentence: _Sentence) -> None:
        """Note what a thing was taken from: "granted on an application", "appealed against it"."""
        kind = told.held.kind
        if not kind.taken or kind.link is None:
            return
        for slot in term.slots:
            held = self._thing(slot.filler, self.kinds[kind.taken], sentence)
            if held is not None and slot.role in {"on", "from", "against", "obj"}:
                self.links.setdefault((told.held.node, kind.link, held.node), told.span)

    def _described(self, term: Term, sentence: _Sentence) -> None:
        """Note what is described by what was taken from it: "the judgment appealed from"."""
        for inner in terms_of(term):
            for kind in self.kinds.values():
                if not kind.taken or kind.link is None or inner.kind != "thing":
                    continue
                below = self.kinds[kind.taken]
                if inner.head in below.nouns:
                    self._taken_from(inner, kind, below, sentence)
                elif inner.head in kind.nouns:
                    self._taking(inner, kind, below, sentence)

    def _taken_from(self, term: Term, kind: Kind, below: Kind, sentence: _Sentence) -> None:
        above = None
        for slot in term.slots:
            if slot.role == "of" and slot.filler.head in _PRONOUNS:
                fit = {one.node: one for one in self.before if one.kind == kind}
                above = next(iter(fit.values())) if len(fit) == 1 else None
            elif slot.role == "that":
                inner = [t for s in slot.filler.slots for t in terms_of(s.filler)]
                found = [self._thing(t, kind, sentence) for t in inner]
                above = next((one for one in found if one is not None), None)
                if above is None and self._is_implied(slot.filler, kind):
                    fit = {one.node: one for one in self.held if one.kind == kind}
                    above = next(iter(fit.values())) if len(fit) == 1 else None
                if above is None and any(t.head in _PRONOUNS for t in inner):
                    fit = {one.node: one for one in self.before if one.kind == kind}
                    above = next(iter(fit.values())) if len(fit) == 1 else None
        held = self._thing(term, below, sentence) if above is not None else None
        if above is not None and held is not None and kind.link is not None:
            self._link(above, kind.link, held, term, sentence)

    def _is_implied(self, clause: Term, kind: Kind) -> bool:
        """Return whether a clause has a thing of a kind in its verb: "appealed from"."""
        events = self.lexicon.events.get(clause.head, ())
        return any(event.implicit and event.of == kind.name for event in events)

    def _taking(self, term: Term, kind: Kind, below: Kind, sentence: _Sentence) -> None:
        for slot in term.slots:
            if slot.role in {"from", "against", "on", "of"} and kind.link is not None:
                held = self._thing(slot.filler, below, sentence)
                above = self._thing(term, kind, sentence) if held is not None else None
                if held is not None and above is not None:
                    self._link(above, kind.link, held, term, sentence)

    def _link(
        self, above: Held, link: URIRef, below: Held, term: Term, sentence: _Sentence
    ) -> None:
        start = sentence.span.start
        span = self.assertions.span(start + term.place[0], start + term.place[1])
        self.links.setdefault((above.node, link, below.node), span)

    def link(self) -> None:
        """State what was taken from what, where each is said or is the only one of its kind."""
        for kind in self.kinds.values():
            mine = [one for one in self.held if one.kind == kind]
            others = [one for one in self.held if one.kind.name == kind.taken]
            several = {name for name, _ in self.crowded} & {kind.name, kind.taken}
            if kind.lone and kind.link and len(mine) == len(others) == 1 and not several:
                span = self.assertions.extraction.sentences[mine[0].sentence]
                self.links.setdefault((mine[0].node, kind.link, others[0].node), span)
        for (above, link, below), span in self.links.items():
            self.assertions.state(above, link, below, span)

    # --- what is stated -----------------------------------------------------------------------

    def state(self, told: _Told) -> None:
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
        self.assertions.state(subject, event.property, told.when.node, span, parts=parts)

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
        kinds = {*held.kind.whole[:1]}
        spoken = [one for one in self.held if one.kind.name in kinds]
        if len(spoken) != 1 or any(name in kinds for name, _ in self.crowded):
            return None
        return None if spoken[0].kind.taken else spoken[0]


def _done(said: Sequence[Term]) -> Iterator[Term]:
    """Yield propositions with what they say by the way: "by filing it", "which was filed on"."""
    told = {term.at for term in said}
    for term in said:
        yield term
        yield from (
            slot.filler
            for slot in term.slots
            if slot.role in _BY_THE_WAY and slot.filler.kind == "event"
        )
        for thing in terms_of(term):
            for slot in thing.slots if thing.kind == "thing" else ():
                if slot.role == "that" and slot.filler.clausal and slot.filler.at not in told:
                    told.add(slot.filler.at)
                    yield _filled(slot.filler, replace(thing, slots=thing.without("that")))


def _filled(clause: Term, thing: Term) -> Term:
    """Return a relative clause with the thing that it is about in its gap."""
    slots = (replace(s, filler=thing) if s.filler.kind == "gap" else s for s in clause.slots)
    return replace(clause, slots=tuple(slots))


def _phrases(term: Term) -> Iterator[tuple[str, tuple[Term, ...]]]:
    """Yield the wordings of an event with what they take up: "take effect", "come into force"."""
    for slot in term.slots:
        head = slot.filler.head
        mods = [one.filler.head for one in slot.filler.slots if one.role in {"mod", "compound"}]
        names = [head, *(f"{mod} {head}" for mod in mods)]
        if slot.role in {"obj", "is"}:
            yield from ((f"{term.head} {name}", (slot.filler,)) for name in names)
        elif slot.role == "mod":
            yield f"{term.head} {head}", (slot.filler,)
        elif slot.role == "xcomp":
            yield f"{term.head} to {head}", (slot.filler,)
            for inner in slot.filler.slots:
                link = "" if inner.role in {"obj", "is"} else f"{inner.role} "
                phrase = f"{term.head} to {head} {link}{inner.filler.head}"
                yield phrase, (slot.filler, inner.filler)
        elif slot.role == "subj" and term.head in OCCURRING:
            yield from ((f"{name} occurs", (slot.filler,)) for name in names)
        else:
            yield f"{term.head} {slot.role} {head}", (slot.filler,)
    yield term.head, ()


def _holders(term: Term, taken: Sequence[Term]) -> list[Term]:
    """Return what an event may happen to, the done-to before the doer."""
    inside = [s.filler for one in taken for s in one.slots if s.role in {"of", "in", "obj"}]
    free = [slot for slot in term.slots if slot.filler not in taken]
    done_to = [slot.filler for slot in free if slot.role == "obj" and slot.filler.kind == "thing"]
    doers = [slot.filler for slot in free if slot.role == "subj"]
    within = [slot.filler for slot in free if slot.role == "in"]
    return [*done_to, *inside, *([] if done_to else doers), *(within if taken else [])]


def _when(
    term: Term, around: Sequence[Term], sentence: _Sentence, *, until: bool
) -> Mention | None:
    """Return the date of an event, None where it has none or several."""
    roles = DATED_UNTIL if until else DATED_ON
    slots: list[Slot] = list(term.slots)
    for one in around:
        slots += one.slots
    slots = [slot for slot in slots if slot.role in roles]
    found = {date.span.start: date for slot in slots if (date := sentence.date_at(slot.filler))}
    return next(iter(found.values())) if len(found) == 1 else None


def _head_words(term: Term) -> Iterator[str]:
    """Yield the words of who does something: of a name all, of others none that describe it."""
    yield term.head
    for slot in term.slots:
        if slot.role == "of" or slot.filler.determiner == "name":
            yield from _head_words(slot.filler)
