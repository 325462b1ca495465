"""The engine: rules over a dataset, to violations, rulings and metrics.

1. `construct` rules run first, to a fixpoint; each writes to a graph named after the rule. Then
   `?claim gr:fits ?value` is written to the dataset, see `_FITS`.
2. Each `select` runs once over the whole dataset. Rows are checks.
3. A row violates if `?score` is below the rule's threshold (default 1; no such column counts 0);
   `?severity` may make it less severe than the rule.
4. A metric is the mean `?score`, written to the dataset as `metric:EG gr:value 0.83`; without
   rows it is undefined.
5. Rules that mention `metric:` run after those that produce it.
6. A row of a rule with a verdict is a ruling on its claim; the rulings that stand are written to
   the dataset as `?claim gr:verdict "refuted" ; gr:reason "KB401"`, and the rules that mention
   them run last.

`check` is a function of its arguments: no clock (but for the profile), no network, no chance; the
order of claims, rules and graphs does not change what it returns.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from urllib.parse import unquote

from rdflib.namespace import RDF
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.dataset import Dataset, stance
from groundrules.errors import ConfigError, RuleError, did_you_mean
from groundrules.rules.rule import EditTemplate, Param, Rule, substitute, variable
from groundrules.rules.wording import article, conjugate
from groundrules.terms import (
    ENTITY,
    GR,
    METRIC,
    RELATION,
    SOURCE,
    Applicability,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Metric,
    Modality,
    Outcome,
    Ruling,
    Severity,
    Span,
    Triple,
    Violation,
)

_MAX_ROUNDS = 100
_MAX_DERIVED = 1_000_000

Row = Mapping[str, Node]


@dataclass(frozen=True, slots=True)
class Result:
    """What the rules found; `profile` is (rule id, milliseconds) and no part of the verdict.

    `hidden` are the violations of rules that `select` leaves out: what is not shown
    still tells for a verdict.
    """

    violations: tuple[Violation, ...] = ()
    hidden: tuple[Violation, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    metrics: tuple[Metric, ...] = ()
    derived: tuple[tuple[str, Triple], ...] = ()
    profile: tuple[tuple[str, float], ...] = field(default=(), compare=False)

    def metric(self, name: str) -> Metric:
        """Return the metric of that name, undefined if no rule produced it."""
        return next((m for m in self.metrics if m.name == name), Metric(name, None))


def rule_graph(rule: str) -> URIRef:
    """Return the named graph that a deriving rule writes to."""
    return SOURCE[f"rule:{rule}"]


def check(
    dataset: Dataset,
    rules: Iterable[Rule],
    *,
    claims: Mapping[URIRef, Claim] | None = None,
    evidence: Mapping[URIRef, Claim] | None = None,
    labels: Mapping[Node, str] | None = None,
    overrides: Mapping[str, Mapping[str, object]] | None = None,
    select: Sequence[str] = (),
) -> Result:
    """Run the rules over the dataset, which is left as it was.

    `claims` and `evidence` give the claims and source statements behind the nodes of the dataset,
    for spans; `labels` name nodes in messages; `overrides` maps a rule id to severity, threshold
    and params. `select` has names and prefixes of ids and says what is shown; rules
    left out still give their metrics, rulings and hidden violations, and those in preview run only
    if selected.

    One violation per rule and claim (and value of `per`), with the evidence of all its rows, the
    best `?similarity` first; one ruling per rule with a verdict and claim. Both are sorted by span
    start, rule id, claim, and left out where another rule supersedes theirs on the claim. RuleError
    on a bad set of rules, ConfigError on a bad override.
    """
    view = _View(dataset, claims or {}, evidence or {}, labels or {})
    with dataset.trying():
        found = _run(dataset, rules, view, overrides or {}, select)
        faults, rulings = found.standing()
        told = {hit: _told(hit, found.settings[hit.rule.id], view) for hit in {*faults, *rulings}}
    shown = {name for name, rule in found.rules.items() if _chosen(rule, select)}
    violations = sorted((told[hit] for hit in faults), key=place)
    return Result(
        violations=tuple(v for v in violations if v.rule in shown),
        hidden=tuple(v for v in violations if v.rule not in shown),
        rulings=tuple(sorted((_ruling(hit, told[hit]) for hit in rulings), key=place)),
        metrics=tuple(found.metrics),
        derived=tuple(sorted(found.derived, key=lambda pair: (pair[0], _key(pair[1])))),
        profile=tuple(found.profile.items()),
    )


#: A rule and the claim that it is about.
Fired = tuple[str, URIRef | None]


def fired(
    dataset: Dataset,
    rules: Iterable[Rule],
    *,
    claims: Mapping[URIRef, Claim] | None = None,
    overrides: Mapping[str, Mapping[str, object]] | None = None,
    select: Sequence[str] = (),
) -> set[Fired]:
    """Return which rules `check` would have violations of, shown or hidden, and on which claims."""
    view = _View(dataset, claims or {}, {}, {})
    with dataset.trying():
        found = _run(dataset, rules, view, overrides or {}, select)
    return {hit.about for hit in found.standing()[0]}


@dataclass(frozen=True, slots=True, eq=False)
class _Hit:
    """A rule that fires on a claim by some rows, with what it rules on it, if it rules."""

    rule: Rule
    claim: Claim | None
    rows: Sequence[Row]
    outcome: Outcome | None

    @property
    def about(self) -> Fired:
        """The rule and the claim that it is about."""
        return self.rule.id, self.claim.id if self.claim else None

    @property
    def faulty(self) -> bool:
        """Whether it is a violation: all are but the rulings that prove no fault."""
        return self.rule.verdict is None or self.outcome in _FAULTS


def _run(
    dataset: Dataset,
    rules: Iterable[Rule],
    view: _View,
    overrides: Mapping[str, Mapping[str, object]],
    select: Sequence[str],
) -> _Found:
    """Run the rules over a dataset, and leave in it what they derive."""
    ordered = order(rules)
    found = _Found(ordered, settings_of(ordered, overrides), view)
    _derive([rule for rule in ordered if rule.form == "construct"], dataset, found)
    dataset.add(dataset.construct(_FITS))
    told = False
    for rule in ordered:
        if rule.form != "select":
            continue
        rules_on = _chosen(rule, select) or _chosen(rule, ())
        if not rules_on and not rule.metric:
            continue
        if rule.reads_verdicts and not told:
            told = True
            dataset.add(found.facts())
        start = time.perf_counter()
        settings = found.settings[rule.id]
        rows = view.rows(rule, settings.params)
        if rule.metric:
            metric = _mean(rule, rows)
            found.metrics.append(metric)
            if metric.value is not None:
                dataset.add([Triple(METRIC[metric.name], GR.value, Literal(metric.value))])
        if rules_on:
            found.hits += [view.hit(rule, rows) for rows in _failing(rule, rows, settings)]
        found.profile[rule.id] += (time.perf_counter() - start) * 1000
    return found


#: The values that fit the one of a claim, where some source gives one that does not: of the same
#: statement, or of one aligned with the claim.
_FITS = """
CONSTRUCT { ?claim gr:fits ?fitting } WHERE {
  {
    ?claim a gr:Claim ; rdf:object ?o .
    FILTER isLiteral(?o)
    FILTER EXISTS { ?apart gr:from ?o FILTER EXISTS { ?apart gr:relation "disjoint" } }
    ?claim rdf:subject ?s ; rdf:predicate ?p .
    ?fit gr:from ?o ; gr:relation ?how ; gr:to ?fitting .
    FILTER (?how IN ("equal", "claim-coarser", "source-coarser", "overlap"))
    FILTER EXISTS { GRAPH ?source { ?s ?p ?fitting } }
  } UNION {
    ?claim a gr:Claim ; rdf:object ?o .
    FILTER isLiteral(?o)
    FILTER EXISTS { ?apart gr:from ?o FILTER EXISTS { ?apart gr:relation "disjoint" } }
    ?fit gr:from ?o ; gr:relation ?how ; gr:to ?fitting .
    FILTER (?how IN ("equal", "claim-coarser", "source-coarser", "overlap"))
    FILTER EXISTS {
      ?beside gr:claim ?claim
      FILTER EXISTS { ?beside gr:evidence ?e FILTER EXISTS { ?e rdf:object ?fitting } }
    }
  }
}
"""
#: The outcomes that are violations too.
_FAULTS = (Outcome.REFUTED, Outcome.CONFLICTING)
_OPPOSITE = {Outcome.SUPPORTED: Outcome.REFUTED, Outcome.REFUTED: Outcome.SUPPORTED}


class _Found:
    """What the rules have found so far, and which of it stands."""

    def __init__(self, rules: Sequence[Rule], settings: dict[str, _Settings], view: _View) -> None:
        self.rules = {rule.id: rule for rule in rules}
        self.settings = settings
        self.view = view
        self.hits: list[_Hit] = []
        self.metrics: list[Metric] = []
        self.derived: list[tuple[str, Triple]] = []
        self.profile = dict.fromkeys(self.rules, 0.0)
        judges = [rule for rule in rules if rule.verdict]
        self.last = {rule.id for rule in judges if rule.reads_verdicts}
        self.first = {rule.id for rule in judges} - self.last

    def facts(self) -> Iterator[Triple]:
        """Yield the rulings that stand as triples."""
        for hit in self.standing()[1]:
            if hit.claim is not None and hit.outcome is not None:
                yield Triple(hit.claim.id, GR.verdict, Literal(hit.outcome.value))
                yield Triple(hit.claim.id, GR.reason, Literal(hit.rule.id))

    def standing(self) -> tuple[list[_Hit], list[_Hit]]:
        """Return the violations and the rulings that no other supersedes.

        What a rule that reads verdicts rules takes the place of what it has read: of the rulings
        on its claim, and of the violations of those who read that claim.
        """
        keys = {hit.about for hit in self.hits}
        silenced = {(loser, claim) for rule, claim in keys for loser in self.rules[rule].supersedes}
        last = {hit.about[1] for hit in self.hits if hit.outcome and hit.rule.id in self.last}
        silenced |= {(rule, claim) for rule in self.first for claim in last}

        def spoken(hit: _Hit) -> bool:
            reads = self.view.reads.get(hit.claim.id) if hit.claim else None
            return hit.rule.verdict is not None and reads in last

        standing = [hit for hit in self.hits if hit.about not in silenced]
        return (
            [hit for hit in standing if hit.faulty and not spoken(hit)],
            [hit for hit in standing if hit.outcome],
        )


def order(rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules in the order they run: what a rule reads first, then by id.

    A rule that reads verdicts comes after all that give one and read none. RuleError if an id or a
    metric occurs twice or the metrics and verdicts depend on one another in a circle.
    """
    by_id: dict[str, Rule] = {}
    producers: dict[str, Rule] = {}
    for rule in sorted(rules, key=lambda rule: (rule.id, rule.path)):
        if rule.id in by_id:
            raise RuleError(
                f"id {rule.id} is taken by {by_id[rule.id].path or by_id[rule.id].name}",
                path=rule.path,
            )
        by_id[rule.id] = rule
        if rule.metric:
            if rule.metric in producers:
                raise RuleError(
                    f"metric {rule.metric} is produced by {producers[rule.metric].id} already",
                    path=rule.path,
                )
            producers[rule.metric] = rule
    needs = {
        rule.id: {producers[name].id for name in rule.reads if name in producers}
        for rule in by_id.values()
    }
    judges = {rule.id for rule in by_id.values() if rule.verdict and not rule.reads_verdicts}
    for rule in by_id.values():
        if rule.reads_verdicts:
            needs[rule.id] |= judges
    sorter = TopologicalSorter(needs)
    try:
        sorter.prepare()
    except CycleError as error:
        circle = " -> ".join(error.args[1])
        raise RuleError(f"metrics and verdicts depend on one another: {circle}") from None
    ordered: list[Rule] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        ordered += [by_id[name] for name in ready]
        sorter.done(*ready)
    return ordered


