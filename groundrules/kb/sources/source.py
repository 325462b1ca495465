"""What a source of facts is, and what can come of asking one.

Two layers: a `Graph` answers SELECTs (an embedded store, an endpoint); a `KnowledgeSource` answers
in statements (`wikidata.py` and `rdf.py`, each over any Graph). A failed look-up is never
evidence: every answer says whether it is one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from enum import StrEnum
from operator import add, sub
from typing import Literal as OneOf
from typing import Protocol

from rdflib.term import Node, URIRef

from groundrules.errors import SourceError

Row = Mapping[str, Node]
#: A row of a VALUES block.
Item = tuple[Node, ...]


class Status(StrEnum):
    """What came of asking; only the first two say anything of the world."""

    OK = "ok"
    EMPTY = "empty"  # asked, and nothing is there
    ERROR = "error"  # could not ask
    NOT_IN_SNAPSHOT = "not_in_snapshot"  # offline, and this was never asked
    SKIPPED = "skipped"  # not asked: the budget is spent, or the source refused us before

    @property
    def answered(self) -> bool:
        """Whether the source was asked and said what it has."""
        return self in (Status.OK, Status.EMPTY)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an item has no answer.

    `code` is THROTTLED, BANNED, UA_REJECTED, QUERY_TIMEOUT, TRUNCATED, BAD_QUERY, OVERLOADED,
    NETWORK, NOT_SPARQL, TOO_LARGE, NO_DEFAULT_GRAPH, BUDGET or NOT_IN_SNAPSHOT; `message` says it
    in a line.
    """

    status: Status
    code: str
    message: str = ""

    def error(self, kb: str) -> SourceError:
        """Return the error that a knowledge base did not answer."""
        return SourceError(f"{self.message or 'not answered'} ({self.code})", path=kb)


#: What is good for so many days is on a knowledge base as such; it is asked once and remembered.
LASTING = 30


