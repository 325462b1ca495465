"""The reader of English: trees, names and sentences from scores, and the spaCy pipeline of it."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from groundrules.claims.facts.offline import load
from groundrules.models import parser
from groundrules.models.parser import Model, name_spans, shape
from groundrules.models.shipped import folder
from groundrules.models.trees import best_tree, rejoined, relabelled, tree, with_objects, with_pasts

CLASSES = ["O", "B-PERSON", "I-PERSON", "B-ORG", "I-ORG"]


def is_projective_tree(heads: tuple[int, ...]) -> bool:
    """Say so by the definition: one root, no cycle, no two arcs that cross, the root's included."""
    roots = [i for i, head in enumerate(heads) if head == i]
    if len(roots) != 1:
        return False
    for i in range(len(heads)):
        at, steps = i, 0
        while heads[at] != at:
            at, steps = heads[at], steps + 1
            if steps > len(heads):
                return False
    arcs = [(min(i, head), max(i, head)) for i, head in enumerate(heads) if head != i]
    if any(a < roots[0] < b for a, b in arcs):
        return False
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_the_best_projective_tree_is_found(size: int) -> None:
    dice = np.random.default_rng(size)
    trees = [h for h in itertools.product(range(size), repeat=size) if is_projective_tree(h)]
    for _ in range(40):
        arcs, roots = dice.normal(size=(size, size)), dice.normal(size=size)

        def score(
            heads: tuple[int, ...], arcs: np.ndarray = arcs, roots: np.ndarray = roots
        ) -> float:
            return float(sum(roots[i] if h == i else arcs[i, h] for i, h in enumerate(heads)))

        found = tuple(best_tree(arcs.astype(np.float32), roots.astype(np.float32)))
        assert is_projective_tree(found)
        assert score(found) == pytest.approx(max(map(score, trees)), abs=1e-5)


def test_no_name_goes_on_that_did_not_begin() -> None:
    dice = np.random.default_rng(0)
    for _ in range(50):
        scores = dice.normal(size=(12, len(CLASSES))).astype(np.float32)
        starts = [i in {0, 5} for i in range(12)]
        spans = list(name_spans(scores, CLASSES, starts))
        assert all(a < b for a, b, _ in spans)
        assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
        assert not any(a < 5 < b for a, b, _ in spans)


def test_a_name_takes_the_label_of_its_first_word() -> None:
    scores = np.array([[0, 3, 0, 0, 0], [-1, -1, 0, -1, 2], [0, 0, 1, 0, 0]], np.float32)
    assert list(name_spans(scores, CLASSES, [True, False, False])) == [(0, 3, "PERSON")]


@pytest.mark.parametrize(
    ("word", "kind"),
    [("lease", 1), ("Lease", 2), ("A", 3), ("LEASE", 4), ("iPod", 5), ("1,200.50", 6), ("4B", 7),
     ("—", 8), ("McKay", 5)],
)  # fmt: skip
def test_the_shape_of_a_word(word: str, kind: int) -> None:
    assert shape(word) == kind


def readings(doc: Doc) -> list[tuple[object, ...]]:
    """Return what was read of each word."""
    return [(t.tag_, t.dep_, t.head.i, t.is_sent_start, t.ent_type_, t.lemma_) for t in doc]


def test_a_reading_depends_on_nothing_beside_it() -> None:
    texts = ["The museum houses forty paintings.", "Pay Ann Lee $5 by May 3.", "No dogs", "x " * 90]
    nlp = load()
    alone = [readings(nlp(text)) for text in texts]
    assert [readings(doc) for doc in nlp.pipe(texts)] == alone
    assert [readings(doc) for doc in nlp.pipe(reversed(texts))] == alone[::-1]


def test_words_that_were_read_are_read_alike_and_scored_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = "Ann left . Bob stayed".split()
    spaces, free, one = [True] * 4 + [False], [None] * 5, [None] + [False] * 4
    reader, fresh = (Model(folder("english") / "groundrules_reader") for _ in range(2))
    scored: list[object] = []
    score = reader._scores

    def counted(*given: Any) -> Any:
        scored.append(given)
        return score(*given)

    monkeypatch.setattr(reader, "_scores", counted)

    first = reader.read(words, spaces)
    assert first.starts == (True, False, False, True, False)
    assert reader.read(words, spaces, free) == first
    assert reader.read(words, spaces, [True, *free[1:3], True, False]) == first
    assert len(scored) == 2
    assert reader.read(words, spaces, one) == fresh.read(words, spaces, one)
    assert reader.read(words, spaces, one).starts == (True, False, False, False, False)
    assert len(scored) == 3


