"""What a proposition says in the terms of a knowledge base: states, deeds, amounts, ages, moves."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from groundrules.claims.english.attributes import CHOOSING, COUNTRIES, DIED, NUMBERS
from groundrules.claims.english.signals import FORMER
from groundrules.claims.english.slot_words import NOBODY, SHARES, SIDES
from groundrules.claims.english.states import (
    AMOUNTS,
    AT_THE_HEAD,
    BEARING,
    BEGINNING,
    CONTINUING,
    ENDING,
    EVENTS,
    GOING_ON,
    HEADS,
    LEADING,
    MOVING,
    OFFICES,
    PLACING,
    PRONOUNS,
    STANDING,
    SUCCEEDING,
)
from groundrules.claims.english.stems import uninflected
from groundrules.claims.slots import Slot, Term
from groundrules.kb.link.properties import ObjectKind
from groundrules.kb.read.parsed_places import OLD, Places, Said, at, is_noun, noun_of, spans_of
from groundrules.kb.read.relational import framed, moment_of
from groundrules.terms import Span

#: "It was in 1990 that".
CLEFT = re.compile(r"It (?:is|was) (?:in|on|at|from|by) (?:the )?[A-Z\d]")
#: What an event is to what it dates.
_EVENT_LEADS = {"when": "holding", "while": "holding", "before": "before", "after": "later"}


def included(event: Term) -> Term:
    """Return a proposition in the plain form of what it says: who is what, or does what."""
    return _among(_as_head(_gone_on(event)))


def _gone_on(event: Term) -> Term:
    """Return "went on to sing" as sang; what dates "ceased to be" stands behind the state."""
    for role in ("to", "xcomp"):
        inner = event.of(role)
        if inner and inner[0].kind == "event":
            dating = [s for s in inner[0].slots if s.role in {*_EVENT_LEADS, "until", "since"}]
            event = replace(event, slots=(*event.slots, *dating))
        if event.head in GOING_ON and inner and inner[0].kind == "event":
            subject = [s for s in event.slots if s.role == "subj"]
            return replace(inner[0], slots=(*subject, *inner[0].slots), tense=event.tense)
    return event


def _as_head(event: Term) -> Term:
    """Return who is "in charge of" or "at the head of" something as its head."""
    for slot in event.slots:
        heads = slot.role in {"in", "at"} and slot.filler.head in AT_THE_HEAD
        if heads and slot.filler.of("of"):
            role = "is" if event.head == "be" else "as"
            slots = (replace(s, role=role) if s is slot else s for s in event.slots)
            return replace(event, slots=tuple(slots))
    return event


def _among(event: Term) -> Term:
    """Return "its founders include Ann", "among its founders is Ann" as said of Ann."""
    one, several = [*event.of("obj"), *event.of("is")], [*event.of("among"), *event.of("subj")]
    inverse = event.head == "include" or (event.head == "be" and event.of("among"))
    if not inverse or len(one) != 1 or len(several) != 1:
        return event
    rest = event.without("obj", "is", "among", "subj")
    return replace(event, head="be", slots=(Slot("subj", one[0]), Slot("among", several[0]), *rest))


@dataclass(frozen=True, slots=True)
class Propositions:
    """What each proposition of a sentence says of two things."""

    here: Places

    def claims(self, event: Term) -> Iterator[Said]:
        """Yield what a proposition says of two things."""
        if not NOBODY.isdisjoint(t.head for t in event.of("subj")):
            return
        told = [*self.ages(event), *self.states(event), *self.measures(event)]
        told += [*self.outliving(event)]
        yield from told or self.deeds(event)
        for who in (*event.of("subj"), *event.of("obj")):  # "the Thames, 346 km long, flows"
            for one in (m for m in who.of("mod") if m.kind == "property" and m.of("mod")):
                whose = Slot("subj", replace(who, slots=who.without("mod")))
                yield from self.measures(replace(one, slots=(whose, *one.slots)))
        for slot in event.slots:  # "standing 2 m tall, he is …"
            if slot.role == "ing" and not slot.filler.of("subj"):
                first = [s for s in event.slots if s.role in {"subj", "obj"}][:1]
                yield from self.claims(replace(slot.filler, slots=(*first, *slot.filler.slots)))

    def completed(self, event: Term, offices: Sequence[Said]) -> Iterator[Said]:
        """Yield that somebody came to the one office of the sentence, or left it.

        "She succeeded Bob, who had stepped down in May", "when Berlin took over".
        """
        taking = event.head in BEGINNING
        objects = [] if event.passive else event.of("obj")
        named = {(one.phrase, one.value, one.title, one.held): one for one in offices}
        who = [*event.of("obj")] if event.passive else [*event.of("subj")]
        bare = all(o.head in OFFICES and not o.of("of") for o in objects)
        if len(named) != 1 or len(who) != 1 or not bare or not self.is_of_office(event):
            return
        if not (taking or event.head in ENDING):
            return
        (one,) = named.values()
        thing = self.here.named(who[0])
        one = replace(
            one, words=self.here.verb(event), moment="start" if taking else "end", event=(),
            filled=tuple(self.here.span(self.here.token(o)) for o in objects), aside=False,
        )  # fmt: skip
        if one.value == thing:
            yield one
        elif one.thing == thing or one.title is not None:
            yield replace(one, thing=thing)

    def is_framed(self, event: Term) -> bool:
        """Return whether words before a clause say that it is of a story or of somebody's view."""
        if event.of("according to"):
            return True
        ends = [self.here.named(t).start for t in (*event.of("subj"), *event.of("obj"))]
        verb = min(span.start for span in self.here.verb(event))
        start = self.here.sentence.place.start
        leads = {self.here.text[start:end] for end in {*ends, verb} if end <= verb}
        return any(framed(one, "") for one in leads if not CLEFT.match(one))

    def states(self, event: Term) -> Iterator[Said]:
        """Yield what somebody or something is, becomes, remains or ceases to be."""
        subjects = event.of("obj") if event.passive else event.of("subj")
        if len(subjects) != 1 or self.here.is_hyphened(self.here.token(event)):  # "was re-elected"
            return
        (who,) = subjects
        words, head = self.here.verb(event), event.head
        moment = "end" if head in ENDING else "start" if head in BEGINNING else ""
        moment = "chosen" if head in CHOOSING else moment
        nouns: list[Term] = []
        owners: list[Term] = []
        if head in {"be", "become", *CONTINUING}:
            nouns = event.of("is") or (event.of("obj") if head in CONTINUING else [])
            nouns = nouns or event.of("as") or event.of("among")
            words += self.here.preps(self.here.token(event), "among")
            moment = "start" if head == "become" else ""
            seats = [s.filler for s in event.slots if s.filler.head in OFFICES and event.of("as")]
            owners = [o for seat in seats for o in seat.of("of")]  # "at the helm of"
            words += tuple(self.here.span(self.here.token(seat)) for seat in seats)
            words += tuple(
                self.here.span(t)
                for seat in seats
                for t in self.here.token(seat).children
                if t.lower_ == "of"
            ) + self.here.preps(self.here.token(event), "as")
        elif event.of("xcomp") and head in {*ENDING, *CONTINUING}:
            (inner, *_) = event.of("xcomp")  # who "quit smoking as mayor" is mayor still
            nouns = inner.of("is") or (inner.of("as") if inner.head in BEARING | LEADING else [])
            words += self.here.verb(inner)
        elif event.of("as") and (self.is_of_office(event) if moment else head in BEARING | LEADING):
            owners = event.of("obj") if head in LEADING else []
            nouns = [n for n in event.of("as") if not (owners and n.of("of"))]
            words += self.here.preps(self.here.token(event), "as")
            words += tuple(
                self.here.span(self.here.token(o)) for o in event.of("obj") if o.head in OFFICES
            )
        for held in event.of("obj") if not nouns and (moment or head in BEARING) else ():
            if held.head in OFFICES:  # "lost its status as", "gave up the office of"
                token = self.here.token(held)
                nouns = [n for n in (*held.of("as"), *held.of("of")) if is_noun(self.here.token(n))]
                owners, words = held.of("in"), (*words, self.here.span(token))
        before = event.of("obj") or event.of("from")
        if head in SUCCEEDING and event.of("as") and event.of("subj") and before:
            words += self.here.preps(self.here.token(event), "from") if not event.passive else ()
            first = event.of("subj")[0]
            yield from self.succession(event, first, before[0], event.of("as"), words)
            return
        for noun in nouns:
            if noun.kind != "thing" or not noun.text.lstrip(" ,(–—-")[:1].isalpha():
                continue
            if noun.head in {"successor", "predecessor"} and noun.of("as"):
                order = (who, *noun.of("of")) if noun.head == "successor" else (*noun.of("of"), who)
                more = (*words, self.here.span(self.here.token(noun)))
                if len(order) == 2:
                    yield from self.succession(event, *order, noun.of("as"), more)
                return
            beside = self.here.token(event).pos_ not in {"VERB", "AUX"}
            called = beside and self.here.token(who).text.islower()
            if called and noun.determiner == "name":
                who, noun = noun, who  # "the Polish capital, Warsaw"
            elif beside and noun.determiner == "name" and not noun.of("of"):
                spot = self.here.named(noun)  # "Ulm, Germany"
                yield Said(self.here.named(who), "[X] is in [Y]", spot, doubts=("part_whole",))
                continue
            token = self.here.token(noun)
            listed = token.dep_ == "conj" and any(t.lower_ in {"a", "an"} for t in token.head.lefts)
            known = self.here.knows(f"[X] is the {token.text} of [Y]", "item")
            one_of = beside and noun.determiner in {"the", "bare"} and not known
            if (one_of or listed) and not noun.of("of"):
                noun = replace(noun, determiner="a")
            for said in self.state(who, noun, owners):
                phrase = said.phrase
                if not (event.tense.startswith("present") or beside):
                    phrase = phrase.replace("is a [", "was a [")
                said = replace(said, phrase=self.here.perfect(event, phrase))
                when = said.moment or moment
                yield replace(said, words=(*words, *said.words), moment=when, aside=beside)

    def is_of_office(self, event: Term) -> bool:
        """Return whether what a verb of beginning or end takes besides is an office or a day.

        Who "left Ulm as mayor" was mayor before and after.
        """
        own = {"subj", "mod", "as", *_EVENT_LEADS, *(["obj"] if event.passive else [])}
        others = [s.filler for s in event.slots if s.role not in own]
        return all(one.head in OFFICES or self.here.date(one) is not None for one in others)

    def succession(
        self, event: Term, who: Term, other: Term, nouns: Sequence[Term], words: tuple[Span, ...]
    ) -> Iterator[Said]:
        """Yield that somebody became what somebody else had ceased to be soon before."""
        for noun in nouns:
            for one, before in zip(self.state(who, noun), self.state(other, noun), strict=True):
                row = {"thing": at(before.thing), "phrase": before.phrase, "of": "end",
                       "value": at(before.value), "title": at(before.title),
                       "words": at(self.here.span(self.here.token(event))), "is": "succeeding",
                       "years": None}  # fmt: skip
                as_ = self.here.preps(self.here.token(event), "as")
                yield replace(one, words=(*words, *as_, *one.words), moment="start", event=(row,))

    def state(self, who: Term, noun: Term, owners: Sequence[Term] = ()) -> Iterator[Said]:
        """Yield that somebody is the "noun" of something, or a noun."""
        token, thing = self.here.token(noun), self.here.named(who)
        core = [t for t in noun_of(token) if t.lower_ not in FORMER]
        former = tuple(self.here.span(t) for t in noun_of(token) if t not in core)
        moment = "end" if former else ""
        if self.here.is_hyphened(token):
            return
        lands = [t for t in core[:-1] if t.text[:1].isupper()]
        if not (lands and (lands[-1].text in COUNTRIES or lands[-1].dep_ == "compound")):
            lands = []
        names = [n for n in self.here.names_at(token) if self.here.is_known(n)]
        title = next((n for n in names if self.here.start + core[0].idx <= n.start), None)
        whose = [o for o in (*noun.of("of"), *owners) if o.head not in PRONOUNS or not owners]
        spots = [self.here.named(owner, token) for owner in whose]
        if not spots and lands and noun.determiner != "a":
            spots = [self.here.name(lands[-1], token) or self.here.span(*lands)]
        for spot in spots[:1]:
            plain = [t for t in core if not spot.start <= self.here.start + t.idx < spot.end]
            for first in range(len(plain)):
                kind = " ".join(t.text for t in plain[first:])
                phrase = f"[X] is the {kind} of [Y]"
                phrase = "[X] led [Y]" if kind in HEADS | AT_THE_HEAD else phrase
                if self.here.knows(phrase, "item"):
                    words = (*map(self.here.span, plain[first:]), *self.here.preps(token, "of"))
                    words += former
                    owner = self.here.sentence.text(spot)
                    held = f"{kind} of {COUNTRIES.get(owner, owner)}"
                    whole = title is not None and title.end >= spot.end > title.start
                    place = title if title and whole else self.here.span(*plain[first:])
                    yield Said(thing, phrase, spot, words, title=place,
                                held="" if whole else held, moment=moment,
                                doubts=("unread",) if first else ())  # fmt: skip
                    return
        if former and noun.determiner == "a":
            return  # "a former American singer" was that, and is American
        if noun.determiner != "a" and not noun.plural:
            office, held = title or self.here.span(*core), ""
            filled: tuple[Span, ...] = ()
            for spot in spots[:1] if title is None else ():  # "Germany's defence minister"
                owner = self.here.sentence.text(spot)
                office = self.here.span(*(t for t in core if t not in lands))
                held = f"{self.here.sentence.text(office)} of {COUNTRIES.get(owner, owner)}"
                filled = (spot, *self.here.preps(token, "of"))
            yield Said(thing, "[X] served as [Y]", office, former, title=office, held=held,
                        filled=filled, moment=moment)  # fmt: skip
            return
        people = [t for t in lands if t.text in COUNTRIES and t.head == token]
        if people and token.lower_ in {"citizen", "national"}:
            words = (self.here.span(token),)
            yield Said(thing, "[X] is a citizen of [Y]", self.here.span(people[0]), words)
            return
        yield Said(
            thing, "[X] is a [Y]", title or self.here.span(*(t for t in core if t not in people))
        )
        for land in people:
            yield Said(thing, "[X] is a citizen of [Y]", self.here.span(land))

    def measures(self, event: Term) -> Iterator[Said]:
        """Yield how much of something a thing has, and that it has more or less than another."""
        # who "jumped 2 m high" is not so high
        stands = event.head in STANDING | CONTINUING
        adjectives = [event] if event.kind == "property" else event.of("is") if stands else []
        adjectives += [m for m in event.of("mod") if m.kind == "property" and stands]
        for who in event.of("subj"):
            for one in (one for one in adjectives if one.clausal):  # "stayed married to Ann"
                token = self.here.token(one)
                words = (*self.here.verb(event), self.here.span(token))
                if event.of("than") or one.of("than"):
                    yield from self.compared(event, who, one, words)
                    continue
                for amount in one.of("mod"):
                    if span := self.here.value(amount):
                        phrase = f"[X] is [Y] {one.head}"
                        yield Said(
                            self.here.named(who), phrase, span, words, kind=self.here.kind(span)
                        )
                for slot in one.slots:  # "is married to Ann"
                    phrase = f"[X] was {token.lower_} {slot.role} [Y]"
                    if slot.filler.kind == "thing" and self.here.knows(phrase, "item"):
                        more = (*words, *self.here.preps(token, slot.role))
                        yield Said(self.here.named(who), phrase, self.here.named(slot.filler), more)
            if event.kind == "property" and event.head == "alive":
                for time in self.here.times(event, None):
                    if time["is"] == "in":
                        date = next(m.span for m in self.here.dates
                                    if m.span.end == int(time["words"].split("-")[1]))  # fmt: skip
                        own = (self.here.span(self.here.token(event)), date)
                        yield Said(self.here.named(who), DIED, date, self.here.verb(event),
                                    kind="time", filled=own, bound="more")  # fmt: skip

    def compared(
        self, event: Term, who: Term, adjective: Term, words: tuple[Span, ...]
    ) -> Iterator[Said]:
        """Yield that a day or an amount of one thing is more or less than that of another."""
        token = self.here.token(adjective)
        of_both = event if event.of("than") else adjective
        side, (other, *_) = SIDES.get(token.lower_, ""), of_both.of("than")
        by = [n for n in event.of("mod") if n.kind == "thing"]
        years = self.here.number(by[0]) if by and by[0].head == "year" else 0
        phrase = AMOUNTS.get(token.lower_, "") or AMOUNTS.get(f"{token.lower_}er", "")
        kind: ObjectKind = "time" if phrase == AMOUNTS["older"] else "quantity"
        gap = self.here.value(by[0]) if by and kind == "quantity" else None
        ratio = next(
            (d.bounds for d in of_both.of("degree") if not side and d.head == "ratio"), None
        )
        ratio = (1.0, 1.0) if ratio and ratio[1] == math.inf else ratio
        if not phrase or years is None or (by and not years and not gap):
            return
        if not side and (kind == "time" or event.denied or ratio is None):
            return
        bound, limits = self.here.limits(token) if by or ratio else ("", ())
        if any(self.here.bounded(n) for n in by) and not bound:
            return
        comparing = {"than", "as", *SHARES, "times"}
        than = tuple(self.here.span(t) for t in self.here.doc if t.lower_ in comparing)
        apart = tuple(self.here.span(*self.here.token(n).subtree) for n in by)
        for own in of_both.of("at"):  # "at 2,850 km, the Danube is longer"
            if amount := self.here.value(own):
                lead = self.here.preps(self.here.token(event), "at")
                lead += self.here.preps(self.here.token(event).head, "at")
                yield Said(self.here.named(who), phrase, amount, lead, kind="quantity")
        numbers = (t for t in self.here.doc if t.dep_ == "nummod" and t.head.lower_ in comparing)
        counts = tuple(map(self.here.span, numbers))  # "three times as long"
        yield Said(self.here.named(who), phrase, self.here.named(other), words, kind=kind,
                    side=side or "above", apart=years, beside=phrase, gap=gap, ratio=ratio,
                    filled=(*words, *than, *apart, *limits, *(counts if ratio else ())),
                    bound=bound)  # fmt: skip

    def outliving(self, event: Term) -> Iterator[Said]:
        """Yield that somebody died later or before somebody else, and by how many years."""
        side, by = SIDES.get(self.here.token(event).lower_, ""), event.of("by")
        years = self.here.number(by[0]) if by and by[0].head == "year" else 0
        if not side or event.kind != "event" or years is None or (by and not years):
            return
        bound, limits = self.here.limits(self.here.token(by[0])) if by else ("", ())
        apart = [t for one in by for t in self.here.token(one).subtree]
        filled = (*map(self.here.span, apart), *self.here.preps(self.here.token(event), "by"))
        for who, other in product(event.of("subj"), event.of("obj")):
            yield Said(self.here.named(who), DIED, self.here.named(other), self.here.verb(event),
                        kind="time", side=side, apart=years, beside=DIED, bound=bound,
                        filled=(*filled, *limits))  # fmt: skip

    def ages(self, event: Term) -> Iterator[Said]:
        """Yield how old somebody was when something happened."""
        years: int | None = None
        if event.head in {"be", "old", "turn"}:
            roles = ("is", "mod", "obj", "under", "over")
            for one in (one for role in roles for one in event.of(role)):
                if one.head in {"year", "century", "decade"} or self.here.token(one).like_num:
                    years = self.here.number(one)
                    years = years and years * {"century": 100, "decade": 10}.get(one.head, 1)
                    break
        subjects = event.of("subj")
        if years is None or len(subjects) != 1 or event.denied:
            return
        who = self.here.named(subjects[0])
        amount = [self.here.span(t) for t in self.here.token(one).subtree]
        # who is over 40 is 40 at least, and so is whoever is already 40
        already = any(m.head == "already" for m in event.of("mod"))
        bound = self.here.limit(one) or ("at least" if already else "")
        if self.here.bounded(one) and not bound:
            return
        words = self.here.verb(event)
        amount += [self.here.span(self.here.token(event))] if event.kind == "property" else []
        for slot in event.slots:
            term = slot.filler
            if slot.role == "on" and term.head in {"day", "date"} and term.of("that"):
                words += (self.here.span(self.here.token(term)),)
                (term,) = term.of("that")[:1]
                term = replace(term, slots=tuple(s for s in term.slots if s.filler.kind != "gap"))
            elif slot.role not in {"when", "at"}:
                continue
            found = self.occasion(event, term)
            if found is None:
                continue
            more = (*words, *spans_of(self.here.source, found["words"]))
            lead = [t for t in self.here.doc if t.lower_ == slot.role][:1]
            filled = (*amount, *map(self.here.span, lead))
            (thing,) = spans_of(self.here.source, found["thing"])
            value = [*spans_of(self.here.source, found["value"])]
            if not value:
                yield Said(thing, found["phrase"], who, more, kind="time", side="age",
                            apart=years, beside=OLD, filled=filled, bound=bound)  # fmt: skip
                continue
            born = {"thing": at(who), "phrase": OLD, "value": "", "title": "", "of": "",
                    "words": at(who), "is": "holding", "years": years}  # fmt: skip
            title = [*spans_of(self.here.source, found["title"])]
            yield Said(thing, found["phrase"], value[0], more, title=title[0] if title else None,
                        moment=found["of"], event=(born,), filled=filled,
                        bound=bound)  # fmt: skip

    def deeds(self, event: Term) -> Iterator[Said]:
        """Yield what a verb says of two of those that take part in it."""
        token = self.here.token(event)
        if event.head in MOVING:
            yield from self.moves(event)
            return
        particle = [t.lower_ for t in token.children if t.dep_ == "prt"]
        form = event.head.split()[0] if event.tense.endswith("going on") else token.lower_
        infinitive = token.i > 0 and token.nbor(-1).lower_ == "to"
        if infinitive and uninflected(form) != form:  # who is "to found" finds nothing
            form += "s"
        verb = " ".join([form, *particle])
        told = [s for s in event.slots if s.filler.kind == "thing" and s.role not in {"mod", "as"}]
        told = [s for s in told if event.head != "be" or s.role != "is"]
        # what is in a thing in Ulm is in Ulm
        told += [
            Slot("in", place)
            for slot in told
            if slot.role == "in" and slot.filler.determiner == "a"
            for place in slot.filler.of("in")
        ]
        first = "obj" if event.passive else "subj"
        for subject, one in product(event.of("subj"), event.of("obj")):
            noun = self.here.token(one)
            many = [t for t in noun.lefts if t.lower_ in NUMBERS or t.text.isdecimal()]
            phrase = f"[X]'s {noun.text} is [Y]"
            if event.head == "have" and many and self.here.knows(phrase, "item"):
                count = {"words": at(self.here.span(many[0])), "of": "values"}
                words = (*self.here.verb(event), self.here.span(noun))
                yield Said(self.here.named(subject), phrase, None, words, count=(count,))
                return
        for subject in event.of(first):
            for slot in told:
                if slot.filler is subject:
                    continue
                yield from self.deed(event, subject, verb, slot)
        for what in event.of("obj") if not event.passive else ():
            for slot in (s for s in told if s.role not in {"subj", "obj"}):
                yield from self.deed(replace(event, passive=True), what, verb, slot)

    def moves(self, event: Term) -> Iterator[Said]:
        """Yield where something, or its capital or headquarters, is no more, and where it is."""
        token = self.here.token(event)
        for what in event.of("obj") or event.of("subj"):
            seat = self.here.token(what)
            core = noun_of(seat)
            lands = [t for t in core[:-1] if t.text in COUNTRIES]
            owners = [o for o in what.of("of") if o.head not in PRONOUNS]
            whose = [self.here.named(o, seat) for o in owners] or [*map(self.here.span, lands)]
            if not whose:
                whose = [self.here.named(o) for o in event.of("subj")]
            noun = " ".join(t.text for t in core if t not in lands)
            named = event.of("obj") or owners or lands
            for slot in (*event.slots, *what.slots):
                phrase = f"[X]'s {noun if named else 'headquarters'} is [Y]"
                if slot.role in {"from", "to"} and whose and self.here.knows(phrase, "item"):
                    words = (
                        *self.here.verb(event),
                        *self.here.preps(token, slot.role),
                        *self.here.preps(seat, slot.role),
                        *map(self.here.span, core),
                    )
                    moment = "end" if slot.role == "from" else "start"
                    words = words if named else self.here.verb(event)
                    yield Said(whose[0], phrase, self.here.named(slot.filler), words, moment=moment)

    def deed(self, event: Term, who: Term, verb: str, slot: Slot) -> Iterator[Said]:
        """Yield what a verb says of one thing and of what fills another slot."""
        token = self.here.token(event)
        role = "by" if event.passive and slot.role == "subj" else slot.role
        role = "" if role in {"subj", "obj", "is"} else role
        tense = ["has"] if self.here.has_been(event) and event.head != "be" else []
        tense += ["been" if tense else "was"] if event.passive else []
        middle = " ".join(filter(None, [*tense, verb, role]))
        other = slot.filler
        value = self.here.date(other) or self.here.value(other)
        span = value or self.here.named(other)
        kind, end = self.here.kind(span), "[Y]"
        words = (*self.here.verb(event), *self.here.preps(token, role))
        if value and kind == "quantity":
            noun = self.here.token(other)
            if noun.pos_ == "NOUN" and not value.start <= self.here.start + noun.idx < value.end:
                end, words = f"[Y] {noun.text}", (*words, self.here.span(noun))
        # "the Thames, 346 km long, …"
        beside = any(m.kind == "property" and m.of("mod") for m in who.of("mod"))
        own = None if beside else self.here.value(who)
        if own and not value and is_noun(noun := self.here.token(who)):  # "two people live in Ulm"
            phrase = f"[Y] {noun.text} {middle} [X]"
            if self.here.knows(phrase, self.here.kind(own)):
                said = (*words, self.here.span(noun))
                yield Said(span, phrase, own, said, kind=self.here.kind(own))
            return
        ways = []
        for owner in who.of("of"):  # "the N of X is in Y"
            core = noun_of(self.here.token(who))
            of = self.here.preps(self.here.token(who), "of")
            for first in range(len(core)):
                noun = " ".join(t.text for t in core[first:])
                more = (*words, *map(self.here.span, core[first:]), *of)
                ways.append((owner, f"[X]'s {noun}", more, ("unread",) if first else ()))
        if role in PLACING and event.head in {"be", *STANDING}:  # "her office is in Ulm"
            seats = [way for way in ways if self.here.is_seat(f"{way[1]} is {end}")]
            ways, middle = (seats, "is") if seats else (ways, middle)
        for one, start, said, doubts in (*ways, (who, "[X]", words, ())):
            phrase = f"{start} {middle} {end}"
            whose = self.here.token(who) if one is not who else None
            if self.here.knows(phrase, kind):
                yield Said(
                    self.here.named(one, whose), phrase, span, said, kind=kind, doubts=doubts
                )
                return

    def events(self, event: Term) -> tuple[dict[str, Any], ...]:
        """Return the events that date a clause, as rows of an answer."""
        found = []
        dating = [(slot.filler, slot.role, _EVENT_LEADS.get(slot.role)) for slot in event.slots]
        for other in self.here.told:  # what happened before it did is what it came after
            turned = {"before": "later", "after": "before"}
            dating += [
                (other, "after" if slot.role == "before" else "before", turned[slot.role])
                for slot in other.slots
                if slot.role in turned and slot.filler.at == event.at
            ]
        for term, lead, how in dating:
            one = self.occasion(event, term) if how and self.here.date(term) is None else None
            if one is not None:
                leads = [t for t in self.here.doc if t.lower_ == lead][:1]
                words = " ".join([one["words"], *(at(self.here.span(t)) for t in leads)])
                found.append(one | {"words": words, "is": how, "years": None})
        return tuple(found)

    def occasion(self, event: Term, term: Term) -> dict[str, Any] | None:
        """Return the event that a term tells of: a clause, a gerund, a noun like "death"."""
        if term.kind == "thing":
            phrase, owners = EVENTS.get(term.head, ""), term.of("of")
            if not phrase or len(owners) != 1:
                return None
            words = " ".join(map(at, [self.here.span(self.here.token(term))]))
            thing = self.here.named(owners[0])
            return {"thing": at(thing), "phrase": phrase, "value": "", "title": "", "of": "",
                    "words": words}  # fmt: skip
        if not term.of("subj") and not term.of("obj"):
            roles = {"attr": "is", "dobj": "obj"}
            slots = (Slot(roles.get(s.role, s.role), s.filler) for s in term.slots)
            whose = [s for s in event.slots if s.role in {"subj", "obj"}][:1]
            subject = (Slot("subj", one.filler) for one in whose)
            term = replace(term, kind="event", slots=(*subject, *slots))
        told = [one for one in self.claims(term) if one.kind == "item" and not one.side]
        if told:
            one = told[0]
            moment = one.moment or moment_of(one.phrase)
            moment = "start" if moment == "chosen" else moment
            if one.value is None:
                return None
            lasting = term.head in {"be", *CONTINUING, *BEARING} and not one.moment
            moment = "during" if lasting else moment
            return {"thing": at(one.thing), "phrase": one.phrase, "value": at(one.value),
                    "title": at(one.title), "of": moment,
                    "words": " ".join(map(at, one.words))}  # fmt: skip
        who = term.of("obj") if term.passive else term.of("subj")
        verb = (
            f"was {self.here.token(term).lower_}" if term.passive else self.here.token(term).lower_
        )
        phrase = f"[X] {verb} in [Y]"
        if len(who) != 1 or len(term.slots) > 1 or not self.here.knows(phrase, "time"):
            return None
        return {"thing": at(self.here.named(who[0])), "phrase": phrase, "value": "", "title": "",
                "of": "", "words": " ".join(map(at, self.here.verb(term)))}  # fmt: skip
