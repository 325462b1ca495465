"""The pipeline on one page: read, extract, resolve, align, ask the rules, verify the edits."""

from __future__ import annotations

import itertools
import os
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from groundrules import __version__, cache, domain
from groundrules.claims.document import Document, from_text, plain, read, shortened
from groundrules.config import BUILT_IN, KEA, Config, LLMConfig, allows_network, cache_folder
from groundrules.dataset import Dataset, parse_turtle
from groundrules.errors import ConfigError, SourceError
from groundrules.models.calibration import Calibration, read_calibration
from groundrules.terms import (
    LLM,
    STATEMENT,
    Claim,
    Metric,
    Outcome,
    Report,
    Run,
    Span,
    Statement,
    Triple,
    Violation,
)

if TYPE_CHECKING:
    from groundrules.align.grounding import Grounding
    from groundrules.align.kea import LabelTriple
    from groundrules.align.statements import Held
    from groundrules.align.weighing import Weights
    from groundrules.checks.answers import Response
    from groundrules.checks.kb import Inquiry
    from groundrules.checks.values import Record
    from groundrules.claims.offline import Extraction
    from groundrules.claims.outline import Outline
    from groundrules.llm.client import Client, Usage
    from groundrules.models.statement_scorer import Model
    from groundrules.ontology.load import Ontology
    from groundrules.ontology.read.reader import Reading
    from groundrules.rules.rule import Rule

__all__ = ["ask", "check", "compare", "extract"]

Source = str | Path | Document

#: The packs that compare a text with documents.
_OF_DOCUMENTS = ("core", "values")

#: The rules that say what the sources lack: nothing, where there are none.
_OF_LACKS = frozenset({"GR101", "GR102", "GR308", "GR900", "GR901", "GR902", "GR903"})
#: The rule that the support of a statement is too little.
_SUPPORT = "GR102"
#: The rule that the scorer doubts a statement.
_DOUBT = "GR106"
#: The rule that weighs EG and RP.
_FIDELITY = "GR900"
#: The reason of a statement that a language model finds entailed.
_GRADED = "graded"

#: Longest text that is checked at once, about 200 pages, and what its contexts may have in all.
MAX_WORDS = 100_000
MAX_CONTEXT_WORDS = 1_000_000

#: Words and signs that a parser sees for each word between spaces; prose has one or two.
_PARTS = 3
_PART = re.compile(r"\w+|[^\w\s]")

#: Contexts of up to so many words in all are parsed whole, of longer ones what bears on the text.
WHOLE_WORDS = 6_000

#: Kinds of names that a document introduces in full; a defined term is found by its definition.
_NAMES = frozenset({"PERSON", "ORG", "LOC", "MISC"})

#: Longest text that can be the name of a file.
_LONGEST_NAME = 1024


def check(
    source: Source,
    *,
    context: Source | Iterable[Source] = (),
    question: str = "",
    config: Config | None = None,
    now: datetime | None = None,
    snapshot: Path | None = None,
    client: Client | None = None,
    verify: bool = True,
) -> Report:
    """Check what a text asserts against the documents it was written from, or knowledge bases.

    A `str` is the text itself, a `Path` a file (txt, md, html, pdf, docx); a `str` that names an
    existing file is refused; a folder that `groundrules index` wrote stands for its documents. The
    report depends on nothing but the arguments, what the knowledge bases answer and the versions in
    `report.run`; only `report.run.times` and `calls` vary. The order of the contexts does not
    matter. `question` is what the text answers: what it names is known, and what it says is no
    evidence. `now` is the time that the present tense means to a knowledge base, by default that of
    the snapshot which is replayed, else of the call; `snapshot` is a file to write its answers to.
    A language model extracts, grades and words besides where `config.llm` names one; `client` is
    asked in its place, so that several checks share its limits. What it was not asked, the report
    notes.
    A text with safe edits is read again with them, by documents and knowledge bases alone, unless
    `verify` is false.

    Raises:
        SourceError: a document cannot be read, or there is nothing to check against.
        ConfigError: a setting is wrong or needs an extra that is missing.
        RuleError: a rule pack cannot be used.
        ModelError: a model is missing.
    """
    clock = _Clock()
    chosen = config or Config()
    document = _document(source, "text")
    contexts = _distinct(_given(context), document)
    name = ""
    if verify and client is None and snapshot is None:
        name = _kept_as(document, contexts, chosen, question)
    found = cache.read(Report, name) if name else None
    if found is not None:
        sources = {item.name: item.text for item in (document, *contexts)}
        clock.mark("kept")
        run = replace(found.run, times=clock.times())
        return replace(found, text=document.text, sources=sources, run=run)
    report = _check(document, contexts, question, config, now, snapshot, client, verify=verify)
    if name:
        cache.write(Report, name, replace(report, text="", sources={}))
    return report


def _kept_as(
    document: Document, contexts: Sequence[Document], config: Config, question: str
) -> str:
    """Return the name under which a report is kept, empty where it rests on what may change."""
    alone = not (config.kb or config.ontology or config.offline) and config.llm.model == "never"
    ours = config.model == "embedded" and config.embedding == "embedded"
    if not (alone and ours and config.scorer in ("embedded", "none") and cache_folder()):
        return ""
    from groundrules.rules.packs import load_packs

    packs = load_packs(config.packs_in_force, config.base)
    return cache.key(
        Report,
        (
            repr(config),
            question,
            repr(_scale(config)),
            repr([(pack.name, pack.digest) for pack in packs]),
            *(part for one in (document, *contexts) for part in _parts(one)),
        ),
    )


