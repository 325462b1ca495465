"""The embedded reader of English: tags, trees, sentences and names from one pass of MiniLM.

The model (``models/reader``, made by ``training/reader``) scores the words of a passage: each
linear in a mean of its pieces' vectors, but for arcs and relations, which are biaffine (Dozat and
Manning 2017, *Deep Biaffine Attention for Neural Dependency Parsing*). Here the scores become
sentences, trees and names. Passages are read one by one, so a reading depends on nothing beside it.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from groundrules.models.encoder import FOLDER, MODEL, open_session, read_tokenizer, shared_arrays

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

__all__ = ["Model", "Reading", "best_tree", "name_spans", "shape"]

#: Word pieces of a word that are read, at most, and of what is read at once, without its marks.
MOST_PIECES, WINDOW = 8, 254
#: How often a tree is sought again where a word has two subjects, and what is ruled out scores.
TRIES, UNLIKELY = 4, -1e4
#: From which score a sentence begins at a word: after a stop, with a capital; with a capital; else.
#: The best of EWT's development part, by halves; within a word none begins but after a stop.
AFTER_STOP, CAPITAL, PLAIN = -3.0, -2.0, 0.0
_STOPS, _CLOSING = frozenset(".?!"), frozenset({'"', "”", "'", "’", "''", ")"})
#: What a word has one of at most.
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
_OBJECTS = frozenset({"dobj"})
#: What a finite verb has one of; the tags of such verbs, and of what can be a subject.
_HAVING_SUBJECTS = _SUBJECTS | {"expl", "attr"}
_NOMINAL = frozenset({"nsubj", "nsubjpass"})
_FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "CD", "EX"})
#: How many words are tried for a missing subject, and how much less likely the tree may be with it
#: (EWT's development part does not tell 1 from 12).
MOST_SUBJECTS, SLACK = 6, 4.0
#: Adverbs that are particles right behind a verb, as the treebank has them of some verbs only.
_DIRECTIONS = frozenset({"up", "down"})
_OUTPUTS = ("tags", "starts", "names", "arcs", "relations")


def shape(word: str) -> int:
    """Return how a word is written, from 1 to 8; 0 is that of marks.

    Lower case, Capital, one capital, ALL CAPITALS, mIxed; a number, with digits, neither letter
    nor digit.
    """
    if word[:1].isdigit() and word.replace(",", "").replace(".", "").isdigit():
        return 6
    if any(c.isdigit() for c in word):
        return 7
    if not any(c.isalpha() for c in word):
        return 8
    if word.islower():
        return 1
    if word.isupper():
        return 3 if len(word) == 1 else 4
    return 2 if word[:1].isupper() and word[1:].islower() else 5


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of words, a value for each; the head of a root is the word itself.

    `names` are half-open ranges of words with their labels.
    """

    tags: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    starts: tuple[bool, ...]
    names: tuple[tuple[int, int, str], ...]


class _Scores(NamedTuple):
    """The scores of a window's words: rows are words, heads are columns, the root's first."""

    tags: Floats
    starts: Floats
    names: Floats
    arcs: Floats
    relations: Floats


