"""Reckoned: amounts and times that follow from those of a source.

What a change leaves and what it comes to, how many a group has by its parts, how long it is from
one hour to another, and what is so at each time between two.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundrules.claims.english import PREPOSITIONS
from groundrules.claims.english.logic import (
    ARRIVING,
    CHANGING,
    CONSISTING,
    FALLING,
    GOING_ON,
    GROUPS,
    LEAVING,
    LIMITS_OF_TIME,
    MEMBERS,
    RISING,
    STATES,
)
from groundrules.claims.quantifiers import TIMES
from groundrules.claims.slots import Bounds, Measure, Slot, Term

__all__ = ["reckoned"]

_SPLIT = re.compile(r", and |, | and ")
_FIRST = ("obj", "subj")
_CHANGES = frozenset({"from", "to", "by"})


def reckoned(terms: Sequence[Term]) -> list[Term]:
    """Return what follows of amounts and times from the propositions of a segment."""
    made: list[Term] = []
    for one in terms:
        if one.kind not in {"event", "property"} or one.force not in {"fact", "will"}:
            continue
        made += _changed(one)
        made += _throughout(one)
        made += _lasting(one)
    made += _totals(terms)
    made += _journeys(terms)
    return made


# --- changes ----------------------------------------------------------------------------------


def _changed(event: Term) -> Iterator[Term]:
    """Yield what a change from one amount to another was before, is after, and by how much."""
    old, new = event.of("from")[:1], event.of("to")[:1]
    if event.denied or event.head not in RISING | FALLING | CHANGING or not (old and new):
        return
    whole = next((t for role in _FIRST for t in event.of(role)), None)
    mine, theirs = _exact(old[0]), _exact(new[0])
    if whole is None or mine is None or theirs is None or mine == theirs:
        return
    done = event.tense in {"past", "perfect"}
    around = event.without(*_FIRST, *_CHANGES, "mod")
    subject = Slot("subj", whole)
    bound = tuple(s for s in around if s.role in PREPOSITIONS and not _time(s.filler))
    slots = (subject, Slot("is", old[0]), *bound)
    before = replace(event, head="be", kind="event", slots=slots, tense="past", force="fact")
    happened = Term("rise" if theirs > mine else "fall", "thing", event.at, around, "the")
    yield before
    yield replace(before, slots=(*before.slots, Slot("before", happened)))
    if done:
        yield replace(before, slots=(subject, Slot("is", new[0]), *bound), tense="present")
    if any(t.measure and t.measure.unit == "share" for t in (*old, *new)):
        return  # from 5 to 8 per cent is not by 3 per cent
    by = replace(new[0], bounds=(abs(theirs - mine),) * 2, measure=_difference(old[0], new[0]))
    yield from _by_so_much(event, whole, Slot("by", by), theirs > mine)


_UP = ("rise", "go up", "increase"), ("raise", "increase")
_DOWN = ("fall", "go down", "decrease", "drop"), ("lower", "reduce", "cut")


def _by_so_much(event: Term, whole: Term, by: Slot, rises: bool) -> Iterator[Term]:
    """Yield a change with its amount, and at its time no change the other way."""
    kept = tuple(s for s in event.slots if s.role not in _CHANGES)
    around = tuple(s for s in kept if s.role not in _FIRST)
    told, contrary = (_UP[0], _DOWN[1]) if rises else (_DOWN[0], _UP[1])
    for head in told:
        slots = (Slot("subj", whole), *around, by)
        yield replace(event, head=head, slots=slots, passive=False)
    if event.head not in RISING | FALLING:
        return
    yield replace(event, slots=(*kept, by))
    if any(_time(s.filler) for s in kept):  # what was raised then was not lowered then
        slots = (Slot("obj", whole), *around)
        yield from (replace(event, head=head, slots=slots, denied=True) for head in contrary)


def _exact(term: Term) -> float | None:
    if term.bounds is None or term.bounds[0] != term.bounds[1]:
        return None
    return term.bounds[0]


def _difference(old: Term, new: Term) -> Measure | None:
    if old.measure is None or new.measure is None or old.measure.unit != new.measure.unit:
        return None
    apart = abs(new.measure.bounds[0] - old.measure.bounds[0])
    return Measure(new.measure.unit, (apart, apart))


# --- times ------------------------------------------------------------------------------------


def _throughout(event: Term) -> Iterator[Term]:
    """Yield a state with the stretch of time in which it holds in one slot."""
    limits = [s for s in event.slots if s.role in LIMITS_OF_TIME | {"to"} and _time(s.filler)]
    if event.denied or not limits or not _is_state(event):
        return
    units = {s.filler.measure.unit for s in limits if s.filler.measure}
    low, high = -math.inf, math.inf
    for slot in limits:
        bounds = _time(slot.filler)
        if bounds is None:
            return
        if slot.role in {"since", "from"}:
            low = max(low, bounds[0])
        else:
            high = min(high, bounds[1])
    if len(units) != 1 or low > high:
        return
    span = Term("", "thing", event.at, (), "the", None, Measure(units.pop(), (low, high)))
    rest = tuple(s for s in event.slots if s not in limits)
    tense = "past" if event.tense == "perfect" else event.tense
    yield replace(event, slots=(*rest, Slot("throughout", span)), tense=tense)


def _is_state(event: Term) -> bool:
    return event.kind == "property" or event.head in STATES


def _time(term: Term) -> Bounds | None:
    measure = term.measure
    return measure.bounds if measure is not None and measure.unit in TIMES else None


def _lasting(event: Term) -> Iterator[Term]:
    """Yield how long it takes from one time of day or year to another."""
    start, end = event.of("from")[:1], event.of("to")[:1] or event.of("until")[:1]
    if event.denied or event.head not in GOING_ON or not (start and end):
        return
    days = _days(start[0], end[0])
    if days is not None:
        rest = event.without("from", "to", "until")
        time = _amount(days, event)
        yield replace(event, slots=(*rest, Slot("for", time)))
        whom = next((t for role in _FIRST for t in event.of(role)), None)
        if whom is not None:
            for head, role in (("take", "obj"), ("last", "obj"), ("last", "for")):
                slots = (Slot("subj", whom), Slot(role, time))
                yield replace(event, head=head, kind="event", slots=slots, passive=False)


def _days(start: Term, end: Term) -> float | None:
    one, other = _time(start), _time(end)
    if one is None or other is None or start.measure is None or end.measure is None:
        return None
    if start.measure.unit != "clock" or end.measure.unit != "clock" or other[0] <= one[0]:
        return None
    return (other[0] - one[0]) / 86400


def _amount(days: float, event: Term) -> Term:
    return Term("", "thing", event.at, (), "bare", None, Measure("day", (days, days)))


def _journeys(terms: Sequence[Term]) -> Iterator[Term]:
    """Yield how long who leaves at one hour and arrives at another takes."""
    out = [t for t in terms if t.head in LEAVING and not t.denied and t.of("at")]
    back = [t for t in terms if t.head in ARRIVING and not t.denied and t.of("at")]
    for one in out[:4]:
        for other in back[:4]:
            who, whom = one.of("subj")[:1], other.of("subj")[:1]
            days = _days(one.of("at")[-1], other.of("at")[-1])
            if not who or who != whom or days is None or one.tense != other.tense:
                continue
            slots = [Slot("subj", who[0]), Slot("obj", _amount(days, one))]
            slots += [Slot("from", t) for t in (one.of("obj") or one.of("from"))[:1]]
            slots += [Slot("to", t) for t in (other.of("obj") or other.of("in"))[:1]]
            yield replace(one, head="take", slots=tuple(slots))


# --- sums -------------------------------------------------------------------------------------


def _totals(terms: Sequence[Term]) -> Iterator[Term]:
    """Yield how many a group has of whose parts all are told."""
    seen: set[tuple[str, int]] = set()
    for event in terms:
        group = next((t for role in _FIRST for t in event.of(role)), None)
        key = event.head, event.at
        if group is None or event.denied or event.head not in CONSISTING or key in seen:
            continue
        seen.add(key)
        told = [t for t in terms if (t.head, t.at) == key]
        parts = {p.at: p for t in told for p in _listed(t)}
        count = _sum([*parts.values()], told)
        if count is not None:
            yield from _having(event, group, count)


def _listed(event: Term) -> Iterator[Term]:
    for one in event.of("of") or event.of("obj"):
        yield from _with_others(one)


def _with_others(term: Term) -> Iterator[Term]:
    yield term
    for other in (*term.joined, *term.of("also")):
        yield from _with_others(other)


def _sum(parts: Sequence[Term], told: Sequence[Term]) -> float | None:
    """Return how many parts there are together, None where one may be lost or is not counted."""
    first = min(parts, key=lambda t: t.at, default=None)
    if first is None or len(parts) < 2:
        return None
    named = max((t.text for one in told for t in _listed(one)), key=len)
    if len(_SPLIT.split(named)) != len(parts):
        return None
    counts = [1.0 if p.determiner in {"a", "name"} and not p.bounds else _exact(p) for p in parts]
    return sum(c for c in counts if c) if all(counts) else None


def _having(event: Term, group: Term, count: float) -> Iterator[Term]:
    bounds = count, count
    for head in MEMBERS if group.head in GROUPS else MEMBERS[-2:]:
        thing = Term(head or f"{count:g}", "thing", event.at, (), "bare", bounds, plural=True)
        whole = Term("all", "thing", event.at, (), "every")
        total = Term("total", "thing", event.at, (), "bare")
        around = ((), (Slot("in", whole),), (Slot("in", total),))
        for more in around:
            slots = (Slot("subj", group), Slot("obj", thing), *more)
            for verb in ("have", "number", "consist") if head else ("number",):
                made = replace(event, head=verb, kind="event", slots=slots, passive=False)
                if verb == "consist":
                    of = Slot("of", thing)
                    made = replace(made, slots=(Slot("subj", group), of, *more))
                yield made
