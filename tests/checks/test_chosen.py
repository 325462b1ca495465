"""What a configuration says of packs and rules means some, or is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules import api
from groundrules.checks.chosen import packs_of
from groundrules.cli.main import main
from groundrules.config import Config, read
from groundrules.errors import ConfigError
from tests.rows import each

SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
<https://house.example/HouseShape> a sh:NodeShape ; sh:targetClass <https://house.example/Flat> .
"""


def written(folder: Path, text: str) -> Config:
    (folder / "groundrules.toml").write_text(text, encoding="utf-8")
    return read(folder / "groundrules.toml")


@each("text line message")
def test_a_setting_that_means_no_rule_is_an_error_with_its_line(
    text: str,
    line: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = written(tmp_path, text)

    with pytest.raises(ConfigError) as caught:
        api.check("The rent is due.", context="The rent is due.", config=config)

    assert str(caught.value).startswith(f"{tmp_path / 'groundrules.toml'}:{line}: ")
    assert message in str(caught.value)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("The rent is due.", encoding="utf-8")
    assert main(["check", "a.txt", "--context", "a.txt"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"groundrules.toml:{line}: " in said.err
    assert message in said.err


def test_rules_of_any_pack_that_ships_may_be_spoken_of() -> None:
    config = Config(select=("GR", "GR3"), disable=("LAW", "KB1", "GR101"), rules={"GR301": {}})

    assert [pack.name for pack in packs_of(config)] == ["core", "values"]


def test_a_program_is_told_as_well() -> None:
    with pytest.raises(
        ConfigError, match=r"^select: no rule starts with 'ZZZ999' or has that name$"
    ):
        packs_of(Config(select=("ZZZ999",)))


def test_rules_and_shapes_of_the_house_are_known(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "a.shacl.ttl").write_text(SHAPES, encoding="utf-8")
    config = written(tmp_path, 'packs = ["core", "./house"]\nselect = ["House"]\n')

    assert len(packs_of(config)) == 2
    with pytest.raises(ConfigError, match="no rule starts with 'Hoose'"):
        packs_of(written(tmp_path, 'packs = ["core", "./house"]\nselect = ["Hoose"]\n'))
