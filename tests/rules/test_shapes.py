"""The shapes of a pack."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from rdflib.namespace import RDF, SH
from rdflib.term import URIRef

from groundrules import api
from groundrules.checks.testing import TEST, read_claims
from groundrules.config import Config
from groundrules.dataset import PREFIXES, Dataset, parse_turtle
from groundrules.errors import ConfigError, RuleError
from groundrules.rules import shapes as shacl
from groundrules.rules.packs import load_pack
from groundrules.rules.shapes import read_shapes, validate
from groundrules.terms import Severity, Violation
from tests.rows import each

HEAD = """\
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix : <urn:test:> .
"""
SHAPES = """\
:LeaseShape a sh:NodeShape ; sh:targetClass :Contract ; rdfs:comment "the house asks for it" ;
    sh:property [ sh:path :landlord ; sh:maxCount 1 ; sh:class :Company ] ;
    sh:property [
        sh:path :law ; sh:minCount 1 ; sh:name "governing-law" ; sh:severity sh:Warning ;
        sh:message "a contract names its law" ] .
"""
SPARQL = """\
:OwnTenant a sh:NodeShape ; sh:targetSubjectsOf :landlord ;
    sh:sparql [ sh:message "landlord is tenant" ; sh:prefixes :this ;
        sh:select "SELECT $this ?value WHERE { $this t:landlord ?value ; t:tenant ?value }" ] .
