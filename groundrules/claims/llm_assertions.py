"""What a language model says that a text says in the terms of a vocabulary.

It names things and asserts of them, each with the words of the text; nothing is believed here but
that these words stand there. What has none is dropped and counted. Which terms there are, what the
words come to and what follows is for others (`ontology/read/model_terms.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundrules.claims.copied import Place, find_all, pieces_of
from groundrules.claims.llm_terms import FORCES
from groundrules.terms import Modality

#: Of one answer more things, assertions and orders, or names of one thing, are not looked at.
_MOST, _MOST_NAMES = 400, 12
#: The longest words that are looked for, in code points, and the most pieces of them.
_LONGEST, _MOST_PIECES = 2000, 12

#: Why something of an answer is dropped, as the notes say it.
NO_WORDS = "whose words are not in the text"
NO_THING = "of a thing that the answer has not"
TOO_MANY = f"beyond {_MOST} of a kind in one answer"

#: Between values of which another is made.
_JOINED = re.compile(r"\s([+−–\-])\s")
_TIMES = re.compile(r"\s[×*x]\s")
#: What makes one value of others wherever it stands; a dash may as well be one of a range.
_OPERATED = re.compile(r"\s[+−×*x]\s")
#: What a calendar, or a coin, has of another of its units: as a factor of what stands in a text it
#: need not stand there.
_UNITS = frozenset({"2", "4", "7", "12", "24", "52", "60", "100", "365"})


@dataclass(frozen=True, slots=True)
class Value:
    """A value in words of the text: summands, each with its sign, and the factors of each.

    `places` are where the words stand. One summand of one factor is a value as the text has it;
    `whole` are the words of one that the text itself makes of others: "12 × $500".
    """

    summands: tuple[tuple[int, tuple[str, ...]], ...]
    places: tuple[Place, ...]
    whole: str = ""

    @property
    def words(self) -> str:
        """The words of a value that the text has as it is, empty for one that is made of others."""
        (_, factors), *others = self.summands
        return factors[0] if not others and len(factors) == 1 else self.whole


@dataclass(frozen=True, slots=True)
class ToldThing:
    """A thing that a text speaks of: its class by name, what it is called and where.

    `apart` are words that tell it from others of its kind; what is `bound` is so with a condition
    or an exception alone.
    """

    id: str
    kind: str
    names: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    apart: str = ""
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Mode:
    """Where something is said, whether denied, with which force, within bounds, and by whom."""

    places: tuple[Place, ...]
    denied: bool = False
    force: str = "fact"
    bound: bool = False
    by: str = ""

    @property
    def modality(self) -> Modality:
        """The mode that our own reading gives what is said so, by whom ever."""
        if FORCES[self.force] is Modality.POSSIBILITY:
            return Modality.POSSIBILITY
        return Modality.CONDITION if self.bound else FORCES[self.force]


@dataclass(frozen=True, slots=True)
class ToldAssertion:
    """What is asserted of a thing: a property by name, and a value.

    `named` is the value as the answer gives it: the id of a thing, one of a list, or words, which
    `value` has if they stand in the text.
    """

    thing: str
    property: str
    named: str
    value: Value | None
    mode: Mode


@dataclass(frozen=True, slots=True)
class ToldOrder:
    """That a dated event is told before another, each by its thing and the name of its date."""

    first: tuple[str, str]
    second: tuple[str, str]
    mode: Mode


@dataclass(frozen=True, slots=True)
class Told:
    """What a text says by an answer, as far as its words stand there.

    `given` counts the things, assertions and orders of the answer, `dropped` those of them that
    were, each by its reason.
    """

    things: tuple[ToldThing, ...] = ()
    assertions: tuple[ToldAssertion, ...] = ()
    orders: tuple[ToldOrder, ...] = ()
    given: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)


def told_of(answer: Mapping[str, Any], text: str, start: int, end: int, name: str = "") -> Told:
    """Return what an answer says of a piece of a text, of what stands there.

    Places count from the beginning of the text; `name` goes before the ids of things, so that those
    of several pieces are told apart.
    """
    reader = _Reader(text, start, end, name)
    things = {thing.id: thing for thing in map(reader.thing, reader.first(answer["things"]))}
    assertions = [reader.assertion(row, things) for row in reader.first(answer["assertions"])]
    orders = [reader.order(row, things) for row in reader.first(answer["orders"])]
    return Told(
        tuple(things.values()),
        tuple(one for one in assertions if one is not None),
        tuple(one for one in orders if one is not None),
        sum(len(answer[rows]) for rows in ("things", "assertions", "orders")),
        {why: count for why, count in reader.dropped.items() if count},
    )


class _Reader:
    """Reads the rows of an answer on one piece of a text; counts what it drops."""

    def __init__(self, text: str, start: int, end: int, name: str) -> None:
        self.text, self.start, self.end, self.name = text, start, end, name
        self.dropped: Counter[str] = Counter()

    def first(self, rows: Sequence[Any]) -> Iterator[Any]:
        self.dropped[TOO_MANY] += max(0, len(rows) - _MOST)
        yield from rows[:_MOST]

    def thing(self, row: Mapping[str, Any]) -> ToldThing:
        places, names = [], []
        for words in row["called"][:_MOST_NAMES]:
            for place in (self.places(words) or ())[:1]:
                names.append(self.said((place,)))
                places.append(place)
        apart = self.places(row["apart"]) or ()
        if not places and apart:
            places.append(apart[0])
        return ToldThing(
            self.name + row["id"],
            row["class"],
            tuple(dict.fromkeys(names)),
            tuple(dict.fromkeys(places)),
            self.said(apart),
            bool(row["only"].strip()),
        )

    def assertion(
        self, row: Mapping[str, Any], things: Mapping[str, ToldThing]
    ) -> ToldAssertion | None:
        mode = self.mode(row)
        if mode is None:
            return None
        thing = self.name + row["thing"]
        if thing not in things:
            self.dropped[NO_THING] += 1
            return None
        named = self.name + row["value"]
        if named in things:
            return ToldAssertion(thing, row["property"], named, None, mode)
        value = self.value(row["value"], mode.places)
        return ToldAssertion(thing, row["property"], row["value"], value, mode)

    def order(self, row: Mapping[str, Any], things: Mapping[str, ToldThing]) -> ToldOrder | None:
        mode = self.mode(row)
        if mode is None:
            return None
        first, second = self.name + row["first"], self.name + row["second"]
        if first not in things or second not in things:
            self.dropped[NO_THING] += 1
            return None
        return ToldOrder((first, row["first_property"]), (second, row["second_property"]), mode)

    def mode(self, row: Mapping[str, Any]) -> Mode | None:
        places = self.places(row["words"])
        if not places:
            self.dropped[NO_WORDS] += 1
            return None
        bound, by = bool(row["only"].strip()), " ".join(row["by"].split())
        return Mode(places, bool(row["not"]), row["force"], bound, by[:_LONGEST])

    def value(self, words: str, near: Sequence[Place]) -> Value | None:
        """Return a value in words of the text, None where one of them does not stand there."""
        if len(words) > _LONGEST:
            return None
        whole = self.places(words, near)
        if not whole:
            return self.made(words, near)
        said = self.said(whole)
        made = self.made(words, whole) if _OPERATED.search(words) else None
        return Value(made.summands if made else ((1, (said,)),), whole, said)

    def made(self, words: str, near: Sequence[Place]) -> Value | None:
        """Return a value that is made of others, None where one of them does not stand there."""
        parts = _JOINED.split(words)
        if len(parts) > 2 * _MOST_PIECES:
            return None
        summands: list[tuple[int, tuple[str, ...]]] = []
        places: list[Place] = []
        for sign, part in zip(["+", *parts[1::2]], parts[::2], strict=True):
            factors = _TIMES.split(part)
            found = [self.places(one, near) for one in factors]
            if len(factors) > _MOST_PIECES or not any(found):
                return None
            if not all(
                place or one.strip() in _UNITS for one, place in zip(factors, found, strict=True)
            ):
                return None
            said = (
                self.said(place) if place else one.strip()
                for one, place in zip(factors, found, strict=True)
            )  # fmt: skip
            summands.append((1 if sign == "+" else -1, tuple(said)))
            places += (one for place in found for one in place or ())
        return Value(tuple(summands), tuple(places))

    def said(self, places: Sequence[Place]) -> str:
        return " ".join(" ".join(self.text[start:end].split()) for start, end in places)

    def places(self, words: str, near: Sequence[Place] = ()) -> tuple[Place, ...] | None:
        """Return where the pieces of some words stand, none for no words, None where one does not.

        They are looked for in the `near` places first. Of too many pieces none is looked for.
        """
        if len(words) > _LONGEST or len(pieces_of(words)) > _MOST_PIECES:
            return None
        around = [(min(p[0] for p in near), max(p[1] for p in near))] if near else []
        return find_all(words, self.text, [*around, (self.start, self.end)])
