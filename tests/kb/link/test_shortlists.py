"""The properties that a model chooses among: all of a small base, of a large one those near."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rdflib.term import URIRef

from groundrules.kb.link.properties import WDT, Relations
from groundrules.kb.link.shortlists import further, vocabulary
from groundrules.kb.sources.source import Kind, Property


def named(count: int, kind: Kind = "item") -> dict[URIRef, Property]:
    iris = (URIRef(f"https://example.org/{n:03}") for n in range(count))
    return {iri: Property(iri, f"name {n}", (), kind) for n, iri in enumerate(iris)}


def vectors(texts: Sequence[str]) -> np.ndarray:
    return np.array([[float(text.count(sign)) for sign in "012345"] for text in texts])


def test_a_small_base_shows_all_that_a_text_can_give_a_value_of() -> None:
    properties = {**named(5), URIRef("x:id"): Property(URIRef("x:id"), "code", (), "identifier")}
    relations = Relations(properties, vectors)
    every = vocabulary(relations)
    assert [one.label for one in every] == [f"name {n}" for n in range(5)]
    assert further(relations, ["name 3"], every) == ()


def test_a_large_base_shows_what_the_lexicon_words_and_what_is_near() -> None:
    born = Property(WDT.P19, "place of birth", (), "item")
    relations = Relations({**named(200), WDT.P19: born}, vectors)
    assert vocabulary(relations) == (born,)
    near = [one.label for one in further(relations, ["333"], (born,))]
    assert near[0] == "name 33"
    assert len(near) == 6


def test_without_vectors_nothing_is_near() -> None:
    assert further(Relations(named(200)), ["name 33"], ()) == ()
