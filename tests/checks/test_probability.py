"""The probability that no statement of a text is wrong, and where none is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rdflib.term import URIRef

from groundrules import Config, check
from groundrules.checks.merge import merge_reports
from groundrules.checks.verdicts import CATEGORIES, load_rates, with_probability
from groundrules.terms import Outcome, Override, Report, Span, Statement

YES, NO, OPEN = Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO
SOURCE = "The Otter was built in 1994. The Otter carries 80 passengers."


def told(*outcomes: Outcome, reason: str = "") -> Report:
    made = (
        Statement(URIRef(f"urn:s{n}"), n, f"S{n}.", Span("a", 4 * n, 4 * n + 3), outcome, reason)
        for n, outcome in enumerate(outcomes)
    )
    return with_probability(Report("a", "", tuple(made)), ())


def of(*outcomes: Outcome, reason: str = "") -> float:
    value = told(*outcomes, reason=reason).probability
    assert value is not None
    return value


@pytest.mark.parametrize(
    "outcomes",
    [
        [OPEN] * 10,
        [YES] * 4 + [OPEN] * 6,
        [Outcome.ERROR] * 3,
        [YES] * 9 + [Outcome.ERROR],
        [YES, Outcome.UNVERIFIABLE],
        [NO, Outcome.ERROR],
        [],
    ],
)
def test_there_is_no_probability_of_a_text_that_is_not_settled_or_not_all_checked(
    outcomes: list[Outcome],
) -> None:
    assert told(*outcomes).probability is None


def test_what_a_rule_refuted_is_right_no_more_often_than_the_rule_errs() -> None:
    rates = load_rates()
    own = {rule: share for rule, share in rates.precision.items() if rule}

    for rule, precision in own.items():
        assert of(NO, reason=rule) <= 1 - precision + 1e-4
        assert of(NO, *[YES] * 3, reason=rule) <= 1 - precision + 1e-4
    # of a rule that nobody measured, such as one of a pack of one's own, that of all rules
    assert of(NO, reason="OURS1") <= 1 - rates.precision[""] + 1e-4
    assert of(NO) < 0.25


def test_a_statement_more_never_makes_a_text_more_probable() -> None:
    for more in (YES, OPEN, NO):
        assert of(YES, YES, more) <= of(YES, YES)
    assert of(YES, YES, NO) < of(YES, YES, OPEN) <= of(YES, YES, YES)


def test_the_rates_fall_from_supported_to_refuted() -> None:
    rates = [load_rates().rates[name] for name in CATEGORIES]

    assert rates == sorted(rates, reverse=True)


def test_a_refuted_text_is_improbable_and_an_open_one_has_no_probability() -> None:
    refuted = check("The Otter carries 120 passengers.", context=[SOURCE])
    left_open = check("Its captain likes music.", context=[SOURCE])

    assert refuted.probability is not None
    assert refuted.probability < 0.25
    assert left_open.probability is None
    assert check("Its captain likes music.", context=[SOURCE], config=Config(settled=0)).probability


def test_a_decision_that_changes_the_conclusion_leaves_no_probability() -> None:
    report = told(YES, YES)
    first = report.statements[0]
    wrong = Override(first.fingerprint, "override", "read", "Ann", outcome=NO)
    right = replace(wrong, outcome=YES)

    assert report.with_overrides((wrong,)).probability is None
    assert report.with_overrides((right,)).probability == report.probability


def test_a_model_that_changes_the_conclusion_leaves_no_probability() -> None:
    plain, same, other = told(YES), told(YES), told(NO, reason="GR104")

    assert merge_reports(same, plain, ()).probability == plain.probability
    assert merge_reports(other, plain, ()).probability is None
