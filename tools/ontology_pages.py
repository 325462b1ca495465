"""The pages of the shipped ontologies and their alignments, made from the files that state them.

Written and compared with the pages of the rules: see docs.py.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib.namespace import OWL, RDF, RDFS, SKOS
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules import domain
from groundrules.ontology.debugging import axioms_of, worded
from groundrules.ontology.load import read
from groundrules.ontology.read.termlabels import local_words
from groundrules.terms import GR, Triple
from tools.budget import ROOT

_MADE = "by `python -m tools.docs`"


def pages() -> dict[str, str]:
    """Return the text of each file that is made from an ontology, by its path from the root."""
    path = domain.load(name := domain.built_in()).ontology
    statements, _, _ = read(path)
    entries = entries_of(statements)
    found, place = alignments(), path.parent.relative_to(ROOT).as_posix()
    return {
        f"docs/reference/{name}.md": page(f"{place}/{path.name}", name, entries, found),
        f"{place}/alignments.ttl": turtle(found),
    }


@dataclass(frozen=True, slots=True)
class Entry:
    """What an ontology states of a class or property, class expressions in words.

    `groups` are those whose members exclude each other, this one among them.
    """

    iri: URIRef
    is_class: bool
    label: str
    definition: str
    example: str
    names: tuple[str, ...]
    parents: tuple[URIRef, ...]
    groups: tuple[tuple[URIRef, ...], ...]
    inverse: tuple[URIRef, ...]
    domain: tuple[str, ...]
    range: tuple[str, ...]
    requires: tuple[str, ...]
    keys: tuple[str, ...]
    traits: tuple[str, ...]
    soft: bool

    @property
    def disjoint(self) -> tuple[URIRef, ...]:
        """What is stated to exclude this entry, in either direction."""
        found = dict.fromkeys(other for group in self.groups for other in group)
        return tuple(other for other in found if other != self.iri)


_TYPES: Mapping[Node, bool] = {OWL.Class: True, OWL.ObjectProperty: False,
                               OWL.DatatypeProperty: False}  # fmt: skip


def entries_of(statements: Iterable[Triple]) -> dict[URIRef, Entry]:
    """Return the classes and properties that are stated, by IRI, in the order of their labels."""
    axioms = axioms_of(statements)
    about: defaultdict[Node, defaultdict[Node, list[tuple[Triple, ...]]]]
    about = defaultdict(lambda: defaultdict(list))
    groups: defaultdict[Node, list[tuple[URIRef, ...]]] = defaultdict(list)
    inverse: defaultdict[Node, list[URIRef]] = defaultdict(list)
    for axiom in axioms:
        s, p, o = axiom[0].subject, axiom[0].predicate, axiom[0].object
        about[s][p].append(axiom)
        group: list[Node] = []
        if p in (OWL.disjointWith, OWL.propertyDisjointWith):
            group = [s, o]
        elif any(t.predicate == OWL.members for t in axiom):
            group = [t.object for t in axiom if t.predicate == RDF.first]
        elif p == OWL.inverseOf:
            inverse[s] += [o] if isinstance(o, URIRef) else []
            inverse[o] += [s] if isinstance(s, URIRef) else []
        named = tuple(sorted(one for one in group if isinstance(one, URIRef)))
        for one in named:
            groups[one].append(named)

    def objects(node: Node, p: Node) -> list[Node]:
        return [axiom[0].object for axiom in about[node][p]] if node in about else []

    def texts(node: Node, p: Node) -> list[str]:
        return sorted(str(o) for o in objects(node, p) if isinstance(o, Literal))

    def label(node: Node) -> str:
        if not isinstance(node, URIRef):
            return str(node)
        return (texts(node, RDFS.label) or [local_words(node).removeprefix("g ")])[0]  # gYear

    def told(node: Node, p: Node) -> list[str]:
        own = domain.load(domain.built_in()).prefixes
        ends = ((axiom[0].object, worded(axiom, own)) for axiom in about[node][p])
        return [said.split(" ", 2)[2] if isinstance(o, BNode) else label(o) for o, said in ends]

    def entry(node: URIRef, is_class: bool) -> Entry:
        up = RDFS.subClassOf if is_class else RDFS.subPropertyOf
        above = zip(objects(node, up), told(node, up), strict=True)
        kinds = [k for k in objects(node, RDF.type) if k not in _TYPES and isinstance(k, URIRef)]
        return Entry(
            node, is_class, label(node),
            " ".join(texts(node, SKOS.definition)), " ".join(texts(node, SKOS.example)),
            tuple(texts(node, SKOS.altLabel)),
            tuple(one for one in objects(node, up) if isinstance(one, URIRef)),
            tuple(groups[node]), tuple(dict.fromkeys(inverse[node])),
            tuple(told(node, RDFS.domain)), tuple(told(node, RDFS.range)),
            tuple(words for one, words in above if not isinstance(one, URIRef)),
            tuple(words.replace(", ", " + ") for words in told(node, OWL.hasKey)),
            tuple(local_words(k).removesuffix(" property") for k in kinds),
            bool(objects(node, GR.severity)),
        )  # fmt: skip

    types = {
        axiom[0].subject: _TYPES[axiom[0].object]
        for axiom in axioms
        if axiom[0].predicate == RDF.type and axiom[0].object in _TYPES
        if not str(axiom[0].subject).startswith(str(GR._NS))
    }
    found = [entry(n, kind) for n, kind in types.items() if isinstance(n, URIRef)]
    return {one.iri: one for one in sorted(found, key=lambda e: (e.label.casefold(), e.iri))}


def walk(entries: Mapping[URIRef, Entry]) -> Iterator[tuple[int, Entry]]:
    """Yield the entries as a tree, each with its depth; what is below two comes twice."""
    below: defaultdict[URIRef, list[Entry]] = defaultdict(list)
    for entry in entries.values():
        for parent in entry.parents:
            below[parent].append(entry)
    tops = [e for e in entries.values() if not any(p in entries for p in e.parents)]
    stack = [(0, top) for top in reversed(tops)]
    seen: set[URIRef] = set()
    while stack:
        depth, entry = stack.pop()
        yield depth, entry
        if entry.iri not in seen:
            seen.add(entry.iri)
            stack += [(depth + 1, child) for child in reversed(below[entry.iri])]


@dataclass(frozen=True, slots=True)
class Alignments:
    """What terms of other vocabularies are nearest: a mapping set in SSSOM.

    `prefixes` are those of the mapping set; a row has the columns of SSSOM, among them `comment`,
    which says what the object was checked against.
    """

    prefixes: Mapping[str, str]
    rows: Sequence[Mapping[str, str]]


def alignments() -> Alignments:
    """Return the alignments of the built-in ontology, as written by hand."""
    folder = domain.load(domain.built_in()).ontology.parent
    text = (folder / "alignments.sssom.tsv").read_text(encoding="utf-8")
    head = [line for line in text.splitlines() if line.startswith("#")]
    body = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    prefixes = dict(line[3:].split(": ", 1) for line in head if line.startswith("#  "))
    rows = list(csv.DictReader(io.StringIO(body), delimiter="\t", quoting=csv.QUOTE_NONE))
    return Alignments(prefixes, rows)


def turtle(found: Alignments) -> str:
    """Return the alignments in Turtle, each annotated with what it was checked against."""
    lines = [
        "# Made from alignments.sssom.tsv by `python -m tools.docs`.",
        "# Nearest terms of other vocabularies: for people and exchange, never loaded by a check.",
    ]
    used = {row[key].split(":")[0] for row in found.rows for key in ("object_id", "subject_id")}
    prefixes = {**{p: i for p, i in found.prefixes.items() if p in used | {"skos"}},
                "owl": "http://www.w3.org/2002/07/owl#",
                "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}  # fmt: skip
    lines += [f"@prefix {prefix}: <{iri}> ." for prefix, iri in sorted(prefixes.items())]
    for row in found.rows:
        subject, predicate, object_ = (row[f"{n}_id"] for n in ("subject", "predicate", "object"))
        lines += [
            "",
            f"{subject} {predicate} {object_} .",
            f"[] a owl:Axiom ; owl:annotatedSource {subject} ;",
            f"    owl:annotatedProperty {predicate} ; owl:annotatedTarget {object_} ;",
            f'    rdfs:comment "{row["comment"]}" .',
        ]
    return "\n".join(lines) + "\n"


def page(path: str, name: str, entries: Mapping[URIRef, Entry], found: Alignments) -> str:
    """Return the page of an ontology in Markdown: class tree, properties, alignments.

    `path` is its file, from the root of the project, which has definitions and examples.
    """
    classes = {iri: entry for iri, entry in entries.items() if entry.is_class}
    rows = (
        f"| {heading} | {', '.join(map(_property, group))} |"
        for heading, group in _by_domain(entries, classes)
    )
    parts = [
        f"# The {name} ontology",
        f"Made from [{path}](../../{path}) {_MADE}. The file has the definition, an example, other "
        "names and the axioms of each term.",
        f"{len(classes)} classes and {len(entries) - len(classes)} properties.",
        "## Classes",
        "\n".join(f"{'  ' * depth}- {entry.label}" for depth, entry in walk(classes)),
        "## What excludes what",
        "Of the classes of one line, or of what lies below them, nothing is in two.",
        "\n".join(f"- {line}" for line in _exclusive(classes)),
        "## Properties",
        "In brackets what a property leads to. *Soft*: to break what is said of it is a warning.",
        "\n".join(["| of | properties |", "|---|---|", *rows]),
        "## Alignments",
        _alignment_text(path.rpartition("/")[0], found),
    ]
    return "\n\n".join(parts) + "\n"


def _property(entry: Entry) -> str:
    more = [" and ".join(map(_plain, entry.range))] if entry.range else []
    more += [one for one in entry.traits if one == "functional"] + ["*soft*"] * entry.soft
    return f"{entry.label} ({', '.join(more)})" if more else entry.label


def _plain(term: str) -> str:
    """Return a class in words, a union as its members: "legal case or judicial decision"."""
    union = re.findall(r"\blx:(\w+)", term) if "owl:unionOf" in term else []
    return " or ".join(local_words(URIRef(f"#{one}")) for one in union) or term


def _exclusive(classes: Mapping[URIRef, Entry]) -> list[str]:
    """Return the groups of classes that exclude each other, each in words."""
    groups = {group for entry in classes.values() for group in entry.groups}
    labels = [sorted(classes[iri].label for iri in group if iri in classes) for group in groups]
    return [" | ".join(names) for names in sorted(labels, key=lambda names: (-len(names), names))]


def _by_domain(
    entries: Mapping[URIRef, Entry], classes: Mapping[URIRef, Entry]
) -> Iterable[tuple[str, list[Entry]]]:
    """Yield the properties of each domain, in the order of the tree; those of anything last."""
    groups: dict[str, list[Entry]] = {entry.label: [] for _, entry in walk(classes)}
    for entry in entries.values():
        if not entry.is_class:
            groups.setdefault(" and ".join(map(_plain, entry.domain)), []).append(entry)
    anything = groups.pop("", [])
    yield from ((label, group) for label, group in groups.items() if group)
    if anything:
        yield "anything", anything


def _alignment_text(place: str, found: Alignments) -> str:
    counts: dict[str, Counter[bool]] = {}
    for row in found.rows:
        vocabulary = row["object_id"].split(":")[0]
        vocabulary = "fibo" if vocabulary.startswith("fibo") else vocabulary
        counts.setdefault(vocabulary, Counter())[row["comment"].startswith("checked")] += 1
    lines = ["| vocabulary | terms | checked |", "|---|---|---|"]
    lines += [f"| {v} | {c.total()} | {c[True]} |" for v, c in sorted(counts.items())]
    checked = sum(count[True] for count in counts.values())
    intro = (
        f"{len(found.rows)} nearest terms of other vocabularies stand in "
        f"`{place}/alignments.sssom.tsv` (SSSOM) and `alignments.ttl`; no check loads "
        f"them. {checked} were looked up in a copy of the vocabulary, named beside each; the rest "
        "are marked unchecked."
    )
    return f"{intro}\n\n" + "\n".join(lines)
