"""Whether the records of a store agree with themselves and with the rules of an ontology.

Each record is checked together with a few others, not with the whole store:

* its parts, and the things that it and they speak of;
* what an acyclic property leads to, step by step, since a chain must not come back to where it
  began;
* the other things with a value that only one thing may have, such as the same number.

There are limits to each, so the cost is linear in the number of records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from rdflib.namespace import OWL, RDF, RDFS
from rdflib.term import Literal, Node, URIRef

from groundrules.checks.case import Case
from groundrules.checks.judge import Rules, judge
from groundrules.dataset import TripleStore
from groundrules.kb.records.formats import DCTERMS, PROV, SCHEMA
from groundrules.kb.search.neighbourhood import called
from groundrules.kb.search.texts import vocabulary
from groundrules.ontology.load import Ontology
from groundrules.rules.rule import Rule
from groundrules.terms import GR, STATEMENT, Claim, Span, Triple, Violation

#: How many steps of acyclic properties are followed, and how many things with one value are taken.
_CHAIN, _SHARED = 100, 100
#: Records that are checked together, for speed.
_TOGETHER = 16
_PROPERTIES = (OWL.ObjectProperty, OWL.DatatypeProperty)
#: What is stated of things.
_Statements = dict[URIRef, list[Triple]]
#: A record, what is its own, and what stands around it.
_Slice = tuple[URIRef, _Statements, _Statements]
_RECORDS = f"SELECT DISTINCT ?s WHERE {{ ?s <{PROV.wasDerivedFrom}> ?o }}"
_TYPED = (
    f"SELECT DISTINCT ?s WHERE {{ ?s <{RDF.type}> ?o FILTER(isIRI(?s)) FILTER NOT EXISTS "
    f"{{ ?s <{RDF.type}> ?term FILTER(STRSTARTS(STR(?term), '{OWL}') || ?term IN "
    f"(<{RDF.Property}>, <{RDFS.Class}>)) }} }}"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of a record, and where the record came from: "file: record 3", several at once."""

    record: URIRef
    places: tuple[str, ...]
    violation: Violation


@dataclass(frozen=True, slots=True)
class _Terms:
    """What an ontology says that a slice depends on."""

    properties: frozenset[Node]
    acyclic: frozenset[Node]
    single: frozenset[Node]  # of which each value belongs to one thing
    keys: frozenset[Node]


def check_records(
    store: TripleStore, ontology: Ontology, rules: Sequence[Rule]
) -> Iterator[tuple[URIRef, tuple[Finding, ...]]]:
    """Yield each record of a store, sorted, with what the rules find wrong with it.

    A record is what a file was read for; in a store without such, whatever has a type and is no
    term of an ontology. A fault is
    told of one record, and once however many statements have a part in it.
    """
    terms = _terms(ontology)
    named = {
        t.subject: str(t.object)
        for t in ontology.axioms
        if t.predicate == RDFS.label and isinstance(t.object, Literal)
    }
    records = _subjects(store, _RECORDS) or _subjects(store, _TYPED)
    known = set(records)
    slices = ((record, *_slice(store, record, terms, known)) for record in records)
    for group in _groups(slices):
        own = {record: set(mine) for record, mine, _ in group}
        sides = [side for _, *both in group for side in both]
        stated = {triple for side in sides for told in side.values() for triple in told}
        labels = {**named, **_labels(store, set(chain(*sides)))}
        ordered = sorted(stated, key=lambda t: (str(t.subject), str(t.predicate), str(t.object)))
        violations = check_statements(ordered, ontology.axioms, Rules(tuple(rules)), labels)
        for record, mine in own.items():
            # One fault has as many violations as statements have a part in it.
            found = {
                (v.rule, v.message): v
                for v in reversed(violations)
                if v.claim is not None and v.claim.triple.subject in mine
            }
            places = _places(store, record) if found else ()
            yield record, tuple(Finding(record, places, v) for v in reversed(found.values()))


def _groups(slices: Iterable[_Slice]) -> Iterator[list[_Slice]]:
    """Yield slices in groups."""
    rest = iter(slices)
    while group := list(islice(rest, _TOGETHER)):
        yield group


