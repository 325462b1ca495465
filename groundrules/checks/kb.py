"""A text put to knowledge bases: the questions, the answers, and what the rules say of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from urllib.parse import quote
from weakref import WeakKeyDictionary

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules import reserved
from groundrules.align.kea import likeness
from groundrules.align.kernel import graph_kernel, metric_of
from groundrules.checks.case import Case
from groundrules.checks.judge import Rules, judge
from groundrules.checks.merge import ORDER, merge_all
from groundrules.checks.plan import Plan, kb_rules
from groundrules.claims.facts.offline import Extraction
from groundrules.config import KEA, AlignConfig, Config
from groundrules.errors import ConfigError, did_you_mean
from groundrules.explain.repair import Key
from groundrules.kb.link.mentions import load_model
from groundrules.kb.link.properties import Relations
from groundrules.kb.read.answers import Answers, ask
from groundrules.kb.read.comparisons import Comparisons, Question, compare_all
from groundrules.kb.read.knowledge import Readings, read_knowledge
from groundrules.kb.read.relational import Relational
from groundrules.kb.sources.connect import Asking, Connection, asking_of, connect
from groundrules.kb.sources.literals import in_words
from groundrules.kb.sources.responses import Response, write_snapshot
from groundrules.kb.sources.source import Calls, Fault, KnowledgeSource, Pair
from groundrules.models.embed import EMBEDDED, encode
from groundrules.terms import (
    GR,
    METRIC,
    SOURCE,
    STATEMENT,
    Claim,
    Evidence,
    Metric,
    Outcome,
    Ruling,
    Span,
    Triple,
    Verdict,
    Violation,
    source_iri,
)

#: What the documents of a check are called among the sources that may prevail.
DOCUMENTS = SOURCE["context"]

#: What a model has read in sentences, by source and number.
ReadByModel = Mapping[URIRef, Mapping[int, Sequence[Relational]]]

#: What sources that are kept open had been asked when last counted.
_counted: WeakKeyDictionary[KnowledgeSource, Calls] = WeakKeyDictionary()

#: How many reasons why a source could not be asked are told.
_REASONS = 3


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rules say of questions: one ruling a reading, and those on claims in words."""

    rulings: tuple[Ruling, ...]
    violations: tuple[Violation, ...]
    dataset: str  # its digest, empty where no edits were tried
    similarity: float | None = None  # of the graphs of readings and statements

    def of(self, claim: URIRef) -> Ruling | None:
        """Return the ruling that tells for a claim in words, None if nothing was asked of it.

        A ruling on the claim itself was made in view of those on its readings.
        """
        own = [r for r in self.rulings if r.claim.id == claim]
        read = [r for r in self.rulings if r.claim.reads == claim]
        return min(own or read, key=lambda r: (ORDER.index(r.outcome), r.rule), default=None)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How the graphs of readings and statements are compared.

    `descriptions` are those of things, `model` is that of their vectors.
    """

    align: AlignConfig
    descriptions: Mapping[URIRef, str] = field(default_factory=dict)
    model: str = EMBEDDED


@dataclass(frozen=True, slots=True)
class Asked:
    """Answered questions, and all that bears on them besides.

    `claims` are those in words that the questions read; `outcomes` gives the outcome that documents
    give for some of them; `authoritative` are the sources that prevail where others differ;
    `axioms` are those of an ontology in the terms of the sources, `kinds` the classes that each
    source gives of things. Without a `likeness` the graphs are not compared.
    """

    questions: Sequence[Question]
    within: frozenset[Pair]
    text: URIRef
    claims: Sequence[Claim] = ()
    labels: Mapping[Node, str] = field(default_factory=dict)
    outcomes: Mapping[URIRef, Outcome] = field(default_factory=dict)
    authoritative: Iterable[URIRef] = ()
    axioms: tuple[Triple, ...] = ()
    kinds: Mapping[URIRef, Mapping[URIRef, Sequence[URIRef]]] = field(default_factory=dict)
    likeness: Likeness | None = None


def decide(
    asked: Asked, rules: Rules, *, edits: bool = True, tried: Collection[Key] = ()
) -> Decision:
    """Let rules that give verdicts decide on answered questions; see `checks.judge.judge`."""
    compared = compare_all(asked.questions, asked.within)
    readings = {question.reading.id: question.reading for question in asked.questions}
    similarity = _similarity(readings.values(), compared.evidence.values(), asked)
    case = _case(asked, tuple(readings.values()), compared, similarity)
    judged = judge(case, rules, edits=edits, tried=tried)

    def pinned(items: Iterable[Evidence]) -> tuple[Evidence, ...]:
        return tuple(
            replace(e, span=None, pin=compared.pins.get((e.triple, e.source))) for e in items
        )

    return Decision(
        tuple(replace(ruling, evidence=pinned(ruling.evidence)) for ruling in judged.rulings),
        tuple(replace(v, evidence=pinned(v.evidence)) for v in judged.violations),
        judged.dataset,
        similarity,
    )


def _case(
    asked: Asked, readings: tuple[Claim, ...], compared: Comparisons, similarity: float | None
) -> Case:
    """Return what the rules are put to: readings, statements, and how the two compare."""
    facts = list(compared.facts)
    if similarity is not None:
        facts.append(Triple(METRIC["WL"], GR.value, Literal(similarity)))
    for claim, outcome in asked.outcomes.items():
        facts.append(Triple(claim, GR.verdict, Literal(outcome.value)))
        facts.append(Triple(claim, GR.asks, DOCUMENTS))
    facts += [Triple(one, GR.authoritative, Literal(True)) for one in asked.authoritative]
    return Case(
        text=asked.text,
        claims=tuple({claim.id: claim for claim in asked.claims}.values()),
        assertions=readings,
        evidence=tuple((source, tuple(found)) for source, found in compared.evidence.items()),
        # without axioms no kind excludes another
        background=tuple(
            (source, tuple(_typed(source, things))) for source, things in asked.kinds.items()
        )
        if asked.axioms
        else (),
        facts=tuple(facts),
        axioms=asked.axioms,
        labels=asked.labels,
    )


def _similarity(
    readings: Iterable[Claim], evidence: Iterable[Iterable[Claim]], asked: Asked
) -> float | None:
    """Return the kernel value of readings and the statements that answer them best (KEA).

    The best statement is the same one, else one of the same thing and property, else one of the
    same thing. With the graphs of the paper it is the nearest in words, and what describes a thing
    of the readings is a statement too.
    """
    said = [claim.triple for claim in readings]
    known = [claim.triple for found in evidence for claim in found]
    if asked.likeness is None or not said or not known:
        return None
    align, labels = asked.likeness.align, asked.labels
    if align.graphs == KEA:
        descriptions = asked.likeness.descriptions

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
        return likeness(mine, [*theirs, *described], align, model=asked.likeness.model)

    def nearest(mine: Triple) -> Triple:
        def shared(other: Triple) -> tuple[bool, bool, bool]:
            about = mine.subject == other.subject
            return about, about and mine.predicate == other.predicate, mine == other

        return max(known, key=shared)

    def graph(triples: Iterable[Triple]) -> list[tuple[str, str, str]]:
        return sorted({(str(t.subject), str(t.predicate), str(t.object)) for t in triples})

    best = [nearest(mine) for mine in said]
    return graph_kernel(
        graph(said), graph(best), name=align.kernel, h=align.h, relation_nodes=align.relation_nodes
    )


def _typed(source: URIRef, things: Mapping[URIRef, Sequence[URIRef]]) -> Iterator[Claim]:
    """Yield what a source says of the kinds of things, as evidence."""
    pairs = ((thing, kind) for thing, found in things.items() for kind in found)
    for number, (thing, kind) in enumerate(pairs):
        triple = Triple(thing, RDF.type, kind)
        yield Claim(STATEMENT[f"kb:kind:{quote(source, safe='')}:{number}"], triple,
                    Span(str(source), 0, 0), origin="kb")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What knowledge bases say of a text: the parts of its report that are theirs.

    `verdicts` are those of documents and knowledge bases together, also on claims that only the
    surface of the text gave; among the params is the digest of the dataset of readings and
    statements; `unasked` says which sources could not be asked, and why; where they judge alone
    `metrics` are those of the text.
    """

    readings: tuple[Claim, ...]
    verdicts: tuple[Verdict, ...]
    violations: tuple[Violation, ...]
    labels: Mapping[Node, str]
    models: tuple[tuple[str, str], ...]
    params: tuple[tuple[str, str], ...]
    calls: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    unasked: tuple[str, ...] = ()
    metrics: tuple[Metric, ...] = ()


