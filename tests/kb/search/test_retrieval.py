"""Laws of the index of texts: what is found first, how it is kept up to date, what is refused."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib.term import URIRef

from groundrules.errors import SourceError
from groundrules.kb.search.retrieval import TEXTS, TextIndex, index_texts
from groundrules.kb.sources.triplestore import build_store, open_graph
from groundrules.models import encoder
from tests.kb.tables import TABLES

LX, SCHEMA = "https://w3id.org/groundrules/legal#", "http://schema.org/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
FACTS = [
    ("ada", LABEL, "Ada Lovelace"),
    ("ada", f"{SCHEMA}description", "English mathematician who wrote the first program"),
    ("babbage", LABEL, "Charles Babbage"),
    ("babbage", f"{SCHEMA}description", "inventor of the difference engine"),
    ("bread", LABEL, "US 9,123,456"),
    ("bread", f"{LX}patentNumber", "9123456"),
    ("bread", f"{SCHEMA}text", "A method of baking bread in a hot oven, comprising kneading."),
    ("fluid", LABEL, "US 14/897,520"),
    ("fluid", f"{LX}applicationNumber", "14897520"),
    ("fluid", f"{SCHEMA}text", "A device that measures the temperature of a fluid."),
    ("bike", LABEL, "US 14,897,520"),
    ("bike", f"{LX}patentNumber", "14897520"),
    ("bike", f"{SCHEMA}text", "A bicycle with two wheels and a chain."),
]


def make_store(folder: Path, facts: list[tuple[str, str, str]] = FACTS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    dump = folder / "facts.nt"
    dump.write_text(
        "".join(f"<http://e/{s}> <{p}> {json.dumps(o)} .\n" for s, p, o in facts), encoding="utf-8"
    )
    build_store([dump], folder / "store")
    return folder / "store"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_store(tmp_path_factory.mktemp("texts"))
    index_texts(open_graph(path), path / TEXTS)
    return path


@pytest.fixture
def index(store: Path) -> Iterator[TextIndex]:
    with closing(TextIndex(store / TEXTS)) as opened:
        yield opened


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        found = database.execute(
            "SELECT node, predicate, start, title, body, vector FROM text JOIN vector USING (id) "
            "ORDER BY node, place"
        ).fetchall()
        database.execute("INSERT INTO words(words) VALUES ('integrity-check')")
    return found


@pytest.mark.parametrize(
    ("question", "first"), TABLES["a question finds by number by words and by meaning"]
)
def test_a_question_finds_by_number_by_words_and_by_meaning(
    index: TextIndex, question: str, first: str
) -> None:
    assert str(index.search(question, 1)[0].node) == f"http://e/{first}"


def test_an_identifier_within_a_longer_one_does_not_count(tmp_path: Path) -> None:
    facts = [("long", f"{LX}patentNumber", "RE912345"), ("short", f"{LX}patentNumber", "912345"),
             ("long", LABEL, "a"), ("short", LABEL, "b")]  # fmt: skip
    path = make_store(tmp_path, facts)
    index_texts(open_graph(path), path / TEXTS)
    with closing(TextIndex(path / TEXTS)) as index:
        assert index.identified("patent RE912345") == [URIRef("http://e/long")]
        assert [str(one) for one in index.identified("patent 912,345")] == ["http://e/short"]
        assert index.identified("patent 1984") == []


def test_each_way_alone_is_the_order_of_its_own_scores(index: TextIndex) -> None:
    question = "a bicycle with a chain"
    by_words = index.search(question, 5, weight=0)
    by_vectors = index.search(question, 5, weight=1)

    assert {hit.how for hit in by_words} == {"words"}
    assert {hit.how for hit in by_vectors} == {"vectors"}
    cosines = [hit.similarity or 0 for hit in by_vectors]
    assert cosines == sorted(cosines, reverse=True)
    assert index.search(question, 1)[0].how == "both"


HOSTILE = ['"', "' OR 1=1 --", 'NEAR("a" "b")', "* ^ : -", "", " ", "\0", "\ud800", "AND OR NOT",
           "title:x", "9" * 5000, "é" * 300, "the of and", "{}[]()%_\\"]  # fmt: skip


@settings(max_examples=60)
@given(st.one_of(st.text(max_size=80), st.sampled_from(HOSTILE)))
def test_any_question_has_an_answer(shared: TextIndex, question: str) -> None:
    hits = shared.search(question, 3)

    assert len(hits) <= 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits == shared.search(question, 3)


@pytest.fixture(scope="module")
def shared(store: Path) -> Iterator[TextIndex]:
    with closing(TextIndex(store / TEXTS)) as opened:
        yield opened


def test_similarities_are_those_of_the_nearest_text(index: TextIndex) -> None:
    vector = index.encode("inventor of the difference engine")
    hits = {hit.node: hit.similarity for hit in index.search("x", 9, vector=vector, weight=1)}

    assert index.similarities(vector, hits) == pytest.approx(hits)
    assert index.similarities(vector, []) == {}


def test_the_vector_of_a_question_is_its_own_and_nobody_can_write_to_it(index: TextIndex) -> None:
    first, second = index.encode("a question"), index.encode("another question")

    assert first is not second
    assert np.array_equal(index.encode("a question"), first)
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0


def test_a_long_text_is_found_by_a_passage_and_shown_by_it(tmp_path: Path) -> None:
    filler = "The housing is made of steel and painted grey. " * 60
    text = f"{filler}Penguins march across the frozen sea. {filler}"
    path = make_store(tmp_path, [("long", f"{SCHEMA}text", text)])
    index_texts(open_graph(path), path / TEXTS)
    with closing(TextIndex(path / TEXTS)) as index:
        hit = index.search("birds walking on ice", 1)[0]
        shown = index.passage(index.encode("birds walking on ice"), hit.node, f"{SCHEMA}text")

    assert "Penguins" in hit.text == shown
    assert text[hit.start :].startswith(hit.text)


# ---- upkeep


def test_two_builds_of_equal_stores_hold_the_same(store: Path, tmp_path: Path) -> None:
    path = make_store(tmp_path, FACTS[::-1])
    index_texts(open_graph(path), path / TEXTS)

    assert rows(path / TEXTS) == rows(store / TEXTS)


def test_records_that_repeat_each_other_are_encoded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "A method of baking bread."
    path = make_store(tmp_path, [(str(n), f"{SCHEMA}text", text) for n in range(20)])
    seen: list[str] = []
    run = encoder.OnnxEncoder.encode

    def count(self: encoder.OnnxEncoder, texts: list[str]) -> np.ndarray:
        seen.extend(texts)
        return run(self, texts)

    monkeypatch.setattr(encoder.OnnxEncoder, "encode", count)
    index_texts(open_graph(path), path / TEXTS)

    assert seen == [text]
    assert len(rows(path / TEXTS)) == 20


# ---- what is refused


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda p: p.unlink(), "no index of texts there; run: groundrules kb index "),
        (lambda p: p.write_bytes(b"no database" * 200), "not an index of texts"),
        (lambda p: p.write_bytes(p.read_bytes()[:5000]), "not an index of texts"),
        (lambda p: p.write_bytes(b""), "not an index of texts"),
        (lambda p: change(p, "model", "0" * 64), "of another version or encoder"),
        (lambda p: change(p, "schema", "0"), "of another version or encoder"),
    ],
    ids=["missing", "text", "cut", "empty", "model", "version"],
)  # fmt: skip
def test_an_index_that_cannot_be_used_is_one_clear_error(
    store: Path, tmp_path: Path, damage: object, message: str
) -> None:
    path = tmp_path / TEXTS
    path.write_bytes((store / TEXTS).read_bytes())
    damage(path)  # type: ignore[operator]

    with pytest.raises(SourceError) as error:
        TextIndex(path).search("a bicycle")

    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def change(path: Path, name: str, value: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE state SET value = ? WHERE key = ?", (value, name))
