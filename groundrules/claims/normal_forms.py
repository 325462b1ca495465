"""Normal forms: what English says in several ways, as the one that is compared."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundrules.claims.english import PREPOSITIONS
from groundrules.claims.english.logic import (
    BINDING,
    FORMERLY,
    NOBODY,
    PRONOUN_KINDS,
)
from groundrules.claims.governed import governed
from groundrules.claims.slots import Slot, Term, terms_of

#: How many propositions coordination makes of one, at most.
_MOST = 64
_FIRST = frozenset({"subj", "obj"})


def normal(event: Term) -> Term:
    """Return an event in its normal form; see the functions below."""
    return negated(_floated(governed(_copular(_instead(event)))))


def _instead(event: Term) -> Term:
    """Return "on Monday instead of Friday" as "on Monday, not on Friday"."""
    other = next((s for s in event.slots if s.role == "instead of"), None)
    if other is None or other.filler.kind != "thing" or event.denied or event.force != "fact":
        return event
    if any(s.filler.determiner in {"no", "notall", "few"} for s in event.slots):
        return event
    behind = [s for s in event.slots if event.at < s.filler.at < other.filler.at]
    like = max(behind, key=lambda s: s.filler.at, default=None)
    if like is None or like.filler.kind != "thing":
        return event
    turned = Slot(f"not {like.role}", other.filler)
    return replace(event, slots=tuple(turned if s is other else s for s in event.slots))


def _copular(event: Term) -> Term:
    """Return "is tall" as the property it says; "is a tower" and "is in Rome" stay as they are."""
    said = event.of("is")
    if event.head != "be" or len(said) != 1 or said[0].kind != "property":
        return _named(event)

    def told(one: Term) -> Term:
        slots = event.without("is") + one.slots
        return replace(event, head=one.head, kind="property", at=one.at, slots=slots)

    joined = tuple(map(told, said[0].joined))
    return replace(told(said[0]), joined=joined, alternative=said[0].alternative)


def _named(event: Term) -> Term:
    """Return "the mayor is Ann Lee" as "Ann Lee is the mayor"."""
    who, said = event.of("subj"), event.of("is")
    if event.head != "be" or len(who) != 1 or len(said) != 1:
        return event
    turned = who[0].determiner == "the" and who[0].kind == "thing" and said[0].determiner == "name"
    if not turned or who[0].joined or said[0].joined or who[0].head in PRONOUN_KINDS:
        return event
    rest = event.without("subj", "is")
    return replace(event, slots=(Slot("subj", said[0]), Slot("is", who[0]), *rest))


def _floated(event: Term) -> Term:
    """Return "they all left" as "all of them left"."""
    floats = [
        s for s in event.slots if s.role == "mod" and s.filler.head in {"all", "both", "each"}
    ]
    if not floats or event.slots[0].role not in _FIRST:
        return event
    first, *rest = event.slots
    every = Slot(first.role, replace(first.filler, determiner="every"))
    return replace(event, slots=(every, *(s for s in rest if s not in floats)))


def negated(event: Term) -> Term:
    """Return "found no cracks" as "did not find any", "no entry won" as "every entry did not"."""
    slots, denied = [], event.denied
    for number, slot in enumerate(event.slots):
        term = slot.filler
        if term.determiner == "no" and not (term.kind == "event" or term.joined):
            denied = not denied
            of_all = slot.role == "subj" or (slot.role == "obj" and number == 0)
            head = "person" if term.head in NOBODY and not term.slots else term.head
            term = replace(term, head=head, determiner="every" if of_all else "any")
        elif term.determiner == "notall" and slot.role in _FIRST:
            denied = not denied
            term = replace(term, determiner="some")
        slots.append(Slot(slot.role, term))
    return replace(event, slots=tuple(slots), denied=denied)


def opposed(event: Term) -> Term:
    """Return that it is not so: of "a guard is present" that no guard is, and the reverse."""
    first = event.slots[0] if event.slots else None
    turned = {"a": "every", "some": "every", "bare": "every", "every": "some"}
    slots = event.slots
    if first is not None and first.role in _FIRST and first.filler.determiner in turned:
        other = replace(first.filler, determiner=turned[first.filler.determiner])
        slots = (Slot(first.role, other), *slots[1:])
    return replace(event, denied=not event.denied, slots=slots)


def is_free(event: Term) -> bool:
    """Return whether "or" says of an event what "and" does: where it is denied, allowed, of few."""
    few = any(t.determiner == "few" for t in event.of("subj"))
    return event.denied or event.force == "may" or few


# --- coordination -----------------------------------------------------------------------------


def expanded(event: Term) -> Iterator[Term]:
    """Yield what coordinated parts make of an event: "A and B left" is two propositions.

    With "respectively" they go in pairs. "A or B" is not taken apart but where it is denied or
    allowed.
    """
    if event.joined and event.alternative and not is_free(event):
        either = tuple(Slot("or", one) for one in event.joined)
        yield from expanded(replace(event, joined=(), slots=(*event.slots, *either)))
        return
    if event.joined:
        for one in (replace(event, joined=()), *event.joined):
            yield from expanded(one)
        return
    free = is_free(event)
    marks = ("& ", "but ", "| ") if free else ("& ", "but ")
    others = [s for s in event.slots if s.role.startswith(marks)]
    if others:  # "by post and in person", "may … by post or in person"
        plain = tuple(s for s in event.slots if not s.role.startswith(marks))
        yield from expanded(replace(event, slots=plain))
        before = [s for s in plain if s.role in PREPOSITIONS and s.filler.at < others[0].filler.at][
            -1:
        ]
        for slot in others:
            mark, role = slot.role.split(" ", 1)
            instead = [s for s in plain if s.role == role][-1:] or before
            kept = (s for s in plain if s not in instead)
            denied = event.denied and mark != "but"
            made = (*kept, Slot(role, slot.filler), *_bound_behind(slot, instead))
            yield from expanded(replace(event, slots=made, denied=denied))
        return
    conceded = next((s for s in event.slots if s.role.startswith("even ")), None)
    if conceded is not None:  # "even if it rains": if it rains, and otherwise
        rest = event.without(conceded.role)
        yield from expanded(replace(event, slots=rest))
        condition = Slot(conceded.role.removeprefix("even "), conceded.filler)
        yield from expanded(replace(event, slots=(*rest, condition)))
        return
    choices = [_choices(slot, event) for slot in event.slots]
    lengths = {len(c) for c in choices if len(c) > 1}
    if "respectively" in event.text and len(lengths) == 1:
        pairs = ([c[n] if len(c) > 1 else c[0] for c in choices] for n in range(lengths.pop()))
        yield from (negated(replace(event, slots=tuple(slots))) for slots in pairs)
        return
    for slots in itertools.islice(itertools.product(*choices), _MOST):
        yield negated(replace(event, slots=slots))


def _bound_behind(slot: Slot, others: Sequence[Slot]) -> Iterator[Slot]:
    """Yield what binds another phrase and stands behind a coordinated one: it binds both.

    "After notice, and without notice in case of fire".
    """
    for term in (t for other in others for t in terms_of(other.filler)):
        yield from (s for s in term.slots if s.role in BINDING and s.filler.at > slot.filler.at)


def _choices(slot: Slot, event: Term) -> list[Slot]:
    term = slot.filler
    free = not term.alternative or is_free(event) or term.determiner == "no"
    if not term.joined or slot.role in {"between", "among", "if"} or not free:
        return [slot]
    parts = [replace(one, joined=(), alternative=False) for one in (term, *term.joined)]
    return [Slot(slot.role, _sharing(parts[0], part)) for part in parts]


def _sharing(first: Term, other: Term) -> Term:
    """Return a coordinated part with the determiner that stands before the first of them."""
    shares = other.kind == "thing" and other.determiner == "bare"
    if shares and first.determiner in {"the", "every", "any"}:
        return replace(other, determiner=first.determiner)
    if other.kind == "thing" and first.determiner == "no":  # "neither the cook nor the waiter"
        return replace(other, determiner="no")
    return other


def ungapped(event: Term) -> tuple[Term, list[Term]]:
    """Return an event and those that a coordinated part of it tells without their verb.

    "The tanker sailed to Ostrand and the ferry to Port Kell": a part with a phrase behind it of the
    kind that it stands in is the subject of another clause.
    """
    slots, made = list(event.slots), []
    for slot in event.slots:
        for one in slot.filler.joined if slot in slots else ():
            alike = paralleled(replace(event, slots=tuple(slots)), one)
            if alike is not None:
                event, other = alike
                slots, own = list(event.slots), [Slot(slot.role, one)]
                made.append(other)
            else:
                own = _remnants(one, slot, slots, event)
                bare = tuple(s for s in one.slots if s not in own)
                if own:
                    made.append(gapped_with(event, replace(one, slots=(*bare, *own))))
            if not own:
                continue
            slots = [s for s in slots if s not in own]
            rest = tuple(j for j in slot.filler.joined if j is not one and j is not own[0].filler)
            kept = Slot(slot.role, replace(slot.filler, joined=rest))
            slots = [kept if s is slot else s for s in slots]
            break
    return replace(event, slots=tuple(map(_with_plain_items, slots))), made


def _remnants(one: Term, slot: Slot, slots: list[Slot], event: Term) -> list[Slot]:
    """Return the slots that a coordinated part brings with it, none where it is a part alone."""
    behind = [s for s in one.slots if s.filler.at > one.at]
    if slot.role == "mod":  # "four times a week and the cacti twice a month"
        named = one.kind == "thing" and one.determiner in {"the", "name"}
        return [s for s in behind if s.role == "mod"] if named else []
    if slot.role == "obj" and slot is not event.slots[0]:  # "Ann the children and Ben the parents"
        joined = slot.filler.joined
        done_to = next(iter(joined[joined.index(one) + 1 :]), None)
        if done_to is not None and _stands_right_behind(one, done_to):
            return [Slot("obj", done_to)]
        after = [
            s for s in slots
            if s.role == "mod" and s.filler.kind == "thing" and s.filler.at > one.at
            and s.filler.determiner in {"the", "name", "some", "a"}
        ]  # fmt: skip
        if len(joined) == 1 and after:
            slots.remove(after[0])
            return [Slot("obj", after[0].filler)]
        return []
    own = [s for s in behind if s.role == slot.role]
    if slot.role in PREPOSITIONS and not own:
        own = [s for s in slots if s.role == slot.role and s.filler.at > one.at][:1]
    return own if slot.role != "subj" else []


def _with_plain_items(slot: Slot) -> Slot:
    """Return a slot without what is joined to its thing with a name or article that it has not.

    "Ann coffee" beside "tea", and "the south wine" beside "coal", may be who and what.
    """
    first = slot.filler

    def named(thing: Term) -> bool:
        before = (s.filler for s in thing.slots if s.role == "mod" and s.filler.at < thing.at)
        marked = [one.determiner == "name" or thing.determiner == "the" for one in before]
        return any(marked) and thing.determiner != "name"

    if slot.role != "obj" or first.determiner != "bare":
        return slot
    plain = tuple(itertools.takewhile(lambda one: named(first) or not named(one), first.joined))
    return slot if plain == first.joined else Slot(slot.role, replace(first, joined=plain))


def _stands_right_behind(one: Term, other: Term) -> bool:
    """Return whether no "and" or comma is between two things, as there is in "milk and eggs"."""
    between = range(one.at + 1, other.at)
    return not between or (len(between) == 1 and other.determiner not in {"bare", "name", ""})


def paralleled(event: Term, one: Term) -> tuple[Term, Term] | None:
    """Return an event without what stands behind a thing, and that told of the thing with it.

    "She won the prize for art in 1903 and the prize for music in 1911": the thing is another of a
    kind that the event has. None where it has none, where both stand before the verb, or where
    nothing stands between them that is told of the first alone.
    """
    like = next((s for s in event.slots if s.filler.head == one.head), None)
    if like is None or not max(like.filler.at, event.at) < one.at:
        return None
    if not any(like.filler.at < s.filler.at < one.at for s in event.slots if s is not like):
        return None
    behind = tuple(s for s in event.slots if s.filler.at > one.at and s.role != like.role)
    roles = {s.role for s in behind}
    kept = tuple(s for s in event.slots if s not in behind)
    other = tuple(
        Slot(s.role, one) if s is like else s for s in kept if s is like or s.role not in roles
    )
    first = replace(event, slots=kept)
    return first, replace(event, slots=(*(_alone(s) for s in other), *behind))


def _alone(slot: Slot) -> Slot:
    return Slot(slot.role, replace(slot.filler, joined=()))


def gapped_with(event: Term, subject: Term) -> Term:
    """Return an event told of another subject, what stands behind which takes its slots."""
    behind = tuple(
        s for s in subject.slots
        if s.filler.at > subject.at and s.role not in {"of", "that", "also"}
    )  # fmt: skip
    bare = replace(subject, slots=tuple(s for s in subject.slots if s not in behind))
    first = next((s.role for s in event.slots if s.role in _FIRST), "subj")
    kept = event.without(first, *(s.role for s in behind))
    return replace(event, slots=(Slot(first, bare), *map(_alone, kept), *behind))


# --- what is told beside ----------------------------------------------------------------------


def told_beside(event: Term) -> Iterator[Term]:
    """Yield what is asserted of the things of an event: relative clauses, appositions, reasons.

    Of an indefinite thing a relative clause is asserted where the event has happened.
    """
    happened = event.tense in {"past", "perfect"} and not event.denied
    for slot in event.slots:
        if slot.role in {"though", "because", "so"} and slot.filler.clausal:
            yield from expanded(slot.filler)
        yield from _told(slot.filler, happened)


def _told(term: Term, happened: bool) -> Iterator[Term]:
    bare = replace(term, slots=term.without("that", "also"), joined=())
    for slot in term.slots:
        inner = slot.filler
        definite = term.determiner in {"the", "name"}
        certain = definite or (happened and term.determiner in {"some", "a"})
        if slot.role == "that" and inner.clausal and (inner.aside or certain):
            yield from expanded(replace(filled(inner, bare), aside=False))
        elif slot.role in PREPOSITIONS and slot.role != "of" and inner.aside:
            who = replace(bare, slots=tuple(s for s in bare.slots if s is not slot))
            once = tuple(s for s in inner.slots if s.filler.head in FORMERLY)
            kept = tuple(s for s in inner.slots if s not in once)
            where = Slot(slot.role, replace(inner, aside=False, slots=kept))
            slots = (Slot("subj", who), where, *once)
            tense = "past" if once else ""
            yield Term("be", "event", inner.at, slots, tense=tense, place=inner.place)
        elif slot.role == "also" and inner.aside and (certain or inner.kind == "thing"):
            said = replace(inner, slots=inner.without("that"), aside=False)
            slots = (Slot("subj", bare), Slot("is", said))
            yield Term("be", "event", inner.at, slots, place=inner.place)
            for told in inner.of("that"):  # "Kestrel, a boat which was sold"
                yield from expanded(replace(filled(told, bare), aside=False))
        elif inner.kind == "thing":
            yield from _told(inner, happened)


def filled(event: Term, gap: Term) -> Term:
    """Return a relative clause with the thing it is told of in its gap, which comes first."""
    slots = tuple(Slot(s.role, gap) if s.filler.kind == "gap" else s for s in event.slots)
    return replace(event, slots=tuple(sorted(slots, key=lambda s: s.filler is not gap)))
