"""Wikidata as a source of statements: ranks, qualifiers, precision, units, redirects.

Over any graph in the model of Wikibase, or of its direct (truthy) triples alone. Portable SPARQL
1.1, where what a statement has is asked for whole and sorted here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from rdflib.namespace import RDF, XSD, Namespace
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.calendar import Date, day_number, read_date
from groundrules.kb.sources import rdf
from groundrules.kb.sources.literals import (
    CONVERTED,
    SYMBOLS,
    date_value,
    read_amount,
    read_node,
    tolerance,
)
from groundrules.kb.sources.query import query_text
from groundrules.kb.sources.schema import TRANSITIVE
from groundrules.kb.sources.source import (
    LASTING,
    Entity,
    Facts,
    Fault,
    Found,
    Graph,
    Item,
    Kind,
    Pair,
    Property,
    Query,
    Rank,
    Row,
    Statement,
    Value,
)
from groundrules.terms import GR

WD = Namespace("http://www.wikidata.org/entity/")
WDT = Namespace("http://www.wikidata.org/prop/direct/")
_P = "http://www.wikidata.org/prop/"
#: An id of Wikidata, as people write it.
WIKIDATA_ID = re.compile(r"[QP][1-9]\d*", re.A)
_WDNO = Namespace(f"{_P}novalue/")
_PS = Namespace(f"{_P}statement/")
_PSV = Namespace(f"{_P}statement/value/")
_PSN = Namespace(f"{_P}statement/value-normalized/")
_PQ = Namespace(f"{_P}qualifier/")
_PQV = Namespace(f"{_P}qualifier/value/")
_WIKIBASE = Namespace("http://wikiba.se/ontology#")
_PROV = Namespace("http://www.w3.org/ns/prov#")
#: Names of values that are not known, also of blank nodes by Virtuoso.
_UNKNOWN = ("http://www.wikidata.org/.well-known/genid/", "nodeID://")

_GREGORIAN, _JULIAN = WD.Q1985727, WD.Q1985786
#: No date of the two calendars that is meant is further apart than this (until the year 2100).
_JULIAN_DAYS = 13
_NO_UNIT = WD.Q199
#: Qualifiers that date a statement, by the field they fill.
_DATING = {"P580": "start", "P582": "end", "P585": "point"}

#: From a place to what it lies in, and from a kind or a body to what it is of; both ends of such a
#: path are bound.
_PLACES = "wdt:P131|wdt:P276|wdt:P706|wdt:P361|wdt:P17|wdt:P30|^wdt:P527|^wdt:P150"
_WAYS: rdf.Ways = {
    frozenset({WDT.P131}): f"({_PLACES})+",
    frozenset({WDT.P279, WDT.P749}): "(wdt:P279|wdt:P361|wdt:P749|^wdt:P527)+",
    # what has neither way may yet be of a place or a body
    frozenset({TRANSITIVE}): f"({_PLACES}|wdt:P279|wdt:P749)+",
}
_TYPES_PATH = "wdt:P31/wdt:P279*"
_ID = re.compile(r"http://www\.wikidata\.org/entity/[QPL][1-9][0-9]*")
_DIRECT = re.compile(r"http://www\.wikidata\.org/prop/direct/(P[1-9][0-9]*)")
_RANKS: Mapping[Node, Rank] = {
    _WIKIBASE.PreferredRank: "preferred",
    _WIKIBASE.NormalRank: "normal",
    _WIKIBASE.DeprecatedRank: "deprecated",
}


class WikidataSource(rdf.GraphOrigin):
    """What Wikidata states, over any graph that has it."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ranked: bool | None = None

    def ranked(self) -> bool | Fault:
        """Return whether the graph has statements with ranks, or direct triples alone."""
        if self._ranked is None:
            answer = self._graph.select(Query(query_text("ranked"), days=LASTING))
            if answer.faults:
                return next(iter(answer.faults.values()))
            self._ranked = bool(answer.rows)
        return self._ranked

    def resolve(self, ids: Iterable[URIRef]) -> Mapping[URIRef, Entity | Fault]:
        """Return each entity under the id asked for; one nothing is known of has no label."""
        return rdf.find_entities(self._graph, ids)

    def named(self, names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        """Return the items that bear each name as label or alias, at most 30."""
        found = rdf.find_named(self._graph, names)
        return {
            name: entities
            if isinstance(entities, Fault)
            else tuple(entity for entity in entities if entity.iri.startswith(f"{WD}Q"))
            for name, entities in found.items()
        }

    def statements(
        self, pairs: Iterable[Pair], claimed: Mapping[Pair, Collection[URIRef]] | None = None
    ) -> Mapping[Pair, Facts]:
        """Return what is stated of each subject and property, those of narrower ones too.

        ValueError on a pair that is not of a wd: and a wdt: IRI.
        """
        wanted = list(dict.fromkeys(pairs))
        for subject, predicate in wanted:
            if not _ID.fullmatch(subject) or not _DIRECT.fullmatch(predicate):
                raise ValueError(f"{subject} {predicate} is no entity and property of Wikidata")
        ranked = bool(wanted) and self.ranked()
        if isinstance(ranked, Fault):
            return dict.fromkeys(wanted, Facts(ranked.status, fault=ranked))
        known = self.properties()
        plans = rdf.plan(wanted, claimed or {}, known)
        kinds = {iri: one.kind for iri, one in known.items()}
        if ranked:
            found = self._read_statements(plans, kinds)
        else:
            found = rdf.read_stated(
                self._graph, plans, lambda node, iri: _read_direct(node, kinds.get(iri))
            )
        return rdf.complete(self, self._graph, found, plans, claimed or {}, _WAYS)

    def _read_statements(self, plans: rdf.Plans, kinds: Mapping[URIRef, Kind]) -> Found:
        rows: dict[Item, Pair] = {
            (s, URIRef(_P + _number(p))): (s, p) for s, p in rdf.looked_up(plans)
        }
        query = Query(query_text("statements"), {"pairs": list(rows)}, "pairs", rdf.ROWS)
        answer = self._graph.select(query) if rows else rdf.NOTHING
        revisions = {row["e"]: str(row["revision"]) for row in answer.rows if "revision" in row}
        stated: dict[Pair, dict[Node, _Stated]] = {}
        for row in answer.rows:
            if "k" in row:
                of_pair = stated.setdefault(rows[row["s"], row["p"]], {})
                of_pair.setdefault(row["st"], _Stated(row["e"])).add(row)
        found = Found(faults={rows[item]: fault for item, fault in answer.faults.items()})
        for pair, rows_of in stated.items():
            read = [one.read(node, pair[1], kinds.get(pair[1])) for node, one in rows_of.items()]
            best = "preferred" if any(one.rank == "preferred" for one in read) else "normal"
            found.stated[pair] = [
                replace(
                    one,
                    best=one.rank == best,
                    revision=revisions.get(one.subject, ""),
                    retrieved=answer.retrieved,
                )
                for one in sorted(read, key=lambda one: (str(one.iri or ""), str(one.value.node)))
            ]
        return found

    def types(
        self, subjects: Iterable[URIRef], classes: Iterable[URIRef]
    ) -> Mapping[URIRef, frozenset[URIRef] | Fault]:
        """Return which of the classes each subject is an instance of (P31, then P279)."""
        return rdf.find_types(self._graph, _TYPES_PATH, subjects, classes)

    def properties(self) -> Mapping[URIRef, Property]:
        """Return what we know of the properties of Wikidata."""
        return load_properties()


# ---------------------------------------------------------------- statements


@dataclass(slots=True)
class _Stated:
    """The rows of one statement: its predicates with their values, and its value nodes."""

    entity: Node
    values: dict[Node, dict[Node, None]] = field(default_factory=dict)
    nodes: dict[Node, dict[Node, dict[Node, Node]]] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        if "part" in row:
            of_key = self.nodes.setdefault(row["k"], {})
            of_key.setdefault(row["node"], {})[row["part"]] = row["v"]
        else:
            self.values.setdefault(row["k"], {})[row["v"]] = None

    def read(self, node: Node, predicate: URIRef, kind: Kind | None) -> Statement:
        number = _number(predicate)
        classes = self.values.get(RDF.type, {})
        rank = next((_RANKS[v] for v in self.values.get(_WIKIBASE.rank, {}) if v in _RANKS), None)
        value = self._value(node, number, kind)
        assert isinstance(self.entity, URIRef)
        dates = {name: self._date(node, qualifier) for qualifier, name in _DATING.items()}
        return Statement(
            self.entity,
            predicate,
            Value("novalue", _WDNO[number]) if _WDNO[number] in classes else value,
            rank=rank or "normal",
            start=dates["start"],
            end=dates["end"],
            point=dates["point"],
            references=len(self.values.get(_PROV.wasDerivedFrom, {})),
            iri=node if isinstance(node, URIRef) else None,
        )

    def _value(self, node: Node, number: str, kind: Kind | None) -> Value:
        main = min(self.values.get(_PS[number], {}), key=str, default=None)
        if main is None:
            return Value("opaque", Literal(""))
        if _unknown(main):
            return _somevalue(main, node)
        whole = next(iter(self.nodes.get(_PSV[number], {}).values()), {})
        normal = next(iter(self.nodes.get(_PSN[number], {}).values()), {})
        return _read_value(main, whole, normal, kind)

    def _date(self, node: Node, qualifier: str) -> Value | None:
        """Return the date that a qualifier gives; where it gives several, all they span."""
        if _WDNO[qualifier] in self.values.get(RDF.type, {}):
            return Value("novalue", _WDNO[qualifier])
        whole = list(self.nodes.get(_PQV[qualifier], {}).values())
        dates = []
        for value in sorted(self.values.get(_PQ[qualifier], {}), key=str):
            if _unknown(value):
                return _somevalue(value, node)
            mine = next((w for w in whole if w.get(_WIKIBASE.timeValue) == value), {})
            dates.append(_read_value(value, mine, {}, "time"))
        if not dates:
            return None
        opaque = next((date for date in dates if date.low is None), None)
        ends = [end for date in dates for end in (date.low, date.high) if end is not None]
        return opaque or replace(dates[0], low=min(ends), high=max(ends))


def _number(predicate: URIRef) -> str:
    """Return the P-number of a wdt: IRI."""
    match = _DIRECT.fullmatch(predicate)
    assert match
    return match[1]


# ---------------------------------------------------------------- values


def _unknown(node: Node) -> bool:
    return isinstance(node, BNode) or (isinstance(node, URIRef) and str(node).startswith(_UNKNOWN))


def _somevalue(node: Node, statement: Node) -> Value:
    """Return an unknown value, by the same name whatever the server calls it."""
    if isinstance(node, URIRef) and node.startswith(_UNKNOWN[0]):
        return Value("somevalue", node)
    return Value("somevalue", BNode(re.sub(r"[^A-Za-z0-9]+", "-", f"unknown-{statement}")))


def _read_value(
    node: Node, whole: Mapping[Node, Node], normal: Mapping[Node, Node], kind: Kind | None
) -> Value:
    """Return a node as a value, with its value node and the one in SI units where there are any."""
    if kind == "time" or _WIKIBASE.timePrecision in whole:
        return _read_time(node, whole)
    if kind == "quantity" or _WIKIBASE.quantityAmount in whole:
        return _read_quantity(node, whole, normal)
    if isinstance(node, URIRef):
        return Value("item" if node.startswith(str(WD)) else "identifier", node)
    if kind == "identifier":
        return Value("identifier", node)
    if isinstance(node, Literal) and node.language:
        return Value("text", node)
    return read_node(node)


def _read_time(node: Node, whole: Mapping[Node, Node]) -> Value:
    parts = None
    if isinstance(node, Literal) and node.datatype in (XSD.dateTime, XSD.date):
        parts = read_date(node)
    digits = str(whole.get(_WIKIBASE.timePrecision, ""))
    if (
        parts is None
        or parts.year is None
        or parts.month is None
        or not re.fullmatch("1?[0-9]", digits)
    ):
        return Value("opaque", node)
    value = time_value(parts.year, parts.month, parts.day or 1, int(digits))
    calendar = whole.get(_WIKIBASE.timeCalendarModel, _GREGORIAN)
    if calendar not in (_GREGORIAN, _JULIAN) or value.low is None or value.high is None:
        return Value("opaque", node)
    if calendar == _JULIAN and int(digits) < 11:
        # converted to Gregorian only where the day is known
        value = replace(value, low=value.low - _JULIAN_DAYS, high=value.high + _JULIAN_DAYS)
    return replace(value, julian=calendar == _JULIAN)


def time_value(year: int, month: int, day: int, precision: int) -> Value:
    """Return a time of Wikidata as the days it may be.

    Years are those of XSD 1.1 (0 is 1 BCE); precision 14 to 11 is a day, 10 a month, 9 a year. A
    decade begins with the year that ends in 0, a century and a millennium with the one that ends
    in 1, before Christ mirrored (the 1st century BCE is 100 to 1 BCE). Anything coarser is as far
    as the unit to both sides.
    """
    if precision >= 11:
        return date_value(Date(year, month, day))
    if precision == 10:
        return date_value(Date(year, month))
    if precision == 9:
        return date_value(Date(year))
    era = year if year > 0 else 1 - year  # 44 BCE is 44
    if precision == 8:
        first = era // 10 * 10
        last, name = first + 9, f"{first}s"
        first = max(first, 1)
    elif precision in (7, 6):
        size = 100 if precision == 7 else 1000
        ordinal = -(-era // size)
        first, last = (ordinal - 1) * size + 1, ordinal * size
        name = f"{_nth(ordinal)} {'century' if precision == 7 else 'millennium'}"
    else:
        size = 10 ** (9 - precision)
        low, high = _years(year - size, year + size)
        return Value("time", Literal(f"about {era} {'BCE' if year <= 0 else 'CE'}"), low, high)
    if year <= 0:
        first, last, name = 1 - last, 1 - first, f"{name} BCE"
    return Value("time", Literal(name), *_years(first, last))


def _years(first: int, last: int) -> tuple[float, float]:
    return float(day_number(first)), float(day_number(last, 12, 31))


def _nth(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number % 100 not in (11, 12, 13) else 0)
    return f"{number}{ending or 'th'}"


def _read_quantity(node: Node, whole: Mapping[Node, Node], normal: Mapping[Node, Node]) -> Value:
    """Return an amount, in SI units where they are given, without bounds as exact as its digits."""
    amount = read_amount(whole.get(_WIKIBASE.quantityAmount, node))
    if amount is None:
        return Value("opaque", node)
    if not whole:  # the direct triples leave the unit out
        return read_node(node) if isinstance(node, Literal) else Value("opaque", node)
    si, unit = normal or whole, str((normal or whole).get(_WIKIBASE.quantityUnit, _NO_UNIT))
    known = read_amount(si.get(_WIKIBASE.quantityAmount, node))
    factor = Decimal(1)
    if not normal and known is not None and unit in CONVERTED:
        factor, unit = CONVERTED[unit]
        known *= factor
    if known is None or (known == 0) != (amount == 0):  # too small for Virtuoso, which says 0
        return Value("opaque", node)
    bounds = [
        read_amount(si[_WIKIBASE[name]]) if _WIKIBASE[name] in si else None
        for name in ("quantityLowerBound", "quantityUpperBound")
    ]
    bounds = [None if bound is None else bound * factor for bound in bounds]
    slack = tolerance(amount) * (abs(known / amount) if amount else Decimal(1))
    low = bounds[0] if bounds[0] is not None else known - slack
    high = bounds[1] if bounds[1] is not None else known + slack
    symbol = SYMBOLS.get(unit)
    shown: Node = Literal(f"{known:f}", datatype=XSD.decimal, normalize=False)
    if symbol:
        shown = Literal(f"{known:f} {symbol}", datatype=GR.quantity)
    bare = unit in (str(_NO_UNIT), "1")
    return Value(
        "quantity", shown, float(min(low, known)), float(max(high, known)), "" if bare else unit
    )


def _read_direct(node: Node, kind: Kind | None) -> Value:
    """Return the value of a direct triple, which says neither precision nor unit.

    A date of a month's first day may be that of a month, of a year's first day that of a year.
    """
    if _unknown(node):
        return _somevalue(node, node)
    if isinstance(node, Literal) and node.datatype == XSD.dateTime:
        parts = read_date(node)
        if parts is None or parts.year is None:
            return Value("opaque", node)
        year, month, day = parts
        first = (month or 1, day or 1)
        if first == (1, 1):
            return date_value(Date(year))
        return date_value(Date(year, month, None if first[1] == 1 else day))
    if kind == "time" and isinstance(node, Literal) and read_node(node).kind != "time":
        return Value("opaque", node)
    return _read_value(node, {}, {}, None if kind in ("time", "quantity") else kind)


# ---------------------------------------------------------------- properties


@lru_cache(maxsize=1)
def load_properties() -> Mapping[URIRef, Property]:
    """Return what `properties.json` says of the properties of Wikidata, by their wdt: IRIs.

    Made by training/properties/build.py; its card is properties.md.
    """
    text = Path(__file__).with_name("properties.json").read_text(encoding="utf-8")
    return {WDT[number]: _property(number, known) for number, known in json.loads(text).items()}


def _property(number: str, known: dict[str, Any]) -> Property:
    spaces = {"narrower": WDT, "within": WDT, "domain": WD, "range": WD, "exceptions": WD}
    told = known | {
        name: tuple(space[value] for value in known[name])
        for name, space in spaces.items()
        if name in known
    }
    told["aliases"] = tuple(known.get("aliases", ()))
    told["exceptions"] = frozenset(told.get("exceptions", ()))
    told["inverse"] = WDT[known["inverse"]] if "inverse" in known else None
    return Property(WDT[number], **told)
