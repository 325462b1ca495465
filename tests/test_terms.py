"""What a report says of itself."""

from __future__ import annotations

from dataclasses import replace

from rdflib.term import Literal

from groundrules.terms import METRIC, Outcome, Override, Severity, Violation
from tests.explain import cases


def test_a_violation_that_is_set_aside_stays_and_does_not_count() -> None:
    report = cases.lease()
    aside = tuple(Override(v.fingerprint, "baseline", "known") for v in report.violations)
    judged = replace(report, overrides=aside)

    assert judged.violations == report.violations
    assert any(v.severity is Severity.ERROR and report.stands(v) for v in report.violations)
    assert not any(map(judged.stands, judged.violations))


def test_the_outcome_that_a_person_gives_counts_and_the_last_one_does() -> None:
    report = cases.lease()
    first = next(s for s in report.statements if s.outcome is Outcome.REFUTED)
    right = Override(first.fingerprint, "override", "read again", "Ann", outcome=Outcome.SUPPORTED)
    wrong = replace(right, outcome=Outcome.REFUTED)

    assert replace(report, overrides=(right,)).outcome_of(first) is Outcome.SUPPORTED
    assert replace(report, overrides=(right, wrong)).outcome_of(first) is Outcome.REFUTED


def test_a_text_conforms_once_all_that_speaks_against_it_is_decided() -> None:
    report = cases.lease()
    aside = [Override(v.fingerprint, "override", "known", "Ann") for v in report.violations]
    held = [
        Override(s.fingerprint, "override", "read", "Ann", outcome=Outcome.SUPPORTED)
        for s in report.statements
    ]

    assert report.conforms is False
    assert replace(report, overrides=(*aside, *held)).conforms is True


def test_the_fingerprint_of_a_statement_does_not_rest_on_its_place() -> None:
    one = cases.lease().statements[0]
    moved = replace(one, number=7, text=one.text.replace(" ", "\n"))

    assert moved.fingerprint == one.fingerprint
    assert replace(one, text=f"{one.text} Not.").fingerprint != one.fingerprint


def test_the_fingerprint_of_a_finding_on_the_whole_text_rests_on_what_it_names_not_on_scores() -> (
    None
):
    one = Violation("GR900", "low-fidelity", Severity.ERROR, "CFI is 0.10")
    scored = replace(one, bindings=(("score", Literal(0.1)), ("metric", METRIC["CFI"])))
    again = replace(scored, bindings=(("score", Literal(0.2)), ("metric", METRIC["CFI"])))
    other = replace(scored, bindings=(("score", Literal(0.1)), ("metric", METRIC["EG"])))

    assert scored.fingerprint == again.fingerprint
    assert len({one.fingerprint, scored.fingerprint, other.fingerprint}) == 3
    first = next(v for v in cases.lease().violations if v.claim)
    assert replace(first, bindings=scored.bindings).fingerprint == first.fingerprint
