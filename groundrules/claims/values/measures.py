"""Numbers with what their rounding words allow, and when two of them agree."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: The ISO 4217 code that `claims/values` gives money of which the text names no currency.
NO_CURRENCY = "XXX"
#: The days of a period.
PERIODS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.436875, "quarter": 91.310625}
PERIODS |= {"year": 365.2425, "decade": 3652.425, "century": 36524.25, "minute": 1 / 1440}


#: What each of these bounds is told in align/limits.py.
TIME_CONVERTED, FIGURES_ROUNDED, HEDGED = 0.02, 0.05, 0.12


@dataclass(frozen=True, slots=True)
class Number:
    """A number with its place; `value` counts in the base unit of its kind and unit.

    DURATION counts days, TIME seconds since midnight, DATE days since 0001-01-01, RATIO shares.
    `low` to `high` is what its rounding words allow, `raw` the figure as written. A `soft` number
    ("an hour", "both") may bear out another and is none that must be accounted for itself.
    """

    start: int
    end: int
    text: str
    kind: str
    unit: str
    value: float
    low: float
    high: float
    raw: float
    digits: int
    hedge: str = ""
    day: tuple[int | None, int | None, int | None] | None = None
    window: tuple[int, int] = (1, 31)
    noun: str = ""
    soft: bool = False

    @property
    def bare(self) -> bool:
        """Whether it is a whole number so small that sums hit it by chance."""
        return self.kind == "NUMBER" and self.value == int(self.value) and abs(self.value) <= 31

    @property
    def measure(self) -> tuple[str, str]:
        """Kind and unit: what may be added to what."""
        return self.kind, self.unit


_OPEN = frozenset({"over", "under", "bound"})


def agree(claim: Number, known: Number) -> str:
    """Say how a source's number bears out a claimed one: "same", "rounded", "converted" or ""."""
    if claim.kind == "DATE" or known.kind == "DATE":
        return _same_date(claim, known)
    if claim.kind == "TIME" or known.kind == "TIME":
        return _same_time(claim, known)
    if claim.kind == known.kind and units_meet(claim, known):
        if claim.kind == "DURATION":
            if (
                claim.value == known.value
                or fits(claim, known.value)
                or ("business" in (claim.unit, known.unit) and claim.raw == known.raw)
            ):
                return "same"
            return "converted" if close(claim.value, known.value, TIME_CONVERTED) else ""
        if claim.value == known.value:
            return "same"
        if claim.hedge in _OPEN and known.hedge in _OPEN:
            return ""  # "over 40" is not what "over 50" says
        known_low, known_high = (
            (known.low, known.high)
            if known.hedge in {"about", "near", "past"}
            else (known.value, known.value)
        )
        if fits(claim, known.value) or known_low <= claim.value <= known_high:
            return "rounded"
        return ""
    kinds = {claim.kind, known.kind}
    if kinds == {"NUMBER", "QUANTITY"} and _is_in_degrees(claim, known):
        if claim.raw == known.raw:
            return "same"
        return "rounded" if claim.kind == "NUMBER" and fits(claim, known.raw) else ""
    if kinds == {"RATIO", "PERCENT"}:
        factor = 100 if claim.kind == "PERCENT" else 0.01
        return "converted" if fits(claim, known.value * factor) else ""
    if kinds <= {"RATIO", "NUMBER"}:
        return "converted" if fits(claim, known.value) else ""
    counted = claim if claim.kind == "NUMBER" else known
    if "PERCENT" in kinds and counted.noun in {"point", "points"}:
        return ""  # a point of a scale is no hundredth of it
    if "NUMBER" in kinds and claim.raw == known.raw and (claim.raw > 31 or claim.raw % 1):
        return "same"
    if "NUMBER" in kinds and claim.raw == known.raw:
        return "same" if not counted.noun and counted.unit != "nth" else ""
    return ""


