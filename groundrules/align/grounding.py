"""Put a text beside its sources: what agrees, what differs, and how well the sources carry it.

Everything neural or numeric is decided here and handed to the rules as scored facts; the rules
say what is wrong.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rdflib.namespace import RDF
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.align.entities import grounding_of, known_names
from groundrules.align.kernel import graph_kernel
from groundrules.align.merging import as_merged, merged_labels
from groundrules.align.passages import Passages, index_passages, nearest_passages, stems, words
from groundrules.align.select import NAMED, Graphs, Match, best_references, candidates_of
from groundrules.claims.english import PREPOSITIONS
from groundrules.claims.english.identity import WHOSE
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.values.equivalence import by_measure, compare
from groundrules.claims.values.value_reader import all_kinds
from groundrules.config import Config
from groundrules.terms import GR, METRIC, Claim, Mention, Triple, source_iri

#: How a value may relate to one of the sources that it is found in.
_FOUND = frozenset({"equal", "claim-coarser"})
_PREPOSITIONS = PREPOSITIONS | {"despite"}
#: Up to these, HalluGraph's figures are unsteady: reported, never hidden.
SPARSE_ENTITIES = 20
SPARSE_WORDS = 400
_WHOSE = re.compile(WHOSE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the checked text.

    `passages` are (source, start, end) places, nearest first. `verbatim`: its words stand there in
    one run. `exact`: they do, or all its words and triples are found there.
    """

    text: str
    start: int
    end: int
    claims: tuple[Claim, ...]
    passages: tuple[tuple[str, int, int], ...]
    verbatim: bool
    exact: bool


@dataclass(frozen=True, slots=True)
class Grounding:
    """A text put beside its sources, nodes unified.

    `entities` says how well the sources know each thing, 0..1, as the text words it; `named` how
    well they know the capitalised words of those that have any but the first of a sentence.
    `mentioned` are the names and values of the text, those in no claim included; `grounds` says of
    its values, and of what the question names, where they are found; `copied` are the claims that a
    source, or the question, has in the same words. `whose` says of claims what tells their subject
    from others of its kind: "with Acme".
    """

    name: str  # of the text
    claims: tuple[Claim, ...]
    references: Mapping[str, tuple[Claim, ...]]
    labels: Mapping[Node, str]
    kinds: Mapping[Node, str]
    matches: Mapping[URIRef, tuple[Match, ...]]
    entities: Mapping[Node, float]
    named: Mapping[Node, float]
    sentences: tuple[Sentence, ...]
    similarity: float | None
    sparse: bool
    mentioned: tuple[Node, ...] = ()
    grounds: Mapping[Node, tuple[str, ...]] = field(default_factory=dict)
    copied: frozenset[URIRef] = frozenset()
    whose: Mapping[URIRef, str] = field(default_factory=dict)

    def facts(self) -> Iterator[Triple]:
        """Yield the scored facts the rules read, in a fixed order."""
        fresh = (BNode(f"fact{number}") for number in itertools.count())
        for entity, score in self.entities.items():
            kind = self.kinds.get(entity, "NOUN")
            known = max(score, self.named.get(entity, 0.0))
            # what has no capital of its own names nothing
            common = kind in NAMED and entity not in self.named
            yield Triple(entity, GR.kind, Literal("NOUN" if common else kind))
            node = next(fresh)
            yield Triple(node, GR["from"], entity)
            yield Triple(node, GR.similarity, Literal(round(known, 4)))
        seen: set[tuple[Node, Node]] = set()
        of_sentence: dict[int, list[Claim]] = defaultdict(list)
        for claim in self.claims:
            of_sentence[claim.sentence].append(claim)
        for claim in self.claims:
            for match in self.matches.get(claim.id, ()):
                node = next(fresh)
                yield Triple(node, RDF.type, GR.Alignment)
                yield Triple(node, GR.claim, claim.id)
                yield Triple(node, GR.evidence, match.reference.id)
                yield Triple(node, GR.similarity, Literal(round(match.similarity, 4)))
                if match.slot:
                    yield Triple(node, GR.slot, Literal(match.slot))
                if match.slot == "swap":  # who sued whom in 2019, and so who sued in 2019
                    told = of_sentence[claim.sentence]
                    turned = [one for one in told if _are_of_one_verb(one, claim)]
                    yield from (Triple(node, GR.turns, one.id) for one in turned)
                mine, other = claim.triple.object, match.reference.triple.object
                if (
                    isinstance(mine, Literal)
                    and isinstance(other, Literal)
                    and (mine, other) not in seen
                    # values that exclude each other do so where the match says so
                    and ((relation := compare(mine, other)) != "disjoint" or match.slot)
                ):
                    seen.add((mine, other))
                    node = next(fresh)
                    yield Triple(node, GR["from"], mine)
                    yield Triple(node, GR.to, other)
                    yield Triple(node, GR.relation, Literal(relation))
        for entity in self.mentioned:
            yield Triple(next(fresh), GR.mentions, entity)
            for source in self.grounds.get(entity, ()):
                node = next(fresh)
                yield Triple(node, GR.grounds, entity)
                yield Triple(node, GR.source, source_iri(source))
        for claim in self.claims:
            if claim.id in self.copied:
                yield Triple(claim.id, GR.copied, Literal(True))
            if claim.id in self.whose:
                yield Triple(claim.id, GR.whose, Literal(self.whose[claim.id]))
        if self.similarity is not None:
            yield Triple(METRIC["WL"], GR.value, Literal(self.similarity))


