"""The propositions of a source, and how it tells the things of one name apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from groundrules.align.meanings import related
from groundrules.align.projection import Relation
from groundrules.claims.slots import MANY, Slot, Term, kept, terms_of

#: Determiners of what is known already, and of what is not.
DEFINITE = frozenset({"the", "name"})
INDEFINITE = frozenset({"some", "a", "bare"})


@dataclass(frozen=True, slots=True, eq=False)
class Premises:
    """The propositions of a source, with the marks of each thing of a name.

    `known` is what was found of two things beside them.
    """

    terms: tuple[Term, ...]
    marks: Mapping[str, frozenset[frozenset[str]]]
    known: dict[tuple[int, int, bool], tuple[Term, Term, Relation]] = field(
        default_factory=dict, init=False
    )

    def has_one(self, head: str) -> bool:
        """Return whether there is one thing of that name, as far as the words tell."""
        told = self.marks.get(head, frozenset())
        most = max(told, key=len, default=frozenset())
        return all(marks <= most for marks in told)

    def has_only(self, narrow: str, wide: str) -> bool:
        """Return whether a thing is the only one that a wider word may stand for."""
        kinds = (head for head in self.marks if head != narrow)
        return not any(related(head, wide, "thing").supports for head in kinds)

    def knows(self, head: str, slot: Slot) -> bool:
        """Return whether a slot is told of the one thing of that name."""
        told = self.marks.get(head, frozenset())
        return self.has_one(head) and any(signature(slot.filler) in marks for marks in told)


def premises_of(terms: Iterable[Term]) -> Premises:
    """Return propositions with the marks of their things."""
    terms = tuple(terms)
    marks: dict[str, set[frozenset[str]]] = {}
    for head, own in (told for term in terms for told in _things_told_of(term)):
        marks.setdefault(head, set()).add(own)
    return Premises(terms, {head: frozenset(found) for head, found in marks.items()})


@kept(MANY)
def _things_told_of(term: Term) -> frozenset[tuple[str, frozenset[str]]]:
    """Return the things in a proposition, nouns and marks: it is a premise of many statements."""
    return frozenset(
        (thing.head, frozenset(signature(s.filler) for s in thing.slots if s.role in {"mod", "of"}))
        for thing in terms_of(term)
        if thing.kind == "thing"
    )


@kept(MANY)
def signature(term: Term) -> str:
    """Return the words that tell a thing from others of its name."""
    inner = (signature(s.filler) for s in term.slots if s.role in {"mod", "of"})
    return " ".join([term.head, *sorted(inner), *map(signature, term.joined)])
