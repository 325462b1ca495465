"""The proxy: what an OpenAI-compatible endpoint answers, checked on its way to who asked.

One endpoint is asked, with the key of the service and none of a client's. Each text of an answer
comes with what a check says of it, under `groundrules`; what could not be checked is told so, which
is never "pass".
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import ValidationError

from groundrules.guardrail import NO_SOURCE, Withheld, last_end
from groundrules.service.bodies import CheckBody, ProxyField, Source, fault
from groundrules.service.completions import (
    MOST_CHOICES,
    added,
    calls_tools,
    strip_chunk,
    strip_completion,
    text_of,
)
from groundrules.service.jobs import Admit, Admitted, Ahead, Answer, Check, Decided, Given
from groundrules.service.promptsources import sources_in
from groundrules.service.refusals import RefusedError
from groundrules.service.state import Service
from groundrules.service.upstream import Json, Upstream, read_events, read_object

#: Where the decision stands besides in the body.
DECISION = "X-Groundrules-Decision"
UNCHECKED = "not_checked"
#: What is said in place of an answer that is withheld.
REFUSAL = "The answer is withheld: its sources do not carry it."
_NO_CONTEXT = (
    "no context was given; expected a header X-Groundrules-Context, sources under groundrules, or "
    "a service that was started with --context"
)
_CALLS = "it calls tools and says nothing besides"
_NO_TEXT = "it has no text"
_NOT_READ = "it is not checked"
#: What of the tokens of an answer a span has.
_TOKENS = ("prompt_tokens", "completion_tokens")
_LINES = "text/event-stream"
#: The fields of a chunk that are the same in all chunks of a stream.
_SAME = ("id", "object", "created", "model", "system_fingerprint", "service_tier")
#: Decisions on several choices, of which the last is told of all.
_ORDER = ("pass", "refusal", UNCHECKED, "fix", "retrieve_again", "review")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be done with an answer: the check of it.

    `context` is what its sources are known by, `whole` asks for the whole report.
    """

    check: Check
    context: str = ""
    whole: bool = False

    @property
    def on_fail(self) -> str:
        """What is done with an answer that does not pass."""
        return str(self.check.policy.on_fail) if self.check.policy else "report"

    @property
    def gated(self) -> bool:
        """Whether the sentences of a stream pass one by one."""
        return self.on_fail in ("filter", "refrain")

    @property
    def held(self) -> bool:
        """Whether all of a stream must be there before any of it passes."""
        return self.on_fail in ("fix", "reask")