def _parts(document: Document) -> tuple[str, ...]:
    """Return all that a document is, as parts of a key."""
    return document.name, document.format, document.text, repr(document.unread)


def _check(
    source: Source,
    context: Source | Iterable[Source],
    question: str,
    config: Config | None,
    now: datetime | None,
    snapshot: Path | None,
    client: Client | None,
    *,
    verify: bool,
    edits: bool = True,
) -> Report:
    """Return the report of a check; see `check`.

    Without `edits` none of them is tried, and the dataset is not told.
    """
    from groundrules.align.statements import facts, hold, passages_of
    from groundrules.align.support import load_model
    from groundrules.align.weighing import weigh
    from groundrules.checks import verdicts as judge
    from groundrules.explain.contrast import with_nearest
    from groundrules.explain.repair import settle, verify_all
    from groundrules.models import embed
    from groundrules.rules import engine
    from groundrules.rules import shapes as shacl
    from groundrules.rules.packs import load_packs, overrides_of
    from groundrules.terms import source_iri

    chosen = config or Config()
    clock = _Clock()
    ontology = _ontology(chosen)
    if ontology and not (context or chosen.kb) and _has_named_things(ontology):
        chosen = replace(chosen, kb=(chosen.ontology,))
    packs = load_packs(chosen.packs_in_force, chosen.base)
    scale = _scale(chosen)
    asking = client is not None or chosen.llm.model != "never"
    scorer, weights = _scorer(chosen, scale, asking=asking)
    chosen = replace(chosen, rules=overrides_of(chosen.rules, packs, chosen.base))
    judges = [rule for pack in packs for rule in pack.rules if rule.verdict is not None]
    document = _document(source, "text")
    contexts = _distinct(_given(context), document)
    if not (contexts or chosen.kb or chosen.ontology):
        raise SourceError(
            "there is nothing to check against; expected a context, a knowledge base (kb) or an "
            "ontology",
            path=document.name,
        )
    _bound([document], MAX_WORDS)
    _bound(contexts, MAX_CONTEXT_WORDS)
    whole, given = document, contexts
    document, cut = shortened(whole)
    contexts = tuple(shortened(one)[0] for one in given)
    # Without documents nothing is to be found in them: the knowledge bases judge alone.
    alone = bool(chosen.kb) and not contexts
    rules = [
        rule
        for pack in packs
        if not (alone and pack.name in _OF_DOCUMENTS)
        for rule in pack.rules
        if rule.verdict is None and (contexts or rule.id not in _OF_LACKS)
    ]
    threshold = _threshold(chosen, scale, weights)
    overrides = _with_thresholds(chosen.rules, rules, threshold, weights, scale)
    clock.mark("read")
    if client is None and chosen.llm.model != "never":
        from groundrules.llm.client import connect

        client = connect(chosen.llm)
    before = client.usage if client else None
    asking_for = _question(question, document, contexts)
    (text, *sources), topic, heard, graphs = _resolved(
        document, contexts, chosen, clock, client, asking_for
    )
    grounding = _ground(text, sources, chosen, clock, topic, graphs)
    reading = _read_terms(text, sources, ontology, chosen, clock)
    # the score is calibrated, where there is one, and not what is weighed in it
    fitted = Calibration() if weights else scale
    held = hold(text, sources, None if alone else grounding, fitted, cut)
    clock.mark("statements")
    if weights is not None and contexts:
        held = weigh(held, sorted(one.text for one in contexts), scorer(), weights)
        clock.mark("scorer")
    if client is not None and sources:
        held, told = _graded(held, text, sources, client)
        heard = (*heard, *told)
        clock.mark("grades")
    bodies = {one.document.name: one.document.text for one in sources}
    dataset = build(grounding, reading, ontology)
    dataset.add_statements([one.claim for one in held], source_iri(document.name))
    dataset.add(facts(held, bodies, grounding.claims))
    focus = [one.claim for one in held]
    claims = {claim.id: claim for claim in (*grounding.claims, *reading.assertions, *focus)}
    passages = passages_of(held, bodies)
    evidence = {
        statement.id: statement
        for references in (grounding.references, reading.references)
        for found in references.values()
        for statement in found
    }
    labels = {**reading.labels, **grounding.labels}
    clock.mark("dataset")
    result = engine.check(
        dataset,
        rules,
        claims=claims,
        evidence={**evidence, **passages},
        labels=labels,
        overrides=overrides,
        select=chosen.select,
        ignore=chosen.ignore,
    )
    hidden = judge.spared(result.hidden, held, bodies)
    clock.mark("rules")
    violations = judge.spared(result.violations, held, bodies)
    if edits:
        violations = verify_all(
            violations,
            dataset,
            rules,
            result,
            claims=claims,
            overrides=overrides,
            select=chosen.select,
            ignore=chosen.ignore,
        )
    if shapes := [path for pack in packs for path in pack.shapes]:
        found = shacl.validate(
            dataset,
            shapes,
            claims=claims,
            evidence=evidence,
            axioms=ontology.axioms if ontology else (),
            labels=labels,
            select=chosen.select,
            ignore=chosen.ignore,
        )
        violations = tuple(sorted((*violations, *found), key=engine.place))
    violations = with_nearest(violations, evidence.values())
    clock.mark("repair")
    found = (*violations, *hidden)
    verdicts = () if alone else tuple(judge.judge_claims(grounding, found, scale.threshold))
    asked = None
    if chosen.kb:
        from groundrules.checks.kb import inquire
        from groundrules.kb.connect import replayed

        now = now or replayed(chosen.offline) or datetime.now(UTC)
        asked = inquire(
            text,
            grounding.claims,
            # what reads the likeness of the graphs has it only now
            [*judges, *(rule for rule in rules if alone and "WL" in rule.reads)],
            chosen,
            text=source_iri(document.name),
            now=now,
            told=verdicts,
            alone=alone,
            axioms=ontology.axioms if ontology else (),
            terms=reading.labels,
            snapshot=snapshot,
        )
        clock.mark("knowledge bases")
        labels = {**asked.labels, **labels}
        violations = tuple(sorted((*asked.spare(violations), *asked.violations), key=engine.place))
        hidden = asked.spare(hidden)
        verdicts = asked.verdicts
    found = (*violations, *hidden)
    statements = judge.judge_statements(
        held,
        found,
        threshold=threshold,
        asked=verdicts if asked else (),
        weights=weights,
    )
    report = Report(
        source=document.name,
        text=whole.text,
        statements=statements,
        claims=asked.claims if asked else grounding.claims,
        assertions=(*reading.assertions, *(asked.readings if asked else ())),
        verdicts=verdicts,
        violations=tuple(_told_once(violations)),
        metrics=_likeness(asked)
        if alone
        else (*result.metrics, Metric("WL", grounding.similarity, len(grounding.claims))),
        probability=_rounded(judge.probability(statements, found)),
        labels=labels,
        sources={item.name: item.text for item in (whole, *given)},
        unread=tuple(_unread(whole, given)),
        unasked=asked.unasked if asked else (),
        policy=chosen.policy,
        unverifiable=chosen.unverifiable,
        run=Run(
            version=__version__,
            packs=tuple((pack.name, pack.digest) for pack in packs),
            models=(
                ("extractor", chosen.model),
                ("embedding", embed.digest(chosen.encoder)),
                ("support", load_model().digest),
                *(
                    [("scorer", scorer().name), ("weights", weights.digest)]
                    if weights and contexts
                    else ()
                ),
                *(asked.models if asked else ()),
                *([("language model", client.name)] if client else ()),
            ),
            params=(
                *_params(chosen, [*rules, *judges], threshold),
                *(asked.params if asked else ()),
            ),
            dataset=dataset.digest() if edits else "",
            stages=judge.stages(statements),
            # what is replayed is to be the same to the byte
            times=() if chosen.offline else clock.times(),
            calls=() if chosen.offline or asked is None else asked.calls,
            notes=(
                *(_silent(text, asked) if asked and alone else _notes(grounding, contexts)),
                *_reading_notes(reading, ontology),
                *(asked.notes if asked else ()),
                *heard,
            ),
        ),
    )

    def again(text: str, *, edits: bool = False) -> Report:
        return _check(
            replace(whole, text=text),
            given,
            question,
            _without_llm(config or Config()),
            now,
            snapshot,
            None,
            verify=False,
            edits=edits,
        )

    if client is not None:
        likened = [rule.id for rule in rules if "WL" in rule.reads]
        report = uphold(
            report,
            again(whole.text, edits=True),
            likened if chosen.align.graphs == KEA and contexts else None,
        )
        clock.mark("without the language model")
    if verify:
        report = _timed(settle(report, again), clock, "edits read again")
    if client is None or before is None:
        return report
    return _phrased(report, client, before, clock)


