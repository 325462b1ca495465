"""Tables that a plain text draws with bars: their titles, columns, units and rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Column:
    """The name of a column, and the unit that stands behind it in brackets."""

    name: str
    unit: str


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, and its range in code points."""

    cells: tuple[str, ...]
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: `title` is the line before it, the first column names the rows."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def cells(self, number: int) -> list[str]:
        """Return the cells of a column."""
        return [row.cells[number] for row in self.rows]


@lru_cache(maxsize=64)
def tables(text: str) -> tuple[Table, ...]:
    """Return the tables of a text; rows of another length than their header are left out."""
    return tuple(table for table in _tables(text) if table.rows)


def _tables(text: str) -> Iterator[Table]:
    title = ""
    columns: tuple[Column, ...] = ()
    rows: list[Row] = []
    for line in re.finditer(r"[^\n]+", text):
        row = line[0].strip()
        if not row.startswith("|"):
            if columns:
                yield Table(title, columns, tuple(rows))
            columns, rows = (), []
            title = row or title
            continue
        cells = tuple(cell.strip() for cell in row.strip("|").split("|"))
        if not columns:
            columns = tuple(map(_column, cells))
        elif len(cells) == len(columns) and any({*cell} - {*"-: "} for cell in cells):
            rows.append(Row(cells, line.span()))
    if columns:
        yield Table(title, columns, tuple(rows))


def _column(cell: str) -> Column:
    name, _, unit = cell.partition("(")
    return Column(name.strip(), unit.rstrip(") "))
