"""Names to entities: an index of labels and aliases in one SQLite file.

A name is looked up by two keys: normalised, and then loosely, without punctuation and accents.
Both are stored, so that a look-up is one search of the primary key.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english.fillers import NO_ALIASES
from groundrules.dataset import TripleStore
from groundrules.errors import SourceError
from groundrules.kb.sources.profile import (
    ALIASES,
    BOOKKEEPING,
    DESCRIPTIONS,
    LABELS,
    SCHEMA,
    SITELINKS,
    TYPES,
)
from groundrules.kb.sources.source import Entity
from groundrules.sqlite import new_database, open_tables

#: How many entities a name leads to at most.
MOST = 30

_VERSION = SCHEMA.version
_READ = (*LABELS, *ALIASES, *DESCRIPTIONS, *TYPES, _VERSION, SITELINKS)
#: What is no thing that a text means.
_PROPERTY = re.compile(
    r"http://www\.wikidata\.org/entity/P\d+|"
    r".*#(?:\w*Property|Ontology)"
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

_LAYOUT = Path(__file__).with_suffix(".sql").read_text("utf-8")
#: What is read of the index.
_TABLES = {
    "alias": "norm, prior, entity, kind, lang",
    "entity": "id, iri, label, description, aliases, prior, types, revision",
    "build": "key, value",
}
#: A name, whether it is a label or an alias, and its language.
_Name = tuple[str, int, str]

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
    order = {tag.casefold(): place for place, tag in enumerate(languages)}
    with new_database(out, _LAYOUT) as database:
        _fill(store, database, order, progress or no_progress)
        database.executemany("INSERT INTO build VALUES (?, ?)", sorted((facts or {}).items()))
        database.executescript("VACUUM")


def no_progress(what: str, done: int, total: int) -> None:
    """Show no progress."""


def _fill(
    store: TripleStore, database: sqlite3.Connection, order: Mapping[str, int], progress: Progress
) -> None:
    """Write what each thing that has a name is called and what it is."""
    for predicate in (*LABELS, *ALIASES):
        found = (triple.subject for triple in store.triples(predicate=predicate))
        things = ((str(one),) for one in found if isinstance(one, URIRef))
        database.executemany("INSERT OR IGNORE INTO thing VALUES (?)", things)
    (total,) = database.execute("SELECT count(*) FROM thing").fetchone()
    number = 0
    for done, (iri,) in enumerate(database.execute("SELECT iri FROM thing ORDER BY iri")):
        if not done % 10_000:
            progress("names", done, total)
        if entity := _entity(store, URIRef(iri), order):
            number += 1
            row, names = entity
            database.execute("INSERT INTO entity VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (number, *row))
            database.executemany(
                "INSERT INTO alias VALUES (?, ?, ?, ?, ?)", _entries(number, row[4], names)
            )
    progress("names", total, total)


def _entity(
    store: TripleStore, iri: URIRef, order: Mapping[str, int]
) -> tuple[tuple[str, str, str, str, int, str, str], list[_Name]] | None:
    """Return the row of an entity and its names, labels first; None if it is a property."""
    told = {key: [t.object for t in store.triples(iri, key)] for key in _READ}
    for document in store.triples(predicate=SCHEMA.about, object=iri):
        for predicate in (_VERSION, SITELINKS):  # stated of the document about it
            stated = store.triples(document.subject, predicate)
            told[predicate] += [triple.object for triple in stated]
    types = [str(o) for key in TYPES for o in told[key] if isinstance(o, URIRef)]
    labels = _texts(told, LABELS, order)
    names = [(text, _LABEL, language) for text, language in labels]
    names += [(text, _ALIAS, language) for text, language in _texts(told, ALIASES, order)]
    if not names or any(map(_PROPERTY.fullmatch, (iri, *types))):
        return None
    label = names[0][0]
    others = dict.fromkeys(text for text, *_ in names if text != label)
    description = next((text[:_LONGEST] for text, _ in _texts(told, DESCRIPTIONS, order)), "")
    kinds = sorted({one for one in types if not one.startswith(BOOKKEEPING)})
    revision = max(_numbers(told, _VERSION), default="", key=lambda text: (len(text), text))
    prior = max(map(int, _numbers(told, SITELINKS)), default=0)
    row = str(iri), label, description, "\n".join(others), prior, "\n".join(kinds), revision
    return row, names


def _texts(
    told: Mapping[URIRef, list[Node]], predicates: Sequence[URIRef], order: Mapping[str, int]
) -> list[tuple[str, str]]:
    """Return texts with their languages, those of the best language and predicate first.

    A label in the second language comes behind all in the first, whatever its predicate.
    """
    found = (
        (place, rank, " ".join(_clean(term).split()), term.language or "")
        for rank, predicate in enumerate(predicates)
        for term in told[predicate]
        if isinstance(term, Literal) and (place := _place(term, order)) is not None
    )
    return [(text, language) for _, _, text, language in sorted(found)]


def _place(term: Literal, order: Mapping[str, int]) -> int | None:
    """Return where the language of a text stands in the order, None if it is not wanted."""
    if not term.language:
        return len(order)
    tag = term.language.casefold()
    return order.get(tag, order.get(tag.partition("-")[0]))


def _numbers(told: Mapping[URIRef, list[Node]], predicate: URIRef) -> list[str]:
    texts = map(str, told[predicate])
    return [text for text in texts if re.fullmatch(r"\d{1,18}", text, re.A)]


def _entries(
    number: int, prior: int, names: list[_Name]
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
