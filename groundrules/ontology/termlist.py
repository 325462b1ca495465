"""The terms of an ontology as words: what a reader who is no program is told of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as OneOf

from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.ontology.load import Ontology
from groundrules.ontology.read.lexicon import read_lexicon
from groundrules.ontology.read.termlabels import Axioms
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
_OWN = (str(OWL), str(RDFS), str(RDF), str(GR))


@dataclass(frozen=True, slots=True)
class ClassTerm:
    """A class by its name: what it is called besides, and the line that tells of it."""

    name: str
    iri: URIRef
    called: tuple[str, ...]
    line: str


@dataclass(frozen=True, slots=True)
class PropertyTerm:
    """A property by its name: of what it is said, what its values are, and the line on it.

    `domain` and `range` are names of classes, none where anything will do; `datatype` is that of
    its values, where these are no things, and `values` are they, where they are listed.
    """

    name: str
    iri: URIRef
    called: tuple[str, ...]
    line: str
    kind: Kind
    domain: tuple[str, ...]
    range: tuple[str, ...]
    datatype: URIRef | None
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The terms of an ontology, by their names; `left_out` counts those beyond the bound."""

    classes: Mapping[str, ClassTerm]
    properties: Mapping[str, PropertyTerm]
    left_out: int = 0

    def text(self) -> str:
        """Return the terms as lines of text."""
        classes = (one.line for one in self.classes.values())
        properties = (one.line for one in self.properties.values())
        return "\n".join(["Classes", *classes, "", "Properties", *properties])


def vocabulary(ontology: Ontology) -> Vocabulary:
    """Return the classes and properties of an ontology in force, each with a name of its own.

    Those are left out of which `gr:unasked` says that nobody is asked for them.
    """
    axioms = Axioms(ontology)
    classes, properties = (
        [
            one
            for one in axioms.terms(kinds)
            if not str(one).startswith(_OWN) and (one, GR.unasked) not in axioms.of
        ]
        for kinds in ((OWL.Class, RDFS.Class), (OWL.ObjectProperty, OWL.DatatypeProperty))
    )
    every = [one for one in (*classes, *properties) if one not in _ANYTHING]
    names = _names(every[:MOST_TERMS])
    above = axioms.above()
    class_terms = [
        _class(one, axioms, names, above[one] - {one}, above) for one in classes if one in names
    ]
    listed, ends = _listed(ontology), (axioms.ends(RDFS.domain), axioms.ends(RDFS.range))
    property_terms = [
        _property(one, axioms, names, ends, listed.get(one, ()))
        for one in properties
        if one in names
    ]
    return Vocabulary(
        {one.name: one for one in class_terms},
        {one.name: one for one in property_terms},
        max(0, len(every) - MOST_TERMS),
    )


def _class(
    iri: URIRef,
    axioms: Axioms,
    names: Mapping[URIRef, str],
    above: frozenset[URIRef],
    higher: Mapping[URIRef, frozenset[URIRef]],
) -> ClassTerm:
    covered = {up for one in above for up in higher.get(one, ()) if one not in higher.get(up, ())}
    direct = sorted(names[one] for one in above - covered if one in names)
    head = f"{names[iri]} < {', '.join(direct)}" if direct else names[iri]
    called, told = _told(iri, axioms)
    return ClassTerm(names[iri], iri, called, head + told)


def _property(
    iri: URIRef,
    axioms: Axioms,
    names: Mapping[URIRef, str],
    ends: Sequence[Mapping[URIRef, frozenset[URIRef]]],
    listed: tuple[str, ...],
) -> PropertyTerm:
    domain, range_ = (
        tuple(sorted(names[one] for one in end.get(iri, ()) if one in names)) for end in ends
    )
    datatype = None
    kind: Kind = "thing"
    if OWL.ObjectProperty not in axioms.types[iri]:
        stated = axioms.of.get((iri, RDFS.range), ())
        datatype = min((one for one in stated if isinstance(one, URIRef)), key=str, default=None)
        kind = _KINDS.get(datatype, "text") if datatype else "text"
        found = (one for node in stated for one in axioms.members(node, OWL.oneOf))
        listed = listed or tuple(sorted(str(one) for one in found if isinstance(one, Literal)))
    values = " or ".join(range_) or "anything" if kind == "thing" else kind
    if listed:
        values = f"one of: {', '.join(listed)}"
    called, told = _told(iri, axioms)
    line = f"{names[iri]} ({' or '.join(domain) or 'anything'} -> {values}){told}"
    return PropertyTerm(names[iri], iri, called, line, kind, domain, range_, datatype, listed)


def _listed(ontology: Ontology) -> dict[URIRef, tuple[str, ...]]:
    """Return the values of properties that the lexicon lists, which are all that they have."""
    if ontology.lexicon is None:
        return {}
    out: dict[URIRef, set[str]] = {}
    for events in read_lexicon(ontology).events.values():
        for one in events:
            if one.value:
                out.setdefault(one.property, set()).add(one.value)
    return {iri: tuple(sorted(values)) for iri, values in out.items()}


def _told(iri: URIRef, axioms: Axioms) -> tuple[tuple[str, ...], str]:
    """Return what a term is called, and the end of the line on it: that, and what it means."""
    words = axioms.called(iri, (RDFS.label, SKOS.altLabel), foreign=True)
    called = tuple(dict.fromkeys(map(_one_line, words)))
    notes = (axioms.called(iri, [one], foreign=True) for one in (SKOS.definition, RDFS.comment))
    note = next((found[0] for found in notes if found), "")
    limits = axioms.called(iri, [SKOS.scopeNote], foreign=True) if note else []
    said = " ".join(_short(one) for one in (note, *limits) if one)
    return called, (f" [{'; '.join(called)}]" if called else "") + (f": {said}" if said else "")


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