class Proxy:
    """Asks the upstream of a service, and has its workers check what it answers."""

    def __init__(self, service: Service) -> None:
        self._service, self._settings = service, service.settings
        self._upstream = Upstream(service.settings)
        self._ahead: set[asyncio.Task[None]] = set()  # or nobody would hold them

    async def models(self) -> Response:
        """Return the models of the upstream, or the one that may be asked."""
        found, headers = await self._upstream.whole("GET", "/models")
        only = self._settings.upstream_model
        if only and isinstance(found.get("data"), list):
            found["data"] = [
                one for one in found["data"] if isinstance(one, dict) and one.get("id") == only
            ]
        return JSONResponse(found, headers=headers)

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
        wanted = self._wanted({} if said is None else said, context, body.get("messages"))
        streamed = body.get("stream") is True
        many = body.get("n")
        if isinstance(many, int) and many > MOST_CHOICES:
            raise RefusedError(400, f"n: each answer is checked; expected at most {MOST_CHOICES}")
        if streamed and body.get("logprobs"):
            raise RefusedError(400, "logprobs: a stream that is checked has none")
        if self._service.pool.full:  # before the upstream is paid
            raise self._service.refuse()
        if streamed:
            return await self._stream(body, wanted)
        answer, headers = await self._completion(body)
        told = _together(await self._judge(body, answer, headers, wanted))
        answer["groundrules"] = told
        self._service.spans.note(decision=told["decision"])
        return JSONResponse(
            answer,
            headers={**headers, DECISION: told["decision"], "Cache-Control": "no-store"},
        )

    def _wanted(self, said: object, context: str, messages: object) -> Wanted:
        try:
            asked = ProxyField.model_validate(said)
            sources = list(asked.sources)
            if context:
                sources.append(Source(index=context))
        except ValidationError as error:
            raise RefusedError(400, fault(error.errors(), "groundrules")) from None
        named = bool(context) or "sources" in asked.model_fields_set
        if not named and self._settings.sources == "messages":
            sources = sources_in(messages)
        given, bound = self._settings.context, self._settings.on_fail
        if bound and "policy" in asked.model_fields_set:
            raise RefusedError(
                400, f"groundrules.policy: the service was started with --on-fail {bound}"
            )
        policy = self._service.policy(asked.policy, bound or asked.policy.on_fail)
        body = CheckBody(text="-", sources=sources, question=asked.question)
        check, known = self._service.check_of(body)
        check = replace(check, policy=policy)
        if not (named or sources) and given:
            check, known = replace(check, known=given, kept=self._service.kept), "started with"
        return Wanted(check, known, asked.report)

    # --- an answer that is whole --------------------------------------------------------------

    async def _completion(self, body: Json) -> tuple[Json, dict[str, str]]:
        plain = {key: value for key, value in body.items() if key != "stream_options"}
        with self._service.spans.part("upstream"):
            answer, headers = await self._upstream.whole(
                "POST", "/chat/completions", {**plain, "stream": False}
            )
            used = answer.get("usage")
            counts = used if isinstance(used, dict) else {}
            counted = {name: one for name in _TOKENS if isinstance(one := counts.get(name), int)}
            self._service.spans.note(**counted)
            return answer, headers

    async def _judge(
        self, body: Json, answer: Json, headers: dict[str, str], wanted: Wanted
    ) -> list[Json]:
        """Change an answer to what a policy makes of it, and return what is told of each choice.

        Where it is asked for again, the headers become those of the second answer.
        """
        top, gone = strip_completion(answer)
        read = [await self._read(wanted, one["message"]) for one in answer["choices"]]
        faulty = next((one for one in read if one.again), None)
        if wanted.on_fail == "reask" and faulty:
            again, passed = await self._completion(_asked_again(body, faulty.text, faulty.again))
            again["usage"] = added(answer.get("usage"), again.get("usage"))
            answer.clear()
            answer.update(again)
            headers.clear()
            headers.update(passed)
            top, gone = strip_completion(answer)
            read = [await self._read(wanted, one["message"]) for one in answer["choices"]]
        else:
            faulty = None
        told = []
        for choice, one, names in zip(answer["choices"], read, gone, strict=True):
            found = _told(one.decided, wanted, _set_text(choice, one), (*top, *names))
            told.append({**found, "asked_again": True} if faulty else found)
        return told

    async def _read(self, wanted: Wanted, message: Json) -> _Read:
        """Return the text of an answer, and what a policy makes of it or why it is not checked."""
        (text, key), calls = text_of(message), calls_tools(message)
        if not text.strip():
            return _Read(text, key, calls, _CALLS if calls else _NO_TEXT)
        return _Read(text, key, calls, await self._decide(wanted, text))

    async def _decide(self, wanted: Wanted, text: str) -> Decided | str:
        """Return what a policy makes of a text, or why it could not be checked.

        RefusedError in place of that where a policy does more than report.
        """
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
        async with AsyncExitStack() as opened:
            opened.push(self._service.spans.begin("upstream"))
            response = await opened.enter_async_context(
                self._upstream.ask("POST", "/chat/completions", body)
            )
            stack = opened.pop_all()
        headers = {**self._upstream.headers(response), "Cache-Control": "no-store"}
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
        """Yield the chunks of an answer; the one that ends a choice has what is told of it."""
        answer = _Streamed(wanted)
        to_the_end = _wants_usage(body) or bool(body.get("tools") or body.get("functions"))
        async for chunk in read_events(response, self._settings.body):
            rest = []
            for choice, state, text in answer.take(chunk):
                for sentence in await self._admit(state, text):
                    yield answer.chunk(state, sentence)
                self._begin_ahead(state)
                if choice.get("finish_reason") is not None:
                    state.last = {**chunk, "choices": [choice]}
                elif choice["delta"] and (not state.ended or calls_tools(choice["delta"])):
                    rest.append(choice)
            if rest:
                yield {**chunk, "choices": rest}
            if answer.ended(body.get("n")) and not to_the_end:
                break
        async for chunk in self._end(answer, body):
            yield chunk

    async def _admit(self, state: _State, text: str, *, ending: bool = False) -> tuple[str, ...]:
        """Return the sentences that may be passed on, of those that a text completes."""
        wanted = state.wanted
        state.waiting += text
        if not wanted.gated or state.ended:
            return ()
        at = last_end(state.waiting)
        if not ending and at <= state.tried:
            return ()
        check = replace(wanted.check, text=Given("answer", text=state.waiting))
        found: Admitted = await self._service.do(
            Admit(check, state.sent, ending), wanted.context, patient=True
        )
        state.waiting, state.ended = found.waiting, found.ended
        state.tried = last_end(state.waiting)
        state.sent += "".join(found.sentences)
        state.withheld += found.withheld
        return found.sentences

    def _begin_ahead(self, state: _State) -> None:
        """Have a worker that is idle check what has come, while the rest does.

        Begun with the first sentence and done again where twice as much has come.
        """
        wanted, known = state.wanted, len(state.said)
        if wanted.gated or not self._service.pool.idle or known < 2 * state.tried:
            return
        if (state.ahead and not state.ahead.done()) or not _has_context(wanted):
            return
        at = last_end(state.said)
        if at <= state.tried:
            return
        state.tried = at
        text = Given("answer", text=state.said[:at])
        task = Ahead(replace(wanted.check, text=text, kb=(), policy=None))
        state.ahead = asyncio.create_task(self._run_ahead(task, wanted.context))
        self._ahead.add(state.ahead)
        state.ahead.add_done_callback(self._ahead.discard)

    async def _run_ahead(self, task: Ahead, context: str) -> None:
        with suppress(RefusedError):  # what cannot be checked is told at the end
            await self._service.do(task, context)

    async def _end(self, answer: _Streamed, body: Json) -> AsyncIterator[Json]:
        """Yield the last chunks of an answer that has come to its end."""
        states = [answer.states[index] for index in sorted(answer.states)]
        if not states or not all(state.last or state.ended for state in states):
            raise RefusedError(502, "the upstream broke off in the middle of its answer")
        if begun := [state.ahead for state in states if state.ahead]:
            await asyncio.wait(begun)  # it has read what is checked now
        told = []
        ends = self._judged(answer, body) if answer.wanted.held else self._gated(answer, states)
        async for state, chunks, one in ends:
            for chunk in chunks:
                yield chunk
            told.append(one)
            yield {**answer.last(state), "groundrules": one}
        self._service.spans.note(decision=_together(told)["decision"])
        if answer.counted and answer.usage:
            yield {**answer.same, "choices": [], "usage": answer.usage}

    async def _gated(
        self, answer: _Streamed, states: Sequence[_State]
    ) -> AsyncIterator[tuple[_State, list[Json], Json]]:
        """Yield of each choice its last chunks and what is told of it; the rest has come."""
        wanted = answer.wanted
        for state in states:
            if not state.said.strip():
                why = _CALLS if state.calls else _NO_TEXT
                rest = (
                    [answer.chunk(state, state.waiting)] if wanted.gated and state.waiting else []
                )
                yield state, rest, _told(why, wanted, False, answer.left_out(state))
                continue
            chunks = []
            if wanted.gated:
                last = await self._admit(state, "", ending=True)
                chunks = [answer.chunk(state, sentence) for sentence in last]
                if not state.sent.strip() and not state.calls:
                    chunks.append(answer.chunk(state, REFUSAL, "content"))
                if (state.ended or not state.sent.strip()) and not state.calls:
                    state.finish = "content_filter"
            plain = replace(wanted.check, policy=replace(_policy(wanted), on_fail="report"))
            decided = await self._decide(
                replace(wanted, check=plain), state.judged if wanted.gated else state.said
            )
            changed = wanted.gated and state.sent != state.said
            told = _told(decided, wanted, changed, answer.left_out(state), state.withheld)
            yield state, chunks, told

    async def _judged(
        self, answer: _Streamed, body: Json
    ) -> AsyncIterator[tuple[_State, list[Json], Json]]:
        """Yield of each choice of an answer that is held back all of it, and what is told of it."""
        whole = answer.whole()
        told = await self._judge(body, whole, {}, answer.wanted)
        if any("asked_again" in one for one in told):
            answer.usage = whole.get("usage")
            answer.begin_again()
        for choice, one in zip(whole["choices"], told, strict=True):
            state, message = answer.state(choice["index"]), choice["message"]
            text, key = text_of(message)
            chunks = [answer.chunk(state, text, key)] if text else []
            if not state.calls and calls_tools(message):
                calls = [{"index": n, **call} for n, call in enumerate(message["tool_calls"] or ())]
                chunks.append(answer.said(state, {"tool_calls": calls}))
            if not state.calls:
                state.finish = choice["finish_reason"]
            yield state, chunks, _with_left_out(one, answer.left_out(state))


