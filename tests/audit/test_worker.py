"""Laws of a worker: what it has read of texts it forgets, and says the same as before."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from groundrules import api
from groundrules.align import parses, wordalign
from groundrules.audit import worker
from groundrules.audit.tasks import Task, read_tasks
from groundrules.checks.extractions import parsed
from groundrules.config import Config
from groundrules.explain.formats import json as json_format
from groundrules.models.embed import _sentence_encoder
from groundrules.terms import Report

LEASE = "The lease began on May 2, 2021. The rent is $40 a month. The tenant is Ann Lee."
ANSWER = "The rent is $45 a month. Ann Lee is the landlord."


def told(report: Report) -> str:
    run = replace(report.run, times=(), at="")
    return json.dumps(json_format.encode(replace(report, run=run)))


def test_a_worker_that_forgot_its_texts_says_the_same_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    before = told(api.check(ANSWER, context=[LEASE]))
    assert wordalign.read.cache_info().currsize
    assert parses._parses
    models = _sentence_encoder.cache_info()
    worker.forget()
    assert wordalign.read.cache_info().currsize == parsed.cache_info().currsize == 0
    assert not parses._parses
    assert _sentence_encoder.cache_info() == models
    assert told(api.check(ANSWER, context=[LEASE])) == before


@pytest.mark.parametrize("grown", [True, False])
def test_a_worker_forgets_when_it_has_grown_and_not_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grown: bool
) -> None:
    forgot = []
    monkeypatch.setattr(worker, "forget", lambda: forgot.append(True))
    monkeypatch.setattr(worker, "_HELD", -1 if grown else 2**40)
    for name in ("reports", "sources"):
        (tmp_path / name).mkdir()
    (tmp_path / "t.txt").write_text(ANSWER, "utf-8")
    (task,) = read_tasks([str(tmp_path / "t.txt")], "settings")
    assert isinstance(task, Task)
    worker.Worker(worker.Job(tmp_path, Config(), check=lambda *_, **__: Report("", ""))).work(task)
    assert forgot == [True] * grown
