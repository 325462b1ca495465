"""An axiom in words, classes as in the Manchester syntax of OWL 2."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping

from rdflib.namespace import OWL, RDF
from rdflib.term import BNode, Node, URIRef

from groundrules.ontology.justifications import Axiom

#: How the Manchester syntax words them.
_COUNTS = {
    OWL.minCardinality: "min", OWL.minQualifiedCardinality: "min", OWL.cardinality: "exactly",
    OWL.qualifiedCardinality: "exactly", OWL.maxCardinality: "max",
    OWL.maxQualifiedCardinality: "max",
}  # fmt: skip

#: So many parts of an axiom are said.
_PARTS = 2_000


def shortened(node: Node, prefixes: Mapping[str, str]) -> str:
    """Return a term as files with some prefixes write it: a prefixed name, or the IRI in <>."""
    for name, base in sorted(prefixes.items(), key=lambda pair: -len(pair[1])):
        local = str(node).removeprefix(base)
        known = isinstance(node, URIRef) and local != str(node)
        if known and re.fullmatch(r"[\w-]+(?:\.[\w-]+)*", local):
            return f"{name}:{local}"
    return node.n3()


def worded(axiom: Axiom, short: Callable[[Node], str]) -> str:
    """Return an axiom on one line: ":Pizza rdfs:subClassOf :hasBase some :Base"."""
    about: defaultdict[Node, dict[Node, list[Node]]] = defaultdict(dict)
    for one in axiom:
        about[one.subject].setdefault(one.predicate, []).append(one.object)
    first = axiom[0]
    left = [_PARTS]
    if isinstance(first.subject, BNode):
        kind = next((o for o in about[first.subject].get(RDF.type, [])), None)
        heads = [o for p in (OWL.members, OWL.distinctMembers)
                 for o in about[first.subject].get(p, [])]  # fmt: skip
        named = ", ".join(
            _expression(m, about, short, left) for h in heads for m in _list(h, about)
        )
        return f"{short(kind) if kind is not None else '[]'} ({named})"
    verb = "a" if first.predicate == RDF.type else short(first.predicate)
    return f"{short(first.subject)} {verb} {_expression(first.object, about, short, left)}"


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
    left: list[int], depth: int = 0,
) -> str:  # fmt: skip
    """Return a class as in the Manchester syntax; `left` counts the parts that may still be said.

    A part may stand in many, and so in itself.
    """
    own = about.get(node, {})
    left[0] -= 1
    if not isinstance(node, BNode) or not own or depth > 8 or left[0] < 0:
        return short(node) if not isinstance(node, BNode) else "[…]"

    def said(one: Node) -> str:
        return _expression(one, about, short, left, depth + 1)

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
    if OWL.oneOf in own:
        return f"{{{', '.join(said(one) for one in _list(own[OWL.oneOf][0], about))}}}"
    if OWL.complementOf in own:
        return f"(not {said(own[OWL.complementOf][0])})"
    if OWL.inverseOf in own:
        return f"(inverse {said(own[OWL.inverseOf][0])})"
    if RDF.first in own:
        return f"({', '.join(said(one) for one in _list(node, about))})"
    return "[…]"