@dataclass(frozen=True, slots=True)
class _Read:
    """The text of a choice and its key, whether it calls tools, and what is decided of it."""

    text: str
    key: str
    calls: bool
    decided: Decided | str

    @property
    def again(self) -> str:
        """What asks for another answer; empty where none is wanted."""
        return "" if self.calls or isinstance(self.decided, str) else self.decided.again


@dataclass(slots=True)
class _State:
    """What of a choice of a stream has been `said` and `sent`, and what is `waiting`.

    Up to `tried` it was put to a worker, `ahead` of its end where it passes unchecked. `key` is
    where its text stands, `last` the chunk that ends it, and `finish` why it ends, where that is
    not as the upstream says.
    """

    wanted: Wanted
    index: int
    said: str = ""
    sent: str = ""
    waiting: str = ""
    tried: int = 0
    ahead: asyncio.Task[None] | None = None
    key: str = "refusal"
    calls: bool = False
    ended: bool = False
    finish: str = ""
    last: Json | None = None
    gone: list[str] = field(default_factory=list)
    withheld: tuple[Withheld, ...] = ()

    @property
    def judged(self) -> str:
        """What the decision is of: what was sent, and with it the sentence that ended it."""
        if self.ended:
            return self.sent + self.withheld[-1].text
        return self.sent or self.said

    def take(self, delta: Json) -> str:
        """Return the text of a delta, which loses it where it is not yet to be passed on."""
        self.calls = self.calls or calls_tools(delta)
        texts = {key: delta[key] for key in ("content", "refusal") if delta.get(key)}
        if "content" in texts:
            self.key = "content"
        if self.wanted.gated or self.wanted.held:
            for key in texts:
                del delta[key]
            if texts and delta.get("role"):
                delta["content"] = ""
        text = "".join(texts.values()) if not self.ended else ""
        self.said += text
        return text


