"""`groundrules check --fix`: only what was read again is written, and nothing is lost."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from groundrules.claims.documents.document import Document
from groundrules.terms import Outcome, Report, Violation
from tests.cli.conftest import Outcome as Result
from tests.cli.conftest import Pipeline
from tests.explain import cases

Cli = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("folder")

OLD, NEW = "1 April 2021", "1 March 2021"


def supported() -> Report:
    """The lease case with all of its statements supported, as what is left after a fix."""
    report = cases.lease()
    return replace(
        report, statements=tuple(replace(s, outcome=Outcome.SUPPORTED) for s in report.statements)
    )


@pytest.fixture(autouse=True)
def _supported(pipeline: Pipeline) -> None:
    pipeline.case = supported


def test_a_fix_changes_the_file_and_reports_what_is_left(cli: Cli, folder: Path) -> None:
    found = cli("check", "answer.txt", "--fix")

    written = (folder / "answer.txt").read_bytes().decode("utf-8")
    assert f"commences on {NEW}.\r\n" in written
    assert "The Landlord shall pay the Tenant" in written
    assert "The Guarantor waives" in written
    assert "not assign" not in written
    assert found.code == 0
    assert "0 errors" in found.out


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (b"", "utf-8"),
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\x00\x00\xfe\xff", "utf-32-be"),
    ],
)
def test_a_fix_keeps_mark_byte_order_and_line_ends(
    mark: bytes, codec: str, cli: Cli, folder: Path
) -> None:
    path = folder / "answer.txt"
    path.write_bytes(mark + supported().text.encode(codec))

    cli("check", "answer.txt", "--fix")

    data = path.read_bytes()
    assert data.startswith(mark)
    text = data[len(mark) :].decode(codec)
    assert f"{NEW}.\r\n" in text
    assert text.count("\r\n") == supported().text.count("\r\n")
    assert "\ufeff" not in text


def test_a_fix_keeps_the_mode_and_the_link(cli: Cli, folder: Path) -> None:
    path = folder / "answer.txt"
    path.chmod(0o640)
    (folder / "link.txt").symlink_to(path)

    cli("check", "link.txt", "--fix")

    assert (folder / "link.txt").is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert NEW in path.read_text(encoding="utf-8")


def test_a_file_that_changed_since_it_was_read_is_left_alone(
    cli: Cli, pipeline: Pipeline, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, check = folder / "answer.txt", pipeline.check

    def slow(source: Document, **given: object) -> Report:
        report = check(source, **given)  # type: ignore[arg-type]
        path.write_text(supported().text + "Added meanwhile.\n", encoding="utf-8", newline="")
        return report

    monkeypatch.setattr(sys.modules["groundrules.api"], "check", slow)
    found = cli("check", "answer.txt", "--fix")

    assert found == Result(
        2, "", "groundrules: answer.txt: has changed since it was read; expected no other change\n"
    )
    assert path.read_text(encoding="utf-8").endswith("Added meanwhile.\n")
    assert OLD in path.read_text(encoding="utf-8")


def test_a_crash_before_the_file_is_replaced_leaves_the_old_one(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "answer.txt"
    before, names = path.read_bytes(), sorted(folder.iterdir())

    def killed(old: str, new: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)

    assert cli("check", "answer.txt", "--fix").code == 130
    assert path.read_bytes() == before
    assert sorted(folder.iterdir()) == names, "no temporary file is left"


def test_a_folder_that_cannot_be_written_is_one_line(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (folder / "answer.txt").read_bytes()

    def refused(**given: object) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")  # as root is not

    monkeypatch.setattr("tempfile.mkstemp", refused)
    found = cli("check", "answer.txt", "--fix")

    assert found == Result(2, "", "groundrules: answer.txt: cannot write: Permission denied\n")
    assert (folder / "answer.txt").read_bytes() == before


def test_a_fix_that_fails_leaves_the_reports_of_the_others(cli: Cli, folder: Path) -> None:
    (folder / "a.html").write_text(f"<p>The term commences on {OLD}.</p>", encoding="utf-8")

    found = cli("check", "a.html", "answer.txt", "--fix")

    assert found.code == 2
    assert found.err.endswith("groundrules: a.html: cannot rewrite html; expected txt and md\n")
    assert found.err.startswith("answer.txt: wrote “March” in place of “April”")
    assert "0 errors" in found.out
    assert NEW in (folder / "answer.txt").read_text(encoding="utf-8")


def test_a_fix_of_what_is_no_plain_text_is_refused(cli: Cli, folder: Path) -> None:
    (folder / "a.html").write_text("<p>The term commences on 1 April 2021.</p>", encoding="utf-8")

    found = cli("check", "a.html", "--fix")

    assert found == Result(2, "", "groundrules: a.html: cannot rewrite html; expected txt and md\n")


@pytest.mark.parametrize("options", [[], ["--unsafe-fixes"]])
def test_an_edit_that_is_only_shown_is_never_made(
    options: list[str], cli: Cli, pipeline: Pipeline, folder: Path
) -> None:
    def shown(violation: Violation) -> Violation:
        edit = violation.edit
        return replace(violation, edit=edit and replace(edit, applicability="display"))

    before = supported()
    pipeline.case = lambda: replace(before, violations=tuple(map(shown, before.violations)))

    cli("check", "answer.txt", "--fix", *options)

    assert (folder / "answer.txt").read_bytes().decode("utf-8") == before.text


def test_sentences_are_removed_where_that_is_asked_for(cli: Cli, folder: Path) -> None:
    cli("check", "answer.txt", "--fix", "--unsafe-fixes")

    assert "Guarantor" not in (folder / "answer.txt").read_text(encoding="utf-8")


def test_a_fix_of_stdin_goes_to_stdout(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(supported().text.encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stream)

    found = cli("check", "-", "--stdin-name", "answer.txt", "--fix")

    assert found.out.startswith("Harbor Books Inc. is the Tenant.\n")
    assert NEW in found.out