class Model:
    """A trained reader, from its folder, in an onnxruntime session of one thread."""

    def __init__(self, folder: Path) -> None:
        classes: dict[str, list[str]] = json.loads((folder / "classes.json").read_text("utf-8"))
        self.tags, self.labels, self.names = (classes[k] for k in ("tags", "labels", "names"))
        self._tokenizer = read_tokenizer(FOLDER)
        self._shared, _ = shared_arrays(folder)  # the session refers to them
        self._session: Any = open_session(folder / MODEL, self._shared)
        self._pieces: dict[str, list[int]] = {}

    def pieces(self, word: str) -> list[int]:
        """Return the word pieces of a word, the first few of a long one."""
        known = self._pieces.get(word)
        if known is None:
            ids = self._tokenizer.ids(word) or self._tokenizer.ids("?")
            known = ids[:MOST_PIECES]
            if len(self._pieces) < 50_000:
                self._pieces[word] = known
        return known

    def read(
        self, words: Sequence[str], spaces: Sequence[bool], begins: Sequence[bool | None] = ()
    ) -> Reading:
        """Return the reading of some words, in windows that each end where a sentence does.

        A sentence longer than a window is read in parts, each hung on the one before it as "dep".
        `spaces` says after which words there is white space, `begins` where a sentence must begin
        (True) and where none can (False).
        """
        size = len(words)
        begins = begins or [None] * size
        out = _Lists()
        at, goes_on = 0, False
        while at < size:
            stop, count = at, 0
            while stop < size and count + len(self.pieces(words[stop])) <= WINDOW:
                count += len(self.pieces(words[stop]))
                stop += 1
            scores = self._scores(words[at:stop], [at == 0 or spaces[at - 1], *spaces[at:stop]])
            starts = [
                score > _least(words, spaces, at + i)
                if begins[at + i] is None
                else bool(begins[at + i])
                for i, score in enumerate(scores.starts)
            ]
            starts[0] = not goes_on or begins[at] is True
            last = max((i for i, start in enumerate(starts) if start), default=0)
            goes_on = stop < size and not last
            if stop < size and last:
                stop = at + last
            out.add(self, words[at:stop], scores, starts[: stop - at], at)
            at = stop
        return out.reading()

    def _scores(self, words: Sequence[str], spaces: Sequence[bool]) -> _Scores:
        """Score the words of a window; `spaces` says before which there is white space."""
        import numpy as np

        pieces = [self.pieces(word) for word in words]
        total = sum(map(len, pieces)) + 2
        ids, shapes, gaps = (np.zeros((1, total), np.int64) for _ in range(3))
        pool = np.zeros((1, len(words) + 1, total), np.float32)
        ids[0, 0], ids[0, -1], pool[0, 0, 0] = self._tokenizer.first, self._tokenizer.last, 1
        at = 1
        for i, (rows, word) in enumerate(zip(pieces, words, strict=True)):
            end = at + len(rows)
            ids[0, at:end], shapes[0, at:end] = rows, shape(word)
            gaps[0, at], pool[0, i + 1, at:end] = spaces[i], 1 / len(rows)
            at = end
        given = {"input_ids": ids, "shapes": shapes, "gaps": gaps, "pool": pool}
        return _Scores(*(value[0] for value in self._session.run(_OUTPUTS, given)))


def _least(words: Sequence[str], spaces: Sequence[bool], i: int) -> float:
    """Return above which score a sentence begins at a word."""
    before = words[i - 1] if i else "."
    quoted = i > 1 and before in _CLOSING and words[i - 2] in _STOPS
    stopped = quoted or _STOPS.issuperset(before)
    if i and not (spaces[i - 1] or stopped):
        return math.inf
    if words[i][:1].isupper() or words[i][:1] in {'"', "“", "‘", "("}:
        return AFTER_STOP if stopped else CAPITAL
    return PLAIN


class _Lists:
    """A reading in the making."""

    def __init__(self) -> None:
        self.tags: list[str] = []
        self.heads: list[int] = []
        self.labels: list[str] = []
        self.starts: list[bool] = []
        self.names: list[tuple[int, int, str]] = []
        self.root = 0  # of the sentence read last

    def add(
        self, model: Model, words: Sequence[str], scores: _Scores, starts: list[bool], at: int
    ) -> None:
        """Add the words of a window, which begin at a place of the whole."""
        size = len(words)
        self.tags += [model.tags[i] for i in scores.tags[:size].argmax(1)]
        self.starts += starts
        edges = [0, *(i for i in range(1, size) if starts[i]), size]
        for low, high in itertools.pairwise(edges):
            columns = [0, *range(low + 1, high + 1)]
            relations = scores.relations[low:high][:, :, columns]
            heads, labels = _tree(
                scores.arcs[low:high][:, columns], relations, model.labels, self.tags[at + low :]
            )
            helped = {heads[i] for i, label in enumerate(labels) if label in {"aux", "auxpass"}}
            for i in helped:  # "is required to be paid": the trees learnt from call it otherwise
                labels[i] = "xcomp" if labels[i] in {"oprd", "acomp"} else labels[i]
            for i in range(1, high - low):  # "goes up by": a particle where a verb has no object
                verbal = heads[i] == i - 1 and self.tags[at + low + i - 1].startswith("VB")
                if verbal and labels[i] == "advmod" and words[low + i].lower() in _DIRECTIONS:
                    labels[i] = "prt"
                denied = labels[i - 1] == "neg" and heads[i - 1] == i
                if denied and labels[i] in {"dep", "appos"}:
                    labels[i] = "conj"  # "Ottawa, not Toronto, is the capital"
            root = next(i for i, head in enumerate(heads) if head == i)
            if not starts[low]:
                heads[root], labels[root] = self.root - at - low, "dep"
            self.root = at + low + root
            self.heads += [at + low + head for head in heads]
            self.labels += labels
        for first, last, label in name_spans(scores.names[:size], model.names, starts):
            self.names.append((at + first, at + last, label))

    def reading(self) -> Reading:
        """Return what was read."""
        lists = (self.tags, self.heads, self.labels, self.starts, self.names)
        return Reading(*map(tuple, lists))  # type: ignore[arg-type]


