"""A worker of the service in this process, for tests of what it says and not of how it ends."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from typing import Any

import pytest

from groundrules.processes import DONE, MEMORY, READY, Workman
from groundrules.service import jobs


class Inside:
    """Stands in for `processes.Process`: a task is done where its result is waited for."""

    memory, is_alive = 0, True

    def __init__(self, make: Callable[[], Workman]) -> None:
        self.sentinel, self._open = os.pipe()
        with pytest.MonkeyPatch.context() as patch:  # of what a worker sets in its own process
            patch.setenv("GROUNDRULES_CACHE", "off")
            patch.setattr(gc, "set_threshold", lambda *_: None)
            patch.setattr(jobs, "limit", lambda _: None)
            self._worker = make()
            self._worker.prepare()
        self._given: list[Any] = []

    def give(self, task: Any) -> None:
        self._given.append(task)

    def take(self) -> tuple[str, Any]:
        if not self._given:
            return READY, None
        try:
            return DONE, self._worker.work(self._given.pop())
        except MemoryError:
            return MEMORY, None

    def kill(self) -> None: ...

    def stop(self) -> None:
        os.close(self.sentinel)
        os.close(self._open)
