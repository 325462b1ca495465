"""Ontologies from files."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib.graph import Graph
from rdflib.namespace import OWL, RDF, RDFS
from rdflib.term import BNode, Literal, URIRef

from groundrules import domain
from groundrules.errors import SourceError
from groundrules.ontology import load as module
from groundrules.ontology.load import Ontology, load, read, split
from groundrules.terms import Triple
from tests.rows import each
from tests.work import assert_linear

TURTLE = """\
@prefix : <http://example.org/o#> .
:Dog a owl:Class ; rdfs:label "dog"@en ; rdfs:subClassOf :Animal,
    [ a owl:Restriction ; owl:onProperty :owner ; owl:maxCardinality 1 ] .
:Animal a owl:Class .
:owner a owl:ObjectProperty, owl:FunctionalProperty .
:rex a :Dog, owl:NamedIndividual ; :owner :ann ; :age 3 .
"""
EX = "http://example.org/o#"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def in_format(form: str) -> str:
    graph = Graph()
    head = "".join(
        f"@prefix {name}: <{iri}> .\n" for name, iri in (("owl", OWL), ("rdfs", RDFS), ("rdf", RDF))
    )
    return graph.parse(data=head + TURTLE, format="turtle").serialize(format=form)


def shape(ontology: Ontology) -> set[tuple[str, ...]]:
    """The statements with blank nodes made equal."""
    return {
        tuple("_:" if isinstance(n, BNode) else n.n3() for n in (t.subject, t.predicate, t.object))
        for t in (*ontology.axioms, *ontology.individuals)
    }


@each("name form")
def test_every_format_says_the_same(tmp_path: Path, name: str, form: str) -> None:
    plain = load(write(tmp_path / "plain.ttl", TURTLE))
    assert shape(load(write(tmp_path / name, in_format(form)))) == shape(plain)


def test_axioms_and_individuals_are_told_apart(tmp_path: Path) -> None:
    found = load(write(tmp_path / "o.ttl", TURTLE))
    assert {t.subject for t in found.individuals} == {URIRef(EX + "rex")}
    assert len(found.individuals) == 3  # that it is named says nothing
    assert Triple(URIRef(EX + "Dog"), RDFS.label, Literal("dog", lang="en")) in found.axioms
    assert any(t.predicate == OWL.maxCardinality for t in found.axioms)


def test_terms_that_are_only_used_are_terms() -> None:
    a, b, c, p = (URIRef(EX + name) for name in "ABCp")
    label = [Triple(term, RDFS.label, Literal("x")) for term in (b, c, p)]
    stated = [Triple(a, RDFS.subClassOf, b), Triple(URIRef(EX + "i"), p, URIRef(EX + "j")),
              Triple(URIRef(EX + "i"), RDF.type, c)]  # fmt: skip
    axioms, individuals = split([*label, *stated])
    assert set(axioms) == {*label, stated[0]}
    assert set(individuals) == {*stated[1:]}


def test_identity_is_an_axiom() -> None:
    same = Triple(URIRef(EX + "a"), OWL.sameAs, URIRef(EX + "b"))
    assert split([same]) == ([same], [])


def test_a_shipped_ontology_goes_by_its_name() -> None:
    for name in domain.names():
        found = load(name)
        assert found.name == name
        assert found.axioms == load(name).axioms
        assert found.notes == ()


def test_a_file_is_relative_to_the_base_and_has_its_lexicon_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "o.ttl", TURTLE)
    assert load("o.ttl", tmp_path).lexicon is None
    write(tmp_path / "o.lexicon.toml", "")
    found = load("o.ttl", tmp_path)
    assert found.name == "o.ttl"
    assert found.lexicon == tmp_path / "o.lexicon.toml"


def test_two_readings_of_a_file_name_its_blank_nodes_alike(tmp_path: Path) -> None:
    path = write(tmp_path / "o.ttl", TURTLE)
    first = load(path)
    module._parse.cache_clear()
    module._known.cache_clear()
    assert load(path).axioms == first.axioms
    other = load(write(tmp_path / "p.ttl", TURTLE + "\n"))
    blank = {t.subject for t in first.axioms if isinstance(t.subject, BNode)}
    assert blank.isdisjoint(t.subject for t in other.axioms)


def test_a_file_is_known_by_what_is_in_it_and_not_by_its_name(tmp_path: Path) -> None:
    path = write(tmp_path / "o.ttl", TURTLE)
    first = load(path)
    assert load(path).axioms is first.axioms
    write(path, "<urn:A> rdfs:subClassOf <urn:B> .")
    assert load(path).axioms != first.axioms
    assert load(path).digest != first.digest
    write(path, TURTLE)
    assert load(path) == first


def test_an_imported_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    path = write(tmp_path / "o.ttl", "<> a owl:Ontology ; owl:imports <p.ttl> .")
    assert load(path).notes == ("import file:///p.ttl was not fetched",)
    for name in ("urn:A", "urn:B"):
        write(tmp_path / "p.ttl", f"<{name}> a owl:Class .")
        found = load(path)
        assert found.notes == ()
        assert Triple(URIRef(name), RDF.type, OWL.Class) in found.axioms


class TestImports:
    def test_a_file_of_the_same_folder_is_followed_and_a_circle_ends(self, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        write(
            tmp_path / "a.ttl",
            "<> a owl:Ontology ; owl:imports <sub/b.ttl> . <urn:A> a owl:Class .",
        )
        write(tmp_path / "sub" / "b.ttl", "<> owl:imports <../a.ttl> . <urn:B> a owl:Class .")
        found = load("a.ttl", tmp_path)
        assert {URIRef("urn:A"), URIRef("urn:B")} <= {t.subject for t in found.axioms}
        assert found.notes == ()

    @pytest.mark.parametrize(
        "iri",
        ["http://example.org/other", "https://example.org/o.ttl", "file://host/b.ttl", "gone.ttl"],
    )
    def test_what_is_elsewhere_is_left_out_with_a_note(self, tmp_path: Path, iri: str) -> None:
        found = load(write(tmp_path / "a.ttl", f"<> a owl:Ontology ; owl:imports <{iri}> ."))
        (note,) = found.notes
        assert "was not fetched" in note
        assert iri in note

    @pytest.mark.parametrize("name", ["../b.ttl", "/b.ttl", "%2e%2e/b.ttl", "link.ttl"])
    def test_no_name_leads_out_of_the_folder(self, tmp_path: Path, name: str) -> None:
        inner = tmp_path / "inner"
        inner.mkdir()
        outside = write(tmp_path / "b.ttl", "<urn:Secret> a owl:Class .")
        (inner / "link.ttl").symlink_to(outside)
        found = load(write(inner / "a.ttl", f"<> owl:imports <{name}>, <{outside.as_uri()}> ."))
        assert URIRef("urn:Secret") not in {t.subject for t in found.axioms}
        assert found.notes

    def test_files_without_end_are_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "MOST_FILES", 3)
        for n in range(5):
            write(tmp_path / f"f{n}.ttl", f"<> owl:imports <f{n + 1}.ttl> .")
        with pytest.raises(SourceError, match="more than 3 files"):
            load("f0.ttl", tmp_path)


RDF_HEAD = (
    "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:x='urn:x:'>{}</rdf:RDF>"
)


class TestHostile:
    """One clear line for what cannot be read, in time and without reaching out."""

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("o.ttl", "@prefix : <urn:x:> .\n:a :b", r"o.ttl:2:6: not Turtle"),
            ("o.ttl", "@prefix : <urn:x:> . :a :b é:c .", r"o.ttl:1:28: not Turtle"),
            ("o.rdf", RDF_HEAD.format("<x:A>\n</x:B>"), r"o.rdf:2:7: not RDF/XML: Opening"),
            ("o.jsonld", '{"@id": "urn:a",\n "é": "é" "y"}', r"o.jsonld:2:11: not JSON-LD"),
            ("o.owx", "<Ontology xmlns='http://www.w3.org/2002/07/owl#'/>", "OWL/XML is not read"),
            ("o.xml", "<Ontology xmlns='http://www.w3.org/2002/07/owl#'/>", "OWL/XML is not read"),
            ("o.jsonld", '{"@context": "https://schema.org"}', "context is remote"),
            ("o.jsonld", '{"@context": {"@import": "https://schema.org"}}', "context is remote"),
            ("o.ofn", "Ontology()", "OWL functional syntax is not read"),
            ("o.owl", "Prefix(:=<urn:x:>)\nOntology(<urn:o>)", "functional syntax is not read"),
            ("o.omn", "Ontology: <urn:o>", "Manchester syntax is not read"),
        ],
    )
    def test_bad_syntax_has_its_place(
        self, tmp_path: Path, name: str, text: str, message: str
    ) -> None:
        with pytest.raises(SourceError, match=message) as caught:
            load(write(tmp_path / name, text))
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("declared", "message"),
        [
            ('<!ENTITY x SYSTEM "file:///etc/passwd">', "not defined"),
            ('<!ENTITY x PUBLIC "-//x" "http://example.org/x">', "not defined"),
            ('<!ENTITY % x SYSTEM "http://example.org/x"> %x;', "not defined"),
            (f'<!ENTITY y "{"a" * 50_000}"><!ENTITY x "{"&y;" * 5_000}">', "amplification"),
        ],
    )
    def test_an_entity_that_is_a_file_or_a_bomb_is_refused(
        self, tmp_path: Path, declared: str, message: str
    ) -> None:
        text = f"<!DOCTYPE r [{declared}]>" + RDF_HEAD.format("<x:A><x:p>&x;</x:p></x:A>")
        with pytest.raises(SourceError, match=message):
            load(write(tmp_path / "o.rdf", text))

    def test_an_entity_for_a_namespace_is_read(self, tmp_path: Path) -> None:
        head = '<!DOCTYPE rdf:RDF [<!ENTITY o "http://example.org/o#">]>'
        text = head + RDF_HEAD.format('<x:A rdf:about="&o;a"/>')
        found = load(write(tmp_path / "o.owl", text))
        assert [str(t.subject) for t in found.individuals] == [EX + "a"]

    def test_deep_files_are_refused(self, tmp_path: Path) -> None:
        deep = 20_000
        xml = RDF_HEAD.format("<x:A><x:p>" * deep + "</x:p></x:A>" * deep)
        tree = '{"@context":{"@vocab":"urn:x:"},"a":' + '{"a":' * deep + "1" + "}" * (deep + 1)
        for name, text in (("o.rdf", xml), ("o.jsonld", tree)):
            with pytest.raises(SourceError, match=r"nested more than|Excessive depth"):
                load(write(tmp_path / name, text))

    def test_deep_turtle_is_read_without_recursion(self, tmp_path: Path) -> None:
        deep = 5_000
        text = "@prefix : <urn:x:> . :a rdfs:subClassOf " + "( " * deep + ")" * deep + " ."
        assert load(write(tmp_path / "o.ttl", text)).axioms

    def test_large_files_are_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = write(tmp_path / "o.ttl", TURTLE)
        monkeypatch.setattr(module, "MOST_BYTES", len(TURTLE) - 1)
        with pytest.raises(SourceError, match="larger than"):
            load(path)
        monkeypatch.undo()
        monkeypatch.setattr(module, "MOST_TRIPLES", 5)
        module._parse.cache_clear()
        with pytest.raises(SourceError, match="more than 5 statements"):
            load(path)

    def test_what_is_no_file_is_one_line(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match="cannot be read"):
            load(tmp_path)
        (tmp_path / "house.ttl").write_text("", encoding="utf-8")
        with pytest.raises(SourceError, match=r"no such ontology.*did you mean 'house.ttl'"):
            load(tmp_path / "hause.ttl")
        with pytest.raises(SourceError, match=r"no such ontology.*did you mean 'legal'"):
            load("legl")
        with pytest.raises(SourceError, match="cannot be read"):
            load("a\0b.ttl")


def test_read_gives_what_the_file_states_and_no_more(tmp_path: Path) -> None:
    stated, digest, notes = read(write(tmp_path / "o.ttl", TURTLE))
    assert len(stated) == 14
    assert (len(digest), notes) == (64, ())


def test_classes_under_one_restriction_take_work_in_proportion_to_their_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    one = "[ a owl:Restriction ; owl:onProperty :has ; owl:someValuesFrom :Grape ]"

    def close(size: int) -> None:
        told = "".join(f":C{i} rdfs:subClassOf {one} ." for i in range(size))
        load(write(tmp_path / f"{size}.ttl", f"@prefix : <urn:x:> . {told}"))

    assert_linear(close, 40)
