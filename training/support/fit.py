"""Fit the support model: a logistic model over the features of `groundrules.align.support`.

    python training/support/pairs.py --data ../shared/data --out pairs.jsonl.gz
    python training/support/fit.py --pairs pairs.jsonl.gz

Every pair goes through the same pipeline as a check. Origins weigh the same however many pairs they
give. A feature that speaks for support may not get a negative weight, nor one against it a positive
one: what a model learns against the meaning of a feature is an accident of its data.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from groundrules import api
from groundrules.align.grounding import ground
from groundrules.align.support import FEATURES, Model
from groundrules.claims.document import from_text
from groundrules.claims.resolve import resolve

#: Pairs taken of each origin, in the order of the file.
QUOTAS = {
    "made": 3000,
    "foolmetwice": 500,
    "contractnli": 400,
    "redocred": 500,
    "fever": 400,
    "symmetric": 200,
    "mnli": 200,
}
#: Share of the total weight; sentences broken in one place are what a check is about.
SHARES = {"made": 0.6}
_FOR = frozenset(
    "unigrams bigrams trigrams fourgrams coverage runs longest closeness parted cosine tokens "
    "weakest weaker triples worst_triple agreeing".split()
)
_FREE = frozenset("length has_value has_name".split())
RIDGE = 3.0
_NOTHING = Model((), (), (), (), 0.0, "")
_FOLDER = Path(__file__).parents[2] / "groundrules" / "models" / "support"


def measure(premise: list[str], hypothesis: str) -> list[dict[str, float]]:
    """Return the features of each sentence of the hypothesis beside the premise."""
    text, source = resolve(
        [
            api._extract(from_text(hypothesis, "claim"), "embedded"),
            api._extract(from_text("\n\n".join(premise), "source"), "embedded"),
        ]
    )
    return [dict(s.features) for s in ground(text, [source], model=_NOTHING).sentences]


def fit(
    x: Any, y: Any, weight: Any, signs: Any, *, ridge: float = RIDGE, rounds: int = 4000
) -> tuple[Any, float]:
    """Return weights and intercept that minimise the weighted logistic loss plus a ridge.

    Accelerated projected gradient (FISTA); `signs` is +1, -1 or 0 (free) for each column of `x`.
    """
    rows, columns = x.shape
    total = weight.sum()
    step = 4.0 / (np.linalg.norm(x * np.sqrt(weight / total)[:, None], 2) ** 2 + 1 + ridge / total)
    w, look, t = np.zeros(columns + 1), np.zeros(columns + 1), 1.0
    design = np.concatenate([x, np.ones((rows, 1))], axis=1)
    penalty = np.append(np.full(columns, ridge / total), 0.0)
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-np.clip(design @ look, -30, 30)))
        gradient = design.T @ (weight * (p - y)) / total + penalty * look
        new = look - step * gradient
        head = new[:-1]
        new[:-1] = np.where(signs * head < 0, 0.0, head)
        following = (1 + np.sqrt(1 + 4 * t * t)) / 2
        look = new + (t - 1) / following * (new - w)
        w, t = new, following
    return w[:-1], float(w[-1])


def main() -> None:
    """Measure the pairs, fit, write the weights and the card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--measured", type=Path, help="keep the features here between runs")
    parser.add_argument("--out", type=Path, default=_FOLDER)
    arguments = parser.parse_args()
    if arguments.measured and arguments.measured.exists():
        rows = pickle.loads(arguments.measured.read_bytes())
    else:
        rows = []
        taken: Counter[str] = Counter()
        with gzip.open(arguments.pairs, "rt", encoding="utf-8") as lines:
            for line in lines:
                premise, hypothesis, label, origin, _ = json.loads(line)
                if taken[origin] >= QUOTAS.get(origin, 0):
                    continue
                taken[origin] += 1
                sentences = measure(premise, hypothesis)
                # Of several sentences a label says only that all, or not all, are supported.
                if sentences and (label == 0 or len(sentences) == 1):
                    rows += [(label == 0, origin, values) for values in sentences]
        if arguments.measured:
            arguments.measured.write_bytes(pickle.dumps(rows))
    names = list(FEATURES)
    x = np.array([[values[name] for name in names] for _, _, values in rows])
    y = np.array([float(label) for label, _, _ in rows])
    origins = np.array([origin for _, origin, _ in rows])
    counts = Counter(origins.tolist())
    others = (1 - sum(SHARES.values())) / (len(counts) - len(SHARES))
    weight = np.array([SHARES.get(o, others) * len(rows) / counts[o] for o in origins.tolist()])
    means = np.average(x, axis=0, weights=weight)
    scales = np.sqrt(np.average((x - means) ** 2, axis=0, weights=weight)).clip(1e-3)
    signs = np.array([0 if n in _FREE else 1 if n in _FOR else -1 for n in names])
    found, intercept = fit((x - means) / scales, y, weight, signs)
    kept = [n for n in range(len(names)) if abs(found[n]) > 1e-6]
    text = json.dumps(
        {
            "names": [names[n] for n in kept],
            "weights": [round(float(found[n]), 5) for n in kept],
            "means": [round(float(means[n]), 5) for n in kept],
            "scales": [round(float(scales[n]), 5) for n in kept],
            "intercept": round(intercept, 5),
        },
        indent=1,
    )
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "weights.json").write_text(text + "\n")
    (arguments.out / "CARD.md").write_text(_card(text + "\n", counts))
    for n in sorted(kept, key=lambda n: -abs(found[n])):
        print(f"{found[n]:+.3f}  {names[n]}: {FEATURES[names[n]]}")


def _card(text: str, counts: Counter[str]) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    rows = "\n".join(f"| {origin} | {count} |" for origin, count in sorted(counts.items()))
    return f"""# The support model

A logistic model: how likely the sources carry a sentence, from features anyone can check.
Made by `training/support/fit.py`; SHA-256 of `weights.json`: `{digest}`.

| origin | sentences |
| --- | --- |
{rows}

`made` are sentences of FoolMeTwice passages, Re-DocRED and ContractNLI documents and CUAD contracts
that no benchmark reports on, kept, compressed or broken in one place. Licences and attribution:
FoolMeTwice (Apache-2.0), ContractNLI and CUAD (CC BY 4.0, The Atticus Project and Stanford NLP),
Re-DocRED (MIT), FEVER and its symmetric test (CC BY-SA 3.0, MIT), MultiNLI (OANC and others), word
classes from UD English EWT (CC BY-SA 4.0). The weights are our own, Apache-2.0.
"""


if __name__ == "__main__":
    main()
