"""A knowledge base by the name that users give it: every form, and one clear line for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from groundrules.errors import ConfigError, GroundrulesError
from groundrules.kb.sources.connect import WIKIDATA, connect, open_cache, replayed
from groundrules.kb.sources.rdf import RdfSource
from groundrules.kb.sources.responses import write_snapshot
from groundrules.kb.sources.source import Status
from groundrules.kb.sources.triplestore import build_store
from groundrules.kb.sources.wikidata import WikidataSource
from tests.kb.misbehaving import HTML, JSON, Misbehaving, Reply, rows, uri
from tests.kb.tables import TABLES

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIXTURE = Path(__file__).parent / "data" / "wikibase_fixture.ttl"
PLAIN = '<http://e/a> <http://www.w3.org/2000/01/rdf-schema#label> "Alder" .\n'


@pytest.fixture(autouse=True)
def _nothing_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GROUNDRULES_CONTACT", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("plain.nt").write_text(PLAIN, encoding="utf-8")
    return


def test_a_file_is_plain_rdf_or_wikidata_by_what_it_states() -> None:
    plain, known = connect("plain.nt", now=NOW), connect(str(FIXTURE), now=NOW)
    assert isinstance(plain.source, RdfSource)
    assert isinstance(known.source, WikidataSource)
    assert (plain.source.name, plain.endpoint, plain.lasting) == ("plain.nt", None, ())
    assert plain.named(["Alder"])["Alder"]
    assert plain.digest
    assert plain.digest != known.digest


def test_a_folder_is_all_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("Alder", "Birch"):
        line = PLAIN.replace("Alder", name).replace("e/a", f"e/{name}")
        (tmp_path / "folder" / f"{name}.nt").write_text(line, encoding="utf-8")
    (tmp_path / "folder" / "readme.txt").write_text("no RDF", encoding="utf-8")
    found = connect("folder", now=NOW).named(["Alder", "Birch"])
    assert all(found.values())
    assert connect("folder/.", now=NOW).source.name == "folder"


def test_the_folder_one_is_in_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert connect(".", now=NOW).source.name == tmp_path.name


def test_a_store_has_the_index_that_was_built_with_it() -> None:
    build_store([Path("plain.nt")], Path("store"))
    connection = connect("store", now=NOW)
    assert connection.index is not None
    assert connection.named(["alder"])["alder"]


def test_whoever_has_a_given_and_a_family_name_is_called_by_both() -> None:
    foaf = "<http://e/a> <http://xmlns.com/foaf/0.1/{}> {} .\n".format
    Path("ada.nt").write_text(foaf("givenName", '"Ada"') + foaf("familyName", '"Hale"'))
    build_store([Path("ada.nt")], Path("store"))
    for spec in ("ada.nt", "store"):
        assert connect(spec, now=NOW).named(["Ada Hale"])["Ada Hale"], spec


def test_an_index_answers_in_place_of_the_source() -> None:
    Path("other.nt").write_text(PLAIN.replace("Alder", "Birch"), encoding="utf-8")
    build_store([Path("other.nt")], Path("store"))
    found = connect("plain.nt", now=NOW, names="store/names.sqlite").named(["Alder", "Birch"])
    assert (bool(found["Alder"]), bool(found["Birch"])) == (False, True)


def test_wikidata_is_asked_nothing_before_it_must() -> None:
    connection = connect("wikidata", now=NOW, contact="me@example.org")
    assert isinstance(connection.source, WikidataSource)
    assert str(connection.source.iri) == WIKIDATA
    assert connection.source.calls.requests == 0


def test_the_contact_may_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CONTACT", "me@example.org")
    assert connect("wikidata", now=NOW).fault is None


@pytest.mark.parametrize(
    ("spec", "message"), TABLES["what is no knowledge base is said in one line"]
)
def test_what_is_no_knowledge_base_is_said_in_one_line(
    tmp_path: Path, spec: str, message: str
) -> None:
    import gzip

    (tmp_path / "text.txt").write_text("text", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.ttl").write_text("@prefix : <http://e/> .\n:a :b [ ; .\n", "utf-8")
    (tmp_path / "cut.nt.gz").write_bytes(gzip.compress(PLAIN.encode() * 99)[:40])
    with pytest.raises(GroundrulesError) as error:
        connect(spec, now=NOW)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)


def test_a_snapshot_that_is_none_is_said_in_one_line() -> None:
    for name in ("plain.nt", "missing"):
        with pytest.raises(GroundrulesError, match=f"{name}: not a snapshot: "):
            connect("http://127.0.0.1:9/sparql", now=NOW, offline=name)


def test_a_replay_means_the_day_of_its_run(tmp_path: Path) -> None:
    write_snapshot([], tmp_path / "run", date(2025, 2, 3))
    assert replayed(str(tmp_path / "run")) == datetime(2025, 2, 3, tzinfo=UTC)
    assert replayed("") is None
    assert replayed("cache") is None


def test_no_cache_is_opened_where_there_shall_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_cache() is not None
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    assert open_cache() is None


def test_why_there_is_no_cache_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "file"))
    connection = connect("wikidata", now=NOW, contact="me@example.org")
    assert "cannot be used" in connection.note


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize(
    ("replies", "asked"),
    [
        # whatever it is, it is not taken for a graph that states nothing
        ((Reply(403, b"banned", dict(HTML)),), 1),
        # it says what model it has, and then nothing of its properties
        ((Reply(body=rows()), Reply(403, b"banned", dict(HTML))), 2),
    ],
)
def test_an_endpoint_without_properties_has_a_fault(replies: tuple[Reply, ...], asked: int) -> None:
    with Misbehaving(*replies) as server:
        connection = connect(server.url, now=NOW)
        assert not connection.source.properties()
        assert connection.fault is not None
        assert connection.fault.status is Status.ERROR
        assert not connection.source.properties()
        assert len(server.requests) == asked


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_an_endpoint_is_known_for_wikidata_by_what_it_answers() -> None:
    with Misbehaving(Reply(body=rows({"s": uri("http://e/s")}), headers=dict(JSON))) as server:
        connection = connect(server.url, now=NOW)
        assert isinstance(connection.source, WikidataSource)
        assert connection.fault is None
        assert [response.endpoint for response in connection.lasting] == [server.url]


def test_a_snapshot_needs_no_contact() -> None:
    with pytest.raises(ConfigError, match="wants to know who asks"):
        connect("wikidata", now=NOW)
    write_snapshot([], Path("run"), NOW.date())
    assert connect("wikidata", now=NOW, offline="run").fault is None