def _metrics(
    plan: Plan, verdicts: Sequence[Verdict], asked: Asked, similarity: float | None
) -> Iterator[Metric]:
    """Yield EG, RP and CFI (HalluGraph) of a text, and how alike it is to what is stated (KEA).

    A name is grounded that a source has, a value and a relation that are stated.
    """
    unknown = {question.unlinked for question in asked.questions}
    kept = [verdict.outcome is Outcome.SUPPORTED for verdict in verdicts]
    grounded: dict[Node, bool] = defaultdict(bool)
    for verdict, known in zip(verdicts, kept, strict=True):
        for node in (verdict.claim.triple.subject, verdict.claim.triple.object):
            grounded[node] |= known if isinstance(node, Literal) else node not in unknown
    asked_all = kept and all(verdict.outcome is not Outcome.ERROR for verdict in verdicts)
    for rule in (r for pack in plan.packs for r in pack.rules if r.metric == "CFI" and asked_all):
        alpha = float(str(plan.config.rules.get(rule.id, {}).get("alpha", rule.params["alpha"])))
        eg, rp = sum(grounded.values()) / len(grounded), sum(kept) / len(kept)
        yield Metric("EG", eg, len(grounded))
        yield Metric("RP", rp, len(kept))
        yield Metric("CFI", alpha * eg + (1 - alpha) * rp, 1)
    if similarity is not None:
        yield Metric(metric_of(plan.config.align.kernel), similarity, len(asked.questions))


