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

from groundrules.claims.models.llm_ends import one_line
from groundrules.kb.link.properties import local_name
from groundrules.kb.sources.source import Property
from groundrules.llm.prompt import Prompt

__all__ = ["SCHEMA", "Item", "question_on", "shown_property"]

_INSTRUCTIONS: str = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))[
    "instructions"
]

#: The form of an answer.
SCHEMA: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

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
