"""All benchmarks, one table of ratios.

    python -m benchmarks --out build/bench [--data ../shared/data] [--only kernel,rules]
                         [--write benchmarks/reports/speed.md]

Each runs in a process of its own and leaves its JSON in the folder; one whose peer or data is not
there is left out with a line that says so. With `--only` the table takes the others from the JSON
that an earlier run left. `--write` puts the table into a page, between its two marks.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.marks import put_between

ROOT = Path(__file__).parents[1]
BEGIN = "<!-- figures: written by python -m benchmarks -->"
END = "<!-- end of figures -->"
#: Stands where there is no peer, ratio or aim.
NONE = "–"


@dataclass(frozen=True)
class Row:
    """One line of the table; `ratio` is the peer's figure over ours."""

    benchmark: str
    what: str
    ours: str
    other: str = NONE
    ratio: float | None = None
    aim: str = NONE


def kernel_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Yield ours against GraKeL."""
    for row in found["rows"]:
        aim = "at least 5x" if row["nodes"] >= 1_000 else NONE
        yield Row(
            "kernel",
            f"WL kernel of a pair of {row['nodes']:,.0f} nodes; peer GraKeL, equal values",
            f"{row['ours_ms']:.3f} ms",
            f"{row['grakel_ms']:.3f} ms",
            row["ratio"],
            aim,
        )


def align_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Yield ours against one label at a time."""
    rows = found["rows"]
    cold, warm = rows["ours, cold cache"]["seconds"], rows["ours, warm cache"]["seconds"]
    for name, row in rows.items():
        if name.startswith("ours"):
            continue
        aim = "at least 50x" if name.startswith("KEA") else NONE
        other = f"{row['seconds']:.1f} s"
        what = f"alignment of 200 and 500 triples; {name}"
        if "claims_run" in row:
            what += f" ({row['claims_run']} of 200 claims run, scaled)"
        yield Row("align", f"{what}, cache cold", f"{cold:.2f} s", other, row["ratio_cold"], aim)
        yield Row("align", f"{what}, cache warm", f"{warm:.2f} s", other, row["ratio_warm"], aim)


def rules_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Yield ours against pySHACL."""
    yield Row(
        "rules",
        f"two checks, {found['claims']:,} claims, {found['triples']:,} context triples; "
        f"peer pySHACL, {'equal' if found['equal'] else 'other'} results",
        f"{found['groundrules_seconds'] * 1000:.0f} ms",
        f"{found['pyshacl_seconds']:.1f} s",
        found["ratio"],
        "at least 100x",
    )


def check_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Yield the cost of a check against document length, and of a cold one."""
    command = found["cold"]["command"]
    yield Row(
        "check",
        "cold check of the example, whole process",
        f"{command['cpu']:.2f} s CPU, {command['peak_mib']:.0f} MiB",
        aim="3 s, 500 MB",
    )
    for row in found["rows"]:
        yield Row(
            "check",
            f"ten sentences against {row['words']:,} words (pages: {row['pages']})",
            f"{row['seconds']['total']:.2f} s CPU, {row['peak_mib']:.0f} MiB",
        )
    slope = found["slope"]
    if not math.isnan(slope):
        yield Row(
            "check",
            "slope of log seconds over log pages, 5 pages and more",
            f"{slope:.2f}",
            aim="about 1",
        )


def kb_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Yield what a store costs to build and how fast it answers."""
    if store := found.get("store"):
        cost = store["build"]
        yield Row(
            "kb",
            f"kb build of {store['statements']:,} statements, whole process; the store",
            f"{cost['seconds']:.0f} s, {cost['cpu']:.0f} s CPU, {cost['peak_mib']:.0f} MiB; "
            f"{store['graph_mb'] + store['index_mb']:.0f} MB",
        )
        for what, rate in store["per_second"].items():
            yield Row("kb", f"look-ups in the store: {what}", f"{rate:,.0f} per s CPU")


def kb_requests_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Yield ours, with an empty cache and rerun, against one request for each pair of entities."""
    pairs = found["pairs"]
    for run, others in (("cold", "in memory"), ("warm", "warm")):
        ours = found[run]
        what = (
            f"{found['texts']} texts, {found['claims']} sentences, {found['entities']} entities "
            f"put to Virtuoso, cache {run}"
        )
        differ = len(found["differences"][others])
        beside = "from the same statements in memory" if run == "cold" else "when rerun"
        for key, unit, scale, note in (
            ("requests", "", 1, f"at most {ours['most_by_text']} a text, {ours['once']} once"),
            ("bytes", " MB", 1e6, f"{differ} other verdicts {beside}"),
            ("seconds", " s", 1, "waiting for answers alone"),
        ):
            mine, theirs = ours[key] / scale, pairs[key] / scale
            digits = 1 if unit else 0
            yield Row(
                "kb_requests",
                f"{what}: {key}, {note}; peer one pair a request, as KEA",
                f"{mine:,.{digits}f}{unit}",
                f"{theirs:,.{digits}f}{unit}",
                theirs / mine if mine else None,
                "3 a text" if key == "requests" and run == "cold" else NONE,
            )


def passages_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Yield the cost of an alignment beside Biopython's."""
    for row in found["speed"]:
        yield Row(
            "passages",
            f"a context of {row['context']} characters in {row['size']:,}; "
            "peer Biopython, equal optimum and span",
            f"{row['ours_ms']:.2f} ms",
            f"{row['align_ms']:,.0f} ms",
            row["ratio"],
            "at least 50x" if row["size"] == 100_000 else NONE,
        )
    memory = found["memory"]
    for size, peak in memory["ours"].items():
        theirs = memory["biopython"].get(size)
        yield Row(
            "passages",
            f"peak of a process that aligns once with {int(size):,} characters; peer Biopython",
            f"{peak:.0f} MiB",
            NONE if theirs is None else f"{theirs:.0f} MiB",
            aim="linear",
        )


