"""What README.md and the pages of docs show in blocks of `console` is what is printed.

A line `[...]` stands for any lines that are left out. Times differ and are not compared.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundrules.cli.main import command, main
from tests.rows import each

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
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


#: Each page that shows what is printed, by its name.
PAGES = {
    path.stem: text
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if (text := path.read_text("utf-8")).count("```console\n")
}
COMMANDS = dict.fromkeys(line for page in PAGES.values() for line, _ in commands(page))
#: A block: the name of the file that it is saved as, its language, its text.
_BLOCK = re.compile(r"(?:`(\S+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


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


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_is_followed_prints_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(ROOT / "examples")
    for name, language, text in _BLOCK.findall(PAGES[page]):
        if name:
            Path(name).write_text(text, encoding="utf-8")
        for line, shown in commands(f"```{language}\n{text}```\n"):
            program, *arguments = shlex.split(line)
            capsys.readouterr()
            if program == "python":
                exec(Path(arguments[0]).read_text("utf-8"), {})
            elif program == "groundrules":
                main(arguments)
            printed = capsys.readouterr()
            if shown and differs(shown, printed.err):  # `extract` says there what it rejects
                assert differs(shown, printed.out) == "", line


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_that_is_shown_can_be_given(line: str) -> None:
    program, *arguments = shlex.split(line)

    if program == "make":
        assert re.search(rf"^{arguments[0]}:", (ROOT / "Makefile").read_text("utf-8"), re.M)
    elif program == "groundrules":
        command(arguments[0]).parser().parse(arguments[1:])
    else:  # the environment that `make demo` has made; a file of the page
        assert line in (". .venv/bin/activate", "python try.py")


def test_the_readme_fits_on_two_screens() -> None:
    assert len(README.splitlines()) <= _TWO_SCREENS


@each("shown fits")
def test_what_is_left_out_is_marked(shown: str, fits: bool) -> None:
    assert (differs(shown, "a\nb\nc\n0.12 s\n") == "") is fits
