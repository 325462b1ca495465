"""`check --log`, `log`, `replay`, `override`, and what was decided, from end to end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundrules.audit import log
from groundrules.audit.keys import name_of, read_public
from groundrules.explain.formats import json as json_format
from tests.cli.conftest import Outcome as Result

Cli = Callable[..., Result]
CHECK = ("check", "answer.txt", "--context", "lease.txt")
BY = ("--by", "Ann", "--why", "the annex says so")
ELSEWHERE = "not looked at: what was checked itself, reports elsewhere"
FACTS = """
@prefix : <https://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:capital a owl:FunctionalProperty ; rdfs:label "capital"@en .
:borduria rdfs:label "Borduria"@en ; :capital :szohod .
:klow rdfs:label "Klow"@en . :szohod rdfs:label "Szohod"@en .
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GROUNDRULES_OUTPUT_FORMAT", raising=False)
    Path("answer.txt").write_text("The rent is $950 a month. The tenant is Ann Lee.", "utf-8")
    Path("other.txt").write_text("The tenant is Ann Lee.", "utf-8")
    Path("lease.txt").write_text("The rent is $900 a month. The tenant is Ann Lee.", "utf-8")


def events(*kinds: str) -> list[dict[str, object]]:
    return [event for event in log.read(Path("audit.log")) if event["kind"] in kinds]


