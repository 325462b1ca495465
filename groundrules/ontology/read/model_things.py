"""The things that a language model tells of, each by the node of our own reading that it may be.

What is told goes in by `ModelThings.state`, and what of it is dropped is counted there. A thing
called by a name that we read is that one, unless its class excludes it; else it is one of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rdflib.namespace import OWL, RDF, RDFS
from rdflib.term import Node, URIRef

from groundrules.claims.documents.document import plain
from groundrules.claims.english.identity import POINTING
from groundrules.claims.evidence.copied import Place
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.termlist import Vocabulary
from groundrules.terms import Modality, Polarity, Span, Triple

_ARTICLE = re.compile(POINTING)
#: A label that is a name, not "agreement".
_NAME = re.compile(r"[A-Z0-9]")


@dataclass(frozen=True, slots=True)
class ModelThing:
    """A thing that is told of: its row, its names and where they stand, and what it is one by.

    Things of two pieces with one `key` are one.
    """

    row: Mapping[str, Any]
    names: tuple[str, ...]
    places: tuple[Place, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Mode:
    """Where something is said, and whether it is denied, bound, or left open."""

    places: tuple[Place, ...]
    polarity: Polarity
    modality: Modality
    by: str


class ModelThings:
    """States what is told of a document, by the nodes of its things; counts what it drops."""

    def __init__(self, assertions: Assertions, terms: Vocabulary, ontology: Ontology) -> None:
        self.assertions, self.terms = assertions, terms
        self.text = plain(assertions.extraction.document)
        self.dropped: Counter[str] = Counter()
        self.nodes: dict[str, URIRef] = {}
        self.inverse = {
            one.subject: one.object for one in ontology.axioms if one.predicate == OWL.inverseOf
        }
        #: Of each class those that exclude it, and of each thing the classes its uses want.
        self.apart: dict[Node, set[Node]] = {}
        for one in ontology.axioms:
            if one.predicate == OWL.disjointWith:
                self.apart.setdefault(one.subject, set()).add(one.object)
        self.wanted: dict[str, list[tuple[bool, set[Node]]]] = {}
        self.below = {
            (one.subject, one.object)
            for one in ontology.axioms
            if one.predicate in (RDFS.subClassOf, OWL.equivalentClass)
        }

    def name(self, things: Sequence[ModelThing]) -> None:
        """Find the node of each thing: that of ours which it alone may be, or one of its own."""
        known = _Known(self.assertions)
        first = {one.key: one for one in reversed(things)}
        ours = {
            key: node
            for key, one in first.items()
            if (node := next((n for n in known.called(one) if self._may_be(n, one, known)), None))
        }
        count = Counter(ours.values())
        for key, one in first.items():
            node = ours.get(key)
            if node is None or count[node] > 1:
                node = self.assertions.part(f"told:{key}")
            label = one.names[0] if one.names else one.row["class"]
            self.assertions.labels.setdefault(node, label[:80] or key)
            self.nodes[key] = node

    def _may_be(self, node: URIRef, one: ModelThing, known: _Known) -> bool:
        """Return whether a thing is of the classes that we read of a node, or above or below."""
        kind = self.terms.classes.get(one.row["class"])
        classes = known.classes.get(node, set())
        if any(self.excludes(other, one.key) for other in classes):
            return False
        return kind is None or all(
            other == kind.iri or {(other, kind.iri), (kind.iri, other)} & self.below
            for other in classes
        )

    def excludes(self, kind: Node, key: str, *, subject: bool = False) -> bool:
        """Return whether a thing of a class can be of none of those that a use of one wants."""
        apart = self.apart.get(kind, set())
        uses = self.wanted.get(key, ())
        return any(wanted <= apart for first, wanted in uses if first or not subject)

    def state(self, triple: Triple, mode: Mode) -> None:
        """State a triple, and what its inverse says."""
        inverse = self.inverse.get(triple.predicate)
        triples = [triple]
        if inverse is not None and isinstance(triple.object, URIRef):
            triples.append(Triple(triple.object, inverse, triple.subject))
        for one in triples:
            assert isinstance(one.predicate, URIRef)
            self.assertions.state(
                one.subject,
                one.predicate,
                one.object,
                self.span(mode.places),
                polarity=mode.polarity,
                modality=mode.modality,
                attribution=mode.by or None,
            )

    def span(self, places: Sequence[Place]) -> Span:
        """Return the place of words: their pieces in the sentence of the first."""
        around = self.assertions.sentence_at(places[0][0])
        inside = [
            one
            for one in places[1:]
            if around is not None and around.start <= one[0] and one[1] <= around.end
        ]
        ends = [places[0], *inside]
        return self.assertions.span(min(p[0] for p in ends), max(p[1] for p in ends))

    def said(self, places: Sequence[Place]) -> str:
        """Return the words at some places, their blanks made one each."""
        return " ".join(" ".join(self.text[start:end].split()) for start, end in places)


class _Known:
    """Our own things: nodes by name and by the start of a mention, and their classes."""

    def __init__(self, assertions: Assertions) -> None:
        self.by_name: dict[str, URIRef] = {}
        self.by_place: dict[int, tuple[int, URIRef]] = {}
        self.classes: dict[Node, set[Node]] = {}
        for mention in assertions.extraction.mentions:
            if isinstance(mention.node, URIRef):
                self.by_place.setdefault(mention.span.start, (mention.span.end, mention.node))
        labels = {**assertions.extraction.labels, **assertions.labels}
        for claim in assertions.claims():
            triple = claim.triple
            if triple.predicate == RDF.type:
                self.classes.setdefault(triple.subject, set()).add(triple.object)
                continue
            for node in (triple.subject, triple.object):
                label = labels.get(node, "")
                if isinstance(node, URIRef) and _NAME.match(label):
                    self.by_name.setdefault(bare(label), node)

    def called(self, one: ModelThing) -> Iterator[URIRef]:
        """Yield the nodes that we have for the names of a thing: of what we read, then mentions."""
        for name in one.names:
            if (node := self.by_name.get(bare(name))) is not None:
                yield node
        for (start, end), name in zip(one.places, one.names, strict=False):
            for at in dict.fromkeys((start, start + len(name) - len(_ARTICLE.sub("", name)))):
                found = self.by_place.get(at)
                if found is not None and abs(found[0] - end) <= 1:
                    yield found[1]


def bare(name: str) -> str:
    """Return a name as names are compared: its words, without an article."""
    return " ".join(re.findall(r"\w+", _ARTICLE.sub("", name).casefold()))
