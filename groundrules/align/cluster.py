"""Label unification: which labels of two graphs mean the same node or relation.

As KEA Explain does it: agglomerative clusters of label vectors, cosine distance, average linkage,
cut at 0.35. What a vector cannot tell apart is kept apart by word: numbers, dates, polarity,
direction, opposite roles.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules import domain
from groundrules.align.limits import LABELS_APART
from groundrules.claims.english import (
    BOUNDING,
    MONTHS,
    NEGATIVE,
    ORDINALS,
    SCALES,
    SMALL,
    TENS,
    WEEKDAYS,
)
from groundrules.claims.english.stems import possible_bases
from groundrules.claims.values.value_reader import all_kinds
from groundrules.errors import ConfigError, did_you_mean
from groundrules.models.embed import EMBEDDED, encode
from groundrules.models.metrics import scikit_learn

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]

#: Two labels with unlike numbers of these are of two things.
_DENYING = NEGATIVE | {"non", "lack", "lacks"}
#: Who clusters: ours, or scikit-learn's AgglomerativeClustering (extra `[sklearn]`).
BUILT_IN, SCIKIT_LEARN = "built-in", "scikit-learn"
CLUSTERINGS = (BUILT_IN, SCIKIT_LEARN)


def cluster(
    vectors: npt.NDArray[np.floating],
    *,
    threshold: float = LABELS_APART,
    clustering: str = BUILT_IN,
    apart: Collection[tuple[int, int]] = (),
) -> npt.NDArray[np.int64]:
    """Return the cluster of each row of `vectors` (n, d), numbered by first appearance.

    Two clusters merge while the mean cosine distance (0..2) of their rows is below `threshold`,
    nearest first.
    The rows of each pair in `apart` never share a cluster, also not through others. The partition
    is the same whoever clusters, "built-in" or "scikit-learn", but for distances that are equal: of
    those ours merges the lowest rows first. A zero vector is at cosine distance 1 from all.

    Source: Müllner 2011, arXiv:1109.2378, the nearest-neighbour chain and Lance-Williams updates.

    Raises:
        ConfigError: an unknown word, a threshold that is negative or not a number, or the extra
            [sklearn] is missing.
    """
    import numpy as np

    check_clustering(threshold, clustering)
    rows = _rows(vectors)
    if clustering == SCIKIT_LEARN:
        labels = _by_scikit_learn(_distances(rows, rows), threshold, apart)
        return _numbered(labels)
    labels = np.arange(len(rows))
    forbidden = {(min(pair), max(pair)) for pair in apart}
    for members in _components(rows, threshold):
        distance = _distances(rows[members], rows[members])
        np.fill_diagonal(distance, np.inf)
        place = {int(row): i for i, row in enumerate(members)}
        for a, b in forbidden:
            if a in place and b in place:
                distance[place[a], place[b]] = distance[place[b], place[a]] = np.inf
        labels[members] = members[_agglomerate(distance, threshold)]
    return _numbered(labels)


def unify(
    labels: Sequence[str],
    kinds: Sequence[str],
    rooms: Sequence[int] = (),
    *,
    threshold: float = LABELS_APART,
    clustering: str = BUILT_IN,
    model: str = EMBEDDED,
) -> list[int]:
    """Return the cluster of each label, numbered by first appearance.

    `kinds` says what each label names (see `Mention.kind`; any other word for a relation), `rooms`
    in which of several rooms it is: no cluster has labels of two. Within one, labels
    equal up to case, spaces and a leading article are always together. Never together by
    similarity: values; labels that differ in a number, date or single-letter name, in a negation,
    in the direction "by" gives, or by opposite or exclusive words (buyer and seller, monthly
    and annual); and labels of one thing whose heads are not alike ("the director of the firm", "the
    headquarters of the firm"). Nothing is encoded where words alone decide.

    Raises:
        ConfigError: as for `cluster`, or the model needs an extra.
        ModelError: the model cannot be loaded.
        ValueError: labels and kinds differ in number.
    """
    check_clustering(threshold, clustering)
    forms: dict[tuple[int, str], int] = {}
    people: set[int] = set()
    values: set[int] = set()
    written: list[str] = []
    numbers: list[int] = []
    known = all_kinds()
    for label, kind, room in zip(labels, kinds, rooms or [0] * len(labels), strict=True):
        number = forms.setdefault((room, normal_form(label)), len(forms))
        if number == len(written):
            written.append(" ".join(label.split()))
        numbers.append(number)
        if kind == "PERSON":
            people.add(number)
        if kind in known:
            values.add(number)

    groups: dict[tuple[object, ...], list[int]] = {}
    for (room, form), number in forms.items():
        if number not in values and form:
            key = room, *_signature(form, written[number], person=number in people)
            groups.setdefault(key, []).append(number)
    open_groups = [group for group in groups.values() if len(group) > 1]
    texts = [form for _, form in forms]
    needed = [number for group in open_groups for number in group]
    vectors = encode([texts[number] for number in needed], model=model) if needed else None
    merged = list(range(len(forms)))
    at = 0
    for group in open_groups:
        assert vectors is not None
        part = vectors[at : at + len(group)]
        at += len(group)
        found = cluster(
            part,
            threshold=threshold,
            clustering=clustering,
            apart={*_opposed(texts, group), *_of_one([texts[n] for n in group], threshold, model)},
        )
        first: dict[int, int] = {}
        for number, label_ in zip(group, found.tolist(), strict=True):
            merged[number] = first.setdefault(label_, number)
    order: dict[int, int] = {}
    return [order.setdefault(merged[number], len(order)) for number in numbers]


def normal_form(label: str) -> str:
    """Return the label in compatibility form, case folded, without spare spaces and articles."""
    folded = unicodedata.normalize("NFKC", label).replace("’", "'").casefold()
    words = folded.split()
    while len(words) > 1 and words[0] in {"the", "a", "an"}:
        del words[0]
    return " ".join(words)


def are_distinct(one: str, other: str) -> bool:
    """Return whether words alone keep two labels from meaning the same, however alike they are.

    As `unify` has it: another number, date, letter or negation, the direction "by" gives, or
    exclusive words (buyer and seller, monthly and annual).
    """
    mine, theirs = _marks(one), _marks(other)
    if mine[0] != theirs[0]:
        return True
    return any(
        word not in theirs[1] and any(r in theirs[1] and r not in mine[1] for r in _rivals()[word])
        for word in mine[1]
    )


def exclude(one: str, other: str) -> bool:
    """Return whether two labels differ in one word and these two exclude each other.

    Two weekdays or months, two numbers or ordinals, or two rivals: `second prize`, `first prize`.
    """
    mine, theirs = (_WORD.findall(normal_form(label)) for label in (one, other))
    left = [word for word in mine if word not in theirs]
    right = [word for word in theirs if word not in mine]
    if len(mine) != len(theirs) or len(left) != 1 or len(right) != 1:
        return False
    (a,), (b,) = left, right
    for group in (_DATE_WORDS, _NUMBER_WORDS):
        if a in group and b in group:
            return a[:3] != b[:3] if group is _DATE_WORDS else _NUMBER_WORDS[a] != _NUMBER_WORDS[b]
    return any(_rivals()[x] & _with_rivals(b) for x in _with_rivals(a))


@lru_cache(maxsize=16384)
def _marks(label: str) -> tuple[tuple[object, ...], frozenset[str]]:
    """Return what must be shared with a label of the same meaning, and its words with rivals."""
    form = normal_form(label)
    bearing = frozenset(one for word in _WORD.findall(form) for one in _with_rivals(word))
    return _signature(form, " ".join(label.split()), person=False), bearing


def check_clustering(threshold: float, clustering: str) -> None:
    """Raise ConfigError where labels cannot be clustered so."""
    if clustering not in CLUSTERINGS:
        raise ConfigError(
            f"unknown clustering {clustering!r}; expected one of {', '.join(CLUSTERINGS)}"
            + did_you_mean(clustering, CLUSTERINGS)
        )
    if not threshold >= 0:
        raise ConfigError(f"the threshold is {threshold}; expected a distance, 0 or more")
    if clustering == SCIKIT_LEARN:
        scikit_learn("cluster")


def _numbered(labels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the labels numbered by first appearance."""
    import numpy as np

    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)


