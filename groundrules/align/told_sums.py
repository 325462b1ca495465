"""Figures that a language model reckons: it names the numbers, and the sum is made here.

What a sum is made of stands in the sources, so that a model can tell how a figure follows, and not
that it does.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Iterator, Sequence
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
class _Sum:
    """A sum as it is written: its numbers, the signs between them, and what it is said to give."""

    words: str
    terms: tuple[_Term, ...]
    signs: tuple[str, ...]
    given: _Term


def _written(
    claim: Number, own: Sequence[Number], said: str, index: FigureIndex
) -> Derivation | None:
    """Return the sum that is written out and comes to a claimed number, None where none does.

    A sum of several steps may use what those before it come to, unrounded. Each part that it adds
    up has a number of a source that is no factor any sum may have.
    """
    known: dict[float, tuple[float, _Places]] = {
        one.raw: (one.raw, ()) for one in own if one is not claim
    }
    for one in itertools.islice(_sums(said), _STEPS):
        if len(one.terms) > WRITTEN:
            continue
        values, places, firm, free = list[float](), list[tuple[int, int, int]](), list[bool](), 0
        for term, factor in zip(one.terms, _are_factors(one.signs), strict=True):
            here = _fitting(index.figures.get(term.value, ()), claim, index)
            value, own_places = term.value, tuple(index.numbers[at].place for at in here[:1])
            if not here and term.value in known:
                value, own_places = known[term.value]
            counted = factor and term.value in _FACTORS
            free += counted and not own_places
            if not own_places and not counted and term.value not in known:
                break
            values.append(value)
            places += own_places
            firm.append(bool(own_places) and not counted)
        else:
            made = _made(one, values)
            if made is None or free > 1 or not _is_firm(one.signs, values, firm):
                continue
            if abs(made - one.given.value) > 0.5 * 10.0**-one.given.digits + 1e-9:
                continue
            known[one.given.value] = made, tuple(dict.fromkeys(places))
            if _is_of_its_measure(claim, one.signs, places, index) and _gives(claim, made):
                return Derivation(one.words, known[one.given.value][1])
    return None


def _fitting(here: Sequence[int], claim: Number, index: FigureIndex) -> list[int]:
    """Return the places of a number, those of the measure of the claim before others."""
    return sorted(here, key=lambda at: index.numbers[at].number.measure != claim.measure)


def _gives(claim: Number, made: float) -> bool:
    scale = claim.value / claim.raw if claim.raw and claim.day is None else 0.0
    return bool(scale) and fits(claim, made * scale)


def _is_of_its_measure(
    claim: Number, signs: Sequence[str], places: Sequence[tuple[int, int, int]], index: FigureIndex
) -> bool:
    """Return whether a sum may be of the measure of a claim, by those of its numbers.

    What is added up is of one measure, as what comes out is; one number at least of a product is,
    but for shares, and has the scale of the claim: its "million". A cell of a table has no unit.
    """
    numbers = [one.number for one in index.numbers if one.place in set(places)]
    bare = [one for one in numbers if one.kind == "NUMBER" and not one.unit and not one.noun]
    like = [*bare, *(one for one in numbers if one.measure == claim.measure)]
    if claim.kind in {"PERCENT", "RATIO"} and any(_SIGNS[s] is operator.truediv for s in signs):
        return True
    added = all(_SIGNS[sign] in (operator.add, operator.sub) for sign in signs)
    if added and any(one not in like for one in numbers):
        return False
    scale = claim.value / claim.raw if claim.raw else 0.0
    return any(one.raw and abs(one.value / one.raw - scale) <= 1e-9 * scale for one in like)


def _is_firm(signs: Sequence[str], values: Sequence[float], firm: Sequence[bool]) -> bool:
    """Return whether each part that a sum adds up rests on a source, and none undoes another."""
    parts: list[tuple[bool, list[float], bool]] = [(True, [values[0]], firm[0])]
    for sign, value, sure in zip(signs, values[1:], firm[1:], strict=True):
        if _SIGNS[sign] in (operator.add, operator.sub):
            parts.append((_SIGNS[sign] is operator.add, [value], sure))
        else:
            up, held, before = parts[-1]
            parts[-1] = up, [*held, value], before or sure
    undone = any(a[0] is not b[0] and a[1] == b[1] for a, b in itertools.combinations(parts, 2))
    return all(sure for _, _, sure in parts) and not undone and not {0.0, 1.0} & set(values)


def _sums(said: str) -> Iterator[_Sum]:
    """Yield the sums of a text; a number may have one word behind it, its unit."""
    tokens = list(_TOKEN.finditer(said))

    def word(at: int) -> str:
        return tokens[at][0] if at < len(tokens) and not tokens[at]["term"] else ""

    def is_term(at: int) -> bool:
        return at < len(tokens) and bool(tokens[at]["term"])

    at = 0
    while at < len(tokens):
        first, signs, terms = at, list[str](), list[_Term]()
        while is_term(at):
            terms.append(_term(tokens[at]))
            at += 1
            known = (*_SIGNS, *_EQUAL)
            if word(at).isalpha() and word(at) not in known and word(at + 1) in known:
                at += 1
            if word(at) not in _SIGNS or not is_term(at + 1):
                break
            signs.append(word(at))
            at += 1
        if signs and len(signs) < len(terms) and word(at) in _EQUAL:
            at += 1
            while word(at) in _ABOUT:
                at += 1
            if is_term(at):
                words = said[tokens[first].start() : tokens[at].end()]
                yield _Sum(words, tuple(terms), tuple(signs), _term(tokens[at]))
                continue  # what comes out may be the first number of another
        at = max(at, first + 1)


def _term(token: re.Match[str]) -> _Term:
    plain = token["term"].replace(",", "")
    return _Term(float(plain), len(plain.partition(".")[2]), token["share"] is not None)


def _are_factors(signs: Sequence[str]) -> Iterator[bool]:
    """Yield of each number of a sum whether it multiplies, is multiplied or divides."""
    scaling = [_SIGNS[sign] in (operator.mul, operator.truediv) for sign in signs]
    yield from (any(beside) for beside in itertools.pairwise([False, *scaling, False]))


def _made(one: _Sum, values: Sequence[float]) -> float | None:
    """Return what a sum comes to, products before sums; a share of 100 where it is given so."""
    sums: list[float] = []
    of_share = one.terms[0].percent and one.signs[0] == "of"
    whole = values[0] / 100 if of_share else values[0]
    for at, (sign, value) in enumerate(zip(one.signs, values[1:], strict=True)):
        act = operator.mul if of_share and not at else _SIGNS[sign]
        if act is operator.truediv and not value:
            return None
        if act in (operator.mul, operator.truediv):
            whole = act(whole, value)
        else:
            sums.append(whole)
            whole = act(0.0, value)
    total = sum(sums) + whole
    shared = not of_share and any(_SIGNS[sign] is operator.truediv for sign in one.signs)
    return total * 100 if shared and one.given.percent else total