def apply_edit(dataset: Dataset, edit: Edit, claim: URIRef) -> None:
    """Change the dataset as one edit says; see `apply_edits`."""
    apply_edits(dataset, {claim: edit})


def apply_edits(dataset: Dataset, edits: Mapping[URIRef, Edit]) -> None:
    """Change the dataset as the edits say that their claims should be changed.

    Deleting the claim's triple without a replacement removes the claim; deleting and adding
    rewrites its parts; a triple whose subject is the claim changes that property, and the stance
    that follows from it. An alignment
    whose differing slot now agrees with its evidence becomes one where nothing differs, a
    comparison with a statement of the value that it now has one of equals.
    """
    stated: dict[Node, list[Triple]] = {}
    for row in _asked(dataset, _STATED, edits):
        stated.setdefault(row["claim"], []).append(Triple(row["claim"], row["p"], row["o"]))
    for claim, edit in edits.items():
        _apply(dataset, edit, claim, stated.get(claim, ()))
    for row in _asked(dataset, _STANCES, edits):
        dataset.remove([Triple(row["claim"], GR.stance, row["stance"])])
        now = stance(str(row["polarity"]), str(row["modality"]))
        dataset.add([Triple(row["claim"], GR.stance, Literal(now))])
    for row in _asked(dataset, _SETTLED, edits):
        dataset.remove([Triple(row["a"], GR.slot, row["slot"])])
        dataset.add([Triple(row["a"], GR.slot, Literal("none"))])
    for row in _asked(dataset, _EQUALLED, edits):
        dataset.remove([Triple(row["c"], GR.relation, row["relation"])])
        dataset.add([Triple(row["c"], GR.relation, Literal("equal"))])


