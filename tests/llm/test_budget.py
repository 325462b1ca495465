"""Laws of a budget that processes share: together they never spend more than it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from groundrules.config import LLMConfig
from groundrules.errors import ConfigError, LLMError
from groundrules.llm import budget as budget_
from groundrules.llm.budget import Budget, Totals, settle_all

SPENT = "spent.json"


def test_two_processes_never_spend_more_than_their_budget(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from groundrules.config import LLMConfig\n"
        "from groundrules.errors import LLMError\n"
        "from groundrules.llm.budget import Budget\n"
        "config = LLMConfig('http://127.0.0.1:9/v1', max_cost=0.01, price_in=10.0, timeout=5.0)\n"
        "budget = Budget(config, Path(sys.argv[1]))\n"
        "for _ in range(40):\n"
        "    try: held = budget.reserve(100, 0)\n"
        "    except LLMError: continue\n"
        "    budget.settle(held, 50, 0, calls=1)\n"
        "print(budget.usage.calls)\n"
    )
    path = tmp_path / SPENT
    run = [sys.executable, "-c", code, str(path)]
    ends = [subprocess.Popen(run, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    calls = [int(one.communicate(timeout=120)[0]) for one in ends]
    spent = json.loads(path.read_bytes())
    assert (spent["requests"], spent["flying"], spent["reserved"]) == (sum(calls), 0, 0.0)
    # a call costs half of what is set aside for it: the last that may be sent begins at 0.009
    assert 0.009 <= round(spent["cost"], 6) <= 0.0095


def test_what_a_killed_process_set_aside_counts_as_spent(tmp_path: Path) -> None:
    path = tmp_path / SPENT
    config = LLMConfig("http://127.0.0.1:9/v1", max_cost=0.01, price_in=10.0, timeout=0.2)
    Budget(config, path).reserve(600, 0)
    other = Budget(config, path)
    with pytest.raises(LLMError, match="not asked"):
        other.reserve(600, 0)  # who may come back is waited for, and not for ever
    settle_all(path)
    assert json.loads(path.read_bytes()) == {
        "requests": 1, "cost": 0.006, "reserved": 0.0, "flying": 0,
    }  # fmt: skip
    other.settle(other.reserve(400, 0), 400, 0, calls=1)
    path.write_bytes(b"{")
    with pytest.raises(ConfigError, match="is damaged"):
        other.reserve(1, 0)


URL = "http://127.0.0.1:9/v1"


def at(monkeypatch: pytest.MonkeyPatch, hour: int) -> None:
    monkeypatch.setattr(budget_, "_now", lambda: hour)


def test_the_tokens_of_an_hour_and_of_a_day_are_those_of_all_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    totals = Totals(tmp_path / SPENT, 1_000, 1_500)
    config = LLMConfig(URL)

    def spend(sent: int, received: int) -> None:
        """Use tokens in a run of its own, a tenth of what was set aside for the answer."""
        budget = Budget(config, totals=totals)
        budget.settle(budget.reserve(sent, 10 * received), sent, received, calls=1)

    at(monkeypatch, 48)
    spend(600, 10)
    with pytest.raises(LLMError, match="610 of the 1,000 tokens of this hour are spent") as caught:
        spend(400, 1)
    assert caught.value.kind == "budget"
    assert str(caught.value).endswith("the next call may take 410")
    spend(380, 1)
    assert (totals.used().of_hour, totals.used().of_day) == (991, 991)
    at(monkeypatch, 49)
    with pytest.raises(LLMError, match="991 of the 1,500 tokens of this day are spent"):
        spend(510, 0)
    spend(500, 0)
    assert (totals.used().of_hour, totals.used().of_day) == (500, 1_491)
    at(monkeypatch, 72)
    spend(990, 1)
    used = totals.used()
    assert (used.of_hour, used.of_day) == (991, 991)
    assert (used.requests, used.refused, used.sent, used.received) == (4, 2, 2_470, 12)


def test_what_is_under_way_when_an_hour_ends_counts_in_the_hour_in_which_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    totals = Totals(tmp_path / SPENT, 1_000)
    budget = Budget(LLMConfig(URL), totals=totals)
    at(monkeypatch, 23)
    held = budget.reserve(100, 900)
    assert totals.used().of_hour == 1_000
    at(monkeypatch, 24)
    assert totals.used().of_hour == 0
    other = budget.reserve(100, 100)
    budget.settle(held, 100, 50, calls=1)
    assert (totals.used().of_hour, totals.used().flying) == (200, 1)
    budget.settle(other, 100, 100, calls=1)
    assert (totals.used().of_hour, totals.used().flying) == (200, 0)


def test_what_stands_in_the_way_is_waited_for_and_what_it_does_not_take_is_free(
    tmp_path: Path,
) -> None:
    totals = Totals(tmp_path / SPENT, 1_000)
    budget = Budget(LLMConfig(URL, timeout=20), totals=totals)
    held = budget.reserve(100, 800)
    threading.Timer(0.3, lambda: budget.settle(held, 100, 10, calls=1)).start()
    budget.reserve(100, 700)
    assert totals.used().of_hour == 910
    began = time.monotonic()
    with pytest.raises(LLMError, match="tokens of this hour"):
        budget.reserve(100, 10, began + 0.3)
    assert time.monotonic() - began < 15  # of 20 that a call is waited for
    with pytest.raises(LLMError, match="the next call may take 1,001"):
        budget.reserve(1, 1_000)


def test_a_run_that_has_spent_its_own_budget_sets_no_tokens_aside(tmp_path: Path) -> None:
    totals = Totals(tmp_path / SPENT, 1_000)
    budget = Budget(LLMConfig(URL, max_calls=1), totals=totals)
    budget.settle(budget.reserve(10, 10), 10, 1, calls=1)
    with pytest.raises(LLMError, match="max_calls = 1"):
        budget.reserve(400, 400)
    assert (totals.used().of_hour, totals.used().flying) == (11, 0)


def test_a_limit_of_tokens_holds_for_what_is_sent_and_answered_and_for_what_is_under_way() -> None:
    budget = Budget(LLMConfig(max_tokens=100))
    held = budget.reserve(60, 10)
    with pytest.raises(LLMError, match="max_tokens = 100"):
        budget.reserve(30, 1)
    budget.settle(held, 40, 5, calls=1)
    budget.settle(budget.reserve(50, 5), 50, 5, calls=1)
    with pytest.raises(LLMError, match="100 tokens are spent"):
        budget.reserve(1, 0)
