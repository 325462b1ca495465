"""The proxy: what an OpenAI-compatible endpoint answers, checked on its way to who asked.

One endpoint is asked, with the key of the service and none of a client's. An answer whose context
is known comes with what a check says of it, under `groundrules`; any other comes as it is and is
told not to be checked, which is never "pass".
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import ValidationError

from groundrules.guardrail import last_end
from groundrules.service.bodies import CheckBody, ProxyField, Source, fault
from groundrules.service.jobs import Admit, Admitted, Answer, Check, Decided, Given
from groundrules.service.refusals import RefusedError
from groundrules.service.state import Service
from groundrules.service.upstream import Json, Upstream, read_events

#: Where the decision stands besides in the body.
DECISION = "X-Groundrules-Decision"
UNCHECKED = "not_checked"
#: What is said in place of an answer that is withheld.
REFUSAL = "The answer is withheld: its sources do not carry it."
_NO_CONTEXT = (
    "no context was given; expected a header X-Groundrules-Context, sources under groundrules, or "
    "a service that was started with --context"
)
_CALLS = "it calls tools; what it says besides is no answer yet"
_NO_TEXT = "it has no text"
_LINES = "text/event-stream"
#: What is looked for in the places of a completion that are counted.
_COUNTED = ("prompt_tokens", "completion_tokens", "total_tokens")
#: The fields of a chunk that are the same in all chunks of a stream.
_SAME = ("id", "object", "created", "model", "system_fingerprint", "service_tier")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be done with an answer: a check of it, or why there is none.

    `context` is what its sources are known by, `whole` asks for the whole report.
    """

    check: Check | None
    context: str = ""
    whole: bool = False

    @property
    def on_fail(self) -> str:
        """What is done with an answer that does not pass."""
        policy = self.check.policy if self.check else None
        return str(policy.on_fail) if policy else "report"


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
        if wanted.check:
            if body.get("n") not in (None, 1):
                raise RefusedError(400, "n: one answer is checked; expected 1")
            if streamed and body.get("logprobs"):
                raise RefusedError(400, "logprobs: a stream that is checked has none")
            if self._service.pool.full:  # before the upstream is paid
                raise self._service.pool.refuse()
        if streamed:
            return await self._stream(body, wanted)
        answer = await self._completion(body)
        told = await self._judge(body, answer, wanted)
        answer["groundrules"] = told
        self._service.spans.note(decision=told["decision"])
        return JSONResponse(
            answer, headers={DECISION: told["decision"], "Cache-Control": "no-store"}
        )

    def _wanted(self, said: object, context: str) -> Wanted:
        try:
            asked = ProxyField.model_validate(said)
            sources = list(asked.sources)
            if context:
                sources.append(Source(index=context))
        except ValidationError as error:
            raise RefusedError(400, fault(error.errors(), "groundrules")) from None
        given, bound = self._settings.context, self._settings.on_fail
        if bound and "policy" in asked.model_fields_set:
            raise RefusedError(
                400, f"groundrules.policy: the service was started with --on-fail {bound}"
            )
        if not sources and not given:
            if bound not in (None, "report"):  # what nobody checked would pass
                raise RefusedError(400, _NO_CONTEXT)
            return Wanted(None)
        policy = self._service.policy(asked.policy, bound or asked.policy.on_fail)
        body = CheckBody(text="-", sources=sources, question=asked.question)
        check, known = self._service.check_of(body)
        check = replace(check, policy=policy)
        if not sources:
            check, known = replace(check, known=given), "started with"
        return Wanted(check, known, asked.report)

    # --- an answer that is whole --------------------------------------------------------------

    async def _completion(self, body: Json) -> Json:
        plain = {key: value for key, value in body.items() if key != "stream_options"}
        with self._service.spans.part("upstream"):
            return await self._upstream.whole(
                "POST", "/chat/completions", {**plain, "stream": False}
            )

    async def _judge(self, body: Json, answer: Json, wanted: Wanted) -> Json:
        """Change an answer to what a policy makes of it, and return what is told of it."""
        if wanted.check is None:
            return _unchecked(_NO_CONTEXT)
        text, decided = await self._read(wanted, answer)
        asked_again = False
        if (
            isinstance(decided, Decided)
            and wanted.on_fail == "reask"
            and decided.decision != "pass"
        ):
            asked_again = True
            again = await self._completion(_asked_again(body, text, decided.again))
            again["usage"] = _added(answer.get("usage"), again.get("usage"))
            answer.clear()
            answer.update(again)
            text, decided = await self._read(wanted, answer)
        if isinstance(decided, str):
            return _unchecked(decided)
        _set_text(answer["choices"][0], decided, text)
        told = _told(decided, wanted, changed=decided.refrained or decided.text != text)
        return {**told, "asked_again": True} if asked_again else told

    async def _read(self, wanted: Wanted, answer: Json) -> tuple[str, Decided | str]:
        """Return the text of an answer, and what a policy makes of it or why it is not checked."""
        text, why = _text_of(_message_of(answer))
        return text, why or await self._decide(wanted, text)

    async def _decide(self, wanted: Wanted, text: str) -> Decided | str:
        """Return what a policy makes of a text, or why it could not be checked.

        RefusedError in place of that where a policy does more than report.
        """
        assert wanted.check is not None
        task = Answer(replace(wanted.check, text=Given("answer", text=text)))
        try:
            decided: Decided = await self._service.do(task, wanted.context, patient=True)
        except RefusedError as refusal:
            if wanted.on_fail == "report":
                return f"it could not be checked: {refusal.message}"
            raise
        return decided

    # --- an answer that comes in pieces -------------------------------------------------------

    async def _stream(self, body: Json, wanted: Wanted) -> Response:
        stack = AsyncExitStack()
        response = await stack.enter_async_context(
            self._upstream.ask("POST", "/chat/completions", body)
        )
        headers = {"Cache-Control": "no-store"}
        if wanted.check is None:
            headers[DECISION] = UNCHECKED
        return StreamingResponse(
            self._lines(stack, response, body, wanted), media_type=_LINES, headers=headers
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
        state = _State(wanted)
        counted: list[Json] = []
        async for chunk in read_events(response, self._settings.body):
            choices = chunk.get("choices")
            if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
                counted.append(chunk)
                continue
            choice = choices[0]
            text = state.take(chunk, choice)
            for sentence in await self._admit(state, text):
                yield state.chunk(sentence)
            if state.ended:
                break
            if choice.get("finish_reason") is not None:
                state.last = chunk
            elif choice.get("delta"):
                yield chunk
        for chunk in await self._end(state, body):
            yield chunk
        for chunk in counted:
            yield chunk

    async def _admit(self, state: _State, text: str, *, ending: bool = False) -> tuple[str, ...]:
        """Return the sentences that may be passed on, of those that a text completes."""
        wanted = state.wanted
        state.waiting += text
        if not state.gated or state.calls:
            return ()
        at = last_end(state.waiting)
        if not ending and at <= state.tried:
            return ()
        assert wanted.check is not None
        check = replace(wanted.check, text=Given("answer", text=state.waiting))
        found: Admitted = await self._service.do(
            Admit(check, state.sent, ending), wanted.context, patient=True
        )
        state.waiting, state.ended = found.waiting, found.ended
        state.tried = last_end(state.waiting)
        state.sent += "".join(found.sentences)
        return found.sentences

    async def _end(self, state: _State, body: Json) -> list[Json]:
        """Return the last chunks of an answer that has come to its end."""
        if state.last is None and not state.ended:
            raise RefusedError(502, "the upstream broke off in the middle of its answer")
        wanted, found = state.wanted, []
        last = state.last or state.chunk("")
        choice = last["choices"][0]
        choice.setdefault("delta", {})
        choice["finish_reason"] = choice.get("finish_reason") or "stop"
        if wanted.check is None:
            told = _unchecked(_NO_CONTEXT)
        elif state.calls or not state.said.strip():
            if state.waiting and (state.gated or state.held):
                found.append(state.chunk(state.waiting))
            told = _unchecked(_CALLS if state.calls else _NO_TEXT)
        elif state.held:
            whole = {"choices": [{"message": {"content": state.said}, "finish_reason": "stop"}]}
            told = await self._judge(body, whole, wanted)
            end = whole["choices"][0]
            said = str(_message_of(whole).get("content") or "")
            found.append(state.chunk(said))
            if end["finish_reason"] != "stop":
                choice["finish_reason"] = end["finish_reason"]
        elif state.gated:
            if not state.ended:
                found += [state.chunk(s) for s in await self._admit(state, "", ending=True)]
            plain = replace(wanted.check, policy=replace(_policy(wanted), on_fail="report"))
            decided = await self._decide(replace(wanted, check=plain), state.judged)
            if not state.sent:
                found.append(state.chunk(REFUSAL))
            if state.ended or not state.sent:
                choice["finish_reason"] = "content_filter"
            changed = state.sent != state.said
            told = _told(decided, wanted, changed=changed)
        else:
            told = _told(await self._decide(wanted, state.said), wanted, changed=False)
        self._service.spans.note(decision=told["decision"])
        return [*found, {**last, "groundrules": told}]


@dataclass(slots=True)
class _State:
    """What of a stream has been `said` and `sent`, and what is `waiting`.

    It is `gated` where sentences pass one by one, `held` where all must be there first.
    """

    wanted: Wanted
    said: str = ""
    sent: str = ""
    waiting: str = ""
    tried: int = 0
    calls: bool = False
    ended: bool = False
    last: Json | None = None
    same: Json = field(default_factory=dict)

    @property
    def gated(self) -> bool:
        return self.wanted.on_fail in ("filter", "refrain")

    @property
    def held(self) -> bool:
        return self.wanted.on_fail in ("fix", "reask")

    @property
    def judged(self) -> str:
        """What the decision is of: what was sent, or what was said until its end was not sent."""
        whole = self.said[: last_end(self.said)] or self.said
        return whole if self.ended else self.sent or self.said

    def take(self, chunk: Json, choice: Json) -> str:
        """Return the text of a chunk; where it is not yet to be passed on the chunk loses it."""
        self.same = self.same or {key: chunk[key] for key in _SAME if key in chunk}
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            return ""
        self.calls = self.calls or bool(delta.get("tool_calls") or delta.get("function_call"))
        text = delta.get("content")
        if not isinstance(text, str):
            return ""
        self.said += text
        if self.gated or self.held:
            del delta["content"]
            if delta.get("role"):
                delta["content"] = ""
        return text

    def chunk(self, text: str) -> Json:
        """Return a chunk with a text."""
        delta = {"content": text} if text else {}
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        return {**self.same, "choices": [choice]}


# --- what is told -----------------------------------------------------------------------------


def _unchecked(why: str) -> Json:
    return {"decision": UNCHECKED, "reason": why}


def _told(decided: Decided | str, wanted: Wanted, *, changed: bool) -> Json:
    """Return what is told of an answer: offsets are those of the text that the report is of."""
    if isinstance(decided, str):
        return _unchecked(decided)
    report = decided.report
    told: Json = {
        "decision": decided.decision,
        "conforms": report["conforms"],
        "changed": changed,
        "statements": [
            {"start": one["span"]["start"], "end": one["span"]["end"], "outcome": one["outcome"]}
            for one in report["statements"]
        ],
        "findings": [
            {key: one[key] for key in ("rule", "name", "severity", "message", "statement")}
            for one in report["violations"]
            if one["severity"] != "info"
        ],
    }
    return {**told, "report": report} if wanted.whole else told


def _set_text(choice: Json, decided: Decided, text: str) -> None:
    """Put the text that a policy leaves in the place of what was said."""
    message = choice["message"]
    if decided.refrained:
        message["content"] = message["refusal"] = REFUSAL
        choice["finish_reason"] = "content_filter"
    else:
        message["content"] = decided.text
    if message["content"] != text and "logprobs" in choice:
        choice["logprobs"] = None  # of words that are not there any more


def _asked_again(body: Json, text: str, again: str) -> Json:
    messages = body.get("messages")
    more = [{"role": "assistant", "content": text}, {"role": "user", "content": again}]
    return {**body, "messages": [*(messages if isinstance(messages, list) else []), *more]}


def _added(one: object, other: object) -> object:
    """Return the tokens of two answers together, where both are told."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    sums = {
        key: one[key] + other[key]
        for key in _COUNTED
        if isinstance(one.get(key), int) and isinstance(other.get(key), int)
    }
    return {**other, **sums}


def _policy(wanted: Wanted) -> Any:
    assert wanted.check is not None
    return wanted.check.policy


# --- what is read -----------------------------------------------------------------------------


def _body_of(raw: bytes) -> Json:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise RefusedError(400, "the body is no JSON") from None
    if not isinstance(body, dict):
        raise RefusedError(400, "the body is no JSON object")
    return body


def _message_of(answer: Json) -> Json:
    try:
        message = answer["choices"][0]["message"]
    except (KeyError, IndexError, TypeError):
        message = None
    if not isinstance(message, dict):
        raise RefusedError(502, "the upstream answered with something else than a completion")
    return message


def _text_of(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return the text of a message, and why it is not checked, empty if it is."""
    text = message.get("content")
    if message.get("tool_calls") or message.get("function_call"):
        return "", _CALLS
    if not isinstance(text, str) or not text.strip():
        return "", _NO_TEXT
    return text, ""


def _line(chunk: Json) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"
