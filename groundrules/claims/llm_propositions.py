"""Propositions as a language model reads them: a statement beside what its source says of the same.

One question has a statement and its passages. The answer has the clauses of the statement, each
beside the words of the source that speak of the same thing, part by part, and says of each pair of
parts how their words stand to each other. It is no judgement: `align/readings.py` draws the
conclusions. A part counts with words that stand in the texts; what has none is dropped and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from groundrules.claims.copied import Place, find_all
from groundrules.claims.english.logic import CALLED, FORCES
from groundrules.llm.prompt import Prompt

#: How the words of a source stand to those of a statement.
Relation = Literal["same", "narrower", "wider", "opposed", "other", "none"]
#: How a figure is got from others.
Operation = Literal[
    "sum", "difference", "product", "share", "count", "within", "outside", "more", "less", "equal"
]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
#: Clauses of a statement and parts of a clause, at most.
_MOST_CLAUSES, _MOST_PARTS = 24, 40

INSTRUCTIONS = """\
You read for a program that compares a statement with passages of its source. You do not judge \
whether the statement is true: you say what each of the two says, in its own words, and how the \
words of one stand to those of the other. The program draws the conclusions. Use the texts alone, \
nothing that you know of the world besides what words mean.

Take the statement apart into its clauses. Each event, state or property that it asserts is one: \
"Ann bought a house and sold her car" has two, "the red, heavy box is hers" has one. A condition \
("if", "unless", "when") is a part of the clause that it binds, and so is a relative clause \
without which one would not know which thing is meant; one that tells more (", which was …") is a \
clause of its own. What somebody says, plans or believes is a clause with the part "says who".
For each clause look in the passages for what they say of the same event, state or property of \
the same thing, whether they agree with the statement or not, and put the two side by side: \
another number, name, date or place is put beside the statement's, and so is what says the same \
from its other end ("closes at six" beside "is open until six", "sold to" beside "bought from"). \
Where passages say it of several times or cases, take those of the statement; where two say it, \
give the clause twice.

For each clause give:
`statement`: the clause as the statement has it. `words`: its words, copied. `not`: true if it is \
denied in whatever way: "is not", "never", "no dog may", "nobody", "neither", "no longer", \
"fails to", "without paying". `force`: "fact"; "may" for what is allowed or possible to do; \
"must" for a duty ("must", "shall", "has to", "is required to"); "should" for advice; "will" for \
what is to come or planned; "would"; "might" for what is only possible or probable; "do" for an \
order ("Leave bags here"). A ban ("must not", "may not", "is forbidden") is `not` with "may"; \
"need not" is `not` with "must".
`source`: the same for what the passages say of it; `words` are copied from one passage: the whole \
sentence, item or row that says it, with every condition, exception and limit in it. `words` is "" \
where the passages say nothing of it.
`parts`: one row for each part that the clause has in the statement, in the source, or in both:
- `role`: what it is to the clause. "does" is the verb with its helpers, and with the adjective or \
noun of "is": "may be kept", "is open", "is the mayor". "who" is the doer, also in the passive; \
"what" is what it is done to. "if" has what the clause depends on; "only if", "unless" and \
"except" likewise. "how sure" has "probably", "reportedly". Give a part of the source the role \
that the part of the statement has which it stands beside: of "the shop sold her a lamp" beside \
"she bought a lamp from the shop" it is "she" that does.
- `statement`: its words, copied from the statement with their article, number and quantifier \
("at least ten of the members", "every", "only"), and with what tells which is meant ("the lift in \
the east wing"); "" if the statement has no such part.
- `source`: its words, copied from the passages likewise; "" if the source has no such part. Where \
the source says "it", "they", "the former" or leaves a part out because it stands elsewhere in the \
passages, in a heading, a lead-in or the sentence before, copy the words meant from there. \
Where the verb is only meant, as in the cells of a table, `source` of "does" is "" with the \
relation "same", and `words` has the row, the item, or the heading and what stands under it.
- `relation`: what the words in `source` mean here, beside those in `statement`. Leave numbers, \
amounts, dates, names, "not", and words like "every", "some", "most", "only", "at least" out of \
account: the program compares these itself.
  "same": they mean the same here ("free of charge" and "at no cost", "is sold by the shop" and \
"the shop sells", "the physician" and "the doctor", "a week" and "seven days").
  "narrower": the source says it more narrowly: a kind, a part or an instance of what the \
statement says, or with a detail more ("a poodle" beside "a dog", "old bridges" beside "bridges", \
"shouted" beside "said"). One and the same thing, named more or less fully, is "same".
  "wider": the other way round ("a dog" beside "a poodle").
  "opposed": both cannot be so of one thing at one time ("is closed" beside "is open", "rose" \
beside "fell", "by train" beside "on foot").
  "other": none of these; they are about different things, or can both be so.
  "none": one of the two is "" (but for a verb that is only meant).

