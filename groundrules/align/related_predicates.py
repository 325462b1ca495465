"""Which propositions can answer each other: those whose predicates are related in some wording.

Few propositions of a source can answer one of a statement, and only those are compared slot by
slot.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from groundrules.align.event_slots import EXTREMES, degree_of, is_ability
from groundrules.align.known import SOURCES
from groundrules.align.meanings import Part, are_rivals, related
from groundrules.align.projection import Relation
from groundrules.align.sides import exchanged, sides
from groundrules.align.wordalign import lexicon
from groundrules.claims.slots import MANY, Kind, Term, kept

#: Determiners of a part of a whole, of which less may be so.
_PARTIAL = frozenset({"few", "half"})


class _Predicate(NamedTuple):
    """What a proposition says of its things, in one wording, and of how many of them."""

    head: str
    kind: Kind
    degree: str
    share: str


def are_akin(p: Term, h: Term) -> bool:
    """Return whether two propositions can say anything of each other, in any of their wordings."""
    return _any_meet(_predicates(p), _predicates(h))


def akin(terms: tuple[Term, ...], h: Term) -> tuple[Term, ...]:
    """Return those propositions of a source that can say anything of one of a statement."""
    known, asked = _answers(terms), _predicates(h)
    found = known.get(asked)
    if found is None:
        if len(known) >= MANY:
            known.clear()
        found = known[asked] = tuple(p for p in terms if _any_meet(_predicates(p), asked))
    return found


@kept(SOURCES)
def _answers(_: tuple[Term, ...]) -> dict[frozenset[_Predicate], tuple[Term, ...]]:
    return {}


@kept(MANY)
def _predicates(event: Term) -> frozenset[_Predicate]:
    wordings = [event, *sides(event)] if event.clausal else []
    wordings += [end for end in (exchanged(event),) if wordings and end is not None]
    return frozenset(_Predicate(t.head, t.kind, degree_of(t), _share(t)) for t in wordings)


@lru_cache(maxsize=65536)
def _any_meet(p: frozenset[_Predicate], h: frozenset[_Predicate]) -> bool:
    return any(_meet(one, other) for one in p for other in h)


def _meet(p: _Predicate, h: _Predicate) -> bool:
    if "part" in (p.share, h.share) or {p.share, h.share} & _PARTIAL:
        return True
    if p.degree != h.degree:
        return {p.degree, h.degree} == EXTREMES and opposite(p.head, h.head)
    able = p.kind == "property" and h.kind == "event" and is_ability(p.head, h.head)
    return able or of_predicates(p.head, p.kind, h.head, h.kind) is not Relation.OPEN


def _share(event: Term) -> str:
    """Return the determiner of what an event is told of."""
    return event.slots[0].filler.determiner if event.slots else ""


def speak_of_shares(p: Term, h: Term) -> bool:
    """Return whether one is told of a part of a whole, or each of another share."""
    said = {_share(p), _share(h)}
    of_one = bool(p.slots and h.slots) and p.slots[0].role == h.slots[0].role
    return of_one and ("part" in said or (len(said) > 1 and bool(said & _PARTIAL)))


def of_predicates(p: str, p_kind: Kind, h: str, h_kind: Kind) -> Relation:
    """Return the relation of two predicates: what is red is not blue."""
    part: Part = "event" if p_kind == h_kind == "event" else "property" if p_kind == h_kind else ""
    found = related(p, h, part)
    if found.refutes and h in lexicon().converse.get(p, ()):
        return Relation.OPEN  # who sells may buy as well
    rivals = found is Relation.OPEN and part == "property" and are_rivals(p, h)
    return Relation.EXCLUDES if rivals else found


def opposite(one: str, other: str) -> bool:
    """Return whether two properties are the two sides of one scale."""
    return related(one, other, "property").refutes
