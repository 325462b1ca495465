"""Set phrases: what English says in several words, as the one word or the role that says the same.

"In advance" is "beforehand", "in place of" is "instead of", "in her opinion" is "according to her",
and "once a week" is "every week".
"""

from __future__ import annotations

from dataclasses import replace

from groundrules.claims.english.logic import ADVERBS, FREQUENCIES, PLACED_APART, SET_PHRASES
from groundrules.claims.slots import Slot, Term


def plainly(event: Term) -> Term:
    """Return an event with its set phrases in plain words."""
    slots = tuple(_plain(slot, event) for slot in event.slots)
    return event if slots == event.slots else replace(event, slots=slots)


def _plain(slot: Slot, event: Term) -> Slot:
    inner = slot.filler
    if inner.head == "apart" and [s.role for s in inner.slots] == ["from"] and _is_of_all(event):
        one = inner.slots[0].filler
        return Slot("except", replace(one, words=(*one.words, inner.at)))
    adverb = ADVERBS.get((slot.role, inner.head)) if not inner.slots else None
    if adverb is not None:
        return Slot("mod", replace(inner, head=adverb, kind="property", determiner=""))
    role = SET_PHRASES.get((slot.role, inner.head))
    if role is not None and len(inner.slots) == 1 and inner.slots[0].role == "of":
        return Slot(
            role, replace(inner.slots[0].filler, words=(inner.at, inner.slots[0].filler.at))
        )
    if slot.role == "mod" and event.kind == "event":
        return Slot("mod", _each(inner))
    return slot


def _is_of_all(event: Term) -> bool:
    """Return whether an event is told of all of a kind, or of none, so that some are left out."""
    of_all = any(s.filler.determiner in {"every", "no"} for s in event.slots)
    return of_all and (event.head not in PLACED_APART or bool(event.of("is")))


def _each(often: Term) -> Term:
    """Return "once a week" and "weekly" as "every week"."""
    period = FREQUENCIES.get(often.head, "")
    times = [s.filler for s in often.slots if s.role == "mod" and s.filler.kind == "thing"]
    once = often.head == "once" and len(often.slots) == len(times) == 1
    if once and times[0].determiner in {"a", "every"} and not times[0].slots:
        return replace(times[0], determiner="every", words=(often.at, times[0].at))
    if not period or often.slots:
        return often
    return replace(often, head=period, kind="thing", determiner="every")
