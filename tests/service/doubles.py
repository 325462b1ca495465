"""A stand-in for the worker of the service, which does what the text says."""

from __future__ import annotations

import os
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from groundrules.errors import ModelError
from groundrules.processes import limit

#: Where this file is there, no worker can be made.
BROKEN = "GROUNDRULES_TEST_BROKEN"


class Double:
    """Answers a text or its check with its process.

    `sleep 3`, `die`, `swell`, `fail` and `grow 600` are done. With a limit of memory alone in
    place of settings it takes texts alone, and is there at once: what checks are is not imported.
    """

    def __init__(self, settings: Any) -> None:
        self.kept: list[bytes] = []
        self.takes_checks = not isinstance(settings, int)
        self.memory: int = settings.memory if self.takes_checks else settings

    def prepare(self) -> None:
        if os.environ.get(BROKEN) and Path(os.environ[BROKEN]).exists():
            raise ModelError("the model is missing")
        if self.takes_checks:
            import_module("groundrules.service.jobs")  # not in the time of the first task
        limit(self.memory)

    def work(self, task: Any) -> Any:
        text: str = task if isinstance(task, str) else task.text.text
        word, _, amount = text.partition(" ")
        if word == "sleep":
            time.sleep(float(amount))
        elif word == "die":
            os._exit(3)
        elif word == "swell":
            self.kept.append(b"x" * (self.memory + 2**20))
        elif word == "fail":
            from groundrules.service.refusals import RefusedError

            return RefusedError(422, "text: cannot be read")
        elif word == "grow":
            self.kept.append(b"x" * (int(amount) * 2**20))
        return f'{{"pid": {os.getpid()}}}'.encode()