def _by_scikit_learn(
    distance: Matrix, threshold: float, apart: Collection[tuple[int, int]]
) -> npt.NDArray[np.int64]:
    """Return scikit-learn's cluster of each row of a distance matrix, which is overwritten."""
    import numpy as np

    size = len(distance)
    if size < 2:
        return np.zeros(size, np.int64)
    # so far that the mean over all pairs of two clusters is not below the threshold
    far = (threshold + 1) * size**2
    distance[np.isnan(distance)] = far
    for a, b in apart:
        distance[a, b] = distance[b, a] = far
    np.fill_diagonal(distance, 0)
    model = scikit_learn("cluster").AgglomerativeClustering(
        n_clusters=None, distance_threshold=threshold, linkage="average", metric="precomputed"
    )
    labels: npt.NDArray[np.int64] = model.fit(distance).labels_
    return labels


def _distances(a: Matrix, b: Matrix) -> Matrix:
    import numpy as np

    # rounding must not make a vector nearer to a copy than the copy is to it
    nearness: Matrix = np.maximum(1 - a @ b.T, 0)
    return nearness


def _components(rows: Matrix, threshold: float) -> Iterator[npt.NDArray[np.int64]]:
    """Yield groups of two or more rows; rows of different groups can never merge.

    A mean lies below the threshold only where some pair does, so groups are the components of that
    graph, taken with a margin for rounding.
    """
    import numpy as np

    size = len(rows)
    near = np.zeros((size, size), np.bool_)
    for at in range(0, size, 1024):
        near[at : at + 1024] = _distances(rows[at : at + 1024], rows) < threshold + 1e-6
    waiting = np.ones(size, np.bool_)
    for seed in range(size):
        if not waiting[seed]:
            continue
        waiting[seed] = False
        members = frontier = np.array([seed])
        while len(frontier):
            frontier = np.flatnonzero(near[frontier].any(axis=0) & waiting)
            waiting[frontier] = False
            members = np.concatenate([members, frontier])
        if len(members) > 1:
            yield np.sort(members)


