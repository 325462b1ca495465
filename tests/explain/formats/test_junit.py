"""The junit format."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from hypothesis import given

from groundrules.explain.formats import Look, junit
from groundrules.terms import Outcome, Override, Report
from tests.explain import cases
from tests.explain.formats.test_json import reports


def parsed(*found: Report) -> ET.Element:
    return ET.fromstring(junit.render(found, Look()))


@given(reports)
def test_any_report_is_well_formed_and_counts_its_cases(report: Report) -> None:
    (suite,) = parsed(report)

    assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.get(name, "")) == len(suite.findall(f"testcase/{tag}"))


@given(reports)
def test_only_a_supported_or_decided_statement_passes(report: Report) -> None:
    (suite,) = parsed(report)
    passed = sum(len(case.findall("*")) == 0 or case.find("system-out") is not None
                 for case in suite.findall("testcase"))  # fmt: skip
    fine = sum(
        report.outcome_of(one) is Outcome.SUPPORTED or report.override_of(one) is not None
        for one in report.statements
    )

    assert passed <= fine + (not report.statements)


def test_what_the_policy_names_fails() -> None:
    report = replace(cases.policy(), policy=())
    strict = replace(report, policy=("not_enough_info",))

    def failures(one: Report) -> int:
        return int(parsed(one)[0].get("failures", ""))

    assert failures(strict) == failures(report) + 1


def test_what_is_set_aside_passes_and_says_why() -> None:
    report = cases.lease()
    aside = tuple(
        Override(s.fingerprint, "override", "read the deed", "Ann", "", Outcome.SUPPORTED)
        for s in report.statements
    )
    (suite,) = parsed(replace(report, overrides=aside))
    told = [case.findtext("system-out") or "" for case in suite.findall("testcase")]

    assert suite.findall("testcase[failure]") == suite.findall(
        "testcase[@name='the text as a whole']"
    )
    assert any("[overridden to supported by Ann: read the deed]" in one for one in told)
