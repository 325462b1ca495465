"""What the reader of English learns of: tokens as the pipeline cuts them, and made sentences."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TRAINING = Path(__file__).parents[2] / "training"
# scripts of training are no package: their folders come first, then their imports (E402)
sys.path[:0] = [str(TRAINING / "english"), str(TRAINING / "reader")]

from convert import ROOT, Sentence, Token
from data import Cutter
from shapes import SHAPES, Maker, Words
from treebanks import parts


def tree(*rows: tuple[str, str, int, str, bool]) -> Sentence:
    """Return a tree of words, their tags, heads, labels and whether a space follows."""
    return [Token(form, form, "X", tag, head, rel, space) for form, tag, head, rel, space in rows]


def told(sentence: Sentence) -> list[tuple[str, str, str]]:
    """Return the words of a tree with their heads and labels."""
    return [
        (t.form, "" if t.head == ROOT else sentence[t.head].form, t.rel) for t in sentence
    ]  # fmt: skip


def test_words_that_the_pipeline_takes_for_one_are_one() -> None:
    given = tree(
        ("open", "JJ", ROOT, "ROOT", True), ("24", "CD", 3, "nummod", False),
        ("/", "SYM", 3, "punct", False), ("7", "CD", 0, "npadvmod", True),
        ("now", "RB", 0, "advmod", False),
    )  # fmt: skip
    assert told(Cutter().tree(given)) == [
        ("open", "", "ROOT"), ("24/7", "open", "npadvmod"), ("now", "open", "advmod"),
    ]  # fmt: skip


def test_a_word_that_the_pipeline_cuts_is_headed_by_its_last_part() -> None:
    given = tree(("an", "DT", 1, "det", True), ("e-mail", "NN", ROOT, "ROOT", False))
    assert told(Cutter().tree(given)) == [
        ("an", "mail", "det"), ("e", "mail", "compound"), ("-", "mail", "punct"),
        ("mail", "", "ROOT"),
    ]  # fmt: skip


def test_words_run_together_stay_two() -> None:
    given = tree(("it", "PRP", 1, "nsubj", False), ("s", "VBZ", ROOT, "ROOT", False))
    assert told(Cutter().tree(given)) == told(given)


def test_a_name_goes_on_over_the_parts_of_its_word() -> None:
    given = [("Dresser-Rand", "B-ORG"), ("sells", "O"), ("pumps", "O")]
    assert Cutter().names(given) == [
        ("Dresser", "B-ORG"), ("-", "I-ORG"), ("Rand", "I-ORG"), ("sells", "O"), ("pumps", "O"),
    ]  # fmt: skip


@pytest.mark.parametrize("shape", sorted(set(SHAPES), key=lambda one: one.__name__))
def test_a_made_sentence_is_a_tree_whose_arcs_do_not_cross(
    shape: Callable[[Maker], Sentence],
) -> None:
    rows = [("mill", "NN"), ("mills", "NNS"), ("stable", "JJ"), ("Ann", "NNP")]
    rows += [("sells", "VBZ"), ("sell", "VBP"), ("sold", "VBD"), ("sell", "VB"), ("sold", "VBN")]
    words = [Token(form, "sell", "X", tag, 0, "dobj") for form, tag in rows for _ in range(3)]
    known = Words([[Token("sell", "sell", "X", "VB", ROOT, "ROOT"), *words]])
    dice = random.Random(0)
    for _ in range(60):
        made = shape(Maker(known, dice))
        assert sum(t.head == ROOT for t in made) == 1
        arcs = [(min(i, t.head), max(i, t.head)) for i, t in enumerate(made) if t.head != ROOT]
        assert all(low >= 0 for low, _ in arcs)
        assert not any(a < c < b < d for a, b in arcs for c, d in arcs), told(made)


def test_of_a_treebank_only_free_texts_are_taken_each_for_its_part() -> None:
    splits = """## test
  * GUM_bio_dvorak
  * GUM_fiction_teeth

## test2
  * GENTLE_poetry_raven

## train
  * GUM_court_carpet
  * GUM_court_fire
"""
    assert parts(splits) == {
        "test": ["GUM_bio_dvorak"],
        "gentle": ["GENTLE_poetry_raven"],
        "train": ["GUM_court_fire"],
    }
