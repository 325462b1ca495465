"""The slots of events as they are compared: parts, forces, degrees, conditions and scopes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from groundrules.align.known import DEFINITE
from groundrules.align.measures import PERIODS
from groundrules.align.projection import (
    Relation,
    flipped,
)
from groundrules.claims.english.logic import (
    ALIKE_ROLES,
    BESIDE,
    BINDING,
    CAUSATIVES,
    CIRCUMSTANTIAL,
    DOUBTING_ADVERBS,
    DOUBTING_VERBS,
    HAPPENING,
    IDLE,
    JUST_SO,
    REASONS,
    SELDOM,
    SIGNATURES,
    STATES,
)
from groundrules.claims.normal_forms import opposed
from groundrules.claims.slots import MANY, Slot, Term, kept, terms_of

_SAME, _OPEN = Relation.SAME, Relation.OPEN
_ENTAILS, _ENTAILED = Relation.ENTAILS, Relation.ENTAILED
#: What a thing keeps when phrases that may belong to the verb are taken off it.
_OWN = frozenset({"mod", "of", "that", "also", "only", "degree", "is", "subj", "obj"})
#: Which forces another entails, beside itself.
_FORCES = {
    ("must", "may"): _ENTAILS, ("may", "must"): _ENTAILED, ("fact", "might"): _ENTAILS,
    ("shall", "must"): _SAME, ("must", "shall"): _SAME, ("shall", "may"): _ENTAILS,
    ("may", "shall"): _ENTAILED, ("shall", "will"): _SAME, ("shall", "fact"): _ENTAILS,
    ("must", "is to"): _ENTAILS, ("shall", "is to"): _SAME, ("may", "might"): _ENTAILS,
}  # fmt: skip
_CONDITIONS = frozenset({"if", "unless"})
#: Words of degree whose opposites say the same: the least long is the shortest.
EXTREMES = frozenset({"most", "least"})
#: What an instruction may exclude; as what it may be told, and what it forbids.
_DEMANDED = frozenset({"should", "must", "is to", "may"})
_TOLD, _FORBIDDEN = (
    frozenset({"fact", "should", "must", "will", "is to"}),
    frozenset({"fact", "should", "may"}),
)


class EventPart(NamedTuple):
    """A slot of an event, or a phrase of one of its things, with the determiner of that."""

    role: str
    filler: Term
    host: str
    of_subject: bool = False


def restrictions(known: Term, said: Term) -> list[Slot]:
    """Return what a source says of a thing and a statement does not."""
    heads = {s.filler.head for s in said.slots}
    return [s for s in known.slots if s.filler.head not in heads and not s.filler.aside]


def is_scheduled(event: Term) -> bool:
    """Return whether something is told to happen on one day: "the fair is held on 3 May 2019"."""
    days = (s.filler.measure for s in event.slots if s.filler.measure)
    return (
        event.kind == "event"
        and event.force in {"fact", "will"}
        and (event.head not in STATES or (event.head in HAPPENING and event.passive))
        and any(one.unit == "date" and one.bounds[0] == one.bounds[1] for one in days)
    )


def roles_meet(role: str, other: str, p: Term, h: Term) -> bool:
    """Return whether a slot of one role can be what one of another is."""
    if role == other or not _are_alike(role, other):
        return role == other
    if {role, other} == {"to", "for"} and p.of(role) and p is not h:
        return False  # "lent to Ann for Bob"
    if {role, other} <= {"in", "for", "of", "to"}:  # "in two years" is not "for two years"
        return not any(t.head in PERIODS for t in (*p.of(other), *h.of(role)))
    return True


@cache
def _are_alike(role: str, other: str) -> bool:
    return any(role in alike and other in alike for alike in ALIKE_ROLES)


def of_one(subject: Relation, known: Term, said: Term) -> bool:
    """Return whether what is told of two subjects cannot be so of both."""
    if known.determiner in {"some", "a"} and said.determiner in {"some", "a"}:
        return False
    told = (slot.filler.head for slot in restrictions(known, said))
    if subject is _ENTAILS and known.determiner == "every" and any(one != "other" for one in told):
        return False  # of no pupil who was fined it tells nothing of a pupil
    if subject is _ENTAILS:
        return known.determiner in {"every", "the", "name", "bare", "a"}
    return subject is _SAME or (subject is _ENTAILED and said.determiner == "every")


@kept(MANY)
def with_conditions(event: Term) -> Term:
    """Return an event with each "unless" or "without" of its conditions as a denied "if"."""
    if not any(slot.role in _CONDITIONS for slot in event.slots):
        return event
    return replace(event, slots=tuple(map(_as_condition, event.slots)))


def _as_condition(slot: Slot) -> Slot:
    """Return "unless it is" as "if it is not", and "without it" in a condition as not with it."""
    inner = slot.filler
    if slot.role == "unless":
        slot = Slot("if", opposed(inner) if inner.clausal else replace(inner, denied=True))
    if slot.role == "if" and inner.of("without"):
        slots = tuple(
            Slot("with" if s.role == "without" else s.role, s.filler) for s in inner.slots
        )
        return Slot("if", replace(slot.filler, denied=not slot.filler.denied, slots=slots))
    return slot


@kept(MANY)
def degree_of(event: Term) -> str:
    """Return the words of degree of an event: "more", "most"."""
    return "".join(one.head for one in event.of("degree"))


def in_scope(inside: Relation, p: Term, h: Term) -> Relation:
    """Return what those that an event is told of, and how often, make of what it says of them.

    Few, at most ten and what seldom happens turn it; of just ten nothing follows but the same.
    """
    if all(map(_is_bounded_above, (p, h))) or all(map(_is_of_few, (p, h))):
        inside = flipped(inside)
    if p.force == "do" and p.denied != h.denied and inside.refutes:
        return _OPEN  # "take two", which does not say what not to take
    exact = any(t.bounds and JUST_SO & {s.filler.head for s in t.slots} for t in p.of("subj"))
    return _OPEN if exact and inside is not _SAME else inside


def _is_of_few(event: Term) -> bool:
    few = any(t.determiner == "few" for t in event.of("subj"))
    return few or any(t.head in SELDOM for t in event.of("mod"))


def _is_bounded_above(event: Term) -> bool:
    """Return whether an event is told of at most so many: it is so of fewer of a narrower kind."""
    return any(t.bounds is not None and math.isinf(t.bounds[0]) for t in event.of("subj"))


def compare_forces(p: Term, h: Term) -> Relation:
    """Return the relation of two forces: a duty entails a permission, a plan no fact."""
    if p.force == h.force:
        unfinished = "going on" in p.tense and "going on" not in h.tense
        times = {p.tense, h.tense} == {"past", "present"}
        once = p.denied and (p.tense, h.tense) == ("present", "perfect")  # "never has"
        return _OPEN if p.force == "fact" and (unfinished or times or once) else _SAME
    if p.force == "do":
        fitting = h.force in (_FORBIDDEN if p.denied else _TOLD)
        return _SAME if (fitting if p.denied == h.denied else h.force in _DEMANDED) else _OPEN
    if {p.force, h.force} == {"fact", "will"} and "past" not in (p.tense, h.tense):
        return _SAME if is_scheduled(p) else _OPEN
    return _FORCES.get((p.force, h.force), _OPEN)


def turns_round(event: Term) -> bool:
    """Return whether a verb says that its complement is not so: "refuse", "doubt"."""
    return event.head in DOUBTING_VERBS or SIGNATURES.get(event.head, (0, 0))[0] < 0


def singles_out(event: Term) -> bool:
    """Return whether an event is told of one thing alone: "only Ann has a key"."""
    return any(t.head == "only" for s in event.slots for t in s.filler.of("only"))


def grants(p: Term, h: Term) -> bool:
    """Return whether a source tells of a duty and a statement of a permission."""
    return p.force in {"must", "shall"} and h.force == "may" and not p.denied


@kept(MANY)
def parts_of(event: Term) -> tuple[EventPart, ...]:
    """Return the slots of an event, and the phrases of its things.

    To what a phrase belongs a parser often cannot tell, so it is compared wherever it stands.
    """
    return tuple(
        part._replace(of_subject=first and bool(part.host))
        for slot in event.slots
        for first in (is_first(slot.role, event),)
        for part in _unfolded(slot.role, slot.filler, first, "")
    )


def is_first(role: str, event: Term) -> bool:
    """Return whether a role is that of what an event is told of."""
    first = event.slots[0].role if event.slots else ""
    undergone = event.passive and role == "obj" == first
    return role == "subj" or (undergone and not event.of("subj"))


def names_agent(event: Term) -> bool:
    """Return whether an event is told of what it is done to, with the doer behind it, if at all."""
    return event.passive and bool(event.slots) and event.slots[0].role == "obj"


def is_of_no_one(agent: Term) -> bool:
    """Return whether a doer that is denied leaves none of its kind: "not by an inspector"."""
    return agent.kind == "thing" and agent.determiner in {"a", "any", "bare"} and not agent.bounds


def _unfolded(role: str, term: Term, first: bool, host: str) -> Iterator[EventPart]:
    moved: tuple[Slot, ...] = ()
    often = term.determiner == "every" and role == "mod"  # "every third day"
    if role == "mod" and not often:  # "twice a day" in either of its trees
        moved = tuple(s for s in term.slots if s.role == "mod" or s.role not in _OWN)
    elif (term.kind != "event" or (role == "is" and not term.of("subj"))) and not often:
        moved = tuple(s for s in term.slots if s.role not in _OWN)
    kept = tuple(s for s in term.slots if s not in moved)
    yield EventPart(role, replace(term, slots=kept) if moved else term, host)
    of_all = first and not term.bounds  # "three" is not every three
    own = term.determiner if of_all or term.determiner not in {"bare", "a"} else "some"
    below = (own or "some") if role in {"subj", "obj", "is"} else host
    if role == "is" and (term.bounds or term.measure):  # "7 euros for members"
        below = host
    for slot in moved:
        yield from _unfolded(slot.role, slot.filler, False, below)


def as_one_case(p: Term, h: Term) -> tuple[Term, Term]:
    """Return two conditions as of one case each: "if a guest pays in cash", of any one guest.

    What leaves out of one in cash holds of more cases, though it is less of what all guests do.
    """
    if {p.tense, h.tense} == {"past", "present"}:
        return p, h
    return replace(p, tense="past"), replace(h, tense="past")


def unmatched(
    part: EventPart, p: Term, h: Term, theirs: Sequence[EventPart]
) -> tuple[Relation, Relation, Relation] | None:
    """Return what a part that the source lacks makes of the inside, the outside and the subject.

    None where the source tells of another thing in its place.
    """
    role, filler, host, _ = part
    if filler.head == "no longer":  # it was so once, as an aside of a past deed has it
        if p.denied:
            return _SAME, _ENTAILED, _SAME
        return (_SAME if p.tense == "present" else _OPEN), _SAME, _SAME
    instructed = role == "subj" and p.force == "do" and filler.head in {"you", "one"}
    if filler.head in IDLE or instructed:
        return _SAME, _SAME, _SAME
    if role == "subj" or (role == "obj" and not h.of("subj")):
        alone = role == "subj" and not p.of("subj")
        return (_ENTAILED, _SAME, _SAME) if alone else None
    if role in BINDING:
        return _SAME, _ENTAILS if role in {"if", "when"} else _OPEN, _SAME
    if host in {"every", "bare", "a"} and role != "is":
        return _SAME, _SAME, _ENTAILS
    if role in {"obj", "is", "xcomp", "that"} and any(other.role == role for other in theirs):
        return None
    return _ENTAILED, _SAME, _SAME


def left_out(part: EventPart, p: Term) -> tuple[Relation, Relation]:
    """Return what leaving out a part of the source makes of the inside and the outside."""
    role, filler, host, _ = part
    if role == "obj" and CAUSATIVES.get(p.head) == p.head and p.of("subj"):
        return _OPEN, _SAME  # who broke the plate did not break
    if degree_of(p) in EXTREMES and role not in BESIDE:  # first of fewer
        return _SAME, _ENTAILED
    if filler.head == "no longer":
        return _SAME, _SAME
    if filler.head == "time" and filler.determiner in {"every", "any"} and not p.denied:
        return _SAME, _SAME  # "at all times"
    if role in BINDING or role.startswith("| ") or filler.head in DOUBTING_ADVERBS:
        return _SAME, _ENTAILED
    if p.denied and role in REASONS and filler.at > p.at:
        return _SAME, _ENTAILED  # "did not burst because of the frost", but burst or did not
    general = host in {"every", "bare", "a"}  # "a guest (over twelve)" may be the one that is meant
    if filler.aside and not (filler.kind == "thing" and general):
        return _SAME, _SAME
    happened = p.tense in {"past", "perfect"}
    general = host in {"bare", "a"} and not happened
    once = happened or p.force == "will" or is_scheduled(p)
    if host and (host == "every" or general or not once):
        restricting = host in {"every", "any", "the", "bare", "name", "a"} and not p.denied
        return (_ENTAILED if restricting else _ENTAILS), _SAME
    if role in BESIDE or role.startswith("not "):
        return _SAME, _SAME
    if role == "by" and degree_of(p) == "ratio":
        return _ENTAILS, _SAME
    if role == "from" and any(s.role == "to" for t in terms_of(p) for s in t.slots):
        return _ENTAILS, _SAME
    received = role == "to" and p.of("obj") and filler.determiner in DEFINITE
    if received and p.kind == "event":  # who pays the landlord the rent pays the rent
        return _ENTAILS, _SAME
    if role in CIRCUMSTANTIAL and not once:
        return _SAME, _ENTAILED
    return _ENTAILS, _SAME
