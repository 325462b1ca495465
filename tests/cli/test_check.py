"""`groundrules check`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from groundrules.explain.formats import json as json_format
from groundrules.explain.formats import text as text_format
from groundrules.terms import Report, Severity
from tests.cli.conftest import Outcome, Pipeline
from tests.explain import cases

Cli = Callable[..., Outcome]
pytestmark = pytest.mark.usefixtures("folder")


def lenient() -> Report:
    """The lease case with warnings only."""
    report = cases.lease()
    keep = tuple(v for v in report.violations if v.severity is Severity.WARNING)
    return replace(report, violations=keep)


def test_the_report_is_on_stdout_and_nothing_on_stderr(cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "answer.txt", "--context", "lease.txt")

    assert found == Outcome(1, text_format.dumps(cases.lease()), "")
    ((document, context, _),) = pipeline.calls
    assert document.name == "answer.txt"
    assert context == [Path("lease.txt")]


def test_json_is_the_whole_report(cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "answer.txt", "--output-format", "json")

    assert json_format.loads(found.out) == cases.lease()


def test_several_files_make_an_array(cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "answer.txt", "lease.txt", "--output-format", "json")

    assert [one["source"] for one in json.loads(found.out)] == ["answer.txt", "lease.txt"]


def test_the_environment_names_the_format(
    cli: Cli, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_OUTPUT_FORMAT", "json")
    assert cli("check", "answer.txt").out.startswith("{")
    assert cli("check", "answer.txt", "--output-format", "text").out.startswith("error")
    assert cli("check", "answer.txt", "--output-format", "shacl").out.startswith("@prefix dash:")

    monkeypatch.setenv("GROUNDRULES_OUTPUT_FORMAT", "jsn")
    assert cli("check", "answer.txt").err == (
        "groundrules: GROUNDRULES_OUTPUT_FORMAT: 'jsn' is not known; expected text, json, "
        "shacl; did you mean 'json'?\n"
    )


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 0),
        (["--fail-level", "warning"], 1),
        (["--fail-level", "info"], 1),
        (["--fail-level", "warning", "--exit-zero"], 0),
    ],
)
def test_the_fail_level_decides_the_code(
    options: list[str], code: int, cli: Cli, pipeline: Pipeline
) -> None:
    pipeline.case = lenient

    assert cli("check", "answer.txt", *options).code == code


def test_a_report_can_go_to_a_file(cli: Cli, pipeline: Pipeline, folder: Path) -> None:
    found = cli("check", "answer.txt", "-o", "report.txt")

    assert found == Outcome(1, "", "")
    written = (folder / "report.txt").read_text(encoding="utf-8")
    assert written == text_format.dumps(cases.lease())


def test_a_file_that_cannot_be_written_is_one_line(cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "answer.txt", "-o", "no/such/folder")

    assert (found.code, found.err) == (
        2,
        "groundrules: no/such/folder: cannot write: No such file or directory\n",
    )


def test_colour_is_asked_for_or_never(
    cli: Cli, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b[" in cli("check", "answer.txt", "--color", "always").out
    assert "\x1b[" not in cli("check", "answer.txt").out
    assert "\x1b[" not in cli("check", "answer.txt", "--color", "never").out


def test_statistics_follow_the_figures(cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "answer.txt", "--statistics")

    assert found.out == text_format.dumps(cases.lease(), statistics=True)


def test_a_diff_changes_nothing(cli: Cli, pipeline: Pipeline, folder: Path) -> None:
    before = (folder / "answer.txt").read_bytes()

    found = cli("check", "answer.txt", "--diff")

    assert found.code == 1
    assert "+The term commences on 1 March 2021.\r\n" in found.out
    assert "--- answer.txt\n+++ answer.txt\n" in found.out
    assert (folder / "answer.txt").read_bytes() == before


def test_a_fix_changes_the_file_and_reports_what_is_left(
    cli: Cli, pipeline: Pipeline, folder: Path
) -> None:
    found = cli("check", "answer.txt", "--fix")

    written = (folder / "answer.txt").read_bytes().decode("utf-8")
    assert "commences on 1 March 2021.\r\n" in written
    assert "The Tenant shall not assign the lease. The Landlord shall pay the Tenant" in written
    assert "The Guarantor waives" in written
    assert found.code == 0
    assert "0 errors" in found.out


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_fix_keeps_the_encoding(
    encoding: str, cli: Cli, pipeline: Pipeline, folder: Path
) -> None:
    path = folder / "answer.txt"
    path.write_bytes(cases.lease().text.encode(encoding))

    cli("check", "answer.txt", "--fix")

    assert "1 March 2021.\r\n" in path.read_bytes().decode(encoding)


def test_a_fix_of_what_is_no_plain_text_is_refused(
    cli: Cli, pipeline: Pipeline, folder: Path
) -> None:
    (folder / "a.html").write_text("<p>The term commences on 1 April 2021.</p>", encoding="utf-8")

    found = cli("check", "a.html", "--fix")

    assert found == Outcome(
        2, "", "groundrules: a.html: cannot rewrite html; expected txt and md\n"
    )


def test_an_unsafe_fix_is_asked_for(cli: Cli, pipeline: Pipeline, folder: Path) -> None:
    cli("check", "answer.txt", "--fix", "--unsafe-fixes")

    assert "Guarantor" not in (folder / "answer.txt").read_text(encoding="utf-8")


def stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stream)


def test_stdin_has_the_name_it_is_given(
    cli: Cli, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin(monkeypatch, "A text.")

    cli("check", "-", "--stdin-name", "brief.txt")

    assert [call[0].name for call in pipeline.calls] == ["brief.txt"]
    assert pipeline.calls[0][0].text == "A text."


def test_a_fix_of_stdin_goes_to_stdout(
    cli: Cli, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin(monkeypatch, cases.lease().text)

    found = cli("check", "-", "--stdin-name", "answer.txt", "--fix")

    assert found.out.startswith("Harbor Books Inc. is the Tenant.\n")
    assert "1 March 2021" in found.out


def test_options_beat_the_config(cli: Cli, pipeline: Pipeline, folder: Path) -> None:
    (folder / "groundrules.toml").write_text('select = ["GR3"]\nmodel = "x"\n', encoding="utf-8")

    cli("check", "answer.txt", "--select", "GR201,GR1", "--ignore", "GR101")
    cli("check", "answer.txt")
    cli("check", "answer.txt", "--isolated", "--model", "en_core_web_lg")

    one, two, three = (call[2] for call in pipeline.calls)
    assert (one.select, one.ignore, one.model) == (("GR201", "GR1"), ("GR101",), "x")
    assert one.origin("select") == "--select"
    assert two.select == ("GR3",)
    assert (three.select, three.model) == ((), "en_core_web_lg")


def test_a_rule_that_does_not_exist_cannot_be_selected(cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "answer.txt", "--select", "GR210X")

    assert found.code == 2
    assert found.err.startswith("groundrules: --select: no rule starts with 'GR210X'")
    assert "did you mean 'GR" in found.err


def test_a_missing_file_is_one_line(cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "gone.txt")

    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("groundrules: gone.txt")
    assert found.err.count("\n") == 1
