"""A command in a process of its own, of one thread, with nothing kept: what it says and takes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
#: The command line, however it is installed.
GROUNDRULES = (sys.executable, "-m", "groundrules.cli.main")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Ran(NamedTuple):
    """What a process said, its exit code, its seconds of CPU and by the clock, its peak in MiB."""

    out: str
    errors: str
    code: int
    cpu: float
    wall: float
    mib: float


def run(command: Sequence[str], code: Path = ROOT) -> Ran:
    """Run a command with the code of a folder, in that folder."""
    environment = {**os.environ, **dict.fromkeys(_THREADS, "1"), "GROUNDRULES_CACHE": "off"}
    environment["PYTHONPATH"] = str(code)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or each process compiles all anew
    started = time.perf_counter()
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            command, cwd=code, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        errors.seek(0)
        peak = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
        cpu = used.ru_utime + used.ru_stime
        return Ran(out, errors.read(), process.returncode, cpu, wall, peak)


def done(command: Sequence[str], code: Path = ROOT) -> Ran:
    """Run a command; SystemExit where it fails."""
    ran = run(command, code)
    if ran.code:
        raise SystemExit(f"{' '.join(command[1:])} ended with {ran.code}: {ran.errors[-500:]}")
    return ran
