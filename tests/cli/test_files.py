"""Files written whole or not at all, and never over what a check reads."""

from __future__ import annotations

import os
import stat
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from groundrules.claims.documents.document import Document
from groundrules.cli import terminal as files
from groundrules.errors import SourceError
from groundrules.explain import repair
from groundrules.terms import Report
from tests.cli.conftest import Outcome as Result
from tests.cli.conftest import Pipeline

Cli = Callable[..., Result]


@pytest.mark.parametrize("output", ["answer.txt", "./lease.txt", "link.txt", "groundrules.toml"])
@pytest.mark.parametrize("form", ["json", "diff"])
def test_a_report_is_never_written_over_what_it_is_made_from(
    output: str, form: str, cli: Cli, pipeline: Pipeline, folder: Path
) -> None:
    (folder / "link.txt").symlink_to(folder / "lease.txt")
    (folder / "groundrules.toml").write_text("settled = 0.5\n", encoding="utf-8")
    before = Path(output).read_bytes()

    found = cli("check", "answer.txt", "--context", "lease.txt", "--config", "groundrules.toml",
                "-o", output, *(["--diff"] if form == "diff" else []))  # fmt: skip

    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"groundrules: {output}: is read by this command")
    assert found.err.count("\n") == 1
    assert Path(output).read_bytes() == before
    assert not pipeline.calls, "it is told before anything is checked"


def test_a_report_may_be_written_over_an_old_one(
    cli: Cli, pipeline: Pipeline, folder: Path
) -> None:
    path = folder / "report.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o604)

    cli("check", "answer.txt", "-o", "report.txt")

    assert path.read_text(encoding="utf-8") != "old"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_a_crash_leaves_the_old_report(
    cli: Cli, pipeline: Pipeline, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "report.txt").write_text("old", encoding="utf-8")

    def killed(old: str, new: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", killed)
    found = cli("check", "answer.txt", "-o", "report.txt")

    assert found == Result(
        2, "", "groundrules: report.txt: cannot write: No space left on device\n"
    )
    assert (folder / "report.txt").read_text(encoding="utf-8") == "old"
    assert {p.name for p in folder.iterdir()} == {"answer.txt", "lease.txt", "report.txt"}


def test_a_new_file_has_the_mode_that_others_have(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    files.write_atomically(tmp_path / "new", b"x")

    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_what_is_no_regular_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    files.write_atomically(Path(os.devnull), b"x")

    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)  # noqa: PTH116


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_text_takes_the_place_of_the_one_that_was_read(codec: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("é 1\r\nb\rc\n".encode(codec))

    files.write_over(str(path), "é 1\r\nb\rc\n", "é 2\r\nb\rc\n")

    assert path.read_bytes() == "é 2\r\nb\rc\n".encode(codec)


def test_utf_16_of_the_other_byte_order_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xfe\xff" + "1\r\n".encode("utf-16-be"))

    files.write_over(str(path), "1\r\n", "2\r\n")

    assert path.read_bytes() == b"\xfe\xff\x002\x00\r\x00\n"


@pytest.mark.parametrize("now", [b"a", b"ab\n", b"", "a\n".encode("utf-16")])
def test_another_text_is_not_written_over(now: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(now)

    with pytest.raises(SourceError, match="has changed since it was read"):
        files.write_over(str(path), "b", "c")
    assert path.read_bytes() == now


def test_a_file_that_is_gone_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"a\.txt: cannot write: No such file or directory"):
        files.write_over(str(tmp_path / "a.txt"), "b", "c")


@pytest.mark.parametrize(
    "line",
    [
        ("extract", "answer.txt", "--schema", "schema.json", "-o", "answer.txt"),
        ("extract", "answer.txt", "--schema", "schema.json", "-o", "schema.json"),
        ("extract", "answer.txt", "--schema", "schema.json", "--answers", "rows.jsonl",
         "-o", "rows.jsonl"),
        ("eval", "rows.jsonl", "-o", "rows.jsonl"),
        ("score-models", "rows.jsonl", "-o", "rows.jsonl"),
        ("check", "answer.txt", "--kb", "wikidata", "--snapshot", "answer.txt"),
        ("check", "answer.txt", "-o", "groundrules.toml"),
        ("check", "answer.txt", "-o", "names.sqlite"),
        ("eval", "rows.jsonl", "-o", "groundrules.toml"),
    ],
)  # fmt: skip
def test_no_command_writes_over_what_it_was_given(
    line: tuple[str, ...], cli: Cli, folder: Path
) -> None:
    for name, text in (("schema.json", "{}"), ("rows.jsonl", "{}"), ("names.sqlite", ""),
                       ("groundrules.toml", "names = 'names.sqlite'\n")):  # fmt: skip
        (folder / name).write_text(text, encoding="utf-8")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    found = cli(*line)

    assert (found.code, found.out) == (2, "")
    assert "is read by this command" in found.err
    assert found.err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_fault_of_ours_in_one_text_leaves_the_reports_of_the_others(
    cli: Cli, pipeline: Pipeline, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "b.txt").write_text("deep", encoding="utf-8")
    check = pipeline.check

    def deep(source: Document, **given: object) -> Report:
        if source.name == "b.txt":
            raise RecursionError("too deep")
        return check(source, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(sys.modules["groundrules.api"], "check", deep)
    found = cli("check", "answer.txt", "b.txt", "lease.txt", "-o", "report.txt")

    assert found.code == 2
    assert found.err.startswith("groundrules: internal error: RecursionError: too deep;")
    written = (folder / "report.txt").read_text(encoding="utf-8")
    assert "answer.txt" in written
    assert written.count("statement") >= 2


STEERING = "\x1b[2J \x9b31m \u202e \u2066 \x07 \x7f"


def test_a_diff_on_stdout_cannot_steer_a_terminal_and_a_file_has_it_to_the_byte(
    cli: Cli, pipeline: Pipeline, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, text = "a\x1b[2J.txt", f"one\ttwo\r\n{STEERING}\r\nthe 1 April\r\n"
    (folder / name).write_text(text, encoding="utf-8", newline="")
    new = text.replace("1 April", "1 May")
    monkeypatch.setattr(repair, "fix", lambda old, *_, **__: (replace(old, text=new), 1))

    shown = cli("check", name, "--diff")
    kept = cli("check", name, "--diff", "-o", "patch")

    assert (shown.code, kept.code, kept.out) == (1, 1, "")
    steering = [c for c in shown.out if unicodedata.category(c) in ("Cc", "Cf")]
    assert set(steering) == set("\t\r\n")
    assert "-the 1 April\r\n+the 1 May\r\n" in shown.out
    patch = (folder / "patch").read_bytes().decode()
    assert f"{STEERING}\r\n" in patch
    assert patch.count("\n") == shown.out.count("\n")


@pytest.mark.parametrize("form", ["text", "full", "concise", "json", "turtle", "trig", "jsonld"])
def test_no_report_on_stdout_can_steer_a_terminal(
    form: str, cli: Cli, pipeline: Pipeline, folder: Path
) -> None:
    report = pipeline.case()
    pipeline.case = lambda: replace(
        report,
        labels={node: f"{label}{STEERING}" for node, label in report.labels.items()},
        violations=tuple(
            replace(one, message=f"{one.message} {STEERING}") for one in report.violations
        ),
    )

    found = cli("check", "answer.txt", "--output-format", form)

    assert found.code == 1
    assert {c for c in found.out if unicodedata.category(c) in ("Cc", "Cf")} == {"\n"}
