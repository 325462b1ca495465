"""Names to entities: an index of labels and aliases in one SQLite file.

A name is looked up by two keys: normalised, and then loosely, without punctuation and accents.
Both are stored, so that a look-up is one search of the primary key.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from rdflib.term import Literal, URIRef

from groundrules.claims.english.fillers import NO_ALIASES
from groundrules.dataset import TripleStore
from groundrules.errors import SourceError
from groundrules.kb.source import Entity
from groundrules.sqlite import new_database, open_tables

#: How many entities a name leads to at most.
MOST = 30

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_SCHEMA = "http://schema.org/"
#: The properties that name a thing, labels first.
LABELS = (
    _RDFS + "label",
    _SKOS + "prefLabel",
    _SCHEMA + "name",
    "http://xmlns.com/foaf/0.1/name",
)
ALIASES = (_SKOS + "altLabel", _SCHEMA + "alternateName")
_DESCRIPTIONS = (
    _SCHEMA + "description",
    "http://purl.org/dc/terms/description",
    _RDFS + "comment",
)
_TYPES = (
    "http://www.wikidata.org/prop/direct/P31",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
)
_VERSION = _SCHEMA + "version"
_SITELINKS = "http://wikiba.se/ontology#sitelinks"
#: Types that say how a thing is stored, not what it is.
_BOOKKEEPING = ("http://wikiba.se/ontology#", "http://www.wikidata.org/prop/novalue/")
#: What is no thing that a text means.
_PROPERTY = re.compile(
    r"http://www\.wikidata\.org/entity/P\d+|"
    r".*#(?:\w*Property|Ontology)",
)

#: Where in an entry a name comes from; the loose keys come after.
_LABEL, _ALIAS, _LOOSE = 0, 1, 2

_LONGEST = 250  # characters of a name
_TOKENS = 8  # words of a name that is found in a text


_QUOTES = "\"'`´‘’‚‛“”„‟«»‹›「」『』"
_DASHES = re.compile("(?:(?<!\\s)\\s+)?[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+\\s*")
_LETTERS = re.compile(r"(?<!\S)(\w) (?=\w(?!\S))")
#: A word; the point belongs to initials and abbreviations like "U.S.A." only.
_WORD = re.compile(r"(?:\b[^\W\d_]\.)+(?!\w)|\w+(?:[.'’&-]+\w+){0,40}")

_SCHEMA_SQL = """
CREATE TABLE alias(norm TEXT, prior INTEGER, entity INTEGER, kind INTEGER, lang TEXT,
                   PRIMARY KEY(norm, prior DESC, entity)) WITHOUT ROWID;
CREATE TABLE entity(id INTEGER PRIMARY KEY, iri TEXT UNIQUE, label TEXT, description TEXT,
                    aliases TEXT, prior INTEGER, types TEXT, revision TEXT);
