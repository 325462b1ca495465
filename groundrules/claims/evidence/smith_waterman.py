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

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from groundrules.errors import ConfigError

#: The least score of a context that is in the document (SafePassage).
THRESHOLD = 0.6
#: Characters of a context that are aligned.
MAX_CONTEXT = 10_000
#: Letters that are told apart, of the 255 of parasail: the commonest of a context.
_LETTERS = 253


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
    folded, size = _folded(context), len(context)
    at = _folded(document).find(folded)
    if at >= 0:
        return Alignment(at, at + size, 1.0, size, size, _COUNTING.match * size)
    query, target = _encode(folded[:MAX_CONTEXT], _folded(document))
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


def _place(query: bytes, target: bytes, size: int, counting: _Counting) -> Alignment | None:
    """Return where a query of a context of that size stands best, None where nothing of it does."""
    optimum, last, end = _sweep(query, target, counting)
    if not optimum:
        return None
    # Nothing as good ends earlier, so in the reversed beginnings all that is as good starts at 0.
    # Where a gap takes one for each letter, and a match adds two, the window holds all as good.
    reaching = 3 * last if counting.extension else end
    query, window = query[:last], target[max(0, end - reaching) : end]
    _, width, reach = _sweep(query[::-1], window[::-1], counting)
    matches, skipped = _count(
        query[last - width :], window[len(window) - reach :], counting, optimum
    )
    length = size + skipped
    return Alignment(end - reach, end, matches / length, matches, length, optimum)


def _encode(context: str, document: str) -> tuple[bytes, bytes]:
    """Return both texts in codes 1, 2, …; two have the same code where they match.

    Code 1 is any character that only the context has, 2 any that only the document has.
    """
    common = Counter({one: n for one, n in Counter(context).items() if one in {*document}})
    code = {ord(one): n for n, (one, _) in enumerate(common.most_common(_LETTERS), 3)}
    one, other = (
        text.translate({ord(sign): code.get(ord(sign), alien) for sign in {*text}})
        for alien, text in ((1, context), (2, document))
    )
    return one.encode("latin-1"), other.encode("latin-1")


def _folded(text: str) -> str:
    return text.translate({ord(sign): _fold(sign) for sign in {*text}})


def _fold(character: str) -> str:
    """Return the character that stands for all that match it."""
    if character.isspace():
        return " "
    for folded in (character.casefold(), character.lower()):
        if len(folded) == 1:
            return folded
    return character


def _sweep(query: bytes, document: bytes, counting: _Counting) -> tuple[int, int, int]:
    """Return the optimum and where it ends, in the query and in the document (exclusive).

    Of several ends it is the first in the document, then the first in the query: each kernel of
    parasail, for whatever processor, breaks ties so (sw.c, sw_striped_*.c).
    """
    found = _run("sw_striped_sat", query, document, counting)
    return (found.score, found.end_query + 1, found.end_ref + 1) if found.score else (0, 0, 0)


def _count(query: bytes, document: bytes, counting: _Counting, optimum: int) -> tuple[int, int]:
    """Return the matches of two passages aligned with an optimum, and letters beside a gap.

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
    score = _run("nw_striped_64", query, document, counting).score
    # the score is cut to 32 bits, of which its lower digits need no more
    matches, columns = divmod((score - optimum * unit) % 2**32, gaps)
    if columns:
        matches, columns = matches + 1, gaps - columns
    return matches, (columns + len(document) - len(query)) // 2


def _run(kernel: str, query: bytes, document: bytes, counting: _Counting) -> Any:
    """Return what a function of parasail finds for two texts in codes."""
    try:
        import parasail
    except ImportError:
        raise ConfigError(
            "looking for a passage needs parasail, which is not installed; run: "
            "pip install 'groundrules[llm]'"
        ) from None
    # A letter outside the alphabet would count 0, so the alphabet has them all.
    letters = bytes(range(1, max(*query, *document) + 1))
    matrix = parasail.matrix_create(letters, counting.match, counting.mismatch, True)
    return getattr(parasail, kernel)(query, document, counting.opening, counting.extension, matrix)
