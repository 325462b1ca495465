"""Figures that a language model reckons: it names the numbers, and the sum is made here.

What a sum is made of stands in the sources, so that a model can tell how a figure follows, and not
that it does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from groundrules.align.accounts import Figure
from groundrules.align.derivations import Derivation, Operand, derive, every_cue
from groundrules.align.places import FigureIndex, Known, lookup, stems_of
from groundrules.claims.values.measures import Number, agree, fits
from groundrules.claims.values.numbers import read_numbers

#: So many numbers may be named: of more of them some two give nearly any other.
NAMED = 6
#: So many characters of a reason are read, which is asked for in 25 words.
_LONGEST = 400
_PLAIN = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/"})
#: What stands between two numbers of a sum.
_JOINT = re.compile(r"(?<=[0-9])\s?[-+/*=]\s?(?=[0-9£€$])")
#: Three or four numbers that are added up, or taken from the first.
_TERM = r"(?<![0-9.,])[£€$]?[0-9][0-9.,]{0,15}+"
_CHAIN = re.compile(rf"({_TERM}(?:\s?\+\s?{_TERM}){{2,3}}|{_TERM}(?:\s?-\s?{_TERM}){{2,3}})\s?=")


def reckon(
    statement: str, figures: Sequence[Figure], said: str, quoted: str, index: FigureIndex
) -> tuple[Figure, ...]:
    """Return the figures of a statement, those derived that numbers which a model names give.

    `said` is why a language model finds the statement entailed, and has the figure itself, as what
    comes out; `quoted` are the words of a source that it quotes. A sum of two numbers is found of
    those in both, where `said` has one that the statement has not; one of three or four is written
    out, of what one sentence, row or column has. Those count that a source has, or the statement if
    a source gives them or such a sum; where more than `NAMED` do, none does.
    """
    said = said[:_LONGEST].translate(_PLAIN)
    own = {one.start: one for one in read_numbers(statement)}
    found = list(figures)
    told = {one.raw for one in own.values()}
    for _ in range(2):  # what one sum gives another may use
        absent = {one.start for one in found if one.account == "absent"}
        given = [one for start, one in own.items() if start not in absent]
        for n, figure in enumerate(found):
            if figure.start not in own or figure.start not in absent:
                continue
            claim = own[figure.start]
            sum_ = _named(claim, told, given, said, quoted, index) or _chained(claim, said, index)
            if sum_ is not None and sum_.places:
                found[n] = replace(figure, account="derived", how=sum_.how, places=sum_.places)
    return tuple(found)


def _named(
    claim: Number,
    stated: Collection[float],
    given: Sequence[Number],
    said: str,
    quoted: str,
    index: FigureIndex,
) -> Derivation | None:
    """Return the sum of one step over the numbers that are named, in whatever order.

    `stated` are the numbers of the statement, and `given` those that a source gives.
    """
    read = read_numbers(_JOINT.sub(" ; ", said))
    parts = [one for one in read if one.raw != claim.raw and not agree(claim, one)]
    if len(parts) == len(read):
        return None
    if {one.raw for one in read} <= {*stated}:
        return None  # what only says the statement again names nothing
    parts += read_numbers(quoted)
    told = {one.raw for one in parts} | {100 * one.raw for one in parts if one.raw < 1}
    named = {held[0].place: held for one in parts if (held := _known(one, claim, index))}
    if not 0 < len(named) <= NAMED:
        return None
    operands = [Operand(o.number, o.place, 1, o.unit) for held in named.values() for o in held]
    operands += [Operand(one, None, 0) for one in given if one.raw in told]
    return derive(claim, operands, every_cue())


def _known(told: Number, claim: Number, index: FigureIndex) -> list[Known]:
    """Return the numbers of the sources that one is, which may be told without its unit."""
    found = (index.numbers[here] for here in lookup(index, told))
    same = [one for one in found if told.raw == one.number.raw or agree(told, one.number)]
    kinds = {(one.number.kind, one.number.unit): one for one in reversed(same)}
    return [one for one in kinds.values() if not agree(claim, one.number)]


def _chained(claim: Number, said: str, index: FigureIndex) -> Derivation | None:
    """Return the sum of three or four numbers that is written out, if they stand side by side."""
    for match in _CHAIN.finditer(said):
        terms = read_numbers(_JOINT.sub(" ; ", match[1]))
        homes = [_homes(one, claim, index) for one in terms]
        for home in set.intersection(*map(set, homes)) if len(homes) > 2 else ():
            held = [one[home] for one in homes]
            first, *rest = (one.number.value for one in held)
            if fits(claim, first + sum(rest) if "+" in match[1] else first - sum(rest)):
                places = tuple(dict.fromkeys(one.place for one in held))
                return Derivation(f"{match[1]} = {claim.text}", places)
    return None


def _homes(told: Number, claim: Number, index: FigureIndex) -> dict[object, Known]:
    """Return by sentence, row and column where a number is of what a claim measures or counts."""
    found: dict[object, Known] = {}
    own = _stems(claim.noun)
    for here in lookup(index, told):
        known = index.numbers[here]
        unit, number = index.units[known.unit], known.number
        inside = (n for n, cell in enumerate(unit.cells) if cell.start <= number.start < cell.end)
        column = next(inside, 0)
        names = {*unit.cells[column].head} if column else _stems(number.noun) or own
        if claim.kind == "NUMBER" and not own & names:
            continue
        if number.raw == told.raw and number.measure == claim.measure:
            found |= {unit.sentence: known, (unit.table, column or -here): known}
    return found


def _stems(noun: str) -> set[str]:
    return {*stems_of(noun)}
