"""Sums over dates and clock times: what lies between, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundrules import calendar
from groundrules.align.limits import HEDGED, TIME_CONVERTED, TIME_ROUNDED, WHOLE
from groundrules.claims.values.measures import PERIODS, Number, close, fits

#: Which year a day without one is of does not matter, but for 29 February.
_ANY_YEAR = 2023


def day_after(number: Number, days: float, months: int) -> tuple[int | None, int, int] | None:
    """Return the day so many days and months from a date; its year is None where none is given."""
    year, month, day = number.day or (None, None, None)
    if month is None or day is None or abs(days) > 40000:
        return None
    known = year if year is not None and 1 < year < 9000 else _ANY_YEAR
    then = calendar.add((known, month, day), months, round(days))
    return (then[0] if year is not None else None), then[1], then[2]


def fits_day(claim: Number, day: tuple[int | None, int, int]) -> bool:
    """Say whether a claimed date is true of a day, as far as it tells."""
    if claim.day is None:
        return False
    year, month, of_month = claim.day
    if year is not None and day[0] is not None and year != day[0]:
        return False
    if year is None and month is None:
        return False
    if month is None:
        return day[0] is not None and year == day[0]
    if month != day[1]:
        return False
    if of_month is None:
        return claim.window[0] <= day[2] <= claim.window[1]
    return of_month == day[2]


def whole_months(number: Number) -> int | None:
    """Return a duration as whole months, None for one that is of days."""
    months = number.value / PERIODS["month"]
    rounded = round(months)
    return rounded if rounded and abs(months - rounded) < WHOLE else None


def of_dates(claim: Number, a: Number, b: Number, cues: frozenset[str]) -> str:
    """Return the sum by which two dates, or a date and a duration, give the claimed number."""
    if claim.kind == "DATE":
        if a.kind != "DATE" or "time" not in cues:
            return ""
        if b.kind == "DURATION" and claim.unit != "years":
            months = whole_months(b)
            for sign, word in ((1, "after"), (-1, "before")):
                if a.day and a.day[1] is None:
                    years = b.value / PERIODS["year"]
                    whole = a.day[0] is not None and abs(years - round(years)) < WHOLE
                    if whole and claim.day and claim.day[1] is None:
                        year = int(a.day[0] or 0) + sign * round(years)
                        if years and claim.day[0] == year:
                            return f"{b.text} {word} {a.text} is {year}"
                    continue
                if a.day and a.day[2] is None and a.day[0] is not None and months:
                    start = int(a.day[0]), int(a.day[1] or 1), 1
                    if claim.day and claim.day[:2] == calendar.add(start, sign * months)[:2]:
                        return f"{b.text} {word} {a.text} is {claim.text}"
                    continue
                moved = day_after(a, 0 if months else sign * b.value, sign * (months or 0))
                if moved and (a.day != claim.day) and fits_day(claim, moved):
                    return f"{b.text} {word} {a.text} is {claim.text}"
                if moved and months and a.day:
                    # a year that ends the day before it began
                    before = day_after(replace(a, day=moved), -1, 0)
                    if before and claim.day and claim.day[1] and fits_day(claim, before):
                        return f"{b.text} {word} {a.text}, less a day, is {claim.text}"
            return ""
        if b.kind == "NUMBER" and not b.unit and claim.day and claim.day[1] is None and a.day:
            for sign, word in ((1, "+"), (-1, "-")):
                then = int(a.day[0] or 0) + sign * b.value
                if (
                    a.day[0] is not None
                    and b.value
                    and (
                        claim.day[0] == then
                        or (claim.hedge == "about" and abs((claim.day[0] or 0) - then) <= 2)
                    )
                ):
                    return f"{a.day[0]} {word} {b.text} = {then:.0f}"
        return ""
    if a.kind != "DATE" or b.kind != "DATE" or not a.day or not b.day:
        return ""
    if claim.kind == "DURATION" or (claim.kind == "NUMBER" and claim.unit != "nth"):
        apart = _day_differences(a, b)
        for low, high, words in apart:
            size = claim.value if claim.kind == "DURATION" else claim.raw * PERIODS["year"]
            slack = HEDGED * size if claim.hedge else 0.0
            if claim.kind == "NUMBER" and words != "years":
                continue
            if low - slack <= size <= high + slack:
                shown = size / PERIODS["year"] if words == "years" else size
                return f"{a.text} to {b.text} is {shown:.4g} {words}"
    return ""


def _day_differences(a: Number, b: Number) -> Iterator[tuple[float, float, str]]:
    """Yield the least and the most days between two dates, the later one first."""
    assert a.day is not None
    assert b.day is not None
    if None not in (*a.day, *b.day):
        yield from _gap(_number(a.day) - _number(b.day))
    if a.day[0] is not None and b.day[0] is not None and a.day[0] > b.day[0]:
        years = a.day[0] - b.day[0]
        if not (a.day[1] and b.day[1]):
            yield years * calendar.YEAR - 1, years * calendar.YEAR + 1, "years"
        else:
            months = years * 12 + (a.day[1] or 1) - (b.day[1] or 1)
            if months % 12 == 0:
                yield months * calendar.MONTH - 1, months * calendar.MONTH + 1, "years"
    if None in (a.day[0], b.day[0]) and a.day[1] and a.day[2] and b.day[1] and b.day[2]:
        yield from _gap(_number((None, *a.day[1:])) - _number((None, *b.day[1:])))
    if a.day[1] and b.day[1]:
        months = ((a.day[0] or 0) - (b.day[0] or 0)) * 12 + a.day[1] - b.day[1]
        if None in (a.day[0], b.day[0]):
            months = a.day[1] - b.day[1]
        if months > 0 and abs((a.day[2] or 1) - (b.day[2] or 1)) <= 1:
            yield months * calendar.MONTH - 1, months * calendar.MONTH + 1, "days"


def _number(day: tuple[int | None, int | None, int | None]) -> int:
    year, month, of_month = day
    return calendar.day_number(year if year is not None else _ANY_YEAR, month or 1, of_month or 1)


def _gap(days: int) -> Iterator[tuple[float, float, str]]:
    if days > 0:
        yield days - 0.5, days + 1.6, "days"
    if days > 25:
        yield days * (1 - TIME_CONVERTED), days * (1 + TIME_CONVERTED), "days"


def of_times(claim: Number, a: Number, b: Number) -> str:
    """Return the sum by which two clock times, or one and a duration, give the claimed number."""
    if claim.kind == "TIME" and a.kind == "TIME" and b.kind == "DURATION":
        for sign, word in ((1, "after"), (-1, "before")):
            then = a.value + sign * b.value * 86400
            if b.value < 2 and any(fits(claim, value) for value in (then % 86400, then % 43200)):
                return f"{b.text} {word} {a.text} is {claim.text}"
    if claim.kind in {"DURATION", "QUANTITY"} and a.kind == b.kind == "TIME":
        gap = (a.value - b.value) % 86400 / 86400
        if (
            claim.kind == "DURATION"
            and gap
            and (fits(claim, gap) or close(claim.value, gap, TIME_ROUNDED))
        ):
            return f"{b.text} to {a.text} is {claim.text}"
    return ""
