"""What a graph states around some things: as many hops as are asked for, the best of it first.

Nothing but the neighbourhood is read, from an embedded store or over SPARQL. Before the statements
of a hop are asked for they are counted, so that what millions of statements lead to (a country, a
class) is told as a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from rdflib.term import Literal, Node, URIRef

from groundrules.errors import ConfigError
from groundrules.kb.link.properties import WD, WDT, local_name
from groundrules.kb.search.retrieval import TEXTS, TextIndex, open_texts
from groundrules.kb.search.texts import vocabulary
from groundrules.kb.sources.profile import TYPES
from groundrules.kb.sources.query import is_iri, query_text
from groundrules.kb.sources.source import Entity, Fault, Graph, KnowledgeSource, Query, Row
from groundrules.models.encoder import FOLDER, Tokenizer, read_tokenizer
from groundrules.terms import Evidence, Triple

if TYPE_CHECKING:
    from groundrules.kb.sources.connect import Connection
    from groundrules.models.encoder import Vectors

#: Statements of one thing by one relation that are read; more are counted.
MOST = 500
#: Things of a hop from which the next one starts.
BREADTH = 40
#: Characters of a text that a line shows whole.
LINE = 1200

#: Statements whose labels are asked for at a time, and tokens of the shortest line.
_LINES, _SHORTEST = 200, 8
#: The rank of a relation that is not followed; relations without a list come after it.
_LITERALS = 999

#: Whether a way leads back, and the queries that count its statements and read them.
_WAYS = ((False, "counted_out", "stated_of"), (True, "counted_in", "leading_to"))


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a record was read: the file, its number in it and the SHA-256 of its bytes."""

    file: str
    number: int
    digest: str

    def __str__(self) -> str:
        """Return it as a reader finds it."""
        number = f", record {self.number}" if self.number else ""
        return f"{self.file}{number} (urn:sha256:{self.digest})".strip()


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement of a neighbourhood.

    `hop` is how far its farther end lies, `similarity` the cosine of the question and that end, 0
    where neither is known; `text` is a line that says it with labels, `tokens` how long that is;
    `record` is where it was read, if the graph tells.
    """

    subject: URIRef
    predicate: URIRef
    object: Node
    hop: int
    similarity: float
    text: str
    tokens: int
    record: str = ""


@dataclass(frozen=True, slots=True)
class Many:
    """Statements that were counted and not read, with a line that says from where or to what."""

    count: int
    text: str


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is stated around `seeds`, the best first, as much as the budget holds.

    `labels` are of the things in it; `dropped` counts the statements that were read and
    did not fit; `many` those that were not read; `faults` why something could not be asked: then
    what is missing says nothing.
    """

    seeds: tuple[URIRef, ...]
    statements: tuple[Stated, ...]
    labels: Mapping[URIRef, str]
    source: URIRef
    digest: str = ""
    retrieved: str = ""
    dropped: int = 0
    many: tuple[Many, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def tokens(self) -> int:
        """How long its text is, in word pieces of MiniLM."""
        return sum(one.tokens for one in self.statements)

    def text(self) -> str:
        """Return it as lines, a statement each."""
        return "".join(f"{one.text}\n" for one in self.statements)

    def evidence(self) -> list[Evidence]:
        """Return it as triples, each with its source and a pin of what was read and when."""
        build = f"store {self.digest[:12]}" if self.digest else ""
        read = f"read {self.retrieved}" if self.retrieved else ""
        return [
            Evidence(
                Triple(one.subject, one.predicate, one.object),
                str(self.source),
                score=round(max(0.0, min(1.0, one.similarity)), 6),
                pin=", ".join(filter(None, (one.record, build, read))) or None,
            )
            for one in self.statements
        ]


def neighbourhood(
    source: KnowledgeSource,
    graph: Graph,
    seeds: Sequence[URIRef],
    *,
    hops: int = 1,
    budget: int = 2000,
    relations: Sequence[str] | None = None,
    index: TextIndex | None = None,
    vector: Vectors | None = None,
) -> Neighbourhood:
    """Return what is stated around some things, ranked by hop, relation and similarity.

    `relations` are the IRIs that are followed, "^" before one for the way back; else those that
    `retrieval.toml` lists for the class of a thing, or all that have a label. `budget` is in word
    pieces of MiniLM, which are about as many as a language model counts. With the `index` of the
    texts and the `vector` of a question the statements of one relation are ranked by how near they
    are to it, and of a long text the passage that is nearest is shown.

    A hop costs at most seven queries, however many things it has.

    Raises:
        ValueError: a seed is no IRI that a query can hold.
    """
    for seed in seeds:
        if not is_iri(seed):
            raise ValueError(f"{seed!r} is no absolute IRI")
    front = list(dict.fromkeys(seeds))
    places = {seed: (0, 0, 0.0, place) for place, seed in enumerate(front)}
    walk = _Walk(source, graph, relations, index, vector, places)
    walk.learn(front)
    for hop in range(1, hops + 1):
        front = walk.step(front, hop)
    walk.step(front if hops else [], hops, last=True)
    return walk.close(tuple(dict.fromkeys(seeds)), budget)


def check_answered(found: Neighbourhood, kb_name: str) -> None:
    """SourceError if something could not be asked: what is missing would be taken for nothing."""
    for fault in found.faults:
        raise fault.error(kb_name)


def find(connection: Connection, thing: str, name: str) -> URIRef:
    """Return what is meant by an IRI, an id of Wikidata, a number or a name.

    Of several that bear a name it is the first; ConfigError if nothing does. `name` is what the
    user calls the knowledge base.
    """
    from groundrules.kb.sources.wikidata import WD, WIKIDATA_ID

    if WIKIDATA_ID.fullmatch(thing):
        return WD[thing]
    if is_iri(thing):
        return URIRef(thing)
    names = getattr(connection.graph, "names", None)
    if names is not None and (Path(names).parent / TEXTS).is_file():
        index = open_texts(connection.graph)
        assert index is not None
        hits = index.identified(thing)
        index.close()
        if hits:
            return hits[0]
    bearers = connection.bearers([thing])[thing]
    if not isinstance(bearers, tuple):
        raise bearers.error(name)
    if not bearers:
        raise ConfigError(f"nothing is called {thing!r}; expected an IRI, a number or a name",
                          path=name)  # fmt: skip
    return bearers[0].iri


#: How a thing was reached: hop, rank of the relation, similarity turned round, place.
_Place = tuple[int, int, float, int]
_Key = tuple[URIRef, URIRef, Node]


@dataclass(slots=True)
class _Walk:
    """What has been read so far."""

    source: KnowledgeSource
    graph: Graph
    relations: Sequence[str] | None
    index: TextIndex | None
    vector: Vectors | None
    places: dict[URIRef, _Place]
    entities: dict[URIRef, Entity] = field(default_factory=dict)
    stated: dict[_Key, _Place] = field(default_factory=dict)
    many: dict[tuple[URIRef, URIRef, bool], int] = field(default_factory=dict)
    faults: dict[str, Fault] = field(default_factory=dict)
    properties: dict[URIRef, str] = field(default_factory=dict)
    retrieved: str = ""

    # ------------------------------------------------------------ asking

    def select(self, text: str, block: str, rows: Sequence[tuple[Node, ...]]) -> Sequence[Row]:
        if not rows:
            return ()
        answer = self.graph.select(Query(text, {block: rows}, block))
        for fault in answer.faults.values():
            self.faults.setdefault(fault.code, fault)
        if answer.retrieved:
            self.retrieved = min(self.retrieved or answer.retrieved, answer.retrieved)
        return answer.rows

    def learn(self, things: Iterable[Node]) -> None:
        """Learn the labels and types of things."""
        iris = [one for one in dict.fromkeys(things) if isinstance(one, URIRef) and is_iri(one)]
        wanted = [one for one in iris if one not in self.entities]
        for iri, entity in self.source.resolve(wanted).items() if wanted else ():
            if isinstance(entity, Fault):
                self.faults.setdefault(entity.code, entity)
            else:
                self.entities[iri] = entity

    def name_properties(self, predicates: Iterable[URIRef]) -> None:
        """Learn the labels of predicates; a property without one is called as its IRI ends."""
        wanted = [one for one in dict.fromkeys(predicates) if one not in self.properties]
        if any(one.startswith(WDT) for one in wanted):  # whose labels are under other IRIs
            told = self.source.properties()
            self.properties.update((one, told[one].label) for one in wanted if one in told)
        known = {one: URIRef(one.replace(WDT, WD)) for one in wanted}
        self.learn(iri for one, iri in known.items() if not self.properties.get(one))
        for one, iri in known.items():
            self.properties[one] = self.properties.get(one) or self.label(iri) or local_name(one)

    # ------------------------------------------------------------ walking

    def step(self, front: Sequence[URIRef], hop: int, *, last: bool = False) -> list[URIRef]:
        """Read what is stated of and leads to things; return the new ones, the best first.

        Of the `last` ones only what they are and what they state of each other.
        """
        rows = [(one,) for one in front]
        ways = []
        for back, counted, stated in _WAYS[: 1 if last else 2]:
            found = self.select(query_text(counted), "things", rows)
            ways.append((back, self._chosen(found, back, last), query_text(stated)))
        self.name_properties(p for _, pairs, _ in ways for _, p in pairs)
        read: list[tuple[_Key, URIRef, int]] = []
        for back, pairs, text in ways:
            for row in self.select(text, "pairs", list(pairs)):
                s, p, o = row["s"], row["p"], row["o"]
                near, far = (o, s) if back else (s, o)
                if not (isinstance(s, URIRef) and isinstance(p, URIRef)):
                    continue
                rank = pairs[near, p]
                if isinstance(far, Literal):
                    self._add_literal(s, p, far, rank)
                elif (
                    isinstance(far, URIRef)
                    and rank != _LITERALS
                    and (far in self.places or not last)
                ):
                    read.append(((s, p, o), far, rank))
        ends = set() if last else {far for _, far, _ in read}
        cosines = self._similar(ends)
        things = [(one,) for one in sorted(ends) if is_iri(one)]
        kinds = self.select(query_text("kinds_of_ends"), "things", things)
        first = {row["s"] for row in kinds if str(row["c"]) in vocabulary().first}
        read = [(key, far, rank + (not last and far not in first)) for key, far, rank in read]
        reached: dict[URIRef, _Place] = {}
        for _, far, rank in read:
            place = (hop, rank, -cosines.get(far, 0.0), 0)
            reached[far] = min(reached.get(far, place), place)
        fresh = sorted(reached.keys() - self.places.keys(), key=lambda one: (reached[one], one))
        self.places = reached | self.places
        for (s, p, o), _, rank in read:
            self._join(s, p, o, rank)
        best = fresh[:BREADTH]
        self.learn(best)
        return best

    def _chosen(
        self, rows: Iterable[Row], back: bool, last: bool = False
    ) -> dict[tuple[Node, URIRef], int]:
        """Return which relations of which things to read, each with its rank."""
        chosen: dict[tuple[Node, URIRef], int] = {}
        for row in rows:
            thing, p, number = row["o" if back else "s"], row["p"], int(str(row["n"]))
            if not isinstance(thing, URIRef) or not isinstance(p, URIRef) or p in TYPES:
                continue
            rank = self._rank(thing, p, back)
            if rank is not None and number <= MOST:
                chosen[thing, p] = _LITERALS + number if rank < 0 else rank
            elif rank is not None and not last:
                self.many[thing, p, back] = number
        return chosen

    def _rank(self, thing: URIRef, p: URIRef, back: bool) -> int | None:
        """Return twice where a relation is in its list, -1 if there is none, None to leave it.

        `_LITERALS`: only its literals are of interest, which no list has.
        """
        told, name = vocabulary(), f"^{p}" if back else str(p)
        listed = self.relations
        if listed is None or name not in listed:
            if told.hides(p):
                return None
            entity = self.entities.get(thing)
            kinds = (str(one) for one in (entity.types if entity and listed is None else ()))
            found = (told.relations[one] for one in kinds if one in told.relations)
            listed = next(found, listed)
        if listed is None:
            return -1
        if name in listed:
            return 2 * listed.index(name)
        return None if back else _LITERALS

    def _join(self, s: URIRef, p: URIRef, o: Node, rank: int) -> None:
        """State what joins two things; it is a hop further if they are equally far."""
        assert isinstance(o, URIRef)
        near, far = sorted((self.places[s], self.places[o]))
        hop = far[0] + (near[0] == far[0] and s != o)
        place = (hop, rank if hop > far[0] else far[1], far[2], far[3])
        self.stated.setdefault((s, p, o), place)

    def _add_literal(self, s: URIRef, p: URIRef, text: Literal, rank: int) -> None:
        """State a literal: what says what a thing is as near as the thing, all else further."""
        if (text.language or "").partition("-")[0].casefold() in ("", "en", "mul"):
            near = self.places[s]
            place = near if _is_text(p) else (near[0] + 1, rank, *near[2:])
            self.stated.setdefault((s, p, text), place)

    def _similar(self, things: Iterable[URIRef]) -> dict[URIRef, float]:
        if self.index is None or self.vector is None:
            return {}
        return self.index.similarities(self.vector, sorted(things))

    # ------------------------------------------------------------ telling

    def close(self, seeds: tuple[URIRef, ...], budget: int) -> Neighbourhood:
        """Return what fits into a budget."""
        # a title may stand there as a description too
        said: dict[tuple[URIRef, str], _Key] = {}
        for one in sorted(self.stated, key=self._order):
            said.setdefault((one[0], _text_key(one)), one)
        ranked = list(said.values())
        self.name_properties([p for _, p, _ in ranked] + [p for _, p, _ in self.many])
        kept: list[Stated] = []
        left = budget
        for at in range(0, len(ranked), _LINES):
            self.learn(end for s, _, o in ranked[at : at + _LINES] for end in (s, o))
            for s, p, o in ranked[at : at + _LINES]:
                line = self._line(s, p, o)
                size = len(_tokenizer().ids(line)) + 1
                if size <= left:
                    left -= size
                    hop, _, distance, _ = self.stated[s, p, o]
                    kept.append(Stated(s, p, o, hop, -distance, line, size))
            if left < _SHORTEST:
                break
        shown = {*seeds, *(e for one in kept for e in (one.subject, one.object))}
        things = sorted(one for one in shown if isinstance(one, URIRef))
        self.learn([*things, *(one for one, *_ in self.many)])
        read = places_of(self.graph, {one.subject for one in kept})
        return Neighbourhood(
            seeds=seeds,
            statements=tuple(
                replace(one, record=str(read[one.subject][0])) if one.subject in read else one
                for one in kept
            ),
            labels={one: self.label(one) or called(one) for one in things}
            | {p: self.properties[p] for p in sorted({one.predicate for one in kept})},
            source=self.graph.iri,
            digest=getattr(self.graph, "digest", ""),
            retrieved=self.retrieved,
            dropped=len(ranked) - len(kept),
            many=tuple(
                Many(n, f"{n:,} {'lead to' if back else 'of'} {self.label(one) or called(one)}: "
                        f"{self.properties[p]}")
                for (one, p, back), n in sorted(self.many.items())
            ),
            faults=tuple(self.faults.values()),
        )  # fmt: skip

    def _order(self, stated: _Key) -> tuple[object, ...]:
        """Sort by place; what leads to a thing before what says what it is."""
        s, p, o = stated
        far = o if isinstance(o, URIRef) and self.places[s] < self.places[o] else s
        return self.stated[stated], natural(far), isinstance(o, Literal), p, str(o)

    def _line(self, s: URIRef, p: URIRef, o: Node) -> str:
        thing = isinstance(o, URIRef)
        value = self.label(o) or called(str(o)) if thing else " ".join(str(o).split())
        if len(value) > LINE:
            if self.index is not None and self.vector is not None:
                value = self.index.passage(self.vector, s, p) or value
            value = f"… {' '.join(value.split())[:LINE]} …"
        end = "" if value.endswith((".", "…", "!", "?", ";")) else "."
        return f"{self.label(s) or called(s)} | {self.properties[p]} | {value}{end}"

    def label(self, thing: Node) -> str:
        """Return the label of a thing that was learnt, empty where it has none."""
        entity = self.entities.get(thing) if isinstance(thing, URIRef) else None
        return " ".join(entity.label.split()) if entity else ""


def places_of(graph: Graph, things: Iterable[URIRef]) -> dict[URIRef, tuple[Place, ...]]:
    """Return where things, or the wholes that they are parts of, were read."""
    wholes = (query_text("record_of_whole", whole=one) for one in vocabulary().wholes)
    found: dict[URIRef, set[Place]] = {}
    rows = [(one,) for one in sorted(things)]
    text = query_text("records", wholes=" ".join(wholes))
    for row in graph.select(Query(text, {"things": rows}, "things")).rows if rows else ():
        number = str(row.get("number", "0"))
        if isinstance(row["s"], URIRef):
            place = Place(
                str(row.get("file", "")),
                int(number) if number.isdecimal() else 0,
                str(row["record"]).removeprefix("urn:sha256:"),
            )
            found.setdefault(row["s"], set()).add(place)
    return {thing: tuple(sorted(places)) for thing, places in found.items()}


@cache
def _tokenizer() -> Tokenizer:
    return read_tokenizer(FOLDER)


def _is_text(predicate: URIRef) -> bool:
    return str(predicate) in (*vocabulary().texts, *vocabulary().descriptions)


def _text_key(stated: _Key) -> str:
    """Return what tells statements of one thing apart: texts that are the same say the same."""
    _, p, o = stated
    return " ".join(str(o).casefold().split()) if _is_text(p) else f"{p} {o!r}"


def natural(iri: str) -> list[tuple[int, str]]:
    """Return a key that sorts claim/2 before claim/10."""
    return [(int(p), "") if p.isdecimal() else (-1, p) for p in re.split(r"(\d{1,18})", iri) if p]


def called(iri: str) -> str:
    """Return what a thing without a label is called: the end of its IRI, of parts with the whole.

    `…/us-patent/9123456/paragraph/0012` is "paragraph 0012 of 9123456", `…/opinions/6001/` is
    "opinion 6001".
    """
    path = [part for part in re.split(r"[/#]", iri) if part]
    if not path:
        return str(iri)
    end = " ".join(unquote(path[-1]).replace("_", " ").split()) or path[-1]
    if len(path) >= 5 and path[-1].isdecimal() and path[-2].isalpha():
        whole = f" of {path[-3]}" if re.search(r"\d{3}", path[-3]) else ""
        return f"{path[-2] if whole else path[-2].removesuffix('s')} {path[-1]}{whole}"
    return end
