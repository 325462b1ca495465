"""Nodes without a name between a thing and what is stated of it, with a date, a role or a unit.

In: a sample of a graph of whatever vocabulary. Out: the paths that lead through such nodes, each
as a property of its own or of the graph, and the statements along them, dated and measured.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import NamedTuple
from urllib.parse import quote

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.facts.discourse import is_personal
from groundrules.kb.link.label_wordings import akin, is_participle
from groundrules.kb.link.properties import local_name
from groundrules.kb.sources.literals import measured, read_node, unit_words
from groundrules.kb.sources.profile import Naming
from groundrules.kb.sources.query import write
from groundrules.kb.sources.schema import choice
from groundrules.kb.sources.source import (
    LASTING,
    Answer,
    Fault,
    Found,
    Graph,
    Pair,
    Property,
    Query,
    Row,
    Statement,
    Value,
)

_WORDS: Mapping[str, frozenset[str]] = {
    name: frozenset(words)
    for name, words in tomllib.loads(
        File(__file__).with_suffix(".toml").read_text("utf-8")
    ).items()
}  # fmt: skip
#: How many nodes are looked at on each side of a property, of how many properties, and how many
#: rows tell of them; how many roles are told apart.
_LOOK, _MOST_PROPERTIES, _MOST_ROWS, _MOST_ROLES = 12, 300, 50_000, 300


class Step(NamedTuple):
    """A property on the way; what it says it says of the node, or of what comes before it."""

    property: URIRef
    forward: bool = True

    def pattern(self, before: str, after: str) -> str:
        """Return the step as a pattern of SPARQL."""
        ends = (before, after) if self.forward else (after, before)
        return f"{ends[0]} {write(self.property)} {ends[1]}"


@dataclass(frozen=True, slots=True)
class Path:
    """The way from a thing over a node to a value; `role` is what the node says it is as.

    That is a thing, or the words of a text. Of an amount, `unit` is the property of its unit.
    """

    first: Step
    last: Step
    role: tuple[URIRef, str] | None = None
    unit: URIRef | None = None

    def __str__(self) -> str:
        """Return the way as a path of SPARQL, and the role."""
        steps = (
            f"{'' if step.forward else '^'}<{step.property}>" for step in (self.first, self.last)
        )
        return f"{' / '.join(steps)}{f' as {self.role[1]}' if self.role else ''}"


@dataclass(slots=True)
class _Seen:
    """A node of the sample: what leads to it, and what it says."""

    into: dict[URIRef, Node] = field(default_factory=dict)
    out: dict[URIRef, list[Node]] = field(default_factory=lambda: defaultdict(list))


Read = Callable[[Node, URIRef], Value]
#: The ways through nodes that each property has.
Paths = Mapping[URIRef, tuple[Path, ...]]


def find_paths(
    graph: Graph, properties: Mapping[URIRef, Property], naming: Naming
) -> tuple[Paths, Mapping[URIRef, Property]]:
    """Return the paths of a graph by their property, and the properties that are new or changed.

    A property that leads to nodes alone has the values behind them; a role is a property of what
    it is held in, its holder the value.
    """
    nodes = _sampled(graph, properties, naming)
    if not nodes:
        return {}, {}
    people = _people(graph, [s for s in nodes if any(is_called(k, "role") for k in s.out)])
    paths: dict[URIRef, dict[Path, None]] = defaultdict(dict)
    changed: dict[URIRef, Property] = {}
    roles: dict[URIRef, list[tuple[Step, Step]]] = defaultdict(list)
    for seen in nodes:
        numbers, units, role, items = _parts(seen, properties)
        if numbers and len(items) == 0 and not role:
            for into in seen.into:
                paths[into][Path(Step(into), Step(numbers[0]), unit=units)] = None
                changed[into] = replace(properties[into], kind="quantity")
            continue
        for into in seen.into:
            for item in items:
                said = _says(properties[into], properties[item], into == item)
                if said is not None:
                    paths[said.iri][Path(Step(into), Step(item))] = None
                    changed[said.iri] = _dated(said)
        if role is not None:
            for ends in _ends(seen, items, people):
                roles[role].append(ends)
    called = {_plain(known.label): iri for iri, known in sorted(properties.items())
              if known.kind == "item" and not any(iri in seen.out for seen in nodes)}  # fmt: skip
    for property_, which, name in _roles(graph, roles, naming) if roles else ():
        for first, last in dict.fromkeys(roles[property_]):
            iri = called.get(name, URIRef(f"{property_}/{quote(name, safe='')}"))
            paths[iri][Path(first, last, (property_, which))] = None
            changed[iri] = _dated(properties.get(iri, Property(iri, label=name)))
    return {iri: tuple(ways) for iri, ways in paths.items()}, changed


def _dated(known: Property) -> Property:
    """Return a property of nodes, which are each of a time: what has one has not one thing."""
    return replace(known, functional="", inverse_functional=False, temporal=True)


def _sampled(graph: Graph, properties: Mapping[URIRef, Property], naming: Naming) -> list[_Seen]:
    """Return nodes that bear no name, of those at either end of a property that has things."""
    asked = [
        iri for iri, known in sorted(properties.items())
        if known.kind == "item" and iri != RDF.type and iri not in naming.all
    ][:_MOST_PROPERTIES]  # fmt: skip
    if not asked:
        return []
    ends = [
        f"{{ SELECT ({write(iri)} AS ?p) ?s ?n WHERE {{ ?s {write(iri)} ?n }} LIMIT {_LOOK} }}"
        f" UNION {{ SELECT ?n WHERE {{ ?n {write(iri)} ?o }} LIMIT {_LOOK} }}"
        for iri in asked
    ]
    text = (
        f"SELECT ?p ?s ?n ?k ?d WHERE {{ {{ {' UNION '.join(ends)} }} ?n ?k ?d }}"
        f" LIMIT {_MOST_ROWS}"
    )
    found: dict[Node, _Seen] = defaultdict(_Seen)
    for row in graph.select(Query(text, days=LASTING)).rows:
        seen = found[row["n"]]
        _add(seen, row)
        if "p" in row and isinstance(row["p"], URIRef):
            seen.into.setdefault(row["p"], row["s"])
    return [
        seen for _, seen in sorted(found.items(), key=lambda one: str(one[0]))
        if seen.out.keys().isdisjoint(naming.all)
    ]  # fmt: skip


def _add(seen: _Seen, row: Row) -> None:
    key, said = row["k"], row["d"]
    if isinstance(key, URIRef) and said not in seen.out[key]:
        seen.out[key].append(said)


def _parts(
    seen: _Seen, properties: Mapping[URIRef, Property]
) -> tuple[list[URIRef], URIRef | None, URIRef | None, list[URIRef]]:
    """Return the properties of a node's amounts, unit, role and things."""
    out = sorted(seen.out.keys() & properties.keys())
    unit = next((k for k in out if is_called(k, "unit")), None)
    role = next((k for k in out if is_called(k, "role")), None)
    rest = [k for k in out if k not in (unit, role, RDF.type)]
    numbers = [k for k in rest if properties[k].kind == "quantity"]
    numbers = [k for k in numbers if is_called(k, "amount")] or numbers[: len(numbers) == 1]
    items = [k for k in rest if not any(isinstance(d, Literal) for d in seen.out[k])]
    dated = any(read_node(d).kind == "time" for k in rest for d in seen.out[k])
    alike = any(into in items for into in seen.into)
    return numbers, unit, role, items if dated or role or alike else []


