"""The ends of a model's triples: what the text has for a name, or nothing."""

from __future__ import annotations

import pytest
from rdflib.term import Literal

from groundrules.claims.llm_ends import LONGEST, Ends, Part, one_line
from groundrules.terms import Span
from tests.claims.looked_up import looked_up, place

TEXT = (
    "Mary Stone leads Northgate Roofing Inc. The firm bought a new warehouse for $450. "
    "She sold the old one."
)
LOOKUP = looked_up(TEXT)
ENDS = Ends(LOOKUP, [LOOKUP])
FIRST = place(TEXT, "Mary Stone leads Northgate Roofing Inc.")
SECOND = place(TEXT, "The firm bought a new warehouse for $450.")
THIRD = place(TEXT, "She sold the old one.")


def part(name: str, passage: tuple[int, int], taken: Span | None = None) -> Part | None:
    return ENDS.part(name, passage, taken)


def words_of(found: Part | None) -> str:
    return TEXT[found.span.start : found.span.end] if found else ""


@pytest.mark.parametrize(
    ("name", "passage", "words"),
    [
        ("Mary Stone", FIRST, "Mary Stone"),
        ("northgate roofing", FIRST, "Northgate Roofing"),
        ("warehouse", SECOND, "warehouse"),
        ("new warehouses", SECOND, "new warehouse"),
        ("Mary Stone", SECOND, ""),
        ("Southgate Roofing", FIRST, ""),
        ("", FIRST, ""),
        ("warehouse " * 41, SECOND, ""),
    ],
)
def test_a_name_is_what_stands_in_the_passage(
    name: str, passage: tuple[int, int], words: str
) -> None:
    assert words in words_of(part(name, passage))
    assert bool(words) is (part(name, passage) is not None)


def test_a_value_is_looked_up_by_what_it_amounts_to() -> None:
    found = part("450 dollars", SECOND)
    assert found is not None
    assert isinstance(found.node, Literal)
    assert words_of(found) == "$450"
    assert part("$451", SECOND) is None
    assert part("$450", FIRST) is None


def test_a_pronoun_stands_for_what_is_named_elsewhere() -> None:
    found = part("Mary Stone", THIRD)
    assert found is not None
    assert words_of(found) == "She"
    assert str(found.label) == "Mary Stone"


def test_what_is_taken_by_the_other_end_is_not_taken_again() -> None:
    subject = part("Mary Stone", FIRST)
    assert subject is not None
    assert part("Mary Stone", FIRST, subject.span) is None


def test_a_name_is_cut_before_it_is_looked_up() -> None:
    assert part("Mary Stone" + " " * LONGEST + "of Nowhere", FIRST) is not None


def test_white_space_of_a_label_is_one_blank_each() -> None:
    assert one_line(" a\n\tb  c ") == "a b c"
