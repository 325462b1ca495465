"""The best reference triple for each claim, and the part in which they differ (KEA Explain).

A match says in which one slot claim and reference differ:

========= ==========================================================================
none      all three parts agree
polarity  all three agree, one of the two is denied
swap      the same two things with subject and object exchanged
subject   relation and object agree, the subjects are different things of one kind
object    subject and relation agree, the objects are different things of one kind
(empty)   anything else: the nearest statement, no contradiction
========= ==========================================================================

A difference counts as one only between things that can be told apart: two values that exclude each
other, or two names. Numbers, dates and names never agree by similarity alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rdflib.term import Literal, Node, URIRef

from groundrules.align.embed import EMBEDDED, encode
from groundrules.align.passages import stems, words
from groundrules.claims.values import compare
from groundrules.terms import Claim

#: Kinds of nodes that are names; two different ones are different things.
NAMED = frozenset({"PERSON", "ORG", "LOC", "MISC", "TERM"})
#: Parts agree from this similarity on: one minus KEA's linkage threshold.
NEAR = 0.65
_AGREE = {"equal": 1.0, "coarser": 1.0, "finer": 1.0, "overlap": 0.6}
_EXCEPTION = frozenset("without unless except until only other than".split())
_PROVISO = frozenset("with without unless except if until only upon subject after".split())


@dataclass(frozen=True, slots=True)
class Match:
    """A reference statement beside a claim; `parts` are the similarities of s, p and o in 0..1."""

    claim: Claim
    reference: Claim
    similarity: float
    parts: tuple[float, float, float]
    slot: str


@dataclass(frozen=True, slots=True)
class Graphs:
    """Claims and references with what is known about their nodes.

    `texts` gives the sentence of each statement, `kinds` the kind of each node (see `Mention`).
    """

    claims: Sequence[Claim]
    references: Sequence[Claim]
    labels: Mapping[Node, str]
    kinds: Mapping[Node, str]
    texts: Mapping[URIRef, str]


def best_references(
    graphs: Graphs,
    candidates: Mapping[URIRef, Iterable[Claim]],
    *,
    near: float = NEAR,
    model: str = EMBEDDED,
) -> dict[URIRef, tuple[Match, ...]]:
    """Return for each claim its matches: agreeing ones, else differing ones, else the nearest.

    `candidates` names the references worth comparing with each claim. Matches are sorted by
    similarity, the mean over the three parts.
    """
    similar = _Similarity(graphs, candidates, model)
    out: dict[URIRef, tuple[Match, ...]] = {}
    for claim in graphs.claims:
        found = [
            _match(claim, reference, similar, graphs, near)
            for reference in candidates.get(claim.id, ())
        ]
        found.sort(key=lambda match: (-match.similarity, match.reference.span, match.reference.id))
        agreeing = [match for match in found if match.slot == "none"]
        differing = [match for match in found if match.slot]
        out[claim.id] = tuple(agreeing[:3] or differing[:3] or found[:1])
    return out


class _Similarity:
    """Similarities of the parts of claims and references, from vectors computed in one batch."""

    def __init__(
        self, graphs: Graphs, candidates: Mapping[URIRef, Iterable[Claim]], model: str
    ) -> None:
        self._labels = graphs.labels
        self._kinds = graphs.kinds
        wanted = list(graphs.claims)
        seen: set[URIRef] = set()
        for claim in graphs.claims:
            for reference in candidates.get(claim.id, ()):
                if reference.id not in seen:
                    seen.add(reference.id)
                    wanted.append(reference)
        nodes = dict.fromkeys(
            node
            for statement in wanted
            for node in (
                statement.triple.subject,
                statement.triple.predicate,
                statement.triple.object,
            )
            if not isinstance(node, Literal)
        )
        self._row = {node: row for row, node in enumerate(nodes)}
        vectors = encode([self.label(node) for node in nodes], model=model)
        self._cosine = vectors @ vectors.T if len(nodes) else vectors

    def label(self, node: Node) -> str:
        return self._labels.get(node, str(node))

    def named(self, node: Node) -> bool:
        return self._kinds.get(node) in NAMED

    def relations(self, a: Node, b: Node) -> float:
        """Return how alike two relation phrases are."""
        if a == b:
            return 1.0
        cosine = self._cos(a, b)
        first, second = stems(self.label(a)), stems(self.label(b))
        if first and first == second:
            return max(cosine, 0.9)  # the same words but for a preposition or an auxiliary
        return cosine

    def things(self, a: Node, b: Node) -> float:
        """Return how alike two subjects or objects are."""
        if a == b:
            return 1.0
        if isinstance(a, Literal) and isinstance(b, Literal):
            return _AGREE.get(compare(a, b), 0.0)
        if isinstance(a, Literal) or isinstance(b, Literal):
            return 0.0
        mine, other = words(self.label(a)), words(self.label(b))
        if self.named(a) and self.named(b):
            within = set(mine) <= set(other) or set(other) <= set(mine)
            return 0.8 if within and mine and other else 0.0
        if _numbers(mine) != _numbers(other):
            return min(self._cos(a, b), 0.3)
        if mine and other and mine[-1] == other[-1]:
            return max(self._cos(a, b), NEAR)  # the same head noun
        return self._cos(a, b)

    def _cos(self, a: Node, b: Node) -> float:
        return max(0.0, float(self._cosine[self._row[a], self._row[b]]))


def _numbers(tokens: Iterable[str]) -> set[str]:
    return {token for token in tokens if token[0].isdigit()}


def _match(
    claim: Claim, reference: Claim, similar: _Similarity, graphs: Graphs, near: float
) -> Match:
    mine, other = claim.triple, reference.triple
    s = similar.things(mine.subject, other.subject)
    p = similar.relations(mine.predicate, other.predicate)
    o = similar.things(mine.object, other.object)
    mean = (s + p + o) / 3
    slot = ""
    if s >= near and p >= near and o >= near:
        same = claim.polarity == reference.polarity
        slot = "none" if same else "" if _excepted(claim, reference, graphs) else "polarity"
    elif claim.polarity != reference.polarity:
        slot = ""
    elif p >= near and mine.subject != mine.object:
        crossed = (
            similar.things(mine.subject, other.object),
            similar.things(mine.object, other.subject),
        )
        if min(crossed) >= 0.9 and not (s >= near and o >= near):
            s, o = crossed
            mean, slot = (s + p + o) / 3, "swap"
        elif s >= 0.8 and _exclusive(mine.object, other.object, similar):
            slot = "object"
        elif o >= 0.8 and _exclusive(mine.subject, other.subject, similar):
            slot = "subject"
        if slot in {"object", "subject"}:
            part = mine.object if slot == "object" else mine.subject
            if _beside(part, claim, reference, similar, graphs):
                slot = ""
            else:
                # two parts agree: the third is what the match is about, not what it lacks
                mean = (p + (s if slot == "object" else o)) / 2
    return Match(claim, reference, mean, (s, p, o), slot)


def _exclusive(a: Node, b: Node, similar: _Similarity) -> bool:
    """Return whether two nodes of one kind cannot be the same thing."""
    if isinstance(a, Literal) and isinstance(b, Literal):
        return compare(a, b) == "disjoint"
    if isinstance(a, Literal) or isinstance(b, Literal) or a == b:
        return False
    if not (similar.named(a) and similar.named(b)) or similar.things(a, b) > 0:
        return False
    kinds = {similar._kinds.get(a), similar._kinds.get(b)}
    return len(kinds) == 1 or kinds <= {"ORG", "PERSON", "TERM"}


def _beside(
    part: Node, claim: Claim, reference: Claim, similar: _Similarity, graphs: Graphs
) -> bool:
    """Return whether the claimed part stands in the reference's sentence as well.

    A sentence that names both may say of the one what we read of the other.
    """
    if isinstance(part, Literal):
        return False
    text = graphs.texts.get(reference.id, "").casefold()
    label = similar.label(part).casefold()
    return bool(label) and re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text) is not None


def _excepted(claim: Claim, reference: Claim, graphs: Graphs) -> bool:
    """Return whether the denial holds but for an exception that the claim also makes."""
    source = set(words(graphs.texts.get(reference.id, "")))
    text = set(words(graphs.texts.get(claim.id, "")))
    return bool(source & _EXCEPTION and text & _PROVISO)


def candidates_of(
    claims: Sequence[Claim],
    references: Sequence[Claim],
    near_sentences: Mapping[URIRef, Iterable[tuple[str, int]]],
    *,
    most: int = 80,
) -> dict[URIRef, list[Claim]]:
    """Return for each claim the references of its nearest sentences and those that share a node.

    `near_sentences` gives (source, sentence number) pairs; at most `most` are kept a claim, those
    of near sentences first, then the ones that share more nodes.
    """
    by_sentence: dict[tuple[str, int], list[Claim]] = defaultdict(list)
    by_node: dict[Node, list[Claim]] = defaultdict(list)
    for reference in references:
        by_sentence[reference.span.source, reference.sentence].append(reference)
        for node in {reference.triple.subject, reference.triple.object}:
            by_node[node].append(reference)
    out: dict[URIRef, list[Claim]] = {}
    for claim in claims:
        chosen = {
            reference.id: reference
            for place in near_sentences.get(claim.id, ())
            for reference in by_sentence.get(place, ())
        }
        nodes = (claim.triple.subject, claim.triple.object)
        sharing: dict[URIRef, int] = defaultdict(int)
        found: dict[URIRef, Claim] = {}
        for node in nodes:
            for reference in by_node.get(node, ())[: 4 * most]:
                sharing[reference.id] += 2
                found[reference.id] = reference
                if reference.triple.predicate == claim.triple.predicate:
                    sharing[reference.id] += 1
        for place in sorted(found, key=lambda name: (-sharing[name], found[name].span)):
            chosen.setdefault(place, found[place])
        out[claim.id] = list(chosen.values())[:most]
    return out
