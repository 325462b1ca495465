"""Questions put to a source in one query, and which of its statements tell for each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rdflib.term import Node, URIRef

from groundrules.kb.link.properties import WDT
from groundrules.kb.read.comparisons import Question, counted, during, entails, value_beside
from groundrules.kb.sources.source import Facts, Fault, KnowledgeSource, Pair, Status


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What else a reading may mean: other subjects, and other objects of the same name."""

    subjects: tuple[URIRef, ...] = ()
    objects: tuple[URIRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Answers:
    """Questions with what a source states, what lies within what, and labels of items stated."""

    questions: tuple[Question, ...]
    within: frozenset[Pair]
    labels: Mapping[Node, str]
    faults: tuple[Fault, ...] = ()


def ask(
    questions: Sequence[Question],
    source: KnowledgeSource,
    others: Mapping[URIRef, Alternatives] | None = None,
) -> Answers:
    """Put questions to a source in one query.

    `others` gives by reading what else its names may mean: where one of those has the claimed
    value, or the claimed name is also that of the value stated, the source may not refute it. Of
    the properties that one phrase may mean, that counts under which the claim is stated, else the
    first under which anything is.
    """
    others = others or {}
    claimed: dict[Pair, set[URIRef]] = defaultdict(set)
    for question in questions:
        if question.property is None:
            continue
        subject, predicate = _pair(question)
        names = others.get(question.reading.id, Alternatives()).subjects
        for pair in ((subject, predicate), *((name, predicate) for name in names)):
            value = question.reading.triple.object
            known = claimed[pair]
            if isinstance(value, URIRef) and question.beside is None:
                known.add(value)
        if question.beside is not None:
            claimed[question.beside.thing, question.beside.property] |= set()
    found = source.statements(claimed, claimed) if claimed else {}
    within = frozenset(pair for facts in found.values() for pair in facts.within)
    kinds = _kinds_counted(questions, found, source)
    answered: dict[tuple[object, ...], list[Question]] = defaultdict(list)
    holders = {
        (question.reading.reads, question.reading.triple.subject)
        for question in questions
        if question.property is not None and question.property.iri == WDT.P39
    }
    for question in questions:
        ends: frozenset[Node] = frozenset()
        if question.property is not None:
            facts = found.get(_pair(question), Facts(Status.ERROR))
            also = others.get(question.reading.id, Alternatives())
            if question.beside is not None:
                question, facts = _set_beside(question, facts, found)
            if question.count:
                kind = question.kind
                mine = [s for s in facts.statements
                        if kind is None or kind in kinds.get(s.value.node, ())]  # fmt: skip
                many = counted(mine, question.complete and kind is None)
                told = (many,) if many else ()
                facts = replace(facts, statements=told) if facts.status.answered else facts
            doubts = (*question.doubts, *_homonyms(question, facts, also, found, within))
            value = question.reading.triple.object
            if any((s.value.node, value) in facts.akin for s in facts.statements):
                doubts = (*doubts, "part_whole")
            if question.beside is not None and also.objects:
                doubts = (*doubts, "homonym")  # of another of that name another day may be stated
            question = replace(
                question,
                status=facts.status,
                statements=facts.statements,
                rivals=tuple(
                    s for s in facts.rivals if s.value.node == question.reading.triple.object
                ),
                doubts=doubts,
            )
            triple = question.reading.triple
            ends = frozenset((triple.subject, triple.object))
            # an office may be stated of who holds it or of where it is held: one question
            held = [end for end in ends if (question.reading.reads, end) in holders]
            ends = frozenset(held) or ends
        answered[question.reading.reads, question.source, ends].append(question)
    labels: dict[Node, str] = {
        item: label for facts in found.values() for item, label in facts.labels.items()
    }
    decided = tuple(_deciding(_measured(group), within) for group in answered.values())
    faults = tuple(facts.fault for facts in found.values() if facts.fault)
    return Answers(decided, within, labels, faults)


def _kinds_counted(
    questions: Sequence[Question], found: Mapping[Pair, Facts], source: KnowledgeSource
) -> Mapping[Node, frozenset[URIRef]]:
    """Return of which of the kinds that are counted each thing stated is, asked in one query."""
    counts = [q for q in questions if q.property is not None and q.kind is not None]
    stated = (s.value.node for q in counts if _pair(q) in found for s in found[_pair(q)].statements)
    things = {node for node in stated if isinstance(node, URIRef)}
    kinds = source.types(things, sorted({q.kind for q in counts if q.kind})) if things else {}
    return {thing: known for thing, known in kinds.items() if not isinstance(known, Fault)}


def _set_beside(
    question: Question, facts: Facts, found: Mapping[Pair, Facts]
) -> tuple[Question, Facts]:
    """Return a question with the value that follows from another thing, and what it is put to.

    Where nothing follows, it is the other thing of which nothing certain is stated.
    """
    beside = question.beside
    assert beside is not None  # who calls has looked
    theirs = found.get((beside.thing, beside.property), Facts(Status.ERROR))
    if not theirs.status.answered:
        return question, theirs
    value = value_beside(beside, theirs.statements)
    if value is None:
        return question, Facts(Status.EMPTY)
    return replace(question, value=value), facts


def _pair(question: Question) -> Pair:
    triple = question.reading.triple
    assert isinstance(triple.subject, URIRef)
    assert isinstance(triple.predicate, URIRef)
    return triple.subject, triple.predicate


def _measured(group: Sequence[Question]) -> Sequence[Question]:
    """Return what a phrase of amounts may ask, all but one of which nothing is stated of.

    A river that is long has a length, and a film a running time: what a thing has tells which.
    """
    asked = [q for q in group if q.property is not None and q.property.kind == "quantity"]
    stated = [q for q in asked if q.statements]
    if len(asked) < len(group) or len(asked) < 2 or len(stated) != 1:
        return group
    (one,) = stated
    return (replace(one, doubts=tuple(d for d in one.doubts if d != "property")),)


def _deciding(group: Sequence[Question], within: frozenset[Pair]) -> Question:
    """Return the question that tells for one claim under several properties.

    One under which it is carried at its time comes first, then one under which it is at another.
    """
    timely = [
        question
        for question in group
        if any(
            entails(question, statement, within)
            and statement.rank != "deprecated"
            and during(question, statement) in ("in", "unstated")
            for statement in question.statements
        )
    ]
    carried = [
        question
        for question in group
        if any(entails(question, statement, within) for statement in question.statements)
    ]
    stated = [question for question in group if question.statements or question.rivals]
    return (timely or carried or stated or list(group))[0]


def _homonyms(
    question: Question,
    facts: Facts,
    others: Alternatives,
    found: Mapping[Pair, Facts],
    within: frozenset[Pair],
) -> Iterator[str]:
    """Yield "homonym" where another thing of one of the names has the value that this has not.

    A denial of what is stated may be true of its time ("time") where that of the value is not
    known.
    """
    carrying = [s for s in facts.statements if entails(question, s, within)]
    if carrying and question.reading.polarity == "negative":
        timed = any(during(question, statement) == "in" for statement in carrying)
        if question.timing is not None and not timed:
            yield "time"
        return
    _, predicate = _pair(question)
    stated = {statement.value.node for statement in facts.statements}
    namesakes = (found.get((name, predicate), Facts(Status.EMPTY)) for name in others.subjects)
    theirs = [statement for facts in namesakes for statement in facts.statements]
    if not stated.isdisjoint(others.objects) or any(
        entails(question, statement, within) for statement in theirs
    ):
        yield "homonym"
