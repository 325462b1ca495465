"""The axioms of an ontology as they are stated, in words, and the fewest that something takes.

An axiom is a statement about a named thing with all that its blank nodes say, so that a restriction
or a list is one with the class that has it; its words are those of Turtle.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from rdflib import Graph
from rdflib.namespace import OWL, SKOS
from rdflib.term import BNode, Node, URIRef

from groundrules.dataset import PREFIXES
from groundrules.errors import SourceError
from groundrules.ontology.close import close
from groundrules.terms import Triple

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
