"""An endpoint on loopback that does what it is told: answers, errors, and worse."""

from __future__ import annotations

import json
import re
import socket
import ssl
import struct
import threading
import urllib.parse
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.loopback import Loopback, send

JSON = {"Content-Type": "application/sparql-results+json"}
TEXT = {"Content-Type": "text/plain"}
HTML = {"Content-Type": "text/html"}


@dataclass(frozen=True)
class Reply:
    """What is sent; a body in pieces is sent as they come, without a length."""

    status: int = 200
    body: bytes | Iterable[bytes] = b""
    headers: dict[str, str] = field(default_factory=lambda: dict(JSON))
    reset: bool = False


@dataclass(frozen=True)
class Request:
    """What arrived."""

    method: str
    target: str
    headers: dict[str, str]
    query: str


def rows(*bindings: dict[str, Any]) -> bytes:
    result = {"head": {"vars": ["s"]}, "results": {"bindings": list(bindings)}}
    return json.dumps(result).encode()


def uri(value: str) -> dict[str, str]:
    return {"type": "uri", "value": value}


def subjects(query: str) -> list[str]:
    """Return the IRIs of the VALUES blocks of a query."""
    return [
        iri
        for block in re.findall(r"VALUES \?s \{([^}]*)\}", query)
        for iri in re.findall(r"<([^>]*)>", block)
    ]


def echo(query: str) -> Reply:
    """Return each subject asked for in a row of its own."""
    return Reply(body=rows(*({"s": uri(iri)} for iri in subjects(query))))


Told = Reply | Callable[[str], Reply]


class Misbehaving:
    """Sends the replies in turn, then the last one again; a function gets the query.

    With a certificate (a PEM file with its key) it speaks TLS.
    """

    def __init__(self, *replies: Told, certificate: Path | None = None) -> None:
        self.requests: list[Request] = []
        self.stopping = threading.Event()
        told = list(replies) or [echo]
        requests = self.requests
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self.answer(urllib.parse.urlsplit(self.path).query)

            def do_POST(self) -> None:
                self.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

            def answer(self, form: str) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                query = form
                if "sparql-update" not in headers.get("content-type", ""):
                    query = urllib.parse.parse_qs(form).get("query", [""])[0]
                with lock:
                    requests.append(Request(self.command, self.path, headers, query))
                    reply = told.pop(0) if len(told) > 1 else told[0]
                self.reply(reply if isinstance(reply, Reply) else reply(query))

            def reply(self, reply: Reply) -> None:
                self.close_connection = True
                if reply.reset:
                    linger = struct.pack("ii", 1, 0)
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.connection.close()
                    return
                send(self, reply.status, reply.headers, reply.body)

        self.server = Loopback(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        scheme = "https" if certificate else "http"
        self.url = f"{scheme}://127.0.0.1:{self.server.server_port}/sparql"

    @property
    def queries(self) -> list[str]:
        return [request.query for request in self.requests]

    def __enter__(self) -> Misbehaving:
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
