"""What a worker process of the service does: it reads, checks, extracts and answers."""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from groundrules import api
from groundrules.checks.answerjson import encode as answer_as_json
from groundrules.checks.documents import read_ahead
from groundrules.checks.extractions import parsed
from groundrules.checks.inputs import distinct
from groundrules.checks.plan import make_plan
from groundrules.claims.document import Document, from_bytes, from_text, shortened
from groundrules.config import KEA, TRIPLES, Config
from groundrules.errors import GroundrulesError, LLMError, SourceError
from groundrules.explain import formats
from groundrules.explain.formats import json as form_json
from groundrules.guardrail import (
    DEFAULT,
    Admission,
    Guarded,
    Policy,
    Withheld,
    ask_again,
    can_be_mended,
    checker,
    guard,
)
from groundrules.processes import Memory, limit
from groundrules.service.cards import cards
from groundrules.service.details import Detail, counted, detailed
from groundrules.service.startup import Settings
from groundrules.terms import Outcome, Report

if TYPE_CHECKING:
    from groundrules.llm.budget import Budget
    from groundrules.llm.client import Call, Client

#: As in the command line: a tenth of the time is else spent looking for garbage.
_COLLECTED = (50_000, 20, 100)
#: What is tried before any request, so that the models are there and a wrong setting is told.
_TRIAL = "The lease began on May 2, 2021."
#: The share of what a task may take in which a language model is heard: where there is one check,
#: and where its text may be checked again.
_ONE, _SEVERAL = 0.9, 0.45
#: Texts that were sent are read as what they are named, where that is text.
_MARKED = (".md", ".markdown", ".html", ".htm", ".xhtml")


@dataclass(frozen=True, slots=True)
class Given:
    """What a client sent: a text, or the bytes of a file; the name is never a path."""

    name: str
    text: str | None = None
    data: bytes | None = None

    def read(self) -> Document:
        """Return the document; SourceError, which begins with the name, where it is none."""
        if self.data is not None:
            return from_bytes(self.data, self.name)
        assert self.text is not None
        if self.name.lower().endswith(_MARKED) and self.text.strip():
            from_text(self.text, self.name)  # a lone surrogate has no bytes
            return from_bytes(self.text.encode(), self.name)
        return from_text(self.text, self.name)


@dataclass(frozen=True, slots=True)
class Check:
    """A text to be checked; `known` are contexts that were read before.

    `kept` are the answers of a language model about these, by their keys.
    """

    text: Given
    sources: tuple[Given, ...] = ()
    known: tuple[Document, ...] = ()
    question: str = ""
    kb: tuple[str, ...] = ()
    ontology: str = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    policy: Policy | None = None
    form: str = "json"
    detail: Detail = "full"
    kept: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a check: `body` answers it, `counts` and `decision` are for the metrics."""

    body: Any
    counts: tuple[tuple[str, str, int], ...] = ()
    decision: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A check whose report is wanted in JSON, with the cards that the page shows of it."""

    check: Check