def _terms(ontology: Ontology) -> _Terms:
    of: dict[Node, set[Node]] = {}
    rest: dict[Node, Node] = {}
    first: dict[Node, Node] = {}
    keys = set()
    for subject, predicate, value in ((t.subject, t.predicate, t.object) for t in ontology.axioms):
        if predicate == RDF.type:
            of.setdefault(value, set()).add(subject)
        elif predicate == RDF.first:
            first[subject] = value
        elif predicate == RDF.rest:
            rest[subject] = value
        elif predicate == OWL.hasKey:
            keys.add(value)
    # The last property of a key tells most apart.
    last = set()
    for node in keys:
        while rest.get(node, RDF.nil) != RDF.nil:
            node = rest[node]
        last.add(first.get(node, node))
    return _Terms(
        frozenset().union(*(of.get(kind, set()) for kind in _PROPERTIES)),
        frozenset(of.get(GR.AcyclicProperty, ())),
        frozenset(of.get(OWL.InverseFunctionalProperty, ())),
        frozenset(last),
    )


def _subjects(store: TripleStore, query: str) -> list[URIRef]:
    return sorted({row["s"] for row in store.select(query) if isinstance(row["s"], URIRef)})


def _slice(
    store: TripleStore, record: URIRef, terms: _Terms, records: set[URIRef]
) -> tuple[_Statements, _Statements]:
    """Return what is stated of a record and of what is no other's, and of what stands around it."""

    def stated(node: URIRef) -> list[Triple]:
        return [
            triple
            for triple in store.triples(node)
            if triple.predicate in terms.properties or triple.predicate in (RDF.type, OWL.sameAs)
        ]

    own: _Statements = {record: stated(record)}
    known = vocabulary()
    # A paragraph is a part and nothing else, and there are many.
    plain = {kind for kind, told in known.relations.items() if set(told) <= set(known.wholes)}
    for whole in known.wholes:
        for triple in store.triples(predicate=URIRef(whole), object=record):
            if isinstance(part := triple.subject, URIRef):
                told = stated(part)
                if not any(t.predicate == RDF.type and str(t.object) in plain for t in told):
                    own[part] = told
    around: _Statements = {}
    for triple in [t for told in own.values() for t in told]:
        if triple.predicate == RDF.type or not isinstance(triple.object, URIRef):
            continue
        if triple.object not in own:
            side = around if triple.object in records else own
            side.setdefault(triple.object, stated(triple.object))
    for node in _further(store, own, terms):
        if node not in own:
            around.setdefault(node, stated(node))
    return own, around


def _further(store: TripleStore, own: _Statements, terms: _Terms) -> list[URIRef]:
    """Return what acyclic properties lead to, and what has a value that only one thing may have."""
    found: dict[URIRef, None] = {}
    steps = [t for told in own.values() for t in told if t.predicate in terms.acyclic]
    seen: set[Node] = set()
    while steps and len(seen) < _CHAIN:
        triple = steps.pop()
        if triple.object in seen or not isinstance(triple.object, URIRef):
            continue
        seen.add(triple.object)
        found[triple.object] = None
        steps += store.triples(triple.object, triple.predicate)
    for told in list(own.values()):
        for triple in told:
            if triple.predicate in terms.single or triple.predicate in terms.keys:
                sharing = store.triples(predicate=triple.predicate, object=triple.object)
                for other in islice(sharing, _SHARED):
                    if isinstance(other.subject, URIRef):
                        found[other.subject] = None
    return list(found)


def _labels(store: TripleStore, nodes: Iterable[URIRef]) -> Mapping[Node, str]:
    found: dict[Node, str] = {}
    for node in nodes:
        texts = [str(t.object) for t in store.triples(node, RDFS.label)]
        found[node] = min(texts, default=called(node))
    return found


def check_statements(
    stated: Iterable[Triple], axioms: tuple[Triple, ...], rules: Rules, labels: Mapping[Node, str]
) -> tuple[Violation, ...]:
    """Return what is wrong with statements, all being taken as said; no edit is tried."""
    claims = tuple(
        Claim(STATEMENT[f"record:{number}"], triple, Span("record", number, number))
        for number, triple in enumerate(stated)
    )
    case = Case(assertions=claims, axioms=axioms, labels=labels)
    return judge(case, rules, edits=False).violations


def _places(store: TripleStore, record: URIRef) -> tuple[str, ...]:
    """Return where a record came from, sorted."""
    found = []
    for derived in store.triples(record, PROV.wasDerivedFrom):
        names = [str(t.object) for t in store.triples(derived.object, DCTERMS.source)]
        numbers = [str(t.object) for t in store.triples(derived.object, SCHEMA.position)]
        found += [f"{name}: record {', '.join(sorted(numbers))}" for name in names]
    return tuple(sorted(set(found)))
