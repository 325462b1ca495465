"""Sentences whose grammar is written down by hand, or drawn at random: the parser is not asked."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from spacy.lang.en import English
from spacy.tokens import Doc
from spacy.vocab import Vocab

from groundrules.claims.facts.phrases import Passage
from groundrules.claims.units.blocks import Block
from tests.strategies import ODDITIES

_KINDS = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "PRP": "PRON", "PRP$": "PRON",
    "WP": "PRON", "WDT": "PRON", "EX": "PRON", "VB": "VERB", "VBD": "VERB", "VBZ": "VERB",
    "VBP": "VERB", "VBN": "VERB", "VBG": "VERB", "MD": "AUX", "AUX": "AUX", "IN": "ADP",
    "TO": "PART", "RB": "ADV", "JJ": "ADJ", "DT": "DET", "CD": "NUM", "CC": "CCONJ", "POS": "PART",
    ".": "PUNCT", ",": "PUNCT",
}  # fmt: skip
_LEMMAS = {"paid": "pay", "was": "be", "is": "be", "did": "do", "failed": "fail", "said": "say"}
_LABELS = tuple(
    "nsubj nsubjpass csubj expl dobj dative attr acomp oprd agent prep pobj pcomp conj cc appos "
    "poss det amod compound nummod advmod neg aux auxpass mark advcl acl relcl xcomp ccomp prt "
    "npadvmod parataxis preconj case punct dep".split()
)
_WORDS = tuple(
    "Ann it they himself company court tenant rent $5 2010 no not never nobody which who that "
    "pay paid deny denied failed said is was shall may if unless without by to of the a 's , ."
    .split()
)  # fmt: skip


@cache
def _vocab() -> Vocab:
    return English().vocab


def tree(written: str) -> Doc:
    """Return a sentence of `word:tag:label:head`, heads counted from 0; the root is its own."""
    rows = [row.rsplit(":", 3) for row in written.split()]
    return _doc([(word, tag, label, int(head)) for word, tag, label, head in rows])


def _doc(rows: list[tuple[str, str, str, int]]) -> Doc:
    words = [word for word, *_ in rows]
    return Doc(
        _vocab(),
        words=words,
        tags=[{"AUX": "VBD"}.get(tag, tag) for _, tag, *_ in rows],
        pos=[_KINDS[tag] for _, tag, *_ in rows],
        deps=[label for *_, label, _ in rows],
        heads=[head for *_, head in rows],
        lemmas=[_LEMMAS.get(word.casefold(), word.casefold()) for word in words],
    )


def passage(doc: Doc, source: str = "t") -> Passage:
    """Return a sentence as a passage without names and values; its text is its words."""
    offsets = tuple((token.idx, token.idx + len(token)) for token in doc)
    return Passage(Block(doc, offsets), source, doc.text)


@st.composite
def trees(draw: st.DrawFn) -> Doc:
    """Sentences of any words in any projective tree with any labels, most of them no English."""
    word = st.sampled_from(_WORDS) | st.sampled_from([o for o in ODDITIES if o.strip()])
    rows: list[tuple[str, str, str, int]] = []

    def grow(start: int, end: int, head: int | None) -> None:
        while start < end:
            stop = draw(st.integers(start + 1, end)) if head is not None else end
            root = draw(st.integers(start, stop - 1))
            label = "ROOT" if head is None else draw(st.sampled_from(_LABELS))
            rows[root] = (
                draw(word), draw(st.sampled_from(sorted(_KINDS))), label,
                root if head is None else head,
            )  # fmt: skip
            grow(start, root, root)
            grow(root + 1, stop, root)
            start = stop

    size = draw(st.integers(1, 10))
    rows += [("", ".", "", 0)] * size
    grow(0, size, None)
    return _doc(rows)


def chain(first: str, link: str, last: str, depth: int) -> Doc:
    """Return a tree `depth` links deep: each `word:tag:label` hangs on the one before it."""
    words = [first, *[link] * depth, last]
    return tree(" ".join(f"{word}:{max(0, n - 1)}" for n, word in enumerate(words)))
