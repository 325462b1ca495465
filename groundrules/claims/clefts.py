"""Clefts: sentences whose frame only sets a part of what they say apart, without the frame."""

from __future__ import annotations

from dataclasses import replace

from groundrules.claims.english import PREPOSITIONS
from groundrules.claims.english.logic import CONJUNCTIONS, RELATIVE_WORDS
from groundrules.claims.normal_forms import filled, negated
from groundrules.claims.slots import Slot, Term

_DEFINITE = frozenset({"the", "name"})
_WHO = RELATIVE_WORDS | {"~", "–"}


def existing(event: Term) -> Term:
    """Return "there is a man who sings" as "a man sings", "there is a man here" as he is here."""
    slots = tuple(Slot("subj", _some(s.filler)) if s.role == "is" else s for s in event.slots)
    event = replace(event, slots=slots)
    who = next(iter(event.of("subj")), None)
    if who is None:
        return replace(event, head="exist")
    told = next((t for t in who.of("that") if t.clausal), None)
    said = next((t for t in who.of("mod") if t.kind == "property" and _is_behind(t)), None)
    if told is not None:
        bare = replace(who, slots=who.without("that"))
        made = filled(told, bare)
        return negated(replace(made, denied=told.denied != event.denied, aside=False))
    share = who.determiner not in {"few", "many"}  # which are no share of all
    if said is not None and share:  # "there are rooms suitable for two"
        bare = replace(who, slots=tuple(s for s in who.slots if s.filler is not said))
        rest = tuple(s for s in event.slots if s.filler is not who)
        made = replace(event, head=said.head, kind="property", at=said.at)
        return negated(replace(made, slots=(Slot("subj", bare), *said.slots, *rest)))
    placed = tuple(s for s in who.slots if s.role in PREPOSITIONS and s.role != "of")
    if not placed:
        return replace(event, head="exist")
    bare = replace(who, slots=tuple(s for s in who.slots if s not in placed))
    rest = tuple(s for s in event.slots if s.filler is not who)
    return replace(event, slots=(Slot("subj", bare), *rest, *placed))


def _is_behind(mark: Term) -> bool:
    """Return whether an adjective has a phrase, and so stands behind its noun."""
    return any(s.role in PREPOSITIONS and s.filler.at > mark.at for s in mark.slots)


def _some(thing: Term) -> Term:
    """Return a thing that there is as some of its kind, not as any of it."""
    general = thing.kind == "thing" and thing.determiner in {"bare", "a"}
    return replace(thing, determiner="some") if general else thing


def uncleft(event: Term) -> Term:
    """Return "it was in May that he left" as "he left in May", "it was Ann who left" as "Ann left".

    "What broke was the mast" says that the mast broke, "wind was the reason why it broke" that it
    broke because of the wind.
    """
    reason = _by_its_reason(event)
    if reason is not None:
        return reason
    it = any(t.head == "it" for t in event.of("subj"))
    said = event.of("is")
    inner = next((t for t in event.of("that") if t.clausal), None)
    around = tuple(
        s for s in event.slots
        if s.role in PREPOSITIONS or s.role in {*CONJUNCTIONS.values()} - {"that"}
        or s.role == "because of"
    )  # fmt: skip
    if it and inner is not None and not event.denied and around:
        return replace(inner, slots=inner.slots + around, aside=False)
    what = next((t for t in event.of("subj") if t.head == "what" and t.of("that")), None)
    if what is not None and len(said) == 1:
        return _of(what.of("that")[0], said[0], event)
    if it and len(said) == 1 and said[0].determiner in _DEFINITE:
        told = (*said[0].of("that"), *event.of("ing"), *event.of("that"))
        other = any(t.determiner == "no" for t in said[0].joined)  # "Ann, not Bob, who left"
        clause = next(
            (t for t in told if t.clausal and _has_gap(t) and (other or not t.aside)), None
        )
        if clause is not None:
            bare = replace(said[0], slots=said[0].without("that"))
            return _of(clause, bare, event)
    return event


def _has_gap(clause: Term) -> bool:
    return any(s.filler.kind == "gap" or s.filler.head in _WHO for s in clause.slots)


def _of(clause: Term, thing: Term, event: Term) -> Term:
    """Return a clause told of a thing, denied where that is denied of it."""
    slots = tuple(
        Slot(s.role, thing) if s.filler.kind == "gap" or s.filler.head in _WHO else s
        for s in clause.slots
    )
    denied = clause.denied != event.denied
    return negated(replace(clause, slots=slots, denied=denied, aside=False))


def _by_its_reason(event: Term) -> Term | None:
    """Return what something is said to be the reason of with that as its reason."""
    ends = (*event.of("subj"), *event.of("is"))
    reason = next((t for t in ends if t.head == "reason" and t.determiner == "the"), None)
    if len(ends) != 2 or reason is None:
        return None
    cause = ends[0] if reason is ends[1] else ends[1]
    told = (*reason.of("that"), *event.of("ing"), *event.of("that"), *reason.of("ing"))
    clause = next((t for t in told if t.kind == "event" or t.of("subj")), None)
    if clause is None or cause.kind != "thing":
        return None
    kept = tuple(s for s in clause.slots if s.filler.head != "why" and s.filler.kind != "gap")
    role = "not because of" if event.denied else "because of"
    return replace(clause, slots=(*kept, Slot(role, cause)), aside=False)
