"""Mutants: whether the tests of reading and comparing notice a changed threshold, word or relation.

    python -m tests.mutants [--number 40] [--seed 1] [--processes 2]

Each mutant is the package with one change in a table: a number a fifth larger, a word left out of a
list, an entry left out of a mapping, a relation put in place of another. The tests are run on it;
those that no test notices are printed. It exits with 1 where fewer than four fifths are noticed.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The modules whose tables are changed, and the tests that should notice it.
TABLES = ("claims/english/logic.py",)
TESTS = (
    "tests/claims/test_segments.py",
    "tests/claims/test_readings.py",
    "tests/align/test_coverage.py",
    "tests/align/test_cells.py",
)
LEAST = 0.8
_RELATIONS = ("_SAME", "_ENTAILS", "_ENTAILED", "_EXCLUDES", "_DENIES", "_OPEN")
#: What is not copied: the weights are linked to, and nothing asked for is golden.
_IGNORED = shutil.ignore_patterns("__pycache__", "*.onnx", "golden")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one place of a module: its range in characters, and what is put there."""

    path: str
    line: int
    start: int
    end: int
    text: str
    what: str


def mutants(path: str, chance: random.Random) -> Iterator[Mutant]:
    """Yield the changes of the tables of a module, one for each entry."""
    text = (ROOT / "groundrules" / path).read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    raw = text.encode()

    def mutant(first: ast.expr, last: ast.expr, new: str, what: str) -> Mutant:
        begin = starts[first.lineno - 1] + first.col_offset
        end = starts[(last.end_lineno or 1) - 1] + (last.end_col_offset or 0)
        if raw[end : end + 1] == b"," and not new:
            end += 1
        return Mutant(path, first.lineno, begin, end, new, what)

    for statement in ast.parse(text).body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        for node in ast.walk(statement.value):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(words)) as told)):
                    kept = words.split()
                    if len(kept) > 1:
                        lost = kept.pop(chance.randrange(len(kept)))
                        yield mutant(told, told, repr(" ".join(kept)), f"without {lost!r}")
                case ast.Dict(keys=keys, values=values) if len(values) > 1:
                    for key, value in zip(keys, values, strict=True):
                        if key is not None:
                            yield mutant(key, value, "", f"without {ast.unparse(key)[:60]}")
                case ast.Set(elts=elements) if len(elements) > 1:
                    for one in elements:
                        yield mutant(one, one, "", f"without {ast.unparse(one)[:60]}")
                case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                    new = number + 1 if isinstance(number, int) else number * 1.2
                    yield mutant(node, node, repr(new), f"{number!r} is {new!r}")
                case ast.Name(id=name) if name in _RELATIONS:
                    other = chance.choice([one for one in _RELATIONS if one != name])
                    yield mutant(node, node, other, f"{name} is {other}")


def is_noticed(mutant: Mutant) -> bool:
    """Return whether a test fails on a mutant."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for room in ("groundrules", "tests"):
            shutil.copytree(ROOT / room, copy / room, ignore=_IGNORED)
        for model in (ROOT / "groundrules").rglob("*.onnx"):
            (copy / model.relative_to(ROOT)).symlink_to(model)
        for other in ("pyproject.toml", "examples"):
            (copy / other).symlink_to(ROOT / other)
        path = copy / "groundrules" / mutant.path
        raw = path.read_bytes()
        path.write_bytes(raw[: mutant.start] + mutant.text.encode() + raw[mutant.end :])
        found = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *TESTS],
            cwd=copy,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            check=False,
        )
    return found.returncode != 0


def main() -> int:
    """Make some mutants, run the tests on each and print what no test notices."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    found = [one for path in TABLES for one in mutants(path, chance)]
    chosen = chance.sample(found, min(options.number, len(found)))
    with ThreadPoolExecutor(options.processes) as pool:
        noticed = list(pool.map(is_noticed, chosen))
    for one, seen in zip(chosen, noticed, strict=True):
        if not seen:
            print(f"groundrules/{one.path}:{one.line}: {one.what}")
    print(f"{sum(noticed)} of {len(chosen)} mutants are noticed ({len(found)} are possible)")
    return int(sum(noticed) < LEAST * len(chosen))


if __name__ == "__main__":
    raise SystemExit(main())
