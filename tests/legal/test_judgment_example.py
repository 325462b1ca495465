"""The shipped judgment, and a brief about it that holds faults no source reveals."""

from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules import api
from groundrules.claims.documents.document import from_text
from groundrules.config import Config
from groundrules.explain.formats import text as as_text
from groundrules.terms import Report
from tests.test_api import still

FOLDER = Path(__file__).parents[2] / "examples/ontology/judgment"
#: What each faulty passage of the brief holds, in order.
FAULTS = [
    ("The complaint was filed on June 1, 2022", "LAW020"),
    ("entered judgment for the carrier on August 9, 2021", "LAW022"),
    ("decided by Pacific Arbitration Services LLC", "LAW023"),
    ("550 U.S. 544, 570 (2009)", "LAW032"),
    ("relied on Dell Storage LLC v. Orson Milling LLC", "LAW033"),
    ("350 F.3d 445 (D.C. Cir. 1965)", "LAW029"),
    ("512 F.2d 300 (11th Cir. 1975)", "LAW026"),
    ("Calder Mills LLC v. Calder Mills LLC", "LAW034"),
    ("12 Am. Carr. Rep. 340", "LAW035"),
]


@pytest.fixture(scope="module")
def report() -> Report:
    brief, opinion = (
        from_text((FOLDER / name).read_text("utf-8"), f"examples/ontology/judgment/{name}")
        for name in ("brief.txt", "opinion.txt")
    )
    config = Config(ontology="legal", select=("OWL", "LAW"))
    return still(api.check(brief, context=[opinion], config=config))


def test_each_fault_of_the_brief_is_found_and_nothing_else(report: Report) -> None:
    places = [(report.text.index(words), len(words), rule) for words, rule in FAULTS]
    found = [(v.rule, v.claim.span) for v in report.violations if v.claim]
    for start, length, rule in places:
        assert any(
            rule == name and span.start < start + length and start < span.end
            for name, span in found
        ), rule
    assert {name for name, _ in found} == {rule for _, rule in FAULTS}
    for name, span in found:
        assert any(
            rule == name and span.start < start + length and start < span.end
            for start, length, rule in places
        ), (name, report.text[span.start : span.end])


def test_each_fault_has_a_reason_and_an_edit(report: Report) -> None:
    for violation in report.violations:
        assert violation.because
        assert violation.edit is not None
        # on a copy of the dataset it failed nowhere; what takes words out is not read again
        assert violation.edit.verified is not False
        assert violation.edit.verified or violation.edit.applicability != "safe"


def test_the_opinion_agrees_with_itself() -> None:
    opinion = from_text((FOLDER / "opinion.txt").read_text("utf-8"), "opinion.txt")
    config = Config(ontology="legal", select=("OWL", "LAW"))
    found = api.check(opinion, context=[opinion], config=config).violations
    assert [violation.message for violation in found] == []


def test_the_report_in_text(report: Report, golden: Callable[[str, str], None]) -> None:
    golden("judgment/text", as_text.dumps(report))