def test_a_sentence_is_read_alike_wherever_it_stands_and_scored_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = Model(folder("english") / "groundrules_reader")
    told = "The museum houses forty paintings . She sold it . The lease ends in May .".split()
    spaces = [word != "it" for word in told]
    whole = reader.read(told, spaces)
    monkeypatch.delattr(reader, "_session")

    for low, high in ((0, 6), (6, 10), (10, 16)):
        alone = reader.read(told[low:high], spaces[low:high])
        assert alone.tags == whole.tags[low:high]
        assert alone.labels == whole.labels[low:high]
        assert [low + head for head in alone.heads] == list(whole.heads[low:high])


def test_sentences_are_scored_once_and_only_so_many_before_they_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = Model(folder("english") / "groundrules_reader")
    told = [word for n in range(30) for word in ("Ann", "paid", str(n % 20 + 40), "euros", ".")]
    scored: list[object] = []
    ahead: list[int] = []
    score, read = reader._scores, reader._reading
    monkeypatch.setattr(reader, "_scores", lambda *given: (scored.append(given), score(*given))[1])
    monkeypatch.setattr(
        reader, "_reading", lambda *given: (ahead.append(len(scored) - len(ahead)), read(*given))[1]
    )

    found = reader.read(told, [True] * len(told))

    assert sum(found.starts) == 30
    assert len(scored) == len(set(scored)) == len(ahead) == 20
    assert max(ahead) <= parser.AHEAD + 1


def test_no_more_readings_are_kept_than_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MOST_KEPT", 2)
    reader = Model(folder("english") / "groundrules_reader")
    for word in "abca":
        reader.read([word], [False])

    assert [words for words, _ in reader._read] == [("c",), ("a",)]


def test_a_text_longer_than_a_window_is_read_whole() -> None:
    sentence = "The museum houses forty paintings of the harbour. "
    doc = load()(sentence * 60)
    assert [s.text for s in doc.sents] == [sentence.strip()] * 60
    assert {s.root.text for s in doc.sents} == {"houses"}


def test_a_sentence_longer_than_a_window_is_still_trees() -> None:
    doc = load()("the red and " * 300)
    assert all(t.dep_ for t in doc)
    assert sum(t.dep_ == "ROOT" for t in doc) == len(list(doc.sents))


def test_white_space_and_empty_texts_are_read() -> None:
    nlp = load()
    assert not list(nlp("").sents)
    assert {t.tag_ for t in nlp("  \n ")} == {"_SP"}
    doc = nlp("Ann left.\n\nBen stayed.")
    assert [s.text.strip() for s in doc.sents] == ["Ann left.", "Ben stayed."]
    assert doc[3].tag_ == "_SP"


def test_where_no_sentence_may_begin_none_does() -> None:
    nlp = load()
    words = ["Ann", "left", ".", "Ben", "stayed", "."]
    free = Doc(nlp.vocab, words=words)
    held = Doc(nlp.vocab, words=words, sent_starts=[True, *([False] * 5)])
    for name, pipe in nlp.pipeline:
        del name
        free, held = pipe(free), pipe(held)
    assert (len(list(free.sents)), len(list(held.sents))) == (2, 1)


def test_the_pipeline_can_be_written_and_loaded(tmp_path: Path) -> None:
    nlp = load()
    nlp.to_disk(tmp_path / "english")
    text = "Acme Ltd insures the mill unless the owner objects."
    assert readings(spacy.load(tmp_path / "english")(text)) == readings(nlp(text))


def test_a_root_verb_has_its_subject_where_a_tree_nearly_as_likely_has_one() -> None:
    doc = load()("In the view of most writers Denmark maintains friendly ties with Slovakia.")
    assert [(t.text, t.head.text) for t in doc if t.dep_ == "nsubj"] == [("Denmark", "maintains")]


def test_within_a_word_no_sentence_begins() -> None:
    doc = load()("Ann left. =============== Ben stayed.")
    assert all(not t.i or t.nbor(-1).whitespace_ for t in doc if t.is_sent_start)


def test_a_sentence_longer_than_a_window_stays_one() -> None:
    nlp = load()
    words = ["the", "red", "and"] * 150
    doc = Doc(nlp.vocab, words, sent_starts=[True] + [False] * (len(words) - 1))
    doc = nlp.get_pipe("groundrules_reader")(doc)
    assert len(list(doc.sents)) == 1
    assert sum(t.dep_ == "ROOT" for t in doc) == 1


def test_what_is_denied_beside_a_noun_is_joined_to_it() -> None:
    doc = load()("Ottawa, not Toronto, is the capital of Canada.")
    assert next(t for t in doc if t.text == "Toronto").dep_ == "conj"


