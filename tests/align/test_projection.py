"""The laws of the relations, each tried on all of them or on ranges of any kind."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.projection import Relation, of_bounds
from groundrules.claims.quantifiers import Bounds
from tests.strategies import examples

NUMBERS = st.one_of(st.integers(-50, 50).map(float), st.sampled_from([0.5, 1e6, 2.5e9]))


@st.composite
def ranges(draw: st.DrawFn) -> Bounds:
    """Return a range, open at one of its ends or closed at both."""
    low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
    match draw(st.sampled_from(["both", "least", "most"])):
        case "least":
            return low, math.inf
        case "most":
            return -math.inf, high
    return low, high


@pytest.mark.parametrize("one", list(Relation))
def test_a_denial_supports_only_what_is_excluded_and_twice_denied_nothing_else(
    one: Relation,
) -> None:
    assert one.denied.supports is one.refutes
    assert one.denied.refutes is one.supports
    assert one.denied.denied is one


def test_no_relation_both_supports_and_refutes() -> None:
    assert not [one for one in Relation if one.supports and one.refutes]
    assert len(set(Relation)) == len(Relation)


@given(ranges(), ranges())
@examples(100)
def test_two_ranges_are_the_same_where_they_are_equal(one: Bounds, other: Bounds) -> None:
    assert (of_bounds(one, other) is Relation.SAME) == (one == other)


@given(ranges(), ranges(), NUMBERS)
@examples(100)
def test_a_number_in_a_range_is_in_those_it_entails_and_in_none_that_it_excludes(
    one: Bounds, other: Bounds, number: float
) -> None:
    found = of_bounds(one, other)
    if one[0] <= number <= one[1]:
        inside = other[0] <= number <= other[1]
        assert inside or not found.supports
        assert not inside or not found.refutes


@given(ranges(), ranges(), ranges())
@examples(100)
def test_what_a_range_entails_is_handed_on(one: Bounds, other: Bounds, third: Bounds) -> None:
    if of_bounds(one, other).supports and of_bounds(other, third).supports:
        assert of_bounds(one, third).supports


@pytest.mark.parametrize(
    ("source", "statement", "relation"),
    [
        ((10, 10), (10, 10), Relation.SAME),
        ((10, 10), (-math.inf, 12), Relation.ENTAILS),
        ((8, math.inf), (5, math.inf), Relation.ENTAILS),
        ((-math.inf, 12), (10, 10), Relation.OPEN),
        ((10, 10), (10.5, math.inf), Relation.EXCLUDES),
        ((5, math.inf), (-math.inf, 9), Relation.OPEN),
        ((1, 5), (3, 9), Relation.OPEN),
    ],
)
def test_a_number_is_held_against_the_bounds_of_another(
    source: Bounds, statement: Bounds, relation: Relation
) -> None:
    assert of_bounds(source, statement) is relation
