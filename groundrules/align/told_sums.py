"""Figures that a language model reckons: it names the numbers, and the sum is made here.

What a sum is made of stands in the sources, so that a model can tell how a figure follows, and not
that it does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from groundrules.align.accounts import Figure
from groundrules.align.derivations import Derivation, Operand, derive, every_cue
from groundrules.align.measures import Number, agree, fits
from groundrules.align.numbers import read_numbers
from groundrules.align.places import FigureIndex, Known, lookup

#: So many numbers may be named: of more of them some two give nearly any other.
NAMED = 6
#: So many numbers a written sum may rest on, over all its steps.
_MOST = 4
#: So many characters of a reason are read, which is asked for in 25 words.
_LONGEST = 400
_PLAIN = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/"})
_SIGNS = {"plus": "+", "minus": "-", "less": "-", "times": "*", "x": "*", "of": "*"}
_GIVES = re.compile(r"=|\b(?:is|are|makes?|gives?|leaves?|comes?|equals?)\b")
_GIVEN = re.compile(
    r"\s?(?:(?:to|about|nearly|roughly)\s){0,2}[£€$]?([0-9][0-9,]*(?:\.[0-9]+)?\s?%?)"
)
#: A number, with the word behind it that is its unit.
_TERM = re.compile(
    rf"[£€$]?([0-9][0-9,]*(?:\.[0-9]+)?(?:\s?(?:%|per\scent\b))?)(?:\s(?!(?:{'|'.join(_SIGNS)})\b)[a-z]+)?"
)
_SIGN = re.compile(rf"\b(?:{'|'.join(_SIGNS)})\b")
#: What a share is of, and what a quotient of two numbers of one measure is.
_SHARE, _RATIO = ("share", "", 0.0), ("ratio", "", 0.0)
#: What stands between two numbers of a sum.
_JOINT = re.compile(r"(?<=[0-9])\s?[-+/*=]\s?(?=[0-9£€$])")


def reckon(
    statement: str, figures: Sequence[Figure], said: str, quoted: str, index: FigureIndex
) -> tuple[Figure, ...]:
    """Return the figures of a statement, those derived that numbers which a model names give.

    `said` is why a language model finds the statement entailed, and has the figure itself, as what
    comes out; `quoted` are the words of a source that it quotes. Either `said` writes sums, each of
    which may use what one before it comes to, or one of two numbers is found of those in both,
    where `said` has one that the statement has not. Those count that a source has, or the statement
    if a source gives them or such a sum; where more than `NAMED` do, none does.
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
            sum_ = sum_ or _written(claim, given, said, index)
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


# --- written sums -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Made:
    """What a side of a sum comes to as it is written, and the measures that it may be of.

    A measure is a kind, a unit and how many of the base unit the written number counts by.
    """

    value: float
    measures: frozenset[tuple[str, str, float]]
    places: tuple[tuple[int, int, int], ...] = ()


def _written(
    claim: Number, given: Sequence[Number], said: str, index: FigureIndex
) -> Derivation | None:
    """Return the sum that is written out and comes to a claimed number, None where none does."""
    steps = {one.raw: _Made(one.raw, frozenset([_measure(one)])) for one in given}
    begin = 0
    for sign in _GIVES.finditer(said):
        left, begin = re.split("[;:]", said[begin : sign.start()])[-1], sign.end()
        given_as = _GIVEN.match(said, begin)
        made = _reckoned(left, steps, index)
        if given_as is None or made is None or not 0 < len(made.places) <= _MOST:
            continue
        wanted = given_as[1].replace(",", "").rstrip(" %")
        least = 0.5 * 10.0 ** -len(wanted.partition(".")[2]) + 1e-9
        whole = 100.0 if given_as[1].endswith("%") else 1.0
        if abs(made.value * whole - float(wanted)) > least:
            continue
        steps[float(wanted)] = made
        ratio = 100.0 if claim.kind == "PERCENT" else 1.0
        if (
            claim.raw
            and _measure(claim) in made.measures
            and fits(claim, made.value * claim.value / claim.raw)
        ) or (
            claim.kind in {"PERCENT", "RATIO"}
            and _RATIO in made.measures
            and fits(claim, made.value * ratio)
        ):
            how = f"{left.strip()} {sign[0]} {given_as[0].strip()}"
            return Derivation(how, tuple(dict.fromkeys(made.places)))
    return None


def _measure(number: Number) -> tuple[str, str, float]:
    scale = number.value / number.raw if number.raw else 1.0
    return number.kind, number.unit, float(f"{scale:.6g}")


def _reckoned(said: str, steps: Mapping[float, _Made], index: FigureIndex) -> _Made | None:
    """Return what a sum comes to, None where it is none or has a number that no source gives."""
    terms: list[str] = []

    def name(match: re.Match[str]) -> str:
        terms.append(match[1])
        return f"n{len(terms) - 1}"

    plain = _SIGN.sub(lambda sign: _SIGNS[sign[0]], _TERM.sub(name, said))
    plain = re.split(r"[^n0-9()+*/ -]", plain)[-1].strip()
    try:
        tree = ast.parse(plain, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        return None
    if not isinstance(tree, ast.BinOp):
        return None
    made = {f"n{n}": _term(term, steps, index) for n, term in enumerate(terms)}
    return _evaluated(tree, made)


def _term(term: str, steps: Mapping[float, _Made], index: FigureIndex) -> _Made | None:
    """Return what a number of a sum is: of a source, of the statement, or of a step before."""
    share = term[-1] in "%t"
    value = float(re.sub(r"[^0-9.]", "", term))
    if value in (0.0, 1.0):
        return None
    held = [index.numbers[at] for at in index.figures.get(value, ())]
    held = [
        one for one in held if one.number.kind not in {"DATE", "TIME"} and one.number.unit != "nth"
    ]
    if share:
        held = [one for one in held if one.number.kind == "PERCENT"]
        return _Made(value / 100, frozenset([_SHARE]), (held[0].place,)) if held else None
    if held:
        return _Made(value, frozenset(_measure(one.number) for one in held), (held[0].place,))
    return steps.get(value)


def _evaluated(tree: ast.expr, terms: Mapping[str, _Made | None]) -> _Made | None:
    """Return what a sum comes to: what is added up is of one measure."""
    if isinstance(tree, ast.Name):
        return terms.get(tree.id)
    if not isinstance(tree, ast.BinOp):
        return None
    left, right = _evaluated(tree.left, terms), _evaluated(tree.right, terms)
    if left is None or right is None:
        return None
    both, places = left.measures & right.measures, (*left.places, *right.places)
    match tree.op:
        case ast.Add() | ast.Sub():
            value = left.value + (right.value if isinstance(tree.op, ast.Add) else -right.value)
            return _Made(value, both, places) if both - {_SHARE} else None
        case ast.Mult() if not both or any(kind == "NUMBER" for kind, *_ in both):
            return _Made(
                left.value * right.value, (left.measures | right.measures) - {_SHARE}, places
            )
        case ast.Div() if right.value:
            return _Made(
                left.value / right.value, left.measures | ({_RATIO} if both else set()), places
            )
    return None
