"""The calendar: days have the numbers of the standard library, and years run on before Christ."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.calendar import (
    Date,
    add,
    dated_as_julian,
    day_number,
    days_of,
    duration_days,
    exists,
    julian_day_number,
    month_length,
    numbered,
    read_date,
    read_duration,
    write_date,
)
from tests.rows import each

YEARS, MONTHS = st.integers(-20_000, 20_000), st.integers(1, 12)


@given(st.dates())
def test_days_are_numbered_as_in_the_standard_library(day: date) -> None:
    assert day_number(day.year, day.month, day.day) == day.toordinal()
    assert read_date(day.isoformat()) == (day.year, day.month, day.day)


@given(st.integers(-(10**7), 10**7))
def test_each_number_is_one_day_and_each_day_one_number(number: int) -> None:
    assert day_number(*numbered(number)) == number


@given(st.none() | YEARS, st.none() | st.integers(-1, 14), st.none() | st.integers(-1, 32))
def test_a_date_that_exists_is_read_as_it_is_written(
    year: int | None, month: int | None, day: int | None
) -> None:
    written = Date(year, month, day)
    if exists(written) and written != (None, None, None):
        assert read_date(write_date(written)) == written


@each("date lexical datatype")
def test_a_date_has_the_datatype_of_its_precision(
    date: list[int | None], lexical: str, datatype: str
) -> None:
    literal = write_date(Date(*date))
    assert (str(literal), str(literal.datatype)) == (lexical, datatype)


@pytest.mark.parametrize("zone", ["", "Z", "+02:00"])
def test_time_and_zone_leave_the_day_as_it_is(zone: str) -> None:
    assert read_date(f"2014-05-08T10:30:00{zone}") == read_date(f"2014-05-08{zone}") == (2014, 5, 8)


@each("text")
def test_what_is_no_date_is_not_read(text: str) -> None:
    assert read_date(text) is None


@given(YEARS, MONTHS, st.integers(1, 28))
def test_a_date_covers_the_days_that_more_precise_ones_in_it_cover(
    year: int, month: int, day: int
) -> None:
    spans = [days_of(Date(*parts)) for parts in ((year,), (year, month), (year, month, day))]
    for wider, finer in pairwise(spans):
        assert wider is not None
        assert finer is not None
        assert wider[0] <= finer[0] <= finer[1] <= wider[1]
    assert days_of(Date(None, month, day)) is None


@given(
    st.dates(date(1600, 1, 1), date(2400, 1, 1)), st.integers(-2400, 2400), st.integers(-999, 999)
)
def test_months_are_added_before_days_and_end_with_a_short_month(
    day: date, months: int, days: int
) -> None:
    start = (day.year, day.month, day.day)
    year, month, of_month = add(start, months)
    assert year * 12 + month == day.year * 12 + day.month + months
    assert of_month == min(day.day, month_length(year, month))
    assert add(start, 0, days) == numbered(day.toordinal() + days)
    assert add(start, months, days) == add(add(start, months), 0, days)


@pytest.mark.parametrize(
    "date", [(1616, 4, 23), (1642, 12, 25), (1700, 2, 28), (1700, 3, 1), (8, 1, 1), (-43, 3, 15)]
)
def test_a_day_has_the_date_that_the_julian_calendar_gives_it(date: tuple[int, int, int]) -> None:
    assert numbered(dated_as_julian(julian_day_number(*date))) == date


def test_the_calendar_of_pope_gregory_began_ten_days_after_that_of_caesar_ended() -> None:
    assert numbered(julian_day_number(1582, 10, 4) + 1) == (1582, 10, 15)


@given(st.integers(0, 99), st.integers(0, 99), st.integers(0, 999), st.dates())
def test_a_duration_can_be_as_many_days_as_it_is_from_any_day(
    years: int, months: int, days: int, start: date
) -> None:
    read = read_duration(f"P{years}Y{months}M{days}D")
    assert read == (12 * years + months, 86_400 * days)
    fewest, most = duration_days(*read)
    first = (start.year, start.month, 1)
    assert fewest <= day_number(*add(first, int(read[0]), days)) - day_number(*first) <= most
    assert duration_days(-read[0], -read[1]) == (-most, -fewest)


@pytest.mark.parametrize("text", ["", "P", "PT", "P1", "1Y", "P1DT", "P1M1Y"])
def test_what_is_no_duration_is_not_read(text: str) -> None:
    assert read_duration(text) is None


def test_a_duration_may_be_less_than_a_day() -> None:
    assert read_duration("PT1H30M0.5S") == (0, Decimal("5400.5"))