#: The most characters of the claims that one query names.
_NAMED = 10_000


def _asked(dataset: Dataset, query: str, claims: Iterable[URIRef]) -> list[Row]:
    """Return the rows of a query about `$chosen` claims, asked in queries of bounded length."""
    parts: list[list[str]] = [[]]
    for name in (claim.n3() for claim in claims):
        if parts[-1] and sum(map(len, parts[-1])) + len(name) > _NAMED:
            parts.append([])
        parts[-1].append(name)
    return [
        row for part in parts for row in dataset.query(query.replace("$chosen", " ".join(part)))
    ]


def _apply(dataset: Dataset, edit: Edit, claim: URIRef, about: Sequence[Triple]) -> None:
    """Make the operations of an edit; `about` is all that the dataset says of the claim."""
    parts = {t.predicate: t.object for t in about}
    triple = Triple(*(parts.get(RDF[name], claim) for name in ("subject", "predicate", "object")))
    adds: list[Triple] = []
    deleted = False
    for operation in edit.operations:
        if operation.triple.subject == claim and operation.action == "DELETE":
            dataset.remove([operation.triple])
        elif operation.triple.subject == claim:
            dataset.add([operation.triple])
        elif operation.action == "ADD":
            adds.append(operation.triple)
        else:
            deleted = deleted or operation.triple == triple
    if deleted and adds:
        for name in ("subject", "predicate", "object"):
            dataset.remove([Triple(claim, RDF[name], getattr(triple, name))])
            dataset.add([Triple(claim, RDF[name], getattr(adds[0], name))])
    elif deleted:
        dataset.remove(about)


