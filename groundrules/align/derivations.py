"""What follows from several numbers: the sums that lead from numbers at hand to a claimed one.

The search is bounded, and every kind of sum needs a word that asks for it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from groundrules.align.datesums import day_after, fits_day, of_dates, of_times
from groundrules.align.limits import WHOLE
from groundrules.claims.values.measures import PERIODS, Number, fits, units_meet

# --- sums -----------------------------------------------------------------------------------


@cache
def lexicon() -> dict[str, Any]:
    """Return the words of `figures.toml`."""
    with (Path(__file__).parent / "figures.toml").open("rb") as file:
        return tomllib.load(file)


#: How many numbers at hand a sum may use; the nearest come first.
OPERANDS = 22
#: The kinds of numbers that are added up.
PLAIN_SUMS = frozenset({"MONEY", "QUANTITY", "PERCENT", "DURATION", "NUMBER"})


@dataclass(frozen=True, slots=True)
class Operand:
    """A number at hand; `place` is None where the answer itself gives it, `rank` its nearness."""

    number: Number
    place: tuple[int, int, int] | None
    rank: int
    unit: int = -1  # the passage of the source that holds it


@dataclass(frozen=True, slots=True)
class Derivation:
    """A sum in words and the places of the numbers it uses."""

    how: str
    places: tuple[tuple[int, int, int], ...]


@cache
def _cue_patterns() -> dict[str, re.Pattern[str]]:
    return {
        name: re.compile(
            r"(?ai:\b(?:{})(?![a-z]))".format(
                "|".join(word.replace("*", "[a-z]*+") for word in words.split())
            )
        )
        for name, words in lexicon()["cues"].items()
    }


def asked(statement: str) -> frozenset[str]:
    """Return the kinds of sum that a statement's words ask for."""
    return frozenset(name for name, cue in _cue_patterns().items() if cue.search(statement))


@cache
def every_cue() -> frozenset[str]:
    """Return the cues of all sums of two numbers, to ask whether any gives a number."""
    return frozenset(name for name in lexicon()["cues"] if not name.endswith(("_part", "_whole")))


def derive(claim: Number, operands: Sequence[Operand], cues: frozenset[str]) -> Derivation | None:
    """Return the nearest sum over the operands that gives the claimed number, None if none does."""
    usable = (o for o in operands if not (o.number.soft and o.number.kind == "NUMBER"))
    near = _distinct(sorted(usable, key=lambda operand: operand.rank))[:OPERANDS]
    best: tuple[int, Derivation] | None = None
    for i, first in enumerate(near):
        if best is not None and first.rank >= best[0]:
            break
        for found in _alone(claim, first, cues):
            if best is None or first.rank < best[0]:
                best = first.rank, found
        for second in near[:i]:
            cost = first.rank + second.rank
            if best is not None and cost >= best[0]:
                continue
            how = _paired(claim, first.number, second.number, cues) or _paired(
                claim, second.number, first.number, cues
            )
            if how:
                best = cost, Derivation(how, _places(first, second))
    return best[1] if best else None


def _distinct(operands: Iterable[Operand]) -> list[Operand]:
    """Return the operands without those that repeat a number."""
    kept: dict[tuple[object, ...], Operand] = {}
    for operand in operands:
        number = operand.number
        kept.setdefault((number.kind, number.unit, number.value, number.day), operand)
    return list(kept.values())


def _places(*operands: Operand) -> tuple[tuple[int, int, int], ...]:
    return tuple(sorted({operand.place for operand in operands if operand.place is not None}))


#: The names of the cues that ask for a known share or multiple of one number.
_PARTS_OF_A_YEAR = (
    ("month", 12), ("quarter", 4), ("week", 52), ("day", 365), ("pair", 2), ("triple", 3),
    ("workweek", 7),
)  # fmt: skip


def _alone(claim: Number, operand: Operand, cues: frozenset[str]) -> Iterator[Derivation]:
    """Yield what follows from one number: shares of a year, the rest of a whole, the day after."""
    known = operand.number
    place = _places(operand)
    if (
        claim.kind == known.kind
        and claim.unit == known.unit
        and known.kind in {"MONEY", "QUANTITY", "NUMBER"}
    ):
        for name, count in () if claim.bare else _PARTS_OF_A_YEAR:
            if f"{name}_part" in cues and fits(claim, known.value / count):
                yield Derivation(_equation(known, "/", str(count), claim), place)
            if f"{name}_whole" in cues and fits(claim, known.value * count):
                yield Derivation(_equation(known, "x", str(count), claim), place)
    if claim.kind == known.kind == "RATIO" and known.value and fits(claim, 1 / known.value):
        yield Derivation(f"{known.text} the other way about is {claim.text}", place)
    shares = {"RATIO": 1.0, "PERCENT": 100.0}
    if {claim.kind, known.kind} <= shares.keys() and "difference" in cues:
        rest = 1 - known.value / shares[known.kind]
        if fits(claim, rest * shares[claim.kind]):
            yield Derivation(f"the rest of {known.text} is {claim.text}", place)
    if claim.kind == known.kind == "DATE" and "time" in cues:
        for days, words in ((1, "the day after"), (-1, "the day before")):
            moved = day_after(known, days, 0)
            if moved and claim.day and claim.day[2] and fits_day(claim, moved):
                yield Derivation(f"{words} {known.text} is {claim.text}", place)


