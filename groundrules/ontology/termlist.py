"""The terms of an ontology as words: what a reader who is no program is told of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal as OneOf

from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.ontology.load import Ontology
from groundrules.ontology.read.lexicon import read_lexicon
from groundrules.terms import GR

#: Terms that are told at most, the classes first, and characters of a definition.
MOST_TERMS = 600
_MOST_NOTE = 160

#: What the value of a property is: a thing, or words that name one of these.
Kind = OneOf["thing", "date", "number", "duration", "text"]

_KINDS: Mapping[Node, Kind] = {
    **dict.fromkeys((XSD.date, XSD.dateTime, XSD.gYear, XSD.gYearMonth), "date"),
    **dict.fromkeys(
        (
            *(XSD.decimal, XSD.integer, XSD.double, XSD.float, XSD.int, XSD.long, XSD.short),
            *(XSD.nonNegativeInteger, XSD.positiveInteger, XSD.unsignedInt),
        ),
        "number",
    ),
    **dict.fromkeys((XSD.duration, XSD.dayTimeDuration, XSD.yearMonthDuration), "duration"),
}
#: What stands for everything, and tells nothing.
_ANYTHING = frozenset({OWL.Thing, OWL.Nothing, RDFS.Resource, RDFS.Literal})


@dataclass(frozen=True, slots=True)
class ClassTerm:
    """A class by its name: what it is called besides, the classes right above it, what it means."""

    name: str
    iri: URIRef
    called: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class PropertyTerm:
    """A property by its name: of what it is said, and what its values are.

    `domain` and `range` are names of classes, none where anything will do; `datatype` is that of
    its values, where these are no things, and `values` are they, where they are listed.
    """

    name: str
    iri: URIRef
    kind: Kind
    called: tuple[str, ...] = ()
    domain: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    datatype: URIRef | None = None
    values: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The terms of an ontology, by their names; `left_out` counts those beyond the bound."""

    classes: Mapping[str, ClassTerm]
    properties: Mapping[str, PropertyTerm]
    left_out: int = 0

    def text(self) -> str:
        """Return the terms as lines of text."""
        return "\n".join(
            [
                "Classes",
                *(_class_line(one) for one in self.classes.values()),
                "",
                "Properties",
                *(_property_line(one) for one in self.properties.values()),
            ]
        )


def vocabulary(ontology: Ontology) -> Vocabulary:
    """Return the classes and properties of an ontology in force, each with a name of its own.

    Those are left out of which `gr:unasked` says that nobody is asked for them.
    """
    stated = _Stated(ontology)
    classes = sorted(stated.of_type(OWL.Class, RDFS.Class) - _ANYTHING, key=str)
    objects = stated.of_type(OWL.ObjectProperty)
    data = stated.of_type(OWL.DatatypeProperty)
    properties = sorted(objects | data, key=str)
    told = [*classes, *properties][:MOST_TERMS]
    names = _names(told)
    kept = {one for one in classes if one in names}
    class_terms = [
        ClassTerm(
            names[one],
            one,
            stated.called(one),
            tuple(sorted(names[above] for above in stated.least(stated.above(one) & kept, one))),
            stated.note(one),
        )
        for one in classes
        if one in names
    ]
    property_terms = [
        _property(one, one in objects, stated, names, kept) for one in properties if one in names
    ]
    return Vocabulary(
        {one.name: one for one in class_terms},
        {one.name: one for one in property_terms},
        len(classes) + len(properties) - len(told),
    )


def _property(
    iri: URIRef, leads: bool, stated: _Stated, names: Mapping[URIRef, str], kept: Collection[URIRef]
) -> PropertyTerm:
    domain = stated.least(stated.classes_of(iri, RDFS.domain) & {*kept})
    if leads:
        values = stated.least(stated.classes_of(iri, RDFS.range) & {*kept})
        kind: Kind = "thing"
        datatype = None
    else:
        values = set()
        ranges = [one for one in stated.objects(iri, RDFS.range) if isinstance(one, URIRef)]
        datatype = next(iter(sorted(ranges, key=str)), None)
        kind = _KINDS.get(datatype, "text") if datatype is not None else "text"
    return PropertyTerm(
        names[iri],
        iri,
        kind,
        stated.called(iri),
        tuple(sorted(names[one] for one in domain)),
        tuple(sorted(names[one] for one in values)),
        datatype,
        stated.values.get(iri, ()) or stated.enumerated(iri),
        stated.note(iri),
    )


