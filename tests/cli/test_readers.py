"""`groundrules readers`: one table, in the terminal and in docs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.models.choices import CHOICES
from tests.cli.conftest import Outcome as Ended

Cli = Callable[..., Ended]
PAGE = Path(__file__).parents[2] / "docs/how-to/readers.md"
README = Path(__file__).parents[2] / "README.md"
MEASURED = Path(__file__).parents[2] / "benchmarks/reports/readers.md"


def test_each_reader_has_where_it_runs_what_it_costs_and_how_good_it_was(cli: Cli) -> None:
    found = cli("readers")

    assert (found.code, found.err) == (0, "")
    for one in CHOICES:
        assert one.name in found.out
        assert one.where in found.out
        assert (one.measured or "not, none was here") in found.out


def test_the_same_as_json(cli: Cli) -> None:
    found = json.loads(cli("readers", "--output-format", "json").out)

    assert found["readers"] == []
    assert [row["name"] for row in found["choices"]] == [one.name for one in CHOICES]


def cells(page: Path, beginning: str) -> list[float]:
    """Return the figures of the row of a table, percent as shares."""
    (row,) = (one for one in page.read_text("utf-8").splitlines() if one.startswith(beginning))
    found = [one.strip().replace("–", "nan") for one in row.strip("|").split("|")[1:]]
    return [float(one.removesuffix("%")) / (100 if one.endswith("%") else 1) for one in found]


def test_what_is_said_to_be_measured_stands_in_the_tables_that_commands_wrote() -> None:
    told = {tuple(round(one, 2) for one in cells(MEASURED, "| prose/unseen-2 |")[4:7])}
    for way in ("", ", with a language model"):
        found = cells(README, f"| prose/unseen-2{way} |")
        told.add((found[6], found[5], found[0]))

    for one in CHOICES:
        if one.measured:
            assert tuple(map(float, one.measured.partition(" with")[0].split(", "))) in told


def test_a_broken_licence_of_ones_own_can_be_removed(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_CONFIG", str(tmp_path))
    (tmp_path / "readers").mkdir()
    broken = tmp_path / "readers" / "b.toml"
    broken.write_text("model = 3\n", "utf-8")

    assert cli("readers", "remove", "b").code == 0
    assert not broken.exists()
