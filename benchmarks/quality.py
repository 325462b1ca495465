"""How good the verdicts are on the labelled sets, as a table.

    python -m benchmarks.quality --data ../shared/data --out build/quality [--write PAGE]

One shipped configuration for all sets: the score of a row is the probability that `api.compare`
gives its claim, or that its graphs have. Figures are kept in the folder and taken from there if
they are there.
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
from sklearn.metrics import average_precision_score, balanced_accuracy_score

from benchmarks import folder_of_code
from benchmarks.marks import put_between
from groundrules import api
from groundrules.align.kea import PARTS, unified_kernel
from groundrules.align.passages import stems
from groundrules.claims.document import from_text
from groundrules.config import AlignConfig
from groundrules.evaluate.figures import intervals, resampled
from groundrules.models.metrics import auc

BEGIN = "<!-- figures: written by python -m benchmarks.quality -->"
END = "<!-- end of figures -->"
#: The graphs, the kernel and the depth with which KEA's published scores come out.
KEA = {"threshold": 0.0, "h": 5, "relation_nodes": False}
#: File, field to break down by, and what is aimed at.
SETS = (
    ("legal/contract_qa.jsonl.gz", "error", "0.90; date_shift 0.95, role_swap 0.80"),
    ("closed/qags_c.jsonl.gz", None, "0.82"),
    ("closed/summeval.jsonl.gz", None, "0.86"),
    ("closed/bump.jsonl.gz", None, "0.70"),
    ("legal/contract_nli.jsonl.gz", "split", "–"),
    ("kea/summeval.jsonl.gz", None, "0.03 above KEA's"),
    ("kea/qags_c.jsonl.gz", None, "0.03 above KEA's"),
    ("kea/wikibio.jsonl.gz", None, "–"),
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
    """Return the score of a row, and the graph kernel's value where it has graphs."""
    if "claim_graph" in row:
        found = score_graphs(row["claim_graph"], row["reference_graph"], **settings)
        return 0.5 if found.score is None else found.score, found.kernel
    source = from_text(row.get("doc") or row["context"], "source")
    probability = api.compare(from_text(row["claim"], "claim"), [source]).probability
    return 0.5 if probability is None else probability, None


def measured(path: Path, by: str | None, kept: Path) -> dict[str, Any]:
    """Return the figures of a file, from the folder if this code has measured them."""
    if not kept.exists():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found = figures([json.loads(line) for line in lines if line.strip()], by)
        kept.write_text(json.dumps(found, indent=1) + "\n")
    return dict(json.loads(kept.read_text()))


def figures(given: Sequence[dict[str, Any]], by: str | None) -> dict[str, Any]:
    """Return the figures of rows; a value of one label is set beside the others without one."""
    began = time.perf_counter()
    scored = [score(row) for row in given]
    seconds = (time.perf_counter() - began) / len(given)
    scores = np.array([one for one, _ in scored])
    labels = np.array([int(row.get("label", row.get("label3") == "Entailment")) for row in given])
    names = [str(row.get("doc_id", row.get("doc", n))) for n, row in enumerate(given)]
    drawn = [auc(scores[places], labels[places]) for places in resampled(names, 0)]
    parts = {}
    values = np.array([str(row.get(by) or "") for row in given])
    for value in sorted(set(values.tolist()) - {""}):
        own = values == value
        if len(there := set(labels[own].tolist())) == 1:
            own |= (values == "") & (labels != there.pop())
        parts[value] = {"rows": int(own.sum()), "auc": auc(scores[own], labels[own])}
    found = {
        "rows": len(given),
        "auc": auc(scores, labels),
        "ci": intervals({"auc": [one for one in drawn if one is not None]})["auc"],
        "average_precision": float(average_precision_score(labels, scores)),
        "balanced_accuracy": float(balanced_accuracy_score(labels, scores >= 0.5)),
        "seconds_per_row": seconds,
        "by": parts,
    }
    if "kea_score" in given[0]:
        kernels = np.array([kernel for _, kernel in scored])
        alike = np.array([score(row, **KEA)[1] for row in given])
        own = -np.array([row["kea_score"] for row in given])
        found["kea"] = [auc(one, labels) for one in (own, alike, kernels)]
    return found


def rows(name: str, found: dict[str, Any], aim: str) -> Iterator[str]:
    """Yield the lines of a set: the whole, then each part of its breakdown."""
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
    for what, area in zip(told, found.get("kea", ()), strict=False):
        yield f"| – {what} | | {area:.3f} | | | | |"
    for value, part in found["by"].items():
        if part["auc"] is not None:
            yield f"| – {value} | {part['rows']} | {part['auc']:.3f} | | | | |"


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
    for name, by, aim in SETS:
        path = arguments.data / name
        if not path.exists():
            print(f"skipped {name}: not in {arguments.data}", file=sys.stderr)
            continue
        short = name.removesuffix(".jsonl.gz")
        kept = out / f"{short.replace('/', '-')}.json"
        found = measured(path, by, kept)
        lines += rows(short, found, aim)
    table = "\n".join(lines)
    print(table)
    if arguments.write:
        put_between(arguments.write, table, BEGIN, END)


if __name__ == "__main__":
    main()
