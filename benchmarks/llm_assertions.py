"""Assertions by a language model, in the terms of an ontology or of a knowledge base.

One question has a text and a list of terms. The answer has the things that the text speaks of, each
with all the words that stand for it, and what is asserted of them in properties of the list. It is
a reading and no judgement. What has no words in the text, or words that do not name its arguments,
is dropped and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from groundrules.claims.grades import find_words
from groundrules.llm.prompt import Prompt

__all__ = ["Fact", "Facts", "Listed", "Sureness", "Thing", "facts_of", "question_on"]

#: How a text says something: as so, as conditional or possible, or as what somebody says.
Sureness = Literal["stated", "possible", "reported"]
#: Things and facts of a text, and words that stand for a thing, at most.
_MOST_THINGS, _MOST_FACTS, _MOST_WORDS = 200, 400, 60
#: Words of the definition of a term that are shown.
_DEFINED = 30

_INSTRUCTIONS = """\
You read a text for a program that checks it against an ontology or a knowledge base. You do not \
judge whether the text is true, consistent or lawful: you write down what it says, in the terms of \
the list, whatever that is. The program draws the conclusions. Use the text alone, nothing that \
you know of the world besides what words mean; a text that says something odd is read as it says.

`things`: the persons, companies, papers, cases, places, works, … that the text speaks of. For \
each: `id` ("t1", "t2", …); `class`: the most special class of the list that it is said or plainly \
meant to be, "" if none is or the list has no classes; `words`: every wording that stands for it, \
each copied character by character from the text: its full name first, then short names, defined \
terms ("the Owner"), descriptions ("the ship"), not pronouns. One thing has one id wherever it \
is named; two things that the text keeps apart (two ships, two papers) have two ids, though they \
be called alike, and each then has only those words that tell it from the other, where there are \
such. Where the list has classes of sums, duties, permissions, bans or parts of a paper, each of \
these is a thing too: its words are the sum, or the clause that makes it, with its conditions and \
exceptions.
`facts`: what the text asserts of them, one for each property of the list that it states: the \
whole of what the terms of the list can say, one by one, also what the text says twice and what it \
says in two ways that do not fit together. For each:
- `words`: the words that say it, copied character by character from the text: one sentence, or as \
much of it as has the property, the object and, where the sentence names it, the subject.
- `subject`: the id of a thing.
- `property`: the name of a property of the list, exactly. A property goes from its subject to its \
object as the list says: choose the direction that the list has. Where two properties of the list \
say it, write a fact for each; where none means what the text says, write none: the nearest is not \
enough. What the text puts in the place of the object is the object, whatever kind of thing it is.
- `object`: the id of a thing, or, where the property has a value (a date, an amount, a number, a \
name), the value as the text has it, copied, with its unit and with "about", "more than", "at \
most" where the text has them.
- `said`: the words of the text that say the property ("is the owner of", "was born in", \
"shall terminate on"), copied; "" if no words but the names say it ("Ulm, Germany").
- `when`: the words that say when it is or was so, copied ("from 1990 to 1994", "in 2011", "as of \
1 May 2020", "formerly"), "" if none; not the date that is itself the object.
- `not`: true if the text denies it.
- `sure`: "stated" if the text says so of itself; "possible" if it is conditional, allowed, \
intended, doubted, asked or only possible; "reported" if it is what somebody said, alleged or \
claimed.
`left`: the other words of the text that say something which no fact says ("the first woman to", \
"in secret"), each copied; an empty list if the facts say it all.
Where words do not stand together, put " … " between the pieces.\
"""

_TEXT = {"type": "string"}
_THING = {
    "type": "object",
    "properties": {"id": _TEXT, "class": _TEXT, "words": {"type": "array", "items": _TEXT}},
    "required": ["id", "class", "words"],
    "additionalProperties": False,
}
_FACT = {
    "type": "object",
    "properties": {
        "words": _TEXT,
        "subject": _TEXT,
        "property": _TEXT,
        "object": _TEXT,
        "said": _TEXT,
        "when": _TEXT,
        "not": {"type": "boolean"},
        "sure": {"enum": ["stated", "possible", "reported"]},
    },
    "required": ["words", "subject", "property", "object", "said", "when", "not", "sure"],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "properties": {
        "things": {"type": "array", "items": _THING},
        "facts": {"type": "array", "items": _FACT},
        "left": {"type": "array", "items": _TEXT},
    },
    "required": ["things", "facts", "left"],
    "additionalProperties": False,
}

#: Why something of an answer is dropped, as the notes say it.
NO_WORDS = "whose words are not in the text"
NO_TERM = "in terms that the list has not"
NO_THING = "of things that have no words in the text"
UNNAMED = "whose words do not name what they are about"
TOO_MANY = f"beyond {_MOST_THINGS} things or {_MOST_FACTS} facts"

_PIECES = re.compile(r"…|\.\.\.")
#: What stands for a thing that was named before.
_LEANING = re.compile(
    r"(?i)\b(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|who|whom|whose|which|that"
    r"|this|these|those|there|both|each|the (?:former|latter|same|first|second|other))\b"
)

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Listed:
    """A class or a property as a model is told of it.

    `starts` and `ends` are in words what a property goes from and to, empty for a class.
    """

    iri: str
    name: str
    definition: str = ""
    starts: str = ""
    ends: str = ""

    @property
    def line(self) -> str:
        """The term in one line, its definition cut to its first words."""
        words = self.definition.split()
        told = " ".join(words[:_DEFINED]) + (" …" if len(words) > _DEFINED else "")
        goes = f" ({self.starts or 'thing'} -> {self.ends})" if self.ends else ""
        return f"- {self.name}{goes}" + (f": {told}" if told else "")


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that a text speaks of: its class as an IRI, empty for none, and where it is named."""

    id: str
    of: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """What a text asserts in a property: of which thing, of what, where, and how surely.

    `object` is the id of a thing or, where `value` is a place, the words of a value. `place` is the
    range of its words; `said` and `when` are places of what says the property, and when it is so.
    """

    place: Place
    subject: str
    property: str
    object: str
    value: Place | None = None
    said: tuple[Place, ...] = ()
    when: tuple[Place, ...] = ()
    denied: bool = False
    sure: Sureness = "stated"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a model has read of a text, and what of its answer was dropped.

    `left` are places of words that no fact says; `dropped` maps each reason to how many, and
    `given` counts the facts of the answer.
    """

    things: Mapping[str, Thing] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    left: tuple[Place, ...] = ()
    given: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)


def question_on(
    text: str, classes: Sequence[Listed], properties: Sequence[Listed], vocabulary: str
) -> Prompt:
    """Return the question of what a text asserts in terms.

    `vocabulary` names where the terms are from: an answer is known by it and by the text.
    """
    listed = "\n".join(
        ["Classes:", *(one.line for one in classes), "", "Properties:"]
        if classes
        else ["Properties:"]
    )
    listed += "\n" + "\n".join(one.line for one in properties)
    instructions = f"{_INSTRUCTIONS}\n\nThe list of terms.\n{listed}"
    about = (text, vocabulary)
    return Prompt("assertions", instructions, (("text", text),), SCHEMA, 8192, about=about)


def facts_of(
    answer: Mapping[str, Any], text: str, classes: Sequence[Listed], properties: Sequence[Listed]
) -> Facts:
    """Return what an answer says of a text, of what stands in it and in terms that were listed."""
    dropped: Counter[str] = Counter()
    kinds = {one.name.casefold(): one.iri for one in classes}
    known = {one.name.casefold(): one for one in properties}
    things: dict[str, Thing] = {}
    dropped[TOO_MANY] += max(0, len(answer["things"]) - _MOST_THINGS)
    for row in answer["things"][:_MOST_THINGS]:
        called = [places(one, text) for one in row["words"][:_MOST_WORDS]]
        found = tuple(dict.fromkeys(place for own in called for place in own or ()))
        if found and row["id"] not in things:
            of = kinds.get(row["class"].strip().casefold(), "")
            things[row["id"]] = Thing(row["id"], of, found)
    dropped[TOO_MANY] += max(0, len(answer["facts"]) - _MOST_FACTS)
    facts = []
    for row in answer["facts"][:_MOST_FACTS]:
        one = _fact(row, text, things, known)
        if isinstance(one, Fact):
            facts.append(one)
        else:
            dropped[one] += 1
    left = tuple(place for one in answer["left"] for place in places(one, text) or ())
    told = {why: n for why, n in dropped.items() if n}
    return Facts(things, tuple(facts), left, len(answer["facts"]), told)


def _fact(
    row: Mapping[str, Any], text: str, things: Mapping[str, Thing], known: Mapping[str, Listed]
) -> Fact | str:
    """Return a fact of an answer, or why it is dropped."""
    term = known.get(row["property"].strip().casefold())
    if term is None:
        return NO_TERM
    inside = places(row["words"], text)
    if not inside:
        return NO_WORDS
    place = min(one[0] for one in inside), max(one[1] for one in inside)
    if row["subject"] not in things:
        return NO_THING
    value = None
    if row["object"] not in things:
        found = places(row["object"], text, place)
        if not found:
            return NO_THING
        value = found[0][0], found[-1][1]
    said, when = (places(row[name], text, place) for name in ("said", "when"))
    if said is None or when is None:
        return NO_WORDS
    subject = things[row["subject"]]
    before = any(start < place[0] for start, _ in subject.places)  # a paper names its parties so
    if not (before or _is_named(subject, place, text)):
        return UNNAMED
    if value is None and not _is_named(things[row["object"]], place, text):
        return UNNAMED
    denied, sure = bool(row["not"]), row["sure"]
    return Fact(place, row["subject"], term.iri, row["object"], value, said, when, denied, sure)


def _is_named(thing: Thing, place: Place, text: str) -> bool:
    """Return whether words name a thing, or have a pronoun that may stand for it."""
    called = {text[start:end].casefold() for start, end in thing.places}
    said = text[place[0] : place[1]]
    low = said.casefold()
    return any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", low) for one in called) or bool(
        _LEANING.search(said)
    )


def places(words: str, text: str, near: Place | None = None) -> tuple[Place, ...] | None:
    """Return where the pieces of some words stand, none for no words, None where one does not."""
    pieces = [one.strip() for one in _PIECES.split(words) if re.search(r"\w", one)]
    found = []
    for piece in pieces:
        place = find_words(piece, text, *near) if near else None
        place = place or find_words(piece, text, 0, len(text))
        if place is None:
            return None
        found.append(place)
    return tuple(found)
