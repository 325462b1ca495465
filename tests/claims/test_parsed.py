"""A document is parsed once, and its words, mentions and names are looked up."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts import offline
from groundrules.claims.facts.offline import extract
from groundrules.claims.facts.parsed import Parsed, Word, is_same, meets, overlaps
from groundrules.claims.units.blocks import parse
from groundrules.terms import Span
from tests.claims.looked_up import looked_up, place
from tests.strategies import examples, texts

TEXT = "The Tenant didn't pay Alpine's rent (due on 1 May)."


def test_words_are_casefolded_and_signs_are_none_but_for_contractions() -> None:
    words = Parsed(from_text(TEXT)).words
    assert [word.text for word in words] == [
        "the", "tenant", "did", "not", "pay", "alpine", "'s", "rent", "due", "on", "1", "may",
    ]  # fmt: skip
    assert [word.lemma for word in words if word.tag == "VBD"] == ["do"]


@examples(30)
@given(texts())
def test_words_stand_in_order_in_the_text_and_leave_the_extraction_as_it_is(text: str) -> None:
    parsed = Parsed(from_text(text))
    words = parsed.words
    assert all(0 <= w.start < w.end <= len(text) for w in words)
    assert all(a.end <= b.start for a, b in pairwise(words))
    assert parsed.extraction == extract(from_text(text))


def test_one_parse_gives_the_words_and_the_extraction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    calls: list[str] = []

    def counted(nlp: Any, text: str) -> Any:
        calls.append(text)
        return parse(nlp, text)

    monkeypatch.setattr(offline, "parse", counted)
    parsed = Parsed(from_text(TEXT))
    assert len(parsed.words) == len(parsed.words) == 12
    assert parsed.extraction.claims
    assert calls == [TEXT]


SAID = (
    "Mary Stone leads Northgate Roofing Inc. She was born in 1960. "
    "It does not sell tiles. Paul Stone repaired a roof."
)
LOOKUP = looked_up(SAID)


def word(text: str, lemma: str = "", start: int = 0) -> Word:
    return Word(start, start + len(text), text, lemma or text, "NN")


def test_words_and_mentions_of_a_range_are_those_that_begin_in_it() -> None:
    start, end = place(SAID, "She was born in 1960.")
    assert [w.text for w in LOOKUP.within(start, end)] == ["she", "was", "born", "in", "1960"]
    assert [m.text for m in LOOKUP.mentioned(start, end)] == ["She", "1960"]
    assert LOOKUP.within(start, start) == ()


def test_a_span_is_of_the_sentence_that_it_begins_in() -> None:
    numbers = [LOOKUP.sentence_at(Span("text", at, at + 1)) for at in range(len(SAID))]
    assert numbers == sorted(numbers)
    assert numbers[place(SAID, "She")[0]] == 1
    assert numbers[place(SAID, "Paul")[0]] == 3


def test_a_name_that_is_short_for_two_things_is_of_neither() -> None:
    assert LOOKUP.named["mary stone"] is not None
    assert LOOKUP.named["stone"] is None
    mary = LOOKUP.named["mary"]
    assert mary is not None
    assert mary.text == "Mary Stone"
    assert "she" not in LOOKUP.named


def test_names_come_once_each_and_no_pronoun_is_one() -> None:
    names = list(LOOKUP.names())
    assert len(names) == len(set(names))
    assert "Mary Stone" in names
    assert "She" not in names


def test_a_sentence_that_denies_is_doubted_and_one_that_asserts_is_not() -> None:
    assert 2 in LOOKUP.doubted
    assert 0 not in LOOKUP.doubted


@pytest.mark.parametrize(
    ("wanted", "given", "same"),
    [
        ("repair", word("repaired"), True),
        ("be", word("was", "be"), True),
        ("roofs", word("roof"), True),
        ("roof", word("proof"), False),
        ("1960", word("1961"), False),
    ],
)
def test_a_word_is_the_same_inflected_or_not(wanted: str, given: Word, same: bool) -> None:
    assert is_same(wanted, given) is same


def test_what_only_touches_has_no_part_in_common() -> None:
    assert meets(Span("a", 0, 4), Span("a", 3, 5))
    assert not meets(Span("a", 0, 3), Span("a", 3, 5))
    first, last = word("ab", start=3), word("cd", start=6)
    assert overlaps(first, last, Span("a", 7, 9))
    assert not overlaps(first, last, Span("a", 8, 9))
