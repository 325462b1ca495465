"""The pool: workers, a bounded queue before them, and a watch over each."""

from __future__ import annotations

import asyncio
import itertools
import logging
import math
import statistics
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any

from groundrules.errors import ConfigError
from groundrules.processes import DIED, DONE, FATAL, GROWN, READY, Process

log = logging.getLogger("groundrules.service")

#: Why a task was not done, beside what processes tell: too many wait, no worker is there, none was
#: free in time, it took too long.
FULL, MISSING, BUSY, LATE = "full", "missing", "busy", "late"

#: Contexts that a worker is believed to have read: `checks.extractions` keeps as many.
_KNOWN = 64
#: Seconds that a worker may take until it is ready, and between two tries where none can be.
_STARTING = 120.0
_AGAIN = 2.0
_TRIES = 3
#: So many of the last tasks tell what one takes.
_LAST = 32
#: How often one who waits lets another go before, whose contexts the free worker has read.
PASSED = 4


class PoolError(Exception):
    """A task that was not done: why, what was told of it, and in how many seconds to try again."""

    def __init__(self, kind: str, told: str = "", after: int = 0) -> None:
        super().__init__(kind, told, after)
        self.kind, self.told, self.after = kind, told, after


class PooledWorker:
    """A worker process and what it is known to have read."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.born_with = process.memory
        #: Whether another is to take its place as soon as that is ready.
        self.leaving = False
        self.known: OrderedDict[str, None] = OrderedDict()
        self.alive = True
        self.running: asyncio.Task[tuple[str, Any]] | None = None

    def note(self, context: str) -> None:
        """Note that it has read some contexts."""
        if context:
            self.known[context] = None
            self.known.move_to_end(context)
            while len(self.known) > _KNOWN:
                self.known.popitem(last=False)


class _Waiting:
    """A task that waits for a worker: its contexts, and how often a later one went before it."""

    def __init__(self, context: str) -> None:
        self.worker: asyncio.Future[PooledWorker] = asyncio.get_running_loop().create_future()
        self.context, self.passed = context, 0


class Pool:
    """Has tasks done by worker processes; a task that takes too long ends its worker.

    `workers` are begun by `begin`; `queue` tasks may wait, a further one is refused. One who waits
    is passed over `passed` times at most.
    """

    def __init__(
        self,
        begin: Callable[[], Process],
        workers: int,
        queue: int,
        seconds: float,
        passed: float = PASSED,
    ) -> None:
        self._begin, self._size, self._most, self._seconds = begin, workers, queue, seconds
        self._passed = passed
        # for each worker one waits, one ends it and one starts its successor
        self._threads = ThreadPoolExecutor(3 * workers, thread_name_prefix="worker")
        self._workers: set[PooledWorker] = set()
        self._free: list[PooledWorker] = []
        self._waiting: deque[_Waiting] = deque()
        self._place: asyncio.Event = asyncio.Event()
        self._starts: set[asyncio.Task[None]] = set()
        self._coming: set[Process] = set()
        self._took: deque[float] = deque([0.1], _LAST)
        self._failure, self._tried = "", 0.0
        self._closing = False
        #: How many workers were replaced, by what became of them.
        self.replaced: Counter[str] = Counter()

    # --- what there is ------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """How many tasks wait."""
        return len(self._waiting)

    @property
    def busy(self) -> int:
        """How many workers are at work."""
        return len(self._workers) - len(self._free)

    @property
    def ready(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    @property
    def failure(self) -> str:
        """Why there is no worker, empty where there is one, or one is about to be."""
        return self._failure if not self._workers else ""

    @property
    def full(self) -> bool:
        """Whether a further task would be refused."""
        return not self._free and len(self._waiting) >= self._most

    @property
    def _median(self) -> float:
        return statistics.median(self._took)

    def memory(self) -> list[int]:
        """Return the bytes of each worker, 0 where it is not known."""
        return [worker.process.memory for worker in self._workers]

    def refuse(self) -> PoolError:
        """Return the refusal of a task for which there is no room."""
        rounds = (len(self._waiting) + 1) / max(1, len(self._workers))
        return PoolError(FULL, after=max(1, math.ceil(rounds * self._median)))

    # --- start and end ------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the workers; return when the first is ready.

        ConfigError where none can be started.
        """
        self._fill()
        while not self._workers:
            if not self._starts:
                raise ConfigError(self._failure)
            await asyncio.wait(self._starts, return_when=asyncio.FIRST_COMPLETED)

    async def close(self) -> None:
        """End the workers, whatever they do."""
        self._closing = True
        for one in self._waiting:
            one.worker.cancel()
        for process in (*self._coming, *(worker.process for worker in self._workers)):
            process.kill()
        running = [worker.running for worker in self._workers if worker.running]
        await asyncio.gather(*running, *self._starts, return_exceptions=True)
        for worker in self._workers:
            self._unwatch(worker)
            worker.process.stop()
        self._workers.clear()
        self._free.clear()
        self._threads.shutdown()

    def _fill(self) -> None:
        """Start as many workers as are missing."""
        self._tried = time.monotonic()
        staying = sum(not worker.leaving for worker in self._workers)
        for _ in range(self._size - staying - len(self._starts)):
            task = asyncio.create_task(self._start())
            self._starts.add(task)
            task.add_done_callback(self._starts.discard)

    async def _start(self) -> None:
        """Start a worker; one that dies before it is ready is tried again, as it may be chance."""
        for _ in range(_TRIES):
            kind, what = await self._started()
            if kind in (READY, FATAL) or self._closing:
                break
        if kind != READY and not self._closing:
            self._failure = what if kind == FATAL else f"no worker can be started: {what}"
            log.error("%s", self._failure)
            if not self._workers:
                self._refuse_all()

    async def _started(self) -> tuple[str, Any]:
        loop = asyncio.get_running_loop()
        process = await loop.run_in_executor(self._threads, self._begin)
        self._coming.add(process)
        if self._closing:
            process.kill()
        said = loop.run_in_executor(self._threads, process.take)
        late = loop.call_later(_STARTING, process.kill)
        kind, what = await said
        late.cancel()
        self._coming.discard(process)
        if kind == READY and not self._closing:
            self._failure = ""
            worker = PooledWorker(process)
            self._workers.add(worker)
            if process.sentinel is not None:
                with suppress(NotImplementedError):  # one that dies is found when it is needed
                    loop.add_reader(process.sentinel, self._bury, worker)
            self._give_back(worker)
            self._retire()
        else:
            process.stop()
        return kind, what

    def _retire(self) -> None:
        """End one of the workers that have grown, now that there is another."""
        leaving = next(
            (worker for worker in self._workers if worker.leaving and worker.alive), None
        )
        if leaving is not None:
            leaving.alive = False
            self.replaced["grown"] += 1
            if leaving in self._free:
                self._free.remove(leaving)
                self._replace(leaving)

    def _refuse_all(self) -> None:
        """Tell all who wait that nobody will come."""
        while self._waiting:
            future = self._waiting.popleft().worker
            if not future.done():
                future.set_exception(self._missing())
        self._place.set()

    def _missing(self) -> PoolError:
        return PoolError(MISSING, self._failure, round(_AGAIN))

    # --- a worker for a while -----------------------------------------------------------------

    @asynccontextmanager
    async def hold(
        self, context: str = "", *, patient: bool = False
    ) -> AsyncIterator[PooledWorker]:
        """Have a worker, one that has read some contexts rather than another.

        PoolError where there is no worker, where too many wait or none was free in time; who is
        `patient` waits.
        """
        worker = await self._take(context, patient=patient)
        worker.note(context)
        try:
            yield worker
        finally:
            if worker.running is None or worker.running.done():
                self._release(worker)
            else:  # who asked is gone; what it does it does to the end, in the time it has
                worker.running.add_done_callback(lambda _: self._release(worker))

    async def _take(self, context: str, *, patient: bool) -> PooledWorker:
        if not self._workers and not self._starts:
            if time.monotonic() - self._tried < _AGAIN:
                raise self._missing()
            self._fill()
        while patient and self.full:
            self._place.clear()
            await self._place.wait()
        for worker in [one for one in self._free if not one.process.is_alive]:
            self._bury(worker)
        if self._free:
            worker = min(self._free, key=lambda one: (context not in one.known, len(one.known)))
            self._free.remove(worker)
            return worker
        if len(self._waiting) >= self._most:
            raise self.refuse()
        waiting = _Waiting(context)
        future = waiting.worker
        self._waiting.append(waiting)
        try:
            async with asyncio.timeout(None if patient else self._seconds):
                return await future
        except (TimeoutError, asyncio.CancelledError) as error:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
                self._place.set()
            elif future.done() and not future.cancelled() and not future.exception():
                self._give_back(future.result())  # it was given, and nobody is there to take it
            if isinstance(error, asyncio.CancelledError):
                raise
            raise PoolError(BUSY, after=round(self._median) + 1) from None

    def _give_back(self, worker: PooledWorker) -> None:
        """Give a worker to one who waits, or let it wait."""
        while self._waiting:
            future = self._next(worker).worker
            self._place.set()
            if not future.done():
                future.set_result(worker)
                return
        self._free.append(worker)
        self._place.set()

    def _next(self, worker: PooledWorker) -> _Waiting:
        """Take from the queue whose contexts a worker has read, else no other has, else the first.

        A text beside contexts that are read takes half the time of one beside others, or less.
        """
        others = {name for one in self._workers if one is not worker for name in one.known}
        chosen, fresh = 0, False
        for place, one in enumerate(self._waiting):
            if one.context in worker.known:
                chosen = place
                break
            if not fresh and one.context not in others:
                chosen, fresh = place, True
            if one.passed >= self._passed:
                chosen = min(chosen, place)
                break
        for one in itertools.islice(self._waiting, chosen):
            one.passed += 1
        found = self._waiting[chosen]
        del self._waiting[chosen]
        return found

    def _release(self, worker: PooledWorker) -> None:
        if self._closing:
            return
        if worker.alive:
            if not worker.leaving and worker.process.memory - worker.born_with > GROWN:
                worker.leaving = True
                self._fill()
            self._give_back(worker)
            return
        self._replace(worker)

    def _bury(self, worker: PooledWorker) -> None:
        """Replace a worker that has ended; one at work is told of by its task."""
        self._unwatch(worker)
        if worker in self._free and not self._closing:
            self._free.remove(worker)
            self.replaced[DIED] += 1
            self._replace(worker)

    def _replace(self, worker: PooledWorker) -> None:
        """Put another worker in the place of one that has ended."""
        self._unwatch(worker)
        self._workers.discard(worker)
        asyncio.get_running_loop().run_in_executor(self._threads, worker.process.stop)
        self._fill()

    def _unwatch(self, worker: PooledWorker) -> None:
        if worker.process.sentinel is not None:
            with suppress(NotImplementedError):
                asyncio.get_running_loop().remove_reader(worker.process.sentinel)

    # --- a task -------------------------------------------------------------------------------

    async def ask(self, worker: PooledWorker, task: Any) -> Any:
        """Have a worker that is held do a task; PoolError where it cannot be done."""
        worker.running = asyncio.create_task(self._run(worker, task))
        kind, what = await asyncio.shield(worker.running)
        if kind == DONE:
            return what
        raise PoolError(kind, str(what or ""), 1)

    async def _run(self, worker: PooledWorker, task: Any) -> tuple[str, Any]:
        began = time.monotonic()
        late = False

        def end() -> None:
            nonlocal late
            late = True
            worker.process.kill()

        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._seconds, end)
        try:
            kind, what = await loop.run_in_executor(self._threads, _done, worker.process, task)
        finally:
            timer.cancel()
        if late and kind == DIED:
            kind = LATE
        if kind == DONE:
            self._took.append(time.monotonic() - began)
        else:
            worker.alive = False
            self.replaced[kind] += 1
        return kind, what


def _done(process: Process, task: Any) -> tuple[str, Any]:
    process.give(task)
    return process.take()
