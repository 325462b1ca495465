"""The ends and the relation of a model's triple: what the text has for them, or nothing."""

from __future__ import annotations

import pytest
from rdflib.term import Literal

from groundrules.claims.facts.parsed import DropError
from groundrules.claims.models.llm_ends import (
    DENIED,
    LONGEST,
    WORDIEST,
    Ends,
    Part,
    named_relation,
    one_line,
    relation_of,
)
from groundrules.terms import Span
from tests.claims.looked_up import looked_up, place
from tests.claims.rows import rows

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


Stated = tuple[str, bool, bool] | None


def relation(text: str, subject: str, words: str, object_: str) -> Stated:
    """Return label, whether it is denied and whether it is passive with an agent."""
    lookup = looked_up(text)
    ends, whole = Ends(lookup, [lookup]), (0, len(text))
    last = ends.part(object_, whole, None)
    first = ends.part(subject, whole, last.span if last else None)
    assert first is not None
    assert last is not None
    found = relation_of(lookup, words, whole, first, last)
    return (found[0], found[2], found[3]) if found else None


@pytest.mark.parametrize(
    ("text", "words", "stated"),
    rows("llm_relations.relation"),
)
def test_a_relation_is_worded_by_its_passage_or_is_none(
    text: str, words: str, stated: Stated
) -> None:
    assert relation(text, "Northgate", words, "roof") == stated


def test_a_passive_with_an_agent_is_told() -> None:
    text = "The roof was repaired by Northgate."
    assert relation(text, "roof", "was repaired by", "Northgate") == ("repair", False, True)


def test_to_be_is_a_relation_where_no_other_verb_parts_the_two() -> None:
    text = "Mary Stone is the chair of Northgate."
    assert relation(text, "Mary Stone", "is", "chair") == ("be", False, False)
    text = "Mary Stone bought a chair."
    assert relation(text, "Mary Stone", "is", "chair") is None


@pytest.mark.parametrize(
    "text", ["Northgate did not repair the roof.", "If Northgate repaired the roof, it holds."]
)
def test_a_name_for_a_relation_is_refused_where_the_text_denies_or_doubts(text: str) -> None:
    with pytest.raises(DropError, match=DENIED):
        named_relation(looked_up(text), "maintains", (0, len(text)))


def test_a_name_for_a_relation_is_short_and_denies_nothing() -> None:
    text = "Northgate repaired the roof."
    lookup, whole = looked_up(text), (0, len(text))
    assert named_relation(lookup, "Roofer of", whole) == ("roofer of", None, False, False)
    assert named_relation(lookup, "very " * WORDIEST + "long", whole) is None
    assert named_relation(lookup, "...", whole) is None
    with pytest.raises(DropError, match=DENIED):
        named_relation(lookup, "never maintains", whole)
