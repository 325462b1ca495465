"""Statements that the rules leave open, read by licensed readers in turn, the cheapest first.

Each decides only within its licence, as a fact that the rules read (`gr:Grade`): what it finds
entailed is supported where no rule objects, what it finds contradicted is refuted. What lies
between its bounds is for the next.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from groundrules.align.statements import AlignedStatement
from groundrules.align.weighing import indexed, readings
from groundrules.checks.verdicts import READ_BY
from groundrules.claims.grades import Grade
from groundrules.explain.findings import counted
from groundrules.models.licences import Licensed
from groundrules.models.logistic import logit
from groundrules.models.readers import Entailment
from groundrules.terms import Span


@dataclass(frozen=True, slots=True)
class Reading:
    """Statements as licensed readers read them, and those that none has settled, by number.

    `missed` says of statements why the last reader that was asked has not read them; `notes` tell
    who settled what.
    """

    statements: tuple[AlignedStatement, ...]
    unsettled: frozenset[int]
    missed: Mapping[int, str]
    notes: tuple[str, ...]


def read_in_turn(
    statements: Sequence[AlignedStatement],
    sources: Sequence[str],
    open_to: Collection[int],
    readers: Sequence[Licensed],
) -> Reading:
    """Return statements as readers read those whose numbers are `open_to` it; `sources` are texts.

    Raises:
        ModelError: a reader gives what is no score.
    """
    index = indexed(tuple(sources))
    known = {one.number: one for one in statements}
    left = [number for number in known if number in open_to]
    missed: dict[int, str] = {}
    notes = []
    for licensed in readers:
        asked = [known[number] for number in left]
        found = readings(asked, index, licensed.reader) if asked else {}
        settled = []
        for number, one in found.items():
            if isinstance(one, str):
                missed.setdefault(number, one)
                continue
            missed.pop(number, None)
            known[number], is_settled = _as_read(known[number], one, licensed)
            settled += [number] if is_settled else []
        notes.append(_note(licensed, found, len(settled)))
        left = [number for number in left if number not in settled]
    return Reading(tuple(known.values()), frozenset(left), missed, tuple(notes))


def _as_read(
    aligned: AlignedStatement, found: Entailment, licensed: Licensed
) -> tuple[AlignedStatement, bool]:
    """Return a statement with what a reader may say of it, and whether that settles it.

    What is contradicted needs a passage to show; where there is none, it is doubted at most.
    """
    licence = licensed.licence
    share = licence.scale.probability(found.entailed)
    name = f"{READ_BY} {licence.reader}"
    told = ((name, round(logit(share), 4)),)
    aligned = replace(aligned, support=share, contributions=told, entailment=None, doubted=False)
    power = licence.power(found)
    place = next(iter(aligned.passages[aligned.nearest :]), None)
    if power == "supports":
        return replace(aligned, grade=Grade("entailed", place, place, by=licence.reader)), True
    if power == "refutes" and place is not None:
        start, end = found.wrong or (0, len(aligned.text))
        at = aligned.span.start
        wrong = Span(aligned.span.source, at + start, at + end)
        return replace(
            aligned, grade=Grade("contradicted", place, place, wrong, by=licence.reader)
        ), True
    if power:
        aligned = replace(aligned, entailment=found, doubted=True)
    return aligned, False


def _note(licensed: Licensed, found: Mapping[int, Entailment | str], settled: int) -> str:
    read = sum(isinstance(one, Entailment) for one in found.values())
    told = f"read by {licensed.licence.reader}, {licensed.licence.told()}"
    missing = f", {len(found) - read} could not be read" if read < len(found) else ""
    return f"{told}; read {counted(read, 'open statement')}{missing}, settled {settled}"
