"""What a worker process of the service does: it reads, checks, extracts and answers."""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundrules import api
from groundrules.checks.answers import encode as answer_as_json
from groundrules.checks.documents import read_ahead
from groundrules.checks.inputs import distinct
from groundrules.checks.plan import make_plan
from groundrules.claims.document import Document
from groundrules.config import Config
from groundrules.errors import GroundrulesError, LLMError, SourceError
from groundrules.explain import formats
from groundrules.explain.formats import json as form_json
from groundrules.guardrail import (
    DEFAULT,
    Guarded,
    ask_again,
    can_be_mended,
    guard,
)
from groundrules.llm.budget import Budget
from groundrules.llm.client import Client
from groundrules.processes import limit
from groundrules.service.cards import cards
from groundrules.service.counters import counted
from groundrules.service.refusals import RefusedError, as_json, where
from groundrules.service.startup import Settings
from groundrules.service.work import (
    Ask,
    Check,
    Checked,
    Decided,
    Extract,
    Index,
)
from groundrules.terms import Outcome, Report

#: As in the command line: a tenth of the time is else spent looking for garbage.
_COLLECTED = (50_000, 20, 100)
#: What is tried before any request, so that the models are there and a wrong setting is told.
_TRIAL = "The lease began on May 2, 2021."
#: The share of what a task may take in which a language model is heard: where there is one check,
#: and where its text may be checked again.
_ONE, _SEVERAL = 0.9, 0.45


class Worker:
    """Does one task after another; what it read of contexts stays in memory for the next."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._began = 0.0
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
            make_plan(text, [source], config)
        # without what a trial would cost
        api.check(text, context=source, config=api.without_llm(config))
        limit(self._settings.memory)

    def work(self, task: Any) -> Any:
        """Return what came of a task, or its RefusedError; MemoryError where it needs too much."""
        self._began, self._budget = time.monotonic(), None
        try:
            return self._do(task)
        except MemoryError:
            raise
        except RefusedError as error:
            return error
        except SourceError as error:
            return self._unread(error, task)
        except LLMError as error:
            return RefusedError(503, "the language model could not be asked",
                                log=f"LLMError: {error.kind}")  # fmt: skip
        except GroundrulesError as error:
            kind = type(error).__name__
            return RefusedError(503, "the service is not set up for this; its log says why",
                                log=f"{kind}: {error}")  # fmt: skip
        except Exception as error:  # of ours: the other requests are not lost with it
            return RefusedError(500, f"internal error: {type(error).__name__}", log=where(error))

    def _unread(self, error: SourceError, task: Any) -> RefusedError:
        """Return what is told of a source: all of it where the client sent it."""
        if error.path is None or error.path in _names(task):
            return RefusedError(422, str(error))
        base = error.path if error.path in self._settings.bases else "a knowledge base"
        return RefusedError(503, f"{base} of the service cannot be asked now", log=str(error))

    def _do(self, task: Any) -> Any:
        named = task.want if isinstance(task, Check) else type(task).__name__.casefold()
        do: Callable[[Any], Any] = getattr(self, f"_{named}")
        return do(task)

    def _check(self, task: Check) -> Checked:
        if task.policy is not None:
            found = self._guarded(task)
            told = {
                "decision": found.decision,
                "text": found.text,
                "reason": found.reason,
                "fixed": found.fixed or None,
                "report": form_json.encode(self._named(found.report)),
            }
            return Checked(as_json(told), counted(found.report, self._budget), found.decision)
        text, sources = _documents(task, self._settings.words)
        report = self._reported(text, sources, task)
        return Checked(render(report, task.form), counted(report, self._budget))

    def _reported(self, text: Document, sources: Sequence[Document], task: Check) -> Report:
        report = api.check(
            text,
            context=sources,
            config=self._config(task),
            question=task.question,
            client=self._client(_ONE),
            budget=self._budget,
        )
        _refuse_unasked(report, task)
        return self._named(report)

    def _client(self, share: float) -> Client | None:
        """Return the language model of a task, None for never, and set what may be asked.

        It and readers at endpoints are heard for a share of the time of the task.

        What the rules take until then is left to them, and once more (`checks.report`).
        """
        given = self._settings
        if not given.config.asks:
            return None
        end = self._began + share * given.seconds
        self._budget = Budget(given.config.llm, deadline=end)
        if given.config.llm.model == "never":
            return None
        return Client(given.config.llm, budget=self._budget)

    def _cards(self, task: Check) -> Checked:
        report = self._reported(*_documents(task, self._settings.words), task)
        body = b'{"cards": %b, "report": %b}' % (as_json(cards(report)), render(report, "json"))
        return Checked(body, counted(report, self._budget))

    def _guarded(self, task: Check) -> Guarded:
        text, sources = _documents(task, self._settings.words)
        return guard(
            text.text,
            context=sources,
            policy=task.policy or DEFAULT,
            config=self._config(task),
            question=task.question,
            client=self._client(_SEVERAL),
            budget=self._budget,
        )

    def _answer(self, task: Check) -> Checked:
        found = self._guarded(task)
        report = form_json.encode(self._named(found.report))
        again = "" if found.passes or not can_be_mended(found) else ask_again(found)
        told = Decided(
            found.decision, found.text, found.refrained, again, report, found.withheld,
            found.reason, found.fixed,
        )  # fmt: skip
        return Checked(told, counted(found.report, self._budget), found.decision)

    def _index(self, task: Index) -> tuple[Document, ...]:
        documents = distinct([one.read() for one in task.sources])
        read_ahead(documents, self._settings.config)
        return documents

    def _extract(self, task: Extract) -> bytes:
        documents = [*(one.read() for one in task.sources), *task.known]
        schema = self._settings.schemas[task.schema]
        config, client = self._settings.config, self._client(_ONE)
        record = api.extract(documents, schema, config=config, client=client)
        report = form_json.encode(self._named(record.report))
        return as_json({"record": record.safe, "report": report})

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
            disable=(*given.config.disable, *task.disable),
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


def render(report: Report, form: str) -> bytes:
    """Return a report in one of the registered forms."""
    if form == "json":
        return form_json.dumps(report, indent=None).encode()
    made = formats.load(form)([report], formats.Look())
    return made if isinstance(made, bytes) else made.encode(errors="backslashreplace")


def _documents(task: Check, most: int) -> tuple[Document, list[Document]]:
    text = task.text.read()
    words = len(text.text.split())
    if words > most:
        told = f"{words:,} words to check; at most {most:,} at once; split the text"
        raise RefusedError(413, told)
    return text, [*(one.read() for one in task.sources), *task.known]


def _names(task: Any) -> set[str]:
    """Return the names that the client gave, so that a message about them is for the client."""
    given = [*getattr(task, "sources", ()), *getattr(task, "known", ())]
    text = getattr(task, "text", None)
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
