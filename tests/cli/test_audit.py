"""`groundrules audit`: the whole path, what it says and how it exits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.audit.log import verify
from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
LEASE = "The lease began on May 2, 2021. The rent is $40 a month.\n"
pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lease.txt").write_text(LEASE)
    rows = [
        {"id": "right", "answer": "The rent is $40 a month.", "context": LEASE},
        {"id": "wrong", "answer": "The lease began on May 9, 2021.", "context": LEASE},
    ]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_a_table_is_audited_and_sampled_and_the_sample_read(here: Path, cli: Cli) -> None:
    found = cli("audit", "t.jsonl", "-o", "out", "--jobs", "1", "--sample", "5", "--isolated")
    assert found.code == 1
    assert (
        "2 texts: 1 fail, 0 could not be checked, 0 not wholly, 0 not settled, 1 pass\n"
        "statements: 0 could not be asked, 0 not checkable, 1 refuted, 0 conflicting, 0 open, "
        "1 supported"
        "\nreport: out/report.html\n"
    ) in found.out
    assert found.err == ""
    again = cli("audit", "t.jsonl", "-o", "out", "--isolated")
    assert (again.code, again.err) == (1, "")
    sample = here / "out" / "sample.csv"
    sample.write_text(sample.read_text("utf-8").replace("\n,", "\nno,"))
    read = cli("audit", "--sample-read", "out/sample.csv")
    assert (read.code, read.err) == (0, "")
    head, *rows, last = read.out.splitlines()
    assert head.split("  ")[0] == "verdict"
    assert [row.split() for row in rows] == [
        ["refuted", "1", "1", "0", "0.0%", "to", "79.3%"],
        ["supported", "1", "1", "0", "0.0%", "to", "79.3%"],
    ]
    assert last == "report: out/report.html"


def test_nothing_to_audit_is_told_in_a_line(here: Path, cli: Cli) -> None:
    (here / "empty").mkdir()
    found = cli("audit", "empty", "-o", "out", "--isolated")
    assert (found.code, found.out) == (2, "")
    assert found.err == "groundrules: empty: has no text; expected texts or a table\n"
    assert not (here / "out").exists()


def test_files_are_audited_against_a_context_and_written_in_a_form(here: Path, cli: Cli) -> None:
    (here / "in").mkdir()
    (here / "in" / "a.txt").write_text("The rent is $40 a month.\n")
    found = cli("audit", "in", "--context", "lease.txt", "-o", "out", "--jobs", "1",
                "--output-format", "json", "--isolated")  # fmt: skip
    assert found.code == 0
    (form,) = (here / "out" / "json").glob("*.json")
    report = json.loads(form.read_bytes())
    alone = json.loads(cli("check", "in/a.txt", "--context", "lease.txt", "--output-format", "json",
                           "--isolated").out)  # fmt: skip
    for one in (report, alone):
        for varies in ("at", "times", "calls"):
            one["run"].pop(varies)
    assert report == alone


def test_a_file_that_cannot_be_read_is_a_result_and_ends_in_2(here: Path, cli: Cli) -> None:
    (here / "in").mkdir()
    (here / "in" / "a.txt").write_text("The rent is $40 a month.\n")
    (here / "in" / "b.pdf").write_bytes(b"nonsense")
    found = cli("audit", "in", "--context", "lease.txt", "-o", "out", "--jobs", "1", "--isolated")
    assert found.code == 2
    page = re.sub("<[^>]*>", " ", (here / "out" / "report.html").read_text("utf-8"))
    assert re.search(r"in/b\.pdf\s+is not a PDF: it does not begin with %PDF-", page)


def test_a_row_that_is_none_is_told_and_ends_in_2(here: Path, cli: Cli) -> None:
    (here / "t.jsonl").write_text("nonsense\n")
    found = cli("audit", "t.jsonl", "-o", "out", "--isolated")
    assert found.code == 2
    assert found.err.startswith("groundrules: t.jsonl:1: not JSON")
    assert "0 pass, and 1 of the inputs could not be read" in found.out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["t.jsonl"], "-o is missing"),
        (["-o", "out"], "nothing to audit"),
        (["none.jsonl", "-o", "out"], "no such file or folder"),
        (["t.jsonl", "-o", "lease.txt"], "lease.txt: is a file"),
        ([".", "-o", "out"], "stands in ., which is audited"),
        (["t.jsonl", "-o", "out", "--offline", "cache"], "--offline needs --kb"),
        (["t.jsonl", "-o", "out", "--engine", "rey"], "did you mean 'ray'?"),
        (["t.jsonl", "-o", "out", "--select", "XX9"], "no rule starts with 'XX9'"),
        (["-o", "out", "--sample", "3"], "nothing to audit; expected IN"),
        (["--sample-read", "none.csv"], "none.csv: cannot be read"),
        (["t.jsonl", "-o", "out", "--kb", "none.ttl"], "no such file or folder"),
    ],
)
def test_a_wrong_use_is_one_line(here: Path, cli: Cli, arguments: list[str], why: str) -> None:
    found = cli("audit", *arguments, "--isolated")
    assert (found.code, found.out) == (2, "")
    assert found.err.count("\n") == 1
    assert why in found.err


def test_an_audit_is_logged_text_by_text_and_replayed_identically(here: Path, cli: Cli) -> None:
    audit = ("audit", "t.jsonl", "-o", "out", "--log", "a.log", "--jobs", "1", "--isolated")
    assert cli(*audit).code == 1
    assert cli("log", "verify", "a.log").code == 0
    replayed = cli("replay", "a.log")
    assert (replayed.code, replayed.err) == (0, "")
    assert replayed.out.endswith("2 of 2 identical\n")


def test_a_run_without_a_new_text_leaves_the_logged_report(here: Path, cli: Cli) -> None:
    audit = ("audit", "t.jsonl", "-o", "out", "--jobs", "1", "--isolated")
    cli(*audit, "--log", "a.log")
    cli(*audit, "--sample", "2")
    assert cli("log", "verify", "a.log").code == 0
    assert "a.log" in (here / "out/report.html").read_text("utf-8")


def test_a_file_is_audited_against_the_documents_of_the_configuration(here: Path, cli: Cli) -> None:
    (here / "groundrules.toml").write_text('[context]\n"in/*.txt" = ["lease.txt"]\n')
    (here / "in").mkdir()
    (here / "in/a.txt").write_text("The rent is $40 a month.\n")
    assert "1 pass" in cli("audit", "in", "-o", "out", "--jobs", "1").out


def test_a_report_of_an_audit_that_was_changed_is_found_by_its_log(here: Path, cli: Cli) -> None:
    cli("audit", "t.jsonl", "-o", "out", "--log", "a.log", "--jobs", "1", "--isolated")
    for path in (here / "out/report.json", *(here / "out/reports").iterdir()):
        data = path.read_bytes()
        path.write_bytes(data.replace(b"refuted", b"supported").replace(b"right", b"light"))
        found = cli("log", "verify", "a.log")
        assert (found.code, f"{path.relative_to(here)}: was changed" in found.out) == (1, True)
        path.write_bytes(data)
    assert cli("log", "verify", "a.log").code == 0
    (here / "out").rename(here / "moved")
    found = cli("log", "verify", "a.log")
    assert (found.code, "out: is not there; its report was not looked at" in found.out) == (0, True)


def test_erasing_names_the_audits_that_may_still_have_the_words(here: Path, cli: Cli) -> None:
    cli("audit", "t.jsonl", "-o", "out", "--log", "a.log", "--jobs", "1", "--isolated")
    said = cli("log", "erase", "a.log", "wrong", "--by", "Ann", "--why", "asked for").out
    assert "out: has an audit; delete what has words of it\n" in said
    assert "not looked at: what was checked itself, reports elsewhere" in said


def test_the_pages_of_an_audit_know_its_log(here: Path, cli: Cli) -> None:
    done = ("audit", "t.jsonl", "-o", "out", "--jobs", "1", "--isolated", "--output-format", "json")
    cli(*done, "--log", "a.log")
    found = [json.loads(path.read_text("utf-8")) for path in (here / "out/json").iterdir()]
    assert [one["logged"]["head"] for one in found] == [verify(here / "a.log").head] * 2
    cli(*done)
    found = [json.loads(path.read_text("utf-8")) for path in (here / "out/json").iterdir()]
    assert len(found) == 2
    assert [one["logged"] for one in found] == [None, None]


def test_a_text_that_the_log_has_is_not_logged_again(here: Path, cli: Cli) -> None:
    audit = ("audit", "t.jsonl", "-o", "out", "--log", "a.log", "--jobs", "1", "--isolated")
    cli(*audit)
    cli(*audit)
    events = [json.loads(line) for line in (here / "a.log").read_text().splitlines()]
    assert sorted(e["text"] for e in events if e["kind"] == "report") == ["right", "wrong"]
    assert [e["kind"] for e in events].count("run.start") == 2


def test_a_log_that_came_later_has_the_texts_that_were_there(here: Path, cli: Cli) -> None:
    audit = ("audit", "t.jsonl", "-o", "out", "--jobs", "1", "--isolated")
    cli(*audit)
    cli(*audit, "--log", "a.log")
    assert cli("replay", "a.log").out.endswith("2 of 2 identical\n")


def test_what_a_person_decided_counts_in_an_audit_and_is_told(here: Path, cli: Cli) -> None:
    audit = ("audit", "t.jsonl", "-o", "out", "--jobs", "1", "--isolated")
    assert cli(*audit).code == 1
    marks = {
        one["fingerprint"]
        for path in (here / "out" / "reports").glob("*.json")
        for one in json.loads(path.read_text("utf-8"))["statements"]
    }
    for mark in marks:
        cli("override", mark, "--verdict", "supported", "--why", "the annex", "--by", "Ann",
            "--file", "said.jsonl")  # fmt: skip
    again = cli(*audit, "--overrides", "said.jsonl")
    assert again.code == 0
    assert "2 pass" in again.out
