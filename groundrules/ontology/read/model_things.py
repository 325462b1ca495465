"""Which thing of our own reading a thing is that somebody else tells of.

It is the one that we know where a name of it is that of what we read, or stands at a mention of
ours, and neither its class nor what is told of it excludes what we know. Where two told things
come to one of ours, they stay two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib.namespace import OWL, RDF, RDFS
from rdflib.term import Node, URIRef

from groundrules.claims.english.identity import POINTING
from groundrules.claims.llm_assertions import Told, ToldThing
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.termlist import Vocabulary

_ARTICLE = re.compile(POINTING)
#: A label that is a name, not "agreement".
_NAME = re.compile(r"[A-Z0-9]")

#: The classes of which a thing is to be one.
Wanted = frozenset[Node]


@dataclass(frozen=True, slots=True)
class ToldReading:
    """What somebody else has read of a text: by whom, in which terms, piece by piece."""

    by: str
    vocabulary: Vocabulary
    pieces: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """How a thing is used, as what a property is said of or as its value, and what that wants."""

    subject: bool
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class Axioms:
    """What axioms say of classes and properties that decides which thing may be which."""

    above: Mapping[Node, frozenset[Node]]
    apart: Mapping[Node, frozenset[Node]]
    inverse: Mapping[Node, URIRef]

    def may_be(self, one: Node, other: Node) -> bool:
        """Return whether what is of one class is of another: the same, one above or below."""
        return one == other or one in self._above(other) or other in self._above(one)

    def excludes(self, kind: Node, wanted: Wanted) -> bool:
        """Return whether a thing of a class can be of none of those that are wanted."""
        return bool(wanted) and wanted <= self.apart.get(kind, frozenset())

    def _above(self, kind: Node) -> frozenset[Node]:
        return self.above.get(kind, frozenset())


def axioms_of(ontology: Ontology) -> Axioms:
    """Return the axioms of an ontology that tell classes apart, and what is the inverse of what."""
    above: dict[Node, set[Node]] = {}
    apart: dict[Node, set[Node]] = {}
    inverse: dict[Node, URIRef] = {}
    for axiom in ontology.axioms:
        subject, predicate, value = axiom.subject, axiom.predicate, axiom.object
        if predicate in (RDFS.subClassOf, OWL.equivalentClass):
            above.setdefault(subject, set()).add(value)
        elif predicate == OWL.disjointWith:
            apart.setdefault(subject, set()).add(value)
            apart.setdefault(value, set()).add(subject)
        elif predicate == OWL.inverseOf and isinstance(value, URIRef):
            inverse.setdefault(subject, value)
    return Axioms(
        {node: frozenset(found) for node, found in above.items()},
        {node: frozenset(found) for node, found in apart.items()},
        inverse,
    )


def uses_of(told: ToldReading) -> dict[str, list[Use]]:
    """Return how each thing is used by what is told."""
    terms = told.vocabulary
    out: dict[str, list[Use]] = {}
    for piece in told.pieces:
        for row in piece.assertions:
            term = terms.properties.get(row.property)
            if term is None:
                continue
            for subject, thing, names in (
                (True, row.thing, term.domain),
                (False, row.named, term.range),
            ):
                if names:
                    out.setdefault(thing, []).append(Use(subject, _wanted(names, terms)))
    return out


def _wanted(names: Sequence[str], terms: Vocabulary) -> Wanted:
    return frozenset(terms.classes[name].iri for name in names)


def _bare(name: str) -> str:
    """Return a name as names are compared: its words, without an article."""
    return " ".join(re.findall(r"\w+", _ARTICLE.sub("", name).casefold()))


def nodes_of(
    assertions: Assertions, told: ToldReading, axioms: Axioms, uses: Mapping[str, Sequence[Use]]
) -> dict[str, URIRef]:
    """Return the node of each thing: one that our own reading has, or one of its own."""
    known = _known(assertions, told.vocabulary)
    same = dict(_same(told.pieces))
    ours: dict[str, URIRef] = {}
    for piece in told.pieces:
        for one in piece.things:
            kind = told.vocabulary.classes.get(one.kind)
            iri = kind.iri if kind else None
            fitting = (
                node
                for node in _called(one, known)
                if _allows(node, iri, uses.get(one.id, ()), known, axioms)
            )
            node = next(fitting, None)
            if node is not None:
                ours.setdefault(same[one.id], node)
    count = Counter(ours.values())
    out: dict[str, URIRef] = {}
    for piece in told.pieces:
        for one in piece.things:
            first = same[one.id]
            node = ours.get(first)
            if node is None or count[node] > 1:
                node = assertions.part(f"told:{first}")
            label = one.names[0] if one.names else one.kind
            assertions.labels.setdefault(node, label[:80] or first)
            out[one.id] = node
    return out


def _same(pieces: Sequence[Told]) -> Iterator[tuple[str, str]]:
    """Yield each thing with the first that it is: of other pieces, what is called and told alike.

    Where a piece has two of one name and description neither is taken for one of another piece.
    """
    first: dict[tuple[str, str, str], str] = {}
    for piece in pieces:
        keys = {
            one.id: (one.kind, _bare(one.names[0]) if one.names else "", one.apart.casefold())
            for one in piece.things
        }
        count = Counter(keys.values())
        for one in piece.things:
            key = keys[one.id]
            alone = bool(key[1]) and count[key] == 1
            yield one.id, first.setdefault(key, one.id) if alone else one.id


# --- what we know -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """Our own things: nodes by name and by the start of a mention, their classes and their uses."""

    by_name: Mapping[str, URIRef]
    by_place: Mapping[int, tuple[int, URIRef]]
    classes: Mapping[Node, frozenset[Node]]
    uses: Mapping[Node, tuple[Wanted, ...]]


def _known(assertions: Assertions, terms: Vocabulary) -> _Known:
    by_place: dict[int, tuple[int, URIRef]] = {}
    for mention in assertions.extraction.mentions:
        if isinstance(mention.node, URIRef):
            by_place.setdefault(mention.span.start, (mention.span.end, mention.node))
    by_iri = {term.iri: term for term in terms.properties.values()}
    labels = {**assertions.extraction.labels, **assertions.labels}
    by_name: dict[str, URIRef] = {}
    classes: dict[Node, set[Node]] = {}
    uses: dict[Node, list[Wanted]] = {}
    for claim in assertions.claims():
        triple = claim.triple
        subject, predicate, value = triple.subject, triple.predicate, triple.object
        if predicate == RDF.type:
            classes.setdefault(subject, set()).add(value)
            continue
        term = by_iri.get(predicate) if isinstance(predicate, URIRef) else None
        for node, names in (
            (subject, term.domain if term else ()),
            (value, term.range if term else ()),
        ):
            if names:
                uses.setdefault(node, []).append(_wanted(names, terms))
            label = labels.get(node, "")
            if isinstance(node, URIRef) and _NAME.match(label):
                by_name.setdefault(_bare(label), node)
    return _Known(
        by_name,
        by_place,
        {node: frozenset(found) for node, found in classes.items()},
        {node: tuple(found) for node, found in uses.items()},
    )


def _called(one: ToldThing, known: _Known) -> Iterator[URIRef]:
    """Yield the nodes that we have for the names of a thing: of what we read, then of mentions."""
    for name in one.names:
        node = known.by_name.get(_bare(name))
        if node is not None:
            yield node
    for (start, end), name in zip(one.places, one.names, strict=False):
        for at in dict.fromkeys((start, start + len(name) - len(_ARTICLE.sub("", name)))):
            found = known.by_place.get(at)
            if found is not None and abs(found[0] - end) <= 1:
                yield found[1]


def _allows(
    node: URIRef, kind: URIRef | None, uses: Collection[Use], known: _Known, axioms: Axioms
) -> bool:
    """Return whether a thing of a class, used so, can be the one that we know as a node."""
    classes = known.classes.get(node, frozenset())
    if kind is not None:
        if not all(axioms.may_be(one, kind) for one in classes):
            return False
        if any(axioms.excludes(kind, wanted) for wanted in known.uses.get(node, ())):
            return False
    return not any(axioms.excludes(one, use.wanted) for one in classes for use in uses)
