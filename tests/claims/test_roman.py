"""Roman numerals are read as they are written, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.values.roman import read_roman, write_roman


@given(st.integers(1, 3999))
def test_a_numeral_is_read_as_it_was_written(number: int) -> None:
    assert read_roman(write_roman(number)) == number


@pytest.mark.parametrize("text", ["", "IC", "IIII", "VX", "iv", "A", "M" * 30])
def test_what_nobody_writes_is_no_numeral(text: str) -> None:
    assert read_roman(text) is None
