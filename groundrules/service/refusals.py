"""Refusals: a status of HTTP and one line that says what is wrong, and nothing of the text."""

from __future__ import annotations

import json
from http import HTTPStatus
from pathlib import Path
from typing import Any

from groundrules.pool import BUSY, FULL, LATE, MISSING, PoolError
from groundrules.processes import MEMORY

#: The media type of an error (RFC 9457).
PROBLEM = "application/problem+json"


class RefusedError(Exception):
    """A request that is not answered; `after` is when to try again, in seconds, 0: unknown.

    `log` is what the server's own log is told of it.
    """

    media = PROBLEM

    def __init__(self, status: int, message: str, after: int = 0, log: str = "") -> None:
        super().__init__(status, message, after, log)
        self.status, self.message, self.after, self.log = status, message, after, log

    @property
    def body(self) -> bytes:
        """The refusal as a problem (RFC 9457), with the `error` that clients of OpenAI read."""
        return as_json(
            {
                "type": "about:blank",  # what the status says: no kind of problem is our own
                "title": HTTPStatus(self.status).phrase,
                "status": self.status,
                "detail": self.message,
                "error": self.told,
            }
        )

    @property
    def told(self) -> dict[str, Any]:
        """The refusal within a line or an event."""
        return {"status": self.status, "message": self.message}

    @property
    def headers(self) -> dict[str, str]:
        """What is said besides: when to come again, how to show who one is."""
        found = {"Content-Type": self.media}
        if self.after:
            found["Retry-After"] = str(self.after)
        if self.status == 401:
            found["WWW-Authenticate"] = "Bearer"
        return found


def as_json(value: Any) -> bytes:
    """Return a value as a line of JSON, without its end."""
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace")


def refusal_of(error: PoolError, seconds: float) -> RefusedError:
    """Return how it is told that the pool has not done a task, which may take so many seconds."""
    after = error.after
    long = f"it took longer than {seconds:g} seconds"
    status, message = {
        FULL: (429, f"the queue is full; try again in {after} s"),
        MISSING: (503, "no worker is there; the log says why"),
        BUSY: (504, f"no worker was free within {seconds:g} seconds"),
        LATE: (504, f"{long}; send less, or index the sources first"),
        MEMORY: (413, "it needs more memory than a request may take"),
    }.get(error.kind, (503, "its worker ended; try again"))
    if status == 503 and error.kind != MISSING:
        return RefusedError(status, message, 1, log=error.told)
    return RefusedError(status, message, 0 if error.kind in (LATE, MEMORY) else after)


def where(error: BaseException) -> str:
    """Return what an error is and where it arose; its words could be those of a text."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = type(error).__name__
    if trace is None:
        return name
    return f"{name} at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
