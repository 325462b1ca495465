"""architecture.md: the map of the packages, and the walks that a text takes through them."""

from __future__ import annotations

import functools
import inspect
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from groundrules.align import alignments
from groundrules.checks import extractions, kb
from groundrules.cli.main import main
from tools import architecture
from tools.architecture import Map

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
_NAME = re.compile(r"`([a-z_]+(?:\.\w+)+)`")


@functools.cache
def the_map() -> Map:
    return architecture.read_map(ROOT)


def walk(title: str) -> str:
    """Return what the page says under a heading."""
    return PAGE.partition(f"### {title}\n")[2].partition("\n#")[0]


def steps(title: str) -> list[str]:
    """Return the functions that the numbered lines of a walk name, in their order."""
    lines = re.findall(r"^\d+\. (.+)$", walk(title), re.MULTILINE)
    return [name for line in lines for name in _NAME.findall(line)]


def function(name: str) -> Callable[..., Any]:
    """Return the function or method of a dotted name under groundrules."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            module = import_module(".".join(["groundrules", *parts[:end]]))
        except ModuleNotFoundError:
            continue
        return inspect.unwrap(functools.reduce(getattr, parts[end:], module))
    raise LookupError(name)


def calls(names: Sequence[str], *arguments: str) -> Iterator[str]:
    """Yield which of some functions a command calls, each time that it does."""
    code: dict[CodeType, str] = {function(name).__code__: name for name in names}
    found: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in code:
            found.append(code[frame.f_code])

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        main([*arguments])
    finally:
        sys.setprofile(before)
    yield from found


def follow(title: str, *arguments: str) -> None:
    """Assert that a command first calls the functions of a walk in their order.

    One that is named again is called again after those before it.
    """
    names = steps(title)
    assert len(names) > 10
    for kept in (alignments._of_texts, extractions.parsed, extractions._part, kb._open):
        kept.cache_clear()  # of another test that has checked the same
    called = list(calls(names, *arguments))
    assert list(dict.fromkeys(called)) == list(dict.fromkeys(names))
    rest = iter(called)
    for number, name in enumerate(names):
        assert name in rest, f"{name} is not called after {names[:number]}"


@pytest.mark.parametrize("title", ["A text against documents", "A text against a knowledge base"])
def test_a_text_takes_the_steps_of_its_walk(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = re.findall(r"^`groundrules (.+)`$", walk(title), re.MULTILINE)
    monkeypatch.chdir(ROOT)

    follow(title, *shlex.split(command), "--isolated")


def test_a_question_over_records_takes_the_steps_of_its_walk(tmp_path: Path) -> None:
    store = str(tmp_path / "records")
    assert (
        main(["kb", "build", str(ROOT / "examples" / "records" / "patents.xml"), "-o", store]) == 0
    )
    assert main(["kb", "index", store, "--texts"]) == 0

    question = "When was US 9,800,001 granted?"
    follow("A question over records", "ask", question, "--kb", store, "--isolated")


@pytest.mark.parametrize("name", sorted(set(_NAME.findall(PAGE.partition("## The packages")[0]))))
def test_every_function_that_the_page_names_is_there(name: str) -> None:
    assert callable(function(name))


def test_every_room_is_on_the_map_once_and_imports_only_from_below() -> None:
    rooms = {room.name: room for room in the_map().rooms}
    package = ROOT / "groundrules"
    found = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    found |= {path.parent.name for path in package.glob("*/__init__.py")}

    assert rooms.keys() == found
    assert len(the_map().rooms) == len(found)
    for room in rooms.values():
        assert all(rooms[name].layer < room.layer for name in room.imports)
