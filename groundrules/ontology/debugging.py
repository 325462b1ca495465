"""What is wrong with an ontology itself, and the smallest set of its axioms that makes it so.

An axiom is a statement about a named thing with all that its blank nodes say, so that a restriction
or a list is one with the class that has it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from rdflib.namespace import OWL, RDF, RDFS, SKOS
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.dataset import PREFIXES
from groundrules.errors import SourceError, did_you_mean
from groundrules.ontology.close import close
from groundrules.terms import Severity, Triple

#: A statement about a named thing with what its blank nodes say, that statement first.
Axiom = tuple[Triple, ...]
#: The most axioms that are tried one by one for one fault.
_MOST = 400
_META = (*PREFIXES.values(), str(SKOS), "http://purl.org/dc/", "http://purl.org/vocab/")
_LABELS = (RDFS.label, SKOS.prefLabel, SKOS.altLabel)
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
    RDFS.range, OWL.onProperty, OWL.someValuesFrom, OWL.allValuesFrom, OWL.onClass,
})  # fmt: skip
_AT_LEAST = (OWL.minCardinality, OWL.minQualifiedCardinality, OWL.cardinality,
             OWL.qualifiedCardinality)  # fmt: skip
#: How the Manchester syntax words them.
_COUNTS = {
    OWL.minCardinality: "min", OWL.minQualifiedCardinality: "min", OWL.cardinality: "exactly",
    OWL.qualifiedCardinality: "exactly", OWL.maxCardinality: "max",
    OWL.maxQualifiedCardinality: "max",
}  # fmt: skip
_AT_MOST = (OWL.maxCardinality, OWL.cardinality)


@dataclass(frozen=True, slots=True)
class OntologyFault:
    """Something wrong with the terms of an ontology: `nodes` are those at fault, the first first.

    `axioms` make it so: without any one of them it would not be, and no other is needed.
    """

    rule: str
    name: str
    severity: Severity
    message: str
    nodes: tuple[URIRef, ...]
    axioms: tuple[Axiom, ...] = ()


def faults(
    stated: Sequence[Triple], short: Callable[[Node], str], data: Sequence[Triple] = ()
) -> Iterator[OntologyFault]:
    """Yield what is wrong with the statements of an ontology; `short` is what a term is called.

    Of the `data`, statements about individuals, only the terms are looked at.
    """
    parts = axioms_of(stated)
    known = _Closed(close(stated))
    for node in sorted(known.empty):
        why = justification(parts, partial(_empties, node), node)
        yield OntologyFault("ONT101", "empty-class", Severity.ERROR,
                            f"nothing can be a {short(node)}", (node,), why)  # fmt: skip
    yield from _empty_ends(parts, known, short)
    yield from _undeclared(stated, data, short)
    yield from _same_labels(stated, short)


def _empties(node: URIRef, axioms: list[Triple]) -> bool:
    return node in _Closed(close(axioms)).empty


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
    return {n for n in nodes if isinstance(n, URIRef) and not str(n).startswith(_META)} | (
        {OWL.Nothing} & nodes
    )


class _Closed:
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
            if isinstance(n, URIRef) and n != OWL.Nothing and not str(n).startswith(_META)
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


def _empty_ends(
    parts: Sequence[Axiom], known: _Closed, short: Callable[[Node], str]
) -> Iterator[OntologyFault]:
    """Yield the properties that nothing can have, or be the value of."""
    for end, told in ((RDFS.domain, "nothing can have"), (RDFS.range, "nothing can be a value of")):
        for p in sorted(p for p in known.of[end] if isinstance(p, URIRef)):
            if str(p).startswith(_META) or not known.has_none(known.of[end][p]):
                continue

            def holds(own: list[Triple], p: URIRef = p, end: URIRef = end) -> bool:
                closed = _Closed(close(own))
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
    called = {short(term): term for term in sorted(terms)}
    for node in used:
        if node not in declared and _space(node) in spaces and not str(node).startswith(_META):
            near = did_you_mean(short(node), called)
            yield OntologyFault("ONT201", "undeclared-term", Severity.WARNING,
                                f"{short(node)} is used and nowhere declared{near}",
                                (node,))  # fmt: skip


def _space(node: URIRef) -> str:
    """Return the namespace of a term."""
    return node[: max(node.rfind("#"), node.rfind("/"), node.rfind(":")) + 1]


def _same_labels(stated: Sequence[Triple], short: Callable[[Node], str]) -> Iterator[OntologyFault]:
    """Yield the labels that two classes have, or two properties, and what each rests on."""
    sort: dict[Node, str] = {}
    for t in stated:
        if t.predicate == RDF.type and t.object in _CLASSES | _PROPERTIES:
            sort[t.subject] = "class" if t.object in _CLASSES else "property"
    found: dict[tuple[str, str, str], dict[URIRef, Triple]] = {}
    for t in stated:
        if t.predicate in _LABELS and isinstance(t.object, Literal) and t.subject in sort:
            words = " ".join(str(t.object).casefold().split())
            key = (words, t.object.language or "", sort[t.subject])
            if isinstance(t.subject, URIRef):
                found.setdefault(key, {}).setdefault(t.subject, t)
    for (words, _, kind), by in found.items():
        if len(by) > 1:
            named = " and ".join(map(short, by))
            plural = "classes" if kind == "class" else "properties"
            yield OntologyFault("ONT202", "one-label-for-two", Severity.WARNING,
                                f"“{words}” is what {len(by)} {plural} are called: {named}",
                                tuple(by), tuple((t,) for t in by.values()))  # fmt: skip


# --- in words -----------------------------------------------------------------------------------


def worded(axiom: Axiom, short: Callable[[Node], str]) -> str:
    """Return an axiom on one line: ":Pizza rdfs:subClassOf :hasBase some :Base"."""
    about: defaultdict[Node, dict[Node, list[Node]]] = defaultdict(dict)
    for one in axiom:
        about[one.subject].setdefault(one.predicate, []).append(one.object)
    first = axiom[0]
    if isinstance(first.subject, BNode):
        kind = next((o for o in about[first.subject].get(RDF.type, [])), None)
        heads = [o for p in (OWL.members, OWL.distinctMembers)
                 for o in about[first.subject].get(p, [])]  # fmt: skip
        named = ", ".join(_expression(m, about, short) for h in heads for m in _list(h, about))
        return f"{short(kind) if kind is not None else '[]'} ({named})"
    verb = "a" if first.predicate == RDF.type else short(first.predicate)
    return f"{short(first.subject)} {verb} {_expression(first.object, about, short)}"


def _list(head: Node, about: Mapping[Node, Mapping[Node, list[Node]]]) -> list[Node]:
    found: list[Node] = []
    seen = set()
    while head != RDF.nil and head not in seen:
        seen.add(head)
        own = about.get(head, {})
        found += own.get(RDF.first, [])[:1]
        head = next(iter(own.get(RDF.rest, [])), RDF.nil)
    return found


def _expression(
    node: Node, about: Mapping[Node, Mapping[Node, list[Node]]], short: Callable[[Node], str],
    depth: int = 0,
) -> str:  # fmt: skip
    """Return a class as in the Manchester syntax."""
    own = about.get(node, {})
    if not isinstance(node, BNode) or not own or depth > 8:
        return short(node) if not isinstance(node, BNode) else "[…]"

    def said(one: Node) -> str:
        return _expression(one, about, short, depth + 1)

    on = " ".join(said(p) for p in own.get(OWL.onProperty, []))
    words = {OWL.someValuesFrom: "some", OWL.allValuesFrom: "only", OWL.hasValue: "value"}
    for predicate, word in words.items():
        if predicate in own:
            return f"({on} {word} {said(own[predicate][0])})"
    for predicate, word in _COUNTS.items():
        if predicate in own:
            of = "".join(f" {said(one)}" for one in own.get(OWL.onClass, []))
            return f"({on} {word} {own[predicate][0]}{of})"
    for predicate, word in ((OWL.unionOf, " or "), (OWL.intersectionOf, " and ")):
        if predicate in own:
            return f"({word.join(said(one) for one in _list(own[predicate][0], about))})"
    if OWL.complementOf in own:
        return f"(not {said(own[OWL.complementOf][0])})"
    if OWL.inverseOf in own:
        return f"(inverse {said(own[OWL.inverseOf][0])})"
    if RDF.first in own:
        return f"({', '.join(said(one) for one in _list(node, about))})"
    return "[…]"


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