def _agglomerate(distance: Matrix, threshold: float) -> npt.NDArray[np.int64]:
    """Return for each row the lowest row of its cluster; `distance` is overwritten.

    The mean is reducible, so a cluster whose nearest neighbour is not below the threshold will
    never merge again, and an infinite distance stays infinite.
    """
    import numpy as np

    size = len(distance)
    weight = np.ones(size)
    root = np.arange(size)
    for seed in range(size):
        chain = [seed]
        while chain:
            tip = chain[-1]
            row = distance[tip]
            near = int(row.argmin())
            if len(chain) > 1 and row[chain[-2]] <= row[near]:
                near = chain[-2]  # a tie goes back, else the chain could run in circles
            if not row[near] < threshold:
                distance[tip, :] = distance[:, tip] = np.inf
                chain.pop()
                continue
            if len(chain) == 1 or near != chain[-2]:
                chain.append(near)
                continue
            del chain[-2:]
            keep, gone = min(tip, near), max(tip, near)
            one, other = distance[keep], distance[gone]
            total = weight[keep] + weight[gone]
            joined = (weight[keep] * one + weight[gone] * other) / total
            weight[keep] += weight[gone]
            root[root == gone] = keep
            distance[keep, :] = distance[:, keep] = joined
            distance[gone, :] = distance[:, gone] = np.inf
            distance[keep, keep] = np.inf
            chain = chain or [keep]
    return root


