"""Stores: what is built from files, what is refused."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.dataset import TripleStore
from groundrules.errors import SourceError
from groundrules.kb.sources import triplestore
from groundrules.kb.sources.source import Query, Status
from groundrules.kb.sources.triplestore import STATE, build_store, open_graph

DATA = Path(__file__).parent / "data"
FIXTURE = DATA / "wikibase_fixture.ttl"
EX = "http://e/"
LINES = [
    f'<{EX}s{n // 4}> <{EX}p{n % 4}> {f"_:b{n // 7}" if n % 3 else f"<{EX}o{n}>"} .\n'
    for n in range(997)
] + [
    f'<{EX}s{n}> <http://www.w3.org/2000/01/rdf-schema#label> "Thing {n}"@en .\n'
    for n in range(249)
]  # fmt: skip


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "facts.nt"
    path.write_text("".join(LINES), encoding="utf-8")
    return path


def nodes(triples: Iterable[Any]) -> set[tuple[Node, ...]]:
    """The triples with one name for all blank nodes."""
    return {
        tuple(BNode("b") if isinstance(term, BNode) else term for term in (t.subject, t.object))
        for t in triples
    }


@pytest.mark.parametrize("source", [DATA / "people.ttl", FIXTURE])
def test_packed_files_and_files_in_memory_make_the_same_graph(source: Path, tmp_path: Path) -> None:
    plain = source.read_bytes()
    found = []
    for name, data in (
        (source.name, plain),
        (source.name + ".gz", gzip.compress(plain)),
        (source.name + ".bz2", bz2.compress(plain)),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        build = build_store([path], tmp_path / f"{name}.store")
        store, memory = open_graph(tmp_path / f"{name}.store"), open_graph(path)
        triples = set(store.store.triples())
        assert triples == set(memory.store.triples())
        assert store.digest == memory.digest == build.digest
        assert build.statements == len(triples)
        found.append((triples, build.digest))
    assert found[0] == found[1] == found[2]


def test_a_folder_of_rdf_is_one_graph_whatever_its_forms(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(f"<{EX}a> <{EX}p> _:x . _:x <{EX}p> 1.50 .")
    (tmp_path / "b.nt").write_text(f"<{EX}b> <{EX}p> _:x .\n")
    (tmp_path / "c.trig").write_text(f"<{EX}g> {{ <{EX}c> <{EX}p> '-0044-03-15'^^<{XSD.date}> }}")
    (tmp_path / "d.jsonld").write_text(json.dumps({"@id": f"{EX}d", f"{EX}p": "d"}))
    (tmp_path / "e.rdf").write_text(
        f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="{EX}"><rdf:Description rdf:about="{EX}e">'
        "<e:p>e</e:p></rdf:Description></rdf:RDF>"
    )
    (tmp_path / "notes.txt").write_text("nothing")
    answer = open_graph(tmp_path).select(Query("SELECT * WHERE { ?s ?p ?o }"))

    found = {(str(row["s"]).removeprefix(EX), row["o"]) for row in answer.rows}
    objects = {value for _, value in found}
    assert len(found) == 6
    assert Literal("-0044-03-15", datatype=XSD.date, normalize=False) in objects
    # the blank nodes of two files are two
    assert len({value for value in objects if isinstance(value, BNode)}) == 2


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_dump_that_is_cut_short_is_said_and_its_store_is_none(
    pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    packed = pack("".join(LINES * 3).encode())
    path = tmp_path / f"facts.nt{'.gz' if pack is gzip.compress else '.bz2'}"
    path.write_bytes(packed[: len(packed) * 2 // 3])
    with pytest.raises(SourceError, match="cut short") as error:
        build_store([path], tmp_path / "store")
    assert error.value.path == str(path)
    with pytest.raises(SourceError, match="not built to the end"):
        open_graph(tmp_path / "store")


@pytest.mark.parametrize(
    ("name", "bad", "message"),
    [
        ("facts.nt", "<http://e/s <http://e/p> 1 .\n", "not N-Triples"),
        ("facts.nt", f"<{EX}s> <{EX}p> <relative> .\n", "not N-Triples"),
        ("facts.ttl", f"<{EX}s> <{EX}p> <<( <{EX}s> <{EX}p> 1 )>> .\n", "triple terms"),
    ],
)
def test_a_bad_line_is_named(name: str, bad: str, message: str, tmp_path: Path) -> None:
    good = LINES[:350]
    path, store = tmp_path / name, tmp_path / "store"
    path.write_text("".join([*good, bad, *good[1:]]))
    with pytest.raises(SourceError, match=message) as error:
        build_store([path], store)
    assert (error.value.path, error.value.line) in (
        (str(path), len(good) + 1),
        (str(path), None if name == "facts.ttl" else 0),
    )


@pytest.mark.parametrize(
    "place",
    [
        "groundrules.dataset.TripleStore.load",
        "groundrules.dataset.TripleStore.settle",
        "groundrules.kb.link.aliases._fill",
        "groundrules.kb.sources.triplestore.write_atomically",
    ],
)
def test_a_full_disk_is_one_clear_line(
    place: str, dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("IO error: No space left on device: While appending to file")

    monkeypatch.setattr(place, full)
    with pytest.raises(SourceError, match=r"(?i)no space left on"):
        build_store([dump], tmp_path / "store")


def test_what_cannot_be_built_is_one_clear_line(dump: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("mine")
    (tmp_path / "data.xls").write_text("a,b")
    (tmp_path / "twin").mkdir()
    (tmp_path / "twin" / dump.name).write_text("")
    build_store([dump], tmp_path / "store")
    for dumps, out, message in (
        ([dump], tmp_path / "other", "is there already; expected a new or empty folder"),
        ([dump], dump, "is there already"),
        ([dump], dump / "x", "cannot be made"),
        ([tmp_path / "data.xls"], tmp_path / "new", "not known to be RDF or records; expected"),
        ([tmp_path / "no.nt"], tmp_path / "new", "no such file"),
        ([dump, tmp_path / "twin" / dump.name], tmp_path / "new", "two files are called facts.nt"),
    ):
        with pytest.raises(SourceError, match=message):
            build_store(dumps, out)
    with pytest.raises(SourceError, match="is there already; expected a new"):
        build_store([dump], tmp_path / "store")
    assert (tmp_path / "other" / "file").read_text() == "mine"
    assert not (tmp_path / "new").exists()


def test_what_cannot_be_opened_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name, text in (
        ("bad.ttl", "<a"),
        ("remote.jsonld", '{"@context": "http://e/context", "a": 1}'),
        ("bomb.rdf", '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><r/>'),
        ("deep.rdf", "<a>" * 1000),
        ("x.nt.gz", "not packed"),
        ("x.nt.bz2", "not packed"),
        ("some.txt", ""),
        ("dump.json", '[\n{"id": "Q1", "type": "item"}\n]'),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(SourceError) as error:
            open_graph(tmp_path / name)
        assert error.value.path == str(tmp_path / name)
    for name in ("empty", "missing"):
        with pytest.raises(SourceError, match=r"neither a store|no such file"):
            open_graph(tmp_path / name)
    for text in ("", "[]", "{}", '{"schema": 2}', '{"schema": 1, "dumps": [{}]}'):
        (tmp_path / "empty" / STATE).write_text(text)
        with pytest.raises(SourceError):
            open_graph(tmp_path / "empty")


def test_files_too_large_for_memory_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triplestore, "_MOST", 10_000)
    (tmp_path / "bomb.nt.gz").write_bytes(gzip.compress(b" " * 10**7))
    with pytest.raises(SourceError, match="groundrules kb build"):
        open_graph(tmp_path / "bomb.nt.gz")
    for name in ("a.nt", "b.nt"):
        (tmp_path / name).write_text("".join(LINES[:100]))
    with pytest.raises(SourceError, match="groundrules kb build"):
        open_graph(tmp_path)


def test_a_line_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triplestore, "_LINE", 1000)
    path = tmp_path / "long.jsonl"
    path.write_text("{" + "x" * 10**6)
    with (
        triplestore._Stream(path, form="rows") as stream,
        pytest.raises(SourceError, match="a line of more than"),
    ):
        list(stream.lines())


def test_a_graph_answers_in_terms_and_counts_its_queries() -> None:
    graph = open_graph(FIXTURE)
    query = Query(
        "PREFIX wikibase: <http://wikiba.se/ontology#> SELECT ?s ?rank WHERE { VALUES ?s { $of } "
        "?s wikibase:rank ?rank }",
        {
            "of": [
                (URIRef(f"http://www.wikidata.org/entity/statement/Q100-{n}"),)
                for n in ("dob", "x")
            ]
        },
        "of",
    )
    answer = graph.select(query)

    assert [str(row["rank"]) for row in answer.rows] == ["http://wikiba.se/ontology#NormalRank"]
    assert answer.faults == {}
    assert (answer.retrieved, graph.calls.requests, graph.name) == ("", 1, FIXTURE.name)
    for text in ("SELECT", "ASK { ?s ?p ?o }"):
        with pytest.raises(ValueError, match=r"not SPARQL|not a SELECT"):
            graph.select(Query(text))


def test_a_store_that_fails_gives_faults_and_no_empty_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = open_graph(FIXTURE)

    def broken(*_: object) -> None:
        raise SourceError("the query failed: a file is gone")

    monkeypatch.setattr(TripleStore, "select", broken)
    item = (URIRef(EX + "s"),)
    query = Query("SELECT ?s WHERE { VALUES ?s { $of } ?s ?p ?o }", {"of": [item]}, "of")
    for asked, key in ((query, item), (Query("SELECT ?s WHERE { ?s ?p ?o }"), ())):
        answer = graph.select(asked)
        assert answer.rows == ()
        assert answer.faults[key].status is Status.ERROR
