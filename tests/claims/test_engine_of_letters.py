"""The token reader against a real engine with log probabilities, where one is named.

    GROUNDRULES_TEST_ENGINE="llama-server --model MODEL.gguf --port {port} -np 1 -c 8192"

The protocol is tried, nothing that a model says.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from groundrules.claims.models.token_reader import (
    DISTRUSTED,
    Handful,
    handfuls,
    question,
    token_reader,
)
from groundrules.config import LLMConfig
from groundrules.errors import LLMError
from groundrules.llm.client import Client
from groundrules.llm.letters import NO_LETTER
from groundrules.llm.prompt import write_messages
from groundrules.llm.transport import Transport
from groundrules.models.readers import Asked, Entailment, read_statements
from tests.servers import free_port

COMMAND = os.environ.get("GROUNDRULES_TEST_ENGINE", "")
pytestmark = [
    pytest.mark.enable_socket,
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.skipif(
        not COMMAND,
        reason="GROUNDRULES_TEST_ENGINE is not set; expected the command of an engine that gives "
        "log probabilities, with {port} in it",
    ),
]

PASSAGES = (
    "The ferry leaves the north pier at nine every morning.",
    "Dogs travel free on the lower deck.",
    "The crossing takes 40 minutes in calm weather.",
) * 6
ASKED = [Asked("One may take a dog along at no charge.", PASSAGES),
         Asked("Dogs pay half the fare.", PASSAGES)]  # fmt: skip
(HANDFUL,) = handfuls(ASKED)
(OTHER,) = handfuls(ASKED[:1])
_UP = 120.0


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    monkeypatch.delenv("GROUNDRULES_LLM_KEY", raising=False)


@contextmanager
def engine(port: int) -> Iterator[str]:
    """Run the engine that is named, and yield its base URL when it answers."""
    command = shlex.split(COMMAND.format(port=port))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/v1"
    try:
        end = time.monotonic() + _UP
        while not _answers(url):
            assert process.poll() is None, f"{command[0]} ended with {process.returncode}"
            assert time.monotonic() < end, f"{command[0]} does not answer"
            time.sleep(0.2)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=30)


def _answers(url: str) -> bool:
    try:
        client(url).ask(question(OTHER))
    except LLMError as error:
        return error.kind != "unreachable"
    return True


def client(url: str, **limits: Any) -> Client:
    chosen = {"retries": 0, "timeout": 120.0, "concurrency": 1} | limits
    return Client(LLMConfig(f"{url}#model", **chosen))


@pytest.fixture(scope="module")
def running() -> Iterator[str]:
    with engine(free_port()) as url:
        yield url


def test_its_letters_have_shares_and_controls_decide_whether_they_count(running: str) -> None:
    told = client(running).ask(question(HANDFUL))
    found = read_statements(ASKED, token_reader(client(running)))
    read = [one for one in told.values() if not isinstance(one, str)]

    assert [*told] == [*"12345"]
    assert read
    assert all(sum(one.values()) == pytest.approx(1) for one in read)
    assert all(isinstance(one, Entailment) or one in (DISTRUSTED, NO_LETTER) for one in found)


def test_it_keeps_the_passages_that_questions_share(running: str) -> None:
    told = []
    for one in (HANDFUL, OTHER):
        body = {"model": "model", "messages": write_messages(question(one)), "max_tokens": 1}
        said = json.loads(Transport(running, "", 120.0, ()).post(body))
        told.append(said["usage"])
    kept = (told[1].get("prompt_tokens_details") or {}).get("cached_tokens")
    if kept is None:
        pytest.skip("the engine does not say how many tokens it kept")

    assert kept > 0.7 * told[1]["prompt_tokens"]


def test_what_does_not_come_in_time_is_no_reading(running: str) -> None:
    long = Handful(tuple(f"{one} {n}" for n in range(60) for one in PASSAGES[:3]), ("So.",))
    with pytest.raises(LLMError, match="no answer in"):
        client(running, timeout=0.05).ask(question(long))


def test_an_engine_that_was_restarted_is_asked_again() -> None:
    port = free_port()
    with engine(port) as url:
        before = client(url).ask(question(OTHER))
    with pytest.raises(LLMError):
        client(url).ask(question(OTHER))
    with engine(port) as url:
        after = client(url).ask(question(OTHER))

    for n, one in before.items():
        assert after[n] == (one if isinstance(one, str) else pytest.approx(one, abs=0.05))
