"""`readers add`: a reader is measured, its licence written, and it is in force from then on."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundrules import config as config_
from groundrules.checks import plan as plans
from groundrules.claims.controls import controls
from groundrules.claims.token_reader import token_reader
from groundrules.config import LLMConfig
from groundrules.evaluate import licences
from groundrules.llm.client import Client
from groundrules.models import passage_scorer, readers
from groundrules.models.licences import Bound, Licence, read_licence
from groundrules.models.readers import Asked, Entailment, Reader
from tests.cli.conftest import Outcome as Ended
from tests.llm_server import Reply, Request, Server, letters
from tests.models.test_passage_scorer import random_encoder

Cli = Callable[..., Ended]
pytestmark = pytest.mark.usefixtures("folder")

DOC = "The ferry leaves the north pier at nine. Dogs travel free on the lower deck."
TRUE: dict[str, Any] = {"s": "One may bring along a hound at no charge.", "label": 1}
FALSE = {"s": "Bringing a hound along means paying half the fare.", "label": 0}
CHECK = ("check", "answer.txt", "--context", "doc.txt", "--output-format", "json")
BOUNDS = Bound(0.9, 0.96, 500), Bound(0.9, 0.93, 300), Bound(0.1, 0.91, 300)


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rows to measure a reader on, a text and its source, and an empty folder of the user."""
    rows = [{"doc": f"{DOC} This is page {n}.", "answer": [TRUE, FALSE]} for n in range(3)]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    Path("answer.txt").write_text(TRUE["s"], encoding="utf-8")
    Path("doc.txt").write_text(DOC, encoding="utf-8")
    monkeypatch.setenv("GROUNDRULES_CONFIG", str(folder / "home"))
    return folder / "home/readers"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few sentences as there are here are taken for enough."""
    monkeypatch.setattr(licences, "bounds", lambda *_: BOUNDS)


class Knowing:
    """A reader that knows what is right, and counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.reader = Reader("knowing", self.read)

    def read(self, asked: Sequence[Asked]) -> list[Entailment]:
        self.asked += [one.statement for one in asked]
        return [
            Entailment(0.97, 0.01, 0.02) if one.statement == TRUE["s"] else
            Entailment(0.01, 0.97, 0.02) for one in asked
        ]  # fmt: skip


@pytest.fixture
def knowing(monkeypatch: pytest.MonkeyPatch) -> Knowing:
    made = Knowing()
    monkeypatch.setattr(plans, "open_named", lambda *_, **__: made.reader)
    return made


def statements(found: Ended) -> dict[str, tuple[str, str]]:
    told = json.loads(found.out)["statements"]
    return {one["text"]: (one["outcome"], one["reason"]) for one in told}


@pytest.mark.usefixtures("few", "knowing")
def test_one_command_puts_a_reader_in_force_and_another_takes_it_out(home: Path, cli: Cli) -> None:
    added = cli("readers", "add", "owner/knowing", "--answers", "rows.jsonl")
    (licence,) = home.iterdir()

    assert (added.code, added.err) == (0, "")
    assert "read 6 statements that the rules leave open, 3 of them wrong" in added.out
    assert re.search(r"true supported +0\.000 +1\.000", added.out)
    assert re.search(r"wrong refuted +0\.000 +1\.000", added.out)
    assert read_licence(licence).model == "owner/knowing"
    name = licence.stem
    assert statements(cli(*CHECK)) == {TRUE["s"]: ("supported", "read")}
    assert "read by knowing, licensed on 6 sentences" in cli(*CHECK).out
    for without in (("--no-reader",), ("--isolated",)):
        assert "read by" not in cli(*CHECK, *without).out
    assert name in cli("readers").out
    assert cli("readers", "remove", name).code == 0
    assert "read by" not in cli(*CHECK).out
    assert not licence.exists()


