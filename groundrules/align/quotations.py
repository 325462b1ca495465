"""The words that a finding quotes of two sentences, so that each can be read by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from groundrules.align.tokens import Token
from groundrules.align.wordalign import Text

#: A half-open range of code points.
Place = tuple[int, int]

#: What is quoted of one sentence at most, in code points.
_LONGEST = 140
_NAMES = frozenset({"compound", "flat", "nmod"})
_OF_VERBS = frozenset({"aux", "auxpass", "neg", "prt"})
_AFTER_BE = frozenset({"acomp", "attr", "oprd"})
_VERBAL = frozenset({"VERB", "AUX"})


def quotations(mine: Text, here: Place, theirs: Text, there: Place) -> tuple[str, str]:
    """Return the words of a statement and of a passage that a finding quotes.

    Names are whole, a verb has its auxiliaries and its denial, "at" goes with "least"; where
    both would be the same words, each has its sentence.
    """
    one, other = (_quote(text, place, _alone) for text, place in ((mine, here), (theirs, there)))
    if one.casefold() == other.casefold():
        one, other = (
            _quote(text, place, _sentence) for text, place in ((mine, here), (theirs, there))
        )
    return one, other


def _quote(text: Text, place: Place, widen: Callable[[Token], Iterator[Token]]) -> str:
    start, end = place
    marked = [t for t in text.doc if t.idx < end and start < t.idx + len(t)]
    whole = [near for one in marked for near in (one, *widen(one))]
    low = min((t.idx for t in whole), default=start)
    high = max((t.idx + len(t) for t in whole), default=end)
    if high - low > _LONGEST:
        low, high = start, end
    return " ".join(text.text[low:high].split()).strip(" ,;:.!?")


def _alone(token: Token) -> Iterator[Token]:
    """Yield what a word needs to be understood beside it."""
    if token.pos_ == "PROPN":
        yield from (c for c in token.children if c.dep_ in _NAMES)
        if token.dep_ in _NAMES:
            yield token.head
    if token.pos_ in _VERBAL:
        yield from (c for c in token.children if c.dep_ in _OF_VERBS)
    if token.lemma_ == "be":
        yield from (c for c in token.children if c.dep_ in _AFTER_BE)
    if token.dep_ in _OF_VERBS:
        yield token.head
    if token.lower_ in ("most", "least") and token.i and token.nbor(-1).lower_ == "at":
        yield token.nbor(-1)
    if token.dep_ in ("nummod", "det") and token.i < token.head.i:
        yield token.head


def _sentence(token: Token) -> Iterator[Token]:
    sentence = token.sent
    yield from token.doc[sentence.start : sentence.end]
