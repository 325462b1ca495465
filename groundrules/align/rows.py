"""Rows: a row of a table held against the rows of the sources' tables with the same columns.

A row says of the thing in its first cell what stands in the others, under the names of their
columns. It is carried by a row that has all its cells under these names, of a thing that no other
row tells otherwise; a cell in which the one row of that thing differs is another value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundrules.align.accounts import Contrast
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.units.tables import Row, Table, column_of, row_at, tables
from groundrules.claims.values.numbers import read_numbers


class Rows(NamedTuple):
    """What the tables of sources say of a row: the places that carry it, or where they differ."""

    carrying: tuple[tuple[int, int, int], ...] = ()
    contrasts: tuple[Contrast, ...] = ()


def beside_rows(text: str, place: int, end: int, sources: Sequence[Extraction]) -> Rows | None:
    """Return what the sources' rows say of the row at a place, None where there is none."""
    found = row_at(text, place)
    if found is None:
        return None
    table, row = found
    alike = [
        (number, other, one)
        for number, source in enumerate(sources)
        for other in tables(source.document.text)
        if _figures(table.title) <= _figures(other.title)  # of another year it is another table
        for one in other.rows
        if _key(table, row) == _key(other, one)
    ]
    carrying = [(n, *one.place) for n, other, one in alike if _carries(other, one, table, row)]
    against = [one for one in alike if _differs(one[1], one[2], table, row)]
    if len(against) == 1 and not carrying:
        number, other, one = against[0]
        return Rows((), tuple(_contrasts(text, place, end, (table, row), (number, other, one))))
    return Rows(() if against else tuple(carrying))


def names_columns(text: str, place: int, sources: Sequence[Extraction]) -> bool:
    """Return whether the row at a place names columns: as drawn, or those of a source's table."""
    found = row_at(text, place)
    if found is None or not found[1].cells:
        return found is not None
    names = tuple(map(column_of, found[1].cells))
    return any(one.head == found[1].place for one in tables(text)) and any(
        one.columns == names for source in sources for one in tables(source.document.text)
    )


def _key(table: Table, row: Row) -> tuple[str, str]:
    """Return what a row is of: the name of its first column, and its first cell."""
    return next(iter(table.facts(row).items()))


def _figures(title: str) -> set[str]:
    return set(re.findall(r"\d+", title))


def _carries(table: Table, row: Row, asked: Table, wanted: Row) -> bool:
    return asked.facts(wanted).keys() <= table.facts(row).keys() and not _differs(
        table, row, asked, wanted
    )


def _differs(table: Table, row: Row, asked: Table, wanted: Row) -> bool:
    known = table.facts(row)
    return any(not _same(known.get(name, cell), cell) for name, cell in asked.facts(wanted).items())


def _same(known: str, cell: str) -> bool:
    """Return whether two cells are the same words, or nothing but one number."""
    return known == cell or (_alone(known) is not None and _alone(known) == _alone(cell))


def _alone(cell: str) -> tuple[object, float] | None:
    found = read_numbers(cell)
    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(cell))
    return (found[0].measure, found[0].value) if whole else None


def _excludes(table: Table, row: Row, name: str, cell: str) -> bool:
    """Return whether a cell cannot stand where a row has another one."""
    facts = table.facts(row)
    one, other = read_numbers(facts[name]), read_numbers(cell)
    if len(one) == len(other) == 1 and one[0].measure == other[0].measure:
        return one[0].value != other[0].value
    column = (table.facts(each).get(name) for each in table.rows)
    return cell in (*facts.values(), *column)


def _contrasts(
    text: str, start: int, end: int, mine: tuple[Table, Row], theirs: tuple[int, Table, Row]
) -> Iterator[Contrast]:
    (table, row), (number, other, stated) = mine, theirs
    known, cells = other.facts(stated), dict(zip(other.facts(stated), stated.cells, strict=True))
    at = row.place[0]
    for (name, cell), said in zip(table.facts(row).items(), row.cells, strict=True):
        place = text.find(said, at, row.place[1])
        at = place + len(said)
        if not said or not start <= place < end or name not in known:
            continue
        if not _same(known[name], cell) and _excludes(other, stated, name, cell):
            claimed, told = f"{row.cells[0]}: {said}", f"{stated.cells[0]}: {cells[name]}"
            where = (number, *stated.place)
            yield Contrast("value", place - start, at - start, claimed, told, 0, (where,))
