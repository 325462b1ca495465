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

import heapq
import itertools
import re
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rdflib.term import Literal, Node, URIRef

from groundrules import domain
from groundrules.align.cluster import are_distinct, exclude
from groundrules.align.coverage import has_figures
from groundrules.align.limits import MAYBE_SAME, NEAR, NEARLY_SAME
from groundrules.align.passages import stems, words
from groundrules.claims.english.alternations import BOUNDS_OF_VALUES, BY_A_PHRASE
from groundrules.claims.english.signals import EXCEPTIONS, PROVISOS
from groundrules.claims.names.names import is_contest
from groundrules.claims.values.equivalence import compare
from groundrules.models.embed import EMBEDDED, encode
from groundrules.terms import Claim

#: Kinds of nodes that are names; two different ones are different things.
NAMED = frozenset({"PERSON", "ORG", "LOC", "MISC", "TERM"})
_AGREE = {"equal": 1.0, "claim-coarser": 1.0, "source-coarser": 1.0, "overlap": 0.6}
_WHERE = re.compile(r"\b(?:in|at|on|during|near)\s+(?:(?:the|both)\s+)?$", re.IGNORECASE)
_BOUND = re.compile(
    rf"\b({BOUNDS_OF_VALUES})\s+(?:the\s+end\s+of\s+|[^.;]{{1,30}}\s(?:and|to)\s+)?$",
    re.IGNORECASE,
)


class Match(NamedTuple):
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
    graphs: Graphs, candidates: Mapping[URIRef, Sequence[Claim]], *, model: str = EMBEDDED
) -> dict[URIRef, tuple[Match, ...]]:
    """Return for each claim its matches: agreeing ones, else differing ones, else the nearest.

    `candidates` names the references worth comparing with each claim. Matches are sorted by
    similarity, the mean over the three parts.
    """
    marks = _Marks(graphs)
    asked: dict[URIRef, tuple[Hashable, ...]] = {}
    for claim in graphs.claims:
        theirs = (marks.of_reference(one) for one in candidates.get(claim.id, ()))
        asked[claim.id] = (model, marks.of_claim(claim), *theirs)
    with _lock:
        known = {key: _chosen[key] for key in asked.values() if key in _chosen}
    waiting = [claim for claim in graphs.claims if asked[claim.id] not in known]
    similar = _Similarity(graphs, waiting, candidates, model)
    fresh = {}
    for claim in waiting:
        references = candidates.get(claim.id, ())
        fresh[asked[claim.id]] = _choose(claim, references, similar, graphs)
    known |= fresh
    with _lock:
        _chosen.update(fresh)
        while len(_chosen) > _KEPT:
            _chosen.popitem(last=False)
    out: dict[URIRef, tuple[Match, ...]] = {}
    for claim in graphs.claims:
        given = candidates.get(claim.id, ())
        found = known[asked[claim.id]]
        out[claim.id] = tuple(one.match(claim, given[one.place]) for one in found)
    return out


class _Chosen(NamedTuple):
    """A match without its statements: `place` is that of the reference among those compared."""

    place: int
    similarity: float
    parts: tuple[float, float, float]
    slot: str

    def match(self, claim: Claim, reference: Claim) -> Match:
        return Match(claim, reference, self.similarity, self.parts, self.slot)


#: Claims that are kept with what was chosen: a text repeats itself, and is read again with edits.
_KEPT = 8192
_chosen: OrderedDict[tuple[Hashable, ...], tuple[_Chosen, ...]] = OrderedDict()
_lock = threading.Lock()


class _Marks:
    """Marks of the statements of graphs, equal where all that decides on a match is equal."""

    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs
        self._references: dict[URIRef, Hashable] = {}

    def of_claim(self, claim: Claim) -> Hashable:
        """Return the mark of a claim, the same wherever it stands."""
        return _mark(*self._compared_key(claim))

    def of_reference(self, reference: Claim) -> Hashable:
        """Return the mark of a reference; those that tie are told apart by place and name."""
        found = self._references.get(reference.id)
        if found is None:
            found = _mark(*self._compared_key(reference), reference.span, reference.id)
            self._references[reference.id] = found
        return found

    def _compared_key(self, statement: Claim) -> Iterator[Hashable]:
        start, triple = statement.span.start, statement.triple
        yield from (statement.polarity, statement.modality, statement.attribution)
        yield self._graphs.texts.get(statement.id, "")
        for part in statement.parts:
            yield part and (part.start - start, part.end - start)
        for node in (triple.subject, triple.predicate, triple.object):
            yield from (node, self._graphs.labels.get(node), self._graphs.kinds.get(node))


