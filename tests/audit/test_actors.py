"""The same audit on a Ray cluster: a local one of two workers, of which one is killed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from groundrules.audit.results import read_results
from groundrules.audit.runner import run
from groundrules.errors import ConfigError
from tests.audit import doubles
from tests.audit.test_runner import ROOT, everything


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("ray"), reason="Ray is not installed ([ray])")
def test_a_cluster_that_loses_a_worker_ends_as_one_machine_that_loses_none(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    answers = ["fine refuted nap"] * 12 + [f"once-{mark} fine"] + ["fine"] * 12 + ["fail"]
    table = doubles.write_table(tmp_path / "t.jsonl", answers)
    # in a process of its own, as a cluster needs the sockets that tests may not use
    start = "from tests.audit.doubles import main; main()"
    command = [sys.executable, "-c", start, str(table), str(tmp_path / "ray"), "2", "ray"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300, capture_output=True)
    assert mark.exists()
    assert len(list(read_results(tmp_path / "ray"))) == len(answers)
    doubles.run_all(table, tmp_path / "here")
    # the reports say what they ran on, and are alike but for that
    ray = {
        name: one.replace(b"2 at a time by ray", b"1 at a time by processes")
        for name, one in everything(tmp_path / "ray").items()
    }
    assert ray == everything(tmp_path / "here")


LISTENS = """
import os
from pathlib import Path
from groundrules.audit.actors import Actors
from groundrules.audit.worker import Job
from groundrules.config import Config

pool = Actors(Job(Path(), Config()), 1)
pool.begin().take()
ours, parents = {os.getpid()}, {}
for stat in Path("/proc").glob("[0-9]*/stat"):
    parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
    ours |= more
held = {os.readlink(fd) for pid in ours for fd in Path(f"/proc/{pid}/fd").iterdir()
        if os.path.islink(fd)}
rows = [line.split() for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
found = [row[1].partition(":")[0] for row in rows
         if row[3] == "0A" and f"socket:[{row[9]}]" in held]
print(len(found), *sorted({one for one in found if not one.endswith("0100007F")}))
pool.close()
"""


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("ray"), reason="Ray is not installed ([ray])")
@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_cluster_that_is_started_here_listens_on_this_machine_alone(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LISTENS],
        cwd=ROOT, check=True, timeout=300, capture_output=True, text=True,
    )  # fmt: skip
    number, *elsewhere = done.stdout.split()
    assert int(number) >= 4
    assert elsewhere == []


def test_without_ray_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    table = doubles.write_table(tmp_path / "t.jsonl", ["one"])
    with pytest.raises(ConfigError, match=r"pip install 'groundrules\[ray\]'"):
        run(doubles.audit(table, tmp_path / "out", engine="ray"))
