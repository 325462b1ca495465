"""Work that is counted, not timed: a number that no other load on the machine changes.

What the interpreter's own functions do is not counted: tests/test_backtracking.py has the law for
patterns, the dearest of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def work(do: Callable[[], object]) -> int:
    """Return how many lines of Python a call runs, each turn of a loop anew."""
    count = 0

    def line(_: FrameType, event: str, __: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        do()
    finally:
        sys.settrace(before)
    return count


def assert_linear(do: Callable[[int], object], size: int) -> None:
    """Assert that four times as much takes no more than five times the work.

    `do` is called with each size, and first with a small one: what is loaded once is not counted.
    """
    do(size // 8)
    few, many = work(lambda: do(size)), work(lambda: do(4 * size))
    assert many <= 5 * few, f"{few:,} lines of Python at {size:,}, {many:,} at {4 * size:,}"
