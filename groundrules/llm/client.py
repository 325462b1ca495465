"""Any OpenAI-compatible language model, asked for JSON that obeys a schema.

What a model is given to read is data between marks (llm/prompt.py), and what it answers is checked
(llm/structured.py): a model may extract and may phrase, it never decides.
"""

from __future__ import annotations

import copy
import json
import math
import os
import random
import re
import threading
import time
import urllib.parse
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from groundrules import cache
from groundrules.config import LLMConfig, refuse_unasked
from groundrules.errors import ConfigError, LLMError, Unanswered
from groundrules.llm.budget import LATE, NOTHING, Budget, Usage
from groundrules.llm.endpoint import (
    KEY,
    read_endpoint,
    read_secrets,
    redact,
    secret_for,
    withheld,
)
from groundrules.llm.letters import read_lines, read_sums, written_as
from groundrules.llm.prompt import Prompt, digest, identity, key, paired, plain, write_messages
from groundrules.llm.replay import find_row, read_rows, row
from groundrules.llm.structured import MalformedError, parse, read_answer, validator
from groundrules.llm.transport import BYTES_A_TOKEN, Reply, RequestError, Transport, size

_T = TypeVar("_T")

_WAIT = 60.0  # the longest that a server may make us wait before we give up
_FAILURES = 3  # prompts in a row that could not be asked, and no more are
_GRACE = 0.5  # seconds after the deadline in which what it cuts short is still counted
_MOST_BYTES_A_TOKEN = 7  # where it is more, a server has dropped some
_LONG = 10_000  # bytes of messages that are counted so
_MOST_ECHO = 2_000  # characters of a bad answer that the model is shown again

#: How an endpoint is told the form of the answer, the strictest first.
_FORMATS = ("json_schema", "json_object", "")
#: Parameters that some models refuse; an answer can be had without them.
_OPTIONAL = ("temperature", "seed", "max_tokens")
#: Of so many likely tokens in a place the share is asked for, the most that OpenAI's API gives, and
#: of fewer where that is refused.
_LOGPROBS, _TOP, _FEWER = "top_logprobs", 20, 5
_SHOWN = 20  # characters of an answer that has no line
_TOO_LONG = re.compile(r"context.{0,10}length|maximum context|too (?:long|many tokens)", re.I)


