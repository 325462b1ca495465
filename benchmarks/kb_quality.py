"""How good the verdicts of a knowledge base are, stage by stage, as a page.

    python -m benchmarks.kb_quality --data ../shared/data --store STORE [--write docs/kb/quality.md]

The store is what `groundrules kb build` makes of open/wikidata_subset.nt.gz; where it is not there
it is built. Each block of the page is what one command prints.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

BEGIN = "<!-- figures: written by python -m benchmarks.kb_quality -->"
END = "<!-- end of figures -->"
#: Heading, data set, command; DATA and STORE stand for the folders.
BLOCKS = (
    ("CoDEx: true and false triples", "open/codex_claims.jsonl.gz",
     "groundrules eval DATA/open/codex_claims.jsonl.gz --kb STORE --by p_label"),
    ("WikiBio: sentences of a language model", "closed/wikibio.jsonl.gz",
     "groundrules eval DATA/closed/wikibio.jsonl.gz --kb STORE"),
    ("Linking alone", "open/codex_claims.jsonl.gz",
     "python training/linker/measure.py --data DATA --store STORE"),
    ("Relation phrases alone", "extract/fewrel.tar.gz",
     "python -m benchmarks.kb_relations --data DATA --rows 100"),
)  # fmt: skip


def run(command: str, data: Path, store: Path) -> str:
    """Return what a command of ours prints; it ends this program where it fails."""
    folder = Path(sys.executable).parent
    words = [
        word.replace("DATA", str(data)).replace("STORE", str(store))
        for word in shlex.split(command)
    ]
    words[0] = str(folder / words[0])
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
        printed = run(command, arguments.data, arguments.store)
        block = f"## {heading}\n\n```console\n$ {shown}\n{printed}\n```\n"
        print(block)
        lines.append(block)
    if arguments.write:
        page = arguments.write.read_text(encoding="utf-8")
        head, _, rest = page.partition(BEGIN)
        _, _, tail = rest.partition(END)
        body = "\n".join(lines)
        arguments.write.write_text(f"{head}{BEGIN}\n\n{body}\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