class _Stated:
    """What the closed axioms of an ontology state, by subject and predicate."""

    def __init__(self, ontology: Ontology) -> None:
        self._objects: dict[tuple[Node, Node], list[Node]] = {}
        self._typed: dict[Node, set[URIRef]] = {}
        self.values = _listed(ontology)
        for triple in ontology.axioms:
            self._objects.setdefault((triple.subject, triple.predicate), []).append(triple.object)
            if triple.predicate == RDF.type and isinstance(triple.subject, URIRef):
                self._typed.setdefault(triple.object, set()).add(triple.subject)

    def objects(self, subject: Node, predicate: Node) -> list[Node]:
        return self._objects.get((subject, predicate), [])

    def of_type(self, *kinds: Node) -> set[URIRef]:
        found: set[URIRef] = set().union(*(self._typed.get(kind, set()) for kind in kinds))
        own = (str(OWL), str(RDFS), str(RDF), str(GR))
        asked = {one for one in found if not self.objects(one, GR.unasked)}
        return {one for one in asked if not str(one).startswith(own)}

    def above(self, iri: Node) -> set[URIRef]:
        supers = self.objects(iri, RDFS.subClassOf)
        return {one for one in supers if isinstance(one, URIRef) and one != iri}

    def least(self, classes: set[URIRef], below: Node | None = None) -> set[URIRef]:
        """Return those classes that are above no other of them."""
        covered = {
            above for one in classes for above in self.above(one) if one not in self.above(above)
        }
        return {one for one in classes - covered if one != below}

    def classes_of(self, iri: Node, predicate: Node) -> set[URIRef]:
        """Return the named classes of a domain or range, those of a union each."""
        stated = self.objects(iri, predicate)
        named = {one for one in stated if isinstance(one, URIRef)}
        # a union that is above a named class follows from that
        implied = {above for one in stated for above in self.objects(one, RDFS.subClassOf)}
        unions = [one for one in stated if not isinstance(one, URIRef) and one not in implied]
        united = (member for one in unions for member in self._listed(one, OWL.unionOf))
        members = {member for member in united if isinstance(member, URIRef)}
        return named - {above for one in members for above in self.above(one)} | members

    def enumerated(self, iri: Node) -> tuple[str, ...]:
        """Return the values that a range lists: owl:oneOf."""
        ranges = self.objects(iri, RDFS.range)
        found = (one for range_ in ranges for one in self._listed(range_, OWL.oneOf))
        return tuple(sorted({str(one) for one in found if isinstance(one, Literal)}))

    def _listed(self, node: Node, predicate: Node) -> Iterator[Node]:
        for head in self.objects(node, predicate):
            seen: set[Node] = set()
            while head != RDF.nil and head not in seen:
                seen.add(head)
                yield from self.objects(head, RDF.first)
                head = next(iter(self.objects(head, RDF.rest)), RDF.nil)

    def called(self, iri: Node) -> tuple[str, ...]:
        labels = [
            *_english(self.objects(iri, RDFS.label)),
            *_english(self.objects(iri, SKOS.altLabel)),
        ]
        return tuple(dict.fromkeys(_one_line(one) for one in labels))

    def note(self, iri: Node) -> str:
        for predicate in (SKOS.definition, RDFS.comment):
            for words in _english(self.objects(iri, predicate)):
                limits = [_short(one) for one in _english(self.objects(iri, SKOS.scopeNote))]
                return " ".join([_short(words), *limits])
        return ""


def _listed(ontology: Ontology) -> dict[URIRef, tuple[str, ...]]:
    """Return the values of properties that the lexicon lists, which are all that they have."""
    if ontology.lexicon is None:
        return {}
    out: dict[URIRef, dict[str, None]] = {}
    for event in read_lexicon(ontology).events.values():
        for one in event if isinstance(event, tuple) else (event,):
            if one.value:
                out.setdefault(one.property, {})[one.value] = None
    return {iri: tuple(sorted(values)) for iri, values in out.items()}


def _english(nodes: Collection[Node]) -> list[str]:
    """Return the words in English, or in no language; in any where there are none."""
    words = sorted((one for one in nodes if isinstance(one, Literal)), key=str)
    mine = [one for one in words if not one.language or one.language.lower().startswith("en")]
    return [str(one) for one in mine or words]


def _one_line(words: str) -> str:
    return " ".join(words.split())[:_MOST_NOTE]


def _short(words: str) -> str:
    """Return the first sentence of a definition."""
    return _one_line(re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(words.split()))[0])


def _names(terms: Collection[URIRef]) -> dict[URIRef, str]:
    """Return a name for each term: the last part of its IRI, with a number where that is taken."""
    out: dict[URIRef, str] = {}
    taken: dict[str, int] = {}
    for one in terms:
        local = re.sub(r"[^\w.-]", "_", re.split(r"[#/:]", str(one).rstrip("#/"))[-1]) or "term"
        count = taken[local] = taken.get(local, 0) + 1
        out[one] = local if count == 1 else f"{local}.{count}"
    return out


def _class_line(one: ClassTerm) -> str:
    above = f" < {', '.join(one.above)}" if one.above else ""
    return f"{one.name}{above}{_told(one.called, one.note)}"


def _property_line(one: PropertyTerm) -> str:
    domain = " or ".join(one.domain) or "anything"
    values = " or ".join(one.range) or "anything" if one.kind == "thing" else one.kind
    if one.values:
        values = f"one of: {', '.join(one.values)}"
    return f"{one.name} ({domain} -> {values}){_told(one.called, one.note)}"


def _told(called: Collection[str], note: str) -> str:
    names = f" [{'; '.join(called)}]" if called else ""
    return f"{names}{': ' if note else ''}{note}"
