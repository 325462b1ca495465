"""The judge: rules put to a case, and each edit that they offer tried."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from groundrules.checks.case import Case, build
from groundrules.checks.clock import Clock
from groundrules.checks.paired import as_one, with_standing
from groundrules.dataset import Dataset
from groundrules.explain.repair import Key, verify_all
from groundrules.rules import engine
from groundrules.rules import shapes as shacl
from groundrules.rules.rule import Rule
from groundrules.terms import Metric, Ruling, Violation

Violations = tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules and SHACL shapes that judge a case, as a configuration sets them.

    `overrides` and `select` are those of `rules.engine.check`.
    """

    rules: tuple[Rule, ...] = ()
    overrides: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    select: tuple[str, ...] = ()
    shapes: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What rules find in a case.

    `hidden` are the violations of rules that the user left out of the report by `select`; verdicts
    count them all the same. `dataset` is the digest of the case, empty where no edits were tried.
    """

    violations: Violations
    hidden: Violations
    rulings: tuple[Ruling, ...]
    metrics: tuple[Metric, ...]
    dataset: str = ""

    @property
    def all_violations(self) -> Violations:
        """All violations, those that are not shown last."""
        return (*self.violations, *self.hidden)


def judge(
    case: Case,
    rules: Rules,
    *,
    edits: bool = True,
    tried: Collection[Key] = (),
    standing: Callable[[Violations], Violations] = tuple,
    clock: Clock | None = None,
) -> Judgement:
    """Return what rules and shapes find in a case, with each edit tried in its dataset.

    `standing` is given violations and returns those that stand: a caller drops by it what rules
    find in triples where the sentence as a whole shows that it is no fault, before any edit is
    tried (`checks.verdicts.without_suppressed`). Without it all stand. It sees no violations of
    SHACL shapes. Without `edits` none is tried, and there is no digest; those of the rules and
    claims in `tried` are not, which the judgement of another case of the text told.

    Raises:
        RuleError, ConfigError: as `rules.engine.check` and `rules.shapes.validate`.
        SourceError: an IRI of the case is none.
    """
    clock = clock or Clock()
    dataset, said = build(case), case.said
    clock.mark("dataset")
    result = run(case, rules, dataset)
    every = (*result.violations, *result.hidden)
    known = (*case.stated.values(), *(one for _, told in case.background for one in told))
    violations, hidden = (
        as_one(with_standing(standing(found), every, known))
        for found in (result.violations, result.hidden)
    )
    clock.mark("rules")
    if edits:
        violations = verify_all(
            violations,
            dataset,
            rules.rules,
            result,
            claims=said,
            overrides=rules.overrides,
            select=rules.select,
            tried=tried,
        )
    if rules.shapes:
        found = shacl.validate(
            dataset,
            rules.shapes,
            claims=said,
            evidence=case.stated,
            axioms=case.axioms,
            labels=case.labels,
            select=rules.select,
        )
        violations = tuple(sorted((*violations, *found), key=engine.place))
    digest = dataset.digest() if edits else ""
    clock.mark("repair")
    return Judgement(violations, hidden, result.rulings, result.metrics, digest)


def run(case: Case, rules: Rules, dataset: Dataset) -> engine.Result:
    """Return what the engine finds in the dataset of a case."""
    return engine.check(
        dataset,
        rules.rules,
        claims=case.said,
        evidence=case.stated | {one.id: one for one in case.passages},
        labels=case.labels,
        overrides=rules.overrides,
        select=rules.select,
    )
