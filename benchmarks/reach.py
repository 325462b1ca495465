"""How much a check settles near a source's own words, and what it settles wrongly.

    python -m benchmarks.reach --data ../shared/data [--only SET] [--show]

Three sets of statements that a person labelled: `sound` of the data, one statement beside a few
sentences, and `near` and `near-2` of prose, answers of several sentences beside a document.
`--show` prints each statement that is not settled, or wrongly so, with the reason.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from groundrules import api
from groundrules.config import Config
from groundrules.terms import Outcome, Report, Severity, Statement

PROSE = Path(__file__).parent / "prose"
SETS = ("sound", "near", "near-2")


@dataclass(frozen=True, slots=True)
class Judged:
    """A statement with its label, and what a check made of it."""

    text: str
    label: str
    supported: bool
    error: bool
    why: str


def _judged(text: str, label: str, own: list[Statement], report: Report) -> Judged:
    numbers = {one.number for one in own}
    errors = any(
        v.severity is Severity.ERROR and v.claim is not None and v.claim.sentence in numbers
        for v in report.violations
    )
    supported = bool(own) and all(one.outcome is Outcome.SUPPORTED for one in own)
    why = "; ".join(f"{one.reason}: {one.note}" for one in own)
    return Judged(text, label, supported, errors, why)


def judge(name: str, lines: Iterable[str]) -> Iterator[Judged]:
    """Yield what a check says of each statement of a set."""
    for row in map(json.loads, lines):
        if name == "sound":
            report = api.check(row["statement"], context=row["source"], config=Config())
            yield _judged(row["statement"], row["label"], list(report.statements), report)
            continue
        text = "\n".join(one["s"] for one in row["answer"])
        report, end = api.check(text, context=row["doc"], config=Config()), 0
        for one in row["answer"]:
            start = text.find(one["s"], end)
            end = start + len(one["s"])
            own = [s for s in report.statements if s.span.start < end and s.span.end > start]
            yield _judged(one["s"], "supported" if one["label"] else "refuted", own, report)


def table(name: str, judged: list[Judged]) -> str:
    """Return a line of the table: true supported, with an error, wrong passed, with an error."""

    def share(found: list[bool]) -> str:
        return f"{sum(found)} of {len(found)}"

    true = [one for one in judged if one.label == "supported"]
    wrong = [one for one in judged if one.label != "supported"]
    columns = (
        share([one.supported for one in true]),
        share([one.error for one in true]),
        share([one.supported for one in wrong]),
        share([one.error for one in wrong if one.label == "refuted"]),
    )
    return f"| {name} | {' | '.join(columns)} |"


def main() -> None:
    """Print the table, and with `--show` what is not settled."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reach", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument("--only", choices=SETS, action="append", help="these sets alone")
    parser.add_argument("--show", action="store_true", help="print what is not settled")
    options = parser.parse_args()
    print("| set | true supported | true with an error | wrong passed | refuted with an error |")
    print("|---|--:|--:|--:|--:|")
    for name in options.only or SETS:
        path = PROSE / f"{name}.jsonl"
        if name == "sound":
            path = options.data / "cases/sound.jsonl.gz"
        if not path.is_file():
            print(f"| {name} | skipped: {path} is not there | | | |")
            continue
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
            judged = list(judge(name, lines))
        print(table(name, judged), flush=True)
        for one in judged if options.show else ():
            right = one.supported if one.label == "supported" else one.error and not one.supported
            if (one.label != "open" and not right) or (one.label == "open" and one.supported):
                print(f"  {one.label} | {one.text} | {one.why}")


if __name__ == "__main__":
    main()