@dataclass(frozen=True, slots=True)
class Read:
    """A check whose text is read, and no more."""

    check: Check


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the documents, and the sentences of the text as ranges of code points."""

    text: Document
    sources: tuple[Document, ...]
    sentences: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    """The text of a check up to a place, to be checked while the rest waits."""

    check: Check
    reading: Reading
    end: int


@dataclass(frozen=True, slots=True)
class Index:
    """Contexts to be read; `known` were read before."""

    sources: tuple[Given, ...]
    known: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Indexed:
    """Contexts that were read, and what a language model answered about each by itself."""

    documents: tuple[Document, ...]
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extract:
    """Documents to extract a record from, by the name of a schema."""

    sources: tuple[Given, ...]
    known: tuple[Document, ...]
    schema: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the records."""

    question: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a language model: the text of a check with a policy."""

    check: Check


@dataclass(frozen=True, slots=True)
class Decided:
    """What a policy makes of an answer: the decision, the text to use and the report as JSON.

    `again` asks for another answer and tells what is wrong with this one; it is empty where this
    one passes, or no other would be better. `withheld` is what is not in the text, and why;
    `reason` says why it does not pass, `fixed` is the answer with its safe edits.
    """

    decision: str
    text: str
    refrained: bool
    again: str
    report: dict[str, Any]
    withheld: tuple[Withheld, ...] = ()
    reason: str = ""
    fixed: str = ""


@dataclass(frozen=True, slots=True)
class Admit:
    """What of an answer that still comes waits, behind what of it has `passed`.

    The text of the check is what waits; `ending`: no more comes.
    """

    check: Check
    passed: str
    ending: bool


@dataclass(frozen=True, slots=True)
class Admitted:
    """The sentences that pass now, and what still waits; `ended`: nothing further may pass.

    `withheld` are those that do not pass, and why.
    """

    sentences: tuple[str, ...]
    waiting: str
    ended: bool
    withheld: tuple[Withheld, ...] = ()


class Taken(NamedTuple):
    """Requests to models, and their tokens."""

    requests: int = 0
    sent: int = 0
    received: int = 0


@dataclass(frozen=True, slots=True)
class Graded:
    """What came of a task for which models were asked: the requests to the language model.

    `readers` is what readers at endpoints took.
    """

    found: Any
    calls: tuple[Call, ...]
    readers: Taken


@dataclass(frozen=True, slots=True)
class Failure:
    """What could not be done: a status of HTTP, what the client is told, and the log."""

    status: int
    message: str
    log: str = ""


@dataclass(frozen=True, slots=True)
class Ahead:
    """A check of what has come of an answer, which nobody is told of: at its end less is new."""

    check: Check


class Worker:
    """Does one task after another; what it read of contexts stays in memory for the next."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._memory = Memory()
        self._began = 0.0
        self._asked: Client | None = None
        self._budget: Budget | None = None

    def prepare(self) -> None:
        """Load the models; GroundrulesError where a setting is wrong."""
        if not self._settings.keep:
            os.environ["GROUNDRULES_CACHE"] = "off"
        gc.set_threshold(*_COLLECTED)
        self._client(_ONE)  # that it could not be asked is told now
        config = self._settings.config
        text, source = Document("trial", _TRIAL), Document("source", _TRIAL)
        if config.readers:
            make_plan(text, [source], config, asking=True)
        # without what a trial would cost
        api.check(text, context=source, config=api.without_llm(config))
        limit(self._settings.memory)
        self._memory = Memory()

    @property
    def grown(self) -> bool:
        """Whether it should end now: that the pool says, once another is there."""
        return False

    def work(self, task: Any) -> Any:
        """Return what came of a task, or its Failure; MemoryError where it needs too much."""
        self._memory.relieve()
        self._began, self._asked, self._budget = time.monotonic(), None, None
        try:
            found = self._do(task)
            calls = tuple(self._asked.calls) if self._asked else ()
            readers = self._by_readers(calls)
            return Graded(found, calls, readers) if calls or readers.requests else found
        except MemoryError:
            raise
        except _TooLongError as error:
            return Failure(413, str(error))
        except SourceError as error:
            return self._unread(error, task)
        except LLMError as error:
            return Failure(503, "the language model could not be asked", f"LLMError: {error.kind}")
        except GroundrulesError as error:
            kind = type(error).__name__
            return Failure(503, "the service is not set up for this; its log says why",
                           f"{kind}: {error}")  # fmt: skip
        except Exception as error:  # of ours: the other requests are not lost with it
            return Failure(500, f"internal error: {type(error).__name__}", where(error))

    def _unread(self, error: SourceError, task: Any) -> Failure:
        """Return what is told of a source: all of it where the client sent it."""
        if error.path is None or error.path in _names(task):
            return Failure(422, str(error))
        base = error.path if error.path in self._settings.bases else "a knowledge base"
        return Failure(503, f"{base} of the service cannot be asked now", str(error))

    def _do(self, task: Any) -> Any:
        do: Callable[[Any], Any] = getattr(self, f"_{type(task).__name__.casefold()}")
        return do(task)

    def _check(self, task: Check) -> Checked:
        if task.policy is not None:
            found = self._guarded(task)
            told = {
                "decision": found.decision,
                "text": found.text,
                "reason": found.reason,
                "fixed": found.fixed or None,
                "report": detailed(self._named(found.report), task.detail),
            }
            return Checked(_as_bytes(told), counted(found.report), found.decision)
        text, sources = _documents(task, self._settings.words)
        report = self._reported(text, sources, task)
        if task.form == "json" and task.detail != "full":
            return Checked(_as_bytes(detailed(report, task.detail)), counted(report))
        return Checked(render(report, task.form), counted(report))

    def _reported(self, text: Document, sources: Sequence[Document], task: Check) -> Report:
        report = api.check(
            text,
            context=sources,
            config=self._config(task),
            question=task.question,
            client=self._client(_ONE, task.kept),
            budget=self._budget,
        )
        _refuse_unasked(report, task)
        return self._named(report)

    def _client(self, share: float, kept: Mapping[str, str] | None = None) -> Client | None:
        """Return the language model of a task, None for never, and set what may be asked.

        It and readers at endpoints are heard for a share of the time of the task.

        Answers that are `kept` are not asked for. What the rules take until then is left to them,
        and once more (`checks.report`).
        """
        given = self._settings
        if not given.config.asks:
            return None
        from groundrules.llm.budget import Budget
        from groundrules.llm.client import Client

        end = self._began + share * given.seconds
        self._budget = Budget(given.config.llm, totals=given.totals, deadline=end)
        if given.config.llm.model != "never":
            self._asked = Client(given.config.llm, budget=self._budget, kept=dict(kept or {}))
        return self._asked

    def _by_readers(self, calls: Sequence[Call]) -> Taken:
        """Return what the readers at endpoints took: all but the calls of the language model."""
        if self._budget is None:
            return Taken()
        used = self._budget.usage
        return Taken(
            used.calls + used.retries - len(calls),
            used.prompt_tokens - sum(one.prompt_tokens for one in calls),
            used.completion_tokens - sum(one.completion_tokens for one in calls),
        )

    def _shown(self, task: Shown) -> Checked:
        report = self._reported(*_documents(task.check, self._settings.words), task.check)
        return Checked((_as_bytes(cards(report)), render(report, "json")), counted(report))

    def _guarded(self, task: Check) -> Guarded:
        text, sources = _documents(task, self._settings.words)
        return guard(
            text.text,
            context=sources,
            policy=task.policy or DEFAULT,
            config=self._config(task),
            question=task.question,
            client=self._client(_SEVERAL, task.kept),
            budget=self._budget,
        )

    def _ahead(self, task: Ahead) -> None:
        text, sources = _documents(task.check, self._settings.words)
        api.check(text, context=sources, config=api.without_llm(self._config(task.check)))

    def _answer(self, task: Answer) -> Checked:
        found = self._guarded(task.check)
        report = form_json.encode(self._named(found.report))
        again = "" if found.passes or not can_be_mended(found) else ask_again(found)
        told = Decided(
            found.decision, found.text, found.refrained, again, report, found.withheld,
            found.reason, found.fixed,
        )  # fmt: skip
        return Checked(told, counted(found.report), found.decision)

    def _admit(self, task: Admit) -> Admitted:
        text, sources = _documents(task.check, self._settings.words)
        check, config = task.check, self._config(task.check)
        client = self._client(_SEVERAL, check.kept)
        held = checker(sources, config, check.question, client, self._budget)
        admission = Admission(held, check.policy or DEFAULT, config, task.passed)
        passed = admission.add(text.text)
        if task.ending and not admission.ended:
            passed += admission.end()
        return Admitted(
            tuple(passed), admission.waiting, admission.ended, tuple(admission.withheld)
        )

    def _read(self, task: Read) -> Reading:
        text, sources = _documents(task.check, self._settings.words)
        places, end = [], 0
        for sentence in api.sentences(text.text, self._settings.config):
            start = text.text.index(sentence, end)
            end = start + len(sentence)
            places.append((start, end))
        return Reading(text, distinct(sources, text), tuple(places))

    def _prefix(self, task: Prefix) -> list[dict[str, Any]]:
        read = task.reading
        report = api.check(
            replace(read.text, text=read.text.text[: task.end], sha256=""),
            context=read.sources,
            config=self._config(task.check),
            question=task.check.question,
            verify=False,
        )
        found: list[dict[str, Any]] = form_json.encode(self._named(report))["statements"]
        return found

    def _index(self, task: Index) -> Indexed:
        config = self._settings.config
        documents = distinct([one.read() for one in task.sources])
        read_ahead(documents, config)
        client = self._client(_ONE) if TRIPLES in config.llm.jobs else None
        if client is None or config.align.graphs == KEA:
            return Indexed(documents)
        from groundrules.claims.llm_triples import ask_of_sources

        whole = [shortened(one)[0] for one in (*task.known, *documents)]
        ask_of_sources([parsed(one, config.model) for one in whole], client)
        return Indexed(documents, client.kept)

    def _extract(self, task: Extract) -> bytes:
        documents = [*(one.read() for one in task.sources), *task.known]
        schema = self._settings.schemas[task.schema]
        config, client = self._settings.config, self._client(_ONE)
        record = api.extract(documents, schema, config=config, client=client)
        report = form_json.encode(self._named(record.report))
        told = {"record": record.safe, "report": report}
        return json.dumps(told, ensure_ascii=False).encode(errors="backslashreplace")

    def _ask(self, task: Ask) -> bytes:
        config = replace(self._settings.config, kb=(self._settings.records,))
        found = api.ask(task.question, config=config, client=self._client(_ONE))
        return answer_as_json(found).encode(errors="backslashreplace")

    def _config(self, task: Check) -> Config:
        given = self._settings
        return replace(
            given.config,
            kb=tuple(given.bases[name] for name in task.kb),
            ontology=given.ontologies[task.ontology] if task.ontology else "",
            select=task.select or given.config.select,
            ignore=(*given.config.ignore, *task.ignore),
        )

    def _named(self, report: Report) -> Report:
        """Return a report that calls what the service was started with by its public names."""
        given = self._settings
        public = {spec: name for name, spec in (*given.bases.items(), *given.ontologies.items())}
        inputs = tuple(
            replace(one, name=public.get(one.name, _last(one.name)))
            if one.role not in ("text", "context", "question")
            else one
            for one in report.run.inputs
        )
        settings = tuple((key, _public(value, public)) for key, value in report.run.settings)
        return replace(report, run=replace(report.run, inputs=inputs, settings=settings))


