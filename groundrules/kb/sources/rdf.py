"""Any RDF as a source of statements, and what its names mean; predicates are used as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeGuard

from rdflib.namespace import OWL, RDF, RDFS, SKOS, Namespace
from rdflib.term import Literal, Node, URIRef

from groundrules.kb.link.label_wordings import unit_in
from groundrules.kb.sources.literals import read_node, read_valued
from groundrules.kb.sources.profile import (
    KNOWN,
    READ_OFF,
    SCHEMA,
    Naming,
    Profile,
    kinds_of_texts,
    read_naming,
    single_valued,
)
from groundrules.kb.sources.schema import (
    PROPERTIES,
    TRANSITIVE,
    choice,
    of_properties,
    rank_spoken,
    read_properties,
    ways_of,
)
from groundrules.kb.sources.source import (
    LASTING,
    Answer,
    Calls,
    Capabilities,
    Entity,
    Facts,
    Fault,
    Graph,
    Item,
    Pair,
    Property,
    Query,
    Row,
    Statement,
    Status,
    Value,
)
from groundrules.kb.sources.statement_nodes import Path, Paths, find_paths, with_nodes
from groundrules.terms import Triple

_WIKIBASE = Namespace("http://wikiba.se/ontology#")
_WD = Namespace("http://www.wikidata.org/entity/")
_WDT = Namespace("http://www.wikidata.org/prop/direct/")

_DESCRIPTIONS = (SCHEMA.description, RDFS.comment, SKOS.definition)
_TYPES = (RDF.type, _WDT.P31)
#: Types that are the bookkeeping of Wikibase.
_NO_TYPES = (str(_WIKIBASE), "http://www.wikidata.org/prop/novalue/")
_SHOWN = (*_DESCRIPTIONS, *_TYPES, _WIKIBASE.sitelinks, SCHEMA.version)
#: What bears a name only to tell others apart: a disambiguation page.
_NO_THING = _WD.Q4167410
_MOST_NAMED = 30

NOTHING = Answer()
#: Rows of a request, so many that a text seldom takes two; what is too slow is halved.
ROWS = 1000
_NAMES = 2000


# One VALUES to a branch and lists of our own in filters: engines plan for that (Oxigraph).
@cache
def _named(naming: Naming) -> str:
    shown = choice((*naming.labels, *_SHOWN))
    return f"""
SELECT ?name ?e ?k ?v WHERE {{
  VALUES ?name {{ $names }} ?e ({choice(naming.all, "|")}) ?name .
  ?e ?k ?v . FILTER(?k IN ({shown})) {naming.spoken("?v")}
}}"""


# No `?s owl:sameAs? ?e`: to Virtuoso that is anything if ?s has one value alone.
@cache
def _resolved(naming: Naming) -> str:
    shown, spoken = choice((*naming.labels, *_SHOWN)), naming.spoken("?v")
    return f"""
