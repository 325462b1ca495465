"""The server: the application on a socket, until it is told to end."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from groundrules.errors import ConfigError
from groundrules.service.access import listen

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from groundrules.service.startup import Settings

log = logging.getLogger("groundrules.service")

#: Connections at once; a further one is told to come again.
_CONNECTIONS = 512
#: Seconds until the head of a request is there, or its connection ends, and until its body is; and
#: that requests have to end in besides their own.
_IDLE, _SENDING, _ENDING = 10, 30, 10


def serve(settings: Settings, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT; what is in work is finished, what is new refused.

    ConfigError where no worker can be started or the address is taken, or where others than this
    machine could ask without a key.
    """
    from groundrules.service.app import create_app

    _log()
    with listen(host, port, settings.keys) as line:
        log.info("starting %d workers for http://%s:%d", settings.workers, host, port)
        app = create_app(settings)
        server = server_of(app, int(settings.seconds) + _ENDING)
        # once it has ended, the signal that ended it comes again
        signal.signal(signal.SIGTERM, lambda *_: None)
        with suppress(SystemExit):  # of a start that failed
            server.run(sockets=[line])
    if not server.started:
        raise ConfigError(app.state.service.pool.failure or "the service could not be started")


def server_of(app: ASGIApp, ending: int) -> uvicorn.Server:
    """Return a server of an application, which waits so many seconds for what is asked at its end.

    Whoever opens connections and is silent keeps nobody else from it.
    """
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=_Protocol,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="on",
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=_IDLE,
            timeout_graceful_shutdown=ending,
        )
    )


class _Protocol(H11Protocol):
    """HTTP/1.1 with clients that have so many seconds until each of their requests is there."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def on_response_complete(self) -> None:
        self._await_request()  # first, as the next may be there already
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._waiting:
            self._waiting.cancel()

    def _await_request(self) -> None:
        if self._waiting:
            self._waiting.cancel()
        self._waiting = self.loop.call_later(_IDLE, self._end_if_silent, self.cycle)

    def _end_if_silent(self, answered: object, *, asked: bool = False) -> None:
        if self.cycle is answered or (asked and self.cycle.more_body):
            self.transport.abort()
        elif not asked:
            self._waiting = self.loop.call_later(
                _SENDING, partial(self._end_if_silent, answered, asked=True)
            )


class _Line(logging.Formatter):
    """One line for each thing that is told, without where in the code it arose."""

    def format(self, record: logging.LogRecord) -> str:
        words = record.getMessage().strip().splitlines() or [""]
        return f"{self.formatTime(record)} {record.levelname.lower()} {words[-1]}"


def _log() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_Line())
    for name, level in (("groundrules.service", logging.INFO), ("uvicorn.error", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.setLevel(level)
        logger.handlers, logger.propagate = [handler], False
