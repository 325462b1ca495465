"""Laws of moods: who denies, allows or reports a clause, on trees and not on the parser's luck."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from groundrules.claims.facts.moods import TURNING, Settled, flip, lemma_of, mood, negated, turns
from groundrules.terms import Modality, Polarity
from tests.claims.rows import rows
from tests.claims.trees import chain, tree, trees
from tests.strategies import examples

POLARITIES = st.sampled_from(get_args(Polarity))
DEEP = 3_000


def of(doc: Doc, word: str) -> tuple[Polarity, Modality, str | None]:
    """Return the mood of the clause that a word heads."""
    return mood(next(token for token in doc if token.text == word), {}, 0)


@given(POLARITIES)
def test_to_turn_twice_is_not_to_turn(polarity: Polarity) -> None:
    assert flip(polarity) != polarity
    assert flip(flip(polarity)) == polarity


@pytest.mark.parametrize("word", ["not", "never", "hardly"])
@pytest.mark.parametrize("label", ["neg", "advmod"])
def test_a_negation_beside_the_verb_denies_it_active_and_passive(word: str, label: str) -> None:
    active = tree(f"Ann:NNP:nsubj:3 did:AUX:aux:3 {word}:RB:{label}:3 pay:VB:ROOT:3 it:PRP:dobj:3")
    passive = tree(
        f"it:PRP:nsubjpass:3 was:AUX:auxpass:3 {word}:RB:{label}:3 paid:VBN:ROOT:3 "
        "by:IN:agent:3 Ann:NNP:pobj:4"
    )
    assert of(active, "pay")[0] == of(passive, "paid")[0] == "negative"


def test_not_only_denies_nothing() -> None:
    doc = tree("Ann:NNP:nsubj:3 not:RB:preconj:3 only:RB:advmod:3 paid:VBD:ROOT:3 it:PRP:dobj:3")
    assert of(doc, "paid")[0] == "positive"


@pytest.mark.parametrize(
    ("word", "modality"),
    [
        ("shall", Modality.OBLIGATION),
        ("must", Modality.OBLIGATION),
        ("may", Modality.PERMISSION),
        ("can", Modality.PERMISSION),
        ("might", Modality.POSSIBILITY),
        ("will", Modality.ASSERTED),
        ("did", Modality.ASSERTED),
    ],
)
def test_a_modal_verb_has_its_force_denied_or_not(word: str, modality: Modality) -> None:
    plain = tree(f"Ann:NNP:nsubj:2 {word}:MD:aux:2 pay:VB:ROOT:2")
    denied = tree(f"Ann:NNP:nsubj:3 {word}:MD:aux:3 not:RB:neg:3 pay:VB:ROOT:3")
    assert of(plain, "pay") == ("positive", modality, None)
    assert of(denied, "pay") == ("negative", modality, None)


@pytest.mark.parametrize("verb", ["fail", "refuse", "decline", "neglect"])
def test_what_one_fails_to_do_is_denied_and_what_one_does_not_fail_to_do_is_not(verb: str) -> None:
    plain = tree(f"Ann:NNP:nsubj:1 {verb}:VBD:ROOT:1 to:TO:aux:3 pay:VB:xcomp:1")
    denied = tree(
        f"Ann:NNP:nsubj:3 did:AUX:aux:3 not:RB:neg:3 {verb}:VB:ROOT:3 to:TO:aux:5 pay:VB:xcomp:3"
    )
    assert of(plain, "pay")[0] == "negative"
    assert of(denied, "pay")[0] == "positive"


def test_no_longer_denies_the_verb_or_what_is_said_by_it() -> None:
    verb = tree(
        "It:PRP:nsubj:1 is:VBZ:ROOT:1 no:RB:advmod:3 longer:RB:advmod:1 based:VBN:acomp:1 "
        "there:RB:advmod:4"
    )
    state = tree(
        "Ann:NNP:nsubj:1 is:VBZ:ROOT:1 no:RB:advmod:3 longer:RB:advmod:4 married:JJ:acomp:1"
    )
    longer = tree("Ann:NNP:nsubj:1 is:VBZ:ROOT:1 longer:RB:advmod:3 married:JJ:acomp:1")
    assert of(verb, "is")[0] == of(verb, "based")[0] == of(state, "is")[0] == "negative"
    assert of(longer, "is")[0] == "positive"


@pytest.mark.parametrize("text", rows("moods.nearly"))
def test_what_nearly_was_and_what_was_to_be_is_open(text: str) -> None:
    assert of(tree(text), "pay")[1] is Modality.POSSIBILITY


@pytest.mark.parametrize(("word", "modality"), [("either", "possibility"), ("then", "obligation")])
def test_what_either_joins_is_open(word: str, modality: str) -> None:
    dep = "preconj" if word == "either" else "advmod"
    text = (
        f"Ann:NNP:nsubj:3 shall:MD:aux:3 {word}:CC:{dep}:3 pay:VB:ROOT:3 or:CC:cc:3 leave:VB:conj:3"
    )
    assert {of(tree(text), verb)[1].value for verb in ("pay", "leave")} == {modality}


def test_a_clause_that_opens_with_its_auxiliary_is_a_condition_unless_nothing_would_follow() -> (
    None
):
    words = "Had:VBD:aux:2 Ann:NNP:nsubj:2 paid:VBN:advcl:5 it:PRP:nsubj:5 {}:MD:aux:5 do:VB:ROOT:5"
    assert of(tree(words.format("would")), "paid")[1] is Modality.CONDITION
    assert of(tree(words.format("will")), "paid")[1] is Modality.ASSERTED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann:NNP:nsubj:3 did:AUX:aux:3 not:RB:neg:3 pay:VB:ROOT:3", [("did not", "denial")]),
        (
            "It:PRP:nsubj:1 is:VBZ:ROOT:1 no:RB:advmod:3 longer:RB:advmod:1 so:RB:advmod:1",
            [("no longer", "denial")],
        ),
        ("Rome:NNP:nsubj:3 ,:,:punct:3 not:RB:neg:3 Bonn:NNP:ROOT:3", [("not", "negation")]),
        ("Ann:NNP:nsubj:2 will:MD:aux:2 pay:VB:ROOT:2", [("will", "opening")]),
        (
            "Ann:NNP:nsubj:1 refuse:VBD:ROOT:1 to:TO:aux:3 pay:VB:xcomp:1",
            [("refuse", "opening")],
        ),
        ("if:IN:mark:2 Ann:NNP:nsubj:2 pays:VBZ:ROOT:2", [("if", "condition")]),
        ("Ann:NNP:nsubj:1 paid:VBD:ROOT:1 rent:NN:dobj:1", []),
    ],
)
def test_what_turns_a_sentence_is_found_with_its_words(
    text: str, expected: list[tuple[str, str]]
) -> None:
    doc = tree(text)
    found = [(doc[first:last].text, kind) for first, last, kind in turns(doc[:])]
    assert found == expected


@examples(100)
@given(trees())
def test_turns_are_words_of_the_sentence_in_order_and_apart(doc: Doc) -> None:
    places = [(first, last) for first, last, _ in turns(doc[:])]
    assert all(0 <= first < last <= len(doc) for first, last in places)
    assert all(one[1] <= other[0] for one, other in pairwise(places))


@pytest.mark.parametrize("verb", ["deny", "doubt", "dispute", "reject"])
def test_to_deny_a_denial_is_to_grant(verb: str) -> None:
    granted = tree(
        f"Bob:NNP:nsubj:1 {verb}:VBD:ROOT:1 that:IN:mark:4 Ann:NNP:nsubj:4 paid:VBD:ccomp:1"
    )
    denied = tree(
        f"Bob:NNP:nsubj:1 {verb}:VBD:ROOT:1 that:IN:mark:6 Ann:NNP:nsubj:6 did:AUX:aux:6 "
        "not:RB:neg:6 pay:VB:ccomp:1"
    )
    assert of(granted, "paid")[0] == "negative"
    assert of(denied, "pay")[0] == "positive"
    assert verb in TURNING


@pytest.mark.parametrize("negation", ["", "not:RB:neg:2 "])
def test_that_one_did_not_say_it_denies_the_saying_alone(negation: str) -> None:
    shift = 1 if negation else 0
    said, paid = 2 + shift, 4 + shift
    doc = tree(
        f"Bob:NNP:nsubj:{said} did:AUX:aux:{said} {negation.replace(':2', f':{said}')}"
        f"say:VB:ROOT:{said} Ann:NNP:nsubj:{paid} paid:VBD:ccomp:{said}"
    )
    assert of(doc, "say")[0] == ("negative" if negation else "positive")
    assert of(doc, "paid") == ("positive", Modality.ASSERTED, "Bob")


def test_who_says_it_is_named_wherever_it_stands() -> None:
    before = tree("Bob:NNP:nsubj:1 said:VBD:ROOT:1 Ann:NNP:nsubj:3 paid:VBD:ccomp:1")
    after = tree("Ann:NNP:nsubj:1 paid:VBD:ROOT:1 ,:,:punct:1 Bob:NNP:nsubj:4 said:VBD:parataxis:1")
    source = tree("According:IN:prep:4 to:IN:prep:0 Bob:NNP:pobj:1 Ann:NNP:nsubj:4 paid:VBD:ROOT:4")
    assert {of(doc, "paid")[2] for doc in (before, after, source)} == {"Bob"}


@pytest.mark.parametrize("noun", ["right", "option", "power"])
def test_a_right_permits_and_a_duty_obliges(noun: str) -> None:
    doc = tree(f"a:DT:det:1 {noun}:NN:ROOT:1 to:TO:aux:3 pay:VB:acl:1")
    assert of(doc, "pay")[1] is Modality.PERMISSION
    duty = tree("a:DT:det:1 duty:NN:ROOT:1 to:TO:aux:3 pay:VB:acl:1")
    assert of(duty, "pay")[1] is Modality.OBLIGATION


@pytest.mark.parametrize("word", ["if", "unless", "provided"])
def test_a_condition_is_not_asserted(word: str) -> None:
    doc = tree(
        f"Ann:NNP:nsubj:1 paid:VBD:ROOT:1 {word}:IN:mark:4 it:PRP:nsubj:4 rained:VBD:advcl:1"
    )
    assert of(doc, "rained")[1] is Modality.CONDITION


@pytest.mark.parametrize("word", ["or", "and"])
def test_a_denial_reaches_the_verbs_joined_to_it_but_not_past_but(word: str) -> None:
    written = "Ann:NNP:nsubj:3 did:AUX:aux:3 not:RB:neg:3 sign:VB:ROOT:3 {}:CC:cc:3 pay:VB:conj:3"
    assert of(tree(written.format(word)), "pay")[0] == "negative"
    assert of(tree(written.format("but")), "pay")[0] == "positive"


@pytest.mark.parametrize("word", ["nobody", "Nothing", "none", "NEITHER"])
def test_a_negative_pronoun_is_negative_in_any_case(word: str) -> None:
    assert negated(tree(f"{word}:NN:nsubj:1 paid:VBD:ROOT:1")[0])


def test_a_noun_is_negative_by_what_stands_before_it_alone() -> None:
    assert negated(tree("no:DT:det:1 tenant:NN:nsubj:2 paid:VBD:ROOT:2")[1])
    assert not negated(tree("the:DT:det:1 tenant:NN:nsubj:2 paid:VBD:ROOT:2")[1])
    assert not negated(tree("tenant:NN:ROOT:0 no:DT:det:0")[0])


@pytest.mark.parametrize("word", ["is", "was", "Are", "been"])
def test_every_form_of_be_is_be(word: str) -> None:
    assert lemma_of(tree(f"Ann:NNP:nsubj:1 {word}:VBZ:ROOT:1")[1]) == "be"


def test_a_particle_is_part_of_the_verb_it_follows() -> None:
    assert lemma_of(tree("Ann:NNP:nsubj:1 set:VBD:ROOT:1 up:RB:prt:1")[1]) == "set up"


@examples(100)
@given(trees())
def test_the_mood_of_a_clause_does_not_hang_on_the_order_of_asking(doc: Doc) -> None:
    settled: Settled = {}
    forward = [mood(token, settled, 0) for token in doc]
    assert forward == [mood(token, {}, 0) for token in doc]
    for polarity, modality, said in forward:
        assert polarity in get_args(Polarity)
        assert isinstance(modality, Modality)
        assert said is None or said in doc.text


@pytest.mark.parametrize("label", ["xcomp", "ccomp", "conj"])
def test_what_is_thousands_of_clauses_deep_is_read_as_what_is_twenty_deep(label: str) -> None:
    deep, shallow = (
        chain("deny:VBD:ROOT", f"deny:VB:{label}", f"pay:VB:{label}", depth) for depth in (DEEP, 20)
    )
    assert of(deep, "pay") == of(shallow, "pay")
