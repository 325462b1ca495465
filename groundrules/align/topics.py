"""What propositions are told of, and which are told of another thing than one of a statement.

Of the propositions of a source that could answer one of a statement most are told of another
thing, which the words of the two things tell before any other slot is compared.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

from groundrules.align.event_slots import degree_of, is_single
from groundrules.align.known import Premises
from groundrules.align.meanings import Part, related
from groundrules.align.projection import Relation
from groundrules.align.quantified import are_commensurable, is_number
from groundrules.align.sides import exchanged, sides
from groundrules.claims.english.logic import IDLE, PERSON_WORDS
from groundrules.claims.slots import MANY, Term, kept

_SAME = Relation.SAME
_NARROWER_OR_WIDER = frozenset({_SAME, Relation.ENTAILS, Relation.ENTAILED})
#: Determiners of a part of a whole, and of all of a kind.
_SHARES = frozenset({"part", "few", "half"})
_GENERAL = frozenset({"every", "no", "any", "a", "bare"})


class _Topic(NamedTuple):
    """What a proposition is told of: the role, the thing under each of its names, all its words."""

    role: str
    things: tuple[Term, ...]
    words: frozenset[str]


def of_another(p: Term, h: Term, premises: Premises) -> bool:
    """Return whether a proposition of a source is told of another thing than one of a statement.

    It is told by the words of the two things alone, and false where that takes more than words.
    """
    ends = exchanged(h)
    return _are_apart(p, h, premises) and (ends is None or _are_apart(p, ends, premises))


def _are_apart(p: Term, h: Term, premises: Premises) -> bool:
    known, said = _topic(p), _topic(h)
    if known is None or said is None or known.role != said.role or p.kind != h.kind:
        return False
    pairs = list(itertools.product(known.things, said.things))
    return not (
        any(one.head in said.words or other.head in known.words for one, other in pairs)
        or any(_may_be_one(*pair, premises) for pair in pairs)
        or is_single(said.role, p, h)
    )


def _may_be_one(one: Term, other: Term, premises: Premises) -> bool:
    """Return whether words, or the source, say that a thing may be the other."""
    said = frozenset((one.head, other.head)) in premises.kinds_of
    return said or heads_of_things(one, other) in _NARROWER_OR_WIDER


@kept(MANY)
def _topic(event: Term) -> _Topic | None:
    """Return what a proposition is told of, None where more than its words tells that.

    So it is where it has other wordings, compares two things, or tells of several or of a part.
    """
    if not event.slots or event.force == "do" or degree_of(event) or sides(event):
        return None
    role, thing = event.slots[0].role, event.slots[0].filler
    first = role == "subj" or (role == "obj" and not event.of("subj"))
    gone = any(t.head == "no longer" for t in event.of("mod"))
    if not first or gone or len(event.of(role)) > 1 or event.of("before"):
        return None
    if thing.kind != "thing" or thing.joined or thing.determiner in _SHARES or is_number(thing):
        return None
    asked = any(s.role == "that" and not s.filler.aside for s in thing.slots)
    if thing.head in IDLE or (asked and thing.determiner in _GENERAL):
        return None
    words = frozenset({thing.head, *(s.filler.head for s in thing.slots)})
    return _Topic(role, (thing, *thing.of("also")), words)


def heads_of_things(p: Term, h: Term) -> Relation:
    """Return the relation of two things by the words that name them alone."""
    if p.head == h.head or {p.head, h.head} <= PERSON_WORDS or are_commensurable(p, h):
        return _SAME
    if p.determiner == h.determiner == "name":
        one, other = names(p), names(h)
        if one <= other or other <= one:
            return _SAME
    alike = p.kind == h.kind and "name" not in {p.determiner, h.determiner}
    part: Part = "thing" if p.kind == "thing" else "property"
    return related(p.head, h.head, part if alike else "")


def names(term: Term) -> set[str]:
    """Return the words of a name, and of other names that stand behind it."""
    return {term.head, *(s.filler.head for s in term.slots if s.role in {"mod", "also"})}