def test_what_has_an_auxiliary_is_a_verb() -> None:
    classes = ["ROOT", "nsubj", "auxpass", "acomp", "mark"]
    arcs = np.full((3, 4), -9, np.float32)  # the root, "tills", "are", "shut"
    relations = np.full((3, 5, 4), -9, np.float32)
    for word, head, label in ((0, 3, 1), (0, 2, 1), (1, 3, 2), (1, 0, 0), (2, 0, 0), (2, 2, 3)):
        arcs[word, head] = relations[word, label, head] = 3
    arcs[1, 3] += 1
    tags = ["NNS", "VBP", "VBN"]
    assert tree(arcs, relations, classes, tags, np.array([-5.0, 0, -0.1]))[0] == [2, 2, 2]
    assert tree(arcs, relations, classes, tags, np.array([-5.0, 0, -9]))[0] == [1, 1, 1]


def test_a_word_that_asks_whether_is_no_mark_of_a_noun() -> None:
    words = load()("Should the alarm ring, the lift stops.")
    ring = next(t for t in words if t.text == "ring")
    assert (ring.tag_, words[0].dep_, words[0].head) == ("VB", "aux", ring)


def test_a_finite_verb_without_an_auxiliary_is_active() -> None:
    words, labels = "Ann paid".split(), ["nsubjpass", "ROOT"]
    assert relabelled(words, ["NNP", "VBD"], [1, 1], labels) == ["nsubj", "ROOT"]
    words, labels = "Ann was paid".split(), ["nsubjpass", "auxpass", "ROOT"]
    assert relabelled(words, ["NNP", "VBD", "VBN"], [2, 2, 2], labels) == labels


def test_a_past_is_read_as_no_present() -> None:
    assert [t.tag_ for t in load()("The miners protested.")][2] == "VBD"
    assert [t.tag_ for t in load()("The tubs exceed the limit.")][2] == "VBP"


def test_a_participle_that_is_a_root_by_itself_is_a_past() -> None:
    assert with_pasts(["NNS", "VBN"], [1, 1], ["nsubj", "ROOT"]) == ["NNS", "VBD"]
    tags = ["NNS", "VBD", "VBN"]
    assert with_pasts(tags, [2, 2, 2], ["nsubjpass", "auxpass", "ROOT"]) == tags


@pytest.mark.parametrize(
    ("form", "lemma"),
    [("chaired", "chair"), ("audited", "audit"), ("postponed", "postpone"), ("planned", "plan")],
)
def test_forms_of_verbs_that_the_treebank_lacks_have_their_lemma(form: str, lemma: str) -> None:
    word = next(t for t in load()(f"The race was {form} by Ann.") if t.text == form)
    assert word.lemma_ == lemma


def test_a_preposition_before_a_subject_has_its_first_words_as_object() -> None:
    tags, heads = "IN NNP NNP NNS VBP VBN".split(), [5, 3, 3, 5, 5, 5]
    labels = "prep compound compound nsubjpass auxpass ROOT".split()
    made = [5, 2, 0, 5, 5, 5], "prep compound pobj nsubjpass auxpass ROOT".split()
    assert with_objects(tags, heads, labels) == made
    assert with_objects(["IN", "DT", *tags[2:]], heads, labels) == (heads, labels)
    inner = [5, 3, 0, 5, 5, 5], "prep amod pobj nsubjpass auxpass ROOT".split()
    assert with_objects(tags, *inner) == inner


def test_a_window_that_two_texts_begin_with_is_scored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = "The museum houses forty paintings of the harbour .".split() * 40
    texts = [[*begin, *end.split()] for end in ("It is shut .", "It is open .")]
    reader, fresh = (Model(folder("english") / "groundrules_reader") for _ in range(2))
    scored: list[tuple[str, ...]] = []
    score = reader._scores

    def counted(words: Any, spaces: Any) -> Any:
        scored.append(words)
        return score(words, spaces)

    monkeypatch.setattr(reader, "_scores", counted)
    found = [reader.read(words, [True] * len(words)) for words in texts]

    assert len(scored) == len(set(scored)) == 3
    assert found[1] == fresh.read(texts[1], [True] * len(texts[1]))


def test_an_adverb_behind_a_noun_is_no_object() -> None:
    doc = load()("Damage by storm is covered under Plus only.")
    assert [(t.text, t.head.text) for t in doc if t.dep_ == "pobj"][1:] == [("Plus", "under")]


def test_a_comparative_adverb_is_joined_to_no_verb() -> None:
    doc = load()("Trains between Corrow and Maltham will run, but ten minutes later than usual.")
    assert [(t.dep_, t.head.text) for t in doc if t.text == "later"] == [("advmod", "run")]


