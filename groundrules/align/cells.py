"""Cells of tables: what a row and a column say of a statement that names both, and a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from groundrules.align.numbers import read_numbers
from groundrules.align.passages import stems
from groundrules.align.projection import Relation
from groundrules.claims.english import SMALL
from groundrules.claims.english.logic import CELL_WORDS, CURRENCY_NAMES

__all__ = ["Cell", "by_cell", "cells_of"]

_SCALES = {"million": 1e6, "thousand": 1e3}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table, the names of its row and column, the unit and the head of the rows.

    `place` is its range in code points.
    """

    row: str
    column: str
    unit: str
    value: str
    head: str
    place: tuple[int, int]


def cells_of(text: str) -> Iterator[Cell]:
    """Yield the cells of the tables of a text whose lines begin with a bar."""
    header: list[str] = []
    for line in re.finditer(r"[^\n]+", text):
        row = line[0].strip()
        if not row.startswith("|"):
            header = []
            continue
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if not header:
            header = cells
        elif any({*cell} - {*"-: "} for cell in cells):
            for name, cell in zip(header[1:], cells[1:], strict=False):
                column, _, unit = name.partition("(")
                place = line.start(), line.end()
                yield Cell(cells[0], column.strip(), unit.rstrip(") "), cell, header[0], place)


def by_cell(text: str, doc: Any) -> tuple[Relation, Cell | None]:
    """Return what the tables of a text say of a parsed statement, and by which cell.

    The statement names one row and one column, has one number and nothing besides.
    """
    numbers = [one for one in read_numbers(doc.text) if not one.soft]
    cells = list(cells_of(text))
    if not cells or len(numbers) != 1 or any(token.dep_ == "neg" for token in doc):
        return Relation.OPEN, None
    rows = {cell.row for cell in cells if _names(doc.text, cell.row)}
    rows = {r for r in rows if not any(r != o and r.casefold() in o.casefold() for o in rows)}
    words = {token.lemma_.casefold() for token in doc if token.is_alpha}
    said = {stem for word in words for stem in stems(word)}
    currency = _currencies(doc.text, words)
    named = [cell for cell in cells if cell.row in rows and said & _stems(cell.column)]
    if len(rows) != 1 or not named:
        return Relation.OPEN, None
    cell = max(named, key=lambda one: len(said & _stems(one.column)))
    unit = f"{cell.unit} {cell.value}"
    told = _currencies(unit, unit.casefold().split())
    if currency and told and currency != told:
        return Relation.OPEN, None
    known = _stems(" ".join((cell.row, cell.column, cell.unit.replace("/", " "), cell.head)))
    known |= told
    if any(word not in CELL_WORDS and word not in SMALL and not known & {*stems(word)}
           for word in words):  # fmt: skip
        return Relation.OPEN, None
    values = [one for one in read_numbers(cell.value) if not one.soft]
    if len(values) != 1:
        return Relation.OPEN, None
    stated = values[0].raw * next((f for unit, f in _SCALES.items() if unit in cell.unit), 1.0)
    scale = next((f for unit, f in _SCALES.items() if unit in doc.text), 1.0)
    same = stated in {numbers[0].raw, numbers[0].raw * scale}
    return (Relation.SAME if same else Relation.EXCLUDES), cell


def _currencies(text: str, words: Iterable[str]) -> set[str]:
    """Return the names of the currencies of which a text has the sign or the name."""
    names = {*CURRENCY_NAMES.values()}
    return {name for sign, name in CURRENCY_NAMES.items() if sign in text} | {
        word.removesuffix("s") for word in words if word.removesuffix("s") in names
    }


def _stems(words: str) -> set[str]:
    """Return the stems of words, in the singular and in the plural."""
    forms = (form for word in words.split() for form in (word, word.removesuffix("s")))
    return {stem for form in forms for stem in stems(form)}


def _names(text: str, row: str) -> bool:
    return bool(row) and f" {_spaced(row)} " in f" {_spaced(text)} "


def _spaced(text: str) -> str:
    return " ".join(re.findall(r"[\w-]+", text.casefold().replace("'s", "").replace("’s", "")))