CREATE TABLE build(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
"""
#: What is read of the index.
_TABLES = {
    "alias": "norm, prior, entity, kind, lang",
    "entity": "id, iri, label, description, aliases, prior, types, revision",
    "build": "key, value",
}
#: What is read of the graph, before entities have numbers.
_STAGING = """
CREATE TEMP TABLE name(iri TEXT, text TEXT, kind INTEGER, place INTEGER, lang TEXT);
CREATE TEMP TABLE fact(iri TEXT, kind INTEGER, place INTEGER, text TEXT);
"""
_DESCRIPTION, _TYPE, _REVISION, _LINKS, _NONE = range(5)

#: Called with what is done, how much of it and how much there is to do.
Progress = Callable[[str, int, int], None]


@lru_cache(maxsize=65_536)
def normalise(name: str) -> str:
    """Return the key of a name: NFKC, casefolded, without outer quotes, "the" and possessive s."""
    text = unicodedata.normalize("NFKC", name).casefold()
    text = " ".join(unicodedata.normalize("NFKC", text).split()).replace("’", "'")
    text = _DASHES.sub("-", text).strip(_QUOTES + " ")
    text = text.removesuffix("'s").strip(_QUOTES + " ")
    return text.removeprefix("the ") or text


@lru_cache(maxsize=65_536)
def loosen(key: str) -> str:
    """Return the second key of a name, from the first: without punctuation and accents.

    Dashes are spaces, and initials stand together: "j. r. r. tolkien" is "jrr tolkien".
    """
    text = key
    if not key.isascii():
        parts = unicodedata.normalize("NFKD", key)
        text = "".join(part for part in parts if not unicodedata.combining(part))
    text = re.sub(r"[.'’]", lambda mark: " " if _parts(mark) else "", text)
    text = " ".join(re.sub(r"[^\w\s]|_", " ", text).split())
    return _LETTERS.sub(r"\1", text) or key


def _parts(mark: re.Match[str]) -> bool:
    # "u.s." is one word, "f.kennedy" is two.
    return mark[0] == "." and re.match(r"\w{2}", mark.string[mark.end() :]) is not None


def _is_name(text: str, kind: int) -> bool:
    """Return whether a name leads to its entity at all."""
    if not text or len(text) > _LONGEST or not re.search(r"\w", text):
        return False
    if kind == _LABEL:
        return True
    if text.isdecimal():
        return False
    return text == text.upper() or not (len(text) <= 2 or normalise(text) in NO_ALIASES)


def build_index(
    store: TripleStore,
    out: Path,
    *,
    languages: Collection[str] = ("en", "mul"),
    progress: Progress | None = None,
    facts: Mapping[str, str] | None = None,
) -> None:
    """Write the index of the names in a graph to a file, which must not be there yet.

    Names are rdfs:label, skos:prefLabel, schema:name, foaf:name, skos:altLabel and
    schema:alternateName, in one of the languages or in none. The prior of an entity is the number
    of its sitelinks. `facts` go to the table `build`.
    SourceError if the file cannot be written.
    """
    with new_database(out, _SCHEMA_SQL + _STAGING) as database:
        _stage(store, database, languages, progress or no_progress)
        _number(database)
        database.executemany("INSERT INTO build VALUES (?, ?)", sorted((facts or {}).items()))
        database.executescript("VACUUM")


def no_progress(what: str, done: int, total: int) -> None:
    """Show no progress."""


def _stage(
    store: TripleStore,
    database: sqlite3.Connection,
    languages: Collection[str],
    progress: Progress,
) -> None:
    """Read what the index is made of into the staging tables."""
    order = {tag.casefold(): place for place, tag in enumerate(languages)}
    steps = [
        *((_names(store, p, i, order), "name", 5) for i, p in enumerate((*LABELS, *ALIASES))),
        *((_described(store, p, i, order), "fact", 4) for i, p in enumerate(_DESCRIPTIONS)),
        *((_types(store, p), "fact", 4) for p in _TYPES),
        *((_numbers(store, p, kind), "fact", 4)
          for p, kind in ((_VERSION, _REVISION), (_SITELINKS, _LINKS))),
    ]  # fmt: skip
    for done, (rows, table, width) in enumerate(steps):
        progress("names", done, len(steps) + 1)
        marks = ", ".join("?" * width)
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - constants
    progress("names", len(steps), len(steps) + 1)


def _place(term: Literal, order: Mapping[str, int]) -> int | None:
    """Return where the language of a text stands in the order, None if it is not wanted."""
    if not term.language:
        return len(order)
    tag = term.language.casefold()
    return order.get(tag, order.get(tag.partition("-")[0]))


def _names(
    store: TripleStore, predicate: str, rank: int, order: Mapping[str, int]
) -> Iterator[tuple[str, str, int, int, str]]:
    kind = _LABEL if predicate in LABELS else _ALIAS
    for triple in store.triples(predicate=URIRef(predicate)):
        thing, term = triple.subject, triple.object
        if not isinstance(thing, URIRef) or not isinstance(term, Literal):
            continue
        place = _place(term, order)
        if place is not None and not _PROPERTY.fullmatch(thing):
            text = " ".join(_clean(term).split())
            # A label in the second language is an alias of the first.
            yield thing, text, kind, place * len(LABELS) + rank, term.language or ""


def _described(
    store: TripleStore, predicate: str, rank: int, order: Mapping[str, int]
) -> Iterator[tuple[str, int, int, str]]:
    for triple in store.triples(predicate=URIRef(predicate)):
        thing, term = triple.subject, triple.object
        if isinstance(thing, URIRef) and isinstance(term, Literal):
            place = _place(term, order)
            if place is not None:
                text = " ".join(_clean(term).split())[:_LONGEST]
                yield thing, _DESCRIPTION, place * len(_DESCRIPTIONS) + rank, text


def _types(store: TripleStore, predicate: str) -> Iterator[tuple[str, int, int, str]]:
    for triple in store.triples(predicate=URIRef(predicate)):
        thing, kind = triple.subject, triple.object
        if isinstance(thing, URIRef) and isinstance(kind, URIRef):
            if _PROPERTY.fullmatch(kind):
                yield thing, _NONE, 0, ""
            elif not str(kind).startswith(_BOOKKEEPING):
                yield thing, _TYPE, 0, str(kind)


def _numbers(store: TripleStore, predicate: str, kind: int) -> Iterator[tuple[str, int, int, str]]:
    """Yield a number of each entity, stated of it or of the document about it."""
    about = URIRef(_SCHEMA + "about")
    for triple in store.triples(predicate=URIRef(predicate)):
        text = str(triple.object)
        if isinstance(triple.subject, URIRef) and re.fullmatch(r"\d{1,18}", text, re.A):
            yield str(triple.subject), kind, 0, text
            for one in store.triples(triple.subject, about):
                yield str(one.object), kind, 0, text


def _number(database: sqlite3.Connection) -> None:
    """Fill the tables of the index from what was read."""
    database.executescript(
        "CREATE INDEX temp.name_iri ON name(iri, kind, place, text);"
        "CREATE INDEX temp.fact_iri ON fact(iri, kind, place, text);"
    )
    read = database.cursor()
    read.execute("SELECT iri, text, kind, place, lang FROM name ORDER BY iri, kind, place, text")
    current = ""
    names: list[tuple[str, int, str]] = []
    number = 0

    def close() -> None:
        nonlocal number
        if names and (entity := _entity(database, current, names)):
            number += 1
            database.execute(
                "INSERT INTO entity VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (number, *entity)
            )
            database.executemany(
                "INSERT INTO alias VALUES (?, ?, ?, ?, ?)", _entries(number, entity[4], names)
            )

    for iri, text, kind, _, language in read:
        if iri != current:
            close()
            current, names = iri, []
        names.append((text, kind, language))
    close()


def _entity(
    database: sqlite3.Connection, iri: str, names: list[tuple[str, int, str]]
) -> tuple[str, str, str, str, int, str, str] | None:
    """Return the row of an entity, None if it is a property."""
    facts: dict[int, list[str]] = {}
    for kind, text in database.execute(
        "SELECT kind, text FROM fact WHERE iri = ? ORDER BY kind, place, text", (iri,)
    ):
        facts.setdefault(kind, []).append(text)
    if _NONE in facts:
        return None
    label = names[0][0]
    others = dict.fromkeys(text for text, *_ in names if text != label)
    prior = max(map(int, facts.get(_LINKS, ["0"])))
    description = facts.get(_DESCRIPTION, [""])[0]
    types = "\n".join(dict.fromkeys(facts.get(_TYPE, [])))
    revision = max(facts.get(_REVISION, [""]), key=lambda text: (len(text), text))
    return iri, label, description, "\n".join(others), prior, types, revision


def _entries(
    number: int, prior: int, names: list[tuple[str, int, str]]
) -> Iterator[tuple[str, int, int, int, str]]:
    """Yield the keys of an entity, each once, as what it is first."""
    seen: dict[str, tuple[int, str]] = {}
    label = names[0][0]
    for text, kind, language in names:
        if _is_name(text, kind if text != label else _LABEL):
            key = normalise(text)
            seen[key] = min((kind, language), seen.get(key, (kind, language)))
    for key, (kind, language) in list(seen.items()):
        loose = loosen(key)
        if loose not in seen:
            seen[loose] = (kind + _LOOSE, language)
    for key, (kind, language) in seen.items():
        yield key, prior, number, kind, language


def _clean(text: str) -> str:
    # SQLite takes no lone surrogates, and a stored text may have them nowhere.
    return text.encode("utf-8", "replace").decode("utf-8")


def spot(text: str, known: Callable[[set[str]], Collection[str]]) -> list[tuple[int, int]]:
    """Return where names stand in a text, as (start, end) in characters.

    From left to right the longest of at most 8 words; none overlap. `known` says which keys of
    names (`normalise`, `loosen`) are those of a name.
    """
    words = [match.span() for match in _WORD.finditer(text)]
    keys = {}
    for first, (start, _) in enumerate(words):
        for last, (_, end) in enumerate(words[first : first + _TOKENS], first):
            if end - start <= _LONGEST:
                key = normalise(text[start:end])
                keys[first, last] = (key, loosen(key))
    found = frozenset(known({key for pair in keys.values() for key in pair}))
    spans = []
    first = 0
    while first < len(words):
        for last in range(first + _TOKENS - 1, first - 1, -1):
            if found.intersection(keys.get((first, last), ())):
                spans.append((words[first][0], words[last][1]))
                first = last
                break
        first += 1
    return spans


class AliasIndex:
    """An index of names, read only."""

    def __init__(self, path: Path) -> None:
        """Open the file; SourceError if it is not there or no such index."""
        if not path.is_file():
            raise SourceError("no index of names there", path=str(path))
        self.path = path
        self._database = open_tables(path, _TABLES, "an index of names")
        self.facts: Mapping[str, str] = dict(self._ask("SELECT key, value FROM build"))

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def sizes(self) -> tuple[int, int]:
        """Return how many entities and how many keys there are."""
        (entities,) = self._ask("SELECT count(*) FROM entity")[0]
        (keys,) = self._ask("SELECT count(*) FROM alias")[0]
        return int(entities), int(keys)

    def named(self, names: Iterable[str]) -> dict[str, tuple[Entity, ...]]:
        """Return what bears each name, the likeliest first, at most 30; no entry is empty names.

        A name is looked up as it is normalised, and loosely only where nothing bears it so.
        """
        found = {}
        for name in dict.fromkeys(names):
            key = normalise(name)
            rows = self._ask(_NAMED, (key,)) or self._ask(_NAMED, (loosen(key),))
            found[name] = tuple(map(_read, rows))
        return found

    def entity(self, iri: URIRef) -> Entity | None:
        """Return an entity by its IRI, None if the index does not have it."""
        rows = self._ask(f"{_SELECT} WHERE iri = ?", (str(iri),))
        return _read(rows[0]) if rows else None

    def spot(self, text: str) -> list[tuple[int, int]]:
        """Return where names stand in a text, as (start, end) in characters."""
        return spot(text, self._known)

    def _known(self, keys: Collection[str]) -> set[str]:
        asked = sorted(keys)
        found: set[str] = set()
        for start in range(0, len(asked), 500):
            part = asked[start : start + 500]
            marks = ", ".join("?" * len(part))
            # nothing but question marks goes into the text
            sql = f"SELECT DISTINCT norm FROM alias WHERE norm IN ({marks})"  # noqa: S608
            rows = self._ask(sql, part)
            found.update(key for (key,) in rows)
        return found

    def _ask(self, sql: str, values: Iterable[str] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._database.execute(sql, tuple(map(_clean, values))).fetchall()
        except sqlite3.Error as error:
            raise SourceError(f"the index cannot be read: {error}", path=str(self.path)) from None


_COLUMNS = "e.iri, e.label, e.description, e.aliases, e.prior, e.types, e.revision"
_SELECT = f"SELECT {_COLUMNS} FROM entity e"  # noqa: S608 - constants
_NAMED = (
    f"SELECT {_COLUMNS} FROM alias a JOIN entity e ON e.id = a.entity "  # noqa: S608 - constants
    f"WHERE a.norm = ? ORDER BY a.prior DESC, a.entity LIMIT {MOST}"
)


def _read(row: tuple[Any, ...]) -> Entity:
    iri, label, description, aliases, prior, types, revision = row
    return Entity(
        URIRef(str(iri)),
        str(label),
        str(description),
        tuple(filter(None, str(aliases).split("\n"))),
        tuple(map(URIRef, filter(None, str(types).split("\n")))),
        int(prior),
        str(revision),
    )
