"""Comparisons of two values that a source gives: which is more, and which a statement says is.

Both values are found by the names that a statement compares: beside them in one sentence, in two
cells of a table or in a change from one value to another. Where several readings are left that do
not agree, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from groundrules.align.comparatives import SIZES, TOKEN, Claim, claims, labels
from groundrules.align.limits import AS_SURE, DIFFERENCE, SURE_OF_SEVERAL
from groundrules.align.measures import Number
from groundrules.align.places import FigureIndex, Known, Unit, index_figures, sense
from groundrules.align.wordalign import Text
from groundrules.claims.english.fillers import OF_COMPARISONS
from groundrules.claims.english.signals import FRONTED

__all__ = ["Comparison", "compared", "indexed"]

_FROM = re.compile(r"(?i:\bfrom\s(?:about\s|around\s|some\s)?)\Z")
_TO = re.compile(r"(?i:[^.;,]{0,30}?\bto\s(?:about\s|around\s|some\s)?)")
_WAS = re.compile(
    r"(?i:[^.;,(]{0,24}\s?(?:[(,]\s?(?:was|previously|formerly|before|earlier|[a-z]*\s?(?:19|20)\d\d|autumn"
    r"|spring|summer|winter|last\s\w+|a\s(?:year|month|week)\s(?:ago|earlier)):?\s"
    r"|,?\s?\(?(?:up|down)\sfrom\s|,?\s?(?:compared\swith|against)\s))"
)
_OF_WHICH = re.compile(r"(?i:[^.;]{0,24},?\s(?:of\s(?:which|whom|them|these)|including)\s)")
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_RULE = re.compile(r"[\s|:+=-]+")
_TOTAL = re.compile(r"(?i:\b(?:total|all|sum|overall|valid|together|average|mean)\b)")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison in a statement and whether the source's two values bear it out.

    `start` and `end` are code points of the statement, its left side starts at `begin`; `places`
    are the source and ranges of the two values, `stated` their words.
    """

    start: int
    end: int
    begin: int
    claimed: str
    holds: bool
    stated: str
    places: tuple[tuple[int, int, int], ...]
    similarity: float


@lru_cache(maxsize=64)
def indexed(passages: tuple[str, ...]) -> FigureIndex:
    """Return an index of the numbers of some passages, each a source."""
    return index_figures(passages, [[(0, len(passage))] for passage in passages])


@dataclass(frozen=True, slots=True)
class _Found:
    """Two values of the source, what each stands for, and how surely."""

    one: Known
    other: Known
    sure: float
    words: str = ""


def compared(statement: Text, index: FigureIndex) -> tuple[Comparison, ...]:
    """Return the comparisons of a statement for which the source gives both values."""
    out = []
    fronted = statement.doc[0].lower_ in FRONTED if len(statement.doc) else False
    for claim in claims(statement):
        if claim.among is not None:
            found = list(_ranked(claim, index))
        else:
            found = [
                *_adjacent(claim, index), *_tabled(claim, index), *_changed(claim, index),
                *_parted(claim, index),
            ]  # fmt: skip
        verdict = _verdict(claim, found)
        if verdict is None:
            continue
        holds, best = verdict
        last = statement.doc[max(claim.token, claim.end - 1)]
        start = statement.doc[claim.token]
        out.append(
            Comparison(
                int(start.idx),
                int(start.idx + len(start)),
                int(statement.doc[claim.begin].idx),
                statement.text[start.idx : last.idx + len(last)].strip(" ,;:."),
                holds,
                best.words or f"{best.one.number.text} against {best.other.number.text}",
                (best.one.place, best.other.place),
                best.sure * (0.4 if fronted else 1.0),
            )
        )
    return tuple(out)


def _verdict(claim: Claim, found: Sequence[_Found]) -> tuple[bool, _Found] | None:
    """Return whether the values bear a comparison out, None where readings differ or none is."""
    if not found:
        return None
    if claim.among is not None:
        return found[0].sure == 1.0, found[0]
    most = max(f.sure for f in found)
    best = [f for f in found if f.sure >= most - AS_SURE]
    signs = {_sign(f.one.number, f.other.number) for f in best}
    if len(signs) != 1 or None in signs:
        return None
    (sign,) = signs
    return sign == claim.way, best[0]


def _sign(one: Number, other: Number) -> int | None:
    """Return 1 where the first of two numbers is more, -1 where it is less, 0 where neither is."""
    if one.kind != other.kind:
        return None
    if one.kind == "DATE":
        if one.day is None or other.day is None:
            return None
        if [p is None for p in one.day] != [p is None for p in other.day]:
            return None
        if one.day[:2] == (None, None):
            return None
        first = [p for p in one.day if p is not None]
        second = [p for p in other.day if p is not None]
        return (first > second) - (first < second)
    return (one.value > other.value) - (one.value < other.value)


