"""A worker in this process, for tests of what it says and not of how it ends."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from groundrules.errors import GroundrulesError
from groundrules.processes import DONE, FATAL, MEMORY, READY, Workman


class Inside:
    """Stands in for `processes.Process`: a task is done where its result is waited for."""

    memory, is_alive = 0, True

    def __init__(self, make: Callable[[], Workman]) -> None:
        self.sentinel, self._open = os.pipe()
        with pytest.MonkeyPatch.context() as patch:  # of what a worker sets in its own process
            patch.setenv("GROUNDRULES_CACHE", "off")
            patch.setattr(gc, "set_threshold", lambda *_: None)
            for room in ("groundrules.service.jobs", "groundrules.audit.worker"):
                if room in sys.modules:
                    patch.setattr(f"{room}.limit", lambda _: None)
            self._worker = make()
            self._fault = _tried(self._worker.prepare)
        self._given: list[Any] = []

    def give(self, task: Any) -> None:
        self._given.append(task)

    def take(self) -> tuple[str, Any]:
        if not self._given:
            return self._fault if self._fault[0] == FATAL else (READY, None)
        return _tried(lambda: self._worker.work(self._given.pop()))

    def kill(self) -> None: ...

    def stop(self) -> None:
        os.close(self.sentinel)
        os.close(self._open)


def _tried(do: Callable[[], Any]) -> tuple[str, Any]:
    try:
        return DONE, do()
    except GroundrulesError as error:
        return FATAL, str(error)
    except MemoryError:
        return MEMORY, None