:this sh:declare [ sh:prefix "t" ; sh:namespace "urn:test:"^^xsd:anyURI ] .
"""
AXIOMS = parse_turtle(":Lease rdfs:subClassOf :Contract .", prefixes={**PREFIXES, "": TEST})


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "lease.shacl.ttl").write_text(HEAD + SHAPES)
    return tmp_path


def run(
    pack: Path, claims: str, context: str = "", select: tuple[str, ...] = (),
) -> list[Violation]:  # fmt: skip
    said = read_claims(claims, "claim")
    known = read_claims(context, "evidence")
    dataset = Dataset()
    dataset.add_assertions(said)
    dataset.add_evidence(known, URIRef(TEST + "context"))
    return list(
        validate(
            dataset,
            load_pack(str(pack)).shapes,
            claims={c.id: c for c in said},
            evidence={c.id: c for c in known},
            axioms=AXIOMS,
            labels={URIRef(TEST + "l"): "the lease"},
            select=select,
        )
    )


DENIED = "[] rdf:subject :l ; rdf:predicate rdf:type ; rdf:object :Lease ; "


@pytest.mark.parametrize(
    ("claims", "context", "select"),
    [
        (":l a :Lease ; :landlord :a ; :law :ny . :a a :Company .", "", ()),
        (":other a :Thing .", ":l a :Lease .", ()),  # a fault of the sources alone
        (DENIED + 'gr:polarity "negative" .', "", ()),
        (DENIED + 'gr:modality "possibility" .', "", ()),
        (":l a :Lease .", "", ("GR",)),
    ],
)
def test_what_conforms_or_is_not_said_by_the_text_or_not_asked_for_is_silent(
    pack: Path, claims: str, context: str, select: tuple[str, ...]
) -> None:
    assert run(pack, claims, context, select=select) == []
    assert len(run(pack, ":l a :Lease .", select=("LeaseShape",))) == 1


def test_a_result_is_a_violation_about_what_the_text_says(pack: Path) -> None:
    (found,) = run(pack, ":l a :Lease ; :law :ny ; :landlord :a . :a a :Person .")
    assert (found.rule, found.name, found.severity) == ("LeaseShape", "class", Severity.ERROR)
    assert found.claim is not None
    assert found.claim.triple.predicate == URIRef(TEST + "landlord")
    assert found.because == "the house asks for it"
    assert [(a.predicate, a.object) for a in found.axioms] == [
        (SH["class"], URIRef(TEST + "Company"))
    ]
    assert found.edit is not None
    assert [o.action for o in found.edit.operations] == ["DELETE"]
    assert found.edit.applicability == "unsafe"


def test_a_missing_part_is_told_of_the_focus_with_the_words_of_the_shape(pack: Path) -> None:
    (found,) = run(pack, ":l a :Lease .")
    assert (found.name, found.message) == ("governing-law", "a contract names its law")
    assert found.severity is Severity.WARNING
    assert found.claim is not None
    assert found.claim.triple.predicate == RDF.type
    assert found.edit is None


def test_text_and_sources_are_read_together(pack: Path) -> None:
    said = ":l a :Lease ; :landlord :a . :a a :Company ."
    assert run(pack, said, ":l :law :ny .") == []
    (found,) = run(pack, said, ":l :law :ny ; :landlord :b . :b a :Company .")
    assert found.name == "max-count"
    assert "the lease" in found.message
    assert [(e.source, e.triple.object) for e in found.evidence] == [
        (TEST + "context", URIRef(TEST + "b"))
    ]


def test_sparql_constraints_run_with_their_prefixes(pack: Path) -> None:
    (pack / "own.shacl.ttl").write_text(HEAD + SPARQL)
    found = run(pack, ":l :landlord :a ; :tenant :a .")
    assert [(v.rule, v.message) for v in found] == [("OwnTenant", "landlord is tenant")]
    assert run(pack, ":l :landlord :a ; :tenant :b .") == []


@each("shapes message")
def test_shapes_that_may_not_run_are_one_line(tmp_path: Path, shapes: str, message: str) -> None:
    (tmp_path / "bad.shacl.ttl").write_text(HEAD + shapes)
    with pytest.raises(RuleError, match=message) as caught:
        run(tmp_path, ":l a :Lease ; :of :l .")
    assert "bad.shacl.ttl" in str(caught.value)
    assert "\n" not in str(caught.value)


@each("constraint")
def test_stars_over_a_ring_are_one_line_and_not_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, constraint: str
) -> None:
    monkeypatch.setattr(shacl, "_MOST_LOOKUPS", 5_000)
    (tmp_path / "bad.shacl.ttl").write_text(f"{HEAD}:S sh:targetClass :Lease ; {constraint} .")
    ring = " ".join(f":n{n} a :Lease ; :of :n{(n + 1) % 30} ." for n in range(30))
    with pytest.raises(RuleError, match=r"bad\.shacl\.ttl: the shapes look up more") as caught:
        run(tmp_path, ring)
    assert "\n" not in str(caught.value)
    (tmp_path / "bad.shacl.ttl").write_text(
        f"{HEAD}:S sh:targetClass :Lease ; sh:property "
        "[ sh:path ( [ sh:zeroOrMorePath :of ] :of ) ; sh:maxCount 2 ] ."
    )
    assert len(run(tmp_path, ring)) == 30


def test_nothing_is_imported(pack: Path) -> None:
    (pack / "more.shacl.ttl").write_text("<urn:s> owl:imports <http://example.org/shapes.ttl> .")
    assert len(run(pack, ":l a :Lease .")) == 1  # a socket would fail the test


def test_blank_nodes_of_two_files_are_two(tmp_path: Path) -> None:
    for name in ("a", "b"):
        text = f":{name} a sh:NodeShape ; sh:property _:p . _:p sh:path :{name} ."
        (tmp_path / f"{name}.shacl.ttl").write_text(HEAD + text)
    shapes = read_shapes(sorted(tmp_path.iterdir()))
    assert len(set(shapes.subjects(SH.path, None))) == 2


def test_a_pack_may_be_shapes_alone_and_its_digest_covers_them(pack: Path) -> None:
    first = load_pack(str(pack))
    assert (first.rules, [path.name for path in first.shapes]) == ((), ["lease.shacl.ttl"])
    (pack / "lease.shacl.ttl").write_text(HEAD + SHAPES + "\n")
    assert load_pack(str(pack)).digest != first.digest


def test_without_pyshacl_it_says_what_to_install(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    with pytest.raises(ConfigError, match=r"pip install 'groundrules\[shacl\]'"):
        run(pack, ":l a :Lease .")


def test_a_check_runs_the_shapes_of_its_packs(tmp_path: Path) -> None:
    (tmp_path / "any.shacl.ttl").write_text(
        HEAD + ":Signed a sh:NodeShape ; sh:targetSubjectsOf <urn:groundrules:relation:sign> ;"
        ' sh:property [ sh:path :date ; sh:minCount 1 ; sh:message "no date" ] .'
    )
    config = Config(packs=("core", str(tmp_path)))
    report = api.check("Acme signed the lease.", context="Acme signed the lease.", config=config)
    assert [(v.rule, v.message) for v in report.violations] == [("Signed", "no date")]
    assert not report.conforms
