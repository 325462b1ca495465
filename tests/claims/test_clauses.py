"""Laws of clauses: who does what to whom, read from the tree alone."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from groundrules.claims.facts.clauses import Argument, Clause, clauses
from tests.claims.trees import chain, tree, trees
from tests.strategies import examples

DEEP = 3_000
NAMES = st.lists(st.sampled_from("Ann Bob Cem Dag Eve Fay".split()), min_size=1, max_size=5,
                 unique=True)  # fmt: skip


def only(doc: Doc) -> Clause:
    (found,) = clauses(doc)
    return found


def words(arguments: tuple[Argument, ...], role: str) -> list[str]:
    return [one.token.text for one in arguments if one.role == role]


def listed(names: list[str], label: str, head: int, first: int) -> str:
    """Return names joined by conjunction, the first of them with a label."""
    rows = [f"{name}:NNP:{'conj' if n else label}:{first + n - 1 if n else head}"
            for n, name in enumerate(names)]  # fmt: skip
    return " ".join(rows)


ACTIVE = "Ann:NNP:nsubj:1 paid:VBD:ROOT:1 Bob:NNP:dobj:1"
PASSIVE = "Bob:NNP:nsubjpass:2 was:AUX:auxpass:2 paid:VBN:ROOT:2 by:IN:agent:2 Ann:NNP:pobj:3"


def test_what_is_done_in_the_active_is_suffered_in_the_passive() -> None:
    active, passive = only(tree(ACTIVE)), only(tree(PASSIVE))
    assert (active.passive, passive.passive) == (False, True)
    assert active.lemma == passive.lemma == "pay"
    assert [s.text for s in active.subjects] == words(passive.arguments, "agent") == ["Ann"]
    assert [s.text for s in passive.subjects] == words(active.arguments, "object") == ["Bob"]


@given(NAMES, NAMES)
def test_names_that_are_joined_are_all_subjects_and_all_objects(
    doers: list[str], others: list[str]
) -> None:
    verb = len(doers)
    doc = tree(
        f"{listed(doers, 'nsubj', verb, 0)} paid:VBD:ROOT:{verb} "
        f"{listed(others, 'dobj', verb, verb + 1)}"
    )
    found = only(doc)
    assert [s.text for s in found.subjects] == doers
    assert words(found.arguments, "object") == others


@pytest.mark.parametrize("place", ["subject", "object"])
def test_a_negative_noun_denies_the_clause(place: str) -> None:
    subject = "no:DT:det:1 tenant:NN:nsubj:2 paid:VBD:ROOT:2 Bob:NNP:dobj:2"
    object_ = "Ann:NNP:nsubj:1 paid:VBD:ROOT:1 no:DT:det:3 rent:NN:dobj:1"
    assert only(tree({"subject": subject, "object": object_}[place])).polarity == "negative"


def test_two_negations_cancel() -> None:
    doc = tree(
        "nobody:NN:nsubj:3 did:AUX:aux:3 not:RB:neg:3 pay:VB:ROOT:3 the:DT:det:5 rent:NN:dobj:3"
    )
    assert only(doc).polarity == "positive"


def test_but_not_denies_only_what_follows_it() -> None:
    doc = tree(
        "Ann:NNP:nsubj:1 paid:VBD:ROOT:1 in:IN:prep:1 May:NNP:pobj:2 but:CC:cc:1 not:RB:neg:6 "
        "in:IN:prep:1 June:NNP:pobj:6"
    )
    granted, denied = clauses(doc)
    assert (granted.polarity, words(granted.arguments, "prep")) == ("positive", ["May"])
    assert (denied.polarity, words(denied.arguments, "prep")) == ("negative", ["June"])
    assert granted.subjects == denied.subjects


def test_one_who_is_asked_to_do_a_thing_does_it_and_one_who_promises_does_it_himself() -> None:
    written = "Ann:NNP:nsubj:1 {}:VBD:ROOT:1 Bob:NNP:dobj:1 to:TO:aux:4 leave:VB:xcomp:1"

    def leaver(verb: str) -> list[str]:
        return [s.text for one in clauses(tree(written.format(verb))) if one.lemma == "leave"
                for s in one.subjects]  # fmt: skip

    assert leaver("ask") == ["Bob"]
    assert leaver("promise") == ["Ann"]


def test_verbs_that_are_joined_share_their_subject_unless_they_have_their_own() -> None:
    shared = tree("Ann:NNP:nsubj:1 paid:VBD:ROOT:1 and:CC:cc:1 left:VBD:conj:1")
    own = tree("Ann:NNP:nsubj:1 paid:VBD:ROOT:1 and:CC:cc:1 Bob:NNP:nsubj:4 left:VBD:conj:1")
    first, second = clauses(shared)
    assert first.subjects == second.subjects
    assert (first.implied, second.implied) == (False, True)
    assert [s.text for one in clauses(own) for s in one.subjects] == ["Ann", "Bob"]


def test_a_relative_clause_is_about_its_noun() -> None:
    subject = tree("man:NN:ROOT:0 who:WP:nsubj:2 paid:VBD:relcl:0 Bob:NNP:dobj:2")
    gap = tree("house:NN:ROOT:0 Ann:NNP:nsubj:2 bought:VBD:relcl:0")
    assert [s.text for s in only(subject).subjects] == ["man"]
    assert words(only(gap).arguments, "object") == ["house"]


def test_no_one_is_said_to_do_what_a_proposal_is_about() -> None:
    doc = tree("proposal:NN:nsubj:4 to:TO:aux:2 sell:VB:advcl:4 it:PRP:dobj:2 failed:VBD:ROOT:4")
    sale = next(one for one in clauses(doc) if one.lemma == "sell")
    assert (sale.subjects, sale.implied) == ((), True)


def test_there_does_nothing() -> None:
    doc = tree("there:EX:expl:1 is:VBZ:ROOT:1 rent:NN:attr:1")
    assert only(doc).subjects == ()


def test_prepositions_after_one_another_make_one_name() -> None:
    doc = tree("Ann:NNP:nsubj:1 left:VBD:ROOT:1 out:IN:prep:1 of:IN:prep:2 fear:NN:pobj:3")
    (argument,) = only(doc).arguments
    assert (argument.preposition, argument.token.text, argument.place) == ("out of", "fear", 3)


def test_to_whom_it_is_paid_belongs_to_the_verb_wherever_the_parser_hangs_it() -> None:
    right = tree("Ann:NNP:nsubj:1 pay:VBP:ROOT:1 $5:CD:dobj:1 to:IN:prep:1 Bob:NNP:pobj:3")
    wrong = tree("Ann:NNP:nsubj:1 pay:VBP:ROOT:1 $5:CD:dobj:1 to:IN:prep:2 Bob:NNP:pobj:3")
    for doc in (right, wrong):
        assert words(only(doc).arguments, "prep") == ["Bob"]


@pytest.mark.parametrize("label", ["aux", "auxpass", "amod", "compound", "prt", "case", "det"])
def test_a_verb_that_serves_another_word_is_no_clause(label: str) -> None:
    doc = tree(f"Ann:NNP:nsubj:2 paid:VBD:{label}:2 rent:NN:ROOT:2")
    assert list(clauses(doc)) == []


# --- any tree -----------------------------------------------------------------------------------


@examples(150)
@given(trees())
def test_clauses_stand_in_the_order_of_their_verbs_each_with_words_of_its_own(doc: Doc) -> None:
    found = list(clauses(doc))
    verbs = [one.verb.i for one in found]
    assert verbs == sorted(verbs)
    assert max(Counter(verbs).values(), default=0) <= 2  # the second has what is denied
    for one in found:
        assert one.verb.i in one.words
        assert list(one.words) == sorted(set(one.words))
        assert one.verb.i not in {s.i for s in one.subjects}
        assert one.verb.i not in {a.token.i for a in one.arguments}
        assert all(0 <= a.place < len(doc) for a in one.arguments if a.preposition)


@pytest.mark.parametrize("label", ["xcomp", "ccomp", "conj", "advcl", "relcl", "pcomp", "acl"])
def test_clauses_within_clauses_are_each_read_once(label: str) -> None:
    doc = chain("ask:VBD:ROOT", f"ask:VB:{label}", f"pay:VB:{label}", DEEP)
    assert [one.verb.i for one in clauses(doc)] == list(range(len(doc)))


def test_prepositions_without_end_make_no_name() -> None:
    doc = chain("left:VBD:ROOT", "of:IN:prep", "fear:NN:pobj", DEEP)
    assert only(doc).arguments == ()


def test_of_a_long_list_the_first_names_are_read() -> None:
    doc = chain("Ann:NNP:ROOT", "Bob:NNP:conj", "Bob:NNP:conj", DEEP)
    rows = " ".join(
        f"{t.text}:NNP:{'nsubj' if not t.i else 'conj'}:{len(doc) if not t.i else t.head.i}"
        for t in doc
    )
    found = only(tree(f"{rows} paid:VBD:ROOT:{len(doc)}"))
    assert [s.i for s in found.subjects] == list(range(30))
