"""`groundrules label` on a terminal: answers, what is kept after each, going on after a kill."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundrules.cli.labelled import label
from groundrules.cli.labelled.label import line, mend, show, walk
from groundrules.cli.terminal import plain
from groundrules.models.labels import read_row, read_rows
from tests.cli.conftest import Outcome

pty = pytest.importorskip("pty")

ROWS = [
    {"premise": f"This deed is governed by the laws of {state}.", "type": "Governing law",
     "value": state, "doc_id": state}
    for state in ("Ohio", "Utah", "Iowa")
]  # fmt: skip


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


class Terminal:
    """`groundrules label` in a pseudo-terminal."""

    def __init__(self, rows: Path) -> None:
        self.shown = ""
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            command = [sys.executable, "-m", "groundrules.cli.main", "label", str(rows)]
            os.execve(sys.executable, command, {**os.environ, "TERM": "xterm"})

    def expect(self, text: str) -> None:
        """Wait until a text is shown after what was waited for before."""
        ends = time.monotonic() + 60
        while text not in self.shown:
            assert time.monotonic() < ends, f"no {text!r} in {self.shown!r}"
            if select.select([self.terminal], [], [], 1)[0]:
                try:
                    self.shown += os.read(self.terminal, 65536).decode()
                except OSError:  # the end, on Linux
                    assert text in self.shown, f"no {text!r} in {self.shown!r}"
        self.shown = self.shown.split(text, 1)[1]

    def press(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def code(self) -> int:
        """Wait for the end and return the exit code, negative for a signal."""
        status = os.waitpid(self.child, 0)[1]
        self.child = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            self.code()
        os.close(self.terminal)


@pytest.fixture
def terminal() -> Iterator[Callable[[Path], Terminal]]:
    made: list[Terminal] = []

    def start(rows: Path) -> Terminal:
        made.append(Terminal(rows))
        return made[-1]

    yield start
    for one in made:
        one.close()


def kept(rows: Path) -> list[tuple[str, int | None]]:
    """What the file of labels has, every line of it."""
    path = rows.with_suffix(".labels.jsonl")
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [(row["value"], row["label"]) for row in found]


def test_each_answer_does_what_it_says(rows: Path, terminal: Callable[[Path], Terminal]) -> None:
    session = terminal(rows)
    session.expect("1 of 3")
    session.expect("[[Ohio]]")
    session.press("x?\n\nyes\n")  # other answers do nothing
    session.expect("2 of 3")
    session.press("n\n")
    session.expect("3 of 3")
    session.press("b\n")
    session.expect("2 of 3 · you said not")
    session.press("y\n")
    session.expect("3 of 3")
    session.press("s\n")
    session.expect("2 of 3 labelled")

    assert session.code() == 0
    assert kept(rows) == [("Ohio", 1), ("Utah", 0), ("Utah", 1)]
    found = read_rows(rows.with_suffix(".labels.jsonl"))
    assert [(row.fields["value"], row.label) for row in found] == [("Ohio", 1), ("Utah", 1)]


def test_a_killed_session_loses_nothing_and_the_next_goes_on(
    rows: Path, terminal: Callable[[Path], Terminal]
) -> None:
    session = terminal(rows)
    session.expect("1 of 3")
    session.press("n\n")
    session.expect("2 of 3")
    os.kill(session.child, signal.SIGKILL)
    assert session.code() == -signal.SIGKILL
    assert kept(rows) == [("Ohio", 0)]

    again = terminal(rows)
    again.expect("1 of 2")
    again.expect("Governing law: Utah")
    again.press("y\n")
    again.expect("2 of 2")
    again.press("q\n")
    again.expect("2 of 3 labelled")

    assert again.code() == 0
    assert kept(rows) == [("Ohio", 0), ("Utah", 1)]


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_line_that_was_being_written_is_cut_off_and_asked_again(rows: Path, cut: int) -> None:
    target = rows.with_suffix(".labels.jsonl")
    given = read_rows(rows)
    target.write_text(line(given[0], 1) + line(given[1], 0)[:cut])

    mend(target, given)

    assert target.read_text() == line(given[0], 1)


def test_what_is_not_ours_is_not_cut_off(tmp_path: Path) -> None:
    target = tmp_path / "notes.txt"
    target.write_text("my notes, without a line end")

    mend(target, [read_row(ROWS[0])])

    assert target.read_text() == "my notes, without a line end"


def test_a_text_cannot_command_the_terminal() -> None:
    hostile = {
        **ROWS[0],
        "premise": "red \x1b[31m bell \x07 Ohio \ue000\u202e back\r\n\x9b2J",
        "value": "Ohio",
    }
    shown = show(read_row(hostile))

    assert "[[Ohio]]" in shown
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert plain("a\tb\n\x00c") == "a b c"


def test_going_back_from_the_first_row_stays_there() -> None:
    answers = iter(["back", "yes", "quit"])
    saved: list[tuple[str, int]] = []
    walk(
        [read_row(row) for row in ROWS],
        lambda row, label: saved.append((row.hypothesis, label)),
        lambda _: next(answers),
    )

    assert saved == [("Governing law: Ohio", 1)]


def test_the_file_of_the_rows_is_not_written_to(
    rows: Path, cli: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr(label, "walk", lambda *_, **__: None)
    before = rows.read_bytes()

    found = cli("label", str(rows), "-o", str(rows))

    assert found.code == 2
    assert "-o is the file of the rows" in found.err
    assert rows.read_bytes() == before
