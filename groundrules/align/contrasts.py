"""Where a statement turns the meaning of the passage it was written from.

A stretch of both that says one thing of the same things and is denied or opposed is a contrast. A
passage that carries the statement as it is worded takes a contrast with another one away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundrules.align.limits import PRONOUN
from groundrules.align.nearby import Candidate, Pair, nearly
from groundrules.align.passages import words
from groundrules.align.quotations import quotations
from groundrules.align.wordalign import Text, read
from groundrules.claims.english import SUBJECTS

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})


@dataclass(frozen=True, slots=True)
class Contrast:
    """A place where a statement turns what a passage says.

    `start` and `end` are code points of the statement, and `claimed` quotes them with what they
    need to be understood; `similarity` says from 0 to 1 how surely both speak of one thing.
    `places` are the source and range of what was compared, whose words `stated` has.
    """

    kind: str
    start: int
    end: int
    claimed: str
    stated: str
    passage: int
    similarity: float
    places: tuple[tuple[int, int, int], ...] = ()


def contrasts(
    statement: str, passages: Sequence[str], *, before: Sequence[str] = ()
) -> tuple[Contrast, ...]:
    """Return where a statement turns what the passages say, surest first.

    `before` are the statements that precede it in the answer, nearest first.
    """
    known = _anchored(statement, passages, before)
    found = [_contrast(candidate, known) for candidate in candidates(statement, passages)]
    found.sort(key=lambda c: (-c.similarity, c.start))
    kept: dict[tuple[str, int, int], Contrast] = {}
    for contrast in found:
        kept.setdefault((contrast.kind, contrast.start, contrast.end), contrast)
    return tuple(kept.values())


def candidates(statement: str, passages: Sequence[str]) -> list[Candidate]:
    """Return the possible contrasts of a statement with the passages."""
    own = f" {' '.join(words(statement))} "
    if any(own in f" {' '.join(words(passage))} " for passage in passages):
        return []
    mine = read(statement)
    texts = ((number, read(passage)) for number, passage in enumerate(passages))
    pairs = [Pair(n, mine, theirs) for n, theirs in texts if theirs.content and mine.content]
    return list(nearly(pairs))


def _anchored(statement: str, passages: Sequence[str], before: Sequence[str]) -> float:
    """Return what a pronoun leaves of the similarity: whom it means may be in no passage."""
    if not before:
        return 1.0
    doc = read(statement).doc
    if not any(t.dep_ in _SUBJECTS and t.lower_ in SUBJECTS for t in doc):
        return 1.0
    meant = [t.lower_ for t in read(before[0]).doc if t.dep_ in _SUBJECTS and t.pos_ != "PRON"]
    said = {word for passage in passages for word in words(passage)}
    return 1.0 if not meant or any(word in said for word in meant) else PRONOUN


def _contrast(candidate: Candidate, known: float) -> Contrast:
    mine, theirs = candidate.pair.mine, candidate.pair.theirs
    start, end = _range(mine, candidate.mine)
    there = _range(theirs, candidate.theirs)
    return Contrast(
        candidate.kind,
        start,
        end,
        *quotations(mine, (start, end), theirs, there),
        candidate.pair.number,
        candidate.sure * known,
    )


def _range(text: Text, tokens: Sequence[int]) -> tuple[int, int]:
    first, last = text.doc[min(tokens)], text.doc[max(tokens)]
    return int(first.idx), int(last.idx + len(last))