PREFIX owl: <{OWL}>
PREFIX wd: <{_WD}>
PREFIX schema: <{SCHEMA}>
SELECT ?s ?e ?k ?v ?revision WHERE {{
  {{ VALUES ?s {{ $ids }} ?s ?k ?v . FILTER(?k IN ({shown})) {spoken} }}
  UNION {{ VALUES ?s {{ $ids }} ?s owl:sameAs ?e . ?e ?k ?v .
           FILTER(?k IN ({shown})) {spoken} }}
  UNION {{ VALUES ?s {{ $ids }} ?s owl:sameAs ?e }}
  UNION {{ VALUES ?s {{ $ids }} ?doc schema:about ?s . ?doc schema:version ?revision }}
  UNION {{ VALUES ?s {{ $ids }} ?s owl:sameAs ?e .
           ?doc schema:about ?e . ?doc schema:version ?revision }}
}}"""


#: By the properties of which one makes it apt (`Property.within`): a path to what is broader.
Ways = Mapping[frozenset[URIRef], str]
#: Prefixes that make rows shorter.
_SHORTER = f"PREFIX wd: <{_WD}> PREFIX wdt: <{_WDT}> PREFIX rdf: <{RDF}>"
#: Which of $classes each of $subjects has, PATH the way from a thing to its classes.
TYPED = f"""
PREFIX owl: <{OWL}>
PREFIX rdf: <{RDF}>
PREFIX rdfs: <{RDFS}>
PREFIX wd: <{_WD}>
PREFIX wdt: <{_WDT}>
SELECT ?s ?c WHERE {{
  {{ SELECT DISTINCT ?s ?c WHERE {{
     {{ VALUES ?s {{ $subjects }} ?s PATH ?c }}
     UNION {{ VALUES ?s {{ $subjects }} ?s owl:sameAs ?e . ?e PATH ?c }} }} }}
  VALUES ?c {{ $classes }}
}}"""
_TYPES_PATH = "rdf:type/rdfs:subClassOf*"
#: What leads to items, and what it is called.
_HOLDERS = """SELECT ?named ?p ?o ?back ?label WHERE {
  VALUES (?p ?o ?back) { $ends }
  { ?named ?p ?o } UNION { ?o ?back ?named }
  OPTIONAL { ?named LABELS ?label SPOKEN }
}"""
_NAMED_GRAPHS = "SELECT ?g WHERE { GRAPH ?g { ?s ?p ?o } } LIMIT 1"
#: The classes that exclude one another, with those below them.
_MOST_DISJOINT = 10_000
_DISJOINT = f"""
SELECT DISTINCT ?a ?b WHERE {{
  ?x <{OWL.disjointWith}> ?y . ?a <{RDFS.subClassOf}>* ?x . ?b <{RDFS.subClassOf}>* ?y
}} LIMIT {_MOST_DISJOINT}"""


class Asked:
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


class RdfSource(Asked):
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
        rows = self._graph.select(Query(_DISJOINT, days=LASTING)).rows
        return tuple(Triple(row["a"], OWL.disjointWith, row["b"]) for row in rows)

    def capabilities(self) -> Capabilities:
        """Return what plain triples can say: nothing but themselves."""
        return Capabilities()

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
        ways = ways_of(properties)
        naming = self.naming()
        facts = read_stated(self._graph, ways, plans, self._read, naming)
        facts = with_nodes(self._graph, facts, self._paths, self._read, self.resolve)
        return self._held(facts, plans, properties)

    def _read(self, node: Node, predicate: URIRef) -> Value:
        known = self.properties().get(predicate)
        if known is None:
            return read_node(node)
        return read_valued(node, known.kind, known.unit or unit_in(known.label))

    def _held(
        self, facts: Mapping[Pair, Facts], plans: Plans, properties: Mapping[URIRef, Property]
    ) -> Mapping[Pair, Facts]:
        """Return facts with what OWL makes of what leads to an item.

        A functional property has the values that its inverse states, and one that is inverse
        functional gives each item to one thing.
        """
        ends: dict[Pair, list[Item]] = {}
        for (subject, predicate), look_ups in plans.items():
            known = properties.get(predicate)
            if (
                known is None
                or known.kind != "item"
                or not facts[subject, predicate].status.answered
            ):
                continue
            found = ends.setdefault((subject, predicate), [])
            if known.functional and known.inverse:
                found.append((known.inverse, subject, RDF.nil))
            if known.inverse_functional:
                claimed = sorted({item for one in look_ups for item in one.objects})
                found += [(predicate, item, known.inverse or RDF.nil) for item in claimed]
        rows = list(dict.fromkeys(end for found in ends.values() for end in found))
        naming = self.naming()
        text = _HOLDERS.replace("LABELS", choice(naming.labels, "|"))
        text = text.replace("SPOKEN", naming.spoken("?label"))
        answer = _select(self._graph, Query(text, {"ends": rows}, "ends", ROWS))
        holders: dict[Item, dict[URIRef, None]] = {}
        for row in sorted(answer.rows, key=str):
            if isinstance(holder := row["named"], URIRef):
                holders.setdefault((row["p"], row["o"], row["back"]), {})[holder] = None
        labels = _labels(answer.rows, {})
        return {
            pair: _joined(one, pair, {end: holders.get(end, {}) for end in ends[pair]}, labels)
            if pair in ends
            else one
            for pair, one in facts.items()
        }

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
        self._naming = read_naming(self._graph, known, self._profile.labels)
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
        if not self._graph.select(Query(_NAMED_GRAPHS, days=LASTING)).rows:
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
    answer = _select(graph, Query(_named(naming), {"names": rows}, "names", _NAMES, 7))
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
    answer = _select(graph, Query(_resolved(naming), {"ids": items(wanted)}, "ids", ROWS))
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

    types = {v for key in _TYPES for v in values.get(key, ()) if isinstance(v, URIRef)}
    types = {kind for kind in types if not str(kind).startswith(_NO_TYPES)}
    return Entity(
        iri,
        label=str(best(naming.labels)),
        description=str(best(_DESCRIPTIONS)),
        types=tuple(sorted(types)),
        prior=number(_WIKIBASE.sitelinks),
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


@dataclass(frozen=True, slots=True)
class LookUp:
    """A pair to look up for one asked for, and the items to compare its values with.

    `broader` are the properties that lead from its values to broader ones; an `inverse` one says
    of a claimed value what the claim says of the subject.
    """

    pair: Pair
    objects: frozenset[URIRef] = frozenset()
    broader: frozenset[URIRef] = frozenset()
    inverse: bool = False


#: What to look up for each pair asked for, itself first.
Plans = Mapping[Pair, tuple[LookUp, ...]]


def plan(
    pairs: Iterable[Pair],
    claimed: Mapping[Pair, Collection[URIRef]],
    properties: Mapping[URIRef, Property],
) -> Plans:
    """Return what to look up: each pair, it under narrower properties, and the inverse of both.

    The inverse is looked up of the items claimed alone: what else leads to a subject is endless.
    """
    plans = {}
    for subject, predicate in dict.fromkeys(pairs):
        known = properties.get(predicate, Property(predicate))
        items = frozenset(claimed.get((subject, predicate), ()))
        broader = frozenset(known.within or (TRANSITIVE,))
        inverse = predicate if known.symmetric else known.inverse
        inverses = (inverse, *properties.get(inverse, known).narrower) if inverse else ()
        plans[subject, predicate] = (
            *(LookUp((subject, own), items, broader) for own in (predicate, *known.narrower)),
            *(
                LookUp((item, inverse_property), inverse=True)
                for item in sorted(items)
                for inverse_property in inverses
            ),
        )
    return plans


def lay_out(plans: Plans, ways: Ways, written: Callable[[URIRef], URIRef]) -> Mapping[Item, Pair]:
    """Return the rows of a query, each by the pair it looks up.

    A row is a subject, a predicate as it is `written` in the graph, for each way the predicate
    again or nil, and an item or nil.
    """
    rows: dict[Item, Pair] = {}
    for look_up in (look_up for look_ups in plans.values() for look_up in look_ups):
        subject, predicate = look_up.pair[0], written(look_up.pair[1])
        apt = [bool(look_up.objects and way & look_up.broader) for way in ways]
        marks = [predicate if is_apt else RDF.nil for is_apt in apt]
        for item in sorted(look_up.objects) if any(apt) else [RDF.nil]:
            rows[subject, predicate, *marks, item] = look_up.pair
    return rows


def branches(ways: Ways, value: str, naming: Naming = KNOWN) -> Iterator[str]:
    """Yield how branches over the rows of `lay_out` begin, then those of labels and of containment.

    `value` is the pattern from ?e by ?p to ?v.
    """
    marks = " ".join(f"?way{index}" for index, _ in enumerate(ways))
    rows = f"VALUES (?s ?p {marks} ?o) {{ $pairs }} ?s owl:sameAs? ?e ."
    yield rows
    named = value.replace("?v", "?named")
    label = f"{rows} {named} . ?named ({choice(naming.labels, '|')}) ?label ."
    label += f" {naming.spoken('?label')}"
    # each label once, and without what it was found by
    yield f"{{ SELECT DISTINCT ?named ?label WHERE {{ {label} }} }}"
    for index, (apt, path) in enumerate(ways.items()):
        names = ("?akin", "?akin") if TRANSITIVE in apt else ("?low", "?high")
        for name, apart in zip(
            names, ("?v owl:sameAs?/PATH ?o", "?o PATH/^owl:sameAs? ?v"), strict=True
        ):
            found = f"{value.replace('?p', f'?way{index}')} . {apart.replace('PATH', path)}"
            yield f"{rows} {found.replace('?v', name)}"


def read_stated(
    graph: Graph,
    ways: Ways,
    plans: Plans,
    read: Callable[[Node, URIRef], Value],
    naming: Naming = KNOWN,
) -> Mapping[Pair, Facts]:
    """Answer plans from plain triples, `read` being what a node is as a value of a predicate."""
    rows, *more = branches(ways, "?e ?p ?v", naming)
    all_branches = (f"{rows} ?e ?p ?v", f"{rows} ?e ?p ?old . ?old owl:sameAs ?v", *more)
    laid = dict(lay_out(plans, ways, lambda predicate: predicate))
    text = (
        f"PREFIX owl: <{OWL}> {_SHORTER} "
        "SELECT ?s ?p ?o ?e ?v ?old ?named ?label ?low ?high ?akin WHERE "
        f"{{ {' UNION '.join(f'{{ {branch} }}' for branch in all_branches)} }}"
    )
    answer = _select(graph, Query(text, {"pairs": list(laid)}, "pairs", ROWS))
    leads = redirects((row["old"], row["v"]) for row in answer.rows if "old" in row)
    found: dict[Pair, dict[Statement, None]] = {}
    for row in sorted((row for row in answer.rows if "s" in row), key=str):
        about = row["s"], row["p"]
        entity = row["e"]
        if "v" in row and "old" not in row and isinstance(entity, URIRef) and _is_pair(about):
            value = row["v"]
            node = leads.get(value, value) if isinstance(value, URIRef) else value
            statement = Statement(
                entity, about[1], read(node, about[1]), retrieved=answer.retrieved
            )
            found.setdefault(about, {})[statement] = None
    return assemble(plans, laid, answer, found, leads)


def _joined(
    facts: Facts, pair: Pair, holders: Mapping[Item, Iterable[URIRef]], labels: Mapping[URIRef, str]
) -> Facts:
    """Return facts with what leads to the subject of their pair by the inverse, or to an item."""
    stated = {statement.value.node for statement in facts.statements if statement.direct}
    statements, rivals = [*facts.statements], list[Statement]()
    for (way, end, _), found in holders.items():
        for holder in found:
            if way != pair[1] and holder not in stated:
                statements.append(Statement(*pair, Value("item", holder)))
            elif way == pair[1] and holder != pair[0]:
                rivals.append(Statement(holder, pair[1], Value("item", end)))
    return replace(
        facts,
        status=Status.OK if statements else facts.status,
        statements=tuple(statements),
        rivals=tuple(rivals),
        labels={**labels, **facts.labels},
    )


def assemble(
    plans: Plans,
    rows: Mapping[Item, Pair],
    answer: Answer,
    found: Mapping[Pair, Iterable[Statement]],
    leads: Mapping[URIRef, URIRef],
) -> dict[Pair, Facts]:
    """Return the facts of each pair asked for, from what was found for the pairs looked up.

    One look-up that failed is a failure of the pair. `rows` are those of the query, by what they
    look up.
    """
    faults: dict[Pair, Fault] = {}
    for row, looked_up in rows.items():
        if row in answer.faults:
            faults.setdefault(looked_up, answer.faults[row])
    lies: dict[tuple[Node, Node], set[Pair]] = {}
    akin: dict[tuple[Node, Node], set[Pair]] = {}
    written = {row[:2]: pair for row, pair in rows.items()}
    for known in answer.rows:
        for name, kept in (("low", lies), ("high", lies), ("akin", akin)):
            if name not in known:
                continue
            ends = (known["o"], known[name]) if name == "high" else (known[name], known["o"])
            low, high = (leads.get(end, end) if isinstance(end, URIRef) else end for end in ends)
            between = (low, high)
            if low != high and _is_pair(between):
                kept.setdefault(written[known["s"], known["p"]], set()).add(between)
    labels = _labels(answer.rows, leads)
    facts = {}
    for asked, look_ups in plans.items():
        fault = next((faults[one.pair] for one in look_ups if one.pair in faults), None)
        if fault:
            facts[asked] = Facts(fault.status, fault=fault)
            continue
        statements: dict[Statement, None] = {}
        for look_up in look_ups:
            for statement in found.get(look_up.pair, ()):
                if look_up.inverse:
                    if statement.value.node in _names_of(asked[0], found.get(asked, ())):
                        statements[_inverted(statement, asked, look_up.pair[0])] = None
                elif look_up.pair == asked:
                    statements[statement] = None
                else:
                    statements[replace(statement, best=False, direct=False)] = None
        within, joined = (
            frozenset(ends for one in look_ups for ends in kept.get(one.pair, ()))
            for kept in (lies, akin)
        )
        status = Status.OK if statements else Status.EMPTY
        facts[asked] = Facts(status, tuple(statements), None, within, joined, labels)
    return facts


def _labels(rows: Iterable[Row], leads: Mapping[URIRef, URIRef]) -> dict[URIRef, str]:
    """Return the label of each item named, in the best of the languages."""
    found: dict[URIRef, tuple[int, str]] = {}
    for row in rows:
        node, label = row.get("named"), row.get("label")
        if isinstance(node, URIRef) and isinstance(label, Literal):
            item = leads.get(node, node)
            found[item] = min(found.get(item, (9, "")), rank_spoken(label))
    return {item: label for item, (_, label) in found.items()}


def _is_pair(ends: tuple[Node, Node]) -> TypeGuard[Pair]:
    return isinstance(ends[0], URIRef) and isinstance(ends[1], URIRef)


def _names_of(subject: URIRef, statements: Iterable[Statement]) -> set[URIRef]:
    """Return the ids that a subject goes by: the one asked for and the one it leads to."""
    return {subject, *(statement.subject for statement in statements)}


def _inverted(statement: Statement, asked: Pair, item: URIRef) -> Statement:
    """Return what a statement of the value says of the subject."""
    return replace(
        statement,
        subject=asked[0],
        predicate=asked[1],
        value=Value("item", item),
        best=False,
        direct=False,
    )


def find_types(
    graph: Graph, path: str, subjects: Iterable[URIRef], classes: Iterable[URIRef]
) -> Mapping[URIRef, frozenset[URIRef] | Fault]:
    """Return to which of the classes a path leads from each subject."""
    wanted, kinds = list(dict.fromkeys(subjects)), list(dict.fromkeys(classes))
    if not kinds:
        return dict.fromkeys(wanted, frozenset())
    blocks = {"subjects": items(wanted), "classes": items(kinds)}
    answer = _select(graph, Query(TYPED.replace("PATH", path), blocks, "subjects", ROWS, 7))
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
