"""One request to an endpoint: sent by the package openai, received here within limits.

What openai would do besides - ask again unseen, follow a redirect, read without end, send what the
environment holds for another host - is done here instead, or not at all.
"""

from __future__ import annotations

import json
import logging
import math
import re
import urllib.parse
import weakref
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from groundrules.errors import ConfigError
from groundrules.llm.endpoint import KEY, redact
from groundrules.llm.letters import Token, read_tokens
from groundrules.net import REDIRECTS, Trace, hung_up_after, is_local, read_within, retry_after

if TYPE_CHECKING:
    from openai import OpenAI

_MOST_BYTES = 10_000_000
_MOST_ERROR_BYTES = 100_000
_MOST_TOKENS = 10**9  # that a response may say it has
BYTES_A_TOKEN = 3  # of UTF-8; English has four to five

_LOGGERS = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")
_HEADERS = (
    "host", "content-type", "content-length", "transfer-encoding", "user-agent",
    "x-stainless-raw-response",
)  # fmt: skip

#: What traces the request that a thread sends.
_trace: ContextVar[Trace] = ContextVar("trace")
_REFUSED = re.compile(
    r"(?:un(?:supported|known|recognized|expected)|extra|not (?:supported|permitted))"
    r"\b.{0,80}?['\"](\w+)['\"]",
    re.I | re.S,
)


