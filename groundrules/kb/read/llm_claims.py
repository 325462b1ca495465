"""Sentences as a language model reads them in the terms of a knowledge base.

One question has a handful of sentences and the properties of the base. The answer has the claims of
each sentence: which thing has which property with which value, when, how far, and whether that is
denied, each in words copied from the sentence. It is no judgement: the model is shown nothing of
what the base states. `kb/read/llm_slots.py` says what counts of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groundrules.kb.link.properties import local_name
from groundrules.kb.source import Property
from groundrules.llm.prompt import Prompt

__all__ = ["SCHEMA", "Item", "question_on", "shown_property"]

_INSTRUCTIONS = """\
You read for a program that puts sentences to a knowledge base. You do not judge whether they are \
true: you say what each sentence claims, in its own words, by the properties in the list. The \
program looks up what the knowledge base has, and draws the conclusions. Use the sentences alone, \
nothing that you know of the world besides what words mean.

A property says "the PROPERTY of THING is VALUE". The list has for each one its name, whether its \
value is a thing, a date, an amount or a text, and other names that it has. Of each sentence give \
the claims, one for each fact that it states: "Ann, a nurse from Ulm, wrote two plays and a novel" \
has several. Two values joined by "and" are two claims, and so are two things that something is \
told of ("Neither A nor B was …" too). A place and a date of one event are two claims where there \
is a property for each (a place of birth and a date of birth). What something is ("is a city", \
"the painter Ann", "former mayor Ann") is a claim too.
For each claim give:
`said`: the words that say the property, copied, with their verb, also where it stands apart: "was \
born in", "is the mouth of", "divorced", "The … of … is". No names, no values, no dates, no "not". \
"" where nothing but a comma or a bracket says it.
`readings`: each way to say the claim by a property of the list, the best first. `thing` is whom \
or what the property is told of, `property` the name in the list, word for word, `value` its \
value; thing and value are copied: the whole name with its title or unit, without an article; a \
pronoun stays as it is ("he"), and so does a description ("Ann's husband", "the author of Emil"). \
A word for a people ("German") is copied as the value where its country is meant. Mind which is \
which: of "Ulm is the capital of Borduria" the thing is "Borduria" and the value "Ulm". An office \
has often two readings: "X was Mayor of Y" is the position held of X, "Mayor of Y", and the head \
of government of Y, X. Give a reading only where it says the same, neither more nor less than the \
words do ("lived in" is no place of birth); where no property of the list does, `readings` is [].
`as`: "fact" for a plain statement that something is so or not so; else "question", "order", "if" \
(it depends on a condition, or is supposed), "may" (it is possible, probable, planned, expected, \
alleged, doubted), "told" (somebody says or believes it), "quoted", "fiction".
`denied`: the words that deny it, copied: "not", "never", "no", "neither", "nobody", "it is false \
that"; "" where it is not denied. A verb that means another thing ("declined", "lost") is no \
denial.
`tense`: "now" where it says that it is so today ("is", "has been … since", "still", "no longer" \
as a denial of that), "then" for what was so or happened ("was", "was born", "former", "won", \
"founded").
`bound`: of a value: "exactly"; "about" ("around", "some", "nearly"); "more" ("more than", "over", \
of a date "after"); "less" ("under", of a date "before"); "at least" ("or more", "not before"); \
"at most" ("up to", "not after", "by"). `limit`: its words, copied; "" with "exactly".
`times`: when the thing has that value, a row for each time: `words` copied with their preposition \
("from 1990 to 1995", "in 1990", "again in 1995"), without what is no time in them ("until … in \
1995" of "until his death in 1995"); `is` "in" (on some day or in the course of it), "throughout" \
(all of it), "since" (it began then), "until" (it ended then), "before", "after", "by", "from-to" \
(it began at the one and ended at the other), "between" (some time within), "for" (it lasted so \
long: "for ten years"); `of` "it", or where the time is that of its beginning or of its end alone \
("became", "joined", "married", "took office in"; "left", "resigned", "ceased to be", "ended in") \
"start" or "end". Of "ceased to be" without a time give one row with `words` "" and `of` "end". A \
date that is itself the value (a date of birth) is no time.
`event`: where an event dates it ("before he became mayor", "when she died", "succeeded Bob as"), \
one row: `is` "when", "before", "after", or "soon after" ("succeeded"); `words` of the event, \
copied ("before he became"); `years` the number of years between, copied; `of` as in `times`, what \
of the event is meant; `thing`, `property`, `value` of the event, the value "" where the property \
has a date ("when she died": date of death of "she").
`than`: where the value is set beside that of another thing ("older than", "longer than", "in the \
same year as", "outlived"), one row: `words` copied, `is` "less" (for dates: earlier), "more" \
(later) or "same year", `thing` the other one, `property` what of it, `by` the words for how much. \
The `value` of the reading is "" then: of "Ann is older than Bob" the thing is "Ann", the property \
her date of birth, than: "older than", "less", "Bob", the same property. What is so many times as \
much, or as much ("twice as long as"), has no property: its words are left.
`age`: the years, copied, of "died at the age of 66"; the property is then the date of the death, \
the `value` "". Else "".
`count`: where it says how many values there are ("has three children", "no children", "nobody"), \
or how often it was so ("won it twice"), one row: `words` copied, `of` "values" (the reading's \
`value` is "" then) or "times".

`left`: of each sentence the words, copied, that none of this says and that add something: how, \
why, with what, "first", "only", "alone", "youngest", "secretly", "together", "famous", \
"disputed", "early" before a year, another name, a fact for which there is no property. Never hide \
such words in `said`, in a time or in a value. Every word of the sentence that means something \
stands in a part of some claim, or in `left`.

Copy character by character, never in words of your own; where the words of a part do not stand \
together, put " … " between the pieces. A part that is not there is "" or []. Give every sentence \
of the question, by its number. What precedes a sentence is there only to tell what it is about.

Sentence: "[S1] Dr Ann Brandt, the youngest mayor of Ulm from 1990 to 1995, never had more than \
two children and died on 3 May 2001 in Bad Muskau." Answer:
{"sentences": [{"number": 1, "left": ["youngest"], "claims": [
{"said": "the … mayor of", "readings": [{"thing": "Dr Ann Brandt", "property": "position held", \
"value": "mayor of Ulm"}, {"thing": "Ulm", "property": "head of government", "value": "Dr Ann \
Brandt"}], "as": "fact", "denied": "", "tense": "then", "bound": "exactly", "limit": "", "times": \
[{"words": "from 1990 to 1995", "is": "from-to", "of": "it"}], "event": [], "than": [], "age": "", \
"count": []},
{"said": "had … children", "readings": [{"thing": "Dr Ann Brandt", "property": "child", "value": \
""}], "as": "fact", "denied": "never", "tense": "then", "bound": "more", "limit": "more than", \
"times": [], "event": [], "than": [], "age": "", "count": [{"words": "two", "of": "values"}]},
{"said": "died on", "readings": [{"thing": "Dr Ann Brandt", "property": "date of death", "value": \
"3 May 2001"}], "as": "fact", "denied": "", "tense": "then", "bound": "exactly", "limit": "", \
"times": [], "event": [], "than": [], "age": "", "count": []},
{"said": "died … in", "readings": [{"thing": "Dr Ann Brandt", "property": "place of death", \
"value": "Bad Muskau"}], "as": "fact", "denied": "", "tense": "then", "bound": "exactly", "limit": \
"", "times": [], "event": [], "than": [], "age": "", "count": []}]}]}\
"""

_TEXT: dict[str, Any] = {"type": "string"}


def _one_of(*words: str) -> dict[str, Any]:
    return {"enum": [*words]}


def _object(**fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": [*fields],
        "additionalProperties": False,
    }


def _rows(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


_OF = _one_of("it", "start", "end")
_CLAIM = _object(
    said=_TEXT,
    readings=_rows(_object(thing=_TEXT, property=_TEXT, value=_TEXT)),
    **{"as": _one_of("fact", "question", "order", "if", "may", "told", "quoted", "fiction")},
    denied=_TEXT,
    tense=_one_of("now", "then"),
    bound=_one_of("exactly", "about", "more", "less", "at least", "at most"),
    limit=_TEXT,
    times=_rows(
        _object(
            words=_TEXT,
            **{
                "is": _one_of(
                    "in", "throughout", "since", "until", "before", "after", "by", "from-to",
                    "between", "for",
                )
            },
            of=_OF,
        )
    ),
    event=_rows(
        _object(
            **{"is": _one_of("when", "before", "after", "soon after")},
            words=_TEXT,
            years=_TEXT,
            of=_OF,
            thing=_TEXT,
            property=_TEXT,
            value=_TEXT,
        )
    ),
    than=_rows(
        _object(
            words=_TEXT,
            **{"is": _one_of("less", "more", "same year")},
            thing=_TEXT,
            property=_TEXT,
            by=_TEXT,
        )
    ),
    age=_TEXT,
    count=_rows(_object(words=_TEXT, of=_one_of("values", "times"))),
)  # fmt: skip
SCHEMA: dict[str, Any] = _object(
    sentences=_rows(_object(number={"type": "integer"}, left=_rows(_TEXT), claims=_rows(_CLAIM)))
)

#: What the value of a property is called, by its kind.
_VALUES = {"item": "a thing", "time": "a date", "quantity": "an amount", "text": "a text"}
#: Other names of a property that are shown.
_NAMES = 6


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence that is asked about, and what precedes it."""

    text: str
    before: str = ""


def question_on(
    items: Sequence[Item], properties: Sequence[Property], further: Sequence[Property] = ()
) -> Prompt:
    """Return the question of what some sentences claim, by the properties of a knowledge base.

    `properties` are those that every question on the base shows, `further` those that are near in
    wording to these sentences. The answer is known by the sentences alone.
    """
    texts = [("properties", "\n".join(map(shown_property, properties)))]
    if further:
        texts.append(("further properties", "\n".join(map(shown_property, further))))
    lines = []
    for number, item in enumerate(items, 1):
        lines.append(f"[S{number}] {_one_line(item.text)}")
        if item.before:
            lines.append(f"    what precedes S{number}: {_one_line(item.before)}")
    texts.append(("sentences", "\n".join(lines)))
    about = tuple(part for item in items for part in (item.text, item.before))
    return Prompt("claims", _INSTRUCTIONS, tuple(texts), SCHEMA, about=about)


def shown_property(one: Property) -> str:
    """Return the line of a property in a question: its name, what its value is, other names."""
    name = one.label or local_name(one.iri)
    also = [alias for alias in dict.fromkeys(one.aliases) if alias != name][:_NAMES]
    tail = f"; also: {', '.join(map(_one_line, also))}" if also else ""
    return f"- {_one_line(name)} ({_VALUES.get(one.kind, 'a thing')}{tail})"


def _one_line(text: str) -> str:
    return " ".join(text.split())
