"""Colour, width and progress."""

from __future__ import annotations

import io
import time

import pytest

from groundrules.cli import terminal


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("choice", "variables", "stream", "colour"),
    [
        ("auto", {}, Terminal(), True),
        ("auto", {}, io.StringIO(), False),
        ("auto", {"NO_COLOR": "1"}, Terminal(), False),
        ("auto", {"NO_COLOR": ""}, Terminal(), True),
        ("auto", {"TERM": "dumb"}, Terminal(), False),
        ("always", {"NO_COLOR": "1"}, io.StringIO(), True),
        ("never", {}, Terminal(), False),
    ],
)
def test_colour_follows_choice_environment_and_stream(
    choice: str,
    variables: dict[str, str],
    stream: io.StringIO,
    colour: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert terminal.wants_color(choice, stream) is colour


def test_only_a_terminal_has_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "61")

    assert terminal.columns(Terminal()) == 61
    assert terminal.columns(io.StringIO()) is None


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()])
def test_progress_yields_every_item(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", stream)

    assert list(terminal.progress([1, 2, 3], total=3, label="x")) == [1, 2, 3]


def test_progress_is_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    list(terminal.progress(range(5)))

    assert capsys.readouterr().err == ""


def test_a_single_item_that_takes_long_is_shown_while_it_lasts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    assert list(terminal.progress([1], label="checking")) == [1]
    assert stream.getvalue() == "", "what is over at once is not shown"
    monkeypatch.setattr(terminal, "_SOON", 0.01)
    monkeypatch.setattr(terminal, "_TICK", 0.01)

    items = terminal.progress(["answer.txt"], total=1, label="checking")
    next(items)
    deadline = time.monotonic() + 10
    while "checking" not in stream.getvalue() and time.monotonic() < deadline:
        time.sleep(0.01)

    assert "checking   0%|" in stream.getvalue()
    assert list(items) == []


def test_a_bar_begins_with_what_was_there_before(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(terminal, "_SOON", 0.01)
    with terminal.progress_bar() as show:
        show("audit", 2, 4, "1 refuted")
        time.sleep(0.2)  # tqdm draws ten times a second at most
        show("audit", 3, 4, "2 refuted")

    assert "audit  75%" in stream.getvalue()
    assert "2 refuted" in stream.getvalue()