def _timed(report: Report, clock: _Clock, name: str) -> Report:
    """Return the report with the time since the last mark charged to a stage."""
    clock.mark(name)
    run = report.run
    return replace(report, run=replace(run, times=clock.times() if run.times else ()))


def uphold(report: Report, plain: Report, likened: Collection[str] | None = None) -> Report:
    """Return the report of a check with a language model, with all that one without it found.

    What the rules hold against a claim without a model stands: its verdict stays unless the other
    is refuted, and so do metrics and probability, whose thresholds were fitted without a model.
    A grade settles only that the words or a figure of a statement are wanting in the sources.
    Where the graphs are the model's, WL is that of the graphs, and `likened` are the rules that
    read it: what they find is added.
    """
    from groundrules.checks.verdicts import SETTLED, stages
    from groundrules.rules import engine

    faulted = {v.claim.id: v.claim for v in plain.violations if v.claim is not None}
    against = (Outcome.REFUTED, Outcome.CONFLICTING)
    faulted |= {v.claim.id: v.claim for v in plain.verdicts if v.outcome in against}

    def kept(claim: Claim) -> Claim:
        return faulted.get(claim.id, claim)

    held = {v.claim.id: v for v in plain.verdicts if v.claim.id in faulted}
    verdicts = tuple(
        v
        if v.claim.id not in held or (v.outcome is Outcome.REFUTED and kept(v.claim) == v.claim)
        else held[v.claim.id]
        for v in report.verdicts
    )
    statements = tuple(_upheld(report.statements, plain.statements))
    granted = {one.id for one in statements if one.reason == _GRADED}
    stands = (
        v
        for v in plain.violations
        if v.claim is None or v.claim.id not in granted or v.rule not in SETTLED
    )
    told = {(v.rule, v.claim.id) for v in plain.violations if v.claim is not None}
    known = {v.rule for v in plain.violations if v.claim is None}
    more = (
        v
        for v in report.violations
        if (
            v.rule in (likened or ()) and v.rule not in known
            if v.claim is None
            else (v.rule, v.claim.id) not in told and kept(v.claim) == v.claim
        )
    )
    heard = {one.name: one for one in report.metrics}
    before = dict(plain.run.calls)
    run = replace(
        report.run,
        stages=stages(statements),
        calls=tuple((name, count + before.get(name, 0)) for name, count in report.run.calls),
    )
    return replace(
        report,
        claims=tuple(kept(claim) for claim in report.claims),
        statements=statements,
        verdicts=verdicts,
        violations=tuple(sorted((*stands, *more), key=engine.place)),
        metrics=tuple(
            heard.get(one.name, one) if one.name == "WL" and likened is not None else one
            for one in plain.metrics
        ),
        probability=plain.probability,
        labels={**plain.labels, **report.labels},
        run=run,
    )


