"""What RDFS and OWL say in a graph of its predicates."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rdflib.namespace import DCTERMS, OWL, RDF, RDFS, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.calendar import DATES
from groundrules.kb.link.label_wordings import is_of_years
from groundrules.kb.link.properties import local_name
from groundrules.kb.sources.literals import NUMBERS, WHOLE, measured, unit_words
from groundrules.kb.sources.profile import ALIASES, LABELS, LANGUAGES
from groundrules.kb.sources.query import choice, query_text
from groundrules.kb.sources.source import Functional, Kind, Property, Row
from groundrules.terms import Triple

#: What a way to what is broader is called that all properties have, and one that may be any.
CONTAINMENT, TRANSITIVE = DCTERMS.isPartOf, OWL.TransitiveProperty
#: The verb of a label that names a containment: "is part of".
_VERB = re.compile(r"^(?:is|are|was|has been) ")
KINDS_OF_PROPERTY = (
    RDF.Property, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.FunctionalProperty,
    OWL.SymmetricProperty, OWL.InverseFunctionalProperty, OWL.IrreflexiveProperty,
    OWL.TransitiveProperty,
)  # fmt: skip
_TOLD = (
    *LABELS, *ALIASES, RDF.type, RDFS.subPropertyOf, OWL.equivalentProperty, OWL.inverseOf,
    RDFS.domain, RDFS.range,
)  # fmt: skip
#: What tells of the properties of a graph.
PROPERTIES = query_text("properties", told=choice(_TOLD), kinds=choice(KINDS_OF_PROPERTY, " "))


def rank_spoken(text: Literal) -> tuple[int, str]:
    """Return what sorts texts by their language, the better one first."""
    language = text.language or ""
    return LANGUAGES.index(language) if language in LANGUAGES else len(LANGUAGES), str(text)


def read_properties(rows: Iterable[Row]) -> dict[URIRef, Property]:
    """Return the properties that the rows of `PROPERTIES` tell of."""
    told: dict[URIRef, list[tuple[Node, Node]]] = {}
    used: dict[URIRef, set[Node]] = {}
    for row in rows:
        if isinstance(row["p"], URIRef):
            known = told.setdefault(row["p"], [])
            if "k" in row:
                known.append((row["k"], row["v"]))
            elif "v" in row:
                used.setdefault(row["p"], set()).add(row["v"])
    below: dict[URIRef, list[URIRef]] = {}
    above: dict[URIRef, list[URIRef]] = {}
    inverse: dict[URIRef, URIRef] = {}
    for iri in sorted(told):
        for key, value in sorted(told[iri], key=str):
            if isinstance(value, URIRef) and value != iri:
                if key in (RDFS.subPropertyOf, OWL.equivalentProperty):
                    below.setdefault(value, []).append(iri)
                    above.setdefault(iri, []).append(value)
                if key == OWL.equivalentProperty:
                    below.setdefault(iri, []).append(value)
                    above.setdefault(value, []).append(iri)
                if key == OWL.inverseOf:
                    inverse.setdefault(iri, value)
                    inverse.setdefault(value, iri)
    found = {
        iri: replace(
            _property(iri, known, used.get(iri, set())),
            narrower=_reached(iri, below),
            broader=_reached(iri, above),
            inverse=inverse.get(iri),
        )
        for iri, known in told.items()
    }
    # what is functional one way is inverse functional the other
    for iri, one in list(found.items()):
        other = found.get(one.inverse) if one.inverse else None
        if other and one.kind == other.kind == "item":
            found[iri] = replace(
                one,
                functional="strict" if other.inverse_functional else one.functional,
                inverse_functional=one.inverse_functional or other.functional == "strict",
            )
    return found


def ways_of(properties: Mapping[URIRef, Property]) -> dict[frozenset[URIRef], str]:
    """Return the paths of a graph that lead from a thing to what it lies in or is a kind of.

    By what makes them apt, see `Property.within`: those of containment, and those of any other
    property that is declared transitive.
    """
    known = tomllib.loads(Path(__file__).with_name("containment.toml").read_text("utf-8"))
    up, down = ({URIRef(iri) for iri in known[way]} for way in ("up", "down"))
    labels = frozenset(known["labels"])
    up |= {
        iri for iri, one in properties.items()
        if any(_VERB.sub("", name.casefold()) in labels for name in (one.label, *one.aliases))
    }  # fmt: skip
    for _ in range(2):  # below, and then the inverse of what is below
        for way, other in ((up, down), (down, up)):
            way |= {iri for iri, one in properties.items() if not way.isdisjoint(one.broader)}
            other |= {iri for iri, one in properties.items() if one.inverse in way}
    held = [f"<{iri}>" for iri in sorted(up & properties.keys())]
    held += [f"^<{iri}>" for iri in sorted(down & properties.keys())]
    rest = [
        f"<{iri}>" for iri, one in sorted(properties.items())
        if one.transitive and iri not in up | down
    ]  # fmt: skip
    both = {CONTAINMENT: held, TRANSITIVE: rest}
    return {frozenset({apt}): f"({'|'.join(path)})+" for apt, path in both.items() if path}


def of_properties(axioms: Iterable[Triple]) -> Iterator[tuple[Node, Node, Node]]:
    """Yield what axioms say of properties, as the rows of a graph say it."""
    kinds = frozenset(KINDS_OF_PROPERTY)
    known = {t.subject for t in axioms if t.predicate == RDF.type and t.object in kinds}
    for axiom in axioms:
        if axiom.subject in known and axiom.predicate in _TOLD:
            yield axiom.subject, axiom.predicate, axiom.object


def _reached(iri: URIRef, steps: Mapping[URIRef, list[URIRef]]) -> tuple[URIRef, ...]:
    """Return the properties that steps lead to from one, at any depth, without itself."""
    found: set[URIRef] = set()
    todo = [iri]
    while todo:
        for one in steps.get(todo.pop(), ()):
            if one not in found and one != iri:
                found.add(one)
                todo.append(one)
    return tuple(sorted(found))


def _property(iri: URIRef, told: Collection[tuple[Node, Node]], used: Collection[Node]) -> Property:
    def iris(key: Node) -> tuple[URIRef, ...]:
        return tuple(sorted(v for k, v in told if k == key and isinstance(v, URIRef)))

    labels = sorted((v for k, v in told if k in LABELS and isinstance(v, Literal)), key=rank_spoken)
    name = str(labels[0]) if labels else local_name(iri)
    aliases = {str(v) for k, v in told if k in ALIASES and isinstance(v, Literal)}
    kinds = iris(RDF.type)
    functional: Functional = "strict" if OWL.FunctionalProperty in kinds else ""
    ranges = iris(RDFS.range)
    return Property(
        iri,
        label=name,
        aliases=tuple(sorted(aliases | {str(label) for label in labels[1:]})),
        kind=_kind(ranges or _in_use(used), OWL.DatatypeProperty in kinds, name),
        functional=functional,
        symmetric=OWL.SymmetricProperty in kinds,
        domain=iris(RDFS.domain),
        range=tuple(r for r in ranges if not r.startswith(str(XSD))),
        within=(CONTAINMENT, TRANSITIVE),
        inverse_functional=OWL.InverseFunctionalProperty in kinds,
        irreflexive=OWL.IrreflexiveProperty in kinds,
        transitive=OWL.TransitiveProperty in kinds,
    )


def _in_use(types: Collection[Node]) -> tuple[URIRef, ...]:
    """Return the types of the literals that a predicate has, none where it has things as well."""
    if OWL.Thing in types:
        return ()
    return tuple(sorted(kind for kind in types if isinstance(kind, URIRef)))


def _kind(ranges: Iterable[URIRef], literal: bool, name: str) -> Kind:
    for datatype in ranges:
        if datatype in DATES or (datatype in WHOLE and is_of_years(name)):
            return "time"
        if datatype in NUMBERS or measured(f"1 {unit_words(datatype)}"):
            return "quantity"
        if datatype == XSD.anyURI:
            return "identifier"
        if datatype in (XSD.string, RDF.langString, RDFS.Literal):
            return "text"
    return "text" if literal else "item"
