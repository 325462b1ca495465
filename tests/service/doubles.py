"""A stand-in for the worker of the service, which does what the text says."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from groundrules.errors import ModelError
from groundrules.processes import limit
from groundrules.service.jobs import Check, Failure
from groundrules.service.startup import Settings

#: Where this file is there, no worker can be made.
BROKEN = "GROUNDRULES_TEST_BROKEN"


class Double:
    """Answers a check with its text; `sleep 3`, `die`, `swell`, `fail` and `grow 600` are done."""

    grown = False

    def __init__(self, settings: Settings) -> None:
        self.kept: list[bytes] = []
        self.memory = settings.memory

    def prepare(self) -> None:
        if os.environ.get(BROKEN) and Path(os.environ[BROKEN]).exists():
            raise ModelError("the model is missing")
        limit(self.memory)

    def work(self, task: Any) -> Any:
        assert isinstance(task, Check)
        word, _, amount = (task.text.text or "").partition(" ")
        if word == "sleep":
            time.sleep(float(amount))
        elif word == "die":
            os._exit(3)
        elif word == "swell":
            self.kept.append(b"x" * (self.memory + 2**20))
        elif word == "fail":
            return Failure(422, "text: cannot be read")
        elif word == "grow":
            self.kept.append(b"x" * (int(amount) * 2**20))
        return f'{{"pid": {os.getpid()}}}'.encode()