_STATED = "SELECT ?claim ?p ?o WHERE { VALUES ?claim { $chosen } ?claim ?p ?o }"
_STANCES = """
SELECT ?claim ?stance ?polarity ?modality WHERE {
  VALUES ?claim { $chosen }
  ?claim gr:stance ?stance ; gr:polarity ?polarity ; gr:modality ?modality .
}
"""
_SETTLED = """
SELECT DISTINCT ?a ?slot WHERE {
  VALUES ?claim { $chosen }
  ?a gr:claim ?claim ; gr:evidence ?e ; gr:slot ?slot .
  ?claim rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ; gr:polarity ?polarity ;
         gr:modality ?modality .
  ?e rdf:subject ?ks ; rdf:predicate ?kp ; rdf:object ?known ; gr:polarity ?kpolarity ;
     gr:modality ?kmodality .
  FILTER (
    (?slot = "subject" && sameTerm(?s, ?ks)) || (?slot = "predicate" && sameTerm(?p, ?kp)) ||
    (?slot = "object" && sameTerm(?o, ?known)) || (?slot = "polarity" && ?polarity = ?kpolarity) ||
    (?slot = "modality" && ?modality = ?kmodality) || ?slot = "swap"
  )
}
"""


_EQUALLED = """
SELECT DISTINCT ?c ?relation WHERE {
  VALUES ?claim { $chosen }
  ?claim rdf:object ?o .
  ?c a gr:Comparison ; gr:claim ?claim ; gr:evidence ?e ; gr:relation ?relation .
  ?e rdf:object ?o .
}
"""


