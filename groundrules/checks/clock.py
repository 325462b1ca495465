"""What a check takes, by stage."""

from __future__ import annotations

import time
from collections.abc import Callable


class Clock:
    """Seconds between marks, by stage in order."""

    def __init__(self, told: Callable[[str], object] | None = None) -> None:
        self._told = told
        self._begin = self._last = time.perf_counter()
        self.stages: list[tuple[str, float]] = []

    def mark(self, name: str) -> None:
        """Charge the time since the last mark to a stage."""
        now = time.perf_counter()
        self.stages.append((name, now - self._last))
        self._last = now
        if self._told:
            self._told(name)

    @property
    def seconds(self) -> float:
        """The seconds since it was made."""
        return time.perf_counter() - self._begin

    @property
    def times(self) -> tuple[tuple[str, float], ...]:
        """The stages in order and the total."""
        return (*self.stages, ("total", self.seconds))
