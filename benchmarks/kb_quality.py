"""How good the verdicts of a knowledge base are, as a page.

    python -m benchmarks.kb_quality --data ../shared/data --store STORE [--write PAGE]

The store is what `groundrules kb build` makes of open/wikidata_subset.nt.gz; where it is not there
it is built. Each block of the page is what one command prints.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

from benchmarks.marks import put_between

BEGIN = "<!-- figures: written by python -m benchmarks.kb_quality -->"
END = "<!-- end of figures -->"
#: Heading, data set, command; DATA and STORE stand for the folders.
BLOCKS = (
    ("CoDEx: true and false triples", "open/codex_claims.jsonl.gz",
     "groundrules eval DATA/open/codex_claims.jsonl.gz --kb STORE --by p_label"),
    ("WikiBio: sentences of a language model", "closed/wikibio.jsonl.gz",
     "groundrules eval DATA/closed/wikibio.jsonl.gz --kb STORE"),
)  # fmt: skip


def run(command: str, data: Path, store: Path) -> str:
    """Return what a command of ours prints; it ends this program where it fails."""
    places = {"DATA": str(data), "STORE": str(store)}
    words = [re.sub("DATA|STORE", lambda m: places[m[0]], word) for word in shlex.split(command)]
    words[0] = str(Path(sys.executable).parent / words[0])
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}: {done.stderr.strip()}")
    return done.stdout.replace(str(store), "STORE").rstrip()


def main() -> None:
    """Measure what is there, print it, write it into the page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    dump = arguments.data / "open" / "wikidata_subset.nt.gz"
    if not dump.exists():
        sys.exit(f"skipped: no open/wikidata_subset.nt.gz in {arguments.data}")
    if not arguments.store.exists():
        run("groundrules kb build DATA/open/wikidata_subset.nt.gz -o STORE",
            arguments.data, arguments.store)  # fmt: skip
    lines = []
    for heading, needed, command in BLOCKS:
        if not (arguments.data / needed).exists():
            print(f"skipped {heading}: no {needed} in {arguments.data}", file=sys.stderr)
            continue
        shown = command.replace("DATA", "../shared/data")
        printed = f"$ {shown}\n{run(command, arguments.data, arguments.store)}"
        lines.append(f"## {heading}\n\n```console\n{printed}\n```\n")
        print(lines[-1])
    if arguments.write:
        put_between(arguments.write, "\n".join(lines), BEGIN, END)


if __name__ == "__main__":
    main()
