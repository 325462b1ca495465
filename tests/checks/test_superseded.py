"""Sources that supersede one another: the later decides, who rests on the earlier is told."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundrules import api
from groundrules.cli.main import main
from groundrules.config import Config
from groundrules.errors import ConfigError
from groundrules.terms import Outcome, Report

#: Eight documents in two versions: the older, the newer, what holds now, what held before.
VERSIONS = tomllib.loads(Path(__file__).with_name("versions.toml").read_text("utf-8"))
ORDERED = Config(supersedes={"context2": ("context1",)})


def check(text: str, *contexts: str, config: Config = ORDERED) -> Report:
    return api.check(text, context=contexts, config=config)


@pytest.mark.parametrize("name", VERSIONS)
def test_the_later_decides_and_what_only_the_earlier_carries_is_told_so(name: str) -> None:
    old, new, now, before = VERSIONS[name]
    report = check(f"{now} {before}", old, new)
    held, former = report.statements
    told = {v.rule: v for v in report.findings_of(former)}

    assert held.outcome is Outcome.SUPPORTED
    assert not report.findings_of(held)
    assert former.outcome in (Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO)
    assert "GR107" in told
    assert [item.span.source for item in told["GR107"].evidence if item.span] == ["context1"]


@pytest.mark.parametrize("name", VERSIONS)
def test_without_an_order_all_sources_count_alike(name: str) -> None:
    old, new, now, before = VERSIONS[name]
    report = check(f"{now} {before}", old, new, config=Config())

    assert not any(v.rule == "GR107" for v in report.violations)
    assert dict(report.run.params)["rules"] == "28"


@pytest.mark.parametrize("name", VERSIONS)
def test_what_is_found_is_what_the_later_alone_would_find_and_what_rests_on_the_earlier(
    name: str,
) -> None:
    old, new, now, before = VERSIONS[name]
    both = check(f"{now} {before}", old, new)
    alone = check(f"{now} {before}", new, config=Config())

    assert [one.outcome for one in both.statements] == [one.outcome for one in alone.statements]
    assert {v.rule for v in both.violations} - {"GR107"} == {v.rule for v in alone.violations}


def test_the_report_says_which_source_is_no_evidence() -> None:
    old, new, _, before = VERSIONS["pool"]
    report = check(before, old, new)

    assert "context1 is superseded by context2: no evidence" in report.run.notes
    assert report.sources["context1"] == old


def test_each_version_supersedes_those_before_it() -> None:
    texts = [f"The fee is £{n}. The desk is open daily." for n in (4, 5, 6)]
    order = Config(supersedes={"context3": ("context1", "context2")})
    report = check("The fee is £6. The fee is £5. The fee is £4.", *texts, config=order)
    outcomes = [one.outcome for one in report.statements]

    assert outcomes == [Outcome.SUPPORTED, Outcome.REFUTED, Outcome.REFUTED]


def test_an_order_of_documents_that_are_not_given_changes_nothing() -> None:
    _, new, now, _ = VERSIONS["pool"]
    config = Config(supersedes={"gone": ("context1",), "context1": ("gone",)})

    assert check(now, new, config=config).statements[0].outcome is Outcome.SUPPORTED


def test_documents_that_supersede_each_other_are_refused() -> None:
    config = Config(supersedes={"context1": ("context2",), "context2": ("context1",)})
    with pytest.raises(ConfigError, match="expected one that stands"):
        check("The fee is £6.", "The fee is £5.", "The fee is £6.", config=config)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    old, new, _, before = VERSIONS["pool"]
    for name, text in (("old.md", old), ("new.md", new), ("answer.txt", before)):
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_config_file_declares_the_order(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("groundrules.toml").write_text('[supersedes]\n"new.md" = ["old.md"]\n', encoding="utf-8")
    main(["check", "answer.txt", "--context", "new.md", "--context", "old.md"])
    by_file = capsys.readouterr().out

    assert "GR107 superseded-source" in by_file
    assert "old.md is superseded by new.md" in by_file