def test_an_adjective_is_joined_to_the_adjective_not_to_the_noun_behind_it() -> None:
    # "is slower than trains but cheaper"
    tags = ["VBZ", "JJR", "IN", "NNS", "CC", "JJR"]
    labels = ["ROOT", "acomp", "prep", "pobj", "cc", "conj"]
    assert rejoined(tags, [0, 0, 1, 2, 3, 3], labels) == [0, 0, 1, 2, 1, 1]
    assert rejoined([*tags[:5], "NNS"], [0, 0, 1, 2, 3, 3], labels) == [0, 0, 1, 2, 3, 3]


def test_a_token_is_given_what_the_ruler_gives_it_alike_the_first_time_and_again() -> None:
    from spacy.pipeline import AttributeRuler

    nlp = load()
    text = "The tenant's rent isn't due, unless they've agreed; he can't have been to the U.S."
    plain = nlp.make_doc(text)
    nlp.get_pipe("groundrules_reader")(plain)
    ruler = nlp.get_pipe("attribute_ruler")
    AttributeRuler.set_annotations(ruler, plain, AttributeRuler.match(ruler, plain))
    nlp.get_pipe("lemmatizer")(plain)

    for doc in (nlp(text), nlp(text)):
        assert [(t.pos_, str(t.morph), t.lemma_) for t in doc] == [
            (t.pos_, str(t.morph), t.lemma_) for t in plain
        ]


def test_what_hangs_on_an_auxiliary_hangs_on_its_verb() -> None:
    # "was never born"
    tags, labels = ["VBD", "RB", "VBN"], ["auxpass", "neg", "ROOT"]
    assert rejoined(tags, [2, 0, 2], labels) == [2, 2, 2]


def test_an_auxiliary_stands_before_its_verb_and_one_behind_it_is_denied_by_itself() -> None:
    doc = load()("Ann must leave; Bob must not.")
    bob, behind, denial = (t for t in doc if t.i in (4, 5, 6))
    assert behind.dep_ != "aux"
    assert bob.head == denial.head == behind


def test_a_denial_that_begins_is_not_hung_on_a_modal_that_ends() -> None:
    tags, labels = ["RB", "NNP", "VB", "MD"], ["neg", "nsubj", "ROOT", "dep"]
    assert rejoined(tags, [2, 2, 2, 2], labels)[0] == 2


def test_a_denial_is_no_verb() -> None:
    assert [t.dep_ for t in load()("Bob must not.")] == ["nsubj", "ROOT", "neg", "punct"]


def test_what_stands_in_brackets_hangs_on_no_word_behind_them() -> None:
    # "guests (over twelve) dive"
    tags = ["NNS", "-LRB-", "IN", "CD", "-RRB-", "VBP"]
    labels = ["nsubj", "punct", "prep", "pobj", "punct", "ROOT"]
    assert rejoined(tags, [5, 2, 5, 2, 2, 5], labels) == [5, 2, 0, 2, 2, 5]


def test_a_comparison_with_a_number_is_a_part_of_the_number() -> None:
    # "more than six people"
    tags, labels = ["JJR", "IN", "CD", "NNS"], ["amod", "prep", "nummod", "ROOT"]
    found = with_objects(tags, [3, 0, 3, 3], labels)
    assert found == ([1, 2, 3, 3], ["advmod", "quantmod", "nummod", "ROOT"])


def test_an_adverb_before_a_number_is_one_of_what_is_counted() -> None:
    # "exactly four porters"
    tags, labels = ["RB", "CD", "NNS"], ["quantmod", "nummod", "ROOT"]
    assert with_objects(tags, [1, 2, 2], labels) == ([2, 2, 2], ["advmod", "nummod", "ROOT"])


def test_a_participle_alone_in_brackets_is_an_apposition() -> None:
    # "adults (trained)", and not "adults (trained there)"
    tags, labels = ["NNS", "-LRB-", "VBN", "-RRB-"], ["ROOT", "punct", "acl", "punct"]
    assert relabelled("abcd", tags, [0, 2, 0, 2], labels)[2] == "appos"
    tags, labels = [*tags[:3], "RB", "-RRB-"], [*labels[:3], "advmod", "punct"]
    assert relabelled("abcde", tags, [0, 2, 0, 2, 2], labels)[2] == "acl"


def test_what_is_hung_otherwise_makes_no_ring() -> None:
    tags = ["NN", "-LRB-", "NN", "-RRB-", "VBD"]
    labels = ["compound", "punct", "nsubj", "punct", "ROOT"]
    heads = [2, 2, 4, 2, 4]  # what stands before the bracket hangs on what stands in it
    assert rejoined(tags, heads, labels) == heads
    tags = ["NN", "JJR", "IN", "CD", "NNS", "VBZ"]  # "a shed smaller than six metres burns"
    labels = ["nsubj", "amod", "prep", "nummod", "pobj", "ROOT"]
    heads = [5, 0, 1, 4, 2, 5]
    assert with_objects(tags, heads, labels) == (heads, labels)
