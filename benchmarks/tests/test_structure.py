"""The table of the structure at some revisions, of a repository made up here."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import structure

LAYERS = """\
[[tool.importlinter.contracts]]
type = "layers"
layers = ["groundrules.top", "groundrules.low | groundrules.other"]
"""


def commit(repository: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "x")):
        subprocess.run(["git", "-C", str(repository), *command], check=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Give a repository of two commits: the second parts a module in two that import each other."""
    low = "class Big:\n    '''Big.'''\n    x = 1\n"
    commit(tmp_path, {
        "pyproject.toml": LAYERS, "groundrules/__init__.py": "",
        "groundrules/top.py": "from groundrules import low\n\n\ndef all_of():\n    return low\n",
        "groundrules/low.py": low,
    })  # fmt: skip
    (tmp_path / "groundrules/low.py").unlink()
    commit(tmp_path, {
        "groundrules/low/__init__.py": "",
        "groundrules/low/a.py": f"import groundrules.low.b\n{low}",
        "groundrules/low/b.py": "from groundrules.low import a\n",
    })  # fmt: skip
    (tmp_path / "groundrules/uncommitted.py").write_text("x = 1\n", encoding="utf-8")
    return tmp_path


def test_each_revision_has_a_column_of_what_was_committed(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert structure.main(["HEAD~1", "HEAD", "--repository", str(repository)]) == 0
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["HEAD~1", "HEAD"]
    assert {name: values for name, *values in rows[2:]} == {
        "modules": ["2", "4"],
        "rooms": ["2", "2"],
        "imports within rooms": ["0", "2"],
        "imports between rooms": ["1", "1"],
        "cycles": ["0", "1 of 2 modules"],
        "layers": ["2", "2"],
        "lines": ["8", "10"],
        "longest function": ["`top.all_of` 2", "`top.all_of` 2"],
        "longest class": ["`low.Big` 3", "`low.a.Big` 3"],
        "median module": ["3", "1"],
        "largest module": ["`top` 5", "`top` 5"],
    }


def test_a_revision_without_layers_has_no_number_of_them(tmp_path: Path) -> None:
    commit(tmp_path, {"groundrules/a.py": "x = 1\n"})
    with structure.checkout(tmp_path, "HEAD") as folder:
        assert structure.figures(folder)["layers"] == ""
    assert not folder.exists()


def test_an_unknown_revision_is_told(repository: Path) -> None:
    with pytest.raises(SystemExit, match="2"), structure.checkout(repository, "no-such"):
        pass


def test_a_figure_that_one_revision_lacks_is_an_empty_cell() -> None:
    assert structure.table({"a": {"x": "1"}, "b": {"x": "2", "y": "3"}}).splitlines()[2:] == [
        "| x | 1 | 2 |", "| y |  | 3 |",
    ]  # fmt: skip
