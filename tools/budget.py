"""The lines of each room, held under budget.toml: `python -m tools.budget` tells what may fall.

`python -m tools.budget --lower` writes those counts that are smaller; none is ever raised.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FILE = ROOT / "budget.toml"

#: The line that counts what stands in a folder of the project beside the package.
_BESIDE = {"benchmarks": "benchmarks-and-training", "training": "benchmarks-and-training"}


def read() -> dict[str, dict[str, int]]:
    """Return the budget: by table and line, the most that there may be."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def lines(root: Path = ROOT) -> dict[str, Counter[str]]:
    """Return how many lines the Python files of each room have, and those beside the package."""
    found: dict[str, Counter[str]] = {"rooms": Counter(), "beside": Counter()}
    for folder in ("groundrules", "tests", "benchmarks", "training", "tools"):
        for path in (root / folder).rglob("*.py"):
            parts = path.relative_to(root).parts
            if folder == "groundrules":
                table, line = "rooms", parts[1].removesuffix(".py")
            else:
                table, line = "beside", "tests" if "tests" in parts else _BESIDE.get(folder, folder)
            found[table][line] += len(path.read_bytes().splitlines())
    return found


def installed(package: str = "groundrules") -> dict[str, int]:
    """Return the packages that the base install brings, and their millions of bytes."""
    sizes: dict[str, int] = {}
    done: set[str] = set()
    left = [Requirement(package)]
    while left:
        need = left.pop()
        if str(need) in done or (need.marker and not need.marker.evaluate({"extra": ""})):
            continue
        done.add(str(need))
        found = distribution(need.name)
        paths = [Path(str(one.locate())) for one in found.files or ()]
        if need.name == package:  # its own are in the checkout, where it is installed for editing
            paths += [ROOT / package / one for one in (ROOT / package).rglob("*")]
        sizes[canonicalize_name(need.name)] = sum(
            path.stat().st_size for path in set(paths) if path.suffix != ".pyc" and path.is_file()
        )
        for one in map(Requirement, found.requires or ()):
            extra = next((e for e in need.extras if one.marker and one.marker.evaluate({"extra": e})
                          and not one.marker.evaluate({"extra": ""})), None)  # fmt: skip
            if extra:
                one.marker = None
            left.append(one)
    return {"packages": len(sizes), "megabytes": round(sum(sizes.values()) / 1e6)}


def excess() -> list[str]:
    """Return one line for each room that has more lines than its budget, or has none."""
    budget = read()
    return [
        f"{line}: {count:,} lines, {budget[table].get(line, 0):,} allowed; drop or merge something"
        for table, counts in lines().items()
        for line, count in sorted(counts.items())
        if count > budget[table].get(line, 0)
    ]


def lower(text: str, found: dict[str, Counter[str]]) -> str:
    """Return the budget with today's counts where they are smaller; a room that is gone goes."""
    written: list[str] = []
    table = ""
    for row in text.splitlines(keepends=True):
        if head := re.match(r"\[(.+)\]", row):
            table = head[1]
        entry = re.match(r"([\w-]+) = (\d+)", row)
        if entry and table in found:
            count = found[table][entry[1]]
            row = f"{entry[1]} = {min(count, int(entry[2]))}\n" if count else ""
        written.append(row)
    return "".join(written)


def main(arguments: list[str]) -> int:
    """Print what has too many lines and what may be lowered, or lower it."""
    old = FILE.read_text(encoding="utf-8")
    new = lower(old, lines())
    if "--lower" in arguments:
        FILE.write_text(new, encoding="utf-8")
        return 0
    for fault in excess():
        print(fault)
    if new != old:
        rows = sorted(set(new.splitlines()) - set(old.splitlines()))
        print(
            f"budget.toml may fall, by python -m tools.budget --lower: {', '.join(rows) or 'rooms'}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
