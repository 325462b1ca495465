"""Cost of `groundrules check` against document length, and of a cold check of the example.

    python -m benchmarks.check [--pages 1,2,5,10,20,50,100] [--json FILE] [--plot FILE.svg]

The same answer of ten sentences is checked against a contract of N pages, 500 words each: the
example's lease, then clauses drawn with a fixed seed. Each length has a process of its own, one
thread, models loaded by a check of another text, no vectors on disk.

cold    the command line on the example, a new process with everything it imports, vector cache off

Times are CPU seconds, which do not depend on what else the machine does; memory is the peak of the
whole process in MiB. The slope is that of the least-squares line through log(pages), log(seconds):
1 is linear.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import resource
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks.alone import GROUNDRULES, ROOT, done

EXAMPLE = ROOT / "examples" / "lease"
PAGES = (1, 2, 5, 10, 20, 50, 100)
PAGE_WORDS = 500
SENTENCES = 10
#: From this length on the fixed cost of the answer is small beside that of the document.
LONG = 5
STAGES = ("read", "extract", "resolve", "align", "dataset", "rules", "repair")

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
FIRST, FAMILY, HEAD, TRADE, STREET, CITY, STATE, FORM, MONTH, ITEM, CLAUSES = (
    _WORDS[name]
    for name in "first family head trade street city state form month item clauses".split()
)


def write_clauses(dice: random.Random) -> Iterator[str]:
    """Yield numbered paragraphs of a contract without end."""
    number = 10
    while True:
        yield f"{number}. SCHEDULE OF THE {dice.choice(ITEM).upper()}"
        for part in range(1, dice.randint(4, 9)):
            parts = {
                "org": f"{dice.choice(HEAD)} {dice.choice(TRADE)}",
                "form": dice.choice(FORM),
                "person": f"{dice.choice(FIRST)} {dice.choice(FAMILY)}",
                "place": f"{dice.randint(2, 990)} {dice.choice(STREET)} Street, "
                f"{dice.choice(CITY)}",
                "date": f"{dice.choice(MONTH)} {dice.randint(1, 28)}, {dice.randint(1995, 2030)}",
                "money": f"${dice.randint(2, 900) * 250:,}",
                "days": dice.randint(5, 180),
                "percent": dice.randint(1, 60),
                "area": f"{dice.randint(4, 90) * 100:,}",
                "state": dice.choice(STATE),
                "item": dice.choice(ITEM),
            }
            yield f"{number}.{part} {dice.choice(CLAUSES).format(**parts)}"
        number += 1


def write_contract(pages: int, *, seed: int = 1) -> str:
    """Return a contract of `pages` times 500 words, to the end of the paragraph."""
    lease = (EXAMPLE / "lease.txt").read_text("utf-8")
    opening = [paragraph for paragraph in lease.split("\n\n") if paragraph.strip()]
    paragraphs: list[str] = []
    words = 0
    for paragraph in _chained(opening, write_clauses(random.Random(seed))):
        if words >= pages * PAGE_WORDS:
            break
        paragraphs.append(paragraph)
        words += len(paragraph.split())
    return "\n\n".join(paragraphs) + "\n"


def _chained(first: Sequence[str], rest: Iterator[str]) -> Iterator[str]:
    yield from first
    yield from rest


def read_answer() -> str:
    """Return the first ten sentences of the example's answer."""
    text = (EXAMPLE / "answer.txt").read_text("utf-8")
    sentences = re.findall(r"[A-Z].+?\.(?=\s+[A-Z]|\s*\Z)", text, re.DOTALL)
    return " ".join(sentences[:SENTENCES]) + "\n"


def peak_mib() -> float:
    """Return the peak memory of this process in MiB."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (2**20 if sys.platform == "darwin" else 2**10)


def measure_length(pages: int) -> dict[str, Any]:
    """Return CPU seconds by stage and peak memory of a check against that many pages."""
    from groundrules import api
    from groundrules.checks import clock

    warm_up = "Karim Lund owns Amber Glass. The Tenant shall pay $40 to Karim Lund by May 2, 2021."
    api.check(warm_up, context=[warm_up])
    clock.time = SimpleNamespace(perf_counter=time.process_time)
    text = write_contract(pages)
    report = api.check(read_answer(), context=[text])
    return {
        "pages": pages,
        "words": len(text.split()),
        "seconds": dict(report.run.times),
        "peak_mib": peak_mib(),
        "claims": len(report.claims),
        "violations": len(report.violations),
    }


def measure_cold() -> dict[str, Any]:
    """Return CPU seconds by stage of a check of the example in this fresh process."""
    started = time.process_time()
    from groundrules import api
    from groundrules.checks import clock
    from groundrules.claims.facts.offline import load

    seconds = {"python": started}

    def mark() -> float:
        nonlocal started
        spent, started = time.process_time() - started, time.process_time()
        return spent

    seconds["import groundrules"] = mark()
    load()
    seconds["spaCy, pipeline"] = mark()
    from groundrules.models import embed

    embed.encode(["warm up"])
    seconds["onnx, embedding"] = mark()
    clock.time = SimpleNamespace(perf_counter=time.process_time)
    report = api.check(EXAMPLE / "answer.txt", context=[EXAMPLE / "lease.txt"])
    times = dict(report.run.times)
    del times["total"]
    return {"seconds": seconds | times, "peak_mib": peak_mib()}


def run_alone(*arguments: str) -> dict[str, Any]:
    """Return what this module prints as JSON in a process of its own."""
    ran = done([sys.executable, "-m", "benchmarks.check", *arguments])
    return dict(json.loads(ran.out.splitlines()[-1]))


def run_command() -> dict[str, float]:
    """Return seconds and peak memory of the command line on the example."""
    answer, lease = (str(EXAMPLE / name) for name in ("answer.txt", "lease.txt"))
    ran = done([*GROUNDRULES, "check", answer, "--context", lease, "--exit-zero", "--isolated"])
    return {"wall": ran.wall, "cpu": ran.cpu, "peak_mib": ran.mib}


def slope(rows: Sequence[dict[str, Any]], figure: Callable[[dict[str, Any]], float]) -> float:
    """Return the slope of the least-squares line through the logs of pages and figure."""
    points = [(math.log(row["pages"]), math.log(max(figure(row), 1e-9))) for row in rows]
    if len(points) < 2:
        return math.nan
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((a - x) ** 2 for a, _ in points)
    return sum((a - x) * (b - y) for a, b in points) / spread if spread else math.nan


def slopes(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the slope of each stage and of the total, over the long documents if there are two."""
    long = [row for row in rows if row["pages"] >= LONG]
    chosen = long if len(long) > 1 else rows
    return {
        stage: slope(chosen, lambda row, stage=stage: row["seconds"][stage])  # type: ignore[misc]
        for stage in (*STAGES, "total")
    }


