"""The cross-check by HermiT; one Java start takes seconds, so there are few."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from rdflib.namespace import OWL, RDF
from rdflib.term import Node, URIRef

from groundrules.cli.main import main
from groundrules.dataset import parse_turtle
from groundrules.ontology import hermit, reasoner
from groundrules.ontology.reasoner import CrossCheck, cross_check, find_hermit, find_java
from groundrules.terms import Triple

EX = "urn:test:"
needs_java = pytest.mark.skipif(
    find_java() is None or find_hermit() is None, reason="no Java or no owlready2"
)
#: Everything that HermiT refuses as it stands, in one consistent ontology.
AWKWARD = f"""\
@prefix : <{EX}> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:o> a owl:Ontology ; owl:imports <http://example.org/never-fetched> .
:Deed a owl:Class ; rdfs:label "deed" ; skos:definition "a paper" ; skos:closeMatch <urn:x> .
:Empty a owl:Class ; rdfs:subClassOf :Deed, :Person .
:Person a rdfs:Class ; owl:disjointWith :Deed .
:signedOn a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:range xsd:date .
:term a owl:DatatypeProperty ; rdfs:range xsd:duration .
:number a owl:DatatypeProperty, owl:InverseFunctionalProperty .
:note a owl:AnnotationProperty ; rdfs:domain :Deed .
:d1 a :Deed ; :signedOn "2020-01-05"^^xsd:date, "2020"^^xsd:gYear ; :term "P2Y"^^xsd:duration ;
    :number 1 ; :price "5 EUR"^^gr:money ; :by :ann ; :note :d2 .
