"""Any RDF as a source of statements, and what its names mean; predicates are used as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.kb.link.label_wordings import unit_in
from groundrules.kb.link.properties import WD
from groundrules.kb.sources.literals import read_node, read_valued
from groundrules.kb.sources.profile import (
    BOOKKEEPING,
    DESCRIPTIONS,
    KNOWN,
    READ_OFF,
    SCHEMA,
    SITELINKS,
    TYPES,
    Naming,
    Profile,
    kinds_of_texts,
    read_naming,
    single_valued,
)
from groundrules.kb.sources.query import choice, query_text
from groundrules.kb.sources.schema import (
    PROPERTIES,
    TRANSITIVE,
    of_properties,
    rank_spoken,
    read_properties,
    ways_of,
)
from groundrules.kb.sources.source import (
    LASTING,
    Answer,
    Calls,
    Entity,
    Facts,
    Fault,
    Found,
    Graph,
    Item,
    KnowledgeSource,
    Pair,
    Property,
    Query,
    Row,
    Statement,
    Status,
    Value,
)
from groundrules.kb.sources.statement_nodes import Path, Paths, add_nodes, find_paths
from groundrules.terms import Triple

_SHOWN = (*DESCRIPTIONS, *TYPES, SITELINKS, SCHEMA.version)
#: What bears a name only to tell others apart: a disambiguation page.
_NO_THING = WD.Q4167410
_MOST_NAMED = 30

NOTHING = Answer()
#: Rows of a request, so many that a text seldom takes two; what is too slow is halved.
ROWS = 1000
_NAMES = 2000


#: By the properties of which one makes it apt (`Property.within`): a path to what is broader.
Ways = Mapping[frozenset[URIRef], str]
_TYPES_PATH = "rdf:type/rdfs:subClassOf*"


class GraphOrigin:
    """What is asked of a graph, which reports call as it is called."""

    _graph: Graph

    @property
    def name(self) -> str:
        """How reports call the graph."""
        return self._graph.name

    @property
    def iri(self) -> URIRef:
        """The named graph of the statements."""
        return self._graph.iri

    @property
    def calls(self) -> Calls:
        """What asking has cost so far."""
        return self._graph.calls


class RdfSource(GraphOrigin):
    """What a graph of plain triples states; no ranks, no qualifiers, no times.

    `fault` says why the graph could not be asked for its properties; it is not asked again.
    `axioms` are what an ontology says of them besides the graph; `profile` is what its user
    corrects of what is read off it. Of a graph `at_hand` it is counted which properties have one
    value.
    """

    def __init__(
        self,
        graph: Graph,
        fault: Fault | None = None,
        axioms: Iterable[Triple] = (),
        profile: Profile = READ_OFF,
        at_hand: bool = False,
    ) -> None:
        self.fault = fault
        self._profile = profile
        self.at_hand = at_hand
        self._naming = KNOWN
        self._paths: Paths = {}
        self._axioms = tuple(axioms)
        self._graph = graph
        self._properties: Mapping[URIRef, Property] | None = None

    def disjoint(self) -> tuple[Triple, ...]:
        """Return the classes that the graph says exclude one another, in pairs."""
        rows = self._graph.select(Query(query_text("disjoint"), days=LASTING)).rows
        return tuple(Triple(row["a"], OWL.disjointWith, row["b"]) for row in rows)

    def resolve(self, ids: Iterable[URIRef]) -> Mapping[URIRef, Entity | Fault]:
        """Return each entity under the id asked for; one nothing is known of has no label."""
        return find_entities(self._graph, ids, self.naming())

    def naming(self) -> Naming:
        """Return which properties name the things of the graph."""
        self.properties()
        return self._naming

    def named(self, names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        """Return what bears each name as label or alias, at most 30."""
        return find_named(self._graph, names, self.naming())

    def statements(
        self, pairs: Iterable[Pair], claimed: Mapping[Pair, Collection[URIRef]] | None = None
    ) -> Mapping[Pair, Facts]:
        """Return what is stated of each subject and property, those of narrower ones too."""
        properties = self.properties()
        plans = plan(pairs, claimed or {}, properties)
        found = read_stated(self._graph, plans, self._read)
        add_nodes(
            self._graph, found, {pair: self._paths.get(pair[1], ()) for pair in plans}, self._read
        )
        self._add_held(found, plans, claimed or {})
        return complete(self, self._graph, found, plans, claimed or {}, ways_of(properties))

    def _read(self, node: Node, predicate: URIRef) -> Value:
        known = self.properties().get(predicate)
        if known is None:
            return read_node(node)
        return read_valued(node, known.kind, known.unit or unit_in(known.label))

    def _add_held(
        self, found: Found, plans: Plans, claimed: Mapping[Pair, Collection[URIRef]]
    ) -> None:
        """Add what OWL makes of what leads to an item.

        A functional property has the values that its inverse states, and one that is inverse
        functional gives each item to one thing.
        """
        ends: dict[Item, list[Pair]] = {}
        for pair in plans.keys() - found.faults.keys():
            known = self.properties().get(pair[1])
            if known is None or known.kind != "item":
                continue
            if known.functional and known.inverse:
                ends.setdefault((known.inverse, pair[0], RDF.nil), []).append(pair)
            for item in claimed.get(pair, ()) if known.inverse_functional else ():
                ends.setdefault((pair[1], item, known.inverse or RDF.nil), []).append(pair)
        query = Query(query_text("holders"), {"ends": sorted(ends)}, "ends", ROWS)
        answer = _select(self._graph, query)
        for row in sorted(answer.rows, key=str):
            way, end, holder = row["p"], row["o"], row["named"]
            if not isinstance(holder, URIRef):
                continue
            for pair in ends[way, end, row["back"]]:
                stated = found.stated.setdefault(pair, [])
                if way != pair[1] and holder not in {one.value.node for one in stated}:
                    stated.append(Statement(*pair, Value("item", holder)))
                elif way == pair[1] and holder != pair[0]:
                    rival = Statement(holder, pair[1], Value("item", end))
                    found.rivals.setdefault(pair, []).append(rival)

    def types(
        self, subjects: Iterable[URIRef], classes: Iterable[URIRef]
    ) -> Mapping[URIRef, frozenset[URIRef] | Fault]:
        """Return which of the classes each subject is an instance of, by rdfs:subClassOf."""
        return find_types(self._graph, _TYPES_PATH, subjects, classes)

    def properties(self) -> Mapping[URIRef, Property]:
        """Return what RDFS and OWL say in the graph of each predicate it uses."""
        if self.fault:
            return {}
        if self._properties is None:
            answer = self._graph.select(Query(PROPERTIES, days=LASTING))
            self.fault = next(iter(answer.faults.values()), None)
            if not answer.rows and not self.fault:
                self.fault = self._unseen()
            told = ({"p": p, "k": k, "v": v} for p, k, v in of_properties(self._axioms))
            known = read_properties((*answer.rows, *told))
            self._properties = known if self.fault else self._read_off(known)
        return self._properties

    def _read_off(self, told: dict[URIRef, Property]) -> Mapping[URIRef, Property]:
        """Return properties with what a sample of the graph shows of them, as corrected."""
        correct = self._profile.correct
        known = correct(told | kinds_of_texts(self._graph, told))
        self._naming = read_naming(self._graph, known, [*map(URIRef, self._profile.names.labels)])
        self._paths, changed = find_paths(self._graph, known, self._naming)
        known |= changed
        single = single_valued(self._graph, known) if self.at_hand else ()
        return correct(
            known
            | {
                iri: replace(known[iri], functional=known[iri].functional or "single")
                for iri in single
            }
        )

    def paths(self, predicate: URIRef) -> tuple[Path, ...]:
        """Return how nodes without a name join things to the values of a property."""
        return self._paths.get(predicate, ())

    def _unseen(self) -> Fault | None:
        """Return the fault of a graph whose statements are in named graphs alone."""
        if not self._graph.select(Query(query_text("named_graphs"), days=LASTING)).rows:
            return None
        message = "the default graph is empty: what there is stands in named graphs, not asked"
        return Fault(Status.ERROR, "NO_DEFAULT_GRAPH", message)


# ---------------------------------------------------------------- names


def find_named(
    graph: Graph, names: Iterable[str], naming: Naming = KNOWN
) -> Mapping[str, tuple[Entity, ...] | Fault]:
    """Return what bears each name in a language of the `naming`, the likeliest first, at most 30.

    A name is looked for as it is, with its first letter the other way, and one with a capital also
    after "The".
    """
    wanted = {name: _spellings(name, naming.languages) for name in dict.fromkeys(names)}
    rows = list(dict.fromkeys(row for spellings in wanted.values() for row in spellings))
    text = query_text("named", names=choice(naming.all, "|"), **_shown(naming))
    answer = _select(graph, Query(text, {"names": rows}, "names", _NAMES, 7))
    known = _entities(((row["e"], row) for row in answer.rows), naming)
    bearers: dict[Item, dict[Node, None]] = {}
    for row in answer.rows:
        bearers.setdefault((row["name"],), {})[row["e"]] = None
    found: dict[str, tuple[Entity, ...] | Fault] = {}
    for name, spellings in wanted.items():
        fault = next((answer.faults[row] for row in spellings if row in answer.faults), None)
        nodes = dict.fromkeys(node for row in spellings for node in bearers.get(row, ()))
        entities = [known[node] for node in nodes if isinstance(node, URIRef)]
        entities.sort(key=lambda entity: _likely(entity, name))
        found[name] = fault or tuple(
            entity if entity.label == name else replace(entity, aliases=(name,))
            for entity in entities[:_MOST_NAMED]
        )
    return found


def _shown(naming: Naming) -> dict[str, str]:
    """Return the parts of a query that say what is shown of a thing, and in which languages."""
    return {"shown": choice((*naming.labels, *_SHOWN)), "spoken": naming.spoken("?v")}


def _spellings(name: str, languages: Iterable[str]) -> list[Item]:
    """Return a name, with its first letter the other way, and as a title, in each language."""
    texts = [name, name[:1].upper() + name[1:], name[:1].lower() + name[1:]]
    if name[:1].isupper() and not name.startswith("The "):
        texts.append(f"The {name}")
    if name.endswith("."):  # of an abbreviation, or of the sentence
        texts.append(name[:-1])
    return [
        (Literal(text, lang=language or None),)
        for text in dict.fromkeys(texts)
        for language in languages
        if text.strip()
    ]


def _likely(entity: Entity, name: str) -> tuple[int, bool, int, str]:
    """Sort by prior, then label before alias, then by age, of which the number of an id tells.

    A disambiguation page is nothing that could be meant, and last.
    """
    number = re.search(r"[0-9]{1,18}$", entity.iri)
    prior = -1 if _NO_THING in entity.types else entity.prior
    return -prior, entity.label != name, int(number[0]) if number else 0, entity.iri


def find_entities(
    graph: Graph, ids: Iterable[URIRef], naming: Naming = KNOWN
) -> Mapping[URIRef, Entity | Fault]:
    """Return each entity under the id asked for, where owl:sameAs leads."""
    wanted = list(dict.fromkeys(ids))
    text = query_text("resolved", **_shown(naming))
    answer = _select(graph, Query(text, {"ids": items(wanted)}, "ids", ROWS))
    leads = redirects((row["s"], row["e"]) for row in answer.rows if "e" in row)
    known = _entities(((row["s"], row) for row in answer.rows if "k" in row), naming)
    revisions = {row["s"]: str(row["revision"]) for row in answer.rows if "revision" in row}
    found: dict[URIRef, Entity | Fault] = {}
    for iri in wanted:
        entity = known.get(iri, Entity(iri))
        found[iri] = answer.faults.get((iri,)) or replace(
            entity, iri=leads.get(iri, iri), revision=entity.revision or revisions.get(iri, "")
        )
    return found


def _entities(rows: Iterable[tuple[Node, Row]], naming: Naming) -> dict[URIRef, Entity]:
    """Return what rows of predicate and value say of each thing."""
    found: dict[URIRef, list[tuple[Node, Node]]] = {}
    for key, row in rows:
        if isinstance(key, URIRef):
            found.setdefault(key, []).append((row["k"], row["v"]))
    return {iri: _entity(iri, told, naming) for iri, told in found.items()}


def _entity(iri: URIRef, told: Iterable[tuple[Node, Node]], naming: Naming) -> Entity:
    values: dict[Node, list[Node]] = {}
    for key, value in told:
        values.setdefault(key, []).append(value)

    def best(keys: Iterable[Node]) -> str:
        texts = ((place, value) for place, key in enumerate(keys) for value in values.get(key, ()))
        spoken = (
            (rank_spoken(value)[0], place, str(value))
            for place, value in texts
            if isinstance(value, Literal)
        )
        return min(spoken, default=(0, 0, ""))[2]

    def number(key: Node) -> int:
        texts = (str(value) for value in values.get(key, ()))
        return max((int(text) for text in texts if re.fullmatch("[0-9]{1,18}", text)), default=0)

    types = {v for key in TYPES for v in values.get(key, ()) if isinstance(v, URIRef)}
    types = {kind for kind in types if not str(kind).startswith(BOOKKEEPING)}
    return Entity(
        iri,
        label=str(best(naming.labels)),
        description=str(best(DESCRIPTIONS)),
        types=tuple(sorted(types)),
        prior=number(SITELINKS),
        revision=str(number(SCHEMA.version) or ""),
    )


def redirects(pairs: Iterable[tuple[Node, Node]]) -> dict[URIRef, URIRef]:
    """Return where ids lead, of pairs that may lead from an id to itself."""
    return {
        old: new
        for old, new in sorted(pairs, key=str)
        if isinstance(old, URIRef) and isinstance(new, URIRef) and old != new
    }


# ---------------------------------------------------------------- statements


#: For each pair asked for what to look up, itself first, and what says it of a claimed item.
Plans = Mapping[Pair, tuple[tuple[Pair, ...], tuple[Pair, ...]]]


def plan(
    pairs: Iterable[Pair],
    claimed: Mapping[Pair, Collection[URIRef]],
    properties: Mapping[URIRef, Property],
) -> Plans:
    """Return what to look up: each pair, it under narrower properties, and the inverse of both.

    The inverse is looked up of the items claimed alone: what else leads to a subject is endless.
    """
    plans = {}
    for pair in dict.fromkeys(pairs):
        known = properties.get(pair[1], Property(pair[1]))
        inverse = pair[1] if known.symmetric else known.inverse
        inverses = (inverse, *properties.get(inverse, known).narrower) if inverse else ()
        own = tuple((pair[0], one) for one in (pair[1], *known.narrower))
        items = sorted(claimed.get(pair, ()))
        plans[pair] = own, tuple((item, one) for item in items for one in inverses)
    return plans


def looked_up(plans: Plans) -> list[Pair]:
    """Return all pairs to look up, each once."""
    return list(dict.fromkeys(pair for own, inverse in plans.values() for pair in (*own, *inverse)))


def read_stated(graph: Graph, plans: Plans, read: Callable[[Node, URIRef], Value]) -> Found:
    """Look plans up in plain triples, `read` being what a node is as a value of a predicate."""
    wanted = looked_up(plans)
    answer = _select(graph, Query(query_text("stated"), {"pairs": wanted}, "pairs", ROWS))
    found = Found(faults={one: answer.faults[one] for one in wanted if one in answer.faults})
    stated: dict[Pair, dict[Statement, None]] = {}
    for row in sorted(answer.rows, key=str):
        pair, entity = (row["s"], row["p"]), row["e"]
        if isinstance(entity, URIRef) and _is_pair(pair):
            value = read(row["v"], pair[1])
            statement = Statement(entity, pair[1], value, retrieved=answer.retrieved)
            stated.setdefault(pair, {})[statement] = None
    found.stated.update({pair: list(told) for pair, told in stated.items()})
    return found


def complete(
    source: KnowledgeSource,
    graph: Graph,
    found: Found,
    plans: Plans,
    claimed: Mapping[Pair, Collection[URIRef]],
    ways: Ways,
) -> dict[Pair, Facts]:
    """Return the facts of each pair asked for, with where ids lead and what lies in what.

    What could not be asked of one look-up, or of one of its values, is a failure of the pair.
    """
    told = [s for group in (found.stated, found.rivals) for one in group.values() for s in one]
    ends = {end for s in told if s.value.kind == "item" for end in (s.subject, s.value.node)}
    items = sorted(end for end in ends if isinstance(end, URIRef))
    known: dict[Node, Entity | Fault] = dict(source.resolve(items).items())
    entities = {iri: one for iri, one in known.items() if isinstance(one, Entity)}
    labels = {one.iri: one.label for one in entities.values() if one.label}
    faults = dict(found.faults)
    stated: dict[Pair, list[Statement]] = {}
    for pair, statements in found.stated.items():
        stated[pair] = [_led(statement, entities) for statement in statements]
        for end in (known.get(s.value.node) for s in statements):
            if isinstance(end, Fault):
                faults[pair] = end
    facts = {pair: _gathered(pair, plans[pair], stated, faults) for pair in plans}
    within, akin = _contained(graph, facts, claimed, source.properties(), ways)
    return {
        pair: replace(
            one,
            within=frozenset(within.get(pair, ())),
            akin=frozenset(akin.get(pair, ())),
            labels=labels,
            rivals=tuple(found.rivals.get(pair, ())),
        )
        if one.status.answered
        else one
        for pair, one in facts.items()
    }


def _contained(
    graph: Graph,
    facts: dict[Pair, Facts],
    claimed: Mapping[Pair, Collection[URIRef]],
    properties: Mapping[URIRef, Property],
    ways: Ways,
) -> tuple[dict[Pair, set[Pair]], dict[Pair, set[Pair]]]:
    """Return what of the values stated and claimed lies in what, and what is akin; see `Facts`.

    Facts of which that could not be asked become the fault.
    """
    rows: dict[Item, list[tuple[Pair, Pair]]] = {}
    marks = {min(apt): apt for apt in ways}
    for pair, one in facts.items():
        known = properties.get(pair[1], Property(pair[1])).within or (TRANSITIVE,)
        stated = (s.value.node for s in one.statements if s.value.kind == "item")
        values = {node for node in stated if isinstance(node, URIRef)}
        for mark in (mark for mark, apt in marks.items() if apt.intersection(known)):
            for ends in ((v, item) for v in values for item in claimed.get(pair, ()) if v != item):
                for low, high in (ends, ends[::-1]):
                    rows.setdefault((low, high, mark), []).append((pair, ends))
    parts = (query_text("way", mark=mark, path=ways[apt]) for mark, apt in marks.items())
    text = query_text("within", ways=" UNION ".join(parts))
    answer = _select(graph, Query(text, {"ends": sorted(rows)}, "ends", ROWS))
    lies, akin = dict[Pair, set[Pair]](), dict[Pair, set[Pair]]()
    for found in {(row["low"], row["high"], row["way"]) for row in answer.rows}:
        for pair, ends in rows[found]:
            between = ends if found[2] == TRANSITIVE else found[:2]
            if _is_pair(between):
                (akin if found[2] == TRANSITIVE else lies).setdefault(pair, set()).add(between)
    for row, fault in answer.faults.items():
        facts |= {pair: Facts(fault.status, fault=fault) for pair, _ in rows[row]}
    return lies, akin


def _led(statement: Statement, entities: Mapping[Node, Entity]) -> Statement:
    value = statement.value
    if value.node not in entities or entities[value.node].iri == value.node:
        return statement
    return replace(statement, value=replace(value, node=entities[value.node].iri))


def _gathered(
    asked: Pair,
    look_ups: tuple[tuple[Pair, ...], tuple[Pair, ...]],
    stated: Mapping[Pair, Sequence[Statement]],
    faults: Mapping[Pair, Fault],
) -> Facts:
    """Return the statements of a pair, from what is stated of the pairs looked up for it."""
    own, inverse = look_ups
    fault = next((faults[one] for one in (*own, *inverse) if one in faults), None)
    if fault:
        return Facts(fault.status, fault=fault)
    statements = dict.fromkeys(stated.get(asked, ()))
    #: the ids that the subject goes by
    names = {asked[0], *(statement.subject for statement in statements)}
    for pair in own[1:]:
        for one in stated.get(pair, ()):
            statements[replace(one, best=False, direct=False)] = None
    for pair in inverse:
        for one in stated.get(pair, ()):
            if one.value.node in names:
                value = Value("item", pair[0])
                turned = replace(one, subject=asked[0], predicate=asked[1], value=value)
                statements[replace(turned, best=False, direct=False)] = None
    return Facts(Status.OK if statements else Status.EMPTY, tuple(statements))


def _is_pair(ends: tuple[Node, Node]) -> TypeGuard[Pair]:
    return isinstance(ends[0], URIRef) and isinstance(ends[1], URIRef)


def find_types(
    graph: Graph, path: str, subjects: Iterable[URIRef], classes: Iterable[URIRef]
) -> Mapping[URIRef, frozenset[URIRef] | Fault]:
    """Return to which of the classes a path leads from each subject."""
    wanted, kinds = list(dict.fromkeys(subjects)), list(dict.fromkeys(classes))
    if not kinds:
        return dict.fromkeys(wanted, frozenset())
    blocks = {"subjects": items(wanted), "classes": items(kinds)}
    answer = _select(graph, Query(query_text("typed", path=path), blocks, "subjects", ROWS, 7))
    found: dict[Node, set[URIRef]] = {}
    for row in answer.rows:
        if isinstance(row["c"], URIRef):
            found.setdefault(row["s"], set()).add(row["c"])
    return {iri: answer.faults.get((iri,)) or frozenset(found.get(iri, ())) for iri in wanted}


def _select(graph: Graph, query: Query) -> Answer:
    """Answer a query; one whose batch is empty asks nothing."""
    return graph.select(query) if query.values[query.batch] else NOTHING


def items(terms: Iterable[Node]) -> list[Item]:
    """Return terms as the rows of a block of one column."""
    return [(term,) for term in terms]
