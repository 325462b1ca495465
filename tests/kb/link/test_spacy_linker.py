"""The adapter of spacy-entity-linker only proposes, downloads nothing and repeats itself."""

from __future__ import annotations

import builtins
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from rdflib.term import URIRef

from groundrules.errors import ConfigError, SourceError
from groundrules.kb.link.spacy_linker import SpacyDatabase
from groundrules.kb.sources.source import Entity, Fault, Status

WD = "http://www.wikidata.org/entity/"


def entity(ident: str, label: str, *aliases: str, prior: int = 1, types: str = "") -> Entity:
    classes = tuple(URIRef(WD + c) for c in types.split())
    return Entity(URIRef(WD + ident), label, f"about {label}", aliases, classes, prior)


KNOWN = (
    entity("Q90", "Paris", "City of Light", prior=900, types="Q515 Q5119"),
    entity("Q830149", "Paris", prior=30, types="Q515"),
    entity("Q6607", "guitar", "guitars", prior=50),
    entity("Q1", "Größe", "GRÖSSE"),
)


def write_spacy_database(entities: Iterable[Entity], path: Path) -> None:
    """Write items of Wikidata in the package's schema; the prior stands for views and inlinks."""
    with closing(sqlite3.connect(path)) as file, file:
        file.executescript("""
            CREATE TABLE joined(item_id INTEGER PRIMARY KEY, en_label TEXT, en_description TEXT,
                                views INTEGER, inlinks INTEGER);
            CREATE TABLE aliases(en_alias_lowercase TEXT, en_alias TEXT, item_id INTEGER);
            CREATE TABLE statements(source_item_id INTEGER, edge_property_id INTEGER,
                                    target_item_id INTEGER);
        """)
        for one in entities:
            number = int(one.iri.removeprefix(f"{WD}Q"))
            row = (number, one.label, one.description, one.prior, one.prior)
            file.execute("INSERT INTO joined VALUES (?, ?, ?, ?, ?)", row)
            # lowered as the package lowers what it looks up
            names = [(name.lower(), name, number) for name in (one.label, *one.aliases)]
            file.executemany("INSERT INTO aliases VALUES (?, ?, ?)", names)
            types = [(number, int(kind.removeprefix(f"{WD}Q"))) for kind in one.types]
            file.executemany("INSERT INTO statements VALUES (?, 31, ?)", types)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    pytest.importorskip("spacy_entity_linker")
    path = tmp_path / "kb.db"
    write_spacy_database(KNOWN, path)
    return path


def test_what_was_written_is_found_again_by_every_name(database: Path) -> None:
    source = SpacyDatabase(database)
    names = {name: e.iri for e in KNOWN for name in (e.label, *e.aliases)}
    found = source.named(names)
    for name, iri in names.items():
        entities = found[name]
        assert not isinstance(entities, Fault)
        assert name == "Paris" or [e.iri for e in entities] == [iri]
    assert found["Paris"] == (
        entity("Q90", "Paris", "City of Light", prior=900, types="Q515 Q5119"),
        entity("Q830149", "Paris", prior=30, types="Q515"),
    )
    source.close()


def test_a_second_look_up_gives_what_the_first_gave(database: Path) -> None:
    """The package's own plural look-up lengthens the list that it caches."""
    source = SpacyDatabase(database)
    first = [source.named(["guitars", "guitar"]) for _ in range(3)]
    assert first[0] == first[1] == first[2]
    source.close()


def test_types_are_those_of_p31_whatever_was_asked_before(database: Path) -> None:
    """The package keeps the chains of P31 and P279 under one key."""
    with sqlite3.connect(database) as connection:
        connection.execute("INSERT INTO statements VALUES (90, 279, 7)")
    connection.close()
    source = SpacyDatabase(database)
    source._controller.get_chain(90, max_depth=10, property=279)
    (paris, _) = source.named(["Paris"])["Paris"]  # type: ignore[misc]
    assert set(paris.types) == {URIRef(WD + "Q515"), URIRef(WD + "Q5119")}
    source.close()


