"""The endpoint behind the proxy: what it is asked, and its answers, which are untrusted."""

from __future__ import annotations

import asyncio
import json
import ssl
import urllib.parse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from groundrules.llm.endpoint import redact
from groundrules.llm.structured import finite
from groundrules.net import CONNECTING, is_local, retry_after
from groundrules.service.refusals import RefusedError
from groundrules.service.startup import Settings

_MOST_ERROR = 65_536
_LONGEST_WAIT = 999_999

Json = dict[str, Any]


class PassedOnError(RefusedError):
    """A refusal of the upstream, passed on with its status and its own words."""

    media = "application/json"

    def __init__(self, status: int, error: Json, after: int = 0) -> None:
        super().__init__(status, str(error.get("message") or f"the upstream says {status}"), after)
        self.error = error

    @property
    def body(self) -> bytes:
        """The error as the upstream words it."""
        error = {**self.error, "status": self.status, "message": self.message}
        return json.dumps({"error": error}).encode()


class Upstream:
    """Asks the one OpenAI-compatible endpoint of a service, with the service's own key."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tls = ssl.create_default_context()

    async def whole(self, method: str, way: str, body: Json | None = None) -> Json:
        """Return the JSON object that the endpoint answers; RefusedError where it does not."""
        seconds = self._settings.upstream_seconds
        try:
            async with asyncio.timeout(seconds), self.ask(method, way, body) as response:
                return await _json_of(response, self._settings.body)
        except TimeoutError:
            raise RefusedError(504, f"the upstream took longer than {seconds:g} seconds") from None

    @asynccontextmanager
    async def ask(
        self, method: str, way: str, body: Json | None = None
    ) -> AsyncIterator[httpx.Response]:
        """Ask, and give what comes as it comes; RefusedError where it is not with 200."""
        given = self._settings
        headers = {"Accept-Encoding": "identity"}
        if given.upstream_key:
            headers["Authorization"] = f"Bearer {given.upstream_key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        host = urllib.parse.urlsplit(given.upstream).hostname or ""
        try:
            async with (
                httpx.AsyncClient(
                    verify=self._tls,
                    trust_env=not is_local(host),
                    timeout=httpx.Timeout(given.upstream_seconds, connect=CONNECTING),
                ) as client,
                client.stream(
                    method,
                    given.upstream + way,
                    headers=headers,
                    content=None if body is None else json.dumps(body).encode(),
                ) as response,
            ):
                if response.status_code != 200:
                    raise await _refusal(response, given.upstream_key)
                yield response
        except httpx.TimeoutException:
            late = f"the upstream took longer than {given.upstream_seconds:g} seconds"
            raise RefusedError(504, late) from None
        except httpx.ConnectError:
            raise RefusedError(502, "the upstream cannot be reached") from None
        except (httpx.HTTPError, httpx.StreamError):
            raise RefusedError(502, "the upstream broke off") from None


async def _read(response: httpx.Response, most: int) -> AsyncIterator[bytes]:
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > most:
            raise RefusedError(502, f"the upstream's answer is larger than {most // 2**20} MiB")
        yield part


def read_object(raw: bytes) -> Json | None:
    """Return an object of JSON, which has no NaN and nothing infinite; None where it is none."""
    try:
        found = json.loads(raw, parse_constant=finite, parse_float=finite)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


async def _json_of(response: httpx.Response, most: int) -> Json:
    raw = b"".join([part async for part in _read(response, most)])
    if (found := read_object(raw)) is None:
        raise RefusedError(502, "the upstream answered with something else than JSON")
    return found


async def read_events(response: httpx.Response, most: int) -> AsyncIterator[Json]:
    """Yield the chunks of a stream up to its end; RefusedError where it tells an error."""
    kept = b""
    async for part in _read(response, most):
        *lines, kept = (kept + part).split(b"\n")
        for line in lines:
            name, _, value = line.strip().partition(b":")
            value = value.strip()
            if name != b"data":
                continue
            if value == b"[DONE]":
                return
            if (chunk := read_object(value)) is None:
                raise RefusedError(502, "the upstream answered with something else than a stream")
            if isinstance(chunk.get("error"), dict):
                raise PassedOnError(502, chunk["error"])
            yield chunk


async def _refusal(response: httpx.Response, key: str) -> RefusedError:
    """Return what a status other than 200 means to the client."""
    status = response.status_code
    if status < 400:
        return RefusedError(502, f"the upstream answered with HTTP {status}, which is not followed")
    if status in (401, 403):
        return PassedOnError(status, {"message": "the upstream refuses the key of this service"})
    raw = b""
    async for part in response.aiter_bytes():
        raw += part
        if len(raw) > _MOST_ERROR:
            break
    told = redact(raw.decode("utf-8", "replace"), (key,) if key else ())
    error = (read_object(told.encode()) or {}).get("error")
    seconds = int(min(retry_after(response.headers) or 0, _LONGEST_WAIT))
    return PassedOnError(status, error if isinstance(error, dict) else {}, seconds)
