"""The server of the Model Context Protocol, asked by the client of the official package."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import jsonschema
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from groundrules.cli.main import main
from groundrules.integrations import tools
from tests.rows import each

SOURCE = "The Otter is a ferry. It was built in 1994. The Otter carries 80 passengers."
WRONG = "The Otter was built in 1994. The Otter carries 120 passengers."
FACTS = """
@prefix ex: <https://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:otter rdfs:label "Otter"@en ; ex:port ex:ardmore .
ex:ardmore rdfs:label "Ardmore"@en .
ex:port rdfs:label "port"@en .
"""

KEY = "0123456789abcdef"
pytestmark = pytest.mark.slow
Call = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kb") / "facts.ttl"
    path.write_text(FACTS)
    return path


def command(*options: object, code: str = "") -> list[str]:
    run = ("-c", f"{code}; from groundrules.cli.main import main; main()")
    return [*(run if code else ("-m", "groundrules.cli.main")), "mcp", *map(str, options)]


def ask(server: Any, calls: Sequence[Call]) -> tuple[list[Any], list[Any]]:
    """Return the tools of a server, and what it answers to each call in turn."""

    async def session() -> tuple[list[Any], list[Any]]:
        async with Client(server, read_timeout_seconds=120) as client:
            return (
                (await client.list_tools()).tools,
                [await client.call_tool(name, arguments) for name, arguments in calls],
            )

    return asyncio.run(session())


def over_stdio(calls: Sequence[Call], *options: object) -> tuple[list[Any], list[Any]]:
    environment = {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    started = StdioServerParameters(command=sys.executable, args=command(*options), env=environment)
    return ask(started, calls)


GOOD: list[Call] = [
    ("check_claims", {"text": WRONG, "sources": [SOURCE], "question": "What is the Otter?"}),
    ("explain_rule", {"rule": "object-conflict"}),
    ("lookup_statements", {"thing": "Otter"}),
    ("check_claims", {"text": "The port of Otter is Ardmore.", "kb": ["ferries"]}),
    ("check_claims", {"text": WRONG}),
    ("check_claims", {"text": WRONG, "sources": ["", " "]}),
]
BAD: list[tuple[Call, str]] = [
    (("check_claims", {}), "check_claims: text: Field required"),
    (("check_claims", {"text": " ", "sources": [SOURCE]}), "text is empty"),
    (("check_claims", {"text": "x" * 200_001}), "text has 200,001 characters; expected at most"),
    (("check_claims", {"text": WRONG, "sources": ["a"] * 101}), "101 sources; expected at most"),
    (
        ("check_claims", {"text": WRONG, "kb": ["http://127.0.0.1:1/sparql"]}),
        "no knowledge base 'http://127.0.0.1:1/sparql'; expected ferries",
    ),
    (("check_claims", {"text": WRONG, "kb": ["/etc/passwd"]}), "no knowledge base '/etc/passwd'"),
    (("check_claims", {"text": WRONG, "kb": ["feries"]}), "did you mean 'ferries'?"),
    (("explain_rule", {"rule": "object-conflct"}), "; did you mean 'object-conflict'?"),
    (("lookup_statements", {"thing": "Nautilus"}), "ferries: nothing is called 'Nautilus'"),
    (("lookup_statements", {"thing": ""}), "thing is empty"),
    (("lookup_statements", {"thing": "Otter", "kb": "../x"}), "no knowledge base '../x'"),
    (("write_file", {}), "Unknown tool: write_file"),
]  # fmt: skip


@pytest.fixture(scope="module")
def stdio(facts: Path) -> tuple[list[Any], list[Any]]:
    return over_stdio([*GOOD, *(call for call, _ in BAD)], "--kb", f"ferries={facts}")


def test_the_tools_are_three_that_only_read_and_say_what_they_return(stdio: Any) -> None:
    listed, answers = stdio
    schemas = {tool.name: tool.output_schema for tool in listed}

    assert sorted(schemas) == ["check_claims", "explain_rule", "lookup_statements"]
    assert all(tool.annotations.read_only_hint and tool.description for tool in listed)
    for (name, _), answer in zip(GOOD, answers, strict=False):
        assert not answer.is_error
        jsonschema.validate(answer.structured_content, schemas[name])
        assert json.loads(answer.content[0].text) == answer.structured_content


def test_a_checked_text_has_its_verdicts_with_evidence_and_the_edit(stdio: Any) -> None:
    found = stdio[1][0].structured_content
    right, wrong = found["statements"]
    finding = wrong["finding"]

    assert (found["conforms"], found["advice"], found["unchecked"]) == (False, "human", [])
    assert "120" in found["reason"]
    assert found["fixed"] == WRONG.replace("120", "80")
    assert (right["outcome"], right["finding"], right["also"]) == ("supported", None, [])
    assert (wrong["outcome"], WRONG[wrong["start"] : wrong["end"]]) == ("refuted", wrong["text"])
    assert WRONG[finding["start"] : finding["end"]] == "120"
    assert finding["explanation"].startswith("claimed “The Otter carries 120 passengers.”")
    (evidence,) = finding["evidence"]
    assert evidence["source"] == "source1"
    assert SOURCE[evidence["start"] : evidence["end"]] == evidence["quote"]
    assert finding["severity"] == "error"
    assert finding["edit"]["safe"]
    # the others found the same: an agent pays for each word that it reads
    assert not {f"{finding['rule']} {finding['name']}"} & set(wrong["also"])
    assert len(stdio[1][0].content[0].text) < 30 * len(WRONG)
    (new,) = finding["edit"]["replacements"]
    mended = WRONG[: new["start"]] + new["text"] + WRONG[new["end"] :]
    assert mended == WRONG.replace("120", "80")


def test_a_text_without_a_source_is_told_to_retrieve_again(stdio: Any) -> None:
    for answer in stdio[1][len(GOOD) - 2 : len(GOOD)]:
        found = answer.structured_content
        assert (found["conforms"], found["advice"]) == (None, "retrieve again")
        assert found["unchecked"] == [
            "there is no source to check it against; expected sources, or kb: ferries"
        ]


def test_a_rule_is_told_with_why_it_matters(stdio: Any) -> None:
    rule = stdio[1][1].structured_content

    assert (rule["id"], rule["edit"]) == ("GR201", "safe")
    assert "contradiction" in rule["why"]


def test_a_knowledge_base_is_asked_by_the_name_that_the_server_gave_it(
    stdio: Any, facts: Path
) -> None:
    _, (_, _, stated, checked, *_) = stdio

    assert stated.structured_content["label"] == "Otter"
    assert stated.structured_content["kb"] == "ferries"
    assert [one["text"] for one in stated.structured_content["statements"]] == [
        "Otter | port | Ardmore."
    ]
    assert [one["outcome"] for one in checked.structured_content["statements"]] == ["supported"]
    assert str(facts.parent) not in str(stated) + str(checked)


@pytest.mark.parametrize(("number", "line"), list(enumerate(line for _, line in BAD)))
def test_a_call_that_fails_says_why_in_a_line(stdio: Any, number: int, line: str) -> None:
    answer = stdio[1][len(GOOD) + number]

    (content,) = answer.content
    assert answer.is_error
    assert line in content.text
    assert "\n" not in content.text
    assert answer.structured_content is None


def test_a_check_that_takes_too_long_is_ended_and_the_next_is_answered() -> None:
    text = " ".join(f"The Otter carries {n} passengers to port {n + 1}." for n in range(3000))
    slow, after = over_stdio(
        [("check_claims", {"text": text, "sources": [text]}), ("explain_rule", {"rule": "GR201"})],
        "--seconds", 10, "--isolated",
    )[1]  # fmt: skip

    assert slow.is_error
    assert slow.content[0].text == "took longer than 10 seconds; split the text"
    assert after.structured_content["name"] == "object-conflict"


def test_a_text_is_no_file_that_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("The code is 4711.")
    (answer,) = over_stdio(
        [("check_claims", {"text": "The code is 4711.", "sources": [str(secret)]})]
    )[1]

    (statement,) = answer.structured_content["statements"]
    assert statement["outcome"] != "supported"


def test_nothing_but_the_protocol_is_on_stdout_and_no_text_on_stderr(facts: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {},
             "clientInfo": {"name": "t", "version": "1"}}  # fmt: skip
    asked: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {
            "name": "check_claims", "arguments": {"text": WRONG, "sources": [SOURCE]}}},
        {"id": 3, "method": "tools/call", "params": {
            "name": "check_claims", "arguments": {"text": {"Otter": 1}, "sources": 1}}},
    ]  # fmt: skip
    lines = [json.dumps({"jsonrpc": "2.0", **one}) for one in asked]
    with subprocess.Popen(
        [sys.executable, *command("--kb", facts)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write("\n".join([*lines, "no json: Otter"]) + "\n")
        process.stdin.flush()
        said: list[Any] = []
        while {one.get("id") for one in said} < {1, 2, 3}:
            said.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        rest, errors = process.stdout.read(), process.stderr.read()

    assert process.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert "Otter" not in errors


UNFINISHED = (
    b"POST /mcp HTTP/1.1\r\nHost: localhost:1\r\nContent-Type: application/json\r\n"
    b"Accept: application/json, text/event-stream\r\nContent-Length: 9\r\n\r\n{"
)


@contextmanager
def over_http(*options: str, keys: str = "", code: str = "") -> Iterator[str]:
    """Run a server at a free port and yield its address."""
    environment = {**os.environ, "GROUNDRULES_API_KEYS": keys}
    with subprocess.Popen(
        [sys.executable, *command("--http", "127.0.0.1:0", *options, code=code)],
        stderr=subprocess.PIPE, text=True, env=environment,
    ) as process:  # fmt: skip
        assert process.stderr
        try:
            yield process.stderr.readline().strip()
        finally:  # else a test that fails waits for it
            process.send_signal(signal.SIGTERM)
        assert process.stderr.read() == ""


@pytest.mark.enable_socket
def test_over_http_the_answers_are_those_of_stdio(facts: Path, stdio: Any) -> None:
    with over_http("--kb", f"ferries={facts}") as url:
        assert url.startswith("http://127.0.0.1:")
        listed, answers = ask(url, [*GOOD[:3], BAD[0][0]])

    assert listed == stdio[0]
    assert [one.structured_content for one in answers[:3]] == [
        one.structured_content for one in stdio[1][:3]
    ]
    assert answers[3].content[0].text == BAD[0][1]


@pytest.mark.enable_socket
def test_over_http_a_page_of_another_site_and_a_body_too_large_are_refused() -> None:
    with over_http() as url, httpx2.Client(trust_env=False, timeout=60) as client:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        accepts = {"Accept": "application/json, text/event-stream"}
        rebound = client.post(url, json=body, headers={**accepts, "Host": "evil.example"})
        foreign = client.post(url, json=body, headers={**accepts, "Origin": "https://evil.example"})
        large = client.post(url, content=b"x" * (4 * tools.MAX_SOURCES + 2**20 + 1))

    assert [rebound.status_code, foreign.status_code, large.status_code] == [421, 403, 413]


@pytest.mark.enable_socket
@pytest.mark.parametrize("sent", [UNFINISHED])
def test_over_http_a_connection_whose_request_does_not_come_is_ended(sent: bytes) -> None:
    soon = "from groundrules.service import server; server._IDLE = server._SENDING = 1"
    with over_http(code=soon) as url, closing(socket.socket()) as line:
        line.settimeout(10)
        line.connect(("127.0.0.1", urlsplit(url).port))
        line.sendall(sent)
        with suppress(ConnectionResetError):
            assert line.recv(1) == b""


@pytest.mark.enable_socket
def test_over_http_a_key_opens_where_there_are_keys() -> None:
    def listed(url: str, key: str) -> int:
        async def session() -> int:
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            async with httpx2.AsyncClient(headers=headers, trust_env=False) as client:
                transport = streamable_http_client(url, http_client=client)
                async with Client(transport) as asking:
                    return len((await asking.list_tools()).tools)

        return asyncio.run(session())

    with over_http(keys=f"{KEY}1 {KEY}2") as url:
        assert listed(url, f"{KEY}2") == 3
        for key in ("", f"{KEY}3", KEY):
            with pytest.RaisesGroup(MCPError, flatten_subgroups=True, allow_unwrapped=True):
                listed(url, key)


@each("options told")
def test_a_server_that_cannot_be_started_says_so_in_a_line(
    options: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GROUNDRULES_API_KEYS", "")
    code = main(["mcp", *options])
    done = capsys.readouterr()

    assert (code, done.out) == (2, "")
    assert told in done.err
    assert done.err.count("\n") == 1