def _upheld(heard: Sequence[Statement], plain: Sequence[Statement]) -> Iterable[Statement]:
    """Yield the statements as judged without a model, but where the one with it tells more."""
    from groundrules.checks.verdicts import graded

    found = {one.id: one for one in heard}
    for one in plain:
        other = found.get(one.id, one)
        kept = other if _tells_more(other, one) else one
        # a grade decides the score, but of what is refuted without it
        told = other if graded(other) and one.outcome is not Outcome.REFUTED else one
        yield replace(kept, support=told.support, contributions=told.contributions)


def _tells_more(heard: Statement, plain: Statement) -> bool:
    """Return whether a statement is refuted or doubted only with a model, or settled by a grade.

    A grade settles what is open for want of words; what any other rule doubts stays in doubt.
    """
    from groundrules.checks.verdicts import OPEN, SETTLED

    if heard.outcome is Outcome.REFUTED:
        return plain.outcome is not Outcome.REFUTED
    supported = plain.outcome is Outcome.SUPPORTED
    unsettled = plain.outcome is Outcome.NOT_ENOUGH_INFO
    if heard.reason == _GRADED:
        return supported or (unsettled and plain.reason in (*SETTLED, "figure", "support"))
    doubted = heard.outcome is Outcome.NOT_ENOUGH_INFO and heard.reason not in OPEN
    return doubted and (supported or (unsettled and plain.reason in (*SETTLED, *OPEN)))


def _graded(
    held: Sequence[Held], text: Extraction, sources: Sequence[Extraction], client: Client
) -> tuple[tuple[Held, ...], tuple[str, ...]]:
    """Return the statements as a language model grades them, and what is to be noted of it."""
    from groundrules.align.statements import to_grade, with_grades
    from groundrules.claims.grades import grade_statements

    grades = grade_statements(text, sources, to_grade(held), client)
    return with_grades(held, grades.found), tuple(grades.notes())


def _phrased(report: Report, client: Client, before: Usage, clock: _Clock) -> Report:
    """Return the report with explanations as a language model words them, and what it has cost."""
    from groundrules.explain.phrase import phrase

    report, notes = phrase(report, client)
    clock.mark("phrase")
    run = report.run
    return replace(
        report,
        run=replace(
            run,
            times=clock.times() if run.times else (),
            calls=(*run.calls, *_llm_calls(before, client.usage)),
            notes=(*run.notes, *notes, *client.notes),
        ),
    )


def _llm_calls(before: Usage, after: Usage) -> Iterable[tuple[str, float]]:
    for name in ("calls", "cached", "retries", "prompt_tokens", "completion_tokens"):
        yield f"{LLM}{name.replace('_', ' ')}", getattr(after, name) - getattr(before, name)
    if after.cost:
        yield f"{LLM}cost", round(after.cost - before.cost, 6)


