"""The structure of the code at one or more revisions: modules, imports, cycles, layers, lengths.

    python benchmarks/structure.py [--seconds] [--repository FOLDER] REVISION [REVISION ...]

Prints a Markdown table with a column for each revision, `git` naming them as ever; what is not
committed is not seen. A room is a package or module right under `groundrules`. `--seconds` checks
the shipped lease besides, in a folder of each revision, nothing kept from one run to the next:
CPU seconds of the whole process, the least of five.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.architecture import read_layers
from tools.modules import Definition, Module, cycles, read_modules, room_of

PACKAGE = "groundrules"
ROOT = Path(__file__).parents[1]
EXAMPLE = "examples/lease/answer.txt", "--context", "examples/lease/lease.txt"
RUNS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of the revisions that a command line names."""
    parser = argparse.ArgumentParser(description="The structure of the code at some revisions.")
    parser.add_argument("revisions", nargs="+", metavar="REVISION")
    parser.add_argument("--seconds", action="store_true", help="time a check of the lease, too")
    parser.add_argument("--repository", type=Path, default=ROOT, metavar="FOLDER")
    args = parser.parse_args(arguments)
    columns: dict[str, dict[str, str]] = {}
    for revision in args.revisions:
        with checkout(args.repository, revision) as folder:
            columns[revision] = figures(folder)
            if args.seconds:
                columns[revision]["seconds of `check`"] = f"{seconds(folder):.2f}"
    print(table(columns))
    return 0


def figures(root: Path, package: str = PACKAGE) -> dict[str, str]:
    """Return what the table says of a checkout, by the name of the row."""
    every = read_modules(root / package)
    modules = [module for module in every if module.name]
    pairs = [(room_of(one.name), room_of(other)) for one in modules for other in one.imports]
    within = sum(one == other for one, other in pairs)
    rings = cycles(modules)
    sizes = [module.lines for module in every]
    biggest = max(every, key=lambda module: module.lines)
    return {
        "modules": f"{len(modules)}",
        "rooms": f"{len({room_of(module.name) for module in modules})}",
        "imports within rooms": f"{within}",
        "imports between rooms": f"{len(pairs) - within}",
        "cycles": f"{len(rings)} of {sum(map(len, rings))} modules" if rings else "0",
        "layers": _layers(root),
        "lines": f"{sum(sizes):,}",
        "longest function": _longest(every, "functions"),
        "longest class": _longest(every, "classes"),
        "median module": f"{statistics.median(sizes):g}",
        "largest module": f"`{biggest.name or package}` {biggest.lines:,}",
    }


def table(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Return figures as a Markdown table, a column a revision."""
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    lines = [f"| | {' | '.join(columns)} |", f"|---|{'--:|' * len(columns)}"]
    lines += [
        f"| {name} | {' | '.join(column.get(name, '') for column in columns.values())} |"
        for name in names
    ]
    return "\n".join(lines)


@contextmanager
def checkout(repository: Path, revision: str) -> Iterator[Path]:
    """Give a folder with the files of a revision, which goes when it is left."""
    with tempfile.TemporaryDirectory() as name:
        folder, packed = Path(name) / "code", Path(name) / "code.tar"
        command = ["git", "-C", str(repository), "archive", "--output", str(packed), revision]
        if subprocess.run(command, check=False).returncode:
            raise SystemExit(2)  # git has said why
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        yield folder


def seconds(folder: Path) -> float:
    """Return the CPU seconds of a check of the shipped lease by the code in a folder."""
    _register(folder)
    return min(_run(folder) for _ in range(RUNS))


def _run(folder: Path) -> float:
    command = [sys.executable, "-m", f"{PACKAGE}.cli.main", "check", *EXAMPLE, "--exit-zero"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "GROUNDRULES_CACHE": "off",
        "OMP_NUM_THREADS": "1",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _register(folder: Path) -> None:
    """Write down the entry points of a checkout as its installation would: it finds its packs."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = []
    for group, entries in project.get("entry-points", {}).items():
        lines += [f"[{group}]", *(f"{name} = {where}" for name, where in entries.items())]
    installed = folder / f"{PACKAGE}.egg-info"
    installed.mkdir(exist_ok=True)
    (installed / "PKG-INFO").write_text(f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: 0\n")
    (installed / "entry_points.txt").write_text("\n".join([*lines, ""]))


def _layers(root: Path) -> str:
    try:
        return f"{max(read_layers(root).values())}"
    except (OSError, KeyError, ValueError):  # an older revision has no contract of layers
        return ""


def _longest(modules: Sequence[Module], kind: str) -> str:
    found: list[Definition] = [one for module in modules for one in getattr(module, kind)]
    one = max(found, key=lambda one: one.lines, default=None)
    return f"`{one.name}` {one.lines}" if one else ""


if __name__ == "__main__":
    sys.exit(main())