def _tree(
    arcs: Floats, relations: Floats, classes: Sequence[str], tags: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Return heads and labels of a sentence of n words, none with two subjects or objects.

    `arcs` (n, n + 1) and `relations` (n, k, n + 1), the root first, are scored each by itself; the
    tree is the likeliest of both together. Where a word has two subjects, one of them is no longer
    taken for one: that which leaves the likelier tree; of two objects one gets its next label.
    A finite verb that has no subject gets one, or is no relative clause, where a tree of nearly
    the same likelihood has it so.
    """
    import numpy as np

    likely = _log_shares(relations)
    likely[:, classes.index("ROOT")] = UNLIKELY
    likely[:, :, 0] = UNLIKELY
    likely[:, classes.index("ROOT"), 0] = 0
    alone = _log_shares(arcs)
    rows = np.arange(len(arcs))

    def solve() -> tuple[float, list[int], list[int]]:
        best = likely.argmax(1)
        joint = alone + likely.max(1)
        heads = best_tree(joint[:, 1:], joint[:, 0])
        columns = np.array([0 if head == i else head + 1 for i, head in enumerate(heads)])
        return float(joint[rows, columns].sum()), heads, best[rows, columns].tolist()

    score, heads, labels = solve()
    verb = _orphan(tags, heads, [classes[label] for label in labels])
    if verb is not None:
        before, made = (likely, alone), []
        for subject in _subjects(tags, verb) if heads[verb] == verb else [-1]:
            likely, alone = before[0].copy(), before[1].copy()
            if subject < 0:
                likely[verb, classes.index("relcl")] = UNLIKELY
            else:
                alone[subject, : verb + 1] = alone[subject, verb + 2 :] = UNLIKELY
                likely[subject, [i for i, c in enumerate(classes) if c not in _NOMINAL]] = UNLIKELY
            made.append((*solve(), likely, alone))
        likely, alone = before
        nearest = max(made, key=lambda one: one[0], default=None)
        if nearest and nearest[0] > score - SLACK:
            _, heads, labels, likely, alone = nearest
    for _ in range(TRIES):
        twins = _twins(heads, [classes[label] for label in labels])
        if not twins:
            break
        if classes[labels[twins[0]]] in _OBJECTS:  # "gave Ann a book": the other kind of object
            others = {word: likely[word, :, heads[word] + 1] for word in twins}
            lost = {word: np.sort(row)[-1] - np.sort(row)[-2] for word, row in others.items()}
            word = min(twins, key=lost.__getitem__)
            others[word][labels[word]] = UNLIKELY
            labels[word] = int(others[word].argmax())
            continue
        found = []
        for word in twins:
            kept = likely[word, :, heads[word] + 1].copy()
            likely[word, labels[word], heads[word] + 1] = UNLIKELY
            found.append((*solve(), word, likely[word, :, heads[word] + 1].copy()))
            likely[word, :, heads[word] + 1] = kept
        _, heads_then, labels_then, word, ruled_out = max(found, key=lambda one: one[0])
        likely[word, :, heads[word] + 1] = ruled_out
        heads, labels = heads_then, labels_then
    return heads, [classes[label] for label in labels]


def _orphan(tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]) -> int | None:
    """Return the first finite verb without a subject: the root, or a relative clause."""
    for verb, label in enumerate(labels):
        if label not in {"ROOT", "relcl"} or not tags[verb].startswith(("VB", "MD")):
            continue
        below = [i for i, head in enumerate(heads) if head == verb and i != verb]
        finite = {tags[verb], *(tags[i] for i in below if labels[i] in {"aux", "auxpass"})}
        if finite & _FINITE and not any(labels[i] in _HAVING_SUBJECTS for i in below):
            return verb
    return None


def _subjects(tags: Sequence[str], verb: int) -> list[int]:
    """Return the last nouns and pronouns before a verb."""
    return [i for i in range(verb) if tags[i] in _NOUNS][-MOST_SUBJECTS:]


def _twins(heads: Sequence[int], labels: Sequence[str]) -> list[int]:
    """Return the first words that are subjects, or objects, of one word."""
    for kinds in (_SUBJECTS, _OBJECTS):
        of: dict[int, list[int]] = {}
        for i, (head, label) in enumerate(zip(heads, labels, strict=True)):
            if label in kinds:
                of.setdefault(head, []).append(i)
        for twins in of.values():
            if len(twins) > 1:
                return twins
    return []


def _log_shares(scores: Floats) -> npt.NDArray[np.float64]:
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
    right = np.zeros((n, n))  # complete, headed by the left end
    left = np.zeros((n, n))  # complete, headed by the right end
    open_right, open_left = np.zeros((n, n)), np.zeros((n, n))
    back_open = np.zeros((n, n), int)
    back_right, back_left = np.zeros((n, n), int), np.zeros((n, n), int)
    for length in range(1, n):
        i = np.arange(n - length)
        j = i + length
        k = i[:, None] + np.arange(length)[None]
        joined = right[i[:, None], k] + left[k + 1, j[:, None]]
        best = joined.argmax(1)
        top = joined[i, best]
        back_open[i, j] = i + best
        open_right[i, j], open_left[i, j] = top + scores[i, j], top + scores[j, i]
        done = open_right[i[:, None], k + 1] + right[k + 1, j[:, None]]
        best = done.argmax(1)
        right[i, j], back_right[i, j] = done[i, best], i + best + 1
        done = left[i[:, None], k] + open_left[k, j[:, None]]
        best = done.argmax(1)
        left[i, j], back_left[i, j] = done[i, best], i + best
    root = int((left[0] + right[:, n - 1] + roots).argmax())
    heads = list(range(n))
    stack = [(0, root, "left"), (root, n - 1, "right")]
    while stack:
        low, high, kind = stack.pop()
        if low == high:
            continue
        if kind == "right":
            middle = int(back_right[low, high])
            stack += [(low, middle, "open right"), (middle, high, "right")]
        elif kind == "left":
            middle = int(back_left[low, high])
            stack += [(low, middle, "left"), (middle, high, "open left")]
        else:
            if kind == "open right":
                heads[high] = low
            else:
                heads[low] = high
            middle = int(back_open[low, high])
            stack += [(low, middle, "right"), (middle + 1, high, "left")]
    return heads


def name_spans(
    scores: Floats, classes: Sequence[str], starts: Sequence[bool]
) -> Iterator[tuple[int, int, str]]:
    """Yield the names of the best sequence in which I- follows B- or I- of its label (Viterbi).

    `scores` (n, k) are those of the classes; no name goes on over the start of a sentence.
    """
    import numpy as np

    if not len(scores):
        return
    logits = np.asarray(scores, np.float64)
    k = len(classes)
    allowed = np.zeros((k, k))
    for b, new in enumerate(classes):
        if new.startswith("I-"):
            for a, old in enumerate(classes):
                if old[2:] != new[2:]:
                    allowed[a, b] = -np.inf
    begins = np.array([-np.inf if c.startswith("I-") else 0.0 for c in classes])
    best = logits[0] + begins
    back = np.zeros((len(logits), k), int)
    for i in range(1, len(logits)):
        paths = best[:, None] + allowed
        back[i] = paths.argmax(0)
        best = paths.max(0) + logits[i] + (begins if starts[i] else 0.0)
    row = [int(best.argmax())]
    for i in range(len(logits) - 1, 0, -1):
        row.append(int(back[i, row[-1]]))
    tags = [classes[i] for i in reversed(row)]
    at = 0
    while at < len(tags):
        end = at + 1
        if tags[at] != "O":
            while end < len(tags) and tags[end].startswith("I-"):
                end += 1
            yield at, end, tags[at][2:]
        at = end