def extract(
    source: Source | Iterable[Source],
    schema: type | Mapping[str, Any] | Path,
    *,
    config: Config | None = None,
    client: Client | None = None,
) -> Record:
    """Extract a record from documents; only what has its evidence in them is safe.

    `schema` is a pydantic model, a JSON Schema or a file with one. A language model
    (`config.llm`, or `client`) gives each value with the passage it copied it from; the pack
    `passages` rejects what it made up (SafePassage, arXiv 2510.00276). What could not be asked
    about is in `unasked`.

    Raises:
        SourceError: a document cannot be read.
        ConfigError: the schema or a setting is wrong, needs an extra that is missing, or no
            language model is configured.
        RuleError: a rule pack cannot be used.
        ModelError: the scorer is missing.
        LLMError: nothing could be asked.
    """
    from groundrules.checks import values
    from groundrules.claims import fields, schemas
    from groundrules.llm.client import connect
    from groundrules.models.passage_scorer import NONE

    chosen = config or Config()
    if chosen.scorer == NONE:
        raise ConfigError("no value is safe without a scorer: 'none' is for check alone")
    clock = _Clock()
    wanted = schemas.read_schema(schema)
    packs = values.packs_of(chosen)
    given = [source] if isinstance(source, str | Path | Document) else source
    documents = _distinct([_document(item, f"text{n}") for n, item in enumerate(given, 1)])
    _bound(documents, MAX_CONTEXT_WORDS)
    if client is None:
        client = connect(chosen.llm)
    if client is None:
        raise ConfigError(
            "extraction asks a language model and none is named; expected --llm URL_OR_MODEL, or "
            "llm.model in the configuration"
        )
    before = client.usage
    clock.mark("read")
    threshold = values.threshold_of(chosen, packs)
    found, unasked = fields.extract(documents, wanted, client, threshold=threshold)
    clock.mark("language model")
    if unasked and not found:
        raise unasked[0].error
    record = values.check_record(
        found,
        documents,
        chosen,
        name=wanted.name,
        client=client,
        schema=wanted,
        unasked=unasked,
    )
    clock.mark("rules")
    run = replace(
        record.report.run,
        version=__version__,
        times=clock.times(),
        calls=tuple(_llm_calls(before, client.usage)),
        notes=(*record.report.run.notes, *client.notes),
    )
    return replace(record, report=replace(record.report, run=run))


def ask(
    question: str,
    *,
    config: Config,
    now: datetime | None = None,
    client: Client | None = None,
    rivals: Sequence[Client] = (),
) -> Response:
    """Answer a question from the records of a store, the first of `config.kb`.

    Without a language model (`config.llm`, or `client`) the answer is the records themselves. What
    a model answers is checked against the records it was given, the store and the ontology, by
    default that of the built-in domain; a sentence that they refute or do not carry is left out.
    `rivals` are asked without records, for comparison.

    Raises:
        ConfigError: there is no store, a setting is wrong or needs an extra that is missing.
        SourceError: the store or the index of its texts cannot be read.
        ModelError: a model is missing.
        LLMError: the language model could not be asked.
    """
    from groundrules.checks.answers import respond
    from groundrules.llm.client import connect

    if client is None and config.llm.model != "never":
        client = connect(config.llm)
    moment = now or datetime.now(UTC)
    # a model answers, and none decides: the check asks none. What documents say here was written
    # from the statements of the store, so where their reading differs the statements prevail.
    alone = replace(
        _without_llm(config),
        ontology=config.ontology or domain.built_in(),
        authoritative=config.authoritative or config.kb[:1],
    )

    def held(document: Document, contexts: Sequence[Document]) -> Report:
        return check(document, context=contexts, config=alone, now=moment)

    return respond(question, config, now=moment, check=held, client=client, rivals=rivals)


def compare(
    document: Document,
    contexts: Sequence[Document],
    *,
    config: Config | None = None,
    clock: _Clock | None = None,
) -> Grounding:
    """Put a document beside its contexts: extract, resolve, align."""
    chosen = config or Config()
    clock = clock or _Clock()
    (text, *sources), _, _, _ = _resolved(document, contexts, chosen, clock)
    return _ground(text, sources, chosen, clock)


def violations(grounding: Grounding, config: Config) -> tuple[Violation, ...]:
    """Return what the rules find in a text put beside its sources, edits not verified."""
    from groundrules.rules import engine
    from groundrules.rules.packs import load_packs

    return engine.check(
        build(grounding),
        [rule for pack in load_packs(config.packs, config.base) for rule in pack.rules],
        claims={claim.id: claim for claim in grounding.claims},
        evidence={e.id: e for found in grounding.references.values() for e in found},
        labels=grounding.labels,
        overrides=config.rules,
        select=config.select,
        ignore=config.ignore,
    ).violations


def sentences(text: str, config: Config) -> tuple[str, ...]:
    """Return the sentences of a source."""
    found = _extract(from_text(text, "source"), config.model)
    return tuple(found.document.text[span.start : span.end] for span in found.sentences)


def _resolved(
    document: Document,
    contexts: Sequence[Document],
    config: Config,
    clock: _Clock,
    client: Client | None = None,
    question: Document | None = None,
) -> tuple[
    Sequence[Extraction], Extraction | None, tuple[str, ...], Sequence[Sequence[LabelTriple]]
]:
    """Return the extractions with shared nodes, that of the question, what is to be noted, graphs.

    The graphs are those that KEA Explain's prompt gave, none where it was not asked.
    """
    from groundrules.claims.resolve import resolve

    text = _extract(document, config.model)
    # which read all that the sources say
    whole = client is not None or bool(config.ontology) or config.align.graphs == KEA
    extractions: Sequence[Extraction] = [text, *_sources(text, contexts, config.model, whole)]
    clock.mark("extract")
    notes: tuple[str, ...] = ()
    graphs: Sequence[Sequence[LabelTriple]] = ()
    if client:
        from groundrules.claims.llm_triples import read_triples

        heard = read_triples(extractions, client, model=config.model, graphs=config.align.graphs)
        extractions, notes = heard.extractions, tuple(heard.notes())
        if config.align.graphs == KEA and not heard.unread:
            graphs = heard.graphs
        clock.mark("language model")
    if question is None:
        found, topic = resolve(extractions), None
    else:
        every = resolve([*extractions, _extract(question, config.model)])
        found, topic = every[:-1], every[-1]
    clock.mark("resolve")
    return found, topic, notes, graphs


