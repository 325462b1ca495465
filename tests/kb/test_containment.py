"""What lies in what: a value that leads to the one claimed never refutes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules import Config, check

HEAD = """\
@prefix : <http://ex/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
@prefix sdo: <https://schema.org/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
:at a owl:FunctionalProperty ; rdfs:label "place of birth"@en .
:Ola rdfs:label "Ola Berg"@en ; :at :Tromsund .
:Tromsund rdfs:label "Tromsund"@en . :Norland rdfs:label "Norland"@en .
:Sorland rdfs:label "Sorland"@en . :Fylke rdfs:label "Fylke"@en .
"""
CONTAINED = {
    "http": ":Tromsund schema:containedInPlace :Norland .",
    "https": ":Tromsund sdo:containedInPlace :Norland .",
    "back": ":Norland sdo:containsPlace :Tromsund .",
    "two steps": ":Tromsund dct:isPartOf :Fylke . :Fylke geo:sfWithin :Norland .",
    "concepts": ":Tromsund skos:broaderTransitive :Norland .",
    "Wikidata's": ":Tromsund wdt:P131 :Norland .",
    "its part": ":Norland dct:hasPart :Tromsund .",
    "below": ":lies rdfs:subPropertyOf schema:containedInPlace . :Tromsund :lies :Norland .",
    "equivalent": ":lies owl:equivalentProperty sdo:containedInPlace . :Tromsund :lies :Norland .",
    "equivalent the other way": (
        "sdo:containedInPlace owl:equivalentProperty :lies . :Tromsund :lies :Norland ."
    ),
    "inverse": ":holds owl:inverseOf dct:isPartOf . :Norland :holds :Tromsund .",
    "called so": ":p7 rdfs:label \"lies in\"@en . :Tromsund :p7 :Norland .",
    "by its name": ":Tromsund :isPartOf :Norland .",
}  # fmt: skip
TRANSITIVE = {
    "declared": ":under a owl:TransitiveProperty . :Tromsund :under :Norland .",
    "two steps": (
        ":under a owl:TransitiveProperty . :Tromsund :under :Fylke . :Fylke :under :Norland ."
    ),
    "back": ":over a owl:TransitiveProperty . :Norland :over :Tromsund .",
}


def outcome(folder: Path, more: str, text: str) -> str:
    file = folder / "graph.ttl"
    file.write_text(HEAD + more, encoding="utf-8")
    (one,) = check(text, config=Config(kb=(str(file),))).statements
    return one.outcome.value


@pytest.mark.parametrize("more", CONTAINED.values(), ids=CONTAINED)
def test_a_value_that_lies_in_the_one_claimed_carries_it(tmp_path: Path, more: str) -> None:
    assert outcome(tmp_path, more, "Ola Berg was born in Norland.") == "supported"
    assert outcome(tmp_path, more, "Ola Berg was not born in Norland.") == "refuted"
    assert outcome(tmp_path, more, "Ola Berg was born in Sorland.") == "refuted"


@pytest.mark.parametrize("more", TRANSITIVE.values(), ids=TRANSITIVE)
def test_a_value_that_a_transitive_property_joins_to_the_one_claimed_leaves_it_open(
    tmp_path: Path, more: str
) -> None:
    assert outcome(tmp_path, more, "Ola Berg was born in Norland.") == "unverifiable"
    assert outcome(tmp_path, more, "Ola Berg was not born in Norland.") == "unverifiable"
    assert outcome(tmp_path, more, "Ola Berg was born in Sorland.") == "refuted"


def test_nothing_leads_anywhere_where_the_graph_has_no_such_property(tmp_path: Path) -> None:
    assert outcome(tmp_path, "", "Ola Berg was born in Norland.") == "refuted"
