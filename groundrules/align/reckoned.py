"""Figures that a language model reckons: it names the numbers, and the sum is made here.

What a sum is made of stands in the sources, so that a model can tell how a figure follows, and not
that it does.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from groundrules.align.accounts import Figure
from groundrules.align.derivations import Derivation, Operand, derive, every_cue
from groundrules.align.measures import Number, agree, fits
from groundrules.align.numbers import read_numbers
from groundrules.align.places import FigureIndex, Known, lookup

#: So many numbers may be named for a sum: of more of them some two give nearly any third.
NAMED = 6
#: So many characters of a reason are read, which is asked for in 25 words.
_LONGEST = 400
#: Numbers that a sum may multiply by or divide by though no source has them: the count of a few
#: things, and what a day, a year, an hour and a whole have.
_FACTORS = frozenset([*range(1, 13), 24, 52, 60, 100, 365, 1000])
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


def reckoned(statement: str, figure: Figure, said: str, quoted: str, index: FigureIndex) -> Figure:
    """Return a figure that no source gives as derived, where numbers that a model names give it.

    `said` is why a language model finds the statement entailed, and has the figure itself, as what
    comes out; `quoted` are the words of a source that it quotes. Either `said` writes a sum, which
    is made step by step, or one is found of the numbers in both. Those count that a source or the
    statement has; where more than `NAMED` have no sign between them, none does.
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

    A sum of several steps may use what those before it come to. One of its numbers at least is of a
    source and no factor that any sum may have.
    """
    known: dict[float, tuple[tuple[int, int, int], ...]] = {
        one.raw: () for one in own if one is not claim
    }
    scale = claim.value / claim.raw if claim.raw and claim.day is None else 0.0
    for one in _sums(said):
        places: list[tuple[int, int, int]] = []
        firm = False
        for term, factor in zip(one.terms, _are_factors(one.signs), strict=True):
            here = index.figures.get(term.value, ())[:1]
            if here:
                places.append(index.numbers[here[0]].place)
                firm |= not factor or term.value not in _FACTORS
            elif term.value in known:
                places += known[term.value]
                firm |= bool(known[term.value])
            elif not factor or term.value not in _FACTORS:
                break
        else:
            value = _made(one)
            if value is None or abs(value - one.given.value) > 0.5 * 10.0**-one.given.digits + 1e-9:
                continue
            known[one.given.value] = tuple(dict.fromkeys(places)) if firm else ()
            if firm and scale and fits(claim, value * scale):
                return Derivation(one.words, known[one.given.value])
    return None


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
    yield from (any(beside) for beside in pairwise([False, *scaling, False]))


def _made(one: _Sum) -> float | None:
    """Return what a sum comes to, products before sums; a share of 100 where it is given so."""
    sums: list[float] = []
    first = one.terms[0]
    of_share = first.percent and one.signs[0] == "of"
    whole = first.value / 100 if of_share else first.value
    for at, (sign, term) in enumerate(zip(one.signs, one.terms[1:], strict=True)):
        act = operator.mul if of_share and not at else _SIGNS[sign]
        if act is operator.truediv and not term.value:
            return None
        if act in (operator.mul, operator.truediv):
            whole = act(whole, term.value)
        else:
            sums.append(whole)
            whole = act(0.0, term.value)
    total = sum(sums) + whole
    shared = not of_share and any(_SIGNS[sign] is operator.truediv for sign in one.signs)
    return total * 100 if shared and one.given.percent else total
