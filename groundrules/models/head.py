"""A head on the shipped scorer, fitted to a few hundred labels: what `train-scorer` does.

SafePassage's recipe (arXiv 2510.00276): silver labels first, then those of a person, as closely as
is best for F1. Only a linear head is fitted, scikit-learn's logistic regression on the vectors of
the frozen scorer beside its own log odds: at strength 0 it is the shipped scorer. Same rows, same
head.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundrules.errors import SourceError
from groundrules.models.labels import Row
from groundrules.models.metrics import scikit_learn
from groundrules.models.passage_scorer import Head, embedded

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

FOLDS = 5
#: The fewest labels, and the fewest of each kind.
LEAST, LEAST_EACH = 20, 5
#: How closely the labels may be followed, C of the regression; at 0 they are not.
STRENGTHS = (0.0, *(2.0**power for power in range(-18, 1, 2)))
_ITERATIONS = 10_000


@dataclass(frozen=True, slots=True)
class Point:
    """How well unsafe passages (label 0) are flagged."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Fit:
    """A head and how it was found.

    `before` is how good the shipped scorer is and `after` the head, each row judged by one that saw
    no row of its group. `groups` counts the documents that were kept together, 0 where
    rows were split singly. `strengths` are those for silver and for human labels.
    """

    head: Head
    before: Point
    after: Point
    rows: int
    unsafe: int
    silver: int
    groups: int
    strengths: tuple[float, float]


def fit(rows: Sequence[Row], silver: Sequence[Row] = (), *, name: str = "") -> Fit:
    """Return a head fitted to the labelled ones of some rows; `silver` are labels of less worth.

    Silver labels are learned first, then the others on top. How closely is chosen twice by F1 of
    flagging unsafe passages on the rows: for silver, and by cross-validation, split by document
    where rows have at least five.

    Raises:
        ConfigError: the extra [sklearn] is missing.
        SourceError: too few rows are labelled, or nearly all alike; `name` is that of the file.
    """
    import numpy as np

    # in an order that looks random and does not depend on that of the file
    rows = sorted((row for row in rows if row.label is not None), key=_shuffled)
    silver = [row for row in silver if row.label is not None]
    gold = np.array([row.label for row in rows], np.float64)
    few = min(gold.sum(), len(gold) - gold.sum())
    if len(rows) < LEAST or few < LEAST_EACH:
        raise SourceError(
            f"{len(rows)} labels, {int(gold.sum())} of them 1; expected at least {LEAST}, "
            f"{LEAST_EACH} of each",
            path=name,
        )
    read = embedded().read([row.pair for row in rows])
    vectors, begun = read.vectors.astype(np.float64), read.logits
    start, taken = shipped(vectors), 0.0
    if silver:
        other = embedded().read([row.pair for row in silver])
        wanted = np.array([row.label for row in silver], np.float64)
        path = regress(other.vectors.astype(np.float64), wanted, other.logits)
        _, best = best_of([judge(vectors, begun, one) for one in path], gold)
        start, taken = path[best], STRENGTHS[best]
        begun = judge(vectors, begun, start)
    folds, groups = split(rows)
    weights, best, point = learn(vectors, gold, begun, folds)
    # what was learned on top, and what it stands on
    slope = weights[-1]
    weights[:-1] += slope * start[:-1]
    weights[-1] = slope * start[-1]
    *rounded, bias, slope = (float(f"{weight:.6g}") for weight in weights)
    return Fit(
        head=Head(embedded().digest, tuple(rounded), bias, slope),
        before=measure(begun, gold),
        after=point,
        rows=len(rows),
        unsafe=int((gold == 0).sum()),
        silver=len(silver),
        groups=groups,
        strengths=(taken, STRENGTHS[best]),
    )


def learn(
    vectors: Array, gold: Array, begun: Array, folds: npt.NDArray[np.int64]
) -> tuple[Array, int, Point]:
    """Return a head fitted to all rows, the place of its strength in `STRENGTHS`, and the F1.

    The strength, and the figures, are those of cross-validation.
    """
    point, best = best_of(held_out(vectors, gold, begun, folds), gold)
    return regress(vectors, gold, begun)[best], best, point


def held_out(vectors: Array, gold: Array, begun: Array, folds: npt.NDArray[np.int64]) -> Array:
    """Return the log odds of each row (strengths, n) by heads fitted to the other folds."""
    import numpy as np

    out = np.zeros((len(STRENGTHS), len(gold)))
    for fold in range(FOLDS):
        seen, mine = np.flatnonzero(folds != fold), folds == fold
        for at, one in enumerate(regress(vectors[seen], gold[seen], begun[seen])):
            out[at, mine] = judge(vectors[mine], begun[mine], one)
    return out


def best_of(path: Iterable[Array], gold: Array) -> tuple[Point, int]:
    """Return the figures of the log odds with the best F1, and which they are: the first such."""
    points = [measure(logits, gold) for logits in path]
    best = max(range(len(points)), key=lambda i: (points[i].f1, -i))
    return points[best], best


def regress(vectors: Array, gold: Array, begun: Array) -> list[Array]:
    """Return a head (d + 2,) for each of `STRENGTHS`: weights, bias and slope.

    The regression is on the vectors, standardised, and on the log odds `begun`; the weights
    returned are for the vectors as they are. Labels that are all alike teach nothing.
    """
    import numpy as np

    if len(np.unique(gold)) < 2:
        return [shipped(vectors)] * len(STRENGTHS)
    mean, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    rows = np.column_stack([(vectors - mean) / spread, begun])
    path = [shipped(vectors)]
    for strength in STRENGTHS[1:]:
        model = scikit_learn("linear_model").LogisticRegression(C=strength, max_iter=_ITERATIONS)
        model.fit(rows, gold)
        plain = model.coef_[0, :-1] / spread
        path.append(np.array([*plain, model.intercept_[0] - plain @ mean, model.coef_[0, -1]]))
    return path


def shipped(vectors: Array) -> Array:
    """Return the head that leaves the log odds as they are."""
    import numpy as np

    return np.append(np.zeros(vectors.shape[1] + 1), 1.0)


def judge(vectors: Array, begun: Array, head: Array) -> Array:
    """Return the log odds of rows by a head: those `begun` by its slope, the vectors, the bias."""
    found: Array = head[-1] * begun + vectors @ head[:-2] + head[-2]
    return found


def measure(logits: Array, gold: Array) -> Point:
    """Return how well unsafe passages are flagged by log odds below 0."""
    found = scikit_learn("metrics").precision_recall_fscore_support(
        gold, logits >= 0, pos_label=0, average="binary", zero_division=0
    )
    return Point(*map(float, found[:3]))


def split(rows: Sequence[Row]) -> tuple[npt.NDArray[np.int64], int]:
    """Return the fold of each row and the number of documents, 0 if rows were split singly.

    The rows of a document share a fold, unless there are fewer documents than folds.
    """
    import numpy as np

    documents = {row.doc_id for row in rows}
    apart = len(documents) < FOLDS or "" in documents
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        key = _shuffled(row) if apart else hashlib.sha256(row.doc_id.encode()).hexdigest()
        groups.setdefault(key, []).append(place)
    folds = np.zeros(len(rows), np.int64)
    sizes = [0] * FOLDS
    for _, places in sorted(groups.items()):
        fold = sizes.index(min(sizes))
        folds[places] = fold
        sizes[fold] += len(places)
    return folds, 0 if apart else len(documents)


def _shuffled(row: Row) -> str:
    """Return a digest of a row's pair."""
    text = "\0".join(row.pair)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