def _admits(kinds: frozenset[str], number: Number) -> bool:
    return number.kind in kinds or f"{number.kind}:{number.unit}" in kinds


def _same_measure(one: Number, other: Number) -> bool:
    """Return whether two numbers measure one thing."""
    if one.measure != other.measure or one.soft or other.soft:
        return False
    if one.unit in {"nth", "times"}:
        return False
    return one.kind != "NUMBER" or not (
        one.noun and other.noun and sense(one.noun) != sense(other.noun)
    )


@dataclass(frozen=True, slots=True)
class _Mark:
    """A thing or number in a stretch of text, in order."""

    kind: str
    start: int
    known: Known | None = None


def _adjacent(claim: Claim, index: FigureIndex) -> Iterator[_Found]:
    """Give two values that stand beside the two names in one stretch of text."""
    for here in _holding(index, claim.right_only):
        unit = index.units[here]
        if unit.columns:
            continue
        text = index.texts[unit.source]
        over = frozenset((*unit.heading, *unit.lead))
        for begin, end in _stretches(text, unit):
            said = labels(text, begin, end)
            if not claim.right_only <= said:
                continue
            for head in claim.heads:
                head = head - claim.right
                if not head or not head <= said:
                    continue
                if not claim.must <= said | over:
                    continue
                numbers = [
                    index.numbers[n] for n in index.inside.get(here, ())
                    if begin <= index.numbers[n].number.start < end
                ]  # fmt: skip
                pair = _assigned(text, begin, end, head, claim, numbers)
                if pair is None:
                    continue
                rest = len((claim.left - claim.right) & (said | over)) > 1
                if _differ(claim, *pair):
                    yield _Found(*pair, 0.95)
                elif claim.measure and claim.measure <= said | over:
                    yield _Found(*pair, 0.9)
                elif claim.kinds is not SIZES and not claim.measure:
                    yield _Found(*pair, 0.9 if rest else 0.7)
                elif rest:
                    yield _Found(*pair, 0.55 if claim.measure else 0.7)


def _parted(claim: Claim, index: FigureIndex) -> Iterator[_Found]:
    """Give a part beside the rest of its whole, where nothing in the source names the rest."""
    if claim.difference is not None or any(index.postings.get(word) for word in claim.right_only):
        return
    for here, held in index.inside.items():
        unit = index.units[here]
        text = index.texts[unit.source]
        if unit.columns:
            continue
        for n, m in pairwise(held):
            whole, part = index.numbers[n], index.numbers[m]
            between = text[whole.number.end : part.number.start]
            if not _OF_WHICH.fullmatch(between) or not _admits(claim.kinds, part.number):
                continue
            if whole.number.kind != part.number.kind or part.number.value <= 0:
                continue
            end = min(unit.end, part.number.end + 24)
            if not (claim.left - claim.measure) & labels(text, part.number.end, end):
                continue
            rest = whole.number.value - part.number.value
            if rest <= 0 or whole.number.unit != part.number.unit:
                continue
            other = replace(part, number=replace(part.number, value=rest))
            shown = f"{part.number.text} of {whole.number.text}"
            yield _Found(part, other, 0.75, shown)


def _differ(claim: Claim, one: Known, other: Known) -> bool:
    """Return whether two values differ by what the statement says, so that they are meant."""
    by = claim.difference
    if by is None or by.measure != one.number.measure:
        return False
    return abs(abs(one.number.value - other.number.value) - by.value) <= DIFFERENCE * abs(by.value)


def _holding(index: FigureIndex, names: frozenset[str]) -> list[int]:
    """Return the units with numbers that have all of some names."""
    if not names:
        return []
    listed = [set(index.postings[name]) for name in names if name in index.postings]
    units = set(index.inside).intersection(*listed)
    return [
        here
        for here in sorted(units)
        if names <= labels(index.texts[index.units[here].source], *_range(index.units[here]))
    ]


def _range(unit: Unit) -> tuple[int, int]:
    return unit.start, unit.end


_SPLIT = re.compile(r";\s|\n|(?<=[a-z0-9)])\.\s")


def _stretches(text: str, unit: Unit) -> Iterator[tuple[int, int]]:
    """Give a unit without its line breaks, then the parts between semicolons."""
    at = unit.start
    parts = []
    for mark in _SPLIT.finditer(text, unit.start, unit.end):
        parts.append((at, mark.start()))
        at = mark.end()
    parts.append((at, unit.end))
    if len(parts) > 1 and "\n" not in text[unit.start : unit.end].strip():
        yield unit.start, unit.end
    yield from parts


