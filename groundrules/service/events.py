"""Server-sent events (WHATWG HTML, 9.2): an event a line of JSON, comments to keep the line."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from groundrules.service.refusals import RefusedError, as_json, where

log = logging.getLogger("groundrules.service")

#: Seconds without an event after which a comment is sent.
_QUIET = 10.0
_KEEP_ALIVE = b": still here\n\n"

Send = Callable[[str, bytes], None]


def event(name: str, data: bytes) -> bytes:
    """Return an event; its data are JSON without a line break."""
    return b"event: " + name.encode() + b"\ndata: " + data.strip() + b"\n\n"


async def stream(work: Callable[[Send], Awaitable[None]]) -> AsyncIterator[bytes]:
    """Yield the events that some work sends, and at its end the error that it raised, if any.

    The work does not wait for a client that reads slowly, and ends when the client goes away.
    """
    found: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def run() -> None:
        try:
            await work(lambda name, data: found.put_nowait(event(name, data)))
        except Exception as fault:
            refusal = fault
            if not isinstance(refusal, RefusedError):  # of ours; its words could be those of a text
                refusal = RefusedError(500, "internal error", log=where(fault))
            if refusal.log:
                log.error("%s", refusal.log)
            found.put_nowait(event("error", as_json(refusal.told)))
        finally:
            found.put_nowait(None)

    task, wanted = asyncio.create_task(run()), asyncio.create_task(found.get())
    try:
        while True:
            await asyncio.wait({wanted}, timeout=_QUIET)
            if not wanted.done():
                yield _KEEP_ALIVE
                continue
            if (one := wanted.result()) is None:
                break
            wanted = asyncio.create_task(found.get())
            yield one
    finally:
        wanted.cancel()
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task