Every word of the statement that means something stands in a part of some clause. Give every part \
of the source's clause too that the statement leaves out, with `statement` "": each condition, \
exception, "only", time, place, amount, source ("according to …") and doubt, also where another \
sentence says it ("This does not hold for …"). Copy character by \
character, never in words of your own; where the words of a part do not stand together, put " … " \
between the pieces. A thing joined by "and" or "or" is one part ("Ann and Bob").

Statement: "At most five of the judges may use the west door, and none needs a pass." Passages: \
"The west door may be used by up to three judges if the porter has been told. Of no judge is a \
pass required." Answer:
{"clauses": [{"statement": {"words": "At most five of the judges may use the west door", "not": \
false, "force": "may"}, "source": {"words": "The west door may be used by up to three judges if \
the porter has been told", "not": false, "force": "may"}, "parts": [
{"role": "does", "statement": "may use", "source": "may be used", "relation": "same"},
{"role": "who", "statement": "At most five of the judges", "source": "up to three judges", \
"relation": "same"},
{"role": "what", "statement": "the west door", "source": "The west door", "relation": "same"},
{"role": "if", "statement": "", "source": "if the porter has been told", "relation": "none"}]},
{"statement": {"words": "none needs a pass", "not": true, "force": "fact"}, "source": {"words": \
"Of no judge is a pass required", "not": true, "force": "fact"}, "parts": [
{"role": "does", "statement": "needs", "source": "is … required", "relation": "same"},
{"role": "who", "statement": "none", "source": "no judge", "relation": "same"},
{"role": "what", "statement": "a pass", "source": "a pass", "relation": "same"}]}]}\
"""

_TEXT = {"type": "string"}
_SIDE = {
    "type": "object",
    "properties": {"words": _TEXT, "not": {"type": "boolean"}, "force": {"enum": list(FORCES)}},
    "required": ["words", "not", "force"],
    "additionalProperties": False,
}
_PART = {
    "type": "object",
    "properties": {
        "role": {"enum": list(CALLED)},
        "statement": _TEXT,
        "source": _TEXT,
        "relation": {"enum": list(get_args(Relation))},
    },
    "required": ["role", "statement", "source", "relation"],
    "additionalProperties": False,
}
_CLAUSE = {
    "type": "object",
    "properties": {
        "statement": _SIDE,
        "source": _SIDE,
        "parts": {"type": "array", "items": _PART},
    },
    "required": ["statement", "source", "parts"],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "properties": {"clauses": {"type": "array", "items": _CLAUSE}},
    "required": ["clauses"],
    "additionalProperties": False,
}

#: Why something of an answer is dropped, as the notes say it.
NO_CLAUSE = "clauses whose words are not in the statement"
NO_SOURCE = "clauses whose words are not in the source"
NO_WORDS = "parts whose words are in neither text"
NO_PLACE = "parts whose words are not where they are said to stand"
TOO_MANY = f"beyond {_MOST_CLAUSES} clauses, or {_MOST_PARTS} parts of one"

_NUMBERED = re.compile(r"\[P\d+\]\s*")


@dataclass(frozen=True, slots=True)
class Side:
    """A clause as one of two texts has it: where, whether denied, and with which force.

    `places` are ranges in code points, none where the text does not say it.
    """

    places: tuple[Place, ...] = ()
    denied: bool = False
    force: str = "fact"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a clause: its role, its places in statement and source, and how these words relate.

    A text that has no such part has no place of it; a verb that is meant and not said, as in the
    cells of a table, relates as "same" all the same.
    """

    role: str
    said: tuple[Place, ...]
    known: tuple[Place, ...]
    relation: Relation


@dataclass(frozen=True, slots=True)
class Piece:
    """Words with a figure that are copied from a source, or from the statement."""

    place: Place
    in_source: bool


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What of a statement is to be got from figures that are copied, and by which operation."""

    said: tuple[Place, ...]
    by: Operation
    of: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a statement beside what the source says of the same."""

    statement: Side
    source: Side
    parts: tuple[Part, ...]
    reckoned: tuple[Reckoned, ...] = ()


@dataclass(frozen=True, slots=True)
class Propositions:
    """What a model has read of a statement and its source, and what of its answer was dropped.

    `dropped` maps each reason to how many of the rows of the answer, its clauses, parts and sums;
    `given` counts them all.
    """

    clauses: tuple[Clause, ...] = ()
    given: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)


