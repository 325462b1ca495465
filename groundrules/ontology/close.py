"""The closure of an ontology: what its axioms say of one another, worked out once.

The schema rules of OWL 2 RL (W3C 2012, section 4.3, table 9), without the tautologies (a class is
a subclass of itself, of owl:Thing, ...), and what the rules of pack `owl` would else have to work
out in every query:

- disjointness in both directions and of all subclasses, from pairs, lists, disjoint unions and
  complements; the same for properties; a union is disjoint with what all its members are;
- the characteristics of a property for its subproperties and, turned round, for its inverses;
- keys for subclasses, different individuals in pairs and both directions.

A domain or range that is a union stays one: its members never become domains.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, permutations, product
from typing import TypeVar

from rdflib.namespace import OWL, RDF, RDFS
from rdflib.term import BNode, Literal, Node

from groundrules.errors import SourceError
from groundrules.terms import GR, Triple

#: The most statements a closure may have.
MOST = 2_000_000

Pairs = defaultdict[Node, set[Node]]
Mark = TypeVar("Mark", bound=tuple[Node, ...])

#: Characteristics that subproperties share, each with that of the inverse property.
_INVERSE = {
    OWL.FunctionalProperty: OWL.InverseFunctionalProperty,
    OWL.InverseFunctionalProperty: OWL.FunctionalProperty,
    OWL.AsymmetricProperty: OWL.AsymmetricProperty,
    OWL.IrreflexiveProperty: OWL.IrreflexiveProperty,
    GR.AcyclicProperty: GR.AcyclicProperty,
}
#: Those that the inverse has too, but a subproperty need not have.
_OWN = (OWL.SymmetricProperty, OWL.TransitiveProperty, OWL.ReflexiveProperty)


def close(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    """Return the statements and what follows from them, sorted; SourceError where that is too much.

    Statements that are no axioms are kept as they are. Equal to the closure of owlrl on the
    constructs that both know, up to tautologies.
    """
    stated = frozenset(triples)
    by: defaultdict[Node, Pairs] = defaultdict(_pairs)
    for triple in stated:
        by[triple.predicate][triple.subject].add(triple.object)
    typed: Pairs = _pairs()
    for node, kinds in by[RDF.type].items():
        for kind in kinds:
            typed[kind].add(node)
    out = _Statements(stated)

    inverse = _pairs()
    for p, others in by[OWL.inverseOf].items():
        for q in others:
            inverse[p].add(q)
            inverse[q].add(p)
            out.add(q, OWL.inverseOf, p)
    traits = _spread(
        ((p, kind) for kind in _OWN for p in typed[kind]),
        lambda mark: ((q, mark[1]) for q in inverse.get(mark[0], ())),
    )
    for p, kind in traits:
        out.add(p, RDF.type, kind)
        if kind == OWL.SymmetricProperty:
            inverse[p].add(p)
    super_p = _properties(by, inverse)
    super_c = _classes(by, super_p)
    for above, below, same in (
        (super_c, RDFS.subClassOf, OWL.equivalentClass),
        (super_p, RDFS.subPropertyOf, OWL.equivalentProperty),
    ):
        for node, supers in above.items():
            for upper in supers:
                out.add(node, below, upper)
                if node in above.get(upper, ()):
                    out.add(node, same, upper)

    sub_p, sub_c = _below(super_p), _below(super_c)
    _ends(by, inverse, sub_p, super_c, out)
    traits = _spread(
        ((p, kind) for kind in _INVERSE for p in typed[kind]),
        lambda mark: chain(
            ((q, mark[1]) for q in sub_p(mark[0])),
            ((q, _INVERSE[mark[1]]) for q in inverse.get(mark[0], ())),
        ),
    )
    for p, kind in traits:
        out.add(p, RDF.type, kind)
    _disjoint_classes(by, typed, sub_c, out)
    _disjoint_properties(by, typed, inverse, sub_p, out)
    for c, keys in by[OWL.hasKey].items():
        for d, key in product(sub_c(c), keys):
            out.add(d, OWL.hasKey, key)
    _different(by, typed, out)
    nodes = {node for t in out.triples for node in (t.subject, t.predicate, t.object)}
    rank = {node: place for place, node in enumerate(sorted(nodes, key=_term))}
    return tuple(
        sorted(out.triples, key=lambda t: (rank[t.subject], rank[t.predicate], rank[t.object]))
    )


class _Statements:
    """The statements of a closure, counted as they are added."""

    def __init__(self, stated: Iterable[Triple]) -> None:
        self.triples = set(stated)

    def add(self, subject: Node, predicate: Node, object_: Node) -> None:
        self.triples.add(Triple(subject, predicate, object_))
        _check_size(len(self.triples))


def _check_size(count: int) -> None:
    if count > MOST:
        raise SourceError(f"its closure has more than {MOST:,} statements")


def _pairs() -> Pairs:
    return defaultdict(set)


def _members(by: defaultdict[Node, Pairs], head: Node) -> list[Node]:
    """Return the members of a list; one that bites its tail ends there."""
    found, seen = [], set()
    while head != RDF.nil and head not in seen:
        seen.add(head)
        found += sorted(by[RDF.first].get(head, ()), key=_term)
        head = min(by[RDF.rest].get(head, (RDF.nil,)), key=_term)
    return found


def _lists(by: defaultdict[Node, Pairs], predicate: Node) -> Iterator[tuple[Node, list[Node]]]:
    """Yield each subject of the predicate with the members of its list."""
    for node, heads in by[predicate].items():
        for head in heads:
            yield node, _members(by, head)


def _spread(start: Iterable[Mark], step: Callable[[Mark], Iterable[Mark]]) -> set[Mark]:
    """Return what is reached from the start by steps."""
    found = set(start)
    rest = list(found)
    while rest:
        for mark in step(rest.pop()):
            if mark not in found:
                found.add(mark)
                _check_size(len(found))
                rest.append(mark)
    return found


def _transitive(direct: Pairs, more: Callable[[Pairs], Iterable[tuple[Node, Node]]]) -> Pairs:
    """Return the transitive closure of pairs and of those that follow from it, again and again."""
    while True:
        above = _pairs()
        count = 0
        for node in list(direct):
            reached, rest = above[node], list(direct[node])
            while rest:
                upper = rest.pop()
                if upper in reached:
                    continue
                reached.add(upper)
                if upper in above and upper != node:
                    reached |= above[upper]
                else:
                    rest += direct.get(upper, ())
            reached.discard(node)
            count += len(reached)
            _check_size(count)
        fresh = [(a, b) for a, b in more(above) if a != b and b not in above.get(a, ())]
        if not fresh:
            return above
        for a, b in fresh:
            direct[a].add(b)


def _properties(by: defaultdict[Node, Pairs], inverse: Pairs) -> Pairs:
    """Return the superproperties of each property (scm-spo, scm-eqp1; inverses in step)."""
    direct = _pairs()
    for p, others in by[RDFS.subPropertyOf].items():
        direct[p] |= others
    for p, others in by[OWL.equivalentProperty].items():
        for q in others:
            direct[p].add(q)
            direct[q].add(p)

    def turned(above: Pairs) -> Iterator[tuple[Node, Node]]:
        for p, supers in above.items():
            if p in inverse:
                for q in supers:
                    yield from product(inverse[p], inverse.get(q, ()))

    return _transitive(direct, turned)


def _classes(by: defaultdict[Node, Pairs], super_p: Pairs) -> Pairs:
    """Return the superclasses of each class (scm-sco, eqc1, int, uni, hv, svf, avf)."""
    direct = _pairs()
    for c, others in by[RDFS.subClassOf].items():
        direct[c] |= others
    for c, others in by[OWL.equivalentClass].items():
        for d in others:
            direct[c].add(d)
            direct[d].add(c)
    for c, parts in _lists(by, OWL.intersectionOf):
        direct[c].update(parts)
    for predicate in (OWL.unionOf, OWL.disjointUnionOf):
        for c, parts in _lists(by, predicate):
            for part in parts:
                direct[part].add(c)
    fillers = (OWL.someValuesFrom, OWL.allValuesFrom, OWL.hasValue)
    #: (kind, property, filler) -> the restrictions of that form
    forms: defaultdict[tuple[Node, Node, Node], set[Node]] = defaultdict(set)
    for kind in fillers:
        for c, values in by[kind].items():
            for p, value in product(by[OWL.onProperty].get(c, ()), values):
                forms[kind, p, value].add(c)

    def restrictions(above: Pairs) -> Iterator[tuple[Node, Node]]:
        for (kind, p, value), own in forms.items():
            for q in (p, *super_p.get(p, ())):
                wider = forms.get((kind, q, value), ())
                pairs = product(wider, own) if kind == OWL.allValuesFrom else product(own, wider)
                yield from pairs
            if kind != OWL.hasValue:
                for upper in above.get(value, ()):
                    yield from product(own, forms.get((kind, p, upper), ()))

    return _transitive(direct, restrictions)


def _below(above: Pairs) -> Callable[[Node], set[Node]]:
    """Return the function from a node to itself and all that is below it."""
    down = _pairs()
    for node, supers in above.items():
        for upper in supers:
            down[upper].add(node)
    return lambda node: {node, *down.get(node, ())}


def _ends(
    by: defaultdict[Node, Pairs],
    inverse: Pairs,
    below: Callable[[Node], set[Node]],
    super_c: Pairs,
    out: _Statements,
) -> None:
    """State the domains and ranges (scm-dom1, dom2, rng1, rng2; those of inverses turned round)."""
    other = {RDFS.domain: RDFS.range, RDFS.range: RDFS.domain}
    ends = _spread(
        ((p, end, c) for end in other for p, classes in by[end].items() for c in classes),
        lambda end: chain(
            ((q, *end[1:]) for q in below(end[0])),
            ((q, other[end[1]], end[2]) for q in inverse.get(end[0], ())),
        ),
    )
    for p, end, c in ends:
        for upper in (c, *super_c.get(c, ())):
            out.add(p, end, upper)


def _disjoint_classes(
    by: defaultdict[Node, Pairs], typed: Pairs, below: Callable[[Node], set[Node]], out: _Statements
) -> None:
    pairs = {(c, d) for c, others in by[OWL.disjointWith].items() for d in others}
    for c, others in by[OWL.complementOf].items():
        for d in others:
            pairs.add((c, d))
            out.add(d, OWL.complementOf, c)
    groups = [parts for _, parts in _lists(by, OWL.disjointUnionOf)]
    groups += [
        parts for node, parts in _lists(by, OWL.members) if node in typed[OWL.AllDisjointClasses]
    ]
    unions = [(c, parts) for c, parts in _lists(by, OWL.unionOf) if parts]
    apart = _pairs()
    fresh = pairs | _pairwise(groups)
    while fresh:
        for a, b in fresh:
            for c, d in product(below(a), below(b)):
                apart[c].add(d)
                apart[d].add(c)
                out.add(c, OWL.disjointWith, d)
                out.add(d, OWL.disjointWith, c)
        fresh = {
            (c, d)
            for c, parts in unions
            for d in set.intersection(*(apart.get(part, set()) for part in parts))
            if d not in apart.get(c, ())
        }


def _disjoint_properties(
    by: defaultdict[Node, Pairs],
    typed: Pairs,
    inverse: Pairs,
    below: Callable[[Node], set[Node]],
    out: _Statements,
) -> None:
    pairs = {(p, q) for p, others in by[OWL.propertyDisjointWith].items() for q in others}
    groups = [
        parts for node, parts in _lists(by, OWL.members) if node in typed[OWL.AllDisjointProperties]
    ]
    found = _spread(
        pairs | _pairwise(groups),
        lambda pair: chain(
            product(below(pair[0]), below(pair[1])),
            product(inverse.get(pair[0], ()), inverse.get(pair[1], ())),
            ((pair[1], pair[0]),),
        ),
    )
    for p, q in found:
        out.add(p, OWL.propertyDisjointWith, q)


def _pairwise(groups: Iterable[Sequence[Node]]) -> set[tuple[Node, Node]]:
    found: set[tuple[Node, Node]] = set()
    for group in groups:
        _check_size(len(found) + len(group) ** 2)
        found.update(permutations(group, 2))
    return found


def _different(by: defaultdict[Node, Pairs], typed: Pairs, out: _Statements) -> None:
    """State owl:differentFrom in pairs and owl:sameAs in both directions (eq-sym, eq-diff2, 3)."""
    for predicate in (OWL.members, OWL.distinctMembers):
        for node, parts in _lists(by, predicate):
            if node in typed[OWL.AllDifferent]:
                for a, b in permutations(parts, 2):
                    out.add(a, OWL.differentFrom, b)
    for predicate in (OWL.differentFrom, OWL.sameAs):
        for a, others in by[predicate].items():
            for b in others:
                out.add(b, predicate, a)


def _term(node: Node) -> tuple[int, str, str, str]:
    if isinstance(node, Literal):
        return 2, str(node), node.language or "", str(node.datatype or "")
    return int(isinstance(node, BNode)), str(node), "", ""
