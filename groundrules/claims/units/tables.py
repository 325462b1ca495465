"""Tables that a text draws with bars or tabs: their titles, columns, units and rows."""

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
    """A table: `title` is the line before it, the first column names the rows.

    `head` is the range of the line that names the columns; where no rule is drawn under it and it
    has figures, it may be a row as well, and is not `named`.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    head: tuple[int, int] = (0, 0)
    named: bool = False

    def cells(self, number: int) -> list[str]:
        """Return the cells of a column."""
        return [row.cells[number] for row in self.rows]

    def facts(self, row: Row) -> dict[str, str]:
        """Return the cells of a row, each with the unit of its column, by the columns' names.

        A column without a name, and the second of one name, go by their number.
        """
        facts: dict[str, str] = {}
        for number, (column, cell) in enumerate(zip(self.columns, row.cells, strict=True)):
            name = _plain(column.name)
            key = name if name and name not in facts else f"{name} {number}"
            facts[key] = _plain(f"{cell} {column.unit}")
        return facts


_RULE = re.compile(r"[\s|:+=-]+")
_LINE = re.compile(r"[^\n]+")
_BAR = re.compile(r"^\s*\||\S\s+\|\s+\S")
#: What stands before a tab and is the mark of an item.
_ITEM = re.compile(r"\W+|\(?\w{1,4}[.)]|\d+(?:\.\d+)*\.?")


def is_row(line: str) -> bool:
    """Return whether a line is drawn as a row of a table."""
    if _BAR.search(line) or line.count("|") > 1:
        return True
    first, tab, rest = line.strip().partition("\t")
    return bool(tab and rest and not _ITEM.fullmatch(first.rstrip()))


def is_rule(line: str) -> bool:
    """Return whether a line of a table only parts its head from its rows."""
    return "|" in line and "-" in line and bool(_RULE.fullmatch(line))


@lru_cache(maxsize=64)
def tables(text: str) -> tuple[Table, ...]:
    """Return the tables of a text; rows of another length than their header are left out."""
    return tuple(table for table in _tables(text) if table.rows)


def row_at(text: str, place: int) -> tuple[Table, Row] | None:
    """Return the row that a place stands in, and its table, None for a place in none.

    The line of the columns' names is a row without cells. One that is drawn as a row where no table
    is read is a row of one without names.
    """
    start = text.rfind("\n", 0, place) + 1
    found = _LINE.match(text, start)
    if found is None or not is_row(found[0]):
        return None
    for table in tables(text):
        for row in table.rows:
            if row.place == found.span():
                return table, row
        if table.head == found.span() and table.named:
            return table, Row((), table.head)
    cells = cells_of(found[0])
    row = Row(cells, found.span())
    return Table("", tuple(Column("", "") for _ in cells), (row,)), row


def _tables(text: str) -> Iterator[Table]:
    title = ""
    columns: tuple[Column, ...] = ()
    head, named = (0, 0), False
    rows: list[Row] = []
    for line in _LINE.finditer(text):
        said = line[0].strip()
        if not is_row(said):
            if columns:
                yield Table(title, columns, tuple(rows), head, named)
            columns, rows = (), []
            title = said or title
            continue
        cells = cells_of(said)
        if not columns:
            columns, head = tuple(map(column_of, cells)), line.span()
            named = not any(map(str.isdigit, said))
        elif is_rule(said):
            named = named or not rows
        elif len(cells) == len(columns) and any(cells):
            rows.append(Row(cells, line.span()))
    if columns:
        yield Table(title, columns, tuple(rows), head, named)


def cells_of(line: str) -> tuple[str, ...]:
    """Return the cells of a line that is drawn as a row."""
    return tuple(line[slice(*place)].strip() for place in cell_places(line))


def cell_places(line: str) -> Iterator[tuple[int, int]]:
    """Yield where the cells of a line that is drawn as a row stand in it."""
    mark = "|" if "|" in line else "\t"
    inner = line.strip().strip("|")
    at = line.find(inner)
    for cell in inner.split(mark):
        yield at, at + len(cell)
        at += len(cell) + 1


def column_of(cell: str) -> Column:
    """Return the column that a cell of the head names, its unit apart."""
    name, _, unit = re.sub(r",? in (?=\S+\Z)", " (", scaled(cell)).partition("(")
    return Column(name.strip(), unit.rstrip(") "))


def _plain(said: str) -> str:
    return " ".join(said.casefold().strip("*_` ").split())


_MONEY = r"[£€$]|\b(?:EUR|USD|GBP)\b"
#: How a scale is written beside a currency, and alone at the end.
_SCALED = tuple(
    (word, re.compile(rf"({_MONEY}) ?(?:{short})\b|\b(?:{short}|{word}) ?({_MONEY})"), f"{word}s")
    for word, short in (
        ("million", "millions|mn|mio|m"), ("thousand", "thousands|'?000s?|k"), ("billion", "bn")
    )
)  # fmt: skip


def scaled(head: str) -> str:
    """Return the name of a column with its scale as a word behind its money: "€m", "million €"."""
    for word, beside_money, several in _SCALED:
        head = beside_money.sub(rf"\1\2 {word}", head)
        head = head.replace(f"{several})", f"{word})")
        head = word.join((head.removesuffix(several), "")) if head.endswith(several) else head
    return head
