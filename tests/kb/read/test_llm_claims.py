"""The properties that a model chooses among: all of a small base, of a large one those near."""

from __future__ import annotations

from rdflib.term import URIRef

from groundrules.kb.link.properties import WDT, Relations
from groundrules.kb.read.llm_claims import further, vocabulary
from groundrules.kb.sources.source import Kind, Property


def named(count: int, kind: Kind = "item") -> dict[URIRef, Property]:
    iris = (URIRef(f"https://example.org/{n:03}") for n in range(count))
    return {iri: Property(iri, f"name {n}", (), kind) for n, iri in enumerate(iris)}


def test_a_small_base_shows_all_that_a_text_can_give_a_value_of() -> None:
    properties = {**named(5), URIRef("x:id"): Property(URIRef("x:id"), "code", (), "identifier")}
    relations = Relations(properties)
    every = vocabulary(relations)
    assert [one.label for one in every] == [f"name {n}" for n in range(5)]
    assert further(relations, ["name 3"], every) == ()


def test_a_large_base_shows_what_the_lexicon_words_and_what_shares_the_rarer_words() -> None:
    born = Property(WDT.P19, "place of birth", (), "item")
    tide = Property(URIRef("x:t"), "named tide", (), "quantity")
    relations = Relations({**named(200), WDT.P19: born, tide.iri: tide})
    assert vocabulary(relations) == (born,)
    near = [one.label for one in further(relations, ["The tide of this name is high."], (born,))]
    assert near[0] == "named tide"
    assert len(near) == 6
    assert not further(relations, ["Nothing at all."], (born,))
