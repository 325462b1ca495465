"""`groundrules read`: what a text says is shown as it was read, and one line says what is wrong."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from groundrules.align.deductions import read_propositions
from groundrules.claims.segments import Segment
from groundrules.claims.slots import Slot, Term
from groundrules.cli import read
from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
RULES = """\
The museum opens at 10 am.

Guests can:
- reserve a room if it is free
"""


@pytest.fixture(autouse=True)
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A text in a working folder of its own, and no format of the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GROUNDRULES_OUTPUT_FORMAT", raising=False)
    path = tmp_path / "rules.txt"
    path.write_text(RULES, encoding="utf-8")
    return path


def data(cli: Cli, name: str = "rules.txt") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(cli("read", name, "--output-format", "json").out)
    return found


def inside(term: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield term
    for one in (*(slot["filler"] for slot in term["slots"]), *term["joined"]):
        yield from inside(one)


def test_a_line_is_shown_with_its_place_and_below_it_what_it_says(cli: Cli) -> None:
    assert cli("read", "rules.txt") == Outcome(
        0,
        "rules.txt:1: The museum opens at 10 am.\n"
        "  open (present)\n"
        "    subj  the museum\n"
        "    at    10 am\n"
        "\n"
        "rules.txt:4: Guests can reserve a room if it is free.\n"
        "  may reserve\n"
        "    subj  guest\n"
        "    obj   a room\n"
        "    if    free (present)\n"
        "      subj  it\n"
        "\n"
        "2 propositions in 2 of 2 lines\n",
        "",
    )


def test_what_is_denied_or_forced_says_so_before_its_verb(cli: Cli, rules: Path) -> None:
    rules.write_text("Dogs are not admitted.\nVisitors must not smoke.", encoding="utf-8")

    shown = cli("read", "rules.txt").out.splitlines()

    assert "  not admit (present)" in shown
    assert "  not may smoke" in shown


def test_the_json_has_what_the_reader_has(cli: Cli) -> None:
    lines = data(cli)

    assert [line["line"] for line in lines] == [1, 4]
    for line in lines:
        assert RULES[line["start"] : line["end"]].strip("- ") in line["text"] + "."
        terms = read_propositions(line["text"])
        assert [one["head"] for one in line["propositions"]] == [term.head for term in terms]
        for one, term in zip(line["propositions"], terms, strict=True):
            assert [slot["role"] for slot in one["slots"]] == [slot.role for slot in term.slots]
            assert (one["denied"], one["force"], one["tense"]) == (
                term.denied, term.force, term.tense
            )  # fmt: skip
        assert line["unread"] == []


def test_a_place_is_where_the_words_stand_in_the_file_and_a_lead_has_none(cli: Cli) -> None:
    first, item = (line["propositions"][0] for line in data(cli))

    assert RULES[slice(*first["place"])] == "opens"
    assert RULES[slice(*item["slots"][1]["filler"]["place"])] == "room"
    assert item["slots"][0]["filler"]["head"] == "guest"
    assert item["slots"][0]["filler"]["place"] is None


def test_the_marks_of_markdown_are_not_read_and_move_no_place(cli: Cli, tmp_path: Path) -> None:
    text = "# Rules\n\nThe **museum** opens at [10 am](times.md).\n"
    (tmp_path / "rules.md").write_text(text, encoding="utf-8")

    line = data(cli, "rules.md")[-1]
    (said,) = line["propositions"]

    assert (line["line"], "*" in line["text"]) == (3, False)
    assert text[slice(*said["place"])] == "opens"
    assert text[slice(*said["slots"][0]["filler"]["place"])] == "museum"


def test_a_bound_that_there_is_not_is_null(cli: Cli, rules: Path) -> None:
    rules.write_text("Members can borrow up to ten books.", encoding="utf-8")

    (line,) = data(cli)

    assert [None, 10.0] in [one["bounds"] for term in line["propositions"] for one in inside(term)]
    assert "≤10 book" in cli("read", "rules.txt").out


def test_a_text_that_says_nothing_has_no_proposition(cli: Cli, rules: Path) -> None:
    rules.write_text("| a | b |\n", encoding="utf-8")

    assert cli("read", "rules.txt") == Outcome(0, "0 propositions in 0 of 0 lines\n", "")
    assert data(cli) == []


def test_the_same_text_is_shown_alike_twice(cli: Cli) -> None:
    assert cli("read", "rules.txt") == cli("read", "rules.txt")
    assert data(cli) == data(cli)


def test_stdin_is_read(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(RULES.encode())))

    assert cli("read", "-").out.startswith("<stdin>:1: The museum opens at 10 am.\n")


def test_no_line_is_wider_than_the_terminal_and_none_steers_it(
    cli: Cli, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules.write_text(f"The museum \x1b[31m opens {'very ' * 30}late.", encoding="utf-8")
    monkeypatch.setattr(read, "columns", lambda stream: 40)

    shown = cli("read", "rules.txt").out

    assert "\x1b" not in shown
    assert all(len(line) <= 40 for line in shown.splitlines())
    assert shown.splitlines()[0].endswith("…")


def test_unread_words_are_listed_below_the_propositions() -> None:
    said = Term("open", "event", 1, (Slot("subj", Term("gate", "thing", 0, determiner="the")),))
    segment = Segment(0, 20, "The gate opens wide.")

    shown = read._text("a.txt", [read._Read(1, segment, (said,), ("wide", "far"))])

    assert shown.splitlines()[:4] == [
        "a.txt:1: The gate opens wide.", "  open", "    subj  the gate", "  unread  wide, far",
    ]  # fmt: skip


def test_what_is_coordinated_is_told_with_and_or_or() -> None:
    far, near = Term("far", "thing", 2), Term("near", "thing", 1)
    for alternative, word in ((True, "or"), (False, "and")):
        both = Term("near", "thing", 1, joined=(far,), alternative=alternative)
        go = Term("go", "event", 0, (Slot("to", near),), joined=(Term("stay", "event", 3),))
        clause = Term("go", go.kind, 0, go.slots, joined=go.joined, alternative=alternative)

        assert list(read._rows([Slot("to", both)])) == [f"to  near {word} far"]
        assert list(read._rows([Slot("if", clause)])) == [
            "if  go",
            "  to  near",
            f"{word:<2}  stay",
        ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rule.txt",), "rule.txt: no such file; did you mean 'rules.txt'?"),
        ((".",), ".: is a folder; expected a file"),
        (("empty.txt",), "empty.txt: is empty; expected a text"),
        (("rules.txt", "--output-format", "xml"), "read: argument --output-format: 'xml' is not"),
        (("rules.txt", "other.txt"), "read: unexpected argument 'other.txt'"),
        (("long.txt",), "long.txt:2: a line of more than 100,000 characters; expected shorter"),
        ((), "read: the following arguments are required: FILE"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_code_2(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "long.txt").write_text("Yes.\n" + "a " * 60_000, encoding="utf-8")

    found = cli("read", *arguments)

    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"groundrules: {message}")
    assert found.err.count("\n") == 1


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="all may be read")
def test_a_file_that_may_not_be_read_is_one_line_and_code_2(cli: Cli, rules: Path) -> None:
    rules.chmod(0)

    found = cli("read", "rules.txt")

    assert (found.code, found.out) == (2, "")
    assert found.err == "groundrules: rules.txt: cannot be read: Permission denied\n"
