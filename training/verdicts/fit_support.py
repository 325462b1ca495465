"""Fit the weights of the score of statements: `groundrules/models/statement`.

    python training/verdicts/fit_support.py --measured build/measured.jsonl

The rows are the passages of `training/scorer/written` that are kept out of training: no benchmark
reports on them. Of each passage the true sides of its twins are
checked as one text, and the false sides as another. With `--pairs` there are held-out pairs of open
sets besides, so that what copies its source's words is weighed too. What a check finds is slow and
kept in `--measured`, by the words of the text and its source: delete the file when rules or models
change.

The features are those of `groundrules/align/weighing.py`, each with its sign; the fit is logistic,
the calibration is of rows that the weights did not see (ten folds of passages). `THRESHOLD`, from
which a statement counts as supported, balanced accuracy where a model had read it too; without one
the score tells too little to place it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[1] / "scorer"))
import written

from groundrules import api
from groundrules.align import weighing
from groundrules.align.weighing import SIGNS, Weights
from groundrules.claims.document import from_text
from groundrules.config import Config
from groundrules.evaluate.documents import join
from groundrules.models.metrics import auc
from groundrules.terms import Outcome

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int_]

THRESHOLD = 0.4598
#: Sets of pairs that no benchmark reports on.
ORIGINS = "mnli,fever,conj,cad,symmetric"
FOLDS, SHRINKAGE = 10, 1e-3
_HERE = Path(__file__).parent
_FOLDER = _HERE.parents[1] / "groundrules" / "models" / "statement"
_WRITTEN = _HERE.parent / "scorer" / "written"
#: With weights of one a contribution is the feature; nothing is doubted.
_BARE = Weights(dict.fromkeys(SIGNS, 1.0), 0.0, 0.5, "")


@dataclass(frozen=True)
class Sample:
    """A source with answers, each of sentences that are all true or all false (1, 0)."""

    source: str
    answers: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def key(self) -> str:
        """The name under which what was found in it is kept."""
        parts = [self.source, *(text for _, texts in self.answers for text in texts)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Row:
    """A labelled sentence: its words, its sample, its number in the answer, and its features."""

    text: str
    passage: str
    twin: int
    label: int
    features: Mapping[str, float]


def of_twins(passages: Iterable[written.Passage]) -> Iterator[Sample]:
    """Yield the passages that are kept out, with both sides of their twins."""
    for passage in passages:
        if passage.kept_out:
            answers = (
                (label, tuple(twin.read(bool(label))[0] for twin in passage.twins))
                for label in (1, 0)
            )
            yield Sample(passage.text, tuple(answers))


def of_pairs(path: Path, origins: Iterable[str], most: int) -> Iterator[Sample]:
    """Yield held-out pairs of `training/scorer/corpus.py`, so many of each origin."""
    left = dict.fromkeys(origins, most)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            premise, claim, label, origin, _, part = json.loads(line)
            if part == "held" and left.get(origin, 0):
                left[origin] -= 1
                yield Sample(premise, ((int(label == 0), (claim,)),))


def measure(sample: Sample) -> list[dict[str, Any]]:
    """Return the rows of a sample; not what is there word for word, or is read as several."""
    rows = []
    for label, texts in sample.answers:
        text, places = join(texts)
        with patch.object(weighing, "load_weights", lambda: _BARE):
            report = api.check(
                from_text(text, "answer"),
                context=[from_text(sample.source, "passage")],
                config=Config(),
                verify=False,
            )
        for number, (start, end) in enumerate(places):
            own = [s for s in report.statements if s.span.start < end and start < s.span.end]
            if len(own) != 1 or own[0].outcome is Outcome.UNVERIFIABLE or own[0].reason == "exact":
                continue
            told = {name: value for name, value in own[0].contributions if name in SIGNS}
            rows.append({"text": own[0].text, "twin": number, "label": label, "features": told})
    return rows


def measured(
    samples: Sequence[Sample], kept: Path | None, jobs: int
) -> Iterator[tuple[Sample, list[dict[str, Any]]]]:
    """Yield each sample with its rows, which are read from a file and added to it."""
    known: dict[str, list[dict[str, Any]]] = {}
    if kept is not None and kept.exists():
        lines = kept.read_text(encoding="utf-8").splitlines()
        known = dict(json.loads(line) for line in lines)
    missing = [one for one in samples if one.key not in known]
    with ProcessPoolExecutor(jobs) as pool:
        for number, (one, rows) in enumerate(zip(missing, pool.map(measure, missing), strict=True)):
            known[one.key] = rows
            if kept is not None:
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([one.key, rows], ensure_ascii=False) + "\n")
            print(f"\r{number + 1} of {len(missing)}", end="", file=sys.stderr, flush=True)
    for one in samples:
        yield one, known[one.key]


def rows_of(found: Iterable[tuple[Sample, list[dict[str, Any]]]]) -> Iterator[Row]:
    """Yield the rows of what was measured."""
    for sample, rows in found:
        for row in rows:
            yield Row(row["text"], sample.key, row["twin"], row["label"], row["features"])


def matrix(rows: Sequence[Row], names: Iterable[str] = SIGNS) -> Floats:
    """Return the features of rows, a column each."""
    return np.array([[row.features.get(name, 0.0) for name in names] for row in rows], float)


def fit(values: Floats, labels: Labels, signs: Sequence[int]) -> tuple[Floats, float]:
    """Return the weights, of which none has the wrong sign, and the base."""
    from scipy.optimize import minimize

    spread = values.std(axis=0)
    spread[spread == 0] = 1.0
    scaled = values / spread
    target = np.where(labels == 1, 1.0, -1.0)

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = scaled @ weights[:-1] + weights[-1]
        wrong = 1 / (1 + np.exp(np.clip(target * logits, -60, 60)))
        value = np.logaddexp(0, -target * logits).mean() + SHRINKAGE * (weights[:-1] ** 2).sum()
        slope = -(target * wrong) / len(target)
        gradient = np.append(scaled.T @ slope, slope.sum())
        gradient[:-1] += 2 * SHRINKAGE * weights[:-1]
        return float(value), gradient

    bounds = [(0, None) if sign > 0 else (None, 0) for sign in signs] + [(None, None)]
    found = minimize(loss, np.zeros(len(signs) + 1), jac=True, bounds=bounds, method="L-BFGS-B")
    return found.x[:-1] / spread, float(found.x[-1])


def unseen(values: Floats, labels: Labels, groups: Sequence[str], signs: Sequence[int]) -> Floats:
    """Return the log odds of each row by weights fitted without its passage."""
    fold = np.array([int(group[:8], 16) % FOLDS for group in groups])
    out = np.zeros(len(labels))
    for number in range(FOLDS):
        here = fold == number
        if here.any():
            weights, base = fit(values[~here], labels[~here], signs)
            out[here] = values[here] @ weights + base
    return out


def probabilities(logits: Floats) -> Floats:
    """Return the probabilities of log odds."""
    return 1 / (1 + np.exp(-np.clip(logits, -60, 60)))


def main() -> None:
    """Measure, fit, write the weights and the card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measured", type=Path, help="keep what is found here")
    parser.add_argument("--written", type=Path, default=_WRITTEN)
    parser.add_argument("--pairs", type=Path, help="the file of training/scorer/corpus.py")
    parser.add_argument("--origins", default=ORIGINS, help="the origins taken of it")
    parser.add_argument("--most", type=int, default=200, help="pairs of each origin")
    parser.add_argument("--out", type=Path, default=_FOLDER)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    files = sorted(arguments.written.glob("*.txt"))
    samples = list(of_twins(one for path in files for one in written.read(path)))
    passages = len(samples)
    if arguments.pairs:
        samples += of_pairs(arguments.pairs, arguments.origins.split(","), arguments.most)
    rows = [*rows_of(measured(samples, arguments.measured, arguments.jobs))]
    arguments.out.mkdir(parents=True, exist_ok=True)
    fit_, figures = fitted(rows)
    digest = hashlib.sha256("\n".join(sorted(one.key for one in samples)).encode()).hexdigest()
    data: dict[str, Any] = {"schema": 3, **fit_}
    data |= {"passages": passages, "pairs": len(samples) - passages}
    data |= {"origins": arguments.origins if arguments.pairs else "", "sha256_of_rows": digest}
    text = json.dumps(data, indent=1) + "\n"
    (arguments.out / "weights.json").write_text(text, encoding="utf-8")
    card = _card(text, data, figures, rows)
    (arguments.out / "CARD.md").write_text(card, encoding="utf-8")
    print(card)