def _assigned(
    text: str, begin: int, end: int, head: frozenset[str], claim: Claim, numbers: Sequence[Known]
) -> tuple[Known, Known] | None:
    """Return the values of the two names, None where their order does not tell."""
    names = head | claim.right_only
    values = [
        k for k in numbers
        if _admits(claim.kinds, k.number) and not k.number.soft and k.number.unit != "nth"
        and not (labels(text, k.number.start, k.number.end) & names)
    ]  # fmt: skip
    if claim.measure:
        named = [k for k in values if k.number.noun and sense(k.number.noun) in claim.measure]
        other = [k for k in values if k.number.noun and sense(k.number.noun) not in claim.measure
                 and sense(k.number.noun) not in names]  # fmt: skip
        if named:
            values = [k for k in values if k not in other]
    if len(values) != 2 or not _same_measure(values[0].number, values[1].number):
        return None
    marks = [_Mark("n", k.number.start, k) for k in values]
    for match in TOKEN.finditer(text, begin, end):
        if any(k.number.start <= match.start() < k.number.end for k in values):
            continue
        word = sense(match[0])
        if match[0].casefold() in OF_COMPARISONS:
            continue
        if word in head:
            marks.append(_Mark("a", match.start()))
        elif word in claim.right_only:
            marks.append(_Mark("b", match.start()))
    marks.sort(key=lambda mark: mark.start)
    order = ""
    for mark in marks:
        if mark.kind == "n" or not order.endswith(mark.kind):
            order += mark.kind
    first, second = values
    if order in {"anbn", "nanb", "annb", "nabn"}:
        between = text[first.number.end : second.number.start]
        if order in {"nabn"} and not re.search(r"[,;:]|\b(?:while|whereas|but|and)\b", between):
            return None
        return first, second
    if order in {"bnan", "nbna", "bnna", "nban"}:
        if order in {"nban"}:
            between = text[first.number.end : second.number.start]
            if not re.search(r"[,;:]|\b(?:while|whereas|but|and)\b", between):
                return None
        return second, first
    return None


def _rows(index: FigureIndex) -> Iterator[tuple[Unit, list[tuple[int, Unit]]]]:
    """Give each table: its header and its other rows, with their numbers."""
    header: Unit | None = None
    rows: list[tuple[int, Unit]] = []
    for here, unit in enumerate(index.units):
        if _RULE.fullmatch(index.texts[unit.source], unit.start, unit.end):
            continue
        if header is not None and (not unit.columns or header.source != unit.source):
            yield header, rows
            header = None
        if unit.columns and header is None:
            header, rows = unit, []
        elif unit.columns:
            rows.append((here, unit))
    if header is not None:
        yield header, rows


@dataclass(frozen=True, slots=True)
class _Cell:
    row: int
    column: int
    labels: frozenset[str]
    own: frozenset[str]
    known: Known


def _cells(index: FigureIndex, header: Unit, rows: Sequence[tuple[int, Unit]]) -> list[_Cell]:
    text = index.texts[header.source]
    out = []
    for line, (here, unit) in enumerate(rows):
        shift = len(unit.columns) - len(header.columns)
        first = labels(text, *unit.columns[0][:2])
        for start, end, _ in unit.columns[1:]:
            if not any(
                start <= index.numbers[n].number.start < end for n in index.inside.get(here, ())
            ):
                first |= labels(text, start, end)
        for number, (start, end, _) in enumerate(unit.columns):
            if not number:
                continue
            held = [
                index.numbers[n] for n in index.inside.get(here, ())
                if start <= index.numbers[n].number.start < end
            ]  # fmt: skip
            above = number - shift if shift > 0 else number
            if len(held) != 1 or not 0 <= above < len(header.columns):
                continue
            top = labels(text, *header.columns[above][:2])
            over = frozenset((*unit.heading, *unit.lead))
            out.append(_Cell(line, number, first | top | over, first | top, held[0]))
    return out


def _tabled(claim: Claim, index: FigureIndex) -> Iterator[_Found]:
    """Give two cells of a table in one row or column whose heads the two sides name."""
    for header, rows in _rows(index):
        cells = _cells(index, header, rows)
        ones = [cell for cell in cells if claim.left & cell.own]
        found: list[tuple[int, _Cell, _Cell, float]] = []
        for other in cells:
            right = claim.right & other.own
            if not right or (claim.right - claim.left) - other.labels:
                continue
            for one in ones:
                if one is other or (one.row == other.row) == (one.column == other.column):
                    continue
                if (claim.right - claim.left) <= one.own:
                    continue
                if not _same_measure(one.known.number, other.known.number):
                    continue
                if not _admits(claim.kinds, one.known.number):
                    continue
                told = (claim.left & one.own) - other.own
                if not told or claim.must - one.labels or claim.must - other.labels:
                    continue
                if not any(head & told for head in claim.heads):
                    continue
                common = one.labels & other.labels
                sure = 0.9 if (claim.measure | claim.must) & common else 0.7
                if claim.kinds is not SIZES and not claim.measure:
                    sure = 0.9
                score = len(claim.left & one.labels) + len(claim.right & other.labels)
                if _differ(claim, one.known, other.known):
                    sure, score = 0.95, score + 1
                found.append((score + (sure > SURE_OF_SEVERAL), one, other, sure))
        most = max((score for score, *_ in found), default=0)
        best = [f for f in found if f[0] == most]
        for _, one, other, sure in best:
            if len(best) == 1 or sure > SURE_OF_SEVERAL:
                yield _Found(one.known, other.known, sure)


