"""Pack owl against pySHACL with equivalent shapes and against HermiT, on data with planted faults.

    python benchmarks/ontology.py [--triples 1000,10000,100000] [--cap 60] [--json FILE]

The data are leases, judgments, statutes and patents in the terms of the legal ontology; one unit in
five has one of nine faults. The rules must find the planted faults and no others: first the nine
that pySHACL has shapes for, then the whole pack; pySHACL must find the same. HermiT tells only that
there are faults. A peer that does not end within the cap is stopped.

The shapes are made from the axioms that the nine rules read, all of them: every pair of disjoint
classes and properties, every property of one value, of one owner or of one direction, every domain
and range, every cardinality of none. Of what follows from another shape none is made. pySHACL gets
the subclasses in its data (`taxonomy`) and, in a second run, the types that follow instead
(`types`); the faster one counts.

Loading is timed neither for us nor for pySHACL, which gets its graphs parsed and its types worked
out. HermiT reads its own copy, Java starting up included; beside it our loading counts as well.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import rdflib
from rdflib.namespace import OWL, RDF, RDFS, XSD, Namespace
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.dataset import Dataset, parse_turtle
from groundrules.ontology.load import load
from groundrules.ontology.reasoner import cross_check
from groundrules.rules.engine import Result, check
from groundrules.rules.packs import load_pack
from groundrules.terms import GR, Claim, Span, Triple

SIZES = (1_000, 10_000, 100_000)
LX = Namespace("https://w3id.org/groundrules/legal#")
BENCH = Namespace("urn:groundrules:bench:")
SHACL = Namespace("http://www.w3.org/ns/shacl#")
EVERY = 5
#: The restrictions that say how many values there are at most.
MOST = {
    OWL.maxCardinality,
    OWL.cardinality,
    OWL.maxQualifiedCardinality,
    OWL.qualifiedCardinality,
}

#: The kind of shape that asks for the same as a rule of ours, and the column of its focus node.
RULES = {
    "disjoint-classes": ("disjoint-classes", "s"),
    "disjoint-properties": ("disjoint-properties", "s"),
    "two-values": ("two-values", "s"),
    "domain-conflict": ("domain-conflict", "s"),
    "range-conflict": ("range-conflict", "s"),
    "shared-value": ("shared-value", "o"),
    "self-relation": ("mutual-relation", "s"),
    "mutual-relation": ("mutual-relation", "s"),
    "forbidden-value": ("forbidden-value", "s"),
}

Faults = set[tuple[str, Node]]


def day(draw: random.Random) -> Literal:
    """Return some day."""
    month, date = draw.randrange(1, 13), draw.randrange(1, 29)
    text = f"{draw.randrange(1950, 2020)}-{month:02}-{date:02}"
    return Literal(text, datatype=XSD.date)


def unit(n: int, draw: random.Random) -> Iterator[Triple]:
    """Yield a lease, a judgment, a repeal and a patent, all correct."""

    def thing(name: str, number: int = n) -> URIRef:
        return BENCH[f"{name}{number}"]

    kinds = {
        "lease": LX.LeaseAgreement, "company": LX.Company, "tenant": LX.NaturalPerson,
        "decision": LX.JudicialDecision, "case": LX.CivilCase, "judge": LX.NaturalPerson,
        "act": LX.Statute, "patent": LX.GrantedPatent, "application": LX.PatentApplication,
        "claim": LX.IndependentClaim, "dependent": LX.DependentClaim,
    }  # fmt: skip
    for name, kind in kinds.items():
        yield Triple(thing(name), RDF.type, kind)
    court = BENCH[f"court{draw.randrange(20)}"]
    yield Triple(thing("lease"), LX.hasLandlord, thing("company"))
    yield Triple(thing("lease"), LX.hasTenant, thing("tenant"))
    yield Triple(thing("lease"), LX.effectiveDate, day(draw))
    yield Triple(thing("decision"), LX.decides, thing("case"))
    yield Triple(thing("decision"), LX.hasJudge, thing("judge"))
    yield Triple(thing("decision"), LX.decisionDate, day(draw))
    yield Triple(thing("case"), LX.heardBy, court)
    if n % 5:
        yield Triple(thing("act"), LX.repeals, thing("act", n - 1))
    yield Triple(thing("patent"), LX.grantedOn, thing("application"))
    yield Triple(thing("dependent"), LX.dependsOnClaim, thing("claim"))


def fault(kind: str, n: int) -> tuple[list[Triple], list[Node]]:
    """Return the statements that make a unit faulty, and the nodes at fault."""

    def thing(name: str, number: int = n) -> URIRef:
        return BENCH[f"{name}{number}"]

    lease, decision, act = thing("lease"), thing("decision"), thing("act")
    if kind == "disjoint-classes":
        return [Triple(thing("tenant"), RDF.type, LX.Company)], [thing("tenant")]
    if kind == "disjoint-properties":
        return [Triple(lease, LX.hasTenant, thing("company"))], [lease]
    if kind == "two-values":
        later = Literal("2031-01-01", datatype=XSD.date)
        return [Triple(decision, LX.decisionDate, later)], [decision]
    if kind == "domain-conflict":
        return [Triple(act, LX.hasTenant, thing("tenant"))], [act]
    if kind == "range-conflict":
        return [Triple(decision, LX.hasJudge, thing("company"))], [decision]
    if kind == "shared-value":
        more = Triple(BENCH[f"second-patent{n}"], LX.grantedOn, thing("application"))
        return [more], [thing("application")]
    if kind == "self-relation":
        return [Triple(thing("lone-act"), LX.repeals, thing("lone-act"))], [thing("lone-act")]
    if kind == "mutual-relation":
        one, two = BENCH[f"new-act{n}"], BENCH[f"old-act{n}"]
        return [Triple(one, LX.repeals, two), Triple(two, LX.repeals, one)], [one, two]
    assert kind == "forbidden-value"
    more = Triple(thing("claim"), LX.dependsOnClaim, BENCH[f"elsewhere{n}"])
    return [more], [thing("claim")]


def make(size: int, seed: int = 0) -> tuple[list[Triple], Faults]:
    """Return about so many statements and the faults that were planted in them."""
    draw = random.Random(seed)
    found = [Triple(BENCH[f"court{n}"], RDF.type, LX.Court) for n in range(20)]
    planted: Faults = set()
    kinds = list(RULES)
    n = 0
    while len(found) < size:
        found += unit(n, draw)
        if n % EVERY == 0:
            kind = kinds[n // EVERY % len(kinds)]
            more, nodes = fault(kind, n)
            found += more
            planted |= {(RULES[kind][0], node) for node in nodes}
        n += 1
    return list(dict.fromkeys(found)), planted


def ours(triples: list[Triple]) -> tuple[float, float, float, Faults]:
    """Return the seconds for loading, for the rules that have a shape and for all, and the faults.

    SystemExit where the rules that have a shape find other faults than all of them.
    """
    rules = load_pack("owl").rules
    equal = [rule for rule in rules if rule.name in RULES]
    axioms = load("legal").axioms
    start = time.perf_counter()
    claims = {
        BENCH[f"statement{n}"]: Claim(BENCH[f"statement{n}"], triple, Span("bench", n, n + 1))
        for n, triple in enumerate(triples)
    }
    dataset = Dataset()
    dataset.add(axioms)
    dataset.add_assertions(claims.values())
    loaded = time.perf_counter()
    few = check(dataset, equal, claims=claims)
    between = time.perf_counter()
    result = check(dataset, rules, claims=claims)
    ended = time.perf_counter()
    if faults(few) != faults(result):
        raise SystemExit("the other rules find more")
    return loaded - start, between - loaded, ended - between, faults(result)


def faults(result: Result) -> Faults:
    """Return the shape that each violation corresponds to, and its focus node."""
    found: Faults = set()
    for violation in result.violations:
        kind, column = RULES.get(violation.name, (violation.name, "claim"))
        found.add((kind, dict(violation.bindings)[column]))
    return found


def shapes(axioms: Sequence[Triple]) -> rdflib.Graph:
    """Return the shapes that ask of a thing what the nine rules ask.

    Each is named after its kind and what it is about; an asymmetric property is irreflexive too.
    """
    graph = rdflib.Graph()
    said: defaultdict[Node, defaultdict[Node, set[Node]]] = defaultdict(lambda: defaultdict(set))
    for t in axioms:
        said[t.predicate][t.subject].add(t.object)
    above, apart = said[RDFS.subClassOf], said[OWL.disjointWith]
    soft = set(said[GR.severity])

    def named(nodes: Iterable[Node]) -> list[URIRef]:
        return sorted(node for node in nodes if isinstance(node, URIRef))

    def widest(classes: Iterable[Node]) -> list[URIRef]:
        """Return the classes without those that are within another."""
        found = named(classes)
        return [c for c in found if not above[c] & (set(found) - {c})]

    def of(kind: Node) -> list[URIRef]:
        return named(p for p, kinds in said[RDF.type].items() if kind in kinds and p not in soft)

    def shape(kind: str, about: Node, target: URIRef, node: Node) -> URIRef:
        name = BENCH[f"{kind}:{str(about).removeprefix(LX)}"]
        graph.add((name, RDF.type, SHACL.NodeShape))
        graph.add((name, target, node))
        return name

    def add(owner: Node, *facts: tuple[URIRef, Node]) -> BNode:
        part = BNode()
        graph.add((owner, SHACL.property, part))
        for predicate, value in facts:
            graph.add((part, predicate, value))
        return part

    def never(owner: Node, kind: Node) -> None:
        part = BNode()
        graph.add((owner, SHACL["not"], part))
        graph.add((part, SHACL["class"], kind))

    def inverse(p: Node) -> BNode:
        path = BNode()
        graph.add((path, SHACL.inversePath, p))
        return path

    one = Literal(1)
    for c in named(apart):
        wider = {d for upper in above[c] - {c} for d in apart[upper]}
        others = [d for d in widest(apart[c]) if c < d and d not in wider]
        if others:
            name = shape("disjoint-classes", c, SHACL.targetClass, c)
            for d in others:
                never(name, d)
    for p in named(said[OWL.propertyDisjointWith]):
        rest = [q for q in named(said[OWL.propertyDisjointWith][p]) if p < q and not {p, q} & soft]
        if rest:
            name = shape("disjoint-properties", p, SHACL.targetSubjectsOf, p)
            add(name, (SHACL.path, p), *((SHACL.disjoint, q) for q in rest))
    for p in of(OWL.FunctionalProperty):
        name = shape("two-values", p, SHACL.targetSubjectsOf, p)
        add(name, (SHACL.path, p), (SHACL.maxCount, one))
    for p in of(OWL.InverseFunctionalProperty):
        name = shape("shared-value", p, SHACL.targetObjectsOf, p)
        add(name, (SHACL.path, inverse(p)), (SHACL.maxCount, one))
    for p in sorted({*of(OWL.AsymmetricProperty), *of(OWL.IrreflexiveProperty)}):
        name = shape("mutual-relation", p, SHACL.targetSubjectsOf, p)
        add(name, (SHACL.path, inverse(p)), (SHACL.disjoint, p))
    for p in named(said[RDFS.domain]):
        if wrong := widest(d for c in said[RDFS.domain][p] for d in apart[c]):
            name = shape("domain-conflict", p, SHACL.targetSubjectsOf, p)
            for d in wrong:
                never(name, d)
    for p in named(said[RDFS.range]):
        if wrong := widest(d for c in said[RDFS.range][p] for d in apart[c]):
            name = shape("range-conflict", p, SHACL.targetSubjectsOf, p)
            part = add(name, (SHACL.path, p))
            for d in wrong:
                never(part, d)
    none = {
        r for most in MOST for r, counts in said[most].items() if {str(n) for n in counts} == {"0"}
    }
    for c in named(above):
        for p in named(p for r in above[c] & none for p in said[OWL.onProperty][r]):
            name = shape("forbidden-value", c, SHACL.targetClass, c)
            add(name, (SHACL.path, p), (SHACL.maxCount, Literal(0)))
    return graph


def pyshacl(triples: Sequence[Triple], *, types: bool) -> tuple[float, Faults]:
    """Return pySHACL's seconds and the faults that it finds."""
    from pyshacl import validate

    axioms = load("legal").axioms
    taxonomy = [t for t in axioms if t.predicate == RDFS.subClassOf]
    graph = rdflib.Graph()
    for t in triples if types else [*triples, *taxonomy]:
        graph.add((t.subject, t.predicate, t.object))
    if types:
        above: defaultdict[Node, set[Node]] = defaultdict(set)
        for t in taxonomy:
            above[t.subject].add(t.object)
        for t in triples:
            for kind in above[t.object] if t.predicate == RDF.type else ():
                graph.add((t.subject, RDF.type, kind))
    asked = shapes(axioms)
    start = time.perf_counter()
    _, report, _ = validate(graph, shacl_graph=asked, advanced=False, inplace=True)
    seconds = time.perf_counter() - start
    owners = {part: shape for shape, part in asked.subject_objects(SHACL.property)}
    found: Faults = set()
    for result in report.subjects(RDF.type, SHACL.ValidationResult):
        shape = report.value(result, SHACL.sourceShape)
        node = report.value(result, SHACL.focusNode)
        assert shape is not None
        assert node is not None
        shape = owners.get(shape, shape)
        found.add((str(shape).removeprefix(str(BENCH)).partition(":")[0], node))
    # Of one fault both: what must have none has no such property. OWL115 supersedes OWL105.
    return seconds, found - {
        ("domain-conflict", node) for kind, node in found if kind == "forbidden-value"
    }


