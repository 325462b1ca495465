"""`groundrules check`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from groundrules.errors import SourceError
from groundrules.explain.formats import json as json_format
from groundrules.explain.formats import text as text_format
from groundrules.terms import Outcome, Report, Severity, Statement
from tests.cli.conftest import Outcome as Result
from tests.cli.conftest import Pipeline
from tests.explain import cases

Cli = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("folder")


def lenient() -> Report:
    """The lease case with warnings only, and every statement supported."""
    report = cases.lease()
    keep = tuple(v for v in report.violations if v.severity is Severity.WARNING)
    return replace(report, violations=keep, statements=told(report, Outcome.SUPPORTED))


def told(report: Report, *outcomes: Outcome) -> tuple[Statement, ...]:
    """Return the statements of a report with these outcomes, the last for all that follow."""
    return tuple(
        replace(one, outcome=outcomes[min(number, len(outcomes) - 1)])
        for number, one in enumerate(report.statements)
    )


def test_the_report_is_on_stdout_and_nothing_on_stderr(cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "answer.txt", "--context", "lease.txt")

    assert found == Result(1, text_format.dumps(cases.lease()), "")
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
        "groundrules: GROUNDRULES_OUTPUT_FORMAT: 'jsn' is not known; expected text, full, "
        "concise, json, shacl; did you mean 'json'?\n"
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


@pytest.mark.parametrize(
    ("outcomes", "options", "code"),
    [
        ([Outcome.SUPPORTED], [], 0),
        ([Outcome.NOT_ENOUGH_INFO, Outcome.SUPPORTED], [], 0),
        ([Outcome.REFUTED, Outcome.SUPPORTED], [], 1),
        ([Outcome.REFUTED, Outcome.SUPPORTED], ["--exit-zero"], 0),
        ([Outcome.UNVERIFIABLE, Outcome.SUPPORTED], [], 2),
        ([Outcome.ERROR, Outcome.SUPPORTED], [], 2),
        ([Outcome.UNVERIFIABLE, Outcome.SUPPORTED], ["--exit-zero"], 0),
        ([Outcome.UNVERIFIABLE, Outcome.REFUTED], [], 1),
    ],
)
def test_what_conforms_is_0_what_fails_1_and_what_was_not_all_read_2(
    outcomes: list[Outcome], options: list[str], code: int, cli: Cli, pipeline: Pipeline
) -> None:
    report = replace(cases.lease(), violations=())
    pipeline.case = lambda: replace(report, statements=told(report, *outcomes))

    assert cli("check", "answer.txt", *options).code == code


def test_a_text_without_a_statement_is_not_all_read(cli: Cli, pipeline: Pipeline) -> None:
    pipeline.case = lambda: replace(cases.lease(), violations=(), statements=(), claims=())

    assert cli("check", "answer.txt").code == 2


def test_a_report_can_go_to_a_file(cli: Cli, pipeline: Pipeline, folder: Path) -> None:
    found = cli("check", "answer.txt", "-o", "report.txt")

    assert found == Result(1, "", "")
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


def test_options_say_when_a_statement_counts_as_supported(
    cli: Cli, pipeline: Pipeline, folder: Path
) -> None:
    (folder / "groundrules.toml").write_text(
        'threshold = 0.6\ncalibration = "theirs.json"\nnot_enough_info = "fail"\n', encoding="utf-8"
    )

    cli("check", "answer.txt")
    cli("check", "answer.txt", "--threshold", "0.75", "--calibration", "ours.json",
        "--not-enough-info", "pass")  # fmt: skip

    one, two = (call[2] for call in pipeline.calls)
    assert (one.threshold, one.calibration, one.policy) == (
        0.6,
        "theirs.json",
        ("not_enough_info",),
    )
    assert (two.threshold, two.calibration, two.policy) == (0.75, "ours.json", ())
    assert two.origin("not_enough_info") == "--not-enough-info"


@pytest.mark.parametrize("value", ["1.5", "-0.1", "nan", "much"])
def test_a_threshold_is_a_number_from_0_to_1(value: str, cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "answer.txt", f"--threshold={value}")

    assert found.code == 2
    assert f"{value!r} is not a number from 0 to 1" in found.err
    assert found.err.count("\n") == 1


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


def test_a_file_that_fails_leaves_the_reports_of_the_others(cli: Cli, pipeline: Pipeline) -> None:
    found = cli("check", "gone.txt", "answer.txt", "away.txt", "--output-format", "json")

    assert json.loads(found.out)["source"] == "answer.txt"
    assert found.code == 2
    lines = found.err.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["gone.txt", "away.txt"]
    assert cli("check", "gone.txt", "answer.txt", "--exit-zero").code == 2


def test_what_fails_for_every_file_is_told_once(cli: Cli, pipeline: Pipeline) -> None:
    pipeline.error = SourceError("no such file", path="context.txt")

    found = cli("check", "answer.txt", "lease.txt", "--context", "context.txt")

    assert found == Result(2, "", "groundrules: context.txt: no such file\n")
