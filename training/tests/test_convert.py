"""The conversion of Universal Dependencies trees to spaCy's English labels, on hand-made trees."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "training" / "english"))

from convert import Sentence, Token, convert, read_conllu


def tree(rows: str) -> Sentence:
    """A sentence from lines "form lemma upos xpos head label"."""
    sentence = []
    for row in rows.strip().splitlines():
        form, lemma, upos, xpos, head, label = row.split()
        sentence.append(Token(form, lemma, upos, xpos, int(head) - 1, label))
    return sentence


def arcs(rows: str) -> list[tuple[str, str, str]]:
    """Word, label and head of each word after the conversion."""
    done = convert(tree(rows))
    return [(t.form, t.rel, done[t.head].form if t.head >= 0 else "") for t in done]


CASES = {
    "a month that a treebank makes a part of the name of its day": (
        """On on ADP IN 3 case
        March March PROPN NNP 3 compound
        12 12 NUM CD 5 obl
        she she PRON PRP 5 nsubj
        left leave VERB VBD 0 root""",
        ["prep left", "npadvmod 12", "pobj On", "nsubj left", "ROOT "],
    ),
    "copula with a noun": (
        """Laura Laura PROPN NNP 4 nsubj
        is be AUX VBZ 4 cop
        the the DET DT 4 det
        chief chief NOUN NN 0 root""",
        ["nsubj is", "ROOT ", "det chief", "attr is"],
    ),
    "copula with an adjective and negation": (
        """He he PRON PRP 6 nsubj
        will will AUX MD 6 aux
        not not PART RB 6 advmod
        be be AUX VB 6 cop
        very very ADV RB 6 advmod
        happy happy ADJ JJ 0 root""",
        ["nsubj be", "aux be", "neg be", "ROOT ", "advmod happy", "acomp be"],
    ),
    "copula with a preposition": (
        """She she PRON PRP 4 nsubj
        was be AUX VBD 4 cop
        in in ADP IN 4 case
        Paris Paris PROPN NNP 0 root""",
        ["nsubj was", "ROOT ", "prep was", "pobj in"],
    ),
    "passive with an agent": (
        """It it PRON PRP 3 nsubj:pass
        was be AUX VBD 3 aux:pass
        signed sign VERB VBN 0 root
        by by ADP IN 5 case
        Monsanto Monsanto PROPN NNP 3 obl:agent""",
        ["nsubjpass signed", "auxpass signed", "ROOT ", "agent signed", "pobj by"],
    ),
    "dative with to": (
        """He he PRON PRP 2 nsubj
        gave give VERB VBD 0 root
        it it PRON PRP 2 obj
        to to ADP IN 5 case
        Ann Ann PROPN NNP 2 obl""",
        ["nsubj gave", "ROOT ", "dobj gave", "dative gave", "pobj to"],
    ),
    "possessive": (
        """Ann Ann PROPN NNP 3 nmod:poss
        's 's PART POS 1 case
        house house NOUN NN 0 root""",
        ["poss house", "case Ann", "ROOT "],
    ),
    "flat name": (
        """Laura Laura PROPN NNP 3 nsubj
        Chen Chen PROPN NNP 1 flat
        left leave VERB VBD 0 root""",
        ["compound Chen", "nsubj left", "ROOT "],
    ),
    "chained conjuncts": (
        """A a NOUN NN 0 root
        , , PUNCT , 3 punct
        B b NOUN NN 1 conj
        and and CCONJ CC 5 cc
        C c NOUN NN 1 conj""",
        ["ROOT ", "punct A", "conj A", "cc B", "conj B"],
    ),
    "coordinated prepositions": (
        """live live VERB VB 0 root
        in in ADP IN 3 case
        Rome Rome PROPN NNP 1 obl
        and and CCONJ CC 6 cc
        in in ADP IN 6 case
        Bonn Bonn PROPN NNP 3 conj""",
        ["ROOT ", "prep live", "pobj in", "cc Rome", "conj Rome", "pobj in"],
    ),
    "preposition with a clause": (
        """left leave VERB VBD 0 root
        without without SCONJ IN 3 mark
        paying pay VERB VBG 1 advcl""",
        ["ROOT ", "prep left", "pcomp without"],
    ),
    "multiword preposition": (
        """left leave VERB VBD 0 root
        because because ADP IN 4 case
        of of ADP IN 2 fixed
        rain rain NOUN NN 1 obl""",
        ["ROOT ", "prep left", "prep because", "pobj of"],
    ),
    "such as": (
        """cities city NOUN NNS 0 root
        such such ADJ JJ 4 case
        as as ADP IN 2 fixed
        Rome Rome PROPN NNP 1 nmod""",
        ["ROOT ", "amod as", "prep cities", "pobj as"],
    ),
    "existential": (
        """There there PRON EX 2 expl
        is be VERB VBZ 0 root
        a a DET DT 4 det
        fee fee NOUN NN 2 nsubj""",
        ["expl is", "ROOT ", "det fee", "attr is"],
    ),
    "date": (
        """on on ADP IN 3 case
        May May PROPN NNP 3 nmod:unmarked
        8 8 NUM CD 6 obl
        , , PUNCT , 3 punct
        2014 2014 NUM CD 3 nmod:unmarked
        ended end VERB VBD 0 root""",
        ["prep ended", "npadvmod 8", "pobj on", "punct 8", "nummod 8", "ROOT "],
    ),
    "amount": (
        """pay pay VERB VB 0 root
        $ $ SYM $ 1 obj
        5 5 NUM CD 2 nummod""",
        ["ROOT ", "quantmod 5", "dobj pay"],
    ),
    "object and infinitive": (
        """let let VERB VB 0 root
        him he PRON PRP 1 obj
        go go VERB VB 1 xcomp""",
        ["ROOT ", "nsubj go", "ccomp let"],
    ),
    "infinitive marker": (
        """agreed agree VERB VBD 0 root
        to to PART TO 3 mark
        pay pay VERB VB 1 xcomp""",
        ["ROOT ", "aux pay", "xcomp agreed"],
    ),
    "clausal predicate": (
        """problem problem NOUN NN 5 nsubj:outer
        is be AUX VBZ 5 cop
        that that SCONJ IN 5 mark
        he he PRON PRP 5 nsubj
        left leave VERB VBD 0 root""",
        ["nsubj is", "ROOT ", "mark left", "nsubj left", "ccomp is"],
    ),
    "extraposed infinitive": (
        """It it PRON PRP 3 expl
        is be AUX VBZ 3 cop
        easy easy ADJ JJ 0 root
        to to PART TO 5 mark
        pay pay VERB VB 3 csubj""",
        ["nsubj is", "ROOT ", "acomp is", "aux pay", "xcomp is"],
    ),
    "relative clause": (
        """firm firm NOUN NN 0 root
        that that PRON WDT 3 nsubj
        grew grow VERB VBD 1 acl:relcl""",
        ["ROOT ", "nsubj grew", "relcl firm"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_labels_and_heads(name: str) -> None:
    rows, expected = CASES[name]
    assert [f"{label} {head}" for _, label, head in arcs(rows)] == expected


def test_input_is_left_alone() -> None:
    before = tree(CASES["copula with a noun"][0])
    convert(before)
    assert before == tree(CASES["copula with a noun"][0])


def test_two_roots_are_refused() -> None:
    with pytest.raises(ValueError, match="2 roots"):
        convert(tree("a a NOUN NN 0 root\nb b NOUN NN 0 root"))


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
