"""Laws of discourse: a pronoun stands for what was named before it, or for nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from groundrules.claims.documents.document import Document
from groundrules.claims.facts.discourse import WINDOW, Discourse, is_personal
from groundrules.claims.facts.offline import extract
from groundrules.claims.facts.phrases import phrase
from groundrules.claims.names.names import Name
from tests.claims.trees import passage, tree, trees
from tests.strategies import examples

FILLER = "The doors closed. "
WOMEN = st.sampled_from(["Ann", "Mary", "Laura"])
MEN = st.sampled_from(["Tom", "Peter", "John"])


def doers(text: str, relation: str) -> list[str]:
    """Return what does what a verb says, as the labels of the claims have it."""
    found = extract(Document("t", text))
    return [
        found.labels[claim.triple.subject]
        for claim in found.claims
        if found.labels[claim.triple.predicate] == relation
    ]


@given(WOMEN, MEN, st.booleans())
def test_a_pronoun_stands_for_the_person_of_its_gender(woman: str, man: str, first: bool) -> None:
    one, other = (woman, man) if first else (man, woman)
    discourse = Discourse()
    for name in (one, other):
        named = passage(tree(f"{name}:NNP:nsubj:1 left:VBD:ROOT:1"))
        named.name_at[0] = Name(0, 1, "PERSON", "test")
        discourse.enter(named)
    doc = tree("she:PRP:nsubj:1 met:VBD:ROOT:1 his:PRP$:poss:3 agent:NN:dobj:1")
    discourse.enter(passage(doc))
    found = [discourse.antecedent(doc[place]) for place in (0, 2)]
    assert [one.label for one in found if one] == [woman, man]


@pytest.mark.parametrize("gap", range(WINDOW + 2))
def test_a_person_is_remembered_for_some_sentences_and_then_forgotten(gap: int) -> None:
    text = f"Ann Berg left. {FILLER * gap}She paid the rent."
    known = doers(text, "pay") == ["Ann Berg"]
    assert known is (gap < WINDOW - 1)


@pytest.mark.parametrize("pronoun", ["She", "He", "It", "They"])
def test_a_pronoun_stands_for_nothing_that_comes_after_it(pronoun: str) -> None:
    after = "Ann Berg, Tom Cole, Acme Ltd and the tenants left."
    assert doers(f"{pronoun} paid the rent. {after}", "pay") == [pronoun]


def test_a_woman_is_not_he() -> None:
    assert doers("Ann Berg left. He paid the rent.", "pay") == ["He"]


def test_two_pronouns_that_stand_for_nothing_are_two_things() -> None:
    found = extract(Document("t", "He paid the rent. He paid the tax."))
    payers = {claim.triple.subject for claim in found.claims}
    assert len(payers) == 2


def test_it_is_an_organisation_and_no_person() -> None:
    assert doers("Acme Ltd hired Ann Berg. It paid the rent.", "pay") == ["Acme Ltd"]
    assert doers("Ann Berg left. It paid the rent.", "pay") == ["It"]


def test_they_are_several() -> None:
    assert doers("The tenants left. They paid the rent.", "pay") == ["tenant"]


@pytest.mark.parametrize(
    ("before", "payer"), [("Acme Ltd left.", "Acme Ltd"), ("Acme Ltd met Brix Ltd.", "company")]
)
def test_the_company_is_the_one_that_was_named_if_there_is_but_one(before: str, payer: str) -> None:
    assert doers(f"{before} The company paid the rent.", "pay") == [payer]


def test_a_noun_that_an_organisation_is_named_by_tells_which() -> None:
    text = "Acme Bank met Brix Ltd. The bank paid the rent."
    assert doers(text, "pay") == ["Acme Bank"]


def test_whose_it_is_is_told_of_what_is_owned() -> None:
    found = extract(Document("t", "Ann Berg sold her house."))
    assert "house of Ann Berg" in found.labels.values()


@pytest.mark.parametrize("verb", ["rained", "snowed", "seemed"])
def test_it_of_the_weather_stands_for_nothing(verb: str) -> None:
    known = tree("house:NN:nsubj:1 paid:VBD:ROOT:1")
    empty = tree(f"it:PRP:nsubj:1 {verb.removesuffix('ed')}:VBD:ROOT:1")
    full = tree("it:PRP:nsubj:1 paid:VBD:ROOT:1")
    for doc, stands in ((empty, False), (full, True)):
        discourse = Discourse()
        discourse.enter(passage(known))
        discourse.enter(passage(doc))
        assert (discourse.antecedent(doc[0]) is not None) is stands


@examples(100)
@given(st.lists(trees(), min_size=1, max_size=6))
def test_what_a_word_stands_for_is_a_thing_of_the_passages_so_far(docs: list[Doc]) -> None:
    discourse = Discourse()
    known: set[str] = set()
    for number, doc in enumerate(docs):
        here = passage(doc, str(number))
        discourse.enter(here)
        known |= {phrase(here, token).label for token in doc}
        for token in doc:
            found = discourse.antecedent(token)
            assert found is None or found.label in known
            assert discourse.antecedent(token) == found
        assert len(discourse.past) < WINDOW


def test_a_text_may_be_all_pronouns() -> None:
    text = "She said that his agent told her that they took it from him and its owner. " * 40
    assert len(extract(Document("t", text)).sentences) == 40


@pytest.mark.parametrize("noun", ["king", "judge", "businesswoman", "physicist", "tenant", "dr"])
def test_some_nouns_are_said_of_persons(noun: str) -> None:
    assert is_personal(noun)


@pytest.mark.parametrize("noun", ["", "rent", "roof", "King", "kings", "\ud800", "x" * 5_000])
def test_and_others_are_not(noun: str) -> None:
    assert not is_personal(noun)