def _question(
    question: object, document: Document, contexts: Sequence[Document]
) -> Document | None:
    """Return the question as a document with a name of its own, None where there is none."""
    if not isinstance(question, str):
        raise SourceError(f"question is {question!r}; expected a str")
    if not question.strip():
        return None
    taken = {one.name for one in (document, *contexts)}
    others = (f"question#{number}" for number in itertools.count(2))
    name = next(one for one in itertools.chain(["question"], others) if one not in taken)
    _bound([found := from_text(question, name)], MAX_WORDS)
    return shortened(found)[0]


def _ground(
    text: Extraction,
    sources: Sequence[Extraction],
    config: Config,
    clock: _Clock,
    question: Extraction | None = None,
    graphs: Sequence[Sequence[LabelTriple]] = (),
) -> Grounding:
    from groundrules.align.grounding import ground

    grounding = ground(text, sources, config=config, question=question)
    if config.align.graphs == KEA:
        from groundrules.align.kea import graph_of, likeness

        mine, *theirs = graphs or [graph_of(one) for one in (text, *sources)]
        known = [triple for graph in theirs for triple in graph]
        similarity = likeness(mine, known, config.align, model=config.encoder)
        grounding = replace(grounding, similarity=similarity)
    clock.mark("align")
    return grounding


def _ontology(config: Config) -> Ontology | None:
    if not config.ontology:
        return None
    from groundrules.ontology.load import load

    return load(config.ontology, config.base)


def _has_named_things(ontology: Ontology) -> bool:
    """Return whether an ontology has data of its own to ask where there is nothing else."""
    from groundrules.ontology.load import has_named_things

    return has_named_things(ontology)


def _read_terms(
    text: Extraction,
    sources: Sequence[Extraction],
    ontology: Ontology | None,
    config: Config,
    clock: _Clock,
) -> Reading:
    from groundrules.ontology.read.reader import Reading, read_terms

    if ontology is None:
        return Reading()
    reading = read_terms(text, sources, ontology, embedding=config.encoder)
    clock.mark("read terms")
    return reading


def build(
    grounding: Grounding, reading: Reading | None = None, ontology: Ontology | None = None
) -> Dataset:
    """Return the dataset of a check: claims, facts and axioms by default, a named graph a source.

    The axioms are what plain English says of its relations (`align/relations.ttl`) and what the
    ontology says of its terms; what it says of individuals, and what reference works say of the
    things named, is evidence like that of a source.
    """
    from groundrules.terms import source_iri

    dataset = Dataset()
    dataset.add_axioms(_of_relations())
    text = source_iri(grounding.name)
    dataset.add_claims(grounding.claims, text)
    for name, statements in grounding.references.items():
        dataset.add_evidence(statements, source_iri(name))
    dataset.add(grounding.facts())
    if reading is not None:
        dataset.add_assertions(reading.assertions, text)
        for name, statements in reading.references.items():
            dataset.add_evidence(statements, source_iri(name))
    known = dict(reading.background) if reading is not None else {}
    if ontology is not None:
        dataset.add_axioms(ontology.axioms)
        known[ontology.name] = ontology.individuals
    for work, triples in known.items():
        dataset.add_evidence(
            (
                Claim(STATEMENT[quote(f"{work}:known:{number}")], triple, Span(work, 0, 0))
                for number, triple in enumerate(triples)
            ),
            source_iri(work),
        )
    return dataset


@lru_cache(maxsize=1)
def _of_relations() -> tuple[Triple, ...]:
    axioms = Path(__file__).parent / "align" / "relations.ttl"
    return tuple(parse_turtle(axioms.read_text(encoding="utf-8"), path=str(axioms)))


@lru_cache(maxsize=64)
def _extract(document: Document, model: str) -> Extraction:
    from groundrules.claims.offline import EMBEDDED, Extraction, extract

    if model != EMBEDDED:
        return extract(document, model=model)
    bare = replace(document, text="")
    found = cache.kept(
        Extraction, _parts(document), lambda: replace(extract(document), document=bare)
    )
    return replace(found, document=document)


#: The outlines of documents that came with one, and of those outlined last.
_outlines: OrderedDict[Document, Outline] = OrderedDict()
_OUTLINES = 1024


def _outline(document: Document) -> Outline:
    from groundrules.claims.outline import Outline, outline

    bare = replace(document, name="")
    known = _outlines.get(bare)
    if known is None:
        known = cache.kept(
            Outline, _parts(bare), lambda: replace(outline(bare), document=replace(bare, text=""))
        )
    _keep_outline(bare, known)
    return replace(known, document=replace(document, text=plain(document)))