def is_sparse(entities: int, words_of_sources: int) -> bool:
    """Say whether a text has too few entities, or its sources too few words, for steady figures."""
    return entities <= SPARSE_ENTITIES or words_of_sources <= SPARSE_WORDS


def ground(
    text: Extraction,
    sources: Sequence[Extraction],
    *,
    config: Config | None = None,
    question: Extraction | None = None,
) -> Grounding:
    """Put a text beside its sources.

    What the `question` names is known, and what it says is no evidence. The extractions are
    resolved already, so that they share nodes. Cost: linear in the sources
    for the index, then by the sentences of the text alone.
    """
    chosen = config or Config()
    index = _Index(sources)
    near = [
        nearest_passages(text.document.text[span.start : span.end], index.passages)
        for span in text.sentences
    ]
    labels, kinds = _nodes((text, *sources))
    matched = _matched(text, sources, labels, kinds, index, near, chosen)
    claims, matches = matched.claims, matched.matches
    entities = grounding_of(text, claims, sources, kinds, labels, matched.merged)
    sentences = tuple(_sentences(text, matched, index, near))
    named = known_names(text, sources)
    mentioned = _mentioned(text, named)
    verbatim = {s.start: s for s in sentences if s.verbatim}
    grounds = _grounds(text, sources, verbatim, question)
    copied = {claim.id for sentence in verbatim.values() for claim in sentence.claims}
    if question is not None:
        told = (as_merged(claim, matched.merged) for claim in question.claims)
        asked = {(claim.triple, claim.polarity) for claim in told}
        copied |= {c.id for c in claims if (c.triple, c.polarity) in asked}
    best = [found[0].reference for found in matches.values() if found]
    by_source: dict[str, list[Claim]] = {source.document.name: [] for source in sources}
    for claim in matched.references:
        by_source[claim.span.source].append(claim)
    return Grounding(
        text.document.name,
        claims,
        {name: tuple(found) for name, found in by_source.items()},
        labels,
        kinds,
        matches,
        entities,
        named,
        sentences,
        _similarity(claims, best, chosen),
        is_sparse(len(mentioned), index.word_count),
        mentioned,
        {node: grounds[node] for node in mentioned if node in grounds},
        frozenset(copied),
        _whose(text, claims),
    )


def _whose(text: Extraction, claims: Sequence[Claim]) -> dict[URIRef, str]:
    """Return what stands behind the subjects of claims and tells them from others of their kind."""
    found = {
        claim.id: _WHOSE.match(text.document.text, claim.parts[0].end)
        for claim in claims
        if claim.parts[0] is not None and isinstance(claim.triple.object, Literal)
    }
    return {name: " ".join(one[0].split()).rstrip(".") for name, one in found.items() if one}


