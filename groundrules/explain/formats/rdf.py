"""The `turtle`, `trig` and `jsonld` formats: reports as RDF, see docs/report-rdf.md.

`turtle` and `jsonld` have what the reports say, in one graph. `trig` has a named graph for each
report, and for each text and source one with what it states. JSON-LD has its context with it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rdflib.namespace import RDF, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.dataset import quads, write_rdf
from groundrules.explain.formats import Look
from groundrules.explain.graph import describe, name_of, stated
from groundrules.explain.vocabulary import VOCABULARIES
from groundrules.terms import Report, Triple

#: What has one place in a report, and stands in it where it is named.
_INNER = ("result", "rating", "position", "quote", "edit")
#: Literals that JSON has.
_JSON: dict[URIRef | None, Any] = {
    None: str,
    XSD.integer: int,
    XSD.boolean: lambda literal: str(literal) == "true",
}


def render_turtle(reports: Sequence[Report], look: Look) -> str:
    """Return reports as one graph in Turtle."""
    return write_rdf(quads(_merged(reports)), "Turtle", VOCABULARIES)


def render_trig(reports: Sequence[Report], look: Look) -> str:
    """Return reports as a dataset in TriG: a graph each, and one each text and source."""
    graphs: dict[URIRef, dict[Triple, None]] = {}
    for report in reports:
        graphs.setdefault(name_of(report), {}).update(dict.fromkeys(describe(report)))
    for report in reports:
        for name, triples in stated(report).items():
            graphs.setdefault(name, {}).update(dict.fromkeys(triples))
    found = (quad for name, triples in graphs.items() for quad in quads(triples, name))
    return write_rdf(found, "TriG", VOCABULARIES)


def render_jsonld(reports: Sequence[Report], look: Look) -> str:
    """Return reports as one graph in JSON-LD 1.1, whose terms are those of schema.org."""
    prefixes = {name: iri for name, iri in VOCABULARIES.items() if name != "schema"}
    context = {"@version": 1.1, "@vocab": VOCABULARIES["schema"], **prefixes}
    found = {"@context": context, "@graph": _nodes(_merged(reports))}
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def _merged(reports: Sequence[Report]) -> dict[Triple, None]:
    return dict.fromkeys(triple for report in reports for triple in describe(report))


def _nodes(triples: Iterable[Triple]) -> list[dict[str, Any]]:
    """Return the subjects as objects of JSON, each once; what is part of another stands in it."""
    found: dict[Node, dict[str, Any]] = {}
    named: Counter[Node] = Counter()
    for triple in triples:
        one = found.setdefault(triple.subject, {"@id": str(triple.subject)})
        if triple.predicate == RDF.type:
            one.setdefault("@type", []).append(_short(triple.object))
        else:
            one.setdefault(_short(triple.predicate), []).append(triple.object)
            named[triple.object] += 1
    inner = {node for node in found if named[node] == 1 and str(node).rpartition(":")[2] in _INNER}

    def write(node: Node) -> dict[str, Any]:
        one = found[node]
        return {
            key: _single(values if key == "@type" else [value(item) for item in values])
            if isinstance(values, list)
            else values
            for key, values in one.items()
        }

    def value(item: Node) -> Any:
        return write(item) if item in inner else _value(item)

    return [write(node) for node in found if node not in inner]


def _single(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _short(node: Node) -> str:
    """Return a term of a vocabulary as the context shortens it."""
    for prefix, iri in VOCABULARIES.items():
        if str(node).startswith(iri):
            local = str(node)[len(iri) :]
            return local if prefix == "schema" else f"{prefix}:{local}"
    return str(node)


def _value(node: Node) -> Any:
    if isinstance(node, Literal):
        if node.language:
            return {"@value": str(node), "@language": node.language}
        if node.datatype in _JSON and _is_plain(node):
            return _JSON[node.datatype](node)
        return {"@value": str(node), "@type": str(node.datatype)}
    return {"@id": str(node)}


def _is_plain(literal: Literal) -> bool:
    """Return whether JSON writes a literal as it is: 5 and not 05."""
    if literal.datatype == XSD.boolean:
        return str(literal) in ("true", "false")
    return literal.datatype is None or str(int(literal)) == str(literal)
