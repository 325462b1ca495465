"""What README.md and the pages of `PAGES` show is what the commands print.

A line `[...]` stands for any lines that are left out. Times differ and are not compared.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundrules.cli.main import command, main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
#: Lines of two screens, pictures and all.
_TWO_SCREENS = 110
_SECONDS = re.compile(r"\b\d+\.\d+ s$", re.MULTILINE)
_GAP = re.compile(r"^\[\.\.\.\]\n", re.MULTILINE)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of the console blocks of a page, with what is shown of its output."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            yield line, shown


PAGES = [
    README,
    TOUR,
    *((ROOT / "docs" / "how-to" / name).read_text("utf-8") for name in ("not-settled.md",)),
]
COMMANDS = list(dict.fromkeys(found for page in PAGES for found in commands(page)))
#: Commands in blocks without a prompt, whose files are the reader's own.
INDENTED = [
    line.strip()
    for page in (README, TOUR)
    for line in re.findall(r"^    (groundrules .+)$", page, re.MULTILINE)
]
SHOWN = [(line, shown) for line, shown in COMMANDS if shown.strip()]


def differs(shown: str, printed: str) -> str:
    """Return the first line that is shown and not printed in its place, or nothing.

    What stands before the first gap begins the output, what stands after the last one ends it.
    """
    first, *rest = _GAP.split(_SECONDS.sub("S s", shown))
    printed = _SECONDS.sub("S s", printed)
    place = 0
    for number, part in enumerate([first, *rest]):
        ends = number == len(rest)
        found = len(printed) - len(part) if ends and number else printed.find(part, place)
        if found < place or printed[found:][: len(part)] != part or (found and not number):
            return next((line for line in part.splitlines() if line not in printed), part)
        place = found + len(part)
    return printed[place:]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store and its index, made by the commands that README.md has before the question."""
    folder = str(tmp_path_factory.mktemp("readme") / "records")
    for line, _ in COMMANDS:
        if line.startswith("groundrules kb "):
            assert main(shlex.split(line.replace("build/records", folder))[1:]) == 0
    return folder


@pytest.mark.parametrize(("line", "shown"), SHOWN, ids=[line for line, _ in SHOWN])
def test_a_command_prints_what_is_shown(
    line: str,
    shown: str,
    store: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    capsys.readouterr()

    program, *arguments = shlex.split(line.replace("build/records", store))
    code = main(arguments)

    printed = capsys.readouterr()
    assert program == "groundrules"
    assert code == (2 if "\nnot settled: " in printed.out else code & 1)
    if differs(shown, printed.err):  # `extract` says there what it rejects
        assert differs(shown, printed.out) == ""


@pytest.mark.parametrize("line", [*(line for line, _ in COMMANDS), *INDENTED])
def test_a_command_that_is_shown_can_be_given(line: str) -> None:
    program, *arguments = shlex.split(line)

    if program == "make":
        assert re.search(rf"^{arguments[0]}:", (ROOT / "Makefile").read_text("utf-8"), re.M)
    elif program == ".":  # the environment that `make demo` has made
        assert (ROOT / arguments[0]).parts[-3:] == (".venv", "bin", "activate")
    elif program == "groundrules":
        command(arguments[0]).parser().parse(arguments[1:])
    else:
        assert program == "pip"


def test_the_python_that_is_shown_says_what_its_remarks_say(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", TOUR, re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    # the last lines are about files of the reader's
    exec(block.partition("\n\nreport = check(Path")[0], names)

    remarks = re.findall(r"^(\S+)  # (.+)$", block, re.MULTILINE)
    assert remarks
    for expression, remark in remarks:
        assert str(eval(expression, names)) == remark
    assert capsys.readouterr().out.startswith("refuted The rent is $5,000 a month.\nGR302 error ")


def test_the_readme_fits_on_two_screens() -> None:
    assert len(README.splitlines()) <= _TWO_SCREENS


@pytest.mark.parametrize(
    ("shown", "fits"),
    [
        ("a\nb\nc\n9.99 s\n", True),
        ("a\n[...]\nc\n1.00 s\n", True),
        ("[...]\nb\n[...]\n", True),
        ("b\nc\n2.00 s\n", False),
        ("a\n[...]\nc\n", False),
        ("[...]\nc\n[...]\nb\n[...]\n", False),
    ],
)
def test_what_is_left_out_is_marked(shown: str, fits: bool) -> None:
    assert (differs(shown, "a\nb\nc\n0.12 s\n") == "") is fits
