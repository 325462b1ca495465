"""Outlines: a document read in part says in that part what it says read whole."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.documents.document import Document
from groundrules.claims.facts.offline import Extraction, extract
from groundrules.claims.facts.outline import extract_part, outline
from groundrules.claims.units.tables import is_rule
from groundrules.claims.values.value_reader import find_values

LEASE = (Path(__file__).parents[2] / "examples/lease/lease.txt").read_text("utf-8")
STORY = (
    "Karim Lund founded Amber Glass Inc. in May. It is based in Denver.\n\n"
    "The firm had 40 workers at first. She joined later, and Mr. Lund paid her $500.\n\n"
    "Amber Glass sold its works to Boris Farrow on May 2, 2001."
)


def part(text: str, *chosen: int, names: tuple[str, ...] = ()) -> Extraction:
    document = Document("d", text)
    return extract_part(document, outline(document), chosen, names)


@given(st.text("aB.1 \n\t|-$%é", max_size=80))
def test_sentences_are_in_order_and_hold_all_but_space_and_rules_of_tables(text: str) -> None:
    text = "\n".join("" if is_rule(line) else line for line in text.split("\n"))
    found = outline(Document("d", text))
    assert [*found.sentences] == sorted(found.sentences)
    held = {place for start, end in found.sentences for place in range(start, end)}
    assert all(text[place].isspace() for place in range(len(text)) if place not in held)
    assert all(number < len(found.sentences) for number in found.opening)


def test_values_stand_in_every_part_of_a_document() -> None:
    found = part(LEASE)
    values = {(m.span.start, m.span.end) for m in found.mentions if m.kind == "MONEY"}
    assert values == {(v.start, v.end) for v in find_values(LEASE) if v.kind == "MONEY"}


def test_a_document_of_which_all_is_chosen_says_all() -> None:
    whole = extract(Document("d", STORY))
    found = part(STORY, *range(len(outline(Document("d", STORY)).sentences)))
    assert [(c.triple, c.span, c.parts) for c in found.claims] == [
        (c.triple, c.span, c.parts) for c in whole.claims
    ]
    assert found.sentences == whole.sentences
    assert found.mentions == whole.mentions


def test_only_what_is_chosen_is_read() -> None:
    found = part(STORY, 4)
    assert {c.sentence for c in found.claims} == {4}
    first = found.sentences[0]
    assert STORY[first.start : first.end] == "Karim Lund founded Amber Glass Inc. in May."


def test_a_pronoun_does_not_stand_for_what_was_not_read_before_it() -> None:
    for chosen, known in (((0, 1, 2), True), ((0, 2), False)):
        read = part(STORY, *chosen)
        subjects = {read.labels[c.triple.subject] for c in read.claims if c.sentence == 2}
        assert ("Amber Glass Inc" in subjects) is known


def test_names_that_are_asked_for_are_found_where_they_stand_first() -> None:
    found = part(STORY, names=("Amber",))
    assert "Amber Glass Inc" in {m.text.strip(".") for m in found.mentions if m.kind == "ORG"}
    assert not any(m.text == "Boris Farrow" for m in part(STORY, 0).mentions)


def test_markup_is_no_word_and_places_are_those_of_the_file() -> None:
    text = "# Terms\n\n**Karim Lund** sold *Amber Glass* to Boris Farrow.\n"
    document = Document("d", text, "md")
    known = outline(document)
    found = extract_part(document, known, range(len(known.sentences)))
    assert found.document == document
    assert {text[c.span.start : c.span.end] for c in found.claims}
    assert all(text[m.span.start : m.span.end] == m.text for m in found.mentions)
