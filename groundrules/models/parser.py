"""The embedded reader of English: tags, trees, sentences and names from one pass of MiniLM.

The model (``models/english/groundrules_reader``, made by ``training/reader``) scores the words of
a sentence: each linear in a mean of its pieces' vectors, but for arcs and relations, which are
biaffine (Dozat and Manning 2017, *Deep Biaffine Attention for Neural Dependency Parsing*). Here the
scores become sentences and names, and by ``models/trees.py`` trees. Where a stop surely ends a
sentence it is read by itself, alike in any text, and scored once.
"""

from __future__ import annotations

import itertools
import json
import math
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from groundrules.models.encoder import FOLDER, MODEL, open_session, read_tokenizer, shared_arrays
from groundrules.models.trees import (
    HELPING,
    UNLIKELY,
    VERBAL,
    is_rooted,
    log_shares,
    rejoined,
    relabelled,
    tree,
    with_objects,
    with_participles,
    with_pasts,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

__all__ = ["Model", "Reading", "Text", "name_spans", "shape"]

#: What is always cut short before a stop, whatever its length.
_CUT = frozenset(
    "approx ca cf est al ch apt incl excl resp sect para cl vol fig ed eds assoc const super lieut "
    "vs viz dept univ esp betw arr dep max min tel ext bldg blvd".split()
)
#: Word pieces of a word that are read, at most, and of what is read at once, without its marks.
MOST_PIECES, WINDOW = 8, 254
#: Readings of windows that are kept, and windows that are scored ahead of their reading.
MOST_KEPT, AHEAD = 8192, 4
#: From which score a sentence begins at a capital after a stop, the best of EWT's development part
#: (which tells nothing of one that may be that of an abbreviation), and elsewhere.
AFTER_STOP, ELSEWHERE = -3.0, 0.0
_STOPS, _CLOSING = frozenset(".?!"), frozenset({'"', "”", "'", "’", "''", ")"})
_PRESENT = frozenset({"VB", "VBP", "VBZ"})
#: What is no verb, though an auxiliary may stand before it.
_DENIALS = frozenset({"not", "n't", "n’t", "never"})
#: Verbs whose plain form ends as a past does.
_ENDING_IN_ED = frozenset("embed imbed shred".split())
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


class _Known(NamedTuple):
    """The scores with which sentences begin at words, and the readings by where they begin."""

    starts: Floats
    readings: dict[tuple[bool, ...], Reading]


#: Words, after which there is white space, and where sentences must begin and where none can.
Text = tuple[Sequence[str], Sequence[bool], Sequence[bool | None]]
#: The words of a window, and before which of them there is white space.
_Window = tuple[tuple[str, ...], tuple[bool, ...]]


class Model:
    """A trained reader, from its folder, in an onnxruntime session of one thread."""

    def __init__(self, folder: Path) -> None:
        classes: dict[str, list[str]] = json.loads((folder / "classes.json").read_text("utf-8"))
        self.tags, self.labels, self.names = (classes[k] for k in ("tags", "labels", "names"))
        self._tokenizer = read_tokenizer(FOLDER)
        self._shared, _ = shared_arrays(folder)  # the session refers to them
        self._session: Any = open_session(folder / MODEL, self._shared)
        self._pieces: dict[str, list[int]] = {}
        self._verbs = [i for i, tag in enumerate(self.tags) if tag.startswith(VERBAL)]
        self._present = [i for i, tag in enumerate(self.tags) if tag in _PRESENT]
        self._read: OrderedDict[_Window, _Known] = OrderedDict()
        self._lock = threading.Lock()

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
        (found,) = self.read_all([(words, spaces, begins)])
        return found

    def read_all(self, texts: Sequence[Text]) -> Iterator[Reading]:
        """Yield the readings of texts, each of words, spaces and beginnings, as `read` does."""
        texts = [(words, spaces, begins or [None] * len(words)) for words, spaces, begins in texts]
        stretches = [list(itertools.pairwise(_sure_edges(*text))) for text in texts]
        first = [
            [self._window(text[0], text[1], at, end) for at, end in found]
            for text, found in zip(texts, stretches, strict=True)
        ]
        ahead = self._ahead([window for windows in first for window in windows])
        for text, edges, windows in zip(texts, stretches, first, strict=True):
            out = _Lists()
            for (at, end), window, scores in zip(edges, windows, ahead, strict=False):
                self._read_stretch(out, text, (at, end), window, scores)
            yield out.reading()

    def _read_stretch(
        self,
        out: _Lists,
        text: Text,
        edges: tuple[int, int],
        window: _Window,
        scores: _Scores | None,
    ) -> None:
        """Add the readings of the words between two sure beginnings, of which one window is given.

        `scores` are those of that window where nothing was known of it.
        """
        words, spaces, begins = text
        at, end = edges
        goes_on = False
        while at < end:
            known = self._known(window)
            if known is None:
                scores = scores or self._scores(*window)
                known = self._keep(window, scores.starts)
            stop = at + len(window[0])
            starts = _starts(words, spaces, begins, known.starts, at)
            starts[0] = not goes_on or begins[at] is True
            if stop < end:
                last = max((i for i, start in enumerate(starts) if start), default=0)
                goes_on = not last
                stop = at + last if last else stop
            told = tuple(starts[: stop - at])
            found = known.readings.get(told)
            if found is None:
                found = self._reading(words[at:stop], scores or self._scores(*window), told)
                known.readings[told] = found
            out.add(found, at)
            at, scores = stop, None
            if at < end:
                window = self._window(words, spaces, at, end)

    def _window(self, words: Sequence[str], spaces: Sequence[bool], at: int, end: int) -> _Window:
        """Return the words from a place on that are read at once, up to another place."""
        stop, count = at, 0
        while stop < end and (count := count + len(self.pieces(words[stop]))) <= WINDOW:
            stop += 1
        return tuple(words[at:stop]), (at == 0 or spaces[at - 1], *spaces[at : stop - 1])

    def _ahead(self, windows: Sequence[_Window]) -> Iterator[_Scores | None]:
        """Yield the scores of windows that nothing is known of, some of them before they are due.

        Two threads score while what was scored before is read.
        """
        fresh = dict.fromkeys(one for one in windows if self._known(one) is None)
        if len(fresh) < 2:
            yield from (self._scores(*one) if one in fresh else None for one in windows)
            return
        with ThreadPoolExecutor(2) as beside:
            coming = (beside.submit(self._scores, *one) for one in list(fresh))
            waiting = deque(itertools.islice(coming, AHEAD))
            for one in windows:
                if one in fresh:
                    del fresh[one]
                    found = waiting.popleft().result()
                    waiting.extend(itertools.islice(coming, 1))
                    yield found
                else:
                    yield None

    def _known(self, window: _Window) -> _Known | None:
        """Return what was read of the same words before."""
        with self._lock:
            known = self._read.get(window)
            if known is not None:
                self._read.move_to_end(window)
            return known

    def _keep(self, window: _Window, starts: Floats) -> _Known:
        """Keep what is read of a window: a line is read for several readers."""
        with self._lock:
            known = self._read.setdefault(window, _Known(starts.copy(), {}))
            while len(self._read) > MOST_KEPT:
                self._read.popitem(last=False)
            return known

    def _reading(self, words: Sequence[str], scores: _Scores, starts: tuple[bool, ...]) -> Reading:
        """Return the reading of the first words of a window, in which sentences begin at some."""
        import numpy as np

        size = len(words)
        shares = log_shares(scores.tags[:size])
        past = [i for i, word in enumerate(words) if _is_past(word)]
        shares[np.ix_(past, self._present)] = -np.inf
        denials = [i for i, word in enumerate(words) if word.lower() in _DENIALS]
        shares[np.ix_(denials, self._verbs)] = UNLIKELY
        all_tags = [self.tags[i] for i in shares.argmax(1)]
        verbal = np.logaddexp.reduce(shares[:, self._verbs], axis=1)
        all_heads: list[int] = []
        all_labels: list[str] = []
        edges = [0, *(i for i in range(1, size) if starts[i]), size]
        for low, high in itertools.pairwise(edges):
            columns = [0, *range(low + 1, high + 1)]
            relations = scores.relations[low:high][:, :, columns]
            tags = all_tags[low:high]
            arcs = scores.arcs[low:high][:, columns]
            heads, labels = tree(arcs, relations, self.labels, tags, verbal[low:high])
            for i in {heads[i] for i, label in enumerate(labels) if label in HELPING}:
                if not tags[i].startswith(VERBAL):
                    tags[i] = self.tags[max(self._verbs, key=shares[low + i].__getitem__)]
            if words[high - 1] == ".":  # a headline has no stop: "Three men arrested in Leeds"
                tags = with_pasts(tags, heads, labels)
            all_tags[low:high] = tags
            hung, named = with_participles(tags, *with_objects(tags, heads, labels))
            hung = rejoined(tags, hung, named)
            if is_rooted(hung):
                heads, labels = hung, named
            all_labels += relabelled(words[low:high], tags, heads, labels)
            all_heads += [low + head for head in heads]
        names = tuple(name_spans(scores.names[:size], self.names, starts))
        return Reading(tuple(all_tags), tuple(all_heads), tuple(all_labels), starts, names)

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


def _sure_edges(
    words: Sequence[str], spaces: Sequence[bool], begins: Sequence[bool | None]
) -> list[int]:
    """Return where sentences begin whatever else is there, the ends of a text included."""
    sure = [i for i in range(1, len(words)) if _surely_begins(words, spaces, begins, i)]
    return [0, *sure, len(words)] if words else []


def _surely_begins(
    words: Sequence[str], spaces: Sequence[bool], begins: Sequence[bool | None], i: int
) -> bool:
    """Return whether a sentence begins at a word whatever else is there.

    At a capital after the stop of a whole word, which the number of an item is not.
    """
    if begins[i] is not None:
        return bool(begins[i])
    last = words[i - 2] if i > 1 else ""
    numbers = last.isdigit() and len(last) != 4
    return bool(
        words[i - 1] == "."
        and spaces[i - 1]
        and words[i][:1].isupper()
        and not (numbers or _may_be_cut(last))
    )


def _may_be_cut(word: str) -> bool:
    """Return whether a stop may be that of a word cut short: "Am", "Rep", "approx"."""
    if word.lower() in _CUT:
        return True
    return len(word) < 5 and word.isalpha() and not word.islower()


def _starts(
    words: Sequence[str],
    spaces: Sequence[bool],
    begins: Sequence[bool | None],
    scores: Iterable[float],
    at: int = 0,
) -> list[bool]:
    """Return at which words of a window that begins at a place sentences begin."""
    starts = [
        bool(score > _least(words, spaces, i)) if begins[i] is None else bool(begins[i])
        for i, score in enumerate(scores, at)
    ]
    if not at:
        starts[:1] = [True]
    return starts


def _least(words: Sequence[str], spaces: Sequence[bool], i: int) -> float:
    """Return above which score a sentence begins at a word; within one only after a stop."""
    before = words[i - 1] if i else "."
    quoted = i > 1 and before in _CLOSING and words[i - 2] in _STOPS
    stopped = quoted or _STOPS.issuperset(before)
    if i and not (spaces[i - 1] or stopped):
        return math.inf
    capital = words[i][:1].isupper() or words[i][:1] in {'"', "“", "‘", "("}
    return AFTER_STOP if capital and (stopped or before[-1:] == ".") else ELSEWHERE


def _is_past(word: str) -> bool:
    """Return whether a form ends as the present of no verb does: "protested"."""
    low = word.lower()
    ends = len(low) > 4 and low.endswith("ed") and not low.endswith("eed")
    return ends and low.isalpha() and low not in _ENDING_IN_ED


class _Lists:
    """A reading in the making."""

    def __init__(self) -> None:
        self.tags: list[str] = []
        self.heads: list[int] = []
        self.labels: list[str] = []
        self.starts: list[bool] = []
        self.names: list[tuple[int, int, str]] = []
        self.root = 0  # of the sentence read last

    def add(self, found: Reading, at: int) -> None:
        """Add the reading of a window, which begins at a place of the whole."""
        roots = [i for i, head in enumerate(found.heads) if head == i]
        self.tags += found.tags
        self.heads += [at + head for head in found.heads]
        self.labels += found.labels
        self.starts += found.starts
        self.names += [(at + first, at + last, label) for first, last, label in found.names]
        if not found.starts[0]:
            self.heads[at + roots[0]], self.labels[at + roots[0]] = self.root, "dep"
        self.root = at + roots[-1]

    def reading(self) -> Reading:
        """Return what was read."""
        heads, labels = tuple(self.heads), tuple(self.labels)
        return Reading(tuple(self.tags), heads, labels, tuple(self.starts), tuple(self.names))


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
    # the likeliest class of each word is nearly always a sequence that may be
    nearest = [classes[i] for i in logits.argmax(1)]
    before = ["", *nearest]
    if not all(
        new[:2] != "I-" or (old[2:] == new[2:] and not start)
        for old, new, start in zip(before, nearest, starts, strict=False)
    ):
        nearest = _best_sequence(logits, classes, starts)
    yield from _spans(nearest)


def _best_sequence(
    logits: npt.NDArray[np.float64], classes: Sequence[str], starts: Sequence[bool]
) -> list[str]:
    import numpy as np

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
    return [classes[i] for i in reversed(row)]


def _spans(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the names of a sequence of classes."""
    at = 0
    while at < len(tags):
        end = at + 1
        if tags[at] != "O":
            while end < len(tags) and tags[end].startswith("I-"):
                end += 1
            yield at, end, tags[at][2:]
        at = end
