"""How often a sentence is accused that stands word for word in its source.

    python -m benchmarks.verbatim --data ../shared/data [--words 20000]

Every document is checked against itself: the documents of field/dev, those of benchmarks/prose and
whole contracts, cut after so many words. No sentence may get an error.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from groundrules import Document, Severity, check

_HERE = Path(__file__).parent / "prose"


def documents(data: Path, words: int) -> Iterator[tuple[str, str, str]]:
    """Yield set, name and text of the documents that are there."""
    for name, path in (
        ("field/dev", data / "field/dev.jsonl.gz"),
        ("prose", _HERE / "tuning.jsonl"),
        ("prose", _HERE / "unseen.jsonl"),
    ):
        if path.exists():
            raw = path.read_bytes()
            text = gzip.decompress(raw) if path.suffix == ".gz" else raw
            for line in text.decode("utf-8").splitlines():
                row = json.loads(line)
                yield name, row["id"], row["doc"]
    for path in sorted((data / "legal/contracts").glob("*.txt.gz")):
        text = gzip.decompress(path.read_bytes()).decode("utf-8", errors="replace")
        yield "contracts", path.name, " ".join(text.split(" ")[:words])


def main() -> None:
    """Check every document against itself and print how many sentences are accused."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--words", type=int, default=20_000)
    arguments = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    for kind, name, text in documents(arguments.data, arguments.words):
        report = check(Document("copy", text), context=Document("source", text), verify=False)
        counts[kind, "documents"] += 1
        counts[kind, "sentences"] += len(report.statements)
        for severity in (Severity.ERROR, Severity.WARNING):
            found = [v for v in report.violations if v.severity is severity and v.claim]
            counts[kind, severity.value] += len({v.claim.sentence for v in found if v.claim})
            for violation in found:
                print(f"{name}: {severity.value} {violation.rule} {violation.message[:120]}")
    for kind in dict.fromkeys(kind for kind, _ in counts):
        whats = ("documents", "sentences", "error", "warning")
        sizes = ", ".join(f"{counts[kind, what]} {what}" for what in whats)
        print(f"{kind}: {sizes}")


if __name__ == "__main__":
    main()
