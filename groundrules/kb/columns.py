"""The columns of a graph: which classes its things are of, and what is stated of them by which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from rdflib.namespace import RDF
from rdflib.term import URIRef

from groundrules.claims.english.asking import OF_COLUMNS, VERB_FORMS
from groundrules.claims.english.stems import uninflected
from groundrules.kb.link.properties import local_name
from groundrules.kb.questions import UnansweredError
from groundrules.kb.source import Fault, Graph, KnowledgeSource, Property, Query

_STATED = "SELECT DISTINCT ?p ?c WHERE { ?s a ?c ; ?p ?o }"
_HELD = "SELECT DISTINCT ?p ?c WHERE { ?s ?p ?o . ?o a ?c }"
#: Endings by which a verb becomes who does it, or what comes of it.
_ENDINGS = ("ation", "ment", "ion", "or", "er")
#: The shortest that a word may be without one.
_SHORTEST = 3
#: Who something is done to is not who does it: "employee", "employer".
_PATIENT = re.compile(r"\w{3,}ees?$")


@dataclass(frozen=True, slots=True)
class Column:
    """A property as a column: what it is called, and of which classes are those that have it.

    `names` are what it is called as `key` has it, `words` as it stands, in small letters and in the
    singular. `values` are the classes of the things it leads to.
    """

    iri: URIRef
    label: str
    known: Property
    names: tuple[tuple[str, ...], ...]
    words: tuple[tuple[str, ...], ...] = ()
    rows: frozenset[URIRef] = frozenset()
    values: frozenset[URIRef] = frozenset()

    @property
    def kind(self) -> str:
        """The kind of its values: an item, a time, a quantity or a text."""
        return self.known.kind


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a graph and its classes, these by what they are called."""

    all: tuple[Column, ...] = ()
    classes: Mapping[tuple[str, ...], tuple[URIRef, ...]] = field(default_factory=dict)
    labels: Mapping[URIRef, str] = field(default_factory=dict)

    def of(self, rows: Iterable[URIRef]) -> tuple[Column, ...]:
        """Return the columns that things of some classes have."""
        wanted = frozenset(rows)
        return tuple(one for one in self.all if not wanted.isdisjoint(one.rows))


def read_columns(graph: Graph, source: KnowledgeSource) -> Columns:
    """Return the columns of a graph of plain RDF; one modelled as Wikidata has none.

    Raises:
        UnansweredError: it could not be asked.
    """
    if source.capabilities().ranks:
        return Columns()
    known = source.properties()
    rows, values = (_used(graph, text) for text in (_STATED, _HELD))
    used = sorted(iri for iri in known if iri in rows and iri != RDF.type)
    found = tuple(
        Column(
            iri,
            known[iri].label or local_name(iri),
            known[iri],
            tuple(dict.fromkeys(filter(None, map(key, _called(iri, known[iri]))))),
            tuple(dict.fromkeys(map(_plain, _called(iri, known[iri])))),
            rows[iri],
            values.get(iri, frozenset()),
        )
        for iri in used
    )
    kinds = sorted({one for some in (*rows.values(), *values.values()) for one in some})
    told = source.resolve(kinds) if kinds else {}
    labels = {
        one: (entity.label if not isinstance(entity := told.get(one), Fault | None) else "")
        or local_name(one)
        for one in kinds
    }
    classes: dict[tuple[str, ...], list[URIRef]] = {}
    for one, label in labels.items():
        classes.setdefault(key(label), []).append(one)
    return Columns(found, {name: tuple(some) for name, some in classes.items()}, labels)


def _used(graph: Graph, text: str) -> dict[URIRef, frozenset[URIRef]]:
    answer = graph.select(Query(text))
    for fault in answer.faults.values():
        raise UnansweredError(fault)
    found: dict[URIRef, set[URIRef]] = {}
    for row in answer.rows:
        if isinstance(row["p"], URIRef) and isinstance(row["c"], URIRef):
            found.setdefault(row["p"], set()).add(row["c"])
    return {one: frozenset(some) for one, some in found.items()}


def _called(iri: URIRef, known: Property) -> tuple[str, ...]:
    return tuple(filter(None, (known.label, local_name(iri), *known.aliases)))


def _plain(name: str) -> tuple[str, ...]:
    return tuple(word.removesuffix("s") for word in re.findall(r"[^\W\d_]+", name.lower()))


def key(name: str) -> tuple[str, ...]:
    """Return what the words of a column's name share with what questions call it."""
    words = re.findall(r"[^\W\d_]+", name.lower())
    told = [word for word in words if word not in OF_COLUMNS] or words
    return tuple(base(word) for word in told)


@cache
def base(word: str) -> str:
    """Return a small word without its inflection, and a doer or a deed without the ending.

    So "keeper", "kept" and "keeps" meet, "incorporation" and "incorporated".
    """
    if _PATIENT.match(word):
        return word.removesuffix("s")
    stem = uninflected(VERB_FORMS.get(word, word))
    for ending in _ENDINGS:
        if stem.endswith(ending) and len(stem) - len(ending) >= _SHORTEST:
            return stem.removesuffix(ending).removesuffix("at")
    return stem.removesuffix("at") if len(stem) > _SHORTEST + 2 else stem


def matching(columns: Sequence[Column], said: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns that words name: whole, or by a part of the name as it stands there.

    "Who leads it" is not said of a "lead author", "the lead" may be.
    """
    wanted = tuple(base(word) for word in said)
    whole = tuple(one for one in columns if wanted in one.names)
    if whole:
        return whole
    plain = tuple(word.removesuffix("s") for word in said)
    return tuple(
        one
        for one in columns
        if any(
            plain == name[start : start + len(plain)]
            for name in one.words
            for start in range(len(name))
        )
    )
