"""The hook of pre-commit, the GitHub Action and the GitLab template, in repositories of git."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import yaml

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
LEASE = "The lease began on May 1, 2021. The rent is $4,850 per month.\n"
RIGHT = "The rent is $4,850 per month.\n"
WRONG = "The rent is $5,850 per month.\n"
CONFIG = """
[tool.groundrules]
[tool.groundrules.context]
"answers/*.txt" = ["leases/*.txt"]
"""


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


class Repository:
    """A repository of git with a text, its source and the table that joins them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GROUNDRULES_CACHE": str(folder / ".git" / "cache"),
            "OMP_NUM_THREADS": "1",
            "PRE_COMMIT_HOME": str(folder / ".git" / "hooks-home"),
            "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
            "PATH": f"{folder / '.git' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        }
        self.run("git", "init", "--quiet", "--initial-branch=main")
        self.run("git", "config", "user.name", "t")
        self.run("git", "config", "user.email", "t@example.org")
        (folder / ".git" / "bin").mkdir()
        self.command(f'exec "{sys.executable}" -m groundrules.cli.main "$@"')
        self.write("pyproject.toml", CONFIG)
        self.write("leases/lease.txt", LEASE)
        self.write("answers/a.txt", RIGHT)
        self.write("README.md", "# Answers\n")
        self.commit()

    def command(self, script: str) -> None:
        """Say what `groundrules` is."""
        command = self.folder / ".git" / "bin" / "groundrules"
        command.write_text(f"#!/bin/sh\n{script}\n")
        command.chmod(0o755)

    def listen(self) -> Path:
        """Have `groundrules` write down what it is given, with a NUL after each, and do no more."""
        heard = self.folder / ".git" / "heard"
        self.command(f"""printf '%s\\0' "$@" > '{heard}'""")
        return heard

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env={**self.environment, **variables}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False,
        )  # fmt: skip

    def commit(self) -> str:
        self.run("git", "add", "--all")
        done = self.run("git", "commit", "--quiet", "--allow-empty", "--no-verify", "-m", "x")
        assert done.returncode == 0
        return self.commit_of("HEAD")

    def commit_of(self, name: str) -> str:
        return self.run("git", "rev-parse", name).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


# --- pre-commit


def test_the_hook_is_one_that_pre_commit_takes() -> None:
    (hook,) = load(".pre-commit-hooks.yaml")

    assert {"id", "name", "entry", "language"} <= set(hook)
    assert hook["require_serial"]
    if importlib.util.find_spec("pre_commit"):
        from pre_commit.clientlib import load_manifest

        load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))


def test_a_commit_has_its_texts_checked_and_those_of_its_sources(repository: Repository) -> None:
    """The hook as it ships but for the language: nothing is installed."""
    pytest.importorskip("pre_commit", reason="pre-commit is not installed (make test)")
    (hook,) = load(".pre-commit-hooks.yaml")
    config = {"repos": [{"repo": "local", "hooks": [{**hook, "language": "system"}]}]}
    repository.write(".pre-commit-config.yaml", yaml.safe_dump(config))

    def committed(name: str, text: str) -> tuple[int, str]:
        repository.commit()
        repository.write(name, text)
        repository.run("git", "add", "--all")
        done = repository.run(sys.executable, "-m", "pre_commit", "run")
        return done.returncode, done.stdout

    code, said = committed("README.md", WRONG)
    assert code == 0, said
    assert re.search(r"groundrules\.+Passed", said)
    assert committed("answers/a.txt", "The lease began on May 1, 2021.\n")[0] == 0
    code, said = committed("answers/a.txt", WRONG)
    assert (code, "$4,850" in said, "answers/a.txt" in said) == (1, True, True), said
    code, said = committed("leases/lease.txt", LEASE.replace("4,850", "6,000"))
    assert (code, "answers/a.txt" in said) == (1, True), said


# --- GitHub


ACTION = load("action.yml")
(CHECK,) = (step for step in ACTION["runs"]["steps"] if step.get("id") == "check")


def test_the_action_is_one_that_github_takes_and_uses_no_input_within_its_shell() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")

    assert {"name", "description", "runs"} <= set(ACTION)
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert ("run" in step) != ("uses" in step)
        assert "run" not in step or step["shell"] == "bash"
        assert "uses" not in step or re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
        assert "${{" not in step.get("run", "")
    for told in ACTION["inputs"].values():
        assert isinstance(told["default"], str)
        assert told["description"]
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])


