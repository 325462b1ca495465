"""Runs an audit: gives texts to workers, watches them, and writes down each result as it comes.

What was written is not done again: a run that was ended anywhere goes on with the same command. A
worker that takes too long, or dies, is replaced, and its text tried once more; then its result says
why it could not be checked.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from groundrules import __version__, api
from groundrules.audit import overrides
from groundrules.audit.overrides import Decision
from groundrules.audit.results import (
    SPENT,
    Ledger,
    Result,
    read_lines,
    read_report,
    write_source,
)
from groundrules.audit.tasks import Fault, Keep, Task, count_tasks, read_tasks
from groundrules.audit.worker import Job, Worker, failed
from groundrules.checks.inputs import hash_of, inputs_of
from groundrules.claims.document import Document
from groundrules.config import NETWORK, Config
from groundrules.errors import ConfigError
from groundrules.files import write_atomically
from groundrules.llm.budget import settle_all
from groundrules.processes import DIED, DONE, FATAL, LAST, MEMORY, READY, Processes
from groundrules.rules.packs import load_packs
from groundrules.terms import Report

MANIFEST, TIMES = "audit.json", "times.jsonl"
SCHEMA = 2

#: Texts that are read ahead for each worker, so that those of one source meet; and how many
#: characters of them at most.
_AHEAD = 32
_CHARACTERS = 8_000_000
#: A text is tried so often.
_TRIES = 2
#: Workers that die one after the other before they are ready: then the fault is not a text's.
_STILLBORN = 3
#: What a worker of another machine has to be told of ours.
_ENVIRONMENT = ("GROUNDRULES_CACHE", NETWORK)
#: Seconds between two looks at the clocks of the workers.
_TICK = 0.5

#: Called in this process for each text when its result is on the disk, in the order written, with
#: what reads its report. Here a log and a store of the results are fed.
Finished = Callable[[Result, Callable[[], Report]], None]


class Pool(Protocol):
    """What has workers: see `processes.Processes`."""

    def start(self) -> int:
        """Start a worker and return its number."""

    def give(self, worker: int, task: Task) -> None:
        """Give a worker a text."""

    def take(self, seconds: float) -> list[tuple[int, str, Any]]:
        """Return what workers have told within some seconds."""

    def stop(self, worker: int) -> None:
        """End a worker."""

    def memory(self) -> int:
        """Return the most bytes that one takes, 0 where it is not known."""

    def close(self) -> None:
        """End all of them."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What is audited and how; see `tasks.read_tasks` for the inputs.

    `seconds` and `memory` (bytes) are what one text may take. `engine` is "processes" or "ray".
    `now` is the time of the run, by default that of the first one in this folder. `decisions` are
    a baseline and what people decided. `kept` is the folder where what endpoints and language
    models answer is kept for a log, None where there is none. `asked` says who asked (`by`), what
    for (`purpose`), and by which `command`.
    """

    inputs: tuple[str, ...]
    out: Path
    config: Config
    contexts: tuple[str, ...] = ()
    query: str = ""
    jobs: int = 1
    seconds: float = 300.0
    memory: int = 4 * 2**30
    engine: str = "processes"
    now: datetime | None = None
    decisions: tuple[Decision, ...] = ()
    kept: Path | None = None
    asked: Mapping[str, str] = field(default_factory=dict)
    check: Callable[..., Report] = api.check

    @property
    def settings(self) -> str:
        """A hash of all but the texts that a report depends on."""
        packs = load_packs(self.config.packs_in_force, self.config.base)
        files = inputs_of(Document("", ""), (), self.config, "")
        parts = [
            SCHEMA,
            __version__,
            [(pack.name, pack.digest) for pack in packs],
            self.config.chosen,
            [(one.name, one.role, one.sha256) for one in files if one.role != "text"],
            [astuple(one) for one in self.decisions],
        ]
        return hash_of(json.dumps(parts))

    def tasks(self, keep: Keep | None = None) -> Iterator[Task | Fault]:
        """Return the texts, each with the hash of all that its report depends on."""
        return read_tasks(
            self.inputs, self.settings, contexts=self.contexts, query=self.query, keep=keep
        )


@dataclass(slots=True)
class Tally:
    """How far an audit is: `kept` of `total` texts were there when it began."""

    total: int = 0
    kept: int = 0
    done: int = 0
    errors: int = 0
    restarts: int = 0
    seconds: float = 0.0
    memory: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        """Texts a second."""
        return self.done / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that remain at this rate, None where none can be told."""
        return (self.total - self.kept - self.done) / self.rate if self.done else None


@dataclass(frozen=True, slots=True)
class Done:
    """What an audit has: the keys of its texts, what of its inputs is no text, and how it went."""

    keys: set[str]
    faults: Sequence[Fault]
    tally: Tally
    manifest: Mapping[str, Any]


