"""Laws of passages and identifiers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import URIRef

from groundrules.kb.search.texts import RUNS, WORDS, expand, key, keys, passages, vocabulary
from tests.kb.tables import TABLES

PROSE = st.lists(
    st.one_of(st.text(max_size=30), st.sampled_from([". ", "; ", " ", "\n\n", "word " * 80, "!"])),
    max_size=30,
).map("".join)


@given(PROSE)
def test_passages_hold_every_word_once_in_order(text: str) -> None:
    ranges = list(passages(text))

    assert " ".join(text[low:high] for low, high in ranges).split() == text.split()
    assert all(a[1] <= b[0] for a, b in pairwise(ranges))
    assert all(len(text[low:high].split()) <= WORDS for low, high in ranges)


def test_a_passage_ends_with_a_sentence_where_it_can() -> None:
    text = " ".join(f"Sentence {number} has exactly six words." for number in range(60))

    parts = [text[low:high] for low, high in passages(text)]

    assert len(parts) == 3
    assert all(part.endswith(".") for part in parts)


@pytest.mark.parametrize(("stored", "asked"), TABLES["an identifier is found in any writing"])
def test_an_identifier_is_found_in_any_writing(stored: str, asked: str) -> None:
    assert key(stored)
    assert key(stored) in keys(asked)


@pytest.mark.parametrize("text", ["", "12345", "1984", "Ada Lovelace", "a 1", "x1 " * 11, "9" * 65])
def test_what_is_short_wordy_or_long_is_no_identifier(text: str) -> None:
    assert key(text) == ""


@given(st.text(), st.text())
def test_whatever_has_a_key_is_found_in_a_text_that_has_it(before: str, text: str) -> None:
    assert key(text) == "" or key(text) in keys(text)
    assert len(keys(before)) <= 2 * RUNS * (len(before) + 1)


@given(st.text())
def test_the_place_of_a_key_is_where_it_stands(text: str) -> None:
    for one, (low, high) in keys(f"see {text} there").items():
        assert key(f"see {text} there"[low:high]).lstrip("0").endswith(one.lstrip("0")) or (
            not text.isascii()  # what NFKC makes longer or shorter moves what follows
        )


def test_prefixes_are_expanded_and_what_is_no_iri_is_refused() -> None:
    assert expand("^lx:partOf") == "^https://w3id.org/groundrules/legal#partOf"
    assert expand("http://e/p") == "http://e/p"
    for bad in ("cites", "http://e/ p", "^", "http://e/<"):
        with pytest.raises(ValueError, match="neither an IRI nor"):
            expand(bad)


def test_the_data_name_what_is_hidden_and_what_is_not() -> None:
    told = vocabulary()
    assert told.hides("http://www.w3.org/2002/07/owl#sameAs")
    assert told.hides("http://www.wikidata.org/prop/P19")
    assert not told.hides("http://www.wikidata.org/prop/direct/P19")
    assert not told.hides("https://w3id.org/groundrules/legal#cites")


def test_what_is_bookkeeping_is_hidden_by_its_name_and_by_its_namespace() -> None:
    hides = vocabulary().hides
    assert hides(URIRef("http://schema.org/name"))
    assert hides(URIRef("http://www.w3.org/2002/07/owl#sameAs"))
    assert not hides(URIRef("http://schema.org/text"))