@pytest.mark.usefixtures("few", "knowing")
def test_a_file_may_name_some_of_the_readers_or_none(home: Path, cli: Cli) -> None:
    cli("readers", "add", "owner/knowing", "--answers", "rows.jsonl")
    (name,) = (one.stem for one in home.iterdir())
    for value, read in (
        ("[]", False),
        (f'["{name}"]', True),
        (f'["home/readers/{name}.toml"]', True),
    ):
        Path("groundrules.toml").write_text(f"readers = {value}\n", encoding="utf-8")
        assert ("read by knowing" in cli(*CHECK).out) is read
    assert "read by knowing" in cli(*CHECK, "--isolated", "--reader", name).out
    found = cli(*CHECK, "--isolated", "--reader", f"home/readers/{name}.toml")
    assert "read by knowing" in found.out
    late = cli(*CHECK, "--reader", f"{name}s")
    assert late.code == 2
    assert f"did you mean {name!r}?" in late.err


@pytest.mark.usefixtures("few", "knowing")
def test_a_project_has_readers_of_its_own(home: Path, cli: Cli) -> None:
    add = ("readers", "add", "owner/knowing", "--answers", "rows.jsonl", "--project")
    assert "--project needs a config file" in cli(*add).err
    Path("groundrules.toml").touch()
    assert cli(*add).code == 0
    assert not home.exists()
    assert len([*Path(".groundrules/readers").iterdir()]) == 1
    assert "read by knowing" in cli(*CHECK).out


