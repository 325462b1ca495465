"""What a graph says in words about a question: by identifier, by words and by meaning.

An index of texts is one SQLite file beside the store it was built from: the texts, BM25 over them
(FTS5), their identifiers and their vectors.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rdflib.term import URIRef

from groundrules.claims.english.fillers import OF_QUESTIONS
from groundrules.errors import SourceError
from groundrules.kb.link.aliases import Progress, no_progress
from groundrules.kb.search.texts import collect, keys, vocabulary
from groundrules.kb.search.vectors import LAYOUT, SqliteVectors
from groundrules.kb.sources.triplestore import StoreGraph
from groundrules.models.encoder import embedded
from groundrules.sqlite import new_database, open_tables

if TYPE_CHECKING:
    from groundrules.models.encoder import OnnxEncoder, Vectors

#: Where the index of a store is.
TEXTS = "texts.sqlite"
#: What the vectors count beside the words, and how slowly ranks lose weight (Cormack et al. 2009
#: have 60): chosen on half of 881 questions on patents and Wikidata.
WEIGHT, FLAT = 0.3, 1
#: How many things each of the two ways gives, and texts it is asked for.
_DEEP, _ASKED = 100, 200
#: Words of a question that are looked for: the longest, which are the rarest, for BM25 looks at
#: each text that has one.
_WORDS = 24
#: Texts that are encoded at a time.
_BATCH = 1024
_SCHEMA = "2"
_LAYOUT = Path(__file__).with_suffix(".sql").read_text("utf-8") + LAYOUT
#: What is read of it.
_COLUMNS = {
    "text": "id, node, place, predicate, start, title, body", "words": "rowid, rank",
    "identifier": "key, node, predicate", "vector": "id, vector", "state": "key, value",
}  # fmt: skip
_FILLED = (
    "INSERT INTO text(node, place, predicate, start, title, body) "
    "SELECT node, place, predicate, start, title, body FROM wanted ORDER BY node, place",
    "INSERT INTO words(rowid, title, body) SELECT id, title, body FROM text",
    "INSERT INTO words(words) VALUES ('optimize')",
    "INSERT OR IGNORE INTO identifier SELECT key, node, predicate FROM named",
)
_TERM = re.compile(r"\w+")

How = Literal["identifier", "words", "vectors", "both"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that was found, with the text of it that fits best.

    `predicate` and `start` say of which literal the text is a passage; `how` it was found;
    `similarity` is the cosine of question and text, None where the vectors did not find it.
    """

    node: URIRef
    how: How
    score: float
    title: str
    text: str
    predicate: str = ""
    start: int = 0
    similarity: float | None = None


def index_texts(
    graph: StoreGraph,
    out: Path,
    *,
    languages: Collection[str] = ("en", "mul"),
    progress: Progress | None = None,
) -> None:
    """Write the index of the texts of a graph, in the place of one that is there.

    Raises:
        SourceError: the file cannot be written.
        ModelError: the encoder cannot be loaded.
    """
    report = progress or no_progress
    encoder = embedded()
    with new_database(out, _LAYOUT) as database:
        report("texts", 0, 1)
        collect(graph.store, database, languages)
        for sql in _FILLED:
            database.execute(sql)
        rows = database.execute("SELECT id, predicate, title, body FROM text").fetchall()
        rows.sort(key=lambda row: (len(row[3]), row[3], row[0]))  # of one length in one run
        vectors = SqliteVectors(database, str(out))
        for first in range(0, len(rows), _BATCH):
            part = rows[first : first + _BATCH]
            shown = [_encoded(*row[1:]) for row in part]
            # records repeat each other: a claim stands in the application and in the patent
            each = {text: place for place, text in enumerate(dict.fromkeys(shown))}
            found = encoder.encode(list(each))[[each[text] for text in shown]]
            vectors.add([number for number, *_ in part], found)
            report("vectors", first + len(part), len(rows))
        state = {"schema": _SCHEMA, "model": encoder.digest, "digest": graph.digest}
        database.executemany("INSERT INTO state VALUES (?, ?)", state.items())


def _encoded(predicate: str, title: str, body: str) -> str:
    """Return what the vector of a text is of: a description is read with the name."""
    if predicate in vocabulary().texts:
        return body
    return f"{title}: {body}" if title and body else title or body


