"""An OpenAI-compatible server on loopback that does what it is told: answers, errors, and worse."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Any

from tests.loopback import Loopback, send

JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Reply:
    """What is sent; a body in pieces is sent as they come, without a length.

    A larger Content-Length than the body has cuts the connection in its middle.
    """

    status: int = 200
    body: bytes | Iterable[bytes] = b""
    headers: dict[str, str] = field(default_factory=lambda: dict(JSON))


@dataclass(frozen=True)
class Request:
    """What arrived at /v1/chat/completions; header names in lower case."""

    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def format(self) -> str:
        return str(self.body.get("response_format", {}).get("type", ""))

    @property
    def text(self) -> str:
        """What the user's first message says."""
        return str(next(m["content"] for m in self.body["messages"] if m["role"] == "user"))


def chat(
    answer: object,
    *,
    finish: str = "stop",
    refusal: str | None = None,
    usage: object = (100, 10),
    headers: dict[str, str] | None = None,
    logprobs: object = None,
) -> Reply:
    """Return a completion with a text, or with JSON of anything else."""
    text = answer if isinstance(answer, str) or answer is None else json.dumps(answer)
    message = {"role": "assistant", "content": text, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": logprobs}
    data: dict[str, object] = {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "test-model",
        "choices": [choice],
    }
    if isinstance(usage, tuple):
        usage = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    if usage is not None:
        data["usage"] = usage
    return Reply(200, json.dumps(data).encode(), JSON | (headers or {}))


def letters(lines: Sequence[Mapping[str, float]], sums: Mapping[str, str] | None = None) -> Reply:
    """Return a completion with a letter for each line, and what else each might have been.

    Behind the letters stand `sums`, each under its key.
    """
    pieces: list[tuple[str, Mapping[str, float]]] = [('{"', {'{"': 1.0})]
    for n, shares in enumerate(lines, 1):
        best = max(shares, key=lambda one: shares[one])
        end = "" if n == len(lines) else ',"'
        pieces += [(str(n), {str(n): 1.0}), ('":"', {'":"': 1.0}), (best, shares)]
        pieces += [('"', {'"': 1.0}), (end, {end: 1.0})]
    told = "".join(f', "{key}": "{said}"' for key, said in (sums or {}).items())
    pieces += [(one, {one: 1.0}) for one in (*told, "}")]
    return chat("".join(text for text, _ in pieces), logprobs=logprobs(pieces))


def logprobs(pieces: Iterable[tuple[str, Mapping[str, float]]]) -> dict[str, Any]:
    """Return the log probabilities of tokens, as chat completions have them."""
    return {
        "content": [
            {"token": text, "logprob": -0.1, "bytes": [*text.encode()],
             "top_logprobs": [{"token": one, "logprob": math.log(share), "bytes": None}
                              for one, share in shares.items() if share]}
            for text, shares in pieces
        ]
    }  # fmt: skip


def error(
    status: int, message: str = "no", *, param: str = "", code: str = "", **headers: str
) -> Reply:
    """Return an error as OpenAI's API words it; `Retry_After="1"` is a header."""
    data = {"error": {"message": message, "type": "x", "param": param or None, "code": code}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps(data).encode(), JSON | named)


def cut(reply: Reply) -> Reply:
    """Return a reply whose connection is closed in the middle of the body."""
    assert isinstance(reply.body, bytes)
    length = {"Content-Length": str(len(reply.body))}
    return Reply(reply.status, reply.body[: len(reply.body) // 2], reply.headers | length)


Told = Reply | Callable[[Request], Reply]


class Server:
    """Sends the replies in turn, then the last one again; a function gets the request.

    `requests` has those for completions; `models` is what /v1/models says. `stopping` is set when
    the server is to end, for replies that wait.
    """

    def __init__(self, *replies: Told, models: Reply | None = None) -> None:
        self.requests: list[Request] = []
        self.paths: list[str] = []
        self.stopping = threading.Event()
        told = list(replies)
        listed = json.dumps({"object": "list", "data": [{"id": "test-model", "object": "model"}]})
        known = models or Reply(200, listed.encode())
        requests, paths, lock = self.requests, self.paths, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                with lock:
                    paths.append(self.path)
                self.reply(known if self.path == "/v1/models" else error(404, "no such page"))

            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(headers, json.loads(content))
                with lock:
                    paths.append(self.path)
                    if self.path == "/v1/chat/completions":
                        requests.append(request)
                        reply = told.pop(0) if len(told) > 1 else told[0]
                    else:
                        reply = error(404, "no such page")
                self.reply(reply if isinstance(reply, Reply) else reply(request))

            def reply(self, reply: Reply) -> None:
                send(self, reply.status, reply.headers, reply.body)

        self._server = Loopback(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Server:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
