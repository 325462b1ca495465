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

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rdflib.term import Literal, Node, URIRef

from groundrules.align.cluster import exclude, told_apart
from groundrules.align.embed import EMBEDDED, encode
from groundrules.align.passages import stems, words
from groundrules.claims.names import lists
from groundrules.claims.values import compare
from groundrules.terms import Claim

#: Kinds of nodes that are names; two different ones are different things.
NAMED = frozenset({"PERSON", "ORG", "LOC", "MISC", "TERM"})
#: Parts agree from this similarity on: one minus KEA's linkage threshold.
NEAR = 0.65
_AGREE = {"equal": 1.0, "coarser": 1.0, "finer": 1.0, "overlap": 0.6}
_EXCEPTION = frozenset("without unless except until only".split())
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
        if any(_may_both_hold(match, near) for match in found):
            # one statement leaves room for the value: another of its kind does not exclude it
            found = [m for m in found if m.slot != "object" or not _of_values(m)]
        for slot, part in (("object", 0), ("subject", 2)):
            if any(_half_said(match, part, similar, near) for match in found):
                found = [m for m in found if m.slot != slot or _of_values(m)]
        found.sort(key=lambda match: (-match.similarity, match.reference.span, match.reference.id))
        agreeing = [match for match in found if match.slot == "none"]
        differing = [match for match in found if match.slot]
        out[claim.id] = tuple(agreeing[:3] or differing[:3] or found[:1])
    return out


def _of_values(match: Match) -> bool:
    ends = (match.claim.triple.object, match.reference.triple.object)
    return all(isinstance(end, Literal) for end in ends)


def _may_both_hold(match: Match, near: float) -> bool:
    """Return whether claim and reference differ in two values that overlap, and in nothing else."""
    s, p, o = match.parts
    same = match.claim.polarity == match.reference.polarity
    return same and s >= near and p >= near and o > 0 and _of_values(match)


def _half_said(match: Match, part: int, similar: _Similarity, near: float) -> bool:
    """Return whether a statement has the claim's relation and other end, and may be about it.

    `part` is the end in which the two need not agree, 0 the subject and 2 the object: "notices to
    the Landlord are sent to 88 Summit Avenue" may be what a claim about notices means.
    """
    mine, other = similar.parts(match.claim), similar.parts(match.reference)
    return (
        match.claim.polarity == match.reference.polarity
        and match.slot not in ("none", "swap")
        and similar.labels[mine[1]] != "be"  # a thing is many things
        and match.parts[1] >= near
        and match.parts[2 - part] >= 0.9
        and not _exclusive(mine[part], other[part], similar)
    )


class _Parts(NamedTuple):
    """The rows of subject, relation and object of a statement."""

    subject: int
    relation: int
    object: int


