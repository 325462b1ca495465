"""What a list of faults has."""

from __future__ import annotations

from dataclasses import replace

from groundrules.explain.findings import findings_apart
from groundrules.explain.listing import results
from groundrules.terms import Outcome, Override, Severity
from tests.explain import cases


def test_every_statement_that_is_not_supported_has_a_result() -> None:
    for make in cases.CASES.values():
        report = make()
        told = {one.statement.number for one in results(report) if one.statement}
        open_ = {s.number for s in report.statements if s.outcome is not Outcome.SUPPORTED}
        assert open_ <= told


def test_every_grave_violation_at_words_of_its_own_has_a_result() -> None:
    for make in cases.CASES.values():
        report = make()
        told = [one.violation for one in results(report)]
        behind = [v for s in report.statements for _, *rest in findings_apart(s, report)
                  for v in rest]  # fmt: skip
        grave = [v for v in report.violations if v.severity is not Severity.INFO]
        assert all(v in told for v in grave if v not in behind)


def test_of_faults_at_one_place_the_one_that_settled_the_statement_is_kept() -> None:
    report = cases.lease()
    first = next(one for one in results(report) if one.violation and one.statement)
    assert first.violation is not None
    other = replace(first.violation, rule="GR999", name="another")
    both = replace(report, violations=(other, *report.violations))

    kept = [one for one in results(both) if one.span == first.span]

    assert [one.rule for one in kept] == [first.rule]


def test_a_statement_that_a_person_refutes_is_a_fault() -> None:
    report = cases.lease()
    fine = next(s for s in report.statements if s.outcome is Outcome.SUPPORTED)
    word = Override(fine.fingerprint, "override", "the deed says so", "Ann", "", Outcome.REFUTED)

    found = [r for r in results(replace(report, overrides=(word,))) if r.statement == fine]

    assert [(one.kind, one.message, one.override) for one in found] == [
        ("fail", "overridden to refuted by Ann: the deed says so", None)
    ]
