"""Count how often a passage that restates a statement entails it, on pairs of open sets.

    python training/verdicts/count_restated.py --pairs statements.jsonl.gz

The pairs are those of `training/scorer/statements.py`; of the sets of single sentences each pair of
about one length with two fifths of the words in common is looked at. Prints, by set and label, how
many are read as restated, and the share that is entailed with one more of each kind: `RESTATED` of
`groundrules/align/statements.py`.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path

from groundrules.align.restated import restates

SETS = ("breaking", "cad", "conj", "fever", "hans", "mnli", "monotone", "symmetric")
ENTAILED = 0
#: What is looked at: words of the longer side, by how many the other may differ, share in common.
LONGEST, APART, SHARED = 45, 8, 0.4


def near(statement: str, passage: str) -> bool:
    """Return whether two sentences are so alike that one may restate the other."""
    own, there = statement.casefold().split(), passage.casefold().split()
    if own == there or max(len(own), len(there)) > LONGEST or abs(len(own) - len(there)) > APART:
        return False
    return len({*own} & {*there}) >= SHARED * len({*own})


def main() -> None:
    """Print the counts and the share."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, required=True)
    counts: Counter[tuple[str, bool]] = Counter()
    with gzip.open(parser.parse_args().pairs, "rt", encoding="utf-8") as lines:
        for premise, claim, label, origin, *_ in map(json.loads, lines):
            if origin in SETS and near(claim, premise) and restates(claim, premise):
                counts[origin, label == ENTAILED] += 1
    for (origin, entailed), count in sorted(counts.items()):
        print(origin, "entailed" if entailed else "not entailed", count)
    right = sum(count for (_, entailed), count in counts.items() if entailed)
    print(f"{right} of {counts.total()} are entailed: {(right + 1) / (counts.total() + 2):.2f}")


if __name__ == "__main__":
    main()
