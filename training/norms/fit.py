"""Fit the model of norms: how likely a contract carries a statement of what it obliges or permits.

    python training/norms/fit.py --data ../shared/data

Five features (`groundrules/align/norms.py`), a logistic model, entailed against not mentioned: what
is contradicted, rules decide. Fitted on the 50 documents of `train_truncated50`; the 61 documents
of `dev` are left to measure on. The card has the figures of two cross-validations over all rows,
split by document and by hypothesis: the same 17 hypotheses are asked of every contract, and a model
that only learned which are usually true would fail on the second.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from groundrules.align import norms
from groundrules.checks.extractions import extraction_of
from groundrules.claims.document import from_text

#: What a coefficient costs, squared: few features, many rows, so it hardly matters.
RIDGE = 10.0
FITTED, FOLDS, SEED = "train_truncated50", 5, 1
_FOLDER = Path(__file__).parents[2] / "groundrules" / "models" / "norms"


def fit(rows: Any, labels: Any) -> tuple[Any, float]:
    """Return weights and intercept by Newton's method, features standardised for the ridge."""
    mean, spread = rows.mean(0), rows.std(0) + 1e-6
    design = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    ridge = np.diag([RIDGE] * rows.shape[1] + [0.0])
    w = np.zeros(design.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ w))
        step = np.linalg.solve(
            (design * (p * (1 - p))[:, None]).T @ design + ridge,
            design.T @ (p - labels) + ridge @ w,
        )
        w -= step
        if np.abs(step).max() < 1e-9:
            break
    weights = w[:-1] / spread
    return weights, float(w[-1] - weights @ mean)


def held_out(rows: Any, labels: Any, usable: Any, groups: Sequence[str]) -> Any:
    """Return the log odds of each row by a model of the other folds; `usable` rows are fitted."""
    names = sorted(set(groups))
    np.random.default_rng(SEED).shuffle(names)
    count = FOLDS if len(names) > 20 else len(names)
    fold = np.array([{n: i % count for i, n in enumerate(names)}[g] for g in groups])
    out = np.zeros(len(rows))
    for number in range(count):
        learned = (fold != number) & usable
        weights, intercept = fit(rows[learned], labels[learned])
        out[fold == number] = rows[fold == number] @ weights + intercept
    return out


def main() -> None:
    """Measure, fit, write the weights and the card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=_FOLDER)
    arguments = parser.parse_args()
    with gzip.open(arguments.data / "legal" / "contract_nli.jsonl.gz", "rt") as lines:
        data = [json.loads(line) for line in lines]
    measured = []
    for row in data:
        source = extraction_of(from_text(row["doc"], "source"), "embedded")
        sentences = tuple(row["doc"][s.start : s.end] for s in source.sentences)
        measured.append(norms.measure(row["claim"], sentences))
    found = [(row, values) for row, values in zip(data, measured, strict=True) if values]
    rows = np.array([[values[name] for name in norms.FEATURES] for _, values in found])
    entailed = np.array([row["label3"] == "Entailment" for row, _ in found], float)
    usable = np.array([row["label3"] != "Contradiction" for row, _ in found])
    first = np.array([row["split"] == FITTED for row, _ in found])
    weights, intercept = fit(rows[usable & first], entailed[usable & first])
    text = json.dumps(
        {
            "weights": dict(zip(norms.FEATURES, map(float, weights.round(4)), strict=True)),
            "intercept": round(intercept, 4),
        },
        indent=1,
    )
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "weights.json").write_text(text + "\n")
    right = {
        name: float(np.mean((logits > 0) == (entailed > 0)))
        for name, logits in (
            ("by document", held_out(rows, entailed, usable, [str(r["doc_id"]) for r, _ in found])),
            ("by hypothesis", held_out(rows, entailed, usable, [r["claim"] for r, _ in found])),
        )
    }
    (arguments.out / "CARD.md").write_text(_card(text + "\n", int((usable & first).sum()), right))
    print(text, right)


def _card(text: str, count: int, right: dict[str, float]) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    shown = "\n".join(f"| {name} | {value:.3f} |" for name, value in right.items())
    return f"""# The model of norms

A logistic model of five features: how likely a contract carries a statement of what somebody
shall, may or shall not do. Made by `training/norms/fit.py` on {count} rows of ContractNLI, those
of the split `{FITTED}` that are entailed or not mentioned; SHA-256 of `weights.json`: `{digest}`.

Cross-validated on both splits, entailed or not, contradicted rows counted as not entailed:

| split | accuracy |
| --- | --- |
{shown}

The terms of contract language (`words.toml`) and the wordings of force were written by hand
after reading rows of that split and some evidence of the other, with the 17 hypotheses in view; so
the figure by hypothesis says how well the weights carry over, not how well the terms do.
ContractNLI is by Koreeda and Manning 2021, CC BY 4.0. The weights are our own, Apache-2.0.
"""


if __name__ == "__main__":
    main()
