"""`groundrules index`: one line of what was read, and one line of what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]


def test_it_says_what_was_read(cli: Cli, folder: Path) -> None:
    found = cli("index", "lease.txt", "-o", "lease.index")
    assert (found.code, found.out, found.err) == (0, "lease.index: 1 document, 35 words\n", "")
    assert (folder / "lease.index").is_dir()


def test_a_stale_index_is_one_line_and_two(cli: Cli, folder: Path) -> None:
    cli("index", "lease.txt", "-o", "lease.index")
    (folder / "lease.txt").write_text("Nothing is leased.")
    found = cli("check", "answer.txt", "--context", "lease.index")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(
        "groundrules: lease.index: is stale, lease.txt has changed; expected"
    )
    assert found.err.count("\n") == 1
