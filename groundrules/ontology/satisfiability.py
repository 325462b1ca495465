"""Which classes can have no member, by a closure of axioms and by what must exist."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import product

from rdflib.namespace import OWL, RDF, RDFS
from rdflib.term import Literal, Node, URIRef

from groundrules.ontology.justifications import META
from groundrules.terms import Triple

_AT_LEAST = (OWL.minCardinality, OWL.minQualifiedCardinality, OWL.cardinality,
             OWL.qualifiedCardinality)  # fmt: skip
_AT_MOST = (OWL.maxCardinality, OWL.cardinality)


class Closed:
    """A closure, and the classes that can have no member by it and by what must exist.

    Beyond the closure: a class some of whose values must be of an empty class, of a class that the
    range or another restriction excludes, that excludes the domain of a property which it must
    have, or that must have more values than it may.
    """

    def __init__(self, closed: Iterable[Triple]) -> None:
        self.of: defaultdict[Node, defaultdict[Node, set[Node]]] = defaultdict(
            lambda: defaultdict(set)
        )
        for one in closed:
            self.of[one.predicate][one.subject].add(one.object)
        self.apart = self.of[OWL.disjointWith]
        self.above = self.of[RDFS.subClassOf]
        self.wider = self.of[RDFS.subPropertyOf]
        nodes = {*self.above, *self.apart}
        self._empty: set[Node] = {
            n for n in nodes if n in self.apart[n] or OWL.Nothing in self.above[n]
        }
        while fresh := {n for n in nodes - self._empty if self._is_empty(n)}:
            self._empty |= fresh
        self.empty = frozenset(
            n
            for n in self._empty
            if isinstance(n, URIRef) and n != OWL.Nothing and not str(n).startswith(META)
        )

    def _is_empty(self, node: Node) -> bool:
        kinds = {node, *self.above[node]}
        if kinds & self._empty or any(self.apart[kind] & kinds for kind in kinds):
            return True
        some = [
            (p, filler)
            for kind in kinds
            for p in self.of[OWL.onProperty][kind]
            for filler in self.of[OWL.someValuesFrom][kind] | self._counted(kind)
        ]
        only = [
            (p, filler)
            for kind in kinds
            for p in self.of[OWL.onProperty][kind]
            for filler in self.of[OWL.allValuesFrom][kind]
        ]
        return any(self._clashes(kinds, p, filler, only) for p, filler in some) or self._overfull(
            kinds
        )

    def _counted(self, kind: Node) -> set[Node]:
        """Return what there is at least one of, where a restriction counts."""
        least = max(self._numbers(kind, _AT_LEAST), default=0)
        return (self.of[OWL.onClass][kind] or {OWL.Thing}) if least > 0 else set()

    def _clashes(
        self, kinds: set[Node], p: Node, filler: Node, only: Sequence[tuple[Node, Node]]
    ) -> bool:
        up = {p, *self.wider[p]}
        theirs = {filler, *self.above[filler]}
        values = {*theirs, *(kind for q in up for kind in self.of[RDFS.range][q])}
        values |= {kind for q, kind in only if q in up}
        owners = {kind for q in up for kind in self.of[RDFS.domain][q]}
        return (
            filler in self._empty
            or bool((values | owners) & (self._empty | {OWL.Nothing}))
            or any(b in self.apart[a] for a, b in product(values, values))
            or any(b in self.apart[a] for a, b in product(kinds, owners))
        )

    def _overfull(self, kinds: set[Node]) -> bool:
        least: defaultdict[Node, int] = defaultdict(int)
        for kind in kinds:
            for p in self.of[OWL.onProperty][kind]:
                some = int(bool(self.of[OWL.someValuesFrom][kind]))
                for q in {p, *self.wider[p]}:
                    least[q] = max(least[q], some, *self._numbers(kind, _AT_LEAST))
        functional = {
            p for p in least if OWL.FunctionalProperty in self.of[RDF.type][p] and least[p] > 1
        }
        return bool(functional) or any(
            most < least[p]
            for kind in kinds
            for p in self.of[OWL.onProperty][kind]
            for most in self._numbers(kind, _AT_MOST)
        )

    def _numbers(self, kind: Node, predicates: Iterable[URIRef]) -> list[int]:
        found = [o for p in predicates for o in self.of[p][kind]]
        return [int(str(o)) for o in found if isinstance(o, Literal) and str(o).isdecimal()]

    def has_none(self, kinds: Iterable[Node]) -> bool:
        """Return whether nothing can be of all of some classes."""
        every = set(kinds)
        return bool(every & (self._empty | {OWL.Nothing})) or any(
            b in self.apart[a] for a, b in product(every, every)
        )