@dataclass(slots=True)
class _Streamed:
    """What is known of a stream: its choices by index, the tokens counted, what was left out.

    `same` are the fields that all its chunks have; `counted`: the tokens stand in a chunk of their
    own.
    """

    wanted: Wanted
    states: dict[int, _State] = field(default_factory=dict)
    same: Json = field(default_factory=dict)
    usage: Json | None = None
    counted: bool = False
    gone: list[str] = field(default_factory=list)

    def take(self, chunk: Json) -> list[tuple[Json, _State, str]]:
        """Return each choice of a chunk, with its state and text; what is no text is left out."""
        top, gone = strip_chunk(chunk)
        self.gone += top
        self.same = self.same or {key: chunk[key] for key in _SAME if key in chunk}
        if chunk.get("usage"):
            self.usage, self.counted = chunk["usage"], not chunk["choices"]
        found = []
        for choice, names in zip(chunk["choices"], gone, strict=True):
            state = self.state(choice["index"])
            state.gone += names
            found.append((choice, state, state.take(choice["delta"])))
        return found

    def state(self, index: int) -> _State:
        return self.states.setdefault(index, _State(self.wanted, index))

    def ended(self, many: object) -> bool:
        """Whether nothing further of any choice may come, of so many that were asked for."""
        asked = many if isinstance(many, int) else 1
        return len(self.states) >= asked and all(state.ended for state in self.states.values())

    def left_out(self, state: _State) -> list[str]:
        return [*self.gone, *state.gone]

    def begin_again(self) -> None:
        """Forget what the first answer said: another takes its place."""
        self.gone = []
        for state in self.states.values():
            state.gone, state.calls = [], False

    def whole(self) -> Json:
        """Return the answer as if it had come whole."""
        choices = []
        for index, state in sorted(self.states.items()):
            message: Json = {"role": "assistant", state.key: state.said}
            if state.calls:
                message["tool_calls"] = [{}]
            choices.append({"index": index, "message": message, "finish_reason": "stop"})
        return {"choices": choices, "usage": self.usage}

    def said(self, state: _State, delta: Json) -> Json:
        """Return a chunk with a delta."""
        choice = {"index": state.index, "delta": delta, "finish_reason": None}
        return {**self.same, "choices": [choice]}

    def chunk(self, state: _State, text: str, key: str = "") -> Json:
        """Return a chunk with a text."""
        return self.said(state, {key or state.key: text})

    def last(self, state: _State) -> Json:
        """Return the chunk that ends a choice."""
        last = state.last or self.said(state, {})
        (choice,) = last["choices"]
        choice["finish_reason"] = state.finish or choice["finish_reason"] or "stop"
        return {**last, "usage": self.usage} if last.get("usage") else last


