"""How much a check settles near a source's own words, and what it settles wrongly.

    python -m benchmarks.reach --data ../shared/data [--only SET] [--show] [--write PAGE]

Statements that a person labelled: `sound` of the data, one beside a few sentences; `near` and
`near-2` of prose, answers of several beside a document; and `pairs`, in words of the writer's own.
`--show` prints what is not settled.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.marks import put_between
from groundrules import api
from groundrules.config import Config
from groundrules.terms import Outcome, Report, Severity, Statement

HERE = Path(__file__).parent
SETS = {
    "sound": "cases/sound.jsonl.gz",
    **{one: str(HERE / "prose" / f"{one}.jsonl") for one in ("near", "near-2")},
    **{
        f"pairs/{one}": str(HERE / "pairs" / f"{one}.jsonl")
        for one in ("unseen", "unseen-2", "seen", *(f"seen-{n}" for n in range(2, 7)))
    },
}
BEGIN, END = "<!-- figures: written by python -m benchmarks.reach -->", "<!-- end of figures -->"
COLUMNS = ("set", "true supported", "true with an error", "wrong passed", "refuted with an error")


@dataclass(frozen=True, slots=True)
class Judged:
    """A statement with its label, and what a check made of it."""

    text: str
    label: str
    supported: bool
    error: bool
    why: str


def _judged(text: str, label: str, own: Sequence[Statement], report: Report) -> Judged:
    wrong = {
        v.claim.sentence for v in report.violations if v.severity is Severity.ERROR and v.claim
    }
    error = not wrong.isdisjoint(one.number for one in own)
    supported = bool(own) and all(one.outcome is Outcome.SUPPORTED for one in own)
    return Judged(text, label, supported, error, "; ".join(f"{s.reason}: {s.note}" for s in own))


def judge(lines: Iterable[str]) -> Iterator[Judged]:
    """Yield what a check says of each statement of the rows of a set."""
    for row in map(json.loads, lines):
        if "statement" in row:
            report = api.check(row["statement"], context=row["source"], config=Config())
            yield _judged(row["statement"], row["label"], report.statements, report)
            continue
        text = "\n".join(one["s"] for one in row["answer"])
        report, end = api.check(text, context=row["doc"], config=Config()), 0
        for one in row["answer"]:
            start = text.find(one["s"], end)
            end = start + len(one["s"])
            own = [s for s in report.statements if s.span.start < end and s.span.end > start]
            yield _judged(one["s"], "supported" if one["label"] else "refuted", own, report)


def table(name: str, judged: Sequence[Judged]) -> str:
    """Return the line of a set."""
    true = [one for one in judged if one.label == "supported"]
    wrong = [one for one in judged if one.label != "supported"]
    shares = (
        [one.supported for one in true],
        [one.error for one in true],
        [one.supported for one in wrong],
        [one.error for one in wrong if one.label == "refuted"],
    )
    return f"| {name} | " + " | ".join(f"{sum(one)} of {len(one)}" for one in shares) + " |"


def main() -> None:
    """Print the table, and with `--show` what is not settled or wrongly so."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reach", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument("--only", choices=SETS, action="append", help="these sets alone")
    parser.add_argument("--show", action="store_true", help="print what is not settled")
    parser.add_argument("--write", type=Path, help="a page to write the table into")
    options = parser.parse_args()
    lines = [f"| {' | '.join(COLUMNS)} |", "|---|--:|--:|--:|--:|"]
    print("\n".join(lines))
    for name in options.only or SETS:
        path = options.data / SETS[name]
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as rows:
            judged = list(judge(rows))
        lines.append(table(name, judged))
        print(lines[-1], flush=True)
        for one in judged if options.show else ():
            due = {"supported": one.supported, "refuted": one.error, "open": not one.supported}
            if not due[one.label] or (one.error and one.label == "supported"):
                print(f"  {one.label} | {one.text} | {one.why}")
    if options.write:
        put_between(options.write, "\n".join(lines), BEGIN, END)


if __name__ == "__main__":
    main()
