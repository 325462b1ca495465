"""What a contributor relies on: the lock, the targets of make, the hooks and the workflow."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from rdflib.term import URIRef

from groundrules import Config, check, plugins
from groundrules.align import statement_facts
from groundrules.checks import documents
from groundrules.rules import spelling
from groundrules.rules.packs import load_pack
from groundrules.terms import GR
from tests.checks.test_testing import run_tests

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def wanted() -> list[Requirement]:
    """Return what the package, its tests and its site need."""
    beside = (ROOT / "benchmarks" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values(), beside[1:]]
    found = [Requirement(one) for group in groups for one in group]
    return [one for one in found if one.name != PROJECT["name"]]


@pytest.mark.parametrize("need", wanted(), ids=str)
def test_the_lock_has_what_the_project_needs_in_versions_that_it_takes(need: Requirement) -> None:
    locked = re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, re.MULTILINE)
    versions = [Version(v) for name, v in locked if canonicalize_name(name) == need.name.lower()]

    assert versions, "run make lock"
    assert all(need.specifier.contains(version) for version in versions), "run make lock"


def test_what_is_registered_is_what_the_project_says() -> None:
    for group, entries in PROJECT["entry-points"].items():
        ours = {
            name: place
            for name, place in plugins.registered(group).items()
            if plugins.is_own(place)  # parts of spaCy's are registered by others too
        }
        assert ours == dict(sorted(entries.items())), "pip install -e ."


def test_every_locked_file_has_a_hash_and_none_a_place() -> None:
    entries = re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]

    assert len(entries) > 100
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in LOCK


def test_every_target_of_make_is_told_of() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

    for target in phony.split():
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target
        assert f"`make {target}`" in guide, target


def test_a_rule_with_a_new_fact_is_added_as_the_guide_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    term, function, rule = re.findall(r"^```\w+\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    call, made = function.split("\n\n\n")
    loop = "        for place in aligned.passages[aligned.nearest :][:1]:\n"
    before = Path(statement_facts.__file__).read_text(encoding="utf-8")
    monkeypatch.setitem(GR.__annotations__, term.partition(":")[0].strip(), URIRef)
    monkeypatch.setattr(spelling, "_vocabularies", spelling._vocabularies.__wrapped__)
    module: dict[str, Any] = {"__name__": statement_facts.__name__}
    exec(before.replace(loop, f"{call}\n{loop}", 1) + made, module)
    monkeypatch.setattr(documents, "facts", module["facts"])
    (tmp_path / f"{tomllib.loads(rule)['name']}.toml").write_text(rule, encoding="utf-8")

    assert run_tests(load_pack(str(tmp_path)).rules) == []
    report = check("We won!", context="We won.", config=Config(packs=("core", str(tmp_path))))
    assert tomllib.loads(rule)["id"] in {one.rule for one in report.violations}


def test_the_workflow_runs_every_system_and_every_python_that_is_supported() -> None:
    jobs = load(".github/workflows/test.yml")["jobs"]
    matrix = jobs["test"]["strategy"]["matrix"]

    assert [one.partition("-")[0] for one in matrix["os"]] == ["ubuntu", "macos", "windows"]
    least = PROJECT["requires-python"].removeprefix(">=")
    assert least.startswith(f"{matrix['python'][0]}.")
    assert matrix["python"] == ["3.11", "3.12", "3.13"]