def run(
    audit: Audit,
    *,
    show: Callable[[Tally], None] = lambda tally: None,
    finished: Finished | None = None,
    told: Collection[str] = (),
) -> Done:
    """Check every text that has no result yet; return what there is then.

    `told` are the keys that `finished` was called with in earlier runs: after a kill it is called
    first with those that were written and not told.

    Raises:
        SourceError: an input cannot be read.
        ConfigError: a setting is wrong, or the folder is in use; what was done stays.
    """
    keys, faults = count_tasks(audit.tasks())
    with Ledger(audit.out) as ledger:
        manifest = _manifest(audit)
        if finished is not None:
            for _, _, one in read_lines(audit.out):
                if one.key not in told:
                    finished(one, partial(read_report, audit.out, one))
        left = keys - ledger.done
        tally = Tally(total=len(keys), kept=len(keys) - len(left))
        show(tally)
        if left:
            _check_all(audit, ledger, left, tally, _moment(manifest), show, finished)
            _note(audit.out, tally)
    return Done(keys, faults, tally, manifest)


def _check_all(
    audit: Audit,
    ledger: Ledger,
    left: set[str],
    tally: Tally,
    now: datetime | None,
    show: Callable[[Tally], None],
    finished: Finished | None,
) -> None:
    environment = tuple((name, os.environ[name]) for name in _ENVIRONMENT if name in os.environ)
    check = audit.check
    if audit.decisions:
        check = partial(overrides.check, decisions=audit.decisions)
    job = Job(
        audit.out, audit.config, now, audit.memory, check, Path.cwd(), environment, audit.kept
    )
    if (audit.out / SPENT).exists():
        settle_all(audit.out / SPENT)
    workers = min(audit.jobs, len(left))
    pool: Pool
    if audit.engine == "ray":
        from groundrules.audit.actors import Actors

        pool = Actors(job, workers)
    else:
        pool = Processes(partial(Worker, job))
    found = audit.tasks(lambda document: write_source(audit.out, document))
    todo = (task for task in found if isinstance(task, Task) and task.key in left)
    began = time.monotonic()
    watch = Watch(pool, workers, audit.seconds)
    try:
        for results in watch.results(todo):
            ledger.append(results)
            for one in results:
                tally.done += 1
                tally.errors += bool(one.error)
                tally.outcomes.update(one.outcomes)
                if finished is not None:
                    finished(one, partial(read_report, audit.out, one))
            tally.seconds = time.monotonic() - began
            tally.restarts = watch.restarts
            tally.memory = max(tally.memory, pool.memory())
            show(tally)
    finally:
        pool.close()


@dataclass(slots=True)
class _Given:
    task: Task
    since: float
    tries: int