def inquire(
    extraction: Extraction,
    claims: Sequence[Claim],
    plan: Plan,
    *,
    told: Sequence[Verdict] = (),
    terms: Mapping[Node, str] | None = None,
    edits: bool = True,
    tried: Collection[Key] = (),
    read: ReadByModel | None = None,
) -> Inquiry:
    """Put a text to the knowledge bases of a plan.

    `told` are the verdicts that documents gave, `terms` names those of the ontology. Where the
    knowledge bases judge alone only claims count that could be read. `edits` and `tried` are those
    of `checks.judge.judge`; `read` has by source and sentence what is said there, in place of our
    own reading of it.
    """
    config, now = plan.config, plan.now
    sources = open_sources(config, now, plan.axioms)
    answers = [
        ask_source(extraction, claims, source, config, now, read=(read or {}).get(source.iri))
        for source in sources
    ]
    judged: dict[URIRef, Claim] = {} if plan.alone else {claim.id: claim for claim in claims}
    labels: dict[Node, str] = {DOCUMENTS: "the context"}
    for source, found in zip(sources, answers, strict=True):
        for claim in _heard(found, answers):
            judged.setdefault(claim.id, claim)
        labels = {**found.labels, **labels, source.iri: source.connection.source.name}
    connections = [source.connection for source in sources]
    described = {thing: text for f in answers for thing, text in f.read.descriptions.items()}
    asked = replace(
        _put(extraction, plan, sources, answers),
        claims=tuple(judged.values()),
        labels={**(terms or {}), **labels, **extraction.labels},
        outcomes={v.claim.id: v.outcome for v in told},
        authoritative=[_prevailing(name, config, connections) for name in config.authoritative],
        likeness=Likeness(config.align, described, config.encoder) if plan.alone else None,
    )
    decision = decide(asked, kb_rules(plan), edits=edits, tried=tried)
    rulings = {claim: ruling for claim in judged if (ruling := decision.of(claim))}
    verdicts = merge_all(judged.values(), told, rulings, alone=plan.alone)
    return Inquiry(
        readings=tuple(question.reading for question in asked.questions),
        verdicts=verdicts,
        violations=decision.violations,
        labels=labels,
        models=(("linker", load_model(encoded=True).digest),),
        params=(*_params(connections, now), ("kb.dataset", decision.dataset)),
        calls=tuple(_calls(connections)),
        notes=tuple(dict.fromkeys(c.note for c in connections if c.note)),
        unasked=tuple(dict.fromkeys(_unasked(answers, connections))),
        metrics=tuple(_metrics(plan, verdicts, asked, decision.similarity)) if plan.alone else (),
    )


