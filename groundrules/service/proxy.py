"""The proxy: what an OpenAI-compatible endpoint answers, checked on its way to who asked.

One endpoint is asked, with the key of the service and none of a client's. Each text of an answer
comes with what a check says of it, under `groundrules`; what could not be checked is told so, which
is never "pass".
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

import httpx
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import ValidationError

from groundrules.guardrail import Policy
from groundrules.service.bodies import CheckBody, ProxyField, Source, fault
from groundrules.service.completions import (
    added,
    calls_tools,
    strip_completion,
    text_of,
)
from groundrules.service.refusals import RefusedError
from groundrules.service.replies import (
    CALLS,
    NO_TEXT,
    Json,
    Reply,
    Wanted,
    set_text,
    told_of,
    with_left_out,
)
from groundrules.service.state import Service
from groundrules.service.streams import Streamed
from groundrules.service.upstream import Upstream, read_events, read_object
from groundrules.service.work import Decided, Given

#: Where the decision stands besides in the body.
DECISION = "X-Groundrules-Decision"
_LINES = "text/event-stream"
_UNCACHED = {"Cache-Control": "no-store"}


class Proxy:
    """Asks the upstream of a service, and has its workers check what it answers."""

    def __init__(self, service: Service) -> None:
        self._service, self._settings = service, service.settings
        self._upstream = Upstream(service.settings)

    async def models(self) -> Response:
        """Return the models of the upstream, or the one that may be asked."""
        found = await self._upstream.whole("GET", "/models")
        only = self._settings.upstream_model
        if only and isinstance(found.get("data"), list):
            found["data"] = [
                one for one in found["data"] if isinstance(one, dict) and one.get("id") == only
            ]
        return JSONResponse(found)

    async def complete(self, raw: bytes, context: str) -> Response:
        """Return the upstream's answer to a body, and what a check says of it.

        RefusedError where the body is none, names a context that is not there or a model that may
        not be asked, and where the upstream or the check cannot be had.
        """
        body = _body_of(raw)
        said = body.pop("groundrules", None)
        only = self._settings.upstream_model
        if only and body.get("model") != only:
            raise RefusedError(404, f"no such model; expected {only}")
        wanted = self._wanted({} if said is None else said, context)
        streamed = body.get("stream") is True
        if body.get("n") not in (None, 1):
            raise RefusedError(400, "n: one answer is checked; ask again for another")
        if body.get("logprobs"):
            raise RefusedError(400, "logprobs: an answer that is checked has none")
        if self._service.pool.full:  # before the upstream is paid
            raise self._service.refuse()
        if streamed:
            return await self._stream(body, wanted)
        answer = await self._completion(body)
        answer["groundrules"] = told = await self._judge(body, answer, wanted)
        return JSONResponse(answer, headers={DECISION: told["decision"], **_UNCACHED})

    def _wanted(self, said: object, context: str) -> Wanted:
        try:
            asked = ProxyField.model_validate(said)
            sources = list(asked.sources)
            if context:
                sources.append(Source(index=context))
        except ValidationError as error:
            raise RefusedError(400, fault(error.errors(), "groundrules")) from None
        named = bool(context) or "sources" in asked.model_fields_set
        given, bound = self._settings.context, self._settings.on_fail
        if bound and "policy" in asked.model_fields_set:
            raise RefusedError(
                400, f"groundrules.policy: the service was started with --on-fail {bound}"
            )
        policy = Policy(**asked.policy.model_dump() | ({"on_fail": bound} if bound else {}))
        body = CheckBody(text="-", sources=sources, question=asked.question)
        check, known = self._service.check_of(body)
        check = replace(check, policy=policy)
        if given and not named:
            check, known = replace(check, known=given), "started with"
        return Wanted(check, known, asked.report)

    # --- an answer that is whole --------------------------------------------------------------

    async def _completion(self, body: Json) -> Json:
        plain = {key: value for key, value in body.items() if key != "stream_options"}
        return await self._upstream.whole("POST", "/chat/completions", {**plain, "stream": False})

    async def _judge(self, body: Json, answer: Json, wanted: Wanted) -> Json:
        """Change an answer to what a policy makes of it, and return what is told of it."""
        gone = strip_completion(answer)
        read = await self._read(wanted, answer["choices"][0]["message"])
        twice = wanted.on_fail == "reask" and bool(read.again)
        if twice:
            again = await self._completion(_asked_again(body, read.text, read.again))
            again["usage"] = added(answer.get("usage"), again.get("usage"))
            answer.clear()
            answer.update(again)
            gone = strip_completion(answer)
            read = await self._read(wanted, answer["choices"][0]["message"])
        told = told_of(read.decided, wanted, set_text(answer["choices"][0], read), gone)
        return {**told, "asked_again": True} if twice else told

    async def _read(self, wanted: Wanted, message: Json) -> Reply:
        """Return the text of an answer, and what a policy makes of it or why it is not checked."""
        (text, key), calls = text_of(message), calls_tools(message)
        if not text.strip():
            return Reply(text, key, calls, CALLS if calls else NO_TEXT)
        return Reply(text, key, calls, await self._decide(wanted, text))

    async def _decide(self, wanted: Wanted, text: str) -> Decided | str:
        """Return what a policy makes of a text, or why it could not be checked.

        RefusedError in place of that where a policy does more than report.
        """
        task = replace(wanted.check, text=Given("answer", text=text), want="answer")
        try:
            decided: Decided = await self._service.do(task, wanted.context, patient=True)
        except RefusedError as refusal:
            if wanted.on_fail == "report":
                return f"it could not be checked: {refusal.message}"
            raise
        return decided

    # --- an answer that comes in pieces -------------------------------------------------------

    async def _stream(self, body: Json, wanted: Wanted) -> Response:
        async with AsyncExitStack() as opened:
            response = await opened.enter_async_context(
                self._upstream.ask("POST", "/chat/completions", body)
            )
            stack = opened.pop_all()
        return StreamingResponse(
            self._lines(stack, response, body, wanted), media_type=_LINES, headers=_UNCACHED
        )

    async def _lines(
        self, stack: AsyncExitStack, response: httpx.Response, body: Json, wanted: Wanted
    ) -> AsyncIterator[bytes]:
        """Yield the lines of a stream; an error that comes in its middle is its last."""
        try:
            async with stack:
                async for chunk in self._chunks(response, body, wanted):
                    yield _line(chunk)
            yield b"data: [DONE]\n\n"
        except RefusedError as refusal:
            yield _line(json.loads(refusal.body))
        except Exception:
            yield _line({"error": {"status": 500, "message": "internal error"}})
            raise

    async def _chunks(
        self, response: httpx.Response, body: Json, wanted: Wanted
    ) -> AsyncIterator[Json]:
        """Yield the chunks of an answer; the one that ends it has what is told of it."""
        answer = Streamed(wanted.held)
        async for chunk in read_events(response, self._settings.body):
            if passed := answer.take(chunk):
                yield passed
        if not answer.last:
            raise RefusedError(502, "the upstream broke off in the middle of its answer")
        whole = answer.whole()
        told = await self._judge(body, whole, wanted)
        if "asked_again" in told:  # what the first answer had says nothing of the second
            answer.usage, answer.gone, answer.calls = whole.get("usage"), [], False
        (choice,) = whole["choices"]
        text, key = text_of(choice["message"])
        if wanted.held and text:
            yield answer.chunk({key: text})
        if not answer.calls and calls_tools(choice["message"]):
            calls = choice["message"]["tool_calls"] or ()
            yield answer.chunk({"tool_calls": [{"index": n, **one} for n, one in enumerate(calls)]})
        if wanted.held and not answer.calls:
            answer.finish = choice["finish_reason"]
        yield {**answer.end(), "groundrules": with_left_out(told, answer.gone)}
        if answer.counted and answer.usage:
            yield {**answer.same, "choices": [], "usage": answer.usage}


def _asked_again(body: Json, text: str, again: str) -> Json:
    messages = body.get("messages")
    more = [{"role": "assistant", "content": text}, {"role": "user", "content": again}]
    return {**body, "messages": [*(messages if isinstance(messages, list) else []), *more]}


def _body_of(raw: bytes) -> Json:
    if (body := read_object(raw)) is None:
        raise RefusedError(400, "the body is no JSON object")
    return body


def _line(chunk: Json) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"