@dataclass(frozen=True, slots=True)
class _Settings:
    severity: Severity
    threshold: float
    params: Mapping[str, Param]


def settings_of(
    rules: Sequence[Rule], overrides: Mapping[str, Mapping[str, object]]
) -> dict[str, _Settings]:
    """Return how each rule is set, by its id.

    ConfigError, which begins with the dotted key, for what no rule has or of another kind.
    """
    ids = [rule.id for rule in rules]
    for name in overrides:
        if name not in ids:
            raise ConfigError(f"rules.{name}: no such rule{did_you_mean(name, ids)}")
    found: dict[str, _Settings] = {}
    for rule in rules:
        params = dict(rule.params)
        severity = rule.severity
        for key, value in overrides.get(rule.id, {}).items():
            if key == "severity":
                if value not in tuple(Severity):
                    raise ConfigError(
                        f"rules.{rule.id}.severity: {value!r}; expected {', '.join(Severity)}"
                        + did_you_mean(str(value), map(str, Severity))
                    )
                severity = Severity(str(value))
                continue
            if key != "threshold" and key not in params:
                known = list(dict.fromkeys([*params, "threshold", "severity"]))
                raise ConfigError(
                    f"rules.{rule.id}: no param {key!r}; expected {', '.join(known)}"
                    + did_you_mean(key, known)
                )
            default = params.get(key, 1.0)
            if not isinstance(value, str | int | float | bool) or _sort(value) != _sort(default):
                raise ConfigError(f"rules.{rule.id}.{key}: {value!r} is not {_sort(default)}")
            params[key] = value
        threshold = params.get("threshold", 1.0)
        assert isinstance(threshold, int | float)
        found[rule.id] = _Settings(severity, float(threshold), params)
    return found


def _sort(value: Param) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    return "a finite number" if math.isfinite(value) else "not finite"


def _chosen(rule: Rule, select: Sequence[str]) -> bool:
    if any(map(rule.is_meant_by, select)):
        return True
    return not select and rule.status != "preview"


def _derive(rules: Sequence[Rule], dataset: Dataset, found: _Found) -> None:
    """Run the deriving rules until nothing is new."""
    for _ in range(_MAX_ROUNDS):
        fresh: list[tuple[Rule, list[Triple]]] = []
        for rule in rules:
            start = time.perf_counter()
            query = substitute(rule, found.settings[rule.id].params)
            triples = dataset.construct(query, rule.prefixes)
            new = [t for t in dict.fromkeys(triples) if not dataset.states(t)]
            fresh.append((rule, new))
            found.profile[rule.id] += (time.perf_counter() - start) * 1000
        # All rules of a round see the same dataset, so their order does not matter.
        for rule, new in fresh:
            dataset.add(new, rule_graph(rule.id))
            found.derived += [(rule.id, triple) for triple in new]
        if not any(new for _, new in fresh):
            return
        if len(found.derived) > _MAX_DERIVED:
            break
    culprit = next(rule for rule, new in fresh if new)
    raise RuleError(f"{culprit.id} derives without end", path=culprit.path, line=culprit.line)


