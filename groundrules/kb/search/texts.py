"""The texts of a graph: what is said of each thing in words, in passages that can be found."""

from __future__ import annotations

import re
import sqlite3
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, URIRef

from groundrules.dataset import TripleStore
from groundrules.domain import Domain, domains
from groundrules.kb.sources.profile import ALIASES

#: Words of a passage: as many as the encoder reads at once, with room for long ones.
WORDS = 150
#: Runs of letters or of digits in an identifier, and characters of it.
RUNS, _LONGEST = 10, 64

_SENTENCE = re.compile(r"(?<=[.;:!?])\s+")
_RUN = re.compile(r"[0-9]+|[^\W\d_]+")
_GAP = re.compile(r"[\s.,/:()§#–-]{0,3}")
_LAYOUT = Path(__file__).with_suffix(".sql").read_text("utf-8")
#: What is no thing that a question is about.
_PROPERTIES = (
    RDF.Property, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty,
    URIRef("http://wikiba.se/ontology#Property"),
)  # fmt: skip
#: Aliases that a description is read with.
_ALIASES = 5


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What retrieval reads of a graph (`retrieval.toml`, here and of each domain).

    Relations that are "^" lead back; `wholes` lead from the part of a record to the whole, which
    `numbers` tell apart; `short` relations say in few words what a thing is.
    """

    names: tuple[str, ...]
    descriptions: tuple[str, ...]
    texts: tuple[str, ...]
    identifiers: tuple[str, ...]
    hidden: tuple[str, ...]
    wholes: tuple[str, ...]
    numbers: tuple[str, ...]
    short: tuple[str, ...]
    first: tuple[str, ...]
    relations: Mapping[str, tuple[str, ...]]

    def hides(self, predicate: str) -> bool:
        """Return whether a predicate is no part of a neighbourhood."""
        name = str(predicate)  # a URIRef is equal to no str
        return any(
            name == one or (one.endswith("*") and name.startswith(one[:-1])) for one in self.hidden
        )


_OWN = Path(__file__).parent / "retrieval.toml"


@cache
def _data(path: Path) -> Any:
    return tomllib.loads(path.read_text("utf-8"))


def _prefixes() -> Mapping[str, str]:
    known: dict[str, str] = dict(_data(_OWN)["prefixes"])
    for domain in domains():
        known |= domain.prefixes
    return known


def expand(name: str) -> str:
    """Return the IRI of a relation, with its "^"; a prefix may be one of a domain.

    ValueError for what is neither an IRI nor begins with such a prefix.
    """
    back, short = ("^", name[1:]) if name.startswith("^") else ("", name)
    prefix, _, local = short.partition(":")
    known = _prefixes()
    if prefix in known:
        return f"{back}{known[prefix]}{local}"
    if not re.match(r"[a-z][a-z0-9+.-]*:[^\s<>\"{}|^`\\]+$", short, re.I | re.A):
        raise ValueError(f"{name!r} is neither an IRI nor begins with {', '.join(known)}")
    return name


def vocabulary() -> Vocabulary:
    """Return what retrieval reads of a graph."""
    return _vocabulary(domains())


@cache
def _vocabulary(known: tuple[Domain, ...]) -> Vocabulary:
    theirs = [_data(domain.retrieval) for domain in known if domain.retrieval]
    # what only a field has tells better of identifiers
    tables = {"identifiers": [*theirs, _data(_OWN)]}

    def listed(key: str) -> tuple[str, ...]:
        every = tables.get(key, [_data(_OWN), *theirs])
        return tuple(expand(name) for table in every for name in table.get(key, ()))

    relations = {
        expand(kind): tuple(map(expand, told))
        for table in (_data(_OWN), *theirs)
        for kind, told in table.get("relations", {}).items()
    }
    lists = (one.name for one in fields(Vocabulary) if one.name != "relations")
    return Vocabulary(**{name: listed(name) for name in lists}, relations=relations)


def passages(text: str) -> Iterator[tuple[int, int]]:
    """Yield a text as ranges of at most 150 words that end with sentences where they can."""
    start = end = count = 0
    for low, high in _sentences(text):
        words = len(text[low:high].split())
        if count and count + words > WORDS:
            yield start, end
            count = 0
        if not count:
            start = low
        end, count = high, count + words
    if count:
        yield start, end


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of sentences; of a longer one those of 150 words each."""
    ends = [mark.span() for mark in _SENTENCE.finditer(text)]
    start = 0
    for low, high in (*ends, (len(text), len(text))):
        words = list(re.finditer(r"\S+", text[start:low]))
        for at in range(0, len(words), WORDS):
            part = words[at : at + WORDS]
            yield start + part[0].start(), start + part[-1].end()
        start = high


