"""The relation of a model's triple: in the words of the text, or by a name it may have."""

from __future__ import annotations

import pytest

from groundrules.claims.llm_ends import Ends
from groundrules.claims.llm_relations import DENIED, WORDIEST, named_relation, relation_of
from groundrules.claims.lookup import DropError
from tests.claims.looked_up import looked_up
from tests.claims.rows import rows

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
