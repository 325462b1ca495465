"""From the scores of arcs and labels to the tree of a sentence: the likeliest projective one.

Source: Eisner 1996, *Three New Probabilistic Models for Dependency Parsing*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

__all__ = ["as_active", "best_tree", "tree"]

#: What is ruled out scores so much.
UNLIKELY = -1e4
#: The tags of finite verbs.
_FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
#: What is a subject or told with "by", and what it is of an active verb.
_OF_PASSIVES = {"nsubj": "nsubj", "nsubjpass": "nsubj", "agent": "prep"}
#: The labels of auxiliaries, and how the tags of what they can belong to begin.
HELPING, VERBAL = frozenset({"aux", "auxpass"}), ("VB", "MD", "TO")


def tree(
    arcs: Floats,
    relations: Floats,
    classes: Sequence[str],
    tags: Sequence[str],
    verbal: npt.NDArray[np.float64],
) -> tuple[list[int], list[str]]:
    """Return heads and labels of a sentence of n words.

    `arcs` (n, n + 1) and `relations` (n, k, n + 1), the root first, are scored each by itself; the
    tree is the likeliest of both together. A number is no root beside a finite verb. What has
    auxiliaries is a verb behind them, and so as likely as that is, `verbal` (n), the logarithm; no
    modal marks a clause. Of two subjects side by side one names the other: "the company Siemens".
    """
    import numpy as np

    root = classes.index("ROOT")
    likely = log_shares(relations)
    likely[:, root] = UNLIKELY
    likely[:, :, 0] = UNLIKELY
    likely[:, root, 0] = 0
    helping = [i for i, c in enumerate(classes) if c in HELPING]
    likely[:, helping, 1:] += np.where(np.tri(len(arcs), k=-1), UNLIKELY, verbal)[:, None]
    modals = [i for i, tag in enumerate(tags) if tag == "MD"]
    likely[modals, classes.index("mark")] = UNLIKELY
    alone = log_shares(arcs)
    if not _FINITE.isdisjoint(tags):
        alone[[i for i, tag in enumerate(tags) if tag == "CD"], 0] = UNLIKELY
    best = likely.argmax(1)
    joint = alone + likely.max(1)
    heads = best_tree(joint[:, 1:], joint[:, 0])
    columns = [0 if head == i else head + 1 for i, head in enumerate(heads)]
    labels = [classes[best[i, column]] for i, column in enumerate(columns)]
    for i, label in enumerate(labels[:-1]):
        if label in _SUBJECTS and labels[i + 1] == label and heads[i] == heads[i + 1]:
            heads[i + 1], labels[i + 1] = i, "appos"
    return heads, labels


def as_active(
    tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Return tags and labels in which a verb without an auxiliary of the passive is active.

    A participle that is a root by itself is a past: "Prices increased by 4 per cent."
    """
    below = {label for i, label in enumerate(labels) if labels[heads[i]] == "ROOT"}
    alone = bool(below & _OF_PASSIVES.keys()) and not below & HELPING
    told = [
        "VBD" if alone and tag == "VBN" and label == "ROOT" else tag
        for tag, label in zip(tags, labels, strict=True)
    ]
    passive = {heads[i] for i, label in enumerate(labels) if label == "auxpass"}
    active = [told[head] in _FINITE and head not in passive for head in heads]
    return told, [
        _OF_PASSIVES.get(label, label) if is_active else label
        for label, is_active in zip(labels, active, strict=True)
    ]


def log_shares(scores: Floats) -> npt.NDArray[np.float64]:
    """Return the logarithms of the softmax over the second axis."""
    import numpy as np

    wide = np.asarray(scores, np.float64)
    wide = wide - wide.max(1, keepdims=True)
    shares: npt.NDArray[np.float64] = wide - np.log(np.exp(wide).sum(1, keepdims=True))
    return shares


def best_tree(arcs: Floats, roots: Floats) -> list[int]:
    """Return the heads of the best projective tree of n words with one root, which heads itself.

    `arcs` (n, n) scores rows as dependents of columns, `roots` (n,) scores words as roots. Each
    word's own best head is taken where that is such a tree, else the best of all is sought
    (Eisner 1996), in O(n³).
    """
    import numpy as np

    size = len(roots)
    if size == 1:
        return [0]
    scores = np.array(arcs, np.float64)
    np.fill_diagonal(scores, roots)
    heads: list[int] = scores.argmax(1).tolist()
    return heads if _is_tree(heads) else _eisner(scores.T, np.asarray(roots, np.float64))


def _is_tree(heads: Sequence[int]) -> bool:
    """Return whether heads make one projective tree."""
    if sum(head == i for i, head in enumerate(heads)) != 1:
        return False
    root = next(i for i, head in enumerate(heads) if head == i)
    safe = {root}
    for i in range(len(heads)):
        path = [i]
        while path[-1] not in safe:
            if len(path) > len(heads):
                return False
            path.append(heads[path[-1]])
        safe.update(path)
    spans = sorted(
        ((min(i, h), -max(i, h)) for i, h in enumerate(heads) if h != i),
    )
    open_: list[int] = []
    for low, negative in spans:
        high = -negative
        while open_ and open_[-1] <= low:
            open_.pop()
        if open_ and open_[-1] < high:
            return False
        open_.append(high)
    # an arc over the root would cross that of the root itself
    return not any(low < root < -high for low, high in spans)


def _eisner(scores: npt.NDArray[np.float64], roots: npt.NDArray[np.float64]) -> list[int]:
    """Return the heads of the best projective tree; `scores` (n, n) has heads as rows."""
    import numpy as np

    n = len(roots)
    # a row is where a span begins, or by_end and of open_left ends, and a column its length,
    # so that what is joined are slices
    right, left, right_by_end, left_by_end = (np.zeros((n, n)) for _ in range(4))
    open_right, open_left = np.zeros((n, n)), np.zeros((n, n))
    back_open, back_right, back_left = (np.zeros((n, n), int) for _ in range(3))
    places = np.arange(n)
    for length in range(1, n):
        size = n - length
        i = places[:size]
        joined = right[:size, :length] + left_by_end[length:, length - 1 :: -1]
        best = joined.argmax(1)
        top = joined[i, best]
        back_open[:size, length] = i + best
        open_right[:size, length] = top + scores.diagonal(length)
        open_left[length:, length] = top + scores.diagonal(-length)
        done = open_right[:size, 1 : length + 1] + right_by_end[length:, length - 1 :: -1]
        best = done.argmax(1)
        right[:size, length] = right_by_end[length:, length] = done[i, best]
        back_right[:size, length] = i + best + 1
        done = left[:size, :length] + open_left[length:, length:0:-1]
        best = done.argmax(1)
        left[:size, length] = left_by_end[length:, length] = done[i, best]
        back_left[:size, length] = i + best
    root = int((left[0] + right_by_end[n - 1, ::-1] + roots).argmax())
    heads = list(range(n))
    stack = [(0, root, "left"), (root, n - 1, "right")]
    while stack:
        low, high, kind = stack.pop()
        length = high - low
        if not length:
            continue
        if kind == "right":
            middle = int(back_right[low, length])
            stack += [(low, middle, "open right"), (middle, high, "right")]
        elif kind == "left":
            middle = int(back_left[low, length])
            stack += [(low, middle, "left"), (middle, high, "open left")]
        else:
            if kind == "open right":
                heads[high] = low
            else:
                heads[low] = high
            middle = int(back_open[low, length])
            stack += [(low, middle, "right"), (middle + 1, high, "left")]
    return heads