class TextIndex:
    """An index of texts, read only."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            SourceError: it is not there, is no such index or is damaged, or is of another encoder
                than the one that questions are encoded by.
            ModelError: the encoder cannot be loaded.
        """
        if not path.is_file():
            raise SourceError(
                f"no index of texts there; run: groundrules kb index {path.parent} --texts",
                path=str(path),
            )
        self.path = path
        self._encoder = embedded()
        self._database = open_tables(path, _COLUMNS, "an index of texts")
        self._database.execute("PRAGMA cache_size = -65536")  # 64 MB
        self.state: Mapping[str, str] = dict(self._ask("SELECT key, value FROM state"))
        if (self.state["schema"], self.state["model"]) != (_SCHEMA, self._encoder.digest):
            raise SourceError("of another version or encoder; delete it and index anew",
                              path=str(path))  # fmt: skip
        self.vectors = SqliteVectors(self._database, str(path))

    @property
    def digest(self) -> str:
        """The digest of the store whose texts these are."""
        return self.state["digest"]

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def sizes(self) -> tuple[int, int]:
        """Return how many texts there are, and of how many things."""
        texts, things = self._ask("SELECT count(*), count(DISTINCT node) FROM text")[0]
        return texts, things

    def encode(self, question: str) -> Vectors:
        """Return the vector of a question, (384,), which cannot be written to."""
        return _vector(self._encoder, question)

    def search(
        self,
        question: str,
        most: int = 10,
        *,
        vector: Vectors | None = None,
        weight: float = WEIGHT,
    ) -> list[Hit]:
        """Return what fits a question best, the best first.

        What bears an identifier of the question is first. The rest is what BM25 and the vectors
        find, fused by reciprocal rank; `weight` is that of the vectors, 0 is BM25 alone and 1 the
        vectors alone. `vector` spares encoding the question.

        Source: Cormack, Clarke and Büttcher 2009, Reciprocal Rank Fusion.
        """
        named = self._identified(question)
        by_words = self._by_words(question, named.values()) if weight < 1 else {}
        cosines: dict[int, float] = {}
        if weight > 0:
            sought = self.encode(question) if vector is None else vector
            cosines = dict(self.vectors.search(sought, _ASKED))
        rows = self._rows([*by_words, *cosines])
        found = {
            node: Hit(URIRef(node), "identifier", 2.0 - place / 1000, *self._head(node))
            for place, node in enumerate(dict.fromkeys(named))
        }
        fused: dict[str, Hit] = {}
        ways: tuple[tuple[How, float, dict[str, int]], ...] = (
            ("words", 1 - weight, _first(rows, by_words)),
            ("vectors", weight, _first(rows, cosines)),
        )
        for how, share, ranked in ways:
            for place, (node, number) in enumerate(list(ranked.items())[:_DEEP], 1):
                score = share / (FLAT + place)
                if node in fused:
                    old = fused[node]
                    fused[node] = replace(
                        old, how="both", score=old.score + score, similarity=cosines.get(number)
                    )
                else:
                    fused[node] = _hit(rows[number], how, score, cosines.get(number))
        for node in [node for node in found if node in fused]:
            found[node] = replace(fused.pop(node), how="identifier", score=found[node].score)
        others = sorted(fused.values(), key=lambda hit: (-hit.score, hit.node))
        return [*found.values(), *others][:most]

    def identified(self, question: str) -> list[URIRef]:
        """Return what bears an identifier of a question, the likeliest first."""
        return [URIRef(node) for node in self._identified(question)]

    def similarities(self, vector: Vectors, nodes: Iterable[URIRef]) -> dict[URIRef, float]:
        """Return the cosine of a vector and the nearest text of each thing that has one."""
        owners = {
            number: URIRef(node)
            for number, node in self._ask(
                "SELECT id, node FROM text WHERE node IN (SELECT value FROM json_each(?))",
                (json.dumps(sorted(map(str, set(nodes)))),),
            )
        }
        found: dict[URIRef, float] = {}
        for number, cosine in self.vectors.search(vector, len(owners), among=owners):
            found.setdefault(owners[number], cosine)
        return found

    def passage(self, vector: Vectors, node: URIRef, predicate: str) -> str:
        """Return the passage of a long text that a vector is nearest to, empty if there is none."""
        rows = dict(
            self._ask(
                "SELECT id, body FROM text WHERE node = ? AND predicate = ?", (str(node), predicate)
            )
        )
        best = self.vectors.search(vector, 1, among=rows)
        return str(rows[best[0][0]]) if best else ""

    def _identified(self, question: str) -> dict[str, str]:
        """Return what bears an identifier of the question, with it.

        An identifier within a longer one does not count; the things of one are sorted by how close
        before it the question has a word of the property's name.
        """
        found = keys(question)
        rows = self._ask(
            "SELECT key, node, predicate FROM identifier "
            "WHERE key IN (SELECT value FROM json_each(?))",
            (json.dumps(list(found)),),
        )
        places = {found[one] for one, *_ in rows}
        inner = {
            a for a in places for b in places
            if a != b and b[0] <= a[0] and a[1] <= b[1]
        }  # fmt: skip
        kept = [row for row in rows if found[row[0]] not in inner]
        kept.sort(key=lambda row: (found[row[0]], _far(question, found[row[0]][0], row[2]), row[1]))
        bearers: dict[str, str] = {}
        for one, node, _ in kept:
            bearers.setdefault(node, one)
        return bearers

    def _by_words(self, question: str, also: Iterable[str]) -> dict[int, float]:
        """Return the texts that BM25 finds for the words of a question, best first."""
        words = [w for w in _TERM.findall(question[:20_000]) if w.casefold() not in OF_QUESTIONS]
        known = dict.fromkeys([*also, *sorted(words, key=len, reverse=True)])
        match = " OR ".join(f'"{w.encode("utf-8", "replace").decode()}"' for w in [*known][:_WORDS])
        sql = "SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        found = self._ask(sql, (match, _ASKED)) if match else ()
        return {number: -float(rank) for number, rank in found}

    def _rows(self, numbers: Sequence[int]) -> dict[int, _Row]:
        sql = """SELECT id, node, predicate, start, title, body FROM text
                 WHERE id IN (SELECT value FROM json_each(?))"""
        found = self._ask(sql, (json.dumps(sorted(set(numbers))),))
        return {number: tuple(row) for number, *row in found}

    def _head(self, node: str) -> tuple[str, str]:
        sql = "SELECT title, body FROM text WHERE node = ? ORDER BY place LIMIT 1"
        title, body = next(iter(self._ask(sql, (node,))), ("", ""))
        return title, body

    def _ask(self, sql: str, values: Sequence[str | int] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._database.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise SourceError(f"the index cannot be read: {error}", path=str(self.path)) from None


_Row = tuple[str, str, int, str, str]


@lru_cache(maxsize=64)  # a question is searched for, and then weighed against what is near
def _vector(encoder: OnnxEncoder, question: str) -> Vectors:
    vector: Vectors = encoder.encode([question])[0]
    vector.setflags(write=False)
    return vector


def _first(rows: Mapping[int, _Row], ranked: Mapping[int, float]) -> dict[str, int]:
    """Return the things of ranked texts, each with its first text, in their order."""
    found: dict[str, int] = {}
    for number in ranked:
        if number in rows:
            found.setdefault(rows[number][0], number)
    return found


def _hit(row: _Row, how: How, score: float, similarity: float | None) -> Hit:
    node, predicate, start, title, body = row
    return Hit(URIRef(node), how, score, title, body, predicate, start, similarity)


def _far(question: str, start: int, predicate: str) -> int:
    """Return how many words before a place a word of a property's name stands, 99 for none."""
    name = re.split(r"[/#]", predicate)[-1]
    parts = [part.casefold() for part in re.findall(r"[A-Z]?[a-z]+", name)]
    before = [word.casefold() for word in _TERM.findall(question[max(0, start - 80) : start])]
    for far, word in enumerate(reversed(before[-6:])):
        if len(word) >= 3 and any(part.startswith(word) or word == part for part in parts):
            return far
    return 99


def open_texts(graph: object) -> TextIndex | None:
    """Return the index of the texts of a store, None for what is no store that `kb build` made.

    SourceError if there is none, or if the store was built anew since.
    """
    if not isinstance(graph, StoreGraph) or graph.names is None:
        return None
    index = TextIndex(Path(graph.names).parent / TEXTS)
    if index.digest != graph.digest:
        raise SourceError(
            "the store has changed since; groundrules kb index --texts brings it up to date",
            path=str(index.path),
        )
    return index