class _Similarity:
    """Similarities of the parts of claims and references, from vectors computed in one batch.

    Each node has a row, by which its label and kind are found.
    """

    def __init__(
        self, graphs: Graphs, candidates: Mapping[URIRef, Iterable[Claim]], model: str
    ) -> None:
        wanted = list(graphs.claims)
        seen: set[URIRef] = set()
        for claim in graphs.claims:
            for reference in candidates.get(claim.id, ()):
                if reference.id not in seen:
                    seen.add(reference.id)
                    wanted.append(reference)
        rows: dict[Node, int] = {}
        self._parts = {
            statement.id: _Parts(
                *(
                    rows.setdefault(node, len(rows))
                    for node in (
                        statement.triple.subject,
                        statement.triple.predicate,
                        statement.triple.object,
                    )
                )
            )
            for statement in wanted
        }
        self.nodes = list(rows)
        self.labels = [graphs.labels.get(node, str(node)) for node in rows]
        self.literal = [isinstance(node, Literal) for node in rows]
        self.kinds = [graphs.kinds.get(node, "NOUN") for node in rows]
        self.named = [graphs.kinds.get(node) in NAMED for node in rows]
        named = [row for row, literal in enumerate(self.literal) if not literal]
        vectors = encode([self.labels[row] for row in named], model=model)
        self._vectors = dict(zip(named, vectors, strict=True))
        self._words = [words(label) for label in self.labels]
        self._heads = [_head(found) for found in self._words]
        self._stems = [stems(label) for label in self.labels]
        # pairs recur: what is said of one thing is said in few words
        self._things: dict[tuple[int, int], float] = {}
        self._relations: dict[tuple[int, int], float] = {}

    def parts(self, statement: Claim) -> _Parts:
        """Return the rows of subject, relation and object."""
        return self._parts[statement.id]

    def role(self, row: int) -> bool:
        """Return whether a node is a role that a document gives to someone: Licensor, tenant."""
        return self.kinds[row] == "TERM" or self.labels[row].casefold() in lists()["roles"]

    def relations(self, a: int, b: int) -> float:
        """Return how alike two relation phrases are."""
        if a == b:
            return 1.0
        found = self._relations.get((a, b))
        if found is None:
            found = self._relations[a, b] = self._of_relations(a, b)
        return found

    def _of_relations(self, a: int, b: int) -> float:
        cosine = self._cos(a, b)
        if told_apart(self.labels[a], self.labels[b]):
            return min(cosine, 0.3)
        first, second = self._stems[a], self._stems[b]
        if first and first == second:
            return max(cosine, 0.9)  # the same words but for a preposition or an auxiliary
        return cosine

    def things(self, a: int, b: int) -> float:
        """Return how alike two subjects or objects are."""
        if a == b:
            return 1.0
        found = self._things.get((a, b))
        if found is None:
            found = self._things[a, b] = self._of_things(a, b)
        return found

    def _of_things(self, a: int, b: int) -> float:
        one, two = self.nodes[a], self.nodes[b]
        if isinstance(one, Literal) and isinstance(two, Literal):
            return _AGREE.get(compare(one, two), 0.0)
        if self.literal[a] or self.literal[b]:
            return 0.0
        mine, other = self._words[a], self._words[b]
        if self.named[a] and self.named[b]:
            within = set(mine) <= set(other) or set(other) <= set(mine)
            return 0.8 if within and mine and other else 0.0
        if told_apart(self.labels[a], self.labels[b]):
            return min(self._cos(a, b), 0.3)
        if self.named[a] or self.named[b]:
            return min(self._cos(a, b), 0.6)  # a phrase with a name in it is not the name
        if self._heads[a] and self._heads[a] == self._heads[b]:
            return max(self._cos(a, b), NEAR)
        return self._cos(a, b)

    def _cos(self, a: int, b: int) -> float:
        # pair by pair: a square over all nodes would grow with the square of the text; rounded,
        # so that the last bits of a vector decide nothing
        cosine = float(self._vectors[a] @ self._vectors[b])
        return round(max(0.0, cosine), 5)


def is_passive(relation: str) -> bool:
    """Return whether a relation phrase is a passive or a copula: `be paid to`."""
    return relation.startswith("be ")


def _head(tokens: Sequence[str]) -> str:
    """Return the last word before the first `of`: the head of most noun phrases."""
    end = tokens.index("of") if "of" in tokens else len(tokens)
    return tokens[end - 1] if end else ""


