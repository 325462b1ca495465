"""The classes and properties of an ontology, each as people read it."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD, Namespace
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.terms import GR, Triple

DCTERMS = Namespace("http://purl.org/dc/terms/")
_KINDS: Mapping[Node, str] = {
    OWL.Class: "class",
    RDFS.Class: "class",
    OWL.ObjectProperty: "object property",
    OWL.DatatypeProperty: "datatype property",
    RDF.Property: "property",
}
_DEFINITIONS = (SKOS.definition, RDFS.comment, DCTERMS.description)
_BOUNDS = {
    OWL.minCardinality: "at least",
    OWL.minQualifiedCardinality: "at least",
    OWL.maxCardinality: "at most",
    OWL.maxQualifiedCardinality: "at most",
    OWL.cardinality: "exactly",
    OWL.qualifiedCardinality: "exactly",
}
_OURS = (str(OWL), str(RDF), str(RDFS), str(GR._NS))
_YEARS: Mapping[Node, str] = {XSD.gYear: "year", XSD.gYearMonth: "year and month"}
#: Class expressions nest no deeper than this in words.
_DEPTH = 8
#: At most so many parts of one are said: a part may stand in many, and so in itself.
_PARTS = 2_000


@dataclass(frozen=True, slots=True)
class Entry:
    """What an ontology states of one of its classes or properties.

    `kind` is "class", "object property", "datatype property" or "property". `parents` are named;
    `groups` are those whose members exclude each other, this one among them; `starts` are the
    classes that a property starts from, those of a union too. `domain`, `range`, `requires` (of
    the members of a class) and `keys` are class expressions in words; `traits` are those of a
    property: "functional", "acyclic". `axioms` are the terms of OWL and RDFS used. `severity` is
    empty where the axioms of a property are errors to break.
    """

    iri: URIRef
    kind: str
    label: str
    definition: str = ""
    example: str = ""
    names: tuple[str, ...] = ()
    parents: tuple[URIRef, ...] = ()
    groups: tuple[tuple[URIRef, ...], ...] = ()
    inverse: tuple[URIRef, ...] = ()
    starts: tuple[URIRef, ...] = ()
    domain: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    severity: str = ""
    axioms: tuple[URIRef, ...] = ()

    @property
    def is_class(self) -> bool:
        """True of a class, False of a property."""
        return self.kind == "class"

    @property
    def disjoint(self) -> tuple[URIRef, ...]:
        """What is stated to exclude this entry, in either direction."""
        found = dict.fromkeys(other for group in self.groups for other in group)
        return tuple(other for other in found if other != self.iri)


def glossary(statements: Iterable[Triple]) -> dict[URIRef, Entry]:
    """Return the classes and properties that are stated, by IRI, in the order of their labels.

    The words of RDF, RDFS, OWL and of the rules themselves are left out.
    """
    stated = _Statements(statements)
    found = {
        node: _entry(node, stated)
        for node in stated.declared
        if not any(node.startswith(own) for own in _OURS)
    }
    return dict(sorted(found.items(), key=lambda item: (item[1].label.casefold(), item[0])))


def walk(entries: Mapping[URIRef, Entry]) -> Iterator[tuple[int, Entry]]:
    """Yield the entries as a tree, each with its depth, in their order.

    One below two others comes twice, and what lies below it only the first time. What goes round
    in a circle is entered at its first entry.
    """
    below: dict[URIRef, list[Entry]] = defaultdict(list)
    for entry in entries.values():
        for parent in entry.parents:
            below[parent].append(entry)
    tops = [e for e in entries.values() if not any(p in entries for p in e.parents)]
    seen: set[URIRef] = set()
    for top in (*tops, *entries.values()):
        if top.iri in seen:
            continue
        stack = [(0, top)]
        while stack:
            depth, entry = stack.pop()
            yield depth, entry
            if entry.iri not in seen:
                seen.add(entry.iri)
                stack += [(depth + 1, child) for child in reversed(below[entry.iri])]


def ancestors(entries: Mapping[URIRef, Entry], iri: URIRef) -> list[URIRef]:
    """Return all that stands above an entry, the nearest first."""
    above: dict[URIRef, None] = {}
    queue = deque([iri])
    while queue:
        entry = entries.get(queue.popleft())
        new = [p for p in entry.parents if p not in above] if entry else []
        above |= dict.fromkeys(new)
        queue += new
    return list(above)


def exclusions(entries: Mapping[URIRef, Entry], iri: URIRef) -> list[URIRef]:
    """Return what excludes an entry, by itself or for one above it, without what lies below.

    To say that a person is no organization says that it is no company.
    """
    above = [iri, *ancestors(entries, iri)]
    found = dict.fromkeys(q for p in above if p in entries for q in entries[p].disjoint)
    return [q for q in found if found.keys().isdisjoint(ancestors(entries, q))]


def words(name: str) -> str:
    """Return the words of a local name: "hasGoverningLaw" is "has governing law"."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\-]+", " ", name)
    return " ".join(w if w.isupper() and len(w) > 1 else w.lower() for w in spaced.split())