@dataclass(slots=True)
class _Known:
    """What a run has learnt of an endpoint, for all threads: `ended` is why it is asked no more."""

    model: str = ""
    formats: dict[str, int] = field(default_factory=dict)  # by schema, which of _FORMATS it takes
    left_out: frozenset[str] = frozenset()  # of _OPTIONAL, what it refuses
    notes: dict[str, None] = field(default_factory=dict)
    failures: int = 0
    ended: LLMError | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Client:
    """A model at an endpoint, or recorded answers in its place.

    `answers` is a file of recorded answers (see `row`) that are asked in place of the network;
    `record` is one to which every answer is added. Calls of all threads share the limits and the
    usage; `shared` is a file by which processes share the limits too, `budget` is one that clients
    share (`budget.Budget`). `deadline` is the moment of time.monotonic() after which nothing is
    asked or waited for. No redirect is followed, no key but ours is sent, and none is ever shown.

    ConfigError if the endpoint, the key, a limit or a file of answers cannot be used, or the
    package openai is missing.
    """

    def __init__(
        self,
        config: LLMConfig,
        *,
        answers: Path | None = None,
        record: Path | None = None,
        shared: Path | None = None,
        budget: Budget | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._config = config
        self._record = record
        self._recording = threading.Lock()
        self._sleep = sleep
        self._secrets = read_secrets(config.key_env)
        self.budget = budget or Budget(config, shared)
        self.deadline = self.budget.deadline
        self._resolving = threading.Lock()
        self._known = _Known()
        self._recorded = read_rows(answers) if answers else None
        self._url = ""
        if answers:
            self._host = answers.name
            self._known.model = "recorded answers"
            return
        self._url, self._known.model = read_endpoint(config.model)
        self._host = urllib.parse.urlsplit(self._url).netloc
        refuse_unasked(config.origin, f"the language model {config.model!r}", "--llm")
        named = not config.origin
        secret = secret_for(self._url, named=named, variable=config.key_env)
        why = withheld(self._url, named=named)
        if why and not secret and os.environ.get(KEY, "").strip():
            self._note(f"the key was not sent to {self._host}: {why}")
        self._transport = Transport(self._url, secret, config.timeout, self._secrets)

    @property
    def name(self) -> str:
        """Model and host; the model is known once it was asked for, if none was configured."""
        return f"{self._known.model} at {self._host}" if self._known.model else self._host

    @property
    def model(self) -> str:
        """The model by its name alone, asked for if none was configured; LLMError if none is."""
        if self._recorded is None:
            self._resolve()
        return self._known.model

    def until(self, moment: float) -> Client:
        """Return this client, its limits and what it has learnt, with no more time than that."""
        if moment >= self.deadline:
            return self
        one = copy.copy(self)
        one.deadline = moment
        return one

    @property
    def usage(self) -> Usage:
        """What asking has cost so far."""
        return self.budget.usage

    @property
    def notes(self) -> tuple[str, ...]:
        """What the report should say: what the endpoint does not understand, answers cut off."""
        return tuple(self._known.notes)

    def ask(self, prompt: Prompt) -> Any:
        """Return the answer, JSON that obeys the schema.

        LLMError if it cannot be had; ConfigError if the schema is none.
        """
        validate = validator(prompt.schema)
        if self._recorded is not None:
            return self._replay(prompt, validate)
        self._resolve()
        name, tokens, known = self._digest(prompt), (0, 0), False
        with suppress(ValueError, TypeError):  # none is kept, or none of ours
            value, cut = parse(cache.read(str, name) or "")
            validate(value)
            known = True
        if known:
            self.budget.settle(NOTHING, 0, 0, cached=1)
        else:
            if prompt.letters:
                value, cut, reply = self._weigh(prompt)
            else:
                value, cut, reply = self._converse(prompt, validate)
            cache.write(str, name, json.dumps([value, cut], ensure_ascii=False))
            tokens = (reply.prompt_tokens, reply.completion_tokens)
        if cut:
            self._note(
                f"an answer to job {prompt.job!r} was cut off; what it began last is left out"
            )
        self._write_row(row(prompt, value, *tokens))
        return value

    def _write_row(self, line: str) -> None:
        """Record an answer, where answers are recorded, be it from the cache."""
        if self._record is None:
            return
        try:
            with self._recording, self._record.open("a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            reason = f"cannot write: {error.strerror}"
            raise ConfigError(reason, path=str(self._record)) from None

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[Any | LLMError, ...]:
        """Return the answer to each prompt, or why there is none; equal prompts are asked once.

        What has no answer at the deadline has none; nobody waits for a request that does not end.
        """
        from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

        def one(prompt: Prompt) -> Any | LLMError:
            try:
                return self.ask(prompt)
            except LLMError as error:
                return error

        distinct = {identity(prompt): prompt for prompt in prompts}
        late = False
        pool = ThreadPoolExecutor(self._config.concurrency)
        try:
            asked = {name: pool.submit(one, prompt) for name, prompt in distinct.items()}
            most = None if self.deadline == math.inf else max(0.0, self._left) + _GRACE
            done, waiting = wait(asked.values(), most, FIRST_EXCEPTION)
            for future in done:
                future.result()  # a fault that concerns all of them
            late = bool(waiting)
        finally:
            pool.shutdown(wait=not late, cancel_futures=True)
        return tuple(
            self._error(LATE, "budget") if asked[name] in waiting else asked[name].result()
            for name in map(identity, prompts)
        )

    @property
    def _left(self) -> float:
        """The seconds until the deadline."""
        return self.deadline - time.monotonic()

    def _error(self, cause: str, kind: Unanswered, said: str = "") -> LLMError:
        """Return that a prompt has no answer, and what is said of that before the cause."""
        return LLMError(f"{self.name}: {said}{cause}", kind, cause=cause)

    def _replay(self, prompt: Prompt, validate: Callable[[object], None]) -> Any:
        assert self._recorded is not None
        found = find_row(self._recorded, prompt)
        if found is None:
            about = ", ".join(name for name, _ in prompt.texts) or "no text"
            cause = f"no recorded answer to job {prompt.job!r} about {about}"
            raise LLMError(
                f"{self._host}: {cause}; expected one with key {key(prompt)}, or with those texts "
                "and no key",
                "unreachable",
                cause=cause,
            )
        answer, sent, received = found
        held = self.budget.reserve(sent, received)
        self.budget.settle(held, sent, received, calls=1)
        try:
            validate(answer)
        except MalformedError as error:
            cause = f"the recorded answer to job {prompt.job!r} is malformed"
            raise LLMError(
                f"{self._host}: {cause}: {self._line(str(error))}", "malformed", cause=cause
            ) from None
        return answer

    def _converse(
        self, prompt: Prompt, validate: Callable[[object], None]
    ) -> tuple[Any, bool, Reply]:
        """Ask, and once more with the fault if the answer is malformed.

        Return the value, whether what it began last was left out, and the reply.
        """
        messages, reason = write_messages(prompt), ""
        for _ in range(2):
            reply = self._chat(prompt, messages)
            try:
                value, cut = read_answer(reply.text, validate)
            except MalformedError as error:
                reason = self._line(str(error))
                echo = plain(reply.text[:_MOST_ECHO]) or "(nothing)"
                messages = [
                    *messages,
                    {"role": "assistant", "content": echo},
                    {
                        "role": "user",
                        "content": f"That cannot be used: {reason}. Answer again, with one JSON "
                        "value that obeys the schema and nothing else.",
                    },
                ]
                continue
            return _clean(value, self._redacted), cut, reply
        cause = f"malformed answer to job {prompt.job!r}, twice: {reason}"
        raise self._error(cause, "malformed")

    def _weigh(self, prompt: Prompt) -> tuple[dict[str, dict[str, float] | str], bool, Reply]:
        """Ask for lines of a letter each, and return how likely each is, as `_converse` does.

        The sums that are asked for beside them come after the lines.

        Where the server gives no log probabilities nothing else would help; where no line can be
        read, the model has not answered the question.
        """
        reply = self._chat(prompt, write_messages(prompt))
        if not any(token.shares for token in reply.tokens):
            cause = (
                "the server gives no log probabilities of its tokens (logprobs), or none that can "
                "be read; a token reader needs them: vLLM, llama.cpp's server and OpenAI have them"
            )
            raise self._failed(RequestError(cause, "refused", ends=True), cause)
        lines = read_lines(reply.tokens, prompt.letters, prompt.lines)
        if all(isinstance(one, str) for one in lines.values()):
            said = self._line("".join(token.text for token in reply.tokens)[:_SHOWN])
            cause = (
                f"malformed answer to job {prompt.job!r}: it begins with “{said}”; expected for "
                f"each statement its number and one of {', '.join(prompt.letters)}"
            )
            raise self._error(cause, "malformed")
        return {**lines, **read_sums(reply.tokens, prompt.sums)}, False, reply

    def _chat(self, prompt: Prompt, messages: list[dict[str, str]]) -> Reply:
        """Return what the model answers to messages.

        Where the endpoint refuses a request, less is asked for: first without the parameter that it
        names, then with a weaker response format. What helped is remembered and told.
        """
        estimate = _estimate(messages)
        # one that is refused does not speak for others; those of letters differ in length alone
        schema = prompt.job if prompt.letters else digest(prompt.schema)
        known = self._known
        form = known.formats.get(schema, 0)
        left_out = known.left_out

        def send(again: bool) -> Reply:
            nonlocal form, left_out
            while True:
                body = self._body(prompt, messages, _FORMATS[form], left_out)
                held = self.budget.reserve(estimate, prompt.max_tokens, self.deadline)
                counted = {"retries": 1} if again else {"calls": 1}
                spent = (0, 0)
                try:
                    reply = self._transport.complete(body, estimate, self._left)
                    spent = (reply.prompt_tokens, reply.completion_tokens)
                except RequestError as fault:
                    if fault.billed:
                        spent = (estimate, prompt.max_tokens)
                    if fault.status not in (400, 422) or _TOO_LONG.search(str(fault)):
                        raise
                    if fault.parameter in _OPTIONAL and fault.parameter in body:
                        left_out |= {fault.parameter}
                    elif prompt.letters and "logprobs" in str(fault):
                        if _LOGPROBS in left_out:
                            raise
                        left_out |= {_LOGPROBS}
                    elif form + 1 < len(_FORMATS):
                        form += 1
                    else:
                        raise
                    again = True
                    continue
                finally:
                    self.budget.settle(held, *spent, **counted)
                if reply.prompt_tokens * _MOST_BYTES_A_TOKEN < estimate * BYTES_A_TOKEN > _LONG:
                    self._note(
                        f"{self._host} counts {reply.prompt_tokens} tokens where about {estimate} "
                        "were sent; it may cut what is longer than its context"
                    )
                for name in sorted(left_out - known.left_out):
                    instead = f"with {_FEWER}" if name == _LOGPROBS else "without"
                    self._note(f"{self._host} refuses {name}; asked {instead}")
                known.left_out |= left_out
                if form > known.formats.get(schema, 0):
                    known.formats[schema] = form
                    self._note(
                        f"{self._host} refuses response_format {' and '.join(_FORMATS[:form])} "
                        f"for job {prompt.job!r}; asked with {_FORMATS[form] or 'none'}"
                    )
                return reply

        reply = self._send_until_answered(identity(prompt), send)
        if reply.refusal:
            cause = f"refused job {prompt.job!r}: {self._line(reply.refusal)}"
            raise self._error(cause, "refused")
        return reply

    def _send_until_answered(self, label: str, send: Callable[[bool], _T]) -> _T:
        """Send until an answer comes; LLMError if none does, or no more are to be asked for."""
        for attempt in range(self._config.retries + 1):
            if ended := self._known.ended:
                raise self._error(ended.cause, ended.kind, "asked no more: ")
            if self._left <= 0:
                raise self._error(LATE, "budget")
            try:
                found = send(attempt > 0)
            except RequestError as fault:
                wait = fault.wait
                if wait is None:
                    # From the seed: the same run waits the same.
                    draw = random.Random(f"{self._config.seed} {attempt} {label}")
                    wait = min(_WAIT, draw.uniform(0.5, 1.0) * 2**attempt)
                if fault.again and self._left <= 0:
                    raise self._error(LATE, "budget") from None
                retried = attempt < self._config.retries and wait <= min(_WAIT, self._left)
                if fault.again and retried:
                    self._sleep(wait)
                    continue
                said = self._line(str(fault)) + (f" ({attempt + 1} times)" if attempt else "")
                raise self._failed(fault, said) from None
            with self._known.lock:
                self._known.failures = 0
            return found
        raise AssertionError

    def _failed(self, fault: RequestError, said: str) -> LLMError:
        """Return that a prompt has no answer; where no other would have one, end the asking."""
        error, known = self._error(said, fault.kind), self._known
        with known.lock:
            known.failures += fault.kind == "unreachable"
            if (fault.ends or known.failures >= _FAILURES) and known.ended is None:
                known.ended = error
        return error

    def _resolve(self) -> None:
        """Find out the first model of the endpoint if none was configured."""
        with self._resolving:
            if self._known.model:
                return

            def send(_: bool) -> str:
                return self._transport.first_model(self._left)

            self._known.model = self._line(self._send_until_answered("models", send))

    def _body(
        self, prompt: Prompt, messages: list[dict[str, str]], form: str, left_out: frozenset[str]
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._known.model,
            "messages": messages,
            "temperature": 0,
            "seed": self._config.seed,
            "max_tokens": prompt.max_tokens,
        }
        for name in left_out:
            body.pop(name, None)
        if "max_tokens" in left_out:
            body["max_completion_tokens"] = prompt.max_tokens
        if prompt.letters:
            fewer = _LOGPROBS in left_out
            body |= {"logprobs": True, _LOGPROBS: _FEWER if fewer else _TOP}
        if form == "json_schema":
            schema = prompt.schema
            if prompt.letters:
                schema = written_as(prompt.letters, prompt.lines, prompt.sums)
            named = {"name": prompt.job, "schema": schema, "strict": True}
            body["response_format"] = {"type": form, "json_schema": named}
        elif form:
            body["response_format"] = {"type": form}
        return body

    def _digest(self, prompt: Prompt) -> str:
        """Return what an answer is kept under: it knows no secret, so that other runs find it."""
        messages = write_messages(prompt, b"")
        parts = [self._url, self._known.model, messages, prompt.schema, self._config.seed, 0]
        return digest([*parts, prompt.max_tokens])

    def _note(self, note: str) -> None:
        self._known.notes[self._line(note)] = None

    def _redacted(self, text: str) -> str:
        return redact(text, self._secrets)

    def _line(self, text: str) -> str:
        """Return a text from outside as part of a line."""
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        line = self._redacted(line)
        return line if len(line) <= 300 else f"{line[:300]}…"


def connect(config: LLMConfig, budget: Budget | None = None) -> Client | None:
    """Return the client of a configuration, None for "never"; ConfigError as for `Client`."""
    return None if config.model == "never" else Client(config, budget=budget)


def _clean(value: Any, redacted: Callable[[str], str]) -> Any:
    """Return JSON whose strings have no key and no half of a surrogate pair."""
    if isinstance(value, str):
        return redacted(paired(value))
    if isinstance(value, list):
        return [_clean(item, redacted) for item in value]
    if isinstance(value, dict):
        return {_clean(name, redacted): _clean(item, redacted) for name, item in value.items()}
    return value


def _estimate(messages: list[dict[str, str]]) -> int:
    """Return about how many tokens messages have, rather too many than too few."""
    return sum(math.ceil(size(part["content"]) / BYTES_A_TOKEN) + 16 for part in messages)
