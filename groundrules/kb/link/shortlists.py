"""The properties of a knowledge base that a language model chooses among."""

from __future__ import annotations

from collections.abc import Sequence

from groundrules.kb.link.properties import Relations
from groundrules.kb.sources.source import Property

#: Properties that every question on a base shows, at most, and for each sentence of a larger base
#: those that are near it besides.
_MOST, _NEAR = 160, 6
#: Kinds of values that a text gives.
_SAID = ("item", "time", "quantity", "text")


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
