"""A text and its documents: what is read of them, put side by side, and the case that they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from groundrules.align.alignments import read_sources
from groundrules.align.grading import carried, to_grade, with_grades, with_sums
from groundrules.align.grounding import Grounding, ground
from groundrules.align.relation_axioms import relations
from groundrules.align.statement_facts import facts, formerly, passages_of
from groundrules.align.statements import AlignedStatement, align_statements
from groundrules.checks.case import Case, Stated
from groundrules.checks.clock import Clock
from groundrules.checks.extractions import extraction_of, extractions_of, length, parsed
from groundrules.checks.plan import Plan
from groundrules.checks.reading import read_in_turn
from groundrules.claims.documents.document import Document, shortened
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.names.resolve import resolve
from groundrules.config import KEA, Config
from groundrules.explain.findings import counted
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.reader import Reading, read_terms
from groundrules.terms import STATEMENT, Claim, Span, Triple, source_iri

if TYPE_CHECKING:
    from groundrules.align.kea import LabelTriple
    from groundrules.claims.models.grades import Grades
    from groundrules.llm.client import Client
    from groundrules.ontology.read.model_terms import ModelReading


#: Contexts of up to so many words are read ahead as a text beside them would have them read, and
#: longer ones as far as this text asks for it.
_AHEAD = 2_000
_TRIAL = Document("trial", "The work began on May 2, 2021.")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What was read of a text, its sources and the question, with nodes of their own in common.

    `graphs` are those that KEA Explain's prompt gave, none where it was not asked; `notes` say what
    of the answers of a language model was dropped, `unasked` which places have none, each after the
    cause; `cut` are the ranges of words of the text too long to be read.
    """

    text: Extraction
    sources: Sequence[Extraction]
    question: Extraction | None = None
    graphs: Sequence[Sequence[LabelTriple]] = ()
    notes: tuple[str, ...] = ()
    unasked: tuple[tuple[str, str], ...] = ()
    cut: Sequence[tuple[int, int]] = ()

    def says_as(self, other: Resolved) -> bool:
        """Return whether all that is compared was read alike, whoever read it."""
        mine, theirs = ((one.text, *one.sources, one.question) for one in (self, other))
        return mine == theirs and not (self.graphs or other.graphs)


