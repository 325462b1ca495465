"""Pack owl against pySHACL with equivalent shapes and against HermiT, on data with planted faults.

    python benchmarks/ontology.py [--triples 1000,10000,100000] [--cap 60] [--json FILE]

The data are leases, judgments, statutes and patents in the terms of the legal ontology; one unit in
five has one of nine faults. The rules must find the planted faults and no others: first the nine
that pySHACL has shapes for (eight, one for two rules), then the whole pack; pySHACL must find the
same. HermiT tells only that there are faults. A peer that does not end within the cap is stopped.

Loading is timed neither for us nor for pySHACL, which gets its graphs parsed. HermiT reads its own
copy, Java starting up included; beside it our loading counts as well.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import time
from collections.abc import Iterator
from pathlib import Path

import rdflib
from rdflib.namespace import RDF, RDFS, XSD, Namespace
from rdflib.term import Literal, Node, URIRef

from groundrules.dataset import Dataset, parse_turtle
from groundrules.ontology.load import load
from groundrules.ontology.reasoner import cross_check
from groundrules.rules.engine import Result, check
from groundrules.rules.packs import load_pack
from groundrules.terms import Claim, Span, Triple

SIZES = (1_000, 10_000, 100_000)
LX = Namespace("https://w3id.org/groundrules/legal#")
BENCH = Namespace("urn:groundrules:bench:")
SHACL = Namespace("http://www.w3.org/ns/shacl#")
EVERY = 5

#: For each of our rules the shape that asks for the same, and the column that holds its focus node.
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
SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix lx: <https://w3id.org/groundrules/legal#> .
@prefix : <urn:groundrules:bench:> .
:disjoint-classes a sh:NodeShape ; sh:targetClass lx:NaturalPerson ;
  sh:not [ sh:class lx:Organization ] .
:disjoint-properties a sh:NodeShape ; sh:targetSubjectsOf lx:hasLandlord ;
  sh:property [ sh:path lx:hasLandlord ; sh:disjoint lx:hasTenant ] .
:two-values a sh:NodeShape ; sh:targetSubjectsOf lx:decisionDate ;
  sh:property [ sh:path lx:decisionDate ; sh:maxCount 1 ] .
:domain-conflict a sh:NodeShape ; sh:targetSubjectsOf lx:hasTenant ;
  sh:not [ sh:class lx:Legislation ] .
:range-conflict a sh:NodeShape ; sh:targetSubjectsOf lx:hasJudge ;
  sh:property [ sh:path lx:hasJudge ; sh:not [ sh:class lx:Organization ] ] .
:shared-value a sh:NodeShape ; sh:targetObjectsOf lx:grantedOn ;
  sh:property [ sh:path [ sh:inversePath lx:grantedOn ] ; sh:maxCount 1 ] .
:mutual-relation a sh:NodeShape ; sh:targetSubjectsOf lx:repeals ;
  sh:property [ sh:path [ sh:inversePath lx:repeals ] ; sh:disjoint lx:repeals ] .
:forbidden-value a sh:NodeShape ; sh:targetClass lx:IndependentClaim ;
  sh:property [ sh:path lx:dependsOnClaim ; sh:maxCount 0 ] .
"""

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


def pyshacl(triples: list[Triple]) -> tuple[float, Faults]:
    """Return pySHACL's seconds and the faults that it finds."""
    from pyshacl import validate

    graph = rdflib.Graph()
    for t in triples:
        graph.add((t.subject, t.predicate, t.object))
    for t in load("legal").axioms:
        if t.predicate == RDFS.subClassOf:
            graph.add((t.subject, t.predicate, t.object))
    shapes = rdflib.Graph().parse(data=SHAPES, format="turtle")
    start = time.perf_counter()
    _, report, _ = validate(graph, shacl_graph=shapes, advanced=False, inplace=True)
    seconds = time.perf_counter() - start
    owners = {part: shape for shape, part in shapes.subject_objects(SHACL.property)}
    found: Faults = set()
    for result in report.subjects(RDF.type, SHACL.ValidationResult):
        shape = report.value(result, SHACL.sourceShape)
        node = report.value(result, SHACL.focusNode)
        assert shape is not None
        assert node is not None
        shape = owners.get(shape, shape)
        found.add((str(shape).removeprefix(str(BENCH)), node))
    return seconds, found


def hermit(triples: list[Triple], cap: float) -> tuple[float, bool | None]:
    """Return HermiT's seconds and whether the data are consistent, None if it does not end."""
    ontology = load("legal")
    stated = parse_turtle(ontology.path.read_text("utf-8"), path=str(ontology.path))
    start = time.perf_counter()
    result = cross_check([*stated, *triples], timeout=cap)
    return time.perf_counter() - start, result.consistent


def capped(triples: list[Triple], cap: float) -> tuple[float, Faults] | None:
    """Return what pySHACL returns, None if it does not end within the cap."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            return pool.apply_async(pyshacl, (triples,)).get(timeout=cap)
        except multiprocessing.TimeoutError:
            return None


def main() -> None:
    """Run all three on each size and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--triples", default=",".join(map(str, SIZES)), help="sizes, by commas")
    parser.add_argument("--cap", type=float, default=60, help="seconds that a peer gets")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    rows = []
    for size in map(int, options.triples.split(",")):
        triples, planted = make(size)
        loading, equal, pack, found = ours(triples)
        if found != planted:
            raise SystemExit(f"ours differ from the planted: {sorted(found ^ planted)[:5]}")
        shacl = capped(triples, options.cap)
        if shacl is not None and shacl[1] != planted:
            raise SystemExit(f"pySHACL differs: {sorted(shacl[1] ^ planted)[:5]}")
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
                "pyshacl_seconds": None if shacl is None else round(shacl[0], 3),
                "hermit_seconds": None if consistent is None else round(reasoning, 3),
            }
        )
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    if options.json:
        figures = {"cap": options.cap, "rows": rows}
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
