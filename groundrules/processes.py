"""Processes of this machine that do one task after another, each with a pipe of its own."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from groundrules.errors import GroundrulesError

#: What a process tells, and what is told of it: that it is ready, a result, too much memory for a
#: task, a wrong setting, or that it died.
READY, DONE, MEMORY, FATAL, DIED = "ready", "done", "memory", "fatal", "died"

#: How many bytes a worker may have grown before another takes its place: it keeps about 1 MB of
#: each text.
GROWN = 512 * 2**20

_SPAWN = multiprocessing.get_context("spawn")
_starting = threading.Lock()


class Workman(Protocol):
    """What does the tasks of a process."""

    def prepare(self) -> None:
        """Load what all tasks need; GroundrulesError where a setting is wrong."""

    def work(self, task: Any) -> Any:
        """Do a task; GroundrulesError where no other would do better, MemoryError."""


class Process:
    """A process that says READY, and then answers one task after another."""

    def __init__(self, make: Callable[[], Workman]) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_serve, args=(theirs, make), daemon=True)
        with _without_main():
            self._process.start()
        theirs.close()

    def give(self, task: Any) -> None:
        """Have a task done; a process that has died meanwhile is told by `take`."""
        with contextlib.suppress(OSError):
            self._pipe.send(task)

    def take(self) -> tuple[str, Any]:
        """Return what the process tells next, as soon as it does."""
        try:
            kind, what = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join(1)
            return DIED, _cause(self._process.exitcode)
        return kind, what

    @property
    def memory(self) -> int:
        """The bytes that it has, 0 where the system does not tell."""
        return resident(self._process.pid)

    @property
    def sentinel(self) -> int:
        """What is ready to be read once it has ended."""
        return self._process.sentinel

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.is_alive()

    def kill(self) -> None:
        """End the process, whatever it does; what waits for it in `take` is told."""
        self._process.kill()

    def stop(self) -> None:
        """End the process and forget it; nobody may wait in `take`."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def resident(pid: int | None = None) -> int:
    """Return the bytes of memory that a process has, by default this one; 0 where nobody tells."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = Path(f"/proc/{pid or os.getpid()}/statm").read_text("ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0


def limit(memory: int) -> None:
    """Let this process take so many bytes more than it has, where the system can see to that."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = pages * resource.getpagesize() + memory
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep a new process from running the script that we were called from once more."""
    with _starting:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with code {code}"


def _serve(pipe: Connection, make: Callable[[], Workman]) -> None:
    """Do what comes through a pipe until it is closed."""
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)  # our parent ends us
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()
    worker = make()
    try:
        worker.prepare()
    except GroundrulesError as error:
        pipe.send((FATAL, str(error)))
        return
    # what libraries write to the terminal would tear the progress bar
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    gc.freeze()  # what is there now stays, and is searched for no garbage
    pipe.send((READY, None))
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            result = worker.work(task)
            told: tuple[str, Any] = DONE, result
        except GroundrulesError as error:
            told = FATAL, str(error)
        except MemoryError:
            told = MEMORY, None
        try:
            pipe.send(told)
        except OSError:
            return
        if told[0] != DONE:
            return


def _follow(parent: Any) -> None:
    """End this process with its parent, in the middle of a text as well."""
    wait([parent])
    os._exit(1)