def settled(extraction: Extraction, plan: Plan, read: ReadByModel) -> Mapping[int, Outcome]:
    """Return what comes of the sentences that what a model has read in them settles, by number.

    Those are settled of which a claim is refuted, or all are supported.
    """
    config, now = plan.config, plan.now
    sources = [one for one in open_sources(config, now, plan.axioms) if read.get(one.iri)]
    answers = [
        ask_source(
            extraction,
            (),
            source,
            config,
            now,
            said=[(n, one) for n, said in read[source.iri].items() for one in said],
        )
        for source in sources
    ]
    claims = {claim.id: claim for found in answers for claim in found.read.claims}
    asked = replace(_put(extraction, plan, sources, answers), claims=tuple(claims.values()))
    decision = decide(asked, kb_rules(plan), edits=False)
    outcomes: dict[int, set[Outcome]] = defaultdict(set)
    for claim in claims.values():
        ruling = decision.of(claim.id)
        outcomes[claim.sentence].add(ruling.outcome if ruling else Outcome.UNVERIFIABLE)
    against = {Outcome.REFUTED, Outcome.CONFLICTING}
    return {
        number: min(told, key=ORDER.index)
        for number, told in outcomes.items()
        if told & against or told == {Outcome.SUPPORTED}
    }


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
            config.index,
            config.contact,
            config.offline,
            *_moment(spec, now),
            axioms,
            asking_of(config),
        )
        for spec in config.bases
    )
    names = [DOCUMENTS, *(source.iri for source in found)]
    for source in found:
        if names.count(source.iri) > 1:
            raise ConfigError(f"two sources are called {source.connection.source.name}; rename one")
    return found


def _moment(spec: str, now: datetime) -> tuple[datetime, tuple[int, int]]:
    """Return what a knowledge base is opened anew for: a run, or that a file has changed."""
    path = reserved.path_of("kb", spec)
    if path is None or not path.is_file():
        return now, (0, 0)
    state = path.stat()
    return datetime.min.replace(tzinfo=UTC), (state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _open(
    spec: str,
    names: str,
    contact: str,
    offline: str,
    now: datetime,
    changed: tuple[int, int],
    axioms: tuple[Triple, ...],
    asking: Asking,
) -> Opened:
    connection = connect(
        spec, now=now, names=names, contact=contact, offline=offline, axioms=axioms, asking=asking
    )
    return Opened(connection, Relations(connection.source.properties()), connection.axioms())


@dataclass(frozen=True, slots=True)
class Answered:
    """What was read for one knowledge base and what that answered: see `read_knowledge`, `ask`."""

    read: Readings
    answers: Answers
    labels: Mapping[Node, str]
    faults: tuple[Fault, ...]


def ask_source(
    extraction: Extraction,
    claims: Sequence[Claim],
    source: Opened,
    config: Config,
    now: datetime,
    *,
    said: Sequence[tuple[int, Relational]] | None = None,
    read: Mapping[int, Sequence[Relational]] | None = None,
) -> Answered:
    """Put what a text says, or what is given as said or read, to one knowledge base."""
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
        read=read,
        fault=connection.fault,
    )
    questions = [
        replace(question, complete=_is_closed(question, config)) for question in found.questions
    ]
    answers = ask(questions, connection.source, found.others)
    stated = {s.value.node for question in answers.questions for s in question.statements}
    amounts = {node: words for node in stated if (words := in_words(node))}
    labels = {**amounts, **answers.labels, **found.labels}
    return Answered(found, answers, labels, (*found.faults, *answers.faults))


def _put(
    extraction: Extraction, plan: Plan, sources: Sequence[Opened], answers: Sequence[Answered]
) -> Asked:
    """Return what was answered, as the rules are to see it."""
    return Asked(
        questions=[question for found in answers for question in found.answers.questions],
        within=frozenset(pair for found in answers for pair in found.answers.within),
        text=source_iri(extraction.document.name),
        axioms=(*plan.axioms, *dict.fromkeys(axiom for one in sources for axiom in one.axioms)),
        kinds={one.iri: found.read.kinds for one, found in zip(sources, answers, strict=True)},
    )


def _heard(found: Answered, answers: Iterable[Answered]) -> Iterator[Claim]:
    """Yield the claims of a source that stand: of one that failed beside others what it answered.

    What nobody but a source that could not be asked would judge is told with why it could not.
    """
    beside = found.faults and any(not other.faults for other in answers)
    answered = {q.reading.reads for q in found.answers.questions if q.status.answered}
    for claim in found.read.claims:
        if not beside or claim.id in answered:
            yield claim


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


def _unasked(answers: Sequence[Answered], connections: Sequence[Connection]) -> Iterable[str]:
    """Yield why sources could not be asked, the commonest reason of each first."""
    for found, connection in zip(answers, connections, strict=True):
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


def write_answers(plan: Plan, used: Mapping[str, Response], path: Path) -> None:
    """Write what a check used of what endpoints answered to a snapshot."""
    sources = open_sources(plan.config, plan.now, plan.axioms)
    lasting = [response for source in sources for response in source.connection.lasting]
    write_snapshot((*lasting, *used.values()), path, plan.now.date())
