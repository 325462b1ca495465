"""Laws of phrases: what a word heads has one label, one node and one place."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rdflib.term import Literal
from spacy.tokens import Doc
from spacy.vocab import Vocab

from groundrules.claims.documents.document import Document
from groundrules.claims.facts.offline import extract
from groundrules.claims.facts.phrases import (
    Passage,
    compound_end,
    conjuncts,
    core,
    normalised,
    phrase,
    sound,
    unique,
)
from groundrules.claims.units.blocks import Block
from groundrules.claims.values.value_reader import find_values
from tests.claims.rows import rows
from tests.claims.trees import chain, passage, tree, trees
from tests.strategies import examples, texts

DEEP = 3_000
ARTICLES = ("the", "a", "an")
WORDS = st.lists(
    st.sampled_from("roof house Ann Berg U.S. Acme Inc. A-1 naïve 東京 e\u0301te\u0301".split()),
    min_size=1, max_size=5,
).map(" ".join)  # fmt: skip


def written(text: str) -> set[str]:
    return set(extract(Document("t", text)).labels.values())


# --- labels -------------------------------------------------------------------------------------


@examples(200)
@given(st.text() | texts())
def test_a_label_has_no_marks_and_no_space_but_single_ones(text: str) -> None:
    label = normalised(text)
    assert label == " ".join(label.split())
    assert not set(label) & set(',"“”`*[]()')
    label.encode("utf-8")


@examples(200)
@given(st.text() | texts())
@example("The .NET framework")
@example('AA."-"0')
@example("é'('s")
def test_a_label_is_its_own_label_unless_it_still_opens_with_an_article(text: str) -> None:
    label = normalised(text)
    opens = label.partition(" ")[0].casefold() in ARTICLES
    assert opens or normalised(label) == label


@given(WORDS, st.sampled_from(ARTICLES), st.sampled_from(["“{}”", '"{}"', "({})", "{},", " {}\n"]))
def test_article_quotes_and_line_breaks_change_no_label(
    words: str, article: str, frame: str
) -> None:
    label = normalised(words)
    assert normalised(f"{article} {words}") == label
    assert normalised(f"{article.upper()} {frame.format(words)}") == label
    assert normalised(words.replace(" ", "\n  ")) == label


def test_initials_lose_their_stops() -> None:
    assert normalised("U.S. Steel") == normalised("US Steel") == "US Steel"


@given(st.text(st.characters() | st.characters(categories=["Cs"])))
def test_what_is_sound_can_be_written_and_stays(text: str) -> None:
    once = sound(text)
    once.encode("utf-8")
    assert sound(once) == once
    assert once == text or any("\ud800" <= char <= "\udfff" for char in text)


@given(st.text(), st.integers(0, 9), st.integers(0, 9))
def test_a_word_of_its_own_is_one_thing_in_one_place(word: str, here: int, there: int) -> None:
    assert (unique("t", word, here) == unique("t", word, there)) is (here == there)


# --- phrases ------------------------------------------------------------------------------------


@examples(150)
@given(trees())
def test_a_phrase_has_its_word_in_it_and_does_not_hang_on_what_was_read_before(doc: Doc) -> None:
    here, again = passage(doc), passage(doc)
    found = [phrase(here, token) for token in doc]
    for token, one in zip(doc, found, strict=True):
        assert 0 <= one.start <= token.i < one.end <= len(doc)
        assert one.head == token.i
        assert one.label
        assert phrase(here, token) is one
        place = here.span(one.start, one.end)
        assert here.quote(one.start, one.end) == here.text[place.start : place.end]
    assert [phrase(again, token) for token in reversed(doc)][::-1] == found


@pytest.mark.parametrize("word", ["the", "that", "any", "every", "some", "such", "its", "whose"])
def test_a_determiner_is_no_part_of_a_phrase(word: str) -> None:
    doc = tree(f"{word}:DT:det:2 old:JJ:amod:2 roof:NN:ROOT:2")
    assert core(doc[2]) == 1
    assert phrase(passage(doc), doc[2]).label == "old roof"


def test_who_owns_it_is_told_alike_before_and_after() -> None:
    before = tree("the:DT:det:1 house:NN:poss:3 's:POS:case:1 roof:NN:ROOT:3")
    after = tree("the:DT:det:1 roof:NN:ROOT:1 of:IN:prep:1 the:DT:det:4 house:NN:pobj:2")
    one, other = phrase(passage(before), before[3]), phrase(passage(after), after[1])
    assert one.label == other.label == "roof of house"
    assert one.node == other.node


def test_one_thing_and_several_are_one_node() -> None:
    one, several = tree("roof:NN:ROOT:0"), tree("roofs:NNS:ROOT:0")
    several[0].lemma_ = "roof"
    assert phrase(passage(one), one[0]).node == phrase(passage(several), several[0]).node


def test_a_value_is_its_literal() -> None:
    doc = tree("rent:NN:nsubj:1 is:VBZ:ROOT:1 $1,850:CD:attr:1")
    plain = passage(doc)
    here = Passage(Block(doc, plain.block.offsets), "t", doc.text, (), find_values(doc.text))
    assert isinstance(phrase(here, doc[2]).node, Literal)
    assert not isinstance(phrase(plain, doc[2]).node, Literal)


def test_what_is_shouted_is_no_plural() -> None:
    doc = tree("TERMS:NNS:ROOT:0")
    assert phrase(passage(doc), doc[0]).label == "TERMS"


def test_a_pronoun_without_an_antecedent_is_a_thing_of_its_own() -> None:
    doc = tree("it:PRP:nsubj:1 paid:VBD:ROOT:1 it:PRP:dobj:1")
    here = passage(doc)
    assert phrase(here, doc[0]).node != phrase(here, doc[2]).node


# --- words that belong together -----------------------------------------------------------------


@examples(150)
@given(trees())
def test_conjuncts_have_the_word_itself_or_its_name_and_are_in_order(doc: Doc) -> None:
    for token in doc:
        joined = conjuncts(token)
        named = [c for c in token.children if c.dep_ == "appos" and c.pos_ == "PROPN"]
        assert token in joined or any(name in joined for name in named)
        assert [one.i for one in joined] == sorted({one.i for one in joined})
        assert core(token) <= token.i


def test_a_conjunct_is_joined_to_the_noun_and_not_to_its_adjective() -> None:
    doc = tree("old:JJ:amod:1 roof:NN:ROOT:1 and:CC:cc:1 new:JJ:amod:4 door:NN:conj:1")
    assert [token.text for token in conjuncts(doc[1])] == ["roof", "door"]


def test_the_name_right_behind_a_noun_stands_for_it() -> None:
    doc = tree("the:DT:det:1 physicist:NN:nsubj:3 Einstein:NNP:appos:1 left:VBD:ROOT:3")
    assert [token.text for token in conjuncts(doc[1])] == ["Einstein"]


@pytest.mark.parametrize(("glued", "end"), [(True, 5), (False, 1)])
def test_what_hyphens_join_to_a_noun_is_part_of_it(glued: bool, end: int) -> None:
    words, heads = ["father", "-", "in", "-", "law"], [0, 2, 0, 4, 2]
    doc = Doc(Vocab(), words, [not glued] * 5, heads=heads, deps=["dep"] * 5)
    assert compound_end(doc[0]) == end


def test_of_a_long_list_thirty_are_read() -> None:
    assert len(conjuncts(chain("Ann:NNP:ROOT", "Bob:NNP:conj", "Bob:NNP:conj", DEEP)[0])) == 30


@pytest.mark.parametrize("link", ["door:NN:poss", "door:NN:pobj", "door:NN:compound"])
def test_owners_of_owners_without_end_are_read_to_a_label_of_some_length(link: str) -> None:
    doc = chain("roof:NN:ROOT", link, link, DEEP)
    here = passage(doc)
    assert max(len(phrase(here, token).label) for token in doc) < 200


@pytest.mark.parametrize(("text", "label"), rows("phrases.phrases"))
def test_the_phrases_of_a_sentence_have_these_labels(text: str, label: str) -> None:
    assert label.casefold() in {one.casefold() for one in written(text)}
