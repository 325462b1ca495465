"""What is counted as work, and what passes as linear."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.work import assert_linear


def test_what_grows_with_the_square_of_its_size_does_not_pass_as_linear() -> None:
    def once(size: int) -> int:
        return sum(1 for _ in range(size))

    assert_linear(once, 100)
    with pytest.raises(AssertionError, match=r"lines of Python at 100, [\d,]+ at 400"):
        assert_linear(lambda size: [once(one) for one in range(size)], 100)


def test_no_test_times_what_it_computes() -> None:
    clocks = ("process_" + "time", "perf_" + "counter")
    for file in Path(__file__).parent.rglob("test_*.py"):
        text = file.read_text("utf-8")
        assert not [clock for clock in clocks if clock in text], file
