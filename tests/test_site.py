"""The documentation is read as `make site` reads it, with no warning; a dead link fails it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def build(docs: Path) -> subprocess.CompletedProcess[str]:
    """Read a folder of documentation, and resolve its links, by the command of the Makefile."""
    (command,) = re.findall(
        r"^\t\$\(BIN\)/python (-m sphinx .*)$", (ROOT / "Makefile").read_text(), re.M
    )
    arguments = command.replace(" docs ", f" {docs} ").replace(
        "build/site", str(docs.parent / "site")
    )
    return subprocess.run(  # no page is written, which would take most of the time
        [sys.executable, *arguments.split(), "-b", "dummy"],
        capture_output=True,
        text=True,
        check=False,
        cwd=docs.parent,
    )


@pytest.mark.slow
def test_the_site_is_read_with_no_warning_but_of_a_dead_link_which_fails_it(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    shutil.copytree(ROOT / "docs", docs, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():  # pages link there
        if path.name not in ("docs", "build", ".venv"):
            (tmp_path / path.name).symlink_to(path)

    with (docs / "reference" / "glossary.md").open("a", encoding="utf-8") as file:
        file.write("\nSee [a page](nowhere.md) that is not there.\n")
    done = build(docs)

    assert list((docs / "reference" / "rules").glob("*.md"))
    assert done.returncode != 0
    assert done.stdout == ""
    told = [line for line in done.stderr.splitlines() if "WARNING" in line or "ERROR" in line]
    assert ["nowhere.md" in line for line in told] == [True]
