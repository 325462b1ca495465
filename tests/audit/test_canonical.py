"""The laws of canonical JSON: it is what the reference writes, whatever the value."""

from __future__ import annotations

import json

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from groundrules.audit import canonical

_WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
_PLAIN = st.none() | st.booleans() | _WHOLE | st.floats(allow_nan=False, allow_infinity=False)
_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    _PLAIN | _TEXT, lambda inner: st.lists(inner) | st.dictionaries(_TEXT, inner), max_leaves=20
)


@given(VALUES)
def test_it_writes_what_the_reference_writes(value: object) -> None:
    assert canonical.dumps(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_those_of_the_reference_and_come_back(value: float) -> None:
    written = canonical.dumps(value)
    assert written == rfc8785.dumps(value)
    assert float(written) == value


@pytest.mark.parametrize("value", [1e21, 1e20, 1.5e-7, 1e-6, -0.0, 123456789012345680000.0, 5e-324])
def test_numbers_at_the_limits_of_a_form_are_those_of_the_reference(value: float) -> None:
    assert canonical.dumps(value) == rfc8785.dumps(value)


def test_names_are_sorted_by_utf_16() -> None:
    names = ["\ufb33", "\U0001f600", "\u20ac", "a", "\x80"]
    value = dict.fromkeys(names, 1)
    assert canonical.dumps(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


def test_a_lone_surrogate_is_its_escape_and_comes_back() -> None:
    assert canonical.dumps("a\ud800") == b'"a\\ud800"'
    assert json.loads(canonical.dumps({"\udfff": 1})) == {"\udfff": 1}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53])
def test_a_number_that_readers_differ_on_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="is"):
        canonical.dumps(value)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="set is no JSON"):
        canonical.dumps({1, 2})
