"""Laws of triples: what a clause says is written down once, with its place and its mood."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal, URIRef
from spacy.tokens import Doc

from groundrules.claims.documents.document import Document
from groundrules.claims.facts.clauses import clauses
from groundrules.claims.facts.offline import extract
from groundrules.claims.facts.triples import Ledger, Mood, participle, write
from groundrules.terms import ENTITY, Claim, Modality, Span, mint
from tests.claims.trees import chain, passage, tree, trees
from tests.strategies import examples

WHOLE = Span("t", 0, 9)
THINGS = st.sampled_from("Ann Bob rent roof".split())
MOODS = st.builds(
    Mood,
    st.sampled_from(["positive", "negative"]),
    st.sampled_from(list(Modality)),
    st.sampled_from([None, "Bob"]),
)
STATED = st.lists(
    st.tuples(THINGS, st.sampled_from(["pay", "own"]), THINGS, MOODS), max_size=8
)  # fmt: skip


def ledger(*sentences: Span) -> Ledger:
    return Ledger("t", sentences=list(sentences) or [WHOLE])


def part(name: str) -> tuple[URIRef, Span]:
    return mint(ENTITY, name), WHOLE


def said(doc: Doc) -> dict[tuple[str, str, str], Claim]:
    """Return the claims of a sentence by their labels."""
    found = Ledger("t")
    write(passage(doc), found)
    return {
        (
            found.labels[claim.triple.subject],
            found.labels[claim.triple.predicate],
            found.labels[claim.triple.object],
        ): claim
        for claim in found.claims
    }


# --- the ledger ---------------------------------------------------------------------------------


@given(STATED)
def test_a_claim_is_written_once_in_a_sentence_and_none_is_of_a_thing_with_itself(
    stated: list[tuple[str, str, str, Mood]],
) -> None:
    once = ledger()
    for subject, relation, object_, mood in [*stated, *stated]:
        once.state(part(subject), (relation, None), part(object_), mood)
    wanted = {(s, r, o, m.polarity, m.modality) for s, r, o, m in stated if s != o}
    assert len(once.claims) == len(wanted)
    assert {claim.id for claim in once.claims} == {
        URIRef(f"urn:groundrules:statement:t-{number}") for number in range(len(wanted))
    }
    assert all(claim.triple.subject != claim.triple.object for claim in once.claims)


def test_what_two_sentences_say_is_two_claims() -> None:
    twice = ledger(Span("t", 0, 4), Span("t", 5, 9))
    for sentence in (0, 1):
        twice.add(sentence, part("Ann"), ("pay", None), part("rent"), Mood())
    assert [(claim.sentence, claim.span.start) for claim in twice.claims] == [(0, 0), (1, 5)]


def test_what_is_said_and_denied_is_two_claims() -> None:
    both = ledger()
    for polarity in ("positive", "negative"):
        both.state(part("Ann"), ("pay", None), part("rent"), Mood(polarity))
    assert {claim.polarity for claim in both.claims} == {"positive", "negative"}


def test_a_value_is_the_subject_of_nothing() -> None:
    none = ledger()
    none.state((Literal("5"), WHOLE), ("be", None), part("rent"), Mood())
    assert none.claims == []


def test_the_first_reading_of_a_place_and_the_first_label_of_a_thing_stand() -> None:
    found = ledger()
    node = mint(ENTITY, "Ann")
    found.mention(WHOLE, "Ann", "PERSON", node, "Ann")
    found.mention(WHOLE, "Ann", "NOUN", mint(ENTITY, "other"), "other")
    found.mention(Span("t", 1, 2), "ANN", "PERSON", node, "ANN")
    assert found.mentions[WHOLE].kind == "PERSON"
    assert found.labels[node] == "Ann"


@pytest.mark.parametrize("source", ["a b", "ä/ö?#", "\ud800", "", "x" * 10_000])
def test_a_claim_has_an_iri_whatever_its_document_is_called(source: str) -> None:
    named = Ledger(source, sentences=[WHOLE])
    named.state(part("Ann"), ("pay", None), part("rent"), Mood())
    named.loop(part("Ann"), ("pay", None), WHOLE, Mood())
    for claim in (*named.claims, *named.loops):
        assert not set(str(claim.id)) & set(' <>"{}|\\^`\ud800')
        claim.id.n3().encode("utf-8")


# --- clauses ------------------------------------------------------------------------------------

DENIALS = ("", "not", "never")
MODALS = ("", "shall", "may", "might")


@pytest.mark.parametrize(("denial", "modal"), list(itertools.product(DENIALS, MODALS)))
def test_active_and_passive_say_the_same_in_every_mood(denial: str, modal: str) -> None:
    words = [f"{modal or 'did'}:MD:aux", *([f"{denial}:RB:neg"] if denial else [])]
    verb = 1 + len(words)
    front = " ".join(f"{word}:{verb}" for word in words)
    active = tree(f"Ann:NNP:nsubj:{verb} {front} pay:VB:ROOT:{verb} Bob:NNP:dobj:{verb}")
    front = " ".join(f"{word}:{verb + 1}" for word in words)
    passive = tree(
        f"Bob:NNP:nsubjpass:{verb + 1} {front} was:AUX:auxpass:{verb + 1} "
        f"paid:VBN:ROOT:{verb + 1} by:IN:agent:{verb + 1} Ann:NNP:pobj:{verb + 2}"
    )
    one, other = said(active)["Ann", "pay", "Bob"], said(passive)["Ann", "pay", "Bob"]
    assert one.triple == other.triple
    assert (one.polarity, one.modality) == (other.polarity, other.modality)
    assert one.polarity == ("negative" if denial else "positive")


@pytest.mark.parametrize("negative", ["no", "neither"])
def test_what_none_did_is_denied_of_the_thing_that_none_did_it_to(negative: str) -> None:
    active = tree(f"{negative}:DT:det:1 man:NN:nsubj:2 paid:VBD:ROOT:2 Bob:NNP:dobj:2")
    passive = tree(
        f"Bob:NNP:nsubjpass:2 was:AUX:auxpass:2 paid:VBN:ROOT:2 by:IN:agent:2 "
        f"{negative}:DT:det:5 man:NN:pobj:3"
    )
    assert said(active)["man", "pay", "Bob"].polarity == "negative"
    assert ("man", "pay", "Bob") in said(passive)


def test_the_parts_of_a_claim_stand_where_its_words_do() -> None:
    text = "Ann Berg paid the rent to Tom Cole in 2010."
    found = extract(Document("t", text))
    (claim,) = (c for c in found.claims if found.labels[c.triple.predicate] == "pay")
    quoted = [text[part.start : part.end] for part in claim.parts if part]
    assert quoted == ["Ann Berg", "paid", "rent"]
    assert str(claim.time) == "2010"
    assert text[claim.span.start : claim.span.end] == text


@pytest.mark.parametrize(("subjects", "objects"), list(itertools.product((1, 2, 3), repeat=2)))
def test_each_of_several_does_it_to_each_of_several(subjects: int, objects: int) -> None:
    doers, others = (
        ["Ann Berg", "Tom Cole", "Eve Dale"][:subjects],
        ["tax", "fee", "rent"][:objects],
    )
    text = f"{' and '.join(doers)} paid the {' and the '.join(others)}."
    found = extract(Document("t", text))
    pays = {
        (found.labels[c.triple.subject], found.labels[c.triple.object])
        for c in found.claims
        if found.labels[c.triple.predicate] == "pay"
    }
    assert pays == set(itertools.product(doers, others))


@pytest.mark.parametrize("text", ["Ann Berg manages Ann Berg.", "Ann Berg hurt herself."])
def test_what_one_does_to_oneself_is_no_claim_but_is_kept(text: str) -> None:
    found = extract(Document("t", text))
    assert found.claims == ()
    (loop,) = found.loops
    assert loop.triple.subject == loop.triple.object
    assert loop.parts[0] != loop.parts[2]


def test_a_verb_with_a_subject_alone_is_a_claim() -> None:
    assert set(said(tree("Ann:NNP:nsubj:1 left:VBD:ROOT:1"))) == {("Ann", "do", "left")}


def test_an_apposition_says_what_one_is() -> None:
    doc = tree(
        "Ann:NNP:nsubj:5 ,:,:punct:0 the:DT:det:3 lawyer:NN:appos:0 ,:,:punct:0 left:VBD:ROOT:5"
    )
    assert ("Ann", "be", "lawyer") in said(doc)


@pytest.mark.parametrize(
    ("verb", "form"),
    [("rent", "rented"), ("lease", "leased"), ("carry", "carried"), ("play", "played"),
     ("write", "written"), ("sell", "sold")],
)  # fmt: skip
def test_a_verb_has_its_participle(verb: str, form: str) -> None:
    (clause,) = clauses(tree(f"Ann:NNP:nsubj:1 {verb}:VBP:ROOT:1 Bob:NNP:dobj:1"))
    assert participle(clause) == form


# --- any tree -----------------------------------------------------------------------------------


@examples(150)
@given(trees())
def test_every_claim_of_a_tree_is_about_two_things_that_stand_in_its_text(doc: Doc) -> None:
    here, found = passage(doc), Ledger("t")
    write(here, found)
    assert len(found.sentences) == len(list(doc.sents))
    assert len({claim.id for claim in found.claims}) == len(found.claims)
    for claim in (*found.claims, *found.loops):
        assert claim.triple.predicate in found.labels
        assert claim.triple.subject in found.labels
        assert claim.span == found.sentences[claim.sentence]
        for place in claim.parts:
            assert place is None or 0 <= place.start < place.end <= len(here.text)
        assert 0 < claim.confidence <= 1
    assert {c.triple.subject == c.triple.object for c in found.claims} <= {False}


@examples(100)
@given(trees())
def test_a_tree_that_is_written_down_twice_says_nothing_new(doc: Doc) -> None:
    once, twice = Ledger("t"), Ledger("t")
    write(passage(doc), once)
    write(passage(doc), twice)
    assert twice == once


@pytest.mark.parametrize(
    "link", ["door:NN:conj", "door:NN:poss", "door:NN:appos", "door:NN:compound", "of:IN:prep"]
)
def test_phrases_within_phrases_are_written_down(link: str) -> None:
    found = Ledger("t")
    write(passage(chain("roof:NN:ROOT", link, "Ann:NNP:pobj", 1_000)), found)
    assert len(found.claims) <= 2_000
