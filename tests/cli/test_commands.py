"""`rule`, `test`, `config` and `eval`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.checks import testing
from groundrules.cli import settings
from groundrules.cli.rule import page
from groundrules.config import Config
from groundrules.rules.packs import built_in, load_packs
from groundrules.rules.rule import Rule, RuleTest
from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
pytestmark = pytest.mark.usefixtures("folder")
RULE = """\
id = "HR001"
name = "late-filing"
summary = "A filing is late"
message = "{s} is late"
select = '''
SELECT ?claim ?s WHERE { ?claim a gr:Claim ; rdf:subject ?s ; rdf:predicate :lateBy }
'''
[prefixes]
"" = "urn:test:"
[[test]]
name = "late"
claims = ":brief :lateBy :a_day ."
expect = [{ s = ":brief" }]
"""


def house(folder: Path, text: str = RULE) -> str:
    (folder / "house").mkdir()
    (folder / "house" / "late-filing.toml").write_text(text, encoding="utf-8")
    return "./house"


def test_the_page_of_a_rule_is_that_of_the_documentation(cli: Cli) -> None:
    rules = {rule.id: rule for rule in settings.rules(Config())}

    assert cli("rule", "GR201") == Outcome(0, page(rules["GR201"]), "")
    assert cli("rule", "object-conflict") == cli("rule", "gr201")


def test_the_list_has_every_rule_by_id(cli: Cli) -> None:
    ids = [line.split()[0] for line in cli("rule").out.splitlines()[1:]]

    assert ids == sorted(ids)
    assert ids == [rule.id for rule in settings.rules(settings.every_pack(Config()))]
    assert ids == [rule["id"] for rule in json.loads(cli("rule", "--output-format", "json").out)]


def test_a_pack_of_the_house_is_listed_explained_and_tested(cli: Cli, folder: Path) -> None:
    pack = house(folder)
    (folder / "groundrules.toml").write_text(f'packs = ["core", "{pack}"]\n', encoding="utf-8")

    assert re.search("^HR001 +late-filing ", cli("rule").out, re.M)
    assert cli("rule", "HR001").out.startswith("# HR001 late-filing\n")
    assert cli("test", pack) == Outcome(0, "1 tests of 1 rules: 0 failures\n", "")


def test_a_failing_rule_test_is_code_1_with_its_place(cli: Cli, folder: Path) -> None:
    pack = house(folder, RULE.replace('[{ s = ":brief" }]', '[{ s = ":other" }]'))

    found = cli("test", pack)

    assert found.code == 1
    first, *_ = found.out.splitlines()
    assert first.startswith("house/late-filing.toml:10: HR001::late: no violation with s = :other")


def test_a_rule_without_a_test_is_named(cli: Cli, folder: Path) -> None:
    pack = house(folder, RULE.partition("[[test]]")[0])

    assert cli("test", pack).out == "without a test: HR001\n0 tests of 1 rules: 0 failures\n"


def test_a_broken_rule_is_code_2_with_file_and_line(cli: Cli, folder: Path) -> None:
    pack = house(folder, RULE.replace("?claim a gr:Claim", "?claim a gx:Claim"))

    found = cli("test", pack)

    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("groundrules: house/late-filing.toml:6:")


def test_without_a_name_all_rules_are_tested_and_the_lexicons_pass(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    tested: list[tuple[Rule, RuleTest]] = []  # that they pass: tests/rules/test_packs.py

    def run_test(rule: Rule, test: RuleTest) -> list[str]:
        tested.append((rule, test))
        return []

    monkeypatch.setattr(testing, "run_test", run_test)
    found = cli("test")

    assert found.code == 0
    assert re.search(r"^\d+ tests of the lexicon of legal: 0 failures$", found.out, re.MULTILINE)
    shipped = [rule for pack in load_packs(built_in()) for rule in pack.rules]
    assert sorted(rule.id for rule, _ in tested) == sorted(
        rule.id for rule, _ in testing.cases(shipped)
    )
    assert found.out.endswith(f"{len(tested)} tests of {len(shipped)} rules: 0 failures\n")


def test_the_settings_are_shown_with_their_places(cli: Cli, folder: Path) -> None:
    (folder / "groundrules.toml").write_text(
        'model = "x"\n[rules.GR101]\nthreshold = 0.9\n', encoding="utf-8"
    )

    lines = cli("config").out.splitlines()

    rows = dict(line.split("  #", 1) for line in lines)
    origins = {key.strip(): Path(origin.strip()).name for key, origin in rows.items()}
    assert origins['model = "x"'] == "groundrules.toml:1"
    assert origins["rules.GR101.threshold = 0.9"] == "groundrules.toml:3"
    assert origins["unverifiable = 0.0"] == "default"
