"""Statements as a language model reads them beside their sources, and what follows of that by us.

Each statement is one question (`claims/llm_propositions.py`); the comparison is ours
(`align/readings.py`). Of the passages of a handful of statements controls are made and asked about
in questions like the others, so that no form tells them: where one is read amiss, nothing counts
that was read of those passages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundrules.align.readings import Weighed, weigh
from groundrules.claims.controls import Control, controls_of_any
from groundrules.claims.grades import (
    DISTRUSTED,
    HANDFUL,
    UNCONTROLLED,
    Grade,
    Grades,
    shown,
)
from groundrules.claims.llm_propositions import Place, Propositions, propositions_of, question_on
from groundrules.claims.offline import Extraction
from groundrules.errors import LLMError
from groundrules.llm.prompt import Prompt
from groundrules.terms import Span

if TYPE_CHECKING:
    from groundrules.llm.client import Client

#: Statements that are shown before one.
_BEFORE = 2
#: Between the texts of two sources where they are read as one.
_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class ReadByModel:
    """The grades that readings come to, and the notes of what was dropped of them."""

    grades: Grades
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is read beside some passages: the questions by statement, and those of the controls."""

    numbers: tuple[int, ...]
    questions: tuple[Prompt, ...]
    controls: tuple[Control, ...]
    controlling: tuple[Prompt, ...]


def read_by_model(
    text: Extraction,
    sources: Sequence[Extraction],
    passages: Mapping[int, Sequence[Span]],
    client: Client,
) -> ReadByModel:
    """Return what follows for statements from what a model reads of them and of their sources.

    `passages` says by number which bear on each. What cannot be asked, or does not hold, is told in
    `missed` of the grades; a statement that the reading leaves open has no grade.
    """
    order = sorted(passages)
    handfuls = [
        _asked(text, order[at : at + HANDFUL], sources, passages)
        for at in range(0, len(order), HANDFUL)
    ]
    answers = iter(client.ask_all([p for h in handfuls for p in (*h.questions, *h.controlling)]))
    body = _BETWEEN.join(source.document.text for source in sources)
    found: dict[int, Grade] = {}
    missed: dict[int, str] = {}
    unasked: Counter[str] = Counter()
    faults: list[str] = []
    dropped: Counter[str] = Counter()
    given = 0
    for one in handfuls:
        own = [next(answers) for _ in one.questions]
        told = [_control(c, next(answers), body) for c in one.controls]
        wrong = [fault for fault in told if fault]
        faults += wrong
        for number, answer in zip(one.numbers, own, strict=False):
            if isinstance(answer, LLMError):
                missed[number] = answer.cause
                unasked[answer.cause] += 1
                continue
            if wrong:
                missed[number] = DISTRUSTED
                continue
            span = text.sentences[number]
            statement = text.document.text[span.start : span.end]
            read = propositions_of(answer, statement, body)
            given += read.given
            dropped.update(read.dropped)
            grade = _grade(weigh(read, statement, body), read, span, sources, client.name)
            if grade is not None:
                found[number] = grade
        if not one.questions:
            missed |= dict.fromkeys(one.numbers, UNCONTROLLED)
    notes = tuple(_notes(dropped, given))
    return ReadByModel(Grades(found, missed, 0, tuple(faults), dict(unasked)), notes)


def _notes(dropped: Counter[str], given: int) -> list[str]:
    """Return what the report has to say of what was dropped."""
    if not (count := sum(dropped.values())):
        return []
    why = ", ".join(f"{number} {reason}" for reason, number in dropped.items())
    return [f"of {given:,} parts that the language model read {count:,} were dropped: {why}"]


def _asked(
    text: Extraction,
    numbers: Sequence[int],
    sources: Sequence[Extraction],
    passages: Mapping[int, Sequence[Span]],
) -> _Asked:
    """Return the questions on some statements, none where no control can be made."""
    bodies = [source.document.text for source in sources]
    said = [
        bodies[at][sources[at].sentences[n].start : sources[at].sentences[n].end]
        for at, chosen in enumerate(shown(sources, numbers, passages))
        for n in chosen
    ]
    made = controls_of_any(said)
    if not made:
        return _Asked(tuple(numbers), (), (), ())
    whole = text.document.text
    lines = [whole[span.start : span.end] for span in text.sentences]
    questions = tuple(
        question_on(lines[n], said, bodies, lines[max(0, n - _BEFORE) : n]) for n in numbers
    )
    controlling = tuple(question_on(one.text, said, bodies) for one in made)
    return _Asked(tuple(numbers), questions, made, controlling)


def _control(control: Control, answer: object, source: str) -> str:
    """Return how a control was read amiss, empty where it was not, or has no answer."""
    if isinstance(answer, LLMError):
        return f"a control has no answer: {answer.cause}"
    assert isinstance(answer, Mapping)
    read = propositions_of(answer, control.text, source)
    relation = weigh(read, control.text, source).relation
    beside = any(clause.source.places for clause in read.clauses)
    amiss = {
        "entailed": relation.refutes or not beside,
        "contradicted": relation.supports,
        "neither": relation.supports or relation.refutes,
    }[control.kind]
    return f"a control was read amiss: “{control.text}”" if amiss else ""


def _grade(
    outcome: Weighed,
    read: Propositions,
    span: Span,
    sources: Sequence[Extraction],
    name: str,
) -> Grade | None:
    """Return what a reading comes to as a grade with its places, None where it leaves it open."""
    relation, clause = outcome.relation, outcome.clause
    if clause is None or not (relation.supports or relation.refutes):
        return None
    places = clause.source.places
    quote = _span((min(p[0] for p in places), max(p[1] for p in places)), sources)
    if quote is None:
        return None
    source = next(one for one in sources if one.document.name == quote.source)
    around = [s for s in source.sentences if s.start < quote.end and quote.start < s.end]
    passage = replace(quote, start=around[0].start, end=around[-1].end) if around else quote
    slots = dict.fromkeys(part.role for one in read.clauses for part in one.parts)
    by = f"{name} (slots: {', '.join(slots)})"
    if relation.supports:
        return Grade("entailed", quote, passage, by=by, reading=True)
    said = clause.statement.places
    start, end = min(p[0] for p in said), max(p[1] for p in said)
    wrong = Span(span.source, span.start + start, span.start + end)
    return Grade("contradicted", quote, passage, wrong, by, reading=True)


def _span(place: Place, sources: Sequence[Extraction]) -> Span | None:
    """Return a place in the joined texts of sources as one of the source it lies in."""
    offset = 0
    for source in sources:
        length = len(source.document.text)
        if offset <= place[0] and place[1] <= offset + length:
            return Span(source.document.name, place[0] - offset, place[1] - offset)
        offset += length + len(_BETWEEN)
    return None
