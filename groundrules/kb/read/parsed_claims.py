"""Sentences as our own parser reads them, in the slots that a language model fills too.

What a sentence asserts (`claims/asserted.py`) is put proposition by proposition: who has what, in
the wording of its verb, its noun or its adjective; when, how much, and which event dates it. What
counts of that, `llm_slots.py` judges as it does a model's answer: words that fill no slot stay
unread, and what has an unread part is never supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from rdflib.term import Literal

from groundrules.claims.asserted import propositions
from groundrules.claims.english.attributes import BOUNDS, COUNTRIES, NOT_QUITE
from groundrules.claims.english.states import HAPPENING, IDLE, LEADING, NOMINALS
from groundrules.claims.offline import load
from groundrules.claims.parsed import Word
from groundrules.claims.slots import Slot, Term, terms_of
from groundrules.kb.link.properties import words
from groundrules.kb.read.llm_slots import OF_BOUNDS, Answer, SentenceRead
from groundrules.kb.read.parsed_places import LIMIT, Places, Said, at, clause_of
from groundrules.kb.read.parsed_propositions import Propositions, included
from groundrules.kb.read.relational import (
    TIMES,
    Bound,
    Event,
    Exclusion,
    Moment,
    Relational,
    Sentence,
)
from groundrules.kb.read.timing import Relation
from groundrules.kb.source import Property
from groundrules.terms import Span

_BOUNDS = {"above": "more", "below": "less", "at_least": "at least", "at_most": "at most",
           "about": "about"}  # fmt: skip
_IDLE = re.compile(rf"(?i)\b(?:{IDLE})\b")
_EMPTY: Mapping[str, Any] = {
    "said": "", "as": "fact", "denied": "", "tense": "then", "bound": "exactly", "limit": "",
    "times": [], "event": [], "than": [], "age": "", "count": [],
}  # fmt: skip


def read_asserted(sentence: Sentence) -> SentenceRead:
    """Return what our parser reads in a sentence, in the terms of a knowledge base."""
    doc = _parsed(sentence.text(sentence.place))
    start = sentence.place.start
    words = [
        Word(start + t.idx, start + t.idx + len(t.text), t.lower_, t.lemma_.casefold(), t.tag_)
        for t in doc
        if t.text[:1].isalnum()
    ]
    return _Asserted(sentence, words).read(_Rows(sentence, doc).answer())


@lru_cache(maxsize=256)
def _parsed(text: str) -> Any:
    return load()(text)


class _Asserted(Answer):
    """What our parser reads: places stand for words, and wordings for properties."""

    def __init__(self, sentence: Sentence, parse: Sequence[Word]) -> None:
        super().__init__(sentence, (), parse)
        place = sentence.place
        for idle in _IDLE.finditer(self.text, place.start, place.end):
            self.fill("time", Span(place.source, *idle.span()), apart=True)

    def _looked_up(self, said: str) -> tuple[Span, ...] | None:
        source = self.sentence.place.source
        ends = (piece.split("-") for piece in said.split())
        return tuple(Span(source, int(first), int(last)) for first, last in ends)

    def share(self, claims: Sequence[Mapping[str, Any]]) -> None:
        """Leave words as they are: those told of several things are read already."""

    def turned(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a claim as it was read: an age is told of what it dates already."""
        return row

    def verbs(self, places: Sequence[Span]) -> set[str]:
        """Return no verbs: what they tell of beginning and end is read already."""
        return set()

    def readings(self, row: Mapping[str, Any]) -> Iterator[tuple[Relational, Property]]:
        """Yield what a claim says of two things in its wording."""
        relations = self.sentence.relations
        for reading in row["readings"]:
            match = relations.match(reading["phrase"], object_kind=reading["kind"])
            if not match.candidates or match.candidates[0].band == "embedding":
                continue
            prop = relations.properties[match.candidates[0].property]
            thing = self.place(reading["thing"])
            if thing is None:
                continue
            plain = Relational(
                thing, reading["phrase"], thing, origin="surface", doubts=reading["doubts"],
                aside=reading["aside"],
            )  # fmt: skip
            if reading["side"]:
                other, gap = self.place(reading["value"]) or thing, self.place(reading["gap"])
                self.fill("comparison", other)
                one: Relational | None = replace(
                    plain, object=other, side=reading["side"], measured=reading["kind"],
                    apart=reading["apart"], beside=reading["beside"], ratio=reading["ratio"],
                    gap=self.sentence.value(gap) if gap is not None else None,
                )  # fmt: skip
            else:
                one = self.counted(row, plain, prop)
                if one is None and reading["value"]:
                    one = self.valued(self.place(reading["value"], "value"), plain, prop)
                one = one and self.repeated(row, one)
            if one is not None:
                self.fill("thing", thing)
                self.fill("age", *(self.places(reading["filled"]) or ()), apart=True)
                title = self.places(reading["title"])
                self.fill("value", *(title or ()))
                held = reading["held"]
                yield replace(one, title=title[0] if title else None, held=held), prop
                return

    def bound(
        self, row: Mapping[str, Any], values: Sequence[Span]
    ) -> tuple[Bound, Exclusion, bool]:
        """Return what a value is to the claim, as it was read."""
        self.fill("bound", *(self.places(row["limit"]) or ()), apart=True)
        return OF_BOUNDS[row["bound"]], "", False

    def dated(self, places: Sequence[Span], how: Relation, moment: Moment) -> dict[str, Any] | None:
        """Return the slots of a time, as it was read."""
        first, last = min(p.start for p in places), max(p.end for p in places)
        dates = [
            (m.span, m.node) for m in self.sentence.mentions
            if m.kind in TIMES | {"DURATION"} and isinstance(m.node, Literal)
            and first <= m.span.start and m.span.end <= last
        ]  # fmt: skip
        self.fill("time", *places, apart=True)
        end = dates[1][1] if len(dates) > 1 else None
        if moment == ("start" if how == "beginning" else "end") and how in ("beginning", "ending"):
            moment = ""
        between = self.text[first : dates[0][0].start]
        limit = LIMIT.search(between) if how == "lasting" else None
        word = limit[1].lower() if limit else ""
        length = "nearly" if word in NOT_QUITE else BOUNDS.get(word, "")
        return {"at": dates[0][1], "to": end, "how": how, "moment": moment, "length": length}

    def event(self, row: Mapping[str, Any]) -> tuple[Event | None, Exclusion]:
        """Return what dates a claim in place of a date."""
        for one in row["event"]:
            thing, value = self.place(one["thing"]), self.place(one["value"])
            if thing is None:
                return None, "part"
            said = Relational(thing, one["phrase"], value or thing, origin="surface")
            if value is None:
                said = replace(said, measured="time", side="when")
            title = self.places(one["title"])
            words = self.places(one["words"]) or ()
            self.fill(
                "event", thing, *words, *([value] if value else []), *(title or ()), apart=True
            )
            land = COUNTRIES.get(self.sentence.text(said.object), "")
            said = replace(said, moment=one["of"], title=title[0] if title else None, named=land)
            return Event(said, one["is"], one["years"]), ""
        return None, ""