def _says(into: Property, item: Property, same: bool) -> Property | None:
    """Return the property that a path states, as it is called; None if it is not one statement."""
    if is_called(item.iri, "place") and is_participle(into.label):
        at, in_ = f"{into.label} at", f"{into.label} in"
        return replace(into, label=at, aliases=(*into.aliases, in_))
    if same or is_called(item.iri, "value") or is_called(item.iri, "place"):
        return into
    # "ownership" and "owner"
    return item if akin(into.label, item.label) else None


def _ends(seen: _Seen, items: list[URIRef], people: frozenset[Node]) -> Iterable[tuple[Step, Step]]:
    """Yield the way from what a role is held in to who holds it, where that is clear."""
    ends = [(Step(k), seen.out[k]) for k in items]
    ends += [(Step(into, forward=False), [thing]) for into, thing in seen.into.items()]
    holders = [step for step, things in ends if not people.isdisjoint(things)]
    holders = holders or [s for s, _ in ends if s.forward and is_called(s.property, "holder")]
    others = [step for step, _ in ends if step not in holders]
    if len(holders) == 1 and len(others) == 1:
        first, last = others[0], holders[0]
        # seen from the thing: what leads to the node goes on, what leads out of it goes back
        yield Step(first.property, not first.forward), last


def _people(graph: Graph, nodes: Iterable[_Seen]) -> frozenset[Node]:
    """Return the things at the ends of nodes that are persons by the name of a class."""
    things = {thing for seen in nodes for thing in seen.into.values()}
    things |= {d for seen in nodes for values in seen.out.values() for d in values}
    rows = [(thing,) for thing in sorted(t for t in things if isinstance(t, URIRef))]
    text = "SELECT ?s ?c WHERE { VALUES ?s { $things } ?s a ?c }"
    query = Query(text, {"things": rows}, "things", days=LASTING)
    answer = graph.select(query) if rows else Answer()
    return frozenset(
        row["s"] for row in answer.rows
        if isinstance(row["c"], URIRef)
        and (noun := local_name(row["c"]).split()[-1:])
        and (noun[0] == "person" or is_personal(noun[0]))
    )  # fmt: skip