@lru_cache(maxsize=32768)
def _mark(*key: Hashable) -> object:
    """Return an object that stands for what is compared, which takes long to compare."""
    return object()


def _choose(
    claim: Claim, references: Sequence[Claim], similar: _Similarity, graphs: Graphs
) -> tuple[_Chosen, ...]:
    """Return what matches a claim among references, see `best_references`."""
    found = [_match_with(claim, reference, similar, graphs) for reference in references]
    if any(_may_both_be_true(match) for match in found):
        # one statement leaves room for the value: another of its kind does not exclude it
        found = [m for m in found if m.slot != "object" or not _of_values(m)]
    for slot, part in (("object", 0), ("subject", 2)):
        if any(_shares_relation(match, part, similar) for match in found):
            found = [m for m in found if m.slot != slot or _of_values(m)]
    found.sort(key=lambda match: (-match.similarity, match.reference.span, match.reference.id))
    agreeing = [match for match in found if match.slot == "none"]
    differing = [match for match in found if match.slot]
    places = {reference.id: place for place, reference in enumerate(references)}
    return tuple(
        _Chosen(places[match.reference.id], match.similarity, match.parts, match.slot)
        for match in agreeing[:3] or differing[:3] or found[:1]
    )


def _of_values(match: Match) -> bool:
    ends = (match.claim.triple.object, match.reference.triple.object)
    return all(isinstance(end, Literal) for end in ends)


def _may_both_be_true(match: Match) -> bool:
    """Return whether claim and reference differ in two values that overlap, and in nothing else."""
    s, p, o = match.parts
    return (
        s >= NEAR
        and p >= NEAR
        and o > 0
        and match.claim.polarity == match.reference.polarity
        and _of_values(match)
    )


def _shares_relation(match: Match, part: int, similar: _Similarity) -> bool:
    """Return whether a statement has the claim's relation and other end, and may be about it.

    `part` is the end in which the two need not agree, 0 the subject and 2 the object: "notices to
    the Landlord are sent to 88 Summit Avenue" may be what a claim about notices means.
    """
    if (
        match.parts[1] < NEAR
        or match.parts[2 - part] < NEARLY_SAME
        or match.slot in ("none", "swap")
    ):
        return False
    mine, other = similar.parts(match.claim), similar.parts(match.reference)
    return (
        match.claim.polarity == match.reference.polarity
        and similar.labels[mine[1]] != "be"  # a thing is many things
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
        self,
        graphs: Graphs,
        claims: Sequence[Claim],
        candidates: Mapping[URIRef, Sequence[Claim]],
        model: str,
    ) -> None:
        wanted = list(claims)
        seen: set[URIRef] = set()
        for claim in claims:
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
        self._values: dict[tuple[int, int], str] = {}
        self._several: dict[URIRef, bool] = {}
        self._placed: dict[URIRef, bool] = {}
        self._texts = graphs.texts

    def parts(self, statement: Claim) -> _Parts:
        """Return the rows of subject, relation and object."""
        return self._parts[statement.id]

    def placed(self, statement: Claim) -> bool:
        """Return whether a word of time or place stands before the object: "met in Paris"."""
        found = self._placed.get(statement.id)
        if found is None:
            place = statement.parts[2]
            end = place.start - statement.span.start if place else 0
            found = _WHERE.search(self._texts.get(statement.id, "")[:end]) is not None
            self._placed[statement.id] = found
        return found

    def bound(self, statement: Claim) -> str:
        """Return the word that bounds or rounds a value, as "before" of "before 2015", else ""."""
        place, relation = statement.parts[2], self.labels[self.parts(statement).relation]
        end = place.start - statement.span.start if place else 0
        found = _BOUND.search(self._texts.get(statement.id, "")[:end])
        word = found[1].casefold() if found else ""
        # "lived from 1820", "the term runs until 2030": the relation has it already
        said = statement.parts[1] is None or relation.startswith(("be born ", "die "))
        return "" if said and word in BY_A_PHRASE else word

    def of_many(self, statement: Claim) -> bool:
        """Return whether a sentence tells of one among several: "is a founder of"."""
        found = self._several.get(statement.id)
        if found is None:
            _, relation, thing = (self.labels[row] for row in self.parts(statement))
            noun = re.escape(thing if relation == "be" else relation)
            several = rf"\b(?:an?|another|one of (?:the|its|his|her|their))\s(?:[\w-]+\s)?{noun}"
            found = re.search(several, self._texts.get(statement.id, ""), re.IGNORECASE) is not None
            self._several[statement.id] = found
        return found

    def role(self, row: int) -> bool:
        """Return whether a node is a role that a document gives to someone: Licensor, tenant."""
        return self.kinds[row] == "TERM" or self.labels[row].casefold() in domain.words().roles

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
        if are_distinct(self.labels[a], self.labels[b]):
            return min(cosine, 0.3)
        first, second = self._stems[a], self._stems[b]
        if first and first == second:
            return max(cosine, 0.9)  # the same words but for a preposition or an auxiliary
        return cosine

    def passive(self, relation: int) -> bool:
        """Return whether the subject is what it is done to: “be painted at”, not “paint at”."""
        return self.labels[relation].startswith("be ")

    def things(self, a: int, b: int) -> float:
        """Return how alike two subjects or objects are."""
        if a == b:
            return 1.0
        found = self._things.get((a, b))
        if found is None:
            found = self._things[a, b] = self._of_things(a, b)
        return found

    def values(self, a: int, b: int) -> str:
        """Return how two values compare, empty where one is none."""
        if not (self.literal[a] and self.literal[b]):
            return ""
        found = self._values.get((a, b))
        if found is None:
            one, two = self.nodes[a], self.nodes[b]
            assert isinstance(one, Literal)
            assert isinstance(two, Literal)
            found = self._values[a, b] = compare(one, two)
        return found

    def _of_things(self, a: int, b: int) -> float:
        if self.literal[a] or self.literal[b]:
            return _AGREE.get(self.values(a, b), 0.0)
        mine, other = self._words[a], self._words[b]
        if self.named[a] and self.named[b]:
            if "PERSON" not in (self.kinds[a], self.kinds[b]):  # "two Nobel Prizes"
                mine, other = [w.rstrip("s") for w in mine], [w.rstrip("s") for w in other]
            within = set(mine) <= set(other) or set(other) <= set(mine)
            return 0.8 if within and mine and other else 0.0
        if are_distinct(self.labels[a], self.labels[b]):
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