def fitted(rows: Sequence[Row]) -> tuple[dict[str, Any], dict[str, float | None]]:
    """Return what is written of a fit, and how good it is on rows it did not see."""
    signs = list(SIGNS.values())
    values, labels = matrix(rows), np.array([row.label for row in rows], int)
    logits = unseen(values, labels, [row.passage for row in rows], signs)
    (slope,), intercept = fit(logits[:, None], labels, [1])
    weights, base = fit(values, labels, signs)
    scores = probabilities(slope * logits + intercept)
    data = {
        "weights": {n: round(slope * w, 4) for n, w in zip(SIGNS, weights, strict=True) if w},
        "base": round(slope * base + intercept, 4),
        "threshold": THRESHOLD,
    }
    sides: dict[tuple[str, int], dict[int, float]] = {}
    for row, score in zip(rows, scores, strict=True):
        sides.setdefault((row.passage, row.twin), {})[row.label] = float(score)
    pairs = [(one[1], one[0]) for one in sides.values() if len(one) == 2]
    bins = np.minimum((scores * 10).astype(int), 9)
    figures = {
        "AUC": auc(scores, labels),
        "twins in order": sum((a > b) + 0.5 * (a == b) for a, b in pairs) / max(1, len(pairs)),
        "calibration error": sum(
            abs((scores - labels)[bins == n].sum()) for n in range(10)
        ) / len(rows),
        "passed, of the wrong": float((scores[labels == 0] >= THRESHOLD).mean()),
        "passed, of the true": float((scores[labels == 1] >= THRESHOLD).mean()),
    }  # fmt: skip
    return data, figures


