"""Texts and sources as they are given."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from groundrules.checks.inputs import contexts_of, distinct, distinct_name
from groundrules.claims.document import Document

NAMES = st.sampled_from(["a", "a#2", "a#3", "b", "text"])
DOCUMENTS = st.lists(st.builds(Document, NAMES, st.text("xyz", max_size=3), st.just("txt")))


@given(DOCUMENTS)
def test_each_document_has_a_name_of_its_own_and_keeps_its_text(found: list[Document]) -> None:
    first = Document("text", "", "txt")

    named = distinct(found, first)

    assert len({one.name for one in (first, *named)}) == len(found) + 1
    assert sorted(one.text for one in named) == sorted(one.text for one in found)


@given(DOCUMENTS, st.randoms())
def test_the_order_in_which_documents_are_given_changes_no_name(
    found: list[Document], chance: Random
) -> None:
    mixed = list(found)
    chance.shuffle(mixed)

    assert distinct(mixed) == distinct(found)


@given(NAMES, st.frozensets(NAMES))
def test_a_name_is_numbered_only_where_it_is_taken(name: str, taken: frozenset[str]) -> None:
    found = distinct_name(name, taken)

    assert found not in taken
    assert (found == name) == (name not in taken)


def test_texts_are_named_by_their_place() -> None:
    assert [one.name for one in contexts_of(["The fee.", "The rent."])] == ["context1", "context2"]
    assert [one.name for one in contexts_of("The fee.")] == ["context1"]