def plot(rows: Sequence[dict[str, Any]], steep: dict[str, float], path: Path) -> None:
    """Draw seconds and memory against pages; the same figures give the same file."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "groundrules", "svg.fonttype": "none"})
    from matplotlib import pyplot
    from matplotlib.ticker import ScalarFormatter

    pages = [row["pages"] for row in rows]
    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(9.5, 4.2), width_ratios=(2, 1), layout="constrained"
    )
    total = [row["seconds"]["total"] for row in rows]
    left.plot(pages, total, "ko-", lw=2, label=f"total, slope {steep['total']:.2f}")
    colours = dict(zip(STAGES, pyplot.get_cmap("tab10").colors, strict=False))
    order = sorted(STAGES, key=lambda stage: -rows[-1]["seconds"][stage])
    for stage in order:
        seconds = [row["seconds"][stage] for row in rows]
        if max(seconds) >= 0.005:
            left.plot(pages, seconds, ".-", lw=1, color=colours[stage], label=stage)
    line = [total[-1] * p / pages[-1] for p in pages]
    left.plot(pages, line, color="0.6", ls=":", lw=1, label="linear")
    left.set(xscale="log", yscale="log", xlabel="pages of 500 words", ylabel="CPU seconds")
    left.set_title("check of ten sentences against one document")
    left.set_ylim(bottom=0.002)
    left.legend(fontsize=8, ncols=2, frameon=False, loc="upper left")
    left.set_ylim(top=max(total) * 12)
    right.plot(pages, [row["peak_mib"] for row in rows], "ko-", lw=2)
    right.set(xscale="log", xlabel="pages of 500 words", ylabel="peak memory, MiB")
    right.set_ylim(bottom=0)
    right.set_title("whole process")
    for axes in (left, right):
        axes.set_xticks(pages)
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.minorticks_off()
        axes.grid(color="0.92")
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot.close(figure)


def main() -> None:
    """Print the tables and, last, one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", default=",".join(map(str, PAGES)), help="lengths, by commas")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--plot", type=Path, help="draw the cost to this svg file")
    parser.add_argument("--alone", choices=("cold", "length"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        lengths = sorted({int(number) for number in options.pages.split(",")})
        if lengths[0] < 1:
            raise ValueError
    except ValueError:
        parser.error(f"--pages {options.pages}: expected whole numbers from 1, by commas")
    if options.alone:
        row = measure_cold() if options.alone == "cold" else measure_length(lengths[0])
        print(json.dumps(row))
        return
    run_command()  # fills the disk cache of the system, and writes the byte code
    command, cold = run_command(), run_alone("--alone", "cold")
    print("cold check of the example, CPU seconds by stage")
    for name, seconds in cold["seconds"].items():
        print(f"{name:20} {seconds:7.3f}")
    print(
        f"{'the command':20} {command['cpu']:7.3f}   wall {command['wall']:.2f} s, "
        f"peak {command['peak_mib']:.0f} MiB\n"
    )
    print(f"pages   words {''.join(f'{stage:>9}' for stage in (*STAGES, 'total'))}  peak, MiB")
    rows = []
    for pages in lengths:
        row = run_alone("--alone", "length", "--pages", str(pages))
        rows.append(row)
        times = "".join(f"{row['seconds'][stage]:9.3f}" for stage in (*STAGES, "total"))
        print(f"{pages:5} {row['words']:7} {times} {row['peak_mib']:10.0f}", flush=True)
    steep = slopes(rows)
    print(f"{'slope':13} {''.join(f'{steep[stage]:9.2f}' for stage in (*STAGES, 'total'))}")
    figures = {
        "benchmark": "check",
        "cold": {"command": command, **cold},
        "rows": rows,
        "slope": steep,
    }
    text = json.dumps(figures)
    print(text)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")
    if options.plot:
        plot(rows, steep, options.plot)


if __name__ == "__main__":
    main()