@dataclass(frozen=True)
class Benchmark:
    """A module of this package, what it needs, and how its figures become lines.

    `modules` are by the extra that has them, `programs` by the Debian package; `files` are those
    of the data that must be there.
    """

    rows: Callable[[dict[str, Any]], Iterator[Row]]
    modules: tuple[tuple[str, str], ...] = ()
    data: bool = False
    programs: tuple[tuple[str, str], ...] = ()
    files: tuple[str, ...] = ()


BENCHMARKS = {
    "kernel": Benchmark(kernel_rows, (("grakel", "grakel"),)),
    "align": Benchmark(align_rows),
    "rules": Benchmark(rules_rows, (("pyshacl", "dev"),)),
    "check": Benchmark(check_rows),
    "kb": Benchmark(kb_rows, data=True),
    "kb_requests": Benchmark(
        kb_requests_rows,
        data=True,
        programs=(("virtuoso-t", "virtuoso-opensource"), ("isql-vt", "virtuoso-opensource")),
        files=("open/wikidata_subset.nt.gz", "open/codex_claims.jsonl.gz"),
    ),
    "passages": Benchmark(
        passages_rows,
        (("parasail", "llm"), ("Bio", "dev")),
        data=True,
        files=("legal/contracts",),
    ),
}


def reason_to_skip(benchmark: Benchmark, data: Path | None) -> str:
    """Return why a benchmark cannot run here, "" if it can."""
    for module, extra in benchmark.modules:
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed; pip install 'groundrules[{extra}]'"
    for program, package in benchmark.programs:
        if shutil.which(program) is None:
            return f"{program} is not installed; apt-get install {package}"
    if benchmark.data and data is None:
        return "it needs a data folder; name it with --data"
    if benchmark.data and data is not None and not data.is_dir():
        return f"no data folder at {data}; name it with --data"
    for file in benchmark.files:
        if data is not None and not (data / file).exists():
            return f"the data folder has no {file}"
    return ""


def run(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Run a benchmark, show what it prints, and return its figures."""
    target = options.out / f"{name}.json"
    target.unlink(missing_ok=True)
    command = [sys.executable, "-m", f"benchmarks.{name}", "--json", str(target)]
    if BENCHMARKS[name].data:
        command += ["--data", str(options.data)]
    print(f"\n--- {name}", flush=True)
    done = subprocess.run(command, cwd=ROOT, check=False)
    if done.returncode or not target.exists():
        raise SystemExit(f"benchmark {name} ended with {done.returncode}")
    return dict(json.loads(target.read_text("utf-8")))


def table(rows: list[Row], skipped: dict[str, str]) -> str:
    """Return the figures as a Markdown table, and what was left out."""
    lines = ["| benchmark | what | ours | peer | ratio | aim |", "|---|---|--:|--:|--:|---|"]
    for row in rows:
        ratio = NONE if row.ratio is None else f"{row.ratio:,.1f}x"
        cells = (row.benchmark, row.what, row.ours, row.other, ratio, row.aim)
        lines.append(f"| {' | '.join(cells)} |")
    lines += [f"\n`{name}` was left out: {why}." for name, why in skipped.items()]
    return "\n".join(lines) + "\n"


def describe_machine() -> str:
    """Return the processor, the number of cores and the Python of this run."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [n for n in info.read_text("utf-8").splitlines() if n.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return f"{model}, {os.cpu_count()} cores; Python {platform.python_version()}"


def write_page(page: Path, text: str) -> None:
    """Put the figures of a machine between the marks of a page."""
    put_between(page, text, BEGIN, END)


def main() -> None:
    """Run the benchmarks and print their table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="the folder with the labelled data")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the JSON files")
    parser.add_argument("--only", default=",".join(BENCHMARKS), help="some of them, by commas")
    parser.add_argument("--write", type=Path, help="put the table into this page")
    options = parser.parse_args()
    for key in ("data", "out", "write"):
        path = getattr(options, key)
        setattr(options, key, path and path.resolve())
    chosen = options.only.split(",")
    if unknown := sorted(set(chosen) - set(BENCHMARKS)):
        parser.error(f"--only {', '.join(unknown)}: expected {', '.join(BENCHMARKS)}")
    options.out.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    skipped: dict[str, str] = {}
    for name, benchmark in BENCHMARKS.items():
        if name not in chosen:
            if (kept := options.out / f"{name}.json").exists():
                rows += benchmark.rows(json.loads(kept.read_text("utf-8")))
            continue
        if why := reason_to_skip(benchmark, options.data):
            skipped[name] = why
            print(f"{name}: skipped: {why}", flush=True)
            continue
        rows += benchmark.rows(run(name, options))
    figures = table(rows, skipped)
    machine = f"{describe_machine()}; {time.strftime('%Y-%m-%d')}"
    print(f"\n{machine}\n\n{figures}", end="")
    record = {
        "machine": machine,
        "rows": [{**row.__dict__} for row in rows],
        "skipped": skipped,
    }
    (options.out / "bench.json").write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    if options.write:
        write_page(options.write, f"{machine}.\n\n{figures}")


if __name__ == "__main__":
    main()
