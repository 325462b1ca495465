"""A stand-in for the pipeline, so that the command line is tested by itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import groundrules
from groundrules.claims.documents.document import Document
from groundrules.cli.main import main
from groundrules.config import Config
from groundrules.terms import Report
from tests.explain import cases


@dataclass
class Pipeline:
    """Reports the lease case for its text, and nothing wrong for any other."""

    calls: list[tuple[Document, list[object], Config]] = field(default_factory=list)
    error: BaseException | None = None
    case: Callable[[], Report] = cases.lease

    def check(
        self,
        source: Document,
        *,
        context: list[object],
        config: Config,
        question: str = "",
        now: object = None,
    ) -> Report:
        self.calls.append((source, context, config))
        if self.error:
            raise self.error
        report = self.case()
        if source.text != report.text:
            return replace(report, source=source.name, text=source.text, claims=(), violations=(),
                           verdicts=())  # fmt: skip
        return report


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> Pipeline:
    stand_in = Pipeline()
    api = SimpleNamespace(check=stand_in.check)
    monkeypatch.setitem(sys.modules, "groundrules.api", api)
    monkeypatch.setattr(groundrules, "api", api, raising=False)
    monkeypatch.delenv("GROUNDRULES_OUTPUT_FORMAT", raising=False)
    return stand_in


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the answer and the lease."""
    monkeypatch.chdir(tmp_path)
    report = cases.lease()
    (tmp_path / "answer.txt").write_text(report.text, encoding="utf-8", newline="")
    (tmp_path / "lease.txt").write_text(cases.LEASE, encoding="utf-8", newline="")
    return tmp_path


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run a command line in this process."""

    def run(*arguments: str) -> Outcome:
        code = main(arguments)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run
