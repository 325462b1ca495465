"""What a worker does: it reads one text and its sources, checks it and writes its report."""

from __future__ import annotations

import gc
import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from groundrules import api
from groundrules.audit.answered import asks, keep_answers
from groundrules.audit.kept import Kept
from groundrules.audit.results import (
    SPENT,
    WORK,
    Result,
    read_source,
    result_of,
    write_report,
    write_source,
)
from groundrules.audit.tasks import Task, Text
from groundrules.checks.inputs import contexts_of, distinct
from groundrules.claims.document import Document, from_text, read
from groundrules.config import Config
from groundrules.errors import GroundrulesError, SourceError
from groundrules.llm.client import Client
from groundrules.processes import limit
from groundrules.terms import Report

#: So many sources that were read last are kept in memory, as what is read of them is.
_SOURCES = 64
#: As in the command line: a tenth of the time is else spent looking for garbage.
_COLLECTED = (50_000, 20, 100)
#: What is tried before any text, so that the models are there and a wrong setting is told once.
_TRIAL = "The lease began on May 2, 2021."


@dataclass(frozen=True, slots=True)
class Job:
    """What all texts have in common; `memory` is how many bytes a worker may take for one.

    `folder` is where relative names begin, `environment` what is set there besides. `kept` is the
    folder where what endpoints and language models answer is kept, None where it is not.
    """

    out: Path
    config: Config
    now: datetime | None = None
    memory: int = 0
    check: Callable[..., Report] = api.check
    folder: Path = Path()
    environment: tuple[tuple[str, str], ...] = ()
    kept: Path | None = None


class Worker:
    """Checks one text after another; what was read of their sources stays for the next."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._sources: OrderedDict[str, tuple[Document, ...]] = OrderedDict()

    def prepare(self) -> None:
        """Load the models and the knowledge bases; GroundrulesError where a setting is wrong."""
        job = self._job
        os.environ.update(job.environment)
        os.chdir(job.folder)
        gc.set_threshold(*_COLLECTED)
        if job.config.llm.model == "never":  # what a trial would cost
            trial = Document("trial", _TRIAL)
            source = replace(trial, name="source")
            job.check(trial, context=(source,), question="", config=job.config, now=job.now)
        limit(job.memory)

    def work(self, task: Task) -> Result:
        """Check a text and write its report; a text that cannot be read is a result too.

        Raises:
            GroundrulesError: a setting is wrong, which no other text would mend.
            MemoryError: the text needs more than it may take.
        """
        try:
            return self._checked(task)
        except SourceError as error:
            return failed(task, str(error).removeprefix(f"{task.answer.name}: "))
        except (GroundrulesError, MemoryError):
            raise
        except Exception as error:  # of ours: the other texts are not lost with it
            return failed(task, f"internal error: {type(error).__name__}: {error}")

    def _checked(self, task: Task) -> Result:
        job, answer = self._job, task.answer
        document = _read(answer) if answer.words is None else from_text(answer.words, answer.name)
        given = [one for text in task.contexts for one in self._open(text)]
        contexts = distinct(given, document)
        (job.out / WORK).mkdir(exist_ok=True)
        with TemporaryDirectory(dir=job.out / WORK) as work:
            snapshot, replies = Path(work, "answers.sqlite"), Path(work, "replies.jsonl")
            report = job.check(
                document,
                context=contexts,
                question=task.question,
                config=job.config,
                now=job.now,
                **self._asked(snapshot, replies),
            )
            answered = keep_answers(Kept(job.kept), snapshot, replies) if job.kept else None
        keys = {one.name: write_source(job.out, one) for one in contexts}
        digest = write_report(job.out, task.key, report, keys)
        return replace(result_of(task, report, digest), answered=answered)

    def _asked(self, snapshot: Path, replies: Path) -> dict[str, Any]:
        """Return what a check is given besides, so that what it asks is counted and kept."""
        job, given = self._job, dict[str, Any]()
        if job.kept and asks(job.config):
            given["snapshot"] = snapshot
        if job.config.llm.model != "never":
            limited = job.config.llm.max_calls or job.config.llm.max_cost
            given["client"] = Client(
                job.config.llm,
                record=replies if job.kept else None,
                shared=job.out / SPENT if limited else None,
            )
        return given

    def _open(self, text: Text) -> tuple[Document, ...]:
        name = f"{text.name} {text.sha256}"
        if name not in self._sources:
            if not text.path:
                found: tuple[Document, ...] = (read_source(self._job.out, text.sha256),)
            elif os.path.isdir(text.path):  # noqa: PTH112 - it raises nothing, whatever the name
                found = tuple(contexts_of(Path(text.path)))
            else:
                found = (_read(text),)
            self._sources[name] = found
            while len(self._sources) > _SOURCES:
                self._sources.popitem(last=False)
        self._sources.move_to_end(name)
        return self._sources[name]


def _read(text: Text) -> Document:
    document = read(text.path)
    if document.sha256 != text.sha256:
        raise SourceError("has changed while the audit ran", path=text.name)
    return replace(document, name=text.name)


def failed(task: Task, why: str) -> Result:
    """Return the line of a text that could not be checked."""
    return Result(task.key, task.id, task.place, task.answer.sha256, task.date, why)