def _roles(
    graph: Graph, properties: Iterable[URIRef], naming: Naming
) -> list[tuple[URIRef, str, str]]:
    """Return the roles that nodes have: the property, the thing or text, and its name."""
    labels = choice(naming.labels, "|")
    text = f"""SELECT DISTINCT ?k ?r ?name WHERE {{
      {{ SELECT ?k ?r WHERE {{ VALUES ?k {{ $properties }} ?n ?k ?r }} LIMIT {_MOST_ROWS} }}
      OPTIONAL {{ ?r ({labels}) ?name {naming.spoken("?name")} }} }} LIMIT {_MOST_ROLES}"""
    rows = [(iri,) for iri in sorted(properties)]
    answer = graph.select(Query(text, {"properties": rows}, days=LASTING))
    return sorted({
        (row["k"], str(row["r"]) if "name" in row else _plain(str(name)), _plain(str(name)))
        for row in answer.rows
        if isinstance(name := row.get("name", row["r"]), Literal) and isinstance(row["k"], URIRef)
    })  # fmt: skip


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def is_called(iri: URIRef, what: str) -> bool:
    """Return whether a property is called as one of its sort is: a start, a role, a unit."""
    name = local_name(iri)
    return name in _WORDS[what] or name.removeprefix("has ") in _WORDS[what]


def add_nodes(
    graph: Graph, found: Found, wanted: Mapping[Pair, tuple[Path, ...]], read: Read
) -> None:
    """Add what the nodes of properties state, which stands for what it dates.

    A value that is stated without a date beside the node that dates it is not stated twice.
    """
    wanted = {pair: paths for pair, paths in wanted.items() if pair not in found.faults}
    rows, faults = _along(graph, wanted)
    found.faults.update(faults)
    nodes: dict[Node, _Seen] = defaultdict(_Seen)
    between: dict[tuple[Node, Node, Node], dict[tuple[Node, Node], None]] = defaultdict(dict)
    for row in rows:
        _add(nodes[row["n"]], row)
        between[row["s"], row["a"], row["b"]][row["n"], row["v"]] = None
    for pair, paths in wanted.items():
        statements: dict[Statement, None] = {}
        passed = set[Node]()
        for path in paths:
            ends = between.get((pair[0], path.first.property, path.last.property), {})
            for node, value in ends:
                passed.add(node)
                if value != pair[0] and _is_as(nodes[node], path):
                    statements[_stated(pair, node, value, nodes[node], path, read)] = None
        dated = {s.value.node for s in statements}
        plain = [s for s in found.stated.get(pair, ()) if s.value.node not in dated | passed
                 and not (passed and s.value.kind == "somevalue")]  # fmt: skip
        if paths:
            found.stated[pair] = [*plain, *sorted(statements, key=str)]


def _along(
    graph: Graph, wanted: Mapping[Pair, tuple[Path, ...]]
) -> tuple[list[Row], dict[Pair, Fault]]:
    """Return what nodes say that paths lead over, and the pairs that were not answered."""
    rows: list[Row] = []
    faults: dict[Pair, Fault] = {}
    ways: dict[tuple[bool, bool], dict[tuple[Node, ...], Pair]] = defaultdict(dict)
    for pair, paths in wanted.items():
        for path in paths:
            row = (pair[0], path.first.property, path.last.property)
            ways[path.first.forward, path.last.forward][row] = pair
    for (first, last), pairs in sorted(ways.items()):
        into = "?s ?a ?n" if first else "?n ?a ?s"
        out = "?n ?b ?v" if last else "?v ?b ?n"
        text = (
            "SELECT ?s ?a ?b ?n ?v ?k ?d WHERE "
            f"{{ VALUES (?s ?a ?b) {{ $pairs }} {into} . {out} . ?n ?k ?d }}"
        )
        answer = graph.select(Query(text, {"pairs": list(pairs)}, "pairs", 1000))
        rows += sorted(answer.rows, key=str)
        faults |= {pairs[item]: fault for item, fault in answer.faults.items()}
    return rows, faults


def _is_as(seen: _Seen, path: Path) -> bool:
    property_, role = path.role or (RDF.type, "")
    said = seen.out.get(property_, ())
    as_ = {str(d) if isinstance(d, URIRef) else _plain(str(d)) for d in said}
    return path.role is None or role in as_


def _stated(pair: Pair, node: Node, value: Node, seen: _Seen, path: Path, read: Read) -> Statement:
    """Return what a node states, with its dates; one that is neither start nor end is a point."""
    what = read(value, path.last.property)
    if path.unit is not None:
        units = [measured(f"{value} {unit_words(d)}") for d in seen.out.get(path.unit, ())]
        what = next(filter(None, units), Value("opaque", value))
    dates: dict[str, Value] = {}
    for key, values in sorted(seen.out.items()):
        end = next((end for end in ("start", "end") if is_called(key, end)), "point")
        for day in map(read_node, values):
            if day.kind == "time" and not _WORDS["noted"] & {*local_name(key).split()}:
                ends = [e for one in (day, dates.get(end)) if one for e in (one.low, one.high)]
                known = [one for one in ends if one is not None]
                dates[end] = replace(day, low=min(known), high=max(known))
    return Statement(
        pair[0], pair[1], what, start=dates.get("start"), end=dates.get("end"),
        point=dates.get("point"), iri=node if isinstance(node, URIRef) else None,
    )  # fmt: skip
