"""Runs an audit: gives texts to workers, watches them, and writes down each result as it comes.

What was written is not done again: a run that was ended anywhere goes on with the same command. A
worker that takes too long, or dies, is replaced, and its text tried once more; then its result says
why it could not be checked.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from groundrules import __version__, api
from groundrules.audit import overrides
from groundrules.audit.overrides import Decision
from groundrules.audit.results import SPENT, Ledger, Result, read_report, read_results, write_source
from groundrules.audit.tasks import Fault, Keep, Task, count_tasks, read_tasks
from groundrules.audit.worker import Job, Worker, failed
from groundrules.checks.inputs import hash_of, inputs_of
from groundrules.claims.document import Document
from groundrules.config import NETWORK, Config
from groundrules.errors import ConfigError, SourceError
from groundrules.files import write_atomically
from groundrules.llm.budget import settle_all
from groundrules.pool import LATE, MISSING, Pool, PoolError
from groundrules.processes import FATAL, MEMORY, Process
from groundrules.rules.packs import load_packs
from groundrules.terms import Report

MANIFEST = "audit.json"
SCHEMA = 2

#: Texts that are read ahead for each worker, and the characters of them, at most.
_AHEAD = 32
_CHARACTERS = 8_000_000
#: A text is tried so often.
_TRIES = 2
#: What a worker of another machine has to be told of ours.
_ENVIRONMENT = ("GROUNDRULES_CACHE", NETWORK)

#: Called for each text whose result is on the disk, with what reads its report; it feeds a log.
Finished = Callable[[Result, Callable[[], Report]], None]


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
        held_to = self.config.held_to()
        return read_tasks(
            self.inputs, self.settings, contexts=self.contexts, held_to=held_to, keep=keep
        )


@dataclass(slots=True)
class Tally:
    """How far an audit is: `kept` of `total` texts were there when it began."""

    total: int = 0
    kept: int = 0
    done: int = 0
    errors: int = 0
    restarts: int = 0
    memory: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)


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
        SourceError: an input cannot be read, or there is no text.
        ConfigError: a setting is wrong, or the folder is in use; what was done stays.
    """
    keys, faults = count_tasks(audit.tasks())
    if not keys and not faults:
        raise SourceError("has no text; expected texts or a table", path=", ".join(audit.inputs))
    with Ledger(audit.out) as ledger:
        left = keys - ledger.done
        manifest = _manifest(audit, new=bool(left))
        if finished is not None:
            for one in read_results(audit.out):
                if one.key not in told:
                    finished(one, partial(read_report, audit.out, one))
        tally = Tally(total=len(keys), kept=len(keys) - len(left))
        show(tally)
        if left:
            now = datetime.fromisoformat(manifest["at"]) if manifest["at"] else None
            _check_all(audit, ledger, left, tally, now, show, finished)
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
    found = audit.tasks(lambda document: write_source(audit.out, document))
    todo = (task for task in found if isinstance(task, Task) and task.key in left)
    actors = None
    begin: Callable[[], Process] = partial(Process, partial(Worker, job))
    if audit.engine == "ray":
        from groundrules.audit.actors import Actors

        actors = Actors(job, workers)
        begin = actors.begin

    async def all_() -> None:
        pool = Pool(begin, workers, _AHEAD * workers, audit.seconds, math.inf)
        try:
            async for results in results_of(pool, todo, _AHEAD * workers, audit.seconds):
                ledger.append(results)
                for one in results:
                    tally.done += 1
                    tally.errors += bool(one.error)
                    tally.outcomes.update(one.outcomes)
                    if finished is not None:
                        finished(one, partial(read_report, audit.out, one))
                tally.restarts = pool.replaced.total()
                tally.memory = max(tally.memory, *pool.memory(), 0)
                show(tally)
        finally:
            await pool.close()

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(all_())
    else:  # as in a notebook
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(all_())).result()
    finally:
        if actors:
            actors.close()


async def results_of(
    pool: Pool, tasks: Iterator[Task], ahead: int, seconds: float
) -> AsyncIterator[list[Result]]:
    """Yield the results of texts as they come, in whichever order; so many are read ahead.

    Raises:
        ConfigError: a setting is wrong, or no worker can be started.
    """
    await pool.start()
    given: dict[asyncio.Task[Result], int] = {}
    more = True
    while True:
        while more and len(given) < ahead and sum(given.values()) < _CHARACTERS:
            task = next(tasks, None)
            more = task is not None
            if task is not None:
                own = asyncio.create_task(_checked(pool, task, seconds))
                given[own] = len(task.answer.words or "")
        if not given:
            return
        done, _ = await asyncio.wait(given, return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            del given[one]
        yield [one.result() for one in done]


async def _checked(pool: Pool, task: Task, seconds: float) -> Result:
    """Return the result of a text, which is tried once more where it ended its worker."""
    why = ""
    for _ in range(_TRIES):
        try:
            async with pool.hold(_sources(task), patient=True) as worker:
                found: Result = await pool.ask(worker, task)
                return found
        except PoolError as error:
            if error.kind in (FATAL, MISSING):
                raise ConfigError(error.told) from None
            why = {
                LATE: f"it took longer than the {seconds:g} seconds that a text may take",
                MEMORY: "it took more memory than a text may take",
            }.get(error.kind, error.told)
    return failed(task, f"{why}, twice")


def _sources(task: Task) -> str:
    return " ".join(sorted(one.sha256 for one in task.contexts))


# --- what is said of the run ------------------------------------------------------------------


def _manifest(audit: Audit, *, new: bool) -> Mapping[str, Any]:
    """Return what an audit is, and write it down; it began when the first run in the folder did.

    A run without a text that is `new` is no other, so that a report that was logged stays.
    """
    path = audit.out / MANIFEST
    at, asked = "", dict[str, str]()
    if path.exists():
        try:
            old = json.loads(path.read_bytes())
            if old["schema"] != SCHEMA:
                raise ConfigError("was written by another version", path=str(path))
            at, asked = old["at"], old.get("asked") or {}
            datetime.fromisoformat(at) if at else None
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            raise ConfigError("is damaged; expected it as it was written", path=str(path)) from None
    given = audit.asked.items()
    asked |= {k: v for k, v in given if new or not asked or (v and k != "command")}
    if not at and not audit.config.offline:
        at = f"{audit.now or datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    packs = load_packs(audit.config.packs_in_force, audit.config.base)
    manifest = {
        "schema": SCHEMA,
        "version": __version__,
        "at": at,
        "inputs": list(audit.inputs),
        "asked": asked,
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