class _View:
    """The dataset with what the caller knows of its nodes."""

    def __init__(
        self,
        dataset: Dataset,
        claims: Mapping[URIRef, Claim],
        evidence: Mapping[URIRef, Claim],
        labels: Mapping[Node, str],
    ) -> None:
        self.dataset = dataset
        self.labels = labels
        self.claims = dict(claims)
        self.nodes = {
            row["claim"]
            for kind in (GR.Claim, GR.Assertion, GR.Statement)
            for row in dataset.query(f"SELECT ?claim WHERE {{ ?claim a {kind.n3()} }}")
        }
        # In the dataset: an edit may have changed what the caller knew.
        self.denials = {
            row["claim"] for row in dataset.query('SELECT ?claim { ?claim gr:polarity "negative" }')
        }
        self.lists: dict[Node, tuple[Node, Node]] | None = None
        self.reads = {
            row["a"]: row["claim"]
            for row in dataset.query("SELECT ?a ?claim { ?a gr:reads ?claim }")
        }
        unknown = self.nodes - self.claims.keys()
        for row in dataset.query(_CLAIMS) if unknown else ():
            node = row["claim"]
            if isinstance(node, URIRef) and node not in self.claims:
                self.claims[node] = Claim(
                    node,
                    Triple(row["s"], row["p"], row["o"]),
                    Span("", 0, 0),
                    polarity="negative" if str(row.get("polarity")) == "negative" else "positive",
                    modality=_modality(row.get("modality")),
                )
        # The sources come first: without a ?source the evidence is theirs, if they have it.
        self.stated = evidence, claims

    @cached_property
    def spans(self) -> dict[Triple, list[Claim]]:
        """What the sources and the text state, by its triple."""
        found: dict[Triple, list[Claim]] = {}
        for stated in self.stated:
            for statement in sorted(stated.values(), key=lambda c: (c.span, str(c.id))):
                found.setdefault(statement.triple, []).append(statement)
        return found

    @cached_property
    def sources(self) -> dict[Node, Node]:
        """The sources of all that is stated."""
        rows = self.dataset.query("SELECT ?e ?g WHERE { ?e gr:source ?g }")
        return {row["e"]: row["g"] for row in rows}

    def whole(self, axioms: Iterable[Triple]) -> tuple[Triple, ...]:
        """Return axioms, each once, with the members of the lists that they end in."""
        out = dict.fromkeys(axioms)
        for axiom in tuple(out):
            at = axiom.object
            while isinstance(at, BNode) and at in self._members():
                first, rest = self._members()[at]
                pair = Triple(at, RDF.first, first), Triple(at, RDF.rest, rest)
                if pair[0] in out:
                    break
                out |= dict.fromkeys(pair)
                at = rest
        return tuple(out)

    def _members(self) -> dict[Node, tuple[Node, Node]]:
        if self.lists is None:
            rows = self.dataset.query(
                "SELECT ?at ?first ?rest WHERE { ?at rdf:first ?first ; rdf:rest ?rest }"
            )
            self.lists = {row["at"]: (row["first"], row["rest"]) for row in rows}
        return self.lists

    def rows(self, rule: Rule, params: Mapping[str, Param]) -> list[Row]:
        """Return the rows of a rule in an order of their own; those about no claim are dropped."""
        try:
            rows = self.dataset.query(substitute(rule, params), rule.prefixes)
        except RuleError as error:
            raise RuleError(f"{rule.id}: {error.message}", path=rule.path, line=rule.line) from None
        if "claim" in rule.columns:
            # Evidence is reified like a claim, and a query may not tell them apart.
            rows = [row for row in rows if row.get("claim") in self.nodes]
        names = sorted({name for row in rows for name in row})
        unique = {
            tuple([(name, _text(row[name])) for name in names if name in row]): row for row in rows
        }
        return [unique[key] for key in sorted(unique)]

    def hit(self, rule: Rule, rows: Sequence[Row]) -> _Hit:
        """Return that a rule fires by some rows; of a denial it rules the opposite."""
        node = rows[0].get("claim")
        claim = self.claims.get(node) if isinstance(node, URIRef) else None
        outcome = rule.verdict if claim else None
        if claim and outcome and rule.denied and claim.id in self.denials:
            outcome = _OPPOSITE[outcome]
        return _Hit(rule, claim, rows, outcome)

    def span(self, triple: Triple, source: Node | None) -> Span | None:
        """Return the first place where the source, or the text, states the triple."""
        for statement in self.spans.get(triple, ()):
            if source is None or self.sources.get(statement.id) == source:
                return statement.span
        return None

    def render(self, node: Node | None, prefixes: Mapping[str, str]) -> str:
        """Return a node as the texts call it, else as a prefixed name, on one line."""
        return " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", self.name(node, prefixes)).split())

    def name(self, node: Node | None, prefixes: Mapping[str, str]) -> str:
        if node is None:
            return "nothing"
        if node in self.labels:
            return self.labels[node]
        if isinstance(node, Literal):
            number = _number(node)
            counted = isinstance(node.value, int)
            fraction = number is not None and not counted and abs(number) < 1e15
            return f"{number:.2f}" if fraction else str(node)
        text = str(node)
        for namespace in (ENTITY, RELATION):
            if text.startswith(namespace):
                return unquote(text[len(namespace) :].replace("-", " "))
        for prefix, iri in prefixes.items():
            if text.startswith(iri) and re.fullmatch(r"[\w.-]+", text[len(iri) :]):
                return f"{prefix}:{text[len(iri) :]}"
        return "something" if isinstance(node, BNode) else f"<{text}>"


