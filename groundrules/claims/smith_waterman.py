"""Where a copied passage stands in a document: Smith-Waterman local alignment of characters.

SafePassage, arXiv 2510.00276, step 2: score = matches / alignment length, at least 0.6.

* Two characters match if they are equal but for case, code point by code point, so that offsets
  stay; all white space is one character.
* A match counts +2, a mismatch -1, a gap of k characters -1 - k (Gotoh 1982): numbers of ours.
* The length counts the whole context, the columns of the alignment and what is before and after
  it: a passage of which a fragment is found scores that fragment's share.
* Of equally good places the first in the document is taken, then the first in the context, then
  the shortest, with the most matches and the fewest columns.
* A context is searched whole as it stands; to align it, its first 10,000 characters are used.
* A copy that leaves a part out has all its letters in the document, and a gap that costs 1 however
  long it is: "hearing july 24" is all of "hearing february 2 or july 24".
* A few words are found nearly anywhere: 0.6 says little below 40 characters
  (benchmarks/reports/values-speed.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Codes = npt.NDArray[np.uint8] | npt.NDArray[np.uint32]
    Row = npt.NDArray[np.int64]

#: The least score of a context that is in the document (SafePassage).
THRESHOLD = 0.6
#: Characters of a context that are aligned.
MAX_CONTEXT = 10_000
#: Letters that parasail can tell apart: the codes 1 to 255.
_LETTERS = 255


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where a context stands in a document, `document[start:end]` in code points, and how well.

    `length` counts the columns of the alignment and the characters of the context outside it,
    `matches` its equal columns, `score` is matches / length; `optimum` is the Smith-Waterman score.
    """

    start: int
    end: int
    score: float
    matches: int
    length: int
    optimum: int


class _Counting(NamedTuple):
    """What a column adds (match, mismatch) and what a gap takes: its first character, another."""

    match: int
    mismatch: int
    opening: int
    extension: int


_COUNTING = _Counting(match=2, mismatch=-1, opening=2, extension=1)
#: What finds a copy that leaves a part out: a gap costs the same however long it is.
_ELIDING = _Counting(match=2, mismatch=-1, opening=1, extension=0)


def align(context: str, document: str) -> Alignment | None:
    """Return where the context stands best in the document, None where nothing of it does.

    It is in the document where the score reaches `THRESHOLD`; lower ones are returned as well. A
    context of white space stands nowhere.
    """
    if not context.strip() or not document:
        return None
    query, target = _encode(context, document)
    size = len(query)
    at = _search(query, target)
    if at >= 0:
        return Alignment(at, at + size, 1.0, size, size, _COUNTING.match * size)
    query = query[:MAX_CONTEXT]
    found = _place(query, target, size, _COUNTING)
    if found is None or found.matches == size or size > MAX_CONTEXT:
        return found
    # no place that scores enough is longer than this
    room = int(size / THRESHOLD)
    low = max(0, found.start - room)
    whole = _place(query, target[low : found.end + room], size, _ELIDING)
    if whole is None or whole.matches < size or whole.score < THRESHOLD:
        return found
    return replace(whole, start=low + whole.start, end=low + whole.end, optimum=found.optimum)


def _place(query: Codes, target: Codes, size: int, counting: _Counting) -> Alignment | None:
    """Return where a query of a context of that size stands best, None where nothing of it does."""
    optimum, last, end = _sweep(query, target, counting)
    if not optimum:
        return None
    # Nothing as good ends earlier, so in the reversed beginnings all that is as good starts at 0.
    # Where a gap takes one for each letter, and a match adds two, the window holds all as good.
    reaching = 3 * last if counting.extension else end
    query, window = query[:last], target[max(0, end - reaching) : end]
    _, width, reach = _sweep(query[::-1], window[::-1], counting)
    matches, skipped = _count(query[last - width :], window[len(window) - reach :], counting)
    length = size + skipped
    return Alignment(end - reach, end, matches / length, matches, length, optimum)


def _encode(context: str, document: str) -> tuple[Codes, Codes]:
    """Return both texts in codes 1, 2, …; two have the same code where they match.

    Code 1 is any character that only the context has, 2 any that only the document has. Codes are
    bytes as far as these suffice.
    """
    import numpy as np

    points = [
        np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))
        for text in (context, document)
    ]
    highest = max(int(part.max()) for part in points)
    letters = [
        {point: _fold(chr(point)) for point in np.flatnonzero(np.bincount(part)).tolist()}
        for part in points
    ]
    common = sorted(set(letters[0].values()) & set(letters[1].values()))
    code = {letter: number for number, letter in enumerate(common, 3)}
    kind = np.dtype(np.uint8 if len(code) + 2 <= _LETTERS else np.uint32)
    texts = []
    for alien, part, known in zip((1, 2), points, letters, strict=True):
        table = np.zeros(highest + 1, kind)
        for point, letter in known.items():
            table[point] = code.get(letter, alien)
        texts.append(table.take(part))
    return texts[0], texts[1]


