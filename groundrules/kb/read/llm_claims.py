"""Sentences as a language model reads them in the terms of a knowledge base.

One question has a handful of sentences and the properties of the base. The answer has the claims of
each sentence: which thing has which property with which value, when, how far, and whether that is
denied, each in words copied from the sentence. It is no judgement: the model is shown nothing of
what the base states. `kb/read/llm_slots.py` says what counts of it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundrules.claims.llm_ends import one_line
from groundrules.kb.link.properties import Relations, local_name
from groundrules.kb.sources.source import Property
from groundrules.llm.prompt import Prompt

_INSTRUCTIONS: str = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))[
    "instructions"
]

#: The form of an answer.
SCHEMA: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

#: What the value of a property is called, by its kind.
_VALUES = {"item": "a thing", "time": "a date", "quantity": "an amount", "text": "a text"}
#: Properties that every question on a base shows, at most, and for each sentence of a larger base
#: those that are near it besides.
_MOST, _NEAR = 160, 6
#: Kinds of values that a text gives.
_SAID = ("item", "time", "quantity", "text")
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
