"""What RDFS and OWL say in a graph of its predicates."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.calendar import DATES
from groundrules.kb.literals import NUMBERS
from groundrules.kb.profile import ALIASES, LABELS, SCHEMA
from groundrules.kb.source import Functional, Kind, Property, Row
from groundrules.terms import Triple

#: The languages that names are looked for in, the better one first; "mul" is Wikidata's default.
LANGUAGES = ("en", "mul", "")


def choice(terms: Iterable[URIRef], between: str = ", ") -> str:
    """Return IRIs of ours as SPARQL: a list, or the ways of a path with "|" between."""
    return between.join(f"<{term}>" for term in terms)


SPOKEN = 'FILTER(!isLiteral(?v) || LANG(?v) IN ("", "en", "mul"))'
#: What leads from a value to a broader one.
BROADER = (
    SCHEMA.containedInPlace, SCHEMA.isPartOf, URIRef("http://purl.org/dc/terms/isPartOf"),
    URIRef("http://www.opengis.net/ont/geosparql#sfWithin"), SKOS.broader, RDFS.subClassOf,
)  # fmt: skip
KINDS_OF_PROPERTY = (
    RDF.Property, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.FunctionalProperty,
    OWL.SymmetricProperty, OWL.InverseFunctionalProperty, OWL.IrreflexiveProperty,
)  # fmt: skip
_TOLD = (*LABELS, *ALIASES, RDF.type, RDFS.subPropertyOf, OWL.inverseOf, RDFS.domain, RDFS.range)
#: The predicates in use with the types of their values, what is told of them, of what is said to be
#: one, and which belong together.
PROPERTIES = f"""
SELECT DISTINCT ?p ?k ?v WHERE {{
  {{ ?s ?p ?o BIND(IF(isLiteral(?o), DATATYPE(?o), <{OWL.Thing}>) AS ?v) }}
  UNION {{ {{ SELECT DISTINCT ?p WHERE {{ ?s ?p ?o }} }}
           ?p ?k ?v . FILTER(?k IN ({choice(_TOLD)})) {SPOKEN} }}
  UNION {{ ?p a ?kind . FILTER(?kind IN ({choice(KINDS_OF_PROPERTY)}))
           ?p ?k ?v . FILTER(?k IN ({choice(_TOLD)})) {SPOKEN} }}
  UNION {{ ?p <{RDFS.subPropertyOf}> ?v . BIND(<{RDFS.subPropertyOf}> AS ?k) }}
  UNION {{ ?p <{OWL.inverseOf}> ?v . BIND(<{OWL.inverseOf}> AS ?k) }}
}}"""


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
    inverse: dict[URIRef, URIRef] = {}
    for iri in sorted(told):
        for key, value in sorted(told[iri], key=str):
            if isinstance(value, URIRef) and value != iri:
                if key == RDFS.subPropertyOf:
                    below.setdefault(value, []).append(iri)
                elif key == OWL.inverseOf:
                    inverse.setdefault(iri, value)
                    inverse.setdefault(value, iri)
    found = {
        iri: _property(
            iri, known, used.get(iri, set()), tuple(sorted(_below(iri, below))), inverse.get(iri)
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


def of_properties(axioms: Iterable[Triple]) -> Iterator[tuple[Node, Node, Node]]:
    """Yield what axioms say of properties, as the rows of a graph say it."""
    kinds = frozenset(KINDS_OF_PROPERTY)
    known = {t.subject for t in axioms if t.predicate == RDF.type and t.object in kinds}
    for axiom in axioms:
        if axiom.subject in known and axiom.predicate in _TOLD:
            yield axiom.subject, axiom.predicate, axiom.object


def _below(iri: URIRef, below: Mapping[URIRef, list[URIRef]]) -> set[URIRef]:
    """Return the properties below one, at any depth, without itself."""
    found: set[URIRef] = set()
    todo = [iri]
    while todo:
        for narrower in below.get(todo.pop(), ()):
            if narrower not in found and narrower != iri:
                found.add(narrower)
                todo.append(narrower)
    return found


def _property(
    iri: URIRef,
    told: Collection[tuple[Node, Node]],
    used: Collection[Node],
    narrower: tuple[URIRef, ...],
    inverse: URIRef | None,
) -> Property:
    def iris(key: Node) -> tuple[URIRef, ...]:
        return tuple(sorted(v for k, v in told if k == key and isinstance(v, URIRef)))

    labels = sorted((v for k, v in told if k in LABELS and isinstance(v, Literal)), key=rank_spoken)
    aliases = {str(v) for k, v in told if k in ALIASES and isinstance(v, Literal)}
    kinds = iris(RDF.type)
    functional: Functional = "strict" if OWL.FunctionalProperty in kinds else ""
    ranges = iris(RDFS.range)
    return Property(
        iri,
        label=str(labels[0]) if labels else _words(iri),
        aliases=tuple(sorted(aliases | {str(label) for label in labels[1:]})),
        kind=_kind(ranges or _in_use(used), OWL.DatatypeProperty in kinds),
        functional=functional,
        symmetric=OWL.SymmetricProperty in kinds,
        inverse=inverse,
        narrower=narrower,
        domain=iris(RDFS.domain),
        range=tuple(r for r in ranges if not r.startswith(str(XSD))),
        within=BROADER,
        inverse_functional=OWL.InverseFunctionalProperty in kinds,
        irreflexive=OWL.IrreflexiveProperty in kinds,
    )


def _in_use(types: Collection[Node]) -> tuple[URIRef, ...]:
    """Return the types of the literals that a predicate has, none where it has things as well."""
    if OWL.Thing in types:
        return ()
    return tuple(sorted(kind for kind in types if isinstance(kind, URIRef)))


def _kind(ranges: Iterable[URIRef], literal: bool) -> Kind:
    for datatype in ranges:
        if datatype in DATES:
            return "time"
        if datatype in NUMBERS:
            return "quantity"
        if datatype == XSD.anyURI:
            return "identifier"
        if datatype in (XSD.string, RDF.langString, RDFS.Literal):
            return "text"
    return "text" if literal else "item"


def _words(iri: URIRef) -> str:
    """Return the words of the last part of an IRI: birthPlace is "birth place"."""
    name = re.split(r"[/#:]", str(iri))[-1]
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", name).lower().split())
