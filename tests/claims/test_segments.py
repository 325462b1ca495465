"""Lines are read by themselves, items behind a lead not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.units.segments import segments
from tests.strategies import examples, texts


def read(text: str) -> list[str]:
    """Return how the segments of a text read."""
    return [one.text for one in segments(text)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The pier is old.\n\n  The inn is new.\n", ["The pier is old.", "The inn is new."]),
        ("- The pier is old.\n• The inn is new.", ["The pier is old.", "The inn is new."]),
        ("7.1 The pier is old.", ["The pier is old."]),
        ("A bed costs 9 euros.* Pay here.\n\n* In May it is free.",
         ["A bed costs 9 euros. Pay here.", "In May it is free."]),
        ("| Hut | Beds |\n|---|---|\n| Alder | 24 |\nThe inn is new.", ["The inn is new."]),
        ("Divers may not:\n- fish\n  - swim\n\nThe pier is old.\n- It is long.",
         ["The pier is old.", "It is long."]),
        ("The following items are sold.\n1. ropes\n2) boots", ["The following items are sold."]),
        ("- Guests may not bring:\n  - pets", []),
        ("Rejected proposals:\n- The pier is closed.", []),
    ],
)  # fmt: skip
def test_each_line_is_read_by_itself_and_no_item_behind_a_lead(text: str, said: list[str]) -> None:
    assert read(text) == said


@pytest.mark.parametrize("text", ["", "\n\n", "   ", "|", "A list:"])
def test_where_nothing_is_said_there_is_no_segment(text: str) -> None:
    assert not read(text)


@given(st.one_of(texts(), st.text(alphabet="ab:;-* |\n1.", max_size=40)))
@examples(80)
def test_segments_lie_in_the_text_and_their_words_where_they_say(text: str) -> None:
    last = 0
    for one in segments(text):
        assert last <= one.start < one.end <= len(text)
        assert "\n" not in text[one.start : one.end]
        last = one.end
        for at, _, length in one.runs:
            start, end = one.place(at, at + length) or (0, 0)
            assert text[start:end] == one.text[at : at + length]