def _fold(character: str) -> str:
    """Return the character that stands for all that match it."""
    if character.isspace():
        return " "
    for folded in (character.casefold(), character.lower()):
        if len(folded) == 1:
            return folded
    return character


def _search(query: Codes, document: Codes) -> int:
    """Return where the query first occurs as it stands, -1 where it does not."""
    if query.dtype.itemsize == 1:
        return document.tobytes().find(query.tobytes())
    needle, text = (
        part.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        for part in (query, document)
    )
    return text.find(needle)


def _sweep(query: Codes, document: Codes, counting: _Counting) -> tuple[int, int, int]:
    """Return the optimum and where it ends, in the query and in the document (exclusive).

    Of several ends it is the first in the document, then the first in the query.
    """
    if query.dtype.itemsize == 1 and _has_parasail():
        # Each of its kernels, for whatever processor, breaks ties so (sw.c, sw_striped_*.c).
        found = _run("sw_striped_sat", query, document, counting)
        return (found.score, found.end_query + 1, found.end_ref + 1) if found.score else (0, 0, 0)
    optimum = last = end = 0
    for place, row in enumerate(_rows(query, document, counting, local=True), 1):
        best = int(row.argmax())
        value = int(row[best])
        if value > optimum or (value == optimum and best < end):
            optimum, last, end = value, place, best
    return optimum, last, end


def _count(query: Codes, document: Codes, counting: _Counting) -> tuple[int, int]:
    """Return the matches of two aligned passages and the document's characters beside a gap.

    Of the optimal alignments it is the one with the most matches, then the fewest gap columns: they
    are lower digits of one number, of which the best is sought.
    """
    gaps = len(query) + len(document) + 1
    unit = gaps * (len(query) + 1)
    counting = _Counting(
        match=counting.match * unit + gaps,
        mismatch=counting.mismatch * unit,
        opening=counting.opening * unit + 1,
        extension=counting.extension * unit + 1,
    )
    total = 0
    # no sum leaves 32 bits
    if query.dtype.itemsize == 1 and 2 * gaps * unit < 2**31 and _has_parasail():
        total = _run("nw_striped_32", query, document, counting).score
    else:
        for row in _rows(query, document, counting, local=False):
            total = int(row[-1])
    matches, columns = divmod(total % unit, gaps)
    if columns:
        matches, columns = matches + 1, gaps - columns
    return matches, (columns + len(document) - len(query)) // 2


def _has_parasail() -> bool:
    """Return whether the extra [llm] is installed; without it the same is computed, more slowly."""
    return find_spec("parasail") is not None


def _run(kernel: str, query: Codes, document: Codes, counting: _Counting) -> Any:
    """Return what a function of parasail finds for two texts in bytes."""
    import parasail

    # A letter outside the alphabet would count 0, so the alphabet has them all.
    letters = bytes(range(1, max(int(query.max()), int(document.max())) + 1))
    matrix = parasail.matrix_create(letters, counting.match, counting.mismatch, True)
    return getattr(parasail, kernel)(
        query.tobytes(), document.tobytes(), counting.opening, counting.extension, matrix
    )


def _rows(query: Codes, document: Codes, counting: _Counting, *, local: bool) -> Iterator[Row]:
    """Yield for each character of the query the best scores that end there, by document place.

    Row i, place j: the best alignment of query[:i] and document[:j], int64 (n + 1,); of their
    ends, if local.
    """
    import numpy as np

    match, mismatch, opening, extension = counting
    steps = extension * np.arange(len(document) + 1, dtype=np.int64)
    row = np.zeros_like(steps)
    if not local:
        row[1:] = -opening - steps[:-1]
    unmatched = np.full_like(steps, -(2**62))
    for code in query:
        diagonal = row[:-1] + np.where(document == code, match, mismatch)
        unmatched = np.maximum(unmatched - extension, row - opening)
        row = unmatched.copy()
        np.maximum(row[1:], diagonal, out=row[1:])
        if local:
            np.maximum(row, 0, out=row)
        skipping = np.maximum.accumulate(row + steps) - steps - opening
        np.maximum(row[1:], skipping[:-1], out=row[1:])
        yield row
