"""Statements that the rules leave open, read by licensed readers in turn, the cheapest first.

Each decides only within its licence, in the languages of that, as a fact that the rules read
(`gr:Grade`): what it finds entailed is supported where no rule objects, what it finds contradicted
is refuted. What lies between its bounds is for the next. So is what it finds entailed with a figure
that no source gives, unless it was asked how that follows, and what it doubts and holds likelier
contradicted than not there, which the next may refute. A statement that copies a sentence but for
one place no reader supports: there the words decide (`is_copied`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from groundrules.align.copies import is_copied
from groundrules.align.limits import KNOWN
from groundrules.align.premises import Index, indexed, premise_places, readings
from groundrules.align.statements import ACCOUNTED, AlignedStatement
from groundrules.checks.verdicts import unnamed
from groundrules.claims.models.grades import Grade
from groundrules.claims.units.units import Kind
from groundrules.explain.findings import counted
from groundrules.models.embed import encode
from groundrules.models.licences import ENGLISH, Licensed
from groundrules.models.readers import Entailment, Reader
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
    sources: Mapping[str, str],
    open_to: Collection[int],
    readers: Sequence[Licensed],
) -> Reading:
    """Return statements as readers read those whose numbers are `open_to` it; `sources` by name.

    Raises:
        ModelError: a reader gives what is no score.
    """
    ordered = sorted(sources.items(), key=lambda pair: pair[::-1])
    names, index = [name for name, _ in ordered], indexed(tuple(text for _, text in ordered))
    known = {one.number: one for one in statements}
    left = [number for number in known if number in open_to]
    missed: dict[int, str] = {}
    notes = []
    for licensed in readers:
        holds = licensed.licence.holds_for
        asked = [known[number] for number in left if holds(known[number].tongue or ENGLISH)]
        found = readings(asked, index, licensed.reader) if asked else {}
        settled, held = [], 0
        for number, one in found.items():
            if isinstance(one, str):
                if known[number].grade is None and not known[number].doubted:
                    missed.setdefault(number, one)
                continue
            missed.pop(number, None)
            now = _as_read(known[number], one, licensed)
            if now.grade and now.grade.kind == "entailed" and is_copied(now.text, index):
                now, held = replace(now, grade=None), held + 1
            if now.grade is not None:
                now = _shown(now, licensed.reader, index, names)
            known[number] = _passed_on(known[number], now, one)
            if _is_settled(known[number], now, one):
                settled.append(number)
        if found or holds(ENGLISH):
            notes.append(_note(licensed, found, len(settled), held))
        left = [number for number in left if number not in settled]
    return Reading(tuple(known.values()), frozenset(left), missed, tuple(notes))


def is_held_back(aligned: AlignedStatement, index: Index) -> bool:
    """Return whether no reader supports a statement, whatever it says, unless it tells a sum.

    A figure or a name of it is not accounted for, or it copies a sentence but for one place.
    """
    return (
        any(one.account not in ACCOUNTED for one, _ in aligned.figures)
        or any(one.similarity < KNOWN for one in aligned.names)
        or any(unnamed(aligned))
        or is_copied(aligned.text, index)
    )


def _passed_on(
    before: AlignedStatement, now: AlignedStatement, found: Entailment
) -> AlignedStatement:
    """Return a statement that one reader has left to another as both have read it.

    What the first doubts the second may only refute. What the first finds entailed the second may
    find so with a sum, doubt or refute; where it is not sure, but holds it likeliest entailed, the
    sum that it tells still counts.
    """
    if before.doubted:
        return now if now.grade is not None and now.grade.kind == "contradicted" else before
    if before.grade is not None and now.grade is None and not now.doubted:
        likeliest = found.entailed > max(found.contradicted, found.neither)
        reason = before.grade.reason or (found.sums or "" if likeliest else "")
        return replace(before, grade=replace(before.grade, reason=reason))
    return now


def _is_settled(aligned: AlignedStatement, now: AlignedStatement, found: Entailment) -> bool:
    """Return whether no other reader could say more of a statement than one that has found this."""
    if aligned.grade is None:
        told = aligned is now and aligned.doubted is not None
        return told and found.contradicted <= found.neither
    if aligned.grade.kind == "contradicted" or not aligned.unstated or aligned.grade.reason:
        return True
    return aligned is now and found.sums is not None


def _as_read(aligned: AlignedStatement, found: Entailment, licensed: Licensed) -> AlignedStatement:
    """Return a statement with what a reader may say of it: a grade settles it."""
    licence = licensed.licence
    aligned = replace(aligned, read_by=licence.reader, doubted=None, grade=None)
    power = licence.power(found)
    if power == "supports":
        grade = Grade("entailed", by=licence.reader, reason=found.sums or "")
        return replace(aligned, grade=grade)
    if power == "refutes":
        grade = Grade("contradicted", wrong=aligned.span, by=licence.reader)
        return replace(aligned, grade=grade)
    if power == "doubts":
        return replace(aligned, doubted=found)
    return aligned


def _shown(
    aligned: AlignedStatement, reader: Reader, index: Index, names: Sequence[str]
) -> AlignedStatement:
    """Return a statement that is settled with the passage to show beside it.

    A reader quotes nothing: of what it was shown that is the unit, no heading, whose vector is
    nearest to the statement.
    """
    shown = premise_places(aligned.text, index, reader.words)
    places = [one for one in shown if index.units[one].kind not in (Kind.HEADING, Kind.HEAD)]
    if aligned.grade is None or not places:
        return aligned
    own, *others = encode([aligned.text, *(index.units[one].text for one in places)])
    best = max(range(len(places)), key=lambda n: float(own @ others[n]))
    unit = index.units[places[best]]
    place = Span(names[index.passages.owner[places[best]]], unit.start, unit.end)
    return replace(
        aligned,
        passages=tuple(dict.fromkeys([*aligned.passages, place])),
        grade=replace(aligned.grade, quote=place, passage=place),
    )


def _note(
    licensed: Licensed, found: Mapping[int, Entailment | str], settled: int, held: int
) -> str:
    read = sum(isinstance(one, Entailment) for one in found.values())
    licence = licensed.licence
    told = f"read by {licence.reader}{' at an endpoint' * licence.at_endpoint}, {licence.told()}"
    missing = f", {len(found) - read} could not be read" if read < len(found) else ""
    back = f", held back {held} that copy a sentence but for one place" if held else ""
    return f"{told}; read {counted(read, 'open statement')}{missing}, settled {settled}{back}"