def _changed(claim: Claim, index: FigureIndex) -> Iterator[_Found]:
    """Give the two values of a change, where a statement compares now and before."""
    if not claim.before and not any(word[0].isdigit() for word in claim.right_only):
        return
    wanted = claim.measure | claim.must
    if not wanted:
        return
    for here, held in index.inside.items():
        unit = index.units[here]
        if unit.columns or len(held) < 2:
            continue
        text = index.texts[unit.source]
        for n, m in pairwise(held):
            one, other = index.numbers[n], index.numbers[m]
            if not _same_measure(one.number, other.number) or not _admits(claim.kinds, one.number):
                continue
            begin = max(
                unit.start, *(text.rfind(mark, unit.start, one.number.start) for mark in ".;")
            )
            if not wanted <= labels(text, begin, one.number.start):
                continue
            ahead = text[begin : one.number.start]
            between = text[one.number.end : other.number.start]
            if _FROM.search(ahead) and _TO.fullmatch(between):
                yield _Found(other, one, 0.8)
            elif _WAS.fullmatch(between):
                yield _Found(one, other, 0.8)


def _ranked(claim: Claim, index: FigureIndex) -> Iterator[_Found]:
    """Give the value of a row beside that of the row that is the most of its column.

    Where a column is left open, one in which the statement holds is enough.
    """
    found: list[_Found] = []
    for header, rows in _rows(index):
        text = index.texts[header.source]
        cells = _cells(index, header, rows)
        marks = {line: _marked(text, unit) for line, (_, unit) in enumerate(rows)}
        named = {
            line for line, (_, unit) in enumerate(rows)
            if claim.heads[0] & labels(text, *unit.columns[0][:2])
        }  # fmt: skip
        if len(named) != 1:
            continue
        (line,) = named
        columns: list[dict[int, tuple[float, Known]]] = []
        for column in sorted({cell.column for cell in cells}):
            of = [c for c in cells if c.column == column and marks[c.row] == marks[line]]
            own = next((c for c in of if c.row == line), None)
            if own is None:
                continue
            if claim.measure and not claim.measure <= own.labels | claim.heads[0]:
                continue
            of = [c for c in of if _same_measure(c.known.number, own.known.number)]
            if claim.growth:
                columns += _growth(text, header, cells, of, column)
            elif _admits(claim.kinds, own.known.number):
                columns.append({c.row: (c.known.number.value, c.known) for c in of})
        for values in columns:
            if line not in values or len(values) < 3 or (claim.among or len(values)) != len(values):
                continue
            best = max(values.values(), key=lambda v: v[0] * claim.way)
            mine = values[line]
            rival = max(
                (v for row, v in values.items() if row != line), key=lambda v: v[0] * claim.way
            )
            if mine[0] == best[0] != rival[0]:
                yield _Found(mine[1], rival[1], 1.0)
                return
            if rival[0] != mine[0]:
                shown = f"{mine[0] - 1:+.1%} against {rival[0] - 1:+.1%}" if claim.growth else ""
                found.append(_Found(mine[1], rival[1], 0.9 if claim.among else 0.55, shown))
    yield from found[:1]


def _marked(text: str, unit: Unit) -> str:
    """Return the mark before a row's label that tells parts from their whole."""
    shown = text[unit.columns[0][0] : unit.columns[0][1]].strip()
    if _TOTAL.search(shown):
        return "total"
    return shown[:1] if shown[:1] in "-–•*" else ""


def _growth(
    text: str, header: Unit, cells: Sequence[_Cell], of: Sequence[_Cell], column: int
) -> Iterator[dict[int, tuple[float, Known]]]:
    """Give the growth of rows from the column of an earlier year of the same period."""
    tops = {number: text[start:end] for number, (start, end, _) in enumerate(header.columns)}
    here = _YEAR.search(tops.get(column, ""))
    if here is None:
        return
    for other, top in tops.items():
        there = _YEAR.search(top)
        if there is None or int(there[0]) != int(here[0]) - 1:
            continue
        if _YEAR.sub("", top).split() != _YEAR.sub("", tops[column]).split():
            continue
        before = {c.row: c.known.number.value for c in cells if c.column == other}
        yield {
            c.row: (c.known.number.value / before[c.row], c.known)
            for c in of if before.get(c.row)
        }  # fmt: skip