def _keep_outline(document: Document, outline: Outline) -> None:
    _outlines[document] = outline
    _outlines.move_to_end(document)
    while len(_outlines) > _OUTLINES:
        _outlines.popitem(last=False)


def _sources(
    text: Extraction, contexts: Sequence[Document], model: str, whole: bool
) -> list[Extraction]:
    """Return the extractions of the contexts; of long ones what bears on the text is parsed."""
    if whole or sum(_length(one.text) for one in contexts) <= WHOLE_WORDS:
        return [_extract(document, model) for document in contexts]
    from groundrules.align.bearing import bearing
    from groundrules.claims.outline import capitals, extract_part

    outlines = [_outline(document) for document in contexts]
    body = text.document.text
    chosen = bearing([body[span.start : span.end] for span in text.sentences], outlines)
    names = {word for m in text.mentions if m.kind in _NAMES for word in capitals(m.text)}
    return [
        extract_part(document, known, blocks, names, model=model)
        for document, known, blocks in zip(contexts, outlines, chosen, strict=True)
    ]


def _scale(config: Config) -> Calibration:
    """Return how support becomes a probability; a threshold that is set prevails."""
    found = read_calibration(config.base / config.calibration) if config.calibration else None
    if config.threshold is not None:
        return replace(found or Calibration(), threshold=config.threshold)
    return found or Calibration()


def _scorer(
    config: Config, scale: Calibration, *, asking: bool
) -> tuple[Callable[[], Model], Weights | None]:
    """Return what opens the scorer, and the weights of its word; None where nothing is scored.

    A scorer that the configuration names is opened here: a wrong name is told before the work.
    """
    from groundrules.align.weighing import load_weights
    from groundrules.models.passage_scorer import EMBEDDED, LLM, NONE
    from groundrules.models.statement_scorer import open_model

    if config.scorer == LLM and not asking:
        raise ConfigError("the scorer 'llm' needs a language model; name one with --llm")
    folder = config.base / config.scorer
    named = str(folder) if config.scorer != EMBEDDED and folder.is_dir() else config.scorer
    # no file that comes with a text makes us ask a hub
    download = not config.file_of("scorer") or allows_network()
    opened = partial(open_model, named, download=download)
    if config.scorer in (LLM, NONE):
        return opened, None
    if config.scorer != EMBEDDED:
        opened()
    return opened, load_weights().under(scale)


def _without_llm(config: Config) -> Config:
    """Return a configuration that asks no language model, to grade neither."""
    from groundrules.models.passage_scorer import LLM, NONE

    scorer = NONE if config.scorer == LLM else config.scorer
    return replace(config, llm=LLMConfig(), scorer=scorer)


def _threshold(config: Config, scale: Calibration, weights: Weights | None) -> float:
    """Return the least support that counts: what is set, else that of the scale or the weights."""
    chosen = config.threshold is not None or config.calibration
    return scale.threshold if chosen or weights is None else weights.threshold


def _with_thresholds(
    rules: Mapping[str, Mapping[str, str | int | float | bool]],
    in_force: Iterable[Rule],
    threshold: float,
    weights: Weights | None,
    scale: Calibration,
) -> Mapping[str, Mapping[str, str | int | float | bool]]:
    """Return the settings of rules; those that read a score take their thresholds from the fit."""
    fitted = {_SUPPORT: {"threshold": threshold}, _FIDELITY: {"alpha": scale.alpha}}
    if weights is not None:
        fitted[_DOUBT] = {"threshold": weights.doubt, "sure": weights.sure}
    there = {rule.id for rule in in_force} & fitted.keys()
    return {**rules, **{name: {**fitted[name], **rules.get(name, {})} for name in sorted(there)}}


def _given(context: object) -> list[Document]:
    """Return the contexts as documents; SourceError where one is none."""
    if isinstance(context, str | Path | Document):
        context = [context]
    if not isinstance(context, Iterable) or isinstance(context, bytes | Mapping):
        raise SourceError(
            f"context is {context!r}; expected a str, a Path, a Document or a list of them"
        )
    out: list[Document] = []
    for n, item in enumerate(context, 1):
        held = _held(item) if isinstance(item, Path) else []
        out += held or [_document(item, f"context{n}")]
    return out


def _held(folder: Path) -> list[Document]:
    """Return the documents of a corpus, whose outlines are known now; none of anything else."""
    if not os.path.isdir(folder):  # noqa: PTH112 - it raises nothing, whatever the name
        return []
    from groundrules.claims.corpus import is_corpus, read_corpus

    volumes = read_corpus(folder) if is_corpus(folder) else ()
    for volume in volumes:
        _keep_outline(replace(volume.document, name=""), volume.outline)
    return [volume.document for volume in volumes]


def _document(source: object, name: str) -> Document:
    if isinstance(source, Document):
        return source
    if not isinstance(source, str | Path):
        raise SourceError(f"{source!r} is no source; expected a str, a Path or a Document")
    if isinstance(source, str) and _names_a_file(source):
        raise SourceError(
            f"a str is the text itself, and {source!r} names a file; expected "
            f"Path({source!r}) to read the file, or Document('text', {source!r}) for these words"
        )
    return read(source) if isinstance(source, Path) else from_text(source, name)


