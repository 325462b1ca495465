"""Implications: what follows from one proposition of a source in other words.

Each is a law on a slot: what an "except" excepts, what "only if" denies, the complements of
implicative and factive verbs, nouns of events.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundrules.align.event_slots import names_agent
from groundrules.align.meanings import related
from groundrules.align.projection import Relation
from groundrules.align.sides import deed, taking_part
from groundrules.align.wordalign import lexicon
from groundrules.claims.english import PREPOSITIONS, SAYING
from groundrules.claims.english.logic import (
    CAUSATIVES,
    COME_ABOUT,
    DOUBTING_VERBS,
    EXCEPTING_ROLES,
    INFINITIVE_ALONE,
    PRIVATIVE,
    PROSPECTIVE,
    SIGNATURES,
)
from groundrules.claims.normal_forms import opposed
from groundrules.claims.slots import Slot, Term, terms_of

_ALL = frozenset({"every", "the", "bare", "any"})
#: Conditions without which it is not so.
_NEEDED = frozenset({"only if", "only when", "provided", "unless"})
#: What a force was in the words of who is reported: "said that it could" is of "it can".
_SPOKEN = {"might": "may", "would": "will"}
_UNREAL = frozenset({"would", "might"})


def implied(event: Term) -> Iterator[Term]:
    """Yield what a proposition implies, itself apart."""
    yield from _ended(event)
    yield from _attributes(event)
    for told in _clauses(event):
        yield told
        yield from implied(told)
    if (narrow := _of_narrow_kind(event)) != event:
        yield narrow
        yield from _identical(narrow)
    yield from _results(event)
    yield from _contrasted(event)
    yield from _identical(event)
    if event.head == "consist" and event.of("of"):  # its parts are in it
        parts = (Slot("obj" if s.role == "of" else s.role, s.filler) for s in event.slots)
        yield replace(event, head="include", slots=tuple(parts))
    for slot in event.slots:
        yield from _exceptions(event, slot)
        yield from _alone(event, slot)
        if slot.role in _NEEDED and slot.filler.clausal:  # not if it is not so
            rest = tuple(s for s in event.slots if s is not slot)
            other = slot.filler if slot.role == "unless" else opposed(slot.filler)
            yield replace(event, denied=not event.denied, slots=(*rest, Slot("if", other)))
        if slot.role == "according to":
            told = replace(event, slots=tuple(s for s in event.slots if s is not slot))
            slots = (Slot("subj", slot.filler), Slot("that", told))
            yield Term("say", "event", slot.filler.at, slots, place=event.place)
        if slot.filler.clausal:
            yield from _complements(event, slot)
    if event.tense in {"past", "perfect"} and event.force == "fact" and not event.denied:
        for thing in _told_of(event):
            yield from _nominal(thing)


def _results(event: Term) -> Iterator[Term]:
    """Yield what happens to what somebody makes it happen to: who raised the fee, it rose."""
    verb = CAUSATIVES.get(event.head)
    told = not event.denied and event.force in {"fact", "will"}
    if verb is None or not told or len(event.of("obj")) != 1:
        return
    slots = (Slot("subj", event.of("obj")[0]), *event.without("subj", "obj", "with"))
    yield replace(event, head=verb, slots=slots, passive=False)


def _identical(event: Term) -> Iterator[Term]:
    """Yield what two certain things that are one are from the other side: the coach is Ann."""
    who, what = event.of("subj"), event.of("is")
    if event.head != "be" or len(who) != 1 or len(what) != 1:
        return
    if all(t.determiner in {"the", "name"} and not t.plural for t in (*who, *what)):
        rest = event.without("subj", "is")
        yield replace(event, slots=(Slot("subj", what[0]), Slot("is", who[0]), *rest))


def _contrasted(event: Term) -> Iterator[Term]:
    """Yield what is denied of the other: "unlike the grant, the loan must be repaid"."""
    first = event.slots[0] if event.slots else None
    if first is None or first.role not in {"subj", "obj"}:
        return
    for other in (*event.of("unlike"), *first.filler.of("unlike")):
        rest = tuple(s for s in event.slots[1:] if s.role != "unlike")
        slots = (Slot(first.role, replace(other, aside=False)), *rest)
        yield replace(event, denied=not event.denied, slots=slots)


def _ended(event: Term) -> Iterator[Term]:
    """Yield that what is no longer so was so once."""
    ended = [s for s in event.slots if s.role == "mod" and s.filler.head == "no longer"]
    if ended and event.denied and event.force == "fact" and event.tense == "present":
        slots = tuple(s for s in event.slots if s not in ended)
        yield replace(event, denied=False, tense="past", slots=slots)


def _attributes(event: Term) -> Iterator[Term]:
    """Yield that who is a clever person is clever; a small elephant is not small."""
    if event.head != "be" or event.denied:
        return
    for one in (s.filler for said in event.of("is") for s in said.slots if s.role == "mod"):
        scaled = bool(lexicon().sides.get(one.head))
        if (
            one.kind == "property"
            and one.head.isalpha()
            and not (scaled or one.slots or one.head in PRIVATIVE)
        ):
            who = tuple(s for s in event.slots if s.role == "subj")
            yield replace(event, head=one.head, kind="property", slots=who)


def _clauses(event: Term) -> Iterator[Term]:
    """Yield what is told of a thing in what it is said to be: "is a country whose capital is"."""
    who, what = event.of("subj"), event.of("is")
    if event.head != "be" or event.denied or event.force != "fact" or len(who) != 1:
        return
    for told in (clause for one in what for clause in one.of("that") if clause.clausal):
        owned = any(one.head == "whose" for one in terms_of(told))
        yield _said_of(who[0], told, owned)


def _said_of(thing: Term, told: Term, owned: bool) -> Term:
    """Return what a relative clause tells, of a thing: its gap or its "whose" stands for that."""
    if told.kind == "gap" or told.head == "whose":
        return thing
    slots = (s for s in told.slots if s.filler.kind != "gap" or not owned)
    return replace(told, slots=tuple(Slot(s.role, _said_of(thing, s.filler, owned)) for s in slots))


def _of_narrow_kind(term: Term) -> Term:
    """Return a thing by the noun that tells its kind: a capital city is a capital."""
    slots = tuple(Slot(s.role, _of_narrow_kind(s.filler)) for s in term.slots)
    kinds = [
        s for s in slots
        if s.role == "mod" and s.filler.kind == term.kind == "thing" and not s.filler.slots
        and related(s.filler.head, term.head, "thing") is Relation.ENTAILS
    ]  # fmt: skip
    if len(kinds) != 1:
        return replace(term, slots=slots) if slots != term.slots else term
    return replace(term, head=kinds[0].filler.head, slots=tuple(s for s in slots if s not in kinds))


def _alone(event: Term, slot: Slot) -> Iterator[Term]:
    """Yield that of all others it is not so, where "only" singles out what fills a slot."""
    inner = slot.filler
    marks = (s.filler for s in inner.slots if s.role == "only")
    only = next((one for one in marks if one.head == "only"), None)
    if only is None or event.force in _UNREAL or inner.bounds:
        return
    told = only.joined or (replace(inner, slots=inner.without("only")),)
    other = Term("other", "others", inner.at, determiner="every", joined=told, place=inner.place)
    if inner.determiner in {"some", "most", "many"}:  # "only some", not all
        other = replace(told[0], determiner="some")
    slots = tuple(Slot(s.role, other) if s is slot else s for s in event.slots)
    yield replace(event, slots=slots, denied=not event.denied)
    if slot.role == "with":  # nor without it
        slots = tuple(Slot("without", told[0]) if s is slot else s for s in event.slots)
        yield replace(event, slots=slots, denied=not event.denied)


def _exceptions(event: Term, slot: Slot) -> Iterator[Term]:
    """Yield what is denied of what a slot leaves out: "all but the letter", "not in bathrooms"."""
    denied = not event.denied
    rest = tuple(s for s in event.slots if s is not slot)
    inner = slot.filler
    if inner.kind == "thing" and inner.determiner in _ALL:
        for one in (s.filler for s in inner.slots if s.role in EXCEPTING_ROLES):
            slots = tuple(_left_out(one, s) if s is slot else s for s in event.slots)
            yield replace(event, denied=denied, slots=slots)
    if slot.role in EXCEPTING_ROLES and rest:
        daily = (s for s in rest if s.role == "mod" and s.filler.determiner == "every")
        host = next(daily, rest[0])
        slots = tuple(_left_out(inner, s) if s is host else s for s in rest)
        if host.filler.determiner in _ALL:
            yield replace(event, denied=denied, slots=slots)
    role = slot.role.removeprefix("not ")
    doer = role in {"subj", "by"} and inner.kind == "thing" and not inner.measure
    doer = doer and names_agent(event)
    if role != slot.role and (role in PREPOSITIONS or doer or role == "obj"):
        kept = tuple(s for s in rest if s.role != role)
        if doer and kept == rest:  # "damaged in the flood, not by vandals": that is how
            behind = (s for s in rest if event.at < s.filler.at < inner.at)
            instead = max(behind, key=lambda s: s.filler.at, default=None)
            kept = tuple(s for s in rest if s is not instead)
        # what alone is denied is no aside of the denial
        alone = Slot("subj" if doer else role, replace(inner, aside=False))
        yield replace(event, denied=denied, slots=(*kept, alone))


def _left_out(one: Term, host: Slot) -> Slot:
    """Return what is left out in the place of what has it: "every day except Mondays" on Mondays.

    "Those that are ill" are the lambs of which it is said.
    """
    like = one.head in {"those", "one", "ones", "that"}
    one = replace(one, head=host.filler.head) if like else one
    if host.role != "mod":
        return Slot(host.role, one)
    return Slot("on", replace(one, slots=one.without("from", "to")))


def _complements(event: Term, slot: Slot) -> Iterator[Term]:
    """Yield what a verb says of its complement: who managed to win won."""
    inner = slot.filler
    sign = SIGNATURES.get(event.head, (0, 0))[event.denied]
    said = slot.role in {"that", "ccomp"} and event.head not in INFINITIVE_ALONE
    reported = said and not (sign or event.denied) and event.force == "fact"
    if reported and event.head in SAYING | DOUBTING_VERBS:  # what somebody says may not be
        told = opposed(inner) if event.head in DOUBTING_VERBS else inner
        direct = _SPOKEN.get(told.force, told.force) if event.tense == "past" else told.force
        sure = event.head != "doubt" and (inner.tense or inner.force != "fact")  # "that it be so"
        for speaker in event.of("subj")[:1] if sure else ():
            slots = (*told.slots, Slot("according to", speaker))
            yield from (
                replace(told, slots=slots, force=one) for one in dict.fromkeys((told.force, direct))
            )
    if not sign or event.force != "fact" or not (slot.role == "xcomp" or said):
        return
    first = inner.slots[0] if inner.slots else None
    done_to = first is not None and first.role == "obj" and first.filler.at < inner.at
    who = inner.of("subj") or event.of("obj") or event.of("subj")
    subject = () if done_to and not inner.of("subj") else tuple(Slot("subj", w) for w in who[:1])
    around = tuple(
        s for s in event.slots
        if slot.role == "xcomp" and s is not slot and (s.role in PREPOSITIONS or s.role == "mod")
    )  # fmt: skip
    yield replace(
        inner,
        slots=(*subject, *inner.without("subj"), *around),
        denied=inner.denied != (sign < 0),
        tense=inner.tense or event.tense,
    )


def _told_of(term: Term) -> Iterator[Term]:
    """Yield what acts in what is told or came before it: its deeds have been done."""
    prospective = term.head.split()[0] in PROSPECTIVE
    for slot in term.slots:
        come_about = slot.role in COME_ABOUT and not (prospective and slot.role == "subj")
        if slot.filler.kind == "thing" and (come_about or not term.clausal):
            yield slot.filler


def _nominal(thing: Term) -> Iterator[Term]:
    """Yield what a noun of an event says: by "the council's approval of the plan" it approved."""
    verb = deed(thing)
    if not verb or thing.determiner != "the" or not thing.of("of"):
        return
    slots = taking_part(thing, verb)
    place = thing.place
    yield Term(verb, "event", thing.at, slots, tense="past", text=thing.text, place=place)
