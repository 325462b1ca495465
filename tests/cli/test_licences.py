"""`eval --license`: a reader is measured, and its licence written, used and refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundrules.claims.controls import controls
from groundrules.claims.token_reader import token_reader
from groundrules.config import LLMConfig
from groundrules.llm.client import Client
from groundrules.models.licences import Bound, Licence, read_licence
from tests.cli.conftest import Outcome as Ended
from tests.llm_server import Reply, Request, Server, letters

Cli = Callable[..., Ended]
pytestmark = pytest.mark.usefixtures("folder")

MEASURED = ("--reader", "embedded", "--license", "ours.toml", "--isolated")
DOC = "The ferry leaves the north pier at nine. Dogs travel free on the lower deck."
TRUE: dict[str, Any] = {"s": "One may bring along a hound at no charge.", "label": 1}
FALSE = {"s": "Bringing a hound along means paying half the fare.", "label": 0}


@pytest.fixture(autouse=True)
def _rows(folder: Path) -> None:
    row = json.dumps({"doc": DOC, "answer": [TRUE, FALSE]})
    Path("rows.jsonl").write_text(f"{row}\n", encoding="utf-8")
    Path("others.jsonl").write_text(f"\n{row}\n", encoding="utf-8")
    Path("answer.txt").write_text(TRUE["s"], encoding="utf-8")
    Path("doc.txt").write_text(DOC, encoding="utf-8")


def test_a_reader_is_measured_its_licence_written_and_told_in_a_report(cli: Cli) -> None:
    found = cli(
        "eval", "rows.jsonl", "--reader", "embedded", "--license", "ours.toml", "--isolated"
    )
    licence = read_licence(Path("ours.toml"))

    assert (found.code, found.err) == (0, "")
    assert "embedded: 2 sentences that the rules leave open, 1 of the 2" in found.out
    assert (licence.reader, licence.sentences, licence.wrong) == ("embedded", 2, 1)
    assert licence.supports is None

    checked = cli("check", "answer.txt", "--context", "doc.txt", "--reader", "embedded",
                  "--licensed", "ours.toml", "--isolated", "--output-format", "full")  # fmt: skip
    assert "read by embedded, licensed on 2 sentences: decides nothing" in checked.out


def test_no_figures_are_told_on_the_data_that_a_licence_was_measured_on(cli: Cli) -> None:
    cli("eval", "rows.jsonl", *MEASURED)
    settings = ("--reader", "embedded", "--licensed", "ours.toml", "--isolated")
    found = cli("eval", "rows.jsonl", *settings)

    assert found.code == 2
    assert "was measured on rows.jsonl" in found.err
    assert cli("eval", "others.jsonl", *settings).code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--license", "out.toml"), "--license needs one --reader"),
        (("--license", "out.toml", "--reader", "a", "--reader", "b"), "needs one --reader"),
        (("--license", "out.toml", "--reader", "embeded"), "did you mean 'embedded'"),
        (("--license", "rows.jsonl", "--reader", "embedded"), "rows.jsonl"),
        (("--license", "out.toml", "--reader", "embedded", "--by", "genre"), "exclude each other"),
        (("--reader", "embedded", "--licensed", "gone.toml"), "cannot be read"),
        (("--reader", "http://127.0.0.1:9/v1#m", "--license", "out.toml"), "has read no statement"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(
    cli: Cli, arguments: tuple[str, ...], said: str
) -> None:
    before = Path("rows.jsonl").read_text(encoding="utf-8")
    found = cli("eval", "rows.jsonl", *arguments, "--isolated")

    assert found.code == 2
    assert said in found.err
    assert len(found.err.strip().splitlines()) == 1
    assert not Path("out.toml").exists()
    assert Path("rows.jsonl").read_text(encoding="utf-8") == before


def test_a_licence_for_another_question_is_refused_in_one_line(cli: Cli) -> None:
    cli("eval", "rows.jsonl", *MEASURED)
    text = Path("ours.toml").read_text(encoding="utf-8")
    digest = read_licence(Path("ours.toml")).digest
    Path("ours.toml").write_text(text.replace(digest, "0" * 64), encoding="utf-8")
    found = cli("check", "answer.txt", "--context", "doc.txt", "--reader", "embedded",
                "--licensed", "ours.toml", "--isolated")  # fmt: skip

    assert found.code == 2
    assert "a licence of the reader 'embedded' for another question than it is asked" in found.err
    assert len(found.err.strip().splitlines()) == 1


def test_a_licence_of_another_reader_is_refused_in_one_line(cli: Cli) -> None:
    Path("ours.toml").write_text(Licence("theirs", "0" * 64, "f", 2, 1).dumps(), encoding="utf-8")
    found = cli("check", "answer.txt", "--context", "doc.txt", "--reader", "embedded",
                "--licensed", "ours.toml", "--isolated")  # fmt: skip

    assert found.code == 2
    assert "a licence of the reader 'theirs'; the readers here are 'embedded'" in found.err
    assert len(found.err.strip().splitlines()) == 1


# ---- a reader at an endpoint, from end to end

FREE = "One may bring along a hound at no charge on the lower deck."
HALF = "Bringing dogs along on the lower deck means paying half the fare."
LETTER = {"entailed": "A", "contradicted": "B", "neither": "C"}


def answer(request: Request) -> Reply:
    """Answer the controls rightly, one statement as entailed and all else as contradicted."""
    told = re.findall(r"<<<\w+ \"[a-z]+\">>>\n(.*?)\n<<<end \w+>>>", request.text, re.S)
    passages, statements = told[0].split("\n"), re.findall(r"^\[\d+\] (.*)$", told[1], re.M)
    known = {one.text: LETTER[one.kind] for one in controls(passages, [FREE, HALF])}
    right = known | {FREE: "A"}
    return letters([{right.get(one, "B"): 0.97, "Z": 0.01} for one in statements])


def licence_for(url: str) -> None:
    """Write a licence of the model at an endpoint."""
    reader = token_reader(Client(LLMConfig(f"{url}#m")))
    bounds = Bound(0.9, 0.96, 500), Bound(0.9, 0.93, 300), Bound(0.1, 0.91, 300)
    text = Licence("m", reader.digest, "f", 1404, 600, *bounds).dumps()
    Path("m.toml").write_text(text, encoding="utf-8")


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_licensed_model_at_an_endpoint_settles_what_the_rules_leave_open(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    Path("answer.txt").write_text(f"{FREE} {HALF}", encoding="utf-8")
    with Server(answer) as server:
        licence_for(server.url)
        check = ("check", "answer.txt", "--context", "doc.txt", "--isolated", "--reader",
                 f"{server.url}#m", "--licensed", "m.toml", "--output-format", "json")  # fmt: skip
        found = cli(*check)
        asked = len(server.requests)
        short = cli(*check, "--budget", "9tokens")
    report = json.loads(found.out)
    told = {one["text"]: (one["outcome"], one["reason"]) for one in report["statements"]}

    assert told == {FREE: ("supported", "read"), HALF: ("refuted", "GR104")}
    assert asked == 1
    assert any("read by m, licensed on 1,404 sentences" in one for one in report["run"]["notes"])
    assert {"name": "llm calls", "value": 1} in report["run"]["calls"]
    late = json.loads(short.out)
    assert {one["outcome"] for one in late["statements"]} == {"unverifiable"}
    assert "max_tokens = 9" in late["unasked"][0]
    assert (found.code, short.code) == (1, 2)


@pytest.mark.parametrize("budget", ["", "ten calls", "0calls", "-1calls", "12", "12 euros"])
def test_a_budget_is_a_number_of_calls_or_tokens(cli: Cli, budget: str) -> None:
    found = cli("check", "answer.txt", "--context", "doc.txt", f"--budget={budget}", "--isolated")

    assert found.code == 2
    assert "is no budget" in found.err
