"""A graph of one's own, asked by texts: its labels are enough, no lexicon is written for it."""

from __future__ import annotations

import pytest

from groundrules import Config, Report, check
from groundrules.kb.connect import connect
from tests.kb.test_connect import NOW

GRAPH = """\
@prefix : <http://ex/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:placeOfBirth a owl:FunctionalProperty ; rdfs:label "place of birth"@en .
:dateOfBirth a owl:FunctionalProperty ; rdfs:label "date of birth"@en .
:height a owl:FunctionalProperty ; rdfs:label "height"@en .
:award rdfs:label "award"@en . :trade a owl:FunctionalProperty ; rdfs:label "occupation"@en .
:drives rdfs:label "drives the shuttle of"@en .
:Curie rdfs:label "Marie Curie"@en ; :placeOfBirth :Warsaw ; :trade :physicist ;
  :dateOfBirth "1867-11-07"^^xsd:date ; :award :Physics , :Chemistry .
:Physics rdfs:label "Nobel Prize in Physics"@en .
:Chemistry rdfs:label "Nobel Prize in Chemistry"@en .
:Fields rdfs:label "Fields Medal"@en . :Warsaw rdfs:label "Warsaw"@en .
:physicist rdfs:label "physicist"@en . :chemist rdfs:label "chemist"@en .
:She rdfs:label "She"@en ; :placeOfBirth :Warsaw .
:Tower rdfs:label "Eiffel Tower"@en ; :height 330 .
:Route rdfs:label "route 14 north"@en . :Unit rdfs:label "unit QX-7"@en ; :drives :Route .
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("own") / "graph.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    return str(file)


def asked(graph: str, text: str) -> Report:
    return check(text, config=Config(kb=(graph,)))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Marie Curie was born in Warsaw in 1867.", "supported"),
        ("Marie Curie was born in Warsaw in 1877.", "refuted"),
        ("Marie Curie was born in Warsaw on November 7, 1867.", "supported"),
        ("Marie Curie won the Nobel Prize in Physics and the Nobel Prize in Chemistry.",
         "supported"),
        ("Marie Curie won the Nobel Prize in Physics and the Fields Medal.", "not_enough_info"),
        ("Marie Curie was a physicist.", "supported"),
        # that she was another thing too is not excluded by what her occupation was
        ("Marie Curie was a chemist.", "unverifiable"),
        ("The Eiffel Tower is 330 metres high.", "supported"),
        # in which unit the graph has its 330 is not known
        ("The Eiffel Tower is 250 metres high.", "not_enough_info"),
        ("Unit QX-7 drives the shuttle of route 14 north.", "supported"),
        ("She was born in Warsaw.", "unverifiable"),
    ],
)  # fmt: skip
def test_a_sentence_is_judged_by_labels_alone(graph: str, text: str, outcome: str) -> None:
    (statement,) = asked(graph, text).statements
    assert statement.outcome.value == outcome


def test_a_list_of_names_gives_a_claim_of_each(graph: str) -> None:
    report = asked(
        graph, "Marie Curie won the Nobel Prize in Physics and the Nobel Prize in Chemistry."
    )
    named = {report.labels[one.triple.object] for one in report.claims}
    assert {"Nobel Prize in Physics", "Nobel Prize in Chemistry"} <= named
    assert [one.outcome.value for one in report.verdicts] == ["supported"] * 2


def test_names_are_found_in_a_text_without_an_index(graph: str) -> None:
    connection = connect(graph, now=NOW)
    text = "She says that unit QX-7 has an award for Marie Curie."
    found = [text[start:end] for start, end in connection.spot(text)]
    # no pronoun, whatever is so called, and no property
    assert found == ["unit QX-7", "Marie Curie"]
