"""Whether a statement says of one subject how much of something it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundrules.align.figures import Figure
from groundrules.align.wordalign import read

__all__ = ["has_one_subject"]

_SUBJECTS = frozenset({"nsubj", "csubj"})
_OBJECTS = frozenset({"dobj", "nsubjpass", "csubjpass"})
_SAID = frozenset({"attr", "acomp", "oprd", "dative"})


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