def hermit(triples: list[Triple], cap: float) -> tuple[float, bool | None]:
    """Return HermiT's seconds and whether the data are consistent, None if it does not end."""
    ontology = load("legal")
    stated = parse_turtle(ontology.path.read_text("utf-8"), path=str(ontology.path))
    start = time.perf_counter()
    result = cross_check([*stated, *triples], timeout=cap)
    return time.perf_counter() - start, result.consistent


def capped(triples: list[Triple], cap: float, *, types: bool) -> tuple[float, Faults] | None:
    """Return what pySHACL returns, None if it does not end within the cap."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            return pool.apply_async(pyshacl, (triples,), {"types": types}).get(timeout=cap)
        except multiprocessing.TimeoutError:
            return None


def main() -> None:
    """Run all three on each size and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--triples", default=",".join(map(str, SIZES)), help="sizes, by commas")
    parser.add_argument("--cap", type=float, default=60, help="seconds that a peer gets")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    asked = shapes(load("legal").axioms)
    count = sum(1 for _ in asked.subjects(RDF.type, SHACL.NodeShape))
    rows = []
    for size in map(int, options.triples.split(",")):
        triples, planted = make(size)
        loading, equal, pack, found = ours(triples)
        if found != planted:
            raise SystemExit(f"ours differ from the planted: {sorted(found ^ planted)[:5]}")
        seconds: dict[str, float] = {}
        for way in ("taxonomy", "types"):
            shacl = capped(triples, options.cap, types=way == "types")
            if shacl is None:
                continue
            if shacl[1] != planted:
                raise SystemExit(f"pySHACL differs: {sorted(shacl[1] ^ planted)[:5]}")
            seconds[way] = shacl[0]
        faster = min(seconds, key=lambda way: seconds[way], default=None)
        reasoning, consistent = hermit(triples, options.cap)
        if consistent:
            raise SystemExit("HermiT finds the faulty data consistent")
        rows.append(
            {
                "triples": len(triples),
                "faults": len(planted),
                "rules": len(load_pack("owl").rules),
                "equal_rules": len(RULES),
                "load_seconds": round(loading, 4),
                "equal_rules_seconds": round(equal, 4),
                "pack_seconds": round(pack, 4),
                "shapes": count,
                "pyshacl_way": faster,
                "pyshacl_seconds": round(seconds[faster], 3) if faster else None,
                "hermit_seconds": None if consistent is None else round(reasoning, 3),
            }
        )
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    if options.json:
        figures = {"cap": options.cap, "rows": rows}
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
