"""CPU seconds of a cold check, a warm one and one of 100 pages, beside other copies of the code.

    python -m benchmarks.seconds [--beside NAME=FOLDER ...] [--rounds 5] [--write PAGE]

cold     the command line on the shipped example, a new process with all that it imports
warm     an answer of twelve sentences beside its source, the models loaded by a check of another
pages    ten sentences beside a contract of 100 pages (`benchmarks/check.py`), as warm

Each figure is the least of some rounds, each a process of its own, of one thread and with nothing
kept on disk; a round runs every copy in turn, so that what else the machine does tells of all.
`git worktree add --detach FOLDER COMMIT` makes a copy.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))  # behind the code that is measured

from benchmarks.check import read_answer, write_contract  # noqa: E402 - found by the path just added
from benchmarks.marks import put_between  # noqa: E402 - as above

EXAMPLE = ROOT / "examples" / "lease"
ANSWERS = ROOT / "benchmarks" / "prose" / "tuning.jsonl"
BEGIN, END = "<!-- seconds: begin -->", "<!-- seconds: end -->"
KINDS = {
    "cold": "cold check of the example, whole process",
    "warm": "warm check of twelve sentences beside {words} words",
    "pages": "warm check of ten sentences beside 100 pages",
}


def texts_of(kind: str) -> tuple[str, str]:
    """Return the text of a warm check, and its source."""
    if kind == "pages":
        return read_answer(), write_contract(100)
    rows = [json.loads(line) for line in ANSWERS.read_text("utf-8").splitlines()]
    row = max(rows[1:], key=lambda one: len(one["doc"].split()))
    return " ".join(one["s"] for one in row["answer"]), row["doc"]


def measure(kind: str) -> float:
    """Return the CPU seconds of a warm check in this process."""
    from groundrules import api

    first = json.loads(ANSWERS.open(encoding="utf-8").readline())
    api.check(" ".join(one["s"] for one in first["answer"][:4]), context=[first["doc"]])
    text, source = texts_of(kind)
    begun = time.process_time()
    api.check(text, context=[source])
    return time.process_time() - begun


def run(kind: str, folder: Path) -> float:
    """Return the CPU seconds of one kind of check by the code in a folder."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {**os.environ, **dict.fromkeys(threads, "1"), "GROUNDRULES_CACHE": "off"}
    environment["PYTHONPATH"] = str(folder)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or each process compiles all anew
    if kind != "cold":
        command = [sys.executable, str(Path(__file__)), "--alone", kind]
        out = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return float(out.stdout.split()[-1])
    answer, lease = (str(EXAMPLE / name) for name in ("answer.txt", "lease.txt"))
    command = [sys.executable, "-m", "groundrules.cli.main", "check", answer, "--context", lease]
    command += ["--exit-zero", "--isolated"]
    # with -m the folder that a process stands in goes before all others
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{folder}: the check ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def page(found: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Return the table: a row a kind of check, a column a copy of the code."""
    names = list(next(iter(found.values())))
    lines = [f"| CPU seconds | {' | '.join(names)} |", "|---|" + "--:|" * len(names)]
    words = f"{len(texts_of('warm')[1].split()):,}"
    for kind, by_name in found.items():
        told = " | ".join(f"{min(by_name[name]):.2f}" for name in names)
        lines.append(f"| {KINDS[kind].format(words=words)} | {told} |")
    return "\n".join(lines)


def main() -> None:
    """Measure the copies in turn, and print the table or write it into a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    parser.add_argument("--alone", choices=("warm", "pages"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        print(measure(options.alone))
        return
    copies = dict(one.split("=", 1) for one in options.beside)
    folders = {name: Path(folder).resolve() for name, folder in copies.items()} | {"now": ROOT}
    found: dict[str, dict[str, list[float]]] = {
        kind: {one: [] for one in folders} for kind in KINDS
    }
    for _ in range(options.rounds):
        for kind, by_name in found.items():
            for name, folder in folders.items():
                by_name[name].append(run(kind, folder))
    table = page(found)
    print(table)
    if options.write:
        put_between(options.write, table, BEGIN, END)


if __name__ == "__main__":
    main()
