"""What the source has instead of a number that it does not have: the one clear rival, or none.

A rival is clear by the same figure in another unit, or as a date that differs in one field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundrules.align.measures import NO_CURRENCY, Number, agree
from groundrules.align.places import FigureIndex

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
