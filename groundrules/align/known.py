"""What the propositions of a source say things are, how many, and how it tells them apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from groundrules.align.meanings import related
from groundrules.align.projection import Relation
from groundrules.claims.slots import MANY, Slot, Term, kept, terms_of

#: Determiners of what is known already, and of what is not.
DEFINITE = frozenset({"the", "name"})
INDEFINITE = frozenset({"some", "a", "bare"})
#: Sources of which more is known than they say: one is asked for every part of every statement.
SOURCES = 8
#: Determiners with which a number says how many the whole has.
_WHOLES = frozenset({"the", "every", "most", "many", "few", "half", "part"})


@dataclass(frozen=True, slots=True, eq=False)
class Premises:
    """The propositions of a source, what it says things are, and how it tells them apart.

    `kinds_of` are those by the words of both; `apart` are pairs of things of which it tells the
    same in one place, each in its turn; `known` is what was found of two things beside them, and
    `meant` which things fit a description.
    """

    terms: tuple[Term, ...]
    kinds: tuple[tuple[Term, Term], ...]
    kinds_of: Mapping[frozenset[str], tuple[tuple[Term, Term], ...]]
    marks: Mapping[str, frozenset[frozenset[str]]]
    sizes: Mapping[str, frozenset[float]]
    apart: frozenset[frozenset[str]] = frozenset()
    within: bool = False
    known: dict[tuple[int, int, bool], tuple[Term, Term, Relation]] = field(
        default_factory=dict, init=False
    )
    meant: dict[int, tuple[Term, tuple[Term, ...]]] = field(default_factory=dict, init=False)

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
    """Return propositions with what they say of the kinds and marks of things."""
    terms = tuple(terms)
    marks: dict[str, set[frozenset[str]]] = {}
    sizes: dict[str, set[float]] = {}
    for head, own, size in (told for term in terms for told in _things_told_of(term)):
        marks.setdefault(head, set()).add(own)
        if size:
            sizes.setdefault(head, set()).add(size)
    kinds = tuple(pair for term in terms for pair in _kinds(term))
    apart = frozenset(
        pair for one, other in itertools.pairwise(terms) for pair in _apart_in(one, other)
    )
    kinds_of: dict[frozenset[str], list[tuple[Term, Term]]] = {}
    for one, other in kinds:
        kinds_of.setdefault(frozenset((one.head, other.head)), []).append((one, other))
    return Premises(
        terms, kinds,
        {heads: tuple(found) for heads, found in kinds_of.items()},
        {head: frozenset(found) for head, found in marks.items()},
        {head: frozenset(found) for head, found in sizes.items()},
        apart,
    )  # fmt: skip


@kept(MANY)
def _things_told_of(term: Term) -> frozenset[tuple[str, frozenset[str], float]]:
    """Return the things in a proposition: nouns, marks, and how many the whole has, 0 for not told.

    One proposition is among the premises of many statements.
    """
    found = set()
    for thing in terms_of(term):
        if thing.kind == "thing":
            own = frozenset(signature(s.filler) for s in thing.slots if s.role in {"mod", "of"})
            low, high = thing.bounds or (0.0, 0.0)
            whole = thing.determiner in _WHOLES and low == high > 1
            found.add((thing.head, own, low if whole else 0.0))
    return frozenset(found)


def _apart_in(one: Term, other: Term) -> Iterator[frozenset[str]]:
    """Yield the things that two propositions tell of in turn: "A stands here and B there"."""
    if one.head != other.head or one.denied != other.denied or len(one.slots) != len(other.slots):
        return
    pairs = list(zip(one.slots, other.slots, strict=True))
    if any(a.role != b.role for a, b in pairs):
        return
    changed = [(a, b) for a, b in pairs if signature(a.filler) != signature(b.filler)]
    if len(changed) == 2 and all(t.filler.determiner in DEFINITE for pair in changed for t in pair):
        for a, b in changed:
            yield frozenset((signature(a.filler), signature(b.filler)))


def _kinds(term: Term) -> Iterator[tuple[Term, Term]]:
    """Yield what a proposition says that a thing is: "every Swede is a Scandinavian"."""
    who = next(iter(term.of("subj")), None)
    if who is None or term.denied or term.force != "fact":
        return
    if term.head == "be" and who.determiner in {"every", "bare", *DEFINITE}:
        for said in term.of("is")[:1]:
            if said.kind == "thing" and said.determiner in INDEFINITE:
                yield who, said
    alone = term.kind == "property" and len(term.slots) == 1
    if alone and who.determiner in {"every", "name", "bare"}:
        yield who, Term(term.head, "thing", term.at, determiner="some")


@kept(SOURCES)
def asked_within(premises: Premises) -> Premises:
    """Return the same propositions as they are asked what a thing is, which asks no further."""
    return replace(premises, within=True)


@kept(MANY)
def signature(term: Term) -> str:
    """Return the words that tell a thing from others of its name."""
    inner = (signature(s.filler) for s in term.slots if s.role in {"mod", "of"})
    return " ".join([term.head, *sorted(inner), *map(signature, term.joined)])
