"""Figures that a language model reckons: it names the numbers, and the sum is made here.

What a sum is made of stands in the sources, so that a model can tell how a figure follows, and not
that it does.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from groundrules.align.accounts import Figure
from groundrules.align.derivations import Derivation, Operand, derive, every_cue
from groundrules.align.measures import Number, agree, fits
from groundrules.align.numbers import read_numbers
from groundrules.align.places import FigureIndex, Known, lookup

#: So many numbers may be named, and so many may be in a sum that is written: of more of them some
#: give nearly any other.
NAMED, WRITTEN = 6, 4
#: So many sums of a reason are looked at.
_STEPS = 4
#: So many characters of a reason are read, which is asked for in 25 words.
_LONGEST = 400
#: Numbers that a sum may multiply by or divide by though no source has them, one of them in each:
#: the count of a few things, and what a day, a year, an hour and a whole have.
_FACTORS = frozenset([*range(2, 13), 24, 52, 60, 100, 365, 1000])
#: Those of them that tell units apart.
_CONVERTING = frozenset([24, 52, 60, 365, 1000])
_COUNT, _PERCENT = ("NUMBER", ""), ("PERCENT", "")
#: A duration may be told in hours and minutes, which is counted in days, and an amount by the
#: thousand: "75" of "1 hour 15 minutes".
_CONVERTED = {"DURATION": (1.0, 24.0, 1440.0), "QUANTITY": (1.0, 1000.0, 0.001)}
#: A sum with more numbers is not looked at.
_TERMS = 12
#: Shares that differ by less are the same.
_NEAR = 1e-9
#: Of a side of a sum so many readings are tried.
_WAYS = 6
_Places: TypeAlias = tuple[tuple[int, int, int], ...]
_Act: TypeAlias = Callable[[float, float], float]
_SIGNS = {
    "+": operator.add, "plus": operator.add, "-": operator.sub, "minus": operator.sub,
    "less": operator.sub, "*": operator.mul, "x": operator.mul, "times": operator.mul,
    "/": operator.truediv, "of": operator.truediv,
}  # fmt: skip
_EQUAL = frozenset("= is are make makes give gives leave leaves come comes equal equals".split())
#: What may stand between the sign of equality and what comes out.
_ABOUT = frozenset("to about nearly roughly".split())
_TOKEN = re.compile(
    r"[£€$]?(?P<term>[0-9][0-9,]*+(?:\.[0-9]++)?)(?P<share>\s?(?:%|per\scent\b|percent\b))?"
    r"|[^\W\d_]++[²³]?|\S"
)
_PLAIN = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/"})
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
#: What stands between two numbers of a sum.
_JOINT = re.compile(r"(?<=[0-9])\s?[-+/*=]\s?(?=[0-9£€$])")


def reckon(
    statement: str, figures: Sequence[Figure], said: str, quoted: str, index: FigureIndex
) -> tuple[Figure, ...]:
    """Return the figures of a statement, those derived that numbers which a model names give.

    `said` is why a language model finds the statement entailed, and has the figure itself, as what
    comes out; `quoted` are the words of a source that it quotes. Either `said` writes a sum, which
    is made step by step, or one of two numbers is found of those in both, where `said` has one that
    the statement has not. Those count that a source has, or the statement if a source gives them or
    such a sum; where more than `NAMED` do, none does.
    """
    said = said[:_LONGEST].translate(_PLAIN)
    own = {one.start: one for one in read_numbers(statement)}
    found = list(figures)
    told = {one.raw for one in own.values()}
    for _ in range(2):  # what one sum gives another may use
        absent = {one.start for one in found if one.account == "absent"}
        given = [one for start, one in own.items() if start not in absent]
        for n, figure in enumerate(found):
            if figure.start not in own or figure.start not in absent:
                continue
            claim = own[figure.start]
            sum_ = _named(claim, told, given, said, quoted, index)
            sum_ = sum_ or _written(statement, claim, given, said, index)
            if sum_ is not None and sum_.places:
                found[n] = replace(figure, account="derived", how=sum_.how, places=sum_.places)
    return tuple(found)


def _named(
    claim: Number,
    stated: Collection[float],
    given: Sequence[Number],
    said: str,
    quoted: str,
    index: FigureIndex,
) -> Derivation | None:
    """Return the sum of one step over the numbers that are named, in whatever order.

    `stated` are the numbers of the statement, and `given` those that a source gives.
    """
    read = read_numbers(_JOINT.sub(" ; ", said))
    parts = [one for one in read if one.raw != claim.raw and not agree(claim, one)]
    if len(parts) == len(read):
        return None
    if {one.raw for one in read} <= {*stated}:
        return None  # what only says the statement again names nothing
    parts += read_numbers(quoted)
    told = {one.raw for one in parts}
    named = {held[0].place: held for one in parts if (held := _known(one, claim, index))}
    if not 0 < len(named) <= NAMED:
        return None
    operands = [Operand(o.number, o.place, 1, o.unit) for held in named.values() for o in held]
    operands += [Operand(one, None, 0) for one in given if one.raw in told]
    return derive(claim, operands, every_cue())


def _known(told: Number, claim: Number, index: FigureIndex) -> list[Known]:
    """Return the numbers of the sources that one is, which may be told without its unit."""
    found = (index.numbers[here] for here in lookup(index, told))
    same = [one for one in found if told.raw == one.number.raw or agree(told, one.number)]
    kinds = {(one.number.kind, one.number.unit): one for one in reversed(same)}
    return [one for one in kinds.values() if not agree(claim, one.number)]


# --- sums that are written out ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Term:
    """A number of a sum as it is written, and whether it is a percentage."""

    value: float
    digits: int
    percent: bool


@dataclass(frozen=True, slots=True)
class _Step:
    """Two sides of a sum with the sign between them."""

    sign: str
    left: _Side
    right: _Side


_Side: TypeAlias = "_Term | _Step"


@dataclass(frozen=True, slots=True)
class _Sum:
    """A sum as it is written, and what it is said to give."""

    words: str
    whole: _Step
    given: _Term


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
    measure: tuple[str, str] | tuple[()] | None = ()
    places: _Places = ()
    firm: bool = False
    ratio: bool = False
    noun: str = ""
    differs: bool = False
    free: frozenset[float] = frozenset()
    count: int = 1
    over: frozenset[float] = frozenset()
    under: frozenset[float] = frozenset()


def _written(
    statement: str, claim: Number, given: Sequence[Number], said: str, index: FigureIndex
) -> Derivation | None:
    """Return the sum that is written out and comes to a claimed number, None where none does.

    A sum of several steps may use what those before it come to, unrounded.
    """
    known = {one.raw: _of_number(one, (), one.raw) for one in given}
    change = _change(statement, claim)
    for one in itertools.islice(_sums(said), _STEPS):
        if sum(1 for _ in _terms(one.whole)) > _TERMS:
            continue
        for made in _ways(one.whole, known, index):
            if len(made.free) > 1 or made.count > WRITTEN or not made.firm:
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
    side: _Side, known: Mapping[float, _Made], index: FigureIndex, *, factor: bool = False
) -> list[_Made]:
    """Return what a side of a sum may come to, by what its numbers may be: `_WAYS` at most.

    `known` is what the statement has and what steps before come to, as they are written.
    """
    if isinstance(side, _Term):
        return [*itertools.islice(_read_term(side, known, index, factor=factor), _WAYS)]
    adds = _adds(side.sign)
    if adds:
        parts = [*_parts(side)]
        if len(parts) > WRITTEN and all(up and isinstance(one, _Term) for up, one in parts):
            row = _row([one.value for _, one in parts if isinstance(one, _Term)], index)
            return [row] if row else []
        if any(a[0] is not b[0] and a[1] == b[1] for a, b in itertools.combinations(parts, 2)):
            return []  # one part undoes another
    of_share = side.sign == "of" and isinstance(side.left, _Term) and side.left.percent
    act = operator.mul if of_share else _SIGNS[side.sign]
    join = _added if adds else _quotient if act is operator.truediv else _product
    sides = (_ways(one, known, index, factor=not adds) for one in (side.left, side.right))
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


def _adds(sign: str) -> bool:
    return _SIGNS[sign] in (operator.add, operator.sub)


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


def _rank(measure: tuple[str, str] | tuple[()] | None) -> int:
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
    measure: tuple[str, str] | tuple[()] | None,
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
    term: _Term, known: Mapping[float, _Made], index: FigureIndex, *, factor: bool
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


def _parts(side: _Side, *, up: bool = True) -> Iterator[tuple[bool, _Side]]:
    """Yield what a sum adds up, each with whether it is added and not taken away."""
    if isinstance(side, _Step) and _adds(side.sign):
        yield from _parts(side.left, up=up)
        yield from _parts(side.right, up=up is (_SIGNS[side.sign] is operator.add))
    else:
        yield up, side


def _terms(side: _Side) -> Iterator[_Term]:
    """Yield the numbers of a sum, of a long row the first."""
    if isinstance(side, _Term):
        yield side
        return
    parts = [one for up, one in _parts(side) if up and isinstance(one, _Term)]
    if len(parts) > WRITTEN and len(parts) == sum(1 for _ in _parts(side)):
        yield parts[0]
        return
    yield from _terms(side.left)
    yield from _terms(side.right)


def _row(values: Sequence[float], index: FigureIndex) -> _Made | None:
    """Return the sum of numbers that follow on one another: one choice, however long.

    They do in a column of a table, or in a source among those of one measure and noun.
    """
    lines: dict[object, list[Known]] = {}
    for one in index.numbers:
        unit, number = index.units[one.unit], one.number
        if unit.columns:
            cells = [n for n, (start, end, _) in enumerate(unit.columns)
                     if start <= number.start < end]  # fmt: skip
            lines.setdefault((one.source, unit.header, *cells), []).append(one)
        elif number.unit or number.noun:
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
    if kind != claim.kind or not (unit == claim.unit or _is_in_cents(claim)):
        return False
    if made.free and kind in {"DURATION", "QUANTITY"} and (made.over | made.under) & _CONVERTING:
        return as_written and fits(claim, made.plain)
    return fits(claim, made.value)


def _is_in_cents(claim: Number) -> bool:
    """Return whether a claim is in cents, which are those of any currency."""
    return claim.kind == "MONEY" and "cent" in claim.text


# --- how they are written ---------------------------------------------------------------------


def _sums(said: str) -> Iterator[_Sum]:
    """Yield the sums of a text; a number may have one word behind it, its unit."""
    tokens = list(_TOKEN.finditer(said))
    at = 0
    while at < len(tokens):
        first = at
        read = _read(tokens, first, 0)
        at = first + 1
        whole, end = read or (None, first)
        if not isinstance(whole, _Step):
            continue
        if _word(tokens, end) in _EQUAL:
            end += 1
            while _word(tokens, end) in _ABOUT:
                end += 1
            if end < len(tokens) and tokens[end]["term"]:
                words = said[tokens[first].start() : tokens[end].end()]
                yield _Sum(words, whole, _term(tokens[end]))
                at = end  # what comes out may be the first number of another


def _read(
    tokens: Sequence[re.Match[str]], at: int, binding: int, deep: int = 0
) -> tuple[_Side, int] | None:
    """Return the longest side of a sum from a token on whose signs bind so much, and its end."""
    if at >= len(tokens) or deep > _STEPS:
        return None
    side: _Side
    if tokens[at]["term"]:
        side, at = _term(tokens[at]), at + 1
        unit, after = _word(tokens, at), _word(tokens, at + 1)
        if unit.isalpha() and unit not in (known := (*_SIGNS, *_EQUAL)) and after in (*known, ")"):
            at += 1
    elif tokens[at][0] == "(":
        inner = _read(tokens, at + 1, 0, deep + 1)
        if inner is None or _word(tokens, inner[1]) != ")":
            return None
        side, at = inner[0], inner[1] + 1
    else:
        return None
    while (sign := _word(tokens, at)) in _SIGNS:
        scales = _SIGNS[sign] not in (operator.add, operator.sub)
        if scales < binding:
            break
        right = _read(tokens, at + 1, scales + 1, deep)
        if right is None:
            break
        side, at = _Step(sign, side, right[0]), right[1]
    return side, at


def _word(tokens: Sequence[re.Match[str]], at: int) -> str:
    return tokens[at][0] if at < len(tokens) and not tokens[at]["term"] else ""


def _term(token: re.Match[str]) -> _Term:
    plain = token["term"].replace(",", "")
    return _Term(float(plain), len(plain.partition(".")[2]), token["share"] is not None)
