"""What is counted as work, and what passes as linear."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.work import assert_linear, work


def once(size: int) -> int:
    return sum(1 for _ in range(size))


def squared(size: int) -> int:
    return sum(once(one) for one in range(size))


def test_each_turn_of_a_loop_is_work_and_the_count_is_the_same_again() -> None:
    assert work(lambda: once(100)) == work(lambda: once(100)) >= 100
    assert 900 < work(lambda: once(1_000)) < 10_000


def test_what_grows_with_the_size_passes_and_what_grows_with_its_square_does_not() -> None:
    assert_linear(once, 100)
    with pytest.raises(AssertionError, match=r"lines of Python at 100, [\d,]+ at 400"):
        assert_linear(squared, 100)


def test_no_test_times_what_it_computes() -> None:
    clocks = ("process_" + "time", "perf_" + "counter")
    for file in Path(__file__).parent.rglob("test_*.py"):
        text = file.read_text("utf-8")
        assert not [clock for clock in clocks if clock in text], file