def _as_bytes(told: Any) -> bytes:
    return json.dumps(told, ensure_ascii=False).encode(errors="backslashreplace")


def render(report: Report, form: str) -> bytes:
    """Return a report in one of the registered forms."""
    if form == "json":
        return form_json.dumps(report, indent=None).encode()
    made = formats.load(form)([report], formats.Look())
    return made if isinstance(made, bytes) else made.encode(errors="backslashreplace")


class _TooLongError(Exception):
    """A text has more words than can be checked in time."""


def _documents(task: Check, most: int) -> tuple[Document, list[Document]]:
    text = task.text.read()
    words = len(text.text.split())
    if words > most:
        raise _TooLongError(f"{words:,} words to check; at most {most:,} at once; split the text")
    return text, [*(one.read() for one in task.sources), *task.known]


def _names(task: Any) -> set[str]:
    """Return the names that the client gave, so that a message about them is for the client."""
    check = getattr(task, "check", task)
    given = [*getattr(check, "sources", ()), *getattr(check, "known", ())]
    text = getattr(check, "text", None)
    names = {one.name for one in (*given, *((text,) if text else ()))}
    return names | {"question", "answer", "text"}


def _refuse_unasked(report: Report, task: Check) -> None:
    """Raise SourceError where a knowledge base was all there was, and nothing could be asked."""
    told = {Outcome.SUPPORTED, Outcome.REFUTED, Outcome.CONFLICTING}
    alone = bool(task.kb) and not (task.sources or task.known)
    if alone and report.unasked and not any(s.outcome in told for s in report.statements):
        raise SourceError("could not be asked", path=", ".join(task.kb))


def _public(value: str, names: Mapping[str, str]) -> str:
    """Return a setting, JSON, in which no path and no address is left."""
    return json.dumps(_renamed(json.loads(value), names), ensure_ascii=False)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, _last(value))
    if isinstance(value, Sequence):
        return [_renamed(one, names) for one in value]
    return value


def _last(name: str) -> str:
    return name.rstrip("/\\").replace("\\", "/").rpartition("/")[2]


def where(error: BaseException) -> str:
    """Return what an error is and where it arose; its words could be those of a text."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = type(error).__name__
    if trace is None:
        return name
    return f"{name} at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
