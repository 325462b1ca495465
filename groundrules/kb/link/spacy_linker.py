"""spacy-entity-linker as one more source of candidates, over its own database.

The package (extra `[linker]`) takes the most viewed of what an alias leads to, whatever the
context, and downloads 1.3 GB when its database is missing. Here its `WikidataQueryController` only
proposes, over the database it is given: ids are resolved anew, our scorer may reject them, and
nothing is ever downloaded.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rdflib.term import URIRef

from groundrules.errors import ConfigError, SourceError
from groundrules.kb.sources.source import Entity, Fault, Status
from groundrules.sqlite import open_tables

if TYPE_CHECKING:
    from typing import Any

_WIKIDATA = "http://www.wikidata.org/entity/Q"
_MOST = 30
_INSTANCE_OF = 31
_TABLES = {
    "joined": "item_id, en_label, en_description, views, inlinks",
    "aliases": "en_alias_lowercase, en_alias, item_id",
    "statements": "source_item_id, edge_property_id, target_item_id",
}
#: What each id is, under the id asked for: `KnowledgeSource.resolve`.
Resolve = Callable[[Iterable[URIRef]], Mapping[URIRef, Entity | Fault]]


class SpacyDatabase:
    """The look-up of spacy-entity-linker over a database file, as a source of candidates.

    The package's shared instance is not touched, so its own pipe keeps whatever database it has.
    """

    def __init__(self, path: Path | None = None, *, resolve: Resolve | None = None) -> None:
        """Open a database, the package's own where no path is given.

        With `resolve`, ids are looked up anew: redirects are followed, what the source does not
        have is dropped, and label, types and prior are the source's.

        Raises:
            ConfigError: the extra [linker] is not installed.
            SourceError: the database is missing or no such database.
        """
        try:
            from spacy_entity_linker import DatabaseConnection
        except ImportError:
            raise ConfigError(
                "spacy-entity-linker is not installed; run: pip install 'groundrules[linker]'"
            ) from None
        self.path = opened = path or Path(DatabaseConnection.DB_DEFAULT_PATH)
        self._resolve = resolve

        class Controller(DatabaseConnection.WikidataQueryController):  # type: ignore[misc]
            def init_database_connection(self, path: object = None) -> None:
                """Open the database of the adapter; the package's would download its own."""
                self.conn = _open(opened)

        self._controller = Controller()

    def close(self) -> None:
        """Close the file."""
        self._controller.conn.close()

    def named(self, names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        """Return what the database has under each name, at most 30, the most viewed first.

        With `resolve` a name has a fault where one of its ids could not be looked up.
        """
        found = {name: self._rows(name) for name in dict.fromkeys(names)}
        if self._resolve is None:
            return found
        ids = dict.fromkeys(entity.iri for entities in found.values() for entity in entities)
        resolved = self._resolve(list(ids)) if ids else {}
        return {name: _resolved(entities, resolved) for name, entities in found.items()}

    def _rows(self, name: str) -> tuple[Entity, ...]:
        try:
            # its cache is keyed by spelling and never forgets; SQLite is quick enough
            self._controller.clear_cache()
            rows = self._controller.get_entities_from_alias(name)
            ranked = sorted({int(row[0]): row for row in rows}.values(), key=_rank)[:_MOST]
            return tuple(self._entity(row) for row in ranked)
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise SourceError(
                f"the database of spacy-entity-linker cannot be read: {error}", path=str(self.path)
            ) from None

    def _entity(self, row: tuple[Any, ...]) -> Entity:
        number, label, description, _, inlinks = row[:5]
        # it caches the chains of all properties under one key
        self._controller.clear_cache()
        chain = self._controller.get_chain(int(number), max_depth=1, property=_INSTANCE_OF)
        types = sorted({int(target) for target, _ in chain})
        # the package finds items by alias and has no way from an item to its aliases
        aliases = self._controller.conn.execute(
            "SELECT DISTINCT en_alias FROM aliases WHERE item_id = ? ORDER BY en_alias", (number,)
        ).fetchall()
        return Entity(
            URIRef(f"{_WIKIDATA}{int(number)}"),
            str(label or ""),
            str(description or ""),
            tuple(str(alias) for (alias,) in aliases if alias and alias != label),
            tuple(URIRef(f"{_WIKIDATA}{target}") for target in types),
            int(inlinks or 0),
        )


def is_spacy_database(path: Path) -> bool:
    """Return whether a file has the tables of the package's schema."""
    try:
        _open(path).close()
    except SourceError:
        return False
    return True


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise SourceError(
            "the database of spacy-entity-linker is not there; python -m spacy_entity_linker "
            'download_knowledge_base gets it (1.3 GB); names = "FILE" takes one from elsewhere',
            path=str(path),
        )
    return open_tables(path, _TABLES, "a database of spacy-entity-linker")


def _rank(row: tuple[Any, ...]) -> tuple[int, int, int]:
    return -int(row[3] or 0), -int(row[4] or 0), int(row[0])


def _resolved(
    entities: tuple[Entity, ...], resolved: Mapping[URIRef, Entity | Fault]
) -> tuple[Entity, ...] | Fault:
    """Return the entities as the source has them, or the fault of one that it did not answer."""
    out: dict[URIRef, Entity] = {}
    for entity in entities:
        answer = resolved.get(entity.iri)
        if isinstance(answer, Fault):
            if answer.status is not Status.EMPTY:
                return answer
        elif answer is not None:
            out.setdefault(answer.iri, answer)
    return tuple(out.values())
