"""The command line as a whole: codes, streams, errors in one line, a fast start."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.cli import main as main_
from tests.cli.conftest import Outcome, Pipeline

Cli = Callable[..., Outcome]


def test_help_starts_with_examples(cli: Cli) -> None:
    found = cli("--help")

    assert found.code == 0
    assert found.out.startswith("examples:\n  groundrules check ")
    assert all(f"\n  {name} " in found.out for name in main_.COMMANDS)
    assert "2 not settled" in found.out


def test_no_command_shows_the_help(cli: Cli) -> None:
    assert cli().out == cli("help").out == cli("-h").out


@pytest.mark.parametrize("name", main_.COMMANDS)
def test_each_command_has_help_with_examples_and_tells_a_wrong_option_in_one_line(
    name: str, cli: Cli
) -> None:
    found = cli(name, "--help")

    assert found.code == 0
    assert found.out.startswith(f"examples:\n  groundrules {name}")
    assert found.out == cli("help", name).out
    odd = cli(name, "--no-such-option")
    assert (odd.code, odd.out, odd.err.count("\n")) == (2, "", 1)
    assert odd.err.startswith(f"groundrules: {name}: ")


def test_an_unexpected_fault_is_one_line_and_code_2(
    cli: Cli, pipeline: Pipeline, folder: Path
) -> None:
    pipeline.error = ZeroDivisionError("by\nzero")

    found = cli("check", "answer.txt")

    assert found == Outcome(
        2,
        "",
        "groundrules: internal error: ZeroDivisionError: by zero; please report it; "
        "--traceback shows where it arose\n",
    )


def test_traceback_lets_the_fault_through(cli: Cli, pipeline: Pipeline, folder: Path) -> None:
    pipeline.error = ZeroDivisionError()

    with pytest.raises(ZeroDivisionError):
        cli("check", "answer.txt", "--traceback")


def test_an_interrupt_is_130_and_silent(cli: Cli, pipeline: Pipeline, folder: Path) -> None:
    pipeline.error = KeyboardInterrupt()

    assert cli("check", "answer.txt") == Outcome(130, "", "")


def test_a_message_cannot_steer_the_terminal(cli: Cli) -> None:
    found = cli("\x1b[31m\nred")

    assert "\x1b" not in found.err
    assert found.err.count("\n") == 1


def test_a_reader_that_goes_away_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)

    found = subprocess.run(
        [sys.executable, "-m", "groundrules.cli.main", "--help"],
        stdout=writer, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(writer)

    assert (found.returncode, found.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")  # noqa: PTH110
@pytest.mark.parametrize(
    ("where", "said"),
    [
        (">/dev/full", b"groundrules: stdout: cannot write: No space left on device\n"),
        (">&-", b"groundrules: stdout is closed; expected somewhere to write to\n"),
        (">/dev/full 2>/dev/full", b""),
    ],
)
def test_where_stdout_takes_nothing_one_line_says_so(where: str, said: bytes) -> None:
    command = f"{sys.executable} -m groundrules --version {where}"
    found = subprocess.run(["/bin/sh", "-c", command], stderr=subprocess.PIPE, check=False)
    assert (found.returncode, found.stderr) == (2, said)


HEAVY = {"spacy", "onnxruntime", "torch", "numpy", "sklearn", "tqdm", "lxml", "eyecite"}
#: Commands in the order of what they import, each with what it does without.
LIGHT = {
    ("--help",): HEAVY | {"rdflib"},
    ("check", "--help"): HEAVY,
    ("config",): HEAVY,
    ("--version",): HEAVY,
    ("rule",): HEAVY,
    ("rule", "GR201"): HEAVY,
}


def test_a_light_command_imports_no_heavy_library() -> None:
    code = (
        "import sys; from groundrules.cli.main import main\n"
        f"for line in {list(map(list, LIGHT))!r}:\n"
        "    assert main(line) == 0; print(*sys.modules, file=sys.stderr)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    imported = found.stderr.splitlines()
    assert len(imported) == len(LIGHT)
    for (line, without), modules in zip(LIGHT.items(), imported, strict=True):
        assert without & set(modules.split()) == set(), line


def test_the_package_runs_as_the_command_does(cli: Cli) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "groundrules", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout == cli("--version").out


def test_version_names_packs_and_models(cli: Cli) -> None:
    lines = cli("--version").out.splitlines()

    assert lines[0].startswith("groundrules ")
    assert {line.split()[1] for line in lines if line.startswith("pack ")} == {"core", "values"}