# --- what is told -----------------------------------------------------------------------------


def _told(
    decided: Decided | str,
    wanted: Wanted,
    changed: bool,
    left_out: Iterable[str],
    withheld: Sequence[Withheld] = (),
) -> Json:
    """Return what is told of an answer: offsets are those of the text that the report is of."""
    if isinstance(decided, str):
        return _with_left_out({"decision": UNCHECKED, "reason": decided}, left_out)
    report = decided.report
    told: Json = {"decision": decided.decision}
    if NO_SOURCE in report["unread"]:
        told["reason"] = _NO_CONTEXT if not _has_context(wanted) else NO_SOURCE
    elif decided.reason:
        told["reason"] = decided.reason
    if decided.fixed:
        told["fixed"] = decided.fixed
    told |= {
        "conforms": report["conforms"],
        "conclusion": report["conclusion"],
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
    if words := (*withheld, *decided.withheld):  # the words themselves only where all is wanted
        told["withheld"] = [
            {"text": one.text, "why": one.why} if wanted.whole else {"why": one.why}
            for one in words
        ]
    if wanted.whole:
        told["report"] = report
    return _with_left_out(told, left_out)


def _with_left_out(told: Json, names: Iterable[str]) -> Json:
    """Return what is told with the fields of an answer that a client does not get."""
    more = [{"field": name, "why": _NOT_READ} for name in dict.fromkeys(names)]
    return {**told, "withheld": [*told.get("withheld", ()), *more]} if more else told


def _together(told: Sequence[Json]) -> Json:
    """Return what is told of all choices of an answer: of one alone, what is told of that."""
    if len(told) == 1:
        return told[0]
    conform = {one.get("conforms") for one in told}
    whole: Json = {
        "decision": max((one["decision"] for one in told), key=_ORDER.index),
        "conforms": None if None in conform and False not in conform else False not in conform,
        "changed": any(one.get("changed") for one in told),
        "choices": list(told),
    }
    return {**whole, "asked_again": True} if any("asked_again" in one for one in told) else whole


def _set_text(choice: Json, read: _Read) -> bool:
    """Put the text that a policy leaves in its place; return whether it is another one."""
    message, decided = choice["message"], read.decided
    if isinstance(decided, str):
        return False
    if decided.refrained and read.calls:  # the calls are what it answers
        message["content"] = message["refusal"] = None
    elif decided.refrained:
        message["content"] = message["refusal"] = REFUSAL
        choice["finish_reason"] = "content_filter"
    else:
        message[read.key] = decided.text
    changed = decided.refrained or decided.text != read.text
    if changed and "logprobs" in choice:
        choice["logprobs"] = None  # of words that are not there any more
    return changed


def _has_context(wanted: Wanted) -> bool:
    return bool(wanted.check.sources or wanted.check.known)


def _wants_usage(body: Json) -> bool:
    options = body.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))


def _asked_again(body: Json, text: str, again: str) -> Json:
    messages = body.get("messages")
    more = [{"role": "assistant", "content": text}, {"role": "user", "content": again}]
    return {**body, "messages": [*(messages if isinstance(messages, list) else []), *more]}


def _policy(wanted: Wanted) -> Any:
    return wanted.check.policy


# --- what is read -----------------------------------------------------------------------------


def _body_of(raw: bytes) -> Json:
    if (body := read_object(raw)) is None:
        raise RefusedError(400, "the body is no JSON object")
    return body


def _line(chunk: Json) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"
