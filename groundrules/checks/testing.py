"""The tests inside rule files, and how long a rule takes.

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
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rdflib.namespace import OWL, RDF, XSD
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


def run_tests(rules: Iterable[Rule]) -> list[Failure]:
    """Run every test of the rules and return those that fail."""
    return [
        Failure(rule, test, message)
        for rule, test in cases(rules)
        for message in run_test(rule, test)
    ]


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


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds a rule takes on the standard dataset with a small and a large context.

    `grows` is True if the time follows the size of the context, which a rule must not do: see
    docs/rule-language.md for how to write the query.
    """

    rule: str
    small: float
    large: float
    grows: bool


def profile(
    rules: Sequence[Rule],
    *,
    claims: int = 100,
    triples: tuple[int, int] = (2_000, 20_000),
    repeats: int = 3,
) -> list[Timing]:
    """Time each rule on `standard_dataset` with two sizes of context, the best of `repeats`.

    A select rule grows if it takes longer by a third of the factor between the contexts and more
    than 40 ms: wide margins, since machines are noisy. A construct rule may grow: it writes.
    """
    best: list[dict[str, float]] = []
    timed = Rules(tuple(rules))
    for size in triples:
        dataset = standard_dataset(claims, size)
        runs = [dict(run(Case(), timed, dataset).profile) for _ in range(repeats)]
        best.append({rule.id: min(run[rule.id] for run in runs) for rule in rules})
    factor = triples[1] / triples[0]
    return [
        Timing(
            rule.id,
            best[0][rule.id],
            best[1][rule.id],
            rule.form == "select" and best[1][rule.id] > max(40.0, best[0][rule.id] * factor / 3),
        )
        for rule in rules
    ]


def standard_dataset(claims: int, triples: int, seed: int = 0) -> Dataset:
    """Return a dataset of so many claims and context statements, the same for the same seed.

    A quarter of the claims stand in the context; of the others the object is wrong, the roles are
    swapped, or the value is. Every fifth claim has an alignment, every value a comparison. The
    context is a knowledge base too: every claim is a reading of it beside three of its statements.
    """
    draw = _Draw(random.Random(seed), max(10, triples // 10))
    context = [_statement(i, draw) for i in range(triples)]
    checked: list[Claim] = []
    readings: list[Claim] = []
    facts: list[Triple] = []
    for statement in context:
        facts += _tell(statement.id, rank="normal", sort="value", best=True)
    for i in range(claims):
        beside = context[draw.chance.randrange(triples)]
        triple = _claimed(i, beside.triple, draw)
        if isinstance(beside.triple.object, Literal):
            facts += _mismatch(i, triple, beside.triple)
        claim = Claim(URIRef(f"{TEST}claim{i}"), triple, Span("text", i, i + 1))
        reading = replace(claim, id=URIRef(f"{TEST}reading{i}"), reads=claim.id)
        checked.append(claim)
        readings.append(reading)
        facts += _asked(i, claim, reading, [beside, *draw.chance.sample(context, 2)])
        if i % 5 == 0:
            facts += _aligned(i, claim, beside)
    kinds = (OWL.FunctionalProperty, OWL.InverseFunctionalProperty, OWL.SymmetricProperty)
    facts += [Triple(URIRef(f"{TEST}relation{i}"), RDF.type, kinds[i % 3]) for i in range(0, 30, 2)]
    return build(
        Case(
            text=TEXT,
            claims=tuple(checked),
            assertions=tuple(readings),
            evidence=((CONTEXT, tuple(context)),),
            facts=tuple(facts),
        )
    )


@dataclass(frozen=True, slots=True)
class _Draw:
    """What things and values are drawn from; of the things there are `size`."""

    chance: random.Random
    size: int

    def thing(self) -> URIRef:
        return URIRef(f"{TEST}thing{self.chance.randrange(self.size)}")

    def year(self) -> Literal:
        return Literal(str(self.chance.randrange(1900, 2000)), datatype=XSD.gYear)


def _statement(i: int, draw: _Draw) -> Claim:
    subject, relation = draw.thing(), URIRef(f"{TEST}relation{draw.chance.randrange(30)}")
    return Claim(
        URIRef(f"{TEST}evidence{i}"),
        Triple(subject, relation, draw.year() if i % 5 == 0 else draw.thing()),
        Span("context", i, i + 1),
        polarity="negative" if i % 50 == 0 else "positive",
        modality=Modality.CONDITION if i % 50 == 1 else Modality.ASSERTED,
    )


def _claimed(i: int, stated: Triple, draw: _Draw) -> Triple:
    """Return what is claimed in place of a statement."""
    if isinstance(stated.object, Literal):
        return replace(stated, object=draw.year())
    if i % 4 == 1:
        return replace(stated, object=draw.thing())
    if i % 4 == 2:
        return Triple(stated.object, stated.predicate, stated.subject)
    return stated


def _mismatch(i: int, claimed: Triple, stated: Triple) -> Iterator[Triple]:
    link = URIRef(f"{TEST}comparison{i}")
    yield Triple(link, GR["from"], claimed.object)
    yield Triple(link, GR.to, stated.object)
    yield Triple(link, GR.relation, Literal("disjoint"))


def _asked(i: int, claim: Claim, reading: Claim, known: Sequence[Claim]) -> Iterator[Triple]:
    """Yield what is told of a claim that was asked about, beside what is known."""
    yield Triple(reading.id, GR.asks, CONTEXT)
    yield Triple(claim.id, GR.asks, TEXT)
    yield from _tell(reading.id, lookup="ok", link=("linked", "ambiguous")[i % 2], complete=False,
                     scope=("undated", "dated")[i % 3 % 2], temporal=i % 4 == 0,
                     functional=("none", "single")[i // 2 % 2])  # fmt: skip
    yield from _tell(claim.id, verdict=("supported", "refuted")[i // 3 % 2])
    for number, statement in enumerate(known):
        node = URIRef(f"{TEST}beside{i}x{number}")
        yield Triple(node, RDF.type, GR.Comparison)
        yield Triple(node, GR.claim, reading.id)
        yield Triple(node, GR.evidence, statement.id)
        yield from _tell(node, relation=("disjoint", "equal")[i // 4 % 2],
                         during=("unstated", "in", "out")[number])  # fmt: skip


def _aligned(i: int, claim: Claim, beside: Claim) -> Iterator[Triple]:
    link = URIRef(f"{TEST}alignment{i}")
    slots = ("none", "object", "subject", "predicate", "swap", "polarity")
    yield Triple(link, RDF.type, GR.Alignment)
    yield Triple(link, GR.claim, claim.id)
    yield Triple(link, GR.evidence, beside.id)
    yield Triple(link, GR.slot, Literal(slots[i // 5 % 6]))
    yield Triple(link, GR.similarity, Literal(0.8))


def _tell(node: URIRef, **facts: str | bool) -> Iterator[Triple]:
    """Yield what the vocabulary of knowledge bases says of a node."""
    for name, value in facts.items():
        yield Triple(node, GR[name], Literal(value))
