"""What is wrong with an ontology: empty classes and ends, and undeclared terms.

Which classes can have no member is told by the closure of its axioms; what restrictions add to that
HermiT finds (`reasoner`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rdflib.namespace import OWL, RDF, RDFS
from rdflib.term import Node, URIRef

from groundrules.errors import did_you_mean
from groundrules.ontology.axioms import META, Axiom, axioms_of, justification
from groundrules.ontology.close import close
from groundrules.terms import GR, Severity, Triple

_PROPERTIES = frozenset({
    OWL.ObjectProperty, OWL.DatatypeProperty, RDF.Property, OWL.FunctionalProperty,
    OWL.InverseFunctionalProperty, OWL.TransitiveProperty, OWL.SymmetricProperty,
    OWL.AsymmetricProperty, OWL.IrreflexiveProperty, OWL.ReflexiveProperty,
    OWL.AnnotationProperty,
})  # fmt: skip
_CLASSES = frozenset({OWL.Class, RDFS.Class, RDFS.Datatype})
#: Predicates whose ends are terms: a class or a property.
_BETWEEN = frozenset({
    RDFS.subClassOf, RDFS.subPropertyOf, OWL.equivalentClass, OWL.equivalentProperty,
    OWL.disjointWith, OWL.propertyDisjointWith, OWL.inverseOf, OWL.complementOf, RDFS.domain,
    RDFS.range, GR.precedes, GR.usuallyPrecedes, GR.datedAfter, GR.datedBefore,
    OWL.onProperty, OWL.someValuesFrom, OWL.allValuesFrom, OWL.onClass,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class OntologyFault:
    """Something wrong with an ontology or its data: `nodes` are those at fault, the first first.

    `axioms` make it so: without any one of them it would not be, and no other is needed.
    """

    rule: str
    name: str
    severity: Severity
    message: str
    nodes: tuple[Node, ...] = ()
    axioms: tuple[Axiom, ...] = ()


def faults(
    stated: Sequence[Triple], short: Callable[[Node], str], data: Sequence[Triple] = ()
) -> Iterator[OntologyFault]:
    """Yield what is wrong with the statements of an ontology; `short` is what a term is called.

    Of the `data`, statements about individuals, only the terms are looked at.
    """
    parts = axioms_of(stated)
    known = Closed(close(stated))
    for node in sorted(known.empty):
        why = justification(parts, partial(_empties, node), node)
        yield OntologyFault("ONT101", "empty-class", Severity.ERROR,
                            f"nothing can be a {short(node)}", (node,), why)  # fmt: skip
    yield from _empty_ends(parts, known, short)
    yield from _undeclared(stated, data, short)


def _empties(node: URIRef, axioms: list[Triple]) -> bool:
    return node in Closed(close(axioms)).empty


def _empty_ends(
    parts: Sequence[Axiom], known: Closed, short: Callable[[Node], str]
) -> Iterator[OntologyFault]:
    """Yield the properties that nothing can have, or be the value of."""
    for end, told in ((RDFS.domain, "nothing can have"), (RDFS.range, "nothing can be a value of")):
        for p in sorted(p for p in known.of[end] if isinstance(p, URIRef)):
            if str(p).startswith(META) or not known.has_none(known.of[end][p]):
                continue

            def holds(own: list[Triple], p: URIRef = p, end: URIRef = end) -> bool:
                closed = Closed(close(own))
                return closed.has_none(closed.of[end][p])

            yield OntologyFault("ONT102", "empty-property", Severity.ERROR, f"{told} {short(p)}",
                                (p,), justification(parts, holds, p))  # fmt: skip


def _undeclared(
    stated: Sequence[Triple], data: Sequence[Triple], short: Callable[[Node], str]
) -> Iterator[OntologyFault]:
    """Yield the terms that are used and nowhere declared, in a namespace that declares others."""
    declared = {t.subject for t in stated if t.predicate == RDF.type}
    declared |= {t.subject for t in data if t.predicate == RDF.type}
    terms = {
        t.subject
        for t in stated
        if t.predicate == RDF.type and t.object in _CLASSES | _PROPERTIES
        if isinstance(t.subject, URIRef)
    }
    spaces = {_space(term) for term in terms}
    used: dict[URIRef, None] = {}
    for t in (*stated, *data):
        ends = [t.predicate]
        ends += [t.object] if t.predicate == RDF.type else []
        ends += [t.subject, t.object] if t.predicate in _BETWEEN else []
        used |= {node: None for node in ends if isinstance(node, URIRef)}
    called = [short(term) for term in sorted(terms)]
    for node in used:
        if node not in declared and _space(node) in spaces and not str(node).startswith(META):
            near = did_you_mean(short(node), called)
            yield OntologyFault("ONT201", "undeclared-term", Severity.WARNING,
                                f"{short(node)} is used and nowhere declared{near}",
                                (node,))  # fmt: skip


def _space(node: URIRef) -> str:
    """Return the namespace of a term."""
    return node[: max(node.rfind("#"), node.rfind("/"), node.rfind(":")) + 1]


class Closed:
    """A closure, and the classes that can have no member by it."""

    def __init__(self, closed: Iterable[Triple]) -> None:
        self.of: defaultdict[Node, defaultdict[Node, set[Node]]] = defaultdict(
            lambda: defaultdict(set)
        )
        for one in closed:
            self.of[one.predicate][one.subject].add(one.object)
        self.apart, above = self.of[OWL.disjointWith], self.of[RDFS.subClassOf]
        self._empty = {OWL.Nothing} | {
            n for n in {*above, *self.apart} if n in self.apart[n] or OWL.Nothing in above[n]
        }
        self.empty = frozenset(
            n
            for n in self._empty
            if isinstance(n, URIRef) and n != OWL.Nothing and not str(n).startswith(META)
        )

    def has_none(self, kinds: Iterable[Node]) -> bool:
        """Return whether nothing can be of all of some classes."""
        every = set(kinds)
        return bool(every & self._empty) or any(self.apart[kind] & every for kind in every)