def local_name(iri: str) -> str:
    """Return the part of an IRI after its last `#`, `/` or `:`."""
    return re.split(r"[#/:]", iri.rstrip("#/:"))[-1]


class _Statements:
    """The statements of an ontology, found by subject and predicate."""

    def __init__(self, statements: Iterable[Triple]) -> None:
        self.objects: dict[tuple[Node, Node], list[Node]] = defaultdict(list)
        self.declared: dict[URIRef, str] = {}
        self.groups: dict[Node, dict[tuple[URIRef, ...], None]] = defaultdict(dict)
        self.used: dict[Node, dict[URIRef, None]] = defaultdict(dict)
        self.inverses: dict[Node, list[Node]] = defaultdict(list)
        all_: list[Triple] = list(statements)
        for t in all_:
            self.objects[t.subject, t.predicate].append(t.object)
            if t.predicate == RDF.type and isinstance(t.subject, URIRef) and t.object in _KINDS:
                kind = _KINDS[t.object]
                if self.declared.get(t.subject, "property") == "property":
                    self.declared[t.subject] = kind
        for t in all_:
            if t.predicate in (OWL.disjointWith, OWL.propertyDisjointWith):
                self._exclude([t.subject, t.object], t.predicate)
            elif t.predicate == OWL.members:
                kinds = self.objects[t.subject, RDF.type]
                for kind in (OWL.AllDisjointClasses, OWL.AllDisjointProperties):
                    if kind in kinds:
                        self._exclude(self.items(t.object), kind)
            elif t.predicate == OWL.inverseOf:
                self.inverses[t.object].append(t.subject)
            elif t.predicate == OWL.disjointUnionOf:
                self._exclude(self.items(t.object), OWL.disjointUnionOf)

    def _exclude(self, members: Sequence[Node], axiom: Node) -> None:
        # The members share one group: a large one is held once, never as pairs.
        group = tuple(sorted({node for node in members if isinstance(node, URIRef)}))
        for node in group:
            self.groups[node][group] = None
            self.used[node][URIRef(str(axiom))] = None

    def items(self, head: Node) -> list[Node]:
        """Return the members of an RDF list; one that loops ends."""
        found: list[Node] = []
        seen: set[Node] = set()
        while head != RDF.nil and head not in seen:
            seen.add(head)
            found += self.objects.get((head, RDF.first), [])[:1]
            head = next(iter(self.objects.get((head, RDF.rest), ())), RDF.nil)
        return found

    def named(self, node: Node) -> list[URIRef]:
        """Return the named classes of a class or a union of classes."""
        if isinstance(node, URIRef):
            return [node]
        union = [self.items(head) for head in self.objects.get((node, OWL.unionOf), [])[:1]]
        return [one for members in union for one in members if isinstance(one, URIRef)]

    def texts(self, node: Node, *predicates: Node) -> list[str]:
        """Return the literals of the first predicate that has any, the English ones first."""
        for predicate in predicates:
            found = [o for o in self.objects.get((node, predicate), ()) if isinstance(o, Literal)]
            found.sort(key=lambda o: ((o.language or "en").split("-")[0] != "en", str(o)))
            if found:
                return [str(o) for o in found]
        return []

    def label(self, node: Node) -> str:
        """Return what a term is called, the words of its local name where nothing else is said."""
        found = self.texts(node, RDFS.label, SKOS.prefLabel)
        if node in _YEARS:
            return _YEARS[node]
        return found[0] if found else words(local_name(str(node))) or str(node)

    def expression(self, node: Node, depth: int = 0, left: list[int] | None = None) -> str:
        """Return a class expression in words; `left` counts the parts that may still be said."""
        if not isinstance(node, BNode):
            return self.label(node)
        left = left or [_PARTS]
        left[0] -= 1
        if depth > _DEPTH or left[0] <= 0:
            return "…"

        def inner(one: Node) -> str:
            return self.expression(one, depth + 1, left)

        def of(predicate: Node) -> list[Node]:
            return self.objects.get((node, predicate), [])

        for predicate, join in ((OWL.unionOf, " or "), (OWL.intersectionOf, " and ")):
            if found := of(predicate):
                return join.join(inner(one) for one in self.items(found[0]))
        if found := of(OWL.oneOf):
            return "one of " + ", ".join(inner(one) for one in self.items(found[0]))
        if found := of(OWL.complementOf):
            return f"not {inner(found[0])}"
        on = " ".join(inner(one) for one in of(OWL.onProperty)[:1])
        filler = " ".join(inner(one) for one in (of(OWL.onClass) or of(OWL.onDataRange))[:1])
        for predicate, word in _BOUNDS.items():
            if found := of(predicate):
                return f"{on} {word} {found[0]} {filler}".strip()
        for predicate, word in (
            (OWL.someValuesFrom, "some"),
            (OWL.allValuesFrom, "only"),
            (OWL.hasValue, "is"),
        ):
            if found := of(predicate):
                return f"{on} {word} {inner(found[0])}"
        return "something"