def _match(
    claim: Claim, reference: Claim, similar: _Similarity, graphs: Graphs, near: float
) -> Match:
    mine, other = similar.parts(claim), similar.parts(reference)
    s = similar.things(mine.subject, other.subject)
    p = similar.relations(mine.relation, other.relation)
    o = similar.things(mine.object, other.object)
    mean = (s + p + o) / 3
    slot = ""
    if s >= near and p >= near and o >= near:
        same = claim.polarity == reference.polarity
        excepted = not same and _excepted(claim, reference, graphs)
        slot = "none" if same else "exception" if excepted else "polarity"
    elif claim.polarity != reference.polarity:
        slot = ""
    elif p >= near and mine.subject != mine.object:
        crossed = (
            similar.things(mine.subject, other.object),
            similar.things(mine.object, other.subject),
        )
        # "pay" and "be paid to" relate two things the other way about
        turned = is_passive(similar.labels[mine.relation]) != is_passive(
            similar.labels[other.relation]
        )
        if min(crossed) >= 0.9 and not turned and not (s >= near and o >= near):
            s, o = crossed
            mean, slot = (s + p + o) / 3, "swap"
        elif s >= 0.8 and _exclusive(mine.object, other.object, similar):
            slot = "object"
        elif o >= 0.8 and _exclusive(mine.subject, other.subject, similar):
            slot = "subject"
        if slot in {"object", "subject"}:
            part, shared = (
                (mine.object, mine.subject) if slot == "object" else (mine.subject, mine.object)
            )
            # a defined role has one holder, though both parties stand in the sentence
            role = similar.labels[mine.relation] == "be" and similar.role(shared)
            if not role and _beside(part, claim, reference, similar, graphs):
                slot = ""
            else:
                # two parts agree: the third is what the match is about, not what it lacks
                mean = (p + (s if slot == "object" else o)) / 2
    return Match(claim, reference, mean, (s, p, o), slot)


def _exclusive(a: int, b: int, similar: _Similarity) -> bool:
    """Return whether two nodes of one kind cannot be the same thing."""
    one, two = similar.nodes[a], similar.nodes[b]
    if isinstance(one, Literal) and isinstance(two, Literal):
        return compare(one, two) == "disjoint"
    if similar.literal[a] or similar.literal[b] or a == b:
        return False
    if not (similar.named[a] or similar.named[b]):
        return exclude(similar.labels[a], similar.labels[b])
    if not (similar.named[a] and similar.named[b]) or similar.things(a, b) > 0:
        return False
    # MISC is what a tagger says when it is not sure
    kinds = {similar.kinds[a], similar.kinds[b]} - {"MISC"}
    return len(kinds) < 2 or kinds <= {"ORG", "PERSON", "TERM"}


def _beside(
    part: int, claim: Claim, reference: Claim, similar: _Similarity, graphs: Graphs
) -> bool:
    """Return whether the claimed part stands in the reference's sentence as well.

    A sentence that names both may say of the one what we read of the other.
    """
    if similar.literal[part]:
        return False
    text = graphs.texts.get(reference.id, "").casefold()
    label = similar.labels[part].casefold()
    return bool(label) and re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text) is not None


def _excepted(claim: Claim, reference: Claim, graphs: Graphs) -> bool:
    """Return whether the denial holds but for an exception that the claim also makes."""
    source = words(graphs.texts.get(reference.id, ""))
    text = words(graphs.texts.get(claim.id, ""))
    excepted = not _EXCEPTION.isdisjoint(source) or ("other", "than") in itertools.pairwise(source)
    return excepted and not _PROVISO.isdisjoint(text)


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
    by_node: dict[tuple[Node, Node | None], list[Claim]] = defaultdict(list)
    for reference in references:
        by_sentence[reference.span.source, reference.sentence].append(reference)
        for node in {reference.triple.subject, reference.triple.object}:
            by_node[node, None].append(reference)
            by_node[node, reference.triple.predicate].append(reference)
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
            # a node that everything is said of: those of the same relation first
            alike = {
                reference.id: reference
                for reference in by_node.get((node, claim.triple.predicate), ())[: 4 * most]
            }
            about = {
                reference.id: reference for reference in by_node.get((node, None), ())[: 4 * most]
            }
            for name, reference in (alike | about).items():
                found[name] = reference
                sharing[name] += 3 if name in alike else 2
        for place in sorted(found, key=lambda name: (-sharing[name], found[name].span)):
            chosen.setdefault(place, found[place])
        out[claim.id] = list(chosen.values())[:most]
    return out
