"""The axioms of a finding: they alone make it, and without any one of them it is not made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from rdflib.term import BNode

from groundrules.checks.case import Case, build
from groundrules.checks.judge import Rules, run
from groundrules.checks.testing import TEST, case_of
from groundrules.dataset import parse_turtle
from groundrules.ontology.close import close
from groundrules.rules.packs import load_pack
from groundrules.rules.rule import Rule, RuleTest
from groundrules.terms import Triple, Violation

#: Of a key, which is a list, the head is shown; a value that its datatype has not is wrong without
#: any axiom.
IN_PART = {"OWL124", "OWL118"}
RULES = [rule for rule in load_pack("owl").rules if rule.form == "select"]
CASES = [
    pytest.param(rule, test, id=f"{rule.id} {test.name}")
    for rule in RULES
    if rule.axiom and rule.id not in IN_PART
    for test in rule.tests
    if test.expect and test.ontology
]


def case(rule: Rule, test: RuleTest) -> Case:
    """Return the case of a test with the axioms of its ontology closed, as those of a check are."""
    axioms = parse_turtle(test.ontology, prefixes={**rule.prefixes, "": TEST})
    return replace(case_of(rule, replace(test, ontology="")), axioms=close(axioms))


def found(rule: Rule, case: Case, axioms: Iterable[Triple]) -> tuple[Violation, ...]:
    case = replace(case, axioms=tuple(axioms))
    return run(case, Rules((rule,), select=(rule.id,)), build(case)).violations


@pytest.mark.parametrize(("rule", "test"), CASES)
def test_the_axioms_of_a_finding_make_it_and_no_fewer_do(rule: Rule, test: RuleTest) -> None:
    given = case(rule, test)

    whole = found(rule, given, given.axioms)

    assert whole
    for one in whole:
        stated = set(one.axioms)
        # a blank node of the dataset is known by what it says
        assert all(t in given.axioms for t in stated if not _blank(t))
        shown = [t for t in given.axioms if t in stated or _like(t, stated)]
        assert one.message in {other.message for other in found(rule, given, shown)}
        for left in shown:
            rest = [t for t in shown if t != left]
            claims = {v.claim.id for v in found(rule, given, rest) if v.claim}
            assert one.claim is not None
            assert one.claim.id not in claims, left


def _blank(triple: Triple) -> bool:
    return isinstance(triple.subject, BNode) or isinstance(triple.object, BNode)


def _like(triple: Triple, stated: set[Triple]) -> bool:
    """Return whether a statement with a blank node is one of some, whatever that is called."""

    def plain(one: Triple) -> tuple[object, ...]:
        ends = (one.subject, one.predicate, one.object)
        return tuple("[]" if isinstance(end, BNode) else end for end in ends)

    return _blank(triple) and plain(triple) in {plain(one) for one in stated}
