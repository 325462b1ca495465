"""The proxy between the official client and an upstream on loopback."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from groundrules.claims.documents.document import Document
from groundrules.service.replies import REFUSAL
from groundrules.service.startup import Settings
from tests.llm_server import JSON, Reply, Request, Server, Told, chat, error
from tests.servers import free_port
from tests.service.serving import BODY, SOURCE, Served, serving

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

RIGHT = "The Otter was built in 1994. The Otter carries 80 passengers."
WRONG = "The Otter was built in 1994. The Otter carries 120 passengers. It is a ferry."
KEY, OTHER = "key-of-the-upstream", "key-of-the-client-of-ours"
ASKED: list[Any] = [{"role": "user", "content": "What is the Otter?"}]
SENT: dict[str, Any] = {"groundrules": {"sources": BODY["sources"]}}


def sse(*chunks: object, done: bool = True) -> Reply:
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    body = "".join([*lines, "data: [DONE]\n\n" if done else ""])
    return Reply(200, body.encode(), {"Content-Type": "text/event-stream"})


def chunk(
    text: str | None = None, finish: str | None = None, /, **delta: object
) -> dict[str, object]:
    if text is not None:
        delta["content"] = text
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "test-model",
        "choices": [choice],
    }


def streamed(text: str) -> Reply:
    words = [chunk(f"{word} ") for word in text.split(" ")]
    words[-1] = chunk(text.split(" ")[-1])
    return sse(chunk("", role="assistant"), *words, chunk(None, "stop"))


def answering(text: str) -> Told:
    """Answer plainly or in pieces, as is asked for."""
    return lambda request: streamed(text) if request.body.get("stream") else chat(text)


@dataclass
class Proxied:
    """A service before an upstream that answers what it is told to."""

    served: Served
    upstream: list[Told]
    requests: list[Request]
    client: openai.OpenAI

    def ask(self, *told: Told, body: Any = SENT, headers: Any = None, **more: Any) -> Any:
        """Ask as a program would; the raw response."""
        self.upstream[:] = told
        self.requests.clear()
        asked = {"model": "test-model", "messages": ASKED, **more}
        return self.client.chat.completions.with_raw_response.create(
            **asked, extra_body=body, extra_headers=headers
        )

    def stream(self, *told: Told, body: Any = SENT, **more: Any) -> tuple[str, Any, list[Any]]:
        """Ask for a stream; its text, what is told of it and its chunks."""
        self.upstream[:] = told
        self.requests.clear()
        chunks = list(
            self.client.chat.completions.create(
                model="test-model", messages=ASKED, stream=True, extra_body=body, **more
            )
        )
        texts = [c.choices[0].delta.content or "" for c in chunks if c.choices]
        (report,) = [c.model_extra["groundrules"] for c in chunks if c.model_extra]
        return "".join(texts), report, chunks


def with_policy(on_fail: str, **more: Any) -> dict[str, Any]:
    return {"groundrules": {"sources": BODY["sources"], "policy": {"on_fail": on_fail}, **more}}


def proxying(stack: ExitStack, **settings: Any) -> Proxied:
    told: list[Told] = []

    def reply(request: Request) -> Reply:
        now = told.pop(0) if len(told) > 1 else told[0]
        return now if isinstance(now, Reply) else now(request)

    upstream = stack.enter_context(Server(reply))
    given = Settings(workers=1, keys=(OTHER,), upstream=upstream.url, upstream_key=KEY, **settings)
    served = stack.enter_context(serving(given))
    client = stack.enter_context(client_of(served, OTHER))
    return Proxied(served, told, upstream.requests, client)


def client_of(served: Served, key: str) -> openai.OpenAI:
    http: Any = httpx.Client(trust_env=False)
    url = f"{served.url}/v1"
    return openai.OpenAI(base_url=url, api_key=key, max_retries=0, http_client=http)


@pytest.fixture(scope="module")
def proxied() -> Iterator[Proxied]:
    import pytest_socket

    pytest_socket.enable_socket()
    with ExitStack() as stack:
        yield proxying(stack, upstream_seconds=2)
    pytest_socket.disable_socket(allow_unix_socket=True)


# ---------------------------------------------------------------- answers that are whole


def test_the_upstream_gets_its_own_key_and_nothing_of_ours(proxied: Proxied) -> None:
    proxied.ask(chat(RIGHT), temperature=0, headers={"X-Secret": "of the client"})
    (request,) = proxied.requests

    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert OTHER not in json.dumps(request.headers)
    assert "x-secret" not in request.headers
    assert request.body == {
        "model": "test-model", "messages": ASKED, "temperature": 0, "stream": False,
    }  # fmt: skip


def test_a_header_names_a_context_that_was_indexed(proxied: Proxied) -> None:
    key = {"Authorization": f"Bearer {OTHER}"}
    indexed = proxied.served.client.post(
        "/index", json={"sources": BODY["sources"]}, headers=key
    ).json()["id"]
    raw = proxied.ask(chat(WRONG), body=None, headers={"X-Groundrules-Context": indexed})
    assert raw.headers["x-groundrules-decision"] == "fix"

    for name, status in ((f"sha256:{'0' * 64}", 404), ("lease.txt", 400)):
        with pytest.raises(openai.APIStatusError) as caught:
            proxied.ask(chat(RIGHT), headers={"X-Groundrules-Context": name})
        assert caught.value.status_code == status
        assert not proxied.requests


def test_the_whole_report_comes_where_it_is_asked_for(proxied: Proxied) -> None:
    body = {"groundrules": {**SENT["groundrules"], "report": True}}
    told = proxied.ask(chat(WRONG), body=body).parse().model_extra["groundrules"]
    assert told["report"]["schema"] == 1
    assert told["conforms"] is False
    assert "report" not in proxied.ask(chat(WRONG)).parse().model_extra["groundrules"]


@pytest.mark.parametrize(
    ("on_fail", "text", "finish", "decision"),
    [
        ("report", WRONG, "stop", "fix"),
        ("fix", WRONG.replace("120", "80"), "stop", "pass"),
        ("filter", "The Otter was built in 1994. It is a ferry.", "stop", "pass"),
        ("refrain", REFUSAL, "content_filter", "fix"),
    ],
)
def test_a_policy_says_what_is_done_with_an_answer_and_with_a_stream(
    proxied: Proxied, on_fail: str, text: str, finish: str, decision: str
) -> None:
    raw = proxied.ask(chat(WRONG), body=with_policy(on_fail))
    choice, told = raw.parse().choices[0], raw.parse().model_extra["groundrules"]

    assert (choice.message.content, choice.finish_reason) == (text, finish)
    assert raw.headers["x-groundrules-decision"] == told["decision"] == decision
    assert told["changed"] is (on_fail != "report")
    assert [WRONG[s["start"] : s["end"]] for s in told["statements"]][:1] == [
        "The Otter was built in 1994."
    ] or on_fail == "fix"

    found, streamed_, chunks = proxied.stream(streamed(WRONG), body=with_policy(on_fail))
    assert (found, chunks[-1].choices[0].finish_reason) == (text, finish)
    assert (streamed_["decision"], streamed_["changed"]) == (decision, on_fail != "report")
    found, streamed_, chunks = proxied.stream(streamed(RIGHT), body=with_policy(on_fail))
    assert (found, streamed_["decision"], streamed_["changed"]) == (RIGHT, "pass", False)
    assert chunks[-1].choices[0].finish_reason == "stop"


@pytest.mark.parametrize(
    ("on_fail", "field"),
    [("report", None), ("fix", {}), ("filter", {"sources": []}), ("reask", {"sources": []}),
     ("refrain", {"sources": [{"text": " \n"}, {"name": "a.md", "text": ""}]})],
)  # fmt: skip
def test_an_answer_without_a_source_asks_for_sources(
    proxied: Proxied, on_fail: str, field: Any
) -> None:
    body = {"groundrules": {**(field or {}), "policy": {"on_fail": on_fail}}}
    raw = proxied.ask(chat(RIGHT), body=None if field is None else body)
    (choice,) = raw.parse().choices
    told = raw.parse().model_extra["groundrules"]

    withheld = on_fail in ("filter", "refrain")
    assert choice.message.content == (REFUSAL if withheld else RIGHT)
    assert raw.headers["x-groundrules-decision"] == told["decision"] == "retrieve_again"
    assert (told["conforms"], told["changed"]) == (None, withheld)
    assert ("X-Groundrules-Context" in told["reason"]) == (not (field or {}).get("sources"))
    assert len(proxied.requests) == 1

    text, streamed_, _ = proxied.stream(streamed(RIGHT), body=body)
    assert (text, streamed_["decision"]) == (REFUSAL if withheld else RIGHT, "retrieve_again")


def test_an_answer_that_does_not_pass_is_asked_for_again_with_its_faults(proxied: Proxied) -> None:
    raw = proxied.ask(chat(WRONG), chat(RIGHT), body=with_policy("reask"))
    answer = raw.parse()

    assert answer.choices[0].message.content == RIGHT
    assert raw.headers["x-groundrules-decision"] == "pass"
    assert answer.model_extra["groundrules"]["asked_again"] is True
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (200, 20)
    first, second = (request.body["messages"] for request in proxied.requests)
    assert first == ASKED
    assert second[:2] == [*ASKED, {"role": "assistant", "content": WRONG}]
    assert "80 passengers" in second[2]["content"]

    proxied.ask(chat(RIGHT), body=with_policy("reask"))
    assert len(proxied.requests) == 1
    uncounted = proxied.ask(chat(WRONG, usage=None), chat(RIGHT), body=with_policy("reask"))
    assert uncounted.parse().usage is None

    text, told, _ = proxied.stream(streamed(WRONG), chat(RIGHT), body=with_policy("reask"))
    assert (text, told["decision"], told["asked_again"]) == (RIGHT, "pass", True)
    assert [request.body["stream"] for request in proxied.requests] == [True, False]


def saying(message: dict[str, Any], finish: str = "stop", **more: Any) -> Reply:
    """A completion whose message has some keys, with some more beside its choice."""
    body = json.loads(bytes(chat(RIGHT, finish=finish).body))  # type: ignore[arg-type]
    body["choices"][0]["message"] |= message
    return Reply(200, json.dumps(body | more).encode())


CALL = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("text", "on_fail", "left", "decision"),
    [
        (None, "refrain", None, "not_checked"),
        (WRONG, "refrain", None, "fix"),
        (WRONG, "reask", WRONG, "fix"),  # it is no answer yet
        (RIGHT, "refrain", RIGHT, "pass"),
    ],
)
def test_what_is_said_beside_calls_of_tools_is_checked_and_the_calls_come(
    proxied: Proxied, text: str | None, on_fail: str, left: str | None, decision: str
) -> None:
    reply = saying({"content": text, "tool_calls": [CALL]}, "tool_calls")
    raw = proxied.ask(reply, body=with_policy(on_fail))

    (choice,) = raw.parse().choices
    assert choice.message.tool_calls[0].function.name == "look"
    assert (choice.message.content, choice.finish_reason) == (left, "tool_calls")
    assert raw.headers["x-groundrules-decision"] == decision
    assert len(proxied.requests) == 1


SIDE_DOORS: dict[str, tuple[Reply, list[str]]] = {
    "reasoning": (saying({"reasoning_content": WRONG}), ["message.reasoning_content"]),
    "unknown": (
        saying({"annotations": [{"title": WRONG}]}, output_text=WRONG, citations=[{"a": [WRONG]}]),
        ["output_text", "citations", "message.annotations"],
    ),
    "audio": (saying({"audio": {"transcript": WRONG, "data": "aa"}}), ["message.audio"]),
    "names": (
        saying({WRONG: 1, "x": {WRONG: 1}}),
        ["message.a field whose name is no word", "message.x"],
    ),
    "known": (
        saying({"tool_calls": WRONG, "role": WRONG}, usage={"note": WRONG}, id=WRONG),
        ["id", "usage", "message.role", "message.tool_calls"],
    ),
    "finish": (saying({}, WRONG), ["finish_reason"]),
    "words": (
        saying({"role": "120"}, "120!", id="It–carries–120"),
        ["id", "finish_reason", "message.role"],
    ),
    "refusals": (saying({"refusal": [WRONG]}), ["message.refusal"]),
}  # fmt: skip


@pytest.mark.parametrize("door", SIDE_DOORS)
def test_text_that_is_not_checked_does_not_come_and_is_named(proxied: Proxied, door: str) -> None:
    reply, names = SIDE_DOORS[door]
    raw = proxied.ask(reply, body=with_policy("refrain"))
    told = raw.parse().model_extra["groundrules"]

    assert "120" not in raw.text
    assert raw.parse().choices[0].message.content == RIGHT
    assert [one["field"] for one in told["withheld"]] == names
    assert told["decision"] == "pass"


def test_of_empty_fields_nothing_is_said_and_content_in_parts_does_not_come(
    proxied: Proxied,
) -> None:
    reply = saying({"annotations": [], "audio": None}, prompt_logprobs=None)
    raw = proxied.ask(reply)
    assert "withheld" not in raw.parse().model_extra["groundrules"]
    raw = proxied.ask(saying({"content": [{"type": "text", "text": WRONG}]}))
    told = raw.parse().model_extra["groundrules"]
    assert "120" not in raw.text
    assert (told["decision"], told["withheld"][0]["field"]) == ("not_checked", "message.content")


# ---------------------------------------------------------------- refusals

DECLINED = "I'm sorry, but I can't help with that."


@pytest.mark.parametrize(
    ("on_fail", "body"), [("reask", SENT), ("refrain", SENT), ("refrain", {"groundrules": {}})]
)
def test_a_refusal_is_a_decision_of_its_own(proxied: Proxied, on_fail: str, body: Any) -> None:
    body = {"groundrules": {**body["groundrules"], "policy": {"on_fail": on_fail}}}
    for reply in (chat(DECLINED), chat(None, refusal=DECLINED)):
        raw = proxied.ask(reply, body=body)
        (choice,) = raw.parse().choices
        assert raw.headers["x-groundrules-decision"] == "refusal"
        assert DECLINED in (choice.message.content, choice.message.refusal)
        assert choice.finish_reason == "stop"
        assert len(proxied.requests) == 1

    pieces = [chunk("", role="assistant"), *(chunk(refusal=f"{w} ") for w in DECLINED.split())]
    for reply in (streamed(DECLINED), sse(*pieces, chunk(None, "stop"))):
        _, told, chunks = proxied.stream(reply, body=body)
        said = [c.choices[0].delta.refusal or c.choices[0].delta.content or "" for c in chunks]
        assert "".join(said).strip() == DECLINED
        assert told["decision"] == "refusal"


@pytest.mark.parametrize(
    "message",
    [
        {"content": f"{DECLINED} The Otter carries 120 passengers."},
        {"content": None, "refusal": "I can't. The Otter carries 120 passengers."},
        {"content": DECLINED, "refusal": "The Otter carries 120 passengers."},
    ],
)
def test_what_is_asserted_in_or_beside_a_refusal_is_checked_or_left_out(
    proxied: Proxied, message: dict[str, Any]
) -> None:
    raw = proxied.ask(saying(message), body=with_policy("refrain"))
    told = raw.parse().model_extra["groundrules"]
    beside = message["content"] and "refusal" in message
    assert [one["field"] for one in told["withheld"] if "field" in one] == (
        ["message.refusal"] if beside else []
    )
    assert beside or told["decision"] not in ("pass", "refusal")
    assert "120" not in raw.text.partition('"groundrules"')[0]

    deltas = [chunk(**{key: text}) for key, text in message.items() if text]
    text, told, chunks = proxied.stream(
        sse(*deltas, chunk(None, "stop")), body=with_policy("refrain")
    )
    assert told["decision"] not in ("pass", "refusal")
    assert "120" not in text + "".join(c.choices[0].delta.refusal or "" for c in chunks)


# ---------------------------------------------------------------- headers and counts


def test_of_the_headers_of_the_upstream_only_when_to_come_again_comes_through(
    proxied: Proxied,
) -> None:
    given = {"retry-after": "9", "set-cookie": "a=b", "x-groundrules-decision": "pass",
             "x-ratelimit-key": KEY}  # fmt: skip
    asked = [proxied.ask(chat(WRONG, headers=given))]
    with pytest.raises(openai.APIStatusError) as caught:
        proxied.ask(Reply(429, error(429).body, {**JSON, **given}))
    assert caught.value.response.headers["retry-after"] == "9"
    for one in (*asked, caught.value.response):
        assert not {"set-cookie", "x-ratelimit-key"} & set(one.headers)
        assert one.headers.get("x-groundrules-decision") in ("fix", None)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("on_fail", ["report", "reask"])
def test_tokens_are_counted_the_same_in_a_stream_and_in_every_mode(
    proxied: Proxied, on_fail: str, stream: bool
) -> None:
    counted = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}

    def reply(request: Request) -> Reply:
        if not request.body.get("stream"):
            return chat(WRONG, usage=counted)
        words = [chunk(f"{word} ") for word in WRONG.split()]
        behind: Any = {**chunk(), "choices": [], "usage": counted}
        return sse(*words, chunk(None, "stop"), behind)

    if stream:
        _, told, chunks = proxied.stream(
            reply, body=with_policy(on_fail), stream_options={"include_usage": True}
        )
        usage = chunks[-1].usage
        assert chunks[-2].model_extra["groundrules"] == told
        assert [c.usage for c in chunks[:-1]] == [None] * (len(chunks) - 1)
    else:
        usage = proxied.ask(reply, body=with_policy(on_fail)).parse().usage
    times = 2 if on_fail == "reask" else 1
    assert usage.total_tokens == 10 * times


@pytest.mark.parametrize(
    ("more", "body", "words"),
    [
        ({"n": 2}, SENT, "n: one answer is checked"),
        ({"logprobs": True}, SENT, "logprobs: an answer"),
        ({"stream": True, "logprobs": True}, SENT, "logprobs: an answer"),
        ({}, {"groundrules": {"sources": [{"path": "/etc/passwd"}]}}, "sources.0"),
        ({}, {"groundrules": 7}, "groundrules"),
        ({}, with_policy("exception"), "policy.on_fail"),
    ],
)
def test_what_cannot_be_checked_is_refused_before_the_upstream_is_asked(
    proxied: Proxied, more: Any, body: Any, words: str
) -> None:
    with pytest.raises(openai.BadRequestError, match=words):
        proxied.ask(chat(RIGHT), body=body, **more)
    assert not proxied.requests


def test_who_has_no_key_of_ours_is_not_answered(proxied: Proxied) -> None:
    assert [one.id for one in proxied.client.models.list()] == ["test-model"]
    client = client_of(proxied.served, KEY)
    with client, pytest.raises(openai.AuthenticationError):
        client.models.list()


def test_the_page_shows_what_the_code_does(
    proxied: Proxied, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "proxy.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    block = block.replace("http://127.0.0.1:8765", proxied.served.url).replace("none", OTHER)
    proxied.upstream[:] = [chat("The Otter was built in 1996.")]
    names: dict[str, Any] = {}
    try:
        exec(compile(block, "proxy.md", "exec"), names)
    finally:
        names["client"].close()
    assert capsys.readouterr().out == "The Otter was built in 1994.\npass\n"


# ---------------------------------------------------------------- upstreams that fail

_CHOICE = {"index": 0, "message": {"role": "assistant", "content": RIGHT}, "finish_reason": "stop"}
TWO = saying({}, choices=[_CHOICE, {**_CHOICE, "index": 1}])


@pytest.mark.parametrize(
    ("reply", "status", "words"),
    [
        (error(400, "no such parameter", param="seed"), 400, "no such parameter"),
        (error(429, "slow down", Retry_After="7"), 429, "slow down"),
        (error(500, f"broken, {KEY}"), 500, r"broken, \[key\]"),
        (Reply(503, b"<html>"), 503, "the upstream says 503"),
        (error(401, "bad key sk-..."), 401, "the upstream refuses the key of this service"),
        (Reply(302, b"", {"Location": "http://127.0.0.1/"}), 502, "not followed"),
        (Reply(200, b"hello"), 502, "something else than JSON"),
        (Reply(200, b'{"choices": [], "x": NaN}'), 502, "something else than JSON"),
        (Reply(200, b'{"choices": [], "x": 1e999}'), 502, "something else than JSON"),
        (Reply(200, b'{"choices": []}'), 502, "something else than a completion"),
        (TWO, 502, "something else than a completion"),
        (Reply(200, b" " * (17 * 2**20)), 502, "larger than 16 MiB"),
    ],
)
def test_what_the_upstream_refuses_is_told_with_its_status(
    proxied: Proxied, reply: Reply, status: int, words: str
) -> None:
    with pytest.raises(openai.APIStatusError, match=words) as caught:
        proxied.ask(reply)
    assert caught.value.status_code == status
    assert KEY not in caught.value.response.text
    assert caught.value.response.headers.get("retry-after") == ("7" if status == 429 else None)


def test_a_slow_upstream_is_a_gateway_timeout(proxied: Proxied) -> None:
    def dripping() -> Iterator[bytes]:
        for _ in range(40):
            time.sleep(0.1)
            yield b" "

    with pytest.raises(openai.APIStatusError, match="took longer than 2 seconds") as caught:
        proxied.ask(Reply(200, dripping()))
    assert caught.value.status_code == 504


def test_an_upstream_that_is_down_is_a_bad_gateway() -> None:
    with serving(Settings(workers=1, upstream=f"http://127.0.0.1:{free_port()}/v1")) as served:
        answer = served.client.post("/v1/chat/completions", json={"messages": ASKED, **SENT})
        assert answer.status_code == 502
        assert answer.json()["error"]["message"] == "the upstream cannot be reached"
        assert served.check().status_code == 200


def test_contexts_model_and_policy_that_the_service_was_started_with_hold_for_all() -> None:
    with ExitStack() as stack:
        proxied = proxying(
            stack,
            context=(Document("register.txt", SOURCE),),
            on_fail="refrain",
            upstream_model="test-model",
        )
        raw = proxied.ask(chat(WRONG), body=None)
        assert raw.parse().choices[0].message.content == REFUSAL
        none = proxied.ask(chat(RIGHT), body={"groundrules": {"sources": []}})
        assert none.headers["x-groundrules-decision"] == "retrieve_again"
        own = {"groundrules": {"sources": [{"text": WRONG}]}}
        assert proxied.ask(chat(WRONG), body=own).parse().choices[0].message.content == WRONG
        with pytest.raises(openai.NotFoundError, match="expected test-model"):
            proxied.ask(chat(WRONG), body=None, model="dearer")
        with pytest.raises(openai.BadRequestError, match="started with --on-fail refrain"):
            proxied.ask(chat(WRONG), body=with_policy("report"))
        assert not proxied.requests
        assert [one.id for one in proxied.client.models.list()] == ["test-model"]


# ---------------------------------------------------------------- streams


def test_a_stream_comes_as_it_is_and_its_last_chunk_has_the_report(proxied: Proxied) -> None:
    text, told, chunks = proxied.stream(streamed(WRONG))

    assert text == WRONG
    assert (told["decision"], told["changed"]) == ("fix", False)
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert chunks[-1].model_extra["groundrules"] == told
    assert len(chunks) > len(WRONG.split())


@pytest.mark.parametrize("on_fail", ["refrain"])
def test_where_the_client_is_gone_the_upstream_is_let_go(proxied: Proxied, on_fail: str) -> None:
    let_go = threading.Event()

    def endless() -> Iterator[bytes]:
        try:
            while True:
                yield sse(chunk("The Otter was built in 1994. "), done=False).body  # type: ignore[misc]
                time.sleep(0.05)
        finally:
            let_go.set()

    proxied.upstream[:] = [Reply(200, endless(), {"Content-Type": "text/event-stream"})]
    with proxied.client.chat.completions.create(
        model="test-model", messages=ASKED, stream=True, extra_body=with_policy(on_fail)
    ) as chunks:
        if on_fail == "report":  # else all of it is held back
            next(iter(chunks))
    proxied.upstream[:] = [chat(RIGHT)]  # who writes the endless one is the last to hold it
    assert let_go.wait(20)
    assert proxied.ask(chat(RIGHT)).headers["x-groundrules-decision"] == "pass"


def test_calls_of_tools_come_through_a_stream(proxied: Proxied) -> None:
    call = {"index": 0, "id": "1", "function": {"name": "look", "arguments": "{}"}}
    reply = sse(chunk("Let me look. "), chunk(tool_calls=[call]), chunk(None, "tool_calls"))
    for on_fail in ("report", "filter", "fix", "refrain"):
        text, told, chunks = proxied.stream(reply, body=with_policy(on_fail))
        left = "" if on_fail in ("filter", "refrain") else "Let me look. "
        assert (text, told["decision"]) == (left, "review")  # no source says so
        names = [one.function.name for c in chunks for one in c.choices[0].delta.tool_calls or ()]
        assert names == ["look"]
        assert chunks[-1].choices[0].finish_reason == "tool_calls"


@pytest.mark.parametrize("on_fail", ["report", "refrain"])
def test_what_of_a_stream_is_not_checked_does_not_come_and_is_named(
    proxied: Proxied, on_fail: str
) -> None:
    parts = [chunk(f"{word} ") for word in RIGHT.split()]
    side = [
        chunk(reasoning_content=WRONG),
        chunk(content=[{"type": "text", "text": WRONG}]),
        {**chunk(""), "note": WRONG},
        {
            **chunk(),
            "choices": [{"index": 0, "delta": {}, "text": WRONG, "message": {"content": WRONG}}],
        },
        {**chunk(), "choices": [], "note": WRONG},
    ]
    text, told, chunks = proxied.stream(
        sse(*side, *parts, chunk(None, "stop")), body=with_policy(on_fail)
    )
    assert (text.strip(), told["decision"]) == (RIGHT, "pass")
    assert {one["field"] for one in told["withheld"]} == {
        "delta.reasoning_content", "delta.content", "note", "text", "message",
    }  # fmt: skip
    assert "120" not in json.dumps([c.model_dump() for c in chunks])


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (sse(chunk("The Otter"), done=False), "broke off"),
        (sse(chunk("The Otter"), {"error": {"message": "overloaded"}}), "overloaded"),
        (sse(chunk("The Otter"), ["?"]), "something else than a stream"),
        (sse(chunk("The Otter"), {"choices": "The Otter"}), "something else than a completion"),
        (sse(chunk("The Otter"), {"choices": ["The Otter"]}), "something else than a completion"),
    ],
)
def test_a_stream_that_breaks_off_ends_with_an_error(
    proxied: Proxied, reply: Reply, words: str
) -> None:
    with pytest.raises(openai.APIError, match=words):
        proxied.stream(reply)
