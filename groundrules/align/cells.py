"""Cells of tables: what the rows of a table say of a statement that names one.

A row says all that its cells, the names of their columns and the title say together. A statement of
which a row explains every word is decided by it; where one word is left over, nothing is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from groundrules.align.words.meanings import Relation
from groundrules.align.words.normal_words import tables as word_lists
from groundrules.claims.english import IRREGULAR_VERBS
from groundrules.claims.english.logic import (
    BEHIND_NUMBERS,
    CELL_WORDS,
    CURRENCY_NAMES,
    MEASURING_WORDS,
    NUMBER_BOUNDS,
    ROUNDING_WORDS,
)
from groundrules.claims.english.stems import family, uninflected
from groundrules.claims.units.tables import Row, Table, tables
from groundrules.claims.values.measures import Number
from groundrules.claims.values.numbers import read_numbers

Place = tuple[int, int]
Found = tuple[Relation, Place | None]
_Asked = tuple[int, Number | str]
_OPEN: Found = (Relation.OPEN, None)
#: What a denied statement is to a table, by what it would be.
_DENIED = {Relation.SAME: Relation.DENIES, Relation.ENTAILS: Relation.EXCLUDES,
           Relation.EXCLUDES: Relation.ENTAILS, Relation.DENIES: Relation.SAME}  # fmt: skip
#: How far a rounded number may be off, and how little "more than" adds.
_ROUNDED, _STEP = 0.05, 1e-6
_SCALES = {"million": 1e6, "thousand": 1e3, "billion": 1e9}
_MINUS = frozenset("-−–")
#: A mark of a note that may limit a cell.
_NOTE = re.compile(r"[*†‡§^?\[~⁰¹²³⁴-⁹]|\w\(|\D \(|\d \(")
_WORD = re.compile(r"[^\W_]+(?:[-.:,][^\W_]+)*")
_DENYING = frozenset({"not", "n't", "n’t"})
_VERBAL, _SUBJECTS = frozenset({"VERB", "AUX"}), frozenset({"nsubj", "nsubjpass"})
#: Verbs whose values are not told by their unit alone.
_OF_VALUES = frozenset("run pay get need require offer hold amount".split())


def by_cells(text: str, doc: Any) -> Found:
    """Return what the tables of a text say of a parsed statement, and where the row stands."""
    found = [f for table in tables(text) if (f := _decided(table, doc, text)) != _OPEN]
    both = any(f[0].supports for f in found) and any(f[0].refutes for f in found)
    return found[0] if found and not both else _OPEN  # of two tables each may be of another year


# --- what a statement says ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of a statement that no number and no cell of a table holds, and its numbers."""

    doc: Any
    words: frozenset[str]
    numbers: tuple[Number, ...]
    denied: bool

    def names(self, name: str) -> int:
        """Return how many of its words the name of a column has."""
        return sum(bool(self.stems & _forms(word)) for word in _worded(name))

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the words, and those of what its verbs measure."""
        more = (MEASURING_WORDS[w] for w in self.words if w in MEASURING_WORDS)
        return _stems(" ".join((*self.words, *more)))

    @property
    def measures(self) -> bool:
        """Whether a word says what is measured, which then no unit does."""
        return not self.words.isdisjoint({*MEASURING_WORDS, *_OF_VALUES})

    def explained(self, known: Iterable[str]) -> bool:
        """Return whether each word is one of some texts or says nothing of its own."""
        stems = frozenset().union(*map(_stems, known))
        told = (w for w, names in MEASURING_WORDS.items() if stems & _stems(names))
        stems |= _stems(" ".join(told))
        return all(w in CELL_WORDS or _forms(w) & stems for w in self.words)


def _said(table: Table, doc: Any, mentions: Sequence[Place]) -> _Said:
    """Return what a statement says beside the cells that it mentions."""
    taken = [*mentions]
    names = frozenset(w for column in table.columns for w in _worded(column.name))
    numbers = [
        n for n in read_numbers(doc.text)
        if not (n.soft or any(_lies((n.start, n.end), one) for one in taken))
        and n.text.casefold() not in names
    ]  # fmt: skip
    taken += [(_bound(doc.text, n.start), n.end) for n in numbers]
    denying = [t for t in doc if t.lower_ in _DENYING]
    words = {
        word
        for t in doc
        if t.lower_ not in _DENYING and not any(a <= t.idx < b for a, b in taken)
        for word in ([t.lemma_.casefold()] if t.is_alpha else _WORD.findall(t.lower_))
        if word != "s"
    }
    denied = len(denying) == 1 and denying[0].head.dep_ == "ROOT"
    if denying and not denied:
        words.add("not")
    if any(
        t.tag_ == "TO" and t.dep_ == "aux"
        and MEASURING_WORDS.keys().isdisjoint({t.head.head.lemma_, t.head.head.head.lemma_})
        for t in doc
    ):  # fmt: skip
        words.add("to be")  # what is to be is not
    return _Said(doc, frozenset(words), tuple(numbers), denied)


def _bound(text: str, start: int) -> int:
    """Return where the words that bound or round a number begin."""
    before = text[:start].casefold().rstrip()
    words = (*(bounding for bounding, _, _ in NUMBER_BOUNDS), *ROUNDING_WORDS)
    found = [word for word in words if before.endswith(f" {word}")]
    return start if not found else len(before) - max(map(len, found))


def _lies(place: Place, within: Place) -> bool:
    return within[0] <= place[0] and place[1] <= within[1]


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset().union(*map(_forms, _worded(text)))


def _worded(text: str) -> list[str]:
    """Return the words of a text, and the names of the currencies whose signs it has."""
    names = (name for sign, name in CURRENCY_NAMES.items() if sign in text)
    return [*_WORD.findall(text.casefold().replace("/", " ")), *names]


def _forms(word: str) -> frozenset[str]:
    """Return what a word shares with its forms and with words made of it."""
    lemma = IRREGULAR_VERBS.get(word, word)
    return frozenset({uninflected(lemma), family(lemma), uninflected(lemma.removesuffix("s"))})


# --- what a table says --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mention:
    """A cell of words that a statement mentions: its text, the columns that have it, its place."""

    text: str
    columns: frozenset[int]
    place: Place


def _mentions(table: Table, text: str) -> list[_Mention]:
    """Return the cells of words that stand in a statement, those within longer ones left out."""
    found = []
    for cell in {cell for row in table.rows for cell in row.cells}:
        columns = frozenset(n for n in range(len(table.columns)) if cell in table.cells(n))
        worded = any(c.isalpha() for c in cell) and not _is_value(cell)
        numbered = not worded and 0 in columns and table.columns[0].name
        pattern = re.escape(cell)
        if numbered:  # "route 14"
            pattern = rf"(?:{re.escape(table.columns[0].name)}) {pattern}"
        elif not worded:
            continue
        for match in re.finditer(rf"(?i)(?<![\w-])(?:{pattern})(?![\w-])", text):
            only = frozenset({0}) if numbered else columns
            found.append(_Mention(cell, only, match.span()))
    days = {n.day: cell for cell in table.cells(0) if (n := measured(cell, "")) and n.day}
    found += [
        _Mention(days[n.day], frozenset({0}), (n.start, n.end))
        for n in read_numbers(text) if n.day in days
    ]  # fmt: skip
    places = {one.place for one in found}
    return [one for one in found if not any(_lies(one.place, o) for o in places - {one.place})]


def _is_value(cell: str) -> bool:
    """Return whether a cell has a number and perhaps its unit, and is no name like "Lava 3"."""
    return bool(re.match(r"[€£$¥₹<>~≈−–-]?\s?\d", cell)) and len(cell.split()) < 3


@lru_cache(maxsize=4096)
def measured(cell: str, unit: str) -> Number | None:
    """Return the one number of a cell with the unit of its column, None where there is none."""
    if not word_lists()["scaling"].isdisjoint(re.findall(r"\w+", unit)) or ",000" in unit:
        return None  # "dozens", "€ 10,000"
    sign = next((s for s in CURRENCY_NAMES if s in unit), "")
    scale = next((s for s in _SCALES if s in unit), "")
    names = [word for word in unit.split() if word not in _SCALES]
    first = "" if sign else (names or [""])[0]
    below = cell[:1] in _MINUS
    digits = cell[1:].lstrip() if below else cell
    text = " ".join(f"{'-' * below}{sign}{digits} {scale} {first}".split())
    found = [one for one in read_numbers(text) if not one.soft]
    if len(found) != 1 or not (digits[:1].isdigit() or digits[:1] in CURRENCY_NAMES):
        return None
    rest = text[: found[0].start] + text[found[0].end :]
    value = found[0].value
    if scale and found[0].kind == "NUMBER" and value == found[0].raw:
        value *= _SCALES[scale]
    return replace(found[0], value=value) if len(rest.split()) < 3 else None


def _numbers_of(table: Table, column: int) -> list[Number | None]:
    unit = table.columns[column].unit
    return [measured(cell, unit) for cell in table.cells(column)]


def _kinds(table: Table, column: int) -> set[tuple[str, str]]:
    """Return what a column measures."""
    return {n.measure for n in _numbers_of(table, column) if n is not None}


def _best(table: Table, said: _Said, columns: Iterable[int]) -> int | None:
    """Return the column whose name a statement has most of, None where two have as much."""
    scored = sorted(((said.names(table.columns[n].name), n) for n in columns), reverse=True)
    if not scored or scored[0][0] == 0 or (len(scored) > 1 and scored[0][0] == scored[1][0]):
        return None
    return scored[0][1]


def _column_of(table: Table, said: _Said, number: Number) -> int | None:
    """Return the column that a number of a statement is told of, by its name or its unit."""
    plain = number.kind == "NUMBER" and not number.noun  # "a height of 88"
    fitting = [
        n for n in range(len(table.columns))
        if number.measure in _kinds(table, n) or (plain and n and _kinds(table, n))
    ]  # fmt: skip
    named = _best(table, said, fitting)
    if named is not None:
        return named
    if number.kind == "NUMBER":  # "16 screws" in a column of screws
        noun = _stems(number.noun or "")
        nouns = [n for n in fitting if noun & _unit_stems(table, n)]
        return nouns[0] if len(nouns) == 1 else None
    return fitting[0] if len(fitting) == 1 and not said.measures else None


def _unit_stems(table: Table, column: int) -> frozenset[str]:
    return _stems(table.columns[column].unit).union(*map(_stems, table.cells(column)))


def _explained(table: Table, said: _Said, columns: Iterable[int]) -> bool:
    """Return whether title, head of the rows and names of columns have all that is said."""
    used = [table.columns[n] for n in columns]
    known = [table.title, table.columns[0].name, *(f"{c.name} {c.unit}" for c in used)]
    return said.explained(known)


# --- a row and its values -----------------------------------------------------------------------


def _decided(table: Table, doc: Any, text: str) -> Found:
    mentions = _mentions(table, doc.text)
    said = _said(table, doc, [m.place for m in mentions])
    relation, place = _stated(table, said, mentions)
    if place is None:
        return _OPEN
    if relation is Relation.SAME and _is_told_of(table, text, place):
        relation = Relation.ENTAILS
    return (_DENIED.get(relation, Relation.OPEN) if said.denied else relation), place


def _is_told_of(table: Table, text: str, place: Place) -> bool:
    """Return whether a text says more of a row, or of what its table tells, outside the table."""
    row = next(one for one in table.rows if one.place == place)
    start, end = min(table.head[0], place[0]), table.rows[-1].place[1]
    around = f"{text[:start]} {text[end:]}"
    named = re.search(rf"(?i)(?<!\w){re.escape(row.cells[0])}(?!\w)", around)
    names = frozenset().union(*(_stems(column.name) for column in table.columns))
    told = _stems(text[end:].strip().partition("\n\n")[0])  # a note under the table
    return bool(named) or not told.isdisjoint(names | _stems(" ".join(word_lists()["tabled"])))


def _stated(table: Table, said: _Said, mentions: Sequence[_Mention]) -> Found:
    """Return what a table says of values of one row: all stand in it, or one is another."""
    asked: list[_Asked] = []
    for one in mentions:
        column = min(one.columns) if len(one.columns) == 1 else _best(table, said, one.columns)
        if column is None:
            return _OPEN
        asked.append((column, one.text))
    for number in said.numbers:
        column = _column_of(table, said, number)
        if column is None:
            return _OPEN
        asked.append((column, number))
    columns = [column for column, _ in asked]
    if len(asked) < 2 or len({*columns}) < len(columns) or not _explained(table, said, columns):
        return _OPEN
    relations = [[_holds(table, row, said, *one) for one in asked] for row in table.rows]
    for row, found in zip(table.rows, relations, strict=True):
        if all(one.supports for one in found):
            weaker = Relation.ENTAILS in found or not _is_named(table, row, said, asked)
            return (Relation.ENTAILS if weaker else Relation.SAME), row.place
    return _excluded(table, relations)


def _is_named(table: Table, row: Row, said: _Said, asked: Sequence[_Asked]) -> bool:
    """Return whether a statement has all that names its values, and nothing limits the row."""
    used = [(table.columns[n], row.cells[n], value) for n, value in asked if n]
    names = [column.name for column, _, _ in used]
    spare = [column.name for column in table.columns if column.name not in names]
    around = {word for text in (table.title, *names, *row.cells) for word in _WORD.findall(text)}
    lists = word_lists()
    limits = lists["limiting"] | lists["scoping"]
    stems = _stems(said.doc.text) | said.stems
    units = [
        " ".join(word for word in c.unit.split() if word not in _SCALES)
        for c, cell, value in used
        if isinstance(value, str) or not _is_figure(f"{cell} {c.unit}".strip())
    ]
    asked_for = _worded(" ".join((*names, *units)))
    own = stems | _stems(" ".join((table.columns[0].name, *names)))
    told = all(_forms(w) & stems for w in asked_for if w not in CELL_WORDS) and all(
        _forms(w) & own for w in _worded(table.title) if w not in CELL_WORDS
    )
    alone = all(table.cells(0)) and table.cells(0).count(row.cells[0]) == 1
    known = _stems(" ".join(names))
    wanting = any(not _forms(word) & known for word in said.words & lists["wanting"])
    held = all(_is_of(said.doc, row.cells[0], column.name)
               for column, _, value in used if isinstance(value, str))  # fmt: skip
    held &= all(
        _is_figure(cell.lstrip("−–-")) for _, cell, value in used if not isinstance(value, str)
    )
    marked = any(_NOTE.search(cell) for cell in (*row.cells, *names))
    noted = not lists["noting"].isdisjoint(_worded(" ".join(spare)))
    bound = not limits.isdisjoint(map(str.lower, around))
    return told and alone and held and not (wanting or marked or noted or bound)


def _is_figure(text: str) -> bool:
    """Return whether a text is a figure and nothing else: not "428,000 est."."""
    found = [one for one in read_numbers(text) if not one.soft]
    return len(found) == 1 and found[0].text == text


def _is_of(doc: Any, name: str, column: str) -> bool:
    """Return whether a statement has a thing as that of which a column tells: "Maple's manager"."""
    first = doc.text.casefold().find(name.casefold())
    token = next((t for t in doc if t.idx >= first >= 0), None)
    while token is not None and token.dep_ in {"compound", "nmod", "amod"}:
        token = token.head
    if token is None or not (token.dep_ == "poss" or token.head.lower_ == "of"):
        return False
    head = token.head if token.dep_ == "poss" else token.head.head
    return bool(_forms(head.lemma_.casefold()) & _stems(column))


def _excluded(table: Table, relations: Sequence[Sequence[Relation]]) -> Found:
    """Return the only row that has all but one of some values, if there is one."""
    if not all(any(one.refutes for one in found) for found in relations):
        return _OPEN
    for odd in range(len(relations[0])):
        rest = [n for n, found in enumerate(relations)
                if all(one.supports for i, one in enumerate(found) if i != odd)]  # fmt: skip
        if len(rest) == 1 and relations[rest[0]][odd].refutes:
            return Relation.EXCLUDES, table.rows[rest[0]].place
    return _OPEN


def _holds(table: Table, row: Row, said: _Said, column: int, value: Number | str) -> Relation:
    """Return how a cell stands to a value that a statement has of its column."""
    cell = row.cells[column]
    if isinstance(value, str):
        if cell == value:
            return Relation.SAME
        several = column and _stems(cell) & _stems(value)  # "red and blue"
        return Relation.OPEN if several else Relation.EXCLUDES
    known = measured(cell, table.columns[column].unit)
    if known is not None and value.kind == "NUMBER" and not value.noun:
        if value.value == known.raw and any(s in table.columns[column].unit for s in _SCALES):
            return Relation.OPEN  # "120" under "thousands"
        scaled = value.value != value.raw or value.value == known.value  # "3.9 million"
        least = known.value if scaled else known.raw
        known = replace(known, kind="NUMBER", unit="", value=least, day=None)
    if known is None or known.measure != value.measure:
        return Relation.OPEN
    if known.day is not None or value.day is not None:
        return Relation.SAME if known.day == value.day else Relation.EXCLUDES
    low, high = _range(said.doc.text, value)
    if value.hedge and low == high:
        return Relation.OPEN
    if not low <= known.value <= high and not math.isclose(low, known.value, rel_tol=1e-9):
        return Relation.EXCLUDES
    return Relation.SAME if low == high else Relation.ENTAILS


def _range(text: str, number: Number) -> tuple[float, float]:
    """Return the least and the greatest that a number may be, by the words around it."""
    size = number.value
    side, beyond = BEHIND_NUMBERS.get(" ".join(text[number.end :].casefold().split()[:2])), False
    before = text[: number.start].casefold().rstrip()
    for words, bound, apart in NUMBER_BOUNDS if side is None else ():
        if before.endswith(f" {words}"):
            side, beyond = bound, apart
            break
    if side == "most":
        return -math.inf, size - _STEP * beyond
    if side == "least":
        return size + _STEP * beyond, math.inf
    rounded = _ROUNDED * before.endswith(ROUNDING_WORDS)
    return size * (1 - rounded), size * (1 + rounded)