@dataclass(frozen=True, slots=True)
class Query:
    """A SPARQL 1.1 SELECT over blocks of terms.

    The text has `VALUES (?s ?p) { $pairs }` or `VALUES ?s { $subjects }`; `values` gives the rows
    of each block. A graph may split the rows of the block `batch`, at most `size` a request, and
    puts the rows of the answers together; the query must allow that. Rows whose length is not that
    of their block, and terms that no SPARQL can hold, are a ValueError. `days` is how long a cache
    may give the answer: a day for statements, 7 for types, 30 for properties.
    """

    text: str
    values: Mapping[str, Sequence[Item]] = field(default_factory=dict)
    batch: str = ""
    size: int = 500
    days: float = 1.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of a query, and the items of its batch that were not answered, each with its fault.

    A query without a batch has one item, (). `retrieved` is when the oldest response was fetched
    (ISO 8601, UTC; empty for a local store).
    """

    rows: tuple[Row, ...] = ()
    faults: Mapping[Item, Fault] = field(default_factory=dict)
    retrieved: str = ""


@dataclass(frozen=True, slots=True)
class Calls:
    """What asking has cost so far; `cached` counts answers that needed no request."""

    requests: int = 0
    cached: int = 0
    sent: int = 0  # bytes
    received: int = 0  # bytes
    seconds: float = 0.0

    def __add__(self, more: Calls) -> Calls:
        """Return what both have cost."""
        return Calls(*map(add, astuple(self), astuple(more)))

    def __sub__(self, before: Calls) -> Calls:
        """Return what was asked after an earlier count."""
        return Calls(*map(sub, astuple(self), astuple(before)))


class Origin(Protocol):
    """Where facts come from, and what asking it has cost."""

    @property
    def name(self) -> str:
        """How reports call it."""

    @property
    def iri(self) -> URIRef:
        """The named graph of what it states."""

    @property
    def calls(self) -> Calls:
        """What asking it has cost so far."""


class Graph(Origin, Protocol):
    """Whatever answers a SELECT."""

    def select(self, query: Query) -> Answer:
        """Answer a query; never raises for what the source does, only for a bad query."""
        ...


#: Kinds of value; the last three are no value that could be compared.
Kind = OneOf[
    "item", "time", "quantity", "text", "coordinate", "identifier",
    "opaque", "somevalue", "novalue",
]  # fmt: skip
Rank = OneOf["preferred", "normal", "deprecated"]
Functional = OneOf["", "strict", "single", "single_best"]


@dataclass(frozen=True, slots=True)
class Value:
    """A value as a closed interval where it has a size.

    `node` is what evidence shows: an IRI, or a typed literal at the precision that is known
    (xsd:gYear for a year). `low` and `high` of a time are days, proleptic Gregorian, as in
    `date.toordinal` but without its bounds (1 January of year 1 is 1, 31 December of 1 BCE is 0);
    of a quantity they are amounts in `unit`, the IRI of an SI unit, empty for a bare number. A
    value as far outside of them as `loose` is not excluded ("about"). A day that the source has in
    the Julian calendar, and that was converted, is `julian`.
    """

    kind: Kind
    node: Node
    low: float | None = None
    high: float | None = None
    unit: str = ""
    loose: float = 0.0
    julian: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a knowledge base, with what scopes it.

    `predicate` is the IRI that claims use for the property (wdt:P19 on Wikidata). `start`, `end`
    and `point` are its time qualifiers, None if it has none; an end of kind novalue means that it
    still holds, of kind somevalue that it ended at an unknown time. `iri` names the statement, None
    for a plain triple; `references` counts its references, None where the source keeps none. What
    is stated under a narrower property, or of the value under the inverse one, is not `direct`: it
    may support, and refutes nothing.
    """

    subject: URIRef
    predicate: URIRef
    value: Value
    rank: Rank = "normal"
    best: bool = True
    start: Value | None = None
    end: Value | None = None
    point: Value | None = None
    references: int | None = None
    iri: URIRef | None = None
    revision: str = ""
    retrieved: str = ""
    direct: bool = True

    @property
    def pin(self) -> str:
        """The statement, the revision it was read at and when, as far as they are known."""
        parts = (
            str(self.iri) if self.iri else "",
            f"revision {self.revision}" if self.revision else "",
            f"read {self.retrieved}" if self.retrieved else "",
        )
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing of a knowledge base; `prior` is how often it is meant, sitelinks or a like count."""

    iri: URIRef
    label: str = ""
    description: str = ""
    aliases: tuple[str, ...] = ()
    types: tuple[URIRef, ...] = ()
    prior: int = 0
    revision: str = ""


@dataclass(frozen=True, slots=True)
class Property:
    """What is known of a property.

    `temporal` means that its values hold for a time; `exceptions` are subjects that may have
    several values all the same; `domain` and `range` are classes, any of which will do; a hit on
    one of `narrower` is a hit, as one on this is a hit on the `broader`; `within` are the
    properties that lead from a value to a broader one (a city to its country), of which a
    `transitive` one may be any. Of an `inverse_functional` one no two things share a value, and an
    `irreflexive` one relates nothing to itself. Bare numbers are in its `unit`; `wordings` are
    sentences that state it, [X] its subject and [Y] its value.
    """

    iri: URIRef
    label: str = ""
    aliases: tuple[str, ...] = ()
    kind: Kind = "item"
    functional: Functional = ""
    temporal: bool = False
    symmetric: bool = False
    inverse: URIRef | None = None
    narrower: tuple[URIRef, ...] = ()
    domain: tuple[URIRef, ...] = ()
    range: tuple[URIRef, ...] = ()
    exceptions: frozenset[URIRef] = frozenset()
    within: tuple[URIRef, ...] = ()
    inverse_functional: bool = False
    irreflexive: bool = False
    transitive: bool = False
    broader: tuple[URIRef, ...] = ()
    unit: str = ""
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """The statements of one subject and property, or why there are none.

    `within` has the pairs (a, b) of which a lies in b, where one is a value stated and the other
    one claimed, `akin` those that some other transitive property joins; `labels` those of items
    stated; `rivals` are the statements that give a claimed item to another subject, of a property
    that is inverse functional.
    """

    status: Status
    statements: tuple[Statement, ...] = ()
    fault: Fault | None = None
    within: frozenset[tuple[URIRef, URIRef]] = frozenset()
    akin: frozenset[tuple[URIRef, URIRef]] = frozenset()
    labels: Mapping[URIRef, str] = field(default_factory=dict)
    rivals: tuple[Statement, ...] = ()


#: A subject and the IRI that claims use for a property.
Pair = tuple[URIRef, URIRef]


@dataclass(frozen=True, slots=True)
class Found:
    """What is stated of the pairs that were looked up, or why that is not known.

    `rivals` give a claimed item to another subject, see `Facts`.
    """

    stated: dict[Pair, list[Statement]] = field(default_factory=dict)
    faults: dict[Pair, Fault] = field(default_factory=dict)
    rivals: dict[Pair, list[Statement]] = field(default_factory=dict)


class KnowledgeSource(Origin, Protocol):
    """Where statements come from. What a method costs does not grow with what it is asked."""

    def resolve(self, ids: Iterable[URIRef]) -> Mapping[URIRef, Entity | Fault]:
        """Return each entity under the id asked for; its `iri` is where redirects lead."""
        ...

    def named(self, names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        """Return what bears each name as label or alias, the likeliest first, at most 30."""
        ...

    def statements(
        self, pairs: Iterable[Pair], claimed: Mapping[Pair, Collection[URIRef]] | None = None
    ) -> Mapping[Pair, Facts]:
        """Return what is stated of each subject and property, those of narrower ones too.

        `claimed` gives the items that claims name as values of a pair; with them comes what is
        stated of them under the inverse property, and `Facts.within`.
        """
        ...

    def types(
        self, subjects: Iterable[URIRef], classes: Iterable[URIRef]
    ) -> Mapping[URIRef, frozenset[URIRef] | Fault]:
        """Return which of the classes each subject is an instance of."""
        ...

    def properties(self) -> Mapping[URIRef, Property]:
        """Return what is known of the properties; local data or one cached query."""
        ...
