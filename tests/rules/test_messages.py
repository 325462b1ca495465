"""What each shipped rule says, in the words of its own examples, as a golden list to read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from rdflib.term import Node, URIRef

from groundrules.checks.case import Case, build
from groundrules.checks.judge import Rules, run
from groundrules.checks.testing import TEST, case_of
from groundrules.explain.edits import change, standing_of
from groundrules.legal.namespace import LX
from groundrules.rules.packs import shipped
from groundrules.rules.rule import Rule
from groundrules.terms import Report, Violation

Golden = Callable[[str, str], None]


def _found(rule: Rule) -> Iterator[Violation]:
    """Yield what a rule finds in its own tests, as far as it is no ruling that carries a claim."""
    asked = Rules((rule,), select=(rule.id,))
    if rule.metric:  # a note on a whole text is made below its threshold
        asked = replace(asked, overrides={rule.id: {"threshold": 1.0}})
    for test in rule.tests:
        case = case_of(rule, test)
        judged = run(Case(labels=_named(case)), asked, build(case))
        yield from judged.violations
        found = {one.claim.id for one in judged.violations if one.claim}
        for one in judged.rulings:
            if one.claim.id not in found:
                yield Violation(rule.id, rule.name, rule.severity, one.message, one.claim)


def _named(case: Case) -> dict[Node, str]:
    """Return how texts name the terms of a test, and of law: `has judge` for `:hasJudge`."""
    claims = (*case.claims, *(claim for _, held in case.evidence for claim in held))
    triples = (*case.facts, *(claim.triple for claim in claims))
    nodes = {part for one in triples for part in (one.subject, one.predicate, one.object)}
    return {
        node: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(node)[len(space) :].replace("_", " ")).lower()
        for node in nodes
        for space in (TEST, str(LX))
        if isinstance(node, URIRef) and str(node).startswith(space)
    }


def _lines(rule: Rule) -> list[str]:
    """Return one message of a rule and one line for each kind of edit that it proposes."""
    lines: list[str] = []
    kinds: set[tuple[str, ...]] = set()
    for one in _found(rule):
        if not lines:
            lines.append(f"{rule.id} {rule.name}: {one.message}")
            if one.because:
                lines.append(f"    because: {one.because}")
        if one.edit is None:
            continue
        kind = (one.edit.applicability, *(step.action for step in one.edit.operations))
        if kind not in kinds and (done := change(one, Report("test", ""))):
            kinds.add(kind)
            lines.append(f"    edit: {done} ({standing_of(one.edit)})")
    return lines


def test_what_every_rule_says_reads_as_english_and_none_is_silent(golden: Golden) -> None:
    told = [(rule, _lines(rule)) for rule in shipped().values()]

    assert [rule.id for rule, own in told if rule.form == "select" and not own] == []
    golden("messages.txt", "\n".join(line for _, own in told for line in own) + "\n")
