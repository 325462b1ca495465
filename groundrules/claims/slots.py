"""Propositions as terms with slots: the one shape in which texts are compared.

What a sentence asserts is an event or a property; what takes part in it, a thing. All are terms,
whose slots are filled with terms. What was not read fills a slot of its own, so that it is never
taken for absent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["event", "property", "thing", "words", "gap", "others"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a term: its role and what fills it.

    Roles are subj and obj (the doer and the done-to, in the active as in the passive), is, to, mod,
    degree, only, also (another name), of, that (a relative clause, or what is said), xcomp (an
    infinitive), the prepositions and the words that open clauses: in, if, unless, because; with
    "only " before them or "not ".
    """

    role: str
    filler: Term


@dataclass(frozen=True, slots=True)
class Term:
    """An event, a property, a thing or mere words, with what fills their slots.

    Of the kind others is what is none of those `joined` in it.

    `head` is a lemma, `at` the number of its token and `place` its range in code points. Of a
    thing `determiner` is every, the, a, some, no, any, most, many, few, half, notall, name or
    bare. Of an event `denied` is its polarity, `force` fact, must, shall, may, should, will,
    would, might, do (an instruction) or whether (a question), `tense` past, perfect, present,
    with "going on" behind it, or empty. `joined` are the terms coordinated with it, of which an
    `alternative` leaves open which; an `aside` is told beside: it does not say which is meant.
    """

    head: str
    kind: Kind
    at: int
    slots: tuple[Slot, ...] = ()
    determiner: str = ""
    denied: bool = False
    force: str = "fact"
    tense: str = ""
    joined: tuple[Term, ...] = ()
    alternative: bool = False
    aside: bool = False
    plural: bool = False
    passive: bool = False
    text: str = ""
    place: tuple[int, int] = (0, 0)

    @property
    def clausal(self) -> bool:
        """Whether it is an event or a property."""
        return self.kind in {"event", "property"}

    def of(self, role: str) -> list[Term]:
        """Return what fills a role."""
        return [slot.filler for slot in self.slots if slot.role == role]

    def without(self, *roles: str) -> tuple[Slot, ...]:
        """Return the slots of other roles."""
        return tuple(slot for slot in self.slots if slot.role not in roles)


def terms_of(term: Term) -> Iterator[Term]:
    """Yield a term and all that fills its slots, at any depth."""
    yield term
    for slot in term.slots:
        yield from terms_of(slot.filler)
    for other in term.joined:
        yield from terms_of(other)


def described(term: Term) -> str:
    """Return a term in one line: "not may use(subj: bare adult, obj: the gel)"."""
    words = ["not"] if term.denied else []
    words += [term.force] if term.force != "fact" else []
    words += [term.determiner] if term.determiner else []
    inside = ", ".join(f"{slot.role}: {described(slot.filler)}" for slot in term.slots)
    more = "".join(f" & {described(other)}" for other in term.joined)
    return " ".join([*words, term.head or "–"]) + (f"({inside})" if inside else "") + more
