"""What a page tells a reader to run is run as it stands there."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
RULES = "Adults pay £150 a year. The club was founded in 1994.\n"
WRONG = "Adults pay £180 a year. The club was founded in 1994.\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli, inside: None) -> Path:
    """Give a folder with a text, its source, a log's folder, a key and a decision."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.txt").write_text(RULES)
    (tmp_path / "an answer.txt").write_text(WRONG)
    (tmp_path / "logs").mkdir()
    assert cli("log", "key", "k").code == 0
    check = ("check", "an answer.txt", "--context", "rules.txt", "--output-format", "json")
    refuted = json.loads(cli(*check).out)["statements"][0]
    decided = ("--verdict", "supported", "--by", "Ann", "--why", "as the annex says")
    assert cli("override", refuted["fingerprint"], *decided, "--file", "decided.jsonl").code == 0
    return tmp_path


SIGNED = ("--overrides", "decided.jsonl", "--log", "logs/a.log", "--log-key", "k")


def shown(page: str) -> list[list[str]]:
    """Return the commands that a page shows, without the name of the program."""
    found = re.findall(r"<pre>(groundrules .*?)</pre>", page, re.DOTALL)
    return [shlex.split(html.unescape(one))[1:] for one in found]


def test_a_check_is_done_again_replayed_and_verified_by_the_commands_of_its_page(
    here: Path, cli: Cli
) -> None:
    made = ("check", "an answer.txt", "--context", "rules.txt", *SIGNED)
    assert cli(*made, "--output-format", "html", "-o", "r.html").code == 0
    again, replay, verify = shown((here / "r.html").read_text("utf-8"))

    assert cli(*verify).out.endswith("ok\n")
    assert verify[-2:] == ["--public-key", "k.pub"]
    assert replay[:2] == ["replay", "logs/a.log"]
    assert cli(*replay).out.endswith("1 of 1 identical\n")
    assert "--overrides" in again
    assert cli(*again).code == 0


def test_a_row_of_a_table_is_done_again_replayed_and_verified_by_the_commands_of_its_page(
    here: Path, cli: Cli
) -> None:
    row = {"id": "q 1", "answer": WRONG, "context": {"name": "rules.txt", "text": RULES}}
    (here / "t.jsonl").write_text(json.dumps(row) + "\n")
    made = ("audit", "t.jsonl", "-o", "out", "--jobs", "1", "--isolated", *SIGNED)
    assert cli(*made, "--output-format", "html").code == 0
    (page,) = (here / "out" / "html").iterdir()
    again, replay, verify = shown(page.read_text("utf-8"))

    assert cli(*verify).out.endswith("ok\n")
    assert replay == ["replay", "logs/a.log", "--text", "q 1"]
    assert cli(*replay).out.endswith("1 of 1 identical\n")
    assert again[0] == "audit"
    assert cli(*again).code == 0


def test_a_page_without_words_shows_no_command(here: Path, cli: Cli) -> None:
    made = ("check", "an answer.txt", "--context", "rules.txt", "--redact")
    cli(*made, "--output-format", "html", "-o", "r.html")

    assert shown((here / "r.html").read_text("utf-8")) == []
