"""What is wrong with an ontology, and its axioms: empty classes and ends, undeclared terms.

Which classes can have no member is told by the closure of its axioms; what restrictions add to that
HermiT finds (`reasoner`). An axiom is a statement about a named thing with all that its blank nodes
say, so that a restriction or a list is one with the class that has it; its words are Turtle.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rdflib import Graph
from rdflib.namespace import OWL, RDF, RDFS, SKOS
from rdflib.term import BNode, Node, URIRef

from groundrules.dataset import PREFIXES
from groundrules.errors import SourceError, did_you_mean
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


# --- axioms in words, and the fewest that something takes -----------------------------------------


#: Namespaces whose terms are no ontology's own.
META = (*PREFIXES.values(), str(SKOS), "http://purl.org/dc/", "http://purl.org/vocab/")
#: A statement about a named thing with what its blank nodes say, that statement first.
Axiom = tuple[Triple, ...]
#: The most axioms that are tried one by one for one fault.
_MOST = 400


def _gives(wanted: Triple, axioms: list[Triple]) -> bool:
    return wanted in close(axioms)


def axioms_of(triples: Iterable[Triple]) -> tuple[Axiom, ...]:
    """Return statements as axioms, in order; what no named thing has begins at its blank node."""
    stated = list(dict.fromkeys(triples))
    about: defaultdict[Node, list[Triple]] = defaultdict(list)
    inner: set[Node] = set()
    for one in stated:
        about[one.subject].append(one)
        if isinstance(one.object, BNode):
            inner.add(one.object)
    out: list[Axiom] = []
    roots = set()
    for one in stated:
        if not isinstance(one.subject, BNode):
            out.append(tuple(_whole([one], about)))
        elif one.subject not in inner and one.subject not in roots:
            roots.add(one.subject)
            out.append(tuple(_whole(about[one.subject], about)))
    return tuple(out)


def _whole(first: Iterable[Triple], about: Mapping[Node, list[Triple]]) -> list[Triple]:
    found = dict.fromkeys(first)
    rest = list(found)
    while rest:
        end = rest.pop(0).object
        for one in about.get(end, ()) if isinstance(end, BNode) else ():
            if one not in found:
                found[one] = None
                rest.append(one)
    return list(found)


def justification(
    axioms: Sequence[Axiom], holds: Callable[[list[Triple]], bool], *about: Node
) -> tuple[Axiom, ...]:
    """Return the smallest part of some axioms with which something holds, in their order.

    It is grown from the axioms on what it is `about` until it holds, then each is left out that it
    holds without: none can be left out of what remains. Empty where it never holds, or where more
    than 400 axioms would have to be tried.
    """
    names = [_names(one) for one in axioms]
    seen: set[Node] = set(about)
    chosen: list[int] = []
    while True:
        fresh = [n for n in range(len(axioms)) if n not in set(chosen) and names[n] & seen]
        chosen = sorted([*chosen, *fresh])
        if not fresh or len(chosen) > _MOST:
            return ()
        if holds([one for n in chosen for one in axioms[n]]):
            break
        seen = seen.union(*(names[n] for n in fresh))
    for n in list(chosen):
        without = [m for m in chosen if m != n]
        if holds([one for m in without for one in axioms[m]]):
            chosen = without
    return tuple(axioms[n] for n in chosen)


def _names(axiom: Axiom) -> set[Node]:
    """Return the terms that an axiom speaks of, those of RDF and OWL themselves left out."""
    nodes = {node for one in axiom for node in (one.subject, one.predicate, one.object)}
    return {n for n in nodes if isinstance(n, URIRef) and not str(n).startswith(META)} | (
        {OWL.Nothing} & nodes
    )


def reasons(stated: Sequence[Triple], wanted: Iterable[Triple]) -> tuple[Axiom, ...]:
    """Return the axioms, as they are stated, from which some closed ones follow, none twice.

    What no closure gives is left out.
    """
    parts = axioms_of(stated)
    found: dict[Axiom, None] = {}
    for one in wanted:
        held = next((part for part in parts if part[0] == one), None)
        if held is not None:
            found[held] = None
            continue
        try:
            own = justification(parts, partial(_gives, one), one.subject)
        except SourceError:  # too large to be closed
            continue
        found |= dict.fromkeys(own)
    return tuple(found)


# --- in words ---------------------------------------------------------------------------------


def shortened(node: Node, prefixes: Mapping[str, str]) -> str:
    """Return a term as files with some prefixes write it: a prefixed name, or the IRI in <>."""
    for name, base in sorted(prefixes.items(), key=lambda pair: -len(pair[1])):
        local = str(node).removeprefix(base)
        known = isinstance(node, URIRef) and local != str(node)
        if known and re.fullmatch(r"[\w-]+(?:\.[\w-]+)*", local):
            return f"{name}:{local}"
    return node.n3()


def worded(axiom: Axiom, prefixes: Mapping[str, str]) -> str:
    """Return an axiom as Turtle on one line: ":Pizza rdfs:subClassOf [ a owl:Restriction ; …"."""
    graph = Graph(bind_namespaces="none")
    for name, base in {**PREFIXES, **prefixes}.items():
        graph.bind(name, base, replace=True)
    for one in axiom:
        graph.add((one.subject, one.predicate, one.object))
    try:
        lines = graph.serialize(format="turtle").splitlines()
    except RecursionError:  # blank nodes in blank nodes
        return f"{axiom[0].subject.n3()} {axiom[0].predicate.n3()} […]"
    said = " ".join(line.strip() for line in lines if not line.startswith("@prefix"))
    return said.strip().removesuffix(" .")