def _match_with(claim: Claim, reference: Claim, similar: _Similarity, graphs: Graphs) -> Match:
    mine, other = similar.parts(claim), similar.parts(reference)
    s = similar.things(mine.subject, other.subject)
    p = similar.relations(mine.relation, other.relation)
    o = similar.things(mine.object, other.object)
    mean = (s + p + o) / 3
    slot = ""
    if s >= NEAR and p >= NEAR and o >= NEAR:
        same = claim.polarity == reference.polarity
        excepted = not same and _excepted(claim, reference, graphs)
        slot = "none" if same else "exception" if excepted else "polarity"
    elif claim.polarity != reference.polarity:
        slot = ""
    elif p >= NEAR and mine.subject != mine.object:
        crossed = (
            similar.things(mine.subject, other.object),
            similar.things(mine.object, other.subject),
        )
        # "pay" and "be paid to" relate two things the other way about
        turned = is_passive(similar.labels[mine.relation]) != is_passive(
            similar.labels[other.relation]
        )
        ends = [similar.labels[one.relation].endswith(" to") for one in (mine, other)]
        turned |= ends[0] is not ends[1]  # who is awarded a medal has one awarded to him
        if min(crossed) >= NEARLY_SAME and not turned and not (s >= NEAR and o >= NEAR):
            s, o = crossed
            mean, slot = (s + p + o) / 3, "swap"
        elif s >= MAYBE_SAME and _exclusive(mine.object, other.object, similar):
            slot = "object"
        elif (
            o >= MAYBE_SAME
            and similar.passive(mine.relation) == similar.passive(other.relation)
            and _exclusive(mine.subject, other.subject, similar)
        ):
            slot = "subject"
        if slot in {"object", "subject"}:
            part, shared = (
                (mine.object, mine.subject) if slot == "object" else (mine.subject, mine.object)
            )
            # a defined role has one holder, though both parties stand in the sentence
            role = similar.labels[mine.relation] == "be" and similar.role(shared)
            if not role and _tells_both(part, claim, reference, similar, graphs):
                slot = ""
            elif (
                slot == "object"
                and not similar.literal[part]
                and similar.placed(claim) != similar.placed(reference)
            ):
                slot = ""  # "won in" tells where, "won" what; a day is a day anyway
            elif slot == "object" and similar.placed(claim) and is_contest(similar.labels[part]):
                slot = ""  # "affirmed in Smith v. Jones" names what is told of
            elif similar.of_many(claim) or similar.of_many(reference):
                slot = ""
            elif similar.literal[part] and similar.bound(claim) != similar.bound(reference):
                slot = ""  # "joined in 2012" is no other day than "joined before 2015"
            else:
                # two parts agree: the third is what the match is about, not what it lacks
                mean = (p + (s if slot == "object" else o)) / 2
    return Match(claim, reference, mean, (s, p, o), slot)


