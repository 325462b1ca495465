"""A text put to knowledge bases: the questions, the answers, and what the rules say of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from urllib.parse import quote
from weakref import WeakKeyDictionary

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.align.kea import likeness
from groundrules.align.kernel import graph_kernel
from groundrules.claims.offline import Extraction
from groundrules.config import KEA, AlignConfig, Config
from groundrules.dataset import Dataset
from groundrules.errors import ConfigError, did_you_mean
from groundrules.explain.repair import verify_all
from groundrules.kb.cache import write_snapshot
from groundrules.kb.connect import Connection, connect, open_cache
from groundrules.kb.link.mentions import load_model
from groundrules.kb.link.properties import Relations
from groundrules.kb.read.comparisons import Question, compare_all
from groundrules.kb.read.knowledge import ask, read_knowledge
from groundrules.kb.read.propositions import Relational
from groundrules.kb.source import Calls, Fault, KnowledgeSource, Pair
from groundrules.models.embed import EMBEDDED, encode
from groundrules.rules import engine
from groundrules.rules.rule import Rule
from groundrules.terms import (
    GR,
    METRIC,
    SOURCE,
    STATEMENT,
    Claim,
    Evidence,
    Outcome,
    Ruling,
    Span,
    Triple,
    Verdict,
    Violation,
)

#: Which of several outcomes for one claim is told, where no rule says they conflict.
_ORDER = (
    Outcome.CONFLICTING,
    Outcome.REFUTED,
    Outcome.SUPPORTED,
    Outcome.ERROR,
    Outcome.NOT_ENOUGH_INFO,
    Outcome.UNVERIFIABLE,
)


#: What the documents of a check are called among the sources that may prevail.
DOCUMENTS = SOURCE["context"]


#: What sources that are kept open had been asked when last counted.
_counted: WeakKeyDictionary[KnowledgeSource, Calls] = WeakKeyDictionary()

#: How many reasons why a source could not be asked are told.
_REASONS = 3

#: Rules that say a claim is not found in the documents; a knowledge base may carry it all the same.
_UNFOUND = ("GR101", "GR102", "GR105", "GR106", "GR308")


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rules say of questions: one ruling a reading, and those on claims in words."""

    rulings: tuple[Ruling, ...]
    violations: tuple[Violation, ...]
    dataset: str  # its digest
    profile: tuple[tuple[str, float], ...]
    similarity: float | None = None  # of the graphs of readings and statements

    def of(self, claim: URIRef) -> Ruling | None:
        """Return the ruling that tells for a claim in words, None if nothing was asked of it.

        A ruling on the claim itself was made in view of those on its readings.
        """
        own = [r for r in self.rulings if r.claim.id == claim]
        read = [r for r in self.rulings if r.claim.reads == claim]
        return min(own or read, key=lambda r: (_ORDER.index(r.outcome), r.rule), default=None)


