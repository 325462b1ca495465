"""A record as JSON: each value stands where it is said to stand."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from groundrules.checks.recordjson import write_record
from groundrules.claims.fields import Field

SCALARS = st.one_of(st.text(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
                    st.booleans())  # fmt: skip
STEPS = st.sampled_from(["a", "b", "cé", '"'])


@given(st.lists(st.tuples(STEPS, STEPS, SCALARS.filter(lambda v: v != "")), max_size=6))
def test_any_record_is_written_as_json_with_its_values_in_place(rows):
    fields = [
        Field((one, other), "X", value if not isinstance(value, str) else _clean(value))
        for one, other, value in rows
    ]
    written, places = write_record(fields)
    json.loads(written)
    for one, (start, end) in zip(fields, places, strict=True):
        quoted = isinstance(one.value, str)
        found = written[start - quoted : end + quoted]
        assert json.loads(found) == one.value


def _clean(value):
    return value.encode("utf-8", "replace").decode("utf-8") or "?"
