"""Sentences as a language model reads them in the terms of a knowledge base.

One question has a handful of sentences and the properties of the base. The answer has the claims of
each sentence: which thing has which property with which value, when, how far, and whether that is
denied, each in words copied from the sentence. It is no judgement: the model is shown nothing of
what the base states. `kb/read/llm_slots.py` says what counts of it.

Among the sentences stand controls, of which we know how they are to be read: made of names of the
text and properties of the base, whatever the base states of them, in the form of sentences. One
says plainly that something has a value; one says it with a denial, with words that add something,
or as what somebody believes. Whoever reads all alike, or obeys an order in the text, reads one of
them amiss.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from groundrules.claims.english.slot_words import NO_NOUN_BEGINS, NO_NOUN_ENDS
from groundrules.claims.models.llm_ends import one_line
from groundrules.kb.link.properties import Relations, local_name
from groundrules.kb.sources.source import Property
from groundrules.llm.prompt import Prompt

_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_INSTRUCTIONS: str = _TOLD["instructions"]
_FORMS: dict[str, Any] = _TOLD["controls"]

#: The form of an answer.
SCHEMA: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

#: What the value of a property is called, by its kind.
_VALUES = {"item": "a thing", "time": "a date", "quantity": "an amount", "text": "a text"}
#: Properties that every question on a base shows, at most, and for each sentence of a larger base
#: those that are near it besides.
_MOST, _NEAR = 160, 6
#: Kinds of values that a text gives.
_SAID = ("item", "time", "quantity", "text")
#: Names that fit into any form: no "Ann's".
_NAME = re.compile(r"(?!.*['’]s?$)[A-Z].*")
_ARTICLE = re.compile(r"(?i)^(?:the|an?)\s+")

#: How a control is to be read: as it stands, as denied, or as no plain statement of that alone.
Kind = Literal["plain", "denied", "more"]
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
        lines.append(f"[S{number}] {one_line(item.text)}")
        if item.before:
            lines.append(f"    what precedes S{number}: {one_line(item.before)}")
    texts.append(("sentences", "\n".join(lines)))
    about = tuple(part for item in items for part in (item.text, item.before))
    return Prompt("claims", _INSTRUCTIONS, tuple(texts), SCHEMA, about=about)


def shown_property(one: Property) -> str:
    """Return the line of a property in a question: its name, what its value is, other names."""
    name = one.label or local_name(one.iri)
    also = [alias for alias in dict.fromkeys(one.aliases) if alias != name][:_NAMES]
    tail = f"; also: {', '.join(map(one_line, also))}" if also else ""
    return f"- {one_line(name)} ({_VALUES.get(one.kind, 'a thing')}{tail})"


def vocabulary(relations: Relations) -> tuple[Property, ...]:
    """Return the properties that every question shows: all, or of a large base those worded best.

    Of a large base these are the ones that the lexicon has wordings for.
    """
    found = [one for _, one in sorted(relations.properties.items()) if one.kind in _SAID]
    if len(found) > _MOST:
        worded = relations.worded()
        found = [one for one in found if one.iri in worded]
    return tuple(found[:_MOST])


def further(
    relations: Relations, sentences: Sequence[str], vocabulary: Sequence[Property]
) -> tuple[Property, ...]:
    """Return the properties besides whose names are near to sentences, none of a small base.

    `vocabulary` are those that every question shows.
    """
    shown = {one.iri for one in vocabulary}
    known = relations.properties
    if all(one.iri in shown for one in known.values() if one.kind in _SAID):
        return ()
    found = (iri for one in sentences for iri in relations.nearest(one, _NEAR))
    near = (known[iri] for iri in dict.fromkeys(found))
    return tuple(one for one in near if one.kind in _SAID and one.iri not in shown)


# ---------------------------------------------------------------- controls


@dataclass(frozen=True, slots=True)
class Control:
    """A sentence with the thing, property and value that it has, and how it is to be read."""

    text: str
    kind: Kind
    thing: str
    property: str
    value: str


def controls_of(
    sentences: Sequence[str], names: Sequence[str], properties: Sequence[Property]
) -> tuple[Control, ...]:
    """Return the controls of a question, drawn by its sentences; none where there is no property.

    `names` are those in the sentences.
    """
    things = [one for one in properties if one.kind == "item"] or [*properties]
    labels = [one.label or local_name(one.iri) for one in things]
    labels = [one for one in labels if _is_noun(one)] or labels
    if not labels:
        return ()
    seed = [*sentences]
    known = [one for one in dict.fromkeys(names) if _NAME.fullmatch(one)]
    found = []
    for number in range(2):
        property_ = _drawn(labels, seed, f"property {number}")
        thing = _drawn(known or _FORMS["spare"], seed, f"thing {number}")
        others = [one for one in known if one not in thing and thing not in one]
        value = _drawn(
            others or [one for one in _FORMS["spare"] if one != thing], seed, f"value {number}"
        )
        kind: Kind = "plain"
        form = _drawn(_FORMS["plain"], seed, f"form {number}")
        if number:
            turned = _drawn(("denied", "added", "believed"), seed, "turned")
            kind = "denied" if turned == "denied" else "more"
            if turned == "added":
                form = f"{form[:-1]}, {_drawn(_FORMS['added'], seed, 'added')}."
            else:
                form = _drawn(
                    _FORMS["denied"] if turned == "denied" else _FORMS["believed"],
                    seed,
                    "turned form",
                )
        text = form.format(p=property_, a=thing, b=value)
        found.append(Control(f"{text[0].upper()}{text[1:]}", kind, thing, property_, value))
    return tuple(found)


def shuffled(count: int, seed: Sequence[str]) -> list[int]:
    """Return the numbers below a count in an order that the texts draw."""
    return sorted(range(count), key=lambda n: _key(seed, f"order {n}"))


def _is_noun(label: str) -> bool:
    """Return whether a label fits behind "the": "place of birth", not "born in" or "follows"."""
    first, *rest = label.split()
    participle = bool(rest) and first.endswith("ed") and rest[0] in NO_NOUN_ENDS
    last = rest[-1] if rest else first
    plain = label.replace(" ", "").replace("-", "").isalpha() and label.islower()
    ends = last in NO_NOUN_ENDS or last.endswith("s")
    return plain and not (participle or ends or first in NO_NOUN_BEGINS)


def _drawn(options: Sequence[str], seed: Sequence[str], what: str) -> str:
    return min(options, key=lambda one: _key(seed, f"{what} {one}"))


def _key(seed: Sequence[str], what: str) -> str:
    return hashlib.sha256(json.dumps([seed, what]).encode()).hexdigest()


def is_amiss(control: Control, row: Mapping[str, Any] | None) -> bool:
    """Return whether an answer on a control reads it otherwise than it is to be read."""
    if row is None:
        return True
    plain = {
        bool(claim["denied"].strip())
        for claim in row["claims"]
        for reading in claim["readings"]
        if claim["as"] == "fact"
        and not (claim["times"] or claim["event"] or claim["than"] or claim["count"])
        and _folded(reading["property"]) == _folded(control.property)
        and _folded(reading["thing"]) == _folded(control.thing)
        and _folded(reading["value"]) == _folded(control.value)
    }
    whole = not any(re.search(r"\w", left) for left in row["left"])
    if control.kind == "more":
        return whole and False in plain
    return not whole or plain != {control.kind == "denied"}


def _folded(name: str) -> str:
    return _ARTICLE.sub("", " ".join(name.split())).casefold()
