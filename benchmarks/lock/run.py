"""All texts checked, by two processes; what is known of a text of this code is not made again."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.lock.kept import judging, keep
from benchmarks.lock.lines import Line, dump, lines_of
from benchmarks.lock.sets import Unit

VERDICTS = Path(__file__).with_name("verdicts")
_place = Path()
_stack = ExitStack()


def read_lines(name: str) -> list[Line]:
    """Return the lines of a set as they are locked, none of one that never was."""
    path = _file(name)
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(name: str, lines: Iterable[Line]) -> None:
    """Lock the lines of a set."""
    VERDICTS.mkdir(exist_ok=True)
    _file(name).write_text("".join(map(dump, lines)), encoding="utf-8")


def _file(name: str) -> Path:
    return VERDICTS / f"{name.replace('/', '-')}.jsonl"


def checked(
    sets: Mapping[str, Sequence[Unit]], place: Path, processes: int
) -> dict[str, list[Line]]:
    """Return the lines of each set; those of this code are kept in a folder."""
    place.mkdir(parents=True, exist_ok=True)
    store = place / f"{judging()[:12]}.jsonl"
    known = _known(store)
    waiting = [u for units in sets.values() for u in units if u.digest not in known]
    if waiting:
        began = time.monotonic()
        spent = 0.0
        chunks = _chunked(waiting)
        with (
            multiprocessing.get_context("spawn").Pool(
                processes, _prepare, (place.absolute(),)
            ) as pool,
            store.open("a", encoding="utf-8") as file,
        ):
            for made, seconds in pool.imap_unordered(_check, chunks):
                spent += seconds
                for digest, lines in made:
                    known[digest] = lines
                    file.write(json.dumps([digest, lines], ensure_ascii=False) + "\n")
                file.flush()
        print(
            f"{len(waiting):,} texts checked in {time.monotonic() - began:.0f} s, "
            f"{spent:.0f} s of CPU",
            file=sys.stderr,
        )
    return {name: [x for u in units for x in known[u.digest]] for name, units in sets.items()}


def _known(store: Path) -> dict[str, list[Line]]:
    if not store.exists():
        return {}
    # a run that was stopped may have left half a line
    whole = store.read_text(encoding="utf-8").rpartition("\n")[0]
    return dict(json.loads(line) for line in whole.splitlines())


def _chunked(units: Sequence[Unit]) -> list[list[Unit]]:
    """Return the units by what they are checked against, which is then read once; longest first."""
    groups: dict[tuple[object, ...], list[Unit]] = {}
    for unit in units:
        groups.setdefault((unit.set, unit.sources, unit.graph), []).append(unit)
    out = [[*part] for part in groups.values()]
    out.sort(key=lambda part: -sum(len(u.text) + 4 * len("".join(u.sources)) for u in part))
    return out


def _prepare(place: Path) -> None:
    """Make a process ready: one thread, and models and caches of its own."""
    global _place
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["GROUNDRULES_CACHE"] = str(place / "cache")
    _place = place / "graphs"
    _place.mkdir(parents=True, exist_ok=True)
    _stack.enter_context(keep(place))


def _check(units: Sequence[Unit]) -> tuple[list[tuple[str, list[Line]]], float]:
    began = time.process_time()
    made = [(unit.digest, list(lines_of(unit, _place))) for unit in units]
    return made, time.process_time() - began
