"""A statement asked about a second time, where the first reading of it leaves something open.

The question has the first one, its answer, and what could not be told from it. The answer is a
reading of the whole statement again. Besides, it says which figures of the passages a figure of
the statement is got from, and how; the sum is done by us (`align/operations.py`).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from groundrules.claims.copied import Place
from groundrules.claims.llm_propositions import (
    INSTRUCTIONS,
    OPERATIONS,
    SCHEMA,
    Propositions,
)
from groundrules.llm.prompt import Prompt, digest

_INSTRUCTIONS = """\


This is a second look at a statement. A first answer is given with its clauses and parts, and \
beside it what the program could not tell from it. A part may have been set beside the wrong \
words or beside nothing, a clause be cut so that its parts match nothing, a figure want \
reckoning; or it may be just as the texts have it: the passages say nothing of it, or say \
something else. Nothing here says whether the statement is true, and agreement is not looked for. \
Read both texts afresh and answer for the whole statement, all of its clauses; what was read well \
is given again as it was. That nothing is there is a good answer, and so is the first one \
unchanged.

What to look at:
- Where words of the statement together mean what words of the source together mean, though not \
one by one, make them one part: "makes a decision on … in spring" beside "decides … in spring" has \
"makes a decision on" beside "decides"; so "gives us leave to" beside "allows us to". Do so with \
words alone that stand for each other, never with a condition, a figure, a name, a time or a place \
that could be a part by itself. What narrows whom or what a text speaks of ("boats with a deck") \
stays with it in one part.
- A word of the statement that is meant in the source, because of the sentence before, a heading \
or who is spoken of there, stands beside the words that mean it there.
- Where the clause of the statement stands beside another sentence of the passages with more \
right, or beside two of which each says one part of it, take that, or copy from both.
- Where a sentence of the passages tells of several cases ("on foot if it is dry, and otherwise by \
bus"), `words` has the case of the statement alone, with its own condition; "otherwise" stands \
beside that condition if the statement spells it out.
- "not" and "force" are as the verb in `words` has them: in "nobody came" it is denied, in "came \
without a coat" it is not.

Each clause has a list more, `reckoned`: a row for each figure, amount, share, date, time, length \
of time or comparison in it that the passages do not have in such words, but that is to be got \
from figures copied from them. You do no sum: you say what would have to be reckoned, and \
the program sees whether it comes out. Give it also where you expect that it does not. [] where \
there is nothing of the kind.
`words`: the words of the statement that have the figure or the comparison, copied; they are, or \
lie in, one part, whose `source` has the words that the figures are taken from. That part is \
"same" if the words mean the same but for the figure.
`of`: pieces, copied from the passages, or from the statement where it sets a case ("on a bill of \
40 crowns"), each with one figure and its unit or noun. `by`: how `words` are got from them:
  "sum": all of them together: "21 guests" of ["9 guests", "12 guests"], or a time of a time and \
what passes until then: "at 9.30" of ["9.10", "20 minutes"].
  "difference": the first less the others, what is left of a whole, what lies between two times, \
by how much something rose or fell: "40 are blue" of ["100 beads", "60 of them"]. Of what is left \
of a whole "does" is "opposed", or denied in one text alone: "40 are blue" beside "60 are red".
  "product": "15 crowns" of ["half", "30 crowns"], of ["20 per cent", "75 crowns"], of ["twice", \
"7.50"].
  "share": the first as a share of the second: "a third" of ["4 boats", "12 boats"].
  "count": how many there are of what is listed, each item one piece with its own number, if it \
has one: "four" of ["a cook", "two maids", "the groom"].
  "within": a time, date, age, length or number that lies in what the source has: "at noon" of \
["9 a.m.", "5 p.m."], "a six-year-old" of ["under eight"], "after three days" of ["for a week"].
  "outside": one that does not lie in it: "at midnight" of ["9 a.m.", "5 p.m."], "six bags" \