def test_ids_are_resolved_anew(database: Path) -> None:
    now = entity("Q2", "Paris now", prior=7)

    def resolve(ids: Iterable[URIRef]) -> dict[URIRef, Entity | Fault]:
        return {i: now if i.endswith("/Q90") else Fault(Status.EMPTY, "EMPTY") for i in ids}

    source = SpacyDatabase(database, resolve=resolve)
    assert source.named(["Paris", "Zembla"]) == {"Paris": (now,), "Zembla": ()}
    source.close()


def test_an_id_that_could_not_be_resolved_is_a_fault_of_the_name(database: Path) -> None:
    fault = Fault(Status.ERROR, "NETWORK")
    source = SpacyDatabase(database, resolve=lambda ids: dict.fromkeys(ids, fault))
    assert source.named(["Paris", "Zembla"]) == {"Paris": fault, "Zembla": ()}
    source.close()


def test_a_look_up_is_the_packages_own_controller(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from spacy_entity_linker import DatabaseConnection

    controller = DatabaseConnection.WikidataQueryController
    called = []

    def watched(name: str) -> Any:
        own = getattr(controller, name)

        def call(self: Any, *args: Any, **options: Any) -> Any:
            called.append((name, *args))
            return own(self, *args, **options)

        return call

    for name in ("__init__", "get_entities_from_alias", "get_chain"):
        monkeypatch.setattr(controller, name, watched(name))
    source = SpacyDatabase(database)
    (guitar,) = source.named(["guitars"])["guitars"]  # type: ignore[misc]
    source.close()
    assert guitar.label == "guitar"
    assert called == [("__init__",), ("get_entities_from_alias", "guitars"), ("get_chain", 6607)]


def test_what_the_packages_pipe_links_is_among_the_candidates(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from spacy_entity_linker import DatabaseConnection, EntityLinker

    from groundrules.claims.facts.offline import load

    source = SpacyDatabase(database)
    monkeypatch.setattr(DatabaseConnection, "wikidata_instance", source._controller)
    doc = EntityLinker(None, "linker")(load()("She bought the guitars in Paris."))
    linked = {(e.get_span().text, URIRef(f"{WD}Q{e.get_id()}")) for e in doc._.linkedEntities}
    assert {text for text, _ in linked} == {"guitars", "Paris"}
    for text, iri in linked:
        assert iri in {entity.iri for entity in source.named([text])[text]}  # type: ignore[union-attr]
    source.close()


def test_the_shared_instance_of_the_package_is_left_alone(database: Path) -> None:
    from spacy_entity_linker import DatabaseConnection

    SpacyDatabase(database).close()
    assert DatabaseConnection.wikidata_instance is None


def test_a_missing_database_is_one_clear_error_and_never_a_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("spacy_entity_linker")
    from spacy_entity_linker import DatabaseConnection

    def download(*_: object) -> None:
        raise AssertionError("a download")

    monkeypatch.setattr(DatabaseConnection, "download_knowledge_base", download)
    monkeypatch.setattr(DatabaseConnection, "DB_DEFAULT_PATH", str(tmp_path / "own.db"))
    for path in (tmp_path / "kb.db", None):
        with pytest.raises(SourceError, match="download_knowledge_base gets it"):
            SpacyDatabase(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be read" * 9])
def test_what_is_no_such_database_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("spacy_entity_linker")
    path = tmp_path / "kb.db"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="not a database of spacy-entity-linker"):
        SpacyDatabase(path)


def test_without_the_extra_the_error_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def absent(name: str, *args: Any, **rest: Any) -> Any:
        if name == "spacy_entity_linker":
            raise ImportError(name)
        return real(name, *args, **rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ConfigError, match=r"groundrules\[linker\]"):
        SpacyDatabase(tmp_path / "kb.db")


def test_names_with_quotes_and_commands_are_only_names(tmp_path: Path) -> None:
    pytest.importorskip("spacy_entity_linker")
    hostile = "x'); DROP TABLE aliases; --"
    write_spacy_database([entity("Q5", hostile)], tmp_path / "kb.db")
    source = SpacyDatabase(tmp_path / "kb.db")
    for _ in range(2):
        (found,) = source.named([hostile])[hostile]  # type: ignore[misc]
        assert found.label == hostile
    source.close()