def _card(
    text: str,
    data: Mapping[str, Any],
    figures: Mapping[str, float | None],
    rows: Sequence[Row],
) -> str:
    labels = np.array([row.label for row in rows], int)
    values = matrix(rows)
    signs = list(SIGNS.values())
    table = "\n".join(
        f"| {name} | {data['weights'].get(name, 0):.4f} | {auc(sign * values[:, n], labels):.3f} |"
        for n, (name, sign) in enumerate(zip(SIGNS, signs, strict=True))
    )
    told = "\n".join(f"| {name} | {value:.3f} |" for name, value in figures.items())
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"""# The score of statements

What each feature adds to the log odds that the sources carry a statement
(`groundrules/align/weighing.py`), and the score from which one is supported. Made by
`python training/verdicts/fit_support.py`; change that, not this. SHA-256 of `weights.json`:
`{digest}`.

**Fitted on.** {len(rows):,} sentences, {int(labels.sum()):,} of them true, of {data["passages"]:,}
passages of `training/scorer/written` that no scorer was trained on: the true and the false side of
each twin, which a language model wrote; and {data["pairs"]:,} held-out pairs of open sets
({data["origins"] or "none"}). None is of an evaluation set. About half are wrong, so a probability
is that of a text of which half is.

| feature | weight | AUC alone |
|---|--:|--:|
{table}

Base {data["base"]:.4f}. No weight may have the wrong sign; one of 0 is left out.

**How good it is** on sentences whose passage the weights did not see (ten folds):

| figure | |
|---|--:|
{told}

`threshold` {THRESHOLD} is the one that balanced accuracy where a model had read the statements too,
which is gone (docs/decisions/readers-in-front.md): without it the score tells too little for one.

**Limits.** The figures hold for the rules of that day: fit again when those change. Apache-2.0, our
own.
"""


if __name__ == "__main__":
    main()