def _names_a_file(text: str) -> bool:
    """Return whether a text is the name of an existing file, which nobody wants to be checked."""
    if not text or len(text) > _LONGEST_NAME or "\n" in text:
        return False
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _unread(document: Document, contexts: Sequence[Document]) -> Iterable[str]:
    """Yield what of the text and its contexts had no text that could be read."""
    from groundrules.claims.legibility import language

    for one in (document, *contexts):
        yield from (f"{one.name}: {what}" for what in one.unread)
    for one in contexts:
        if not one.text.strip():
            yield f"{one.name}: has no text"
        for start, end in shortened(one)[1]:
            yield f"{one.name}: a word of {end - start:,} characters is not read"
        if foreign := language(one.text):
            yield f"{one.name}: {foreign}"


def _bound(documents: Sequence[Document], most: int) -> None:
    """Raise SourceError where documents are so long that a check would take hours."""
    count = 0
    for document in documents:
        count += _length(shortened(document)[0].text)
        if count > most:
            what = "a text" if most == MAX_WORDS else "all contexts together"
            raise SourceError(
                f"is too long: expected at most {most:,} words in {what}; split it",
                path=document.name,
            )


@lru_cache(maxsize=16)
def _length(text: str) -> int:
    """Return the length of a text in words, of which none has more than three parts."""
    return max(len(text.split()), sum(1 for _ in _PART.finditer(text)) // _PARTS)


def _distinct(documents: Sequence[Document], first: Document | None = None) -> tuple[Document, ...]:
    """Return the documents sorted, with names of their own: places are told apart by name."""
    taken = {first.name} if first else set()
    out = []
    for document in sorted(documents, key=lambda d: (d.name, d.text, d.format)):
        name, count = document.name, 1
        while name in taken:
            count += 1
            name = f"{document.name}#{count}"
        taken.add(name)
        out.append(document if name == document.name else replace(document, name=name))
    return tuple(out)


def _rounded(probability: float | None) -> float | None:
    return None if probability is None else round(probability, 4)


def _params(config: Config, rules: Sequence[Rule], threshold: float) -> tuple[tuple[str, str], ...]:
    out = [("rules", str(len(rules)))]
    for rule in rules:
        if rule.metric and "threshold" in rule.params:
            given = config.rules.get(rule.id, {}).get("threshold", rule.params["threshold"])
            out.append((f"{rule.metric}.threshold", str(given)))
    align = config.align
    out += [
        ("align.threshold", str(align.threshold)),
        ("align.linkage", align.linkage),
        ("align.kernel", align.kernel),
        ("align.h", str(align.h)),
        ("align.relation_nodes", str(align.relation_nodes).lower()),
        *([("align.graphs", align.graphs)] if align.graphs != BUILT_IN else ()),
        ("threshold", str(threshold)),
    ]
    return tuple(out)


def _likeness(asked: Inquiry | None) -> tuple[Metric, ...]:
    """Return how alike the graphs of readings and statements are, where both are there."""
    if asked is None or asked.similarity is None:
        return ()
    return (Metric("WL", asked.similarity, len(asked.readings)),)


def _told_once(violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield the violations, of those that say the same of one sentence the first."""
    told = set()
    for one in violations:
        key = (one.rule, one.claim.sentence if one.claim else None, one.message)
        if key not in told:
            told.add(key)
            yield one


def _notes(grounding: Grounding, contexts: Sequence[Document]) -> tuple[str, ...]:
    notes = []
    if not contexts:
        notes.append("no context was given: nothing can be supported")
    if not grounding.claims:
        notes.append("no claim was found in the text: EG, RP and CFI are undefined")
    silent = sum(not sentence.claims for sentence in grounding.sentences)
    if grounding.claims and silent:
        notes.append(
            f"{silent} of {len(grounding.sentences)} sentences gave no claim: only their support "
            "was measured"
        )
    if grounding.claims and grounding.sparse:
        notes.append(
            "sparse regime: no more than 20 entities or 400 words of source; "
            "EG, RP and CFI are unsteady (HalluGraph)"
        )
    return tuple(notes)


def _silent(text: Extraction, asked: Inquiry) -> tuple[str, ...]:
    count = len(text.sentences)
    silent = count - len({claim.sentence for claim in asked.claims})
    if not silent:
        return ()
    return (f"{silent} of {count} sentences gave no claim: nothing was asked about them",)


def _reading_notes(reading: Reading, ontology: Ontology | None) -> tuple[str, ...]:
    if ontology is None:
        return ()
    counts = ", ".join(f"{count} {name}" for name, count in reading.counts.items())
    return (
        f"ontology {ontology.name}: {len(reading.assertions)} assertions ({counts})",
        *ontology.notes,
    )


class _Clock:
    """Seconds between marks."""

    def __init__(self) -> None:
        self._begin = self._last = time.perf_counter()
        self._times: list[tuple[str, float]] = []

    def mark(self, name: str) -> None:
        """Charge the time since the last mark to a stage."""
        now = time.perf_counter()
        self._times.append((name, now - self._last))
        self._last = now

    def times(self) -> tuple[tuple[str, float], ...]:
        """Return the stages in order and the total."""
        return (*self._times, ("total", time.perf_counter() - self._begin))
