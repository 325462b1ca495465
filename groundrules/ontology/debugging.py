"""What is wrong with an ontology: empty classes and ends, undeclared terms, shared labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rdflib.namespace import OWL, RDF, RDFS, SKOS
from rdflib.term import Literal, Node, URIRef

from groundrules.errors import did_you_mean
from groundrules.ontology.close import close
from groundrules.ontology.justifications import META, Axiom, axioms_of, justification
from groundrules.ontology.satisfiability import Closed
from groundrules.terms import GR, Severity, Triple

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
    yield from _same_labels(stated, short)


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