@dataclass(frozen=True, slots=True)
class BesideDocuments:
    """A text beside its documents: its claims grounded, and in the terms of the ontology.

    `notes` are those of the language model; `missed` says of statements by number why it has not
    graded them, and `unasked` what it could not be asked, and why.
    """

    text: Extraction
    grounding: Grounding
    reading: Reading
    statements: tuple[AlignedStatement, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    missed: Mapping[int, str] = field(default_factory=dict)
    unasked: tuple[str, ...] = ()


def read(document: Document, plan: Plan, clock: Clock, client: Client | None = None) -> Resolved:
    """Read a text and the documents of a plan, by a language model besides if one is given."""
    document, cut = shortened(document)
    near = shortened(plan.edited)[0] if plan.edited else None
    found = resolved(document, plan.contexts, plan.config, clock, client, plan.question, near)
    return replace(found, cut=cut)


def read_ahead(contexts: Iterable[Document], config: Config) -> None:
    """Read of contexts now what texts are held against, so that the first of them waits less."""
    clock, sources = Clock(), list[Extraction]()
    for one in (shortened(context)[0] for context in contexts):
        short = length(one.text) <= _AHEAD
        # a text is nearest to itself: so all that is encoded of a context is encoded now
        found = resolved(one if short else _TRIAL, [one], config, clock)
        grounded(found, config, clock)
        sources += found.sources if short else ()
    read_sources(sources)


def compare(found: Resolved, plan: Plan, clock: Clock) -> BesideDocuments:
    """Put a text beside the documents of a plan."""
    grounding = grounded(found, plan.config, clock)
    reading = _in_terms(found, plan, clock)
    statements = align_statements(
        found.text, found.sources, None if plan.alone else grounding, found.cut
    )
    clock.mark("statements")
    bodies = {one.document.name: one.document.text for one in found.sources}
    return BesideDocuments(found.text, grounding, reading, statements, bodies)


def read_statements(
    beside: BesideDocuments,
    sources: Sequence[Extraction],
    plan: Plan,
    open_to: Collection[int],
    clock: Clock,
) -> tuple[BesideDocuments, frozenset[int]]:
    """Return a text as the licensed readers of a plan read it, and what none of them has settled.

    They read the statements whose numbers are `open_to` them.
    """
    found = read_in_turn(beside.statements, beside.texts, open_to, plan.readers)
    clock.mark("readers")
    beside = replace(
        beside,
        statements=with_sums(found.statements, sources),
        notes=(*beside.notes, *found.notes),
        missed=found.missed,
        unasked=_unread(found.missed),
    )
    return beside, found.unsettled


def _unread(missed: Mapping[int, str]) -> tuple[str, ...]:
    """Return a line for each cause for which readers have not read statements."""
    causes = Counter(missed.values())
    return tuple(
        f"readers have not read {counted(count, 'statement')}: {why}"
        for why, count in causes.items()
    )


def grade(
    beside: BesideDocuments,
    found: Resolved,
    client: Client,
    clock: Clock,
    open_to: Collection[int] | None = None,
) -> tuple[BesideDocuments, Grades]:
    """Return a text beside its documents as a language model grades its statements, and the grades.

    Where readers have read the text, those whose numbers are `open_to` it; what they missed it may
    grade.
    """
    from groundrules.claims.models.grades import Grades, grade_statements

    asked = to_grade(beside.statements)
    if open_to is not None:
        asked = {number: places for number, places in asked.items() if number in open_to}
    grades = Grades()
    if found.sources:
        grades = grade_statements(found.text, found.sources, asked, client)
    clock.mark("grades")
    left = {number: why for number, why in beside.missed.items() if number not in asked}
    read = {one.number for one in beside.statements if one.grade is not None or one.doubted}
    missed = {number: why for number, why in grades.missed.items() if number not in read}
    graded = replace(
        beside,
        statements=with_grades(beside.statements, grades.by_number, found.sources),
        notes=(*beside.notes, *grades.notes()),
        missed={**left, **missed},
        unasked=_unread(left),
    )
    return graded, grades


def with_triples(
    graded: BesideDocuments, plain: BesideDocuments, found: Resolved, plan: Plan, clock: Clock
) -> BesideDocuments:
    """Return a text with a model's triples beside its documents, as far as it is graded already.

    `plain` is the text before it was graded.
    """
    beside = compare(found, plan, clock)
    return replace(
        beside,
        statements=carried(beside.statements, plain.statements, graded.statements),
        notes=graded.notes,
        missed=graded.missed,
        unasked=graded.unasked,
    )


def tell_terms(
    beside: BesideDocuments, found: Resolved, plan: Plan, client: Client, clock: Clock
) -> BesideDocuments:
    """Return a text beside its documents with what a model reads of it in terms of the ontology.

    Our own reading stands; what the model reads of the text joins it.
    """
    if plan.ontology is None:
        return beside
    from groundrules.checks.modelassertions import ask_assertions, told_notes

    told = ask_assertions(found.text, plan.ontology, client)
    reading, notes = beside.reading, told.notes
    if told.reading is not None:
        reading = _in_terms(found, plan, clock, told.reading)
        notes = (*notes, *told_notes(told.reading, reading))
    clock.mark("terms by the language model")
    return replace(
        beside,
        reading=reading,
        notes=(*beside.notes, *notes),
        unasked=(*beside.unasked, *told.unasked),
    )


def unasked_of(unread: Iterable[tuple[str, str]], grades: Grades, name: str) -> Iterator[str]:
    """Yield a line for each cause for which a language model gave no answer, with what it cost."""
    told: dict[str, list[str]] = {cause: [] for cause in grades.unasked}
    for cause, place in unread:
        told.setdefault(cause, []).append(place)
    for cause, places in told.items():
        missing = []
        if count := grades.unasked.get(cause):
            missing.append(f"graded {count:,} of {grades.asked:,} statements")
        if places:
            missing.append(f"read {', '.join(places)}")
        yield f"language model {name} has not {' nor '.join(missing)}: {cause}"


def resolved(
    document: Document,
    contexts: Sequence[Document],
    config: Config,
    clock: Clock,
    client: Client | None = None,
    question: Document | None = None,
    near: Document | None = None,
) -> Resolved:
    """Return what is read of a text and its contexts, by a language model besides if one is given.

    That reads all that the sources say, and so do the ontology and KEA Explain; else of long
    contexts what bears on the text, or on the one that is `near` it.
    """
    if client is None:
        text = extraction_of(document, config.model)
        whole = bool(config.ontology) or config.align.graphs == KEA
        first = extraction_of(near, config.model) if near else text
        parts = extractions_of(first, contexts, config.model, whole=whole)
        found: Sequence[Extraction] = [text, *parts]
        notes: tuple[str, ...] = ()
        unasked: tuple[tuple[str, str], ...] = ()
        graphs: Sequence[Sequence[LabelTriple]] = ()
        clock.mark("extract")
    else:
        from groundrules.claims.models.llm_triples import read_triples

        documents = [parsed(one, config.model) for one in (document, *contexts)]
        extracted = read_triples(documents, client, graphs=config.align.graphs)
        found, notes = extracted.extractions, tuple(extracted.notes())
        unasked = tuple(extracted.unasked())
        asked_whole = config.align.graphs == KEA and not extracted.unread
        graphs = extracted.graphs if asked_whole else ()
        clock.mark("language model")
    asked = [extraction_of(question, config.model)] if question else []
    text, *others = resolve([*found, *asked])
    topic = others.pop() if asked else None
    clock.mark("resolve")
    return Resolved(text, others, topic, graphs, notes, unasked)


def grounded(found: Resolved, config: Config, clock: Clock) -> Grounding:
    """Put the claims of a text beside the statements of its sources."""
    grounding = ground(found.text, found.sources, config=config, question=found.question)
    if config.align.graphs == KEA:
        from groundrules.align.kea import graph_of, likeness

        mine, *theirs = found.graphs or [graph_of(one) for one in (found.text, *found.sources)]
        known = [triple for graph in theirs for triple in graph]
        similarity = likeness(mine, known, config.align, model=config.encoder)
        grounding = replace(grounding, similarity=similarity)
    clock.mark("align")
    return grounding


def _in_terms(
    found: Resolved, plan: Plan, clock: Clock, told: ModelReading | None = None
) -> Reading:
    """Return what a text and its sources say in the terms of the ontology, if there is one."""
    if plan.ontology is None:
        return Reading()
    reading = read_terms(found.text, found.sources, plan.ontology, told=told)
    clock.mark("read terms")
    return reading


# --- the case ---------------------------------------------------------------------------------


def case_of(
    grounding: Grounding,
    reading: Reading | None = None,
    ontology: Ontology | None = None,
    statements: Sequence[AlignedStatement] = (),
    texts: Mapping[str, str] | None = None,
) -> Case:
    """Return what the rules are put to, of a text beside its sources, whose `texts` go by name.

    The axioms are what plain English says of its relations (`align/relations.ttl`) and what the
    ontology says of its terms; what it says of individuals, and what reference works say of the
    things named, is evidence like that of a source.
    """
    reading, bodies = reading or Reading(), texts or {}
    return Case(
        text=source_iri(grounding.name),
        statements=tuple(one.claim for one in statements),
        claims=grounding.claims,
        assertions=reading.told or reading.assertions,
        evidence=tuple(
            (source_iri(name), tuple(stated))
            for references in (grounding.references, reading.references)
            for name, stated in references.items()
        ),
        background=_background(reading, ontology),
        passages=tuple(passages_of(statements, bodies).values()),
        facts=(*grounding.facts(), *facts(statements, bodies, grounding.claims)),
        axioms=ontology.axioms if ontology else (),
        relations=relations(),
        labels={**reading.labels, **grounding.labels},
    )


def superseded_case(statements: Sequence[AlignedStatement], texts: Mapping[str, str]) -> Case:
    """Return what the rules are put to of statements that superseded sources carry."""
    return Case(
        statements=tuple(one.claim for one in statements),
        passages=tuple(passages_of(statements, texts).values()),
        facts=tuple(formerly(statements, texts)),
    )


def _background(reading: Reading, ontology: Ontology | None) -> Stated:
    """Return what reference works and an ontology say of things, at no place."""
    known: dict[str, Iterable[Triple]] = dict(reading.background)
    if ontology is not None:
        known[ontology.name] = ontology.individuals
    return tuple((source_iri(work), tuple(_as_claims(work, known[work]))) for work in known)


def _as_claims(work: str, triples: Iterable[Triple]) -> Iterator[Claim]:
    for number, triple in enumerate(triples):
        yield Claim(STATEMENT[quote(f"{work}:known:{number}")], triple, Span(work, 0, 0))
