"""What the source has instead of a number that it does not have: the one clear rival, or none.

A rival is clear by its cell, by the same figure in another unit, or as a date that differs in one
field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundrules.align.measures import NO_CURRENCY, Number, agree
from groundrules.align.operands import column_of
from groundrules.align.places import FigureIndex, Word, words_of

#: How many of the passages that bear on a statement are looked at for a clear rival.
CLEAR = 3
_POINTS = frozenset({"point", "points"})


def by_unit(
    index: FigureIndex, bearing: Sequence[int], claim: Number, taken: Mapping[int, int]
) -> int | None:
    """Return the number that has the same figure in another unit: seconds for minutes."""
    found = None
    for unit in bearing[:CLEAR]:
        for here in index.inside.get(unit, ())[:60]:
            known = index.numbers[here].number
            if known.raw != claim.raw or known.soft or taken.get(here):
                continue
            if claim.kind == "PERCENT" and known.kind == "NUMBER" and known.noun in _POINTS:
                found = here
            if (
                known.kind != claim.kind
                or agree(claim, known)
                or NO_CURRENCY in (known.unit, claim.unit)
            ):
                continue
            if claim.kind in {"DURATION", "MONEY", "QUANTITY"}:
                found = here
        if found is not None:
            return found
    return None


def by_date(
    index: FigureIndex, bearing: Sequence[int], claim: Number, taken: Mapping[int, int]
) -> int | None:
    """Return the only date near that differs in the month and in nothing else."""
    if claim.day is None or claim.day[1] is None:
        return None
    found = []
    for unit in bearing:
        for here in index.inside.get(unit, ())[:60]:
            known = index.numbers[here].number
            if known.day is not None and not taken.get(here) and _other_month(claim, known):
                found.append(here)
    return found[0] if len({index.numbers[here].number.day for here in found}) == 1 else None


def _other_month(claim: Number, known: Number) -> bool:
    assert claim.day is not None
    assert known.day is not None
    year, month, day = claim.day
    other_year, other_month, other_day = known.day
    if None not in (year, other_year) and year != other_year:
        return False
    if month is None or other_month is None or month == other_month or other_day is None:
        return False
    if day is not None:
        return day == other_day
    # "the end of July 2021" for 30 June 2021
    narrow = claim.window != (1, 31) and claim.window[0] <= other_day <= claim.window[1]
    return narrow and year is not None and abs(month - other_month) == 1


def by_cell(
    index: FigureIndex, words: Sequence[Word], claim: Number, equal: Sequence[int],
    taken: Mapping[int, int],
) -> int | None:  # fmt: skip
    """Return the cell of the row or column a statement names, where its number is of another."""
    units = {index.numbers[here].unit for here in equal}
    tables = {index.units[unit].header for unit in units}
    if not equal or len(equal) > 3 or len(tables) != 1 or -1 in tables:
        return None
    said = {word.stem for word in words}
    here = equal[0]
    column, row = column_of(index, here), index.units[index.numbers[here].unit]
    if not column:
        return None
    rivals = []
    for unit in range(max(min(units) - 30, 0), min(max(units) + 30, len(index.units))):
        other = index.units[unit]
        if other.header != row.header or other.source != row.source or unit in units:
            continue
        if not _names(said, _label(index, unit), _label(index, index.numbers[here].unit)):
            continue
        for at in index.inside.get(unit, ()):
            known = index.numbers[at].number
            if column_of(index, at) == column and known.measure == claim.measure:
                rivals.append(at)
    free = [at for at in rivals if not taken.get(at)]
    if len({index.numbers[at].unit for at in rivals}) != 1 or not free:
        return None
    alike = [
        at
        for at in free
        if claim.day is None or _fields(index.numbers[at].number) >= _fields(claim)
    ]
    return alike[-1] if alike and not agree(claim, index.numbers[alike[-1]].number) else None


def _fields(number: Number) -> int:
    return sum(part is not None for part in number.day or ())


def _label(index: FigureIndex, unit: int) -> frozenset[str]:
    row = index.units[unit]
    start, end, _ = row.columns[0]
    return frozenset(word.stem for word in words_of(index.texts[row.source], start, end))


def _names(said: set[str], label: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether a statement has all that tells one label from another, and none of the other."""
    own, foreign = label - other, other - label
    return bool(own and foreign) and own <= said and not foreign & said
