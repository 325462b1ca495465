"""Throughput and memory of `groundrules audit` against a plain loop over `check`, and its kills.

    python -m benchmarks.audits [--data ../shared/data] [--texts 1000] [--kills 50]
                                [--engines loop,1,2,ray] [--json FILE] [--write PAGE]

The texts are answers of three statements on contracts (contract_qa, contract_nli), and summaries of
articles (summeval), with their sources; several answers share one source. The loop, one process,
two and a Ray cluster of two workers check the same texts, one after the other, each in a process of
its own with nothing kept on disk; seconds are wall seconds with the start of all workers. Each kill
is a kill -9 of the process that runs an audit of short texts, at random places; then lines, ids and
every file but the log of times are compared with those of a run that nobody disturbed. `--json`
adds to what the file has, so that the parts can be run one by one.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.check import peak_mib
from groundrules.audit.results import Result, read_results

ROOT = Path(__file__).parents[1]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
STATEMENTS = 3
#: Texts for each kill, so that one in ten comes before any is done, and the others spread.
FOR_A_KILL = 8
PATIENCE = 900.0
VARIES = {"results.sqlite", "lock"}


def read_claims(data: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield set, source, text of the source and claim; SystemExit where the data is not there."""
    for name in ("legal/contract_qa", "legal/contract_nli", "closed/summeval"):
        path = data / f"{name}.jsonl.gz"
        if not path.is_file():
            raise SystemExit(f"left out: {path} is not there")
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield name.partition("/")[2], row["doc_id"], row["doc"], row["claim"]


def make_texts(data: Path, count: int, seed: int = 1) -> list[dict[str, Any]]:
    """Return so many answers with their sources, those of one source near each other."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    docs: dict[tuple[str, str], str] = {}
    for kind, source, doc, claim in read_claims(data):
        groups[kind, source].append(claim)
        docs.setdefault((kind, source), doc)
    rows: list[dict[str, Any]] = []
    for (kind, source), claims in groups.items():
        size = 1 if kind == "summeval" else STATEMENTS
        for number in range(0, len(claims), size):
            rows.append(
                {
                    "id": f"{kind}-{source}-{number // size}",
                    "answer": " ".join(claims[number : number + size]),
                    "context": {"name": f"{kind}-{source}", "text": docs[kind, source]},
                    "date": f"2026-{len(rows) % 12 + 1:02}-01",
                }
            )
    dice = random.Random(seed)
    order = sorted(groups)
    dice.shuffle(order)
    place = {f"{kind}-{source}": number for number, (kind, source) in enumerate(order)}
    rows.sort(key=lambda row: place[row["context"]["name"]])
    if len(rows) < count:
        raise SystemExit(f"left out: the data has {len(rows):,} texts, not {count:,}")
    return rows[:count]


def make_short(count: int) -> list[dict[str, Any]]:
    """Return so many short texts, ten of a source, some of them wrong."""
    rows = []
    for number in range(count):
        rent = number % 90 + 40
        source = f"The rent of house {number // 10} is ${rent + (number % 3 == 0)} a month."
        answer = f"The rent is ${rent} a month."
        rows.append({"id": f"short-{number:05}", "answer": answer, "context": source})
    return rows


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


# --- one run, in a process of its own ---------------------------------------------------------


def run_loop(table: Path) -> dict[str, Any]:
    """Check the texts of a table one after the other."""
    from groundrules import api
    from groundrules.claims.documents.document import Document
    from groundrules.config import Config

    texts = 0
    with table.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            given = row["context"]
            named = given if isinstance(given, dict) else {"name": "context", "text": given}
            source = Document(named["name"], named["text"])
            api.check(Document(row["id"], row["answer"]), context=source, config=Config(), now=NOW)
            texts += 1
    return {"texts": texts, "worker_mib": peak_mib(), "parent_mib": None}


def run_audit(table: Path, out: Path, jobs: int, engine: str) -> dict[str, Any]:
    """Audit a table and write the report."""
    from groundrules.audit.runner import Audit, run
    from groundrules.audit.summary import write_summary
    from groundrules.config import Config

    done = run(Audit((str(table),), out, Config(), jobs=jobs, engine=engine, now=NOW))
    write_summary(out, done)
    tally = done.tally
    return {
        "texts": len(done.keys),
        "errors": tally.errors,
        "worker_mib": tally.memory / 2**20 or None,
        "parent_mib": peak_mib(),
    }


def start(*arguments: str, quiet: bool = False) -> subprocess.Popen[str]:
    """Start this script for one run."""
    environment = {**os.environ, "GROUNDRULES_CACHE": "off", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.audits", "--one", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL if quiet else subprocess.PIPE,
        text=True,
    )


def measure(*arguments: str) -> dict[str, Any]:
    """Return the figures of one run, with its wall seconds."""
    began = time.perf_counter()
    process = start(*arguments)
    out, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}")
    return {**json.loads(out.splitlines()[-1]), "seconds": time.perf_counter() - began}


# --- kills ------------------------------------------------------------------------------------


def lines_of(out: Path) -> list[Result]:
    """Return the results."""
    return list(read_results(out))


def files_of(out: Path) -> dict[str, bytes]:
    """Return all files of an audit that no two runs may have different."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file() and path.name not in VARIES
    }


