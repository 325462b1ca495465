"""The tests inside rule files.

The texts of a `[[test]]` are Turtle in which `:` stands for `urn:test:`.

- `claims`: each plain triple is a claim, positive and asserted, named `:claim1`, `:claim2`, … in
  the order of the text. A node with `rdf:subject` is a claim spelled out, with the polarity,
  modality and attribution it gives; it keeps its name, or gets the next number if it has none:
  `[] rdf:subject :roe ; rdf:predicate :cites ; rdf:object :brown ; gr:polarity "negative" .`
  Their gr:source is `:text`.
- `context`: the same for the statements of one source, named `:evidence1`, …, in the named graph
  `:context`.
- `ontology`, `facts`: triples of the default graph.
- `expect`: one table per violation, or per ruling of a rule with a verdict; column = term in
  Turtle; columns left out are not compared.
- `outcome`: that of every ruling; there is one at least.
- `metric`: the value of the rule's metric.
- `fixed`: the claims once the edits of all its violations are applied, with the rule then silent.
- `derives`: what a construct rule adds, all of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib.namespace import RDF
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.checks.case import Case, build
from groundrules.checks.judge import Rules, run
from groundrules.dataset import PREFIXES, Dataset, parse_turtle
from groundrules.errors import GroundrulesError, SourceError
from groundrules.rules.engine import Result, apply_edit
from groundrules.rules.rule import Rule, RuleTest
from groundrules.terms import GR, Claim, Modality, Span, Triple

TEST = "urn:test:"
TEXT = URIRef(TEST + "text")
CONTEXT = URIRef(TEST + "context")


@dataclass(frozen=True, slots=True)
class Failure:
    """A test that failed, and how."""

    rule: Rule
    test: RuleTest
    message: str

    def __str__(self) -> str:
        return (
            f"{self.rule.path}:{self.test.line}: {self.rule.id}::{self.test.name}: {self.message}"
        )


def cases(rules: Iterable[Rule]) -> Iterator[tuple[Rule, RuleTest]]:
    """Yield every test of the rules."""
    for rule in rules:
        for test in rule.tests:
            yield rule, test


def run_test(rule: Rule, test: RuleTest) -> list[str]:
    """Return what is wrong, nothing if the rule does what the test says."""
    try:
        return list(_faults(rule, test))
    except GroundrulesError as error:
        return [str(error)]


def case_of(rule: Rule, test: RuleTest) -> Case:
    """Return the case of a test; SourceError if one of its texts is not Turtle."""
    prefixes = {**rule.prefixes, "": TEST}
    return Case(
        text=TEXT,
        claims=tuple(read_claims(test.claims, "claim", prefixes)),
        evidence=((CONTEXT, tuple(read_claims(test.context, "evidence", prefixes))),),
        facts=tuple(
            triple
            for turtle in (test.ontology, test.facts)
            for triple in parse_turtle(turtle, prefixes=prefixes)
        ),
    )


def read_claims(turtle: str, name: str, prefixes: Mapping[str, str] | None = None) -> list[Claim]:
    """Read the claims of a test, see the head of this module."""
    plain: list[Triple] = []
    spelled: dict[Node, dict[Node, Node]] = {}
    triples = parse_turtle(turtle, prefixes=prefixes or {**PREFIXES, "": TEST})
    for triple in triples:
        if triple.predicate == RDF.subject:
            spelled[triple.subject] = {}
    found: list[tuple[URIRef | None, Triple, Mapping[Node, Node]]] = []
    for triple in triples:
        if triple.subject not in spelled:
            plain.append(triple)
            found.append((None, triple, {}))
            continue
        about = spelled[triple.subject]
        about[triple.predicate] = triple.object
        if triple.predicate == RDF.subject:
            node = triple.subject if isinstance(triple.subject, URIRef) else None
            found.append((node, triple, about))
    return [
        _claim(node or URIRef(f"{TEST}{name}{number}"), triple, about, number)
        for number, (node, triple, about) in enumerate(found, 1)
    ]


def _claim(node: URIRef, triple: Triple, about: Mapping[Node, Node], number: int) -> Claim:
    if about:
        if RDF.predicate not in about or RDF.object not in about:
            raise SourceError(f"{node} has rdf:subject but not rdf:predicate and rdf:object")
        triple = Triple(about[RDF.subject], about[RDF.predicate], about[RDF.object])
    polarity = str(about.get(GR.polarity, "positive"))
    modality = str(about.get(GR.modality, "asserted"))
    if polarity not in ("positive", "negative"):
        raise SourceError(f"polarity {polarity!r}; expected positive, negative")
    if modality not in tuple(Modality):
        raise SourceError(f"modality {modality!r}; expected {', '.join(Modality)}")
    attribution = about.get(GR.attribution)
    return Claim(
        node,
        triple,
        Span("test", number, number + 1),
        polarity="negative" if polarity == "negative" else "positive",
        modality=Modality(modality),
        attribution=None if attribution is None else str(attribution),
    )


def _faults(rule: Rule, test: RuleTest) -> Iterator[str]:
    prefixes = {**rule.prefixes, "": TEST}
    dataset, alone = build(case_of(rule, test)), Rules((rule,), select=(rule.id,))
    # claims as the dataset has them: numbers are spelled in one way there
    result = run(Case(), alone, dataset)
    if test.derives is not None:
        wanted = set(parse_turtle(test.derives, prefixes=prefixes))
        derived = {triple for _, triple in result.derived}
        for triple in sorted(wanted - derived, key=_line):
            yield f"does not derive {_line(triple)}"
        for triple in sorted(derived - wanted, key=_line):
            yield f"derives {_line(triple)}"
    if test.expect is not None:
        yield from _compare(test.expect, rule, result, prefixes)
    if test.outcome is not None:
        outcomes = {ruling.outcome for ruling in result.rulings}
        if outcomes != {test.outcome}:
            yield f"the outcome is {', '.join(sorted(outcomes)) or 'none'}, not {test.outcome}"
    if test.metric is not None:
        value = result.metric(rule.metric).value
        if value is None or not math.isclose(value, test.metric, abs_tol=1e-6):
            yield f"{rule.metric or 'the metric'} is {value}, not {test.metric}"
    if test.fixed is not None:
        with dataset.trying():
            yield from _fix(alone, dataset, result, read_claims(test.fixed, "claim", prefixes))


def _compare(
    expect: Sequence[Mapping[str, str]], rule: Rule, result: Result, prefixes: Mapping[str, str]
) -> Iterator[str]:
    kind = "ruling" if rule.verdict else "violation"
    found = result.rulings if rule.verdict else result.violations
    rows = [dict(item.bindings) for item in found]
    for pattern in expect:
        wanted = {name: _term(text, prefixes) for name, text in pattern.items()}
        match = next(
            (
                row
                for row in rows
                if all(name in row and _same(row[name], term) for name, term in wanted.items())
            ),
            None,
        )
        if match is None:
            text = ", ".join(f"{name} = {term}" for name, term in pattern.items())
            yield f"no {kind} with {text or 'any columns'}"
        else:
            rows.remove(match)
    for row in rows:
        yield f"unexpected {kind}: " + ", ".join(f"{k} = {v.n3()}" for k, v in row.items())


def _fix(alone: Rules, dataset: Dataset, result: Result, wanted: list[Claim]) -> Iterator[str]:
    if not result.violations:
        yield "nothing to fix"
    for violation in result.violations:
        if violation.edit is None or violation.claim is None:
            yield "a violation has no edit"
            continue
        apply_edit(dataset, violation.edit, violation.claim.id)
    for violation in run(Case(), alone, dataset).violations:
        yield f"still fires after its edit: {violation.message}"
    expected = sorted(_signature(c.triple, c.polarity, str(c.modality)) for c in wanted)
    left = sorted(
        _signature(Triple(row["s"], row["p"], row["o"]), str(row["polarity"]), str(row["modality"]))
        for row in dataset.query(_CLAIMS)
    )
    if expected != left:
        yield f"the edit leaves {left}, not {expected}"


_CLAIMS = """
SELECT ?claim ?s ?p ?o ?polarity ?modality WHERE {
  ?claim a gr:Claim ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ;
         gr:polarity ?polarity ; gr:modality ?modality .
}
"""


def _signature(triple: Triple, polarity: str, modality: str) -> str:
    mode = [word for word in (polarity, modality) if word not in ("positive", "asserted")]
    return " ".join([_line(triple), *mode])


def _line(triple: Triple) -> str:
    return " ".join(term.n3() for term in (triple.subject, triple.predicate, triple.object))


def _term(text: str, prefixes: Mapping[str, str]) -> Node:
    triples = parse_turtle(f"<{TEST}s> <{TEST}p> {text} .", prefixes=prefixes)
    if len(triples) != 1:
        raise SourceError(f"{text!r} is not a term")
    return triples[0].object


def _same(found: Node, wanted: Node) -> bool:
    """Return whether two terms are equal, numbers by value."""
    if isinstance(wanted, BNode):
        return isinstance(found, BNode)
    if found == wanted:
        return True
    if isinstance(found, Literal) and isinstance(wanted, Literal):
        a, b = found.toPython(), wanted.toPython()
        if hasattr(a, "__float__") and hasattr(b, "__float__"):
            return math.isclose(float(a), float(b), abs_tol=1e-6)
    return False
