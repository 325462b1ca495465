"""`new`: rules, packs and domains to begin with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
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


@pytest.mark.parametrize(
    "arguments", [("rule", "a-rule"), ("rule", "a-rule", "house-rules"), ("domain", "recipes")]
)
def test_nothing_is_written_over(arguments: tuple[str, ...], cli: Cli, folder: Path) -> None:
    cli("new", *arguments)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    again = cli("new", *arguments)

    assert (again.code, again.out) == (2, "")
    assert re.fullmatch(r"groundrules: [^\n]+\n", again.err)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_new_domain_passes_its_tests_from_the_folder_above(cli: Cli, folder: Path) -> None:
    made = cli("new", "domain", "owl-pellets")
    place = folder / "owl-pellets"
    project = tomllib.loads((place / "pyproject.toml").read_text("utf-8"))["project"]
    site = folder / "site"
    site.mkdir()
    register(site, project["entry-points"], "owl-pellets")
    # as pip leaves a package that may be edited: behind the folders that are searched
    (site / "sitecustomize.py").write_text(f"import sys; sys.path.append({str(place / 'src')!r})")

    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(ROOT)))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "owl-pellets"],
        cwd=folder, env=env, capture_output=True, text=True, timeout=300,
    )  # fmt: skip

    assert (made.code, done.returncode) == (0, 0), done.stdout
    assert re.search(r"^3 passed", done.stdout, re.M)


@pytest.mark.slow
@pytest.mark.skipif(
    not (find_spec("pip") and find_spec("setuptools")),
    reason="pip and setuptools are not there, by which a domain is installed without a network",
)
def test_a_new_domain_is_read_once_pip_has_installed_it(cli: Cli, folder: Path) -> None:
    cli("new", "domain", "recipes")
    site = folder / "site"
    (folder / "answer.txt").write_text("Lot 7 weighs 0 kg. Lot 8 weighs 40 kg.")
    options = ["--no-index", "--no-build-isolation", "--no-deps", "--target", str(site)]
    env = {**os.environ, "PIP_CONFIG_FILE": os.devnull}

    def run(*command: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command], cwd=folder, env={**env, **more},
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip

    installed = run("-m", "pip", "--isolated", "install", *options, str(folder / "recipes"))
    assert installed.returncode == 0, installed.stderr
    shutil.rmtree(folder / "recipes")
    call = "import sys; from groundrules.cli.main import main; "
    call += "print([main(one.split()) for one in sys.argv[1:]])"
    commands = ("ontology check recipes --reasoner none", "test recipes",
                "check answer.txt --ontology recipes")  # fmt: skip
    done = run("-c", call, *commands, PYTHONPATH=os.pathsep.join((str(site), str(ROOT))))

    assert done.stdout.endswith("\n[0, 0, 1]\n"), done.stdout + done.stderr
    assert "RECI001" in done.stdout
    assert "Lot 7 weighs 0 kg" in done.stdout


def test_the_tests_of_a_lexicon_run_with_those_of_the_pack_of_its_domain(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("new", "domain", "orchards")
    place = folder / "orchards"
    project = tomllib.loads((place / "pyproject.toml").read_text("utf-8"))["project"]
    register(place / "src", project["entry-points"], "orchards")
    monkeypatch.syspath_prepend(str(place / "src"))
    path = place / "src" / "orchards" / "orchards.lexicon.toml"
    rules = "2 tests of 1 rules: 0 failures\n"

    right = cli("test", "orchards")
    path.write_text(path.read_text("utf-8").replace('Holdings"]', '"]'), "utf-8")
    read_lexicon.cache_clear()
    wrong = cli("test", "orchards")

    assert right == Outcome(0, f"1 tests of the lexicon of orchards: 0 failures\n{rules}", "")
    assert wrong.code == 1
    assert "'Acme Corp own:ships Birch ' is not read, but [" in wrong.out
    assert wrong.out.endswith(f"1 tests of the lexicon of orchards: 1 failure\n{rules}")


def test_a_new_domain_takes_no_id_of_another_pack() -> None:
    rule = new.files("law", frozenset({"LAW", "GR"}))["src/law/rules/weighs-nothing.toml"]

    assert rule.startswith('id       = "LAWX001"\n')


def test_the_page_on_rules_begins_with_the_file_that_is_written() -> None:
    page = (ROOT / "docs" / "reference" / "rule-language.md").read_text(encoding="utf-8")

    first = re.search(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)

    assert first is not None
    assert first[1] == new.rule_text("HR001", "bare-guarantee")
    assert "## " not in page[: first.start()]
