"""Units: a document cut without a parser."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.units.units import Kind, units

DOCUMENT = """\
# Rules of the boat club

1. Moorings
Boats must be moored by 30 April. Dr. Okafor keeps the list, which is open to all
members.

| Length | Fee | Deposit |
|---|---|---|
| up to 6 m | 120 | 50 |
| over 6 m | 180 | |

2. Guests
- A guest may stay three nights.
- No guest may hold a key.
"""


def _said(kind: Kind) -> list[str]:
    return [unit.text for unit in units(DOCUMENT) if unit.kind is kind]


def test_a_sentence_goes_on_over_a_full_line_and_an_abbreviation() -> None:
    assert _said(Kind.SENTENCE) == [
        "Boats must be moored by 30 April.",
        "Dr. Okafor keeps the list, which is open to all members.",
    ]


def test_a_row_says_what_its_cells_are_of() -> None:
    assert _said(Kind.ROW) == [
        "Length: up to 6 m; Fee: 120; Deposit: 50",
        "Length: over 6 m; Fee: 180",
    ]


def test_items_stand_alone() -> None:
    assert _said(Kind.ITEM) == ["- A guest may stay three nights.", "- No guest may hold a key."]


def test_a_unit_knows_the_heading_above_it() -> None:
    found = units(DOCUMENT)
    above = {unit.text: found[unit.heading].text for unit in found if unit.heading >= 0}
    assert above["Boats must be moored by 30 April."] == "1. Moorings"
    assert above["Length: over 6 m; Fee: 180"] == "1. Moorings"
    assert above["- No guest may hold a key."] == "2. Guests"


def test_lines_with_room_for_the_next_word_are_not_joined() -> None:
    text = "Permit holder: Kestrel Mills\nDate of decision: 30 January 2024, in force at once"
    assert len(units(text)) == 2


def test_a_year_ends_a_sentence_and_the_number_of_an_item_does_not() -> None:
    found = [
        unit.text for unit in units("It was built in 1990. It burned in 1991.\n\n3. It is new.")
    ]
    assert found == ["It was built in 1990.", "It burned in 1991.", "3. It is new."]


def test_no_sentence_begins_between_a_day_and_its_month_in_german() -> None:
    found = [unit.text for unit in units("Er gilt ab 1. März 2024. Die Miete ist am 3. fällig.")]
    assert found == ["Er gilt ab 1. März 2024.", "Die Miete ist am 3. fällig."]


@given(st.text(alphabet="aB1 .?!|\n-#:é\u2028", max_size=200))
def test_units_lie_in_order_and_hold_every_word(text: str) -> None:
    found = units(text)
    ends = [0, *(unit.end for unit in found)]
    assert all(unit.start >= end for unit, end in zip(found, ends, strict=False))
    inside = "".join(text[unit.start : unit.end] for unit in found)
    assert [c for c in inside if c.isalnum()] == [c for c in text if c.isalnum()]
