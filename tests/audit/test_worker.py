"""Laws of a worker of an audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules import processes
from groundrules.audit import worker
from groundrules.audit.tasks import Task, read_tasks
from groundrules.config import Config
from groundrules.terms import Report


@pytest.mark.parametrize("grown", [True, False])
def test_a_worker_forgets_when_it_has_grown_and_not_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grown: bool
) -> None:
    forgot = []
    monkeypatch.setattr(processes, "forget", lambda: forgot.append(True))
    monkeypatch.setattr(processes, "_HELD", -(2**40) if grown else 2**40)
    for name in ("reports", "sources"):
        (tmp_path / name).mkdir()
    (tmp_path / "t.txt").write_text("Ann Lee is the landlord.", "utf-8")
    (task,) = read_tasks([str(tmp_path / "t.txt")], "settings")
    assert isinstance(task, Task)
    worker.Worker(worker.Job(tmp_path, Config(), check=lambda *_, **__: Report("", ""))).work(task)
    assert forgot == [True] * grown