def _nodes(extractions: Iterable[Extraction]) -> tuple[dict[Node, str], dict[Node, str]]:
    """Return what nodes are called, and of which kind those are that are no values."""
    labels: dict[Node, str] = {}
    kinds: dict[Node, str] = {}
    for extraction in extractions:
        for mention in extraction.mentions:
            if isinstance(mention.node, Literal):
                continue
            if mention.kind == "TERM" and kinds.get(mention.node) == "NOUN":
                kinds[mention.node] = "TERM"  # "the tenant" means what the source defines
            kinds.setdefault(mention.node, mention.kind)
        for node, label in extraction.labels.items():
            labels.setdefault(node, label)
    return labels, kinds


@dataclass(frozen=True, slots=True)
class _Matched:
    """Claims of a text and statements of its sources, nodes unified, and what is near what.

    `merged` says which node each one became.
    """

    claims: tuple[Claim, ...]
    references: tuple[Claim, ...]
    merged: Mapping[Node, Node]
    matches: Mapping[URIRef, tuple[Match, ...]]


def _matched(
    text: Extraction,
    sources: Sequence[Extraction],
    labels: dict[Node, str],
    kinds: dict[Node, str],
    index: _Index,
    near: Sequence[Sequence[int]],
    config: Config,
) -> _Matched:
    """Put each claim beside the statements of the sources that are nearest to it."""
    # what hangs on a noun by a preposition alone ("rent of the premises") asserts nothing by itself
    stated = [c for c in text.claims if labels.get(c.triple.predicate) not in _PREPOSITIONS]
    by_claim = {
        claim.id: [index.place(n) for n in near[claim.sentence]]
        for claim in stated
        if claim.sentence < len(near)
    }
    references = [claim for source in sources for claim in source.claims]
    candidates = candidates_of(stated, references, by_claim)
    merged = merged_labels(stated, candidates, labels, kinds, config)
    claims = tuple(as_merged(claim, merged) for claim in stated)
    renamed = {claim.id: as_merged(claim, merged) for claim in references}
    graphs = Graphs(
        claims,
        tuple(renamed.values()),
        labels,
        kinds,
        {
            claim.id: extraction.document.text[claim.span.start : claim.span.end]
            for extraction in (text, *sources)
            for claim in extraction.claims
        },
    )
    found = {name: [renamed[one.id] for one in nearby] for name, nearby in candidates.items()}
    matches = best_references(graphs, found, model=config.encoder)
    return _Matched(claims, tuple(renamed.values()), merged, matches)


def _sentences(
    text: Extraction, matched: _Matched, index: _Index, near: Sequence[Sequence[int]]
) -> Iterator[Sentence]:
    """Yield the sentences of a text that have words, with what of them their passages have."""
    own: dict[int, list[Claim]] = defaultdict(list)
    for claim in matched.claims:
        own[claim.sentence].append(claim)
    for number, span in enumerate(text.sentences):
        said = text.document.text[span.start : span.end]
        mine, claims = words(said), own[number]
        if not mine:
            continue
        texts = [index.passages.texts[n] for n in near[number]]
        verbatim = any(f" {' '.join(mine)} " in f" {' '.join(words(one))} " for one in texts)
        there = {stem for one in texts for stem in stems(one)}
        agree = all(
            any(match.slot == "none" for match in matched.matches.get(claim.id, ()))
            for claim in claims
        )
        yield Sentence(
            said,
            span.start,
            span.end,
            tuple(claims),
            tuple(index.span(n) for n in near[number]),
            verbatim,
            verbatim or (agree and there.issuperset(stems(said))),
        )


def _mentioned(text: Extraction, named: Mapping[Node, float]) -> tuple[Node, ...]:
    """Return the distinct names and values of a text in their order.

    A word of no known kind whose only capital opens a sentence names nothing.
    """
    values = all_kinds()
    return tuple(
        dict.fromkeys(
            mention.node
            for mention in text.mentions
            if mention.kind in values
            or (mention.kind in NAMED and (mention.kind != "MISC" or mention.node in named))
        )
    )


