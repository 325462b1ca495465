"""Vocabularies of the size of those in use: what a check of one finds, and the work that it takes.

They are drawn by rule, the same each time.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules import Config, check
from groundrules.ontology.load import load
from groundrules.terms import Outcome
from tests.work import assert_linear

HEAD = """
@prefix : <https://large.example/> .
@prefix gr: <https://w3id.org/groundrules#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


def word(i: int) -> str:
    """Return a word of its own for each number below a thousand."""
    return "".join("ba ke lo mi nu ra so ti ve zu".split()[int(digit)] for digit in f"{i:03}")


def vocabulary(classes: int = 900, properties: int = 1400, members: int = 1000) -> str:
    """Return one in the manner of schema.org: of what its properties may be said is no axiom."""

    def some(i: int, most: int) -> str:
        return ", ".join(f":Kind{(i * 37 + n * 211) % classes}" for n in range(1 + i % most))

    out = [HEAD, ":opened gr:precedes :closed .  :Kind7 owl:disjointWith :Kind8 ."]
    out += [
        f':Kind{i} a rdfs:Class ; rdfs:label "{word(i)}" ; rdfs:comment "Of the sort {i}." '
        + (f"; rdfs:subClassOf :Kind{(i - 1) // 3} ." if i else ".")
        for i in range(classes)
    ]
    out += [
        f':trait{i} a rdf:Property ; rdfs:label "trait {i}" ; rdfs:comment "The trait {i}." ; '
        f":domainIncludes {some(i, 4)} ; :rangeIncludes {some(i + 1, 3)} ."
        for i in range(properties)
    ]
    out += [
        f':member{i} a :Kind{i % classes} ; rdfs:label "member {i}" ; rdfs:comment "It is {i}." ; '
        ":isPartOf <https://pending.large.example> ."
        for i in range(members)
    ]
    return "\n".join(out)


def cellar(classes: int = 150, traits: int = 12, members: int = 100) -> str:
    """Return one in the manner of the wine ontology: most classes lie under restrictions."""
    out = [HEAD, ":Wine a owl:Class . :Grape a owl:Class ; owl:disjointWith :Wine ."]
    out += [
        f":trait{i} a owl:ObjectProperty ; rdfs:domain :Wine ; rdfs:range :Value{i} . "
        f":Value{i} a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:oneOf (:v{i} :w{i}) ] . "
        f":v{i} a :Value{i} ; owl:differentFrom :w{i} ."
        for i in range(traits)
    ]
    for i in range(classes):
        one, two = i % traits, (i + 1) % traits
        limits = (
            "owl:onProperty :grape ; owl:someValuesFrom :Grape",
            f"owl:onProperty :trait{one} ; owl:maxCardinality 1",
            f"owl:onProperty :trait{two} ; owl:hasValue :v{two}",
            f"owl:onProperty :trait{one} ; owl:allValuesFrom [ owl:unionOf (:Value{one} :Grape) ]",
        )
        above = [f":Wine{(i - 1) // 4}" if i else ":Wine"]
        above += [f"[ a owl:Restriction ; {limit} ]" for limit in limits]
        label = f'rdfs:label "{word(i)}"'
        out.append(f":Wine{i} a owl:Class ; {label} ; rdfs:subClassOf {' , '.join(above)} .")
    leaves = " ".join(f":Wine{i}" for i in range(classes - 40, classes))
    out.append(f"[] a owl:AllDisjointClasses ; owl:members ({leaves}) .")
    out += [
        f':bottle{i} a :Wine{i % classes} ; rdfs:label "bottle {i}" ; :trait{i % traits} :v0 .'
        for i in range(members)
    ]
    return "\n".join(out)


@pytest.mark.parametrize(
    ("ontology", "text"),
    [
        (vocabulary(), f"Alder Hall is a {word(7)}. Alder Hall is a {word(8)}."),
        (cellar(), f"Alder Red is a {word(148)}. Alder Red is a {word(149)}."),
    ],
    ids=["vocabulary", "cellar"],
)
def test_a_large_ontology_is_checked_against(tmp_path: Path, ontology: str, text: str) -> None:
    path = tmp_path / "large.ttl"
    path.write_text(ontology, encoding="utf-8")
    report = check(text, config=Config(ontology=str(path)))
    assert {one.outcome for one in report.statements} <= {Outcome.REFUTED, Outcome.CONFLICTING}


def test_classes_under_one_restriction_take_work_in_proportion_to_their_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    one = "[ a owl:Restriction ; owl:onProperty :has ; owl:someValuesFrom :Grape ]"

    def close(size: int) -> None:
        path = tmp_path / f"{size}.ttl"
        path.write_text(HEAD + "".join(f":C{i} rdfs:subClassOf {one} ." for i in range(size)))
        load(path)

    assert_linear(close, 40)