def act(repository: Repository, base: str = "", **variables: str) -> tuple[int, str, str]:
    """Run the shell of the action; return its exit code, what it says and its outputs."""
    output = repository.folder / ".git" / "output"
    output.write_text("")
    done = repository.run(
        "bash", "-c", CHECK["run"],
        **{"BASE": base, "ALL": "false", "ARGUMENTS": "", "GITHUB_OUTPUT": str(output)}
        | variables,
    )  # fmt: skip
    return done.returncode, done.stdout, output.read_text()


def test_the_action_fails_with_annotations_and_sarif_where_a_changed_text_is_wrong(
    repository: Repository,
) -> None:
    base = repository.commit_of("HEAD")
    repository.write("answers/a.txt", WRONG)
    wrong = repository.commit()
    code, said, outputs = act(repository, base)

    assert (code, outputs) == (1, "sarif=groundrules.sarif\n"), said
    assert re.search(r"^::error file=answers/a\.txt,line=1,endLine=1,col=\d+,", said, re.MULTILINE)
    schema = ROOT / "tests" / "explain" / "formats" / "sarif-2.1.0.schema.json"
    sarif = json.loads((repository.folder / "groundrules.sarif").read_text())
    jsonschema.validate(sarif, json.loads(schema.read_text()))
    uris = re.findall(r'"uri": "([^"]+)"', json.dumps(sarif["runs"][0]["results"]))
    assert set(uris) == {"answers/a.txt", "leases/lease.txt"}

    # and passes where nothing that is named has changed
    repository.write("README.md", "# Other\n")
    repository.commit()
    assert act(repository, wrong)[0] == 0
    assert act(repository, repository.commit_of("HEAD"))[:2] == (0, "nothing has changed\n")


def test_the_action_names_all_files_on_demand_and_where_it_does_not_know_what_has_changed(
    repository: Repository,
) -> None:
    heard = repository.listen()
    every = {"./README.md", "./answers/a.txt", "./leases/lease.txt"}

    for base in ("", "0" * 40, "f" * 40, "main; touch x"):
        assert act(repository, base)[0] == 0
        assert every <= set(heard.read_text().split("\0"))
    assert not (repository.folder / "x").exists()
    act(repository, repository.commit(), ALL="true", ARGUMENTS="--exit-zero --fail-level *")
    given = heard.read_text().split("\0")
    assert "./answers/a.txt" in given
    assert given[given.index("--exit-zero") :][1:3] == ["--fail-level", "*"]


def test_the_action_takes_any_name_of_a_file(repository: Repository) -> None:
    base, heard = repository.commit_of("HEAD"), repository.listen()
    names = ["-x.txt", "answers/a b$(touch y)\nc.txt", "answers/ü*.txt"]
    for name in names:
        repository.write(name, WRONG)
    repository.commit()
    act(repository, base)

    assert {f"./{name}" for name in names} <= set(heard.read_text().split("\0"))
    assert not (repository.folder / "y").exists()


def test_the_action_fails_where_a_text_cannot_be_checked(repository: Repository) -> None:
    repository.write("pyproject.toml", CONFIG.replace("leases/*", "leses/*"))
    repository.commit()
    code, said, outputs = act(repository)

    assert (code, outputs) == (2, "")
    assert "pyproject.toml:3: context: 'leses/*.txt' is no file below" in said


# --- GitLab


JOB = load("templates/gitlab.yml")["groundrules"]


def test_the_template_is_a_job_that_fails_with_a_report_where_a_changed_text_is_wrong(
    repository: Repository,
) -> None:
    (script,) = JOB["script"]

    def ran(base: str) -> tuple[int, str, Any]:
        known = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base} if base else {}
        done = repository.run("bash", "-c", script, **known)
        return done.returncode, done.stdout, ET.parse(repository.folder / "groundrules.xml")

    assert {"script", "stage", "image", "artifacts"} <= set(JOB)
    assert JOB["artifacts"]["reports"] == {"junit": "groundrules.xml"}
    assert JOB["artifacts"]["when"] == "always"
    base = repository.commit_of("HEAD")
    repository.write("answers/a.txt", WRONG)
    wrong = repository.commit()
    for known in (base, ""):
        code, said, report = ran(known)
        assert (code, "$4,850" in said) == (1, True)
        assert [one.get("name") for one in report.getroot()] == ["answers/a.txt"]
        assert report.getroot().find(".//failure") is not None
    repository.write("README.md", WRONG)
    repository.commit()
    code, said, report = ran(wrong)
    assert (code, said, list(report.getroot())) == (0, "", [])
