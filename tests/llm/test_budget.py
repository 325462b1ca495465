"""Laws of a budget that processes share: together they never spend more than it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from groundrules.config import LLMConfig
from groundrules.errors import ConfigError, LLMError
from groundrules.llm.budget import Budget, settle_all

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


def test_a_limit_of_tokens_holds_for_what_is_sent_and_answered_and_for_what_is_under_way() -> None:
    budget = Budget(LLMConfig(max_tokens=100))
    held = budget.reserve(60, 10)
    with pytest.raises(LLMError, match="max_tokens = 100"):
        budget.reserve(30, 1)
    budget.settle(held, 40, 5, calls=1)
    budget.settle(budget.reserve(50, 5), 50, 5, calls=1)
    with pytest.raises(LLMError, match="100 tokens are spent"):
        budget.reserve(1, 0)