def report(cli: Cli, *more: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(cli(*CHECK, "--output-format", "json", *more).out)
    return data


def test_a_check_that_is_logged_says_the_same_and_is_replayed(cli: Cli) -> None:
    plain = report(cli)
    told = report(cli, "--log", "audit.log")
    assert plain["logged"] is None
    for one in (plain, told):
        del one["logged"], one["run"]["times"], one["run"]["at"]
    assert told == plain
    cli("check", "other.txt", "--context", "lease.txt", "--log", "audit.log")
    assert cli("log", "verify", "audit.log").out.endswith("ok\n")
    found = cli("replay", "audit.log")
    assert found == Result(0, "answer.txt: identical\nother.txt: identical\n2 of 2 identical\n", "")
    first = events("run.start")[0]["run"]
    assert cli("replay", "audit.log", "--run", str(first)).out.endswith("1 of 1 identical\n")
    assert cli("replay", "audit.log", "--text", "other.txt").out.startswith("other.txt: ide")
    assert cli("replay", "audit.log", "--text", "othr.txt").err == (
        "groundrules: audit.log: has no text 'othr.txt'; did you mean 'other.txt'?\n"
    )


def test_a_page_knows_the_log_of_its_check(cli: Cli) -> None:
    cli("log", "key", "key.pem")
    signed = ("--log", "audit.log", "--log-key", "key.pem")
    cli(*CHECK, *signed, "--output-format", "json", "-o", "report.json")
    logged = json.loads(Path("report.json").read_text("utf-8"))["logged"]
    head = log.verify(Path("audit.log")).head
    key = read_public(Path("key.pem.pub"))
    assert logged == {"log": "audit.log", "head": head, "key": name_of(key)}
    assert json_format.loads(Path("report.json").read_text("utf-8")).logged is not None


def test_each_text_of_a_run_is_logged_and_one_that_cannot_be_read_too(cli: Cli) -> None:
    Path("bad.pdf").write_bytes(b"%PDF-1.4 nothing")
    found = cli("check", "answer.txt", "bad.pdf", "other.txt", "--context", "lease.txt",
                "--log", "audit.log")  # fmt: skip
    assert found.code == 2
    assert [event["text"] for event in events("report")] == ["answer.txt", "other.txt"]
    (fault,) = events("fault")
    assert (fault["text"], "is a broken PDF" in str(fault["why"])) == ("bad.pdf", True)
    assert cli("check", "none.txt", "--context", "lease.txt", "--log", "audit.log").code == 2
    assert len(events("run.end")) == len(events("run.start")) == 2


def test_a_replay_that_differs_is_code_1_and_one_that_cannot_be_made_code_2(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli(*CHECK, "--log", "audit.log")
    monkeypatch.setattr("groundrules.api.__version__", "9.9.9")
    found = cli("replay", "audit.log")
    assert found.code == 1
    assert found.out.startswith("answer.txt: differs\n  every verdict and finding is the same\n")
    assert ' then, "9.9.9" now\n' in found.out
    found = cli("log", "erase", "audit.log", "answer.txt", "--by", "Ann", "--why", "asked for")
    told = f"3 erased; the log has their hashes, and is whole\n{ELSEWHERE}\n"
    assert found == Result(0, told, "")
    found = cli("replay", "audit.log")
    assert found.code == 2
    assert "could not be replayed\n" in found.out
    assert ": was erased\n" in found.out
    assert cli("log", "verify", "audit.log").code == 0
    assert {event["why"] for event in events("erased")} == {"asked for"}
    assert b"950" not in b"".join(
        path.read_bytes() for path in Path("audit.log.kept").rglob("*") if path.is_file()
    )


SIGNED = ("--log", "audit.log", "--log-key", "audit.key")
VERIFY = ("log", "verify", "audit.log", "--public-key", "audit.key.pub")


def kept(text: str) -> list[Path]:
    """Where what is kept of a text lies, without its sources."""
    named = [one for event in log.read(Path("audit.log")) for one in log.kept_of(event)
             if event.get("text") == text and event["kind"] != "source.in"]  # fmt: skip
    return [Path("audit.log.kept", one[:2], one[2:]) for one in named]


def test_erasing_is_signed_so_that_the_log_still_verifies(cli: Cli) -> None:
    cli("log", "key", "audit.key")
    cli(*CHECK, *SIGNED)
    assert cli(*VERIFY).code == 0
    erase = ("log", "erase", "audit.log", "answer.txt", *BY)
    found = cli(*erase)
    assert found.err == (
        "groundrules: audit.log: the log is signed; expected --log-key with the key that signed "
        "it\n"
    )
    cli("log", "key", "other.key")
    found = cli(*erase, "--log-key", "other.key")
    assert found.err == (
        "groundrules: other.key: is another key than the one that signed audit.log\n"
    )
    assert not events("erased")
    found = cli(*erase, "--log-key", "audit.key")
    assert found.out == f"3 erased; the log has their hashes, is whole and signed\n{ELSEWHERE}\n"
    assert len(events("erased")) == 3
    found = cli(*VERIFY)
    assert (found.code, "not signed" in found.out) == (0, False)
    assert "3 of what the events name was erased\n" in found.out


def test_a_decision_is_signed_so_that_the_log_still_verifies(cli: Cli) -> None:
    cli("log", "key", "audit.key")
    cli(*CHECK, *SIGNED)
    assert cli("override", "0123456789abcdef", "--set-aside", *BY, *SIGNED).code == 0
    assert cli(*VERIFY).code == 0


def test_what_is_lost_is_told_from_what_was_erased(cli: Cli) -> None:
    Path("facts.ttl").write_text(FACTS, "utf-8")
    cli(*CHECK, "--kb", "facts.ttl", "--log", "audit.log")
    verify = ("log", "verify", "audit.log")
    assert cli(*verify).code == 0
    every = [path for path in Path("audit.log.kept").rglob("*") if path.is_file()]
    assert FACTS.encode() in [path.read_bytes() for path in every]  # settings name it, no event
    for path in every:
        data = path.read_bytes()
        path.unlink()
        found = cli(*verify)
        assert found.code == 1, path
        assert f"{path}: is lost (" in found.out
        assert found.out.endswith("nobody erased it\nnot as it was written\n")
        path.write_bytes(data)
    cli("log", "erase", "audit.log", "answer.txt", *BY)
    assert cli(*verify).code == 0
    Path("audit.log.kept").rename("elsewhere")
    found = cli(*verify)
    assert (found.code, "audit.log.kept: is not there" in found.out) == (1, True)


def test_what_was_erased_and_is_still_there_is_told(cli: Cli) -> None:
    cli(*CHECK, "--log", "audit.log")
    path = kept("answer.txt")[0]
    data = path.read_bytes()
    cli("log", "erase", "audit.log", "answer.txt", *BY)
    path.write_bytes(data)
    found = cli("log", "verify", "audit.log")
    assert (found.code, f"{path}: is there though it was erased" in found.out) == (1, True)
    assert cli("log", "erase", "audit.log", "answer.txt", *BY).out.startswith("1 erased")
    assert cli("log", "verify", "audit.log").code == 0


def test_what_another_text_rests_on_is_not_erased_with_a_text(cli: Cli) -> None:
    Path("other.txt").write_bytes(Path("answer.txt").read_bytes())
    cli("check", "answer.txt", "other.txt", "--context", "lease.txt", "--log", "audit.log")
    found = cli("log", "erase", "audit.log", "answer.txt", *BY)
    assert found.out.splitlines() == [
        "2 erased; the log has their hashes, and is whole",
        "1 not erased: other texts rest on what is the same; name a SHA-256 to erase it for all "
        "of them",
        ELSEWHERE,
    ]
    assert all(path.is_file() for path in kept("other.txt"))
    assert cli("replay", "audit.log", "--text", "other.txt").code == 0


def test_what_erase_needs_is_told(cli: Cli) -> None:
    cli(*CHECK, "--log", "audit.log")
    assert "needs --why" in cli("log", "erase", "audit.log", "answer.txt").err
    assert "has no text 'answr.txt'; did you mean 'answer.txt'?" in cli(
        "log", "erase", "audit.log", "answr.txt", *BY
    ).err  # fmt: skip
    assert "needs the name of a text" in cli("log", "erase", "audit.log", *BY).err
    assert "--head: only `groundrules log verify`" in cli(
        "log", "key", "audit.log", "--head", "0" * 64
    ).err  # fmt: skip


def test_a_signed_log_is_verified_by_its_public_key(cli: Cli) -> None:
    assert cli("log", "key", "audit.key").out.startswith("the public half is audit.key.pub;")
    cli(*CHECK, "--log", "audit.log", "--log-key", "audit.key")
    verify = ("log", "verify", "audit.log", "--public-key", "audit.key.pub")
    assert cli(*verify).code == 0
    data = Path("audit.log").read_bytes()
    Path("audit.log").write_bytes(data.replace(b'"refuted"', b'"support"', 1))
    found = cli(*verify)
    assert found.code == 1
    assert "does not have the hash that it was written with" in found.out
    assert "audit.log:5: does not have" in cli("replay", "audit.log").err
    Path("audit.log").write_bytes(data[:-5])
    found = cli(*verify)
    assert (found.code, "was not written to its end" in found.out) == (2, True)
    Path("audit.log").write_bytes(data)
    kept = next(path for path in Path("audit.log.kept").rglob("*") if path.is_file())
    kept.write_bytes(kept.read_bytes() + b".")
    found = cli(*verify)
    assert (found.code, f"{kept}: was changed" in found.out) == (1, True)


def test_a_head_that_was_noted_must_be_in_the_log(cli: Cli) -> None:
    cli(*CHECK, "--log", "audit.log")
    head = str(events("run.end")[0]["hash"])
    cli(*CHECK, "--log", "audit.log")
    assert cli("log", "verify", "audit.log", "--head", head).code == 0
    assert cli("log", "verify", "audit.log", "--head", "0" * 64).code == 1
    assert "no SHA-256" in cli("log", "verify", "audit.log", "--head", "x").err


def test_a_log_is_not_written_over_what_is_read_nor_into_another_file(cli: Cli) -> None:
    before = Path("lease.txt").read_bytes()
    assert "is read by this command" in cli(*CHECK, "--log", "lease.txt").err
    assert "its last line is none of a log" in cli(*CHECK, "--log", "other.txt").err
    assert Path("lease.txt").read_bytes() == before
    assert cli(*CHECK, "--log-key", "k").err == "groundrules: --log-key needs --log\n"


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_a_log_that_goes_on(cli: Cli) -> None:
    code = (
        "import os, sys\n"
        "from groundrules.audit import log\n"
        "from groundrules.cli.main import main\n"
        "real, left = os.write, [int(sys.argv[1])]\n"
        "def write(handle, data):\n"
        "    if len(data) >= left[0]:\n"
        "        real(handle, bytes(data[: left[0]]))\n"
        "        os._exit(9)\n"
        "    left[0] -= len(data)\n"
        "    return real(handle, data)\n"
        "log.os.write = write\n"
        f"main({[*CHECK, '--log', 'audit.log']!r})\n"
    )
    for left in (700, 1500):
        run = [sys.executable, "-c", code, str(left)]
        done = subprocess.run(run, env={**os.environ}, capture_output=True, check=False)
        assert done.returncode == 9, done.stderr
        assert cli("log", "verify", "audit.log").code == 2
    assert cli(*CHECK, "--log", "audit.log").code == 1
    assert cli("log", "verify", "audit.log").code == 0
    assert events("log.torn")
    found = cli("replay", "audit.log")
    assert "answer.txt: identical\n" in found.out


# --- what was decided ---------------------------------------------------------------------------


def test_a_baseline_is_written_and_then_only_what_is_new_counts(cli: Cli) -> None:
    assert cli(*CHECK).code == 1
    found = cli(*CHECK, "--write-baseline", "known.jsonl")
    assert found.code == 0
    assert "set aside: baseline" in found.out
    again = cli(*CHECK, "--baseline", "known.jsonl")
    assert (again.code, again.err) == (0, "")
    assert "amount-mismatch" in again.out
    Path("groundrules.toml").write_text('baseline = "known.jsonl"\n', "utf-8")
    assert cli(*CHECK).code == 0
    Path("answer.txt").write_text("The rent is $950 a month. The tenant is Bob Moss.", "utf-8")
    assert cli(*CHECK).code == 1
    Path("answer.txt").write_text("The rent is $900 a month.", "utf-8")
    found = cli(*CHECK)
    assert found.code == 0
    assert "of the baseline are no longer found; --write-baseline writes it anew" in found.err
    assert "exclude each other" in cli(
        *CHECK, "--baseline", "known.jsonl", "--write-baseline", "x"
    ).err  # fmt: skip


def test_what_a_person_decides_counts_and_is_logged(cli: Cli) -> None:
    data = report(cli)
    refuted = next(s for s in data["statements"] if s["outcome"] == "refuted")
    mark = refuted["fingerprint"]
    done = cli("override", mark, "--verdict", "supported", *BY, "--log", "audit.log")
    assert done == Result(0, f"{mark} counts as supported: see overrides.jsonl\n", "")
    found = cli(*CHECK, "--overrides", "overrides.jsonl")
    assert (found.code, found.err) == (0, "")
    assert "overridden to supported by Ann, 20" in found.out
    (told,) = events("override")
    assert (told["fingerprint"], told["why"], told["by"]) == (mark, BY[3], "Ann")
    data = report(cli, "--overrides", "overrides.jsonl")
    assert [one["outcome"] for one in data["overrides"]] == ["supported"]
    assert data["conforms"] is True


def test_the_place_that_a_report_shows_is_decided_on(cli: Cli) -> None:
    cli(*CHECK, "--output-format", "json", "-o", "report.json")
    refuted = next(s for s in report(cli)["statements"] if s["outcome"] == "refuted")
    (head, *_) = [line for line in cli(*CHECK).out.splitlines() if "-->" in line]
    place = head.split()[-1]
    decide = ("--report", "report.json", "--set-aside", *BY)

    done = cli("override", place, *decide)
    assert (done.code, done.err) == (0, "")
    assert refuted["text"] in done.out
    assert done.out.endswith(" is set aside: see overrides.jsonl\n")
    assert cli(*CHECK, "--overrides", "overrides.jsonl").code == 0
    for unknown in ("answer.txt:9:9", "0123456789abcdef", "0", "99"):
        found = cli("override", unknown, *decide)
        assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
        assert f"report.json: has no statement or finding '{unknown}'" in found.err
    number = str(refuted["number"] + 1)  # as the page shows it
    assert cli("override", number, *decide, "--file", "again.jsonl").out.startswith(done.out[:20])
    kept = [
        Path(f"{name}.jsonl").read_text("utf-8").splitlines() for name in ("overrides", "again")
    ]
    assert [json.loads(one)["fingerprint"] for (one,) in kept] == [refuted["fingerprint"]] * 2


def test_a_finding_is_set_aside_in_one_text(cli: Cli) -> None:
    marks = [one["fingerprint"] for one in report(cli)["violations"]]
    for mark in marks:
        cli("override", mark, "--set-aside", *BY, "--text", "elsewhere.txt")
    assert cli(*CHECK, "--overrides", "overrides.jsonl").code == 1
    for mark in marks:
        cli("override", mark, "--set-aside", *BY, "--text", "answer.txt", "--file", "here.jsonl")
    found = cli(*CHECK, "--overrides", "here.jsonl")
    assert f"{len(marks)} set aside" in found.out
    assert "error[" in found.out


def test_a_decision_on_nothing_is_noted(cli: Cli) -> None:
    cli("override", "0123456789abcdef", "--set-aside", *BY)
    found = cli(*CHECK, "--overrides", "overrides.jsonl")
    assert found.code == 1
    assert found.err == (
        "groundrules: note: no statement or finding has the fingerprint 0123456789abcdef, which "
        "Ann decided on\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("0123456789abcdef", "--verdict", "suported", *BY), "did you mean 'supported'?"),
        (("0123456789abcdef", "--verdict", "error", *BY), "'error' is not known"),
        (("0123456789abcdef", *BY), "expected either --verdict or --set-aside"),
        (("0123", "--set-aside", *BY), "'0123' is no fingerprint; expected 16 hexadecimal"),
        (("0123456789abcdef", "--set-aside", "--by", "Ann", "--why", " "), "--why is empty"),
        (("0123456789abcdef", "--set-aside", "--by", "", "--why", "x"), "--by is empty"),
        (("0123456789abcdef", "--set-aside", "--by", "Ann"), "--why"),
    ],
)
def test_a_decision_needs_an_outcome_a_reason_and_a_name(
    cli: Cli, arguments: tuple[str, ...], message: str
) -> None:
    found = cli("override", *arguments)
    assert found.code == 2
    assert message in found.err
    assert found.err.count("\n") == 1
    assert not Path("overrides.jsonl").exists()


def test_comments_in_a_text_count_only_where_asked_for(cli: Cli) -> None:
    text = "The rent is $950 a month. <!-- groundrules: ignore GR302,GR306: the annex says so -->\n"
    Path("answer.txt").write_text(text, "utf-8")
    assert cli(*CHECK).code == 1
    found = cli(*CHECK, "--inline-suppressions")
    assert found.code == 0
    assert "set aside in the text: the annex says so" in found.out
    Path("groundrules.toml").write_text("inline_suppressions = true\n", "utf-8")
    assert cli(*CHECK).code == 0
    assert cli(*CHECK, "--fix").code == 0
    assert Path("answer.txt").read_text("utf-8") == text  # what was set aside is not mended