def decide(
    questions: Sequence[Question],
    within: frozenset[Pair],
    rules: Iterable[Rule],
    *,
    claims: Iterable[Claim] = (),
    text: URIRef,
    labels: Mapping[Node, str] | None = None,
    told: Mapping[URIRef, Outcome] | None = None,
    authoritative: Iterable[URIRef] = (),
    axioms: tuple[Triple, ...] = (),
    kinds: Mapping[URIRef, Mapping[URIRef, Sequence[URIRef]]] | None = None,
    overrides: Mapping[str, Mapping[str, object]] | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    edits: bool = True,
    align: AlignConfig | None = None,
    descriptions: Mapping[URIRef, str] | None = None,
    model: str = EMBEDDED,
) -> Decision:
    """Let rules that give verdicts decide on answered questions.

    `claims` are those in words that the questions read; `told` gives the outcome that documents
    give for some of them; `align` says how the graphs of readings and statements are compared, None
    that they are not, with `descriptions` of things and the `model` of their vectors; and
    `authoritative` the sources that prevail where others differ; `axioms` are those of an ontology
    in the terms of the sources, and `kinds` the classes that each source gives of things.
    """
    chosen = list(rules)
    readings = {question.reading.id: question.reading for question in questions}
    words = {claim.id: claim for claim in claims}
    compared = compare_all(questions, within)
    dataset = Dataset()
    dataset.add_claims(words.values(), text)
    dataset.add_assertions(readings.values(), text)
    for source, statements in compared.evidence.items():
        dataset.add_evidence(statements, source)
    dataset.add(compared.facts)
    similarity = _similarity(
        readings.values(),
        compared.evidence.values(),
        align,
        labels=labels or {},
        descriptions=descriptions or {},
        model=model,
    )
    if similarity is not None:
        dataset.add([Triple(METRIC["WL"], GR.value, Literal(similarity))])
    if axioms:
        dataset.add_axioms(axioms)
        for source, things in (kinds or {}).items():
            dataset.add_evidence(_typed(source, things), source)
    for claim, outcome in (told or {}).items():
        dataset.add(
            [Triple(claim, GR.verdict, Literal(outcome.value)), Triple(claim, GR.asks, DOCUMENTS)]
        )
    dataset.add(Triple(source, GR.authoritative, Literal(True)) for source in authoritative)
    known = {**words, **readings}
    evidence = {one.id: one for found in compared.evidence.values() for one in found}
    result = engine.check(
        dataset,
        chosen,
        claims=known,
        evidence=evidence,
        labels=labels,
        overrides=overrides,
        select=select,
        ignore=ignore,
    )
    found = result.violations
    if edits:
        found = verify_all(
            found,
            dataset,
            chosen,
            result,
            claims=known,
            overrides=overrides,
            select=select,
            ignore=ignore,
        )

    def pinned(items: Iterable[Evidence]) -> tuple[Evidence, ...]:
        return tuple(
            replace(e, span=None, pin=compared.pins.get((e.triple, e.source))) for e in items
        )

    return Decision(
        tuple(replace(ruling, evidence=pinned(ruling.evidence)) for ruling in result.rulings),
        tuple(replace(v, evidence=pinned(v.evidence)) for v in found),
        dataset.digest(),
        result.profile,
        similarity,
    )


def _similarity(
    readings: Iterable[Claim],
    evidence: Iterable[Iterable[Claim]],
    align: AlignConfig | None,
    *,
    labels: Mapping[Node, str],
    descriptions: Mapping[URIRef, str],
    model: str,
) -> float | None:
    """Return the kernel value of readings and the statements that answer them best (KEA).

    The best statement is the same one, else one of the same thing and property, else one of the
    same thing. With the graphs of the paper it is the nearest in words, and what describes a thing
    of the readings is a statement too.
    """
    said = [claim.triple for claim in readings]
    known = [claim.triple for found in evidence for claim in found]
    if align is None or not said or not known:
        return None
    if align.graphs == KEA:

        def worded(node: Node) -> str:
            return labels.get(node) or str(node)

        things = dict.fromkeys(node for t in said for node in (t.subject, t.object))
        described = [
            (worded(node), "description", descriptions[node])
            for node in things
            if isinstance(node, URIRef) and descriptions.get(node)
        ]
        mine, theirs = (
            list(
                dict.fromkeys((worded(t.subject), worded(t.predicate), worded(t.object)) for t in g)
            )
            for g in (said, known)
        )
        return likeness(mine, [*theirs, *described], align, model=model)

    def nearest(mine: Triple) -> Triple:
        def likeness(other: Triple) -> tuple[bool, bool, bool]:
            about = mine.subject == other.subject
            return about, about and mine.predicate == other.predicate, mine == other

        return max(known, key=likeness)

    def graph(triples: Iterable[Triple]) -> list[tuple[str, str, str]]:
        return sorted({(str(t.subject), str(t.predicate), str(t.object)) for t in triples})

    best = [nearest(mine) for mine in said]
    return graph_kernel(
        graph(said),
        graph(best),
        name=align.kernel,
        h=align.h,
        relation_nodes=align.relation_nodes,
    )