:d2 a :Deed ; :signedOn "2020-02"^^xsd:gYearMonth .
:ann owl:sameAs :anne . :anne a :Person .
[] a :Deed ; :by :ann .
"""


def parsed(text: str) -> list[Triple]:
    return parse_turtle(text if text.startswith("@") else f"@prefix : <{EX}> . {text}")


@needs_java
def test_a_copy_of_what_hermit_refuses_is_decided() -> None:
    found = cross_check(parsed(AWKWARD))
    assert found == CrossCheck(True, (URIRef(EX + "Empty"),), unique_names=True)


@needs_java
def test_a_contradiction_is_inconsistent() -> None:
    assert cross_check(parsed(":d owl:disjointWith :e . :x a :d, :e .")).consistent is False


@needs_java
def test_unique_names_decide_what_owl_alone_leaves_open() -> None:
    data = parsed(":p a owl:ObjectProperty, owl:FunctionalProperty . :x :p :a, :b .")
    assert cross_check(data).consistent is False
    assert cross_check(data, unique_names=False).consistent is True


@needs_java
def test_what_is_outside_owl_dl_is_not_decided() -> None:
    data = parsed(
        ":p a owl:ObjectProperty, owl:TransitiveProperty, owl:AsymmetricProperty . :a :p :b ."
    )
    found = cross_check(data)
    assert found.consistent is None
    assert "Non-simple property" in found.reason
    assert "\n" not in found.reason


@needs_java
def test_a_time_too_short_decides_nothing_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = cross_check(parsed(":A a owl:Class ."), timeout=0.01)
    assert found.consistent is None
    assert "0.01 s" in found.reason
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("missing", ["find_java", "find_hermit"])
def test_without_java_or_owlready2_nothing_is_called_consistent(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasoner, missing, lambda: None)
    monkeypatch.setattr(reasoner, "find_java" if missing != "find_java" else "find_hermit",
                        lambda: "there")  # fmt: skip
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("run in spite of it"))
    found = cross_check([])
    assert found.consistent is None
    assert "pip install 'groundrules[reasoner]'" in found.reason


@needs_java
def test_owlready2_loads_the_ontology_into_a_world_and_reasons_over_its_classes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import owlready2

    worlds = []
    own = owlready2.sync_reasoner

    def seen(world: owlready2.World, **options: object) -> None:
        worlds.append(world)
        own(world, **options)

    monkeypatch.setattr(owlready2, "sync_reasoner", seen)
    monkeypatch.setattr(owlready2, "JAVA_EXE", owlready2.JAVA_EXE)
    path = tmp_path / "ontology.nt"
    stated = reasoner._copy(parsed(AWKWARD), unique_names=True)[0]
    path.write_text("".join(f"{reasoner._line(t)} .\n" for t in stated), "utf-8")

    found = hermit.reason(path, str(find_java()))

    assert found == {"consistent": True, "unsatisfiable": [EX + "Empty"]}
    (world,) = worlds
    assert {c.iri for c in world.classes()} >= {EX + "Deed", EX + "Empty", EX + "Person"}
    assert owlready2.Nothing in world[EX + "Empty"].equivalent_to
    assert not list(owlready2.default_world.classes())


def test_an_ontology_has_no_python_module_imported() -> None:
    """owlready2 would import what the ontology names."""
    own = "http://www.lesfleursdunormal.fr/static/_downloads/owlready_ontology.owl#"
    found = copied(f"<urn:o> a owl:Ontology ; <{own}python_module> 'antigravity' . :a :p :b .")
    assert not any(own in p for _, p in found)
    assert (EX + "a", EX + "p") in found


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no /proc")
def test_a_time_too_short_ends_the_java_that_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("owlready2")
    java, told = tmp_path / "java", tmp_path / "pid"
    java.write_text(f"#!/bin/sh\necho $$ > {told}.part; mv {told}.part {told}; exec sleep 600\n")
    java.chmod(0o755)
    monkeypatch.setattr(reasoner, "find_java", lambda: str(java))
    waited = subprocess.Popen.communicate

    def until_java_runs(
        process: subprocess.Popen[str], *_: object, timeout: object = None
    ) -> object:
        while timeout is not None and not told.exists() and process.poll() is None:
            time.sleep(0.05)
        return waited(process, timeout=None if timeout is None else 0.01)

    monkeypatch.setattr(subprocess.Popen, "communicate", until_java_runs)
    assert "did not end" in cross_check(parsed(":A a owl:Class .")).reason
    stat = Path("/proc", told.read_text().strip(), "stat")
    for _ in range(200):  # the kernel takes its time to bury it
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("still running")


def copied(text: str) -> dict[tuple[str, str], set[Node]]:
    out: dict[tuple[str, str], set[Node]] = {}
    for t in reasoner._copy(parsed(text), unique_names=True)[0]:
        out.setdefault((str(t.subject), str(t.predicate)), set()).add(t.object)
    return out


def test_names_are_declared_different_but_those_that_are_the_same() -> None:
    found = copied(":a owl:sameAs :b . :b owl:sameAs :c . :a :p :c . :d :p :b .")
    assert not any(p == str(OWL.distinctMembers) for _, p in found)
    found = copied(":a owl:sameAs :b . :a :p :c . :d :p :b .")
    listed = {o for (_, p), objects in found.items() if p == str(RDF.first) for o in objects}
    assert listed == {URIRef(EX + "c"), URIRef(EX + "d")}


class TestCommand:
    """`groundrules ontology check`."""

    @pytest.fixture
    def house(self, tmp_path: Path) -> Path:
        path = tmp_path / "house.ttl"
        path.write_text(
            f"""@prefix : <{EX}> . :owns a owl:ObjectProperty ; owl:propertyDisjointWith :rents ;
            rdfs:label "owns" . :rents a owl:ObjectProperty ; rdfs:label "rents" ."""
        )
        return path

    @pytest.fixture
    def bad(self, tmp_path: Path) -> Path:
        path = tmp_path / "data.ttl"
        path.write_text(
            f"@prefix : <{EX}> . @prefix owl: <{OWL}> . <> owl:imports <house.ttl> . "
            ":ann :owns :flat ; :rents :flat ."
        )
        return path

    @needs_java
    def test_hermit_and_our_rules_stand_side_by_side(
        self, house: Path, bad: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["ontology", "check", str(bad)]) == 1
        out = capsys.readouterr().out
        assert "HermiT: inconsistent" in out
        assert "the axioms alone are consistent" in out
        assert "our rules: 1 error" in out
        assert "OWL101 disjoint-properties" in out

    @needs_java
    def test_the_shipped_ontology_is_consistent(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["ontology", "check", "legal"]) == 0
        out = capsys.readouterr().out
        assert "HermiT: consistent" in out
        assert "our rules: nothing found" in out

    @needs_java
    def test_what_a_restriction_excludes_hermit_alone_finds(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "pizza.ttl"
        path.write_text(
            f"""@prefix : <{EX}> . @prefix owl: <{OWL}> . :topped a owl:ObjectProperty ;
            rdfs:domain :Pizza . :Pizza a owl:Class ; owl:disjointWith :IceCream .
            :IceCream a owl:Class ; rdfs:subClassOf [ a owl:Restriction ;
            owl:onProperty :topped ; owl:someValuesFrom owl:Thing ] ."""
        )
        assert main(["ontology", "check", str(path)]) == 1
        assert "nothing can be a :IceCream; HermiT says so" in capsys.readouterr().out

    def test_our_rules_alone(
        self, house: Path, bad: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for path, code in ((house, 0), (bad, 1)):
            assert main(["ontology", "check", str(path), "--reasoner", "none"]) == code
        assert "HermiT" not in capsys.readouterr().out

    def test_the_rules_of_the_house_run_too(
        self, house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        data = tmp_path / "sale.ttl"
        data.write_text(
            "@prefix lx: <https://w3id.org/groundrules/legal#> .\n"
            f"<> <{OWL.imports}> <{house.name}> .\n"
            "<urn:sale> lx:hasPrice <urn:sum> . <urn:sum> lx:amountValue -5.0 ."
        )
        arguments = ["ontology", "check", str(data), "--reasoner", "none"]
        assert main(arguments) == 0
        assert "our rules: nothing found" in capsys.readouterr().out

        (tmp_path / "own").mkdir()
        (tmp_path / "own" / "any-price.toml").write_text(
            'id = "HX001"\nname = "any-price"\nsummary = "A price"\nmessage = "{o} is a price"\n'
            'select = "SELECT ?claim ?o { ?claim rdf:predicate lx:hasPrice ; rdf:object ?o }"\n'
            '[prefixes]\nlx = "https://w3id.org/groundrules/legal#"\n'
        )
        settings = tmp_path / "groundrules.toml"
        settings.write_text(
            'packs = ["core", "values", "./own"]\n[rules.HX001]\nseverity = "warning"\n'
            "[rules.GR101]\nsure = 0.3\n"
        )
        arguments += ["--config", str(settings)]
        assert main(arguments) == 0
        assert "our rules: 1 warning\n  HX001 any-price" in capsys.readouterr().out

    def test_no_java_is_said_and_is_no_fault(
        self, house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(reasoner, "find_java", lambda: None)
        assert main(["ontology", "check", str(house)]) == 0
        out = capsys.readouterr().out
        assert "cross-check skipped: no Java" in out
        assert "pip install" in out
        assert ": consistent" not in out