def key(text: str) -> str:
    """Return an identifier as it is compared: its letters and digits; empty if it is none.

    One has a digit, six if it has no letters, and at most ten runs of letters or digits with
    nothing but a little punctuation between them.
    """
    text = unicodedata.normalize("NFKC", text[:200])
    runs = list(_RUN.finditer(text))
    gaps = (text[a.end() : b.start()] for a, b in pairwise(runs))
    apart = len(runs) > RUNS or not all(map(_GAP.fullmatch, gaps))
    return "" if apart else _joined(run[0] for run in runs)


def _joined(runs: Iterable[str]) -> str:
    found = "".join(runs).casefold()
    if not 3 <= len(found) <= _LONGEST or not any("0" <= c <= "9" for c in found):
        return ""
    return found if len(found) >= 6 or not found.isdecimal() else ""


def keys(text: str) -> dict[str, tuple[int, int]]:
    """Return what may be an identifier in a text, with the first place of each.

    Leading zeros may be left out.
    """
    found: dict[str, tuple[int, int]] = {}
    text = unicodedata.normalize("NFKC", text[:20_000])
    runs = list(_RUN.finditer(text))
    figures = [run[0][0] in "0123456789" for run in runs]
    for first in range(len(runs)):
        if not any(figures[first : first + RUNS]):
            continue
        parts: list[str] = []
        for run in runs[first : first + RUNS]:
            if parts and not _GAP.fullmatch(text, runs[first + len(parts) - 1].end(), run.start()):
                break
            parts.append(run[0])
            if not any(figures[first : first + len(parts)]):
                continue
            place = (runs[first].start(), run.end())
            for one in (_joined(parts), _joined([parts[0].lstrip("0"), *parts[1:]])):
                if one:
                    found.setdefault(one, place)
    return found


def collect(store: TripleStore, database: sqlite3.Connection, languages: Collection[str]) -> None:
    """Read the texts of a graph into the temporary tables `wanted` and `named`.

    A thing has one text of its name and description, and one for each passage of its others. Of a
    property, and of what has no IRI, nothing is read.
    """
    database.executescript(_LAYOUT)
    told, tags = vocabulary(), {tag.casefold() for tag in languages}
    for predicate in (*told.names, *ALIASES, *told.descriptions, *told.texts):
        found = (triple.subject for triple in store.triples(predicate=URIRef(predicate)))
        things = ((str(one),) for one in found if isinstance(one, URIRef))
        database.executemany("INSERT OR IGNORE INTO thing VALUES (?)", things)
    insert = "INSERT INTO wanted VALUES (?, ?, ?, ?, ?, ?)"
    name = "INSERT INTO named VALUES (?, ?, ?)"
    for (node,) in database.execute("SELECT iri FROM thing ORDER BY iri"):
        kinds = (triple.object for triple in store.triples(URIRef(node), RDF.type))
        texts = () if any(one in _PROPERTIES for one in kinds) else _of_one(store, node, tags)
        rows = [(node, place, *text) for place, text in enumerate(texts)]
        database.executemany(insert, rows)
        if rows and (tail := key(re.split("[/#:]", node)[-1])):
            database.execute(name, (tail, node, ""))
    for predicate in told.identifiers:
        for triple in store.triples(predicate=URIRef(predicate)):
            bears = isinstance(triple.subject, URIRef) and isinstance(triple.object, Literal)
            if bears and (number := key(str(triple.object))):
                database.execute(name, (number, str(triple.subject), predicate))


def _of_one(
    store: TripleStore, node: str, tags: Collection[str]
) -> Iterator[tuple[str, int, str, str]]:
    """Yield the texts of a thing: predicate, start in the literal, title, body."""

    def said(*predicates: str) -> list[tuple[str, str]]:
        return [
            (predicate, body)
            for predicate in predicates
            for body in sorted(_literals(store, node, predicate, tags))
        ]

    told = vocabulary()
    labels = [" ".join(body.split()) for _, body in said(*told.names)]
    others = dict.fromkeys((*labels, *(" ".join(body.split()) for _, body in said(*ALIASES))))
    title = (labels or [""])[0][:250]
    also = [one for one in others if one != title and not re.search(r"\d", one)][:_ALIASES]
    texts = said(*told.texts)
    first, described = (said(*told.descriptions) or [("", "")])[0]
    described = "" if described == title else described
    if described or (title and not texts):
        shown = f" ({', '.join(also)})" if also else ""
        for low, high in list(passages(described)) or [(0, 0)]:
            yield first, low, title + shown, described[low:high]
    for predicate, body in dict.fromkeys(texts):
        for low, high in passages(body):
            yield predicate, low, title, body[low:high]


def _literals(
    store: TripleStore, node: str, predicate: str, tags: Collection[str]
) -> Iterator[str]:
    for triple in store.triples(URIRef(node), URIRef(predicate)):
        text = triple.object
        if isinstance(text, Literal):
            language = (text.language or "").casefold()
            body = str(text).encode("utf-8", "replace").decode().replace("\0", " ")
            if body.strip() and (not language or {language, language.partition("-")[0]} & {*tags}):
                yield body
