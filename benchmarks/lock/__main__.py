"""The lock on verdicts: what moved, as `make lock-diff` prints it.

    python -m benchmarks.lock [--data ../shared/data] [--only SET] [--tenth] [--table]
                              [--write] [--kept build/lock] [--processes 2]

What a check says of each statement is compared with the line that is kept of it in
benchmarks/lock/verdicts, a file a set; each one that moved is printed, old beside new, and whether
that is right by its label. It exits with 1 where one moved. `--write` rewrites the files: they are
part of the change that moves a verdict. `--tenth` takes one text in ten, always the same.

Each text is checked again where code on which it depends has changed. What was read of it is kept
in a folder and made again where a room has changed that reads.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from benchmarks.lock.moves import moves, shown, sums, table
from benchmarks.lock.run import VERDICTS, checked, read_lines, write_lines
from benchmarks.lock.sets import SETS, read_sets


def main() -> int:
    """Check what is there, print what moved, and rewrite the lock if asked to."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.lock",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", action="append", metavar="SET", choices=SETS)
    parser.add_argument("--tenth", action="store_true", help="one text in ten, always the same")
    parser.add_argument("--table", action="store_true", help="print the shares by set as well")
    parser.add_argument("--write", action="store_true", help="rewrite the lock")
    parser.add_argument("--kept", type=Path, default=Path("build/lock"))
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if options.write and options.tenth:
        parser.error("--write rewrites whole sets: leave out --tenth")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    there = {}
    for name, units in read_sets(options.data, options.only or list(SETS)):
        if isinstance(units, Path):
            print(f"skipped {name}: no {units}", file=sys.stderr)
        else:
            there[name] = [one for one in units if not options.tenth or one.within(1, 10)]
    new = checked(there, options.kept, options.processes)
    found = []
    for name, lines in new.items():
        old = read_lines(name)
        if options.tenth:
            texts = {one.name for one in there[name]}
            old = [line for line in old if line["n"] in texts or _unit(line["n"]) in texts]
        found += list(moves(name, old, lines))
        if options.write:
            write_lines(name, lines)
    for move in found:
        print(shown(move))
    if options.table:
        print(table(new))
    print(sums(found))
    if options.write:
        print(f"written to {VERDICTS}", file=sys.stderr)
    return int(bool(found) and not options.write)


def _unit(name: str) -> str:
    return name.rpartition(":")[0]


if __name__ == "__main__":
    raise SystemExit(main())
