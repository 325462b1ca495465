"""The gate: what every request passes before it is answered.

The name of the host, the key, the size and the time of the body; and what is written down of it:
the way, the status and the time it took, no address, query or text.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundrules.pool import Pool
from groundrules.service.access import admits
from groundrules.service.counters import Counters
from groundrules.service.refusals import RefusedError, refusal_of, where
from groundrules.service.startup import Settings

log = logging.getLogger("groundrules.service")

#: Seconds that a client may take to send its body.
_SENDING = 20.0
#: Ways that need no key: whether the service is up, and the page, which has nothing of anybody.
OPEN = ("/", "/health", "/ready")
_PAGE = "/page/"
#: Ways whose requests need a worker: they are refused before they are read where all is full; and
#: all whose bodies are read.
WORKING = ("/check", "/index", "/extract", "/ask")
_READ = (*WORKING, "/v1/chat/completions")
#: What is written down where a client goes before it is told.
_GONE = 499
_JSON = "application/json"


class Gate:
    """Lets requests through to an application, each with its body whole."""

    def __init__(self, app: ASGIApp, settings: Settings, pool: Pool, counters: Counters) -> None:
        self._app, self._settings, self._pool, self._counters = app, settings, pool, counters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), _GONE
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        given = headers.get(_ID, "")
        asked = given if _NAME.fullmatch(given) else secrets.token_hex(16)

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_HEADERS, (_ID, asked.encode())]
            await send(message)

        try:
            await self._admit(scope, headers, receive, noted)
        except RefusedError as refusal:
            await _answer(refusal, noted)
        except _GoneError:
            pass
        except Exception as error:  # of ours; its words could be those of a text
            log.error("%s %s", where(error), asked)
            if status == _GONE:
                await _answer(RefusedError(500, "internal error"), noted)
        finally:
            way = getattr(scope.get("route"), "path", "-")
            seconds = time.monotonic() - began
            self._counters.note(way, status, seconds)
            log.info("%s %s %d %.0f ms %s", scope["method"], way, status, seconds * 1000, asked)

    async def _admit(
        self, scope: Scope, headers: dict[bytes, str], receive: Receive, send: Send
    ) -> None:
        self._refuse_strangers(scope["path"], headers)
        body = b""
        if scope["method"] == "POST" and scope["path"] in _READ:
            if headers.get(b"content-encoding", "identity") != "identity":
                raise RefusedError(415, "expected a body that is not compressed")
            if scope["path"] in WORKING and self._pool.full:
                raise refusal_of(self._pool.refuse(), self._settings.seconds)
            kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
            if kind != _JSON:  # what else a browser may send for a page of another site
                raise RefusedError(415, f"expected a body of {_JSON}")
            body = await self._body(headers, receive)
        await self._watched(scope, body, receive, send)

    def _refuse_strangers(self, path: str, headers: dict[bytes, str]) -> None:
        hosts = self._settings.hosts
        host = headers.get(b"host", "").lower()
        if hosts and (host if host.endswith("]") else host.rpartition(":")[0] or host) not in hosts:
            raise RefusedError(421, "this service does not go by the name of that host")
        keys = self._settings.keys
        if keys and path not in OPEN and not path.startswith(_PAGE):
            if b"authorization" not in headers:
                raise RefusedError(401, "expected a key: Authorization: Bearer KEY")
            if not admits(keys, headers[b"authorization"]):
                raise RefusedError(401, "the key is not one of this service")

    async def _body(self, headers: dict[bytes, str], receive: Receive) -> bytes:
        """Return the body, read to its limit of size and time."""
        most = self._settings.body
        told = headers.get(b"content-length", "0")
        large = RefusedError(413, f"the body is larger than {most // 2**20} MiB")
        if told.isdecimal() and int(told) > most:
            raise large
        parts, size, more = [], 0, True
        try:
            async with asyncio.timeout(_SENDING):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _GoneError
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    if size > most:
                        raise large
                    more = message.get("more_body", False)
        except TimeoutError:
            raise RefusedError(408, f"the body did not come within {_SENDING:g} seconds") from None
        return b"".join(parts)

    async def _watched(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Have a request answered; where the client goes away, what waits for it ends."""
        given, gone = False, asyncio.Event()

        async def replay() -> Message:
            nonlocal given
            if not given:
                given = True
                return {"type": "http.request", "body": body, "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            gone.set()

        async def answer() -> None:
            await self._app(scope, replay, send)

        work = asyncio.create_task(answer())
        watching = asyncio.create_task(watch())
        try:
            await asyncio.wait({work, watching}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                work.cancel()
            with suppress(asyncio.CancelledError):
                await work
        finally:
            for task in (work, watching):
                task.cancel()


#: By which a request is known here, in the log, and to who asked.
_ID = b"x-request-id"
_NAME = re.compile(r"[A-Za-z0-9._:-]{1,128}")


class _GoneError(Exception):
    """The client is gone; there is nobody to answer."""


_HEADERS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))


async def _answer(refusal: RefusedError, send: Send) -> None:
    body = refusal.body
    headers = [(k.lower().encode(), v.encode()) for k, v in refusal.headers.items()]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
