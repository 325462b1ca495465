"""Whether a statement says of one subject how much of something it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundrules.align.accounts import Figure
from groundrules.align.wordalign import read
from groundrules.claims.english import ASKING, DENYING, FAILING, SAYING
from groundrules.claims.english.logic import CHANGING, FALLING, RISING

_SUBJECTS = frozenset({"nsubj", "csubj"})
_OBJECTS = frozenset({"dobj", "nsubjpass", "csubjpass"})
_SAID = frozenset({"attr", "acomp", "oprd", "dative"})
#: What a clause may be of another's, whose verb then says whether it is so.
_GOVERNED = frozenset({"ccomp", "xcomp"})
_OPEN = frozenset("may might could should would".split())


def has_one_subject(statement: str, figures: Sequence[Figure]) -> bool:
    """Return whether a statement gives one subject its figures: "the Gannet carries 14 cars".

    Each figure is what is said and no circumstance ("in 2019"), and nobody else takes part: of two
    who do, and of a deed in the passive, the words alone do not tell who did what to whom.
    """
    text = read(statement)
    core = [t for t in text.doc if t.dep_ in _SUBJECTS | _OBJECTS | _SAID]
    others = [t for t in core if not any(_has(t, f) for f in figures)]
    others += [t for t in text.doc if t.dep_ == "agent"]
    given = all(any(_has(token, figure) for token in core) for figure in figures)
    return given and len(others) <= 1 and not any(t.dep_ == "nsubjpass" for t in others)


def _has(token: Any, figure: Figure) -> bool:
    """Return whether a figure stands in what depends on a word."""
    return any(figure.start < t.idx + len(t) and t.idx < figure.end for t in token.subtree)


def is_told_as_so(source: str, start: int, end: int, statement: str) -> bool:
    """Return whether a sentence of a source tells a figure as a statement does that has its words.

    It does not where the figure is denied, allowed, asked for, only said by somebody, told "rather
    than" another, or as how far and from where something changed, and the statement has it not so.
    """
    doc, said = read(source).doc, read(statement).doc
    own = {word for token in said for word in (token.lower_, token.lemma_)}
    told = next((t for t in doc if start < t.idx + len(t) and t.idx < end), None)
    while told is not None:
        head = told.head
        marks = {c.lower_ for c in told.children if c.dep_ in {"aux", "neg"}}
        left_open = (marks & _OPEN) | {c.lower_ for c in told.children if c.dep_ == "neg"}
        if told.lemma_ in DENYING | FAILING | ASKING:
            left_open.add(told.lemma_)
        if told.dep_ in _GOVERNED and head.lemma_ in SAYING:
            left_open.add(head.lemma_)
        if told.lower_ in {"from", "by"} and head.lemma_ in RISING | FALLING | CHANGING:
            left_open.add(told.lower_)
        if told.dep_ == "conj":  # "6 euros rather than 4"
            before = [c for c in head.children if c.dep_ == "cc" and c.i < told.i]
            left_open |= {"rather"} & {g.lower_ for c in before for g in c.children}
        if not left_open <= own:
            return False
        told = head if head.i != told.i else None
    return True
