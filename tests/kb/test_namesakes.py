"""Things of one name: a verdict is that of all of them, whatever they are called by."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from groundrules import Config, check
from groundrules.cli.main import main

HEAD = """\
@prefix : <http://ex/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:born a owl:FunctionalProperty ; rdfs:label "date of birth"@en .
:at a owl:FunctionalProperty ; rdfs:label "place of birth"@en .
:award rdfs:label "award"@en .
"""
#: $1 and $2 are called the same; of $1 much more is stated.
THINGS = """
:$1 rdfs:label "Anna Lind"@en ; rdfs:comment "a painter"@en ; :born "1950"^^xsd:gYear ; :at :$3 ;
  :award :$5 , :$6 .
:$2 rdfs:label "Anna Lind"@en ; :born "1970"^^xsd:gYear ; :at :$4 ; :award :$6 .
:$3 rdfs:label "Oslo"@en . :$4 rdfs:label "Bergen"@en .
:$5 rdfs:label "Alder Prize"@en . :$6 rdfs:label "Birch Medal"@en .
:$7 rdfs:label "Ola Berg"@en ; :born "1930"^^xsd:gYear ; :at :$3 .
"""
IRIS = [("A1", "B2"), ("B2", "A1"), ("Q90000", "Q7"), ("Q7", "Q90000")]
CLAIMS = {
    "Anna Lind was born in 1950.": "unverifiable",
    "Anna Lind was born in 1970.": "unverifiable",
    "Anna Lind was not born in 1950.": "unverifiable",
    "Anna Lind was not born in 1970.": "unverifiable",
    "Anna Lind was born in Oslo.": "unverifiable",
    "Anna Lind was not born in Bergen.": "unverifiable",
    "Anna Lind won the Alder Prize.": "unverifiable",
    # of both
    "Anna Lind was born in 1960.": "refuted",
    "Anna Lind was not born in 1960.": "supported",
    "Anna Lind won the Birch Medal.": "supported",
    "Ola Berg was born in Oslo.": "supported",
    "Ola Berg was born in 1940.": "refuted",
    "Ola Berg was not born in 1940.": "supported",
}


def write(folder: Path, iris: tuple[str, ...]) -> str:
    text = THINGS
    for place, name in enumerate(iris, 1):
        text = text.replace(f"${place}", name)
    file = folder / "graph.ttl"
    file.write_text(HEAD + text, encoding="utf-8")
    return str(file)


def outcomes(graph: str) -> dict[str, str]:
    config = Config(kb=(graph,))
    return {
        text: "/".join({one.outcome.value for one in check(text, config=config).statements})
        for text in CLAIMS
    }


@pytest.mark.parametrize("iris", IRIS)
@pytest.mark.parametrize("rest", list(permutations(("C3", "D4"))))
def test_a_verdict_is_that_of_all_bearers_of_a_name_whatever_their_iris(
    tmp_path: Path, iris: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    assert outcomes(write(tmp_path, (*iris, *rest, "E5", "F6", "G7"))) == CLAIMS


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_source_that_is_dead_takes_no_support_from_another(tmp_path: Path) -> None:
    file = write(tmp_path, ("A1", "B2", "C3", "D4", "E5", "F6", "G7"))
    for text in ("Ola Berg was born in Oslo.", "Ola Berg was born in Oslo in 1930."):
        alone, beside = (
            check(text, config=Config(kb=kb)) for kb in ((file,), (file, "http://127.0.0.1:9/x"))
        )
        assert [one.outcome for one in alone.verdicts] == [one.outcome for one in beside.verdicts]
        assert not beside.complete


SHAPES = """\
@prefix sh: <http://www.w3.org/ns/shacl#> .
<https://example.org/house#BirthShape> a sh:NodeShape ; sh:targetSubjectsOf <http://ex/at> ;
  sh:property [ sh:path <http://ex/at> ; sh:in ( <http://ex/Bergen> ) ; sh:message "only Bergen" ] .
"""


def test_the_shapes_of_a_pack_run_where_a_knowledge_base_judges_alone(tmp_path: Path) -> None:
    pytest.importorskip("pyshacl")
    file = write(tmp_path, ("A1", "B2", "C3", "D4", "E5", "F6", "G7"))
    house = tmp_path / "house"
    house.mkdir()
    (house / "birth.shacl.ttl").write_text(SHAPES, encoding="utf-8")
    report = check(
        "Ola Berg was born in Oslo.", config=Config(kb=(file,), packs=("core", str(house)))
    )
    assert [one.rule for one in report.violations] == ["BirthShape"]


def test_a_file_and_the_store_built_of_it_come_to_the_same(tmp_path: Path) -> None:
    file = write(tmp_path, ("A1", "B2", "C3", "D4", "E5", "F6", "G7"))
    store = tmp_path / "store"
    assert main(["kb", "build", file, "-o", str(store)]) == 0
    assert outcomes(str(store)) == CLAIMS