def measure_kills(folder: Path, kills: int, seed: int = 1) -> dict[str, Any]:
    """Kill an audit so often and compare what is left with a run that was not disturbed."""
    dice = random.Random(seed)
    texts = kills * FOR_A_KILL
    table = write_rows(folder / "kills.jsonl", make_short(texts))
    out = folder / "killed"
    done = 0
    for left in range(kills, 0, -1):
        before = len(lines_of(out))
        room = max(0, texts - before - FOR_A_KILL)
        target = before + dice.randint(0, min(room, 2 * room // left))
        pause = dice.uniform(0, 4) if target == before else dice.uniform(0, 0.3)
        process = start(str(table), str(out), "2", "processes", quiet=True)
        until = time.monotonic() + PATIENCE
        while len(lines_of(out)) < target and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(pause)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            done += 1
        process.wait()
    measure(str(table), str(out), "2", "processes")
    measure(str(table), str(folder / "whole"), "2", "processes")
    keys = [one.key for one in lines_of(out)]
    ids = {one.id for one in lines_of(out)}
    return {
        "texts": texts,
        "kills": done,
        "lost": texts - len(ids),
        "twice": len(keys) - len(set(keys)),
        "identical": files_of(out) == files_of(folder / "whole"),
    }


# --- the table --------------------------------------------------------------------------------

NAMES = {"loop": "a loop over `check`", "1": "`audit --jobs 1`", "2": "`audit --jobs 2`"}


def mib(value: float | None) -> str:
    """Return an amount of memory, a dash where it is not known."""
    return f"{value:,.0f}" if value else "–"


def as_table(record: dict[str, Any]) -> str:
    """Return the figures as a page shows them."""
    parts = []
    if runs := record["runs"]:
        first = runs[0]["seconds"]
        parts += [
            "| way | texts | seconds | texts a second | against the loop | MiB of a worker | "
            "MiB of the parent |",
            "|---|--:|--:|--:|--:|--:|--:|",
            *(
                f"| {NAMES.get(run['way'], 'Ray, two workers')} | {run['texts']:,} | "
                f"{run['seconds']:.1f} | {run['texts'] / run['seconds']:.2f} | "
                f"{first / run['seconds']:.2f}x | {mib(run['worker_mib'])} | "
                f"{mib(run['parent_mib'])} |"
                for run in runs
            ),
            "",
        ]
    if kills := record["kills"]:
        same = "identical to" if kills["identical"] else "NOT identical to"
        parts += [
            f"{kills['kills']} kills in a run of {kills['texts']:,} texts: {kills['lost']} lost, "
            f"{kills['twice']} twice, the reports {same} those of an undisturbed run.",
            "",
        ]
    return "\n".join(parts)


def main() -> None:
    """Print the figures, and write them where asked."""
    if sys.argv[1:2] == ["--one"]:
        table, out, jobs, engine = sys.argv[2:]
        ran = run_loop(Path(table)) if engine == "loop" else run_audit(
            Path(table), Path(out), int(jobs), engine
        )  # fmt: skip
        print(json.dumps(ran))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--texts", type=int, default=1000, help="0 leaves this part out")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--engines", default="loop,1,2,ray", help="ways to check, by commas")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    options = parser.parse_args()
    record: dict[str, Any] = {"runs": [], "kills": None}
    if options.json and options.json.is_file():
        record |= json.loads(options.json.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held)
        if options.texts:
            record["runs"] = []
            written = write_rows(folder / "texts.jsonl", make_texts(options.data, options.texts))
            for way in options.engines.split(","):
                engine = way if way in ("loop", "ray") else "processes"
                jobs = way if way.isdecimal() else "2"
                figures = measure(str(written), str(folder / way), jobs, engine)
                record["runs"].append({"way": way, **figures})
                shutil.rmtree(folder / way, ignore_errors=True)
                print(json.dumps(record["runs"][-1]), file=sys.stderr)
        if options.kills:
            record["kills"] = measure_kills(folder, options.kills)
    page = as_table(record)
    print(page)
    if options.json:
        options.json.write_text(json.dumps(record) + "\n", "utf-8")
    if options.write:
        from benchmarks.__main__ import describe_machine, write_page

        write_page(options.write, f"{describe_machine()}; {time.strftime('%Y-%m-%d')}.\n\n{page}")


if __name__ == "__main__":
    main()
