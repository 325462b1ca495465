"""`new`: rules to begin with, and the domain of the examples."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import Config, check
from groundrules.cli import new
from groundrules.ontology.read.lexicon import read_lexicon
from groundrules.rules.packs import load_pack
from groundrules.rules.rule import load_rule
from tests.checks.test_testing import run_tests
from tests.cli.conftest import Outcome
from tests.installed import register

Cli = Callable[..., Outcome]
ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("folder")

ids = st.from_regex(new._ID, fullmatch=True)
names = st.from_regex(new._NAME, fullmatch=True).filter(lambda name: len(name) < 200)


def test_a_new_pack_passes_its_tests(cli: Cli) -> None:
    made = cli("new", "rule", "bare-guarantee", "house-rules")

    assert made.code == 0
    assert made.out.splitlines()[0] == "house-rules/bare-guarantee.toml"
    assert "groundrules test ./house-rules" in made.out
    assert cli("test", "./house-rules") == Outcome(0, "3 tests of 1 rules: 0 failures\n", "")


def test_a_new_rule_has_the_name_asked_for_and_the_next_id(cli: Cli) -> None:
    cli("new", "rule", "bare-guarantee", "house-rules")
    cli("new", "rule", "late-filing", "house-rules")

    rules = {rule.id: rule.name for rule in load_pack("./house-rules").rules}

    assert rules == {"HR001": "bare-guarantee", "HR002": "late-filing"}
    assert cli("test", "./house-rules").out == "6 tests of 2 rules: 0 failures\n"


def test_the_next_id_follows_the_greatest_number_and_keeps_its_letters(
    cli: Cli, folder: Path
) -> None:
    for identifier, name in (("LX099", "a"), ("LX0100", "b")):
        (folder / f"{name}.toml").write_text(new.rule_text(identifier, name), encoding="utf-8")
    cli("new", "rule", "late-filing")

    assert load_rule("late-filing.toml").id == "LX0101"


@given(ids, names)
def test_whatever_id_and_name_it_takes_the_rule_passes_its_tests(
    identifier: str, name: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text(new.rule_text(identifier, name), encoding="utf-8")
        rule = load_rule(path)

    assert (rule.id, rule.name) == (identifier, name)
    assert len(rule.tests) == 3
    assert run_tests([rule]) == []


def test_a_new_rule_finds_its_fault_in_a_text(cli: Cli, folder: Path) -> None:
    cli("new", "rule", "bare-guarantee", "house-rules")
    config = Config(packs=("./house-rules",), base=folder)

    text = "The fund guarantees a return. Alder Bank guarantees the deposit."
    report = check(text, context="Alder Bank guarantees the deposit.", config=config)

    (found,) = report.violations
    assert (found.rule, found.message) == (
        "HR001", "“The fund guarantees a return.”: a guarantee is taken only from a source",
    )  # fmt: skip
    assert [one.outcome for one in report.statements] == ["not_enough_info", "supported"]


def test_what_no_source_says_is_open_and_what_a_reason_rules_out_is_refuted(
    cli: Cli, folder: Path
) -> None:
    cli("new", "rule", "bare-guarantee", "house-rules")
    path = folder / "house-rules" / "bare-guarantee.toml"
    missing = path.read_text("utf-8")
    ruled_out = "".join(one for one in missing.splitlines(True) if not one.startswith("finds"))
    config = Config(packs=("./house-rules",), base=folder)

    for rule, outcome in ((missing, "not_enough_info"), (ruled_out, "refuted")):
        path.write_text(rule, "utf-8")
        report = check("The fund guarantees a return.", context="Rates fell.", config=config)
        assert [one.outcome for one in report.statements] == [outcome]
        assert "HR001" in [one.rule for one in report.violations]


@pytest.mark.parametrize("arguments", [("rule", "a-rule"), ("rule", "a-rule", "house-rules")])
def test_nothing_is_written_over(arguments: tuple[str, ...], cli: Cli, folder: Path) -> None:
    cli("new", *arguments)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    again = cli("new", *arguments)

    assert (again.code, again.out) == (2, "")
    assert re.fullmatch(r"groundrules: [^\n]+\n", again.err)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_the_domain_of_the_examples_passes_its_tests(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "recipes"
    shutil.copytree(ROOT / "examples" / "recipes", place)
    project = tomllib.loads((place / "pyproject.toml").read_text("utf-8"))["project"]
    register(place / "src", project["entry-points"], "recipes")

    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(place / "src"), str(ROOT)))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(place)],
        cwd=place, env=env, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert re.search(r"^3 passed", done.stdout, re.M)

    monkeypatch.syspath_prepend(str(place / "src"))
    path = place / "src" / "recipes" / "recipes.lexicon.toml"
    rules = "2 tests of 1 rules: 0 failures\n"
    right = cli("test", "recipes")
    path.write_text(path.read_text("utf-8").replace('Holdings"]', '"]'), "utf-8")
    read_lexicon.cache_clear()
    wrong = cli("test", "recipes")

    assert right == Outcome(0, f"1 tests of the lexicon of recipes: 0 failures\n{rules}", "")
    assert wrong.code == 1
    assert "'Acme Corp own:ships Birch ' is not read, but [" in wrong.out
    assert wrong.out.endswith(f"1 tests of the lexicon of recipes: 1 failure\n{rules}")


def test_the_page_on_rules_begins_with_the_file_that_is_written() -> None:
    page = (ROOT / "docs" / "reference" / "rule-language.md").read_text(encoding="utf-8")

    first = re.search(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)

    assert first is not None
    assert first[1] == new.rule_text("HR001", "bare-guarantee")
    assert "## " not in page[: first.start()]