class Watch:
    """Gives texts to workers, replaces those that fail, and has no text more than twice."""

    def __init__(self, pool: Pool, workers: int, seconds: float) -> None:
        self._pool, self._workers, self._seconds = pool, workers, seconds
        self._free: list[int] = []
        self._given: dict[int, _Given] = {}
        self._starting: set[int] = set()
        self._last: dict[int, tuple[object, ...]] = {}
        self._ahead: deque[tuple[Task, int]] = deque()
        self._characters = 0
        self._stillborn = 0
        self.restarts = 0

    def results(self, tasks: Iterator[Task]) -> Iterator[list[Result]]:
        """Yield the results as they come, in whichever order.

        Raises:
            ConfigError: a setting is wrong, or no worker can be started.
        """
        for _ in range(self._workers):
            self._start()
        more = True
        while True:
            more = more and self._fill(tasks)
            self._hand_out()
            if not (more or self._ahead or self._given):
                return
            told = self._pool.take(_TICK)
            results = [one for worker, *what in told if (one := self._hear(worker, *what))]
            results += filter(None, map(self._end, self._late()))
            self._hand_out()  # nobody waits until the results are on the disk
            if results:
                yield results

    def _start(self) -> None:
        self._starting.add(self._pool.start())

    def _fill(self, tasks: Iterator[Task]) -> bool:
        """Read ahead; return whether there is more."""
        most = _AHEAD * self._workers
        while len(self._ahead) < most and self._characters < _CHARACTERS:
            task = next(tasks, None)
            if task is None:
                return False
            self._queue(task, 1)
        return True

    def _queue(self, task: Task, tries: int) -> None:
        self._ahead.append((task, tries))
        self._characters += len(task.answer.words or "")

    def _hand_out(self) -> None:
        while self._free and self._ahead:
            worker = self._free.pop()
            place = self._nearest(worker)
            task, tries = self._ahead[place]
            del self._ahead[place]
            self._characters -= len(task.answer.words or "")
            self._last[worker] = _sources(task)
            self._given[worker] = _Given(task, time.monotonic(), tries)
            self._pool.give(worker, task)

    def _nearest(self, worker: int) -> int:
        """Return the place of the text that a worker takes next.

        That is one whose sources it has read last, else the first whose sources no other worker
        has, else the first.
        """
        own = self._last.get(worker)
        others = {last for one, last in self._last.items() if one != worker}
        free = None
        for place, (task, _) in enumerate(self._ahead):
            sources = _sources(task)
            if sources == own:
                return place
            if free is None and sources not in others:
                free = place
        return free or 0

    def _hear(self, worker: int, kind: str, what: Any) -> Result | None:
        """Take what a worker tells; return the result that it makes."""
        if kind == READY:
            self._starting.discard(worker)
            self._stillborn = 0
            self._free.append(worker)
            return None
        if kind == FATAL:
            raise ConfigError(what)
        if kind in (DONE, LAST):
            self._given.pop(worker)
            if kind == DONE:
                self._free.append(worker)
            else:
                self._end((worker, ""))
            result: Result = what
            return result
        assert kind in (DIED, MEMORY), kind
        why = "it took more memory than a text may take" if kind == MEMORY else what
        if worker in self._starting:
            self._stillborn += 1
            if self._stillborn >= _STILLBORN:
                raise ConfigError(f"no worker can be started: {why}")
        return self._end((worker, why))

    def _late(self) -> list[tuple[int, str]]:
        """Return the workers that have taken too long for a text, and what to say of them."""
        now = time.monotonic()
        why = f"it took longer than the {self._seconds:g} seconds that a text may take"
        return [(w, why) for w, one in self._given.items() if now - one.since > self._seconds]

    def _end(self, failure: tuple[int, str]) -> Result | None:
        """Replace a worker; return the result of its text if that was tried often enough."""
        worker, why = failure
        self._pool.stop(worker)
        self._starting.discard(worker)
        self._last.pop(worker, None)
        if worker in self._free:
            self._free.remove(worker)
        given = self._given.pop(worker, None)
        self.restarts += 1
        self._start()
        if given is None:
            return None
        if given.tries < _TRIES:
            self._queue(given.task, given.tries + 1)
            return None
        return failed(given.task, f"{why}, twice")


def _sources(task: Task) -> tuple[object, ...]:
    return tuple(sorted(one.sha256 for one in task.contexts))


# --- what is said of the run ------------------------------------------------------------------


def _manifest(audit: Audit) -> Mapping[str, Any]:
    """Return what an audit is, and write it down; it began when the first run in the folder did."""
    path = audit.out / MANIFEST
    at, environment = "", _environment(audit)
    asked: dict[str, str] = {}
    if path.exists():
        try:
            old = json.loads(path.read_bytes())
            if old["schema"] != SCHEMA:
                raise ConfigError("was written by another version", path=str(path))
            at, asked = old["at"], old.get("asked") or {}
            environment = old.get("environment") or environment
            datetime.fromisoformat(at) if at else None
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            raise ConfigError("is damaged; expected it as it was written", path=str(path)) from None
    if not at and not audit.config.offline:
        at = f"{audit.now or datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    packs = load_packs(audit.config.packs_in_force, audit.config.base)
    manifest = {
        "schema": SCHEMA,
        "version": __version__,
        "at": at,
        "inputs": list(audit.inputs),
        "asked": dict(audit.asked) or asked,
        "environment": environment,
        "query": audit.query,
        "contexts": list(audit.contexts),
        "settings": dict(audit.config.chosen),
        "packs": {pack.name: pack.digest for pack in packs},
        "knowledge": [
            {"name": one.name, "role": one.role, "sha256": one.sha256}
            for one in inputs_of(Document("", ""), (), audit.config, "")
            if one.role != "text"
        ],
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
    write_atomically(path, text.encode(errors="backslashreplace"))
    return manifest


def _environment(audit: Audit) -> dict[str, Any]:
    """Return on what machine an audit runs, and what one text may take there."""
    return {
        "machine": platform.node(),
        "system": platform.platform(),
        "python": f"Python {platform.python_version()}",
        "processes": f"{audit.jobs} at a time by {audit.engine}",
        "limits": f"at most {audit.seconds:g} s and {audit.memory // 2**20:,} MB for a text",
    }


def _moment(manifest: Mapping[str, Any]) -> datetime | None:
    return datetime.fromisoformat(manifest["at"]) if manifest["at"] else None


def _note(out: Path, tally: Tally) -> None:
    """Write down how long a run took: in a file of its own, as no two runs take equally long."""
    line = {
        "at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "texts": tally.done,
        "seconds": round(tally.seconds, 3),
        "errors": tally.errors,
        "replaced": tally.restarts,
        "memory": tally.memory,
    }
    with (out / TIMES).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
