"""Faults that only an ontology shows: short legal texts, half of them innocent look-alikes.

    python -m benchmarks.lawfaults [--half seen|unseen|both|mixed|free|plain|plain-unseen] [--show]

Each text is checked alone with `--ontology legal`. A fault is found where an error or warning lies
in words of the text that are in conflict; an innocent text is accused by any error or warning.
`unseen` was written with `seen`, before the readers, and first run when they were done; it has been
read since. `free` are 72 texts of a writer who saw no code, in wordings as free as could be, such
as letters, minutes and files. It was measured when no row had been read; twelve have been since.
`mixed` are 72 of another such writer, half in plain clauses and half in free words, which were
looked at: they flatter. `plain` and `plain-unseen` are 72 each of two more, in the plain register
of `seen`: the first was looked at, of the second no row was read.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from groundrules import Config, check
from groundrules.terms import Report, Severity, Violation

FOLDER = Path(__file__).with_name("lawfaults")


@dataclass(frozen=True, slots=True)
class Row:
    """A text, the kind of fault it has or looks like, and the words that are in conflict."""

    id: str
    kind: str
    faulty: bool
    text: str
    words: tuple[str, ...]


def rows(half: str) -> Iterator[Row]:
    """Yield the texts of a half, "seen" or "unseen", or of a set of other writers."""
    for line in (FOLDER / f"{half}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Row(row["id"], row["kind"], row["faulty"], row["text"], tuple(row["words"]))


def judged(row: Row, report: Report | None = None) -> tuple[bool, list[Violation]]:
    """Return whether a text is judged as it should be, and its errors and warnings.

    `report` is that of the text, where it was checked in another way than by the rules alone.
    """
    report = report or check(row.text, config=Config(ontology="legal"))
    loud = [v for v in report.violations if v.severity in (Severity.ERROR, Severity.WARNING)]
    if not row.faulty:
        return not loud, loud
    spots = [(at := row.text.index(words), at + len(words)) for words in row.words]
    spans = [claim.span for violation in loud for claim in violation.claims]
    return any(s.start < end and start < s.end for s in spans for start, end in spots), loud


def main() -> None:
    """Print what was found and accused, by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    halves = ("seen", "unseen", "both", "mixed", "free", "plain", "plain-unseen")
    parser.add_argument("--half", choices=halves, default="both")
    parser.add_argument("--show", action="store_true", help="print each text judged wrongly")
    args = parser.parse_args()
    for half in ("seen", "unseen") if args.half == "both" else (args.half,):
        counts: dict[str, list[int]] = {}
        for row in rows(half):
            right, loud = judged(row)
            for name in ("all", row.kind):
                count = counts.setdefault(name, [0, 0, 0, 0])
                count[0 if row.faulty else 2] += 1
                count[1 if row.faulty else 3] += right if row.faulty else not right
            if args.show and half != "plain-unseen" and not right:
                print(row.id, sorted({v.rule for v in loud}), row.text)
        print(f"{half:<24} found      accused")
        for name, (faulty, hit, innocent, accused) in sorted(counts.items()):
            print(f"{name:<24} {hit:>2} of {faulty:<3}  {accused:>2} of {innocent}")


if __name__ == "__main__":
    main()
