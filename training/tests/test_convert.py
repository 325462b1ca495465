"""The conversion of Universal Dependencies trees to spaCy's English labels, on hand-made trees."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.rows import each

sys.path.insert(0, str(Path(__file__).parents[1] / "english"))

from convert import Sentence, Token, convert, read_conllu


def tree(rows: str) -> Sentence:
    sentence = []
    for row in rows.split("; "):
        form, lemma, upos, xpos, head, label = row.split()
        sentence.append(Token(form, lemma, upos, xpos, int(head) - 1, label))
    return sentence


@each("name rows expected")
def test_labels_and_heads(name: str, rows: str, expected: str) -> None:
    """The words are "form lemma upos xpos head label"; what is expected is "label head"."""
    done = convert(tree(rows))
    told = [f"{t.rel} {done[t.head].form if t.head >= 0 else ''}" for t in done]
    assert told == expected.split("; "), name


def test_input_is_left_alone() -> None:
    rows = "is be AUX VBZ 2 cop; chief chief NOUN NN 0 root"
    before = tree(rows)
    convert(before)
    assert before == tree(rows)


def test_two_roots_are_refused() -> None:
    with pytest.raises(ValueError, match="2 roots"):
        convert(tree("a a NOUN NN 0 root; b b NOUN NN 0 root"))


def test_reader_keeps_spacing_of_multiword_tokens() -> None:
    text = """# newdoc id = d1
# newpar id = p1
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\tVB\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
3.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
    [(document, sentence)] = list(read_conllu(text.splitlines(keepends=True)))
    assert document == "d1"
    assert "".join(t.form + " " * t.space_after for t in sentence) == "don't go. "
    assert sentence[0].new_paragraph