def _entry(node: URIRef, stated: _Statements) -> Entry:
    kind = stated.declared[node]
    up = RDFS.subClassOf if kind == "class" else RDFS.subPropertyOf
    above = stated.objects.get((node, up), [])
    equal = stated.objects.get((node, OWL.equivalentClass), []) if kind == "class" else []
    types = [t for t in stated.objects[node, RDF.type] if isinstance(t, URIRef)]
    traits = [t for t in types if t not in _KINDS and local_name(t).endswith("Property")]
    inverse = [*stated.objects.get((node, OWL.inverseOf), []), *stated.inverses[node]]
    keys = stated.objects.get((node, OWL.hasKey), [])
    domains = stated.objects.get((node, RDFS.domain), [])
    axioms = [
        p
        for p in (up, OWL.equivalentClass, OWL.inverseOf, OWL.hasKey, RDFS.domain, RDFS.range)
        if stated.objects.get((node, p))
    ]
    restrictions = [one for one in (*above, *equal) if isinstance(one, BNode)]
    axioms += [p for one in restrictions for p in _OF_RESTRICTION if (one, p) in stated.objects]
    severity = stated.texts(node, GR._NS.severity)
    names = stated.texts(node, SKOS.altLabel)
    return Entry(
        node,
        kind,
        stated.label(node),
        definition=" ".join(stated.texts(node, *_DEFINITIONS)[:1]),
        example=" ".join(stated.texts(node, SKOS.example)[:1]),
        names=tuple(names),
        parents=tuple(dict.fromkeys(p for p in above if isinstance(p, URIRef) and p != node)),
        groups=tuple(stated.groups[node]),
        inverse=tuple(dict.fromkeys(i for i in inverse if isinstance(i, URIRef))),
        starts=tuple(dict.fromkeys(c for d in domains for c in stated.named(d))),
        domain=tuple(map(stated.expression, domains)),
        range=tuple(map(stated.expression, stated.objects.get((node, RDFS.range), []))),
        requires=tuple(map(stated.expression, restrictions)),
        keys=tuple(" + ".join(map(stated.label, stated.items(key))) for key in keys),
        traits=tuple(words(local_name(t).removesuffix("Property")) for t in traits),
        severity=severity[0] if severity else "",
        axioms=tuple(dict.fromkeys([*traits, *stated.used[node], *axioms])),
    )


_OF_RESTRICTION = (*_BOUNDS, OWL.someValuesFrom, OWL.allValuesFrom, OWL.hasValue, OWL.complementOf)
