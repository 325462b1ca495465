"""The dossier says first what was not checked, leads from numbers to statements, and is signed."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.checks.inputs import hash_of
from groundrules.cli.main import main

Cli = Callable[..., tuple[int, str, str]]
RULES = "Adults pay £150 a year. Visitors must not run. Irma Voss teaches on Mondays.\n"
WRONG = "Adults pay £180 a year."


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: None) -> Path:
    """Give the folder of an audit that was logged and signed."""
    monkeypatch.chdir(tmp_path)
    answers = ["Adults pay £150 a year.", WRONG, "Visitors must not run. Kayaks cost more.", ""]
    rows = [
        {"id": f"q{n}", "answer": answer, "context": {"name": "rules.txt", "text": RULES}}
        for n, answer in enumerate(answers[:3])
    ]
    table = "".join(json.dumps(row) + "\n" for row in rows) + '{"id": "broken"}\n'
    (tmp_path / "t.jsonl").write_text(table)
    assert main(["log", "key", "k"]) == 0
    main(
        ["audit", "t.jsonl", "-o", "out", "--jobs", "1", "--isolated", "--log", "a.log",
         "--log-key", "k", "--by", "Ann Lee", "--purpose", "Answers of <May>", "--sample", "9"]
    )  # fmt: skip
    return tmp_path / "out"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Give a function that runs a command and returns its exit code and what it said."""

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(list(words))
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def _page(out: Path) -> str:
    return (out / "report.html").read_text("utf-8")


def test_the_dossier_names_what_is_not_settled(out: Path, cli: Cli) -> None:
    rows = [{"id": "a", "answer": one, "context": RULES} for one in ("Kayaks cost more.", "Go.")]
    Path("u.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    cli("audit", "u.jsonl", "-o", "two", "--jobs", "1", "--isolated")
    page = re.sub("<[^>]*>", " ", _page(Path("two")))
    assert re.search(r"Not settled\s+Too little of these is supported:.*a\s+1 of 1", page, re.S)


def test_the_dossier_says_who_asked_for_what_and_first_what_was_not_checked(out: Path) -> None:
    page = _page(out)

    assert "<h1><bdi>Answers of &lt;May&gt;</bdi></h1>" in page
    assert "Ann Lee" in page
    assert page.index("What was not checked") < page.index("What was asked")
    assert "t.jsonl:4" in page[page.index("What was not checked") : page.index("What was asked")]


def test_every_link_leads_to_a_place(out: Path) -> None:
    for path in (out / "report.html", *(out / "html").iterdir()):
        text = path.read_text("utf-8")
        for href in re.findall(r'href="((?!https:)[^"]+)"', text):
            name, _, anchor = href.partition("#")
            target = (path.parent / name).resolve() if name else path
            assert target.exists(), href
            assert not anchor or f'id="{anchor}"' in target.read_text("utf-8"), href


def test_each_command_of_the_dossier_runs_as_it_is_shown(out: Path, cli: Cli) -> None:
    shown = re.findall(r"groundrules [^<]+", _page(out))
    lines = [line for one in shown for line in html.unescape(one).splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if " " in line and "0.1" not in line]

    assert {one[0] for one in commands} >= {"audit", "log", "replay"}
    for words in commands:
        if "NAME" not in words and "--sample-read" not in words:
            assert cli(*words)[0] in (0, 1, 2), words
    verify = next(one for one in commands if one[:2] == ["log", "verify"])
    assert "--public-key" in verify
    assert cli(*verify)[0] == 0


def test_a_source_has_one_hash_wherever_it_is_named(out: Path) -> None:
    given = hash_of(RULES)
    found = {one["sha256"] for path in (out / "reports").iterdir()
             for one in json.loads(path.read_text("utf-8"))["run"]["inputs"]
             if one["role"] == "context"}  # fmt: skip

    assert found == {given}


def test_a_sample_that_was_read_enters_the_dossier(out: Path, cli: Cli) -> None:
    assert "nobody has read them" in _page(out)
    sample = out / "sample.csv"
    sample.write_text(sample.read_text("utf-8").replace("\n,", "\nno,"), "utf-8")

    assert cli("audit", "--sample-read", "out/sample.csv")[0] == 0
    assert "A person read statements" in _page(out)