def _is_in_degrees(claim: Number, known: Number) -> bool:
    """Say whether one is a temperature and the other counts degrees of a scale it leaves open."""
    counted, measured = (claim, known) if claim.kind == "NUMBER" else (known, claim)
    kelvin = measured.value == measured.raw
    return counted.noun in {"degree", "degrees"} and measured.unit == "K" and not kelvin


def units_meet(claim: Number, known: Number) -> bool:
    """Say whether the units of two numbers of one kind can be compared."""
    if claim.unit == known.unit or claim.kind in {"DURATION", "RATIO", "NUMBER"}:
        return True
    return claim.kind == "MONEY" and NO_CURRENCY in (claim.unit, known.unit)


def close(a: float, b: float, slack: float) -> bool:
    """Say whether two sizes differ by no more than a share of the larger."""
    return abs(a - b) <= slack * max(abs(a), abs(b))


def fits(claim: Number, value: float) -> bool:
    """Say whether a claim is true of a value, its rounding words and figures considered."""
    slack = 1e-9 * abs(value)
    if claim.low - slack <= value <= claim.high + slack:
        return True
    # "£2.3m" of 2,312,400: as many figures as it gives, two at least
    if claim.digits < 2 or claim.hedge in {"over", "under"}:
        return False
    return (
        claim.value != 0
        and claim.value == float(f"{value:.{claim.digits}g}")
        and close(claim.value, value, FIGURES_ROUNDED)
    )


#: A day and a month by number, of which either may be first.
_TWO_WAYS = re.compile(r"(?:0?[1-9]|1[0-2])([/.-])(?:0?[1-9]|1[0-2])\1\d{2,4}")


def _same_date(claim: Number, known: Number) -> str:
    if claim.kind != known.kind:
        whole = claim.day or known.day
        number = known if claim.kind == "DATE" else claim
        plain = whole is not None and whole[1] is None and number.kind == "NUMBER"
        return "same" if plain and claim.raw == known.raw else ""
    if claim.day is None or known.day is None:
        return ""
    if "years" in (claim.unit, known.unit):
        inside = claim.low <= known.low and known.high <= claim.high
        return "same" if inside or (claim.low, claim.high) == (known.low, known.high) else ""
    pairs = list(zip(claim.day, known.day, strict=True))
    if _TWO_WAYS.fullmatch(claim.text) or _TWO_WAYS.fullmatch(known.text):
        turned = known.day[0], known.day[2], known.day[1]
        if claim.day in {known.day, turned}:
            return "same" if claim.text == known.text else "rounded"
    if any(a is not None and b is not None and a != b for a, b in pairs):
        if claim.hedge == "about" and None not in (claim.day[0], known.day[0]):
            return "rounded" if claim.low <= known.low and known.high <= claim.high else ""
        return ""
    if claim.day[0] is None and claim.day[1] is None:
        return ""
    if known.day[1] is None and claim.day[1] is not None:
        return ""  # the year alone bears out no month
    if known.day[2] is None and claim.day[2] is not None:
        return ""
    if claim.day[1] is None and claim.day[0] is not None and known.day[0] is None:
        return ""
    if (
        known.day[2] is not None
        and claim.day[2] is None
        and not (claim.window[0] <= known.day[2] <= claim.window[1])
    ):
        return ""
    return "same"


def _same_time(claim: Number, known: Number) -> str:
    if claim.kind == known.kind:
        if claim.low <= known.value <= claim.high:
            return "same"
        unsure = "?" in (claim.unit, known.unit)
        return "same" if unsure and (claim.value - known.value) % 43200 == 0 else ""
    clock, number = (claim, known) if claim.kind == "TIME" else (known, claim)
    if number.kind == "DURATION":
        # results are written as clock times: "1:06:12" is a little over 66 minutes
        lasted = fits(number, clock.value / 86400) or fits(number, clock.value / 86400 / 60)
        return "converted" if lasted and not re.search(r"(?i)[mk]", clock.text) else ""
    if number.kind != "NUMBER" or number.noun or number.raw != int(number.raw):
        return ""
    return "same" if number.raw and (clock.value - 3600 * number.raw) % 43200 == 0 else ""
