"""What a claim says of the time of a statement: the table of relations, and an oracle of days."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal, URIRef

from groundrules.kb.read.timing import (
    RELATIONS,
    Box,
    Days,
    Timing,
    barring,
    bearing,
    excluded,
    follows,
    lasting,
    period,
)
from groundrules.kb.sources.source import Rank, Statement, Value
from tests.kb.tables import built

HELD = URIRef("urn:held")
NOVALUE = Value("novalue", URIRef("urn:none"))
SOMEVALUE = Value("somevalue", URIRef("urn:some"))
NOW = 500.0


def time(low: float, high: float) -> Value:
    return Value("time", Literal(f"{low:g}..{high:g}"), low, high)


def statement(rank: Rank = "normal", *, best: bool = True, **times: Any) -> Statement:
    value = Value("item", URIRef("urn:office"))
    return Statement(URIRef("urn:ada"), HELD, value, rank, best, **times)


#: Held from day 20 to day 80.
TERM = statement(start=time(20, 20), end=time(80, 80))


#: What is said of when, and what the term makes of it.
BOUND = [
    *built("each relation binds beginning and end", Timing),
    (Timing("beginning", (15, 25), (NOW, math.inf)), "out"),
]


@pytest.mark.parametrize(("timing", "expected"), BOUND)
def test_each_relation_binds_beginning_and_end(timing: Timing, expected: str) -> None:
    assert bearing(TERM, timing, NOW) == expected


def test_the_table_has_every_relation_and_the_test_has_every_relation_of_the_table() -> None:
    assert {timing.relation for timing, _ in BOUND} | {"lasting"} == set(RELATIONS)


@pytest.mark.parametrize(("count", "expected"), [(16, "in"), (15, "out"), (18, "out")])
def test_so_many_years_are_those_that_are_full_or_nearly_so(count: int, expected: str) -> None:
    term = statement(start=time(732_000, 732_000), end=time(737_860, 737_860))  # 16.04 years
    assert bearing(term, lasting(count)) == expected


@pytest.mark.parametrize(
    ("known", "at", "expected"),
    [
        *built("what is not stated is open", statement, time),
        (statement(start=time(6, 6), end=NOVALUE), (500, 500), "in"),
        (statement(start=time(6, 6), end=SOMEVALUE), (400, 400), "open"),
        (statement(end=NOVALUE), (500, 500), "in"),
    ],
)
def test_what_is_not_stated_is_open(known: Statement, at: Days | None, expected: str) -> None:
    assert bearing(known, Timing("holding", at) if at else None, NOW) == expected


@pytest.mark.parametrize(("rank", "expected"), [("preferred", "out"), ("normal", "open")])
def test_only_a_preferred_statement_without_an_end_excludes_one(rank: Rank, expected: str) -> None:
    known = statement(rank, start=time(20, 20))
    assert bearing(known, Timing("ending", (100, 120)), NOW) == expected


@pytest.mark.parametrize(
    ("timing", "expected"),
    [*built("what holds meanwhile leaves no room for another", Timing, lasting)],
)
def test_what_holds_meanwhile_leaves_no_room_for_another(timing: Timing, expected: str) -> None:
    assert barring(TERM, timing, NOW) == expected


def test_the_time_of_a_statement_is_told_as_far_as_it_is_known() -> None:
    assert period(TERM) == "from 20..20 to 80..80"
    assert period(statement(start=time(6, 6), end=NOVALUE)) == "from 6..6"
    assert period(statement(point=time(5, 5))) == "at 5..5"
    assert period(statement()) == ""


LAST = 7
days = st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(
    lambda ends: (min(ends), max(ends))
)
lengths = st.just((0, math.inf)) | days
boxes = st.builds(Box, days, days, lengths)


def worlds(box: Box) -> list[tuple[int, int]]:
    """Return every beginning and end that a statement may have, day by day."""

    def span(ends: Days) -> range:
        return range(int(ends[0]), int(ends[1]) + 1)

    return [(start, end) for start, end in product(span(box.start), span(box.end)) if start <= end]


def holds(box: Box, start: int, end: int) -> bool:
    return (
        box.start[0] <= start <= box.start[1]
        and box.end[0] <= end <= box.end[1]
        and box.length[0] <= end - start <= box.length[1]
    )


@given(boxes, st.builds(Box, days, days))
def test_what_follows_and_what_is_excluded_is_so_on_every_day_there_may_be(
    claimed: Box, known: Box
) -> None:
    """An oracle that tries all days; of bounds on both the ends and the length it may be open."""
    tried = [holds(claimed, *world) for world in worlds(known)]
    if not tried:
        return
    assert follows(claimed, known) == all(tried)
    if claimed.length == (0, math.inf) or (claimed.start, claimed.end) == ((0, LAST), (0, LAST)):
        assert excluded(claimed, known) == (not any(tried))
    elif excluded(claimed, known):
        assert not any(tried)