def _grounds(
    text: Extraction,
    sources: Sequence[Extraction],
    verbatim: Mapping[int, Sentence],
    question: Extraction | None,
) -> dict[Node, tuple[str, ...]]:
    """Return where the values of a text are found, and all that stands in a copied sentence.

    A value is found where its like has the same value or a more precise one; a name is, here, in
    the question alone, as `entities` says how well the sources know it.
    """
    out: dict[Node, dict[str, None]] = defaultdict(dict)
    for span, mentions in zip(text.sentences, _by_sentence(text), strict=True):
        copied = (
            [place[0] for place in verbatim[span.start].passages[:1]]
            if (span.start in verbatim)
            else []
        )
        for mention in mentions:
            if copied:
                out[mention.node] |= dict.fromkeys(copied)
    known: dict[str, dict[Literal, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    names: dict[Node, str] = {}
    for source in (*sources, *([question] if question else ())):
        name = source.document.name
        for mention in source.mentions:
            if isinstance(mention.node, Literal):
                known[_comparable_kind(mention.kind)][mention.node][name] = None
            elif source is question:
                names[mention.node] = name
    said = dict.fromkeys(
        (_comparable_kind(mention.kind), mention.node) for mention in text.mentions
    )
    groups = {kind: by_measure(values) for kind, values in known.items()}
    for kind, node in said:
        if isinstance(node, Literal):
            ((measure, _),) = by_measure([node]).items()
            for value in groups.get(kind, {}).get(measure, ()):
                if compare(node, value) in _FOUND:
                    out[node] |= known[kind][value]
        elif node in names:
            out[node][names[node]] = None
    return {node: tuple(places) for node, places in out.items()}


def _comparable_kind(kind: str) -> str:
    """Return the kind under which values are compared, one for numbers with a unit and without."""
    return "NUMBER" if kind == "QUANTITY" else kind


class _Index:
    """The sentences, values and names of the sources."""

    def __init__(self, sources: Sequence[Extraction]) -> None:
        self._sources = sources
        self.passages = _indexed(
            tuple(
                tuple(source.document.text[s.start : s.end] for s in source.sentences)
                for source in sources
            )
        )
        self._first: list[int] = []
        count = 0
        for source in sources:
            self._first.append(count)
            count += len(source.sentences)
        self.word_count = sum(self.passages.lengths)

    def place(self, passage: int) -> tuple[str, int]:
        """Return the source and sentence number of a passage."""
        owner = self.passages.owner[passage]
        return self._sources[owner].document.name, passage - self._first[owner]

    def span(self, passage: int) -> tuple[str, int, int]:
        """Return the source and code points of a passage."""
        name, sentence = self.place(passage)
        span = self._sources[self.passages.owner[passage]].sentences[sentence]
        return name, span.start, span.end


@lru_cache(maxsize=2)
def _indexed(sources: tuple[tuple[str, ...], ...]) -> Passages:
    return index_passages(sources)


def _are_of_one_verb(one: Claim, other: Claim) -> bool:
    mine, theirs = one.parts[1], other.parts[1]
    return bool(mine and theirs and mine.start < theirs.end and theirs.start < mine.end)


def _by_sentence(extraction: Extraction) -> list[list[Mention]]:
    """Return the mentions of each sentence."""
    out: list[list[Mention]] = [[] for _ in extraction.sentences]
    number = 0
    for mention in extraction.mentions:
        while number < len(out) and extraction.sentences[number].end <= mention.span.start:
            number += 1
        if number == len(out):
            break
        if mention.span.start >= extraction.sentences[number].start:
            out[number].append(mention)
    return out


def _similarity(
    claims: Sequence[Claim], references: Sequence[Claim], config: Config
) -> float | None:
    """Return the kernel value of the claims and their best references, None without either."""
    if not claims or not references:
        return None

    def graph(statements: Sequence[Claim]) -> list[tuple[str, str, str]]:
        triples = (one.triple for one in statements)
        return sorted({(str(t.subject), str(t.predicate), str(t.object)) for t in triples})

    return graph_kernel(
        graph(claims),
        graph(references),
        name=config.align.kernel,
        h=config.align.h,
        relation_nodes=config.align.relation_nodes,
    )
