"""A service whose licensed readers are asked at an endpoint: counted, limited, in its time."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules.config import Config, LLMConfig
from groundrules.integrations.tools import Offer, check_claims
from groundrules.service.startup import Settings
from tests.cli.test_licences import DOC, FREE, HALF, answer, licence_for
from tests.llm_server import Server
from tests.service.serving import serving

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

BODY = {"text": f"{FREE} {HALF}", "sources": [{"name": "doc.txt", "text": DOC}]}


@pytest.fixture(autouse=True)
def _in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    monkeypatch.delenv("GROUNDRULES_LLM_KEY", raising=False)
    monkeypatch.chdir(tmp_path)


def config_of(server: Server) -> Config:
    licence_for(server.url)
    return Config(readers=("m.toml",), llm=LLMConfig(retries=0))


@pytest.mark.slow
def test_the_readers_of_a_service_are_counted() -> None:
    with Server(answer) as server:
        given = Settings(config_of(server), workers=1, seconds=600.0)
        with serving(given) as served:
            assert not server.requests  # the trial at the start asks nobody
            report = served.client.post("/check", json=BODY).json()
            assert [one["outcome"] for one in report["statements"]] == ["supported", "refuted"]
            assert served.metric('reader_statements_total{reader="m"}') == 2
            assert served.metric('llm_tokens_total{of="prompts"}') == 100


def test_the_calls_of_an_agent_have_readers() -> None:
    with Server(answer) as server:
        found = check_claims(Offer(config_of(server)), str(BODY["text"]), [DOC])
        assert [one.outcome for one in found.statements] == ["supported", "refuted"]
        assert len(server.requests) == 1


def test_a_reader_that_is_slow_is_heard_as_long_as_a_call_of_an_agent_may_take() -> None:
    with Server(answer) as server:
        offer = Offer(config_of(server), seconds=0.0)
        found = check_claims(offer, str(BODY["text"]), [DOC])
        assert not server.requests
    assert "no answer by the deadline" in found.unchecked[0]