_CLAIMS = """
SELECT ?claim ?s ?p ?o ?polarity ?modality WHERE {
  ?claim a ?kind ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o .
  FILTER (?kind IN (gr:Claim, gr:Assertion, gr:Statement))
  OPTIONAL { ?claim gr:polarity ?polarity }
  OPTIONAL { ?claim gr:modality ?modality }
}
"""


def _modality(node: Node | None) -> Modality:
    try:
        return Modality(str(node))
    except ValueError:
        return Modality.ASSERTED


def _number(node: Node | None) -> float | None:
    if not isinstance(node, Literal):
        return None
    value = node.toPython()
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def _score(row: Row) -> float:
    """Return the score of a row, cut to 0..1; a score that could not be worked out is 0."""
    number = _number(row.get("score"))
    return 0.0 if number is None else min(1.0, max(0.0, number))


def _severity(row: Row, most: Severity) -> Severity:
    """Return the severity that a row gives in `?severity`, at most that of the rule."""
    given = str(row.get("severity"))
    order = list(Severity)
    return max(most, Severity(given), key=order.index) if given in order else most


def _similarity(row: Row) -> float:
    number = _number(row.get("similarity"))
    return 1.0 if number is None else min(1.0, max(0.0, number))


def _text(node: Node) -> str:
    if type(node) is URIRef:
        return _iri(node)
    # The names of blank nodes are accidents.
    return "_:" if isinstance(node, BNode) else node.n3()


@lru_cache(maxsize=16384)  # of a few the rows are made
def _iri(node: URIRef) -> str:
    return node.n3()


def _key(triple: Triple) -> tuple[str, str, str]:
    return _text(triple.subject), _text(triple.predicate), _text(triple.object)


def place(violation: Violation | Ruling) -> tuple[bool, str, int, str, str, str]:
    """Return what violations and rulings are sorted by: start of the span, rule, claim."""
    claim = violation.claim
    return (
        claim is None,
        claim.span.source if claim else "",
        claim.span.start if claim else 0,
        violation.rule,
        str(claim.id) if claim else "",
        violation.message,
    )


def _mean(rule: Rule, rows: Sequence[Row]) -> Metric:
    """Return the mean score, of each distinct value of `per` the best."""
    if rule.per:
        best: dict[Node | None, float] = {}
        for row in rows:
            value = row.get(rule.per)
            best[value] = max(best.get(value, 0.0), _score(row))
        scores = list(best.values())
    else:
        scores = [_score(row) for row in rows]
    mean = math.fsum(scores) / len(scores) if scores else None
    return Metric(rule.metric, mean, len(scores))


def _failing(rule: Rule, rows: Sequence[Row], settings: _Settings) -> Iterator[list[Row]]:
    """Yield for each claim (and value of `per`) the rows that fail, the nearest evidence first."""
    groups: dict[tuple[Node | None, Node | None], list[Row]] = {}
    for row in rows:
        key = (row.get("claim"), row.get(rule.per) if rule.per else None)
        groups.setdefault(key, []).append(row)
    scored = "score" in rule.columns
    for group in groups.values():
        if rule.per and scored:
            # The best match counts, as it does in the metric.
            group = [max(group, key=_score)]
        failing = [row for row in group if not scored or _score(row) < settings.threshold]
        if failing:
            yield sorted(failing, key=lambda row: -_similarity(row))


