"""The rules that rule-language.md works out: each passes its tests and finds what is told."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from groundrules import Config, check
from groundrules.rules.packs import load_pack
from tests.checks.test_testing import run_tests

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "rule-language.md").read_text("utf-8")
RULES = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house") / "house-rules"
    folder.mkdir()
    for text in RULES:
        (folder / f"{tomllib.loads(text)['name']}.toml").write_text(text, encoding="utf-8")
    return folder


def test_there_is_one_rule_of_each_sort_and_all_pass_their_tests(pack: Path) -> None:
    rules = load_pack(str(pack)).rules

    assert [rule.id for rule in rules] == ["HR001", "HR002", "HR003", "HR004"]
    assert run_tests(rules) == []


def test_the_text_of_the_page_gives_what_the_page_shows(pack: Path) -> None:
    text = re.search(r"^    (Brandt audits .*)$", PAGE, re.M)
    source = re.search(r'checked against "(.*?)"', PAGE)
    assert text
    assert source
    config = Config(packs=("core", "values", str(pack)))

    found = check(text[1], context=source[1], config=config).violations

    own = [one for one in found if one.rule.startswith("HR")]
    shown = [f"{one.severity}[{one.rule}] {one.name}: {one.message}" for one in own]
    assert shown == re.findall(r"^    ((?:error|warning)\[HR.*)$", PAGE, re.M)
