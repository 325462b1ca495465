"""The numbers at hand for a sum: of passages that bear, their table, the title, what was said."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence

from groundrules.align.derivations import PLAIN_SUMS, Derivation, Operand
from groundrules.align.measures import Number, fits
from groundrules.align.numbers import read_numbers
from groundrules.align.places import FigureIndex, Known

#: How many of the passages that bear on a statement may lend numbers to a sum.
BEARING = 5
#: How many rows of a table and how many units of a title are looked at.
ROWS, TITLE = 60, 3
COLUMNS = 40
#: How near the numbers of a header, of a passage spoken of before and of the title are.
_HEADER_RANK, _TITLE_RANK = 6, 9
_TOTAL = re.compile(r"(?i:\b(?:total|sum|all|overall|altogether|together|whole)\b)")


def at_hand(
    index: FigureIndex, bearing: Sequence[int], near: Sequence[int], claim: Number,
    read: Sequence[Number], before: Sequence[str], words: frozenset[str],
) -> list[Operand]:  # fmt: skip
    """Return the numbers that a sum for a claim may use, each with how near it is."""
    close = set(bearing[:BEARING])
    operands = [
        _operand(index.numbers[here], rank + 1)
        for rank, here in enumerate(near)
        if index.numbers[here].unit in close
    ]
    operands.extend(Operand(number, None, 0) for number in read if number.start != claim.start)
    for said in before[:2]:
        numbers = read_numbers(said)[:6]
        operands.extend(Operand(number, None, 4) for number in numbers)
    for row in _named_rows(index, bearing, words) - close:
        held = index.inside.get(row, ())
        operands.extend(_operand(index.numbers[here], _HEADER_RANK) for here in held)
    for row in bearing[:2]:
        header = header_of(index, row)
        if header is not None and header != row:
            held = index.inside.get(header, ())
            operands.extend(_operand(index.numbers[here], _HEADER_RANK) for here in held)
    if claim.kind in {"DATE", "DURATION"} and bearing:
        operands.extend(_of_title(index, index.units[bearing[0]].source))
    return operands


def _operand(known: Known, rank: int) -> Operand:
    return Operand(known.number, known.place, rank, known.unit)


def _named_rows(index: FigureIndex, bearing: Sequence[int], said: frozenset[str]) -> set[int]:
    """Return the rows of the tables at hand whose whole label the statement has."""
    found: set[int] = set()
    seen: set[int] = set()
    for here in bearing[:BEARING]:
        header = index.units[here].header
        if header < 0 or header in seen:
            continue
        seen.add(header)
        found.update(
            row
            for row in rows_of(index, here)
            if index.units[row].label and said.issuperset(index.units[row].label)
        )
    return found if len(found) <= 3 else set()


def _of_title(index: FigureIndex, source: int) -> Iterator[Operand]:
    first = bisect.bisect_left(index.units, source, key=lambda unit: unit.source)
    for unit in range(first, min(first + TITLE, len(index.units))):
        for here in index.inside.get(unit, ()):
            if index.numbers[here].source == source and index.numbers[here].number.kind == "DATE":
                yield _operand(index.numbers[here], _TITLE_RANK)


# --- tables ---------------------------------------------------------------------------------


def header_of(index: FigureIndex, row: int) -> int | None:
    """Return the unit of the header over a table row, None for other units."""
    unit = index.units[row]
    if unit.header < 0:
        return None
    for here in range(row, max(row - ROWS, -1), -1):
        if index.units[here].source != unit.source:
            return None
        if index.units[here].start == unit.header:
            return here
    return None


def rows_of(index: FigureIndex, row: int) -> list[int]:
    """Return the rows of the table around a row, its header left out."""
    header = header_of(index, row)
    if header is None:
        return []
    rows = []
    for here in range(header + 1, min(header + ROWS, len(index.units))):
        other = index.units[here]
        shown = index.texts[other.source][other.start : other.end]
        if other.header == index.units[row].header and other.source == index.units[row].source:
            rows.append(here)
        elif any(mark.isalnum() for mark in shown):
            break  # the rule under a header ends no table
    return rows


def column_of(index: FigureIndex, here: int) -> int | None:
    """Return the column that a number of a table stands in."""
    known = index.numbers[here]
    if len(index.units[known.unit].columns) > COLUMNS:
        return None
    for column, (start, end, _) in enumerate(index.units[known.unit].columns):
        if start <= known.number.start < end:
            return column
    return None


def column_total(
    index: FigureIndex, bearing: Sequence[int], claim: Number, cues: frozenset[str]
) -> Derivation | None:
    """Return the sum over a whole column of a table that a passage at hand belongs to."""
    if claim.bare or claim.kind not in PLAIN_SUMS or "sum" not in cues or claim.unit == "nth":
        return None
    for seen in dict.fromkeys(index.units[row].header for row in bearing[:BEARING]):
        row = next(row for row in bearing if index.units[row].header == seen)
        columns: dict[int, list[Known]] = {}
        for other in rows_of(index, row):
            unit = index.units[other]
            text = index.texts[unit.source]
            if not unit.columns or _TOTAL.search(text[slice(*unit.columns[0][:2])]):
                continue
            for here in index.inside.get(other, ())[:COLUMNS]:
                column = column_of(index, here)
                if column and index.numbers[here].number.measure == claim.measure:
                    columns.setdefault(column, []).append(index.numbers[here])
        for held in columns.values():
            total = sum(known.number.value for known in held)
            if len(held) > 2 and fits(claim, total):
                how = " + ".join(known.number.text for known in held) + f" = {claim.text}"
                return Derivation(how, tuple(sorted(known.place for known in held)))
    return None
