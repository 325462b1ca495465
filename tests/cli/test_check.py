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
from tests.rows import each

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


def test_the_environment_names_the_format(
    cli: Cli, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_OUTPUT_FORMAT", "json")
    assert cli("check", "answer.txt").out.startswith("{")
    assert cli("check", "answer.txt", "--output-format", "text").out.startswith("error")
    assert cli("check", "answer.txt", "--output-format", "turtle").out.startswith("@prefix")

    monkeypatch.setenv("GROUNDRULES_OUTPUT_FORMAT", "jsn")
    assert cli("check", "answer.txt").err == (
        "groundrules: GROUNDRULES_OUTPUT_FORMAT: 'jsn' is not known; expected text, full, "
        "concise, html, markdown, json, jsonl, sarif, junit, github, turtle, "
        "trig, jsonld; did you mean 'json'?\n"
    )


@each("options code")
def test_the_fail_level_decides_the_code(
    options: list[str], code: int, cli: Cli, pipeline: Pipeline
) -> None:
    pipeline.case = lenient

    found = cli("check", "answer.txt", *options)
    assert found.code == code
    assert ("fails, as" in found.err) == bool(code)
    assert ("the text does not pass, as 1 finding reaches" in found.out) == bool(options)


@each("outcomes options code")
def test_what_conforms_is_0_what_fails_1_and_what_is_not_settled_or_not_all_read_2(
    outcomes: list[str], options: list[str], code: int, cli: Cli, pipeline: Pipeline
) -> None:
    report = replace(cases.lease(), violations=())
    pipeline.case = lambda: replace(report, statements=told(report, *map(Outcome, outcomes)))

    assert cli("check", "answer.txt", *options).code == code


def test_a_text_without_a_statement_is_not_all_read(cli: Cli, pipeline: Pipeline) -> None:
    pipeline.case = lambda: replace(cases.lease(), violations=(), statements=(), claims=())

    assert cli("check", "answer.txt").code == 2


def test_a_report_can_go_to_a_file(cli: Cli, pipeline: Pipeline, folder: Path) -> None:
    found = cli("check", "answer.txt", "-o", "report.txt")

    assert found == Result(1, "", "")
    written = (folder / "report.txt").read_text(encoding="utf-8")
    assert written == text_format.dumps(cases.lease())


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

    cli("check", "answer.txt", "--select", "GR201,GR1", "--disable", "GR101")
    cli("check", "answer.txt")
    cli("check", "answer.txt", "--isolated", "--model", "en_core_web_lg")

    one, two, three = (call[2] for call in pipeline.calls)
    assert (one.select, one.disable, one.model) == (("GR201", "GR1"), ("GR101",), "x")
    assert one.origin("select") == "--select"
    assert two.select == ("GR3",)
    assert (three.select, three.model) == ((), "en_core_web_lg")


def test_options_say_what_passes(cli: Cli, pipeline: Pipeline, folder: Path) -> None:
    (folder / "groundrules.toml").write_text(
        'not_enough_info = "fail"\nsettled = 0.9\n',
        encoding="utf-8",
    )

    cli("check", "answer.txt")
    cli("check", "answer.txt", "--not-enough-info", "pass", "--settled", "0.2")

    one, two = (call[2] for call in pipeline.calls)
    assert (one.policy, two.policy) == (("not_enough_info",), ())
    assert two.origin("not_enough_info") == "--not-enough-info"
    assert (one.settled, two.settled, two.origin("settled")) == (0.9, 0.2, "--settled")


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


@pytest.fixture
def named(folder: Path) -> Path:
    """The folder with a table that names the lease for texts in two places."""
    (folder / "groundrules.toml").write_text(
        '[context]\n"answer*.txt" = ["lease.txt"]\n"more/**/*.txt" = ["lease.txt", "more/*.md"]\n'
    )
    (folder / "more").mkdir()
    for name in ("more/b.txt", "more/annex.md", "other.txt"):
        (folder / name).write_text("The rent is $4,850.")
    return folder


def asked(pipeline: Pipeline) -> list[tuple[str, list[str]]]:
    """Return what was checked, each with its context."""
    return [(text.name, list(map(str, context))) for text, context, _ in pipeline.calls]


def test_each_text_is_checked_against_the_documents_that_the_config_names_for_it(
    cli: Cli, pipeline: Pipeline, named: Path
) -> None:
    cli("check", "answer.txt", "more/b.txt", "other.txt")

    assert asked(pipeline) == [
        ("answer.txt", ["lease.txt"]),
        ("more/b.txt", ["lease.txt", "more/annex.md"]),
        ("other.txt", []),
    ]


def test_a_context_that_is_given_goes_before_those_of_the_config(
    cli: Cli, pipeline: Pipeline, named: Path
) -> None:
    cli("check", "more/b.txt", "--context", "other.txt")

    assert asked(pipeline) == [("more/b.txt", ["other.txt"])]


def test_from_another_folder_the_names_are_those_from_there(
    cli: Cli, pipeline: Pipeline, named: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(named / "more")
    cli("check", "b.txt")
    cli("check", "--changed", "../lease.txt")

    assert asked(pipeline) == [
        ("b.txt", ["../lease.txt", "annex.md"]),
        ("../answer.txt", ["../lease.txt"]),
        ("b.txt", ["../lease.txt", "annex.md"]),
    ]


@each("changed checked")
def test_of_changed_files_the_texts_that_they_concern_are_checked(
    cli: Cli, pipeline: Pipeline, named: Path, changed: list[str], checked: list[str]
) -> None:
    found = cli("check", "--changed", *changed)

    assert [name for name, _ in asked(pipeline)] == checked
    assert found.err == ""
    if not checked:
        assert (found.code, found.out) == (0, "")


def test_a_rule_is_selected_by_the_name_that_is_printed(cli: Cli, folder: Path) -> None:
    by_id = cli("check", "answer.txt", "--context", "lease.txt", "--select", "GR301")
    by_name = cli("check", "answer.txt", "--context", "lease.txt", "--select", "date-mismatch")

    assert "GR301" in by_name.out
    assert by_name.out.splitlines()[:-1] == by_id.out.splitlines()[:-1]  # but for the seconds