class _Rows:
    """The rows of an answer on one sentence, made of its propositions."""

    def __init__(self, sentence: Sentence, doc: Any) -> None:
        self.here = Places(sentence, doc)
        self.propositions = Propositions(self.here)

    def answer(self) -> dict[str, Any]:
        """Return the claims of the sentence as an answer has them."""
        claims = []
        self.here.told = propositions(self.here.doc, {})
        quoted = self.here.text[self.here.sentence.place.start] in {'"', "“"}
        offices: list[Said] = []
        open_: list[Term] = []
        for event in self.plain(self.here.told):
            if event.force == "fact" and not quoted and self.propositions.is_framed(event):
                event = replace(event, force="told")
            said = [*self.propositions.claims(event)]
            # "was founded by Ann in 1879" says of the day what "was founded in 1879" does
            days = not event.denied and any(one.kind == "time" and not one.side for one in said)
            claims += [self.row(event, one, timed=not days) for one in said]
            offices += [one for one in said if one.kind == "item" and one.title is not None]
            offices += [one for one in said if not LEADING.isdisjoint(words(one.phrase))]
            open_ += [] if said else [event]
            open_ += [s.filler for s in event.slots if s.role in {"when", "after", "before"}]
        for event in open_:
            for one in self.propositions.completed(event, offices) if event.force == "fact" else ():
                leads = [t for t in self.here.token(event).children if t.lower_ == "when"]
                self.here.filled += map(self.here.span, leads)
                claims.append(self.row(event, one, timed=True))
        return {"left": [], "claims": claims}

    def plain(self, events: Sequence[Term]) -> Iterator[Term]:
        """Yield what is asserted, each thing by itself, nouns of what happened as verbs."""
        cleft: list[Term] = []
        called = {
            one.at: event.of("subj")[0]
            for event in events if event.head in {"be", "become"} and event.of("subj")
            for one in event.of("is") if one.determiner in {"a", "the"}
        }  # fmt: skip
        called |= {  # "the film Metropolis, in which …"
            one.at: name
            for event in events for one in terms_of(event)
            for name in one.of("also") if name.determiner == "name" and not name.aside
        }  # fmt: skip
        for event in (*events, *self.apposed(events)):
            told = included(event)
            if told.at != event.at:  # "went on to"
                self.here.filled += self.here.verb(event)
            event = self.of_subjects(told, called)
            helping = (t for t in self.here.token(event).children if t.dep_ in {"aux", "auxpass"})
            if any(t.dep_ == "neg" for one in helping for t in one.children):
                event = replace(event, denied=True)  # "was never, ever born in Ulm"
            said = event.of("is")
            if event.head == "be" and said and [t.head for t in event.of("subj")] == ["it"]:
                inner = [t for one in said for t in one.of("that")]
                cleft = inner or cleft
            if cleft and event.head == "be" and [t.head for t in event.of("subj")] == ["it"]:
                self.idle(event)
                if event.denied:  # "it was Ann, not Bob, who …"
                    for one in cleft:
                        slots = (
                            replace(s, filler=said[0]) if s.filler.kind == "gap" else s
                            for s in one.slots
                        )
                        yield replace(one, slots=tuple(slots), denied=not one.denied)
                continue
            yield self.verbal(event)
            for slot in event.slots:
                if slot.role in {"if", "unless"} and slot.filler.kind == "event":
                    yield replace(slot.filler, force="if")
            for slot in event.slots[:1]:
                for other in (one for one in slot.filler.of("like") if one.aside):
                    self.here.filled += [
                        self.here.span(t) for t in self.here.doc if t.lower_ == "like"
                    ]
                    yield replace(event, slots=(Slot(slot.role, other), *event.slots[1:]))

    def apposed(self, events: Sequence[Term]) -> Iterator[Term]:
        """Yield that what is called by a noun and its name is what the noun says."""
        seen = {one.at for event in events for one in event.of("is")}
        for one in (one for event in events for one in terms_of(event)):
            names = [name for name in one.of("also") if name.determiner == "name"]
            if names and not names[0].aside and one.at not in seen and one.determiner != "name":
                seen.add(one.at)
                noun = replace(one, slots=one.without("also", "that", "of"), determiner="a")
                slots = (Slot("subj", names[0]), Slot("is", noun))
                yield Term("be", "event", one.at, slots)

    def of_subjects(self, event: Term, called: Mapping[int, Term]) -> Term:
        """Return "a poet who died" as said of whoever is the poet."""
        slots = []
        for slot in event.slots:
            term = slot.filler
            other = called.get(term.at, term)
            if slot.role not in {"is", "as", "among", "also"} and other.at != event.at:
                term = other
            if any(owner.head == "whose" for owner in term.of("of")):
                return replace(event, force="may")  # it is not told of whom this is
            slots.append(Slot(slot.role, term))
        return replace(event, slots=tuple(slots))

    def idle(self, event: Term) -> None:
        """Take the words of "it was … who" as read."""
        token = self.here.token(event)
        words = [t for t in self.here.doc if t.lower_ in {"it", "who", "that", "which"}]
        self.here.filled += [self.here.span(t) for t in (token, *words)]

    def verbal(self, event: Term) -> Term:
        """Return "her departure from Ulm came in May" as "she departed from Ulm in May"."""
        first = event.slots[0] if event.slots else None
        noun = first.filler if first else None
        happened = event.head in HAPPENING or [o.head for o in event.of("obj")] == ["place"]
        if noun is None or not happened or noun.head not in NOMINALS:
            return event
        head, role = NOMINALS[noun.head]
        owners = [Slot(role if s.role == "of" else s.role, s.filler) for s in noun.slots]
        rest = [s for s in event.slots[1:] if s.filler.head != "place"]
        self.here.filled += [
            self.here.span(t) for t in clause_of(self.here.token(event)) if t.lower_ == "place"
        ]
        self.here.filled += [self.here.span(self.here.token(event))]
        return replace(noun, head=head, kind="event", slots=(*owners, *rest), tense=event.tense,
                       denied=event.denied, passive=role == "obj" and head != "move",
                       force=event.force)  # fmt: skip

    def row(self, event: Term, said: Said, *, timed: bool) -> dict[str, Any]:
        """Return a claim as a row of an answer."""
        reading: dict[str, Any] = {
            "thing": at(said.thing), "phrase": said.phrase, "kind": said.kind,
            "value": at(said.value), "title": at(said.title), "held": said.held,
            "side": said.side,
            "apart": said.apart, "beside": said.beside, "gap": at(said.gap), "ratio": said.ratio,
            "doubts": said.doubts, "aside": said.aside,
        }  # fmt: skip
        row: dict[str, Any] = {**_EMPTY, "readings": [reading]}
        if any(t.determiner == "every" for t in event.of("subj") + event.of("obj")):
            self.here.filled += [
                self.here.span(t)
                for t in self.here.token(event).children
                if t.lower_ in {"all", "both"}
            ]
        row["said"] = " ".join(map(at, dict.fromkeys(said.words)))
        row["denied"] = " ".join(map(at, self.here.denials(event))) if event.denied else ""
        row["times"] = [*self.here.times(event, said.value)] if timed else []
        row["event"] = said.event or (() if said.side else self.propositions.events(event))
        row["as"] = event.force if event.force in {"fact", "if", "told"} else "may"
        row["count"] = [*self.here.counts(event), *said.count]
        if event.tense.startswith("present") or self.here.has_been(event) or said.aside:
            row["tense"] = "now"
        amount = said.value and self.here.sentence.value(said.value)
        end = said.value.start if said.value and amount is not None else self.here.start
        if limit := LIMIT.search(self.here.text, self.here.start, end):
            row["bound"] = _BOUNDS[BOUNDS[limit[1].lower()]]
            row["limit"] = f"{limit.start(1)}-{limit.end(1)}"
        row["bound"] = said.bound or row["bound"]
        if said.moment:
            if said.event:  # whatever other verbs are among its words
                row["moment"] = said.moment
            for time in row["times"]:
                time["of"] = said.moment
            if not row["times"] and said.moment == "end":
                row["times"] = [{"words": "", "is": "in", "of": "end"}]
        reading["filled"] = " ".join(map(at, (*said.filled, *self.here.filled)))
        return row
