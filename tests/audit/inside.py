"""Workers that are no processes: an audit without what it takes to start them.

What processes do is tested in test_runner.py, in test_worker.py and by test_logged.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundrules.errors import GroundrulesError
from groundrules.processes import DONE, FATAL, READY, Workman


class Inside:
    """Workers in this process, each of which does its task as it is given: as `Processes`."""

    def __init__(self, make: Callable[[], Workman]) -> None:
        self._make = make
        self._live: dict[int, Workman] = {}
        self._told: list[tuple[int, str, Any]] = []

    def start(self) -> int:
        number, made = len(self._live) + 1, self._make()
        self._tell(number, READY, made.prepare)
        self._live[number] = made
        return number

    def give(self, worker: int, task: Any) -> None:
        self._tell(worker, DONE, lambda: self._live[worker].work(task))

    def take(self, seconds: float) -> list[tuple[int, str, Any]]:
        told, self._told = self._told, []
        return told

    def stop(self, worker: int) -> None: ...

    def memory(self) -> int:
        return 0

    def close(self) -> None: ...

    def _tell(self, number: int, kind: str, do: Callable[[], Any]) -> None:
        try:
            self._told.append((number, kind, do()))
        except GroundrulesError as error:
            self._told.append((number, FATAL, str(error)))
