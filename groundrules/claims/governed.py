"""Governed clauses: what a word of duty, chance or aim makes of the clause that it governs."""

from __future__ import annotations

from dataclasses import replace

from groundrules.claims.english.logic import (
    AIMS,
    AVOWING,
    EXTRAPOSED,
    FORBIDDING,
    LIFTED,
    LIFTED_SUBJECT,
    RAISED,
    RIGHTS,
)
from groundrules.claims.slots import Slot, Term

_FIRST = frozenset({"subj", "obj"})
_COMPLEMENTS = ("xcomp", "that", "ccomp")
_REAL = frozenset({"fact", "will", "would"})


def governed(event: Term) -> Term:
    """Return "is required to pay" as "must pay", "is said to be old" as "it is said that it is".

    "Has plans to build" is "plans to build", "has the right to" is "may".
    """
    event = _by_noun(event)
    if event.head == "use" and event.tense == "past" and not event.of("obj"):
        event = _once(event)
    inner = next((t for role in _COMPLEMENTS for t in event.of(role) if t.clausal), None)
    whom = event.of("obj")
    if inner is None:
        return _of_deed(event)
    bare = not inner.of("subj") and not inner.of("obj")  # "the lease is to begin" on a day
    if event.head == "be" and (event.of("xcomp") or bare) and not event.of("is"):
        made = _lifted(event, inner, "is to", denied=False)
        past = event.tense == "past" and inner.tense == "perfect"
        if past and not made.denied:  # "was to have opened", and did not
            return replace(made, force="fact", tense="past", denied=True)
        return made
    if event.head in AVOWING and event.of("xcomp") and event.of("subj") and bare:
        role = "obj" if inner.passive else "subj"
        own = replace(inner, slots=(Slot(role, event.of("subj")[0]), *inner.slots))
        return replace(event, slots=(*event.without("xcomp"), Slot("that", own)))
    if event.head in RAISED:
        return _raised(event, inner)
    it = any(t.head == "it" for t in (*event.of("subj"), *whom))
    if event.head in EXTRAPOSED and it and event.force == "fact":
        return _extraposed(event, inner)
    force = LIFTED.get(event.head)
    needed = event.head == "need" and event.force == "must"  # "need not hold"
    if force is None or inner.force != "fact" or (event.head in LIFTED_SUBJECT and whom):
        return event
    of_subject = event.head in LIFTED_SUBJECT or event.kind == "property"
    if not (of_subject or whom) or not (needed or event.force in _REAL):
        return event
    return _lifted(event, inner, force, denied=event.head in FORBIDDING)


def _once(event: Term) -> Term:
    """Return "used to grind" as "ground"."""
    for slot in event.slots:
        if slot.role in {*_COMPLEMENTS, "to"} and slot.filler.kind == "event":
            rest = tuple(s for s in event.slots if s is not slot)
            slots = (*rest, *slot.filler.slots)
            return replace(slot.filler, slots=slots, tense="past", text=event.text)
    return event


def _lifted(event: Term, inner: Term, force: str, *, denied: bool) -> Term:
    """Return a clause with a force and its subject from above.

    A duty not to do it is no permission to, and the reverse; what nothing demands is none.
    """
    rest = event.without(*_COMPLEMENTS)
    inside, outer = inner.denied, event.denied != denied
    if event.head == "need" and inside:
        inside, outer = False, True
    if event.of("obj") and any(t.determiner == "no" for t in event.of("subj")):
        outer = not outer  # "nothing obliges them to"
    if inside:
        force = {"must": "may", "may": "must"}.get(force, force)
    role = "obj" if inner.passive else "subj"
    own = next((s.filler for s in inner.slots if s.role in _FIRST), None)
    has_own = bool(inner.of(role)) and own is not None and own.at < inner.at
    above = [t for t in event.of("obj") or event.of("subj") if t.head != "it" or not has_own]
    who = () if has_own else tuple(Slot(role, one) for one in above)
    return replace(
        inner,
        force=f"would {force}" if event.force == "would" else force,
        denied=inside != outer,
        slots=(*who, *inner.slots, *(s for s in rest if s.role not in _FIRST)),
        tense="",
        text=event.text,
    )