def _equation(first: Number, sign: str, second: str, claim: Number) -> str:
    return f"{first.text} {sign} {second} = {claim.text}"


def _same_measure(a: Number, b: Number) -> bool:
    return a.kind == b.kind and (a.unit == b.unit or units_meet(a, b))


def _paired(claim: Number, a: Number, b: Number, cues: frozenset[str]) -> str:
    """Return the sum by which two numbers give the claimed one, the first of them ahead."""
    if a.kind == "DATE" or b.kind == "DATE" or claim.kind == "DATE":
        return of_dates(claim, a, b, cues)
    if a.kind == "TIME" or b.kind == "TIME" or claim.kind == "TIME":
        return of_times(claim, a, b)
    if claim.unit == "nth":
        return ""
    if (
        claim.kind in PLAIN_SUMS
        and _same_measure(a, b)
        and _same_measure(claim, a)
        and "nth" not in (a.unit, b.unit)
    ):
        difference, sum_ = ("few_less", "few_more") if claim.bare else ("difference", "sum")
        if difference in cues and a.value > b.value and fits(claim, a.value - b.value):
            return _equation(a, "-", b.text, claim)
        if sum_ in cues and a.value >= b.value and fits(claim, a.value + b.value):
            return _equation(a, "+", b.text, claim)
    if (
        claim.kind == "NUMBER"
        and a.kind == b.kind == "NUMBER"
        and not claim.bare
        and "product" in cues
        and a.value >= b.value > 1
        and fits(claim, a.value * b.value)
    ):
        return _equation(a, "x", b.text, claim)
    if claim.kind in PLAIN_SUMS - {"PERCENT"}:
        how = _scaled_by(claim, a, b, cues)
        if how:
            return how
    if _same_measure(a, b) and b.value and a.kind != "RATIO":
        share = a.value / b.value
        if claim.kind == "PERCENT":
            if (
                a.kind != "PERCENT"
                and "quotient" in cues
                and share < 1
                and fits(claim, 100 * share)
            ):
                return f"{a.text} of {b.text} is {100 * share:.4g} %"
            if "change" in cues and share != 1 and fits(claim, abs(share - 1) * 100):
                return f"from {b.text} to {a.text} is {abs(share - 1) * 100:.4g} %"
        if claim.kind == "RATIO":
            if claim.unit == "times" and share >= 1 and fits(claim, share):
                return f"{a.text} is {share:.3g} times {b.text}"
            if share < 1 and fits(claim, share):
                return f"{a.text} of {b.text} is {share * 100:.4g} %: {claim.text}"
            if (
                share < 1
                and "difference" in cues
                and claim.unit != "times"
                and fits(claim, 1 - share)
            ):
                return f"1 - {a.text} / {b.text} = {claim.text}"
        if (
            claim.kind == "NUMBER"
            and not claim.bare
            and "quotient" in cues
            and share > 1
            and fits(claim, share)
        ):
            return f"{a.text} / {b.text} = {share:.4g}"
        if (
            not b.soft
            and claim.kind in {"NUMBER", "DURATION"}
            and a.kind in {"MONEY", "PERCENT", "QUANTITY", "DURATION"}
            and claim.kind != a.kind and share > 1 and share == claim.raw
        ):  # fmt: skip
            return f"{a.text} / {b.text} = {share:.4g}"
    return ""


def _scaled_by(claim: Number, a: Number, b: Number, cues: frozenset[str]) -> str:
    """Return how an amount times or over a number, share or percentage gives the claimed one."""
    if not _same_measure(claim, a) or not a.value:
        return ""
    if b.kind == "PERCENT":
        if 0 < b.value < 100 and "difference" in cues:
            for share, words in (
                (1 - b.value / 100, "after"),
                (1 + b.value / 100, "before a rise of"),
            ):
                if fits(claim, a.value / share):
                    return (
                        f"{claim.text} {'less' if words == 'after' else 'and'} {b.text} is {a.text}"
                    )
        for share, words in (
            (b.value / 100, "of"),
            (1 - b.value / 100, "less"),
            (1 + b.value / 100, "more on"),
        ):
            if fits(claim, a.value * share) and (
                words == "of" or "difference" in cues or "sum" in cues
            ):
                return f"{b.text} {words} {a.text} is {claim.text}"
        return ""
    if b.kind == "RATIO":
        if fits(claim, a.value * b.value):
            return f"{b.text} of {a.text} is {claim.text}"
        if b.value < 1 and "difference" in cues and fits(claim, a.value * (1 - b.value)):
            return f"{a.text} less {b.text} is {claim.text}"
        if b.value and fits(claim, a.value / b.value):
            return f"{a.text} / {b.text} = {claim.text}"
        return ""
    if claim.bare or b.unit == "nth":
        return ""
    counts = [b.value] if b.kind == "NUMBER" else []
    if b.kind == "QUANTITY" and a.kind == "MONEY":
        counts = [b.raw]  # so much a kilo
    if b.kind == "DURATION" and a.kind != "DURATION":
        counts = [b.raw, *(b.value / PERIODS[name] for name in ("day", "week", "month", "year"))]
    for count in counts:
        if count <= 1 or abs(count - round(count, 1)) > WHOLE:
            continue
        count = round(count, 1)
        if "product" in cues and fits(claim, a.value * count):
            return f"{a.text} x {count:g} = {claim.text}"
        if "quotient" in cues and fits(claim, a.value / count):
            return f"{a.text} / {count:g} = {claim.text}"
    return ""