def question_on(
    statement: str, passages: Sequence[str], sources: Sequence[str], before: Sequence[str] = ()
) -> Prompt:
    """Return the question of what a statement and its passages say.

    `before` are the statements that precede it, in order. The answer is known by the statement, by
    these and by the whole `sources`, whichever passages of them are shown.
    """
    shown = "\n".join(f"[P{n}] {_one_line(one)}" for n, one in enumerate(passages, 1))
    texts = [("passages", shown)]
    if before:
        texts.append(("what precedes the statement", "\n".join(map(_one_line, before))))
    texts.append(("statement", _one_line(statement)))
    about = (statement, *before, "", *sources)
    return Prompt("propositions", INSTRUCTIONS, tuple(texts), SCHEMA, about=about)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def propositions_of(answer: Mapping[str, Any], statement: str, source: str) -> Propositions:
    """Return what an answer says of a statement and a source, of what stands in them.

    A clause without words in the statement is dropped; so is one that names words of the source
    which are not there, and each part whose words are not where they should be.
    """
    dropped: Counter[str] = Counter()
    clauses = list(answer["clauses"])
    dropped[TOO_MANY] += max(0, len(clauses) - _MOST_CLAUSES)
    found = []
    for row in clauses[:_MOST_CLAUSES]:
        one = _clause(row, statement, source, dropped)
        if one is not None:
            found.append(one)
    given = sum(1 + len(row["parts"]) + len(row.get("reckoned", [])) for row in clauses)
    return Propositions(tuple(found), given, {why: n for why, n in dropped.items() if n})


def _clause(
    row: Mapping[str, Any], statement: str, source: str, dropped: Counter[str]
) -> Clause | None:
    said = _side(row["statement"], statement)
    known = _side(row["source"], source)
    if said is None or not said.places:
        dropped[NO_CLAUSE] += 1
        return None
    if known is None:
        dropped[NO_SOURCE] += 1
        return None
    dropped[TOO_MANY] += max(0, len(row["parts"]) - _MOST_PARTS)
    parts = []
    for part in row["parts"][:_MOST_PARTS]:
        inside = _places(part["statement"], statement)
        beside = _places(part["source"], source, known.places)
        if inside is None or beside is None:
            dropped[NO_PLACE] += 1
        elif not inside and not beside:
            dropped[NO_WORDS] += 1
        else:
            implied = part["role"] == "does" and part["relation"] == "same" and inside
            told = implied or (inside and beside)
            relation: Relation = part["relation"] if told else "none"
            parts.append(Part(part["role"], inside, beside, relation))
    sums = _reckoned(row.get("reckoned", []), parts, statement, source, dropped)
    return Clause(said, known, tuple(parts), tuple(sums))


def _reckoned(
    rows: Sequence[Mapping[str, Any]],
    parts: Sequence[Part],
    statement: str,
    source: str,
    dropped: Counter[str],
) -> Iterator[Reckoned]:
    """Yield what an answer says is to be reckoned in a clause, of words that stand in the texts.

    The figures are looked for in the counterpart of the part that has the words first, and each in
    a place of its own: what stands once is not counted twice.
    """
    dropped[TOO_MANY] += max(0, len(rows) - _MOST_PARTS)
    for one in rows[:_MOST_PARTS]:
        said = _places(one["words"], statement) or ()
        near = [
            place
            for part in parts
            if any(a < d and c < b for a, b in part.said for c, d in said)
            for place in part.known
        ]
        rows_of = one["of"][:_MOST_PARTS]
        found: list[Piece] = []
        for words in rows_of:
            piece = _piece(words, statement, source, near, found)
            if piece is None:
                break
            found.append(piece)
        if not said or not found or len(found) < len(rows_of):
            dropped[NO_PLACE] += 1
        else:
            yield Reckoned(said, one["by"], tuple(found))


def _piece(
    words: str, statement: str, source: str, near: Sequence[Place], taken: Sequence[Piece]
) -> Piece | None:
    """Return where words with a figure stand, in the source if they do, behind those `taken`."""
    for text, own, in_source in ((source, near, True), (statement, (), False)):
        places = _places(words, text, own)
        if not places:
            continue
        start, end = places[0][0], places[-1][1]
        while met := [
            one.place[1]
            for one in taken
            if one.in_source == in_source and one.place[0] < end and start < one.place[1]
        ]:
            behind = max(met)
            places = _places(words, text[behind:])
            if not places:
                return None
            start, end = behind + places[0][0], behind + places[-1][1]
        return Piece((start, end), in_source)
    return None


def _side(row: Mapping[str, Any], text: str) -> Side | None:
    places = _places(row["words"], text)
    return None if places is None else Side(places, bool(row["not"]), str(row["force"]))


def _places(words: str, text: str, near: Sequence[Place] = ()) -> tuple[Place, ...] | None:
    """Return where the pieces of some words stand, none for no words, None where one does not.

    They are looked for in the `near` places first.
    """
    around = [(min(one[0] for one in near), max(one[1] for one in near))] if near else []
    return find_all(_NUMBERED.sub("", words), text, [*around, (0, len(text))])
