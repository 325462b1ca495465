"""Make the answers that ship, on which `groundrules readers add` measures a reader.

    python -m benchmarks.measured [--check]

Documents are written passages that no training has read (`training/scorer/written`, every tenth of
a file) and that no rule was made on. Beside each stand one side of each of its twins, and sentences
of its own that an operator of `benchmarks/alterations` has altered, one in its meaning and one in
its wording. Which, their hashes draw. `--check` only says whether the file is what is made here.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.alterations.__main__ import altered
from benchmarks.alterations.documents import Document
from benchmarks.alterations.operators import operators
from groundrules.evaluate.licences import MEASURED

TRAINING = Path(__file__).parents[1] / "training"
#: Words of a passage, and statements in all.
WORDS, STATEMENTS = (60, 240), 1_000
#: How a sentence begins that leans on the one before it.
_LEANING = ("He ", "She ", "It ", "They ", "This ", "That ", "These ", "But ", "So ", "Then ")


def drawn(text: str) -> str:
    """Return what orders texts as if they were drawn."""
    return hashlib.sha256(text.encode()).hexdigest()


def answer(passage: Any) -> Iterator[dict[str, Any]]:
    """Yield the statements that stand beside a written passage, with their labels."""
    for twin in passage.twins:
        right = int(drawn(f"{passage.place} {twin.read(True)[0]}"), 16) % 2 == 0
        fault = {} if right else {"error": twin.error}
        yield {"s": twin.read(right)[0], "label": int(right), **fault}
    found = altered([Document(passage.place, "", passage.text)])
    rows = [
        (name, one.altered)
        for name, some in found.items()
        for one in some
        if not one.sentence.startswith(_LEANING) and one.altered.split() != one.sentence.split()
    ]
    for keeps in (False, True):
        some = [row for row in rows if operators()[row[0]].keeps is keeps]
        if some:
            name, text = min(some, key=lambda row: drawn(f"{row[0]} {row[1]}"))
            fault = {} if keeps else {"error": name}
            yield {"s": " ".join(text.split()), "label": int(keeps), **fault}


def rows(passages: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Yield rows until there are statements enough, the documents in an order that is drawn."""
    count = 0
    least, most = WORDS
    for one in sorted(passages, key=lambda one: drawn(one.text)):
        if not one.kept_out or not least <= len(one.text.split()) <= most or count >= STATEMENTS:
            continue
        said = [row for row in answer(one) if not row["s"].startswith("- ")]
        count += len(said)
        yield {"doc": one.text, "answer": sorted(said, key=lambda row: drawn(row["s"]))}


def made() -> bytes:
    """Return the file, the same bytes each time."""
    sys.path.insert(0, str(TRAINING))
    from scripts import load

    written = load("scorer/written")
    files = sorted((TRAINING / "scorer/written").glob("*.txt"))
    passages = [one for path in files for one in written.read(path)]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows(passages))
    return gzip.compress(lines.encode(), mtime=0)


def main() -> None:
    """Write the file, or say whether it is what is made here; print its hash and what it has."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    data = made()
    if not parser.parse_args().check:
        MEASURED.write_bytes(data)
    same = gzip.decompress(MEASURED.read_bytes()) == gzip.decompress(data)
    said = [
        item for line in gzip.decompress(data).splitlines() for item in json.loads(line)["answer"]
    ]
    right = sum(one["label"] for one in said)
    told = hashlib.sha256(MEASURED.read_bytes()).hexdigest()
    print(f"{len(said):,} statements, {right:,} right, {len(data):,} bytes, SHA-256 {told}")
    if not same:
        sys.exit(f"{MEASURED} is not what is made here")


if __name__ == "__main__":
    main()
