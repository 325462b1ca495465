"""Figures that a language model reckons: it names the numbers, and the sum is made here.

What a sum is made of stands in the sources, so that a model can tell how a figure follows, and not
that it does.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
_COUNT = ("NUMBER", "")
#: Shares that differ by less are the same.
_NEAR = 1e-9
_Places: TypeAlias = tuple[tuple[int, int, int], ...]
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
#: What stands between two numbers of a sum.
_JOINT = re.compile(r"(?<=[0-9])\s?[-+/*=]\s?(?=[0-9£€$])")


def reckon(statement: str, figure: Figure, said: str, quoted: str, index: FigureIndex) -> Figure:
    """Return a figure that no source gives as derived, where numbers that a model names give it.

    `said` is why a language model finds the statement entailed, and has the figure itself, as what
    comes out; `quoted` are the words of a source that it quotes. Either `said` writes a sum, with
    no brackets, which is made step by step, or one of two numbers is found of those in both, where
    `said` has one that the statement has not. Those count that a source or the statement has; where
    more than `NAMED` do, none does.
    """
    own = read_numbers(statement)
    claim = next((one for one in own if one.start == figure.start), None)
    if claim is None or figure.account != "absent":
        return figure
    said = said[:_LONGEST].translate(_PLAIN)
    found = _named(claim, own, said, quoted, index) or _written(claim, own, said, index)
    if found is None or not found.places:
        return figure
    return replace(figure, account="derived", how=found.how, places=found.places)


def _named(
    claim: Number, own: Sequence[Number], said: str, quoted: str, index: FigureIndex
) -> Derivation | None:
    """Return the sum of one step over the numbers that are named, in whatever order."""
    read = read_numbers(_JOINT.sub(" ; ", said))
    parts = [one for one in read if one.raw != claim.raw and not agree(claim, one)]
    if len(parts) == len(read):
        return None
    if {one.raw for one in read} <= {one.raw for one in own}:
        return None  # what only says the statement again names nothing
    parts += read_numbers(quoted)
    told = {one.raw for one in parts}
    named = {held[0].place: held for one in parts if (held := _known(one, claim, index))}
    if not 0 < len(named) <= NAMED:
        return None
    operands = [Operand(o.number, o.place, 1, o.unit) for held in named.values() for o in held]
    operands += [Operand(one, None, 0) for one in own if one is not claim and one.raw in told]
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
    without the factors that no source has, which convert units then. `measures` are those that it
    may be of, None for any. It is `firm` where it rests on a number of a source that is no factor
    any sum may have, and a `ratio` where something is divided; `free` counts the factors that no
    source has.
    """

    raw: float
    value: float
    plain: float
    measures: frozenset[tuple[str, str]] | None = None
    places: _Places = ()
    firm: bool = False
    ratio: bool = False
    free: int = 0


@dataclass(frozen=True, slots=True)
class _Hand:
    """What a sum is reckoned with.

    `known` is what the statement has and what steps before come to, as they are written; with
    `shares` a percentage that scales something is a share.
    """

    claim: Number
    index: FigureIndex
    known: Mapping[float, _Made]
    shares: bool


def _written(
    claim: Number, own: Sequence[Number], said: str, index: FigureIndex
) -> Derivation | None:
    """Return the sum that is written out and comes to a claimed number, None where none does.

    A sum of several steps may use what those before it come to, unrounded. A percentage that scales
    something is a share of it, or a number like any other.
    """
    known = {one.raw: _of_number(one, (), one.raw) for one in own if one is not claim}
    for one, shares in itertools.product(itertools.islice(_sums(said), _STEPS), (True, False)):
        if _count(one.whole, index) > WRITTEN:
            continue
        made = _make(one.whole, _Hand(claim, index, known, shares))
        if made is None or made.free > 1 or not made.firm:
            continue
        whole = 100.0 if one.given.percent and made.ratio else 1.0
        if abs(made.raw * whole - one.given.value) > 0.5 * 10.0**-one.given.digits + 1e-9:
            continue
        known[one.given.value] = replace(made, places=tuple(dict.fromkeys(made.places)))
        if _gives(claim, made):
            return Derivation(one.words, known[one.given.value].places)
    return None


def _is_bare(number: Number) -> bool:
    return number.kind == "NUMBER" and not number.unit and not number.noun


def _may_be(claim: Number, number: Number) -> bool:
    return number.measure == claim.measure or _is_bare(number)


def _of_number(number: Number, places: _Places, raw: float) -> _Made:
    """Return what a number comes to by itself; a cell of a table has no unit and may be of any."""
    measures = None if places and _is_bare(number) else frozenset([number.measure])
    return _Made(raw, number.value, number.value, measures, places, firm=bool(places))


def _make(side: _Side, hand: _Hand, *, factor: bool = False) -> _Made | None:
    """Return what a side of a sum comes to, None where a number of it is not at hand."""
    if isinstance(side, _Term):
        return _make_term(side, hand, factor=factor)
    scales = _SIGNS[side.sign] not in (operator.add, operator.sub)
    left = _make(side.left, hand, factor=scales)
    right = _make(side.right, hand, factor=scales)
    if left is None or right is None:
        return None
    if scales:
        of_share = side.sign == "of" and isinstance(side.left, _Term) and side.left.percent
        return _scaled(operator.mul if of_share else _SIGNS[side.sign], left, right)
    if {left.measures, right.measures} - {None}:
        both = [one.measures for one in (left, right) if one.measures is not None]
        measures = frozenset.intersection(*both)
        if not measures:
            return None
    else:
        measures = None
    parts = [*_parts(side)]
    undone = any(a[0] is not b[0] and a[1] == b[1] for a, b in itertools.combinations(parts, 2))
    if undone or not (left.firm and right.firm):
        return None
    act = _SIGNS[side.sign]
    return _joined(act, left, right, measures, left.ratio or right.ratio)


