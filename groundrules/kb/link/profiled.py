"""The profile of a graph as TOML: what names its things, and how its properties are said.

In: a knowledge base that is open. Out: a file that its user corrects and gives back (`profile`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.kb.link.properties import Relations
from groundrules.kb.sources.literals import in_words
from groundrules.kb.sources.query import write
from groundrules.kb.sources.rdf import RdfSource
from groundrules.kb.sources.source import Graph, Pair, Property, Query, Statement

#: How many things are looked at for an example, and how many wordings are shown.
_LOOK, _SHOWN = 5, 6
#: Kinds of property of which sentences are read.
_SAID = ("item", "time", "quantity", "text")


def profile_of(source: RdfSource, graph: Graph, name: str) -> str:
    """Return what is read off a graph, as TOML that corrects it where it is corrected.

    Raises:
        SourceError: it could not be asked.
    """
    properties = source.properties()
    if source.fault:
        raise source.fault.error(name)
    relations, naming = Relations(properties), source.naming()
    shown = {
        iri: known for iri, known in sorted(properties.items())
        if known.kind in _SAID and iri not in (RDF.type, *naming.all)
    }  # fmt: skip
    examples = _examples(source, graph, list(shown))
    lines = [
        f"# What is read off {name}, by samples. Correct it, and give it back:",
        "#     groundrules check TEXT --kb KB --profile THIS",
        f"# languages of names: {', '.join(one or 'none' for one in naming.languages)}",
        "[names]",
        f"labels = {_list([iri for iri in naming.all if iri in properties])}",
    ]
    for iri, known in shown.items():
        worded = relations.wordings(iri) if known.kind != "text" else []
        lines += ["", f"[property.{json.dumps(iri, ensure_ascii=False)}]", *_lines(known, worded)]
        lines += [f"# over a node: {way}" for way in source.paths(iri)]
        if iri in examples and worded:
            lines.append(f"# {_sentence(worded[0], *examples[iri])}")
    return "".join(f"{line}\n" for line in lines)


def _lines(known: Property, wordings: Sequence[str]) -> Iterator[str]:
    yield f"label = {json.dumps(known.label, ensure_ascii=False)}"
    if known.aliases:
        yield f"aliases = {_list(known.aliases)}"
    yield f"kind = {json.dumps(known.kind)}"
    if known.unit:
        yield f"unit = {json.dumps(known.unit, ensure_ascii=False)}"
    yield f"functional = {json.dumps(bool(known.functional))}"
    yield f"wordings = {_list(wordings[:_SHOWN])}"
    if not wordings and known.kind != "text":
        yield "# no wording reaches it"


def _list(texts: Sequence[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False)


def _sentence(wording: str, subject: str, value: str) -> str:
    said = " ".join(wording.replace("[X]", subject).replace("[Y]", value).split())
    return f"{said[:1].upper()}{said[1:]}."


def _examples(
    source: RdfSource, graph: Graph, properties: Sequence[URIRef]
) -> Mapping[URIRef, tuple[str, str]]:
    """Return what some thing is called and what is stated of it, by property."""
    parts = (
        f"{{ SELECT ({write(iri)} AS ?p) ?s WHERE {{ {way} }} LIMIT {_LOOK} }}"
        for iri in properties
        for way in [one.first.pattern("?s", "?v") for one in source.paths(iri)]
        or [f"?s {write(iri)} ?v"]
    )
    text = f"SELECT ?p ?s WHERE {{ {' UNION '.join(parts)} }}"
    rows = graph.select(Query(text)).rows if properties else ()
    pairs: list[Pair] = [
        (row["s"], row["p"]) for row in sorted(rows, key=str)
        if isinstance(row["s"], URIRef) and isinstance(row["p"], URIRef)
    ]  # fmt: skip
    facts = source.statements(pairs)
    things = source.resolve({s for s, _ in pairs})
    found: dict[URIRef, tuple[str, str]] = {}
    for (thing, iri), stated in facts.items():
        label = getattr(things.get(thing), "label", "")
        values = (_words(one, stated.labels) for one in stated.statements)
        if label and (value := next(filter(None, values), "")):
            found.setdefault(iri, (label, value))
    return found


def _words(statement: Statement, labels: Mapping[URIRef, str]) -> str:
    node: Node = statement.value.node
    if isinstance(node, URIRef):
        return labels.get(node, "")
    return in_words(node) or (str(node) if isinstance(node, Literal) else "")
