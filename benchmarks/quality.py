"""How well the published graphs of KEA Explain are told apart, as a table.

    python -m benchmarks.quality --data ../shared/data --out build/quality [--write PAGE]

Figures are kept in the folder and taken from there if they are there.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score, balanced_accuracy_score, roc_auc_score

from benchmarks import folder_of_code
from benchmarks.marks import put_between
from groundrules.align.graphs.kea import PARTS, unified_kernel
from groundrules.align.words.passages import stems
from groundrules.config import AlignConfig
from groundrules.evaluate.figures import intervals, resampled

BEGIN = "<!-- figures: written by python -m benchmarks.quality -->"
END = "<!-- end of figures -->"
#: The graphs, the kernel and the depth with which KEA's published scores come out.
KEA = {"threshold": 0.0, "h": 5, "relation_nodes": False}
#: File, and what is aimed at.
SETS = (
    ("kea/summeval.jsonl.gz", "0.03 above KEA's"),
    ("kea/qags_c.jsonl.gz", "0.03 above KEA's"),
    ("kea/wikibio.jsonl.gz", "–"),
)


@dataclass(frozen=True, slots=True)
class GraphScore:
    """How well a reference graph carries a claim graph, each figure in 0..1.

    `kernel` is the graph kernel's value once labels are unified; `coverage` the mean over the
    claim's triples of the share of their content words (of a triple that has none, its labels)
    that stand in the one reference triple that has most of them. The mean of the two is how well
    one label is carried; `score` is its cube, for a triple has three and is carried if all are, as
    if one were no news of another. All are None for an empty claim graph, which says nothing.
    """

    kernel: float | None
    coverage: float | None
    score: float | None


def score_graphs(
    claim: Sequence[Sequence[str]],
    reference: Sequence[Sequence[str]],
    **settings: Any,
) -> GraphScore:
    """Return how well the reference graph carries the claim graph.

    The two parts weigh the same: no weight is fitted.
    """
    if not claim:
        return GraphScore(None, None, None)
    claims, references = ([(s, p, o) for s, p, o in graph] for graph in (claim, reference))
    alike = unified_kernel(claims, references, AlignConfig(**settings))
    present = [{form for label in t for form in (*stems(label), label)} for t in reference]
    shares = []
    for triple in claim:
        wanted = [stem for label in triple for stem in stems(label)] or triple
        most = max((sum(form in one for form in wanted) for one in present), default=0)
        shares.append(most / len(wanted))
    coverage = sum(shares) / len(shares)
    return GraphScore(alike, coverage, ((alike + coverage) / 2) ** len(PARTS))


def score(row: dict[str, Any], **settings: Any) -> tuple[float, float | None]:
    """Return the score of a row, and the graph kernel's value."""
    found = score_graphs(row["claim_graph"], row["reference_graph"], **settings)
    return 0.5 if found.score is None else found.score, found.kernel


def measured(path: Path, kept: Path) -> dict[str, Any]:
    """Return the figures of a file, from the folder if this code has measured them."""
    if not kept.exists():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found = figures([json.loads(line) for line in lines if line.strip()])
        kept.write_text(json.dumps(found, indent=1) + "\n")
    return dict(json.loads(kept.read_text()))


def figures(given: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of rows."""
    began = time.perf_counter()
    scored = [score(row) for row in given]
    seconds = (time.perf_counter() - began) / len(given)
    scores = np.array([one for one, _ in scored])
    labels = np.array([int(row["label"]) for row in given])
    names = [str(row.get("doc_id", row.get("doc", n))) for n, row in enumerate(given)]
    drawn = [
        roc_auc_score(labels[places], scores[places])
        for places in resampled(names, 0)
        if 0 < labels[places].sum() < len(places)
    ]
    found = {
        "rows": len(given),
        "auc": float(roc_auc_score(labels, scores)),
        "ci": intervals({"auc": drawn})["auc"],
        "average_precision": float(average_precision_score(labels, scores)),
        "balanced_accuracy": float(balanced_accuracy_score(labels, scores >= 0.5)),
        "seconds_per_row": seconds,
    }
    kernels = np.array([kernel for _, kernel in scored])
    alike = np.array([score(row, **KEA)[1] for row in given])
    own = -np.array([row["kea_score"] for row in given])
    found["kea"] = [float(roc_auc_score(labels, one)) for one in (own, alike, kernels)]
    return found


def rows(name: str, found: dict[str, Any], aim: str) -> Iterator[str]:
    """Yield the lines of a set: our score, then KEA's and the kernel's."""
    low, high = found["ci"]
    cells = [
        name,
        str(found["rows"]),
        f"{found['auc']:.3f} ({low:.3f} to {high:.3f})",
        f"{found['average_precision']:.3f}",
        f"{found['balanced_accuracy']:.3f}",
        f"{found['seconds_per_row']:.2f}",
        aim,
    ]
    yield f"| {' | '.join(cells)} |"
    told = ("KEA's own score", "its kernel at its settings", "our kernel alone")
    for what, area in zip(told, found["kea"], strict=True):
        yield f"| – {what} | | {area:.3f} | | | | |"


def main() -> None:
    """Measure what is there, print the table, write it into the page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    out = folder_of_code(arguments.out)
    lines = [
        "| set | rows | AUC (95 %) | average precision | balanced accuracy at 0.5 | s/row "
        "| aim, AUC |",
        "|---|--:|---|--:|--:|--:|---|",
    ]
    for name, aim in SETS:
        path = arguments.data / name
        if not path.exists():
            print(f"skipped {name}: not in {arguments.data}", file=sys.stderr)
            continue
        short = name.removesuffix(".jsonl.gz")
        kept = out / f"{short.replace('/', '-')}.json"
        found = measured(path, kept)
        lines += rows(short, found, aim)
    table = "\n".join(lines)
    print(table)
    if arguments.write:
        put_between(arguments.write, table, BEGIN, END)


if __name__ == "__main__":
    main()
