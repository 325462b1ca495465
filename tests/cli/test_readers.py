"""`groundrules readers`: one table, in the terminal and in docs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.claims.controls import controls
from groundrules.cli import readers
from groundrules.models.choices import CHOICES
from tests.cli.conftest import Outcome as Ended

Cli = Callable[..., Ended]
PAGE = Path(__file__).parents[2] / "docs/how-to/readers.md"
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


def test_what_is_said_to_be_measured_stands_in_the_table_that_a_command_wrote() -> None:
    text = MEASURED.read_text(encoding="utf-8")
    runs = text.partition("<!-- cascade: begin -->")[2].partition("<!-- cascade: end -->")[0]
    told = {
        tuple(round(float(cell), 2) for cell in line.split("|")[4:7])
        for line in runs.splitlines()
        if line.startswith("| rules")
    }

    for one in CHOICES:
        if one.measured:
            shares = one.measured.partition(" with")[0].split(", ")
            assert any(
                all(abs(float(a) - b) < 0.011 for a, b in zip(shares, row, strict=True))
                for row in told
            ), one


def test_a_broken_licence_of_ones_own_can_be_removed(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_CONFIG", str(tmp_path))
    (tmp_path / "readers").mkdir()
    broken = tmp_path / "readers" / "b.toml"
    broken.write_text("model = 3\n", "utf-8")

    assert cli("readers", "remove", "b").code == 0
    assert not broken.exists()


def test_the_pair_that_a_reader_is_asked_has_controls() -> None:
    assert controls(readers._PASSAGES, [readers._STATEMENT])