def _typed(source: URIRef, things: Mapping[URIRef, Sequence[URIRef]]) -> Iterator[Claim]:
    """Yield what a source says of the kinds of things, as evidence."""
    pairs = ((thing, kind) for thing, found in things.items() for kind in found)
    for number, (thing, kind) in enumerate(pairs):
        triple = Triple(thing, RDF.type, kind)
        yield Claim(STATEMENT[f"kb:kind:{quote(source, safe='')}:{number}"], triple,
                    Span(str(source), 0, 0), origin="kb")  # fmt: skip


def merge(documents: Verdict | None, ruling: Ruling | None) -> Verdict | None:
    """Return the one verdict on a claim that documents and knowledge bases were asked about."""
    if ruling is None:
        return documents
    claim = documents.claim if documents else ruling.claim
    theirs = Verdict(
        claim,
        ruling.outcome,
        ruling.rule,
        "kb",
        message=ruling.message,
        evidence=ruling.evidence,
    )
    if documents is None or ruling.outcome is Outcome.CONFLICTING:
        return theirs
    return min(theirs, documents, key=lambda verdict: _ORDER.index(verdict.outcome))


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What knowledge bases say of a text: the parts of its report that are theirs.

    `claims` has besides those given the ones that only the surface of the text gave; among the
    params is the digest of the dataset of readings and statements; `unasked` says which sources
    could not be asked, and why.
    """

    claims: tuple[Claim, ...]
    readings: tuple[Claim, ...]
    verdicts: tuple[Verdict, ...]
    violations: tuple[Violation, ...]
    labels: Mapping[Node, str]
    models: tuple[tuple[str, str], ...]
    params: tuple[tuple[str, str], ...]
    calls: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    unasked: tuple[str, ...] = ()
    similarity: float | None = None

    def spare(self, violations: Iterable[Violation]) -> tuple[Violation, ...]:
        """Return the violations without those that miss what a knowledge base carries.

        What is missed in a statement is carried where all its claims are that were asked about, and
        where words of it are missed, one of these claims has them.
        """
        asked: dict[int, list[Verdict]] = {}
        for verdict in self.verdicts:
            if verdict.stage == "kb":
                asked.setdefault(verdict.claim.sentence, []).append(verdict)

        def carried(violation: Violation) -> bool:
            claim = violation.claim
            if claim is None or violation.rule not in _UNFOUND:
                return False
            told = asked.get(claim.sentence, ())
            kept = [one.claim for one in told if one.outcome is Outcome.SUPPORTED]
            if claim.origin != "statement":
                return any(one.id == claim.id for one in kept)
            return len(kept) == len(told) > 0 and _within(violation, kept)

        return tuple(violation for violation in violations if not carried(violation))


def _within(violation: Violation, claims: Iterable[Claim]) -> bool:
    """Return whether one of some claims has the words that a rule names, if it names any."""
    row = dict(violation.bindings)
    if "start" not in row or "end" not in row:
        return True
    start, end = int(str(row["start"])), int(str(row["end"]))
    return any(one.span.start <= start and end <= one.span.end for one in claims)


def inquire(
    extraction: Extraction,
    claims: Sequence[Claim],
    rules: Iterable[Rule],
    config: Config,
    *,
    text: URIRef,
    now: datetime,
    told: Sequence[Verdict] = (),
    alone: bool = False,
    axioms: tuple[Triple, ...] = (),
    terms: Mapping[Node, str] | None = None,
    snapshot: Path | None = None,
) -> Inquiry:
    """Put a text to the knowledge bases of the configuration.

    `told` are the verdicts that documents gave; `alone` says that there were none, and then only
    claims count that could be read. `axioms` are those of an ontology in the terms of the knowledge
    bases, whose names are `terms`; `snapshot` is a file to write the answers to.
    """
    sources = open_sources(config, now, axioms)
    asked = [put(extraction, claims, source, config, now) for source in sources]
    judged: dict[URIRef, Claim] = {} if alone else {claim.id: claim for claim in claims}
    labels: dict[Node, str] = {DOCUMENTS: "the context"}
    for source, found in zip(sources, asked, strict=True):
        for claim in found.claims:
            judged.setdefault(claim.id, claim)
        labels = {**found.labels, **labels, source.iri: source.connection.source.name}
    questions = [question for found in asked for question in found.questions]
    within = frozenset(pair for found in asked for pair in found.within)
    connections = [source.connection for source in sources]
    prevailing = [_prevailing(name, config, connections) for name in config.authoritative]
    decision = decide(
        questions,
        within,
        rules,
        claims=judged.values(),
        text=text,
        labels={**(terms or {}), **labels, **extraction.labels},
        told={v.claim.id: v.outcome for v in told},
        authoritative=prevailing,
        axioms=(*axioms, *dict.fromkeys(axiom for source in sources for axiom in source.axioms)),
        kinds={source.iri: found.kinds for source, found in zip(sources, asked, strict=True)},
        overrides=config.rules,
        select=config.select,
        ignore=config.ignore,
        align=config.align if alone else None,
        descriptions={thing: text for found in asked for thing, text in found.descriptions.items()},
        model=config.encoder,
    )
    documents = {verdict.claim.id: verdict for verdict in told}
    verdicts = []
    for claim in judged.values():
        verdict = merge(documents.get(claim.id), decision.of(claim.id))
        if verdict is None:
            continue
        # beside documents, what only the surface gave and no source knows is no news
        spare = not alone and claim.origin == "phrases"
        if not (spare and verdict.outcome is Outcome.UNVERIFIABLE):
            verdicts.append(replace(verdict, claim=claim))
    if snapshot is not None:
        _keep(connections, snapshot, now)
    return Inquiry(
        tuple(verdict.claim for verdict in verdicts),
        tuple(question.reading for question in questions),
        tuple(verdicts),
        decision.violations,
        labels,
        (("linker", load_model(encoded=True).digest),),
        (*_params(connections, now), ("kb.dataset", decision.dataset)),
        tuple(_calls(connections)),
        tuple(dict.fromkeys(c.note for c in connections if c.note)),
        tuple(dict.fromkeys(_unasked(asked, connections))),
        decision.similarity,
    )


@dataclass(frozen=True, slots=True)
class Opened:
    """A knowledge base with the phrases that may mean its properties, and axioms of its own."""

    connection: Connection
    relations: Relations
    axioms: tuple[Triple, ...] = ()

    @property
    def iri(self) -> URIRef:
        """The named graph of its statements."""
        return self.connection.source.iri


def open_sources(
    config: Config, now: datetime, axioms: tuple[Triple, ...] = ()
) -> tuple[Opened, ...]:
    """Return the knowledge bases of a configuration; those of the last runs are kept open.

    `axioms` are those of an ontology, which hold of the properties of plain RDF.

    ConfigError where two have one name, by which the statements of each are known, besides what is
    wrong with one of them (`connect`).
    """
    found = tuple(
        _open(
            spec,
            str(config.base / config.names)
            if (config.base / config.names).is_file()
            else config.names,
            config.contact,
            config.offline,
            config.encoder,
            now,
            axioms,
        )
        for spec in config.bases
    )
    names = [DOCUMENTS, *(source.iri for source in found)]
    for source in found:
        if names.count(source.iri) > 1:
            raise ConfigError(f"two sources are called {source.connection.source.name}; rename one")
    return found


@lru_cache(maxsize=8)
def _open(
    spec: str,
    names: str,
    contact: str,
    offline: str,
    embedding: str,
    now: datetime,
    axioms: tuple[Triple, ...],
) -> Opened:
    connection = connect(
        spec, now=now, names=names, contact=contact, offline=offline, axioms=axioms
    )
    known = connection.source.properties()
    relations = Relations(known, partial(encode, model=embedding))
    return Opened(connection, relations, connection.axioms())


@dataclass(frozen=True, slots=True)
class Answered:
    """What one knowledge base answered: see `read_knowledge` and `ask`."""

    claims: tuple[Claim, ...]
    questions: tuple[Question, ...]
    within: frozenset[Pair]
    labels: Mapping[Node, str]
    faults: tuple[Fault, ...] = ()
    kinds: Mapping[URIRef, tuple[URIRef, ...]] = field(default_factory=dict)
    descriptions: Mapping[URIRef, str] = field(default_factory=dict)


def put(
    extraction: Extraction,
    claims: Sequence[Claim],
    source: Opened,
    config: Config,
    now: datetime,
    *,
    said: Sequence[tuple[int, Relational]] | None = None,
) -> Answered:
    """Put what a text says, or what is given as said, to one knowledge base."""
    connection = source.connection
    found = read_knowledge(
        extraction,
        claims,
        connection.source,
        source.relations,
        now=now.date(),
        named=connection.named,
        encode=partial(encode, model=config.encoder),
        spot=connection.spot,
        said=said,
        fault=connection.fault,
    )
    questions = [
        replace(question, complete=_is_closed(question, config)) for question in found.questions
    ]
    answers = ask(questions, connection.source, found.others)
    labels = {**answers.labels, **found.labels}
    faults = (*found.faults, *answers.faults)
    return Answered(
        found.claims,
        answers.questions,
        answers.within,
        labels,
        faults,
        found.kinds,
        found.descriptions,
    )


def _is_closed(question: Question, config: Config) -> bool:
    """Return whether the source is declared to have all values of the property."""
    iri = str(question.property.iri) if question.property else ""
    return bool(iri) and (iri in config.closed or iri.rsplit("/", 1)[-1] in config.closed)


def _prevailing(name: str, config: Config, connections: Sequence[Connection]) -> URIRef:
    """Return the graph of a source that is to prevail."""
    known = {"context": DOCUMENTS}
    for spec, connection in zip(dict.fromkeys(config.kb), connections, strict=True):
        known[spec] = known[connection.source.name] = connection.source.iri
    if name not in known:
        names = ["context", *(connection.source.name for connection in connections)]
        raise ConfigError(
            f"authoritative: no source {name!r}; expected {', '.join(names)}"
            + did_you_mean(name, names)
        )
    return known[name]


def _unasked(asked: Sequence[Answered], connections: Sequence[Connection]) -> Iterable[str]:
    """Yield why sources could not be asked, the commonest reason of each first."""
    for found, connection in zip(asked, connections, strict=True):
        reasons = Counter((fault.message, fault.code) for fault in found.faults)
        for (message, code), _ in reasons.most_common(_REASONS):
            why = f"{message or 'not answered'} ({code})"
            yield f"{connection.source.name} could not be asked: {why}"


def _params(connections: Sequence[Connection], now: datetime) -> Iterable[tuple[str, str]]:
    yield "now", now.date().isoformat()
    for connection in connections:
        yield "kb", connection.source.name
        if connection.digest:
            yield f"kb.{connection.source.name}", connection.digest


def _calls(connections: Sequence[Connection]) -> Iterable[tuple[str, int]]:
    """Yield what was asked since the last text; a source may serve many."""
    calls = []
    for connection in connections:
        now = connection.source.calls
        calls.append(now.since(_counted.get(connection.source, Calls())))
        _counted[connection.source] = now
    yield "requests", sum(call.requests for call in calls)
    yield "cached", sum(call.cached for call in calls)
    yield "bytes", sum(call.sent + call.received for call in calls)


def _keep(connections: Sequence[Connection], path: Path, now: datetime) -> None:
    """Write what a run used to a snapshot."""
    used = [response for connection in connections for response in connection.used]
    cache = open_cache()
    if cache is None:
        raise ConfigError("a snapshot is made from the cache, which is off (GROUNDRULES_CACHE)")
    write_snapshot(cache, used, path, now.date())