class RequestError(Exception):
    """A request without an answer: whether to ask again, after how many seconds, if it costs.

    One that `ends` the asking says that no other request would do better.
    """

    def __init__(
        self,
        message: str,
        kind: Literal["unreachable", "refused"] = "unreachable",
        *,
        again: bool = False,
        wait: float | None = None,
        billed: bool = False,
        ends: bool = False,
        status: int = 0,
        parameter: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.again = again
        self.wait = wait
        self.billed = billed
        self.ends = ends
        self.status = status
        self.parameter = parameter


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote, and the tokens of the request and of the answer.

    `tokens` are those of the answer, where they were asked for and given.
    """

    text: str
    refusal: str
    prompt_tokens: int
    completion_tokens: int
    tokens: tuple[Token, ...] = ()


class Transport:
    """An endpoint that requests are sent to, each answered in some seconds or not at all.

    `timeout` are the most that a request may ask for. `secrets` are taken out of what comes back.
    ConfigError if the package openai is missing.
    """

    def __init__(self, url: str, secret: str, timeout: float, secrets: Sequence[str]) -> None:
        self._url = url
        self._timeout = timeout
        self._secrets = secrets
        self._sdk = _open(url, secret, timeout)
        weakref.finalize(self, self._sdk.close)

    def complete(self, body: dict[str, Any], estimate: int, seconds: float = math.inf) -> Reply:
        """Return what a chat completion says; `estimate` is its tokens where none are counted."""
        return read_reply(self.post(body, seconds), estimate, self._secrets)

    def post(self, body: dict[str, Any], seconds: float = math.inf) -> bytes:
        """Return the body of the response to a chat completion."""
        create = self._sdk.chat.completions.with_streaming_response.create
        return self._receive(partial(create, **body), seconds)

    def first_model(self, seconds: float = math.inf) -> str:
        """Return the first model that the endpoint lists."""
        body = self._receive(self._sdk.models.with_streaming_response.list, seconds)
        try:
            return str(read_json(body)["data"][0]["id"])
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            raise RequestError(f"no model at {self._url}/models; name one: URL#model") from None

    def _receive(self, send: Callable[..., Any], seconds: float) -> bytes:
        """Return the body of a response; a fault if none comes whole and in time."""
        import openai

        seconds = min(seconds, self._timeout)
        late = f"no answer in {seconds:g} s"
        try:
            with hung_up_after(seconds) as (watch, ended):
                _trace.set(watch)
                with send(timeout=seconds) as response:
                    form = response.headers.get("content-type", "").partition(";")[0].strip()
                    body, large = read_within(response.iter_bytes(), _MOST_BYTES)
        except Exception as error:  # of openai, or of the HTTP library of its release
            cause = error if isinstance(error, RequestError) else error.__cause__ or error
            if isinstance(cause, RequestError):
                raise cause from None
            name = type(cause).__name__
            # where nobody answers the door, waiting at it would only hold up the check
            reached = not name.startswith("Connect")
            if ended.is_set() or isinstance(error, openai.APITimeoutError):
                raise RequestError(late, again=True, billed=reached) from None
            reason = str(cause) or name
            raise RequestError(f"no answer: {reason}", again=reached, billed=reached) from None
        if large:
            raise RequestError(f"answered more than {_MOST_BYTES:,} bytes", billed=True)
        if ended.is_set():
            raise RequestError(late, again=True, billed=True)
        if form.lower() not in ("application/json", ""):
            raise RequestError(f"answered {form}, not JSON; is this the base URL of an API?")
        return body


def read_reply(body: bytes, estimate: int, secrets: Sequence[str] = ()) -> Reply:
    """Return what a chat completion says."""
    try:
        data = read_json(body)
    except (ValueError, RecursionError):
        raise RequestError("answered half a response", again=True, billed=True) from None
    try:
        choice = data["choices"][0]
        message = choice["message"]
        text = message.get("content")
        refusal = message.get("refusal")
        reason = choice.get("finish_reason")
    except (TypeError, KeyError, IndexError, AttributeError):
        said = redact(json.dumps(data), secrets)[:200]  # half a key is not known as one
        raise RequestError(f"answered no chat completion: {said}") from None
    text = redact(text, secrets) if isinstance(text, str) else ""
    if reason == "content_filter" and not refusal:
        refusal = "stopped by a content filter"
    counts = usage if isinstance(usage := data.get("usage"), dict) else {}
    return Reply(
        text,
        str(refusal or ""),
        count_tokens(counts.get("prompt_tokens"), estimate),
        count_tokens(counts.get("completion_tokens"), math.ceil(size(text) / BYTES_A_TOKEN)),
        read_tokens(choice.get("logprobs")),
    )


def _open(url: str, secret: str, timeout: float) -> OpenAI:
    """Return openai's client, held to what is said at the head of this module."""
    try:
        import openai
    except ImportError:
        raise ConfigError(
            "asking a language model needs openai, which is not installed; run: "
            "pip install 'groundrules[llm]'"
        ) from None

    for name in _LOGGERS:
        # Their debug logs repeat texts and headers; who wants that names the logger.
        if not (logger := logging.getLogger(name)).level:
            logger.setLevel(logging.WARNING)

    def send(request: Any) -> None:
        request.extensions["trace"] = _trace.get()
        # openai adds what OPENAI_CUSTOM_HEADERS and its like say, for whatever host.
        # It reads its own x-stainless-raw-response off the request when the response is there.
        for name in list(request.headers):
            if name.lower() not in _HEADERS:
                del request.headers[name]
        request.headers["accept"] = "application/json"
        request.headers["accept-encoding"] = "identity"
        # A connection that is kept may be closed just when it is used: a fault that is none.
        request.headers["connection"] = "close"
        if secret:
            request.headers["authorization"] = f"Bearer {secret}"

    def receive(response: Any) -> None:
        if response.status_code != 200:
            raise _fault(response)

    host = urllib.parse.urlsplit(url).hostname or ""
    return openai.OpenAI(
        base_url=url,
        api_key="none",  # send() puts the key in
        organization="",
        project="",
        timeout=timeout,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(
            follow_redirects=False,
            trust_env=not is_local(host),
            event_hooks={"request": [send], "response": [receive]},
        ),
    )


def _fault(response: Any) -> RequestError:
    """Return what a status other than 200 means."""
    status = response.status_code
    body, _ = read_within(response.iter_bytes(), _MOST_ERROR_BYTES)
    text = body[:_MOST_ERROR_BYTES].decode("utf-8", "replace")
    parameter = code = ""
    try:
        error = json.loads(text).get("error")
        if isinstance(error, dict):
            parameter, code = str(error.get("param") or ""), str(error.get("code") or "")
            text = str(error.get("message") or text)
    except (ValueError, AttributeError, RecursionError):
        text = re.sub("<[^<>]*>", " ", text)
    if not parameter and (named := _REFUSED.search(text)):
        parameter = named[1]
    message = f"HTTP {status}: {text}"
    if status in REDIRECTS:
        return RequestError(
            f"HTTP {status}: redirected, which is not followed; give the right base URL"
        )
    if status in (401, 403):
        return RequestError(f"{message}; is {KEY} the key for it?", "refused", ends=True)
    wait = retry_after(response.headers)
    if status in (408, 409, 429) or status >= 500:
        # A quota that is used up is not back in a minute.
        spent = code == "insufficient_quota"
        return RequestError(message, again=not spent, wait=wait, ends=spent)
    if status == 404:
        asked = f"{message}; is this the base URL of an API, and its model?"
        return RequestError(asked, ends=True)
    return RequestError(message, "refused", status=status, parameter=parameter)


def read_json(body: bytes) -> Any:
    """Return JSON of UTF-8, with or without a byte order mark."""
    return json.loads(body.decode("utf-8-sig"))


def size(text: str) -> int:
    """Return the bytes of a text in UTF-8."""
    return len(text.encode("utf-8", "replace"))


def count_tokens(count: object, estimate: int) -> int:
    """Return a count of tokens that a server or file gives, if it may be one."""
    if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= _MOST_TOKENS:
        return count
    return estimate
