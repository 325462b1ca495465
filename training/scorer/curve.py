"""Tell how well scorers order twins that were kept out, over the data and the encoder.

    python training/scorer/curve.py "MiniLM-L6, 500 passages=RUN" "…=RUN" > training/scorer/CURVE.md

Each RUN is a folder of `train.py` with its `figures.json`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_HEAD = """# How the scorer grows with data and encoder

Written by `training/scorer/curve.py` from the figures of `train.py`; each run is one pass.
"In order" is how often the true side of a twin has the better odds, among twins kept out.

| run | pairs | CPU seconds | written twins in order | first twins in order |
|---|--:|--:|--:|--:|"""


def row(name: str, figures: Mapping[str, Any]) -> str:
    """Return the line of a run."""
    last = figures["passes"][-1]
    order = (figures["held"][origin]["in_order"] for origin in ("written", "twins"))
    told = " | ".join(f"{share:.3f}" for share in order)
    return f"| {name} | {last['pairs']:,} | {last['cpu_seconds']:,} | {told} |"


def lines(runs: list[str]) -> Iterator[str]:
    """Yield the lines of the page; each run is `NAME=FOLDER`."""
    yield _HEAD
    for run in runs:
        name, _, folder = run.rpartition("=")
        yield row(name, json.loads((Path(folder) / "figures.json").read_text("utf-8")))


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", metavar="NAME=FOLDER")
    print("\n".join(lines(parser.parse_args().runs)))


if __name__ == "__main__":
    main()
