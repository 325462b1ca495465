"""What speaks for a contrast: two words side by side, and how well their surroundings agree."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from groundrules.align.limits import HEAVY, WORD_FOUND
from groundrules.align.wordalign import Text, nearness, surroundings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]

__all__ = ["Candidate", "Evidence", "Pair", "context", "coverage", "covered", "judge", "shared"]


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A statement beside one passage: likeness and relation of their content words."""

    number: int
    mine: Text
    theirs: Text
    likeness: Matrix
    relations: Matrix


class Candidate(NamedTuple):
    """A possible contrast: its kind, the tokens of both sides and what speaks for it."""

    kind: str
    mine: tuple[int, ...]
    pair: Pair
    theirs: tuple[int, ...]
    features: dict[str, float]


class Evidence(NamedTuple):
    """A word of the statement beside one of a passage, and whether they agree."""

    agrees: bool
    pair: Pair
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    features: dict[str, float]


def context(pair: Pair, row: int, column: int, skip: Collection[int] = ()) -> dict[str, float]:
    """Return how well the surroundings of two words agree, from 0 to 1.

    `context` is the likeness of the other words of the statement, `worst` the least of them,
    `shared` that of the parties, `back` that of the words around the passage's word; `numbers` and
    `names` are those of the statement that the passage has not. Tokens to `skip` are those that
    deny.
    """
    import numpy as np

    mine, theirs = pair.mine, pair.theirs
    i, j = mine.content[row], theirs.content[column]
    weight = surroundings(mine, i)
    weight[[n for n, k in enumerate(mine.content) if k in skip]] = 0.0
    likeness = pair.likeness * nearness(theirs, j)[None, :]
    likeness[:, column] = 0.0
    best = likeness.max(axis=1)
    total = float(weight.sum())
    heavy = best[weight >= HEAVY]
    back = np.array(theirs.weights, np.float32)
    back *= np.array([theirs.clause[n] == theirs.clause[j] for n in theirs.content])
    back[column] = 0.0
    other = pair.likeness.copy()
    other[row] = 0.0
    behind = float(back.sum())
    lost = [n for n in _lost(pair) if n != row]
    return {
        "context": float((weight * best).sum()) / total if total else 0.0,
        "worst": float(heavy.min()) if len(heavy) else 0.0,
        "back": float((back * other.max(axis=0)).sum()) / behind if behind else 0.0,
        "shared": shared(pair, i, j),
        "numbers": float(any(mine.doc[mine.content[n]].pos_ == "NUM" for n in lost)),
        "names": float(any(mine.doc[mine.content[n]].pos_ == "PROPN" for n in lost)),
    }


@lru_cache(maxsize=64)
def _lost(pair: Pair) -> tuple[int, ...]:
    """Return which content words of the statement the passage has not."""
    return tuple(int(n) for n in (pair.likeness.max(axis=1) < WORD_FOUND).nonzero()[0])


_CORE = frozenset({"nsubj", "nsubjpass", "dobj", "attr", "agent", "csubj", "dative"})


def _arguments(text: Text, index: int, *, core: bool) -> list[int]:
    """Return the nouns that depend on a word, or on what carries it, as the parts of its deed."""
    out: list[int] = []
    token = text.doc[index]
    for _ in range(4):
        for child in token.children:
            if child.dep_ in {"agent", "prep"} and (not core or child.dep_ == "agent"):
                out += [c.i for c in child.children if c.dep_ == "pobj"]
            elif child.dep_ in _CORE and child.i != index:
                out.append(child.i)
        if token.dep_ in {"relcl", "acl"}:
            out.append(token.head.i)
        if token.dep_ not in {"acomp", "attr", "oprd", "xcomp", "dobj", "conj", "ccomp"}:
            break
        token = token.head
    return [i for i in out if i != index]


def shared(pair: Pair, i: int, j: int) -> float:
    """Return how surely two words have the same parties: the least likeness of an argument.

    A pronoun may stand for whatever the passage has, so it says half.
    """
    mine, theirs = _arguments(pair.mine, i, core=True), _arguments(pair.theirs, j, core=False)
    rows = {k: n for n, k in enumerate(pair.mine.content)}
    columns = [n for n, k in enumerate(pair.theirs.content) if k in set(theirs)]
    clause = pair.theirs.clause[j]
    inside = [n for n, k in enumerate(pair.theirs.content) if pair.theirs.clause[k] == clause]
    loose = any(pair.theirs.doc[k].pos_ == "PRON" for k in theirs)
    least = 1.0 if mine else 0.7
    for k in mine:
        if k not in rows:
            least = min(least, 0.5 if pair.mine.doc[k].pos_ == "PRON" else 1.0)
            continue
        if pair.mine.doc[k].pos_ == "VERB":
            continue
        same = pair.likeness[rows[k], columns] * (pair.relations[rows[k], columns] >= 0)
        best = float(same.max()) if columns else 0.0
        if inside:  # a parser may lose a party; that it stands in the clause says nearly as much
            near = pair.likeness[rows[k], inside] * (pair.relations[rows[k], inside] >= 0)
            best = max(best, 0.85 * float(near.max()))
        least = min(least, max(best, 0.5 if loose else 0.0))
    return least


@lru_cache(maxsize=64)
def covered(pair: Pair) -> float:
    """Return the share of a statement's words that its passage has."""
    import numpy as np

    weight = np.array(pair.mine.weights, np.float32)
    return float((weight * pair.likeness.max(axis=1)).sum() / weight.sum())


def coverage(pair: Pair, mine: Sequence[int], theirs: Sequence[int]) -> float:
    """Return how well some tokens of the statement are found among some of the passage."""
    these, those = set(mine), set(theirs)
    rows = [n for n, i in enumerate(pair.mine.content) if i in these]
    columns = [n for n, j in enumerate(pair.theirs.content) if j in those]
    if not rows or not columns:
        return 0.0
    weights = [pair.mine.weights[n] for n in rows]
    same = pair.likeness[rows][:, columns] * (pair.relations[rows][:, columns] >= 0)
    best = same.max(axis=1)
    return float(sum(w * b for w, b in zip(weights, best, strict=True)) / sum(weights))


def judge(kind: str, found: Sequence[Evidence]) -> Iterator[Candidate]:
    """Give the best contrast among evidence on one word, with what agrees beside it."""
    against = [e for e in found if not e.agrees]
    if not against:
        return
    best = max(against, key=lambda e: e.features["context"])
    agree = max((e.features["context"] for e in found if e.agrees), default=0.0)
    features = best.features | {"margin": best.features["context"] - agree}
    yield Candidate(kind, best.mine, best.pair, best.theirs, features)
