"""The properties of a knowledge base, as a language model is told of them."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.llm_assertions import Listed
from groundrules.kb.link.properties import lexicon, local_name, words
from groundrules.kb.source import Property

#: What a property goes to, by the kind of its values; no text states those of other kinds.
_ENDS = {"item": "thing", "time": "date", "quantity": "amount", "text": "words"}
#: Other names that are shown, and properties of which all are listed.
_NAMES, _ALL = 4, 150


def listed(properties: Iterable[Property], text: str) -> tuple[Listed, ...]:
    """Return the properties of a knowledge base that a text may state, each in one line, by name.

    Of a base with many these are those that the relation lexicon words, and those that the text
    calls by one of their names.
    """
    stated = [one for one in properties if one.kind in _ENDS]
    if len(stated) > _ALL:
        worded = {pattern.property for pattern in lexicon()}
        said = f" {' '.join(words(text))} "
        stated = [one for one in stated if one.iri in worded or _is_called(one, said)]
    return tuple(sorted(map(_listed, stated), key=lambda one: (one.name, one.iri)))


def _is_called(one: Property, said: str) -> bool:
    names = (" ".join(words(name)) for name in (one.label, *one.aliases))
    return any(f" {name} " in said for name in names if len(name) > 3)


def _listed(one: Property) -> Listed:
    also = f"also {', '.join(one.aliases[:_NAMES])}" if one.aliases else ""
    return Listed(str(one.iri), one.label or local_name(one.iri), also, "thing", _ENDS[one.kind])