def test_a_reader_that_may_decide_nothing_is_not_added(
    home: Path, cli: Cli, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model").mkdir()
    name = random_encoder(tmp_path / "model", ["contradiction", "entailment", "neutral"])
    capsys.readouterr()
    found = cli("readers", "add", name, "--answers", "rows.jsonl")

    assert (found.code, found.err) == (1, "")
    assert "decides nothing" in found.out
    assert "not added" in found.out
    assert not home.exists()


@pytest.mark.parametrize(
    ("name", "missing", "extra"),
    [
        ("owner/model", "sentence_transformers", "sbert"),
        ("http://127.0.0.1:9/v1#m", "openai", "llm"),
    ],
)
def test_what_is_not_installed_is_told_in_one_line(
    home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str, missing: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    passage_scorer.cross_encoder.cache_clear()
    monkeypatch.setattr(readers, "checker_of", lambda *_, **__: readers.CHECKERS["inference"])
    found = cli("readers", "add", name)

    assert found.code == 2
    assert f"is not installed; run: pip install 'groundrules[{extra}]'" in found.err
    assert len(found.err.strip().splitlines()) == 1
    assert not home.exists()


def test_the_statements_that_ship_are_both_right_and_wrong_and_have_documents_enough() -> None:
    rows = licences.read_rows(licences.MEASURED)
    labels = [item["label"] for row in rows for item in row.fields["answer"]]

    assert 950 <= len(labels) <= 1_050
    assert 0.4 < sum(labels) / len(labels) < 0.6
    assert len({row.fields["doc"] for row in rows}) >= 100
    assert licences.MEASURED.stat().st_size < 200_000


@pytest.mark.usefixtures("few", "knowing")
def test_no_figures_are_told_on_the_data_that_a_licence_was_measured_on(
    home: Path, cli: Cli
) -> None:
    cli("readers", "add", "owner/knowing", "--answers", "rows.jsonl")
    found = cli("eval", "rows.jsonl")

    assert found.code == 2
    assert "was measured on rows.jsonl" in found.err
    assert home.exists()
    assert cli("eval", "rows.jsonl", "--no-reader").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add",), "expected the name of a reader to add"),
        (("ad", "x"), "did you mean 'add'?"),
        (("add", "nowhere"), "expected a folder, a hub name 'owner/model', or URL#model"),
        (("add", "./gone"), "no such folder"),
        (("add", "x", "--key-env", "KEY"), "--key-env is for an endpoint"),
        (
            ("add", "https://127.0.0.1:9/v1#m", "--key-env", "KEY"),
            "127.0.0.1:9 needs a key; set KEY",
        ),
        (("add", "http://127.0.0.1:9/v1#m", "--answers", "rows.jsonl"), "has read no statement"),
        (("remove", "gone"), "no reader 'gone' was added"),
        (("remove", "groundrules.toml"), "no licence"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(
    home: Path, cli: Cli, arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEY", raising=False)
    Path("groundrules.toml").write_text("[llm]\nretries = 0\n", encoding="utf-8")
    found = cli("readers", *arguments)

    assert found.code == 2
    assert said in found.err
    assert len(found.err.strip().splitlines()) == 1
    assert not home.exists() or not [*home.glob("*.toml")]


# ---- a reader at an endpoint, from end to end

FREE = "One may bring along a hound at no charge on the lower deck."
HALF = "Bringing dogs along on the lower deck means paying half the fare."
LETTER = {"entailed": "A", "contradicted": "B", "neither": "C"}
RIGHT = {FREE: "A", TRUE["s"]: "A"}


def answer(request: Request) -> Reply:
    """Answer the controls rightly, what is right as entailed and all else as contradicted."""
    told = re.findall(r"<<<\w+ \"[a-z]+\">>>\n(.*?)\n<<<end \w+>>>", request.text, re.S)
    passages, said = told[0].split("\n"), re.findall(r"^\[\d+\] (.*)$", told[1], re.M)
    asked = [one for one in said if one in {FREE, HALF, TRUE["s"], FALSE["s"]}]
    known = {one.text: LETTER[one.kind] for one in controls(passages, asked)}
    return letters([{(known | RIGHT).get(one, "B"): 0.97, "Z": 0.01} for one in said])


def licence_for(url: str) -> None:
    """Write a licence of the model at an endpoint."""
    reader = token_reader(Client(LLMConfig(f"{url}#m")))
    licence = Licence("m", reader.digest, "f", 1404, 600, *BOUNDS, model=f"{url}#m")
    Path("m.toml").write_text(licence.dumps(), encoding="utf-8")


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.usefixtures("few")
def test_a_model_at_an_endpoint_is_added_with_its_key_and_settles_what_rules_leave_open(
    home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_KEY", "sk-secret-of-ours")
    Path("answer.txt").write_text(f"{FREE} {HALF}", encoding="utf-8")
    with Server(answer) as server:
        added = cli("readers", "add", f"{server.url}#m", "--answers", "rows.jsonl",
                    "--key-env", "OUR_KEY")  # fmt: skip
        assert (added.code, added.err) == (0, "")
        asked = len(server.requests)
        found = cli(*CHECK)
        again = len(server.requests) - asked
        short = cli(*CHECK, "--budget", "9tokens")
        keys = {one.headers["authorization"] for one in server.requests}
        monkeypatch.delenv("OUR_KEY")
        without = cli(*CHECK)
    report = json.loads(found.out)

    assert keys == {"Bearer sk-secret-of-ours"}
    assert "sk-secret" not in next(home.glob("*.toml")).read_text() + found.out
    assert "127.0.0.1" in without.err
    assert "needs a key; set OUR_KEY" in without.err
    assert statements(found) == {FREE: ("supported", "read"), HALF: ("refuted", "GR104")}
    assert again == 1
    assert any("read by m at an endpoint, licensed on 6" in one for one in report["run"]["notes"])
    assert {"name": "llm calls", "value": 1} in report["run"]["calls"]
    late = json.loads(short.out)
    assert {one["outcome"] for one in late["statements"]} == {"unverifiable"}
    assert "max_tokens = 9" in late["unasked"][0]
    assert (found.code, short.code) == (1, 2)


@pytest.mark.parametrize("budget", ["", "ten calls", "0calls", "-1calls", "12", "12 euros"])
@pytest.mark.usefixtures("home")
def test_a_budget_is_a_number_of_calls_or_tokens(cli: Cli, budget: str) -> None:
    found = cli("check", "answer.txt", "--context", "doc.txt", f"--budget={budget}", "--isolated")

    assert found.code == 2
    assert "is no budget" in found.err


def test_the_folder_of_the_user_is_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROUNDRULES_CONFIG", "off")
    assert config_.reader_folder() is None
    monkeypatch.delenv("GROUNDRULES_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_.reader_folder() == tmp_path / "groundrules/readers"
