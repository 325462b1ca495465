"""Statements as a language model grades them: which it may be asked about, and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from groundrules.align.accounts import Figure
from groundrules.align.alignments import comparisons_with
from groundrules.align.statements import AlignedStatement
from groundrules.align.told_sums import reckon
from groundrules.claims.facts.offline import Extraction
from groundrules.terms import Span

if TYPE_CHECKING:
    from groundrules.claims.models.grades import Grade


def to_grade(statements: Iterable[AlignedStatement]) -> dict[int, tuple[Span, ...]]:
    """Return by number the passages of the statements that a language model may be asked about.

    Not of those that could not be read, that were held against nothing, or whose very words stand
    in a source.
    """
    return {
        one.number: one.passages
        for one in statements
        if not one.unreadable and not one.verbatim and one.compared
    }


def with_grades(
    statements: Iterable[AlignedStatement],
    grades: Mapping[int, Grade],
    sources: Sequence[Extraction],
) -> tuple[AlignedStatement, ...]:
    """Return the statements with their grades; the passage quoted is one they are held against.

    A figure that no source gives is reckoned of the numbers that the grade names. What a licensed
    reader doubts a grade may only refute.
    """
    out = []
    for one in statements:
        grade = grades.get(one.number)
        if grade is not None and (not one.doubted or grade.kind == "contradicted"):
            more = [grade.passage] if grade.passage else []
            passages = tuple(dict.fromkeys([*one.passages, *more]))
            one = replace(one, grade=grade, doubted=None, passages=passages)
        out.append(one)
    return with_sums(out, sources)


def carried(
    statements: Iterable[AlignedStatement],
    before: Iterable[AlignedStatement],
    after: Iterable[AlignedStatement],
) -> tuple[AlignedStatement, ...]:
    """Return statements with all that reading and grading have changed, from `before` to `after`.

    The passages are those of both.
    """
    changed: dict[int, dict[str, Any]] = {}
    for one, other in zip(before, after, strict=True):
        pairs = ((f.name, getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
        changed[one.number] = {name: new for name, old, new in pairs if new != old}
    out = []
    for one in statements:
        new = changed.get(one.number, {})
        if "passages" in new:
            new["passages"] = tuple(dict.fromkeys([*one.passages, *new["passages"]]))
        out.append(replace(one, **new))
    return tuple(out)


def with_sums(
    statements: Iterable[AlignedStatement], sources: Sequence[Extraction]
) -> tuple[AlignedStatement, ...]:
    """Return the statements, those found entailed with the figures that the reasons given name."""
    return tuple(
        replace(one, figures=tuple(_as_told(one, one.grade, sources)))
        if one.grade and one.grade.kind == "entailed" and one.grade.reason
        else one
        for one in statements
    )


def _as_told(
    one: AlignedStatement, grade: Grade, sources: Sequence[Extraction]
) -> Iterator[tuple[Figure, tuple[Span, ...]]]:
    """Yield the figures of a statement, an absent one as the numbers that its grade names give."""
    index = comparisons_with(sources).index
    texts = {source.document.name: source.document.text for source in sources}
    place = None if grade.by else grade.quote  # a reader quotes nothing
    quoted = texts[place.source][place.start : place.end] if place else ""
    figures = [figure for figure, _ in one.figures]
    reckoned = reckon(one.text, figures, grade.reason, quoted, index)
    for (figure, places), found in zip(one.figures, reckoned, strict=True):
        told = (Span(sources[n].document.name, start, end) for n, start, end in found.places)
        yield found, places if found is figure else tuple(told)