of ["up to four"]. So too for what the source says "otherwise", "later" or "at all other times", \
and for an exception that the case of the statement is not in.
  "more", "less", "equal": the statement compares two things of which the source has figures; \
first that of the thing that is told of, then the other's: "is dearer than" is "more" of ["30 \
crowns", "25 crowns"], "earlier than" is "less".

Statement: "In May the hut is locked, and the two boats take 21 people together." \
Passages: "The hut is open from June to October and locked for the rest of the year. The Tern \
takes 9 passengers, the Gull 12." Answer:
{"clauses": [{"statement": {"words": "In May the hut is locked", "not": false, \
"force": "fact"}, "source": {"words": "The hut is open from June to October and locked for the \
rest of the year", "not": false, "force": "fact"}, "parts": [
{"role": "does", "statement": "is locked", "source": "is … locked", "relation": "same"},
{"role": "who", "statement": "the hut", "source": "The hut", "relation": "same"},
{"role": "when", "statement": "In May", "source": "for the rest of the year", \
"relation": "wider"}], "reckoned": [
{"words": "In May", "by": "outside", "of": ["June", "October"]}]},
{"statement": {"words": "the two boats take 21 people together", "not": false, "force": "fact"}, \
"source": {"words": "The Tern takes 9 passengers, the Gull 12", "not": false, "force": "fact"}, \
"parts": [
{"role": "does", "statement": "take", "source": "takes", "relation": "same"},
{"role": "who", "statement": "the two boats … together", "source": "The Tern … the Gull", \
"relation": "same"},
{"role": "what", "statement": "21 people", "source": "9 passengers … 12", "relation": "same"}], \
"reckoned": [{"words": "21 people", "by": "sum", "of": ["9 passengers", "12"]}]}]}\
"""


def _schema() -> dict[str, Any]:
    """Return the schema of a first answer with what is reckoned in each clause besides."""
    schema: dict[str, Any] = copy.deepcopy({**SCHEMA})
    row = {
        "type": "object",
        "properties": {
            "words": {"type": "string"},
            "by": {"enum": list(OPERATIONS)},
            "of": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["words", "by", "of"],
        "additionalProperties": False,
    }
    clause: Any = schema["properties"]["clauses"]["items"]
    clause["properties"]["reckoned"] = {"type": "array", "items": row}
    clause["required"] = [*clause["required"], "reckoned"]
    return schema


SCHEMA_AGAIN = _schema()


def question_again(
    first: Prompt,
    answer: Mapping[str, Any],
    read: Propositions,
    gaps: Sequence[str],
    texts: tuple[str, str],
) -> Prompt:
    """Return the second question on a statement, after the first, its answer and what it left open.

    `texts` are the statement and its source, of which `read` has places. The answer is known by
    the first question and by its answer.
    """
    shown = (
        *first.texts,
        ("the first answer", _in_short(read, *texts)),
        ("what could not be told from it", "\n".join(f"- {' '.join(gap.split())}" for gap in gaps)),
    )
    about = (*first.about, digest(answer))
    instructions = INSTRUCTIONS + _INSTRUCTIONS
    return Prompt("propositions again", instructions, shown, SCHEMA_AGAIN, about=about)


def _in_short(read: Propositions, statement: str, source: str) -> str:
    """Return a reading in lines: each clause with its words in both texts, then its parts."""

    def words(places: Sequence[Place], text: str) -> str:
        pieces = (" ".join(text[start:end].split()) for start, end in places)
        return f"“{' … '.join(pieces)}”" if places else "nothing"

    lines = []
    for number, one in enumerate(read.clauses, 1):
        for name, side, text in (
            (f"{number}. statement", one.statement, statement),
            ("source", one.source, source),
        ):
            told = f" ({'not, ' if side.denied else ''}{side.force})" if side.places else ""
            lines.append(f"{name}: {words(side.places, text)}{told}")
        lines += [
            f"  {p.role}: {words(p.said, statement)} beside {words(p.known, source)}: {p.relation}"
            for p in one.parts
        ]
    return "\n".join(lines) or "nothing that stands in the texts"
