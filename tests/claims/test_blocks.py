"""Laws of blocks: a document in passages, each word where it stands."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.facts.offline import load
from groundrules.claims.units.blocks import (
    LONGEST,
    LONGEST_WORD,
    Block,
    blank_insertions,
    cut,
    parse,
    tokenised,
)
from groundrules.claims.units.units import cut_sentences
from tests.claims.rows import rows
from tests.strategies import examples, texts

PIECES = (
    "Ann paid $5.", "THE LEASE", "Section 2", "(a) ", "-LRB- ", " -RRB- ", "`` ", " ''", " . ",
    "\n", "\n\n", "\r\n", "\u2028", "\x0c", "\t", " ", "sixty (60) days", '(the "Tenant")',
    "\ud800", "😀", "can't", "w" * 70, "No.", "Mr. Bean", "a; b", "“Stop!” ", "- item",
)  # fmt: skip
TEXTS = texts() | st.lists(st.sampled_from(PIECES) | st.text(max_size=9), max_size=9).map("".join)


@cache
def pipeline() -> Any:
    return load()


def parsed(text: str) -> list[Block]:
    return list(parse(pipeline(), text))


def tree(block: Block) -> list[tuple[str, str, str, int]]:
    """Return words, tags and labels of a block with their heads."""
    return [(token.text, token.tag_, token.dep_, token.head.i) for token in block.doc]


# --- passages -----------------------------------------------------------------------------------


@examples(200)
@given(TEXTS)
def test_passages_are_short_and_begin_and_end_with_a_word(text: str) -> None:
    found = list(cut(text))
    for start, end in found:
        assert 0 < end - start <= LONGEST
        assert text[start:end] == text[start:end].strip()
    assert all(one[1] <= other[0] for one, other in pairwise(found))


@given(st.integers(1, 3), st.sampled_from(["\n\n", "\r\n\r\n", "\n \t\n", "\x0c", "\u2028\n"]))
def test_an_empty_line_parts_passages(count: int, gap: str) -> None:
    text = gap.join(["no stop and no capital"] * (count + 1))
    assert [text[a:b] for a, b in cut(text)] == ["no stop and no capital"] * (count + 1)


def test_a_line_break_parts_passages_only_where_something_ends() -> None:
    def passages(text: str) -> int:
        return len(list(cut(text)))

    assert passages("the rent is\ndue in May") == 1
    assert passages("the rent is due.\nit is high") == 2
    assert passages("THE LEASE\nThe rent is due") == 2
    assert passages("the rent is due and\n(a) the deposit") == 2
    assert passages("## Rent and deposit\nThe rent is due") == 2  # marked as a heading


@pytest.mark.parametrize("unit", ["Ann paid. ", "word ", "x", "(", "é", "😀"])
def test_however_long_a_text_is_its_passages_are_short_and_whole(unit: str) -> None:
    text = unit * (30_000 // len(unit))
    found = list(cut(text))
    assert max(end - start for start, end in found) <= LONGEST
    assert "".join(text[a:b] for a, b in found).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("text", ["", " ", "\n" * 50_000, "\r\n \u2028\x0c\t" * 2_000])
def test_where_there_is_no_word_there_is_no_passage(text: str) -> None:
    assert list(cut(text)) == []
    assert parsed(text) == []


# --- insertions ---------------------------------------------------------------------------------


@examples(200)
@given(TEXTS)
def test_insertions_become_blanks_in_their_places_once_and_for_all(text: str) -> None:
    blanked = blank_insertions(text)
    assert len(blanked) == len(text)
    assert all(new in (" ", old) for new, old in zip(blanked, text, strict=True))
    assert blank_insertions(blanked) == blanked


def test_a_definition_and_a_figure_said_twice_are_insertions() -> None:
    assert blank_insertions('Ann (the "Tenant") paid').split() == ["Ann", "paid"]
    assert blank_insertions("sixty (60) days").split() == ["sixty", "days"]
    assert blank_insertions("the price (see below) fell") == "the price (see below) fell"


def test_what_opens_a_passage_is_not_put_in() -> None:
    assert blank_insertions('(the "Tenant") paid') == '(the "Tenant") paid'


# --- words --------------------------------------------------------------------------------------


@examples(100)
@given(TEXTS)
def test_each_word_is_what_stands_in_its_place(text: str) -> None:
    spoken = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}
    for start, end in cut(text):
        doc, offsets = tokenised(pipeline(), text, start, end)
        assert len(doc) == len(offsets)
        assert all(one[1] <= other[0] for one, other in pairwise(offsets))
        for token, (first, last) in zip(doc, offsets, strict=True):
            assert start <= first < last <= end
            there = spoken.get(text[first:last], text[first:last])
            shown = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in there)
            assert token.text == shown[:LONGEST_WORD]


@examples(100)
@given(TEXTS)
def test_no_word_is_lost_but_those_put_in(text: str) -> None:
    for start, end in cut(text):
        _, offsets = tokenised(pipeline(), text, start, end)
        kept = Counter("".join(text[a:b] for a, b in offsets))
        wanted = Counter(blank_insertions(text[start:end]))
        assert not {c: n for c, n in (wanted - kept).items() if not c.isspace()}


def test_escapes_of_tokenised_text_are_the_marks_they_stand_for() -> None:
    text = "-LRB- `` it '' -RRB-"
    doc, _ = tokenised(pipeline(), text, 0, len(text))
    assert [token.text for token in doc] == ["(", '"', "it", '"', ")"]


def test_a_part_of_a_contraction_is_known_by_what_it_stands_for() -> None:
    doc, _ = tokenised(pipeline(), "Ann didn't", 0, 10)
    assert [token.norm_ for token in doc][-1] == "not"


def test_no_sentence_begins_after_an_abbreviation() -> None:
    (block,) = parsed("Mr. Bean met Dr. No in St. Louis. He left.")
    assert [str(sentence)[:4] for sentence in block.doc.sents] == ["Mr. ", "He l"]


@pytest.mark.parametrize(("text", "count"), rows("blocks.sentence"))
def test_a_sentence_begins_with_a_company_behind_the_stop_of_another(text: str, count: int) -> None:
    assert sum(len(list(block.doc.sents)) for block in parsed(text)) == count


def test_a_letter_after_a_number_is_a_unit_and_may_end_a_sentence() -> None:
    for amount in ("28 °C", "28°F", "12 V"):
        text = f"The water is kept at {amount}. Most of the heat comes from the sun."
        (block,) = parsed(text)
        assert [str(sentence)[:4] for sentence in block.doc.sents] == ["The ", "Most"]
        assert [text[a:b][:4] for a, b in cut_sentences(text, 0, len(text))] == ["The ", "Most"]


# --- parsing ------------------------------------------------------------------------------------


@examples(40)
@given(st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join))
def test_every_word_of_a_block_hangs_on_the_root_of_its_sentence(text: str) -> None:
    for block in parsed(text):
        assert len(block.doc) == len(block.offsets)
        for sentence in block.doc.sents:
            for token in sentence:
                assert sentence.root in {token, *token.ancestors}


SENTENCES = (
    "Ann Berg paid the rent.", "The company 's chief executive , Bob , left.",
    "The drug eases pain.", "It rained in May.", "Sales figures",
)  # fmt: skip


@examples(40)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4))
def test_a_passage_that_is_asked_for_is_read_alike_whatever_is_beside_it(said: list[str]) -> None:
    text = "\n\n".join(said)
    places = list(cut(text))
    beside = [tree(block) for block in parse(pipeline(), text, places)]
    alone = [tree(block) for one in said for block in parse(pipeline(), one, [(0, len(one))])]
    assert beside == alone


@pytest.mark.parametrize("sentence", ["The drug eases pain.", "The clinic opens on Tuesday."])
def test_a_verb_that_could_be_a_noun_is_read_as_one(sentence: str) -> None:
    (said,) = parsed(sentence)
    assert [t.tag_ for t in said.doc if t.dep_ == "ROOT"] == ["VBZ"]


def test_a_possessive_phrase_is_headed_by_what_is_possessed() -> None:
    (block,) = parsed("The company 's chief executive , Ann , left.")
    owner = next(token for token in block.doc if token.text == "company")
    assert (owner.dep_, owner.head.text) == ("poss", "executive")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1_000,
        "a, " * 500,
        "-LRB- " * 500,
        "\ud800" * 500,
        "e\u0301" * 500,
        "\u202e\u2066 Ann paid \u2069.",
        "word" * 5_000,
    ],
)
def test_hostile_text_is_parsed_in_its_places(text: str) -> None:
    for block in parsed(text):
        assert len(block.doc) == len(block.offsets)
        assert all(0 <= start < end <= len(text) for start, end in block.offsets)


@pytest.mark.parametrize("text", ["Es endet am 30. November 2027.", "Am 3. Mai kommt er."])
def test_a_day_before_its_month_ends_no_sentence_in_german(text: str) -> None:
    (block,) = parsed(text)

    assert len(list(block.doc.sents)) == 1


@pytest.mark.parametrize(
    "text", ["It was raised to 30. August was dry.", "The answer is in room 12. April was away."]
)
def test_a_number_before_a_month_that_begins_an_english_sentence_ends_one(text: str) -> None:
    (block,) = parsed(text)

    assert len(list(block.doc.sents)) == 2
