"""All texts observed, then checked again without each thing that found something in them."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.ablate.targets import Target, is_effective
from benchmarks.lock.kept import judging, keep
from benchmarks.lock.moves import moves, state, warned
from benchmarks.lock.sets import Unit
from groundrules.rules.packs import shipped

#: Rules that take the place of another where both find something: they are judged anew without it.
SUPERSEDING = frozenset(
    name for name, rule in shipped().items() if set(rule.supersedes) - {"GR900", "GR901"}
)
_held: dict[str, Any] = {}
_stack = ExitStack()


def run(
    units: Sequence[Unit],
    place: Path,
    processes: int,
    wanted: Callable[[Unit], Sequence[Target]],
    *,
    reads: bool = False,
) -> dict[str, Any]:
    """Return by digest of a text what moves without each target; all is kept in a folder."""
    known = read(place, reads=reads)
    store = _store(place, reads)
    tasks = []
    for unit in units:
        done = known.get(unit.digest, {})
        targets = [one for one in wanted(unit) if one.name not in done]
        if targets or unit.digest not in known:
            tasks.append((unit, targets))
    # the texts of a set are spread, so that what is stopped early is a sample
    random.Random(0).shuffle(tasks)
    began, spent = time.monotonic(), 0.0
    if tasks:
        with (
            multiprocessing.get_context("spawn").Pool(
                processes, _prepare, (place.absolute(), reads)
            ) as pool,
            store.open("ab", buffering=0) as file,  # a line is written whole
        ):
            for done, (digest, found, seconds) in enumerate(pool.imap_unordered(_try, tasks), 1):
                spent += seconds
                known.setdefault(digest, {}).update(found)
                file.write((json.dumps([digest, found]) + "\n").encode())
                if done % 50 == 0:
                    print(f"{done} of {len(tasks)}, {spent:.0f} s of CPU, "
                          f"{time.monotonic() - began:.0f} s", file=sys.stderr)  # fmt: skip
    return known


def read(place: Path, *, reads: bool = False) -> dict[str, Any]:
    """Return by digest of a text what is kept of this code."""
    known: dict[str, Any] = {}
    store = _store(place, reads)
    if store.exists():
        # a run that was stopped may have left half a line
        for line in store.read_text("utf-8").rpartition("\n")[0].splitlines():
            digest, found = json.loads(line)
            known.setdefault(digest, {}).update(found)
    return known


def _store(place: Path, reads: bool) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    return place / f"ablate-{'readers-' * reads}{judging()[:12]}.jsonl"


def _prepare(place: Path, reads: bool) -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["GROUNDRULES_CACHE"] = str(place / "cache")
    graphs = place / "graphs"
    graphs.mkdir(parents=True, exist_ok=True)
    _stack.enter_context(keep(place))
    from benchmarks.ablate.trial import Board, Judged

    _held["board"], _held["judged"], _held["place"] = Board(reads=reads), Judged(), graphs


def _try(task: tuple[Unit, Sequence[Target]]) -> tuple[str, dict[str, Any], float]:
    """Return by target which lines of a text move without it, and what was seen in it with all."""
    from benchmarks.ablate.trial import left_out
    from benchmarks.lock.lines import lines_of

    unit, targets = task
    board, judged, place = _held["board"], _held["judged"], _held["place"]
    began = time.process_time()
    board.forget()
    board.seen.clear()
    base = lines_of(unit, place)
    fired = judged.rules()
    alone = {rule: judged.without(unit, rule) for rule in fired - SUPERSEDING}
    seen = {k: [*v[:2], round(v[2], 5)] for k, v in board.seen.items()}
    out: dict[str, Any] = {
        "base": {"seen": seen, "lines": base, "fired": sorted(fired),
                 "seconds": round(time.process_time() - began, 4)},
    }  # fmt: skip
    for rule, lines in alone.items():
        out[rule] = _moved(unit, base, lines)
    for target in targets:
        if target.name in out:
            continue
        if not is_effective(target, seen, fired):
            out[target.name] = []
            continue
        try:
            lines = left_out(unit, place, board, target, base)
        except Exception as error:  # what cannot be left out is no finder
            out[target.name] = f"{type(error).__name__}: {error}"[:200]
            continue
        out[target.name] = _moved(unit, base, lines)
    return unit.digest, out, time.process_time() - began


def _moved(unit: Unit, base: Sequence[Any], lines: Sequence[Any]) -> list[list[Any]]:
    return [
        [one.effect, (one.new or one.old or {}).get("n"), (one.new or one.old or {}).get("is"),
         *_told(one.old), *_told(one.new)]
        for one in moves(unit.set, base, lines)
    ]  # fmt: skip


def _told(line: Any) -> list[Any]:
    return [state(line), warned(line), line["verdict"], line["reason"]] if line else [None] * 4
