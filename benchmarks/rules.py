"""The rule engine against pySHACL: the same two checks on the same claims and context.

    python benchmarks/rules.py [--claims 1000] [--triples 200000] [--json FILE]

object-conflict: a functional property is claimed with another value than the context gives.
relation-preservation: no context states the claim. Both as SPARQL constraints for pySHACL, whose
data graph is the union of what our dataset keeps apart; both count the failing claims. Loading the
data is not timed on either side, and pySHACL gets its shapes parsed.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import rdflib
from rdflib.namespace import OWL, RDF
from rdflib.term import URIRef

from groundrules.dataset import Dataset
from groundrules.rules.engine import check
from groundrules.rules.rule import Rule, parse_rule
from groundrules.terms import Claim, Span, Triple

BENCH = "urn:groundrules:bench:"
SOURCE = URIRef(BENCH + "source")

CONFLICT = """id = "XX201"
name = "object-conflict"
summary = "A single-valued relation is claimed with a different value"
message = "{s} {p} {known}, not {o}"
select = '''
SELECT ?claim ?s ?p ?o ?known WHERE {
  ?claim a gr:Claim ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o .
  ?p a owl:FunctionalProperty .
  GRAPH ?source { ?s ?p ?known }
  FILTER (!sameTerm(?known, ?o))
}
'''
"""
UNSUPPORTED = """id = "XX102"
name = "unsupported-relation"
summary = "Two known entities are related in a way no context states"
message = "no context says that {s} {p} {o}"
metric = "RP"
select = '''
SELECT ?claim ?s ?p ?o ?score WHERE {
  ?claim a gr:Claim ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o .
  BIND (IF(EXISTS { GRAPH ?source { ?s ?p ?o } }, 1.0, 0.0) AS ?score)
}
'''
"""
SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix gr: <https://groundrules.dev/ns#> .
@prefix : <urn:groundrules:bench:> .
:prefixes sh:declare
  [ sh:prefix "rdf" ; sh:namespace "http://www.w3.org/1999/02/22-rdf-syntax-ns#"^^xsd:anyURI ] ,
  [ sh:prefix "owl" ; sh:namespace "http://www.w3.org/2002/07/owl#"^^xsd:anyURI ] .
:Conflict a sh:NodeShape ; sh:targetClass gr:Claim ; sh:sparql [
  a sh:SPARQLConstraint ; sh:prefixes :prefixes ; sh:message "object conflict" ;
  sh:select '''SELECT $this ?value WHERE {
    $this rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o .
    ?p a owl:FunctionalProperty .
    ?s ?p ?value .
    FILTER (!sameTerm(?value, ?o))
  }''' ] .
:Unsupported a sh:NodeShape ; sh:targetClass gr:Claim ; sh:sparql [
  a sh:SPARQLConstraint ; sh:prefixes :prefixes ; sh:message "unsupported relation" ;
  sh:select '''SELECT $this WHERE {
    $this rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o .
    FILTER NOT EXISTS { ?s ?p ?o }
  }''' ] .
"""


def rules() -> list[Rule]:
    """Return the two checks as rules."""
    return [
        parse_rule(CONFLICT.encode(), "object-conflict.toml"),
        parse_rule(UNSUPPORTED.encode(), "unsupported-relation.toml"),
    ]


def make(claims: int, triples: int, seed: int = 0) -> tuple[list[Claim], list[Triple]]:
    """Return claims and context; a third of the claims is right, a third has another object."""
    draw = random.Random(seed)
    size = max(10, triples // 10)

    def thing() -> URIRef:
        return URIRef(f"{BENCH}thing{draw.randrange(size)}")

    context = list(
        dict.fromkeys(
            Triple(thing(), URIRef(f"{BENCH}relation{draw.randrange(40)}"), thing())
            for _ in range(triples)
        )
    )
    checked = []
    for i in range(claims):
        triple = draw.choice(context)
        if i % 3 == 1:
            triple = Triple(triple.subject, triple.predicate, thing())
        if i % 3 == 2:
            triple = Triple(triple.object, triple.predicate, triple.subject)
        checked.append(Claim(URIRef(f"{BENCH}claim{i}"), triple, Span("bench", i, i + 1)))
    return checked, context


def ontology() -> list[Triple]:
    """Return the functional properties: every other relation."""
    return [
        Triple(URIRef(f"{BENCH}relation{i}"), RDF.type, OWL.FunctionalProperty)
        for i in range(0, 40, 2)
    ]


def ours(claims: list[Claim], context: list[Triple], repeats: int = 5) -> tuple[float, list[int]]:
    """Return the seconds of the best run and the failing claims per check."""
    dataset = Dataset()
    dataset.add_claims(claims)
    dataset.add(ontology())
    dataset.add(context, SOURCE)
    checks = rules()
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        result = check(dataset, checks)
        best = min(best, time.perf_counter() - start)
    return best, [
        len({v.claim.id for v in result.violations if v.rule == rule.id and v.claim})
        for rule in checks
    ]


def theirs(claims: list[Claim], context: list[Triple]) -> tuple[float, list[int]]:
    """Return pySHACL's seconds and the failing claims per check."""
    import pyshacl

    dataset = Dataset()
    dataset.add_claims(claims)
    graph = rdflib.Graph()
    for triple in [*dataset.triples(), *ontology(), *context]:
        graph.add((triple.subject, triple.predicate, triple.object))
    shapes = rdflib.Graph().parse(data=SHAPES, format="turtle")
    start = time.perf_counter()
    _, report, _ = pyshacl.validate(graph, shacl_graph=shapes, advanced=False, inplace=True)
    seconds = time.perf_counter() - start
    shacl = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    counts = []
    for shape in ("Conflict", "Unsupported"):
        found = report.subjects(shacl.sourceShape, URIRef(BENCH + shape))
        counts.append(len({report.value(node, shacl.focusNode) for node in found}))
    return seconds, counts


def main() -> None:
    """Run both and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--claims", type=int, default=1_000)
    parser.add_argument("--triples", type=int, default=200_000)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()

    claims, context = make(options.claims, options.triples)
    fast, found = ours(claims, context)
    slow, expected = theirs(claims, context)
    figures = {
        "claims": len(claims),
        "triples": len(context),
        "groundrules_seconds": round(fast, 4),
        "pyshacl_seconds": round(slow, 3),
        "ratio": round(slow / fast, 1),
        "violations": dict(zip(("object_conflict", "relation_preservation"), found, strict=True)),
        "equal": found == expected,
    }
    for key, value in figures.items():
        print(f"{key:22} {value}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    if found != expected:
        raise SystemExit(f"the counts differ: {found} and {expected}")


if __name__ == "__main__":
    main()
