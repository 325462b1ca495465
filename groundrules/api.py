"""The public face: a text checked, a record extracted, a question answered, two texts compared.

Each reads its arguments, has a reader make a case of them and the judge judge it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules import __version__, cache
from groundrules.checks.clock import Clock
from groundrules.checks.inputs import (
    MAX_CONTEXT_WORDS,
    Source,
    bound,
    contexts_of,
    distinct,
    document_of,
    inputs_of,
)
from groundrules.claims.documents import suppressions
from groundrules.claims.documents.declining import courtesies
from groundrules.claims.documents.document import Document, parts
from groundrules.claims.documents.shown import shown
from groundrules.config import GRADES, Config, LLMConfig, cache_folder
from groundrules.errors import ConfigError
from groundrules.terms import Report, Run, Violation

if TYPE_CHECKING:
    from groundrules.align.grounding import Grounding
    from groundrules.checks.answers import Response
    from groundrules.checks.values import Record
    from groundrules.llm.budget import Budget
    from groundrules.llm.client import Client

__all__ = ["Source", "ask", "check", "compare", "extract"]


def check(
    source: Source,
    *,
    context: Source | Iterable[Source] = (),
    question: str = "",
    config: Config | None = None,
    now: datetime | None = None,
    snapshot: Path | None = None,
    client: Client | None = None,
    budget: Budget | None = None,
    verify: bool = True,
    progress: Callable[[str], object] | None = None,
) -> Report:
    """Check what a text asserts against the documents it was written from, or knowledge bases.

    A `str` is the text itself, a `Path` a file (txt, md, html, pdf, docx); a `str` that names an
    existing file is refused; a folder that `groundrules index` wrote stands for its documents. The
    report depends on nothing but the arguments, what the knowledge bases answer and the versions in
    `report.run`; only `at`, `times` and `calls` of it vary. The order of the contexts does not
    matter. `question` is what the text answers: what it names is known, and what it says is no
    evidence. `now` is the time that the present tense means to a knowledge base, by default that of
    the snapshot which is replayed, else of the call; `snapshot` is a file to write the answers that
    the check used to.
    A language model extracts, grades and words besides where `config.llm` names one; `client` is
    asked in its place, so that several checks share its limits. `budget` is what asking it and
    readers at endpoints may take together. What was not asked is in `report.unasked`, and what is
    open for want of its grade is unverifiable.
    What rules of `config.disable` find is set aside, and with `config.inline_suppressions` what
    comments in the text name.
    A text with safe edits is read again with them, by documents and knowledge bases alone, unless
    `verify` is false. `progress` is told the name of each stage once it is done.

    Raises:
        SourceError: a document cannot be read, or there is nothing to check against.
        ConfigError: a setting is wrong or needs an extra that is missing.
        RuleError: a rule pack cannot be used.
        ModelError: a model is missing.
    """
    from groundrules.checks.chosen import decided

    clock, chosen = Clock(progress), config or Config()
    document = document_of(source, "text")
    contexts = distinct(contexts_of(context), document)
    marks = suppressions.find(document) if chosen.inline_suppressions else ()
    name = ""
    if verify and client is None and snapshot is None:
        name = _kept_as(document, contexts, chosen, question)
    found = cache.read(Report, name) if name else None
    if found is not None:
        bodies = {item.name: item.text for item in (document, *contexts)}
        clock.mark("kept")
        run = _told(replace(found.run, times=clock.times), document, contexts, chosen, now)
        found = replace(found, text=document.text, sources=bodies, run=run)
        return decided(found, document, marks, chosen)
    from groundrules.checks.origins import of_files
    from groundrules.checks.plan import make_plan
    from groundrules.checks.report import report_of

    empty = tuple(courtesies(document.text))
    text = shown(document, (*((mark.start, mark.end) for mark in marks), *empty))
    sources = [shown(one) for one in contexts]
    if client is None and chosen.llm.model != "never":
        from groundrules.llm.client import connect

        client = connect(chosen.llm, budget)
    plan = make_plan(
        text.document,
        [one.document for one in sources],
        chosen,
        question=question,
        now=now,
        budget=client.budget if client else budget,
    )
    clock.mark("read")
    if snapshot is None:
        report = report_of(text.document, plan, client, clock, verify=verify)
    else:
        from groundrules.checks.kb import write_answers
        from groundrules.kb.sources.responses import recording

        with recording() as used:
            report = report_of(text.document, plan, client, clock, verify=verify)
        write_answers(plan, used, snapshot)
    report = of_files(report, [text, *sources])
    report = replace(report, unread=(*text.not_read, *report.unread))
    said = (" ".join(document.text[start:end].split()) for start, end in empty)
    notes = (*report.run.notes, *(f"not checked, as a courtesy: “{one}”" for one in said))
    run = replace(report.run, version=__version__, question=question.strip(), notes=notes)
    report = replace(report, run=_told(run, document, contexts, chosen, now))
    if name:
        cache.write(Report, name, replace(report, text="", sources={}))
    return decided(report, document, marks, chosen)


def _told(
    run: Run, document: Document, contexts: Sequence[Document], config: Config, now: datetime | None
) -> Run:
    """Return a run with what it was given, by hash, and when it was; a replay tells no time."""
    moment = now or (None if config.offline else datetime.now(UTC))
    return replace(
        run,
        inputs=tuple(inputs_of(document, contexts, config, run.question)),
        settings=config.chosen,
        at=f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if moment else "",
    )


def _kept_as(
    document: Document, contexts: Sequence[Document], config: Config, question: str
) -> str:
    """Return the name under which a report is kept, empty where it rests on what may change."""
    alone = not (config.kb or config.ontology or config.offline) and config.llm.model == "never"
    ours = config.model == "embedded" and config.embedding == "embedded"
    if config.readers or not (alone and ours and cache_folder()):
        return ""
    from groundrules.checks.chosen import packs_of

    packs = packs_of(config)
    return cache.key(
        Report,
        (
            repr(config),
            question,
            repr([(pack.name, pack.digest) for pack in packs]),
            *(part for one in (document, *contexts) for part in parts(one)),
        ),
    )


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
    from groundrules.checks.report import llm_calls
    from groundrules.claims.evidence import fields, schemas
    from groundrules.llm.client import connect

    chosen = config or Config()
    clock = Clock()
    wanted = schemas.read_schema(schema)
    packs = values.packs_of(chosen)
    given = [source] if isinstance(source, str | Path | Document) else source
    documents = distinct([document_of(item, f"text{n}") for n, item in enumerate(given, 1)])
    bound(documents, MAX_CONTEXT_WORDS)
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
        found, documents, chosen, name=wanted.name, client=client, schema=wanted, unasked=unasked
    )
    clock.mark("rules")
    run = replace(
        record.report.run,
        version=__version__,
        times=clock.times,
        calls=tuple(llm_calls(before, client.usage)),
        notes=(*record.report.run.notes, *client.notes),
    )
    return replace(record, report=replace(record.report, run=run))


def ask(
    question: str, *, config: Config, now: datetime | None = None, client: Client | None = None
) -> Response:
    """Answer a question from the records of a store, the first of `config.kb`.

    Without a language model (`config.llm`, or `client`) the answer is the records themselves. What
    a model answers is checked against the records it cites, a sentence at a time, and what they do
    not support is left out.

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
    # what the rules leave open of an answer readers and grades may settle, as in any text
    beside = replace(config, kb=(), ontology="", llm=replace(config.llm, jobs=(GRADES,)))

    def held(document: Document, contexts: Sequence[Document]) -> Report:
        return check(document, context=contexts, config=beside, now=moment, client=client)

    return respond(question, config, now=moment, check=held, client=client)


def without_llm(config: Config) -> Config:
    """Return a configuration that asks no language model and no reader, to grade neither."""
    return replace(config, llm=LLMConfig(), readers=())


def compare(
    document: Document, contexts: Sequence[Document], *, config: Config | None = None
) -> Grounding:
    """Put a document beside its contexts: extract, resolve, align."""
    from groundrules.checks.documents import grounded, resolved

    chosen, clock = config or Config(), Clock()
    return grounded(resolved(document, contexts, chosen, clock), chosen, clock)


def violations(grounding: Grounding, config: Config) -> tuple[Violation, ...]:
    """Return what the rules find in a text put beside its sources, edits not tried."""
    from groundrules.checks.documents import case_of
    from groundrules.checks.judge import Rules, judge
    from groundrules.rules.packs import load_packs

    packs = load_packs(config.packs, config.base)
    rules = tuple(rule for pack in packs for rule in pack.rules)
    judged = Rules(rules, config.rules, config.select)
    return judge(case_of(grounding), judged, edits=False).violations
