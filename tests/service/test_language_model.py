"""A service that asks a language model: slow, down or spent, the rules' report is always there."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from groundrules.config import Config, LLMConfig
from groundrules.guardrail import Policy
from groundrules.service.jobs import Worker
from groundrules.service.startup import Settings
from groundrules.service.work import Check, Checked, Given
from tests.llm_server import Reply, Request, Server, chat, error
from tests.service.serving import SOURCE, in_processes, serving

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

#: The rules refute the first statement, and leave the second open.
TEXT = "The Otter was built in 1996. It is painted red by friends of the harbour every spring."


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    monkeypatch.delenv("GROUNDRULES_LLM_KEY", raising=False)


def settings(server: Server, **given: Any) -> Settings:
    given = {"seconds": 600.0, "workers": 1, **given}
    return Settings(config=Config(llm=LLMConfig(server.url, retries=0)), **given)


def answered(request: Request, usage: tuple[int, int] = (100, 10)) -> Reply:
    """Return no triple and no grade."""
    named = request.body["response_format"]["json_schema"]["schema"]["properties"]
    return chat({name: [] for name in named}, usage=usage)


def outcomes(report: Any) -> list[tuple[str, str]]:
    return [(one["outcome"], one["note"]) for one in report["statements"]]


def test_a_slow_model_is_no_504_and_costs_no_worker_and_not_the_verdict_of_the_rules() -> None:
    def slow(_: Request) -> Reply:
        server.stopping.wait(60)
        return chat({})

    with Server(slow) as server, in_processes(settings(server, seconds=12.0)) as served:
        mended: dict[str, Any] = {"policy": {"on_fail": "fix"}}
        for more, settled in (({}, "refuted"), (mended, "supported")):
            began = time.monotonic()
            answer = served.check(text=TEXT, **more)
            assert answer.status_code == 200, answer.text
            assert time.monotonic() - began < 40  # of 60 that the model takes
            said = answer.json()
            assert said.get("decision", "review") == "review"
            report = said.get("report", said)
            (by_rules, _), (outcome, note) = outcomes(report)
            assert by_rules == settled
            assert (outcome, note) == (
                "unverifiable", "not graded: no answer by the deadline",
            )  # fmt: skip
            (line,) = report["unasked"]
            assert line.startswith("language model test-model at 127.0.0.1:")
            assert "no answer by the deadline" in line
        assert served.service.pool.replaced.total() == 0


def test_the_tokens_that_a_check_takes_are_counted() -> None:
    with (
        Server(lambda request: answered(request, (9_000, 500))) as server,
        serving(settings(server)) as served,
    ):
        assert served.check(text=TEXT).json()["unasked"] == []
        assert len(server.requests) == 2
        assert served.metric('llm_tokens_total{of="prompts"}') == 18_000
        assert served.metric('llm_tokens_total{of="answers"}') == 1_000


def worked(given: Settings, policy: Policy | None = None) -> Any:
    """Return what a worker answers to a check."""
    text, source = Given("text", text=TEXT), Given("register.txt", text=SOURCE)
    found = Worker(given).work(Check(text, (source,), policy=policy))
    assert isinstance(found, Checked), found
    return json.loads(found.body)


def test_a_model_that_is_down_is_named_and_the_guard_of_the_service_reviews() -> None:
    with Server(error(401)) as server:
        said = worked(settings(server), Policy(refuted="pass", doubted="pass"))
        assert said["decision"] == "review"
        assert "HTTP 401" in said["report"]["unasked"][0]
        assert len(server.requests) == 1
