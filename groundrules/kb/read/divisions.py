"""A clause as the clauses that it comes to, by the rewordings of English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from groundrules.claims.english.rewordings import REWORDINGS
from groundrules.kb.read.relational import Clause, Moment, Sentence, range_in

_REWORDINGS = tuple((re.compile(pattern), clauses) for pattern, clauses in REWORDINGS)
_PIECE = re.compile(r"\{(\w)\}|[^{]+")
_AND = re.compile(r",? and(?= [a-z])")
#: A longer clause is not taken apart, in characters.
_LONGEST = 400


def divided(sentence: Sentence, clause: Clause) -> Iterator[tuple[Clause, ...]]:
    """Give the ways to take a clause apart, each as all the clauses that it then comes to."""
    if len(clause.text) > _LONGEST:
        return
    for pattern, clauses in _REWORDINGS:
        found = pattern.fullmatch(clause.text)
        if found:
            yield tuple(_written(clause, found, template) for template in clauses)
    # "was born in Ulm and lives in Rome": the subject is a name
    for found in _AND.finditer(clause.text):
        for span in sentence.anchors():
            start, end = range_in(clause, span)
            if start == 0 < end <= found.start():
                yield clause.within(0, found.start()), clause.without(end, found.end())


def _written(clause: Clause, found: re.Match[str], template: str) -> Clause:
    """Return a clause of a rewording in the words of what it was found in."""
    mark, _, rest = template.rpartition(":")
    text, starts = "", list[int]()
    for piece in _PIECE.finditer(rest):
        if piece[1] is None:
            text += piece[0]
            starts += [-1] * len(piece[0])
        elif found[piece[1]] is not None:
            first, last = found.span(piece[1])
            text += clause.text[first:last]
            starts += clause.starts[first:last]
    made = replace(clause, text=text, starts=tuple(starts)).within(0, len(text))
    if mark == "not":
        return replace(made, polarity="negative")
    return replace(made, moment=cast(Moment, mark)) if mark else made
