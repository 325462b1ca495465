"""The index of names: keys, candidates, names in a text."""

from __future__ import annotations

import io
import sqlite3
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import URIRef

from groundrules.dataset import TripleStore, read_rdf
from groundrules.errors import SourceError
from groundrules.kb.link.aliases import MOST, AliasIndex, build_index, loosen, normalise
from tests.kb.tables import TABLES

WORLD = """\
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix schema: <http://schema.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix wikibase: <http://wikiba.se/ontology#> .
:paris a :City ; rdfs:label "Paris"@en, "Parigi"@it ; skos:altLabel "City of Light"@en ;
  schema:description "capital of France"@en ; wdt:P31 :Capital ; schema:version 7 .
:texas a :City ; rdfs:label "Paris"@en-us ; schema:description "town in Texas"@en .
:hero rdfs:label "Paris"@mul .
:it rdfs:label "It"@en ; skos:altLabel "that"@en, "1990"@en, "IT"@en, "it's"@en .
:usa skos:prefLabel "United States"@en ; skos:altLabel "US"@en, "us"@en, "U.S.A."@en .
:tolkien foaf:name "J. R. R. Tolkien" ; schema:alternateName "Tolkien" .
:beyonce schema:name "Beyoncé"@en .
:city a owl:ObjectProperty ; rdfs:label "city"@en .
:a :in :paris . :b :in :paris . :c :in :texas . :paris :in :usa . :texas :in :usa .
"""


def index(tmp_path: Path, turtle: str = WORLD) -> AliasIndex:
    store = TripleStore()
    store.load(read_rdf(io.BytesIO(turtle.encode()), "Turtle"))
    build_index(store, tmp_path / "names.sqlite", facts={"digest": "d"})
    return AliasIndex(tmp_path / "names.sqlite")


def found(names: AliasIndex, name: str) -> list[str]:
    return [str(e.iri).removeprefix("http://e/") for e in names.named([name])[name]]


@given(st.text(max_size=40))
def test_the_key_of_a_name_minds_neither_case_nor_spaces_nor_quotes(name: str) -> None:
    key = normalise(name)
    assert normalise(f"  {name}\t") == normalise(f"“{name}”") == key
    assert normalise(name.upper().casefold()) == normalise(name.casefold())
    assert loosen(key) == loosen(normalise(f" {name} "))


@pytest.mark.parametrize(
    ("one", "other"), TABLES["names that are written differently have one key"]
)
def test_names_that_are_written_differently_have_one_key(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"), TABLES["the second key minds neither punctuation nor accents"]
)
def test_the_second_key_minds_neither_punctuation_nor_accents(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)
    assert loosen(normalise(one)) == loosen(normalise(other))


def test_a_name_leads_to_all_that_bears_it_none_likelier_for_what_is_stated_of_it(
    tmp_path: Path,
) -> None:
    names = index(tmp_path)

    assert sorted(found(names, "the PARIS")) == ["hero", "paris", "texas"]
    assert [e.prior for e in names.named(["Paris"])["Paris"]] == [0, 0, 0]
    assert found(names, "city of light") == ["paris"]
    assert found(names, "Beyonce") == ["beyonce"]
    assert found(names, "JRR Tolkien") == ["tolkien"]
    assert found(names, "Parigi") == []


def test_the_bearer_with_most_sitelinks_comes_first(tmp_path: Path) -> None:
    names = index(tmp_path, WORLD + ":hero wikibase:sitelinks 90 . :texas wikibase:sitelinks 2 .")

    assert found(names, "Paris")[0] == "hero"


def test_an_entity_comes_with_what_linking_needs(tmp_path: Path) -> None:
    names = index(tmp_path)
    paris = names.entity(URIRef("http://e/paris"))

    assert paris is not None
    assert paris in names.named(["Paris"])["Paris"]
    assert (paris.label, paris.description) == ("Paris", "capital of France")
    assert paris.aliases == ("City of Light",)
    assert paris.types == (URIRef("http://e/Capital"), URIRef("http://e/City"))
    assert paris.revision == "7"
    assert names.entity(URIRef("http://e/nothing")) is None
    assert names.facts == {"digest": "d"}


def test_what_is_hardly_a_name_leads_nowhere_unless_it_is_the_label(tmp_path: Path) -> None:
    names = index(tmp_path)

    assert found(names, "It") == ["it"]
    assert found(names, "that") == found(names, "1990") == []
    assert found(names, "US") == found(names, "U.S.A") == ["usa"]
    assert found(names, "city") == []  # a property
    assert found(names, "") == found(names, "\ud800") == []


def test_a_name_leads_to_at_most_so_many(tmp_path: Path) -> None:
    many = "".join(f'<urn:x{n:03}> rdfs:label "Smith" .\n' for n in range(MOST + 20))
    names = index(tmp_path, WORLD + many)

    iris = [e.iri for e in names.named(["smith"])["smith"]]
    assert iris == [URIRef(f"urn:x{n:03}") for n in range(MOST)]


def test_names_in_a_text_are_the_longest_from_left_to_right(tmp_path: Path) -> None:
    names = index(tmp_path)
    text = "J. R. R. Tolkien’s “City of Light”, and the U.S.A. (or United States), not Paris."

    spotted = [text[start:end] for start, end in names.spot(text)]
    assert spotted == [
        "J. R. R. Tolkien’s",
        "City of Light",
        "the U.S.A.",
        "United States",
        "Paris",
    ]


@given(st.lists(st.sampled_from(["Paris", "of", "City", "Light", "US", ",", "x"]), max_size=12))
def test_spans_are_names_and_do_not_overlap(shared_index: AliasIndex, words: list[str]) -> None:
    text = " ".join(words)
    spans = shared_index.spot(text)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert all(shared_index.named([text[a:b]])[text[a:b]] for a, b in spans)


@pytest.fixture(scope="module")
def shared_index(tmp_path_factory: pytest.TempPathFactory) -> AliasIndex:
    return index(tmp_path_factory.mktemp("index"))


def test_the_same_graph_makes_the_same_file(tmp_path: Path) -> None:
    files = []
    for part, turtle in (("a", WORLD), ("b", "\n".join(_shuffled(WORLD)))):
        (tmp_path / part).mkdir()
        index(tmp_path / part, turtle).close()
        files.append((tmp_path / part / "names.sqlite").read_bytes())
    assert files[0] == files[1]


def _shuffled(turtle: str) -> list[str]:
    lines = turtle.splitlines()
    return [*lines[:4], lines[-1], *lines[6:-1], *lines[4:6]]


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database" * 100)
    sqlite3.connect(tmp_path / "other").close()
    with sqlite3.connect(tmp_path / "empty") as database:
        database.execute("CREATE TABLE alias(norm, prior, entity)")
    database.close()
    for name in ("text", "other", "empty", "missing", ""):
        with pytest.raises(SourceError, match="index of names"):
            AliasIndex(tmp_path / name)


def test_a_file_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be written"):
        build_index(TripleStore(), tmp_path / "no" / "names.sqlite")
