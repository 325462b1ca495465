"""What follows from propositions that a language model read, by the laws that hold for our own.

Of what the model says a proposition of the source is made in the words of the statement
(`align/counterparts.py`), and `align/entailment.py` compares the two. A word of the statement that
no proposition holds blocks support, as ever, and so does what binds the source and stands in no
part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundrules.align.counterparts import JUDGED, Counterpart
from groundrules.align.deductions import read_propositions
from groundrules.align.entailment import OPEN, Finding, compare
from groundrules.align.known import premises_of
from groundrules.align.parses import parse
from groundrules.align.projection import Relation
from groundrules.align.snippets import meets, sentence_of, words_at
from groundrules.claims.asserted import unread
from groundrules.claims.english.logic import BINDING
from groundrules.claims.llm_propositions import Clause, Place, Propositions
from groundrules.claims.slots import Term

__all__ = ["Weighed", "weigh"]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a source says of a statement, as a model read both: by which clause, and why not.

    `why` says in words why the reading does not hold, empty where it does.
    """

    finding: Finding
    clause: Clause | None = None
    why: str = ""


def weigh(found: Propositions, statement: str, source: str) -> Weighed:
    """Return what follows for a statement from what a model read of it and of its source.

    It is supported where each proposition of it is entailed and none of its words is unread,
    refuted where one is excluded; whatever is not covered by the reading is open.
    """
    doc = parse(statement)
    told = read_propositions(statement)
    left = unread(doc, told)
    outcomes = [_weigh(one, found.clauses, statement, source) for one in told]
    against = next((one for one in outcomes if one.finding.relation.refutes), None)
    if against is not None:
        return against
    worst = min(outcomes, key=lambda one: one.finding.rank, default=Weighed(OPEN, None, "unread"))
    held = {
        word
        for one in outcomes if one.clause
        for part in one.clause.parts if part.relation in JUDGED
        for word in words_at(part.said, statement)
    }  # fmt: skip
    lost = [word for word in left if word not in held]
    if lost and worst.finding.relation.supports:
        return Weighed(OPEN, worst.clause, f"no proposition has “{lost[0]}”")
    return worst


def _weigh(h: Term, clauses: Sequence[Clause], statement: str, source: str) -> Weighed:
    """Return what follows for a proposition from the clause that it is of."""
    found = []
    for clause in _telling(h, clauses):
        if clause.statement.denied != h.denied:
            return Weighed(OPEN, clause, "the statement denies it by one reading alone")
        if why := _fault(clause, source):
            return Weighed(OPEN, clause, why)
        made = Counterpart(clause, statement, source).pair(h)
        if made is not None:
            found.append(Weighed(_compared(*made, opposed=_is_opposed(clause)), clause))
    if len({one.finding.relation.refutes for one in found}) > 1:
        return Weighed(OPEN, None, "the source says it in two ways")
    none = Weighed(OPEN, None, "no clause of the reading has it")
    return max(found, key=lambda one: one.finding.rank, default=none)


def _telling(h: Term, clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses that are of a proposition: its verb and most of what it is told of.

    Of two that share a verb, "found rust in one and cracks in the other", each has its own.
    """
    verb = [
        one for one in clauses
        if any(meets(part.said, h.place) for part in one.parts if part.role == "does")
    ]  # fmt: skip
    held = [
        sum(
            any(meets(part.said, slot.filler.place) for part in one.parts if part.role != "does")
            for slot in h.slots
        )
        for one in verb
    ]
    return [one for one, count in zip(verb, held, strict=True) if count == max(held)]


def _is_opposed(clause: Clause) -> bool:
    """Return whether a model calls the verbs of a clause opposed.

    Of other parts its word refutes nothing: what happens at one time, place or in one way may
    happen at another, and the recorded readings have too few of them to trust it.
    """
    return any(one.relation == "opposed" for one in clause.parts if one.role == "does")


def _compared(p: Term, h: Term, *, opposed: bool) -> Finding:
    """Return how a proposition of the source stands to one of the statement.

    With `opposed` predicates, of which the words of the statement stand for both, what would follow
    is excluded, and what the statement denies of it follows.
    """
    if not opposed:
        plain = compare(p, h, premises_of([p]))
        # which side of a comparison stands beside which, no words tell: it refutes nothing
        return Finding(OPEN.relation, p) if plain.relation.refutes and h.of("degree") else plain
    found = compare(p, replace(h, denied=False), premises_of([p]))
    if p.denied or not found.relation.supports:
        return Finding(OPEN.relation, p)
    if h.denied:
        return found
    return Finding(Relation.EXCLUDES, p, kind="opposite", claimed=h, stated=p)


def _fault(clause: Clause, source: str) -> str:
    """Return why what a model says of the source is not all that the source says there."""
    if not clause.source.places:
        return "the source says nothing of it"
    held = [place for part in clause.parts for place in part.known]
    for place, words in _bindings(clause, source):
        if not meets(held, place):
            return f"the source adds “{words}”"
    return ""


def _bindings(clause: Clause, source: str) -> Iterator[tuple[Place, str]]:
    """Yield what binds the event of a clause by our own reading of its sentence, with its words."""
    start, end = sentence_of(source, clause.source.places)
    does = [place for part in clause.parts if part.role == "does" for place in part.known]
    for event in read_propositions(source[start:end]):
        own = event.place[0] + start, event.place[1] + start
        if any(a < own[1] and own[0] < b for a, b in does):
            for slot in event.slots:
                if slot.role in BINDING and slot.role != "degree":
                    a, b = slot.filler.place
                    yield (a + start, b + start), " ".join(slot.filler.text.split())