def _exclusive(a: int, b: int, similar: _Similarity) -> bool:
    """Return whether two nodes of one kind cannot be the same thing."""
    if similar.literal[a] or similar.literal[b]:
        return similar.values(a, b) == "disjoint"
    if a == b:
        return False
    if not (similar.named[a] or similar.named[b]):
        return exclude(similar.labels[a], similar.labels[b])
    if not (similar.named[a] and similar.named[b]) or similar.things(a, b) > 0:
        return False
    # MISC is what a tagger says when it is not sure
    kinds = {similar.kinds[a], similar.kinds[b]} - {"MISC"}
    return len(kinds) < 2 or kinds <= {"ORG", "PERSON", "TERM"}


def _tells_both(
    part: int, claim: Claim, reference: Claim, similar: _Similarity, graphs: Graphs
) -> bool:
    """Return whether the reference's sentence leaves room for the claimed part as well.

    A sentence that names both, or has each word of it, may say of the one what we read of the
    other: "in both Physics and Chemistry". One value is beside another where it is of another case.
    """
    if similar.literal[part]:
        value, start = claim.parts[2], claim.span.start
        if value is None:
            return False
        place = (value.start - start, value.end - start)
        return not has_figures(graphs.texts[claim.id], graphs.texts[reference.id], place)
    text = graphs.texts.get(reference.id, "")
    label = similar.labels[part].casefold()
    if not label:
        return False
    low = text.casefold()  # most often the label is not there at all
    if label in low and re.search(rf"(?<!\w){re.escape(label)}(?!\w)", low):
        return True
    return " and " in label and set(words(label)) <= {*words(text), "and"}


def _excepted(claim: Claim, reference: Claim, graphs: Graphs) -> bool:
    """Return whether the denial holds but for an exception that the claim also makes."""
    source = words(graphs.texts.get(reference.id, ""))
    text = words(graphs.texts.get(claim.id, ""))
    excepted = not EXCEPTIONS.isdisjoint(source) or ("other", "than") in itertools.pairwise(source)
    return excepted and not PROVISOS.isdisjoint(text)


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
    by_sentence: dict[tuple[str, int], list[int]] = defaultdict(list)
    by_node: dict[tuple[Node, Node | None], list[int]] = defaultdict(list)
    spans = [(one.span.source, one.span.start, one.span.end) for one in references]
    # numbers stand for references: they compare faster than names and spans
    rank = {span: number for number, span in enumerate(sorted(set(spans)))}
    order = [rank[span] for span in spans]
    for number, reference in enumerate(references):
        by_sentence[reference.span.source, reference.sentence].append(number)
        for node in {reference.triple.subject, reference.triple.object}:
            by_node[node, None].append(number)
            by_node[node, reference.triple.predicate].append(number)
    ranked: dict[tuple[Node, Node], dict[int, int]] = {}

    def rank_about(node: Node, relation: Node) -> dict[int, int]:
        """Return the references of a node with their ranks, the lowest first."""
        found = ranked.get((node, relation))
        if found is None:
            # a node that everything is said of: those of the same relation first
            alike = dict.fromkeys(by_node.get((node, relation), ())[: 4 * most])
            about = dict.fromkeys(by_node.get((node, None), ())[: 4 * most])
            ranks = [
                (order[number] - (3 if number in alike else 2) * len(rank), number)
                for number in alike | about
            ]
            found = ranked[node, relation] = {number: place for place, number in sorted(ranks)}
        return found

    out: dict[URIRef, list[Claim]] = {}
    for claim in claims:
        near = (by_sentence.get(place, ()) for place in near_sentences.get(claim.id, ()))
        chosen = dict.fromkeys(itertools.chain.from_iterable(near))
        s, p, o = claim.triple.subject, claim.triple.predicate, claim.triple.object
        first, second = rank_about(s, p), rank_about(o, p)
        # what shares both nodes comes before what shares one
        both = {number: first[number] + second[number] - order[number] for number in first
                if number in second}  # fmt: skip
        chosen |= dict.fromkeys(sorted(both, key=lambda n: (both[n], first[n], n)))
        alone = heapq.merge(
            ((place, 0, number) for number, place in first.items() if number not in both),
            ((place, 1, number) for number, place in second.items() if number not in both),
        )
        while len(chosen) < most and (found := next(alone, None)):
            chosen.setdefault(found[2])
        out[claim.id] = [references[number] for number in itertools.islice(chosen, most)]
    return out
