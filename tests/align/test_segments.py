"""Lines are read by themselves, items of lists behind what leads them in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.words.parses import parse
from groundrules.align.words.segments import segments
from tests.rows import each
from tests.strategies import examples, texts

LEASE = "Divers may not:\n- fish\n- touch the coral\n\nThe pier is old.\n"


def read(text: str) -> list[str]:
    """Return how the segments of a text read."""
    return [one.text for one in segments(text, parse)]


def test_each_line_is_read_by_itself() -> None:
    assert read("The pier is old.\n\n  The inn is new.\n") == [
        "The pier is old.",
        "The inn is new.",
    ]


def test_an_item_is_read_behind_what_leads_it_in() -> None:
    assert read(LEASE) == [
        "Divers may not fish.",
        "Divers may not touch the coral.",
        "The pier is old.",
    ]


def test_what_follows_stands_where_the_following_is_said() -> None:
    assert read("The following items are sold:\n1. ropes\n2) boots") == [
        "ropes are sold.",
        "boots are sold.",
    ]
    assert read("Guests receive the following:\n* a map") == ["Guests receive a map."]


@each("lead item read_as")
def test_an_item_stands_for_what_announces_it(lead: str, item: str, read_as: str) -> None:
    assert read(f"{lead}:\n- {item}") == [read_as]


@each("lead read_as")
def test_an_item_fills_the_place_that_its_lead_leaves_open(lead: str, read_as: str) -> None:
    assert read(f"{lead}:\n- fuel") == [read_as]


def test_a_lead_that_says_when_or_what_for_is_read_before_an_instruction() -> None:
    assert read("To start the pump:\n1. Open the valve.") == ["To start the pump, open the valve."]


def test_items_of_a_nested_list_are_read_behind_both_leads() -> None:
    assert read("Guests may not:\n- bring:\n  - pets\n  - fuel\n- fish") == [
        "Guests may not bring pets.",
        "Guests may not bring fuel.",
        "Guests may not fish.",
    ]


def test_conditions_in_a_list_bind_together() -> None:
    lead = "Guests may dive if:"
    both = "Guests may dive if they are trained and a guide is there."
    assert read(f"{lead}\n- they are trained\n- a guide is there") == [both, both]


@pytest.mark.parametrize("lead", ["All huts are open except", "All huts are full apart from"])
def test_exceptions_in_a_list_bind_together(lead: str) -> None:
    both = f"{lead} Alder and Birch."
    assert read(f"{lead}:\n- Alder\n- Birch") == [both, both]


@pytest.mark.parametrize("lead", ["Only the following may fish", "You may only take"])
def test_of_several_items_none_is_the_only_one(lead: str) -> None:
    assert not any("nly" in one for one in read(f"{lead}:\n- members\n- guides"))


@each("text")
def test_an_item_that_nobody_asserts_is_not_read(text: str) -> None:
    assert not read(text)


def test_what_a_lead_picks_alone_is_denied_of_the_other_items() -> None:
    text = "The town planned two parks but built only the first:\n- one by the lake\n- one uphill"
    lake, hill = segments(text, parse)
    assert lake.text == "The town planned one by the lake but built one by the lake."
    assert lake.denied is None
    assert hill.text[slice(*hill.denied or (0, 0))] == "one uphill"


def test_what_is_marked_is_picked_by_its_mark() -> None:
    found = segments("Of the huts below only those marked † are heated:\n- Alder†\n- Birch", parse)
    assert [(one.text.count("Alder"), one.denied is None) for one in found] == [
        (2, True),
        (0, False),
    ]


def test_a_note_is_read_behind_the_sentence_with_its_mark() -> None:
    text = "The hut has beds. A bed costs 9 euros.* Pay at the desk.\n\n* In May it is free."
    said, note = segments(text, parse)
    assert said.text == "The hut has beds. A bed costs 9 euros. Pay at the desk."
    assert (note.text, note.before) == ("In May it is free.", "A bed costs 9 euros.")


@each("note read_as")
def test_a_note_that_is_no_sentence_completes_the_one_with_its_mark(
    note: str, read_as: str
) -> None:
    assert read(f"A bed costs 9 euros.*\n* {note}")[1] == read_as


def test_an_item_without_a_lead_is_read_alone() -> None:
    assert read("- The pier is old.\n• The inn is new.") == ["The pier is old.", "The inn is new."]


def test_a_line_between_ends_a_list() -> None:
    assert read("Divers may not:\n- fish\nThe pier is old.\n- swim") == [
        "Divers may not fish.",
        "The pier is old.",
        "swim",
    ]


def test_a_row_of_a_table_is_no_segment() -> None:
    assert read("| Hut | Beds |\n|---|---|\n| Alder | 24 |\nThe inn is new.") == ["The inn is new."]


@pytest.mark.parametrize("text", ["", "\n\n", "   ", "|", "A list:"])
def test_where_nothing_is_said_there_is_no_segment(text: str) -> None:
    assert not read(text)


@pytest.mark.parametrize(
    ("item", "read_as"),
    [
        ("fish.", "Divers may not fish."),
        ("fish!", "Divers may not fish!"),
        pytest.param(
            "fish;",
            "Divers may not fish.",
        ),
    ],
)
def test_an_item_ends_with_one_mark(item: str, read_as: str) -> None:
    assert read(f"Divers may not:\n- {item}\n") == [read_as]


def test_the_words_of_an_item_stand_where_its_place_says() -> None:
    item = list(segments(LEASE, parse))[1]
    at = item.text.index("coral")
    start, end = item.place(at, at + len("coral")) or (0, 0)
    assert LEASE[start:end] == "coral"


def test_the_words_that_lead_in_stand_at_no_place_of_the_item() -> None:
    item = next(segments(LEASE, parse))
    assert item.text.startswith("Divers")
    assert item.place(0, 6) is None


def test_an_indented_line_stands_where_its_place_says() -> None:
    text = "The pier.\n   The inn is new."
    line = list(segments(text, parse))[1]
    start, end = line.place(0, 3) or (0, 0)
    assert text[start:end] == "The"


@given(st.one_of(texts(), st.text(alphabet="ab:;-* |\n1.", max_size=40)))
@examples(80)
def test_segments_lie_in_the_text_one_behind_the_other(text: str) -> None:
    last = 0
    for one in segments(text, parse):
        assert last <= one.start < one.end <= len(text)
        assert "\n" not in text[one.start : one.end]
        last = one.end


@given(st.text(alphabet="ab:;-* |\n1.", max_size=40))
@examples(80)
def test_the_own_words_of_a_segment_are_those_of_its_place(text: str) -> None:
    for one in segments(text, parse):
        for at, _, length in one.runs:
            start, end = one.place(at, at + length) or (0, 0)
            assert text[start:end] == one.text[at : at + length]