def _told(hit: _Hit, settings: _Settings, view: _View) -> Violation:
    """Return what a rule has to say of a claim, on a denial the opposite."""
    rule, row = hit.rule, hit.rows[0]
    turned = hit.outcome not in (None, rule.verdict)
    return Violation(
        rule=rule.id,
        name=rule.name,
        severity=_severity(row, settings.severity),
        message=_message(rule.denied if turned else rule.message, row, rule, view),
        claim=hit.claim,
        evidence=_evidence(rule, hit.rows, view),
        edit=_edit(rule.edit, hit.rows, hit.claim) if rule.edit else None,
        score=_score(row) if "score" in rule.columns else None,
        bindings=tuple((name, row[name]) for name in rule.columns if name in row),
        axioms=view.whole(t for one in rule.axiom for t in _fill([one], row) or ()),
        because=_message(rule.because, row, rule, view),
        traits=rule.traits,
    )


def _ruling(hit: _Hit, told: Violation) -> Ruling:
    assert hit.claim is not None
    assert hit.outcome is not None
    return Ruling(told.rule, hit.outcome, hit.claim, told.message, told.evidence, told.bindings)


def _message(template: str, row: Row, rule: Rule, view: _View) -> str:
    node = row.get("claim")
    claim = view.claims.get(node) if isinstance(node, URIRef) else None

    def value(match: re.Match[str]) -> str:
        if match[0] in ("{{", "}}"):
            return match[0][0]
        before, node = match["before"] or "", row.get(match["name"])
        words = view.render(node, rule.prefixes)
        if before == "on " and re.fullmatch(r"(?:[A-Z][a-z]+ )?\d{4}(?:-\d\d)?", words):
            before = "in "  # a year or a month
        elif before in ("a ", "A "):
            before = article(words).replace("a", before[0], 1) + " "
        elif before and isinstance(node, URIRef) and node.startswith(RELATION):
            if claim is not None and claim.triple.predicate == node and before != ", not ":
                negative = claim.polarity == "negative"
                words = conjugate(words, negative=negative, modality=claim.modality)
            else:
                words = conjugate(words)
        return before + words

    # a noun after its article, a relation after its subject, a date after "on"
    pattern = r"\{\{|\}\}|(?P<before>\b[aA] |\bon |(?<=\}) |\bit |, not )?\{(?P<name>\w+)\}"
    return " ".join(re.sub(pattern, value, template).split())  # a column may have no words


def _fill(template: Iterable[Triple], row: Row) -> tuple[Triple, ...] | None:
    """Return the triples of a template, None if one of its variables is unbound."""
    filled = []
    for triple in template:
        parts = []
        for term in (triple.subject, triple.predicate, triple.object):
            name = variable(term)
            node = row.get(name) if name else term
            if node is None:
                return None
            parts.append(node)
        filled.append(Triple(*parts))
    return tuple(filled)


def _evidence(rule: Rule, rows: Sequence[Row], view: _View) -> tuple[Evidence, ...]:
    found: dict[tuple[Triple, str], Evidence] = {}
    for row in rows:
        source = row.get("source")
        for triple in _fill(rule.evidence, row) or ():
            name = str(source) if source is not None else ""
            found.setdefault(
                (triple, name),
                Evidence(triple, name, view.span(triple, source), _similarity(row)),
            )
    return tuple(found.values())


def _edit(template: EditTemplate, rows: Sequence[Row], claim: Claim | None) -> Edit | None:
    """Return the edit of the best row; it is unsafe where the rows propose different ones."""
    proposals: list[tuple[EditOperation, ...]] = []
    for row in rows:
        if template.whole:
            deleted: tuple[Triple, ...] | None = (claim.triple,) if claim else None
        else:
            deleted = _fill(template.delete, row)
        added = _fill(template.add, row)
        if deleted is None or added is None:
            continue
        operations = (
            *(EditOperation("DELETE", triple) for triple in deleted),
            *(EditOperation("ADD", triple) for triple in added),
        )
        if operations not in proposals:
            proposals.append(operations)
    if not proposals:
        return None
    applicability: Applicability = template.applicability
    if len(proposals) > 1 and applicability == "safe":
        applicability = "unsafe"
    return Edit(proposals[0], applicability)
