"""Statements as a language model reads them beside their sources, and what follows of that by us.

Each statement is one question (`claims/llm_propositions.py`); the comparison is ours
(`align/readings.py`). Of the passages of a handful of statements controls are made and asked about
in questions like the others, so that no form tells them: where one is read amiss, nothing counts
that was read of those passages. What the first answer leaves open, and what any refutes, is asked
about again (`claims/llm_rereading.py`), a statement beside controls of which that is so too; those
answers count as long as none of these is read amiss, and change nothing that is settled. What one
answer bears out is settled, and what two in turn refute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from groundrules.align.projection import Relation
from groundrules.align.readings import Weighed, may_be_mended, weigh
from groundrules.claims.controls import Control, controls_of_any
from groundrules.claims.copied import Place
from groundrules.claims.grades import (
    DISTRUSTED,
    HANDFUL,
    UNCONTROLLED,
    Grade,
    Grades,
    shown,
)
from groundrules.claims.llm_propositions import Propositions, propositions_of, question_on
from groundrules.claims.llm_rereading import question_again
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
#: How often a statement is asked about at most, as its note says it.
TIMES = ("", ", asked twice", ", asked three times")


@dataclass(frozen=True, slots=True)
class ReadByModel:
    """The grades that readings come to, and the notes of what was dropped of them."""

    grades: Grades
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Question:
    """A question on a statement by its number, or on a control, and what the answer before said.

    `prompt` is asked, after the `first` one.
    """

    first: Prompt
    prompt: Prompt
    words: str
    number: int | None = None
    control: Control | None = None
    before: Relation = Relation.OPEN


@dataclass(frozen=True, slots=True)
class _Heard:
    """A question, its answer, and what was read of that and follows of it; of no answer why not."""

    question: _Question
    answer: Mapping[str, Any] | LLMError
    read: Propositions
    outcome: Weighed


@dataclass(slots=True)
class _Found:
    """What has been found so far."""

    grades: dict[int, Grade] = field(default_factory=dict)
    missed: dict[int, str] = field(default_factory=dict)
    unasked: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    given: int = 0


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
    body = _BETWEEN.join(source.document.text for source in sources)
    found = _Found()
    handfuls = []
    for at in range(0, len(order), HANDFUL):
        numbers = order[at : at + HANDFUL]
        handfuls.append(_questions(text, numbers, sources, passages))
        if not handfuls[-1]:
            found.missed |= dict.fromkeys(numbers, UNCONTROLLED)
    questions, counts = handfuls, []
    for times in TIMES:
        counts.append(sum(q.number is not None for one in questions for q in one))
        again = []
        for heard in _hear(questions, body, client):
            _take(heard, text, sources, f"{client.name}{times}", found)
            again.append([] if _faults(heard) else _questions_again(heard, body))
        questions = again
    told = len(found.grades.keys() | found.missed.keys())
    grades = Grades(
        found.grades, found.missed, faults=tuple(found.faults), unasked=dict(found.unasked),
        open_count=len(order) - told,
    )  # fmt: skip
    return ReadByModel(grades, tuple(_notes(found, counts[1:], len(order))))


def _hear(
    handfuls: Sequence[Sequence[_Question]], body: str, client: Client
) -> Iterator[list[_Heard]]:
    """Yield the answers to questions, all of which are asked at once."""
    prompts = [one.prompt for questions in handfuls for one in questions]
    answers = iter(client.ask_all(prompts) if prompts else ())
    for questions in handfuls:
        heard = []
        for one in questions:
            answer = next(answers)
            if isinstance(answer, LLMError):
                read = Propositions()
            else:
                read = propositions_of(answer, one.words, body)
            heard.append(_Heard(one, answer, read, weigh(read, one.words, body)))
        yield heard


def _take(
    heard: Sequence[_Heard],
    text: Extraction,
    sources: Sequence[Extraction],
    name: str,
    found: _Found,
) -> None:
    """Add what follows of a handful of answers to what has been found."""
    wrong = _faults(heard)
    found.faults += wrong
    for one in heard:
        number = one.question.number
        if number is None:
            continue
        if isinstance(one.answer, LLMError):
            found.missed[number] = one.answer.cause
            found.unasked[one.answer.cause] += 1
        elif wrong:
            found.missed[number] = DISTRUSTED
        else:
            found.given += one.read.given
            found.dropped.update(one.read.dropped)
            grade = _grade(one.outcome, one.read, text.sentences[number], sources, name)
            if grade is not None and settles(one.outcome.relation, one.question.before):
                found.grades[number] = grade


def settles(relation: Relation, before: Relation) -> bool:
    """Return whether an answer settles a statement, after what the one before said of it."""
    return relation.refutes if before.refutes else relation.supports


def _questions_again(heard: Sequence[_Heard], body: str) -> list[_Question]:
    """Return the next questions on statements and controls that answers leave open or refute.

    There are none on statements without a control among them, nor on controls alone.
    """
    again = []
    for one in heard:
        question = one.question
        if isinstance(one.answer, LLMError) or question.before.refutes:
            continue
        twice = question.prompt != question.first and question.control is None
        prompt = asked_again(question.first, one.answer, question.words, body, twice=twice)
        if prompt is not None:
            again.append(replace(question, prompt=prompt, before=one.outcome.relation))
    return again if len({one.control is None for one in again}) == 2 else []


def asked_again(
    first: Prompt, answer: Mapping[str, Any], statement: str, source: str, *, twice: bool = False
) -> Prompt | None:
    """Return the next question after an answer, None where there is none to ask.

    What is still open when it was asked about `twice` stays so.
    """
    read = propositions_of(answer, statement, source)
    outcome = weigh(read, statement, source)
    if not (outcome.relation.refutes or (may_be_mended(outcome) and not twice)):
        return None
    return question_again(first, answer, read, outcome.gaps, (statement, source))


def _notes(found: _Found, again: Sequence[int], asked: int) -> Iterator[str]:
    """Yield what the report has to say of the asking, and of what was dropped."""
    for order, count in zip(("second", "third"), again, strict=True):
        if count:
            yield f"a {order} question was asked about {count:,} of {asked:,} statements"
    if count := sum(found.dropped.values()):
        why = ", ".join(f"{number} {reason}" for reason, number in found.dropped.items())
        rows = f"{found.given:,} clauses, parts and sums that the language model read"
        yield f"of {rows} {count:,} were dropped: {why}"


def _questions(
    text: Extraction,
    numbers: Sequence[int],
    sources: Sequence[Extraction],
    passages: Mapping[int, Sequence[Span]],
) -> list[_Question]:
    """Return the questions on some statements and on controls, none where none can be made."""
    bodies = [source.document.text for source in sources]
    said = [
        bodies[at][sources[at].sentences[n].start : sources[at].sentences[n].end]
        for at, chosen in enumerate(shown(sources, numbers, passages))
        for n in chosen
    ]
    made = controls_of_any(said)
    if not made:
        return []
    whole = text.document.text
    lines = [whole[span.start : span.end] for span in text.sentences]
    own = []
    for n in numbers:
        first = question_on(lines[n], said, bodies, lines[max(0, n - _BEFORE) : n])
        own.append(_Question(first, first, lines[n], n))
    controlling = []
    for one in made:
        first = question_on(one.text, said, bodies)
        controlling.append(_Question(first, first, one.text, control=one))
    return [*own, *controlling]


def _faults(heard: Sequence[_Heard]) -> list[str]:
    """Return how controls were read amiss, or that they have no answer."""
    return [fault for one in heard if one.question.control and (fault := _fault(one))]


def _fault(heard: _Heard) -> str:
    control, relation = heard.question.control, heard.outcome.relation
    if isinstance(heard.answer, LLMError):
        return f"a control has no answer: {heard.answer.cause}"
    assert control is not None
    beside = any(clause.source.places for clause in heard.read.clauses)
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
    if any(side.denied for one in read.clauses for side in (one.statement, one.source)):
        slots["not"] = None
    by = f"{name} (slots: {', '.join(slots)})"
    if relation.supports:
        return Grade("entailed", quote, passage, by=by, slots=(*slots,))
    said = clause.statement.places
    start, end = min(p[0] for p in said), max(p[1] for p in said)
    wrong = Span(span.source, span.start + start, span.start + end)
    return Grade("contradicted", quote, passage, wrong, by, (*slots,))


def _span(place: Place, sources: Sequence[Extraction]) -> Span | None:
    """Return a place in the joined texts of sources as one of the source it lies in."""
    offset = 0
    for source in sources:
        length = len(source.document.text)
        if offset <= place[0] and place[1] <= offset + length:
            return Span(source.document.name, place[0] - offset, place[1] - offset)
        offset += length + len(_BETWEEN)
    return None
