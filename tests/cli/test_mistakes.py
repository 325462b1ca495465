"""Whatever is asked for wrongly is one line that says what is wrong, and nothing is written."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.kb.search.retrieval import TEXTS, index_texts
from groundrules.kb.sources.triplestore import build_store, open_graph
from tests.cli.conftest import Outcome
from tests.kb.search.test_neighbourhood import GRAPH
from tests.rows import each

ROOT = Path(__file__).parents[2]
PREFIXES = "@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
COPIED = {
    "people.ttl": "tests/kb/data/people.ttl",
    "fixture.ttl": "tests/kb/data/wikibase_fixture.ttl",
    "patents.xml": "examples/records/patents.xml",
}
FILES = {
    "claims.txt": "The capital of Borduria is Klow.\n",
    "facts.ttl": f'{PREFIXES}:a rdfs:label "Borduria" .',
    "sub/facts.ttl": f'{PREFIXES}:a rdfs:label "Borduria" .',
    "nothing.ttl": PREFIXES,
    "names.sqlite": "",
    "rows.jsonl": '{"doc": "The ferry leaves the north pier at nine. Dogs travel free on the lower '
    'deck.", "answer": [{"s": "One may bring along a hound at no charge.", "label": 1}, '
    '{"s": "Bringing a hound along means paying half the fare.", "label": 0}]}\n',
    "schema.json": '{"properties": {"rent": {"type": "string"}}}',
    "snapshot": "SQLite format 3\0",
    "t.jsonl": '{"answer": "The rent is due."}\n',
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("near")
    (folder / "facts.ttl").write_text(GRAPH, encoding="utf-8")
    build_store([folder / "facts.ttl"], folder / "store")
    index_texts(open_graph(folder / "store"), folder / "store" / TEXTS)
    return str(folder / "store")


@pytest.fixture
def files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GROUNDRULES_OUTPUT_FORMAT", "GROUNDRULES_CONTACT", "KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDRULES_CONFIG", f"{folder}-home")
    for name in ("sub", "empty"):
        (folder / name).mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, path in COPIED.items():
        shutil.copy(ROOT / path, folder / name)
    return folder


@each("command said config")
def test_what_is_asked_for_wrongly_is_one_line(
    command: list[str], said: str, config: str, cli: Callable[..., Outcome], files: Path, store: str
) -> None:
    (files / "groundrules.toml").write_text(config, encoding="utf-8")
    before = {path: path.read_bytes() for path in files.rglob("*") if path.is_file()}

    found = cli(*(store if word == "STORE" else word for word in command))

    assert (found.code, found.out) == (2, "")
    assert said in found.err
    assert (found.err.count("\n"), found.err.startswith("groundrules: ")) == (1, True)
    assert {path: path.read_bytes() for path in files.rglob("*") if path.is_file()} == before