_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*")
_NUMBERS = {**SMALL, **TENS, **SCALES, **ORDINALS, "hundred": 100}
_NUMBER_WORDS = {
    **{word: str(number) for word, number in _NUMBERS.items()},
    "once": "1", "twice": "2", "half": "1/2", "quarter": "1/4",
}  # fmt: skip
#: But for months that are another word too.
_DATE_WORDS = WEEKDAYS | MONTHS.keys() - {"may", "march", "mar", "sep"}
_ROMAN = re.compile(r"(?=.)X{0,3}(?:IX|IV|V?I{0,3})\Z")


@cache
def _rivals() -> dict[str, frozenset[str]]:
    """Return the words that exclude each word, those of the domains among them."""
    data = tomllib.loads(Path(__file__).with_name("opposites.toml").read_text("utf-8"))
    shipped = (frozenset(line.split()) for line in data["labels"]["exclusive"])
    groups = (*shipped, *map(frozenset, domain.words().rivals))
    return {
        word: frozenset().union(*(group for group in groups if word in group)) - {word}
        for group_ in groups
        for word in group_
    }


def _signature(form: str, written: str, *, person: bool) -> tuple[object, ...]:
    """Return what two labels must share to be merged: numbers, dates, polarity, direction, bound.

    "Tested since" a day is not "tested in" a year.
    """
    words = _WORD.findall(form)
    for at in range(len(words) - 1, 0, -1):  # a decade is not its first year
        if words[at] == "s" and words[at - 1][0].isdecimal():
            words[at - 1 : at + 1] = [words[at - 1] + "s"]
    numbers = [_NUMBER_WORDS.get(w, w) for w in words if w in _NUMBER_WORDS or w[0].isdecimal()]
    dates = [word[:3] for word in words if word in _DATE_WORDS]
    shown = _WORD.findall(written)
    # names for a letter or a Roman numeral ("Party A", "Phase II") and the months that are words
    marks = [w for w in shown if w in {"March", "May"}]
    if not person:
        marks += [w for w in shown[1:] if (len(w) == 1 and w.isupper()) or _ROMAN.match(w)]
    denied = sum(word in _DENYING or word.endswith("n't") for word in words)
    ending = words[-1] if len(words) > 1 and words[-1] in BOUNDING | {"by"} else ""
    return (*sorted(numbers), *sorted(dates), *sorted(marks), denied, ending)


def _of_one(texts: Sequence[str], threshold: float, model: str) -> Iterator[tuple[int, int]]:
    """Yield the places of labels of one thing that are not near by what they are of it.

    What two labels share behind "of" makes them alike whatever stands before it.
    """
    tails: dict[str, dict[str, list[int]]] = {}
    for place, text in enumerate(texts):
        head, of, tail = text.partition(" of ")
        if of:
            tails.setdefault(tail, {}).setdefault(head, []).append(place)
    several = [heads for heads in tails.values() if len(heads) > 1]
    names = list(dict.fromkeys(head for heads in several for head in heads))
    if not names:
        return
    rows = _rows(encode(names, model=model))
    near = _distances(rows, rows) < threshold
    at = {head: number for number, head in enumerate(names)}
    for heads in several:
        for one, other in combinations(heads, 2):
            if not near[at[one], at[other]]:
                yield from product(heads[one], heads[other])


def _rows(vectors: npt.NDArray[np.floating]) -> Matrix:
    """Return vectors as rows of one length."""
    import numpy as np

    rows = np.asarray(vectors, np.float64)
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return rows / np.where(norms == 0, 1, norms) if len(rows) else rows


def _opposed(texts: Sequence[str], group: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the places in the group of labels that differ by exclusive words."""
    bearers: dict[str, dict[int, None]] = {}
    for place, number in enumerate(group):
        for word in _WORD.findall(texts[number]):
            for one in _with_rivals(word):
                bearers.setdefault(one, {})[place] = None
    for word, places in bearers.items():
        for rival in _rivals()[word]:
            if word < rival and rival in bearers:
                others = bearers[rival]
                yield from (
                    (a, b) for a in places if a not in others for b in others if b not in places
                )


def _with_rivals(word: str) -> set[str]:
    """Return the words with rivals that this may be a form of."""
    return possible_bases(word) & _rivals().keys()
