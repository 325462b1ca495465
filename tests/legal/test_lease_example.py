"""The lease of `examples/ontology`: what its terms rule out, although no source says otherwise."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules import api
from groundrules.claims.documents.document import from_text
from groundrules.config import Config
from groundrules.explain.formats import text as as_text
from groundrules.terms import Report, Severity, Violation

EXAMPLES = Path(__file__).parents[2] / "examples" / "ontology" / "lease"

#: The sentences of the answer that the terms of the ontology rule out, with the rules that say so.
FAULTS = {
    "The term expires on August 31, 2023.": {"OWL125"},
    "four thousand two hundred dollars ($4,020)": {"LAW006"},
    "thirty (60)": {"LAW014"},
    "$24,000, payable in twelve installments of $2,500": {"LAW015"},
    "Cedar Point Properties LLC becomes the tenant.": {"OWL101"},
    "Section 14.2": {"LAW011"},
    "The lease is governed by the laws of Oregon.": {"OWL121"},
    "The lease is governed by the laws of Washington.": {"OWL121"},
    "The landlord shall indemnify the landlord.": {"OWL101"},
    "The tenant shall install a sprinkler. The tenant shall not install a sprinkler.": {"LAW009"},
    "The purchase price is $0.": {"LAW007"},
}


@pytest.fixture(scope="module")
def lease() -> Report:
    texts = [
        from_text((EXAMPLES / name).read_text(encoding="utf-8"), f"examples/ontology/lease/{name}")
        for name in ("answer.txt", "lease.txt")
    ]
    report = api.check(texts[0], context=texts[1:], config=Config(ontology="legal"))
    return dataclasses.replace(report, run=dataclasses.replace(report.run, times=(), at=""))


def of_the_ontology(report: Report) -> list[Violation]:
    return [v for v in report.violations if v.rule.startswith(("OWL", "LAW"))]


def test_every_fault_is_found_by_the_rule_of_its_kind(lease: Report) -> None:
    for sentence, rules in FAULTS.items():
        start = lease.text.index(sentence)
        found = {
            v.rule
            for v in of_the_ontology(lease)
            for claim in v.claims
            if start <= claim.span.start < start + len(sentence)
        }
        assert found == rules, sentence


def test_nothing_else_is_flagged(lease: Report) -> None:
    places = [
        (start, end)
        for sentence in FAULTS
        for at in [lease.text.index(sentence)]
        for start in [lease.text.rfind(". ", 0, at) + 1]
        for end in [at + len(sentence)]
    ]
    for violation in lease.violations:
        if violation.severity is Severity.INFO:
            continue
        span = violation.claim.span if violation.claim else None
        assert span, violation.message
        assert any(start <= span.start < end for start, end in places), violation.message


def test_each_comes_with_its_reason_and_an_edit_that_did_not_fail(lease: Report) -> None:
    for violation in of_the_ontology(lease):
        assert violation.because
        assert violation.edit is not None
        # on a copy of the dataset it failed nowhere; what takes words out is not read again
        assert violation.edit.verified is not False
        assert violation.edit.verified or violation.edit.applicability != "safe"


def test_no_source_says_otherwise(lease: Report) -> None:
    # GR305 is a contradiction within the text, and GR308 says that no source speaks of a figure
    core = [v for v in lease.violations if v.rule.startswith(("GR2", "GR3"))]
    assert [v for v in core if v.rule not in ("GR305", "GR308")] == []


def test_the_source_itself_is_sound() -> None:
    source = from_text((EXAMPLES / "lease.txt").read_text(encoding="utf-8"), "lease")
    twin = from_text(source.text, "twin")
    report = api.check(source, context=[twin], config=Config(ontology="legal"))
    assert report.violations == ()


def test_the_report(lease: Report, golden: Callable[[str, str], None]) -> None:
    golden("ontology-lease/text", as_text.dumps(lease))
