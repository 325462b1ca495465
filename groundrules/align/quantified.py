"""The relation of two things by how many there are of them, how much, and which is meant."""

from __future__ import annotations

import math

from groundrules.align.known import Premises
from groundrules.align.meanings import Part, related
from groundrules.align.projection import Relation, flipped, join, of_bounds
from groundrules.claims.english import SMALL
from groundrules.claims.english.logic import EVERYBODY, PERSON_WORDS
from groundrules.claims.quantifiers import FACE, HALF_DAY
from groundrules.claims.slots import Bounds, Measure, Term

_SAME, _OPEN = Relation.SAME, Relation.OPEN
_ENTAILS, _ENTAILED, _EXCLUDES = Relation.ENTAILS, Relation.ENTAILED, Relation.EXCLUDES
_SHARES = {"every": 4, "most": 3, "many": 2, "some": 1}


def quantified(p: Term, h: Term, marks: Relation, premises: Premises, general: bool) -> Relation:
    """Return the relation of two things by that of their kinds, with what quantifies each."""
    amount = _amounts(p, h)
    if "part" in {p.determiner, h.determiner}:
        return amount if p.determiner == h.determiner and marks is _SAME else _OPEN
    if p.determiner == h.determiner == "few":
        return flipped(marks)
    if p.bounds and math.isinf(p.bounds[0]):
        marks = flipped(marks)
    if amount in {_EXCLUDES, _OPEN}:
        return amount if marks is _SAME else _OPEN
    if p.measure and h.measure and p.measure.unit == h.measure.unit == "date":
        return join(marks, amount)  # "the 1970s" are no more definite than 1970
    one, other = class_of(p, general), class_of(h, general)
    if h.head in EVERYBODY and p.determiner in {"bare", "a"}:
        return _OPEN  # individuals may be those that are no companies
    if amount is _ENTAILED and other == "some" != one:
        return _OPEN  # how many there are is not told
    match one, other:
        case "every", "every":
            return join(flipped(marks), amount)
        case "the", "the":
            other_number = p.determiner == h.determiner == "the" and p.plural != h.plural
            return _OPEN if other_number else join(marks, amount)
        case "every", "the":  # what is true of all is of the one
            return _ENTAILS if marks in {_SAME, _ENTAILED} else _OPEN
        case "the", "every":
            if marks is _SAME and p.determiner == h.determiner:
                return _SAME
            return _ENTAILED if marks.supports else _OPEN
        case ("the", "some") | ("some", "the"):
            before = other == "the" and p.determiner == "a" and not p.plural
            if before and premises.has_one(p.head):
                return join(marks, amount)  # a thing told of before
            return join(marks, _ENTAILS if one == "the" else _ENTAILED)
    if {one, other} == {"some", "half"} and marks is _SAME:
        return _ENTAILS if one == "half" else _ENTAILED
    if one in _SHARES and other in _SHARES:
        return _shares(one, other, marks, amount)
    return _SAME if one == other and marks is _SAME else _OPEN


def _shares(one: str, other: str, marks: Relation, amount: Relation) -> Relation:
    """Return the relation of two shares of kinds: all, most, many, some."""
    if one == other:
        return join(marks, amount) if one == "some" or marks is _SAME else _OPEN
    if _SHARES[one] > _SHARES[other]:
        return _ENTAILS if marks is _SAME or (other == "some" and marks is _ENTAILS) else _OPEN
    met = marks is _SAME or (other == "every" and marks is _ENTAILS)  # no boat, if no red one
    return _ENTAILED if met else _OPEN


def _amounts(p: Term, h: Term) -> Relation:
    if p.measure and h.measure:
        known, said = _on_one_face(p.measure, h.measure)
        return of_bounds(known.bounds, said.bounds) if known.unit == said.unit else _OPEN
    if p.bounds and h.bounds:
        return of_bounds(p.bounds, h.bounds)
    if p.bounds:
        return _ENTAILS
    return _ENTAILED if h.bounds and h.bounds != (1, 1) else _SAME


def extent(term: Term) -> Bounds:
    """Return how many or how much a thing is, without limits where that is not said."""
    bounds = term.measure.bounds if term.measure else term.bounds
    return bounds or (-math.inf, math.inf)


def are_commensurable(p: Term, h: Term) -> bool:
    """Return whether two things are amounts of one measure: 135 minutes and two hours."""
    if not (p.measure and h.measure):
        return False
    known, said = _on_one_face(p.measure, h.measure)
    return known.unit == said.unit != "count"


def _on_one_face(known: Measure, said: Measure) -> tuple[Measure, Measure]:
    """Return two amounts, an hour of the day as on a clock's face beside one that tells no half."""
    if {known.unit, said.unit} != {"clock", FACE}:
        return known, said
    low, other = (
        Measure(FACE, (one.bounds[0] % HALF_DAY, one.bounds[1] % HALF_DAY)) for one in (known, said)
    )
    return low, other


def class_of(term: Term, general: bool) -> str:
    """Return how a thing is quantified: every, the, some, most, many, few or half.

    What is told in general of "adults" or "a tenant" is told of every one.
    """
    match term.determiner:
        case "every" | "no":
            return "every"
        case "the" | "name":
            return "the"
        case "most" | "many" | "few" | "half" | "part":
            return term.determiner
        case "any" if general:
            return "every"
        case "a" | "bare" if general and not term.bounds:
            return "every"
    return "some"


def is_number(term: Term) -> bool:
    """Return whether a term is a number alone."""
    return term.head[:1].isdigit() or term.head in SMALL


def is_open_above(term: Term) -> bool:
    """Return whether there may be more of a kind than is told: of a wider kind there may be."""
    return term.bounds is None or term.determiner == "a" or math.isinf((term.bounds or (0, 0))[1])


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
