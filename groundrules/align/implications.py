"""Implications: what follows from one proposition of a source in other words.

Two things that are one, what an "except" or a "not" excepts, what "only if" denies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundrules.align.event_slots import names_agent
from groundrules.claims.english import PREPOSITIONS
from groundrules.claims.english.logic import (
    EXCEPTING_ROLES,
)
from groundrules.claims.normal_forms import opposed
from groundrules.claims.slots import Slot, Term

#: Conditions without which it is not so.
_NEEDED = frozenset({"only if", "only when", "provided", "unless"})
_ALL = frozenset({"every", "the", "bare", "any"})


def implied(event: Term) -> Iterator[Term]:
    """Yield what a proposition implies, itself apart."""
    yield from _identical(event)
    for slot in event.slots:
        yield from _exceptions(event, slot)
        if slot.filler.determiner == "some" and slot.filler.of("only"):  # not all
            told = replace(slot.filler, slots=slot.filler.without("only"))
            slots = (Slot(s.role, told) if s is slot else s for s in event.slots)
            yield replace(event, denied=not event.denied, slots=tuple(slots))
        if slot.role in _NEEDED and slot.filler.clausal:  # not if it is not so
            rest = tuple(s for s in event.slots if s is not slot)
            other = slot.filler if slot.role == "unless" else opposed(slot.filler)
            yield replace(event, denied=not event.denied, slots=(*rest, Slot("if", other)))


def _identical(event: Term) -> Iterator[Term]:
    """Yield what two certain things that are one are from the other side: the coach is Ann."""
    who, what = event.of("subj"), event.of("is")
    if event.head != "be" or len(who) != 1 or len(what) != 1:
        return
    if all(t.determiner in {"the", "name"} and not t.plural for t in (*who, *what)):
        rest = event.without("subj", "is")
        yield replace(event, slots=(Slot("subj", what[0]), Slot("is", who[0]), *rest))


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
