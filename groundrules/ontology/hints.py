"""What would mend a fault of an ontology: the triple to take out, or the one to put in its place.

Nothing is written: a person knows what was meant. Of an empty class or property the fault lies in
one of the axioms that make it so; the hint is that which says most of the term itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rdflib.namespace import OWL, RDF, RDFS, SKOS
from rdflib.term import Literal, Node, URIRef

from groundrules.ontology.debugging import OntologyFault
from groundrules.ontology.justifications import Axiom
from groundrules.ontology.read.termlabels import local_words
from groundrules.terms import EditOperation, Triple

__all__ = ["hint", "renamed", "shown"]

#: Which axiom of a justification is taken out: what says of a term what it is goes before the rest.
_FIRST = (RDFS.subClassOf, OWL.equivalentClass, RDFS.domain, RDFS.range, RDFS.subPropertyOf)


def hint(
    fault: OntologyFault, stated: Sequence[Triple], data: Sequence[Triple], nearest: URIRef | None
) -> tuple[EditOperation, ...]:
    """Return the change that would mend a fault; `nearest` is the term that is meant."""
    node = fault.nodes[0]
    if fault.rule in {"ONT101", "ONT102"}:
        return _loosened(node, fault.axioms)
    if fault.rule == "ONT201":
        used = [t for t in (*stated, *data) if node in (t.subject, t.predicate, t.object)]
        return renamed(node, nearest, used) if nearest else (_declared(node, used),)
    if fault.rule == "ONT202":
        return _renaming(fault)
    return ()


def _loosened(node: URIRef, axioms: Sequence[Axiom]) -> tuple[EditOperation, ...]:
    """Return the removal of one axiom of a justification, without which the fault is none."""
    heads = [axiom[0] for axiom in axioms]
    own = [t for t in heads if t.subject == node and isinstance(t.object, URIRef)]
    chosen = next((t for p in _FIRST for t in reversed(own) if t.predicate == p), None)
    chosen = chosen or next((t for t in heads if isinstance(t.object, URIRef)), None)
    return (EditOperation("DELETE", chosen),) if chosen else ()


def renamed(node: URIRef, nearest: URIRef, stated: Iterable[Triple]) -> tuple[EditOperation, ...]:
    """Return each statement that uses a term, with the term that was meant in its place."""

    def meant(one: Node) -> Node:
        return nearest if one == node else one

    out: list[EditOperation] = []
    for t in (t for t in stated if node in (t.subject, t.predicate, t.object)):
        right = Triple(meant(t.subject), meant(t.predicate), meant(t.object))
        out += [EditOperation("DELETE", t), EditOperation("ADD", right)]
    return tuple(out)


def _declared(node: URIRef, used: Sequence[Triple]) -> EditOperation:
    """Return the declaration of a term as that which its use makes it."""
    literal = any(t.predicate == node and isinstance(t.object, Literal) for t in used)
    property_ = any(t.predicate == node for t in used) or any(
        t.subject == node and t.predicate in (RDFS.domain, RDFS.range, RDFS.subPropertyOf)
        for t in used
    )
    kind = OWL.DatatypeProperty if literal else OWL.ObjectProperty if property_ else OWL.Class
    return EditOperation("ADD", Triple(node, RDF.type, kind))


def _renaming(fault: OntologyFault) -> tuple[EditOperation, ...]:
    """Return for all but the first of two terms of one label their local names instead."""
    out: list[EditOperation] = []
    for node, (label, *_) in zip(fault.nodes[1:], fault.axioms[1:], strict=True):
        out.append(EditOperation("DELETE", label))
        words = local_words(node)
        said = label.object
        if words != str(said).casefold() and label.predicate != SKOS.altLabel:
            language = said.language if isinstance(said, Literal) else None
            own = Triple(node, label.predicate, Literal(words, lang=language))
            out.append(EditOperation("ADD", own))
    return tuple(out)


def shown(
    operations: Iterable[EditOperation], short: Callable[[Node], str]
) -> list[tuple[str, str]]:
    """Return operations as the lines of a patch: "-" or "+", and a triple as Turtle has it."""
    out = []
    for one in operations:
        t = one.triple
        verb = "a" if t.predicate == RDF.type else short(t.predicate)
        mark = "-" if one.action == "DELETE" else "+"
        out.append((mark, f"{short(t.subject)} {verb} {short(t.object)} ."))
    return out