def _raised(event: Term, inner: Term) -> Term:
    """Return "the ship is expected to dock" as what is expected: that the ship docks."""
    whom = event.of("obj")
    if event.of("subj") and not event.of("subj")[0].at > event.at:
        return event
    rest = event.without("obj", *_COMPLEMENTS)
    if inner.force in {"will", "would"} and event.head in {*AIMS.values(), "expect"}:
        inner = replace(inner, force="fact", tense="")
    if any(t.head == "it" for t in whom) or not whom:
        return replace(event, slots=(Slot("that", inner), *rest))
    if not event.of("xcomp"):
        return event
    role = "obj" if inner.passive else "subj"
    told = replace(inner, slots=(Slot(role, whom[0]), *inner.slots))
    return replace(event, slots=(Slot("that", told), *rest))


def _extraposed(event: Term, inner: Term) -> Term:
    """Return "it is possible that he left" as "he might have left"."""
    force, denied = EXTRAPOSED[event.head]
    if inner.force not in {"fact", "will", "should"}:
        return event
    bare = replace(event, slots=tuple(s for s in event.slots if s.filler.head != "it"))
    return _lifted(bare, replace(inner, force="fact"), force, denied=denied)


def _of_deed(event: Term) -> Term:
    """Return "parking here is forbidden" as "nobody may park here"."""
    force, denied = EXTRAPOSED.get(event.head, ("", False))
    first = event.slots[0] if event.slots else None
    if not force or first is None or event.force != "fact":
        return event
    before = first.role == "ing" and first.filler.at < event.at
    if first.role not in _FIRST and not (before and not event.of("subj") and not event.of("obj")):
        return event
    deed = first.filler
    if deed.kind != "event" or deed.joined or deed.of("subj") or len(event.of("subj")) > 1:
        return event
    if first.role == "obj" and event.of("subj"):
        return event
    return _lifted(replace(event, slots=event.slots[1:]), deed, force, denied=denied)


def _by_noun(event: Term) -> Term:
    """Return "has plans to build" and "its plan is to build" as "it plans to build"."""
    if event.force != "fact":
        return event
    if event.head == "have":
        noun = next((t for t in event.of("obj") if t.of("xcomp")), None)
        if noun is None or not event.of("subj"):
            return event
        who, inner = event.of("subj")[0], next(iter(noun.of("xcomp")), None)
        rest = event.without("subj", "obj")
    elif event.head == "be":
        noun = next(iter(event.of("subj")), None)
        inner = next((t for role in ("that", "xcomp") for t in event.of(role)), None)
        if noun is None or inner is None or inner.of("subj") or not noun.of("of"):
            return event
        who, rest = noun.of("of")[0], event.without("subj", "that", "xcomp")
    elif event.head == "exist":
        duties = (t for t in event.of("subj") if RIGHTS.get(t.head, ("",))[0] == "must")
        noun = next(duties, None)
        inner = next(iter(noun.of("xcomp")), None) if noun is not None else None
        if noun is None or inner is None:
            return event
        force, outer = RIGHTS[noun.head]
        none = event.denied != (noun.determiner == "no")
        bare = replace(event, denied=none, slots=event.without("subj"))
        return _lifted(bare, inner, force, denied=outer)
    else:
        return event
    if inner is None:
        return event
    denied = event.denied != (noun.determiner == "no")
    made = replace(event, denied=denied, slots=(Slot("subj", who), Slot("xcomp", inner), *rest))
    if noun.head in RIGHTS and event.head == "have":
        force, outer = RIGHTS[noun.head]
        return _lifted(made, inner, force, denied=outer)
    verb = AIMS.get(noun.head)
    return replace(made, head=verb) if verb else event
