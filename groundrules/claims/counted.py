"""Which numbers of a parsed text say how many of a noun there are, and what bounds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from groundrules.claims.english import SCALES, SMALL
from groundrules.claims.quantifiers import TIMES, Count, hedge_words, spans, within
from groundrules.claims.slots import Bounds, Measure
from groundrules.claims.tree_words import is_numbered

#: What joins the ends of a range.
_TO = frozenset({"to", "or", "-", "–"})


@dataclass(frozen=True, slots=True)
class Counted:
    """The numbers of one parsed text.

    `numbers` has its numbers by token, `places` their first and last tokens, and `hedges` the words
    that bound or round each.
    """

    numbers: Mapping[int, Count]
    places: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    hedges: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, doc: Any, numbers: Mapping[int, Count]) -> Self:
        """Return those of a parsed text."""
        found = list(spans(numbers))
        places = {id(one): (first, last) for one, first, last in found}
        hedges = {id(one): hedge_words(doc[first], last) for one, first, last in found}
        return cls(numbers, places, hedges)

    def of_noun(self, token: Any) -> list[Any]:
        """Return the numbers that say how many of a noun there are, several that are joined."""
        numbers = [c for c in token.children if c.dep_ == "nummod" and self.tells_of(c, token)]
        numbers += [
            g
            for c in numbers
            for g in c.children
            if g.dep_ == "conj" and g.like_num and g.nbor(-1).lower_ != "not"
        ]
        alone = {"pobj", "dobj", "attr", "nsubj", "nsubjpass", "conj"}
        if not numbers and token.like_num and token.dep_ in alone and not is_numbered(token):
            numbers = [token]
        if not numbers and token.i and token.pos_ in {"NOUN", "PROPN"}:  # "up to eight people"
            before = token.doc[token.left_edge.i - 1] if token.left_edge.i else token
            if before.like_num and any(map(self.is_hedge, before.ancestors)):
                numbers = [before]
        return [t for t in numbers if self.is_count(t) and not self._is_ratio(t)]

    def bounds(self, token: Any) -> Bounds:
        """Return the range of the figure of a number."""
        count = self.numbers[token.i]
        first, last = self.places.get(id(count), (token.i, token.i))
        return within(token.doc[first], _range(token.doc[first], count.value), last)

    def is_count(self, token: Any) -> bool:
        """Return whether a word is of a number that is no time."""
        return token.i in self.numbers and self.numbers[token.i].unit not in TIMES

    def _is_ratio(self, token: Any) -> bool:
        count = self.numbers[token.i]
        return count.unit == "share" and count.size[0] == count.value

    def tells_of(self, number: Any, noun: Any) -> bool:
        """Return whether a number says how many of a noun there are: it stands before it."""
        return number.i < noun.i and self.is_count(number)

    def measure(self, token: Any) -> tuple[Measure | None, tuple[int, ...]]:
        """Return the amount that a word says with those around it, and which these are."""
        count = self.numbers.get(token.i)
        if count is None or not count.unit or self.numbers.get(token.head.i) is count:
            return None, ()
        first, last = self.places[id(count)]
        size = count.size
        if count.unit not in TIMES and size[0] == size[1]:
            size = _range(token.doc[first], size[0])
        size = within(token.doc[first], size, last)
        return Measure(count.unit, size), tuple(range(first, last + 1))

    def scale(self, noun: Any) -> float:
        """Return the "million" of how many of a noun there are, 1 where they are counted."""
        return max((SCALES.get(t.lower_, 1.0) for t in self.of_noun(noun)), default=1.0)

    def hedging(self, token: Any) -> tuple[int, ...]:
        """Return the words that bound or round a number."""
        return self.hedges.get(id(self.numbers.get(token.i)), ())

    def is_hedge(self, token: Any) -> bool:
        """Return whether a word bounds or rounds a number, and governs no noun: "up to" six men."""
        if not any(token.i in words for words in self.hedges.values()):
            return False
        objects = [c for p in (token, *token.children) for c in p.children if c.dep_ == "pobj"]
        return all(
            c.like_num and any(t.pos_ == "NOUN" for t in c.doc[c.i + 1 : c.i + 2]) for c in objects
        )

    def bounded_noun(self, token: Any) -> Any:
        """Return the counted noun that a comparative bounds: "no more than" six people."""
        if token.tag_ != "JJR" or not any(token.i in words for words in self.hedges.values()):
            return None
        inner = (c for p in token.children if p.lower_ == "than" for c in p.children)
        return next((c for c in inner if c.dep_ == "pobj" and self.of_noun(c)), None)

    def hedged_number(self, token: Any) -> Any:
        """Return the number behind the words that bound it: "fewer than" a third."""
        inner = [c for p in token.children if p.dep_ == "prep" for c in p.children]
        return next((c for c in inner if c.dep_ == "pobj" and c.i in self.numbers), None)


def _range(number: Any, size: float) -> Bounds:
    """Return the bounds of an amount, whose other end may stand beside it: "2 to 3 hours".

    "From 2 to 3" tells of a change.
    """
    doc, at, own = number.doc, number.i, _figure(number)
    low, high = size, size
    if at > 1 and doc[at - 1].lower_ in _TO and doc[max(at - 3, 0)].lower_ != "from":
        other = _figure(doc[at - 2])
        low = size * other / own if 0 < other < own else size
    if at + 2 < len(doc) and doc[at + 1].lower_ in _TO and doc[max(at - 1, 0)].lower_ != "from":
        other = _figure(doc[at + 2])
        high = size * other / own if 0 < own < other else size
    return low, high


def _figure(token: Any) -> float:
    """Return the number that a word is, 0 for another word."""
    plain = token.text.replace(",", "")
    if plain.replace(".", "", 1).isdecimal():
        return float(plain)
    return float(SMALL.get(token.lower_, 0))