def _scaled(act: Callable[[float, float], float], left: _Made, right: _Made) -> _Made | None:
    """Return a product or a quotient: it may be of the measure of either, if that is no count."""
    divides = act is operator.truediv
    if divides and not (right.raw and right.value and right.plain):
        return None
    told = [one.measures for one in (left, right) if one.measures is not None]
    measures: frozenset[tuple[str, str]] | None = frozenset[tuple[str, str]]().union(*told)
    if len(told) < 2 and all(one == _COUNT for one in measures or ()):
        measures = None
    made = _joined(act, left, right, measures, divides or left.ratio or right.ratio)
    return replace(made, firm=left.firm or right.firm)


def _joined(
    act: Callable[[float, float], float],
    left: _Made,
    right: _Made,
    measures: frozenset[tuple[str, str]] | None,
    ratio: bool,
) -> _Made:
    raw, value, plain = (
        act(left.raw, right.raw), act(left.value, right.value), act(left.plain, right.plain),
    )  # fmt: skip
    places = (*left.places, *right.places)
    return _Made(raw, value, plain, measures, places, True, ratio, left.free + right.free)


def _make_term(term: _Term, hand: _Hand, *, factor: bool) -> _Made | None:
    """Return what a number of a sum is: of a source, of a step before, of the statement, a factor.

    A percentage that scales something is a share, and what is left or more by it may be written as
    a number: 0.75 for "25 % less".
    """
    if term.value in (0.0, 1.0):
        return None
    index, claim = hand.index, hand.claim
    free = factor and term.value in _FACTORS
    here = [index.numbers[at] for at in index.figures.get(term.value, ())]
    before = hand.known.get(term.value)

    def rank(one: Known) -> tuple[bool, bool]:
        """Put numbers of the measure of the claim first, then those of the number before."""
        same = before is not None and before.measures in (None, frozenset([one.number.measure]))
        return not _may_be(claim, one.number), not same

    here.sort(key=rank)
    if here and (before is None or not all(rank(here[0]))):
        one, place = here[0].number, here[0].place
        if factor and hand.shares and one.kind == "PERCENT":
            return _as_share(term.value / 100, place)
        made = _of_number(one, (place,), term.value)
        return replace(made, firm=not (free and one.kind == "NUMBER"))
    if before is not None:
        return before
    if factor:
        for value, at in index.sizes.get("PERCENT", ()):
            share = value / 100
            if any(abs(term.value - one) < _NEAR for one in (share, 1 - share, 1 + share)):
                return _as_share(term.value, index.numbers[at].place)
    return _Made(term.value, term.value, 1.0, free=1) if free else None


def _as_share(value: float, place: tuple[int, int, int]) -> _Made:
    return _Made(value, value, value, places=(place,), firm=True)


def _gives(claim: Number, made: _Made) -> bool:
    """Return whether a claim is what a sum comes to, in its measure and scale, or is a share so.

    A change is a share, too: "a quarter more" of what is 1.25 times as much.
    """
    if claim.day is not None or not claim.raw:
        return False
    if claim.kind in {"PERCENT", "RATIO"} and made.ratio:
        whole = 100.0 if claim.kind == "PERCENT" else 1.0
        if fits(claim, made.raw * whole) or fits(claim, abs(made.raw - 1) * whole):
            return True
        return claim.measure in (made.measures or ()) and fits(claim, made.raw)
    as_written = fits(claim, made.raw * claim.value / claim.raw)
    if made.measures is None:
        return as_written
    if not any(kind == claim.kind and _meet(claim, unit) for kind, unit in made.measures):
        return False
    return fits(claim, made.value) or (as_written and fits(claim, made.plain))


def _meet(claim: Number, unit: str) -> bool:
    """Return whether a unit is that of a claim; cents are those of any currency."""
    return unit == claim.unit or (claim.kind == "MONEY" and "cent" in claim.text)


def _parts(side: _Side, *, up: bool = True) -> Iterator[tuple[bool, _Side]]:
    """Yield what a sum adds up, each with whether it is added and not taken away."""
    if isinstance(side, _Step) and _SIGNS[side.sign] in (operator.add, operator.sub):
        yield from _parts(side.left, up=up)
        yield from _parts(side.right, up=up is (_SIGNS[side.sign] is operator.add))
    else:
        yield up, side


def _count(side: _Side, index: FigureIndex) -> int:
    """Return how many numbers of a sum are chosen; those of a row or a column are one choice."""
    parts = [*_parts(side)]
    if len(parts) > 1 and all(up and isinstance(one, _Term) for up, one in parts):
        values = [one.value for _, one in parts if isinstance(one, _Term)]
        return 1 if len(parts) > WRITTEN and _in_a_row(values, index) else len(parts)
    if isinstance(side, _Term):
        return 1
    return _count(side.left, index) + _count(side.right, index)


def _in_a_row(values: Sequence[float], index: FigureIndex) -> bool:
    """Return whether numbers stand at equal steps in a source, all or those of their measure."""
    for kind in {index.numbers[at].number.measure for at in index.figures.get(values[0], ())}:
        for some in (
            range(len(index.numbers)),
            [n for n, one in enumerate(index.numbers) if one.number.measure == kind],
        ):
            raws = [index.numbers[at].number.raw for at in some]
            starts = [n for n, raw in enumerate(raws) if raw == values[0]]
            for first in starts:
                most = (len(raws) - first - 1) // (len(values) - 1)
                if any(
                    [*values] == raws[first : first + step * (len(values) - 1) + 1 : step]
                    for step in range(1, most + 1)
                ):
                    return True
    return False


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
