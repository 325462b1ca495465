"""Controls of readings: sentences of which we know how they are to be read.

They are made of names of the text and of properties of the base, whatever the base states of them,
and stand among the sentences in a form of theirs. One says plainly that something has a value; one
says it with a denial, with words that add something, or as what somebody believes. Whoever reads
all alike, or obeys an order in the text, reads one of them amiss.
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
from groundrules.kb.link.properties import local_name
from groundrules.kb.sources.source import Property

#: Names that fit into any form: no "Ann's".
_NAME = re.compile(r"(?!.*['’]s?$)[A-Z].*")
_ARTICLE = re.compile(r"(?i)^(?:the|an?)\s+")
_FORMS = tomllib.loads(Path(__file__).with_name("llm_claims.toml").read_text("utf-8"))["controls"]

#: How a control is to be read: as it stands, as denied, or as no plain statement of that alone.
Kind = Literal["plain", "denied", "more"]


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
