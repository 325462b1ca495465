"""A sum that is written out, made of numbers of the sources: each of its measure, or none at all.

A number is tried as all that it may be: of a source, in the unit there or another, of the
statement, of a step before, a share or a factor. What is added up must be of one measure, and what
comes out of the measure of the figure, so that few figures come of numbers that are not meant.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from groundrules.align.derivations import Derivation
from groundrules.align.measures import NO_CURRENCY, Number, fits
from groundrules.align.operands import column_of
from groundrules.align.places import FigureIndex, Known
from groundrules.align.sum_notation import (
    MOST,
    SIGNS,
    Side,
    Term,
    adds,
    count,
    parts,
    read_sums,
    row_of,
)

#: Numbers that a sum may multiply by or divide by though no source has them, one of them in each:
#: the count of a few things, and what a day, a year, an hour and a whole have.
_FACTORS = frozenset([*range(2, 13), 24, 52, 60, 100, 365, 1000])
#: Those of them that tell units apart.
_CONVERTING = frozenset([24, 52, 60, 365, 1000])
_COUNT, _PERCENT = ("NUMBER", ""), ("PERCENT", "")
#: A duration may be told in hours and minutes, which is counted in days, and an amount by the
#: thousand: "75" of "1 hour 15 minutes".
_CONVERTED = {"DURATION": (1.0, 24.0, 1440.0), "QUANTITY": (1.0, 1000.0, 0.001)}
#: So many sums of a text are looked at, and none with more numbers.
_STEPS, _TERMS = 4, 12
#: Shares that differ by less are the same.
_NEAR = 1e-9
#: Of a side of a sum so many readings are tried.
_WAYS = 6
#: Kind and unit; None is any, as that of a cell of a table, and empty none, as that of a share.
_Measure: TypeAlias = "tuple[str, str] | tuple[()] | None"
_Places: TypeAlias = tuple[tuple[int, int, int], ...]
_Act: TypeAlias = Callable[[float, float], float]
_MORE = r"""more|again|extra|higher|longer|larger|bigger|dearer|rose|ris(?:en?|es|ing)|gr[eo]w\w*|up
    |gain\w*|increas\w*|climb\w*"""
_LESS = r"""less|fewer|lower|shorter|smaller|cheaper|fell|fall\w*|drop\w*|down|los[et]\w*|decreas\w*
    |cuts?|reduc\w*|off|declin\w*|shr[aiu]nk\w*"""
#: Words that make a share one of change: behind it, as in "a quarter more", or ahead of it.
_CHANGE_BEHIND = re.compile(
    rf"(?aix)(?:\s(?!of\b|as\b)\w+){{0,2}}?\s(?:as\s\w+\s)?(?:(?P<more>{_MORE})|(?P<less>{_LESS})|[a-z]+er)\b"
)
_CHANGE_AHEAD = re.compile(
    rf"(?aix)\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))(?:\s\w+){{0,2}}\sby\s(?:\w+\s){{0,2}}\Z"
)


@dataclass(frozen=True, slots=True)
class _Made:
    """What a side of a sum comes to.

    `raw` is reckoned with the numbers as they are written, `value` in base units, and `plain` so
    without the factor that no source has, which may convert units then. The `measure` is None for a
    cell of a table, which may be of any, and empty for a factor or a share, which has none. It is
    `firm` where it rests on a number of a source that is no share and no factor any sum may have,
    and a `ratio` where a number is divided by one of its measure. `free` counts the factors that no
    source has and `count` all numbers; `over` and `under` are those that multiply and divide. What
    is a difference, or the share that one is, `differs`.
    """

    raw: float
    value: float
    plain: float
    measure: _Measure = ()
    places: _Places = ()
    firm: bool = False
    ratio: bool = False
    noun: str = ""
    differs: bool = False
    free: frozenset[float] = frozenset()
    count: int = 1
    over: frozenset[float] = frozenset()
    under: frozenset[float] = frozenset()


def reckon_written(
    statement: str, claim: Number, given: Sequence[Number], said: str, index: FigureIndex
) -> Derivation | None:
    """Return the sum that is written out and comes to a claimed number, None where none does.

    A sum of several steps may use what those before it come to, unrounded.
    """
    known = {one.raw: _of_number(one, (), one.raw) for one in given}
    change = _change(statement, claim)
    for one in itertools.islice(read_sums(said), _STEPS):
        if count(one.whole) > _TERMS:
            continue
        for made in _ways(one.whole, known, index):
            if len(made.free) > 1 or made.count > MOST or not made.firm:
                continue
            least = 0.5 * 10.0**-one.given.digits + _NEAR
            wholes = (1.0, 100.0) if one.given.percent and made.ratio else (1.0,)
            if all(abs(made.raw * whole - one.given.value) > least for whole in wholes):
                continue
            made = replace(made, places=tuple(dict.fromkeys(made.places)))
            known[one.given.value] = made
            if _gives(claim, made, change):
                return Derivation(one.words, made.places)
    return None


def _of_number(number: Number, places: _Places, raw: float, *, cell: bool = False) -> _Made:
    """Return what a number comes to by itself."""
    bare = number.kind == "NUMBER" and not number.unit and not number.noun
    if cell and bare:
        return _Made(raw, raw, raw, None, places, firm=True, over=frozenset([raw]))
    value, over = number.value, frozenset([raw])
    return _Made(
        raw, value, value, number.measure, places, bool(places), noun=number.noun, over=over
    )


def _ways(
    side: Side, known: Mapping[float, _Made], index: FigureIndex, *, factor: bool = False
) -> list[_Made]:
    """Return what a side of a sum may come to, by what its numbers may be: `_WAYS` at most.

    `known` is what the statement has and what steps before come to, as they are written.
    """
    if isinstance(side, Term):
        return [*itertools.islice(_read_term(side, known, index, factor=factor), _WAYS)]
    if row := row_of(side):
        found_row = _row(row, index)
        return [found_row] if found_row else []
    pairs = itertools.combinations(parts(side), 2)
    if any(one[0] is not other[0] and one[1] == other[1] for one, other in pairs):
        return []  # one part undoes another
    of_share = side.sign == "of" and isinstance(side.left, Term) and side.left.percent
    act = operator.mul if of_share else SIGNS[side.sign]
    join = _added if adds(side.sign) else _quotient if act is operator.truediv else _product
    sides = (
        _ways(one, known, index, factor=not adds(side.sign)) for one in (side.left, side.right)
    )
    found = (join(left, right, act) for left, right in itertools.product(*sides))
    distinct = {(one.measure, one.ratio, one.value): one for one in found if one is not None}
    return [*itertools.islice(distinct.values(), _WAYS)]


def _added(left: _Made, right: _Made, act: _Act) -> _Made | None:
    """Return a sum or a difference of two numbers of one measure, each of which is firm.

    A cell is added to what is written in the same unit, not to "£3 million".
    """
    if not (left.firm and right.firm) or () in (left.measure, right.measure):
        return None
    mixed = left.measure != right.measure
    if not _alike(left, right) or (mixed and (left.value, right.value) != (left.raw, right.raw)):
        return None
    raw = act(left.raw, right.raw)
    return replace(
        _together(left, right),
        raw=raw,
        value=act(left.value, right.value),
        plain=act(left.plain, right.plain),
        measure=left.measure or right.measure,
        differs=act is operator.sub,
        over=frozenset([raw]),
        under=frozenset(),
    )


def _alike(left: _Made, right: _Made) -> bool:
    """Return whether two numbers may be of one measure: a cell of a table may be of any."""
    return None in (left.measure, right.measure) or left.measure == right.measure


def _together(left: _Made, right: _Made) -> _Made:
    """Return what rests on both sides of a sum."""
    return replace(
        left,
        places=(*left.places, *right.places),
        firm=left.firm or right.firm,
        ratio=False,
        noun=left.noun if left.noun == right.noun else "",
        differs=False,
        free=left.free | right.free,
        count=left.count + right.count,
    )


def _product(left: _Made, right: _Made, act: _Act) -> _Made | None:
    """Return a product: it is of the measure of one side, and the other tells how often.

    A count tells that, or else what is paid for, goes or lasts so long; a percentage does not, nor
    a ratio, which only a hundred makes one of a hundred.
    """
    if left.measure == right.measure and left.measure not in ((), None, _COUNT):
        return None
    for ratio, whole in ((left, right), (right, left)):
        if ratio.ratio and whole.free == {100.0} and not whole.measure:
            return replace(ratio, raw=ratio.raw * 100, free=ratio.free | whole.free)
    both = {left.measure, right.measure}
    if left.ratio or right.ratio or (_PERCENT in both and not both <= {_PERCENT, (), _COUNT}):
        return None
    measured, times = sorted((left, right), key=lambda one: _rank(one.measure))
    measure = measured.measure
    if measure == _COUNT and times.measure is None:
        measure = None
    return _scaled(left, right, measured, times, act, measure)


def _rank(measure: _Measure) -> int:
    """Return which measure a product is of: the lower."""
    kinds = ("MONEY", "QUANTITY", "PERCENT", "DURATION")
    if measure is None or not measure:
        return len(kinds) + (1 if measure is None else 3)
    return kinds.index(measure[0]) if measure[0] in kinds else len(kinds) + 2 * (measure == _COUNT)


def _quotient(left: _Made, right: _Made, act: _Act) -> _Made | None:
    """Return a quotient: of the measure of what is divided, or a ratio where both have one."""
    if not (right.raw and right.value and right.plain) or left.ratio or right.ratio:
        return None
    if not right.measure and right.measure is not None:
        return _scaled(left, right, left, right, act, left.measure)
    if not left.measure and left.measure is not None:
        return None
    nouns = {left.noun, right.noun} - {""}
    if not _alike(left, right) or len(nouns) > 1:
        return _scaled(left, right, left, right, act, left.measure)
    same = left.measure == right.measure is not None
    measure = () if same and left.measure != _COUNT else left.measure
    made = _scaled(left, right, left, right, act, measure)
    value = left.value / right.value if same else left.raw / right.raw
    return made and replace(made, ratio=True, value=value, differs=left.differs)


def _scaled(
    left: _Made,
    right: _Made,
    measured: _Made,
    times: _Made,
    act: _Act,
    measure: _Measure,
) -> _Made | None:
    """Return a product or a quotient, None where a number undoes itself."""
    over, under = (right.over, right.under) if act is operator.mul else (right.under, right.over)
    over, under = left.over | over, left.under | under
    if over & under:
        return None
    return replace(
        _together(left, right),
        raw=act(left.raw, right.raw),
        value=act(measured.value, times.raw),
        plain=act(measured.plain, 1.0 if times.free and not times.measure else times.raw),
        measure=measure,
        over=over,
        under=under,
    )


def _read_term(
    term: Term, known: Mapping[float, _Made], index: FigureIndex, *, factor: bool
) -> Iterator[_Made]:
    """Yield what a number of a sum may be: of a source, of a step or the statement, or a factor.

    A percentage that scales something is a share, and what is left or more by it may be written as
    a number: 0.75 for "25 % less".
    """
    if term.value in (0.0, 1.0):
        return
    free = factor and term.value in _FACTORS
    told: set[object] = set()
    for at in index.figures.get(term.value, ()):
        one = index.numbers[at]
        number, cell = one.number, index.units[one.unit].columns != ()
        if (number.measure, cell) in told or number.unit == "nth":
            continue
        told.add((number.measure, cell))
        if number.kind in {"DATE", "TIME"}:
            continue
        if factor and number.kind == "PERCENT":
            yield _as_share(term.value / 100, one.place)
        made = _of_number(number, (one.place,), term.value, cell=cell)
        yield replace(made, firm=not (free and number.kind == "NUMBER"))
    for kind, factors in _CONVERTED.items():
        for value, at in index.sizes.get(kind, ()):
            same = [factor for factor in factors if abs(value * factor - term.value) < _NEAR]
            if same and index.numbers[at].number.raw != term.value:
                one = index.numbers[at]
                yield _of_number(one.number, (one.place,), term.value)
                break
    if term.value in known:
        yield known[term.value]
    if free:
        over = frozenset([term.value])
        yield _Made(term.value, term.value, 1.0, free=over, over=over)
    for value, at in index.sizes.get("PERCENT", ()) if factor else ():
        share = value / 100
        if any(abs(term.value - one) < _NEAR for one in (share, 1 - share, 1 + share)):
            yield _as_share(term.value, index.numbers[at].place)
            return


def _as_share(value: float, place: tuple[int, int, int]) -> _Made:
    return _Made(value, value, value, places=(place,), over=frozenset([value]))


def _row(values: Sequence[float], index: FigureIndex) -> _Made | None:
    """Return the sum of numbers that follow on one another: one choice, however long.

    They do in a column of a table, or in a source among those of one measure and noun.
    """
    lines: dict[object, list[Known]] = {}
    for here, one in enumerate(index.numbers):
        unit, number = index.units[one.unit], one.number
        column = column_of(index, here)
        if column is not None:
            lines.setdefault((one.source, unit.header, column), []).append(one)
        elif not unit.columns and (number.unit or number.noun):
            lines.setdefault((one.source, number.measure, number.noun), []).append(one)
    for line in lines.values():
        raws = [one.number.raw for one in line]
        for first in range(len(raws) - len(values) + 1):
            if raws[first] == values[0] and raws[first : first + len(values)] == [*values]:
                some = line[first : first + len(values)]
                made = [_of_number(one.number, (one.place,), one.number.raw,
                                   cell=index.units[one.unit].columns != ())
                        for one in some]  # fmt: skip
                if len({one.measure for one in made}) > 1:
                    continue
                raw, value = sum(values), sum(one.value for one in made)
                places = tuple(one.place for one in some)
                measure = made[0].measure
                return _Made(raw, value, value, measure, places, True, over=frozenset([raw]))
    return None


def _change(statement: str, claim: Number) -> tuple[bool, bool]:
    """Return whether a share may be one by which something is more, and by which it is less."""
    behind = _CHANGE_BEHIND.match(statement, claim.end)
    ahead = _CHANGE_AHEAD.search(statement, max(0, claim.start - 40), claim.start)
    found = behind or ahead
    if found is None or claim.unit == "times":
        return False, False
    return not found["less"], not found["more"]


def _gives(claim: Number, made: _Made, change: tuple[bool, bool]) -> bool:
    """Return whether a claim is what a sum comes to, in its measure and scale, or is a share so.

    Where the statement tells a change, so may it: "a quarter more" of what is 1.25 times as much.
    """
    if claim.day is not None or not claim.raw:
        return False
    if claim.kind in {"PERCENT", "RATIO"} and made.ratio:
        more, less = change
        away = made.value - 1
        whole = 100.0 if claim.kind == "PERCENT" else 1.0
        if not made.differs and ((more and away > 0) or (less and away < 0)):
            return fits(claim, abs(away) * whole)
        return fits(claim, made.value * whole)
    as_written = fits(claim, made.raw * claim.value / claim.raw)
    if not made.measure:
        return as_written and made.measure is None
    kind, unit = made.measure
    if kind != claim.kind or (
        unit != claim.unit and not (claim.kind == "MONEY" and not _currency_of(claim))
    ):
        return False
    if made.free and kind in {"DURATION", "QUANTITY"} and (made.over | made.under) & _CONVERTING:
        return as_written and fits(claim, made.plain)
    return fits(claim, made.value)


def _currency_of(number: Number) -> str:
    """Return the currency of an amount, empty where that is not told, as by a cent."""
    open_ = number.unit == NO_CURRENCY or re.search(r"\bcents?\Z", number.text.casefold())
    return "" if open_ else number.unit
